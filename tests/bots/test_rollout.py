"""Rollouts: native code and Python reach the same from a position and a seed, and a search chooses the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import hoyle
from every_game import GAMES, begin, choose, each_game
from hoyle.lab.bots.reached import Reached
from hoyle.lab.bots.rollout import Rollout, find_native_rollout
from hoyle.lab.bots.search import Search
from hoyle.lab.bots.search_tree import Tables
from hoyle.play.engine.native.program import find_native
from native_play import UNOPTIMISED, needs_compiler

SOME = [path for path in GAMES if path.name.split(".")[0] in {"cribbage", "bi-jinx", "leduc-poker", "ratscrew"}]


def find_rollouts(game: hoyle.Game, *, whole: bool) -> tuple[Rollout, Rollout] | None:
    """The same rollouts by native code and in Python; None where there is no native code."""
    find_native(game.program).load(level=UNOPTIMISED)
    native = find_native_rollout(game.executor)
    if native is None or native.native.library is None:
        return None
    return Rollout(game.executor, whole=whole, native=native), Rollout(game.executor, whole=whole)


def describe(reached: Reached) -> tuple[object, ...]:
    position = reached.position
    placed = (position.zones, position.states, position.totals, position.holders, position.lines, position.retired)
    return reached.over, reached.rounds_played, list(reached.scores), tuple(reached.winners) * reached.over, placed


def compare(path: Path, seed: int, most: int) -> int:
    """How many rollouts native code could play, from decisions of a match; all reach what those in Python do."""
    match, chance, native = begin(path, seed, checked=False), random.Random(seed), 0
    for number in range(most):
        decision = match.decision
        if decision is None:
            break
        rollouts = find_rollouts(match.game, whole=number % 3 == 0)
        if rollouts is None:
            return 0
        until_seat = decision.seat if number % 4 == 1 else None
        from_here = match.position.copy()
        if until_seat is not None:
            match.executor.advance(from_here, chance_choice(match, chance))
        if not from_here.over:
            found = rollouts[0].native.find_out(  # type: ignore[union-attr] # it was found
                from_here, number, 60, whole=rollouts[0].whole, until_seat=until_seat
            )
            if found is not None:
                native += 1
                described = describe(found)
                rollouts[1].play_on(from_here, number, 60, until_seat)
                assert described == describe(Reached(match.game.executor, from_here))
        match.apply(choose(decision, chance))
    return native


def chance_choice(match: hoyle.Match, chance: random.Random) -> tuple[object, ...]:
    decision = match.decision
    assert decision is not None
    return choose(decision, chance).choice


@needs_compiler
@pytest.mark.parametrize("path", SOME, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_native_rollouts_reach_what_those_in_python_do(path: Path) -> None:
    assert compare(path, 1, 12)


@pytest.mark.slow
@needs_compiler
@each_game
def test_native_rollouts_of_every_game_reach_what_those_in_python_do(path: Path) -> None:
    for seed in range(3):
        compare(path, seed, 60)


@needs_compiler
def test_a_search_finds_the_same_with_and_without_native_code() -> None:
    game = hoyle.load("goofspiel")
    find_native(game.program).load(level=UNOPTIMISED)
    match = game.new(seed=1)
    decision = match.decision
    assert decision is not None
    found = []
    for tree, rollouts in ((True, True), (False, True), (False, False)):
        tables = Tables(game.executor)
        assert tables.native is not None and tables.native.native.library is not None
        tables.grows_natively = tree
        if not rollouts:
            tables.rollout.native = None
        search = Search(match.standpoint(decision.seat), decision, random.Random(1), tables)
        search.think(200, None)
        assert search.is_native == tree
        found.append(search.list_tried())
    assert found[0] == found[1] == found[2]


@needs_compiler
def test_a_position_that_does_not_fit_is_left_to_python() -> None:
    game = hoyle.load("goofspiel")
    rollouts = find_rollouts(game, whole=True)
    assert rollouts is not None and rollouts[0].native is not None
    position = game.new(seed=1).position
    position.zones[0] = []  # cards are missing
    assert rollouts[0].native.find_out(position, 1, 60, whole=True, until_seat=None) is None
