"""What each seat of a match has been told, kept once for all seats that are told the same.

In: the events of a match. Out: the events as told to a seat, and as lines of text; both are cached and extended
incrementally, within a bound for all seats together.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.play.engine.standpoint import Before, describe_event
from hoyle.play.view import seeing
from hoyle.play.view.names import Names
from hoyle.program.ir.nodes import Program
from hoyle.program.model.events import Event, Told

MOST_HEARD = 1_000_000  # places in the lists of all seats; what is written down of an event counts as ten
OF_ONE = 10


class Hearing:
    """The told events of one match."""

    __slots__ = ("_heard", "_names", "_program", "_size", "_told")

    def __init__(self, program: Program, names: Names) -> None:
        self._program, self._names = program, names
        self._told: dict[int, dict[tuple[bool, ...], Told]] = {}  # by event, and by what is known of its cards
        self._heard: dict[int | None, tuple[int, list[Told], list[str]]] = {}  # by seat: events processed, told, lines
        self._size = 0

    def copy(self) -> Hearing:
        other = Hearing(self._program, self._names)
        other._told, other._size = dict(self._told), self._size
        other._heard = {seat: (heard, told[:], lines[:]) for seat, (heard, told, lines) in self._heard.items()}
        return other

    def forget(self) -> None:
        """Drop the caches: events have been dropped from the match, or there is no room."""
        self._told.clear()
        self._heard.clear()
        self._size = 0

    def hear(self, events: Sequence[Event], seat: int | None, before: Before | None) -> list[Told]:
        """The events told to a seat, after those told before the match began here. Not to be changed."""
        return self._hear(events, seat, before)[0]

    def describe(self, events: Sequence[Event], seat: int | None, before: Before | None) -> list[str]:
        """The same as lines of text. Not to be changed."""
        told, lines = self._hear(events, seat, before)
        self._size += OF_ONE * (len(told) - len(lines))
        lines += map(describe_event, told[len(lines) :])
        return lines

    def _hear(self, events: Sequence[Event], seat: int | None, before: Before | None) -> tuple[list[Told], list[str]]:
        if self._size > MOST_HEARD:
            self.forget()
        heard, told, lines = self._heard.get(seat, (-1, [], []))
        if not 0 <= heard <= len(events):
            heard, told, lines = 0, list(before.told) if before is not None and before.seat == seat else [], []
        for place in range(heard, len(events)):
            event = events[place]
            if seeing.includes(event.told, seat, self._program.players):
                told.append(self._tell(place, event, seat))
        self._size += len(events) - heard
        self._heard[seat] = (len(events), told, lines)
        return told, lines

    def _tell(self, place: int, event: Event, seat: int | None) -> Told:
        """The event as told to a seat. All who know the same of its cards are told the same."""
        known = tuple(seeing.includes(mask, seat, self._program.players) for mask in event.known)
        ways = self._told.setdefault(place, {})
        found = ways.get(known)
        if found is None:
            made = seeing.filter_event(self._program, event, seat, self._names)
            assert made is not None
            found = ways[known] = made
            self._size += OF_ONE + len(known)
        return found
