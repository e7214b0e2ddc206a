"""Expansion of value trees: what loops, branches or can fault becomes statements (the C path's code selection).

In: statements with value trees as operands. Out: statements with simple operands: loop-free, fault-free operations on
registers, constants and places of the position, which a printer can emit as one expression.

A reducer becomes one loop over its source: producers are fused into it, and an intermediate list is only materialised
if it is used twice. Loop invariants are hoisted (`hoist`), common subexpressions of a statement are evaluated once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from hoyle.play.codegen.low.facts import TRUTH, Fact, between
from hoyle.play.codegen.low.program import Do, Fault, For, Leave, Let, Module, Once, Push, Statement, When
from hoyle.play.codegen.low.values import IN_PLACE, Value, is_checked
from hoyle.play.codegen.passes.dense_memo import Memo, Memos
from hoyle.play.codegen.passes.origins import find_origins, find_picked
from hoyle.play.codegen.passes.patterns import (
    LEAVES,
    SLICES,
    StaticGroups,
    count_uses,
    find_filter,
    never_retracts,
    of_lists,
    without_retraction,
)
from hoyle.play.codegen.passes.reduction_cache import ReductionCache
from hoyle.play.codegen.passes.scopes import Scopes
from hoyle.play.codegen.passes.tabulate import tabulate
from hoyle.play.codegen.unsupported import Unsupported

Step = Callable[[Value], None]
Reset = Callable[[], None]
Operation = Callable[["Expander", Value], Value]
Fold = Callable[["Expander", Value, Step, Reset], None]
Operations = Mapping[str, Operation]
Folds = Mapping[str, Fold]


class Expander(Scopes[Value, Statement]):
    """The recursive driver: expands the statements of one module. `operations` has the expansion of each opcode,
    `folds` the iteration over each kind of list; both recurse through it."""

    def __init__(
        self, module: Module, memos: Memos, cache: ReductionCache, operations: Operations, folds: Folds
    ) -> None:
        super().__init__()
        self.operations = operations
        self.folds = folds
        self.module = module
        self.build = module.build
        self.memos = memos
        self.cache = cache
        self._labels = 0
        self.asked: Value | None = None
        self._tables: dict[Value, Value | None] = {}
        self.static_groups: dict[tuple[Value, Value], StaticGroups | None] = {}
        self._origins = find_origins(module)

    # ---------------------------------------------------------------------------------------------- statements
    def expand(self, statements: Sequence[Statement]) -> list[Statement]:
        """The statements over simple operands."""
        with self.collecting() as out:
            for each in statements:
                self._statement(each)
        return out

    def _statement(self, each: Statement) -> None:
        match each:
            case Do():
                self.start(each.args)
                if each.op == "evaluate":
                    self.value(each.args[0])
                elif each.op == "move" and not each.data[0]:
                    self._move(each)
                elif each.op == "draw" and of_lists(each.args[0]):
                    self._draw_group(each)
                else:
                    self.out.append(replace(each, args=tuple(map(self.operand, each.args))))
            case Let():
                self.start([each.value])
                self.out.append(Let(each.register, self.value(each.value)))
            case When():
                self.start([each.test])
                test = self.value(each.test)
                self.out.append(When(test, tuple(self.expand(each.then)), tuple(self.expand(each.otherwise))))
            case _:
                raise AssertionError(each)

    def _move(self, move: Do) -> None:
        """Cards moved on top of a zone: specialised for one card (looked for first in the zone it was picked from), for
        a filter of one zone (removed in one pass), and for cards that were picked from one zone."""
        cards, zone = move.args
        if cards.op == "items" and len(cards.args) == 1:
            zones = [self.name(self.value(each)) for each in (zone, *find_picked(self._origins, cards.args[0]))]
            self.give(cards.args[0], lambda card: self.out.append(Do("move_card", (card, *zones), (), move.clause)))
            return
        source = (cards.args[0].args[0],) if _is_part(cards) else find_picked(self._origins, cards)
        op = "move_part" if _is_part(cards) else "move_picked" if source else "move"
        zones = [self.name(self.value(each)) for each in (*source, zone)]
        self.out.append(replace(move, op=op, args=(self.operand(cards), *zones)))

    def _draw_group(self, draw: Do) -> None:
        """A random element of a list of lists, which is never materialised: count, draw an index, iterate up to it."""
        build, (source,), label, final = self.build, draw.args, self.label(), never_retracts(draw.args[0])
        drawn, left = (self.register(between(-1, 1 << 30)) for _ in range(2))
        group = self.register(source.element)
        step = build.make("add", (drawn, build.true), (), drawn.fact)
        self.set(drawn, build.false)
        self.fold(source, lambda _: self.set(drawn, step), lambda: self.set(drawn, build.false))
        self.out.append(Do("draw_below", (drawn,)))
        self.set(left, drawn)
        self.set(group, build.known_list((), source.element.of))

        def pass_by(listed: Value) -> None:
            found = Let(group, self.listed(listed))
            self.out.append(When(build.equal(left, build.false), (found, Leave(label)) if final else (found,)))
            self.set(left, build.make("subtract", (left, build.true), (), left.fact))

        self.once(label, lambda: self.fold(source, pass_by, lambda: self.set(left, drawn)))
        self.out.append(replace(draw, op="set_slot", args=(group,)))

    def operand(self, value: Value) -> Value:
        """A simple value, or a list that exists in memory."""
        return self.listed(value) if value.fact.is_list and value.op != "none" else self.value(value)

    def start(self, roots: Iterable[Value]) -> None:
        """Begin a statement: all available expressions are dropped, since memory may have changed."""
        self._scopes = [({}, None)]
        self.uses = count_uses(roots)

    @contextmanager
    def binding(self, variable: int, element: Value) -> Iterator[Value]:
        """Expand a loop body with its variable bound to an element, named unless it is a list."""
        named = element if element.fact.is_list else self.name(element)
        with self.scope(variable, named) as out:
            yield named
        self.out.extend(out)

    def when(self, test: Value, then: Callable[[], None]) -> None:
        """Statements under a simple condition."""
        if test is self.build.true:
            then()
        elif test is not self.build.false:
            with self.scope() as out:
                then()
            if out:
                self.out.append(When(test, tuple(out)))

    def choose(self, test: Value, parts: Sequence[Value], write: Step) -> None:
        """A two-armed branch: `write` applied to each part in its own scope."""
        arms = []
        for part in parts:
            with self.scope() as out:
                write(part)
            arms.append(tuple(out))
        self.out.append(When(test, *arms))

    def refuse_unless(self, test: Value, clause: int) -> None:
        """A fault unless a simple test holds."""
        self.out.append(When(self.build.negate(test), (Fault(clause),)))

    def register(self, fact: Fact) -> Value:
        return self.build.register(fact)

    def label(self) -> int:
        self._labels += 1
        return self._labels

    def name(self, value: Value) -> Value:
        """A simple value in a register, unless it is a register or a constant."""
        if value.op in LEAVES:
            return value
        register = self.register(value.fact)
        self.out.append(Let(register, value))
        return register

    # ---------------------------------------------------------------------------------------------- values
    def value(self, value: Value) -> Value:
        """A value as a simple one, after the statements that compute it: found among the available expressions, lazily
        evaluated, cached across statements, tabulated, memoised, or expanded, in this order."""
        if value.op in LEAVES:
            return value
        if value.op == "var":
            return self.bound[value.number]
        if value.op == "asked":
            assert self.asked is not None
            return self.asked
        if value.fact.is_list and value.op not in ("sure", "need"):
            return self.listed(value)
        found = self.find(value)
        if found is not None and found.op == "lazy":
            register, known = found.args
            return self.record(value, self._compute_unless(known, value, register, Let(known, self.build.true)))
        if found is not None:
            return found
        if value in self.cache.registers:  # cached: recomputed here if its valid bit is clear
            bit = self.cache.find_bit(value)
            known, register = self.build.read("is_valid", TRUTH, data=(bit,)), self.cache.registers[value]
            return self.record(value, self._compute_unless(known, value, register, Do("validate", (), (bit,))))
        if value not in self._tables:
            self._tables[value] = tabulate(self.build, value)
        simple = self._evaluate(self._tables[value] or value)
        if self.uses[value] > 1 and value.weight > 2:
            simple = self.name(simple)
        return self.record(value, simple)

    def _evaluate(self, value: Value) -> Value:
        memo = self.memos.find(value)
        return self._expand(value) if memo is None else self._memoise(value, memo)

    def _expand(self, value: Value) -> Value:
        handler = self.operations.get(value.op)
        return handler(self, value) if handler is not None else self._rebuild(value)

    def _compute_unless(self, known: Value, value: Value, register: Value, note: Statement) -> Value:
        """A value in a register that is computed, and `note`d, unless `known` says that the register is valid."""
        with self.scope() as out:
            self.out += [Let(register, self._evaluate(value)), note]
        self.out.append(When(self.build.negate(known), tuple(out)))
        return register

    def _memoise(self, value: Value, memo: Memo) -> Value:
        """A memoised value: table lookup, on a miss evaluation and store."""
        build = self.build
        source = memo.source
        while source.op == "check":
            test, listed = source.args
            is_short = test.op == "less" and test.args[0] is build.count(listed)
            if not (is_short and (test.args[1].constant or 0) > memo.classes.most):  # implied by having a table index
                self.refuse_unless(self.value(test), source.clause)
            source = listed
        place = self.name(self.value(memo.key))
        held = self.name(build.read("memo", between(0, 255), place, data=(memo,)))
        register = self.register(value.fact)
        known = build.add(held, build.number(memo.low - 1))
        if value.fact.none:
            known = build.choose(build.equal(held, build.number(255)), build.none, known)
        with self.scope() as out:
            self.set(register, self._expand(value))
            self.out.append(Do("remember", (place, register), (memo,)))
        self.out.append(When(build.equal(held, build.false), tuple(out), (Let(register, known),)))
        return register

    def _rebuild(self, value: Value) -> Value:
        args = [self.value(arg) for arg in value.args]
        same = all(new is old for new, old in zip(args, value.args, strict=True))
        made = value if same else self.build.rebuild(value, args)
        return self._in_range(made) if is_checked(made.op, made.fact) else made

    def _in_range(self, value: Value) -> Value:
        """The result of arithmetic in a register, with an overflow check that faults."""
        if value.op == "multiply":
            self.refuse_unless(self.build.read("product_fits", TRUTH, *value.args), 0)
        register = self.name(value)
        self.out.append(When(self.build.read("beyond", TRUTH, register), (Fault(0),)))
        return register

    def once(self, label: int, write: Callable[[], None]) -> None:
        with self.collecting() as out:
            write()
        self.out.append(Once(tuple(out), label))

    def set(self, register: Value, value: Value) -> None:
        self.out.append(Let(register, value))

    # ---------------------------------------------------------------------------------------------- lists
    def length(self, listed: Value) -> Value:
        """The length of a list that exists in memory."""
        if listed.op == "cards" or listed.constants is not None:
            return self.build.count(listed)
        if listed.op == "slice":
            return listed.args[2]
        return self.build.read("length", between(max(0, listed.fact.low), listed.fact.high), listed)

    def listed(self, value: Value) -> Value:
        """A list that exists in memory (in the position, as constants, in a register), materialised if need be."""
        if value.op == "var":
            return self.value(value)
        found = self.find(value)
        if found is not None:
            return found
        if value.op in ("cards", "row", "state"):
            args = [self.value(arg) for arg in value.args]
            return self.record(value, self.build.make(value.op, args, value.data, value.fact))
        if value.op in IN_PLACE or value.op == "none":
            return value
        if value.op in SLICES:
            return self.record(value, self._slice(value))
        if value.op == "sure":
            return self.record(value, self.build.sure(self.listed(value.args[0])))
        if value.op in ("need", "check", "surveyed", "divided", "coded", "first", "last", "highest", "lowest"):
            return self.record(value, self.operations[value.op](self, value))
        assert value.op != "element"  # of a list of lists
        if of_lists(value):
            raise Unsupported(f"lists that come of {value.op} and are kept")
        return self.record(value, self._choose_list(value) if value.op == "if" else self._collect(value))

    def _choose_list(self, value: Value) -> Value:
        test, register = self.value(value.args[0]), self.register(value.fact)
        self.choose(test, value.args[1:], lambda part: self.set(register, self.listed(part)))
        return register

    def _collect(self, value: Value) -> Value:
        """Materialise a list in a register."""
        fact = value.fact
        register = self.register(fact)
        empty = self.build.known_list((), fact.of)
        self.set(register, empty)
        if value.op == "descending":
            self.set(register, self.listed(value.args[0]))
            self.out.append(Do("sort_descending", (register,)))
            return register
        self.run(value, lambda each: self.out.append(Push(register, each)), lambda: self.set(register, empty))
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
        """A view of a list in memory: `many` elements from `start`; views of views are composed."""
        if source.op == "slice":
            start = self.name(self.build.add(source.args[1], start))
            source = source.args[0]
        return self.build.make("slice", (source, start, many), (), fact)

    # ---------------------------------------------------------------------------------------------- folds
    def fold(self, value: Value, step: Step, reset: Reset) -> None:
        """Iterate over a list: `step` for each element; `reset` retracts all elements so far (a better key of a `best`
        has come). Fused into the producer unless the list is shared."""
        if value.op == "none" or value.constants == ():  # has no elements
            return
        shared = self.uses[value] > 1 and value.op not in IN_PLACE and not of_lists(value)
        if self.find(value) is not None or shared:
            self.loop(self.listed(value), step)
        else:
            self.run(value, step, reset)

    def fold_streaming(self, value: Value, step: Step) -> None:
        """Iterate over a list without retraction: lists that retract are rewritten, or materialised."""
        if never_retracts(value):
            self.fold(value, step, _no_reset)
        elif of_lists(value):
            self.fold(self.expect(without_retraction(self.build, value)), step, _no_reset)
        else:
            self.loop(self.listed(value), step)

    def run(self, value: Value, step: Step, reset: Reset) -> None:
        fold = self.folds.get(value.op)
        if fold is not None:
            fold(self, value, step, reset)
        else:
            self.loop(self.listed(value), step)

    def collect(self, fact: Fact, start: Value, source: Value, add: Callable[[Value, Value], None]) -> Value:
        """An accumulator register: initialised, updated by `add` for each element, reinitialised on retraction."""
        register = self.register(fact)
        self.set(register, start)
        self.fold(source, lambda element: add(register, element), lambda: self.set(register, start))
        return register

    def loop(self, listed: Value, step: Step, *, index: Value | None = None) -> None:
        """A loop over a list that exists in memory."""
        element = self.register(listed.element)
        with self.scope() as out:
            step(element)
        self.out.append(For(element, listed, tuple(out), index=index))

    def give(self, made: Value, step: Step) -> None:
        found = self.value(made)
        if not found.fact.none:
            step(found)
            return
        found = self.name(found) if not found.fact.is_list else found
        self.when(self.build.negate(self.build.is_none(found)), lambda: step(self.build.sure(found)))

    def group_sizes(self, source: Value, value: Value) -> tuple[Value, Value]:
        """The bounds on the size of groups, clamped to what the list has."""
        build = self.build
        least = build.extreme(self.value(value.args[1]), build.false, highest=True)
        most = build.extreme(self.value(value.args[2]), self.length(source), highest=False)
        return self.name(least), self.name(most)

    def groups(self, source: Value, least: Value, most: Value, fact: Fact, twins: Value | None, step: Step) -> None:
        """A loop over the combinations of a list, by size, each in the order of the list. `twins`, for symmetry
        breaking, has for each place that of the previous copy (from 1): a group with a copy must have the previous
        one."""
        group = self.register(fact)
        args = (source, least, most) if twins is None else (source, least, most, twins)
        every = self.build.make("groups", args, (), Fact(0, 1 << 20, of=fact))
        with self.scope() as out:
            step(group)
        self.out.append(For(group, every, tuple(out)))


def _no_reset() -> None:
    raise AssertionError("what is there to stay is never the best of a list")


def _is_part(cards: Value) -> bool:
    """Whether cards are a filter of one zone."""
    source, _ = find_filter(cards)
    return source is not None and source.op == "cards"
