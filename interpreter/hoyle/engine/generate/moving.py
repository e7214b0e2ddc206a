"""Code for moving cards, with what is known of where they lie.

In: simplified expressions for the cards and the zone. Out: statements.

Cards are often said by where they lie: the top of a pile, all of it, a pick from a hand. Then they need not be looked
for. A pick is looked for first in the zone it was picked from; should it lie elsewhere, everywhere.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.engine.generate.choices import find_kept_list, is_unique
from hoyle.engine.generate.nodes import Lookup
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import ATOM, Code, atom
from hoyle.ir import nodes as ir
from hoyle.ir.types import CARD, list_of
from hoyle.words import WORDS, Op, applies, word_of


class Moving:
    """Writes moves into one function."""

    def __init__(self, values: Values, begin_anew: Callable[[], None]) -> None:
        self.values = values
        self._begin_anew = begin_anew  # after a card was lifted from nobody knows where
        self.writer = values.writer
        self.module = values.module
        self.program = values.module.program

    def move(self, cards: ir.Expr, zone: ir.Expr, *, bottom: bool) -> None:
        """Cards onto a zone, or under it."""
        single = self._single(cards)
        if single is not None:
            self._move_one(single, zone, bottom=bottom)
        else:
            self._move_many(cards, zone, bottom=bottom)

    def hold(self, zone: Code) -> None:
        """Remember whose the cards of a zone are now, in games that ask for it."""
        if not self.program.keeps_holders:
            return
        if zone.text.isdecimal():
            owner = self.module.owners[int(zone.text)]
            if owner is not None:
                self.writer.add(f"hold(holders, zones[{zone.text}], {owner})")
            return
        zone = self.values.name(zone)
        self.writer.add(f"if OWNERS[{zone.text}] is not None:")
        with self.writer.indented():
            self.writer.add(f"hold(holders, zones[{zone.text}], OWNERS[{zone.text}])")

    def _hold_moved(self, zone: ir.Expr, target: Code, cards: str, *, one: bool = False) -> None:
        """Remember whose these cards of a zone are now; the others are his already."""
        if not self.module.from_start or not self.program.keeps_holders:
            self.hold(target)
            return
        owners = [self.module.owners[each] for each in list_zones(zone) or range(len(self.module.owners))]
        if all(owner is None for owner in owners):
            return
        target = self.values.name(target)
        some = any(owner is None for owner in owners)
        if some:
            self.writer.add(f"if OWNERS[{target.text}] is not None:")
            self.writer.depth += 1
        if one:
            self.writer.add(f"holders[{cards}] = OWNERS[{target.text}]")
        else:
            owner = self.values.name(atom(f"OWNERS[{target.text}]"), "seat")
            self.writer.add(f"for card in {cards}:")
            with self.writer.indented():
                self.writer.add(f"holders[card] = {owner.text}")
        self.writer.depth -= some

    # ---------------------------------------------------------------------------------------------- one card
    def _single(self, cards: ir.Expr) -> ir.Expr | None:
        """The card, if the list is of one (which may be none)."""
        if applies(cards, Op.LIST) and len(cards.args) == 1:
            return cards.args[0]
        return None

    def _move_one(self, card: ir.Expr, zone: ir.Expr, *, bottom: bool) -> None:
        if applies(card, Op.TOP, Op.BOTTOM) and not self.values.is_none(card.args[0]):
            source = self.values.name(atom(f"zones[{self.values.value(card.args[0]).text}]"), "pile")
            target = self._target(zone)
            self.writer.add(f"if {source.text}:")
            with self.writer.indented():
                lifted = self.values.name(atom(f"{source.text}.pop({'' if applies(card, Op.TOP) else '0'})"), "card")
                self._put(target, lifted.text, bottom=bottom)
                self._hold_moved(zone, target, lifted.text, one=True)
            return
        code = self.values.name(self.values.value(card), "card")
        target = self._target(zone)
        maybe = self.values.is_none(card)
        if maybe:
            self.writer.add(f"if {code.text} is not None:")
            self.writer.depth += 1
        self._lift(code, self._origin(card))
        self._put(target, code.text, bottom=bottom)
        self._hold_moved(zone, target, code.text, one=True)
        self.writer.depth -= maybe

    def _target(self, zone: ir.Expr) -> Code:
        code = self.values.need(zone)
        return code if code.text.isdecimal() else self.values.name(code, "zone")

    def _put(self, target: Code, card: str, *, bottom: bool) -> None:
        if bottom:
            self.writer.add(f"zones[{target.text}].insert(0, {card})")
        else:
            self.writer.add(f"zones[{target.text}].append({card})")

    def _lift(self, card: Code, origin: Code | None) -> None:
        if origin is None:
            self.writer.add(f"lift(zones, {card.text})")
            self._begin_anew()
            return
        self.writer.add("try:")
        with self.writer.indented():
            self.writer.add(f"{origin.text}.remove({card.text})")
        self.writer.add("except ValueError:")
        with self.writer.indented():
            self.writer.add(f"lift(zones, {card.text})")
            self._begin_anew()

    def _origin(self, card: ir.Expr) -> Code | None:
        """The pile a card probably lies in: where it was picked from."""
        if not isinstance(card, ir.Slot):
            return None
        source = self.module.origins.get(card.index)
        if source is None:
            return None
        zone = self.module.simple(source)
        if self.values.is_none(zone) or not isinstance(zone, ir.Const | Lookup):
            return None
        known = self.values.shared_each.get(ir.Apply(type=list_of(CARD), word=word_of(Op.CARDS).name, args=(zone,)))
        return known or atom(f"zones[{self.values.value(zone).text}]")

    # ---------------------------------------------------------------------------------------------- dealing
    def deal(self, instruction: ir.Deal) -> bool:
        """A number of cards one at a time to a few zones, all known but for their order. Whether that is so."""
        simple = self.module.simple
        source, targets, packet = simple(instruction.source), simple(instruction.targets), simple(instruction.packet)
        count = None if instruction.count is None else simple(instruction.count)
        known = [each.value for each in (source, packet, count) if isinstance(each, ir.Const)]
        numbers = [each for each in known if isinstance(each, int)]
        if len(numbers) < 3 or numbers[1] != 1 or numbers[2] < 1 or instruction.up_to:
            return False
        rows = targets.table if isinstance(targets, Lookup) else ()
        widths = {len(set(row)) if isinstance(row, tuple) and len(set(row)) == len(row) else 0 for row in rows}
        zones = list_zones(targets)
        if len(widths) != 1 or not 0 < max(widths) <= MOST_DEALT or zones is None or numbers[0] in zones:
            return False
        many = max(widths)
        whose = self.values.name(self.values.need(targets), "zone")
        pile = self.values.name(atom(f"zones[{numbers[0]}]"), "pile")
        self.values.stop_if(f"len({pile.text}) < {numbers[2] * many}")
        taken = self.values.name(atom(f"{pile.text}[:-{numbers[2] * many + 1}:-1]"), "cards")
        self.writer.add(f"del {pile.text}[-{numbers[2] * many}:]")
        for place in range(many):
            zone = self.values.name(atom(f"{whose.text}[{place}]"), "zone")
            dealt = self.values.name(atom(f"{taken.text}[{place}::{many}]"), "cards")
            self.writer.add(f"zones[{zone.text}].extend({dealt.text})")
            self._hold_moved(targets, zone, dealt.text)
        return True

    # ---------------------------------------------------------------------------------------------- several
    def _move_many(self, cards: ir.Expr, zone: ir.Expr, *, bottom: bool) -> None:
        if self._move_stretch(cards, zone, bottom=bottom):
            return
        origin = self._common_origin(cards)
        sequence = self.values.each(cards)
        if not is_unique(cards) and not (isinstance(cards, ir.Slot) and cards.index in self.module.grouped):
            sequence = atom(f"[*dict.fromkeys({sequence.text})]")
        elif applies(cards, Op.CARDS):
            sequence = atom(f"{sequence.text}[:]")
        moved = self.values.name(sequence, "cards")
        target = self._target(zone)
        self.writer.add(f"if {moved.text}:")
        with self.writer.indented():
            self.writer.add(f"for card in {moved.text}:")
            with self.writer.indented():
                self._lift(atom("card"), origin)
            if bottom:
                self.writer.add(f"zones[{target.text}][:0] = {moved.text}")
            else:
                self.writer.add(f"zones[{target.text}].extend({moved.text})")
            self._hold_moved(zone, target, moved.text)

    def _common_origin(self, cards: ir.Expr) -> Code | None:
        """The pile that all the cards of a list lie in, as far as is known."""
        if isinstance(cards, ir.Slot):
            origin = self._origin(cards)
            return None if origin is None else self.values.name(origin, "pile")
        zone = find_zone_of(cards)
        if zone is None or self.values.is_none(zone) or not isinstance(zone, ir.Const | Lookup):
            return None
        return self.values.name(atom(f"zones[{self.values.value(zone).text}]"), "pile")

    def _move_stretch(self, cards: ir.Expr, zone: ir.Expr, *, bottom: bool) -> bool:
        """All of a pile, or its beginning or end, as a slice."""
        if not isinstance(cards, ir.Apply):
            return False
        shape, of = "[:]", cards
        if WORDS[cards.word].stretch:
            number = cards.args[0]
            if not isinstance(number, ir.Const) or type(number.value) is not int or number.value <= 0:
                return False
            inner = cards.args[1]
            if not isinstance(inner, ir.Apply):
                return False
            shape, of = WORDS[cards.word].stretch.format(number.value), inner
        if not applies(of, Op.CARDS) or self.values.is_none(of.args[0]):
            return False
        source = self.values.value(of.args[0])
        pile = self.values.name(atom(f"zones[{source.within(ATOM)}]"), "pile")
        target = self._target(zone)
        moved = self.values.name(atom(f"{pile.text}{shape}"), "cards")
        self.writer.add(f"if {moved.text}:")
        with self.writer.indented():
            self.writer.add(f"del {pile.text}{shape}")
            if bottom:
                self.writer.add(f"zones[{target.text}][:0] = {moved.text}")
            else:
                self.writer.add(f"zones[{target.text}].extend({moved.text})")
            self._hold_moved(zone, target, moved.text)
        return True


MOST_DEALT = 4  # zones


def list_zones(zone: ir.Expr) -> set[int] | None:
    """The zones an expression can name; None if they are not known."""
    if isinstance(zone, ir.Const):
        named = zone.value if isinstance(zone.value, tuple) else (zone.value,)
    elif isinstance(zone, Lookup):
        rows = [row if isinstance(row, tuple) else (row,) for row in zone.table]
        named = tuple(each for row in rows for each in row)
    else:
        return None
    numbers = {each for each in named if isinstance(each, int)}
    return None if any(each is None for each in named) else numbers


def find_zone_of(cards: ir.Expr) -> ir.Expr | None:
    """The zone the cards of a list lie in, if it is one zone."""
    if isinstance(cards, ir.Those) and cards.value is None:
        return find_zone_of(cards.source)
    if isinstance(cards, ir.Apply):
        if applies(cards, Op.CARDS):
            return cards.args[0]
        kept = find_kept_list(cards)
        return find_zone_of(kept) if kept is not None else None
    return None


def find_origins(program: ir.Program) -> dict[int, ir.Expr]:
    """For each slot of a pick or a draw, the zone it was picked from, if that can be said."""
    found: dict[int, ir.Expr] = {}
    for action in program.actions:
        seat = ir.Slot(type=program.slots[action.seat_slot].type, index=action.seat_slot)
        for slot, pick in zip(action.pick_slots, action.picks, strict=True):
            zone = find_zone_of(pick.source)
            if not isinstance(zone, ir.ZoneRef):
                continue
            if zone.owner is None:
                found[slot] = zone
            elif isinstance(zone.owner, ir.Var) and zone.owner.index == 0:
                found[slot] = ir.ZoneRef(type=zone.type, zone=zone.zone, owner=seat)
    for block in program.blocks:
        for instruction in block.instructions:
            if isinstance(instruction, ir.Draw):
                zone = find_zone_of(instruction.source)
                if isinstance(zone, ir.ZoneRef) and zone.owner is None:
                    found[instruction.slot] = zone
    return found
