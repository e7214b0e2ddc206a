"""What must hold for every game: those that are shipped, and the valid samples of the language.

A game is found by lying under `games/` or `tests/language/valid/`; nothing is listed here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import hoyle
from hoyle.compile import check_file
from hoyle.diagnostics.render import render_text
from hoyle.programs import describe
from secrecy import choose, watch_match

ROOT = Path(__file__).parent.parent
SAMPLES = sorted((ROOT / "tests" / "language" / "valid").rglob("*.game.yaml"))
GAMES = [*sorted((ROOT / "games").rglob("*.game.yaml")), *SAMPLES]
MATCHES = 20
MATCHES_OF_LONG_GAMES = 1
MOST_DECISIONS = 80  # looked at in one match of a long game
MOST_LOOKED_AT = 6  # decisions of a match at which hidden cards are dealt anew

each_game = pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".game.yaml"))


@cache
def load(path: Path, players: int) -> hoyle.Game:
    return hoyle.load(path, players=players)


@cache
def list_players(path: Path) -> tuple[int, ...]:
    """Every number of players the game allows."""
    info, report = describe(path)
    assert info is not None, render_text(report.ordered())
    return tuple(range(info.allowed[0], info.allowed[1] + 1))


def begin(path: Path, seed: int, *, checked: bool = True) -> hoyle.Match:
    """A match of the game, with another number of players for every seed."""
    numbers = list_players(path)
    return load(path, numbers[seed % len(numbers)]).new(seed=seed, checked=checked)


def play(match: hoyle.Match, seed: int, most: int = MOST_DECISIONS) -> Iterator[hoyle.Match]:
    """The match at each of its decisions, with random choices in between, and at its end."""
    choices = random.Random(seed)
    for _ in range(most):
        yield match
        decision = match.decision
        if decision is None:
            return
        match.apply(choose(decision, choices))


def play_on(match: hoyle.Match, seed: int, most: int = MOST_DECISIONS) -> hoyle.Match:
    for _ in play(match, seed, most):
        pass
    return match


def seeds_of(path: Path, times: int = 1) -> range:
    return range(times * (MATCHES if path in SAMPLES else MATCHES_OF_LONG_GAMES))


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


@each_game
def test_random_matches_run_without_losing_a_card_and_those_of_samples_end(path: Path) -> None:
    for seed in seeds_of(path):
        match = play_on(begin(path, seed), seed, 1000 if path in SAMPLES else MOST_DECISIONS)
        if path in SAMPLES:
            assert match.is_over
            assert match.winners


@each_game
def test_a_match_is_saved_and_replayed_to_the_byte(path: Path) -> None:
    for seed in seeds_of(path)[:2]:
        assert_saves_and_replays(path, seed)


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
