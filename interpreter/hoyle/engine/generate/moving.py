"""Code for moving cards, with what is known of where they lie.

In: simplified expressions for the cards and the zone. Out: statements.

Cards are often said by where they lie: the top of a pile, all of it, a pick from a hand. Then they need not be looked
for. A pick is looked for first in the zone it was picked from; should it lie elsewhere, everywhere.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.engine.generate.choices import is_unique
from hoyle.engine.generate.nodes import Lookup
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import ATOM, Code, atom
from hoyle.ir import nodes as ir


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

    # ---------------------------------------------------------------------------------------------- one card
    def _single(self, cards: ir.Expr) -> ir.Expr | None:
        """The card, if the list is of one (which may be none)."""
        if isinstance(cards, ir.Apply) and cards.word == "list" and len(cards.args) == 1:
            return cards.args[0]
        return None

    def _move_one(self, card: ir.Expr, zone: ir.Expr, *, bottom: bool) -> None:
        if isinstance(card, ir.Apply) and card.word in ("top", "bottom") and not self.values.is_none(card.args[0]):
            source = self.values.name(atom(f"zones[{self.values.value(card.args[0]).text}]"), "pile")
            target = self._target(zone)
            self.writer.add(f"if {source.text}:")
            with self.writer.indented():
                self._put(target, f"{source.text}.pop({'' if card.word == 'top' else '0'})", bottom=bottom)
                self.hold(target)
            return
        code = self.values.name(self.values.value(card), "card")
        target = self._target(zone)
        maybe = self.values.is_none(card)
        if maybe:
            self.writer.add(f"if {code.text} is not None:")
            self.writer.depth += 1
        self._lift(code, self._origin(card))
        self._put(target, code.text, bottom=bottom)
        self.hold(target)
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
        return atom(f"zones[{self.values.value(zone).text}]")

    # ---------------------------------------------------------------------------------------------- several
    def _move_many(self, cards: ir.Expr, zone: ir.Expr, *, bottom: bool) -> None:
        if self._move_stretch(cards, zone, bottom=bottom):
            return
        origin = self._common_origin(cards)
        sequence = self.values.each(cards)
        if not is_unique(cards) and not (isinstance(cards, ir.Slot) and cards.index in self.module.grouped):
            sequence = atom(f"[*dict.fromkeys({sequence.text})]")
        elif isinstance(cards, ir.Apply) and cards.word == "cards":
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
            self.hold(target)

    def _common_origin(self, cards: ir.Expr) -> Code | None:
        """The pile that all the cards of a list lie in, as far as is known."""
        if isinstance(cards, ir.Slot):
            return self._origin(cards)
        zone = find_zone_of(cards)
        if zone is None or self.values.is_none(zone) or not isinstance(zone, ir.Const | Lookup):
            return None
        return self.values.name(atom(f"zones[{self.values.value(zone).text}]"), "pile")

    def _move_stretch(self, cards: ir.Expr, zone: ir.Expr, *, bottom: bool) -> bool:
        """All of a pile, or its beginning or end, as a slice."""
        if not isinstance(cards, ir.Apply):
            return False
        shape, of = "[:]", cards
        if cards.word in _STRETCHES:
            number = cards.args[0]
            if not isinstance(number, ir.Const) or type(number.value) is not int or number.value <= 0:
                return False
            inner = cards.args[1]
            if not isinstance(inner, ir.Apply):
                return False
            shape, of = _STRETCHES[cards.word].format(number.value), inner
        if of.word != "cards" or self.values.is_none(of.args[0]):
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
            self.hold(target)
        return True


_STRETCHES = {"last_few": "[-{0}:]", "first_few": "[:{0}]", "all_but_last": "[:-{0}]", "all_but_first": "[{0}:]"}


def find_zone_of(cards: ir.Expr) -> ir.Expr | None:
    """The zone the cards of a list lie in, if it is one zone."""
    if isinstance(cards, ir.Those) and cards.value is None:
        return find_zone_of(cards.source)
    if isinstance(cards, ir.Apply):
        if cards.word == "cards":
            return cards.args[0]
        if cards.word in _STRETCHES:
            return find_zone_of(cards.args[1])
        if cards.word in ("without", "descending"):
            return find_zone_of(cards.args[0])
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
