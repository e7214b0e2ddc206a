"""Elaboration of numbers and of operators on numbers or lists.

In: numbers and sums of the AST. Out: their IR; operands of other types are reported.
"""

from __future__ import annotations

from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply, constant
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import as_elements, coerce, is_unknown, joined, same, unknown
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, NUMBER, SEAT, ZONE, Type, certain, list_of, maybe
from hoyle.program.words import SIGNED, Op

LARGEST_NUMBER = 2**31 - 1


class Arithmetic:
    """Elaborates numbers and arithmetic."""

    def __init__(self, elaborator: Elaborator) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env

    def number(self, node: ast.Int, scope: Scope, wanted: Type | None) -> ir.Expr:
        if len(node.span.text) > 10 or node.value > LARGEST_NUMBER:
            if not self.env.report.tells(node.span):
                self.env.report.error(
                    "huge-number", f"numbers go up to {LARGEST_NUMBER}", node.span, hint="no game counts so far"
                )
            return unknown()
        return constant(node.value, NUMBER, node.span.text)

    def binary(self, node: ast.Binary, scope: Scope, wanted: Type | None) -> ir.Expr:
        text = written(node)
        left, right = self.elaborator.expr(node.left, scope), self.elaborator.expr(node.right, scope)
        lists = [side.type.kind in ("list", "zone", "team") for side in (left, right)]
        singles = certain(left.type) in (CARD, SEAT) and certain(left.type) == certain(right.type)
        if (node.op in "+-" and any(lists)) or (node.op == "+" and singles):
            if list_of(ZONE) not in (left.type, right.type):  # next to piles a zone is a pile, elsewhere its cards
                left, right = as_elements(self.env, left), as_elements(self.env, right)
            elements = [side.type.of or side.type for side in (left, right) if side.type.of is not None or singles]
            if not elements:
                return unknown()
            element = joined(elements[0], elements[-1]) if same(elements[0], elements[-1]) else elements[0]
            kind = list_of(element)
            left = coerce(self.env, left, kind, node.left.span, "this side", widen=True)
            right = coerce(self.env, right, kind, node.right.span, "this side", widen=True)
            return apply(Op.JOIN if node.op == "+" else Op.WITHOUT, (left, right), kind, text)
        if node.op in "+-" and is_unknown(left.type) and is_unknown(right.type):
            return unknown()  # they may be lists
        number = maybe(NUMBER)  # arithmetic propagates none, and a comparison with none is false
        left = coerce(self.env, left, number, node.left.span, f"the left side of `{node.op}`")
        right = coerce(self.env, right, number, node.right.span, f"the right side of `{node.op}`")
        kind = list_of(NUMBER) if node.op == ".." else NUMBER
        if "maybe" in (left.type.kind, right.type.kind):
            kind = maybe(kind)
        return apply(SIGNED[node.op], (left, right), kind, text)

    def negative(self, node: ast.Negative, scope: Scope, wanted: Type | None) -> ir.Expr:
        value = self.elaborator.expr(node.arg, scope)
        value = coerce(self.env, value, maybe(NUMBER), node.arg.span, "what follows `-`")
        kind = maybe(NUMBER) if value.type.kind == "maybe" else NUMBER  # as `0 - x` is
        return apply(Op.NEGATE, (value,), kind, written(node))
