"""Values taken apart: what loops, branches or can fault becomes statements, and what is left is simple.

In: statements with whole values. Out: statements whose operands are simple: operations on registers, constants and
places of the position that a printer can write as one expression.

A reducer over a list becomes one loop over its source; lists in between are never built unless they are read twice.
What does not change while a loop runs is worked out before it, and what is read twice in one statement is worked out
once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from hoyle.codegen.low.facts import TRUTH, Fact, between, list_of
from hoyle.codegen.low.program import Do, Fault, For, Leave, Let, Module, Once, Push, Statement, When
from hoyle.codegen.low.values import BINDERS, Value, is_checked, walk
from hoyle.codegen.passes.memo import Memo, Memos

Step = Callable[[Value], None]
Reset = Callable[[], None]

LEAVES = frozenset({"int", "none", "register"})
REDUCERS = frozenset({"any", "count", "sum", "highest", "lowest", "first", "last"})
# Lists that can be run through where they are.
IN_PLACE = frozenset({"cards", "list", "row", "slot", "state", "register", "slice", "choices"})
HOISTED_WEIGHT = 3


class Expander:
    """Expands the statements of one module."""

    def __init__(self, module: Module, *, checks: bool = True) -> None:
        self.module = module
        self.build = module.build
        self.checks = checks  # whether numbers can grow beyond what the machine holds
        self.out: list[Statement] = []
        self.bound: dict[int, Value] = {}
        self._scopes: list[tuple[dict[Value, Value], int | None]] = [({}, None)]
        self._uses: Counter[Value] = Counter()
        self._labels = 0
        self.asked: Value | None = None
        self._memos = Memos(module.build.cards)

    # ---------------------------------------------------------------------------------------------- statements
    def expand(self, statements: Sequence[Statement]) -> list[Statement]:
        """The statements with simple values."""
        made: list[Statement] = []
        for each in statements:
            with self.collecting() as out:
                self._statement(each)
            made.extend(out)
        return made

    def _statement(self, each: Statement) -> None:
        match each:
            case Do():
                self.start(each.args)
                if each.op == "evaluate":
                    self.value(each.args[0])
                else:
                    args = tuple(self._operand(each, arg) for arg in each.args)
                    self.out.append(replace(each, args=args))
            case Let():
                self.start([each.value])
                self.out.append(Let(each.register, self.value(each.value)))
            case When():
                self.start([each.test])
                test = self.value(each.test)
                self.out.append(When(test, tuple(self.expand(each.then)), tuple(self.expand(each.otherwise))))
            case _:
                raise AssertionError(each)

    def _operand(self, statement: Do, value: Value) -> Value:
        return self.listed(value) if value.fact.is_list and value.op != "none" else self.value(value)

    def start(self, roots: Iterable[Value]) -> None:
        """Begin a statement: whatever was worked out before may have changed."""
        self._scopes = [({}, None)]
        self._uses = count_uses(roots)

    @contextmanager
    def collecting(self) -> Any:
        before, self.out = self.out, []
        yield self.out
        self.out = before

    @contextmanager
    def scope(self, variable: int | None = None, value: Value | None = None) -> Any:
        """Where something is worked out that need not be worked out elsewhere; perhaps with a variable bound."""
        before = self.bound.get(variable) if variable is not None else None
        if variable is not None and value is not None:
            self.bound[variable] = value
        self._scopes.append(({}, variable))
        with self.collecting() as out:
            yield out
        self._scopes.pop()
        if variable is not None and before is not None:
            self.bound[variable] = before

    def _find(self, value: Value) -> Value | None:
        """A value that has been worked out already, with the same variables."""
        for known, variable in reversed(self._scopes):
            found = known.get(value)
            if found is not None:
                return found
            if variable is not None and variable in value.free:
                return None
        return None

    def _keep(self, value: Value, simple: Value) -> Value:
        self._scopes[-1][0][value] = simple
        return simple

    def when(self, test: Value, then: Callable[[], None]) -> None:
        """Statements under a condition, which is simple."""
        if test is self.build.true:
            then()
        elif test is not self.build.false:
            with self.scope() as out:
                then()
            if out:
                self.out.append(When(test, tuple(out)))

    def register(self, fact: Fact) -> Value:
        return self.module.register(fact)

    def label(self) -> int:
        self._labels += 1
        return self._labels

    def name(self, value: Value) -> Value:
        """A simple value in a register, unless it is one or a constant."""
        if value.op in LEAVES:
            return value
        register = self.register(value.fact)
        self.out.append(Let(register, value))
        return register

    # ---------------------------------------------------------------------------------------------- values
    def value(self, value: Value) -> Value:
        """A value made simple."""
        if value.op in LEAVES:
            return value
        if value.op == "var":
            number: Any = value.data[0]
            return self.bound[number]
        if value.op == "asked":
            assert self.asked is not None
            return self.asked
        if value.fact.is_list and value.op not in ("sure", "need"):
            return self.listed(value)
        found = self._find(value)
        if found is not None:
            return found
        memo = self._memos.find(value)
        if memo is not None:
            return self._keep(value, self._remember(value, memo))
        handler = _HANDLERS.get(value.op)
        simple = handler(self, value) if handler is not None else self._rebuild(value)
        if self._uses[value] > 1 and value.weight > 2:
            simple = self.name(simple)
        return self._keep(value, simple)

    def _remember(self, value: Value, memo: Memo) -> Value:
        """A value looked up in a table, or worked out and put there."""
        build = self.build
        place = build.read("memo_place", between(-1, memo.size - 1), self.listed(memo.source), data=(memo,))
        place = self.name(place)
        held = self.name(build.read("memo", between(0, 255), place, data=(memo,)))
        register = self.register(value.fact)
        known = build.add(held, build.number(memo.low - 1))
        if value.fact.none:
            known = build.choose(build.equal(held, build.number(255)), build.none, known)
        with self.scope() as out:
            handler = _HANDLERS.get(value.op)
            self.out.append(Let(register, handler(self, value) if handler is not None else self._rebuild(value)))
            self.out.append(Do("remember", (place, register), (memo,)))
        self.out.append(When(build.equal(held, build.false), tuple(out), (Let(register, known),)))
        return register

    def _rebuild(self, value: Value) -> Value:
        args = [self.value(arg) for arg in value.args]
        same = all(new is old for new, old in zip(args, value.args, strict=True))
        made = value if same else self.build.rebuild(value, args)
        return self._in_range(made) if self.checks and is_checked(made.op, made.fact) else made

    def _in_range(self, value: Value) -> Value:
        """The result of arithmetic in a register, a fault if it is more than the machine holds."""
        if value.op == "multiply":
            fits = self.build.read("product_fits", TRUTH, *value.args)
            self.out.append(When(self.build.negate(fits), (Fault(0),)))
        register = self.name(value)
        self.out.append(When(self.build.read("beyond", TRUTH, register), (Fault(0),)))
        return register

    def apart(self, value: Value) -> tuple[list[Statement], Value]:
        """A value that is perhaps not needed: the statements that work it out, and what it is then."""
        with self.scope() as out:
            simple = self.value(value)
        return out, simple

    def logic(self, value: Value) -> Value:
        """Tests are made one after the other, as long as nothing is decided."""
        made = self.value(value.args[0])
        for part in value.args[1:]:
            statements, test = self.apart(part)
            if not statements:
                made = (self.build.both if value.op == "and" else self.build.either)(made, test)
                continue
            register = self.register(TRUTH)
            undecided = register if value.op == "and" else self.build.negate(register)
            self.out += [Let(register, made), When(undecided, (*statements, Let(register, test)))]
            made = register
        return made

    def choose(self, value: Value) -> Value:
        test = self.value(value.args[0])
        if test.constant is not None:
            return self.value(value.args[1 if test.constant else 2])
        (before_yes, yes), (before_no, no) = self.apart(value.args[1]), self.apart(value.args[2])
        if not before_yes and not before_no:
            return self.build.make("if", (test, yes, no), (), value.fact)
        register = self.register(value.fact)
        self.out.append(When(test, (*before_yes, Let(register, yes)), (*before_no, Let(register, no))))
        return register

    def need(self, value: Value) -> Value:
        clause: Any = value.data[0]
        found = self.name(self.value(value.args[0]))
        self.out.append(When(self.build.is_none(found), (Fault(clause),)))
        return self.build.sure(found)

    def check(self, value: Value) -> Value:
        clause: Any = value.data[0]
        test = self.value(value.args[0])
        self.out.append(When(self.build.negate(test), (Fault(clause),)))
        return self.value(value.args[1])

    def present(self, value: Value) -> Value:
        return self.build.negate(self.build.is_none(self.value(value.args[0])))

    def compare(self, value: Value) -> Value:
        return self.build.make(value.op, [self.listed(arg) for arg in value.args], (), TRUTH)

    def element(self, value: Value) -> Value:
        listed, index = self.listed(value.args[0]), self.value(value.args[1])
        return self.build.make("element", (listed, index), (), value.fact)

    # ---------------------------------------------------------------------------------------------- reducers
    def any(self, value: Value) -> Value:
        source = value.args[0]
        if source.op in IN_PLACE or self._find(source) is not None:
            return self.build.less(self.build.false, self.length(self.listed(source)))
        register, label = self.register(TRUTH), self.label()
        self.out.append(Let(register, self.build.false))
        final = is_final(source)

        def found(element: Value) -> None:
            self.out.append(Let(register, self.build.true))
            if final:
                self.out.append(Leave(label))

        self._once(label, lambda: self.fold(source, found, lambda: self._set(register, self.build.false)))
        return register

    def _once(self, label: int, write: Callable[[], None]) -> None:
        with self.collecting() as out:
            write()
        self.out.append(Once(tuple(out), label))

    def _set(self, register: Value, value: Value) -> None:
        self.out.append(Let(register, value))

    def count(self, value: Value) -> Value:
        source = value.args[0]
        if source.op == "distinct":
            bits = self._distinct_bits(source.args[0])
            if bits is not None:
                return self.build.read("bits", value.fact, bits)
        if source.op in IN_PLACE or source.op == "distinct" or self._find(source) is not None or self._uses[source] > 1:
            return self.length(self.listed(source))
        register = self.register(between(0, source.fact.high))
        self._set(register, self.build.false)
        one = self.build.true

        def step(element: Value) -> None:
            self._set(register, self.build.make("add", (register, one), (), register.fact))

        self.fold(source, step, lambda: self._set(register, self.build.false))
        return register

    def _distinct_bits(self, source: Value) -> Value | None:
        """A bit for each value of a list, if they are few."""
        of = source.fact.of
        if of is None or of.is_list or of.high - of.low >= 64:
            return None
        register = self.register(BITS)
        self._set(register, self.build.false)

        def step(element: Value) -> None:
            bit = self.build.read("bit", BITS, self.build.subtract(element, self.build.number(of.low)))
            self._set(register, self.build.read("or_bits", BITS, register, bit))

        self.fold(source, step, lambda: self._set(register, self.build.false))
        return register

    def sum(self, value: Value) -> Value:
        register = self.register(value.fact)
        self._set(register, self.build.false)

        checked = self.checks and is_checked("sum", value.fact)

        def step(element: Value) -> None:
            self._set(register, self.build.make("add", (register, element), (), value.fact))
            if checked:
                self.out.append(When(self.build.read("beyond", TRUTH, register), (Fault(0),)))

        self.fold(value.args[0], step, lambda: self._set(register, self.build.false))
        return register

    def extreme(self, value: Value) -> Value:
        """The highest or lowest element."""
        build = self.build
        register = self.register(value.fact.or_none())
        self._set(register, build.none)

        def step(element: Value) -> None:
            element = self.name(element) if not element.fact.is_list else element
            pair = (register, element) if value.op == "highest" else (element, register)
            first, second = (build.sure(each) if each is register else each for each in pair)
            better = build.either(build.is_none(register), build.less(first, second))
            self.out.append(When(better, (Let(register, element),)))

        self.fold(value.args[0], step, lambda: self._set(register, build.none))
        return register if value.fact.none else build.sure(register)

    def first(self, value: Value) -> Value:
        source, register, label = value.args[0], self.register(value.fact.or_none()), self.label()
        self._set(register, self.build.none)
        final = is_final(source)
        backwards = value.op == "last" and is_filter(source)

        def step(element: Value) -> None:
            keep = Let(register, element)
            if final and (value.op == "first" or backwards):
                self.out.extend((keep, Leave(label)))
            elif value.op == "first":
                self.out.append(When(self.build.is_none(register), (keep,)))
            else:
                self.out.append(keep)

        def run() -> None:
            self.fold(source, step, lambda: self._set(register, self.build.none), backwards=backwards)

        self._once(label, run)
        return register if value.fact.none else self.build.sure(register)

    # ---------------------------------------------------------------------------------------------- lists
    def length(self, listed: Value) -> Value:
        """How many elements a list that is in its place has."""
        if listed.op == "cards":
            return self.build.count(listed)
        if listed.constants is not None:
            return self.build.number(len(listed.constants))
        if listed.op == "slice":
            return listed.args[2]
        return self.build.read("length", between(max(0, listed.fact.low), listed.fact.high), listed)

    def listed(self, value: Value) -> Value:
        """A list that can be run through where it is: a place of the position, constants, or a register."""
        if value.op == "var":
            return self.value(value)
        found = self._find(value)
        if found is not None:
            return found
        if value.op in ("cards", "row", "state"):
            args = [self.value(arg) for arg in value.args]
            return self._keep(value, self.build.make(value.op, args, value.data, value.fact))
        if value.op in IN_PLACE or value.op == "none":
            return value
        if value.op in SLICES:
            return self._keep(value, self._slice(value))
        if value.op == "sure":
            return self._keep(value, self.build.sure(self.listed(value.args[0])))
        if value.op in ("need", "check"):
            return self._keep(value, _HANDLERS[value.op](self, value))
        if value.op == "element":  # of a list of lists
            raise AssertionError(value)
        if value.op in ("first", "last", "highest", "lowest", "if"):
            return self._keep(value, self._one_list(value))
        return self._keep(value, self._collect(value))

    def _one_list(self, value: Value) -> Value:
        """A list that is one of several."""
        if value.op != "if":
            return _HANDLERS[value.op](self, value)
        test = self.value(value.args[0])
        register = self.register(value.fact)
        arms = []
        for part in value.args[1:]:
            with self.scope() as out:
                self._set(register, self.listed(part))
            arms.append(tuple(out))
        self.out.append(When(test, *arms))
        return register

    def _collect(self, value: Value) -> Value:
        """A list built in a register."""
        fact = value.fact
        register = self.register(fact)
        empty = self.build.known_list((), fact.of)
        self._set(register, empty)
        if value.op == "descending":
            self._set(register, self.listed(value.args[0]))
            self.out.append(Do("sort_descending", (register,)))
            return register
        self._run(value, lambda each: self.out.append(Push(register, each)), lambda: self._set(register, empty))
        return register

    def _slice(self, value: Value) -> Value:
        source = self.listed(value.args[0])
        build, length = self.build, self.name(self.length(source))
        number = build.extreme(self.value(value.args[1]), build.false, highest=True)
        few = self.name(build.extreme(number, length, highest=False))
        rest = build.subtract(length, few)
        start, many = {
            "first_few": (build.false, few),
            "last_few": (rest, few),
            "all_but_first": (few, rest),
            "all_but_last": (build.false, rest),
        }[value.op]
        return self.slice(source, self.name(start), self.name(many), value.fact)

    def slice(self, source: Value, start: Value, many: Value, fact: Fact) -> Value:
        """So many elements of a list from one on."""
        if source.op == "slice":
            start = self.name(self.build.add(source.args[1], start))
            source = source.args[0]
        return self.build.make("slice", (source, start, many), (), fact)

    # ---------------------------------------------------------------------------------------------- folds
    def fold(self, value: Value, step: Step, reset: Reset, *, backwards: bool = False) -> None:
        """Do something with each element of a list. `reset` is done where all that came so far turns out not to belong
        to it."""
        if value.op == "none":  # has no elements
            return
        shared = self._uses[value] > 1 and value.op not in IN_PLACE and not of_lists(value)
        if self._find(value) is not None or shared:
            self.loop(self.listed(value), step, backwards=backwards)
        else:
            self._run(value, step, reset, backwards=backwards)

    def _run(self, value: Value, step: Step, reset: Reset, *, backwards: bool = False) -> None:
        fold = _FOLDS.get(value.op)
        if fold is not None:
            fold(self, value, step, reset, backwards)
        else:
            self.loop(self.listed(value), step, backwards=backwards)

    def loop(self, listed: Value, step: Step, *, backwards: bool = False, index: Value | None = None) -> None:
        """A loop over a list that is in its place."""
        of = listed.fact.of
        assert of is not None
        element = self.register(of)
        with self.scope() as out:
            step(element)
        self.out.append(For(element, listed, tuple(out), backwards=backwards, index=index))

    def _each(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        source, where, made = value.args
        number: Any = value.data[0]
        self.hoist(where, number)
        self.hoist(made, number)

        def give(element: Value) -> None:
            with self.scope(number, self.name(element) if not element.fact.is_list else element) as out:
                self.when(self.value(where), lambda: self._give(made, step))
            self.out.extend(out)

        self.fold(source, give, reset, backwards=backwards)

    def _give(self, made: Value, step: Step) -> None:
        found = self.value(made)
        if not found.fact.none:
            step(found)
            return
        found = self.name(found) if not found.fact.is_list else found
        self.when(self.build.negate(self.build.is_none(found)), lambda: step(self.build.sure(found)))

    def hoist(self, value: Value, variable: int) -> None:
        """Work out before a loop what does not change in it."""
        if variable not in value.free:
            heavy = value.weight >= HOISTED_WEIGHT and not value.fact.is_list
            if heavy and not value.guarded and all(each in self.bound for each in value.free) and has_loops(value):
                self._keep(value, self.name(self.value(value)))
            return
        for place, arg in enumerate(value.args):
            if not (value.op in BINDERS and place):
                self.hoist(arg, variable)

    def _best(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        """One pass: a better key makes all that came before worthless."""
        build = self.build
        source, key = value.args
        number, how = value.data
        assert isinstance(number, int)
        best, found = self.register(key.fact.sure()), self.register(TRUTH)
        self._set(found, build.false)
        self._set(best, build.known_list((), key.fact.of) if key.fact.is_list else build.false)

        def again() -> None:
            self._set(found, build.false)
            reset()

        def give(element: Value) -> None:
            with self.scope(number, self.name(element) if not element.fact.is_list else element) as out:
                self._give(key, lambda found_key: compare(found_key, self.bound[number]))
            self.out.extend(out)

        def compare(found_key: Value, element: Value) -> None:
            named = self.name(found_key) if not found_key.fact.is_list else found_key
            pair = (best, named) if how == "highest" else (named, best)
            better = build.either(build.negate(found), build.less(*pair))
            with self.scope() as out:
                self.out += [Let(best, named), Let(found, build.true)]
                reset()
            self.out.append(When(better, tuple(out)))
            self.when(build.equal(named, best), lambda: step(element))

        self.fold(source, give, again)

    def _flat(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        source, inner = value.args
        number: Any = value.data[0]

        def give(element: Value) -> None:
            with self.scope(number, self.name(element)) as out:
                self.fold(inner, step, reset)
            self.out.extend(out)

        self.fold(source, give, reset)

    def _join(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        for part in value.args[::-1] if backwards else value.args:
            self.fold(part, step, reset, backwards=backwards)

    def _items(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        for part in value.args[::-1] if backwards else value.args:
            self._give(part, step)

    def _if(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        test = self.value(value.args[0])
        arms = []
        for part in value.args[1:]:
            with self.scope() as out:
                self.fold(part, step, reset, backwards=backwards)
            arms.append(tuple(out))
        self.out.append(When(test, *arms))

    def _sure(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        self.fold(value.args[0], step, reset, backwards=backwards)

    def _checked(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        clause: Any = value.data[0]
        test = self.value(value.args[0])
        self.out.append(When(self.build.negate(test), (Fault(clause),)))
        self.fold(value.args[1], step, reset, backwards=backwards)

    def _span(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        ends = [self.name(self.value(arg)) for arg in value.args]
        self.loop(self.build.make("span", ends, (), value.fact), step, backwards=backwards)

    def _distinct(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        """Each element when it comes for the first time."""
        build, of = self.build, value.fact.of
        assert of is not None and not of.is_list
        few = of.high - of.low < 64
        seen = self.register(BITS if few else value.fact)
        start = build.false if few else build.known_list((), of)
        self._set(seen, start)

        def again() -> None:
            self._set(seen, start)
            reset()

        def give(element: Value) -> None:
            named = self.name(element)
            if few:
                bit = self.name(build.read("bit", BITS, build.subtract(named, build.number(of.low))))
                known = build.read("has_bits", TRUTH, seen, bit)
                note: Statement = Let(seen, build.read("or_bits", BITS, seen, bit))
            else:
                known = build.read("holds", TRUTH, seen, named)
                note = Push(seen, named)
            with self.scope() as out:
                self.out.append(note)
                step(named)
            self.out.append(When(build.negate(known), tuple(out)))

        self.fold(value.args[0], give, again)

    def _around(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        """Seats by their distance from one; those of equal distance stay in order."""
        build, players = self.build, self.build.players
        listed, start = self.listed(value.args[0]), self.name(self.value(value.args[1]))
        turns = build.read(
            "row",
            list_of(between(0, players - 1), players, unique=True),
            start,
            data=(build.rows_of([[(s + i) % players for i in range(players)] for s in range(players)]),),
        )

        def turn(seat: Value) -> None:
            self.loop(listed, lambda each: self.when(build.equal(each, seat), lambda: step(each)))

        self.loop(turns, turn)

    def _tails(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        build, source = self.build, self.listed(value.args[0])
        length = self.name(self.length(source))
        of = value.fact.of
        assert of is not None
        sizes = build.read("span", list_of(between(1, max(1, length.fact.high)), length.fact.high), build.true, length)

        def give(size: Value) -> None:
            step(self.slice(source, self.name(build.subtract(length, size)), size, of))

        self.loop(sizes, give, backwards=backwards)

    def _pairs(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        build, source = self.build, self.listed(value.args[0])
        length = self.name(self.length(source))
        of = value.fact.of
        assert of is not None and of.of is not None
        element = of.of
        index = self.register(between(0, max(0, source.fact.high)))
        group = self.register(of)

        def outer(first: Value) -> None:
            start = self.name(build.add(index, build.true))
            rest = self.slice(
                source, start, self.name(build.subtract(length, start)), list_of(element, source.fact.high)
            )

            def inner(second: Value) -> None:
                self._set(group, build.make("items", (first, second), (), of))
                step(group)

            self.loop(rest, inner)

        self.loop(source, outer, index=index)

    def _subsets(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        source = self.listed(value.args[0])
        length = self.name(self.length(source))
        of = value.fact.of
        assert of is not None
        self.groups(source, self.build.true, length, of, None, step)

    def _groups(self, value: Value, step: Step, reset: Reset, backwards: bool) -> None:
        source = self.listed(value.args[0])
        of = value.fact.of
        assert of is not None
        self.groups(source, *self.group_sizes(source, value), of, None, step)

    def group_sizes(self, source: Value, value: Value) -> tuple[Value, Value]:
        """How few and how many are chosen together."""
        build = self.build
        least = build.extreme(self.value(value.args[1]), build.false, highest=True)
        most = build.extreme(self.value(value.args[2]), self.length(source), highest=False)
        return self.name(least), self.name(most)

    def groups(self, source: Value, least: Value, most: Value, fact: Fact, twins: Value | None, step: Step) -> None:
        """A loop over groups of a list, the smaller first, each in the order of the list. `twins` is for each place
        that of the copy before it, from 1: a copy is taken only with the one before."""
        group = self.register(fact)
        args = (source, least, most) if twins is None else (source, least, most, twins)
        every = self.build.make("groups", args, (), Fact(0, 1 << 20, of=fact))
        with self.scope() as out:
            step(group)
        self.out.append(For(group, every, tuple(out)))


BITS = Fact(0, (1 << 64) - 1)  # 64 truths
SLICES = frozenset({"first_few", "last_few", "all_but_first", "all_but_last"})


def count_uses(roots: Iterable[Value]) -> Counter[Value]:
    """How often each value is read by others."""
    uses: Counter[Value] = Counter()
    seen: set[Value] = set()
    for root in roots:
        uses[root] += 1
        for node in walk(root):
            if node not in seen:
                seen.add(node)
                uses.update(node.args)
    return uses


def of_lists(value: Value) -> bool:
    return value.fact.of is not None and value.fact.of.is_list


def has_loops(value: Value) -> bool:
    return value.op in REDUCERS or value.op in ("place_of", "zone_of", "index_in") or any(map(has_loops, value.args))


def is_final(value: Value) -> bool:
    """Whether each element that comes in a fold is there to stay."""
    if value.op == "best":
        return False
    if value.op in ("each", "flat", "sure", "distinct"):
        return is_final(value.args[0]) and (value.op != "flat" or is_final(value.args[1]))
    if value.op == "if":
        return all(map(is_final, value.args[1:]))
    return all(map(is_final, value.args)) if value.op == "join" else True


def is_filter(value: Value) -> bool:
    """Whether a list can be run through from its end as well."""
    return (
        value.op in IN_PLACE
        or (value.op in ("each", "sure") and is_filter(value.args[0]))
        or (value.op in ("join", "items", "span", "tails") and (value.op != "join" or all(map(is_filter, value.args))))
    )


_HANDLERS: dict[str, Callable[[Expander, Value], Value]] = {
    "and": Expander.logic,
    "or": Expander.logic,
    "if": Expander.choose,
    "need": Expander.need,
    "check": Expander.check,
    "present": Expander.present,
    "equal_lists": Expander.compare,
    "less_lists": Expander.compare,
    "element": Expander.element,
    "any": Expander.any,
    "count": Expander.count,
    "sum": Expander.sum,
    "highest": Expander.extreme,
    "lowest": Expander.extreme,
    "first": Expander.first,
    "last": Expander.first,
}

Fold = Callable[[Expander, Value, Step, Reset, bool], None]
_FOLDS: dict[str, Fold] = {
    "each": Expander._each,
    "best": Expander._best,
    "flat": Expander._flat,
    "join": Expander._join,
    "items": Expander._items,
    "if": Expander._if,
    "sure": Expander._sure,
    "check": Expander._checked,
    "span": Expander._span,
    "distinct": Expander._distinct,
    "around": Expander._around,
    "tails": Expander._tails,
    "pairs": Expander._pairs,
    "subsets": Expander._subsets,
    "groups": Expander._groups,
}
