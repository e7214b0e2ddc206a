"""Cribbage hands: the score table of the rule file on a slice of all hands, and the symmetry by which all are counted.

All 12,994,800 hands are counted by `make verify`."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from cribbage_hands import Scorer, count_kinds, count_scores, find_kind, list_hands, score_plainly

FOUR, FIVE, SIX, JACK = 3, 4, 5, 10
SLICE = [suit * 13 + rank for suit in range(4) for rank in (FOUR, FIVE, SIX, JACK)]


@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
def test_all_hands_of_fours_fives_sixes_and_jacks_score_as_counted_plainly(crib: bool) -> None:
    expected = Counter(score_plainly(hand, start, crib=crib) for hand, start in list_hands(SLICE))
    assert sum(expected.values()) == 21_840
    assert count_scores(SLICE, crib=crib) == expected
    assert max(expected) == 29


@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
def test_hands_of_one_kind_score_alike_by_the_rule_file(crib: bool) -> None:
    """The symmetry itself: a hand is scored as the sample of its kind is, both worked out by the rule file."""
    chance = random.Random(29)
    scorer = Scorer(crib=crib)
    _, samples = count_kinds(SLICE)
    for _ in range(150):
        drawn = chance.sample(SLICE, 5)
        hand, start = tuple(drawn[:4]), drawn[4]
        assert scorer.score(hand, start) == scorer.score(*samples[find_kind(hand, start)])


def test_any_random_hand_scores_as_counted_plainly_and_as_any_other_of_its_kind() -> None:
    chance = random.Random(121)
    for crib in (False, True):
        scorer = Scorer(crib=crib)
        for _ in range(150):
            drawn = chance.sample(range(52), 5)
            hand, start = tuple(drawn[:4]), drawn[4]
            turned = chance.sample(range(4), 4)
            other = [turned[card // 13] * 13 + card % 13 for card in chance.sample(hand, 4)]
            worth = scorer.score(hand, start)
            assert worth == score_plainly(hand, start, crib=crib)
            assert worth == scorer.score(tuple(other), turned[start // 13] * 13 + start % 13)


def test_flushes_are_among_the_kinds() -> None:
    spades = tuple(range(4))
    assert find_kind(spades, 12)[2] == 5
    assert find_kind(spades, 25)[2] == 4
    assert Scorer().score(spades, 25) - Scorer(crib=True).score(spades, 25) == 4
