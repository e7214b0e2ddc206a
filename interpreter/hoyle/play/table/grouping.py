"""Hands in the groups into which the rules divide cards, such as the melds of rummy, and after them what is left over.

In: a program; a match, and zones as a seat sees them. Out: the zones, hands in another order, with the sizes of their
parts. Only what the cards themselves say counts, so that the order tells nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from hoyle.play.engine.faults import Fault
from hoyle.play.table.model import Zone
from hoyle.program.effects import find_pure
from hoyle.program.ir import nodes as ir

if TYPE_CHECKING:
    from hoyle.play.engine.game import Match

MOST_KEPT = 100  # hands

Cards = tuple[int, ...]


class Grouping:
    """How the rules of one game divide a list of cards into groups, if they do."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        looks = program.table.zones if program.table is not None else ()
        self._left_alone = {program.zones[look.zone].name for look in looks if look.sort == ()}
        self._kept: dict[Cards, tuple[Cards, ...]] = {}

    @cached_property
    def division(self) -> ir.Division | None:
        pure = find_pure(self.program)
        for number, definition in enumerate(self.program.definitions):
            body = definition.body.body if isinstance(definition.body, ir.Named) else definition.body
            if pure[number] and isinstance(body, ir.Division) and isinstance(body.source, ir.Var) and not body.given:
                return body
        return None

    def arrange(self, match: Match, zones: Sequence[Zone], numbers: Mapping[str, int]) -> list[Zone]:
        """Put the hands that are seen into groups; `numbers` maps zone ids to zone indices of a position."""
        division = self.division
        if division is None:
            return list(zones)
        return [
            self._arrange(division, match, zone, match.position.zones[numbers[zone.id]])
            if zone.form == "fan" and zone.cards and None not in zone.cards and zone.name not in self._left_alone
            else zone
            for zone in zones
        ]

    def _arrange(self, division: ir.Division, match: Match, zone: Zone, lying: Sequence[int]) -> Zone:
        groups = self._divide(division, match, tuple(lying))
        if not groups or len(lying) != zone.size:
            return zone
        group_of = {card: number for number, group in enumerate(groups) for card in group}
        parts: list[list[int]] = [[] for _ in range(len(groups) + 1)]
        for place in zone.order:
            parts[group_of.get(lying[place], -1)].append(place)
        *melded, loose = parts
        melded.sort(key=lambda part: zone.order.index(part[0]))
        order = [part for part in (*melded, loose) if part]
        return replace(zone, order=tuple(place for part in order for place in part), parts=tuple(map(len, order)))

    def _divide(self, division: ir.Division, match: Match, cards: Cards) -> tuple[Cards, ...]:
        if cards not in self._kept:
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            try:
                self._kept[cards] = match.game.executor.value_of(division, cards, match.position) or ()
            except Fault:  # such as too much work
                self._kept[cards] = ()
        return self._kept[cards]
