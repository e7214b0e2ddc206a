"""Hand-optimized two-player cribbage in plain Python: the baseline for generated code.

In: a source of random numbers. Out: the result of one game. Both players choose uniformly among legal actions. The
rules and the counting of decisions are those of games/cribbage: a `go` is a decision unless it ends the round of play.
Cards are numbered suit by suit, ace to king; points of ranks are looked up in a table for all sets of five ranks.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

RANKS, TARGET, JACK = 13, 121, 10
RANK = tuple(card % RANKS for card in range(52))
SUIT = tuple(card // RANKS for card in range(52))
PIPS = tuple(min(rank + 1, 10) for rank in RANK)
# Sums of five of these are unique per multiset of ranks.
KEY = tuple(5**rank for rank in RANK)
AWAY = tuple(combinations(range(6), 2))
KEPT = tuple(tuple(place for place in range(6) if place not in away) for away in AWAY)
LAID = tuple(zip(AWAY, KEPT, strict=True))


class Played(NamedTuple):
    """The result of a game: scores, winner, numbers of decisions and deals."""

    scores: tuple[int, int]
    winner: int
    decisions: int
    deals: int


def _score_ranks(ranks: tuple[int, ...]) -> int:
    """Score the fifteens, pairs and runs of five cards."""
    pips = [min(rank + 1, 10) for rank in ranks]
    points = 2 * sum(sum(group) == 15 for size in range(2, 6) for group in combinations(pips, size))
    length, ways = 0, 1
    for rank in range(RANKS + 1):
        alike = ranks.count(rank)
        points += alike * (alike - 1)
        if alike:
            length, ways = length + 1, ways * alike
        else:
            points += length * ways if length >= 3 else 0
            length, ways = 0, 1
    return points


POINTS = {
    sum(5**rank for rank in ranks): _score_ranks(ranks) for ranks in combinations_with_replacement(range(RANKS), 5)
}


def score_show(hand: list[int], start: int, crib: bool) -> int:
    """Score four cards with the start card."""
    a, b, c, d = hand
    points = POINTS[KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[start]]
    suit = SUIT[a]
    if suit == SUIT[b] and suit == SUIT[c] and suit == SUIT[d]:
        if suit == SUIT[start]:
            points += 5
        elif not crib:
            points += 4
    jack = SUIT[start] * RANKS + JACK
    return points + 1 if jack in hand else points


def score_peg(ranks: list[int], count: int) -> int:
    """Score the last card played with those before it."""
    points = 2 if count == 15 or count == 31 else 0
    length = len(ranks)
    if length < 2:
        return points
    last = ranks[-1]
    if ranks[-2] == last:
        alike = 2
        while alike < length and ranks[-1 - alike] == last:
            alike += 1
        return points + alike * (alike - 1)
    low = high = last
    seen, run = 1 << last, 0
    for size in range(2, length + 1):
        rank = ranks[-size]
        if seen >> rank & 1:
            break
        seen |= 1 << rank
        if rank < low:
            low = rank
        elif rank > high:
            high = rank
        if high - low == size - 1:
            run = size
    return points + run if run >= 3 else points


def play_game(random: Callable[[], float]) -> Played:
    """Play one game. `random` returns numbers in [0, 1)."""
    scores = [0, 0]
    dealer = int(random() * 2)
    deck = list(range(52))
    decisions = deals = 0
    while True:
        deals += 1
        other = 1 - dealer
        for place in range(13):
            drawn = place + int(random() * (52 - place))
            deck[place], deck[drawn] = deck[drawn], deck[place]
        start = deck[12]
        decisions += 2
        (a, b), (c, d, e, f) = LAID[int(random() * 15)]
        crib = [deck[a], deck[b]]
        kept0 = [deck[c], deck[d], deck[e], deck[f]]
        (a, b), (c, d, e, f) = LAID[int(random() * 15)]
        crib += (deck[a + 6], deck[b + 6])
        kept1 = [deck[c + 6], deck[d + 6], deck[e + 6], deck[f + 6]]
        if RANK[start] == JACK:
            scores[dealer] += 2
            if scores[dealer] >= TARGET:
                return Played((scores[0], scores[1]), dealer, decisions, deals)

        hands = (kept0[:], kept1[:])
        player = other
        while hands[0] or hands[1]:
            count, last = 0, player
            gone = [False, False]
            ranks: list[int] = []
            legal = hands[player]
            while True:
                if legal:
                    decisions += 1
                    card = legal[int(random() * len(legal))]
                    hands[player].remove(card)
                    ranks.append(RANK[card])
                    count += PIPS[card]
                    last = player
                    points = score_peg(ranks, count)
                    if points:
                        scores[player] += points
                        if scores[player] >= TARGET:
                            return Played((scores[0], scores[1]), player, decisions, deals)
                    if count == 31:
                        break
                elif hands[player] and not gone[player]:
                    # The opponent can still play; otherwise the round of play would be over.
                    decisions += 1
                    gone[player] = True
                left = 31 - count
                player = 1 - player
                legal = [] if gone[player] else [card for card in hands[player] if PIPS[card] <= left]
                if not legal:
                    follower = 1 - player
                    if gone[follower] or not any(PIPS[card] <= left for card in hands[follower]):
                        break
            if count < 31:
                scores[last] += 1
                if scores[last] >= TARGET:
                    return Played((scores[0], scores[1]), last, decisions, deals)
            player = 1 - last

        kept = (kept0, kept1)
        for seat, cards, is_crib in ((other, kept[other], False), (dealer, kept[dealer], False), (dealer, crib, True)):
            scores[seat] += score_show(cards, start, is_crib)
            if scores[seat] >= TARGET:
                return Played((scores[0], scores[1]), seat, decisions, deals)
        dealer = other
