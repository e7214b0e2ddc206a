"""Lowering of instructions to statements, and their transfer functions on facts.

In: an instruction, and the facts before it. Out: statements; `Lowering.places` is updated to the facts after them.

No events: operands that only events would read (`announce`, `show`, the parts of a score) are dead code, evaluated
only if they can fault.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Any

from hoyle.play.codegen.low.facts import (
    COUNTED,
    MODERATE,
    NONE,
    NUMBER,
    SMALL,
    Fact,
    between,
    exactly,
    join,
    list_of,
    within,
)
from hoyle.play.codegen.low.program import Do, Let, Statement, When
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.control_flow import Place
from hoyle.play.codegen.lower.lowering import Lowering, bounds_of
from hoyle.play.codegen.lower.partition import code_groups
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import touches_zones
from hoyle.program.ir.types import certain

MOST_LISTED = 64  # bound (or all cards) for a stored list of unknown length; a longer one is a fault


class Instructions:
    """Lowers instructions in order. `written` is the join of all facts written to each place so far."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.build = low.build
        self.program = low.program
        self.most_listed = max(MOST_LISTED, len(low.program.cards))
        self.written: dict[Place, Fact] = {}
        self.counts: set[Place] = set()  # places assumed to be counters: see `COUNTED`
        starts = [low.start_of(state).fact for state in low.program.states]
        self.wide: set[Place] = {  # places known not to be
            ("state", number) for number, fact in enumerate(starts) if not within(fact, MODERATE)
        }
        self._in_order = find_in_order(low.program)
        self._pile_states = [
            number for number, state in enumerate(low.program.states) if certain(state.type).kind == "zone"
        ]

    def lower(self, instruction: ir.Instruction) -> list[Statement]:
        lower = _BY_NODE.get(type(instruction))
        if lower is None:
            raise Unsupported(type(instruction).__name__)
        with self.low.within(instruction.clause):
            made = list(lower(self, instruction))
            if touches_zones(instruction):
                made.extend(self._drop_piles())
        return made

    def _drop_piles(self) -> Iterator[Statement]:
        """Clear the states that name a pile which has become empty."""
        build = self.build
        for number in self._pile_states:
            state = self.program.states[number]
            for owner in self._owners(state):
                value = self.low.read_state(number, *owner)
                named = build.negate(build.is_none(value))
                gone = build.both(named, build.negate(build.any(self.low.read_cards(build.sure(value)))))
                if gone is not build.false:
                    yield When(gone, (Do("set_state", (build.none, *owner), (number,), state.clause),))
            self.note(("state", number), join(self.low.places[("state", number)], NONE))

    def do(self, op: str, *args: Value, data: tuple[object, ...] = ()) -> Do:
        return Do(op, args, data, self.low.clause)

    def let(self, value: Value) -> Generator[Statement, None, Value]:
        """Bind a value to a register: it is read several times, or after its inputs have been overwritten."""
        if value.op in ("int", "none", "register"):
            return value
        register = self.build.register(value.fact)
        yield Let(register, value)
        return register

    def _owners(self, state: ir.State) -> list[tuple[Value, ...]]:
        """The index operands of each member of a family of states."""
        return [(self.build.number(place),) for place in range(state.size)] if state.of else [()]

    def note(self, place: Place, fact: Fact, *, weak: bool = False, grown: Fact | None = None) -> None:
        """Update the fact of a place on a write; `weak`: joined with the old one (one member of a family is written).
        `grown` bounds the increment, if the write is one: see `COUNTED`."""
        if fact.of is None:
            fact = self.bound_growth(place, fact, grown)
        if fact.of is not None:
            most = self.most_listed if fact.high > 1 << 16 else fact.high
            fact = Fact(fact.low, min(fact.high, most), fact.none, fact.of)
        self.hold(place, fact)
        before = self.low.places.get(place)
        self.low.places[place] = join(before, fact) if weak and before is not None else fact

    def bound_growth(self, place: Place, fact: Fact, grown: Fact | None) -> Fact:
        """The fact clamped to `COUNTED` while the place is assumed to be a counter; notes writes that refute it."""
        if not (within(fact, MODERATE) if grown is None else within(grown, SMALL)):
            self.wide.add(place)
        if grown is None or place in self.wide or within(fact, COUNTED):
            return fact
        self.counts.add(place)
        return replace(fact, low=max(fact.low, -COUNTED), high=min(fact.high, COUNTED))

    def give_up_counts(self) -> bool:
        """Drop assumptions about counters that have been refuted; whether there were any."""
        wrong = self.counts & self.wide
        self.counts -= wrong
        return bool(wrong)

    def hold(self, place: Place, fact: Fact) -> None:
        """Record a write for the flow-insensitive fact of a place."""
        self.written[place] = join(self.written.get(place, fact), fact)

    def evaluate(self, *exprs: ir.Expr | None) -> Iterator[Statement]:
        """Evaluate expressions for their faults alone."""
        for expr in exprs:
            if expr is not None:
                value = self.low.lower(expr)
                if value.faults:
                    yield self.do("evaluate", value)

    # ---------------------------------------------------------------------------------------------- cards
    def change(self, node: ir.Instruction) -> Iterator[Statement]:
        """An instruction that is one state change, with operands that must not be none."""
        op, *operands = _PLAIN[type(node)]
        yield self.do(op, *(self.low.need(getattr(node, operand)) for operand in operands))

    def turn(self, node: ir.TurnUp | ir.TurnDown) -> Iterator[Statement]:
        yield self.do("turn", self._each_once(self.low.lower(node.cards)), data=(isinstance(node, ir.TurnUp),))

    def deal(self, node: ir.Deal) -> Iterator[Statement]:
        targets = self._each_once(self.low.lower(node.targets))
        packet = self.build.extreme(self.low.need(node.packet), self.build.true, highest=True)
        counts = () if node.count is None else (self.low.need(node.count),)
        yield self.do("deal", self.low.need(node.source), targets, packet, *counts, data=(node.up_to,))

    def move(self, node: ir.Move) -> Iterator[Statement]:
        cards = self._each_once(self.low.lower(node.cards))
        yield self.do("move", cards, self.low.need(node.zone), data=(node.bottom,))

    def _each_once(self, listed: Value) -> Value:
        """A list without duplicates; none counts as empty."""
        return self.build.known_list(()) if listed.op == "none" else self.build.distinct(listed)

    def show(self, node: ir.Show) -> Iterator[Statement]:
        yield from self.evaluate(node.cards, node.seats)

    def announce(self, node: ir.Announce) -> Iterator[Statement]:
        yield from self.evaluate(node.value, *node.parts)

    # ---------------------------------------------------------------------------------------------- slots and states
    def let_slot(self, node: ir.Let) -> Iterator[Statement]:
        value = code_groups(self.low, self.low.lower(node.value))
        yield self.do("set_slot", value, data=(node.slot,))
        self.note(("slot", node.slot), value.fact)

    def draw(self, node: ir.Draw) -> Iterator[Statement]:
        source = self.low.lower(node.source)
        if source.op == "none":
            source = self.build.known_list(())
        yield self.do("draw", source, data=(node.slot,))
        self.note(("slot", node.slot), source.element)

    def _owner(self, state: int, owner: ir.Expr | None) -> tuple[Value, ...]:
        found = self.low.place(self.program.states[state], owner, {})
        return () if found is None else (self.build.need(found, self.low.clause),)

    def set_state(self, node: ir.SetState) -> Iterator[Statement]:
        owner = self._owner(node.state, node.owner)
        state = self.program.states[node.state]
        value = self.low.start_of(state) if node.value is None else self.bounded(state, self.low.lower(node.value))
        yield self._put(node.state, value, owner)

    def _put(self, number: int, value: Value, owner: tuple[Value, ...]) -> Statement:
        statement = self.do("set_state", value, *owner, data=(number,))
        self.note(("state", number), value.fact, weak=bool(owner), grown=find_growth(value, number))
        return statement

    def bounded(self, state: ir.State, value: Value) -> Value:
        """A value checked against the declared bounds of a state."""
        build = self.build
        if value.fact.none and state.type.kind != "maybe":
            value = build.need(value, state.clause)
        if value.fact.is_list:
            return self._bounded_list(state, value)
        low, high = bounds_of(state, NUMBER)
        if certain(state.type).kind != "number" or (value.fact.low >= low and value.fact.high <= high):
            return value
        return build.unless_none(
            [value], build.none, lambda args: self.low.within_range(args[0], low, high, state.clause)
        )

    def _bounded_list(self, state: ir.State, value: Value) -> Value:
        """A list checked against the declared length of a state and the bounds of its elements."""
        build, of = self.build, value.element
        if state.most is not None and value.fact.high > state.most:
            fits = build.negate(build.less(build.number(state.most), build.count(value)))
            value = build.check(fits, value, state.clause)
            value = build.make("sure", (value,), (), replace(value.fact, high=state.most))
        low, high = bounds_of(state, of)
        if of.low < low or of.high > high:

            def is_outside(element: Value) -> Value:
                return build.either(build.less(element, build.number(low)), build.less(build.number(high), element))

            value = build.check(build.negate(build.any(build.each(value, is_outside))), value, state.clause)
        return value

    def add_to(self, node: ir.AddTo) -> Iterator[Statement]:
        owner = self._owner(node.state, node.owner)
        state = self.program.states[node.state]
        value = self.low.need(node.value)
        keeps_order = _keeps_order(state)
        if not node.remove and (state.low is not None or state.high is not None):
            value = self.low.within_range(value, *bounds_of(state, NUMBER), state.clause)
        held = self.low.places[("state", node.state)]
        of = held.of or value.fact
        longest = held.high if node.remove else held.high + 1
        if keeps_order:
            longest = min(longest, self.program.players)
        fact = list_of(join(of, value.fact), min(longest, state.most or self.most_listed))
        how = (node.state, node.remove, keeps_order, state.most is not None, node.state in self._in_order)
        yield self.do("add_to", value, *owner, data=how)
        self.note(("state", node.state), fact, weak=bool(owner))

    def shuffle_list(self, node: ir.ShuffleList) -> Iterator[Statement]:
        owner = self._owner(node.state, node.owner)
        yield self.do("shuffle_list", *owner, data=(node.state,))
        held = self.low.places[("state", node.state)]
        if held.of is not None:
            self.note(("state", node.state), list_of(held.of, held.high), weak=bool(owner))

    def pay(self, node: ir.Pay) -> Iterator[Statement]:
        build = self.build
        source, target = self._owner(node.source, node.source_owner), self._owner(node.target, node.target_owner)
        held = self.low.read_state(node.source, *source)
        wanted = build.extreme(held, build.false, highest=True) if node.amount is None else self.low.need(node.amount)
        wanted = build.check(build.negate(build.less(wanted, build.false)), wanted, node.clause)
        if not self.program.states[node.source].debt:
            wanted = build.check(build.negate(build.less(held, wanted)), wanted, node.clause)
        amount = yield from self.let(wanted)
        left = build.subtract(held, amount)
        if node.source == node.target:  # perhaps the same place: write before the second read
            yield self._put(node.source, left, source)
        paid = self.low.read_state(node.target, *target)
        after = yield from self.let(build.add(paid, amount))
        if node.source != node.target:  # the addition can fault: both writes come after it
            yield self._put(node.source, left, source)
        yield self._put(node.target, after, target)

    def score(self, node: ir.Score) -> Iterator[Statement]:
        build = self.build
        scored = self.low.need(node.amount)
        test, amount = build.true, scored
        if node.table and scored.op == "if" and scored.args[1].constant and scored.args[2].constant == 0:
            test, amount, _ = scored.args  # a conditional score of a constant or 0: branch on its test
        amount = yield from self.let(amount)
        seat = yield from self.let(self.low.need(node.seat))
        if node.table and amount.fact.low <= 0 <= amount.fact.high:
            test = build.negate(build.equal(amount, build.false))
        changes = tuple(self._score(node, scored, amount, seat))
        if test is build.true:
            yield from changes
        else:
            yield When(test, changes)

    def _score(self, node: ir.Score, scored: Value, amount: Value, seat: Value) -> Iterator[Statement]:
        build, most = self.build, self.program.most
        is_sum = scored.op == "sum" and node.parts is not None and self.low.lower(node.parts) is scored.args[0]
        if not is_sum:  # else the sum evaluates the parts
            yield from self.evaluate(node.parts)
        place = ("total", node.column)
        total = build.read("total", self.low.places[place], seat, data=(node.column,))
        if most is not None:
            left = build.extreme(build.subtract(build.number(most), total), build.false, highest=True)
            amount = yield from self.let(build.extreme(amount, left, highest=False))
        after = build.add(total, amount)
        yield self.do("set_total", after, seat, data=(node.column,))
        self.note(place, after.fact, weak=True, grown=amount.fact)
        if self.program.keeps_lines:
            yield self.do("write_line", amount, seat, data=(node.column,))

    def mark(self, node: ir.Mark) -> Iterator[Statement]:
        yield self.do("mark", self.low.need(node.seat), data=(node.mark,))

    # ---------------------------------------------------------------------------------------------- rounds and turns
    def keep(self, node: ir.Keep) -> Iterator[Statement]:
        yield self.do("keep", data=(node.clause,))

    def take_back(self, node: ir.TakeBack) -> Iterator[Statement]:
        yield from self.evaluate(node.seat)
        yield self.do("take_back")
        for place, fact in self.low.declare().items():
            if place[0] != "slot":
                self.note(place, fact, grown=None if fact.is_list else exactly(0))  # an earlier value of the place

    def begin_round(self, node: ir.BeginRound) -> Iterator[Statement]:
        for number, state in enumerate(self.program.states):
            if state.lasts == "round":
                value = self.low.start_of(state)
                for owner in self._owners(state):
                    yield self.do("set_state", value, *owner, data=(number,))
                self.note(("state", number), value.fact)

    def leave(self, node: ir.Leave) -> Iterator[Statement]:
        for slot in node.slots:
            if self.low.places.get(("slot", slot)) != exactly(-1):
                yield self.do("set_slot", self.build.number(-1), data=(slot,))
                self.note(("slot", slot), exactly(-1))


