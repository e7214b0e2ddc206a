"""The best division of cards into groups: disjoint groups that satisfy a condition, so that what is left weighs least.

In: the cards, and functions that say of a group whether it is one, whether it can still become one, and what a card
that is left weighs. Out: the groups. Cards are taken in the order of the deck: each goes into the first group, by size
and then by its cards, with which the rest comes out lightest, and is left only if that is lighter still. So there is
one answer, whatever the order of the cards that are divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Cards = tuple[int, ...]
Group = tuple[Cards, int]  # its cards, in order, and the same as bits
MOST_DIVIDED = 16  # cards
MOST_GROWN = 2_000  # groups, complete or not, that are looked at
MOST_KEPT = 200_000  # answers kept for the next time


class TooManyCards(Exception):  # noqa: N818 - a finding; who asks says what it means
    """The cards are too many, or make too many groups."""


class Divider:
    """Divides cards, again and again; what it has found out about groups it keeps, so the functions must always say the
    same. `grows` says whether a group can still become one with more cards: if not, no group holds it. Sets of cards
    are held as bits."""

    def __init__(
        self, fits: Callable[[Cards], bool], grows: Callable[[Cards], bool] | None, weigh: Callable[[int], int]
    ) -> None:
        self._fits, self._grows, self._weigh = fits, grows, weigh
        self._mates: dict[int, tuple[int, int]] = {}  # of a card: of which others it is known, those it can be with
        self._known: dict[Cards, tuple[bool, bool]] = {}  # whether cards are a group, whether they can become one
        self._weights: dict[int, int] = {}
        self._found: dict[tuple[int, int], tuple[tuple[Group, ...], int]] = {}
        self._answers: dict[int, tuple[Cards, ...]] = {}
        self._best: dict[int, tuple[int, Group | None]] = {}  # what is left of cards weighs, and their first group

    def divide(self, cards: Iterable[int]) -> tuple[Cards, ...]:
        """The groups of the best division, in the order of their first cards."""
        held = 0
        for card in cards:
            held |= 1 << card
        answer = self._answers.get(held)
        if answer is None:
            for kept in (self._answers, self._best, self._found, self._known):
                if len(kept) > MOST_KEPT:
                    kept.clear()
            answer = self._answers[held] = self._divide(held)
        return answer

    def _divide(self, held: int) -> tuple[Cards, ...]:
        if held.bit_count() > MOST_DIVIDED:
            raise TooManyCards(f"{held.bit_count()} cards are to be divided; at most {MOST_DIVIDED} can be")
        useful = looked = 0
        left = held
        while left:
            first = left & -left
            left ^= first
            groups, number = self._list_with(first, left)
            looked += number
            for _, group in groups:
                useful |= group
        if looked > MOST_GROWN:
            raise TooManyCards(f"more than {MOST_GROWN} groups would have to be looked at")
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
            for group in self._list_with(first, others)[0]:
                rest = self._find_best(left & ~group[1])
                if best is None or rest < best:
                    best, taken = rest, group
            alone = self._weigh_card(first.bit_length() - 1) + self._find_best(others)
            if best is None or alone < best:
                best, taken = alone, None
            found = self._best[left] = (best, taken)
        return found[0]

    def _list_with(self, first: int, higher: int) -> tuple[tuple[Group, ...], int]:
        """The groups of a card, given as a bit, and of others from among higher ones, the smaller groups first, and how
        many had to be looked at."""
        asked, mates = self._mates.get(first, (0, 0))
        if higher & ~asked:
            card = first.bit_length() - 1
            for other in _list_bits(higher & ~asked):
                if self._grows is None or self._grows((card, other)):
                    mates |= 1 << other
            self._mates[first] = (asked | higher, mates)
        found = self._found.get((first, higher & mates))
        if found is None:
            found = self._grow(first.bit_length() - 1, _list_bits(higher & mates))
            self._found[first, higher & mates] = found
        return found

    def _grow(self, first: int, mates: list[int]) -> tuple[tuple[Group, ...], int]:
        groups: list[Group] = []
        level: list[tuple[Cards, int]] = [((first,), 0)]
        looked = 0
        while level:
            larger: list[tuple[Cards, int]] = []
            for cards, start in level:
                looked += 1
                known = self._known.get(cards)
                if known is None:
                    grows = len(cards) < 2 or self._grows is None or self._grows(cards)
                    known = self._known[cards] = (grows and self._fits(cards), grows)
                if known[0]:
                    groups.append((cards, sum(1 << card for card in cards)))
                if known[1]:
                    larger += [((*cards, mates[place]), place + 1) for place in range(start, len(mates))]
            if looked > MOST_GROWN:
                raise TooManyCards(f"more than {MOST_GROWN} groups would have to be looked at")
            level = larger
        return tuple(groups), looked

    def _weigh_card(self, card: int) -> int:
        weight = self._weights.get(card)
        if weight is None:
            weight = self._weights[card] = self._weigh(card)
        return weight


def _list_bits(held: int) -> list[int]:
    """The cards of a set, in order."""
    cards = []
    while held:
        first = held & -held
        cards.append(first.bit_length() - 1)
        held ^= first
    return cards
