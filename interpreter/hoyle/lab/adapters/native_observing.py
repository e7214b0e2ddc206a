"""Vectorized observations of native positions.

In: positions in native memory, a seat for each. Out: the observation vectors of `Observing`, as rows of an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hoyle.play.codegen.c.struct_layout import ListField
from hoyle.play.view.seeing import includes, mask_zone
from hoyle.program.ir.types import certain

if TYPE_CHECKING:
    from hoyle.lab.adapters.native_spelling import Choices
    from hoyle.lab.adapters.observing import Observing
    from hoyle.play.engine.native.library import Library


class NativeObserving:
    """Computes observations of one program; `observing` defines their layout."""

    def __init__(self, library: Library, observing: Observing) -> None:
        self._library = library
        self._observing = observing
        self._program = library.program
        self._layout = library.layout
        players, sight = observing.players, observing.sight
        self._faces: Any = np.array(observing.faces)
        self._are_different = len(set(observing.faces)) == len(observing.faces)
        self._seen_zones: Any = np.array(
            [[mask is not None and includes(mask, seat, players) for mask in sight.fixed] for seat in range(players)]
        )
        self._texts: Any = np.array([len(text) for text in library.layout.known.texts] or [0])
        self._seen_states: Any = np.array(observing.seen_states).reshape(players, -1)
        # Zones with position-dependent visibility, by its kind; for conditional ones, the values they can take.
        self._tops: list[int] = []
        self._held: list[int] = []
        self._faced: list[int] = []
        self._ruled: dict[int, list[str]] = {}
        for zone, mask in enumerate(sight.fixed):
            declared = sight.names.zones[zone][0]
            if declared.cases:
                self._ruled[zone] = sight.list_shown(zone)
            elif mask is None:
                kinds = {"top_card": self._tops, "face_up": self._faced}
                kinds.get(declared.shows, self._held).append(zone)

    def observe(self, positions: Any, seats: Any, found: Any, rows: Any) -> None:
        """Write the observations of deciding seats into some rows, before any token of their choice."""
        observing, table = self._observing, positions["t"]
        found[rows] = 0
        if not len(rows):
            return
        self._count_cards(positions, table, seats, found, rows)
        self._write_states(table, seats, found, rows)
        at = observing.begin_totals
        for field in self._layout.totals.values():
            found[rows, at : at + observing.players] = table[field.name]
            at += observing.players
        found[rows, observing.begin_choice] = 1

    def tell_said(self, said: Any, choices: Choices, found: Any) -> None:
        """Write the number of tokens given so far, and the counts of these tokens, into all rows. They are read off the
        remaining choices, which all begin with them."""
        begin = self._observing.begin_said
        found[:, begin - 1] = said
        line: Any = np.full(len(said), -1)
        line[choices.rows] = np.arange(len(choices.rows))  # any choice of a row: they share the prefix
        place, rows = 0, np.flatnonzero((said > 0) & (line >= 0))
        found[rows, begin:] = 0  # other rows were cleared by `observe`
        while len(rows):
            found[rows, begin + choices.tokens[line[rows], place]] += 1
            place += 1
            rows = rows[said[rows] > place]

    def _count_cards(self, positions: Any, table: Any, seats: Any, found: Any, rows: Any) -> None:
        width = self._observing.width
        zones, sizes = table["loc"], table["n"].astype(np.int64)
        seen = self._seen_zones[seats[:, None], zones]
        everywhere: Any = np.ones(len(rows), bool)
        held, tops, faced = (dict.fromkeys(each, everywhere) for each in (self._held, self._tops, self._faced))
        kinds = {"top_card": tops, "face_up": faced, "last_holder": held}
        untold = self._look_by_rule(positions, zones, seats, seen, kinds)
        for zone, where in faced.items():
            seen |= (zones == zone) & (table["up"] != 0) & where[:, None]
        for zone, where in held.items():
            seen |= (zones == zone) & (table["hold"] == seats[:, None]) & where[:, None]
        lines, cards = np.nonzero(seen)
        self._add(found, rows[lines], zones[lines, cards].astype(np.int64) * width + self._faces[cards])
        found[rows, width - 1 : width * sizes.shape[1] : width] = sizes
        for zone, where in tops.items():
            lines = np.flatnonzero((sizes[:, zone] > 0) & where)
            shown = table["cards"][lines, self._layout.offsets[zone] + sizes[lines, zone] - 1]
            self._add(found, rows[lines], zone * width + self._faces[shown])
        self._ask_zones(positions, untold, seats, found, rows)

    def _look_by_rule(
        self, positions: Any, zones: Any, seats: Any, seen: Any, kinds: dict[str, dict[int, Any]]
    ) -> Sequence[int]:
        """Evaluate the visibility of zones with conditional `shows:` in all positions at once; return the lines where
        that faults."""
        if not self._ruled:
            return ()
        many, players = len(positions), self._observing.players
        shown: Any = np.empty((many, self._layout.zones), np.int64)
        faults: Any = np.empty(many, np.int32)
        self._library.functions.show_all(positions.ctypes.data, shown.ctypes.data, faults.ctypes.data, many)
        told = faults == 0
        for zone, cases in self._ruled.items():
            owners = self._observing.sight.names.zone_owners[zone]
            for case, shows in enumerate(cases):
                where = told & (shown[:, zone] == case)
                mask = mask_zone(shows, owners, players)
                if mask is not None:
                    sees = np.array([includes(mask, seat, players) for seat in range(players)])
                    seen |= (zones == zone) & (where & sees[seats])[:, None]
                else:
                    kind = kinds[shows]
                    kind[zone] = kind.get(zone, False) | where
        return np.flatnonzero(~told).tolist()

    def _add(self, found: Any, rows: Any, places: Any) -> None:
        if self._are_different:
            found[rows, places] = 1
        else:
            np.add.at(found, (rows, places), 1)

    def _ask_zones(self, positions: Any, lines: Sequence[int], seats: Any, found: Any, rows: Any) -> None:
        """Evaluate the visibility of zones with conditional `shows:` in Python, for positions where native code
        cannot."""
        width, read = self._observing.width, self._library.mirror.packing.read
        for line in lines:
            position = read(positions[line])
            for zone in self._ruled:
                for card in self._observing.list_seen(position, zone, int(seats[line])):
                    found[rows[line], zone * width + self._observing.faces[card]] += 1

    def _write_states(self, table: Any, seats: Any, found: Any, rows: Any) -> None:
        for number, state in enumerate(self._program.states):
            held = self._layout.states[number]
            field = held.length if isinstance(held, ListField) else held
            values = table[field.name].reshape(len(table), -1).astype(np.int64)
            many = values.shape[1]
            shown = self._seen_states[seats, state.base : state.base + many]
            if field.none is not None:
                shown = shown & (values != field.none)
            if not isinstance(held, ListField) and certain(state.type).kind == "text":
                values = self._texts[np.where(shown, values, 0)]
            at = self._observing.begin_states + 2 * state.base
            found[rows, at : at + 2 * many : 2] = shown
            found[rows, at + 1 : at + 2 * many : 2] = np.where(shown, values, 0)
