"""Simplification at construction, lists: symbolic, never materialised here; constant folding and loop fusion.

In: operands. Out: hash-consed values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import reduce

from hoyle.play.codegen.low.facts import Fact, exactly, join, list_of
from hoyle.play.codegen.low.scalars import Scalars, never_fault
from hoyle.play.codegen.low.values import Rows, Value

Body = Callable[[Value], Value]
MOST_UNROLLED = 4  # elements of a constant list over which a loop is unrolled


class Lists(Scalars):
    """Constructs list values."""

    def known_list(self, values: Sequence[int], element: Fact | None = None) -> Value:
        """A constant list; `element` is the fact of its elements if it is empty."""
        known = tuple(map(int, values))
        low, high = (min(known), max(known)) if known else (0, 0)
        of = element if element is not None and not known else Fact(low, high)
        fact = list_of(of, len(known), shortest=len(known), unique=len(set(known)) == len(known))
        return self.make("list", (), (known,), fact)

    def items(self, values: Sequence[Value], element: Fact | None) -> Value:
        """A list of single values, of which those that are none are dropped."""
        values = [value for value in values if value.op != "none"]
        if all(value.constant is not None for value in values):
            return self.known_list([value.constant or 0 for value in values], element)
        of = reduce(join, (value.fact.sure() for value in values))
        sure = sum(not value.fact.none for value in values)
        fact = list_of(of, len(values), shortest=sure, unique=len(values) == 1)
        return self.make("items", values, (), fact)

    def join_lists(self, parts: Sequence[Value]) -> Value:
        """Concatenation; nested joins are flattened, empty parts dropped."""
        flat = [each for part in parts for each in (part.args if part.op == "join" else (part,))]
        flat = [part for part in flat if part.constants != ()]
        if not flat:
            return parts[0]
        if len(flat) == 1:
            return flat[0]
        of = reduce(join, (part.element for part in flat))
        low, high = (sum(getattr(part.fact, end) for part in flat) for end in ("low", "high"))
        return self.make("join", flat, (), list_of(of, high, shortest=low, unique=_are_apart(flat)))

    def distinct(self, source: Value) -> Value:
        """The elements of a list without duplicates, in the order of their first occurrence."""
        if source.fact.unique:
            return source
        of, longest = source.element, source.fact.high
        most = longest if of.is_list else min(longest, of.high - of.low + 1)
        return self.make("distinct", (source,), (), list_of(of, most, shortest=min(1, source.fact.low), unique=True))

    def span(self, low: Value, high: Value) -> Value:
        """The integers from `low` to `high`, both included."""
        if low.constant is not None and high.constant is not None and high.constant - low.constant < 64:
            return self.known_list(range(low.constant, high.constant + 1), low.fact)
        longest = max(0, high.fact.high - low.fact.low + 1)
        of = Fact(low.fact.low, max(low.fact.low, high.fact.high))
        shortest = high.fact.low - low.fact.high + 1
        return self.make("span", (low, high), (), list_of(of, longest, shortest=shortest, unique=True))

    def row(self, rows: Rows, index: Value) -> Value:
        """One of several constant lists, by index."""
        if index.constant is not None:
            within = 0 <= index.constant < len(rows.rows)  # beyond, a fault comes before
            return self.known_list(rows.rows[index.constant] if within else ())
        reached = rows.rows[max(0, index.fact.low) : index.fact.high + 1] or rows.rows
        values = [value for row in reached for value in row]
        of = Fact(min(values), max(values)) if values else exactly(0)
        sizes = [len(row) for row in reached]
        unique = all(len(set(row)) == len(row) for row in reached)
        return self.make("row", (index,), (rows,), list_of(of, max(sizes), shortest=min(sizes), unique=unique))

    def each(self, source: Value, where: Body | None = None, value: Body | None = None) -> Value:
        """Filter and map: `value` of each element that meets `where`, dropping results that are none."""
        variable = self.open_variable(source.element)
        test = where(variable) if where is not None else self.true
        made = value(variable) if value is not None else variable
        return self.bind_each(source, variable, test, made)

    def bind_each(self, source: Value, variable: Value, where: Value, value: Value) -> Value:
        source = self._sure_list(source)
        if where is self.true and value is variable:
            return source
        if (where is self.false and never_fault(source)) or source.constants == ():
            return self._empty(value.fact)
        if source.op == "each":  # fuse the two loops
            inner, own, (test, made) = self.open_binder(source)
            if made is own or (not made.fact.none and _is_cheap(made)):
                where, value = (self.replace(part, variable, made) for part in (where, value))
                return self.bind_each(inner, own, self.both(test, where), value)
        known = self._map_constants(source, variable, where, value)
        if known is not None:
            return known
        number, (where, value) = self.close_variable(variable, (where, value))
        kept = 0 if where is not self.true or value.fact.none else source.fact.low
        unique = source.fact.unique and value.op == "var" and value.data == (number,)
        fact = list_of(value.fact, source.fact.high, shortest=kept, unique=unique)
        return self.make("each", (source, where, value), (number,), fact)

    def _empty(self, element: Fact) -> Value:
        """The empty list, with the fact its elements would have had."""
        return self.known_list((), element.sure())

    def _sure_list(self, source: Value) -> Value:
        """The source of a loop: a conditional with an arm that is none gets an empty list there."""
        if source.fact.none and source.op == "if":
            test, yes, no = source.args
            yes, no = (self._empty(source.element) if part.op == "none" else part for part in (yes, no))
            return self.choose(test, yes, no)
        return source

    def _map_constants(self, source: Value, variable: Value, where: Value, value: Value) -> Value | None:
        """Constant folding of an `each` over constants or rows of a table; None if an element does not fold."""
        if source.op == "row":
            rows = source.rows.rows
        elif source.constants is not None and len(source.constants) <= 4096:
            rows = (source.constants,)
        else:
            return None
        if not (where.free | value.free) <= {variable.data[0]} or value.fact.is_list:
            return None
        made: list[tuple[int, ...]] = []
        for row in rows:
            known = self._map_row(row, variable, where, value)
            if known is None:
                return None
            made.append(known)
        is_row = source.op == "row"
        return self.row(self.rows_of(made), source.args[0]) if is_row else self.known_list(made[0], value.fact)

    def _map_row(self, row: Sequence[int], variable: Value, where: Value, value: Value) -> tuple[int, ...] | None:
        found = []
        for element in row:
            test, made = (self.replace(part, variable, self.number(element)) for part in (where, value))
            if test is self.false or (test is self.true and made.op == "none"):
                continue
            if test is not self.true or made.constant is None:
                return None
            found.append(made.constant)
        return tuple(found)

    def best(self, source: Value, how: str, key: Body) -> Value:
        """Arg-max (or arg-min, by `how`): all elements with the best key, leaving out those whose key is none."""
        variable = self.open_variable(source.element)
        return self.bind_best(source, how, variable, key(variable))

    def bind_best(self, source: Value, how: str, variable: Value, key: Value) -> Value:
        source = self._sure_list(source)
        if key.constant is not None:
            return source
        number, (key,) = self.close_variable(variable, (key,))
        shortest = 0 if key.fact.none else min(1, source.fact.low)
        fact = list_of(source.element, source.fact.high, shortest=shortest, unique=source.fact.unique)
        return self.make("best", (source, key), (number, how), fact)

    def flat(self, source: Value, inner: Body) -> Value:
        """Flat-map: the concatenation of the lists that `inner` makes of the elements."""
        variable = self.open_variable(source.element)
        return self.bind_flat(source, variable, inner(variable))

    def bind_flat(self, source: Value, variable: Value, inner: Value) -> Value:
        number, (inner,) = self.close_variable(variable, (inner,))
        longest = source.fact.high * inner.fact.high
        return self.make("flat", (source, inner), (number,), list_of(inner.element, longest))

    def bind_other(self, op: str, source: Value, variable: Value, bodies: Sequence[Value], fact: Fact) -> Value:
        """A binder of the partition search. `surveyed`: the groups that meet the first body, pruned by the second, a
        predicate closed under prefixes. `divided`: the cards that meet the first body, partitioned into groups of the
        second (a `surveyed` of a superset), with the third as their weights if left over."""
        number, bodies = self.close_variable(variable, bodies)
        return self.make(op, (source, *bodies), (number,), fact)

    def bind(self, node: Value, source: Value, variable: Value, bodies: Sequence[Value]) -> Value:
        if node.op == "each":
            return self.bind_each(source, variable, *bodies)
        if node.op == "best":
            return self.bind_best(source, str(node.data[1]), variable, bodies[0])
        if node.op in ("surveyed", "divided"):
            return self.bind_other(node.op, source, variable, bodies, node.fact)
        return self.bind_flat(source, variable, bodies[0])


def _is_cheap(value: Value) -> bool:
    """Whether a value costs so little that duplicating it is no loss."""
    return value.op in ("var", "int", "table", "add", "top") and all(map(_is_cheap, value.args))


def _are_apart(parts: Sequence[Value]) -> bool:
    """Whether lists, each without duplicates, are known to be disjoint: they are the cards of different zones."""
    if not all(part.fact.unique for part in parts):
        return False
    homes = sorted(part.fact.of.home for part in parts if part.op == "cards" and part.fact.of and part.fact.of.home)
    return len(homes) == len(parts) and all(a[1] < b[0] for a, b in itertools.pairwise(homes))
