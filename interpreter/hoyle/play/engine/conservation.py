"""Conservation checks: every card lies in exactly one zone, and payments preserve the number of chips.

In: a position. Out: nothing, or a `Fault`.
"""

from __future__ import annotations

from hoyle.play.engine.faults import Fault
from hoyle.play.view.names import Names
from hoyle.program.model.position import Position


def check_conservation(position: Position, cards: int | None = None) -> None:
    """Check that each card lies in exactly one zone. `cards` is the size of the deck, if known."""
    lying = sorted(card for pile in position.zones for card in pile)
    if lying != list(range(len(lying) if cards is None else cards)):
        raise Fault("lost-card", "a card lies in no zone, or in two")


def count_chips(names: Names, position: Position) -> int:
    """The total of all chips; debts are negative."""
    return sum(position.states[pot] for pot in names.pots)


def check_chips(names: Names, position: Position, before: int) -> None:
    """Check that the total of all chips is unchanged."""
    now = count_chips(names, position)
    if now != before:
        raise Fault("lost-chips", f"there were {before} chips, and now there are {now}")
