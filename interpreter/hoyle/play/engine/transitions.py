"""Instructions: atomic changes of a position, and the events that report them.

In: an instruction and a position. Out: the position changed in place; if recording, one event per change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.limits import FEW, LONGEST_STATE, MOST_IN_NAMES, MOST_ROUNDS, measure_value
from hoyle.play.engine.outcomes import Chance
from hoyle.play.engine.paying import pay, retire
from hoyle.play.engine.work import count_handling
from hoyle.play.view.names import holds_cards
from hoyle.play.view.seeing import Sight, everybody
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import touches_zones
from hoyle.program.ir.types import Type, certain
from hoyle.program.ir.visibility import has_faces
from hoyle.program.model.events import Event
from hoyle.program.model.offences import make_record, take_back
from hoyle.program.model.position import MANY, Position
from hoyle.program.model.runtime_values import Value
from hoyle.program.words.bounds import LARGEST_NUMBER

Record = Callable[[Event], None]
Changing = ir.SetState | ir.AddTo | ir.ShuffleList


class Effects:
    """Executes the instructions of one program."""

    def __init__(self, program: ir.Program, evaluator: Evaluator, sight: Sight, record: Record | None) -> None:
        self.program = program
        self.evaluator = evaluator
        self.record = record
        self.chance = Chance()
        self.sight = sight
        self.names = sight.names
        self.spent = 0  # evaluation steps; reset by the executor
        self.everybody = everybody(program.players)
        self._faced = {
            zone for zone, (declared, _) in enumerate(self.names.zones) if has_faces(declared)
        }  # zones that track whether a card lies face up
        self._cased = [zone for zone, (declared, _) in enumerate(self.names.zones) if declared.cases]
        self._pile_states = [
            index for index, (state, _) in enumerate(self.names.states) if certain(state.type).kind == "zone"
        ]
        self._by_node: dict[type[ir.Instruction], Callable[[Any, Position], None]] = {
            ir.Gather: self._gather,
            ir.Shuffle: self._shuffle,
            ir.Cut: self._cut,
            ir.Deal: self._deal,
            ir.Move: self._move,
            ir.TurnOver: self._turn_over,
            ir.TurnUp: self._turn_up,
            ir.TurnDown: self._turn_down,
            ir.Swap: self._swap,
            ir.Show: self._show,
            ir.SetState: self._set_state,
            ir.AddTo: self._add_to,
            ir.ShuffleList: self._shuffle_list,
            ir.Let: self._let,
            ir.Draw: self._draw,
            ir.Score: self._score,
            ir.Mark: self._mark,
            ir.Announce: self._announce,
            ir.BeginRound: self._begin_round,
            ir.EndRound: self._end_round,
            ir.Keep: self._keep,
            ir.TakeBack: self._take_back,
            ir.Leave: self._leave,
            **{kind: partial(carry_out, self) for kind, carry_out in FROM_ELSEWHERE.items()},
        }

    def carry_out(self, instruction: ir.Instruction, position: Position) -> None:
        """Execute one instruction."""
        if self.record is not None and self._cased:
            before = self._see_cased(position)
            self._by_node[type(instruction)](instruction, position)
            self._tell_opened(position, before, instruction.clause)
        else:
            self._by_node[type(instruction)](instruction, position)
        self.spent += count_handling(instruction, len(self.program.cards))
        if self._pile_states and touches_zones(instruction):
            self._drop_piles(position, instruction.clause)

    def _see_cased(self, position: Position) -> list[dict[int, int]]:
        """For each zone whose visibility is conditional: the seats that see each of its cards, as masks."""
        return [
            dict(zip(position.zones[zone], self.sight.mask_places(position, zone), strict=True)) for zone in self._cased
        ]

    def _tell_opened(self, position: Position, before: list[dict[int, int]], clause: int) -> None:
        """Report cards that have become visible to more seats without moving, in zones of conditional visibility."""
        for zone, seen, now in zip(self._cased, before, self._see_cased(position), strict=True):
            opened = {card: mask for card, mask in now.items() if card in seen and mask & ~seen[card]}
            if opened:
                seats = [seat for seat in range(position.players) if any(mask >> seat & 1 for mask in opened.values())]
                data = {"cards": list(opened), "seats": seats, "source": [zone] * len(opened)}
                self.tell("shown", data, clause, known=tuple(opened.values()))

    def _drop_piles(self, position: Position, clause: int) -> None:
        """Clear states that refer to a pile which no longer exists."""
        for index in self._pile_states:
            place = position.states[index]
            if place is not None and not position.zones[place]:
                position.states[index] = None
                state, owner = self.names.states[index]
                data = {"state": self.program.states.index(state), "owner": owner, "value": None}
                self.tell("set", data, clause, told=self.sight.mask_state(index))

    def tell(
        self,
        name: str,
        data: dict[str, Any],
        clause: int | None,
        *,
        seat: int | None = None,
        told: int | None = None,
        known: tuple[int, ...] = (),
    ) -> None:
        """Record an event; `told` is the mask of the seats that hear of it, by default all."""
        if self.record is not None:
            self.record(Event(name, seat, data, clause, self.everybody if told is None else told, known))

    # ---------------------------------------------------------------------------------------------- values
    def value(self, expr: ir.Expr, position: Position) -> Any:
        try:
            return self.evaluator.evaluate(expr, position, [None] * self.program.frame)
        finally:
            self.spent += self.evaluator.spent

    def need(self, expr: ir.Expr, position: Position, what: str) -> Any:
        """The value of an expression that must not be none; a fault otherwise."""
        value = self.value(expr, position)
        if value is None:
            raise Fault("no-value", f"{what} is none" + (f": `{expr.text}`" if expr.text else ""))
        return value

    def elements(self, expr: ir.Expr, position: Position) -> tuple[Any, ...]:
        values: tuple[Value, ...] | None = self.value(expr, position)
        return () if values is None else tuple(dict.fromkeys(values))

    # ---------------------------------------------------------------------------------------------- cards
    def _gather(self, node: ir.Gather, position: Position) -> None:
        zone = self.need(node.zone, position, "the zone to gather into")
        for pile in position.zones:
            pile.clear()
        position.zones[zone].extend(range(len(self.program.cards)))
        position.turned = [False] * len(position.turned)
        if self.program.keeps_holders:
            position.holders[:] = [None] * len(self.program.cards)  # in place: generated code may hold a reference
            self._hold(position, zone)
        self.tell("gathered", {"zone": zone}, node.clause)

    def _shuffle(self, node: ir.Shuffle, position: Position) -> None:
        zone = self.need(node.zone, position, "the zone to shuffle")
        position.zones[zone] = self.chance.order(position, position.zones[zone])
        self.tell("shuffled", {"zone": zone}, node.clause)

    def _cut(self, node: ir.Cut, position: Position) -> None:
        zone = self.need(node.zone, position, "the zone to cut")
        pile = position.zones[zone]
        at = self.chance.cut(position, pile)
        if at:
            position.zones[zone] = pile[at:] + pile[:at]
            self.tell("cut", {"zone": zone}, node.clause)

    def _deal(self, node: ir.Deal, position: Position) -> None:
        source = self.need(node.source, position, "the zone to deal from")
        targets = self.elements(node.targets, position)
        packet = max(1, self.need(node.packet, position, "how many are dealt at a time"))
        pile = position.zones[source]
        count = None if node.count is None else self.need(node.count, position, "how many to deal")
        if count is not None and not node.up_to and count * len(targets) > len(pile):
            raise Fault(
                "short-deal", f"{count} cards to each of {len(targets)}, but only {len(pile)} in "
                f"`{self.names.name_zone(source)}`"
            )  # fmt: skip
        places = plan_deal(targets, len(pile), count, packet)
        cards = tuple(reversed(pile[len(pile) - len(places) :]))
        tops = [(source, place) for place in range(len(pile) - 1, len(pile) - 1 - len(places), -1)]
        before = self.sight.mask_spots(position, tops) if self.record or self._faced else []
        del pile[len(pile) - len(places) :]
        spots = []
        for card, zone in zip(cards, places, strict=True):
            spots.append((zone, len(position.zones[zone])))
            position.zones[zone].append(card)
        for zone in set(places):
            self._hold(position, zone)
        self._keep_faces(position, cards, places, before)
        if cards:
            known = self._learn(position, spots, before)
            data = {"cards": list(cards), "source": source, "to": places}
            self.tell("dealt", data, node.clause, known=known)

    def _hold(self, position: Position, zone: int) -> None:
        """Record the owner of a zone as the last holder of the cards in it."""
        owner = self.names.zones[zone][1]
        if self.program.keeps_holders and owner is not None:
            for card in position.zones[zone]:
                position.holders[card] = owner

    def _learn(self, position: Position, spots: Sequence[tuple[int, int]], before: list[int]) -> tuple[int, ...]:
        """For each card the mask of seats that know it: those that saw it before the move or see it now."""
        if self.record is None:
            return ()
        return tuple(a | b for a, b in zip(before, self.sight.mask_spots(position, spots), strict=True))

    def _see_before(self, position: Position, cards: tuple[int, ...]) -> list[int]:
        """For each card the mask of seats that see it before it is moved; empty if nothing depends on it."""
        return self.sight.mask_cards(position, cards) if self.record or self._faced else []

    def _keep_faces(self, position: Position, cards: Sequence[int], zones: Sequence[int], before: list[int]) -> None:
        """A card moved into a zone with faces lies face up there if all seats saw it before the move."""
        if self._faced:
            for card, zone, mask in zip(cards, zones, before, strict=True):
                position.turned[card] = zone in self._faced and mask == self.everybody

    def _move(self, node: ir.Move, position: Position) -> None:
        cards = self.elements(node.cards, position)
        self.move(node, cards, self.need(node.zone, position, "the zone to move to"), position)

    def move(self, node: ir.Move, cards: tuple[int, ...], zone: int, position: Position) -> None:
        """Move cards, which must be distinct."""
        if not cards:
            return
        before = self._see_before(position, cards)
        sources = self._take(position, cards)
        target = position.zones[zone]
        at = 0 if node.bottom else len(target)
        target[at:at] = cards
        self._hold(position, zone)
        self._keep_faces(position, cards, [zone] * len(cards), before)
        known = self._learn(position, position.find_all(cards), before)
        data = {"cards": list(cards), "source": sources, "zone": zone, "bottom": node.bottom}
        self.tell("moved", data, node.clause, known=known)

    def _take(self, position: Position, cards: tuple[int, ...]) -> list[int]:
        """Remove cards from the zones they lie in, and return those zones."""
        sources = [zone for zone, _ in position.find_all(cards)]
        taken = cards if len(cards) <= MANY else set(cards)
        for zone in set(sources):
            position.zones[zone][:] = [card for card in position.zones[zone] if card not in taken]
        return sources

    def _turn_over(self, node: ir.TurnOver, position: Position) -> None:
        zone = self.need(node.zone, position, "the zone to turn over")
        position.zones[zone].reverse()
        if zone in self._faced:
            for card in position.zones[zone]:
                position.turned[card] = not position.turned[card]
        self.tell("turned_over", {"zone": zone}, node.clause)

    def _turn_up(self, node: ir.TurnUp, position: Position) -> None:
        self._turn(node, node.cards, position, up=True)

    def _turn_down(self, node: ir.TurnDown, position: Position) -> None:
        self._turn(node, node.cards, position, up=False)

    def _turn(self, node: ir.Instruction, cards: ir.Expr, position: Position, *, up: bool) -> None:
        turned = tuple(card for card in self.elements(cards, position) if position.turned[card] is not up)
        places = position.find_all(turned)
        for zone, _ in places:
            if zone not in self._faced:
                where = self.names.name_zone(zone)
                raise Fault("not-turned", f"in `{where}` cards lie neither face up nor face down", node.clause)
        for card in turned:
            position.turned[card] = up
        if turned:
            data = {"cards": list(turned), "up": up, "source": [zone for zone, _ in places]}
            self.tell("turned", data, node.clause, known=(self.everybody,) * len(turned))

    def _swap(self, node: ir.Swap, position: Position) -> None:
        first = self.need(node.first, position, "a zone to swap")
        second = self.need(node.second, position, "a zone to swap")
        zones = position.zones
        cards = (*zones[second], *zones[first])
        places = [first] * len(zones[second]) + [second] * len(zones[first])
        before = self.sight.mask_cards(position, cards) if self._faced else []
        zones[first], zones[second] = zones[second], zones[first]
        self._keep_faces(position, cards, places, before)
        self._hold(position, first)
        self._hold(position, second)
        self.tell("swapped", {"zones": [first, second]}, node.clause)

    def _show(self, node: ir.Show, position: Position) -> None:
        cards = self.elements(node.cards, position)
        seats = self.elements(node.seats, position)
        if self.record is None or not cards:
            return
        told = self.everybody if len(set(seats)) == position.players else sum(1 << seat for seat in seats)
        known = tuple(mask | told for mask in self.sight.mask_cards(position, cards))
        data = {"cards": list(cards), "seats": list(seats), "source": [zone for zone, _ in position.find_all(cards)]}
        self.tell("shown", data, node.clause, known=known)

    # ---------------------------------------------------------------------------------------------- state and scores
    def put_state(self, node: Changing, index: int, value: Value, position: Position) -> None:
        """Set a state, after checking its bounds, and tell the seats that may see it."""
        state, owner = self.names.states[index]
        cleared = isinstance(node, ir.SetState) and node.value is None
        if value is None and state.type.kind != "maybe" and not cleared:
            raise Fault("no-value", f"`{state.name}` may not be none")
        self._check_bounds(state, value)
        if position.states[index] == value:
            return
        position.states[index] = value
        data = {"state": node.state, "owner": owner, "value": value}
        self.tell("set", data, node.clause, told=self.sight.mask_state(index))

    def _check_bounds(self, state: ir.State, value: Value) -> None:
        """Check that a number, or each number of a list, is in the range of its state, and that a list is not too
        long."""
        if isinstance(value, tuple):
            most = LONGEST_STATE if state.most is None else state.most
            if len(value) > most:
                raise Fault("list-full", f"`{state.name}` would hold {len(value)}, and {most} is the most")
            if state.low is not None or state.high is not None:
                for part in value:
                    self._check_bounds(state, part)
        elif isinstance(value, int) and not isinstance(value, bool) and _is_about_numbers(state.type):
            low, high = state.low, state.high
            if (low is not None and value < low) or (high is not None and value > high):
                raise Fault("out-of-range", f"`{state.name}` would be {value}, outside {low}..{high}")
            if abs(value) >= LARGEST_NUMBER:
                raise Fault("too-large", f"`{state.name}` grows beyond all bounds")

    def _find_state(self, node: Changing, position: Position) -> int:
        self.evaluator.begin()
        index = self.evaluator.state_index(node.state, node.owner, position, [None] * self.program.frame)
        if index is None:
            raise Fault("no-value", f"`{self.program.states[node.state].name}` of nobody cannot be set")
        return index

    def _set_state(self, node: ir.SetState, position: Position) -> None:
        index = self._find_state(node, position)
        start = self.program.states[node.state].start
        value = start if node.value is None else self.value(node.value, position)
        self.put_state(node, index, value, position)

    def _add_to(self, node: ir.AddTo, position: Position) -> None:
        index = self._find_state(node, position)
        value = self.need(node.value, position, "what to add or remove")
        held: tuple[Any, ...] = position.states[index] or ()
        if self.program.states[node.state].most is not None:
            at = held.index(value) if node.remove and value in held else len(held)
            changed = (*held[:at], *held[at + 1 :]) if node.remove else (*held, value)
        elif node.remove:
            changed = tuple(each for each in held if each != value)
        elif self._keeps_seats(self.program.states[node.state].type):
            changed = tuple(sorted({*held, value}))
        else:
            changed = (*held, value)
        self.put_state(node, index, changed, position)

    def _shuffle_list(self, node: ir.ShuffleList, position: Position) -> None:
        index = self._find_state(node, position)
        self.put_state(node, index, self.chance.permutation(position, position.states[index] or ()), position)

    def _keeps_seats(self, kind: Type) -> bool:
        kind = certain(kind)
        return kind.of is not None and kind.of.kind == "seat"

    def _let(self, node: ir.Let, position: Position) -> None:
        value = self.value(node.value, position)
        if isinstance(value, tuple) and measure_value(value) > FEW:
            held = sum(measure_value(each) for slot, each in enumerate(position.slots) if slot != node.slot)
            if held + measure_value(value) > MOST_IN_NAMES:
                raise Fault("too-large", f"local names would hold more than {MOST_IN_NAMES:,} elements")
        position.slots[node.slot] = value

    def _draw(self, node: ir.Draw, position: Position) -> None:
        elements: tuple[Any, ...] = self.value(node.source, position) or ()
        drawn = self.chance.element(position, elements)
        position.slots[node.slot] = drawn
        if self.record is None:
            return
        kind = node.source.type.of or node.source.type
        if holds_cards(kind):
            cards = drawn if isinstance(drawn, tuple) else (drawn,)
            known = tuple(self.sight.mask_cards(position, cards))
            self.tell("drawn_at_random", {"cards": list(cards)}, node.clause, known=known)
        else:
            data = {"value": drawn, "text": self.names.name_value(kind, drawn)}
            self.tell("drawn_at_random", data, node.clause)

    def _score(self, node: ir.Score, position: Position) -> None:
        amount = self.need(node.amount, position, "the score")
        seat = self.need(node.seat, position, "who scores")
        if node.table and amount == 0:
            return
        parts = self.value(node.parts, position) if node.parts is not None else None
        self.score(node, amount, seat, parts, position)

    def score(
        self, node: ir.Score, amount: int, seat: int, parts: tuple[int, ...] | None, position: Position
    ) -> None:
        """Add to a seat's score, capped at the program's maximum if it has one; `parts` is how the amount breaks
        down."""
        if self.program.most is not None:
            amount = min(amount, max(0, self.program.most - position.totals[node.column][seat]))
        position.totals[node.column][seat] += amount
        if self.program.keeps_lines:
            line = self._line(position, seat)
            line[node.column] = (line[node.column] or 0) + amount
        data: dict[str, object] = {"amount": amount, "column": node.column, "label": node.label}
        if node.side:
            data["side"] = True
        if node.table:
            data |= {"table": node.table, "parts": list(parts if parts is not None else (amount,))}
        self.tell("scored", data, node.clause, seat=seat)

    def _line(self, position: Position, seat: int) -> list[int | None]:
        """The seat's line on the score sheet for the current round."""
        if position.rounds_played >= MOST_ROUNDS:
            raise Fault("endless", f"the score sheet has more than {MOST_ROUNDS:,} rounds")
        while len(position.lines) <= position.rounds_played:
            position.lines.append([[None] * (len(self.program.columns) + 1) for _ in range(position.players)])
        return position.lines[position.rounds_played][seat]

    def _mark(self, node: ir.Mark, position: Position) -> None:
        seat = self.need(node.seat, position, "who is marked")
        line = self._line(position, seat)
        line[-1] = (line[-1] or 0) | 1 << node.mark
        self.tell("marked", {"mark": self.program.mark_labels[node.mark]}, node.clause, seat=seat)

    def _announce(self, node: ir.Announce, position: Position) -> None:
        value = self.value(node.value, position)
        told = {"value": value, "text": self.names.name_value(node.value.type, value)}
        if node.parts:
            worded = [self.names.name_value(part.type, self.value(part, position)) for part in node.parts]
            told["values"] = {part.text: said for part, said in zip(node.parts, worded, strict=True)}
        self.tell("announced", told, node.clause)

    # ---------------------------------------------------------------------------------------------- rounds and offences
    def _begin_round(self, node: ir.BeginRound, position: Position) -> None:
        for index, (state, _) in enumerate(self.names.states):
            if state.lasts == "round":
                position.states[index] = state.start
        self.tell("round_began", {"round": position.rounds_played + 1}, node.clause)

    def _end_round(self, node: ir.EndRound, position: Position) -> None:
        position.rounds_played += 1
        self.tell("round_ended", {"round": position.rounds_played}, node.clause)

    def _keep(self, node: ir.Keep, position: Position) -> None:
        position.offence = make_record(position, 0, node.clause)

    def _take_back(self, node: ir.TakeBack, position: Position) -> None:
        if node.seat is not None:
            self._take_back_step(node, position)
            return
        record = position.offence
        offender = take_back(position)
        if record is not None:
            self.tell("taken_back", {"broke": self.program.clauses[record[1]].path}, node.clause, seat=offender)

    def _take_back_step(self, node: ir.TakeBack, position: Position) -> None:
        """Tell of every zone that is as before again, all its cards: where seen cards lie among hidden ones is seen."""
        assert node.seat is not None
        seat = self.need(node.seat, position, "who takes back")
        zones = [tuple(pile) for pile in position.zones]
        now = position.copy()
        take_back(position, again=True)
        changed = [zone for zone, pile in enumerate(zones) if pile != tuple(position.zones[zone])]
        cards = tuple(card for zone in changed for card in position.zones[zone])
        known = self._learn(position, position.find_all(cards), self._see_before(now, cards))
        sources, to = ([zone for zone, _ in spots] for spots in (now.find_all(cards), position.find_all(cards)))
        data = {"step": node.step, "cards": list(cards), "source": sources, "to": to}
        self.tell("taken_back", data, node.clause, seat=seat, known=known)

    def _leave(self, node: ir.Leave, position: Position) -> None:
        for slot in node.slots:
            position.slots[slot] = -1


def _is_about_numbers(kind: Type) -> bool:
    kind = certain(kind)
    return certain(kind.of or kind).kind == "number"


def plan_deal(targets: tuple[int, ...], available: int, count: int | None, packet: int) -> list[int]:
    """The target zone of each card, in dealing order.

    >>> plan_deal((1, 2), 5, 2, 1)
    [1, 2, 1, 2]
    >>> plan_deal((1, 2), 5, None, 2)
    [1, 1, 2, 2, 1]
    >>> plan_deal((1, 2), 3, 10**12, 10**12)
    [1, 1, 1]
    """
    places: list[int] = []
    wanted = available if count is None else max(0, count)
    dealt = 0
    while targets and dealt < wanted and len(places) < available:
        size = min(packet, wanted - dealt, available - len(places))
        for zone in targets:
            places.extend([zone] * size)
        dealt += size
    return places[:available]


# Instructions implemented in other modules.
FROM_ELSEWHERE: dict[type[ir.Instruction], Callable[[Effects, Any, Position], None]] = {ir.Pay: pay, ir.Retire: retire}
