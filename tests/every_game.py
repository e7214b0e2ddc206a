"""All games under test, the shipped ones and the valid samples of the language, and matches of them.

Games are discovered under `games/` and `tests/language/valid/`; nothing is listed here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import hoyle
from hoyle.base.diagnostics.render import render_text
from hoyle.language.library import describe
from secrecy import choose

ROOT = Path(__file__).parent.parent
SAMPLES = sorted((ROOT / "tests" / "language" / "valid").rglob("*.game.yaml"))
GAMES = [*sorted((ROOT / "games").rglob("*.game.yaml")), *SAMPLES]
MATCHES = 20
MATCHES_OF_LONG_GAMES = 1
MOST_DECISIONS = 80  # decisions played in a match of a long game

each_game = pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".game.yaml"))


@cache
def load(path: Path, players: int) -> hoyle.Game:
    return hoyle.load(path, players=players)


@cache
def list_players(path: Path) -> tuple[int, ...]:
    """List the numbers of players that the game allows."""
    info, report = describe(path)
    assert info is not None, render_text(report.ordered())
    return tuple(range(info.allowed[0], info.allowed[1] + 1))


def begin(path: Path, seed: int, *, checked: bool = True) -> hoyle.Match:
    """Start a match of the game; the seed also selects the number of players."""
    numbers = list_players(path)
    return load(path, numbers[seed % len(numbers)]).new(seed=seed, checked=checked)


def play(match: hoyle.Match, seed: int, most: int = MOST_DECISIONS, *, by_name: bool = False) -> Iterator[hoyle.Match]:
    """Yield the match at each of its decisions, with random choices in between, and at its end. `by_name`: every action
    is as likely, in however many ways it can be taken."""
    choices = random.Random(seed)
    for _ in range(most):
        yield match
        decision = match.decision
        if decision is None:
            return
        if by_name:
            name = choices.choice(sorted({action.name for action in decision.actions}))
            decision = replace(decision, actions=tuple(each for each in decision.actions if each.name == name))
        match.apply(choose(decision, choices))


def play_on(match: hoyle.Match, seed: int, most: int = MOST_DECISIONS) -> hoyle.Match:
    for _ in play(match, seed, most):
        pass
    return match


def seeds_of(path: Path, times: int = 1) -> range:
    return range(times * (MATCHES if path in SAMPLES else MATCHES_OF_LONG_GAMES))
