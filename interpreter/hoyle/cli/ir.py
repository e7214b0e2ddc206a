"""`hoyle ir`: prints the intermediate representation of a rule file.

In: a game and its settings. Out: its program as text or JSON, or the Python code generated from it.
"""

from __future__ import annotations

import json

import click

import hoyle
from hoyle.cli.common import find_game_file, game_argument, players_option, settings_option
from hoyle.engine.generated import write_source
from hoyle.ir.dump import dump_text
from hoyle.ir.serialise import to_json_data


@click.command("ir", epilog="Example: hoyle ir my-game.game.yaml --players 3 --json")
@game_argument
@players_option
@settings_option
@click.option("--json", "as_json", is_flag=True, help="As JSON, as schema/ir.schema.json describes it.")
@click.option("--python", "as_python", is_flag=True, help="The Python code that plays it.")
def command(game: str, players: int | None, settings: dict[str, str], as_json: bool, as_python: bool) -> None:
    """Print the program that GAME is compiled to."""
    program = hoyle.load(find_game_file(game), players=players, options=settings).program
    if as_python:
        click.echo(write_source(program).rstrip("\n"))
        return
    click.echo(json.dumps(to_json_data(program), indent=2) if as_json else dump_text(program).rstrip("\n"))
