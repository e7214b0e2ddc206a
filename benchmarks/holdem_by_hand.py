"""A player of Hold'em for two written by hand, to see how much skill there is to be had against chance.

    hoyle arena holdem --bots benchmarks.holdem_by_hand:ByHand,random --games 1000

Who chooses at random raises nearly always, by anything: all chips are soon in, whatever he holds. So this one waits for
a hand that beats most others, by trying out what may lie and come, and then puts in all it has. `MORE` says how good
the hand must be; it was chosen by trying.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.decision import Decision
    from hoyle.engine.standpoint import Standpoint

RANKS, SUITS = "23456789TJQKA", "CDHS"
PACK = ["".join(card) for card in product(RANKS, SUITS)]
TRIED = 60
MORE = 0.6
Strength = tuple[int, ...]


class ByHand:
    """Puts in everything with a good hand, and nothing with another."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> Action:
        zones = look().view.zones
        hand = [card for zone in zones if zone.name == "hand" and zone.owner == decision.seat for card in zone.cards]
        board = [card for zone in zones if zone.name == "board" for card in zone.cards]
        offered = {action.text.split()[0]: action for action in decision.actions}
        order = ("all_in", "raise", "bet", "call", "check") if self._judge(hand, board) > MORE else ("check", "fold")
        action = next(offered[word] for word in order if word in offered)
        return action if action.number is None else action.with_number(action.number[-1])

    def _judge(self, hand: Sequence[str | None], board: Sequence[str | None]) -> float:
        """How often the hand wins, if any other is as likely."""
        known = [card for card in (*hand, *board) if card is not None]
        rest = [card for card in PACK if card not in known]
        won = 0.0
        for _ in range(TRIED):
            drawn = self._chance.sample(rest, 9 - len(known))
            mine, his = rank([*known, *drawn[2:]]), rank([*known[2:], *drawn])
            won += 1.0 if mine > his else 0.5 if mine == his else 0.0
        return won / TRIED


def rank(cards: Sequence[str]) -> Strength:
    """How good the best five of the cards are.

    >>> royal, four, flush = "AS KS QS JS TS 2C 2D", "AS AH AD AC KS QS JS", "2S 3S 5S 7S 9S AS KH"
    >>> rank(royal.split()) > rank(four.split()) > rank(flush.split())
    True
    >>> rank("AS 2H 3D 4C 5S KS KH".split()) < rank("6S 2H 3D 4C 5S KS KH".split())
    True
    """
    by_suit = {suit: [RANKS.index(card[0]) for card in cards if card[1] == suit] for suit in SUITS}
    flush = next((ranks for ranks in by_suit.values() if len(ranks) >= 5), None)
    if flush is not None and (top := _find_run(flush)) is not None:
        return 8, top
    many = sorted(Counter(RANKS.index(card[0]) for card in cards).items(), key=lambda each: (-each[1], -each[0]))
    sizes, ranks = [count for _, count in many], [of for of, _ in many]
    if sizes[0] == 4:
        return 7, ranks[0], max(ranks[1:])
    if sizes[0] == 3 and sizes[1] >= 2:
        return 6, ranks[0], ranks[1]
    if flush is not None:
        return 5, *sorted(flush, reverse=True)[:5]
    if (top := _find_run(ranks)) is not None:
        return 4, top
    if sizes[0] == 3:
        return 3, *ranks[:3]
    if sizes[0] == sizes[1] == 2:
        return 2, *ranks[:2], max(ranks[2:])
    return sizes[0] - 1, *ranks[: 6 - sizes[0]]


def _find_run(ranks: Sequence[int]) -> int | None:
    """The highest of five ranks in a row, an ace being low, too."""
    held = {*ranks, *([-1] if len(RANKS) - 1 in ranks else [])}
    return next((top for top in range(12, 2, -1) if all(top - down in held for down in range(5))), None)
