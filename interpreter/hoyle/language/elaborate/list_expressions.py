"""Elaboration of lists: literals, comprehensions, orderings, aggregates and their ends.

In: lists of the AST and their scope. Out: their IR; elements of different types are reported.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.base.diagnostics.report import Fix
from hoyle.language.elaborate.application import OfExpressions
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import DefinitionInfo, Environment
from hoyle.language.elaborate.folding import apply, constant
from hoyle.language.elaborate.local_names import bind_each, check_free
from hoyle.language.elaborate.name_resolution import find_copy
from hoyle.language.elaborate.pruning import Relaxing
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.elaborate.typing_rules import ORDERED, as_elements, described, is_unknown, same, unknown
from hoyle.language.elaborate.word_rules import apply_word, most_elements
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import enclosed, written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, CARDS, KEY, NUMBER, TEAM, ZONE, Type, certain, list_of, maybe
from hoyle.program.ir.walk import list_variables
from hoyle.program.model.divisions import MOST_DIVIDED
from hoyle.program.words import Op, applies


class Lists:
    """Elaborates expressions that construct or consume lists."""

    def __init__(self, elaborator: Elaborator, of_expressions: OfExpressions) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env
        self.of_expressions = of_expressions

    def listed(self, node: ast.ListOf, scope: Scope, wanted: Type | None) -> ir.Expr:
        element = certain(wanted.of) if wanted is not None and wanted.kind == "list" and wanted.of else None
        parts: list[ir.Expr] = []
        copies: dict[str, int] = {}
        for item in node.items:
            part = find_copy(self.env, item, scope, copies) or self.elaborator.expr(item, scope, element)
            if part.type.kind in ("list",):
                self.env.report.error(
                    "list-in-list",
                    f"`{written(item)}` is itself a list",
                    item.span,
                    "a list",
                    hint="`+` joins lists: `(a + b)`; `(a, b)` is a list of two things",
                )
                return unknown()
            element = element or (certain(part.type) if not is_unknown(part.type) else None)
            if element is not None and not same(part.type, element):
                self.env.report.error(
                    "different-types",
                    f"a list holds one kind of thing: {described(element)} and "
                    f"{described(part.type)} cannot stand together",
                    item.span,
                    described(part.type),
                    hint="`+` joins lists and zones: `(hand + pile)`" if part.type.kind == "zone" else (),
                )
                return unknown()
            parts.append(part)
        return apply(Op.LIST, tuple(parts), list_of(element or Type("unknown")), written(node))

    def key(self, node: ast.Key, scope: Scope, wanted: Type | None) -> ir.Expr:
        parts = tuple(self._ordered(item, scope, lists=True) for item in node.items)
        return apply(Op.KEY, parts, KEY, written(node))

    def _ordered(self, node: ast.Expr, scope: Scope, *, lists: bool = False) -> ir.Expr:
        """A value of an ordered type; in a key, lists of such values are allowed too, compared lexicographically."""
        part = self.elaborator.expr(node, scope)
        kind = certain(part.type)
        if lists and kind.kind == "list" and kind.of is not None:
            kind = certain(kind.of)
        if not is_unknown(part.type) and kind.kind not in ORDERED:
            self.env.report.error(
                "no-order",
                f"{described(part.type)} cannot be compared as higher or lower",
                node.span,
                hint="compare a number, or a value of an attribute or option",
                fix=self._order_by(node, part),
            )
            return unknown()
        return part

    def _order_by(self, node: ast.Expr, part: ir.Expr) -> list[Fix]:
        """Fixes for a value without an order: compare an attribute of it, or its count."""
        printed = [a.name for a in self.env.attribute_list if a.type == NUMBER]
        kind, said = certain(part.type), enclosed(node)
        if kind.kind == "card":
            return [Fix(node.span, f"{name} of {said}", sure=len(printed) == 1) for name in printed]
        if kind.kind in ("zone", "list"):
            texts = [f"count of {said}", *(f"{name} of top of {said}" for name in printed)]
            return [Fix(node.span, text, sure=False) for text in texts]
        return []

    def those(self, node: ast.Those, scope: Scope, wanted: Type | None) -> ir.Expr:
        inner, var, source = bind_each(self.elaborator, node.binding, scope)
        where = self.elaborator.truth(node.binding.where, inner) if node.binding.where is not None else None
        inner = self.elaborator.assume(inner, where) if where is not None else inner
        orders = tuple(ir.Order(best=b.how, key=self._ordered(b.key, inner)) for b in node.orders)
        value = self.elaborator.expr(node.value, inner) if node.value is not None else None
        element = certain(value.type) if value is not None else var.type
        return ir.Those(
            type=list_of(element),
            var=var.index,
            source=source,
            where=where,
            orders=orders,
            value=value,
            text=written(node),
        )

    def division(self, node: ast.Division, scope: Scope, wanted: Type | None) -> ir.Expr:
        """The best division of cards into groups. Condition and weight are elaborated in a frame of their own; what
        they use of the names around them is handed in."""
        source = self.elaborator.listed(node.source, scope, "what is divided")
        if not is_unknown(source.type) and certain(source.type.of or CARD) != CARD:
            self.env.report.error(
                "wrong-type",
                f"only cards are divided; `{written(node.source)}` is {described(source.type)}",
                node.source.span,
                described(source.type),
            )
            return unknown()
        if most_elements(self.env, source) > MOST_DIVIDED:
            self.env.report.error(
                "too-many-groups",
                f"up to {most_elements(self.env, source)} cards would be too many to divide",
                node.source.span,
                hint=f"divide a list of at most {MOST_DIVIDED} cards",
            )
            return unknown()
        check_free(self.env, node.word, scope)
        frame = Frame(1)
        outer = replace(scope, frame=frame, names={}, seats=(), facts=frozenset())
        given: dict[int, ir.Expr] = {}
        for name, held in scope.names.items():
            kind = certain(held.type) if scope.knows(held) else held.type
            var = ir.Var(type=kind, index=frame.new(), name=name, text=held.text)
            outer = outer.bind(name, var, speaks=name in scope.seats)
            given[var.index] = held
        inner = outer.bind(node.word.id, ir.Var(type=CARDS, index=0, name=node.word.id, text=node.word.id))
        where = self.elaborator.truth(node.where, inner)
        bodies = [info.result.body if info.result is not None else None for info in self._definitions()]
        most = constant(MOST_DIVIDED, NUMBER)
        keeps = Relaxing(0, 0, most, bodies, frame, self.env.scales).join([where])
        check_free(self.env, ast.Word(id="rest", span=node.weight.span), scope)
        rest, left = outer.variable("rest", CARDS)
        weight = self.elaborator.expr(node.weight, rest)
        card, weigh = self._weigh_each(weight, left, node)
        used = set().union(*(list_variables(part) for part in (where, weigh) if part is not None))
        given = {index: held for index, held in given.items() if index in used}
        by = ir.Grouping(where=where, keeps=keeps, card=card, weigh=weigh, given=tuple(given), frame=frame.size)
        return ir.Division(type=list_of(CARDS), source=source, by=by, given=tuple(given.values()), text=written(node))

    def _definitions(self) -> list[DefinitionInfo]:
        return sorted(self.env.definitions.values(), key=lambda info: info.index)

    def _weigh_each(self, weight: ir.Expr, rest: ir.Var, node: ast.Division) -> tuple[int, ir.Expr | None]:
        """The weight of each leftover card, and its variable: the total weight must be a sum over single cards."""
        if applies(weight, Op.COUNT) and weight.args[0] == rest:
            return 0, None
        if applies(weight, Op.SUM):
            each = weight.args[0]
            if isinstance(each, ir.Those) and each.source == rest and each.value is not None:
                plain = each.where is None and not each.orders
                if plain and rest.index not in list_variables(each.value):
                    return each.var, each.value
        if not is_unknown(weight.type):
            self.env.report.error(
                "not-weighed",
                f"`{written(node.weight)}` does not weigh what is left card by card",
                node.weight.span,
                hint="write `sum … of rest` or `count of rest`: `leaving lowest sum rank of rest`",
            )
        return 0, None

    def aggregated(self, node: ast.Aggregated, scope: Scope, wanted: Type | None) -> ir.Expr:
        text = written(node)
        values = self.elaborator.listed(node.arg, scope, f"what `{node.how}` is taken of")
        if node.word is not None and not is_unknown(values.type):
            element = values.type.of or Type("unknown")
            var = ir.Var(type=element, index=scope.frame.new(), name="", text=f"each of {written(node.arg)}")
            value = self.of_expressions.apply_to(node.word, var, node.arg.span, scope)
            values = ir.Those(
                type=list_of(certain(value.type)),
                var=var.index,
                source=values,
                where=None,
                orders=(),
                value=value,
                text=f"{node.word.id} of {written(node.arg)}",
            )
        return apply_word(self.env, node.how, values, node.arg.span, text)

    def end_of(self, node: ast.EndOf, scope: Scope, wanted: Type | None) -> ir.Expr:
        text = written(node)
        held = self.elaborator.expr(node.arg, scope)
        if held.type == TEAM:
            held = as_elements(self.env, held)
        if is_unknown(held.type):
            return held
        plain = node.number is None and not node.but  # only this form accepts a list that may be none
        if (certain(held.type) if plain else held.type).kind not in ("zone", "list"):
            self.env.report.error(
                "wrong-type",
                f"`{node.which} of` is said of a zone or a list; `{written(node.arg)}` is {described(held.type)}",
                node.arg.span,
                described(held.type),
            )
            return unknown()
        if plain:
            if certain(held.type).kind == "zone":
                return apply(Op.TOP if node.which == "top" else Op.BOTTOM, (held,), maybe(Type("card")), text)
            element = certain(held.type).of or ZONE
            return apply(Op.LAST if node.which == "top" else Op.FIRST, (held,), maybe(element), text)
        number = self.elaborator.typed(node.number, scope, NUMBER) if node.number else constant(1, NUMBER, "1")
        cards = as_elements(self.env, held)
        words = {
            ("top", False): Op.LAST_FEW,
            ("bottom", False): Op.FIRST_FEW,
            ("top", True): Op.ALL_BUT_LAST,
            ("bottom", True): Op.ALL_BUT_FIRST,
        }
        return apply(words[(node.which, node.but)], (number, cards), cards.type, text)
