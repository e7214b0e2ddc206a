"""Visibility of cards as they come to a zone and leave it.

In: the instructions of a program, with the abstract values of their operands. Out: the zones all of whose cards
somebody, or everybody, has seen arrive and remembers; the instructions that end that; the zones of whose cards all
know who held them last; and whether the source of cards that move tells where they lay.

A card is seen to arrive if it was visible where it lay, or arrives alone where it is visible. A shuffle or a cut
invalidates knowledge of positions, and a card that leaves without all knowing which one invalidates the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hoyle.base.dataclass import dataclass
from hoyle.language.analyse.observers import Everybody, Observer
from hoyle.language.analyse.showing import ALL_ZONES, ANYBODY, Known, Nodes, single
from hoyle.language.analyse.sight import NONE, Chosen, Place, Secret, Secrets, Sighting, Value, Whereabouts, Zones
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Part, Touch, Use, overlap
from hoyle.program.ir.visibility import is_seen, is_visible, list_ways


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
            found = {each.zone for each in self.list_unseen(seen, self._sees(seen, by_all=by_all))}
            if not found:
                return seen
            seen -= found

    def list_unseen_sources(self, secret: Secret) -> Iterator[tuple[int, str]]:
        """The instruction that brought cards unseen into a zone; omitted where they were shuffled, which needs no
        explanation."""
        if isinstance(secret, Place):
            arrivals = [*self.list_unseen([secret.zone], self._sees(self.list_seen(by_all=False), by_all=False))]
            if not any(Use.MIXED in each.instruction.uses.values() for each in arrivals):
                yield from ((each.instruction.clause, "nobody sees what comes there") for each in arrivals[:1])

    def list_forgotten(self) -> Iterator[Unseen]:
        """Violations of `remembered`: arrivals not seen by all in zones declared to be remembered by all."""
        promised = frozenset(
            number for number, zone in enumerate(self.program.zones) if zone.remembered and not is_visible(zone)
        )
        yield from self.list_unseen(promised, self._sees(frozenset(), by_all=True))

    def _sees(self, known: frozenset[int], *, by_all: bool) -> Sees:
        return Sees(self.program, known, by_all)

    # ---------------------------------------------------------------------------------------------- sources
    def find_source(self, moving: ir.Instruction, moved: ir.Expr, known: Known, somebody: Observer) -> Secrets:
        """Where cards come from that are named by what they are: the seats must know it together, unless all see which
        they are as they arrive. They do if there is only one zone whose cards nobody sees."""
        zones = self.program.zones
        targets = self._group(moving).get(Use.INTO)
        if not targets:
            return NONE
        cards = single(moved) or moved
        into = self.sighting.look(targets[0], seen=known.seen_by(ANYBODY)).zones
        listed = cards.value if isinstance(cards, ir.Const) and isinstance(cards.value, tuple) else ()
        top = (cards is not moved or len(listed) == 1) and not _goes_under(moving)
        if into and all(is_visible(zones[zone], top=top) for zone, _ in into):
            return NONE
        if isinstance(cards, ir.Slot) and cards.index in known.followed:
            return NONE
        filled = (Place(zone, False, None) for zone in range(len(zones)) if zone not in known.empty)
        unseen = [zones[place.zone] for place in filled if not somebody.knows(place)]
        if len(unseen) < 2 and not any(zone.of or zone.many for zone in unseen):
            return NONE
        return Secrets({Whereabouts(moved.text): ()})

    # ---------------------------------------------------------------------------------------------- last holders
    def list_traced(self) -> frozenset[int]:
        """The zones of whose cards all know who held them last: those of the seats, and those that no card enters
        from elsewhere without all knowing which, and in which cards of several holders are not mixed face down."""
        zones = range(len(self.program.zones))
        owned = {zone for zone in zones if any(part.kind == "seat" for part in self.program.zones[zone].of)}
        varied = set(owned)  # zones that may hold cards of several holders
        lost: set[int] = set()
        while True:
            before = len(varied), len(lost)
            for instruction in self._instructions:
                self._trace(instruction, owned, varied, lost)
            if before == (len(varied), len(lost)):
                return frozenset(zones) - lost

    def _trace(self, instruction: ir.Instruction, owned: set[int], varied: set[int], lost: set[int]) -> None:
        """Add what an instruction makes varied or lost."""
        by_use = self._group(instruction)
        every = set(range(len(self.program.zones)))
        for zone in self._all_zones(by_use.get(Use.MIXED, ()), every):
            if zone in varied and zone not in owned and not is_visible(self.program.zones[zone]):
                lost.add(zone)
        sources = self._all_zones((*by_use.get(Use.FROM, ()), *by_use.get(Use.EXCHANGED, ())), every)
        targets = self._all_zones((*by_use.get(Use.INTO, ()), *by_use.get(Use.EXCHANGED, ())), every) - owned
        for cards in by_use.get(Use.HANDLED, ()) if targets else ():
            value = self.sighting.look(cards)
            places = {place for place in value.lies if isinstance(place, Place)}
            sources |= every if value.by_face or len(places) < len(value.lies) or not places else set()
            sources |= {place.zone for place in places}
            for place in places:
                covered = not is_visible(self.program.zones[place.zone], top=place.top)
                if covered and place.zone in varied - owned and self._is_doubtful(value):
                    lost |= {place.zone, *targets}
        if sources & varied:
            varied |= targets
        if sources & lost:
            lost |= targets

    def _is_doubtful(self, cards: Value) -> bool:
        """Whether not all know which cards of a zone are meant."""
        drawn = any(isinstance(each, Chosen) or (isinstance(each, Place) and each.drawn) for each in cards.lies)
        return drawn or not all(map(Everybody(self.program).knows, cards.secrets))

    def _all_zones(self, exprs: Iterable[ir.Expr], every: set[int]) -> set[int]:
        found: set[int] = set()
        for expr in exprs:
            zones = self.sighting.look(expr).zones
            found |= every if zones is None else {zone for zone, _ in zones}
        return found

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
        by_use = self._group(instruction)
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
        for cards in by_use.get(Use.HANDLED, ()):
            for zone in self._left_unseen(self.sighting.look(cards), sees):
                yield zone, "not all know which of them leaves it"
        known = {Use.MIXED, Use.EXCHANGED, Use.INTO, Use.GATHERED, Use.TURNED}
        if known.isdisjoint(by_use) and not all(touch.restored for touch in _touches_of_zones(instruction)):
            yield None, "it is not said what comes there"

    def _group(self, instruction: ir.Instruction) -> dict[Use, list[ir.Expr]]:
        by_use: dict[Use, list[ir.Expr]] = {}
        for expr, use in self.nodes.uses(instruction):
            by_use.setdefault(use, []).append(expr)
        return by_use

    def _zones(self, expr: ir.Expr) -> list[int | None]:
        zones = self.sighting.look(expr).zones
        return [None] if zones is None else [zone for zone, _ in zones]

    def _are_seen(self, expr: ir.Expr, sees: Sees) -> bool:
        zones: Zones = self.sighting.look(expr).zones
        return zones is not None and all(sees.know(Place(zone, False, None)) for zone, _ in zones)

    def _is_seen_to_come(
        self, instruction: ir.Instruction, by_use: dict[Use, list[ir.Expr]], zone: int | None, sees: Sees
    ) -> bool:
        if Use.FROM in by_use:
            return all(self._are_seen(source, sees) for source in by_use[Use.FROM])
        handled = by_use.get(Use.HANDLED, [])
        if not handled:
            return False
        under = _goes_under(instruction)
        shown = zone is not None and all(shown.top for shown in list_ways(self.program.zones[zone]))
        return all(
            (shown and not under and single(cards) is not None) or self._were_seen(self.sighting.look(cards), sees)
            for cards in handled
        )

    def _were_seen(self, cards: Value, sees: Sees) -> bool:
        """Whether cards were visible where they lay, or all know which ones they are and remember them; cards
        referenced by identity are known anyway."""
        doubtful = sees.by_all and self._is_doubtful(cards)
        return all(
            isinstance(place, Chosen)
            or (isinstance(place, Place) and sees.know(replace(place, drawn=place.drawn or doubtful)))
            for place in cards.lies
        )

    def _left_unseen(self, cards: Value, sees: Sees) -> Iterator[int]:
        """The covered zones of which not all can tell what remains after these cards have left."""
        drawn = any(isinstance(place, Place) and place.drawn for place in cards.lies)
        if drawn or (sees.by_all and self._is_doubtful(cards)):
            for place in cards.lies:
                if isinstance(place, Place) and not sees.know(replace(place, drawn=True)):
                    yield place.zone


@dataclass(frozen=True, slots=True)
class Sees:
    """Who watches cards come and go: all, or somebody; `known` are zones whose cards they are taken to remember."""

    program: ir.Program
    known: frozenset[int]
    by_all: bool

    def know(self, place: Place) -> bool:
        """Whether they know the cards of a place; drawn ones only if they see them there."""
        zone = self.program.zones[place.zone]
        if is_visible(zone, top=place.top) or (not self.by_all and is_seen(zone, top=place.top)):
            return True
        return not place.drawn and (place.zone in self.known or zone.remembered)


def _goes_under(instruction: ir.Instruction) -> bool:
    return any(getattr(instruction, name) for name, use in instruction.uses.items() if use is Use.UNDER)


def _touches_of_zones(instruction: ir.Instruction) -> list[Touch]:
    return [touch for touch in instruction.writes or () if touch.part is Part.ZONES]
