"""Visibility of cards as they arrive in a zone.

In: the instructions of a program, with the abstract values of their operands. Out: the zones all of whose cards
somebody, or everybody, has seen arrive; and the instructions that bring cards into a zone unseen.

A card is seen to arrive if it was visible where it lay, or arrives alone where it is visible. A shuffle or a cut
invalidates knowledge of positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hoyle.analyse.showing import ALL_ZONES, Nodes, single
from hoyle.analyse.sight import Place, Sighting, Value, Zones
from hoyle.dataclass import dataclass
from hoyle.ir import nodes as ir
from hoyle.ir.parts import Part, Touch, Use, overlap
from hoyle.ir.visibility import is_open, is_seen, list_ways

Sees = Callable[[int, bool], bool]  # whether the cards of a zone, or its top card, are seen


@dataclass(frozen=True, slots=True)
class Unseen:
    """An instruction after which a zone holds cards that were not seen to arrive, or whose positions are unknown."""

    instruction: ir.Instruction
    zone: int
    why: str


class Arrivals:
    """Analyses the arrival of cards in the zones of a program."""

    def __init__(self, sighting: Sighting, nodes: Nodes) -> None:
        self.sighting = sighting
        self.nodes = nodes
        self.program = sighting.program
        self._instructions = [
            instruction
            for block in self.program.blocks
            for instruction in block.instructions
            if overlap(nodes.writes(instruction), ALL_ZONES)
        ]

    def list_seen(self, *, by_all: bool) -> frozenset[int]:
        """The zones whose cards somebody, or everybody, has seen arrive, even if they are covered now: the greatest
        fixpoint, by removing zones that may receive unseen cards."""
        seen = frozenset(range(len(self.program.zones)))
        while True:
            found = {each.zone for each in self.list_unseen(seen, self._is_seen(seen, by_all=by_all))}
            if not found:
                return seen
            seen -= found

    def find_unseen(self, zone: int) -> list[Unseen]:
        """The instructions after which a zone holds cards that nobody has seen."""
        seen = self.list_seen(by_all=False)
        return list(self.list_unseen([zone], self._is_seen(seen, by_all=False)))

    def list_forgotten(self) -> Iterator[Unseen]:
        """Violations of `remembered`: arrivals not seen by all in zones declared to be remembered by all."""
        zones = self.program.zones
        promised = frozenset(
            number
            for number, zone in enumerate(zones)
            if zone.remembered and not all(shown.everybody for shown in list_ways(zone))
        )
        yield from self.list_unseen(promised, self._is_seen(frozenset(), by_all=True))

    def _is_seen(self, known: frozenset[int], *, by_all: bool) -> Sees:
        shown = is_open if by_all else is_seen
        return lambda zone, top: zone in known or shown(self.program.zones[zone], top=top)

    # ---------------------------------------------------------------------------------------------- instructions
    def list_unseen(self, watched: Iterable[int], sees: Sees) -> Iterator[Unseen]:
        """The instructions that bring unseen cards into the watched zones."""
        for instruction in self._instructions:
            for zone, why in self._brought(instruction, sees):
                for each in watched:
                    if zone is None or zone == each:
                        yield Unseen(instruction, each, why)

    def _brought(self, instruction: ir.Instruction, sees: Sees) -> Iterator[tuple[int | None, str]]:
        """The zones into which an instruction brings unseen cards, with the reason; None for any zone."""
        by_use: dict[Use, list[ir.Expr]] = {}
        for expr, use in self.nodes.uses(instruction):
            by_use.setdefault(use, []).append(expr)
        for expr in by_use.get(Use.MIXED, ()):
            for zone in self._zones(expr):
                yield zone, "afterwards nobody knows where they lie"
        exchanged = by_use.get(Use.EXCHANGED, [])
        for number, expr in enumerate(exchanged):
            others = [other for place, other in enumerate(exchanged) if place != number]
            if not all(self._are_seen(other, sees) for other in others):
                for zone in self._zones(expr):
                    yield zone, "not all have seen what comes there"
        for expr in by_use.get(Use.INTO, ()):
            for zone in self._zones(expr):
                if not self._is_seen_to_come(instruction, by_use, zone, sees):
                    yield zone, "not all see what comes there"
        known = {Use.MIXED, Use.EXCHANGED, Use.INTO, Use.GATHERED, Use.TURNED}
        if known.isdisjoint(by_use) and not all(touch.restored for touch in _touches_of_zones(instruction)):
            yield None, "it is not said what comes there"

    def _zones(self, expr: ir.Expr) -> list[int | None]:
        zones = self.sighting.look(expr).zones
        return [None] if zones is None else [zone for zone, _ in zones]

    def _are_seen(self, expr: ir.Expr, sees: Sees) -> bool:
        zones: Zones = self.sighting.look(expr).zones
        return zones is not None and all(sees(zone, False) for zone, _ in zones)

    def _is_seen_to_come(
        self, instruction: ir.Instruction, by_use: dict[Use, list[ir.Expr]], zone: int | None, sees: Sees
    ) -> bool:
        if Use.FROM in by_use:
            return all(self._are_seen(source, sees) for source in by_use[Use.FROM])
        handled = by_use.get(Use.HANDLED, [])
        if not handled:
            return False
        under = any(getattr(instruction, name) for name, use in instruction.uses.items() if use is Use.UNDER)
        shown = zone is not None and all(shown.top for shown in list_ways(self.program.zones[zone]))
        return all(
            (shown and not under and single(cards) is not None) or self._were_seen(self.sighting.look(cards), sees)
            for cards in handled
        )

    def _were_seen(self, cards: Value, sees: Sees) -> bool:
        """Whether cards were visible where they lay; cards referenced by identity are known anyway."""
        return all(isinstance(place, Place) and sees(place.zone, place.top) for place in cards.lies)


def _touches_of_zones(instruction: ir.Instruction) -> list[Touch]:
    return [touch for touch in instruction.writes or () if touch.part is Part.ZONES]
