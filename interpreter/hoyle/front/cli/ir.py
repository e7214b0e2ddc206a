"""`hoyle ir`: prints the intermediate representation of a rule file.

In: a game and its settings. Out: its program as text or JSON, its low form, or the Python or C printed from that.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import click

import hoyle
from hoyle.front.cli.common import find_game_file, game_argument, players_option, settings_option
from hoyle.front.cli.failures import Problem
from hoyle.play.codegen.c.printer import print_c
from hoyle.play.codegen.low.low_text import dump_blocks
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.printed import write_source
from hoyle.program.ir.dump import dump_text
from hoyle.program.ir.nodes import Program
from hoyle.program.ir.serialise import to_json_data


@click.command("ir", epilog="Example: hoyle ir my-game.game.yaml --players 3 --json")
@game_argument
@players_option
@settings_option
@click.option("--json", "form", flag_value="json", help="As JSON, as schema/ir.schema.json describes it.")
@click.option("--low", "form", flag_value="low", help="The low form that native code is printed from.")
@click.option("--python", "form", flag_value="python", help="The Python code that plays it.")
@click.option("--c", "form", flag_value="c", help="The C code that plays it, which CUDA compilers take as well.")
def command(game: str, players: int | None, settings: dict[str, str], form: str | None) -> None:
    """Print the program that GAME is compiled to."""
    program = hoyle.load(find_game_file(game), players=players, options=settings).program
    try:
        click.echo(WRITERS[form](program).rstrip("\n"))
    except Unsupported as reason:
        raise Problem(f"there is no native code for {reason}") from None


def write_low(program: Program) -> str:
    module = lower_program(program)
    return dump_blocks(module, module.blocks)


WRITERS: dict[str | None, Callable[[Program], str]] = {
    None: dump_text,
    "json": lambda program: json.dumps(to_json_data(program), indent=2),
    "low": write_low,
    "python": write_source,
    "c": lambda program: print_c(lower_program(program)),
}
