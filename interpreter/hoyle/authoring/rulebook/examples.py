"""Worked examples of scoring, taken from the game's test examples.

In: a game. Out: points: the sentence of an example that evaluates a score table, and the rows that it counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hoyle.authoring import testing
from hoyle.authoring.rulebook.book import Point
from hoyle.authoring.testing.running import open_tables, stand_at
from hoyle.authoring.testing.working import work_out_table
from hoyle.base.diagnostics.report import Report
from hoyle.language.declare.declarations import Declarations
from hoyle.language.document.nodes import Mapping, Node, Scalar
from hoyle.language.queries import read_expression, text_span
from hoyle.play.view.locale import Locale

MOST = 12
_WORD = re.compile(r"[a-z][\w.]*")
_NUMBER = re.compile(r"^[A-Z]+-[A-Z]*\d+: ")


def list_examples(path: Path, declared: Declarations, locale: Locale) -> Iterator[Point]:
    """Yield examples of what is counted, preferring those that cite rules not cited by earlier ones."""
    words = set(declared.scores)
    told: list[tuple[Point, tuple[str, ...]]] = []
    for tests in testing.find_tests([path]):
        if testing.find_problem(tests) is None:
            for example in tests.examples:
                told += [(point, example.cites) for point in [*_evaluated(tests, example, words, locale)][:1]]
    cited: set[str] = set()
    fresh: list[Point] = []
    others: list[Point] = []
    for point, cites in told:
        (fresh if set(cites) - cited else others).append(point)
        cited |= set(cites)
    yield from (fresh + others)[:MOST]


def _evaluated(
    tests: testing.TestFile, example: testing.Example, words: set[str], locale: Locale
) -> Iterator[Point]:
    """Yield the evaluated expressions of an example, with what they count."""
    asked, gives = example.get("evaluate"), example.get("gives")
    pairs: list[tuple[str, Node | None]] = []
    if isinstance(asked, Scalar):
        pairs = [(asked.text, gives)]
    elif isinstance(asked, Mapping):
        pairs = [(entry.name, entry.value) for entry in asked]
    for expression, value in pairs:
        number = value.value if isinstance(value, Scalar) else None
        if isinstance(number, int) and not isinstance(number, bool) and set(_WORD.findall(expression)) & words:
            rows = tuple(Point(row) for row in _work_out(tests, example, expression, locale))
            if rows:
                name = _NUMBER.sub("", example.name)
                yield Point(locale.translate(name) or name, cite=example.cites, below=rows)


def _work_out(tests: testing.TestFile, example: testing.Example, expression: str, locale: Locale) -> list[str]:
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
        f"{locale.message(row.label)}: {row.amount}" + (f" ({_name_groups(row.groups, locale)})" if row.groups else "")
        for row in work_out_table(table.rules.program, scene.match, query)
    ]


def _name_groups(groups: Sequence[str], locale: Locale) -> str:
    return ", ".join(" ".join(map(locale.card, group.split())) for group in groups)
