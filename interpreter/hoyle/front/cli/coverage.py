"""`hoyle coverage`: measures which clauses of a game are ever reached.

In: a game, its examples, a number of games. Out: how often every clause held and failed, as text, JSON or HTML.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import click

import hoyle
from hoyle.authoring.coverage import Verdict, judge, measure
from hoyle.authoring.coverage.measure import Measured, Plan, find_tests
from hoyle.authoring.coverage.page import write_page
from hoyle.authoring.coverage.verdict_text import as_data, describe
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import game_name
from hoyle.front.cli.common import (
    RealRange,
    bots_option,
    find_game_file,
    game_argument,
    json_option,
    players_option,
    screen_width,
    settings_option,
)
from hoyle.front.cli.failures import Problem, wants_color

USUAL_GAMES = 10
USUAL_WORK = 6_000_000  # default limit of expressions evaluated in games: some seconds


@click.command("coverage", epilog="Example: hoyle coverage my-game.game.yaml --games 50 --html coverage.html")
@game_argument
@click.option("--tests", "only_tests", is_flag=True, help="Run the examples beside the game; no games unless asked.")
@click.option("--games", type=click.IntRange(min=0), metavar="N",
              help="Let bots play N games; no examples unless asked. Without either: all, and 10 games, or fewer "
              "where they take long.")  # fmt: skip
@click.option("--until-all", is_flag=True, help="Begin no more games once every clause has been reached.")
@players_option
@settings_option
@click.option("--defaults", is_flag=True, help="Play every game with the options as they are set; else every second "
              "game draws them at random.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="What all chance comes from.")
@bots_option()
@click.option("--whole", is_flag=True, help="Count the clauses of parents and modules too, not only the game's own.")
@click.option("--all", "everything", is_flag=True, help="Show every clause, not only those that were not reached.")
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write the files with what was counted on every line.")  # fmt: skip
@json_option
@click.option("--fail-under", type=RealRange(min=0, max=100), metavar="PERCENT",
              help="Exit with 1 if fewer of the clauses were reached.")  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    only_tests: bool,
    games: int | None,
    until_all: bool,
    players: int | None,
    settings: dict[str, str],
    defaults: bool,
    seed: int,
    bot: str,
    whole: bool,
    everything: bool,
    page: Path | None,
    as_json: bool,
    fail_under: float | None,
) -> None:
    """Tell which clauses of GAME are reached by its examples and by games of bots, and how often each held and failed.

    A comment on the line of a clause, or right above it, excuses what cannot be reached: `# unreached: why`, `# never
    holds: why`, `# never fails: why`.
    """
    path = find_game_file(game)
    plan = Plan(
        tests=only_tests or games is None,
        games=games if games is not None else 0 if only_tests else USUAL_GAMES,
        players=players,
        options=dict(settings),
        vary=not defaults,
        seed=seed,
        bot=bot,
        most_work=USUAL_WORK if games is None else None,
        stop=until_all,
    )
    if plan.tests and not plan.games and not find_tests(path):
        beside = path.with_name(f"{game_name(path)}.test.yaml")
        raise Problem(f"there are no examples: they stand in {shown_path(beside)}; or let bots play with --games 50")
    if page is not None and not page.parent.is_dir():
        raise Problem(f"{page}: there is no folder {page.parent}")
    measured, verdict = _run(path, plan, whole, quiet=as_json)
    if page is not None:
        page.write_text(write_page(verdict, measured), encoding="utf-8")
    if as_json:
        click.echo(json.dumps(as_data(verdict, measured), indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(describe(verdict, measured, everything=everything, width=screen_width())))
    too_few = fail_under is not None and verdict.share * 100 < Fraction(str(fail_under))
    if too_few or verdict.stale or measured.failing or measured.faults:
        ctx.exit(1)


def _run(path: Path, plan: Plan, whole: bool, *, quiet: bool) -> tuple[Measured, Verdict]:
    report = Report()
    with _progress(quiet) as tell:
        measured = measure(path, plan, report, tell)
    if measured is None or report.failed:
        raise hoyle.RuleFileError(report)
    return measured, judge(measured.items if whole else measured.own, measured.counts)


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[str], None]]:
    """Show the current activity in a status line, on a terminal only."""
    if quiet or not wants_color() or sys.stdout is None:
        yield lambda what: None
        return
    from rich.console import Console

    with Console().status("reading") as status:
        yield lambda what: status.update(what[:70])
