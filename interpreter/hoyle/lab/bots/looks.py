"""Keys of search nodes: what seats see of a position, so that positions that look the same share a node.

In: a position and two seats. Out: a hashable tuple. Cards with equal faces are not distinguished.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from hoyle.play.view.names import holds_cards
from hoyle.play.view.seeing import includes, mask_zone
from hoyle.program.ir.types import certain
from hoyle.program.model.runtime_values import Value

if TYPE_CHECKING:
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.play.engine.legality import Choice
    from hoyle.program.model.position import Position


class Looks:
    """Makes keys for one program, from tables that are computed once."""

    def __init__(self, executor: ReferenceExecutor) -> None:
        program, sight = executor.program, executor.effects.sight
        self.faces = [card.face for card in program.cards]
        self.has_copies = len(set(self.faces)) < len(self.faces)
        self._sight = sight
        self._players = program.players
        self._seen: dict[tuple[int, int], tuple[list[tuple[int, str]], list[int]]] = {}
        self.picks = [[holds_cards(pick.type) for pick in action.picks] for action in program.actions]
        groups = [any(certain(pick.type).kind == "list" for pick in action.picks) for action in program.actions]
        self._is_renamed = [self.has_copies or grouped for grouped in groups]
        self.are_renamed = any(self._is_renamed)

    def list_seen(self, seat: int, other: int) -> tuple[list[tuple[int, str]], list[int]]:
        """List what both seats see: the zones, each with the way its contents enter the key, and the states."""
        found = self._seen.get((seat, other))
        if found is None:
            names, players = self._sight.names, self._players
            zones = [(zone, self._find_way(zone, seat, other)) for zone in range(len(names.zones))]
            states = [
                index
                for index in range(len(names.states))
                if all(includes(self._sight.mask_state(index), each, players) for each in (seat, other))
            ]
            found = self._seen[seat, other] = zones, states
        return found

    def _find_way(self, zone: int, seat: int, other: int) -> str:
        names = self._sight.names
        declared = names.zones[zone][0]
        if declared.cases:
            return "rule"
        if declared.remembered:
            return "order"
        way = self._find_shown(declared.shows, zone, seat, other)
        return "cards" if way == "order" and declared.shows == "owner" else way

    def _find_shown(self, shows: str, zone: int, seat: int, other: int) -> str:
        """Return the way a zone with this `shows:` enters the key."""
        mask = mask_zone(shows, self._sight.names.zone_owners[zone], self._players)
        if mask is not None:
            return "order" if mask >> seat & mask >> other & 1 else "size"
        if shows == "last_holder":
            return "holder" if seat == other else "size"
        return {"top_card": "top"}.get(shows, "places")

    def list_cases(self, zone: int, seat: int, other: int) -> list[str]:
        """List the ways a zone with conditional visibility enters the key: one per case, and last the default."""
        return [self._find_shown(shows, zone, seat, other) for shows in self._sight.list_shown(zone)]

    def key(self, position: Position, seat: int, other: int) -> Hashable:
        """Return the key of a position: what the deciding seat and the searching seat (`other`) both see."""
        faces, zones = self.faces, position.zones
        parts: list[Value] = [position.block, seat]
        ways, seen = self.list_seen(seat, other)
        for zone, way in ways:
            pile = zones[zone]
            if not pile or way == "size":
                parts.append(len(pile))
            elif way == "cards":
                parts.append(tuple(sorted([faces[card] for card in pile])))
            elif way == "order":
                parts.append(tuple([faces[card] for card in pile]))
            elif way == "top":
                parts.append((len(pile), faces[pile[-1]]))
            elif way == "holder":
                held = position.holders
                parts.append(tuple([faces[card] if held[card] == seat else -1 for card in pile]))
            else:
                bits = 1 << seat | 1 << other
                masks = self._sight.mask_places(position, zone)
                parts.append(
                    tuple(
                        faces[card] if masks[place] & bits == bits else -1
                        for place, card in enumerate(pile)
                    )
                )
        states = position.states
        parts.append(tuple([states[index] for index in seen]))
        parts.extend(map(tuple, position.totals))
        return tuple(parts)

    def name_choice(self, choice: Choice) -> Choice:
        """Return a choice with cards replaced by their faces, those of a group sorted, so that equivalent choices are
        equal."""
        if not choice or not self._is_renamed[choice[0]]:
            return choice
        named = zip(self.picks[choice[0]], choice[1:], strict=True)
        return (choice[0], *(self._name(value) if cards else value for cards, value in named))

    def _name(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(sorted([self.faces[card] for card in value]))
        return None if value is None else self.faces[value]
