"""Incremental enumeration of the groups of cards that satisfy a condition.

In: functions that say whether cards form a group and whether they can be extended to one; cards. Out: a survey of all
groups among these cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import reduce
from operator import or_

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError

Cards = tuple[int, ...]
Group = tuple[Cards, int]  # its cards, in order, and the same as bits
MOST_SURVEYED = 16  # cards in one query
MOST_GROWN = 2_100  # partial and complete groups explored; eleven cards that are all compatible make 2,047
MOST_KEPT = 200_000  # entries of each cache
MOST_SURVEYS = 8
MOST_ADDED = 2  # cards by which a survey is extended; a larger difference starts a new one
MOST_SPARE = 2  # cards of a survey beyond those of the query


class TooManyCards(HoyleError):  # noqa: N818 - a finding, which callers translate
    """There are too many cards, or too many groups of them."""


@dataclass(slots=True)
class Survey:
    """All groups among some cards, and the union of these groups, as bit masks. Dividing any subset explores at most
    `most` partial and complete groups."""

    cards: int = 0
    groups: list[int] = field(default_factory=list)
    useful: int = 0
    most: int = 0
    recent: int = 0  # cards queried since the last extension

    def restrict(self, held: int) -> Survey:
        """The survey of a subset of its cards."""
        groups = [group for group in self.groups if not group & ~held]
        return Survey(self.cards & held, groups, reduce(or_, groups, 0), self.most)


class Surveyor:
    """Finds groups and memoises the results, so the functions must be pure. `grows` says whether a partial group can be
    extended to a complete one: if not, no group contains it. Sets of cards are bit masks; the functions receive cards
    in deck order.

    Successive queries mostly differ by a few cards: hands from turn to turn, a hand without each of its cards. So
    surveys are kept, and extended by the cards that are new."""

    def __init__(self, fits: Callable[[Cards], bool], grows: Callable[[Cards], bool] | None) -> None:
        self._fits, self._grows = fits, grows
        self._mates: dict[int, tuple[int, int]] = {}  # by card: other cards tested, and those compatible with it
        self._known: dict[int, tuple[Group | None, bool]] = {}  # by set: the group if it is one, whether it can grow
        self._found: dict[tuple[int, int], tuple[tuple[Group, ...], int]] = {}
        self._surveys: list[Survey] = [Survey()]  # most recently used first

    def survey(self, held: int) -> Survey:
        """A survey of some cards, and perhaps of a few others."""
        survey = self._surveys[0]
        if held & ~survey.cards or held.bit_count() > MOST_SURVEYED:
            survey = self._survey(held)
        survey.recent |= held
        return survey

    def _survey(self, held: int) -> Survey:
        if held.bit_count() > MOST_SURVEYED:
            raise TooManyCards(f"{held.bit_count()} cards are to be divided; at most {MOST_SURVEYED} can be")
        for kept in (self._found, self._known):
            if len(kept) > MOST_KEPT:
                kept.clear()
        survey = self._find_nearest(held)
        added = held & ~survey.cards
        while added:  # highest first, so that for a new survey each card is combined with higher ones only
            card = added.bit_length() - 1
            added ^= 1 << card
            for _, group in self.list_with(1 << card, survey.cards)[0]:
                survey.groups.append(group)
                survey.useful |= group
            survey.cards |= 1 << card
        del self._surveys[MOST_SURVEYS - 1 :]
        self._surveys.insert(0, survey)
        return survey

    def _find_nearest(self, held: int) -> Survey:
        """A kept survey that lacks few of the cards, removed from the list; a new one if none is close enough."""
        for place, survey in enumerate(self._surveys):
            added = held & ~survey.cards
            if added.bit_count() > MOST_ADDED:
                continue
            together = survey.cards | held
            most = survey.most
            while added:  # each card at most doubles the number of existing groups, and adds groups of its own
                card = added.bit_length() - 1
                added ^= 1 << card
                most += most + (1 << (together & self._find_mates(card, together)).bit_count())
            if most > MOST_GROWN:
                most = self._bound_number(together)
            if most > MOST_GROWN:
                continue
            del self._surveys[place]
            if (survey.cards & ~held).bit_count() > MOST_SPARE:
                survey = survey.restrict(held | survey.recent)
            survey.most, survey.recent = most, 0
            return survey
        most = self._bound_number(held)
        if most > MOST_GROWN:
            self._check_number(held)
        return Survey(most=most)

    def _bound_number(self, held: int) -> int:
        """An upper bound on the partial and complete groups explored to divide some of these cards."""
        number = 0
        left = held
        while left:
            first = left & -left
            left ^= first
            number += 1 << (left & self._find_mates(first.bit_length() - 1, left)).bit_count()
        return number

    def _check_number(self, held: int) -> None:
        """Raise `TooManyCards` by the actual count. It depends on the cards alone, not on what is cached."""
        looked = 0
        left = held
        while left:
            first = left & -left
            left ^= first
            looked += self.list_with(first, left)[1]
        if looked > MOST_GROWN:
            raise TooManyCards(f"more than {MOST_GROWN} groups would have to be looked at")

    def _find_mates(self, card: int, others: int) -> int:
        """Cards compatible with a card in a group, tested pairwise: from among `others`, and perhaps more."""
        asked, mates = self._mates.get(card, (1 << card, 0))
        unknown = others & ~asked
        if unknown:
            for other in list_bits(unknown):
                if self._grows is None or self._grows((card, other) if card < other else (other, card)):
                    mates |= 1 << other
            self._mates[card] = (asked | unknown, mates)
        return mates

    def list_with(self, first: int, others: int) -> tuple[tuple[Group, ...], int]:
        """The groups of a card, given as a bit, with any of the others, by size, and the number of sets explored."""
        mates = others & self._find_mates(first.bit_length() - 1, others)
        found = self._found.get((first, mates))
        if found is None:
            found = self._found[first, mates] = self._grow(first, mates)
        return found

    def _grow(self, first: int, mates: int) -> tuple[tuple[Group, ...], int]:
        groups: list[Group] = []
        level = [(first, mates)]  # cards, and those that may come to them
        near = {1 << card: mates & self._find_mates(card, mates) for card in list_bits(mates)}
        looked = 0
        while level:
            larger: list[tuple[int, int]] = []
            for cards, further in level:
                looked += 1
                known = self._known.get(cards)
                if known is None:
                    listed = tuple(list_bits(cards))
                    grows = len(listed) < 2 or self._grows is None or self._grows(listed)
                    known = self._known[cards] = ((listed, cards) if grows and self._fits(listed) else None, grows)
                group, grows = known
                if group:
                    groups.append(group)
                while grows and further:
                    added = further & -further
                    further ^= added
                    larger.append((cards | added, further & near[added]))
            if looked > MOST_GROWN:
                raise TooManyCards(f"more than {MOST_GROWN} groups would have to be looked at")
            level = larger
        return tuple(groups), looked


def list_bits(held: int) -> list[int]:
    """The elements of a bit set, in order."""
    cards = []
    while held:
        first = held & -held
        cards.append(first.bit_length() - 1)
        held ^= first
    return cards