def find_in_order(program: ir.Program) -> frozenset[int]:
    """The states that are sorted lists of seats, since they start empty and are written by insertion, removal and
    reset."""
    otherwise = {
        node.state
        for block in program.blocks
        for node in block.instructions
        if isinstance(node, ir.ShuffleList) or (isinstance(node, ir.SetState) and node.value is not None)
    }
    states = enumerate(program.states)
    return frozenset(at for at, each in states if _keeps_order(each) and each.start == () and at not in otherwise)


def _keeps_order(state: ir.State) -> bool:
    element = certain(state.type).of
    return state.most is None and element is not None and certain(element).kind == "seat"


def find_growth(value: Value, number: int) -> Fact | None:
    """The increment if a value is an update of a state: how much more it is than what the state holds, or, in the other
    arm of a conditional, than 0; None if neither arm reads the state. Of a family any member may be read: the highest
    of all has still grown by no more."""
    if value.op == "state" and value.number == number:
        return exactly(0)
    if value.op in ("sure", "need", "check"):
        return find_growth(value.args[-1], number)
    if value.op == "if":
        yes, no = value.args[1:]
        ways = find_growth(yes, number), find_growth(no, number)
        return None if ways == (None, None) else join(ways[0] or yes.fact, ways[1] or no.fact)
    if value.op in ("add", "subtract"):
        first, second = value.args
        grown = find_growth(first, number)
        if grown is None and value.op == "add":
            grown, second = find_growth(second, number), first
        if grown is not None:
            more = second.fact if value.op == "add" else between(-second.fact.high, -second.fact.low)
            return between(grown.low + more.low, grown.high + more.high)
    return None


