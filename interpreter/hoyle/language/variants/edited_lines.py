"""Statements as lines, including those edited by variants.

In: the value of `do:`: a text, or a block with its edits. Out: `Line`s, each with its source location.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Span
from hoyle.language.declare.declared_names import read_vocabulary
from hoyle.language.declare.edits import head_of
from hoyle.language.declare.reader import Reader
from hoyle.language.document.nodes import Block, Mapping, Scalar
from hoyle.language.syntax import ast

INDENT = "  "


@dataclass(frozen=True, slots=True)
class Line:
    """One line of statements: nesting depth, text without citation, citations."""

    depth: int
    text: str
    cite: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return INDENT * self.depth + self.text + (f"   [{', '.join(self.cite)}]" if self.cite else "")


def list_statements(node: Scalar | Block, root: Mapping) -> list[Line]:
    """The statements of a text or block, line by line; empty if they do not parse."""
    reader = Reader(Report(), read_vocabulary(root))
    return list_lines(reader.parse("steps", node) or ())


def list_lines(statements: tuple[ast.Statement, ...]) -> list[Line]:
    """Statements line by line."""
    return list(_lines(statements, 0))


def _lines(statements: tuple[ast.Statement, ...], depth: int) -> Iterator[Line]:
    for one in statements:
        yield from _lines_of(one, depth)


def _lines_of(one: ast.Statement, depth: int) -> Iterator[Line]:
    cite = tuple(word.id for word in one.cite)
    if isinstance(one, ast.If):
        for number, (test, block) in enumerate(one.cases):
            lead = "otherwise if" if number else "if"
            yield Line(depth, f"{lead} {_said(test.span)}:", () if number else cite, test.span if number else one.span)
            yield from _lines(block, depth + 1)
        if one.otherwise:
            yield Line(depth, "otherwise:", (), one.otherwise[0].span)
            yield from _lines(one.otherwise, depth + 1)
    elif isinstance(one, ast.Cases):
        for number, case in enumerate(one.cases):
            lead = "otherwise if" if number else "if"
            head = f"{lead} {_said(case.when.span)}:" if case.when is not None else "otherwise:"
            yield Line(depth, head, tuple(word.id for word in case.cite), case.word.span)
            yield from _lines(case.do, depth + 1)
    elif isinstance(one, ast.ForEach | ast.Repeat):
        yield Line(depth, f"{head_of(one)}:", cite, one.span)
        yield from _lines(one.body, depth + 1)
    else:
        yield Line(depth, _said(one.span), cite, one.span)


def _said(span: Span) -> str:
    return " ".join(span.text.split())
