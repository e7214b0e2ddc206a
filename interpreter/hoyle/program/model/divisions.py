"""Optimal partition of cards into disjoint groups that satisfy a condition, with the least weight left over.

In: the cards, and functions that say whether cards form a group, whether they can be extended to one, and what a
leftover card weighs. Out: the groups. The result is canonical, whatever the order of the input: cards are considered in
deck order, and each goes into the first group, by size and then by its cards, that leads to the least weight; it is
left over only if that weighs strictly less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hoyle.program.model.surveys import MOST_KEPT, MOST_SURVEYED, Cards, Group, Surveyor, TooManyCards

MOST_DIVIDED = MOST_SURVEYED  # cards

__all__ = ["MOST_DIVIDED", "Cards", "Divider", "TooManyCards"]


class Divider:
    """Divides sets of cards and memoises the results. Sets of cards are bit masks."""

    def __init__(
        self, fits: Callable[[Cards], bool], grows: Callable[[Cards], bool] | None, weigh: Callable[[int], int]
    ) -> None:
        self._surveyor = Surveyor(fits, grows)
        self._weigh = weigh
        self._weights: dict[int, int] = {}
        self._answers: dict[int, tuple[Cards, ...]] = {}  # by the set of cards that occur in any group
        self._best: dict[int, tuple[int, Group | None]] = {}  # by set: least leftover weight, group of the first card

    def divide(self, cards: Iterable[int]) -> tuple[Cards, ...]:
        """The groups of the best division, ordered by their first cards."""
        held = 0
        for card in cards:
            held |= 1 << card
        survey = self._surveyor.survey(held)
        useful = survey.useful
        others = ~held
        if useful & others:
            useful = 0
            for group in survey.groups:
                if not group & others:
                    useful |= group
        if not useful:
            return ()
        answer = self._answers.get(useful)
        if answer is None:
            for kept in (self._answers, self._best):
                if len(kept) > MOST_KEPT:
                    kept.clear()
            answer = self._answers[useful] = self._divide(useful)
        return answer

    def _divide(self, useful: int) -> tuple[Cards, ...]:
        self._find_best(useful)
        made = []
        while useful:
            taken = self._best[useful][1]
            if taken is None:
                useful &= useful - 1
            else:
                made.append(taken[0])
                useful &= ~taken[1]
        return tuple(made)

    def _find_best(self, left: int) -> int:
        """The least leftover weight of a set of cards."""
        if not left:
            return 0
        found = self._best.get(left)
        if found is None:
            first = left & -left
            others = left ^ first
            best: int | None = None
            taken: Group | None = None
            for group in self._surveyor.list_with(first, others)[0]:
                rest = self._find_best(left & ~group[1])
                if best is None or rest < best:
                    best, taken = rest, group
            alone = self._weigh_card(first.bit_length() - 1) + self._find_best(others)
            if best is None or alone < best:
                best, taken = alone, None
            found = self._best[left] = (best, taken)
        return found[0]

    def _weigh_card(self, card: int) -> int:
        weight = self._weights.get(card)
        if weight is None:
            weight = self._weights[card] = self._weigh(card)
        return weight
