"""Field descriptors by which the native tree search hashes information sets and choices.

In: the layout of a program, and what is to be told apart. Out: `Part` structures as `codegen/c/tree_search.c` reads
them: a zone under a way of looking at it, a state, a total, a pick of a choice.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

from hoyle.play.codegen.c.columns import Given
from hoyle.play.codegen.c.struct_layout import SIZES, Field, ListField
from hoyle.play.engine.native.memory import Mirror
from hoyle.program.ir.nodes import Decide

WAYS = {"size": 0, "top": 1, "cards": 2, "order": 3, "holder": 4, "rule": 5, "places": 6}
WORD = 64  # bits


class Part(Given, ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_int32)
        for name in (
            "way", "are_cards", "at", "width", "most", "length_at", "length_width", "stored_at", "stored_width", "zone",
            "shows", "spare",
        )
    ]  # fmt: skip


class Parts:
    """Makes the descriptors for the positions of one program."""

    def __init__(self, mirror: Mirror) -> None:
        self.layout = mirror.layout
        self.program = mirror.program
        self._outer = mirror.position
        self._inner: Any = dict(mirror.position._fields_)["t"]
        self.states: list[tuple[int, int]] = []  # number of the state, index in its family
        for number, state in sorted(enumerate(self.program.states), key=lambda each: each[1].base):
            self.states += [(number, place) for place in range(state.size if state.of else 1)]

    def _find(self, field: Field) -> int:
        if not field.inner:
            return int(getattr(self._outer, field.name).offset)
        return int(self._outer.t.offset + getattr(self._inner, field.name).offset)

    def make(self, field: Field | ListField, place: int, *, cards: bool, store: ListField | None = None) -> Part:
        """A value, or an element of an array of values; with `store`, of the choice stored last."""
        stored = (self._find(store.length), SIZES[store.length.ctype]) if store is not None else (0, 0)
        if isinstance(field, Field):
            width = SIZES[field.ctype]
            spare = 0 if field.ctype.startswith("u") else WORD - 8 * width
            return Part(WAYS["order"], cards, self._find(field) + place * width, width, 1, 0, 0, *stored, spare=spare)
        most, width, across = field.elements.dims[-1], SIZES[field.elements.ctype], SIZES[field.length.ctype]
        return Part(
            WAYS["cards" if cards else "order"], cards, self._find(field.elements) + place * most * width, width, most,
            self._find(field.length) + place * across, across, *stored,
        )  # fmt: skip

    def _make_pile(self, zone: int, way: str | int) -> Part:
        """The cards of a zone under a way of looking, or, conditionally, under one listed from index `way` on."""
        cards, n = self.layout.by_name["cards"], self.layout.by_name["n"]
        width, across = SIZES[cards.ctype], SIZES[n.ctype]
        return Part(
            WAYS[way if isinstance(way, str) else "rule"], True, self._find(cards) + self.layout.offsets[zone] * width,
            width, self.layout.cards, self._find(n) + zone * across, across, zone=zone,
            shows=0 if isinstance(way, str) else way,
        )  # fmt: skip

    def list_seen(self, zones: Sequence[tuple[int, str | int]], states: Sequence[int]) -> Iterator[Part]:
        """What is visible: zones, each under a way of looking (or under one listed from an index on, by the case that
        holds), states by number, and all totals."""
        yield from (self._make_pile(zone, way) for zone, way in zones)
        for index in states:
            number, place = self.states[index]
            yield self.make(self.layout.states[number], place, cards=False)
        for field in self.layout.totals.values():
            yield from (self.make(field, seat, cards=False) for seat in range(self.program.players))

    def list_named(self, states: Sequence[int], slots: Sequence[int]) -> Iterator[Part]:
        """States and slots that name cards."""
        for index in states:
            number, place = self.states[index]
            yield self.make(self.layout.states[number], place, cards=True)
        yield from (self.make(self.layout.slots[slot], 0, cards=True) for slot in slots)

    def list_stores(self) -> list[int]:
        """The slots in which choices are stored."""
        ends = [block.end for block in self.program.blocks]
        return sorted({end.store for end in ends if isinstance(end, Decide) and end.store is not None})

    def list_picks(self, action: int, store: int | None, cards: Sequence[bool]) -> Iterator[Part]:
        """The picks of a chosen action, in its slots or in the store; `cards` says which of them are cards."""
        for (field, held), is_cards in zip(self.find_picks(action, store), cards, strict=False):
            yield self.make(field, 0, cards=is_cards, store=held)

    def find_picks(self, action: int, store: int | None) -> Iterator[tuple[Field | ListField, ListField | None]]:
        """The fields of these picks, each with that of the store."""
        if store is None:
            for slot in self.program.actions[action].pick_slots:
                yield self.layout.slots[slot], None
            return
        held = self.layout.find(f"s{store}")
        assert isinstance(held, ListField)
        for place in range(len(self.layout.known.stored.get(store, {}).get(action, ()))):
            yield self.layout.find(f"s{store}_{action}_{place}"), held
