"""A hand-written player of heads-up Texas Hold'em, to estimate how much skill matters against random play.

    hoyle arena holdem --players 2 --bots benchmarks.holdem_by_hand:ByHand,random --games 1000

It estimates its equity at showdown and goes all-in with good hands; with others it checks when possible and folds
otherwise. A random player folds to an all-in half the time, and calls with anything.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.standpoint import Standpoint

RANKS = "23456789TJQKA"
PACK = [rank + suit for rank in RANKS for suit in "SHDC"]
DRAWN = 60  # samples of the equity estimate
BOARD = 5
GOOD = 0.55  # equity from which it goes all-in
FLUSH = 5


def rank_hand(cards: Sequence[str]) -> tuple[int, ...]:
    """Rank the best five of some cards; higher is better.

    >>> rank_hand(["AS", "KS", "QS", "JS", "TS", "2H", "2D"]) > rank_hand(["2S", "2C", "2H", "2D", "3S", "3H", "3D"])
    True
    """
    suits = Counter(card[1] for card in cards)
    flush = next((suit for suit, many in suits.items() if many >= FLUSH), None)
    suited = sorted((RANKS.index(card[0]) for card in cards if card[1] == flush), reverse=True)
    many = Counter(RANKS.index(card[0]) for card in cards)
    if (top := find_straight(suited)) is not None:
        return 8, top
    groups = sorted(((count, rank) for rank, count in many.items()), reverse=True)
    first, second = groups[0], groups[1]
    others = sorted(many, reverse=True)
    if first[0] == 4:
        return 7, first[1], next(rank for rank in others if rank != first[1])
    if first[0] == 3 and second[0] >= 2:
        return 6, first[1], second[1]
    if suited:
        return 5, *suited[:5]
    if (top := find_straight(others)) is not None:
        return 4, top
    kickers = [rank for rank in others if rank not in (first[1], second[1] if second[0] > 1 else None)]
    if first[0] == 3:
        return 3, first[1], *kickers[:2]
    if second[0] == 2:
        return 2, first[1], second[1], kickers[0]
    return first[0] - 1, first[1], *kickers[:4]


def find_straight(ranks: Sequence[int]) -> int | None:
    """Return the highest card of the best straight; the ace also counts below the two."""
    there = {*ranks} | ({-1} if len(RANKS) - 1 in ranks else set())
    return next((top for top in range(12, 2, -1) if there.issuperset(range(top - 4, top + 1))), None)


class ByHand:
    """Goes all-in with good cards."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> Action:
        by_name = {action.name: action for action in decision.actions}
        if self._estimate(look()) < GOOD:
            return by_name.get("check") or by_name["fold"]
        for name in ("all_in", "raise", "bet"):
            if (action := by_name.get(name)) is not None:
                return action if action.number is None else action.with_number(action.number[-1])
        return by_name["call"]

    def _estimate(self, standpoint: Standpoint) -> float:
        """Estimate the equity of the hand against a random one over random boards."""
        zones = {(zone.name, zone.owner): zone.cards for zone in standpoint.view.zones}
        own = [card for card in zones["hand", standpoint.seat] if card is not None]
        board = [card for card in zones["board", None] if card is not None]
        rest = [card for card in PACK if card not in own and card not in board]
        won = 0.0
        for _ in range(DRAWN):
            others = self._chance.sample(rest, 2 + BOARD - len(board))
            table = [*board, *others[2:]]
            mine, his = rank_hand([*own, *table]), rank_hand([*others[:2], *table])
            won += 1.0 if mine > his else 0.5 if mine == his else 0.0
        return won / DRAWN
