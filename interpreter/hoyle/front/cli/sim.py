"""`hoyle sim`: simulates many games with bots.

In: a game, its settings, and the number of games. Out: wins, scores and lengths; exit 1 when a fault stopped a game.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import get_args

import click

import hoyle
from hoyle.base.columns import wrap_line
from hoyle.front.cli.common import (
    bots_option,
    errors_option,
    find_game_file,
    game_argument,
    json_option,
    language_option,
    players_option,
    screen_width,
    settings_option,
    settle_bots,
    think_option,
)
from hoyle.front.cli.failures import INTERRUPTED, Problem
from hoyle.front.cli.progress import interruptible, progress_bar, tell_how_to_play_faster, tell_of_failures
from hoyle.lab.sim.charts import draw_text, write_page
from hoyle.lab.sim.cluster import ClusterError, RayCrew
from hoyle.lab.sim.distribution import Distribution
from hoyle.lab.sim.report import describe_counts, describe_summary, list_seats, list_teams, summary_data
from hoyle.lab.sim.run import Keep, Plan, SimExecutor, simulate
from hoyle.lab.sim.storage import Row, Setting, StorageError, open_store
from hoyle.play.engine.executors import ExecutorName
from hoyle.play.engine.native.compiler import HOW_TO_HAVE_ONE, NO_COMPILER
from hoyle.play.engine.printed import find_problem
from hoyle.play.view.locale import Locale


@click.command("sim", epilog="Example: hoyle sim my-game.game.yaml --games 10000 --players 4 --seed 7")
@game_argument
@click.option("-n", "--games", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N",
              help="How many games to play.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="What all chance comes from.")
@players_option
@settings_option
@bots_option()
@think_option
@click.option("-j", "--jobs", type=click.IntRange(min=0), default=1, show_default=True, metavar="J",
              help="Processes to work in; 0 for one on each processor. The result is the same.")  # fmt: skip
@click.option("--on", type=click.Choice(["ray"]), help="Play on a Ray cluster, if hoyle[ray] is installed: on one of "
              "this machine, unless --address says where it is. The result is the same.")  # fmt: skip
@click.option("--address", metavar="HOST:PORT", help="Where the cluster is: its address, or `auto`; with --on ray.")
@errors_option()
@click.option("--executor", type=click.Choice(list(get_args(SimExecutor))), default="auto", show_default=True,
              help="What plays: native code (made by a C compiler), a GPU (cuda), generated Python, or the reference; "
                   "auto makes native code when it pays. The result is the same.")  # fmt: skip
@click.option("--count", is_flag=True,
              help="Count what happens, too: how often each action is offered and chosen, each end comes about and "
                   "each cap is reached. The reference plays then, which takes longer.")  # fmt: skip
@click.option("-o", "--out", "--output", "out", type=click.Path(path_type=Path), metavar="FILE",
              help="Write a row for each game, too: FILE.sqlite, FILE.csv, or FILE.parquet if pyarrow is "
              "installed.")  # fmt: skip
@click.option("--plot", is_flag=True, help="Show how wins, lengths, branching and scores are distributed.")
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write a page with charts, too.")  # fmt: skip
@json_option
@language_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    games: int,
    seed: int,
    players: int | None,
    settings: dict[str, str],
    bot: str,
    think: float | None,
    jobs: int,
    on: str | None,
    address: str | None,
    errors: float,
    executor: SimExecutor,
    count: bool,
    out: Path | None,
    plot: bool,
    page: Path | None,
    as_json: bool,
    language: str | None,
) -> None:
    """Let bots play GAME many times and sum up what happened.

    Interrupted (Ctrl-C), it shows and keeps what was played until then. Any one game can be watched again:
    `hoyle play GAME --auto --seed …` with its seed.
    """
    by: ExecutorName = executor if executor in ("reference", "python") else "auto"
    load = functools.partial(hoyle.load, find_game_file(game), players=players, options=settings, executor=by)
    loaded = load()  # reports errors in the file before any process starts
    bot = settle_bots(bot, think, loaded.players)
    if address is not None and on is None:
        raise Problem("--address says where a cluster is: say --on ray, too")
    if on is not None and executor in ("native", "cuda"):
        raise Problem(f"--on {on} plays by Python: leave out --executor {executor}")
    plan = Plan(games, seed, bot, min(jobs or os.cpu_count() or 1, games), errors, executor, count)
    teams = list_teams(loaded.program.teams)
    if page is not None and not page.parent.is_dir():
        raise Problem(f"{page}: there is no folder {page.parent}")
    charted = Distribution(loaded.players) if plot or page is not None else None
    began = time.monotonic()
    setting = Setting(loaded.name, loaded.players, loaded.options, seed, bot, hoyle.__version__)
    interrupted = ctx.with_resource(interruptible())
    try:
        with _storing(out, setting, charted) as keep, progress_bar(games) as progress, interrupted.breaking_off():
            hire = functools.partial(RayCrew, address=address) if on == "ray" else None
            summary = simulate(load, plan, interrupted, progress, keep, hire)
    except BrokenProcessPool:
        raise Problem("a worker process ended early, perhaps for want of memory; try fewer --jobs") from None
    except (StorageError, ClusterError) as error:
        raise Problem(str(error)) from None
    seconds = time.monotonic() - began
    native = summary.native
    if executor == "python" and (problem := find_problem(loaded.program)):
        click.echo(f"played by the reference, which is slower: no Python is generated for {problem}", err=True)
    if executor == "auto":
        tell_of_failures()
    if executor == "auto" and not count:
        tell_how_to_play_faster(seconds)
    if executor in ("native", "cuda") and native is not None and native.problem:
        remedy = f"; {HOW_TO_HAVE_ONE}" if native.problem == NO_COMPILER else ""
        player = "the reference" if find_problem(loaded.program) else "generated Python"
        click.echo(f"played by {player}: {native.problem}{remedy}", err=True)
    elif native is not None and native.left_out:
        player = "the GPU" if executor == "cuda" else "native code"
        click.echo(f"{player} left {native.left_out} of {native.played} games to Python", err=True)
    if as_json:
        data = {"game": loaded.name, "players": loaded.players, "options": dict(loaded.options)}
        data |= {"seed": seed, "bot": bot, "asked": games, **summary_data(summary, teams)}
        data |= {"native": {"games": native.played, "left_out": native.left_out} if native else None}
        data |= {"seconds": round(seconds, 3)}
        click.echo(json.dumps(data, indent=2))
    else:
        locale = Locale(loaded.program, language)
        width = screen_width()
        head = locale.say("simulated", title=locale.title, players=loaded.players, bot=bot, seed=seed)
        click.echo("\n".join(wrap_line(head, width)))
        click.echo(describe_summary(summary, seconds, locale.language, teams, width))
        if summary.counted is not None and summary.games:
            click.echo("\n" + "\n".join(describe_counts(summary.counted, locale.language, width)))
        if charted is not None and plot and summary.games:
            for chart in charted.list_charts():
                click.echo("\n" + "\n".join(draw_text(chart, width)))
    if charted is not None and page is not None:
        text = f"{summary.games:,} games, {loaded.players} players, bot {bot}, seed {seed}."
        rows = list_seats(summary, None) if summary.games else [("seat",)]
        page.write_text(write_page(loaded.title, [text], [rows], charted.list_charts()), encoding="utf-8")
    if summary.faults or summary.unended:
        ctx.exit(1)
    if interrupted():
        click.echo(f"stopped after {summary.played} of {games} games", err=True)
        ctx.exit(INTERRUPTED)


@contextlib.contextmanager
def _storing(out: Path | None, setting: Setting, charted: Distribution | None) -> Iterator[Keep | None]:
    """Make the callback for the rows of games, if they are to be written to a file or charted."""
    takers: list[Keep] = [] if charted is None else [charted.add]
    if out is None:
        yield _share_out(takers)
        return
    with contextlib.closing(open_store(out, setting)) as store:
        yield _share_out([*takers, store.add])


def _share_out(takers: list[Keep]) -> Keep | None:
    def take(rows: Sequence[Row]) -> None:
        for each in takers:
            each(rows)

    return take if takers else None
