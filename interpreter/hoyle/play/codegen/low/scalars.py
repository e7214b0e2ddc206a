"""Simplification at construction, numbers and truths: constant folding, algebraic identities, interval arithmetic.

In: operands. Out: hash-consed values. Every rewrite holds in every position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from hoyle.play.codegen.low.facts import LIMIT, NONE, TRUTH, Fact, between, exactly, join
from hoyle.play.codegen.low.values import Interner, Table, Value


class Scalars(Interner):
    """Constructs scalar values."""

    def __init__(self, cards: int, players: int) -> None:
        super().__init__()
        self.cards = cards
        self.players = players
        self._numbers: dict[int, Value] = {}
        self._registers = 0
        self.none = self.make("none", (), (), NONE)
        self.false, self.true = map(self.number, (0, 1))

    # ---------------------------------------------------------------------------------------------- scalars
    def number(self, value: int) -> Value:
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = self.make("int", (), (int(value),), exactly(int(value)))
        return found

    def instances(self, value: Value, variable: Value) -> Iterator[Value]:
        """A value instantiated with each number, from 0, that its variable can be."""
        numbers = map(self.number, range(variable.fact.high + 1))
        return (self.replace(value, variable, number) for number in numbers)

    def truth(self, value: bool) -> Value:
        return self.true if value else self.false

    def read(self, op: str, fact: Fact, *args: Value, data: tuple[object, ...] = ()) -> Value:
        """A load from the position (or from a runtime structure), with the fact that is known of it."""
        return self.make(op, args, data, fact)

    def register(self, fact: Fact) -> Value:
        """A fresh virtual register."""
        self._registers += 1
        return self.read("register", fact, data=(self._registers,))

    def table(self, values: Sequence[int | None] | Table, index: Value) -> Value:
        """A table lookup, with an index that is not none; folded if constant, composed with an inner lookup."""
        table = values if isinstance(values, Table) else self.table_of(values)
        if index.constant is not None:
            entry = table.find(index.constant)
            return self.none if entry is None else self.number(entry)
        if index.op == "table":  # compose the two lookups
            inner = [table.find(value) for value in index.table.values if value is not None]
            if len(inner) == len(index.table.values):
                return self.table(inner, index.args[0])
        within = table.values[index.fact.low : index.fact.high + 1] or table.values
        known = [value for value in within if value is not None]
        if not known:
            return self.none
        if len(set(within)) == 1:
            return self.number(known[0])
        if index.fact.low == 0 and all(value == place for place, value in enumerate(within)):
            return index
        fact = Fact(min(known), max(known), none=None in within)
        return self.make("table", (index,), (table,), fact)

    def sure(self, value: Value) -> Value:
        """The value, assumed not to be none by a dominating test: a no-op that narrows the fact; it is `guarded`."""
        if not value.fact.none or value.op == "none":
            return value
        if value.op == "if":  # an arm that is none cannot be the one taken
            _test, yes, no = value.args
            if yes.op == "none":
                return self.sure(no)
            if no.op == "none":
                return self.sure(yes)
        return self.make("sure", (value,), (), value.fact.sure())

    def be_sure(self, node: Value, value: Value) -> Value:
        """The assumption of a `sure` node, applied to another operand."""
        return self.sure(value) if value.fact.none else self.refine(value, node.fact.low, node.fact.high)

    def refine(self, value: Value, low: int, high: int) -> Value:
        """The value under the assumption that it lies in an interval; like `sure`, `guarded`."""
        if value.constant is not None or (value.fact.low >= low and value.fact.high <= high and not value.fact.none):
            return value
        return self.make("sure", (value,), (), replace(value.fact, low=low, high=max(low, high), none=False))

    def need(self, value: Value, clause: int) -> Value:
        """The value; a fault if it is none."""
        if not value.fact.none:
            return value
        return self.make("need", (value,), (clause,), value.fact.sure())

    def check(self, test: Value, value: Value, clause: int) -> Value:
        """The value; a fault if the test fails."""
        if test is self.true:
            return value
        return self.make("check", (test, value), (clause,), value.fact)

    def after(self, values: Sequence[Value], value: Value) -> Value:
        """`value`, evaluated after others for the sake of the faults these can end in (but for lists of lists)."""
        for other in values:
            if other.faults and not (other.fact.of is not None and other.fact.of.is_list):
                known = self.present(other)
                value = self.check(self.either(known, self.negate(known)) if other.fact.none else known, value, 0)
        return value

    def is_none(self, value: Value) -> Value:
        """Whether a value is none, for a value that is evaluated anyway: its faults may be dropped (else `present`)."""
        if value.op == "none":
            return self.true
        if not value.fact.none:
            return self.false
        if value.op == "if":
            test, yes, no = value.args
            return self.either(self.both(test, self.is_none(yes)), self.both(self.negate(test), self.is_none(no)))
        return self.make("is_none", (value,), (), TRUTH)

    def present(self, value: Value) -> Value:
        """Whether a value is not none; its faults are preserved."""
        if value.faults:
            return self.make("present", (value,), (), TRUTH)
        return self.negate(self.is_none(value))

    # ---------------------------------------------------------------------------------------------- arithmetic
    def add(self, a: Value, b: Value) -> Value:
        if a.constant is not None and b.constant is not None and abs(a.constant + b.constant) < LIMIT:
            return self.number(a.constant + b.constant)
        if a.constant == 0:
            return b
        if b.constant == 0:
            return a
        if a.constant is not None:
            a, b = b, a
        if b.constant is not None and a.op == "add" and a.args[1].constant is not None:
            added = a.args[1].constant + b.constant
            if abs(added) < LIMIT:
                return self.add(a.args[0], self.number(added))
        return self.make("add", (a, b), (), between(a.fact.low + b.fact.low, a.fact.high + b.fact.high))

    def subtract(self, a: Value, b: Value) -> Value:
        if b.constant is not None:
            return self.add(a, self.number(-b.constant))
        if not never_fault(a, b):
            pass
        elif a is b:
            return self.false
        elif (other := _unwrap(b)).op == "subtract" and other.args[0] is a:
            return other.args[1]
        return self.make("subtract", (a, b), (), between(a.fact.low - b.fact.high, a.fact.high - b.fact.low))

    def negative(self, a: Value) -> Value:
        return self.subtract(self.false, a)

    def multiply(self, a: Value, b: Value) -> Value:
        if a.constant is not None:
            a, b = b, a
        if b.constant == 1:
            return a
        if b.constant == 0 and never_fault(a):
            return self.false
        if a.constant is not None and b.constant is not None and abs(a.constant * b.constant) < LIMIT:
            return self.number(a.constant * b.constant)
        ends = [x * y for x in (a.fact.low, a.fact.high) for y in (b.fact.low, b.fact.high)]
        return self.make("multiply", (a, b), (), between(min(ends), max(ends)))

    def divide(self, a: Value, b: Value) -> Value:
        """Floor division; the caller has ruled out a divisor of 0."""
        if a.constant is not None and b.constant:
            return self.number(a.constant // b.constant)
        widest = max(abs(a.fact.low), abs(a.fact.high))
        positive = a.fact.low >= 0 and b.fact.low > 0
        fact = between(0, a.fact.high // b.fact.low) if positive else between(-widest, widest)
        return self.make("divide", (a, b), (), fact)

    def modulo(self, a: Value, b: Value) -> Value:
        if a.constant is not None and b.constant:
            return self.number(a.constant % b.constant)
        return self.make("modulo", (a, b), (), between(min(0, b.fact.low + 1), max(0, b.fact.high - 1)))

    def extreme(self, a: Value, b: Value, *, highest: bool) -> Value:
        """The maximum or minimum of two numbers."""
        if a is b:
            return a
        first, second = (a, b) if highest else (b, a)
        if first.fact.low >= second.fact.high and never_fault(b):
            return a
        if second.fact.low >= first.fact.high and never_fault(a):
            return b
        pick = max if highest else min
        fact = Fact(pick(a.fact.low, b.fact.low), pick(a.fact.high, b.fact.high))
        return self.make("greatest" if highest else "least", (a, b), (), fact)

    # ---------------------------------------------------------------------------------------------- comparing
    def equal(self, a: Value, b: Value) -> Value:
        """Equality, false if either side is none; of lists elementwise."""
        if never_fault(a, b):
            if a is b and not a.fact.none:
                return self.true
            if "none" in (a.op, b.op) or a.fact.high < b.fact.low or b.fact.high < a.fact.low:
                return self.false
        if a.fact.is_list:
            sure = [self.negate(self.is_none(each)) for each in (a, b)]
            return self.both(*sure, self.make("equal_lists", (self.sure(a), self.sure(b)), (), TRUTH))
        if a.constant is not None:
            a, b = b, a
        if b.constant == 1 and a.fact.is_truth:
            return a
        if b.constant == 0 and a.fact.is_truth:
            return self.negate(a)
        same = self.make("equal", (a, b), (), TRUTH)  # the node itself compares representations: none equals none
        return self.both(self.negate(self.is_none(a)), same) if a.fact.none and b.fact.none else same

    def less(self, a: Value, b: Value) -> Value:
        """`a < b`, of lists lexicographically; neither side is none."""
        if a.fact.is_list:
            return self.make("less_lists", (a, b), (), TRUTH)
        if never_fault(a, b) and (a.fact.high < b.fact.low or a.fact.low >= b.fact.high):
            return self.truth(a.fact.high < b.fact.low)
        for added, other in ((a, b), (b, a)):
            if added.op == "add" and added.args[1].constant is not None and other.constant is not None:
                rest = other.constant - added.args[1].constant
                if abs(rest) < LIMIT:
                    sides = (added.args[0], self.number(rest))
                    return self.less(*sides if added is a else sides[::-1])
        return self.make("less", (a, b), (), TRUTH)

    def inside(self, value: Value, low: Value, high: Value) -> Value:
        """Interval test: `low <= value <= high`."""
        return self.both(self.negate(self.less(value, low)), self.negate(self.less(high, value)))

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
        """N-ary short-circuit connective: flattened, without neutral parts and duplicates, cut at a decisive part."""
        kept: list[Value] = []
        for part in parts:
            for each in part.args if part.op == op else (part,):
                if each is neutral or each in kept:
                    continue
                if each is decisive:
                    return decisive if never_fault(*kept) else self.make(op, (*kept, each), (), TRUTH)
                kept.append(each)
        if not kept:
            return neutral
        return kept[0] if len(kept) == 1 else self.make(op, kept, (), TRUTH)

    def choose(self, test: Value, yes: Value, no: Value) -> Value:
        """Select, lazy in both arms."""
        if test.constant is not None:
            return yes if test.constant else no
        if yes is no and never_fault(test):
            return yes
        if test.op == "not":
            return self.choose(test.args[0], no, yes)
        if yes is self.true and no is self.false:
            return test
        if yes is self.false and no is self.true:
            return self.negate(test)
        if yes.fact.is_truth and no is self.false:
            return self.both(test, yes)
        if yes is self.false and no.op == "equal" and test.op == "is_none":
            parts = test.args if test.op == "or" else (test,)
            missing = [part.args[0] for part in parts if part.op == "is_none"]
            compared = [_unwrap(self.sure(each)) for each in missing]
            others = [each for each in no.args if _unwrap(each) not in compared]
            if len(missing) == len(parts) == 2 - len(others) and are_plain(*others):  # none differs from all others
                return self.equal(*missing, *others)
        return self.make("if", (test, yes, no), (), join(yes.fact, no.fact))

    def unless_none(self, values: Sequence[Value], otherwise: Value, make: Callable[[list[Value]], Value]) -> Value:
        """`make` of the values assumed not none, or `otherwise` if one of them is none (strictness in none)."""
        missing = self.either(*(self.is_none(value) for value in values))
        if missing is self.true:
            return self.after(values, otherwise)
        if missing is not self.false and len(values) > 1:
            missing = self.after(values, missing)
        return self.choose(missing, otherwise, make([self.sure(value) for value in values]))


def _unwrap(value: Value) -> Value:
    """A value without the assumptions (`sure`) around it."""
    while value.op == "sure":
        value = value.args[0]
    return value


def list_sure(test: Value, holds: bool) -> Iterator[Value]:
    """The values that cannot be none where a test holds (or fails)."""
    if test.op == "not":
        yield from list_sure(test.args[0], not holds)
    elif test.op == "check":
        yield from list_sure(test.args[1], holds)
    elif test.op == "is_none" and not holds:
        yield test.args[0]
    elif (test.op == "and" and holds) or (test.op == "or" and not holds):
        for part in test.args:
            yield from list_sure(part, holds)


def are_plain(*values: Value) -> bool:
    """Whether values are not none and speculatable: no fault, no assumption of a guard."""
    return not any(value.faults or value.guarded or value.fact.none for value in values)


def never_fault(*values: Value) -> bool:
    """Whether values may be left unevaluated: they cannot fault."""
    return not any(value.faults for value in values)
