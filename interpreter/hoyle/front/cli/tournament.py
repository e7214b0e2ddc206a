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
from hoyle.front.cli.serve import find_bot, find_data_file, name_game, open_lobby, run_server, server_options
from hoyle.lab.tournament import NoTournament, Outcome, Plan, Setup, Wish, prepare, run_tournament
from hoyle.lab.tournament.running import GameResult
from hoyle.lab.tournament.standings_text import describe_game, describe_heading, describe_standings, outcome_data


@click.command("tournament", epilog="Example: hoyle tournament my-game --tables 4 --seats 4 --seed 7")
@game_argument
@click.option("-f", "--format", "form", metavar="NAME",
              help="The format: a file, or a name; when not given, the one beside the game.")  # fmt: skip
@click.option("-t", "--tables", type=click.IntRange(min=1), metavar="N", help="How many tables there are.")
@click.option("--seats", type=click.IntRange(min=1), metavar="N", help="How many sit at a table.")
@click.option("--players", type=click.IntRange(min=1), metavar="N",
              help="How many take part in all; if they do not divide evenly, some tables have one more.")  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="NAME",
              help="Somebody who plays at this terminal, or with --serve in a browser; repeat it for several. Bots are "
              "the others.")  # fmt: skip
@click.option("-n", "--games", type=click.IntRange(min=1), metavar="N", help="How many games are played.")
@click.option("--tie", type=click.Choice(["cut", "all", "shared"]), help="What becomes of equals at a table.")
@click.option("--seed", type=int, metavar="S", help="What all chance comes from.  [default: 0, or a new one with "
              "--serve]")  # fmt: skip
@settings_option
@bots_option(otherwise="random; with --serve as at any table")
@think_option
@errors_option()
@json_option
@click.option("--serve", is_flag=True, help="Let the people named play in browsers, at tables of a server.")
@server_options
def command(
    game: str,
    form: str | None,
    tables: int | None,
    seats: int | None,
    players: int | None,
    names: tuple[str, ...],
    games: int | None,
    tie: str | None,
    seed: int | None,
    settings: dict[str, str],
    bot: str,
    think: float | None,
    errors: float,
    as_json: bool,
    serve: bool,
    host: str,
    port: int,
    data: str | None,
    pace: float,
    opens: bool,
) -> None:
    """Play GAME at many tables, by a format, and show the standings.

    Bots play, and the people named by --name: they are asked at this terminal, table by table, or play in browsers. """
    path = find_game_file(game)
    wish = Wish(form, tables, seats, players, games, tie or "", names, settings, seed or 0, bot or "random", errors)
    setup, plan = _prepare(path, wish)
    if serve:
        if seed is not None or errors or think or as_json or not names:
            raise Problem("--serve is for people, named by --name, and takes no --seed, --errors, --think or --json")
        if form is not None and Path(form).is_file():
            form = str(Path(form).resolve())
        _serve(path, replace(wish, form=form, bot=find_bot(bot or None)), host, port, data, pace, opens=opens)
        return
    plan = replace(plan, bot=settle_bots(plan.bot, think, setup.game.players))
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


def _serve(path: Path, wish: Wish, host: str, port: int, data: str | None, pace: float, *, opens: bool) -> None:
    """Set the tables of a tournament at a server, and run it."""
    where = data or find_data_file()
    lobby = open_lobby(where, path, pace=pace)

    import asyncio

    from hoyle.front.web.tournaments import Tournaments

    wish = replace(wish, seed=lobby.draw_seed())
    key = asyncio.run(Tournaments(lobby).begin(name_game(lobby, path), wish))
    run_server(lobby, host, port, f"t/{key}", opens=opens, keeps=where != ":memory:")


def _prepare(path: Path, wish: Wish) -> tuple[Setup, Plan]:
    report = Report()
    try:
        prepared = prepare(path, wish, report)
    except NoTournament as cannot:
        raise Problem(str(cannot)) from None
    if prepared is None:
        raise hoyle.RuleFileError(report)
    return prepared


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
