"""BONUS-V16: what holds in every hand of Bonus 20, whatever is played. All other vectors are examples of the game."""

from __future__ import annotations

import re

import pytest

import hoyle
from hoyle.authoring.testing import find_tests
from hoyle.base.shipped import games_folder
from hoyle.lab.bots import make_bots

SEEDS = range(3)


def play_hand(players: int, seed: int, bot: str, most: int = 1000) -> tuple[list[str], hoyle.Match]:
    """The choices of one hand; every card is counted after every change, because the match is checked."""
    match = hoyle.load("bonus-20", players=players).new(seed, checked=True)
    bots = make_bots(bot, seed, players)
    while match.rounds == 0 and len(match.history) < most:
        decision = match.decision
        assert decision is not None
        match.apply(bots[decision.seat].choose(decision, lambda: None))
        assert sum(len(pile) for pile in match.position.zones) == 54
    return match.history, match


@pytest.mark.share
@pytest.mark.parametrize("players", range(2, 10))
def test_no_card_is_lost_and_no_round_of_passes_occurs(players: int) -> None:
    for seed in SEEDS:
        choices, _ = play_hand(players, seed, "random", most=300)
        in_a_row = "".join("p" if choice == "pass" else "-" for choice in choices)
        assert "p" * players not in in_a_row


@pytest.mark.parametrize("players", range(2, 10))
def test_players_who_play_when_they_can_finish(players: int) -> None:
    for seed in SEEDS:
        choices, match = play_hand(players, seed, "first")
        assert match.rounds == 1
        assert len(choices) < 500
        assert min(match.scores) == 0


def test_every_other_vector_is_an_example() -> None:
    names = [example.name for tests in find_tests([games_folder() / "bonus-20"]) for example in tests.examples]
    found = {match.group() for name in names if (match := re.match(r"BONUS-[TV]\d+[a-f]?", name))}
    wanted = {f"BONUS-T{number}" for number in range(1, 6)} | {f"BONUS-V{number}" for number in (1, *range(3, 16))}
    assert found == wanted | {f"BONUS-V2{letter}" for letter in "abcdef"}
