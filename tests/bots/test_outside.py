"""Bots against players that are not ours: OpenSpiel's search and best answers, and players of one game written by hand.

What stands here is little, to see that it can be measured at all; `docs/bots.md` says what was measured at length.
"""

from __future__ import annotations

import pytest

import hoyle
from benchmarks.cribbage_by_hand import ByHand, peg, show
from benchmarks.exploiting import measure_exploiting
from benchmarks.go_fish_by_hand import ByHand as Remembering
from benchmarks.go_fish_by_hand import read_questions
from benchmarks.ismcts import Thought, play_deals, write_deals
from hoyle.lab.arena.playing import Plan, run_arena


@pytest.mark.parametrize(
    ("ranks", "start", "worth"),
    (
        ([(5, "S"), (5, "H"), (5, "D"), (11, "C")], (5, "C"), 29),
        ([(2, "S"), (4, "S"), (6, "S"), (8, "S")], (12, "H"), 4),
        ([(7, "S"), (7, "H"), (8, "D"), (9, "C")], (8, "S"), 24),
    ),
)
def test_the_player_by_hand_can_count(ranks: list[tuple[int, str]], start: tuple[int, str], worth: int) -> None:
    assert show(ranks, start) == worth
    assert peg([(10, "S"), (5, "S")], (5, "H")) == 2


@pytest.mark.parametrize(("game", "player"), (("cribbage-61", ByHand(0)), ("go-fish", Remembering(0))))
def test_the_player_by_hand_plays_what_is_offered(game: str, player: ByHand | Remembering) -> None:
    match = hoyle.load(game, players=2).new(seed=2)
    while (decision := match.decision) is not None:
        match.apply(player.choose(decision, lambda seat=decision.seat: match.standpoint(seat)))
    assert match.is_over


def test_the_player_by_hand_remembers_what_was_asked_for() -> None:
    match = hoyle.load("go-fish", players=2).new(seed=3)
    asked: dict[int, list[str]] = {0: [], 1: []}
    for _ in range(6):
        decision = match.decision
        assert decision is not None
        action = decision.choice(0)
        asked[decision.seat].append(action.text.split()[-1])
        match.apply(action)
    for seat in (0, 1):
        sure, own = read_questions(match.standpoint(seat))
        assert own == asked[seat] and sure <= set(asked[1 - seat])
        other = match.view(1 - seat).zones
        hand = [card for zone in other if zone.name == "hand" and zone.owner == 1 - seat for card in zone.cards]
        assert sure <= {card[:-1] for card in hand if card}


@pytest.mark.slow
def test_a_search_is_no_worse_at_cribbage_than_a_player_written_by_hand() -> None:
    plan = Plan(("search:1000", "benchmarks.cribbage_by_hand:ByHand"), games=40)
    shares = [share for meeting in run_arena(hoyle.load("cribbage-61"), plan) for share in meeting.shares]
    assert len(shares) == 40
    assert sum(shares) / len(shares) >= 0.4  # 0.5 less what chance can make of 40 matches


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), (("euchre", -2), ("hearts", -6)))
def test_a_search_can_be_compared_with_that_of_openspiel(name: str, least: float) -> None:
    pytest.importorskip("pyspiel")
    found = list(play_deals(name, 6, 1, Thought(None, 200, 1600)))
    assert len(found) == 6 and all(len(deal.margins) == 2 for deal in found)
    assert sum(sum(deal.margins) for deal in found) / 12 > least
    assert "12 games of 6 deals" in write_deals(found)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), (("kuhn_poker", 0.3), ("leduc_poker", 1.8)))
def test_far_less_can_be_won_from_a_search_than_from_one_who_plays_at_random(name: str, most: float) -> None:
    pytest.importorskip("pyspiel")
    found = measure_exploiting(name, 100, 4, lambda text: None)
    assert 0 <= found.bot < most < found.uniform
