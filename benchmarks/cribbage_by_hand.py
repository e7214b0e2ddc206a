"""A hand-written cribbage player, as a baseline for bots.

    hoyle arena cribbage --bots hard,benchmarks.cribbage_by_hand:ByHand --games 100

It keeps the four cards with the best expected show, computed exactly over the 46 possible start cards, plus the average
value of its discards in its own crib, or minus that in the opponent's. In the play it maximizes immediate points; among
equals, it avoids counts of 5 and 21, does not lead a 5 or a ten, and plays the highest card.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.standpoint import Standpoint

Card = tuple[int, str]  # rank from 1, suit

RANKS = {name: place for place, name in enumerate("A23456789TJQK", 1)}
PACK = [(rank, suit) for suit in "SHDC" for rank in range(1, 14)]
CRIBS = 300  # samples for the average crib value of two ranks
JACK = 11


def read_card(name: str) -> Card:
    return RANKS[name[:-1]], name[-1]


def pips(card: Card) -> int:
    return min(card[0], 10)


def show(cards: Sequence[Card], start: Card, *, crib: bool = False) -> int:
    """Score four cards with the start card.

    >>> show([(5, "S"), (5, "H"), (5, "D"), (11, "C")], (5, "C"))
    29
    """
    five = [*cards, start]
    found = score_ranks(tuple(sorted(card[0] for card in five)))
    if len({suit for _, suit in cards}) == 1 and (start[1] == cards[0][1] or not crib):
        found += 5 if start[1] == cards[0][1] else 4
    return found + any(card == (JACK, start[1]) for card in cards)


@cache
def score_ranks(ranks: tuple[int, ...]) -> int:
    """Score the fifteens, pairs and runs of five cards."""
    worth = [min(rank, 10) for rank in ranks]
    found = sum(2 for size in range(2, 6) for group in combinations(worth, size) if sum(group) == 15)
    found += sum(2 for one, other in combinations(ranks, 2) if one == other)
    for size in (5, 4, 3):
        runs = [group for group in combinations(ranks, size) if group == tuple(range(group[0], group[0] + size))]
        if runs:
            return found + size * len(runs)
    return found


@cache
def expect_crib(one: int, other: int, suited: bool) -> float:
    """Estimate the average crib value of two cards, with random other cards."""
    laid = [(one, "S"), (other, "S" if suited else "H")]
    rest = [card for card in PACK if card not in laid]
    chance, total = random.Random(one * 14 + other), 0
    for _ in range(CRIBS):
        *others, start = chance.sample(rest, 3)
        total += show([*laid, *others], start, crib=True)
    return total / CRIBS


def expect(kept: Sequence[Card], laid: Sequence[Card], *, deals: bool) -> float:
    """Return the expected value of a discard: exact over all start cards, estimated for the crib."""
    known = {*kept, *laid}
    starts = [card for card in PACK if card not in known]
    shown = sum(show(kept, start) for start in starts) / len(starts)
    low, high = sorted(card[0] for card in laid)
    crib = expect_crib(low, high, laid[0][1] == laid[1][1])
    return shown + (crib if deals else -crib)


def peg(row: Sequence[Card], card: Card) -> int:
    """Score a card with those played before it.

    >>> peg([(7, "S")], (8, "S")), peg([(4, "S"), (4, "H")], (4, "D")), peg([(4, "S"), (6, "H")], (5, "S"))
    (2, 6, 5)
    """
    played = [*row, card]
    count = sum(map(pips, played))
    found = 2 if count in (15, 31) else 0
    alike = 1
    while alike < len(played) and played[-1 - alike][0] == card[0]:
        alike += 1
    found += alike * (alike - 1)
    for size in range(len(played), 2, -1):
        ranks = sorted(each[0] for each in played[-size:])
        if ranks == list(range(ranks[0], ranks[0] + size)):
            return found + size
    return found


class ByHand:
    """The player, as a bot class; it ignores the seed."""

    thinks = True

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> int | Action:
        names = [action.text.split() for action in decision.actions]
        if names[0][0] == "lay_away":
            return self._lay_away(decision, names, look())
        if any(name[0] == "play" for name in names):
            return self._play(names, look())
        return decision.choice(0)

    def _lay_away(self, decision: Decision, names: list[list[str]], standpoint: Standpoint) -> int:
        hand = [read_card(name) for name in _find_zone(standpoint, "hand", decision.seat)]
        me = f"seat {decision.seat}"
        deals = any(state.name == "dealer" and state.value == me for state in standpoint.view.states)
        worth = []
        for name in names:
            laid = [read_card(card) for card in name[1:]]
            worth.append(expect([card for card in hand if card not in laid], laid, deals=deals))
        return worth.index(max(worth))

    def _play(self, names: list[list[str]], standpoint: Standpoint) -> int:
        row = [read_card(name) for name in _find_zone(standpoint, "row", None)]
        count = sum(map(pips, row))

        def weigh(place: int) -> tuple[int, bool, bool, int]:
            if names[place][0] != "play":
                return -1, False, False, 0
            card = read_card(names[place][1])
            leads_badly = not row and (pips(card) in (5, 10))
            return peg(row, card), count + pips(card) not in (5, 21), not leads_badly, card[0]

        return max(range(len(names)), key=weigh)


def _find_zone(standpoint: Standpoint, name: str, owner: int | None) -> list[str]:
    zones = standpoint.view.zones
    return [card for zone in zones if zone.name == name and zone.owner == owner for card in zone.cards if card]
