"""The best division of cards into groups: disjoint groups that satisfy a condition, so that what is left weighs least.

In: the cards, and functions that say of a group whether it is one, whether it can still become one, and what a card
that is left weighs. Out: the groups. Cards are taken in the order of the deck: each goes into the first group, by size
and then by its cards, with which the rest comes out lightest, and is left only if that is lighter still. So there is
one answer, whatever the order of the cards that are divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hoyle.model.surveys import MOST_KEPT, MOST_SURVEYED, Cards, Group, Surveyor, TooManyCards

MOST_DIVIDED = MOST_SURVEYED  # cards

__all__ = ["MOST_DIVIDED", "Cards", "Divider", "TooManyCards"]


class Divider:
    """Divides cards, again and again, and keeps what it has found out, as a surveyor of groups does. Sets of cards are
    held as bits."""

    def __init__(
        self, fits: Callable[[Cards], bool], grows: Callable[[Cards], bool] | None, weigh: Callable[[int], int]
    ) -> None:
        self._surveyor = Surveyor(fits, grows)
        self._weigh = weigh
        self._weights: dict[int, int] = {}
        self._answers: dict[int, tuple[Cards, ...]] = {}  # by the cards that are in any group
        self._best: dict[int, tuple[int, Group | None]] = {}  # what is left of cards weighs, and their first group

    def divide(self, cards: Iterable[int]) -> tuple[Cards, ...]:
        """The groups of the best division, in the order of their first cards."""
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
        """What is left of a set of cards weighs at the best."""
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
