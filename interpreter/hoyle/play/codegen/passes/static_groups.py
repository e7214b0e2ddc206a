"""Compile-time enumeration of groups: all groups of the deck that meet a static predicate.

In: a predicate on groups, and its pruning predicate. Out: every group of the deck as a bit set, and which pairs of
cards can occur together; if the predicates depend on the cards alone, the deck fits into a word, and there are not too
many. At run time the groups among some cards are then found by subset tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.base.errors import HoyleError
from hoyle.play.codegen.low.facts import between, list_of
from hoyle.play.codegen.low.values import Value, transform
from hoyle.play.codegen.passes.accumulators import Accumulator, find_accumulators
from hoyle.play.codegen.passes.expand import Expander
from hoyle.play.codegen.passes.patterns import WORD, StaticGroups

MOST_LOOKED_AT = 50_000  # nodes of the search
MOST_LISTED = 1_000


class _NotKnown(HoyleError):  # noqa: N818 - a finding
    """The predicates are not static, or there are too many groups."""


def list_static_groups(expander: Expander, where: Value, keeps: Value, group: Value) -> StaticGroups | None:
    """The groups that meet `where`, and whose prefixes all meet `keeps`; `group` is the variable in both. Memoised."""
    build, cards = expander.build, len(expander.module.program.cards)
    if cards > WORD:
        return None
    own = build.read("var", list_of(between(0, cards - 1), cards, shortest=1, unique=True), data=(0,))
    tests = build.replace(where, group, own), build.replace(keeps, group, own)
    if tests not in expander.static_groups:
        with expander.collecting():  # only the analysis is wanted, not the statements
            asked = find_accumulators(expander, tests, own.number)
        try:
            expander.static_groups[tests] = _Deck(expander, asked, tests, own).list_groups()
        except _NotKnown:
            expander.static_groups[tests] = None
    return expander.static_groups[tests]


class _Deck:
    """The search: extends groups card by card. Predicates are evaluated on the accumulators of a group."""

    def __init__(self, expander: Expander, asked: list[Accumulator], tests: tuple[Value, Value], group: Value) -> None:
        self.build, self.asked = expander.build, asked
        self.where, self.keeps = tests
        self.size = self.build.count(group)
        self.cards = range(len(expander.module.program.cards))
        self.bits = [each.list_bits(self.build) for each in asked]
        if any(bits is None or len(bits) < len(self.cards) for bits in self.bits):
            raise _NotKnown
        self.of_card = list(zip(*(bits or () for bits in self.bits), strict=True)) or [()] * len(self.cards)
        self.known: dict[tuple[int, ...], tuple[bool, bool]] = {}
        self.looked_at = 0

    def list_groups(self) -> StaticGroups:
        mates = [sum(1 << other for other in self._list_mates(card)) for card in self.cards]
        groups, starts = list[int](), [0]
        for card in self.cards:
            groups += self._grow(1 << card, self.of_card[card], mates[card] & -2 << card, mates)
            starts.append(len(groups))
            if len(groups) > MOST_LISTED:
                raise _NotKnown
        return StaticGroups(tuple(groups), tuple(starts), tuple(mates))

    def _list_mates(self, card: int) -> list[int]:
        others = [other for other in self.cards if other != card]
        return [other for other in others if self._tell(2, self._join(card, self.of_card[other]))[1]]

    def _grow(self, group: int, made: tuple[int, ...], further: int, mates: Sequence[int]) -> Iterator[int]:
        """A group, if it is one, and all extensions of it."""
        self.looked_at += 1
        if self.looked_at > MOST_LOOKED_AT:
            raise _NotKnown
        size = group.bit_count()
        is_group, grows = self._tell(size, made)
        if size > 1 and not grows:
            return
        if is_group:
            yield group
        while further:
            first = further & -further
            further ^= first
            card = first.bit_length() - 1
            yield from self._grow(group | first, self._join(card, made), further & mates[card], mates)

    def _join(self, card: int, made: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(one | other for one, other in zip(self.of_card[card], made, strict=True))

    def _tell(self, size: int, made: tuple[int, ...]) -> tuple[bool, bool]:
        """Whether cards with these accumulators are a group, and whether they can be a prefix of one; memoised."""
        found = tuple(number for each, bits in zip(self.asked, made, strict=True) for number in each.evaluate(bits))
        told = self.known.get((size, *found))
        if told is None:
            reducers = [reducer for each in self.asked for reducer in each.reducers]
            numbers = dict(zip((self.size, *reducers), map(self.build.number, (size, *found)), strict=True))
            tests = [transform(test, self.build, lambda node: node, dict(numbers)) for test in (self.where, self.keeps)]
            if any(test.constant is None for test in tests):
                raise _NotKnown
            told = self.known[size, *found] = bool(tests[0].constant), bool(tests[1].constant)
        return told
