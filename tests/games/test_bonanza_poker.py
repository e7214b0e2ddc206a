"""Poker in the rule language: the best five of many cards, with and without a Joker, found in other ways too."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import hoyle
from hoyle.play.engine.evaluate import Evaluator
from hoyle.program.ir.nodes import Program
from hoyle.program.model.position import Position

RANKS, SUITS, JOKER = "23456789TJQKA", "SHDC", "Jk"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
HANDS = 150
MOST_STEPS = 50_000  # with those remembered counted again
Key = tuple[int, ...]


class Poker:
    """Works out `strength of` cards as the reference executor does."""

    def __init__(self, program: Program, position: Position) -> None:
        self.program, self.position = program, position
        self.definition = next(each for each in program.definitions if each.name == "strength")
        self.codes = {card.code: number for number, card in enumerate(program.cards)}
        self.forget()

    def forget(self) -> None:
        """Begin with nothing worked out."""
        self.evaluator = Evaluator(self.program)

    def strength(self, cards: list[str]) -> Key:
        frame: list[Any] = [tuple(self.codes[card] for card in cards), *[None] * self.definition.frame]
        found: Key = self.evaluator.value(self.definition.body, self.position, frame)
        return found


@cache
def poker(**options: str) -> Poker:
    game = hoyle.load("bonanza", options=options)
    return Poker(game.program, game.executor.start())


def rank_five(cards: tuple[str, ...], wheel: bool = True) -> Key:
    """Five natural cards, by the book and not by the rule file."""
    ranks = sorted((RANKS.index(card[0]) + 2 for card in cards), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape, order = tuple(size for size, _ in groups), tuple(rank for _, rank in groups)
    flush = len({card[1] for card in cards}) == 1
    top = ranks[0] if len(groups) == 5 and ranks[0] - ranks[4] == 4 else 0
    if wheel and ranks == [14, 5, 4, 3, 2]:
        top = 5
    if flush and top:
        return (8, top)
    if flush and len(groups) == 5:
        return (5, *order)
    if top:
        return (4, top)
    return ({(5,): 9, (4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 0), *order)


def rank_best(cards: list[str], five_alike: bool = False, wheel: bool = True) -> Key:
    """The best five of all, a Joker tried as every card that is not among the other four."""
    best: Key = ()
    for five in combinations(cards, 5):
        if JOKER not in five:
            best = max(best, rank_five(five, wheel))
            continue
        four = tuple(card for card in five if card != JOKER)
        best = max(best, *(rank_five((*four, card), wheel) for card in DECK if card not in four))
        if five_alike and len({card[0] for card in four}) == 1:
            best = max(best, (9, RANKS.index(four[0][0]) + 2))
    return best


def deal(seed: int, least: int, most: int, *, joker: bool) -> list[list[str]]:
    chance = random.Random(seed)
    hands = []
    for _ in range(HANDS):
        size = chance.randint(least, most)
        # Few ranks and few suits make the rare hands frequent.
        ranks = chance.sample(RANKS, chance.randint(4, 13))
        cards = [card for card in DECK if card[0] in ranks]
        hand = chance.sample(cards, min(size - joker, len(cards)))
        hands.append(hand + [JOKER] * joker)
    return hands


def test_the_best_five_of_many_natural_cards_are_found() -> None:
    for hand in deal(1, 5, 8, joker=False):
        assert poker().strength(hand) == rank_best(hand), hand


def test_a_joker_stands_for_the_card_that_makes_the_best_hand() -> None:
    for hand in deal(2, 5, 7, joker=True):
        assert poker().strength(hand) == rank_best(hand), hand


def test_five_alike_are_a_hand_only_under_the_option() -> None:
    for hand in deal(3, 5, 6, joker=True)[:50]:
        assert poker(five_of_a_kind="true").strength(hand) == rank_best(hand, five_alike=True), hand


def test_without_the_wheel_the_ace_is_only_high() -> None:
    for hand in [*deal(4, 5, 6, joker=True)[:50], ["AS", "2H", "3D", "4C", "5S"], ["AS", "2S", "3S", "5S", JOKER]]:
        assert poker(wheel_straight="false").strength(hand) == rank_best(hand, wheel=False), hand


def make_hard_hands() -> list[list[str]]:
    """Hands of up to 27 cards with the Joker that fall into each line of the list, worked out from nothing."""
    chance = random.Random(5)
    hands = [[*chance.sample(DECK, 26), JOKER] for _ in range(5)]
    hands.append([rank + suit for rank, suit in zip(RANKS * 2, "SHDC" * 7, strict=False)] + [JOKER])
    written = (
        "2S 2H 4D 4C 6S 6H 8D 8C TS TH QD QC AS AH",
        "2S 3H 5D 6C 8S 9H JD QC",
        "2S 4S 6S 8S TS QS 3H 5H 7H 9H JH KH 2D 4D 6D",
    )
    return hands + [[*codes.split(), JOKER] for codes in written]


def test_the_worst_hand_is_worked_out_in_few_steps() -> None:
    rules = poker()
    for hand in make_hard_hands():
        rules.forget()
        rules.strength(hand)
        assert rules.evaluator.spent < MOST_STEPS, hand


@pytest.mark.slow
def test_a_hundred_thousand_hands_are_in_the_order_of_another_evaluator() -> None:
    phevaluator = pytest.importorskip("phevaluator")
    chance = random.Random(6)
    rules = poker()
    other_rank: dict[Key, int] = {}
    for _ in range(100_000):
        hand = chance.sample(DECK, chance.choice((5, 6, 7)))
        rank: int = phevaluator.evaluate_cards(*(card[0] + card[1].lower() for card in hand))
        assert other_rank.setdefault(rules.strength(hand), rank) == rank, hand
    in_order = [other_rank[key] for key in sorted(other_rank)]
    assert in_order == sorted(in_order, reverse=True)  # there the best hand has the lowest rank
    assert len(set(in_order)) == len(in_order)
