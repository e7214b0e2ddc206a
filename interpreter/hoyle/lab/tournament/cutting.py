"""Tie-breaks by cutting the deck: each tied side cuts a card, the best card wins, and equal best cards cut again.

In: the tied sides, the rank of each card, and a function that draws cards. Out: the winner and every card cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hoyle.base.dataclass import dataclass
from hoyle.program.model.chance import Stream

Lift = Callable[[int], list[int]]
MOST_CUTS = 1000


@dataclass(frozen=True, slots=True)
class Cut:
    """A tie-break: its rounds, each as pairs of side and card, and the winner."""

    winner: int
    rounds: tuple[tuple[tuple[int, int], ...], ...]


def cut_among(cutters: Sequence[int], ranks: Sequence[int], best: str, lift: Lift) -> Cut:
    """Break a tie. If it persists for `MOST_CUTS` rounds, as when all cards rank equal, the first of the remaining
    sides wins."""
    left = list(cutters)
    rounds: list[tuple[tuple[int, int], ...]] = []
    while len(left) > 1 and len(rounds) < MOST_CUTS:
        lifted = tuple(zip(left, lift(len(left)), strict=True))
        rounds.append(lifted)
        counts = [ranks[card] for _, card in lifted]
        wanted = max(counts) if best == "highest" else min(counts)
        left = [who for who, card in lifted if ranks[card] == wanted]
    return Cut(left[0], tuple(rounds))


def lift_from_seed(seed: int, deck: int) -> Lift:
    """Return a function that draws distinct random cards from the whole deck."""
    stream = Stream(seed)

    def lift(number: int) -> list[int]:
        cards = list(range(deck))
        lifted = []
        for _ in range(number):
            lifted.append(cards.pop(stream.below(len(cards))))
        return lifted

    return lift
