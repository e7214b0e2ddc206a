"""The page about code generation shows a clause on its way; each piece is what is made today (`pytest --update`)."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from doc_blocks import ROOT, list_blocks
from hoyle.language.library import find_program
from hoyle.play.codegen.c.printer import print_c
from hoyle.play.codegen.low.low_text import dump_value
from hoyle.play.codegen.low.program import Do, When
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.python.printer import print_python
from hoyle.program.ir.nodes import Program

PAGE = ROOT / "docs" / "dev" / "codegen.md"
FILE = ROOT / "games" / "cribbage" / "cribbage.game.yaml"


def write_rule(program: Program) -> str:
    text = FILE.read_text(encoding="utf-8")
    ends = {"running_count: {": "running_count: {", "fifteen:": "if running_count = 15"}
    return "".join(_take(text, first, last) for first, last in ends.items())


def write_low(program: Program) -> str:
    """What is scored where a card is played."""
    for block in lower_program(program).blocks.values():
        for each in block.body:
            if isinstance(each, When) and "15" in dump_value(each.test):
                (do,) = (do for do in each.then if isinstance(do, Do))
                return f"when {dump_value(each.test)}:\n  {do.op} {', '.join(map(dump_value, do.args))}\n"
    raise AssertionError


def write_python(program: Program) -> str:
    text = print_python(program)
    last = text.rindex(" == 15):")
    first = text.rindex("if (kept & 1):", 0, last)
    return dedent(text[text.rindex("\n", 0, first) + 1 : text.index("\n", last)]) + "\n"


def write_c(program: Program) -> str:
    return _take(print_c(lower_program(program)), "(((kept &", " == 15)) {")


def _take(text: str, first: str, last: str) -> str:
    """The lines of a text from the last that holds something before one that holds something else, to that one."""
    lines = text.splitlines()
    end = next(at for at, line in enumerate(lines) if last in line)
    start = next(at for at in range(end, -1, -1) if first in lines[at])
    return dedent("\n".join(lines[start : end + 1])) + "\n"


WRITERS: dict[str, Callable[[Program], str]] = {
    "rule": write_rule,
    "low": write_low,
    "python": write_python,
    "c": write_c,
}


@pytest.mark.parametrize("stage", WRITERS)
def test_the_clause_looks_like_this_on_its_way(stage: str, update: bool) -> None:
    program, _ = find_program(FILE, 2, {})
    assert program is not None
    (block,) = (block for block in list_blocks(PAGE) if block.info[:2] == ("text", stage))
    made = WRITERS[stage](program)
    if update:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(text.replace(f"```text {stage}\n{block.body}", f"```text {stage}\n{made}"), encoding="utf-8")
        return
    assert block.body.splitlines() == made.splitlines()
