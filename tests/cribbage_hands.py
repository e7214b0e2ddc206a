"""Cribbage hands counted with the score table of the rule file, and every hand there is by symmetry.

Cards are numbered as the deck has them: suit by suit, ace to king. A hand is scored alike with another one of the same
*kind*: the ranks in the hand, the rank of the start card, how many cards of one suit there are (four in the hand, five
with the start card, or neither), and whether a jack in the hand is of the start card's suit. One hand of each kind is
scored by the definitions of the rule file, and the hands of the kind are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

import hoyle

RANKS = 13
JACK = 10  # counted from the ace as 0
Kind = tuple[tuple[int, ...], int, int, bool]


class Scorer:
    """The table `show` of the rule file, asked for hands or for cribs."""

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
        """What the definition gives for the cards; as a crib they lie there."""
        if self._crib is not None:
            self._position.zones[self._crib] = list(hand)
        frame = [hand, start, *[None] * self._definition.frame]
        return int(self._evaluator.value(self._definition.body, self._position, frame))


def find_kind(hand: tuple[int, ...], start: int) -> Kind:
    """What the score of a hand depends on."""
    suits = {card // RANKS for card in hand}
    start_suit = start // RANKS
    alike = 0 if len(suits) > 1 else 5 if start_suit in suits else 4
    nob = any(card % RANKS == JACK and card // RANKS == start_suit for card in hand)
    return tuple(sorted(card % RANKS for card in hand)), start % RANKS, alike, nob


def list_hands(cards: Iterable[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every hand of four of the cards with every start card left of them."""
    cards = tuple(cards)
    for hand in combinations(cards, 4):
        for start in cards:
            if start not in hand:
                yield hand, start


def count_kinds(cards: Iterable[int]) -> tuple[Counter[Kind], dict[Kind, tuple[tuple[int, ...], int]]]:
    """How many hands of each kind the cards make, and one hand of each."""
    cards = tuple(cards)
    counts: Counter[Kind] = Counter()
    samples: dict[Kind, tuple[tuple[int, ...], int]] = {}
    # The kinds of a hand differ only by the start card, so what the hand adds to them is worked out once.
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
    """How many hands of the cards score what."""
    scorer = Scorer(crib=crib)
    counts, samples = count_kinds(cards)
    scores: Counter[int] = Counter()
    for kind, number in counts.items():
        scores[scorer.score(*samples[kind])] += number
    return scores


def score_plainly(hand: tuple[int, ...], start: int, *, crib: bool = False) -> int:
    """The same count written out in Python, to compare with."""
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
