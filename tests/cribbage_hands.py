"""Scores all cribbage hands with the score table of the rule file, using symmetry.

Cards are numbered in deck order: suit by suit, ace to king. All hands of one *kind* have the same score: the ranks in
the hand, the rank of the start card, the length of a flush (four, five or none), and whether a jack in the hand matches
the suit of the start card. One hand of each kind is scored by the definitions of the rule file, and the hands of the
kind are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

import hoyle

RANKS = 13
JACK = 10  # 0-based rank
Kind = tuple[tuple[int, ...], int, int, bool]


class Scorer:
    """Evaluates the table `show` of the rule file, for hands or for cribs."""

    def __init__(self, *, crib: bool = False) -> None:
        game = hoyle.load("cribbage")
        program = game.program
        self._evaluator = game.executor.evaluator
        self._position = game.executor.start()
        self._crib = next(zone.base for zone in program.zones if zone.name == "crib") if crib else None
        table = next(each for each in program.scores if each.name == "show")
        self._definition = program.definitions[table.total]
        self.codes = [card.code for card in program.cards]

    def score(self, hand: tuple[int, ...], start: int) -> int:
        """Score a hand; a crib is also placed in the zone of the crib."""
        if self._crib is not None:
            self._position.zones[self._crib] = list(hand)
        frame = [hand, start, *[None] * self._definition.frame]
        return int(self._evaluator.value(self._definition.body, self._position, frame))


def find_kind(hand: tuple[int, ...], start: int) -> Kind:
    """Return the kind of a hand, which determines its score."""
    suits = {card // RANKS for card in hand}
    start_suit = start // RANKS
    alike = 0 if len(suits) > 1 else 5 if start_suit in suits else 4
    nob = any(card % RANKS == JACK and card // RANKS == start_suit for card in hand)
    return tuple(sorted(card % RANKS for card in hand)), start % RANKS, alike, nob


def list_hands(cards: Iterable[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield all hands of four cards, each with all remaining start cards."""
    cards = tuple(cards)
    for hand in combinations(cards, 4):
        for start in cards:
            if start not in hand:
                yield hand, start


def count_kinds(cards: Iterable[int]) -> tuple[Counter[Kind], dict[Kind, tuple[tuple[int, ...], int]]]:
    """Count the hands of each kind, and return one hand of each."""
    cards = tuple(cards)
    counts: Counter[Kind] = Counter()
    samples: dict[Kind, tuple[tuple[int, ...], int]] = {}
    # The hand's part of the kind is computed once for all start cards.
    for hand in combinations(cards, 4):
        ranks = tuple(sorted([card % RANKS for card in hand]))
        suits = {card // RANKS for card in hand}
        jacks = {card // RANKS for card in hand if card % RANKS == JACK}
        flush = suits.pop() if len(suits) == 1 else None
        for start in cards:
            if start in hand:
                continue
            suit = start // RANKS
            kind = (ranks, start % RANKS, 0 if flush is None else 5 if flush == suit else 4, suit in jacks)
            counts[kind] += 1
            if kind not in samples:
                samples[kind] = (hand, start)
    return counts, samples


def count_scores(cards: Iterable[int], *, crib: bool = False) -> Counter[int]:
    """Count the hands by score."""
    scorer = Scorer(crib=crib)
    counts, samples = count_kinds(cards)
    scores: Counter[int] = Counter()
    for kind, number in counts.items():
        scores[scorer.score(*samples[kind])] += number
    return scores


def score_plainly(hand: tuple[int, ...], start: int, *, crib: bool = False) -> int:
    """Score a hand in plain Python, as an independent check."""
    cards = (*hand, start)
    ranks = sorted(card % RANKS + 1 for card in cards)
    pips = [min(10, rank) for rank in ranks]
    points = 2 * sum(sum(group) == 15 for size in range(2, 6) for group in combinations(pips, size))
    points += 2 * sum(a == b for a, b in combinations(ranks, 2))
    for size in (5, 4, 3):
        runs = [group for group in combinations(ranks, size) if all(b - a == 1 for a, b in pairwise(group))]
        if runs:
            points += size * len(runs)
            break
    suits = {card // RANKS for card in hand}
    if len(suits) == 1:
        points += 5 if start // RANKS in suits else 0 if crib else 4
    return points + any(card % RANKS == JACK and card // RANKS == start // RANKS for card in hand)
