"""`hoyle eval`: evaluates an expression of the rule language in a game.

In: a game, an expression, optionally a position. Out: its value; for a score table also its rows.
"""

from __future__ import annotations

import json
import shutil

import click

import hoyle
from hoyle.authoring.evaluating import set_position, work_out
from hoyle.base.diagnostics.report import Report
from hoyle.front.cli.common import find_game_file, game_argument, json_option, players_option, settings_option
from hoyle.front.cli.failures import Problem
from hoyle.language.compile import read_game
from hoyle.language.specialise import Specialised, specialise


@click.command("eval", epilog='Example: hoyle eval my-game.game.yaml "worth(C7 C8, B)" --given "pile: C3; player: 1"')
@game_argument
@click.argument("expression", metavar="EXPR")
@players_option
@settings_option
@click.option("--given", metavar="POSITION",
              help="What lies where, as in examples, divided by `;`. All else is as --seed deals it.")  # fmt: skip
@click.option("--seat", type=click.IntRange(min=0), metavar="K", help="The seat that `seat` and `hand` speak of.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="What all chance comes from.")
@json_option
def command(
    game: str, expression: str, players: int | None, settings: dict[str, str], given: str | None, seat: int | None,
    seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Work out EXPR, any expression in the words of GAME, its definitions included.

    Of a score table, every row that scores is shown with what makes it up.
    """
    rules = _load(game, players, settings)
    if seat is not None and seat >= rules.program.players:
        last = rules.program.players - 1
        raise Problem(f"no seat {seat}: with {rules.program.players} players the seats are 0 to {last}")
    report = Report()
    match = set_position(rules, seed, given, (), report)
    width = shutil.get_terminal_size((80, 24)).columns
    lines = [] if match is None else work_out(rules, match, expression, seat, report, width)
    if not lines:
        raise hoyle.RuleFileError(report)
    click.echo(json.dumps({"value": lines[0], "rows": lines[1:]}, ensure_ascii=False) if as_json else "\n".join(lines))


def _load(game: str, players: int | None, settings: dict[str, str]) -> Specialised:
    report = Report()
    path = find_game_file(game)
    declared = read_game(path, report)
    if declared is None:
        raise hoyle.RuleFileError(report)
    low, high = declared.allowed
    if players is not None and not low <= players <= high:
        raise Problem(declared.refuse_players(players))
    rules = specialise(declared, declared.usual[0] if players is None else players, dict(settings), report)
    if rules is None:
        raise hoyle.RuleFileError(report)
    return rules
