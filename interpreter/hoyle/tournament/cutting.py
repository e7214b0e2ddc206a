"""Cutting: those who are equal lift a card each, and the best card wins; those with equal best cards cut again.

In: who cuts, what each card of the deck counts, and what lifts the cards. Out: the winner and every card lifted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hoyle.dataclass import dataclass
from hoyle.model.chance import Stream

Lift = Callable[[int], list[int]]
MOST_CUTS = 1000


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut: the rounds of it, each with who lifted which card, and who won."""

    winner: int
    rounds: tuple[tuple[tuple[int, int], ...], ...]


def cut_among(cutters: Sequence[int], ranks: Sequence[int], best: str, lift: Lift) -> Cut:
    """Settle who of several is first. Should they stay equal for ever, because all cards count the same, it is the
    first of them."""
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
    """Cards lifted off the whole deck by chance, a different one for each who cuts."""
    stream = Stream(seed)

    def lift(number: int) -> list[int]:
        cards = list(range(deck))
        lifted = []
        for _ in range(number):
            lifted.append(cards.pop(stream.below(len(cards))))
        return lifted

    return lift
