"""The cost of a choice, in chips.

In: a match, an action offered there. Out: the first payment that the action makes, as far as the deciding seat can
foresee it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.play.engine.struck_out import foresee, strike_out
from hoyle.program.ir.nodes import Program

if TYPE_CHECKING:
    from hoyle.play.engine.game import Match


class Costs:
    """Finds the costs of actions."""

    def __init__(self, program: Program) -> None:
        pots = (each for each in program.states if each.pot and [part.kind for part in each.of] == ["seat"])
        self._purse = next(pots, None)  # the players' chips: the first pot declared `of: seat`

    def find(self, match: Match, place: int) -> int:
        """Return what the deciding seat pays for the offered action at index `place`; 0 if it pays nothing, or cannot
        know how much."""
        decision = match.decision
        if self._purse is None or decision is None:
            return 0
        struck = strike_out(match, decision.seat)
        paid = foresee(match, struck, decision.actions[place].choice, lambda event: event.name == "paid")
        if paid is None or paid.data["payer"] != self._purse.base + decision.seat:
            return 0
        return int(paid.data["amount"])
