"""`hoyle tournament`: runs a tournament of bots at many tables.

In: a game, a format, a number of tables and seats, a seed. Out: a summary of every game, and the standings.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

import hoyle
from hoyle.cli.common import (
    bots_option,
    errors_option,
    find_game_file,
    game_argument,
    screen_width,
    settings_option,
    settle_bots,
    think_option,
)
from hoyle.cli.failures import Problem
from hoyle.columns import wrap_line, wrap_lines
from hoyle.diagnostics.report import Report
from hoyle.diagnostics.spelling import nearest
from hoyle.family import find_parents
from hoyle.tournament import Plan, find_format, list_formats, read_format, run_tournament, set_up
from hoyle.tournament.format import Amount, Format, name_format
from hoyle.tournament.running import GameResult
from hoyle.tournament.telling import describe_game, describe_heading, describe_standings, outcome_data


@click.command("tournament", epilog="Example: hoyle tournament my-game --tables 4 --seats 4 --seed 7")
@game_argument
@click.option("-f", "--format", "form", metavar="NAME",
              help="The format: a file, or a name; when not given, the one beside the game.")  # fmt: skip
@click.option("-t", "--tables", type=click.IntRange(min=1), metavar="N", help="How many tables there are.")
@click.option("-p", "--seats", type=click.IntRange(min=1), metavar="N", help="How many sit at a table.")
@click.option("-g", "--games", type=click.IntRange(min=1), metavar="N", help="How many games are played.")
@click.option("--tie", type=click.Choice(["cut", "all", "shared"]), help="What becomes of equals at a table.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="What all chance comes from.")
@settings_option
@bots_option()
@think_option
@errors_option()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(
    game: str,
    form: str | None,
    tables: int | None,
    seats: int | None,
    games: int | None,
    tie: str | None,
    seed: int,
    settings: dict[str, str],
    bot: str,
    think: float | None,
    errors: float,
    as_json: bool,
) -> None:
    """Let bots play GAME at many tables, by a format, and show the standings."""
    path = find_game_file(game)
    report = Report()
    found = _read_format(form, path, report)
    at_table = _settle(found.seats, seats, "seats")
    setup = set_up(found, path, at_table, dict(settings), report)
    if setup is None:
        raise hoyle.RuleFileError(report)
    bot = settle_bots(bot, think, at_table)
    number = games if games is not None else found.games.usual
    plan = Plan(
        _settle(found.tables, tables, "tables"),
        None if number is None else _settle(found.games, number, "games"),
        seed,
        bot,
        errors,
        tie or "",
    )
    if tie == "cut" and not setup.ranks:
        raise Problem(f"the format `{found.name}` does not say what a card counts in a cut")
    if as_json:
        click.echo(json.dumps(outcome_data(run_tournament(setup, plan)), indent=2))
        return
    width = screen_width()
    click.echo("\n".join(wrap_line(describe_heading(setup, plan), width)))

    def tell(number: int, result: GameResult, points: list[int]) -> None:
        click.echo("\n".join(wrap_lines(describe_game(setup, number, result), width)))

    outcome = run_tournament(setup, plan, tell)
    click.echo()
    click.echo("\n".join(wrap_lines(describe_standings(outcome), width)))


def _list_lineage(game: Path) -> list[Path]:
    """List a game and its ancestors, whose formats apply to it as well."""
    found: dict[Path, None] = {game: None}
    waiting = [game]
    while waiting:
        new = [parent for parent in find_parents(waiting.pop()) if parent not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return list(found)


def _read_format(name: str | None, game: Path, report: Report) -> Format:
    folders = list(dict.fromkeys(each.parent for each in _list_lineage(game)))
    path = next((beside for folder in folders if (beside := find_format(name, folder)) is not None), None)
    if path is None:
        known = list(dict.fromkeys(name_format(each) for folder in folders for each in list_formats(folder)))
        near = nearest(name or "", known)
        listed = ", ".join(known)
        raise Problem(
            f"no format named `{name}`; " + (f"did you mean `{near}`?" if near else f"there are {listed}")
            if name
            else f"the game has no format of its own; choose one with --format: {listed}"
        )
    found = read_format(path, report)
    if found is None:
        raise hoyle.RuleFileError(report)
    return found


def _settle(amount: Amount, given: int | None, name: str) -> int:
    number = given if given is not None else amount.usual
    assert number is not None
    if not amount.low <= number <= amount.high:
        raise Problem(f"{number} {name}: the format is for {amount.low} to {amount.high}")
    return number
