"""`hoyle doctor`: diagnoses the executors on this machine.

In: nothing, or games. Out: the available executors, the compiler, the cache folder, and for each game whether native
code is cached or why there is none; optionally, what generated Python leaves to the reference executor.
"""

from __future__ import annotations

import json
import platform
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

import click

import hoyle
from hoyle.base import shipped
from hoyle.base.cache import cache_folder
from hoyle.base.columns import in_columns
from hoyle.base.dataclass import dataclass
from hoyle.front.cli.common import find_game_file, json_option, screen_width
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import Problem
from hoyle.language.library import find_program
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.native.compiler import HOW_TO_HAVE_ONE, find_compiler
from hoyle.play.engine.native.program import find_native
from hoyle.play.engine.playout import play_out
from hoyle.play.engine.printed import find_generated, find_problem
from hoyle.program.ir.nodes import Program

MATCHES = 5  # trial matches of each game


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game: its native code, what native code leaves to the Python executors, and what generated Python
    leaves to the reference (None if not tried)."""

    game: str
    native: str  # "kept", "not built" or "none"
    left: str
    left_to_reference: str | None = None


@click.command("doctor", epilog="Example: hoyle doctor my-game.game.yaml --try")
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=complete_game)
@click.option(
    "--try", "tries", is_flag=True,
    help="Write native code of games that have none kept, play some matches by generated Python, and say what fails.",
)
@json_option
def command(games: tuple[str, ...], tries: bool, as_json: bool) -> None:
    """Tell by what games are played here: executors, compiler, cache, and native code of each game.

    Without GAME all shipped games are looked at.
    """
    paths = [find_game_file(game) for game in games] or shipped.all_games()
    found = {"hoyle": hoyle.__version__, "python": _python(), **_machine()}
    states = [_look_at(path, tries) for path in paths]
    head = ("game", "native code", "left to Python", *(["left to the reference"] if tries else []))
    if as_json:
        click.echo(json.dumps({**found, "games": [asdict(state) for state in states]}, indent=2))
        return
    click.echo("\n".join(in_columns(list(found.items()), screen_width())))
    click.echo()
    click.echo("\n".join(in_columns([head, *map(_row, states)], screen_width())))


def _python() -> str:
    return f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}"


def _machine() -> dict[str, str]:
    compiler, folder = find_compiler(), cache_folder()
    none = f"none found: {HOW_TO_HAVE_ONE}"
    return {
        "executors": "reference, python" + (", native" if compiler is not None else ""),
        "compiler": none if compiler is None else f"{' '.join(compiler.command)}: {compiler.version}",
        "cache": "none: nothing is kept from one run to the next" if folder is None else str(folder),
    }


def _look_at(path: Path, tries: bool) -> GameState:
    name = shipped.game_name(path)
    program, report = find_program(path)
    if program is None:
        raise hoyle.RuleFileError(report)
    state = _look_at_native(name, program, tries)
    return replace(state, left_to_reference=_try_python(program)) if tries else state


def _try_python(program: Program) -> str:
    """Describe what generated Python leaves to the reference in some random matches."""
    generated, left = find_generated(program), 0
    generated.mistakes.clear()
    for seed in range(MATCHES):
        before = generated.handed_over
        with suppress(Fault):  # a fault in the rules, not in the generated code
            play_out(GeneratedExecutor(program), seed)
        left += generated.handed_over > before
    if problem := find_problem(program):
        return f"everything: no Python is generated for {problem}"
    if generated.mistakes:
        return f"{left} of {MATCHES} matches, by mistakes of the generator: {'; '.join(generated.mistakes)}"
    return f"{left} of {MATCHES} matches" if left else "nothing"


def _look_at_native(name: str, program: Program, tries: bool) -> GameState:
    native = find_native(program)
    left = "bots that look at the table; views and events"
    if native.load(build=False) is not None:
        return GameState(name, "kept", left)
    if native.problem:
        return GameState(name, "none", native.problem)
    if tries:
        try:
            _ = native.text
        except Unsupported as missing:
            return GameState(name, "none", f"everything: no native code is written for {missing}")
        except Exception as error:
            raise Problem(f"the generator of native code failed on {name}: {error}") from error
    return GameState(name, "not built", left)


def _row(state: GameState) -> tuple[str, ...]:
    known = (state.game, state.native, state.left)
    return known if state.left_to_reference is None else (*known, state.left_to_reference)
