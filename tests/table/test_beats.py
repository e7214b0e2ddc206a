"""What happens between a choice and the next decision, step by step: `hoyle.play.table.beats`."""

from __future__ import annotations

import random

import pytest

import hoyle
from hoyle.base.shipped import all_games, game_name
from hoyle.play.engine.game import Match
from hoyle.play.table import Host
from hoyle.play.table.beats import Beat, list_beats

MAIN = sorted(game_name(path) for path in all_games() if path.parent.name == game_name(path))


def play(name: str, choices: int, seed: int = 3) -> list[tuple[Match, list[Beat]]]:
    """Play at random: the match after each choice, with the beats that led there."""
    game = hoyle.load(name)
    match, host, draw, found = game.new(seed=seed), Host(game), random.Random(seed), []
    for _ in range(choices):
        if match.is_over or match.decision is None:
            break
        action = draw.choice(match.decision.actions)
        if action.number is not None:
            action = action.with_number(draw.choice(action.number))
        before, told = match.position, len(match.events)
        match.apply(action)
        found.append((match.copy(), list_beats(game, host.layout, before, told, action.choice)))
    return found


def stand_at(match: Match, beat: Beat) -> Match:
    return Match(match.game, beat.position, events=match.events[: beat.told])


def test_a_full_trick_is_shown_before_it_is_taken_and_a_round_before_the_next_deal() -> None:
    played = play("hearts", 115)
    full = [stand_at(match, beat) for match, beats in played for beat in beats if beat.pause == "full"]
    assert len(full) == 26
    assert {len(match.position.zones[i]) for match in full for i in range(len(match.game.names.zones))
            if match.game.names.spell_zone(i) == "trick"} == {4}  # fmt: skip
    over = [stand_at(match, beat) for match, beats in played for beat in beats if beat.pause == "round"]
    assert [sum(match.scores) for match in over] == [26, 52]


def test_the_pile_that_a_player_turns_over_himself_is_not_waited_for() -> None:
    assert not [beat for _, beats in play("klondike", 150) for beat in beats if beat.pause == "full"]


@pytest.mark.share
@pytest.mark.parametrize("name", MAIN)
def test_beats_come_in_order_and_show_nobody_a_card_that_the_seat_is_not_told_of(name: str) -> None:
    for match, beats in play(name, 80):
        assert [beat.told for beat in beats] == sorted({beat.told for beat in beats})
        assert all(beat.told < len(match.events) for beat in beats)
        for beat in beats:
            at = stand_at(match, beat)
            assert at.decision is None
            for seat in (None, 0):
                Host(match.game).see(at, seat)
