"""Values made simple as they are made: constants folded, ranges followed, lists fused with what is wanted of them.

In: operands. Out: values of the low form. Every rule here holds whatever the position is; none looks at the game.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

from hoyle.codegen.low.facts import (
    NONE,
    TRUTH,
    Fact,
    between,
    exactly,
    join,
    list_of,
)
from hoyle.codegen.low.values import BINDERS, Interner, Rows, Table, Value

MOST_UNROLLED = 4  # elements of a known list that are written out one by one
Body = Callable[[Value], Value]


class Builder(Interner):
    """Makes values."""

    def __init__(self, cards: int, players: int) -> None:
        super().__init__()
        self.cards = cards
        self.players = players
        self.none = self.make("none", (), (), NONE)
        self.false, self.true = (self.make("int", (), (number,), exactly(number)) for number in (0, 1))

    # ---------------------------------------------------------------------------------------------- scalars
    def number(self, value: int) -> Value:
        return self.make("int", (), (int(value),), exactly(int(value)))

    def truth(self, value: bool) -> Value:
        return self.true if value else self.false

    def read(self, op: str, fact: Fact, *args: Value, data: tuple[object, ...] = ()) -> Value:
        """What is read from the position; a list if the fact is one's."""
        return self.make(op, args, data, fact)

    def table(self, values: Sequence[int | None] | Table, index: Value) -> Value:
        """The entry of a table at an index that is not none."""
        table = values if isinstance(values, Table) else self.table_of(values)
        if index.constant is not None:
            return self._maybe(table.values[index.constant])
        if index.op == "table":  # a table of a table is a table
            inner = index.data[0]
            assert isinstance(inner, Table)
            if None not in inner.values:
                return self.table([table.values[value] for value in inner.values], index.args[0])  # type: ignore[index]
        reached = table.values[index.fact.low : index.fact.high + 1] or table.values
        known = [value for value in reached if value is not None]
        if not known:
            return self.none
        if len(set(reached)) == 1:
            return self.number(known[0])
        if index.fact.low == 0 and all(value == place for place, value in enumerate(reached)):
            return index
        fact = Fact(min(known), max(known), none=None in reached)
        return self.make("table", (index,), (table,), fact)

    def _maybe(self, value: int | None) -> Value:
        return self.none if value is None else self.number(value)

    def sure(self, value: Value) -> Value:
        """The same value where it is known not to be none."""
        if not value.fact.none or value.op == "none":
            return value
        if value.op == "if":  # the other way is that of none
            _test, yes, no = value.args
            if yes.op == "none":
                return no
            if no.op == "none":
                return yes
        return self.make("sure", (value,), (), value.fact.sure())

    def be_sure(self, node: Value, value: Value) -> Value:
        """The same as is known of a node, known of another value."""
        return self.sure(value) if value.fact.none else self.refine(value, node.fact.low, node.fact.high)

    def refine(self, value: Value, low: int, high: int) -> Value:
        """The same value where it is known to be a number in a range."""
        if value.constant is not None or (value.fact.low >= low and value.fact.high <= high and not value.fact.none):
            return value
        return self.make("sure", (value,), (), replace(value.fact, low=low, high=max(low, high), none=False))

    def need(self, value: Value, clause: int) -> Value:
        """The value; none is a fault."""
        if not value.fact.none:
            return value
        return self.make("need", (value,), (clause,), value.fact.sure())

    def check(self, test: Value, value: Value, clause: int) -> Value:
        """The value; that the test does not hold is a fault."""
        if test is self.true:
            return value
        return self.make("check", (test, value), (clause,), value.fact)

    def is_none(self, value: Value) -> Value:
        """Whether a value is none, where it is worked out anyway."""
        if value.op == "none":
            return self.true
        if not value.fact.none:
            return self.false
        if value.op == "if":
            test, yes, no = value.args
            return self.either(self.both(test, self.is_none(yes)), self.both(self.negate(test), self.is_none(no)))
        return self.make("is_none", (value,), (), TRUTH)

    def present(self, value: Value) -> Value:
        """Whether a value, worked out, is not none."""
        if value.faults:
            return self.make("present", (value,), (), TRUTH)
        return self.negate(self.is_none(value))

    # ---------------------------------------------------------------------------------------------- arithmetic
    def add(self, a: Value, b: Value) -> Value:
        if a.constant is not None and b.constant is not None:
            return self.number(a.constant + b.constant)
        if a.constant == 0:
            return b
        if b.constant == 0:
            return a
        if a.constant is not None:
            a, b = b, a
        if b.constant is not None and a.op == "add" and a.args[1].constant is not None:
            return self.add(a.args[0], self.number(a.args[1].constant + b.constant))
        return self.make("add", (a, b), (), between(a.fact.low + b.fact.low, a.fact.high + b.fact.high))

    def subtract(self, a: Value, b: Value) -> Value:
        if b.constant is not None:
            return self.add(a, self.number(-b.constant))
        if not _are_sound(a, b):
            pass
        elif a is b:
            return self.false
        elif b.op == "subtract" and b.args[0] is a:
            return b.args[1]
        elif b.op == "add" and b.args[0] is a:
            return self.negative(b.args[1])
        return self.make("subtract", (a, b), (), between(a.fact.low - b.fact.high, a.fact.high - b.fact.low))

    def negative(self, a: Value) -> Value:
        return self.subtract(self.false, a)

    def multiply(self, a: Value, b: Value) -> Value:
        if a.constant is not None:
            a, b = b, a
        if b.constant == 1:
            return a
        if b.constant == 0 and _are_sound(a):
            return self.false
        if a.constant is not None and b.constant is not None:
            return self.number(a.constant * b.constant)
        ends = [x * y for x in (a.fact.low, a.fact.high) for y in (b.fact.low, b.fact.high)]
        return self.make("multiply", (a, b), (), between(min(ends), max(ends)))

    def divide(self, a: Value, b: Value) -> Value:
        """Rounded down; the divisor is known not to be 0."""
        if a.constant is not None and b.constant is not None:
            return self.number(a.constant // b.constant)
        widest = max(abs(a.fact.low), abs(a.fact.high))
        positive = a.fact.low >= 0 and b.fact.low > 0
        fact = between(0, a.fact.high // b.fact.low) if positive else between(-widest, widest)
        return self.make("divide", (a, b), (), fact)

    def modulo(self, a: Value, b: Value) -> Value:
        if a.constant is not None and b.constant is not None:
            return self.number(a.constant % b.constant)
        if b.constant is not None and a.fact.low >= 0 and a.fact.high < b.constant:
            return a
        return self.make("modulo", (a, b), (), between(min(0, b.fact.low + 1), max(0, b.fact.high - 1)))

    def extreme(self, a: Value, b: Value, *, highest: bool) -> Value:
        """The greater or the lesser of two numbers."""
        if a is b:
            return a
        first, second = (a, b) if highest else (b, a)
        if first.fact.low >= second.fact.high and _are_sound(b):
            return a
        if second.fact.low >= first.fact.high and _are_sound(a):
            return b
        pick = max if highest else min
        fact = Fact(pick(a.fact.low, b.fact.low), pick(a.fact.high, b.fact.high))
        return self.make("greatest" if highest else "least", (a, b), (), fact)

    # ---------------------------------------------------------------------------------------------- comparing
    def equal(self, a: Value, b: Value) -> Value:
        """Whether two values are the same; false if one is none. Lists are compared element by element."""
        if (a.op == "none" or b.op == "none") and _are_sound(a, b):
            return self.false
        if a.fact.is_list:
            return self._equal_lists(a, b)
        if a.constant is not None and b.constant is not None:
            return self.truth(a.constant == b.constant)
        if _are_sound(a, b):
            if a is b and not a.fact.none:
                return self.true
            if a.fact.high < b.fact.low or b.fact.high < a.fact.low:
                return self.false
        if a.constant is not None:
            a, b = b, a
        if b.constant is not None and a.op == "add" and a.args[1].constant is not None:
            return self.equal(a.args[0], self.number(b.constant - a.args[1].constant))
        if b.constant == 1 and a.fact.is_truth:
            return a
        if b.constant == 0 and a.fact.is_truth:
            return self.negate(a)
        same = self.make("equal", (a, b), (), TRUTH)  # none equals none here, and nothing else
        return self.both(self.negate(self.is_none(a)), same) if a.fact.none and b.fact.none else same

    def _equal_lists(self, a: Value, b: Value) -> Value:
        if _are_sound(a, b):
            if a is b and not a.fact.none:
                return self.true
            if a.fact.high < b.fact.low or b.fact.high < a.fact.low:
                return self.false
        sure = [self.negate(self.is_none(each)) for each in (a, b)]
        return self.both(*sure, self.make("equal_lists", (self.sure(a), self.sure(b)), (), TRUTH))

    def less(self, a: Value, b: Value) -> Value:
        """Whether a number comes before another; neither is none."""
        if a.fact.is_list:
            return self.make("less_lists", (a, b), (), TRUTH)
        if a.fact.high < b.fact.low and _are_sound(a, b):
            return self.true
        if a.fact.low >= b.fact.high and _are_sound(a, b):
            return self.false
        if a.op == "add" and a.args[1].constant is not None and b.constant is not None:
            return self.less(a.args[0], self.number(b.constant - a.args[1].constant))
        if b.op == "add" and b.args[1].constant is not None and a.constant is not None:
            return self.less(self.number(a.constant - b.args[1].constant), b.args[0])
        return self.make("less", (a, b), (), TRUTH)

    # ---------------------------------------------------------------------------------------------- logic
    def negate(self, a: Value) -> Value:
        if a.constant is not None:
            return self.truth(not a.constant)
        if a.op == "not":
            return a.args[0]
        return self.make("not", (a,), (), TRUTH)

    def both(self, *parts: Value) -> Value:
        return self._logic("and", parts, self.true, self.false)

    def either(self, *parts: Value) -> Value:
        return self._logic("or", parts, self.false, self.true)

    def _logic(self, op: str, parts: Sequence[Value], neutral: Value, decisive: Value) -> Value:
        """Parts that are tested in order; one that says nothing is left out, one that decides ends it."""
        kept: list[Value] = []
        for part in parts:
            for each in part.args if part.op == op else (part,):
                if each is neutral or each in kept:
                    continue
                if each is decisive:
                    return decisive if _are_sound(*kept) else self.make(op, (*kept, each), (), TRUTH)
                kept.append(each)
        if not kept:
            return neutral
        return kept[0] if len(kept) == 1 else self.make(op, kept, (), TRUTH)

    def choose(self, test: Value, yes: Value, no: Value) -> Value:
        """One of two values."""
        if test.constant is not None:
            return yes if test.constant else no
        if yes is no and _are_sound(test):
            return yes
        if test.op == "not":
            return self.choose(test.args[0], no, yes)
        if yes is self.true and no is self.false:
            return test
        if yes is self.false and no is self.true:
            return self.negate(test)
        if yes.fact.is_truth and no is self.false:
            return self.both(test, yes)
        return self.make("if", (test, yes, no), (), join(yes.fact, no.fact))

    def unless_none(self, values: Sequence[Value], otherwise: Value, make: Callable[[list[Value]], Value]) -> Value:
        """What is made of values, or something else where one of them is none."""
        missing = self.either(*(self.is_none(value) for value in values))
        if missing is self.true:
            return otherwise
        return self.choose(missing, otherwise, make([self.sure(value) for value in values]))

    # ---------------------------------------------------------------------------------------------- lists
    def known_list(self, values: Sequence[int], element: Fact | None = None) -> Value:
        """A list of constants."""
        known = tuple(map(int, values))
        low, high = (min(known), max(known)) if known else (0, 0)
        of = element if element is not None and not known else Fact(low, high)
        fact = list_of(of, len(known), shortest=len(known), unique=len(set(known)) == len(known))
        return self.make("list", (), (known,), fact)

    def items(self, values: Sequence[Value], element: Fact) -> Value:
        """The values in a list, leaving out none."""
        values = [value for value in values if value.op != "none"]
        if all(value.constant is not None for value in values):
            return self.known_list([value.constant or 0 for value in values], element)
        of = values[0].fact.sure()
        for value in values[1:]:
            of = join(of, value.fact.sure())
        sure = sum(not value.fact.none for value in values)
        fact = list_of(of, len(values), shortest=sure, unique=len(values) == 1)
        return self.make("items", values, (), fact)

    def join_lists(self, parts: Sequence[Value]) -> Value:
        """One list after the other."""
        flat = [each for part in parts for each in (part.args if part.op == "join" else (part,))]
        flat = [part for part in flat if part.constants != ()]
        if not flat:
            return parts[0]
        if len(flat) == 1:
            return flat[0]
        of = flat[0].fact.of
        assert of is not None
        for part in flat[1:]:
            assert part.fact.of is not None
            of = join(of, part.fact.of)
        low, high = (sum(getattr(part.fact, end) for part in flat) for end in ("low", "high"))
        return self.make("join", flat, (), list_of(of, high, shortest=low, unique=_are_apart(flat)))

    def span(self, low: Value, high: Value) -> Value:
        """Every number from one to another."""
        if low.constant is not None and high.constant is not None and high.constant - low.constant < 64:
            return self.known_list(range(low.constant, high.constant + 1), low.fact)
        longest = max(0, high.fact.high - low.fact.low + 1)
        of = Fact(low.fact.low, max(low.fact.low, high.fact.high))
        shortest = high.fact.low - low.fact.high + 1
        return self.make("span", (low, high), (), list_of(of, longest, shortest=shortest, unique=True))

    def row(self, rows: Rows, index: Value) -> Value:
        """One of several lists of constants."""
        if index.constant is not None:
            return self.known_list(rows.rows[index.constant])
        reached = rows.rows[max(0, index.fact.low) : index.fact.high + 1]
        values = [value for row in reached for value in row]
        of = Fact(min(values), max(values)) if values else exactly(0)
        sizes = [len(row) for row in reached]
        unique = all(len(set(row)) == len(row) for row in reached)
        return self.make("row", (index,), (rows,), list_of(of, max(sizes), shortest=min(sizes), unique=unique))

    def each(self, source: Value, where: Body | None = None, value: Body | None = None) -> Value:
        """The elements of a list for which a test holds, each turned into a value unless that is none."""
        element = source.fact.of
        assert element is not None
        variable = self.open_variable(element)
        test = where(variable) if where is not None else self.true
        made = value(variable) if value is not None else variable
        return self.bind_each(source, variable, test, made)

    def bind_each(self, source: Value, variable: Value, where: Value, value: Value) -> Value:
        source = self._sure_list(source)
        if where is self.true and value is variable:
            return source
        if (where is self.false and _are_sound(source)) or source.constants == ():
            return self._empty(value.fact)
        if source.op == "each":  # one loop instead of two
            inner, own, (test, made) = self.open_binder(source)
            if made is own or (not made.fact.none and _is_cheap(made)):
                where, value = (self.replace(part, variable, made) for part in (where, value))
                return self.bind_each(inner, own, self.both(test, where), value)
        known = self._map_constants(source, variable, where, value)
        if known is not None:
            return known
        number, (where, value) = self.close_variable(variable, (where, value))
        kept = 0 if where is not self.true or value.fact.none else source.fact.low
        same = value.op == "var" and value.data == (number,)
        unique = source.fact.unique and (same or _is_one_to_one(value, number))
        fact = list_of(value.fact, source.fact.high, shortest=kept, unique=unique)
        return self.make("each", (source, where, value), (number,), fact)

    def _empty(self, element: Fact) -> Value:
        """No elements; of lists, if they were lists."""
        if element.is_list:
            return self.make("list", (), ((),), list_of(element, 0, unique=True))
        return self.known_list((), element.sure())

    def _sure_list(self, source: Value) -> Value:
        """A list to run through: none has no elements."""
        if source.fact.none and source.op == "if":
            test, yes, no = source.args
            element = source.fact.of
            assert element is not None
            yes, no = (self._empty(element) if part.op == "none" else part for part in (yes, no))
            return self.choose(test, yes, no)
        return source

    def _map_constants(self, source: Value, variable: Value, where: Value, value: Value) -> Value | None:
        """The list, if all its elements are known now."""
        rows: Rows | None = None
        if source.op == "row":
            rows = source.data[0]  # type: ignore[assignment]
        elif source.constants is None or len(source.constants) > 4096:
            return None
        if not (where.free | value.free) <= {variable.data[0]} or value.fact.is_list:
            return None
        made: list[tuple[int, ...]] = []
        for row in rows.rows if rows is not None else (source.constants or (),):
            known = self._map_row(row, variable, where, value)
            if known is None:
                return None
            made.append(known)
        return self.known_list(made[0], value.fact) if rows is None else self.row(self.rows_of(made), source.args[0])

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
        """Those elements of a list whose key is the `highest` or the `lowest`; one whose key is none is not among
        them."""
        element = source.fact.of
        assert element is not None
        variable = self.open_variable(element)
        return self.bind_best(source, how, variable, key(variable))

    def bind_best(self, source: Value, how: str, variable: Value, key: Value) -> Value:
        source = self._sure_list(source)
        if key.constant is not None:
            return source
        number, (key,) = self.close_variable(variable, (key,))
        shortest = 0 if key.fact.none else min(1, source.fact.low)
        assert source.fact.of is not None
        fact = list_of(source.fact.of, source.fact.high, shortest=shortest, unique=source.fact.unique)
        return self.make("best", (source, key), (number, how), fact)

    def flat(self, source: Value, inner: Body) -> Value:
        """The lists made of the elements of a list, one after the other."""
        element = source.fact.of
        assert element is not None
        variable = self.open_variable(element)
        return self.bind_flat(source, variable, inner(variable))

    def bind_flat(self, source: Value, variable: Value, inner: Value) -> Value:
        if source.constants is not None and len(source.constants) <= MOST_UNROLLED:
            parts = [self.replace(inner, variable, self.number(element)) for element in source.constants]
            return self.join_lists(parts) if parts else self._empty(inner.fact.of or exactly(0))
        number, (inner,) = self.close_variable(variable, (inner,))
        assert inner.fact.of is not None
        longest = source.fact.high * inner.fact.high
        return self.make("flat", (source, inner), (number,), list_of(inner.fact.of, longest))

    def bind(self, node: Value, source: Value, variable: Value, bodies: Sequence[Value]) -> Value:
        if node.op == "each":
            return self.bind_each(source, variable, *bodies)
        if node.op == "best":
            return self.bind_best(source, str(node.data[1]), variable, bodies[0])
        return self.bind_flat(source, variable, bodies[0])

    # ---------------------------------------------------------------------------------------------- reducers
    def any(self, source: Value) -> Value:
        """Whether a list has elements."""
        if _are_sound(source):
            if source.fact.low > 0 and not source.fact.none:
                return self.true
            if source.fact.high == 0 or source.op == "none":
                return self.false
        match source.op:
            case "cards":
                return self.negate(
                    self.equal(self.read("size", between(0, source.fact.high), *source.args), self.false)
                )
            case "items":
                return self.either(*(self.present(value) for value in source.args))
            case "join":
                return self.either(*map(self.any, source.args))
            case "if":
                test, yes, no = source.args
                return self.choose(test, self.any(yes), self.any(no))
            case "each":
                return self._any_of_each(source)
            case "distinct" | "descending" | "around":
                return self.any(source.args[0])
        return self.make("any", (source,), (), TRUTH)

    def _any_of_each(self, source: Value) -> Value:
        inner, variable, (where, value) = self.open_binder(source)
        test = self.both(where, self.present(value))
        return self._exists(inner, variable, test)

    def _exists(self, source: Value, variable: Value, test: Value) -> Value:
        """Whether a test holds for some element."""
        one_by_one = self._unroll(source)
        if one_by_one is not None:
            return self.either(*(
                self.both(self.negate(self.is_none(element)), self.replace(test, variable, self.sure(element)))
                for element in one_by_one
            ))  # fmt: skip
        if source.op == "join":
            return self.either(*(self._exists(part, variable, test) for part in source.args))
        if source.op == "if":
            choice, yes, no = source.args
            return self.choose(choice, self._exists(yes, variable, test), self._exists(no, variable, test))
        if source.op in ("distinct", "descending", "around"):
            return self._exists(source.args[0], variable, test)
        if source.op == "none":
            return self.false
        among = self._is_among(source, variable, test)
        if among is not None:
            return among
        found = self.bind_each(source, variable, test, variable)
        if found.op != "each" or found.args[0] is not source:
            return self.any(found)
        return self.make("any", (found,), (), TRUTH)

    def _is_among(self, source: Value, variable: Value, test: Value) -> Value | None:
        """`x is in LIST`, for lists in which nothing has to be looked for."""
        if test.op != "equal" or variable not in test.args or test.args[0] is test.args[1]:
            return None
        wanted = test.args[0] if test.args[1] is variable else test.args[1]
        if variable.data[0] in wanted.free:
            return None
        if source.op == "cards":
            inside = self.read("in_zone", TRUTH, self.sure(wanted), *source.args)
        elif source.op == "span":
            low, high = source.args
            sure = self.sure(wanted)
            inside = self.both(self.negate(self.less(sure, low)), self.negate(self.less(high, sure)))
        elif source.constants is not None:
            inside = self.one_of(self.sure(wanted), source.constants)
        else:
            return None
        return self.both(self.negate(self.is_none(wanted)), inside)

    def one_of(self, value: Value, constants: Sequence[int]) -> Value:
        """Whether a number is one of some constants."""
        low, high = value.fact.low, value.fact.high
        known = sorted({constant for constant in constants if low <= constant <= high})
        if not known:
            return self.false
        if known == list(range(known[0], known[-1] + 1)):
            return self.both(
                self.negate(self.less(value, self.number(known[0]))),
                self.negate(self.less(self.number(known[-1]), value)),
            )
        if low >= 0 and high < 4096:
            return self.table([int(each in known) for each in range(high + 1)], value)
        return self.either(*(self.equal(value, self.number(each)) for each in known))

    def contains(self, source: Value, wanted: Value) -> Value:
        """Whether a value is one of a list."""
        return self.any(self.each(source, lambda element: self.equal(element, wanted)))

    def _unroll(self, source: Value) -> Sequence[Value] | None:
        """The elements of a list, if they are few and known by number."""
        if source.op == "items":
            return source.args
        if source.constants is not None and len(source.constants) <= MOST_UNROLLED:
            return [self.number(element) for element in source.constants]
        return None

    def count(self, source: Value) -> Value:
        """How many elements a list has."""
        if source.constants is not None:
            return self.number(len(source.constants))
        if source.fact.low == source.fact.high and _are_sound(source):
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
                    return self._add_all([
                        self.both(self.negate(self.is_none(each)), self.replace(counted, variable, self.sure(each)))
                        for each in one_by_one
                    ])  # fmt: skip
                source = self.bind_each(inner, variable, counted, variable)
            case "around" | "descending":
                return self.count(source.args[0])
        return self.make("count", (source,), (), between(source.fact.low, source.fact.high))

    def sum(self, source: Value) -> Value:
        """All elements added up."""
        if source.constants is not None:
            return self.number(sum(source.constants))
        match source.op:
            case "items":
                return self._add_all([self._or_zero(value) for value in source.args])
            case "join":
                return self._add_all([self.sum(part) for part in source.args])
            case "each":
                inner, variable, (where, value) = self.open_binder(source)
                one_by_one = self._unroll(inner)
                if one_by_one is not None:
                    return self._add_all([
                        self._or_zero(self.choose(
                            self.both(self.negate(self.is_none(each)), self.replace(where, variable, self.sure(each))),
                            self.replace(value, variable, self.sure(each)), self.none,
                        )) for each in one_by_one
                    ])  # fmt: skip
        of = source.fact.of
        assert of is not None
        low = min(0, of.low) * source.fact.high
        return self.make("sum", (source,), (), between(low, max(0, of.high) * source.fact.high))

    def _or_zero(self, value: Value) -> Value:
        return self.choose(self.is_none(value), self.false, self.sure(value))

    def _add_all(self, values: Sequence[Value]) -> Value:
        total = self.false
        for value in values:
            total = self.add(total, value)
        return total

    def highest(self, source: Value, *, lowest: bool = False) -> Value:
        """The greatest (or least) element; none of an empty list."""
        of = source.fact.of
        assert of is not None
        if source.constants is not None and source.constants:
            return self.number((min if lowest else max)(source.constants))
        if source.fact.high == 0 and _are_sound(source):
            return self.none
        if source.op == "items" and source.fact.low == len(source.args):
            found = source.args[0]
            for value in source.args[1:]:
                found = self.extreme(found, value, highest=not lowest)
            return found
        fact = of if source.fact.low > 0 else of.or_none()
        return self.make("lowest" if lowest else "highest", (source,), (), replace(fact, home=None))

    def first(self, source: Value, *, last: bool = False) -> Value:
        """The first (or last) element; none of an empty list."""
        of = source.fact.of
        assert of is not None
        if source.constants:
            return self.number(source.constants[-1 if last else 0])
        if source.fact.high == 0 and _are_sound(source):
            return self.none
        fact = of if source.fact.low > 0 else of.or_none()
        if source.op == "cards":
            return self.read("top" if last else "bottom", fact, *source.args)
        if source.op == "items" and source.fact.low == len(source.args) and _are_sound(source):
            return source.args[-1 if last else 0]
        if source.op == "if" and not source.fact.none:
            test, yes, no = source.args
            return self.choose(test, self.first(yes, last=last), self.first(no, last=last))
        return self.make("last" if last else "first", (source,), (), fact)

    def slice(self, source: Value, number: Value, how: str) -> Value:
        """Up to so many elements: `first_few`, `last_few`, or all but these, `all_but_first`, `all_but_last`."""
        low, high = source.fact.low, source.fact.high
        few = (max(0, number.fact.low), max(0, number.fact.high))
        if how in ("first_few", "last_few"):
            low, high = min(low, few[0]), min(high, few[1])
        else:
            low, high = max(0, low - few[1]), max(0, high - few[0])
        assert source.fact.of is not None
        fact = list_of(source.fact.of, high, shortest=low, unique=source.fact.unique)
        return self.make(how, (source, number), (), fact)

    # ---------------------------------------------------------------------------------------------- anew
    def rebuild(self, node: Value, args: Sequence[Value]) -> Value:
        if node.op in BINDERS:
            old, opened, _ = self.open_binder(node)
            own = self.make("var", (), node.data[:1], old.fact.of or exactly(0))
            return self.bind(node, args[0], opened, [self.replace(body, own, opened) for body in args[1:]])
        if node.op == "table":
            table = node.data[0]
            assert isinstance(table, Table)
            return self.table(table, args[0])
        if node.op == "row":
            rows = node.data[0]
            assert isinstance(rows, Rows)
            return self.row(rows, args[0])
        again = _AGAIN.get(node.op)
        if again is not None:
            return again(self, node, args)
        return self.make(node.op, args, node.data, node.fact)


def _are_sound(*values: Value) -> bool:
    """Whether values may be left out: working them out cannot end in a fault."""
    return not any(value.faults for value in values)


def _clause(node: Value) -> int:
    clause = node.data[0]
    assert isinstance(clause, int)
    return clause


def _is_cheap(value: Value) -> bool:
    """Whether a value may be worked out wherever it is read."""
    return value.op in ("var", "int", "table", "add", "top") and all(map(_is_cheap, value.args))


def _is_one_to_one(value: Value, number: int) -> bool:
    """Whether different elements surely give different values: the element with something added."""
    return value.op == "add" and value.args[0].op == "var" and value.args[0].data == (number,)


def _are_apart(parts: Sequence[Value]) -> bool:
    """Whether no element of unique lists can be in two of them: cards of different zones are different cards."""
    if not all(part.fact.unique for part in parts):
        return False
    homes = sorted(part.fact.of.home for part in parts if part.op == "cards" and part.fact.of and part.fact.of.home)
    return len(homes) == len(parts) and all(a[1] < b[0] for a, b in itertools.pairwise(homes))


Again = Callable[[Builder, Value, Sequence[Value]], Value]
_AGAIN: dict[str, Again] = {
    "add": lambda b, node, args: b.add(*args),
    "subtract": lambda b, node, args: b.subtract(*args),
    "multiply": lambda b, node, args: b.multiply(*args),
    "divide": lambda b, node, args: b.divide(*args),
    "modulo": lambda b, node, args: b.modulo(*args),
    "greatest": lambda b, node, args: b.extreme(*args, highest=True),
    "least": lambda b, node, args: b.extreme(*args, highest=False),
    "equal": lambda b, node, args: b.equal(*args),
    "less": lambda b, node, args: b.less(*args),
    "not": lambda b, node, args: b.negate(*args),
    "and": lambda b, node, args: b.both(*args),
    "or": lambda b, node, args: b.either(*args),
    "if": lambda b, node, args: b.choose(*args),
    "is_none": lambda b, node, args: b.is_none(*args),
    "sure": lambda b, node, args: b.be_sure(node, args[0]),
    "need": lambda b, node, args: b.need(args[0], _clause(node)),
    "check": lambda b, node, args: b.check(args[0], args[1], _clause(node)),
    "items": lambda b, node, args: b.items(args, node.fact.of),  # type: ignore[arg-type]
    "join": lambda b, node, args: b.join_lists(args),
    "span": lambda b, node, args: b.span(*args),
    "any": lambda b, node, args: b.any(*args),
    "count": lambda b, node, args: b.count(*args),
    "sum": lambda b, node, args: b.sum(*args),
    "highest": lambda b, node, args: b.highest(*args),
    "lowest": lambda b, node, args: b.highest(*args, lowest=True),
    "first": lambda b, node, args: b.first(*args),
    "last": lambda b, node, args: b.first(*args, last=True),
    **{
        how: (lambda b, node, args: b.slice(args[0], args[1], node.op))
        for how in ("first_few", "last_few", "all_but_first", "all_but_last")
    },
}
