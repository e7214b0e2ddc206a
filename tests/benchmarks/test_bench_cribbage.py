"""The cribbage written by hand, by which generated code is measured: it must be the game of the rule file."""

from __future__ import annotations

import statistics
from random import Random

import pytest

import hoyle
from benchmarks.tight_cribbage import RANK, play_game, score_peg, score_show
from cribbage_hands import Scorer, score_plainly


@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
def test_hands_score_as_by_the_rule_file(crib: bool) -> None:
    chance = Random(12)
    scorer = Scorer(crib=crib)
    for _ in range(300):
        drawn = chance.sample(range(52), 5)
        assert score_show(drawn[:4], drawn[4], crib) == scorer.score(tuple(drawn[:4]), drawn[4])


def test_flushes_and_nobs_score_as_counted_plainly() -> None:
    chance = Random(13)
    for _ in range(3000):
        suit = chance.randrange(4)
        hand = [suit * 13 + rank for rank in chance.sample(range(13), 4)]
        start = chance.choice([card for card in range(52) if card not in hand])
        for crib in (False, True):
            assert score_show(hand, start, crib) == score_plainly(tuple(hand), start, crib=crib)


def test_plays_score_as_by_the_rule_file() -> None:
    """Rows of cards as they can lie, each scored by the table `peg` of the rule file."""
    game = hoyle.load("cribbage")
    program, position = game.program, game.executor.start()
    row = next(zone.base for zone in program.zones if zone.name == "row")
    table = next(each for each in program.scores if each.name == "peg")
    definition = program.definitions[table.total]
    chance = Random(14)
    seen = set()
    for _ in range(400):
        cards: list[int] = []
        count = 0
        # Low cards next to each other, so that pairs and runs come up.
        low = chance.randrange(9)
        for card in chance.sample([card for card in range(52) if low <= RANK[card] < low + 5], 8):
            if count + min(RANK[card] + 1, 10) > 31:
                break
            cards.append(card)
            count += min(RANK[card] + 1, 10)
            position.zones[row] = cards[:]
            frame = [None] * definition.frame
            wanted = game.executor.evaluator.value(definition.body, position, frame)
            assert score_peg([RANK[each] for each in cards], count) == wanted, cards
            seen.add(wanted)
    assert {0, 2, 3, 4, 5, 6} <= seen


def test_games_are_as_long_and_as_close_as_those_of_the_rule_file() -> None:
    game = hoyle.load("cribbage")
    theirs = [game.playout(seed) for seed in range(150)]
    ours = [play_game(Random(seed).random) for seed in range(3000)]
    for mine, wanted in (
        ([each.decisions for each in ours], [each.decisions for each in theirs]),
        ([min(each.scores) for each in ours], [min(each.scores) for each in theirs]),
        ([max(each.scores) for each in ours], [max(each.scores) for each in theirs]),
    ):
        error = statistics.stdev(wanted) / len(wanted) ** 0.5 + statistics.stdev(mine) / len(mine) ** 0.5
        # The rule file stops in the middle of a count, so winners end a point or two lower there.
        assert abs(statistics.mean(mine) - statistics.mean(wanted)) < 4 * error + (3 if wanted[0] >= 121 else 0)


def test_a_game_ends_when_somebody_has_121() -> None:
    for seed in range(200):
        played = play_game(Random(seed).random)
        assert played.scores[played.winner] >= 121 > played.scores[1 - played.winner]
        assert played.winner in (0, 1)
