"""Expressions: names bound, types inferred, IR built, in one walk over the AST.

In: an AST expression and its scope. Out: a typed IR expression; what is wrong is reported and stands as unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hoyle.check.folding import apply, choose, constant, logic
from hoyle.check.naming import Naming
from hoyle.check.scope import Scope
from hoyle.check.typing_rules import (
    ORDERED,
    as_cards,
    as_piles,
    coerce,
    described,
    is_unknown,
    joined,
    same,
    unknown,
)
from hoyle.check.world import World
from hoyle.diagnostics.report import Fix
from hoyle.ir import nodes as ir
from hoyle.ir.types import CARDS, KEY, NUMBER, SEAT, SEATS, TEXT, TRUTH, ZONE, Type, certain, list_of, maybe
from hoyle.source import Span
from hoyle.syntax import ast
from hoyle.words import WORDS

COMPARISONS = {"=": "equal", "!=": "differ", "<": "less", "<=": "at_most", ">": "greater", ">=": "at_least"}
ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "div": "divide", "mod": "modulo", "..": "span"}
LARGEST_NUMBER = 2**31 - 1


def written(node: ast.Expr) -> str:
    """How the author wrote it, on one line."""
    return " ".join(node.span.text.split())


class Elaborator(Naming):
    """Turns AST expressions into IR for one world."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._forms: dict[type[ast.Expr], Callable[[Any, Scope, Type | None], ir.Expr]] = {
            ast.Name: self.name,
            ast.Int: self._int,
            ast.Text: lambda node, scope, wanted: constant(node.value, TEXT, node.value),
            ast.Group: lambda node, scope, wanted: self.expr(node.body, scope, wanted),
            ast.Of: self.of,
            ast.Aggregated: self._aggregated,
            ast.EndOf: self._end_of,
            ast.EachZone: lambda node, scope, wanted: self.each_zone(node.word, scope),
            ast.NewPile: self.new_pile,
            ast.Binary: self._binary,
            ast.Negative: self._negative,
            ast.Compare: self._compare,
            ast.IsA: self.is_a,
            ast.IsIn: self._is_in,
            ast.Relates: self.relates,
            ast.CanDo: self._can_do,
            ast.Quantified: self._quantified,
            ast.ListOf: self._list,
            ast.Key: self._key,
            ast.Those: self._those,
            ast.Not: self._not,
            ast.Logic: self._logic,
            ast.Choice: self._choice,
            ast.OrElse: self._or_else,
        }

    def expr(self, node: ast.Expr, scope: Scope, wanted: Type | None = None) -> ir.Expr:
        """The expression, its type inferred; `wanted` only helps to tell values of the same name apart."""
        return self._forms[type(node)](node, scope, wanted)

    def typed(self, node: ast.Expr, scope: Scope, wanted: Type, what: str = "this", *, widen: bool = False) -> ir.Expr:
        """The expression as the wanted type."""
        return coerce(self.world, self.expr(node, scope, wanted), wanted, node.span, what, widen=widen)

    def pointed(self, node: ast.Expr, scope: Scope, wanted: Type, what: str = "this") -> ir.Expr:
        """A seat, card or zone that a statement points at."""
        return coerce(self.world, self.expr(node, scope, wanted), wanted, node.span, what, pointing=True)

    def truth(self, node: ast.Expr, scope: Scope) -> ir.Expr:
        return self.typed(node, scope, TRUTH)

    def listed(self, node: ast.Expr, scope: Scope, what: str = "this") -> ir.Expr:
        """The expression as a list; a zone is its cards, a new pile the only one of a list."""
        return self._as_list(as_cards(self.expr(node, scope)), node, what)

    def _as_list(self, found: ir.Expr, node: ast.Expr, what: str) -> ir.Expr:
        """An expression that has been worked out, as a list."""
        if isinstance(found, ir.Piles) and found.new:
            return apply("list", (found,), list_of(ZONE), found.text)
        if is_unknown(found.type) or found.type.kind == "list":
            return found
        self.world.report.error(
            "wrong-type",
            f"{what} must be a list; `{written(node)}` is {described(found.type)}",
            node.span,
            described(found.type),
            hint="a list is a zone, `seats`, `each hand`, `(a, b)` or `(x in L where …)`",
        )
        return unknown()

    # -------------------------------------------------------------------------------------------- numbers, lists
    def _int(self, node: ast.Int, scope: Scope, wanted: Type | None) -> ir.Expr:
        if len(node.span.text) > 10 or node.value > LARGEST_NUMBER:
            self.world.report.error(
                "huge-number", f"numbers go up to {LARGEST_NUMBER}", node.span, hint="no game counts so far"
            )
            return unknown()
        return constant(node.value, NUMBER, node.span.text)

    def _binary(self, node: ast.Binary, scope: Scope, wanted: Type | None) -> ir.Expr:
        text = written(node)
        left, right = self.expr(node.left, scope), self.expr(node.right, scope)
        lists = [side.type.kind in ("list", "zone") for side in (left, right)]
        if node.op in "+-" and any(lists):
            if list_of(ZONE) not in (left.type, right.type):  # beside piles a zone is a pile, elsewhere it is its cards
                left, right = as_cards(left), as_cards(right)
            element = left.type.of if left.type.kind == "list" else right.type.of
            if element is None:
                return unknown()
            kind = list_of(element)
            left = coerce(self.world, left, kind, node.left.span, "this side", widen=True)
            right = coerce(self.world, right, kind, node.right.span, "this side", widen=True)
            return apply("join" if node.op == "+" else "without", (left, right), kind, text)
        number = maybe(NUMBER)  # what is reckoned with none is none, and a comparison with none is false
        left = coerce(self.world, left, number, node.left.span, f"the left side of `{node.op}`")
        right = coerce(self.world, right, number, node.right.span, f"the right side of `{node.op}`")
        kind = list_of(NUMBER) if node.op == ".." else NUMBER
        if "maybe" in (left.type.kind, right.type.kind):
            kind = maybe(kind)
        return apply(ARITHMETIC[node.op], (left, right), kind, text)

    def _negative(self, node: ast.Negative, scope: Scope, wanted: Type | None) -> ir.Expr:
        return apply("negate", (self.typed(node.arg, scope, NUMBER),), NUMBER, written(node))

    def _list(self, node: ast.ListOf, scope: Scope, wanted: Type | None) -> ir.Expr:
        element = certain(wanted.of) if wanted is not None and wanted.kind == "list" and wanted.of else None
        parts: list[ir.Expr] = []
        copies: dict[str, int] = {}
        for item in node.items:
            part = self.card_copy(item, scope, copies) or self.expr(item, scope, element)
            if part.type.kind in ("list",):
                self.world.report.error(
                    "list-in-list",
                    f"`{written(item)}` is itself a list",
                    item.span,
                    "a list",
                    hint="`+` joins lists: `(a + b)`; `(a, b)` is a list of two things",
                )
                return unknown()
            element = element or (certain(part.type) if not is_unknown(part.type) else None)
            if element is not None and not same(part.type, element):
                self.world.report.error(
                    "different-types",
                    f"a list holds one kind of thing: {described(element)} and "
                    f"{described(part.type)} cannot stand together",
                    item.span,
                    described(part.type),
                    hint="`+` joins lists and zones: `(hand + pile)`" if part.type.kind == "zone" else (),
                )
                return unknown()
            parts.append(part)
        return apply("list", tuple(parts), list_of(element or Type("unknown")), written(node))

    def _key(self, node: ast.Key, scope: Scope, wanted: Type | None) -> ir.Expr:
        parts = tuple(self._ordered(item, scope, lists=True) for item in node.items)
        return apply("key", parts, KEY, written(node))

    def _ordered(self, node: ast.Expr, scope: Scope, *, lists: bool = False) -> ir.Expr:
        """A value that can be compared as higher or lower; as a part of a key also a list of such values, which is
        compared element by element."""
        part = self.expr(node, scope)
        kind = certain(part.type)
        if lists and kind.kind == "list" and kind.of is not None:
            kind = certain(kind.of)
        if not is_unknown(part.type) and kind.kind not in ORDERED:
            self.world.report.error(
                "no-order",
                f"{described(part.type)} cannot be compared as higher or lower",
                node.span,
                hint="compare a number, or a value of an attribute or option",
            )
            return unknown()
        return part

    def _those(self, node: ast.Those, scope: Scope, wanted: Type | None) -> ir.Expr:
        inner, var, source = self.binding(node.binding, scope)
        where = self.truth(node.binding.where, inner) if node.binding.where is not None else None
        orders = tuple(ir.Order(best=b.how, key=self._ordered(b.key, inner)) for b in node.orders)
        value = self.expr(node.value, inner) if node.value is not None else None
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

    def binding(self, node: ast.Binding, scope: Scope) -> tuple[Scope, ir.Var, ir.Expr]:
        """The scope with the bound name, its variable, and the list it runs over."""
        if node.source is not None:
            source = self.listed(node.source, scope, "what a name runs over")
        else:
            source = self.domain(node.word, scope)
        if node.start is not None:
            start = self.typed(node.start, scope, SEAT, "after `from`, this")
            source = coerce(self.world, source, SEATS, node.span, "what `from` puts in order")
            source = apply("around", (source, start), SEATS, written_binding(node))
        element = source.type.of or Type("unknown")
        self.check_free(node.word, scope)
        inner, var = scope.variable(node.word.id, element)
        return inner, var, source

    def _aggregated(self, node: ast.Aggregated, scope: Scope, wanted: Type | None) -> ir.Expr:
        text = written(node)
        values = self.listed(node.arg, scope, f"what `{node.how}` is taken of")
        if node.word is not None and not is_unknown(values.type):
            element = values.type.of or Type("unknown")
            var = ir.Var(type=element, index=scope.frame.new(), name="", text=f"each of {written(node.arg)}")
            value = self.apply_to(node.word, var, node.arg.span, scope, node.word.span)
            values = ir.Those(
                type=list_of(certain(value.type)),
                var=var.index,
                source=values,
                where=None,
                orders=(),
                value=value,
                text=f"{node.word.id} of {written(node.arg)}",
            )
        return self.apply_word(node.how, values, node.arg.span, text)

    def _end_of(self, node: ast.EndOf, scope: Scope, wanted: Type | None) -> ir.Expr:
        text = written(node)
        held = self.expr(node.arg, scope)
        if is_unknown(held.type):
            return held
        if held.type.kind not in ("zone", "list"):
            self.world.report.error(
                "wrong-type",
                f"`{node.which} of` is said of a zone or a list; `{written(node.arg)}` is {described(held.type)}",
                node.arg.span,
                described(held.type),
            )
            return unknown()
        if node.number is None and not node.but:
            if held.type.kind == "zone":
                return apply(node.which, (held,), maybe(Type("card")), text)
            return apply("last" if node.which == "top" else "first", (held,), maybe(held.type.of or ZONE), text)
        number = self.typed(node.number, scope, NUMBER) if node.number else constant(1, NUMBER, "1")
        cards = as_cards(held)
        words = {
            ("top", False): "last_few",
            ("bottom", False): "first_few",
            ("top", True): "all_but_last",
            ("bottom", True): "all_but_first",
        }
        return apply(words[(node.which, node.but)], (number, cards), cards.type, text)

    # -------------------------------------------------------------------------------------------- tests
    def _compare(self, node: ast.Compare, scope: Scope, wanted: Type | None) -> ir.Expr:
        left, right = self._sides(node.left, node.right, scope)
        if {left.type.kind, right.type.kind} == {"list", "zone"}:
            left, right = as_cards(left), as_cards(right)
        if is_unknown(left.type) or is_unknown(right.type):
            return apply(COMPARISONS[node.op], (left, right), TRUTH, written(node))
        if "none" in (left.type.kind, right.type.kind):
            side, other = (node.right, node.left) if right.type.kind == "none" else (node.left, node.right)
            said = "is not none" if node.op == "!=" else "is none"
            self.world.report.error(
                "compare-none",
                "nothing is equal to `none`; there is a test of its own",
                side.span,
                hint=f"`{written(other)} {said}`",
                fix=Fix(node.span, f"{written(other)} {said}"),
            )
            return unknown()
        if not same(left.type, right.type):
            self.world.report.error(
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
            self.world.report.error(
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
        if self.is_value_name(left, scope):
            b = self.expr(right, scope)
            return self.expr(left, scope, certain(b.type)), b
        a = self.expr(left, scope)
        return a, self.expr(right, scope, certain(a.type))

    def _is_in(self, node: ast.IsIn, scope: Scope, wanted: Type | None) -> ir.Expr:
        if isinstance(node.arg, ast.Name) and node.arg.id not in scope.names and not scope.codes:
            copies = self.world.card_names.get(self.renamed(node.arg), ())
            if len(copies) > 1:
                how = "no" if node.negated else "some"
                full = f"{how} card in {written(node.list)} is {node.arg.id}"
                self.world.report.error(
                    "several-cards",
                    f"the deck holds {len(copies)} cards `{node.arg.id}`; which one is meant cannot be told",
                    node.arg.span,
                    hint=f"write `{full}`",
                    fix=Fix(node.span, full),
                )
                return unknown()
        if self.is_value_name(node.arg, scope):
            values = self.listed(node.list, scope, "what follows `in`")
            arg = self.expr(node.arg, scope, values.type.of)
        else:
            arg = self.expr(node.arg, scope)
            values = as_cards(self.expr(node.list, scope, list_of(certain(arg.type))))
            if certain(values.type).kind != "list" and not is_unknown(values.type):
                values = self._as_list(values, node.list, "what follows `in`")
        element = certain(values.type).of or arg.type  # nothing is in a list that is none
        if not is_unknown(values.type) and not is_unknown(arg.type) and not same(arg.type, element):
            self.world.report.error(
                "different-types",
                f"`{written(node.arg)}` is {described(arg.type)}, but the list holds "
                f"{described(element)}s",
                node.span,
            )
            return unknown()
        test = apply("is_in", (arg, values), TRUTH, written(node))
        return logic("not", (test,), written(node)) if node.negated else test

    def _can_do(self, node: ast.CanDo, scope: Scope, wanted: Type | None) -> ir.Expr:
        seat = self.typed(node.seat, scope, SEAT, f"who {node.how} do it")
        name = self.renamed(node.action)
        if name not in self.world.actions:
            labels, hints = self.world.similar(name, self.world.actions, "actions")
            self.world.report.error(
                "unknown-action",
                f"no action named `{name}`",
                node.action.span,
                "not declared under `actions:`",
                others=labels,
                hint=hints,
            )
            return unknown()
        self.world.used.add(f"asked:{name}")
        return ir.CanDo(type=TRUTH, action=self.world.actions[name], seat=seat, how=node.how, text=written(node))

    def _quantified(self, node: ast.Quantified, scope: Scope, wanted: Type | None) -> ir.Expr:
        name = node.word.id
        if node.source is not None:
            source = self.listed(node.source, scope, "what a name runs over")
            self.check_free(node.word, scope)
        else:
            source = self.domain(node.word, scope)
            if node.satisfies and name in self.world.zones:
                self.world.report.error(
                    "zone-satisfies",
                    f"`{name}` would be both the zone and the name for each of them",
                    node.word.span,
                    hint=f"name the seat: `{node.how} seat satisfies (… {name} of seat …)`",
                )
                return unknown()
            if name not in self.world.zones:
                self.check_free(node.word, scope)
        inner, var = scope.variable(name, source.type.of or Type("unknown"))
        test = self.truth(node.test, inner)
        return ir.Quantified(type=TRUTH, how=node.how, var=var.index, source=source, test=test, text=written(node))

    def _not(self, node: ast.Not, scope: Scope, wanted: Type | None) -> ir.Expr:
        return logic("not", (self.truth(node.arg, scope),), written(node))

    def _logic(self, node: ast.Logic, scope: Scope, wanted: Type | None) -> ir.Expr:
        left, right = self.truth(node.left, scope), self._other_half(node, scope)
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
        if full and isinstance(node.right, ast.Name) and self.is_value_name(node.right, scope):
            kind = self.world.values[self.renamed(node.right)][0].type
        else:
            right = self.expr(node.right, scope)
            kind = right.type
            if not full or same(kind, TRUTH):
                return coerce(self.world, right, TRUTH, node.right.span)
        self.world.report.error(
            "wrong-type",
            f"`{node.op}` joins conditions; `{after}` is {described(kind)}",
            node.right.span,
            described(kind),
            hint=f"say it in full: `{full}`",
        )
        return unknown()

    def _choice(self, node: ast.Choice, scope: Scope, wanted: Type | None) -> ir.Expr:
        test = self.truth(node.test, scope)
        yes = self.expr(node.yes, scope, wanted)
        no = self.expr(node.no, scope, wanted or certain(yes.type))
        return self.either(test, yes, no, node.yes.span, node.no.span, written(node))

    def either(self, test: ir.Expr, yes: ir.Expr, no: ir.Expr, at: Span, other: Span, text: str) -> ir.Expr:
        """One of two values of one type."""
        if list_of(ZONE) in (yes.type, no.type):
            yes, no = as_piles(yes), as_piles(no)
        elif yes.type.kind == "list" or no.type.kind == "list":
            yes, no = as_cards(yes), as_cards(no)
        if not same(yes.type, no.type):
            self.world.report.error(
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

    def _or_else(self, node: ast.OrElse, scope: Scope, wanted: Type | None) -> ir.Expr:
        first = self.expr(node.first, scope, wanted)
        second = self.expr(node.second, scope, wanted or certain(first.type))
        if certain(first.type).kind == "list":
            second = as_cards(second)
        if not is_unknown(first.type) and first.type.kind not in ("maybe", "none"):
            self.world.report.error(
                "never-none",
                f"`{written(node.first)}` is never none, so what follows `or else` is never used",
                node.first.span,
                hint=f"write `{written(node.first)}` alone",
            )
            return first
        if not same(first.type, second.type):
            self.world.report.error(
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

    # -------------------------------------------------------------------------------------------- words
    def apply_word(self, name: str, arg: ir.Expr, span: Span, text: str) -> ir.Expr:
        """A built-in word of one argument, applied. What is said of none is none."""
        declared = WORDS[name]
        wanted = declared.takes[0]
        if is_unknown(arg.type):
            return unknown()
        held = certain(arg.type)
        if name == "count" and held.kind == "zone":
            return apply("size", (arg,), NUMBER, text)
        if wanted.kind == "list":
            arg = as_cards(arg)
            held = certain(arg.type)
            element = wanted.of
            assert element is not None
            if held.kind != "list" or (element.kind != "any" and not same(held.of or element, element)):
                hint: tuple[str, ...] = ()
                if held == CARDS and element == NUMBER:
                    hint = (f"say what to add up: `{name} ATTRIBUTE of {arg.text}`, for example `{name} points of …`",)
                elif held.kind == "number":
                    hint = (f"it is a number already: write `{arg.text}` alone",)
                elif held.kind != "list":
                    hint = (f"`{name}` is said of a list or a zone",)
                self.world.report.error(
                    "wrong-type",
                    f"`{name}` is said of {described(list_of(element)) if element.kind != 'any' else 'a list'};"
                    f" `{arg.text}` is {described(held)}",
                    span,
                    described(held),
                    hint=hint,
                )
                return unknown()
            if (
                name in ("highest", "lowest", "descending")
                and held.of
                and certain(held.of).kind not in (*ORDERED, "unknown")
            ):
                self.world.report.error(
                    "no-order",
                    f"{held.of}s cannot be compared as higher or lower",
                    span,
                    hint=f"say by what: `{name} ATTRIBUTE of …`, or `(x in … with {name} … of x)`",
                )
                return unknown()
            if name == "subsets" and self.bound(arg) > 12:
                self.world.report.error(
                    "too-many-groups",
                    f"`subsets` of up to {self.bound(arg)} cards would be too many",
                    span,
                    hint="take them of a list of at most 12 cards",
                )
                return unknown()
            gives = _filled(declared.gives, held.of or Type("unknown"))
            if gives.kind == "maybe" and never_empty(arg):
                gives = certain(gives)
            return apply(name, (arg,), gives, text)
        if not same(held, wanted):
            self.world.report.error(
                "wrong-type",
                f"`{name}` is said of {described(wanted)}; `{arg.text}` is {described(held)}",
                span,
                described(held),
            )
            return unknown()
        gives = declared.gives
        return apply(name, (arg,), maybe(gives) if arg.type.kind == "maybe" else gives, text)

    def bound(self, expr: ir.Expr) -> int:
        """How many elements a list can have at the most, as far as that is known (0 where it is not)."""
        if isinstance(expr, ir.Const) and isinstance(expr.value, tuple):
            return len(expr.value)
        return 0


def written_binding(node: ast.Binding) -> str:
    return " ".join(node.span.text.split())


def never_empty(expr: ir.Expr) -> bool:
    """Whether a list always has an element: `lowest of (a, b)` is never none."""
    if isinstance(expr, ir.Const):
        return bool(expr.value)
    return isinstance(expr, ir.Apply) and expr.word == "list" and any(a.type.kind != "maybe" for a in expr.args)


def _filled(kind: Type, element: Type) -> Type:
    """A type of a signature with its `T` filled in."""
    if kind.kind == "any":
        return element
    return Type(kind.kind, kind.name, _filled(kind.of, element)) if kind.of is not None else kind
