"""What must hold for every game: those that are shipped, and the valid samples of the language."""

from __future__ import annotations

from pathlib import Path

import pytest

import hoyle
from every_game import MOST_DECISIONS, SAMPLES, begin, each_game, list_players, load, play, play_on, seeds_of
from hoyle.base.diagnostics.render import render_text
from hoyle.language.compile import check_file
from secrecy import watch_match

MOST_LOOKED_AT = 6  # decisions of a match at which hidden cards are dealt anew


# ------------------------------------------------------------------------------------------------ what must hold
def assert_saves_and_replays(path: Path, seed: int) -> None:
    match = play_on(begin(path, seed), seed)
    assert hoyle.Match.from_json(match.game, match.to_json()) == match
    again = begin(path, seed, checked=False)
    for text in match.history:
        again.apply(text)
    assert again == match
    assert again.to_json() == match.to_json()


def assert_hides_what_is_hidden(path: Path, seed: int) -> None:
    numbers = list_players(path)
    game = load(path, numbers[seed % len(numbers)])
    watch_match(game, seed, MOST_DECISIONS // 2, MOST_LOOKED_AT)


# ------------------------------------------------------------------------------------------------ for every game
@each_game
def test_a_game_is_without_faults_at_every_number_of_players(path: Path) -> None:
    assert render_text(check_file(path).ordered()) == ""


@pytest.mark.share
@each_game
def test_random_matches_run_without_losing_a_card_and_those_of_samples_end(path: Path) -> None:
    for seed in seeds_of(path):
        match = begin(path, seed)
        for _ in play(match, seed, 1000 if path in SAMPLES else MOST_DECISIONS):
            if match.decision is not None:
                assert match.executor.find_first_legal(match.position) == match.decision.actions[0].choice
        if path in SAMPLES:
            assert match.is_over
            assert match.winners


@pytest.mark.share
@each_game
def test_a_match_is_saved_and_replayed_to_the_byte(path: Path) -> None:
    for seed in seeds_of(path)[:2]:
        assert_saves_and_replays(path, seed)


@pytest.mark.share
@each_game
def test_nothing_hidden_reaches_a_seat(path: Path) -> None:
    for seed in seeds_of(path)[:2]:
        assert_hides_what_is_hidden(path, seed)


# ------------------------------------------------------------------------------------------------ many times
@pytest.mark.slow
@each_game
def test_many_random_matches_run_without_losing_a_card(path: Path) -> None:
    for seed in seeds_of(path, 25):
        play_on(begin(path, seed), seed, 10_000)


@pytest.mark.slow
@each_game
def test_nothing_hidden_reaches_a_seat_in_many_matches(path: Path) -> None:
    for seed in seeds_of(path, 10):
        assert_hides_what_is_hidden(path, seed)
        assert_saves_and_replays(path, seed)
