"""`hoyle tournament`: holds a tournament at many tables, of bots, or with people among them.

In: a game, a format, how many play at how many tables, a seed. Out: a summary of every game, and the standings.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

import hoyle
from hoyle.base.columns import wrap_line, wrap_lines
from hoyle.base.diagnostics.report import Report
from hoyle.base.diagnostics.spelling import nearest
from hoyle.front.cli.common import (
    bots_option,
    errors_option,
    find_game_file,
    game_argument,
    json_option,
    screen_width,
    settings_option,
    settle_bots,
    think_option,
)
from hoyle.front.cli.failures import Problem
from hoyle.lab.tournament import Outcome, Plan, Setup, find_format, list_formats, read_format, run_tournament, set_up
from hoyle.lab.tournament.format import Amount, Format, name_format
from hoyle.lab.tournament.running import GameResult
from hoyle.lab.tournament.standings_text import describe_game, describe_heading, describe_standings, outcome_data
from hoyle.language.family import find_parents


@click.command("tournament", epilog="Example: hoyle tournament my-game --tables 4 --seats 4 --seed 7")
@game_argument
@click.option("-f", "--format", "form", metavar="NAME",
              help="The format: a file, or a name; when not given, the one beside the game.")  # fmt: skip
@click.option("-t", "--tables", type=click.IntRange(min=1), metavar="N", help="How many tables there are.")
@click.option("--seats", type=click.IntRange(min=1), metavar="N", help="How many sit at a table.")
@click.option("--players", type=click.IntRange(min=1), metavar="N",
              help="How many take part in all; if they do not divide evenly, some tables have one more.")  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="NAME",
              help="Somebody who plays at this terminal; repeat it for several. Bots are the others.")  # fmt: skip
@click.option("-n", "--games", type=click.IntRange(min=1), metavar="N", help="How many games are played.")
@click.option("--tie", type=click.Choice(["cut", "all", "shared"]), help="What becomes of equals at a table.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="What all chance comes from.")
@settings_option
@bots_option()
@think_option
@errors_option()
@json_option
def command(
    game: str,
    form: str | None,
    tables: int | None,
    seats: int | None,
    players: int | None,
    names: tuple[str, ...],
    games: int | None,
    tie: str | None,
    seed: int,
    settings: dict[str, str],
    bot: str,
    think: float | None,
    errors: float,
    as_json: bool,
) -> None:
    """Play GAME at many tables, by a format, and show the standings.

    Bots play, and the people named by --name: they are asked at this terminal, table by table.
    """
    path = find_game_file(game)
    report = Report()
    found = _read_format(form, path, report)
    many = _count_tables(found, tables, seats, players)
    at_table = _settle(found.seats, players // many if players is not None else seats, "seats")
    setup = _set_up(found, path, at_table, settings, report, larger=players is not None and players % many > 0)
    bot = settle_bots(bot, think, at_table)
    size = setup.game.players // setup.sides
    entrants = (players or 0) // size
    if len(names) > (entrants or setup.sides * many):
        raise Problem(f"{len(names)} people, and only {entrants or setup.sides * many} can take part")
    if len(set(names)) < len(names):
        raise Problem("two people have the same name")
    number = games if games is not None else found.games.usual
    plan = Plan(
        many,
        None if number is None else _settle(found.games, number, "games"),
        seed,
        bot,
        errors,
        tie or "",
        entrants,
        tuple(name if size == 1 else f"{name}'s side" for name in names),
    )
    if tie == "cut" and not setup.ranks:
        raise Problem(f"the format `{found.name}` does not say what a card counts in a cut")
    if as_json and names:
        raise Problem("--json is for tournaments of bots: there is nobody to ask")
    if as_json:
        click.echo(json.dumps(outcome_data(run_tournament(setup, plan)), indent=2))
        return
    width = screen_width()
    click.echo("\n".join(wrap_line(describe_heading(setup, plan), width)))

    def tell(number: int, result: GameResult, points: list[int]) -> None:
        click.echo("\n".join(wrap_lines(describe_game(setup, plan, number, result), width)))

    outcome = _run(setup, plan, tell, names)
    if outcome is None:
        click.echo("The tournament is left; nothing of it is kept.")
        return
    click.echo()
    click.echo("\n".join(wrap_lines(describe_standings(outcome), width)))


def _count_tables(form: Format, tables: int | None, seats: int | None, players: int | None) -> int:
    """How many tables there are: as said, or as many as that number of players fills."""
    if tables is not None or players is None:
        return _settle(form.tables, tables, "tables")
    if seats is not None and players % seats:
        raise Problem(f"{players} players cannot sit at tables of {seats}; say --tables, and some have one more")
    usual = _settle(form.seats, seats, "seats")
    return _settle(form.tables, max(form.tables.low, round(players / usual)), "tables")


def _set_up(
    form: Format, path: Path, at_table: int, settings: dict[str, str], report: Report, *, larger: bool
) -> Setup:
    """Compile the game for the tables, and for those with one side more."""
    setup = set_up(form, path, at_table, dict(settings), report)
    more = None
    if setup is not None and larger:
        size = setup.game.players // setup.sides
        more = set_up(form, path, _settle(form.seats, at_table + size, "seats"), dict(settings), report)
    if setup is None or (larger and more is None):
        raise hoyle.RuleFileError(report)
    return replace(setup, larger=more)


def _run(
    setup: Setup, plan: Plan, tell: Callable[[int, GameResult, list[int]], None], names: tuple[str, ...]
) -> Outcome | None:
    """Run the tournament; None if somebody leaves."""
    if not names:
        return run_tournament(setup, plan, tell)
    from hoyle.front.terminal.party import Party
    from hoyle.front.terminal.surface import Left

    try:
        return run_tournament(setup, plan, tell, Party(names, plan.bot, plan.errors).open_table)
    except Left:
        return None


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
