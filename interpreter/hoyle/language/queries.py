"""Expressions and menus from outside a game file, in the vocabulary of the game: for tests, `hoyle eval` and policies.

In: a specialised game and a text. Out: IR that can be evaluated with its program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report, say_candidates
from hoyle.base.source import Source, Span
from hoyle.language.declare.declarations import Line
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.specialise import Specialised
from hoyle.language.syntax import ast
from hoyle.language.syntax.grammar import Start
from hoyle.language.syntax.parse import parse
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, SEAT

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Query:
    """An expression with its frame size; with `seat` or `card`, variable 0 is the seat or card it is evaluated for."""

    expr: ir.Expr
    frame: int


def read_expression(
    game: Specialised, span: Span, report: Report, *, seat: bool = False, card: bool = False
) -> Query | None:
    """Elaborate an expression. Card codes denote cards; in a list, repeated codes denote different copies. With `seat`
    or `card`, these names are bound to variable 0."""
    node = _parse("expr", span, game, report)
    if node is None:
        return None
    frame = Frame()
    scope = Scope(frame, codes=True)
    if seat:
        scope, _ = scope.variable("seat", SEAT)
    if card:
        scope, _ = scope.variable("card", CARD)
    expr = _with_report(game, report, lambda: game.elaborator.expr(node, scope))
    return Query(expr, frame.size) if not report.failed else None


def read_menu(game: Specialised, span: Span, report: Report) -> ir.Decision | None:
    """Elaborate a menu as a decision, its tiers in order."""
    menu = _parse("menu", span, game, report)
    if menu is None:
        return None
    statement = ast.Choose(seat=ast.Name(id="seat", span=span), menu=menu, may=False, together=False, span=span)
    number = _with_report(game, report, lambda: game.menus.decision(statement, Line("policy", span)))
    return game.menus.decisions[number] if number is not None and not report.failed else None


def text_span(text: str, name: str = "<text>") -> Span:
    """A text that is not part of a file."""
    source = Source(name, text)
    return Span(source, 0, len(text))


def _parse(start: Start, span: Span, game: Specialised, report: Report) -> Any | None:
    """The AST of a text; candidate corrections are not verified and become questions in hints."""
    own = Report()
    built = parse(start, span, own, vocabulary=game.elaborator.env.declared.vocabulary)
    report.diagnostics += [say_candidates(found) for found in own.diagnostics]
    return None if own.failed else built


def _with_report(game: Specialised, report: Report, work: Callable[[], T]) -> T:
    """Run with the environment reporting to another report."""
    env = game.elaborator.env
    kept, env.report = env.report, report
    try:
        return work()
    finally:
        env.report = kept
        report.diagnostics = [say_candidates(found) for found in report.diagnostics]
