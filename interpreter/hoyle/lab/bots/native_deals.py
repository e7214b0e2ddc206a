"""Determinization by native code.

In: a standpoint, and the memory of native code. Out: `NativeDeals`: what to permute in each sample, in the layout that
`codegen/c/tree_search.c` reads. For a seed, it yields the same position as `Standpoint.sample`, except for slots that
are never read again.

It handles samples that are a plain permutation of hidden cards. Python handles those that also redraw secret choices or
numbers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hoyle.play.beliefs.determinization import list_numbers
from hoyle.play.codegen.c.columns import Given, make_array
from hoyle.play.engine.native.memory import C_TYPES
from hoyle.play.engine.native.parts import Part, Parts
from hoyle.program.ir.types import NUMBER, certain

if TYPE_CHECKING:
    from hoyle.play.engine.native.memory import Mirror
    from hoyle.play.engine.standpoint import Standpoint

WORD = 64


class Hidden(Given, ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("cards", "ordered", "places", "barred", "named")),
        ("many", ctypes.c_int32),
        ("many_named", ctypes.c_int32),
    ]


class NativeDeals:
    """The position to sample from, in native memory, and the description of its hidden cards."""

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
        """Prepare native sampling for a standpoint; None if Python has to sample. `live` maps each decision block to
        the slots that are live there."""
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
            return None  # lists of card groups have another memory layout than lists of cards
        return cls(mirror, standpoint, held, [*parts.list_named(states, slots)])
