"""Tests: comparisons, `in`, `can` and `may`, and tests of some, every or no element.

In: conditions of the AST and their scope. Out: their IR; sides that can never be equal are reported.
"""

from __future__ import annotations

from hoyle.diagnostics.report import Fix
from hoyle.elaborate.elaborator import Elaborator
from hoyle.elaborate.environment import Environment
from hoyle.elaborate.folding import apply, logic
from hoyle.elaborate.local_names import check_free, find_domain
from hoyle.elaborate.naming import is_value_name
from hoyle.elaborate.scope import Scope
from hoyle.elaborate.typing_rules import ORDERED, as_elements, described, is_unknown, same, unknown
from hoyle.ir import nodes as ir
from hoyle.ir.types import SEAT, TRUTH, Type, certain, list_of
from hoyle.syntax import ast
from hoyle.syntax.wording import renamed, written

COMPARISONS = {"=": "equal", "!=": "differ", "<": "less", "<=": "at_most", ">": "greater", ">=": "at_least"}


class Conditions:
    """Reads conditions that compare."""

    def __init__(self, elaborator: Elaborator) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env

    def compare(self, node: ast.Compare, scope: Scope, wanted: Type | None) -> ir.Expr:
        left, right = self._sides(node.left, node.right, scope)
        if {left.type.kind, right.type.kind} in ({"list", "zone"}, {"list", "team"}):
            left, right = as_elements(self.env, left), as_elements(self.env, right)
        if is_unknown(left.type) or is_unknown(right.type):
            return apply(COMPARISONS[node.op], (left, right), TRUTH, written(node))
        if "none" in (left.type.kind, right.type.kind):
            side, other = (node.right, node.left) if right.type.kind == "none" else (node.left, node.right)
            said = "is not none" if node.op == "!=" else "is none"
            self.env.report.error(
                "compare-none",
                "nothing is equal to `none`; there is a test of its own",
                side.span,
                hint=f"`{written(other)} {said}`",
                fix=Fix(node.span, f"{written(other)} {said}"),
            )
            return unknown()
        if not same(left.type, right.type):
            self.env.report.error(
                "different-types",
                f"`{written(node.left)}` is {described(left.type)}, "
                f"`{written(node.right)}` is {described(right.type)}: "
                "they can never be equal",
                node.span,
                f"{described(left.type)} compared with {described(right.type)}",
                hint=self._other_type_hint(node, left, right),
            )
            return unknown()
        if node.op not in ("=", "!=") and certain(left.type).kind not in ORDERED:
            self.env.report.error(
                "no-order",
                f"{described(left.type)} cannot be higher or lower",
                node.span,
                hint="compare a number, or a value of an attribute or option",
            )
            return unknown()
        return apply(COMPARISONS[node.op], (left, right), TRUTH, written(node))

    def _other_type_hint(self, node: ast.Compare, left: ir.Expr, right: ir.Expr) -> tuple[str, ...]:
        kinds = {left.type.kind, right.type.kind}
        if kinds & {"list", "zone"} and "number" in kinds:
            many = node.left if left.type.kind in ("list", "zone") else node.right
            return (f"did you mean `count of {written(many)}`?",)
        return ()

    def _sides(self, left: ast.Expr, right: ast.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
        """Both sides of a comparison; each helps to tell what a value named on the other side is."""
        if is_value_name(self.env, left, scope):
            b = self.elaborator.expr(right, scope)
            return self.elaborator.expr(left, scope, certain(b.type)), b
        a = self.elaborator.expr(left, scope)
        return a, self.elaborator.expr(right, scope, certain(a.type))

    def is_in(self, node: ast.IsIn, scope: Scope, wanted: Type | None) -> ir.Expr:
        if isinstance(node.arg, ast.Name) and node.arg.id not in scope.names and not scope.codes:
            copies = self.env.card_names.get(renamed(node.arg), ())
            if len(copies) > 1:
                how = "no" if node.negated else "some"
                full = f"{how} card in {written(node.list)} is {node.arg.id}"
                self.env.report.error(
                    "several-cards",
                    f"the deck holds {len(copies)} cards `{node.arg.id}`; which one is meant cannot be told",
                    node.arg.span,
                    hint=f"write `{full}`",
                    fix=Fix(node.span, full),
                )
                return unknown()
        if is_value_name(self.env, node.arg, scope):
            values = self.elaborator.listed(node.list, scope, "what follows `in`")
            arg = self.elaborator.expr(node.arg, scope, values.type.of)
        else:
            arg = self.elaborator.expr(node.arg, scope)
            values = as_elements(self.env, self.elaborator.expr(node.list, scope, list_of(certain(arg.type))))
            if certain(values.type).kind != "list" and not is_unknown(values.type):
                values = self.elaborator.as_list(values, node.list, "what follows `in`")
        element = certain(values.type).of or arg.type  # nothing is in a list that is none
        if not is_unknown(values.type) and not is_unknown(arg.type) and not same(arg.type, element):
            self.env.report.error(
                "different-types",
                f"`{written(node.arg)}` is {described(arg.type)}, but the list holds {described(element)}s",
                node.span,
            )
            return unknown()
        test = apply("is_in", (arg, values), TRUTH, written(node))
        return logic("not", (test,), written(node)) if node.negated else test

    def can_do(self, node: ast.CanDo, scope: Scope, wanted: Type | None) -> ir.Expr:
        seat = self.elaborator.typed(node.seat, scope, SEAT, f"who {node.how} do it")
        name = renamed(node.action)
        if name not in self.env.actions:
            labels, hints = self.env.similar(name, self.env.actions, "actions")
            self.env.report.error(
                "unknown-action",
                f"no action named `{name}`",
                node.action.span,
                "not declared under `actions:`",
                others=labels,
                hint=hints,
            )
            return unknown()
        self.env.used.add(f"asked:{name}")
        return ir.CanDo(type=TRUTH, action=self.env.actions[name], seat=seat, how=node.how, text=written(node))

    def quantified(self, node: ast.Quantified, scope: Scope, wanted: Type | None) -> ir.Expr:
        name = node.word.id
        if node.source is not None:
            source = self.elaborator.listed(node.source, scope, "what a name runs over")
            check_free(self.env, node.word, scope)
        else:
            source = find_domain(self.env, node.word, scope)
            if node.satisfies and name in self.env.zones:
                self.env.report.error(
                    "zone-satisfies",
                    f"`{name}` would be both the zone and the name for each of them",
                    node.word.span,
                    hint=f"name the seat: `{node.how} seat satisfies (… {name} of seat …)`",
                )
                return unknown()
            if name not in self.env.zones:
                check_free(self.env, node.word, scope)
        inner, var = scope.variable(name, source.type.of or Type("unknown"))
        test = self.elaborator.truth(node.test, inner)
        return ir.Quantified(type=TRUTH, how=node.how, var=var.index, source=source, test=test, text=written(node))