_PLAIN: dict[type[ir.Instruction], tuple[str, ...]] = {
    ir.Gather: ("gather", "zone"), ir.Shuffle: ("shuffle", "zone"), ir.Cut: ("cut", "zone"),
    ir.TurnOver: ("turn_over", "zone"), ir.Swap: ("swap", "first", "second"), ir.Retire: ("retire", "seat"),
    ir.EndRound: ("end_round",),
}  # fmt: skip
_BY_NODE: dict[type[ir.Instruction], Callable[[Instructions, Any], Iterator[Statement]]] = {
    **dict.fromkeys(_PLAIN, Instructions.change), ir.Deal: Instructions.deal, ir.Move: Instructions.move,
    ir.TurnUp: Instructions.turn, ir.TurnDown: Instructions.turn, ir.Show: Instructions.show,
    ir.SetState: Instructions.set_state, ir.AddTo: Instructions.add_to, ir.ShuffleList: Instructions.shuffle_list,
    ir.Let: Instructions.let_slot, ir.Draw: Instructions.draw, ir.Score: Instructions.score, ir.Mark: Instructions.mark,
    ir.Pay: Instructions.pay, ir.Announce: Instructions.announce, ir.Keep: Instructions.keep,
    ir.TakeBack: Instructions.take_back,
    ir.BeginRound: Instructions.begin_round, ir.Leave: Instructions.leave,
}  # fmt: skip
