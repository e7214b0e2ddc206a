"""All 12,994,800 hands of Cribbage, scored with the definitions of the rule file: the known distributions, exactly."""

from __future__ import annotations

import random

import pytest

from cribbage_hands import Scorer, count_kinds, count_scores, find_kind

pytestmark = pytest.mark.slow

HANDS = {
    0: 1009008, 1: 99792, 2: 2813796, 3: 505008, 4: 2855676, 5: 697508, 6: 1800268, 7: 751324, 8: 1137236, 9: 361224,
    10: 388740, 11: 51680, 12: 317340, 13: 19656, 14: 90100, 15: 9168, 16: 58248, 17: 11196, 18: 2708, 20: 8068,
    21: 2496, 22: 444, 23: 356, 24: 3680, 28: 76, 29: 4,
}  # fmt: skip
CRIBS = {
    0: 1022208, 1: 99792, 2: 2839800, 3: 508908, 4: 2868960, 5: 703496, 6: 1787176, 7: 755320, 8: 1118336, 9: 358368,
    10: 378240, 11: 43880, 12: 310956, 13: 16548, 14: 88132, 15: 9072, 16: 57288, 17: 11196, 18: 2264, 20: 7828,
    21: 2472, 22: 444, 23: 356, 24: 3680, 28: 76, 29: 4,
}  # fmt: skip


@pytest.mark.parametrize(
    ("crib", "expected", "points"), [(False, HANDS, 61_974_180), (True, CRIBS, 61_528_020)], ids=["hands", "cribs"]
)
def test_every_hand_with_every_start_card_scores_as_known(crib: bool, expected: dict[int, int], points: int) -> None:
    found = count_scores(range(52), crib=crib)
    assert sum(found.values()) == 12_994_800
    assert dict(found) == expected
    assert sum(score * number for score, number in found.items()) == points


def test_hands_of_one_kind_score_alike() -> None:
    """The symmetry the count rests on, for 5,000 random hands: as the sample of their kind."""
    chance = random.Random(12_994_800)
    _, samples = count_kinds(range(52))
    scorers = (Scorer(), Scorer(crib=True))
    for _ in range(5_000):
        drawn = chance.sample(range(52), 5)
        hand, start = tuple(drawn[:4]), drawn[4]
        sample = samples[find_kind(hand, start)]
        assert all(scorer.score(hand, start) == scorer.score(*sample) for scorer in scorers)
