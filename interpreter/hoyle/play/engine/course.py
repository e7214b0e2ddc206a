"""Card movements caused by a choice, and who saw them.

In: the events after a choice. Out: `Course`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hoyle.play.view.seeing import everybody
from hoyle.program.model.events import FORGOTTEN

if TYPE_CHECKING:
    from hoyle.program.model.events import Event
    from hoyle.program.model.position import Position


class Course(NamedTuple):
    """Card movements caused by a choice: `left`, by zone, the cards that left it; `unseen`, by zone, the mask of seats
    that did not see all of these; `came`, by zone, the cards that arrived, with the masks of seats that saw them.
    `is_mixed`: something else moved cards, so that these are not all movements."""

    left: Mapping[int, frozenset[int]]
    unseen: Mapping[int, int]
    came: Mapping[int, Sequence[tuple[int, int]]]
    is_mixed: bool

    def rename(self, becomes: Mapping[int, int]) -> Course:
        """The same movements with cards relabelled."""
        left = {zone: frozenset(becomes.get(card, card) for card in cards) for zone, cards in self.left.items()}
        came = {zone: [(becomes.get(card, card), mask) for card, mask in cards] for zone, cards in self.came.items()}
        return self._replace(left=left, came=came)


def follow(position: Position, events: Sequence[Event]) -> Course:
    """The card movements reported by events that happened from a position on."""
    all_seats = everybody(position.players)
    left: dict[int, set[int]] = {}
    unseen: dict[int, int] = {}
    came: dict[int, list[tuple[int, int]]] = {}
    is_mixed = False
    for event in events:
        data = event.data
        match event.name:
            case "moved" | "dealt":
                several = event.name == "moved"
                size = len(data["cards"])
                sources = data["source"] if several else [data["source"]] * size
                targets = [data["zone"]] * size if several else data["to"]
                for card, source, target, known in zip(data["cards"], sources, targets, event.known, strict=True):
                    mask = known & event.told
                    left.setdefault(source, set()).add(card)
                    unseen[source] = unseen.get(source, 0) | all_seats & ~mask
                    came.setdefault(target, []).append((card, mask))
            case "gathered" | "swapped" | "taken_back" | FORGOTTEN.name:
                is_mixed = True
    return Course({zone: frozenset(cards) for zone, cards in left.items()}, unseen, came, is_mixed)
