"""Simplification at construction, top layer: reducers, fused with the lists they consume, and the rebuilding of nodes.

In: operands. Out: hash-consed values. Every rewrite holds in every position (peephole rules on the node and its facts).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, reduce

from hoyle.play.codegen.low.facts import LIMIT, TRUTH, Fact, between, list_of
from hoyle.play.codegen.low.lists import MOST_UNROLLED, Lists
from hoyle.play.codegen.low.scalars import never_fault
from hoyle.play.codegen.low.values import BINDERS, Value, faults_late


class Builder(Lists):
    """Constructs values; every constructor folds constants and applies local rewrites before it interns a node."""

    # ---------------------------------------------------------------------------------------------- reducers
    def any(self, source: Value) -> Value:
        """Whether a list has elements."""
        if never_fault(source):
            if source.fact.low > 0 and not source.fact.none:
                return self.true
            if source.fact.high == 0 or source.op == "none":
                return self.false
        match source.op:
            case "cards":
                return self.negate(self.equal(self.count(source), self.false))
            case "each":
                inner, variable, (where, value) = self.open_binder(source)
                return self._exists(inner, variable, self.both(where, self.present(value)))
        return self._ask_parts(source, self.any) or self.make("any", (source,), (), TRUTH)

    def any_of_all(self, source: Value, listed: Value | None = None) -> Value:
        """`any` that keeps the faults: if evaluating `source` (or `listed`, which it is filtered from) can fault after
        the first hit, all of it is evaluated, as `count > 0`, instead of leaving the loop early."""
        found, listed = self.any(source), listed or source
        if not listed.faults or (found.faults and not faults_late(listed)):
            return found
        return self.less(self.false, self.count(source))

    def _ask_parts(self, source: Value, ask: Callable[[Value], Value]) -> Value | None:
        """`ask` distributed over the parts of a join or a conditional; None for any other list."""
        match source.op:
            case "join":
                return self.either(*map(ask, source.args))
            case "if":
                test, yes, no = source.args
                return self.choose(test, ask(yes), ask(no))
            case "none":
                return self.false
        return None

    def _exists(self, source: Value, variable: Value, test: Value) -> Value:
        """`any` of a filtered list: unrolled, distributed over parts, or turned into a membership test if possible."""
        of = source.fact.of
        if of is not None and of != variable.fact:  # the part has a sharper fact than the join
            own = self.open_variable(of)
            variable, test = own, self.replace(test, variable, own)
        one_by_one = self._unroll(source)
        if one_by_one is not None:
            return self.either(*self._test_each(one_by_one, variable, test))
        asked = self._ask_parts(source, lambda part: self._exists(part, variable, test))
        asked = asked or self._is_among(source, variable, test)
        if asked is not None:
            return asked
        found = self.bind_each(source, variable, test, variable)
        if found.op != "each" or found.args[0] is not source:
            return self.any(found)
        return self.make("any", (found,), (), TRUTH)

    def _is_among(self, source: Value, variable: Value, test: Value) -> Value | None:
        """Existence of an element equal to a loop-invariant value, as a membership test that needs no search; None if
        the list is no zone, span or constant."""
        if test.op != "equal" or variable not in test.args or test.args[0] is test.args[1]:
            return None
        wanted = test.args[0] if test.args[1] is variable else test.args[1]
        if variable.data[0] in wanted.free:
            return None
        if source.op == "cards":
            inside = self.read("in_zone", TRUTH, self.sure(wanted), *source.args)
        elif source.op == "span":
            inside = self.inside(self.sure(wanted), *source.args)
        elif source.constants is not None:
            inside = self.one_of(self.sure(wanted), source.constants)
        else:
            return None
        return self.both(self.negate(self.is_none(wanted)), inside)

    def one_of(self, value: Value, constants: Sequence[int]) -> Value:
        """Membership of a number in a set of constants: a range test if they are contiguous, else a disjunction."""
        low, high = value.fact.low, value.fact.high
        known = sorted({constant for constant in constants if low <= constant <= high})
        if not known:
            return self.false
        if known == list(range(known[0], known[-1] + 1)):
            return self.inside(value, self.number(known[0]), self.number(known[-1]))
        return self.either(*(self.equal(value, self.number(each)) for each in known))

    def contains(self, source: Value, wanted: Value) -> Value:
        """Membership of a value in a list; both operands are evaluated if that can fault."""
        found = self.each(source, lambda element: self.equal(element, wanted))
        if source.element.is_list:
            return self.after([wanted], self.any_of_all(found))
        return self.after([source, wanted], self.any(found))

    def _unroll(self, source: Value) -> Sequence[Value] | None:
        """The elements of a list that is written out or constant and short: a loop over it can be unrolled."""
        if source.op == "items":
            return source.args
        if source.constants is not None and len(source.constants) <= MOST_UNROLLED:
            return [self.number(element) for element in source.constants]
        return None

    def _test_each(self, values: Sequence[Value], variable: Value, test: Value) -> list[Value]:
        """A test with each of some values substituted for its variable; false for a value that is none."""
        return [
            self.both(self.negate(self.is_none(each)), self.replace(test, variable, self.sure(each))) for each in values
        ]

    def count(self, source: Value) -> Value:
        """The length of a list, from facts, from its parts, or as a `count` node over a filter without projection."""
        if source.constants is not None:
            return self.number(len(source.constants))
        if source.fact.low == source.fact.high and never_fault(source):
            return self.number(source.fact.low)
        match source.op:
            case "cards":
                return self.read("size", between(0, source.fact.high), *source.args)
            case "items":
                return self._add_all([self.present(value) for value in source.args])
            case "join":
                return self._add_all([self.count(part) for part in source.args])
            case "if" if not source.fact.none:
                test, yes, no = source.args
                return self.choose(test, self.count(yes), self.count(no))
            case "each":
                inner, variable, (where, value) = self.open_binder(source)
                one_by_one = self._unroll(inner)
                counted = self.both(where, self.present(value))
                if counted is self.true:
                    return self.count(inner)
                if one_by_one is not None:
                    return self.after(one_by_one, self._add_all(self._test_each(one_by_one, variable, counted)))
                source = self.bind_each(inner, variable, counted, variable)
            case "sure" if (chosen := self._count_each(source.args[0])) is not None:
                return self.sure(chosen)
        return self.make("count", (source,), (), between(source.fact.low, source.fact.high))

    def _count_each(self, value: Value) -> Value | None:
        """The length of the first (or last) of some lists as the first of their lengths: the list itself is never
        materialised. None if the pattern does not apply."""
        if value.op not in ("first", "last") or not value.fact.is_list or value.args[0].op != "each":
            return None
        source, variable, (where, listed) = self.open_binder(value.args[0])
        if listed.fact.none or listed.faults:
            return None
        return self.first(self.bind_each(source, variable, where, self.count(listed)), last=value.op == "last")

    def is_none(self, value: Value) -> Value:
        return super().is_none(self._count_each(value) or value)

    def sum(self, source: Value) -> Value:
        """The sum of a list; unrolled over short known lists."""
        if source.constants is not None and abs(sum(source.constants)) < LIMIT:
            return self.number(sum(source.constants))
        if source.op == "each":
            inner, variable, (where, value) = self.open_binder(source)
            one_by_one = self._unroll(inner)
            if one_by_one is not None:
                added = [self.replace(value, variable, self.sure(each)) for each in one_by_one]
                tests = self._test_each(one_by_one, variable, where)
                total = self._add_all([
                    self._or_zero(self.choose(test, each, self.none)) for test, each in zip(tests, added, strict=True)
                ])  # fmt: skip
                return self.after(one_by_one, total)
        of, most = source.element, source.fact.high
        return self.make("sum", (source,), (), between(min(0, of.low) * most, max(0, of.high) * most))

    def _or_zero(self, value: Value) -> Value:
        return self.choose(self.is_none(value), self.false, self.sure(value))

    def _add_all(self, values: Sequence[Value]) -> Value:
        return reduce(self.add, values, self.false)

    def highest(self, source: Value, *, lowest: bool = False) -> Value:
        """The maximum (or minimum); none for an empty list."""
        if source.op == "items" and source.fact.low == len(source.args):
            return reduce(partial(self.extreme, highest=not lowest), source.args)
        fact = replace(_one_of(source), home=None)
        return self.make("lowest" if lowest else "highest", (source,), (), fact)

    def first(self, source: Value, *, last: bool = False) -> Value:
        """The first (or last) element; none for an empty list."""
        if source.constants:
            return self.number(source.constants[-1 if last else 0])
        if source.fact.high == 0 and never_fault(source):
            return self.none
        if source.op == "cards":
            return self.read("top" if last else "bottom", _one_of(source), *source.args)
        if source.op == "if" and not source.fact.none:
            test, yes, no = source.args
            return self.choose(test, self.first(yes, last=last), self.first(no, last=last))
        return self.make("last" if last else "first", (source,), (), _one_of(source))

    def slice(self, source: Value, number: Value, how: str) -> Value:
        """A prefix or suffix of at most `number` elements (`first_few`, `last_few`), or the list without it
        (`all_but_first`, `all_but_last`)."""
        low, high = source.fact.low, source.fact.high
        few = (max(0, number.fact.low), max(0, number.fact.high))
        if how in ("first_few", "last_few"):
            low, high = min(low, few[0]), min(high, few[1])
        else:
            low, high = max(0, low - few[1]), max(0, high - few[0])
        fact = list_of(source.element, high, shortest=low, unique=source.fact.unique)
        return self.make(how, (source, number), (), fact)

    # ---------------------------------------------------------------------------------------------- rebuilding
    def rebuild(self, node: Value, args: Sequence[Value]) -> Value:
        if node.op in BINDERS:
            return self.bind(node, args[0], *self.open_bodies(node, args[1:]))
        plain, again = _PLAIN.get(node.op), _AGAIN.get(node.op)
        if plain is not None:
            return plain(self, *args)
        return again(self, node, args) if again is not None else self.make(node.op, args, node.data, node.fact)


def _one_of(source: Value) -> Fact:
    """The fact of one element taken from a list: may be none unless the list is known not to be empty."""
    return source.element if source.fact.low > 0 else source.element.or_none()


# Constructors by opcode: those that need the operands alone, and those that need the data or fact of the old node too.
_PLAIN: dict[str, Callable[..., Value]] = {
    "add": Builder.add, "subtract": Builder.subtract, "multiply": Builder.multiply, "divide": Builder.divide,
    "modulo": Builder.modulo, "equal": Builder.equal, "less": Builder.less, "not": Builder.negate, "and": Builder.both,
    "or": Builder.either, "if": Builder.choose, "is_none": Builder.is_none, "span": Builder.span, "any": Builder.any,
    "count": Builder.count, "sum": Builder.sum, "highest": Builder.highest, "first": Builder.first,
}  # fmt: skip
Again = Callable[[Builder, Value, Sequence[Value]], Value]
_AGAIN: dict[str, Again] = {
    "table": lambda b, node, args: b.table(node.table, args[0]),
    "row": lambda b, node, args: b.row(node.rows, args[0]),
    "greatest": lambda b, node, args: b.extreme(*args, highest=True),
    "least": lambda b, node, args: b.extreme(*args, highest=False),
    "sure": lambda b, node, args: b.be_sure(node, args[0]),
    "need": lambda b, node, args: b.need(args[0], node.clause),
    "check": lambda b, node, args: b.check(args[0], args[1], node.clause),
    "items": lambda b, node, args: b.items(args, node.fact.of),
    "join": lambda b, node, args: b.join_lists(args),
    "lowest": lambda b, node, args: b.highest(*args, lowest=True),
    "last": lambda b, node, args: b.first(*args, last=True),
    **{
        how: (lambda b, node, args: b.slice(args[0], args[1], node.op))
        for how in ("first_few", "last_few", "all_but_first", "all_but_last")
    },
}
