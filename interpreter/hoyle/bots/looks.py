"""What a seat sees of a position, as a key: positions that look the same to the seat that is to choose are one.

In: a position and a seat. Out: a tuple that can be hashed. Cards of equal face are the same.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from hoyle.model.runtime_values import Value
from hoyle.view.names import holds_cards
from hoyle.view.seeing import includes

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.engine.legality import Choice
    from hoyle.model.position import Position


class Looks:
    """Makes keys for one program; what does not change is worked out once."""

    def __init__(self, executor: ReferenceExecutor) -> None:
        program, sight = executor.program, executor.effects.sight
        self.faces = [card.face for card in program.cards]
        self.has_copies = len(set(self.faces)) < len(self.faces)
        self._sight = sight
        self._zones = [
            [(zone, self._find_way(sight.names, zone, seat)) for zone in range(len(sight.names.zones))]
            for seat in range(program.players)
        ]
        self._states = [
            [
                index
                for index in range(len(sight.names.states))
                if includes(sight.mask_state(index), seat, program.players)
            ]
            for seat in range(program.players)
        ]
        self._picks = [[holds_cards(pick.type) for pick in action.picks] for action in program.actions]

    def _find_way(self, names: Any, zone: int, seat: int) -> str:
        declared = names.zones[zone][0]
        if declared.cases:
            return "places"
        if declared.shows == "all" or declared.remembered:
            return "order"
        if declared.shows == "owner":
            return "cards" if seat in names.zone_owners[zone] else "size"
        return {"nothing": "size", "top_card": "top"}.get(declared.shows, "places")

    def key(self, position: Position, seat: int) -> Hashable:
        """What the seat sees."""
        faces, zones = self.faces, position.zones
        parts: list[Value] = [position.block, seat]
        for zone, way in self._zones[seat]:
            pile = zones[zone]
            if not pile or way == "size":
                parts.append(len(pile))
            elif way == "cards":
                parts.append(tuple(sorted([faces[card] for card in pile])))
            elif way == "order":
                parts.append(tuple([faces[card] for card in pile]))
            elif way == "top":
                parts.append((len(pile), faces[pile[-1]]))
            else:
                bit = 1 << seat
                masks = self._sight.mask_places(position, zone)
                parts.append(
                    tuple(
                        faces[card] if masks[place] & bit else -1
                        for place, card in enumerate(pile)
                    )
                )
        states = position.states
        parts.append(tuple([states[index] for index in self._states[seat]]))
        parts.extend(map(tuple, position.totals))
        return tuple(parts)

    def name_choice(self, choice: Choice) -> Choice:
        """A choice by the faces of its cards."""
        if not choice or not self.has_copies:
            return choice
        named = zip(self._picks[choice[0]], choice[1:], strict=True)
        return (choice[0], *(self._name(value) if cards else value for cards, value in named))

    def _name(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(sorted([self.faces[card] for card in value]))
        return None if value is None else self.faces[value]
