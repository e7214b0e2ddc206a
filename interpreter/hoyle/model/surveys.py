"""Groups of cards that satisfy a condition, found among cards of which most were there the last time.

In: functions that say of cards whether they are a group and whether they can still become one; cards. Out: a survey of
all groups among them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import reduce
from operator import or_

from hoyle.dataclass import dataclass

Cards = tuple[int, ...]
Group = tuple[Cards, int]  # its cards, in order, and the same as bits
MOST_SURVEYED = 16  # cards that are asked for
MOST_GROWN = 2_100  # groups, complete or not, that are looked at; eleven cards that all go together make 2,047
MOST_KEPT = 200_000  # answers kept for the next time
MOST_SURVEYS = 8
MOST_ADDED = 2  # cards by which a survey is extended; for more of them another is begun
MOST_SPARE = 2  # cards of a survey besides those that are asked for


class TooManyCards(Exception):  # noqa: N818 - a finding; who asks says what it means
    """The cards are too many, or make too many groups."""


@dataclass(slots=True)
class Survey:
    """All groups there are among some cards, and the cards that are in any of them, as bits. To divide some of them, no
    more than `most` groups, complete or not, have to be looked at."""

    cards: int = 0
    groups: list[int] = field(default_factory=list)
    useful: int = 0
    most: int = 0
    recent: int = 0  # those that were asked for since it was last extended

    def restrict(self, held: int) -> Survey:
        """The same of the cards that are held."""
        groups = [group for group in self.groups if not group & ~held]
        return Survey(self.cards & held, groups, reduce(or_, groups, 0), self.most)


class Surveyor:
    """Finds groups, again and again; what it has found out it keeps, so the functions must always say the same. `grows`
    says whether a group can still become one with more cards: if not, no group holds it. Sets of cards are held as
    bits; the functions are given the cards in the order of the deck.

    Cards that are asked for one after the other mostly differ by a few: hands from turn to turn, a hand without each of
    its cards. So the groups among some cards are surveyed once, and the survey is extended by cards that come in."""

    def __init__(self, fits: Callable[[Cards], bool], grows: Callable[[Cards], bool] | None) -> None:
        self._fits, self._grows = fits, grows
        self._mates: dict[int, tuple[int, int]] = {}  # of a card: of which others it is known, those it can be with
        self._known: dict[int, tuple[Group | None, bool]] = {}  # cards as a group if they are, whether they can grow
        self._found: dict[tuple[int, int], tuple[tuple[Group, ...], int]] = {}
        self._surveys: list[Survey] = [Survey()]  # what was asked for last stands first

    def survey(self, held: int) -> Survey:
        """The groups among some cards, and perhaps a few others."""
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
        while added:  # the highest first, so that a new survey looks only for groups with higher cards
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
        """A survey that lacks few of the cards, taken from the others; a new one if none is near."""
        for place, survey in enumerate(self._surveys):
            added = held & ~survey.cards
            if added.bit_count() > MOST_ADDED:
                continue
            together = survey.cards | held
            most = survey.most
            while added:  # each card at most doubles the groups of those before, and has groups of its own
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
        """How many groups, complete or not, may at most have to be looked at to divide some of these cards."""
        number = 0
        left = held
        while left:
            first = left & -left
            left ^= first
            number += 1 << (left & self._find_mates(first.bit_length() - 1, left)).bit_count()
        return number

    def _check_number(self, held: int) -> None:
        """Whatever was found out before: too many is told by the cards alone."""
        looked = 0
        left = held
        while left:
            first = left & -left
            left ^= first
            looked += self.list_with(first, left)[1]
        if looked > MOST_GROWN:
            raise TooManyCards(f"more than {MOST_GROWN} groups would have to be looked at")

    def _find_mates(self, card: int, others: int) -> int:
        """Those that a card can be with in a group, from among others and perhaps more."""
        asked, mates = self._mates.get(card, (1 << card, 0))
        unknown = others & ~asked
        if unknown:
            for other in list_bits(unknown):
                if self._grows is None or self._grows((card, other) if card < other else (other, card)):
                    mates |= 1 << other
            self._mates[card] = (asked | unknown, mates)
        return mates

    def list_with(self, first: int, others: int) -> tuple[tuple[Group, ...], int]:
        """The groups of a card, given as a bit, and of others, the smaller groups first, and how many had to be looked
        at."""
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
    """The cards of a set, in order."""
    cards = []
    while held:
        first = held & -held
        cards.append(first.bit_length() - 1)
        held ^= first
    return cards
