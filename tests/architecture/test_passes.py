"""What each pass makes of one small game, as text to be read in a diff; written anew with `pytest --update`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Span
from hoyle.language.compile import read_game
from hoyle.language.library import find_program
from hoyle.play.codegen.c.printer import FOLDER as RUNTIME
from hoyle.play.codegen.c.printer import print_c
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.engine.printed import write_source
from hoyle.program.ir.dump import dump_text
from hoyle.program.ir.nodes import Program

PASSES = Path(__file__).parents[1] / "passes"
GAME = PASSES / "highest.game.yaml"


def write_tree(program: Program) -> str:
    """The rules as they are parsed: one line for each node, indented, with what was written."""
    declared = read_game(GAME, Report())
    assert declared is not None
    return "\n".join(line for unit in declared.units() for one in unit.do for line in list_nodes(one, 0)) + "\n"


def list_nodes(node: Any, depth: int) -> list[str]:
    if isinstance(node, tuple):
        return [line for each in node for line in list_nodes(each, depth)]
    if not is_dataclass(node) or isinstance(node, Span):
        return []
    span = getattr(node, "span", None)
    text = "" if span is None else " ".join(span.text.split())
    below = [getattr(node, part.name) for part in fields(node)]
    return [f"{'  ' * depth}{type(node).__name__}: {text}", *list_nodes(tuple(below), depth + 1)]


def write_c(program: Program) -> str:
    """The text of the program alone, without what is the same for all."""
    text = print_c(lower_program(program))
    for path in sorted(RUNTIME.iterdir()):
        if path.suffix in (".c", ".h", ".cu"):
            text = text.replace(path.read_text(encoding="utf-8"), "")
    return re.sub(r"\n{3,}", "\n\n", text)


WRITERS: dict[str, Callable[[Program], str]] = {
    "1-tree.txt": write_tree,
    "2-program.txt": dump_text,
    "3-python.txt": write_source,
    "4-c.txt": write_c,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_pass_makes_what_it_made_when_it_was_written_down(name: str, update: bool) -> None:
    program, _ = find_program(GAME, 2, {})
    assert program is not None
    made, golden = WRITERS[name](program), PASSES / name
    if update:
        golden.write_text(made, encoding="utf-8", newline="\n")
        return
    assert made.splitlines() == golden.read_text(encoding="utf-8").splitlines()
