"""`not`, `and`, `or`, `if … else` and `or else`: values that hang on others.

In: these forms of the AST and their scope. Out: their IR; cases of different kinds are reported.
"""

from __future__ import annotations

from hoyle.elaborate.elaborator import Elaborator
from hoyle.elaborate.environment import Environment
from hoyle.elaborate.folding import choose, constant, logic
from hoyle.elaborate.naming import is_value_name
from hoyle.elaborate.scope import Scope
from hoyle.elaborate.typing_rules import as_elements, as_piles, coerce, described, is_unknown, joined, same, unknown
from hoyle.ir import nodes as ir
from hoyle.ir.types import TRUTH, ZONE, Type, certain, list_of
from hoyle.source import Span
from hoyle.syntax import ast
from hoyle.syntax.wording import renamed, written


class Branching:
    """Joins conditions, and chooses between values."""

    def __init__(self, elaborator: Elaborator) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env

    def negation(self, node: ast.Not, scope: Scope, wanted: Type | None) -> ir.Expr:
        return logic("not", (self.elaborator.truth(node.arg, scope),), written(node))

    def and_or(self, node: ast.Logic, scope: Scope, wanted: Type | None) -> ir.Expr:
        left = self.elaborator.truth(node.left, scope)
        right = self._other_half(node, self.elaborator.assume(scope, left, node.op == "and"))
        return logic(node.op, (left, right), written(node))

    def _other_half(self, node: ast.Logic, scope: Scope) -> ir.Expr:
        """What follows `and` or `or`; `card is in hand or pile` is answered with what was most likely meant."""
        before = node.left.right if isinstance(node.left, ast.Logic) else node.left
        after, full = written(node.right), ""
        if isinstance(before, ast.IsIn):
            full = f"{written(before.arg)} is {'not ' if before.negated else ''}in ({written(before.list)} + {after})"
        elif isinstance(before, ast.IsA):
            full = f"{written(before)} {node.op} {written(before.arg)} is {'not ' if before.negated else ''}{after}"
        elif isinstance(before, ast.Compare) and before.op == "=" and node.op == "or":
            full = f"{written(before.left)} is in ({written(before.right)}, {after})"
        elif isinstance(before, ast.Compare):
            full = f"{written(before)} {node.op} {written(before.left)} {before.op} {after}"
        if full and isinstance(node.right, ast.Name) and is_value_name(self.env, node.right, scope):
            kind = self.env.values[renamed(node.right)][0].type
        else:
            right = self.elaborator.expr(node.right, scope)
            kind = right.type
            if not full or same(kind, TRUTH):
                return coerce(self.env, right, TRUTH, node.right.span)
        self.env.report.error(
            "wrong-type",
            f"`{node.op}` joins conditions; `{after}` is {described(kind)}",
            node.right.span,
            described(kind),
            hint=f"say it in full: `{full}`",
        )
        return unknown()

    def choice(self, node: ast.Choice, scope: Scope, wanted: Type | None) -> ir.Expr:
        test = self.elaborator.truth(node.test, scope)
        yes = self.elaborator.expr(node.yes, self.elaborator.assume(scope, test), wanted)
        no = self.elaborator.expr(node.no, self.elaborator.assume(scope, test, False), wanted or certain(yes.type))
        return either(self.env, test, yes, no, node.yes.span, node.no.span, written(node))

    def or_else(self, node: ast.OrElse, scope: Scope, wanted: Type | None) -> ir.Expr:
        first = self.elaborator.expr(node.first, scope, wanted)
        second = self.elaborator.expr(node.second, scope, wanted or certain(first.type))
        if certain(first.type).kind == "list":
            second = as_elements(self.env, second)
        if scope.knows(first):  # said once more than it need be, and harmless
            return first
        if not is_unknown(first.type) and first.type.kind not in ("maybe", "none"):
            if node.span.source.own is not None:  # a module is written for decks that lack an attribute, too
                return first
            self.env.report.error(
                "never-none",
                f"`{written(node.first)}` is never none, so what follows `or else` is never used",
                node.first.span,
                hint=f"write `{written(node.first)}` alone",
            )
            return first
        if not same(first.type, second.type):
            self.env.report.error(
                "different-types",
                f"this is {described(certain(first.type))} or else {described(second.type)}",
                node.second.span,
                hint="both must be the same kind of thing",
            )
            return unknown()
        kind = second.type if second.type.kind != "none" else first.type
        if isinstance(first, ir.Const):
            return second if first.value is None else constant(first.value, kind, first.text)
        return ir.OrElse(type=kind, first=first, second=second, text=written(node))


def either(env: Environment, test: ir.Expr, yes: ir.Expr, no: ir.Expr, at: Span, other: Span, text: str) -> ir.Expr:
    """One of two values of one type."""
    if list_of(ZONE) in (yes.type, no.type):
        yes, no = as_piles(yes), as_piles(no)
    elif yes.type.kind == "list" or no.type.kind == "list":
        yes, no = as_elements(env, yes), as_elements(env, no)
    if not same(yes.type, no.type):
        env.report.error(
            "different-types",
            f"this is {described(yes.type)} in one case and {described(no.type)} in the other",
            other,
            described(no.type),
            hint="both cases must give the same kind of thing",
        )
        return unknown()
    kind = joined(yes.type, no.type)
    found = choose(test, yes, no, kind, text)
    if isinstance(found, ir.Const):
        return constant(found.value, kind, found.text)
    return found
