"""What a word reads of a position is declared with the word, and it reads no more than that: the leak check, the
analyses of effects and the generator believe it."""

from __future__ import annotations

import ast
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import hoyle
from hoyle import analyse
from hoyle.ir.parts import Part
from hoyle.ir.types import Type
from hoyle.model.position import Position
from hoyle.words import WORDS, Word

FIELDS = {
    "zones": Part.ZONES, "holders": Part.HOLDERS, "turned": Part.FACES, "states": Part.STATES, "slots": Part.SLOTS,
    "totals": Part.TOTALS, "lines": Part.LINES, "rounds_played": Part.ROUNDS, "retired": Part.SEATS,
    "offence": Part.OFFENCE,
}  # fmt: skip
SAME_ALL_MATCH = {"players"}


class Watched:
    """A position that notes which of its fields are read."""

    def __init__(self, position: Position) -> None:
        self.position, self.read = position, set[str]()

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return getattr(self.position, name)


@pytest.fixture(scope="module")
def position() -> Position:
    """One in which every field holds something."""
    match = hoyle.load("bonus-20", 3).new(1)
    found = match.position
    cards = sum(map(len, found.zones))
    found.holders, found.turned = [0] * cards, [True] * cards
    found.retired, found.offence = [2], (1, 0, None)
    found.lines = [[[1, 0] for _ in range(3)] for _ in range(2)]
    return found


def list_arguments(kind: Type) -> list[Any]:
    """Some values of a type, as positions hold them."""
    if kind.kind == "list":
        return [(), tuple(list_arguments(kind.of)[:2])] if kind.of else [()]
    if kind.kind == "maybe":
        return list_arguments(kind.of) if kind.of else []
    return [0, 1, 5]


def find_read(word: Word, position: Position) -> set[str]:
    watched = Watched(position)
    for arguments in product(*map(list_arguments, word.takes)):
        with suppress(LookupError, TypeError, ValueError, ArithmeticError):  # it has read what it needs by then
            word.run(watched, *arguments)
    return watched.read - SAME_ALL_MATCH


@pytest.mark.parametrize("word", [word for word in WORDS.values() if word.takes_position], ids=lambda word: word.name)
def test_a_word_reads_what_it_declares_and_nothing_else(word: Word, position: Position) -> None:
    assert word.reads is not None, "what says nothing is taken to read everything"
    assert {FIELDS[name] for name in find_read(word, position)} == {look.part for look in word.reads}


def test_a_word_that_is_not_given_the_position_reads_nothing() -> None:
    assert all(word.reads == () for word in WORDS.values() if not word.takes_position)


def test_no_analysis_asks_for_a_word_by_its_name() -> None:
    """But for `!=`, of which the leak check knows that nobody else is meant."""
    asked = set()
    for path in sorted(Path(analyse.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and getattr(node.left, "attr", "") == "word":
                asked |= {part.value for each in node.comparators for part in ast.walk(each)
                          if isinstance(part, ast.Constant)}  # fmt: skip
    assert asked == {"differ"}
