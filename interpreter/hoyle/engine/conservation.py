"""Nothing is lost: every card lies in exactly one zone.

In: a position. Out: nothing, or a `Fault`.
"""

from __future__ import annotations

from hoyle.engine.faults import Fault
from hoyle.model.position import Position


def check_conservation(position: Position, cards: int | None = None) -> None:
    """Check that each of the cards lies in one zone. `cards` is the size of the deck, if known."""
    lying = sorted(card for pile in position.zones for card in pile)
    if lying != list(range(len(lying) if cards is None else cards)):
        raise Fault("lost-card", "a card lies in no zone, or in two")
