"""Positions a seat could be in, dealt by native code.

In: a standpoint, and the memory of native code. Out: `NativeDeals`: what is dealt anew in each position, as
`codegen/c/tree.c` reads it. From a seed it deals what `Standpoint.sample` deals, but for slots that nobody reads again.

That can be done where nothing is drawn but which hidden card is which. Where choices made in secret are chosen anew, or
numbers are guessed, Python does it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hoyle.engine.native.memory import C_TYPES
from hoyle.engine.native.parts import Part, Parts
from hoyle.engine.sampling import list_numbers
from hoyle.ir.types import NUMBER, certain

if TYPE_CHECKING:
    from hoyle.engine.native.memory import Mirror
    from hoyle.engine.standpoint import Standpoint

WORD = 64


class Hidden(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("cards", "ordered", "places", "barred", "named")),
        ("many", ctypes.c_int32),
        ("many_named", ctypes.c_int32),
    ]


class NativeDeals:
    """The position to deal from, in memory, and what of it is hidden."""

    def __init__(self, mirror: Mirror, standpoint: Standpoint, held: Any, named: Sequence[Part]) -> None:
        layout, hidden = mirror.layout, standpoint.hidden
        where = {
            card: layout.offsets[zone] + place
            for zone in hidden.zones
            for place, card in enumerate(standpoint.position.zones[zone])
        }
        words = -(-layout.cards // WORD)
        barred = [
            sum(1 << card % WORD for card in hidden.barred.get(place, ()) if card // WORD == word)
            for place in hidden.cards
            for word in range(words)
        ]
        self.held = held
        self._arrays = (
            make_array(C_TYPES[layout.card_type], hidden.cards), make_array(C_TYPES[layout.card_type], hidden.ordered),
            make_array(ctypes.c_int32, [where[card] for card in hidden.cards]), make_array(ctypes.c_uint64, barred),
            make_array(Part, named),
        )  # fmt: skip
        cards, ordered, places, sets, parts = map(ctypes.addressof, self._arrays)
        known = sets if any(barred) else None
        self.hidden = Hidden(cards, ordered, places, known, parts, len(hidden.cards), len(named))

    @classmethod
    def find(
        cls, mirror: Mirror, parts: Parts, live: Mapping[int, frozenset[int]], standpoint: Standpoint
    ) -> NativeDeals | None:
        """Deals for a standpoint; None if Python is to make them. `live` are the slots that are read again from each
        decision on."""
        begin, held = standpoint.find_begin(), mirror.position()
        if begin is None or not mirror.packing.write(begin, held):
            return None
        hidden, read = standpoint.hidden, live[begin.block]
        cards = set(hidden.cards)
        if any(not cards.isdisjoint(list_numbers(begin.slots[store])) for store in hidden.stores if store in read):
            return None
        states = [index for index in hidden.states if not cards.isdisjoint(list_numbers(begin.states[index]))]
        slots = [
            slot for slot in hidden.slots if slot in read and not cards.isdisjoint(list_numbers(begin.slots[slot]))
        ]
        if any(certain(certain(mirror.program.slots[slot].type).of or NUMBER).kind == "list" for slot in slots):
            return None  # groups of cards do not stand in memory as their cards do
        return cls(mirror, standpoint, held, [*parts.list_named(states, slots)])


def make_array(kind: Any, values: Sequence[Any]) -> Any:
    """Values in memory, one at least."""
    return (kind * max(1, len(values)))(*values)
