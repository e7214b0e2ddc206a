"""Code for instructions.

In: instructions of the IR. Out: statements that change the position in place, or, where events are recorded, calls of
the reference's effects with the values worked out.

Whatever can fail comes before whatever changes the position: if the code stops in the middle of an instruction, the
reference carries out the same instruction from its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hoyle.engine.generate.choices import is_unique
from hoyle.engine.generate.module import PARTS_OF_POSITION
from hoyle.engine.generate.moving import Moving
from hoyle.engine.generate.running import Running
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import OR, Code, atom
from hoyle.engine.limits import LONGEST_STATE
from hoyle.ir import nodes as ir
from hoyle.ir.instructions import touches_zones
from hoyle.ir.parts import Part
from hoyle.ir.types import certain
from hoyle.view.names import Names
from hoyle.words.bounds import LARGEST_NUMBER

# What the reference carries out without putting new lists in the place of those of the position.
IN_PLACE = (
    ir.Gather, ir.Shuffle, ir.Cut, ir.Deal, ir.Move, ir.TurnOver, ir.TurnUp, ir.TurnDown, ir.Swap, ir.Show,
    ir.SetState, ir.AddTo, ir.ShuffleList, ir.Draw, ir.Score, ir.Mark, ir.Announce, ir.BeginRound, ir.EndRound, ir.Pay,
    ir.Retire,
)  # fmt: skip


Writers = dict[type[ir.Instruction], Callable[[Any, str], None]]


class Instructions:
    """Writes instructions into one function. `recorded`: events are told."""

    def __init__(self, values: Values, *, recorded: bool) -> None:
        self.values = values
        self.writer = values.writer
        self.module = values.module
        self.program = values.module.program
        self.recorded = recorded
        self.running = Running(values)
        self.moving = Moving(values, self.running.begin)
        states = Names(self.program).states
        self.piles = tuple(i for i, (state, _) in enumerate(states) if certain(state.type).kind == "zone")
        self.after_score: Callable[[], None] | None = None
        self._by_node = self._tell_all() if recorded else self._change_all()

    def _tell_all(self) -> Writers:
        """What is told of is left to the reference, but for what happens often or takes long to work out."""
        found: Writers = {
            ir.SetState: self._tell_state,
            ir.Score: self._tell_score,
            ir.Let: self._let,
            ir.Leave: self._leave,
        }
        if any(zone.cases for zone in self.program.zones):  # who sees what then, the reference works out
            return {ir.Let: self._let, ir.Leave: self._leave}
        return found if self.piles else {**found, ir.Move: self._tell_move}

    def _change_all(self) -> Writers:
        found: Writers = {
            ir.Gather: self._gather,
            ir.Shuffle: self._shuffle,
            ir.Cut: self._cut,
            ir.Deal: self._deal,
            ir.Move: self._move,
            ir.TurnOver: self._turn_over,
            ir.Swap: self._swap,
            ir.Show: self._show,
            ir.SetState: self._set_state,
            ir.AddTo: self._add_to,
            ir.ShuffleList: self._shuffle_list,
            ir.Let: self._let,
            ir.Draw: self._draw,
            ir.Score: self._score,
            ir.Announce: self._announce,
            ir.BeginRound: self._begin_round,
            ir.EndRound: self._end_round,
            ir.Leave: self._leave,
        }
        if self.program.keeps_faces:  # which side is up after a move, the reference works out
            found = {kind: write for kind, write in found.items() if not _turns(kind)}
        return found

    def write(self, instruction: ir.Instruction, node: str) -> None:
        """The statements of an instruction; `node` is what it is called in the module."""
        writer = self._by_node.get(type(instruction))
        if writer is None:
            self.leave_to_reference(instruction, node)
        else:
            writer(instruction, node)
            if self.piles and not self.recorded and touches_zones(instruction):
                self.writer.add(f"drop_piles(zones, states, {self.module.literal(self.piles).text})")
        self.running.follow(instruction)

    def leave_to_reference(self, instruction: ir.Instruction, node: str) -> None:
        """Let the reference work out the values, change the position and tell of it."""
        self.writer.add(f"effects.carry_out({node}, position)")
        if not isinstance(instruction, IN_PLACE):
            for part in PARTS_OF_POSITION:
                self.writer.add(f"{part} = position.{part}")

    # ---------------------------------------------------------------------------------------------- help
    def simple(self, expr: ir.Expr) -> ir.Expr:
        return self.module.simple(expr)

    def need(self, expr: ir.Expr) -> Code:
        return self.values.need(self.simple(expr))

    def elements(self, expr: ir.Expr) -> Code:
        """The elements of a list, each once."""
        simple = self.simple(expr)
        code = self.values.each(simple)
        return code if is_unique(simple) else atom(f"[*dict.fromkeys({code.text})]")

    # ---------------------------------------------------------------------------------------------- told of
    def _tell_move(self, instruction: ir.Move, node: str) -> None:
        cards = self.simple(instruction.cards)
        moved = self.values.each(cards)
        once = f"tuple({moved.text})" if is_unique(cards) else f"tuple(dict.fromkeys({moved.text}))"
        zone = self.need(instruction.zone)
        self.writer.add(f"effects.move({node}, {once}, {zone.text}, position)")

    def _tell_state(self, instruction: ir.SetState, node: str) -> None:
        place = self._state_place(instruction)
        if instruction.value is None:
            value = self.module.literal(self.program.states[instruction.state].start)
        else:
            value = self.values.value(self.simple(instruction.value))
        self.writer.add(f"effects.put_state({node}, {place.text}, {value.text}, position)")

    def _tell_score(self, instruction: ir.Score, node: str) -> None:
        amount = self.values.name(self.need(instruction.amount))
        seat = self.values.name(self.need(instruction.seat))
        with self._unless_nothing(instruction, amount):
            parts = atom("None") if instruction.parts is None else self.values.value(self.simple(instruction.parts))
            self.writer.add(f"effects.score({node}, {amount.text}, {seat.text}, {parts.text}, position)")

    @contextmanager
    def _unless_nothing(self, instruction: ir.Score, amount: Code) -> Iterator[None]:
        """A row of a score table that comes to 0 writes nothing; then what follows a score need not be done either."""
        if not instruction.table:
            yield
            return
        self.writer.add(f"if {amount.text}:")
        with self.values.scope(), self.writer.indented():
            yield
            if self.after_score is not None:
                self.after_score()

    # ---------------------------------------------------------------------------------------------- cards
    def _gather(self, instruction: ir.Gather, node: str) -> None:
        zone = self.need(instruction.zone)
        deck = self.module.table(tuple(range(len(self.program.cards))), "the deck")
        self.writer.add("for pile in zones:")
        with self.writer.indented():
            self.writer.add("pile.clear()")
        self.writer.add(f"zones[{zone.text}][:] = {deck}")
        if self.program.keeps_holders:
            self.writer.add(f"holders[:] = [None] * {len(self.program.cards)}")
            self.moving.hold(zone)

    def _shuffle(self, instruction: ir.Shuffle, node: str) -> None:
        self.writer.add(f"shuffle(position, {self.need(instruction.zone).text})")

    def _cut(self, instruction: ir.Cut, node: str) -> None:
        self.writer.add(f"cut(position, {self.need(instruction.zone).text})")

    def _deal(self, instruction: ir.Deal, node: str) -> None:
        if self.moving.deal(instruction):
            return
        source = self.need(instruction.source)
        targets = self.elements(instruction.targets)
        packet = self.need(instruction.packet)
        count = atom("None") if instruction.count is None else self.need(instruction.count)
        owners = "OWNERS" if self.program.keeps_holders else "None"
        given = f"{source.text}, {targets.text}, {count.text}, {packet.text}, {instruction.up_to}"
        self.writer.add(f"deal(position, {owners}, {given})")

    def _move(self, instruction: ir.Move, node: str) -> None:
        self.moving.move(self.simple(instruction.cards), self.simple(instruction.zone), bottom=instruction.bottom)

    def _turn_over(self, instruction: ir.TurnOver, node: str) -> None:
        self.writer.add(f"zones[{self.need(instruction.zone).text}].reverse()")

    def _swap(self, instruction: ir.Swap, node: str) -> None:
        first = self.values.name(self.need(instruction.first))
        second = self.values.name(self.need(instruction.second))
        a, b = f"zones[{first.text}]", f"zones[{second.text}]"
        self.writer.add(f"{a}, {b} = {b}, {a}")
        self.moving.hold(first)
        self.moving.hold(second)

    def _show(self, instruction: ir.Show, node: str) -> None:
        self._only_try(instruction.cards, instruction.seats)

    def _only_try(self, *exprs: ir.Expr) -> None:
        """Values nobody is told: worked out only where that can fail."""
        for expr in map(self.simple, exprs):
            if self.module.facts.can_fault(expr):
                self.writer.add(self.values.each(expr).text)

    # ---------------------------------------------------------------------------------------------- values kept
    def _set_state(self, instruction: ir.SetState, node: str) -> None:
        state = self.program.states[instruction.state]
        place = self._state_place(instruction)
        if instruction.value is None:
            value = self.module.literal(state.start)
        else:
            value = self._bounded(state, self.simple(instruction.value))
        self.writer.add(f"states[{place.text}] = {value.text}")

    def _state_place(self, instruction: ir.SetState | ir.AddTo | ir.ShuffleList) -> Code:
        owner = None if instruction.owner is None else self.simple(instruction.owner)
        place = self.values.place(owner, self.program.states[instruction.state])
        if owner is not None and self.values.is_none(owner):
            place = self.values.name(place)
            self.values.stop_if(f"{place.text} is None")
        return place

    def _bounded(self, state: ir.State, expr: ir.Expr) -> Code:
        """A value within what the state can hold."""
        value, maybe = self.values.value(expr), self.values.is_none(expr)
        if maybe and state.type.kind != "maybe":
            value = self.values.name(value)
            self.values.stop_if(f"{value.text} is None")
            maybe = False
        if certain(state.type).kind == "list":
            longest = self.module.facts.bound_length(expr)
            return self._bounded_list(state, value, longest, maybe)
        if certain(state.type).kind != "number":
            return value
        low, high = _find_range(state)
        if value.text.lstrip("-").isdecimal() and low <= int(value.text) <= high:
            return value
        value = self.values.name(value)
        known = f"{value.text} is not None and " if maybe else ""
        self.values.stop_if(f"{known}not {low} <= {value.text} <= {high}")
        return value

    def _bounded_list(self, state: ir.State, value: Code, longest: int | None, maybe: bool) -> Code:
        """A list that is not too long, of numbers in the range of the state; `longest`: what it can be, if known."""
        most = LONGEST_STATE if state.most is None else state.most
        if longest is None or longest > most:
            value = self.values.name(value)
            self.values.stop_if(f"len({value.text}{' or ()' if maybe else ''}) > {most}")
        if state.low is not None or state.high is not None:
            value = self.values.name(value)
            low, high = _find_range(state)
            self.values.stop_if(f"{value.text} and not {low} <= min({value.text}) <= max({value.text}) <= {high}")
        return value

    def _add_to(self, instruction: ir.AddTo, node: str) -> None:
        place = self.values.name(self._state_place(instruction))
        value = self.values.name(self.need(instruction.value))
        state = self.program.states[instruction.state]
        of = certain(state.type).of
        held, longest = f"states[{place.text}] or ()", None
        if instruction.remove and state.most is not None:
            changed = atom(f"take_out({held}, {value.text})")
        elif instruction.remove:
            changed = atom(f"tuple([x for x in {held} if x != {value.text}])")
        elif state.most is None and of is not None and of.kind == "seat":
            changed, longest = atom(f"tuple(sorted({{*({held}), {value.text}}}))"), self.program.players
        else:
            changed = atom(f"(*({held}), {value.text})")
        changed = self._bounded_list(state, changed, longest, maybe=False)
        self.writer.add(f"states[{place.text}] = {changed.text}")

    def _shuffle_list(self, instruction: ir.ShuffleList, node: str) -> None:
        place = self.values.name(self._state_place(instruction))
        state = self.program.states[instruction.state]
        held = self._bounded_list(state, Code(f"states[{place.text}] or ()", OR), longest=None, maybe=False)
        self.writer.add(f"states[{place.text}] = shuffle_list(position, {held.text})")

    def _let(self, instruction: ir.Let, node: str) -> None:
        value = self.values.value(self.simple(instruction.value)).text
        if self.module.work.can_be_long(instruction.value):
            value = f"keep({value})"
        self.writer.add(f"slots[{instruction.slot}] = {value}")

    def _draw(self, instruction: ir.Draw, node: str) -> None:
        elements = self.values.each(self.simple(instruction.source))
        self.writer.add(f"slots[{instruction.slot}] = draw(position, {elements.text})")

    def _score(self, instruction: ir.Score, node: str) -> None:
        simple = self.simple(instruction.amount)
        only = _find_only(simple) if instruction.table else None
        amount = self.need(instruction.amount) if only is None else atom(str(only[1]))
        seat = self.values.name(self.need(instruction.seat))
        if instruction.table or self.program.keeps_lines or self.program.most is not None:
            amount = amount if _PART.fullmatch(amount.text) else self.values.name(amount)
        total = f"totals[{instruction.column}][{seat.text}]"
        test = amount if only is None else self.values.test(only[0])
        with self._unless_nothing(instruction, test):
            # `parts` are only told of: their sum, the amount, would have failed before them.
            if self.program.keeps_lines:
                self.writer.add(f"effects.score({node}, {amount.text}, {seat.text}, None, position)")
            elif self.program.most is not None:
                self.writer.add(f"{total} += min({amount.text}, max(0, {self.program.most} - {total}))")
            else:
                self.writer.add(f"{total} += {amount.text}")

    def _announce(self, instruction: ir.Announce, node: str) -> None:
        self._only_try(instruction.value, *instruction.parts)

    # ---------------------------------------------------------------------------------------------- course
    def _begin_round(self, instruction: ir.BeginRound, node: str) -> None:
        for index, (state, _) in enumerate(Names(self.program).states):
            if state.lasts == "round":
                self.writer.add(f"states[{index}] = {self.module.literal(state.start).text}")

    def _end_round(self, instruction: ir.EndRound, node: str) -> None:
        self.writer.add("position.rounds_played += 1")

    def _leave(self, instruction: ir.Leave, node: str) -> None:
        if instruction.slots:
            self.writer.add("".join(f"slots[{slot}] = " for slot in instruction.slots) + "-1")


def _find_range(state: ir.State) -> tuple[int, int]:
    """The least and the highest number that a state can hold."""
    low = -LARGEST_NUMBER + 1 if state.low is None else state.low
    return low, LARGEST_NUMBER - 1 if state.high is None else state.high


def _turns(kind: type[ir.Instruction]) -> bool:
    """Whether instructions of a kind may change which side of a card is up."""
    return any(touch.part is Part.FACES for touch in kind.writes or ())


def _find_only(amount: ir.Expr) -> tuple[ir.Expr, int] | None:
    """The test and the number, if an amount is a number where a test holds and nothing otherwise."""
    if not isinstance(amount, ir.If) or not isinstance(amount.yes, ir.Const) or not isinstance(amount.no, ir.Const):
        return None
    number = amount.yes.value
    return (amount.test, number) if isinstance(number, int) and number and amount.no.value == 0 else None


_PART = re.compile(r"\w+\[\d+\]")  # one of several results: read again as fast as a name
