"""Elaboration of tests: comparisons, `in`, `can` and `may`, and quantifiers.

In: conditions of the AST and their scope. Out: their IR; operands that can never be equal are reported.
"""

from __future__ import annotations

from hoyle.base.diagnostics.report import Fix
from hoyle.language.elaborate.conversions import convert
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply, constant, logic, truth_of
from hoyle.language.elaborate.local_names import check_free, find_domain
from hoyle.language.elaborate.name_resolution import find_value, is_value_name
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import ORDERED, as_elements, described, is_unknown, same, unknown
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import enclosed, written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, NUMBER, SEAT, TEAM, TRUTH, Type, certain, list_of
from hoyle.program.words import SIGNED, Op


class Conditions:
    """Elaborates comparisons and quantifiers."""

    def __init__(self, elaborator: Elaborator) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env

    def compare(self, node: ast.Compare, scope: Scope, wanted: Type | None) -> ir.Expr:
        left, right = self._sides(node.left, node.right, scope)
        of_teams = TEAM in (left.type.of, right.type.of)
        if {left.type.kind, right.type.kind} in ({"list", "zone"}, {"list", "team"}) and not of_teams:
            left, right = as_elements(self.env, left), as_elements(self.env, right)
        if is_unknown(left.type) or is_unknown(right.type):
            return apply(SIGNED[node.op], (left, right), TRUTH, written(node))
        if "none" in (left.type.kind, right.type.kind):
            side, other = (node.right, node.left) if right.type.kind == "none" else (node.left, node.right)
            held = left if right.type.kind == "none" else right
            lacks = "empty" if certain(held.type).kind in ("list", "zone") else "none"
            said = f"is not {lacks}" if node.op == "!=" else f"is {lacks}"
            self.env.report.error(
                "compare-none",
                "nothing is equal to `none`; there is a test of its own",
                side.span,
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
                fix=self._other_type_fixes(node, left, right),
            )
            return unknown()
        if node.op in ("=", "!="):
            self._note_name(node, left, right, scope)
        elif certain(left.type).kind not in ORDERED:
            said = f"{{0}} of {enclosed(node.left)} {node.op} {{0}} of {enclosed(node.right)}"
            numbers = [a.name for a in self.env.attribute_list if a.type.kind == "number"]
            numbers = numbers if certain(left.type) == CARD else []
            counts = ["count"] if certain(left.type).kind in ("zone", "list") else []
            self.env.report.error(
                "no-order",
                f"{described(left.type)} cannot be higher or lower",
                node.span,
                hint="compare a number, or a value of an attribute or option",
                fix=[Fix(node.span, said.format(name), sure=len(numbers) == 1) for name in (*numbers, *counts)],
            )
            return unknown()
        if certain(left.type) == TRUTH and node.op in ("=", "!="):
            for known, asked in ((left, right), (right, left)):
                if isinstance(known, ir.Const) and asked.type == TRUTH:  # simplify `caught = true` to `caught`
                    same_way = bool(known.value) is (node.op == "=")
                    return asked if same_way else logic("not", (asked,), written(node))
        return apply(SIGNED[node.op], (left, right), TRUTH, written(node))

    def _note_name(self, node: ast.Compare, left: ir.Expr, right: ir.Expr, scope: Scope) -> None:
        """Record a comparison with a named value that uses a sign instead of `is`, for the style check."""
        sides = ((node.left, node.right, right), (node.right, node.left, left))
        named = [(name, asked, of) for name, asked, of in sides if is_value_name(self.env, name, scope)]
        if len(named) != 1:
            return
        name, asked, of = named[0]
        assert isinstance(name, ast.Name)
        if find_value(self.env, name.name, of.type) is not None:
            said = "is" if node.op == "=" else "is not"
            self.env.equated[node.span] = (name.id, Fix(node.span, f"{written(asked)} {said} {name.id}"))

    def _other_type_fixes(self, node: ast.Compare, left: ir.Expr, right: ir.Expr) -> tuple[Fix, ...]:
        """Fixes for a type mismatch: compare a count, membership, or an attribute of a card instead."""
        found: list[Fix] = []
        for side, this, other in ((node.left, left, right), (node.right, right, left)):
            elsewhere = node.right if side is node.left else node.left
            element = as_elements(self.env, this).type.of
            if element is not None and same(element, other.type):
                sign = {"=": "is in", "!=": "is not in"}.get(node.op)
                ranged = isinstance(side, ast.Binary) and side.op == ".."
                among = [Fix(node.span, f"{written(elsewhere)} {sign} {enclosed(side)}", sure=ranged)] if sign else []
                found += among if ranged or not isinstance(elsewhere, ast.Int) else []
            if this.type.kind in ("list", "zone") and certain(other.type).kind == "number":
                found += convert(self.env, this, NUMBER, side.span)
            if certain(this.type).kind == "card" and certain(other.type).kind in ("enum", "number"):
                said = [a.name for a in self.env.attribute_list if same(a.type, other.type)]
                found += [Fix(side.span, f"{name} of {enclosed(side)}", sure=len(said) == 1) for name in said]
        return tuple(found)

    def _sides(self, left: ast.Expr, right: ast.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
        """Both sides of a comparison; the type of one resolves a value named on the other."""
        if is_value_name(self.env, left, scope):
            b = self.elaborator.expr(right, scope)
            return self.elaborator.expr(left, scope, certain(b.type)), b
        a = self.elaborator.expr(left, scope)
        return a, self.elaborator.expr(right, scope, certain(a.type))

    def is_in(self, node: ast.IsIn, scope: Scope, wanted: Type | None) -> ir.Expr:
        if isinstance(node.arg, ast.Name) and node.arg.id not in scope.names and not scope.codes:
            copies = self.env.card_names.get(node.arg.name, ())
            if len(copies) > 1:
                how = "no" if node.negated else "some"
                full = f"{how} card in {written(node.list)} is {node.arg.id}"
                self.env.report.error(
                    "several-cards",
                    f"the deck holds {len(copies)} cards `{node.arg.id}`; which one is meant cannot be told",
                    node.arg.span,
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
        element = certain(values.type).of or arg.type  # a list that is none contains nothing
        if not is_unknown(values.type) and not is_unknown(arg.type) and not same(arg.type, element):
            self.env.report.error(
                "different-types",
                f"`{written(node.arg)}` is {described(arg.type)}, but the list holds {described(element)}s",
                node.span,
            )
            return unknown()
        test = apply(Op.IS_IN, (arg, values), TRUTH, written(node))
        return logic("not", (test,), written(node)) if node.negated else test

    def can_do(self, node: ast.CanDo, scope: Scope, wanted: Type | None) -> ir.Expr:
        seat = self.elaborator.typed(node.seat, scope, SEAT, f"who {node.how} do it")
        action = self.env.find_action(node.action)
        if action is None:
            return unknown()
        return ir.CanDo(type=TRUTH, action=action, seat=seat, how=node.how, text=written(node))

    def _name_each(self, how: str, zone: str) -> str:
        """A hint on how to quantify over a family of zones: by its index."""
        of = self.env.declared.zones[zone].of
        if len(of) != 1:
            return f"name each of them: `{how} held in {'each ' if of else ''}{zone} satisfies (… held …)`"
        whose = of[0].id
        return f"name the {whose}: `{how} {whose} satisfies (… {zone} of {whose} …)`"

    def quantified(self, node: ast.Quantified, scope: Scope, wanted: Type | None) -> ir.Expr:
        name = node.word.id
        if node.source is not None:
            source = self.elaborator.listed(node.source, scope, "what a name runs over")
            check_free(self.env, node.word, scope, node.span)
        else:
            source = find_domain(self.env, node.word, scope)
            if node.satisfies and name in self.env.zones:
                self.env.report.error(
                    "zone-satisfies",
                    f"`{name}` would be both the zone and the name for each of them",
                    node.word.span,
                    hint=self._name_each(node.how, name),
                )
                return unknown()
            if name not in self.env.zones:
                check_free(self.env, node.word, scope)
        inner, var = scope.variable(name, source.type.of or Type("unknown"))
        test = self.elaborator.truth(node.test, inner)
        if truth_of(test) is (node.how == "every"):  # the result is the same for any list
            return constant(node.how != "some", TRUTH, written(node))
        return ir.Quantified(type=TRUTH, how=node.how, var=var.index, source=source, test=test, text=written(node))
