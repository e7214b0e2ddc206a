"""Worked examples of scoring, taken from the game's test examples.

In: a game. Out: points; those that evaluate a score table show its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hoyle import testing
from hoyle.declare.calls import statements_in
from hoyle.declare.declarations import Declarations
from hoyle.diagnostics.report import Report
from hoyle.document.nodes import Mapping, Node, Scalar, Sequence
from hoyle.queries import read_expression, text_span
from hoyle.rulebook.book import Point
from hoyle.rulebook.speaking import Speech
from hoyle.syntax import ast
from hoyle.testing.running import open_tables, stand_at
from hoyle.testing.working import work_out_table
from hoyle.view.locale import Locale

MOST = 12
_WORD = re.compile(r"[a-z][\w.]*")


def list_examples(path: Path, declared: Declarations, locale: Locale, speech: Speech) -> Iterator[Point]:
    """Yield examples that score, preferring those that cite rules not cited by earlier ones."""
    words = _scoring_words(declared)
    found: list[tuple[Point, tuple[str, ...]]] = []
    for tests in testing.find_tests([path]):
        if testing.find_problem(tests) is None:
            for example in tests.examples:
                points = [*_evaluated(tests, example, words, locale), *_played(example, locale)]
                found += [(point, example.cites) for point in points[:1]]
    cited: set[str] = set()
    fresh: list[Point] = []
    others: list[Point] = []
    for point, cites in found:
        (fresh if set(cites) - cited else others).append(point)
        cited |= set(cites)
    yield from (fresh + others)[:MOST]


def _scoring_words(declared: Declarations) -> set[str]:
    """Collect the names used in scoring: score tables, and definitions that score statements use."""
    names = set(declared.scores)
    for unit in declared.units():
        for one in statements_in(unit.do):
            if isinstance(one, ast.Score):
                names |= set(_WORD.findall(one.amount.span.text)) & set(declared.definitions)
    return names


def _evaluated(
    tests: testing.TestFile, example: testing.Example, words: set[str], locale: Locale
) -> Iterator[Point]:
    """Yield the evaluated expressions of an example, with their values."""
    asked, gives = example.get("evaluate"), example.get("gives")
    pairs: list[tuple[str, Node | None]] = []
    if isinstance(asked, Scalar):
        pairs = [(asked.text, gives)]
    elif isinstance(asked, Mapping):
        pairs = [(entry.name, entry.value) for entry in asked]
    for expression, value in pairs:
        number = value.value if isinstance(value, Scalar) else None
        if isinstance(number, int) and not isinstance(number, bool) and set(_WORD.findall(expression)) & words:
            said = locale.say("book_is_worth", what=" ".join(expression.split()), value=number)
            rows = tuple(Point(row) for row in _work_out(tests, example, expression))
            given = _given(example, locale)
            yield Point(f"{given} {said}.".strip(), example.name, cite=example.cites, below=rows)


def _work_out(tests: testing.TestFile, example: testing.Example, expression: str) -> list[str]:
    """List the rows of a score table that an expression calls; empty for other expressions."""
    assert tests.game is not None
    tables = open_tables(tests.game)
    table = tables.find(example, Report())
    scene, _ = stand_at(tests, example, tables, after=True)
    if table is None or scene is None or len(example.stages) > 1:  # the scene is after the last stage
        return []
    query = read_expression(table.rules, text_span(expression), Report(), seat=False)
    if query is None:
        return []
    return [
        f"{row.label}: {row.amount}" + (f" ({', '.join(row.groups)})" if row.groups else "")
        for row in work_out_table(table.rules.program, scene.match, query)
    ]


def _played(example: testing.Example, locale: Locale) -> Iterator[Point]:
    """Yield the choices of an example with the resulting scores."""
    done, expected = example.get("do"), example.node.get("expect")
    scores = expected.get("scores") if isinstance(expected, Mapping) else None
    if isinstance(done, Sequence) and isinstance(scores, Sequence):
        choices = "; ".join(locale.say("seat", seat=item.text) for item in done if isinstance(item, Scalar))
        after = ", ".join(item.text for item in scores if isinstance(item, Scalar))
        said = f"{locale.say('book_then', choices=choices)} {locale.say('book_scores', scores=after)}"
        yield Point(f"{_given(example, locale)} {said}".strip(), example.name, cite=example.cites)


def _given(example: testing.Example, locale: Locale) -> str:
    given = example.node.get("given")
    if not isinstance(given, Mapping):
        return ""
    parts = [
        f"{entry.name} {_short(entry.value)}" for entry in given if entry.name not in ("chance", "deck", "rest", "at")
    ]
    return locale.say("book_given", given="; ".join(parts)) if parts else ""


def _short(node: Node) -> str:
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    return ", ".join(_short(item) for item in node) if isinstance(node, Sequence) else "…"
