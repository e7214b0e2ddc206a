"""`hoyle arena`: rates bots by matches against each other.

In: a game, bots, a number of matches. Out: ratings and win shares, with intervals; exit 1 when a bot failed.
"""

from __future__ import annotations

import json
import os
import time
from concurrent.futures.process import BrokenProcessPool

import click

import hoyle
from hoyle.front.cli.common import (
    find_game_file,
    game_argument,
    json_option,
    players_option,
    read_bots,
    screen_width,
    settings_option,
    think_option,
)
from hoyle.front.cli.failures import INTERRUPTED, Problem
from hoyle.front.cli.progress import interruptible, progress_bar, tell_how_to_play_faster, tell_of_failures
from hoyle.lab.arena import Plan, run_arena, sum_up
from hoyle.lab.arena.playing import count_matches
from hoyle.lab.arena.report import arena_data, describe_arena
from hoyle.lab.bots import tell_think


@click.command("arena", epilog="Example: hoyle arena my-game --bots hard,medium,easy,random --games 100 --jobs 0")
@game_argument
@click.option("--bots", "--bot", "bots", multiple=True, default=("medium,easy,random",), metavar="NAME,NAME…",
              show_default="medium,easy,random", callback=read_bots,
              help="Who plays, two at least: names as for `hoyle sim --bot`, or module:Class.")  # fmt: skip
@click.option("-n", "--games", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
              help="How many matches each pair plays at least; each deal is played from all seats.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="What all chance comes from.")
@players_option
@settings_option
@think_option
@click.option("-j", "--jobs", type=click.IntRange(min=0), default=1, show_default=True, metavar="J",
              help="Processes to work in; 0 for one on each processor.")  # fmt: skip
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    bots: str,
    games: int,
    seed: int,
    players: int | None,
    settings: dict[str, str],
    think: float | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Let bots play GAME against each other, every pair, and rate them.

    Each deal is played with the bots at all seats, and by all pairs, so that nobody has better cards. Interrupted
    (Ctrl-C), it shows what was played until then.
    """
    loaded = hoyle.load(find_game_file(game), players=players, options=settings)
    names = tuple(bots.split(",") if think is None else tell_think(bots.split(","), think))
    plan = Plan(names, games, seed, jobs or os.cpu_count() or 1)
    began = time.monotonic()
    matches = count_matches(loaded, plan)
    interrupted = ctx.with_resource(interruptible())
    try:
        with progress_bar(matches) as progress, interrupted.breaking_off():
            meetings = run_arena(loaded, plan, interrupted, progress)
    except BrokenProcessPool:
        raise Problem("a worker process ended early, perhaps for want of memory; try fewer --jobs") from None
    arena = sum_up(names, meetings)
    seconds = time.monotonic() - began
    tell_of_failures()
    tell_how_to_play_faster(seconds)
    if as_json:
        data = {"game": loaded.name, "players": loaded.players, "options": dict(loaded.options), "seed": seed}
        click.echo(json.dumps({**data, **arena_data(arena, names), "seconds": round(seconds, 3)}, indent=2))
    else:
        click.echo(f"{loaded.title}, {loaded.players} players, seed {seed}")
        click.echo("\n".join(describe_arena(arena, names, screen_width())))
    if arena.problems:
        ctx.exit(1)
    if interrupted():
        click.echo(f"stopped after {arena.matches} of {matches} matches", err=True)
        ctx.exit(INTERRUPTED)
