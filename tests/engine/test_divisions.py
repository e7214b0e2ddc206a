"""The best division of cards into groups: against all divisions there are, and alike in both executors."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hoyle
from hoyle.language.compile import compile_game
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.playout import play_out
from hoyle.program.model.divisions import MOST_DIVIDED, Divider, TooManyCards

SAMPLE = Path(__file__).parents[1] / "language" / "valid" / "divisions.game.yaml"
Cards = tuple[int, ...]


def is_meld(cards: Cards) -> bool:
    """Three or more of one rank, or of one suit in a row; a card is its suit times 13 and its rank."""
    ranks, suits = sorted(card % 13 for card in cards), {card // 13 for card in cards}
    in_a_row = len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return len(cards) >= 3 and (len(set(ranks)) == 1 or in_a_row)


def can_grow(cards: Cards) -> bool:
    return len({card % 13 for card in cards}) == 1 or len({card // 13 for card in cards}) == 1


def weigh(card: int) -> int:
    return min(card % 13 + 1, 10)


def find_least(cards: frozenset[int]) -> int:
    """What is left weighs at the least, found by trying everything."""
    melds = [set(group) for size in range(3, len(cards) + 1) for group in combinations(cards, size) if is_meld(group)]

    def go(left: frozenset[int], at: int) -> int:
        least = sum(map(weigh, left))
        for place in range(at, len(melds)):
            if melds[place] <= left:
                least = min(least, go(left - melds[place], place + 1))
        return least

    return go(cards, 0)


KEPT = Divider(is_meld, can_grow, weigh)


@settings(max_examples=20, deadline=None)
@given(st.sets(st.integers(0, 51).filter(lambda card: card % 13 < 6), min_size=0, max_size=11))
def test_no_division_leaves_less(cards: set[int]) -> None:
    groups = KEPT.divide(cards)
    taken = [card for group in groups for card in group]
    assert len(taken) == len(set(taken)) and set(taken) <= cards
    assert all(is_meld(group) for group in groups)
    assert sum(map(weigh, cards - set(taken))) == find_least(frozenset(cards))
    fresh = Divider(is_meld, None if len(cards) < 9 else can_grow, weigh)  # neither pruning nor memory changes anything
    assert fresh.divide(sorted(cards, reverse=True)) == groups


def test_of_equal_divisions_it_is_the_first() -> None:
    # 3 3 3 and 3 4 5 of one suit want the same card; what is left weighs the same.
    divider = Divider(is_meld, can_grow, lambda card: 1)
    assert divider.divide([2, 15, 28, 3, 4]) == ((2, 3, 4),)


def test_hands_that_change_card_by_card_are_divided_as_if_they_were_new() -> None:
    deal = random.Random(1)
    divider = Divider(is_meld, can_grow, weigh)
    hands = [deal.sample(range(52), 11) for _ in range(2)]
    for _ in range(40):
        for hand in hands:
            hand[deal.randrange(11)] = deal.choice([card for card in range(52) if card not in hand])
            for card in hand:
                left = [other for other in hand if other != card]
                assert divider.divide(left) == Divider(is_meld, can_grow, weigh).divide(left)


def test_too_many_cards_are_not_divided() -> None:
    with pytest.raises(TooManyCards, match="at most 16"):
        KEPT.divide(range(MOST_DIVIDED + 1))
    with pytest.raises(TooManyCards, match="groups"):
        Divider(lambda cards: True, None, weigh).divide(range(MOST_DIVIDED))


def test_both_executors_divide_alike() -> None:
    program, _ = compile_game(SAMPLE, 2)
    assert program is not None
    reference, generated = ReferenceExecutor(program), GeneratedExecutor(program)
    assert [play_out(generated, seed) for seed in range(3)] == [play_out(reference, seed) for seed in range(3)]
    assert generated.generated.handed_over == 0


@pytest.mark.parametrize("make", [GeneratedExecutor, ReferenceExecutor])
def test_a_hand_of_one_suit_at_gin_is_divided_within_the_limits(make: type[ReferenceExecutor]) -> None:
    """Eleven cards of one suit, of which all may be in one run, and the same without each of them."""
    program = hoyle.load("gin-rummy").program
    executor = make(program)
    position = executor.start(1)
    executor.run(position)
    for _ in range(2):  # nobody takes the first card
        executor.advance(position, executor.list_legal(position)[-1])
    clubs = [card for card, each in enumerate(program.cards) if each.code.endswith("C") and each.code[0] not in "2Q"]
    others = [card for card in range(52) if card not in clubs]
    position.zones[:4] = [[*others[11:], clubs[0]], others[:1], others[1:11], clubs[1:]]
    executor.advance(position, executor.list_legal(position)[0])  # the first player draws, and can he knock?
    assert executor.find_seat(position) == 1
    assert len(executor.list_legal(position)) == 3  # to knock with the ace or the king, or not


def test_what_groups_are_is_asked_anew_when_the_position_says_otherwise() -> None:
    """Of one position after the other, without steps being counted anew: two of the rank wanted are a pair."""
    program, _ = compile_game(SAMPLE, players=2)
    assert program is not None
    executor = ReferenceExecutor(program)
    evaluator, position = executor.evaluator, executor.start(1)
    called = next(each for each in program.definitions if each.name == "pairs_called")
    wanted = next(number for number, state in enumerate(program.states) if state.name == "wanted")
    ranks = next(each.table for each in program.attributes if each.name == "rank")
    pair = tuple([card for card, rank in enumerate(ranks) if rank == 3][:2])
    counts = []
    for rank in (5, 3):
        position.states[program.states[wanted].base] = rank
        counts.append(evaluator.value(called.body, position, [pair, *[None] * 9]))
    assert counts == [0, 1]
