"""What a word reads of a position is declared with the word, and it reads no more than that: the leak check, the
analyses of effects and the generator believe it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

import hoyle
from hoyle.program.ir.parts import Part
from hoyle.program.ir.types import Type
from hoyle.program.model.position import Position
from hoyle.program.words import SIGNED, WORDS, Op, Word, word_of
from source_trees import CODE, walk_sources

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


# Names of words that are something else, too: kinds of types, keys of files, of events and of messages, phrases of
# locales, what zones show, and the small words of the grammar.
ALSO_OTHERWISE = {
    "add", "at_most", "bottom", "cards", "column", "count", "entry", "equal", "face_up", "first", "greater", "highest",
    "join", "key", "last", "last_holder", "left", "less", "lines", "list", "lowest", "marked", "offender", "owner",
    "pairs", "place", "right", "round", "rounds_played", "score", "seats", "size", "span", "sum", "top", "zone",
}  # fmt: skip
# Texts in which such a name stands without meaning the word.
IN_TEXTS = {
    ("limit_table.py", "subsets"),  # the row of a limit in the table of limits
    # English for words and signs
    *(("rulebook/phrasing.py", word) for word in ("descending", "distinct", "joined", "subsets", "tails", "without")),
    ("rulebook/english.py", "modulo"),
    ("syntax/repair/holes.py", "is_empty"),  # what authors write for `is empty`
}


def find_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The strings among the nodes of a syntax tree that are the name of a word."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in WORDS:
            yield node.value


def is_applied(node: ast.AST) -> bool:
    """Whether an expression is `something.word`, or what is called `word`."""
    return getattr(node, "attr", getattr(node, "id", "")) == "word"


def find_asked(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names of words that code asks for, or makes applications of."""
    for node in nodes:
        if isinstance(node, ast.Compare) and any(map(is_applied, [node.left, *node.comparators])):
            yield from find_names(ast.walk(node))
        elif isinstance(node, ast.Match) and is_applied(node.subject):
            yield from (name for case in node.cases for name in find_names(ast.walk(case.pattern)))
        elif isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "WORDS":
            yield from find_names(ast.walk(node.slice))
        elif isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("apply", "apply_word", "op_named"):
                plain = (part for part in node.args[:2] if isinstance(part, ast.Constant))
                yield from (name for part in plain for name in find_names([part]))
            given = (part.value for part in node.keywords if part.arg == "word")
            yield from (name for part in given for name in find_names(ast.walk(part)))


def test_no_other_file_names_a_word() -> None:
    """Code that treats some words in a manner of its own asks what a word does (`Op`), or for another fact of its
    declaration; so a word is renamed, or another one is treated alike, in its declaration alone."""
    asked, named = set(), set()
    for place, nodes in walk_sources():
        if place.startswith("words/"):
            continue
        asked |= {(place, name) for name in find_asked(nodes)}
        if not place.startswith("codegen/"):  # whose low form has operations of its own, named alike
            named |= {(place, name) for name in find_names(nodes) if name not in ALSO_OTHERWISE}
    assert asked == set()
    assert named == IN_TEXTS


def test_every_operation_is_that_of_one_word_and_asked_for_somewhere() -> None:
    code = "".join(p.read_text(encoding="utf-8") for p in CODE.rglob("*.py") if p.parent.name != "words")
    assert [op for op in Op if f"Op.{op.name}" not in code and op not in SIGNED.values()] == []
    assert [word_of(op).op for op in Op] == list(Op)
