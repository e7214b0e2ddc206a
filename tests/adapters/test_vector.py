"""Many matches at once: each is the match that is played alone with its seed and its tokens."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import hoyle
from every_game import SAMPLES, each_game, list_players, load
from hoyle.lab.adapters.token_match import TokenTable
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import ExecutorName, Game
from hoyle.play.engine.native.program import Native, find_native
from native_play import UNOPTIMISED, needs_compiler

np = pytest.importorskip("numpy")
vector = pytest.importorskip("hoyle.lab.adapters.vector")

ROOT = Path(__file__).parents[2]
by_either = pytest.mark.parametrize("executor", ["generated", pytest.param("native", marks=needs_compiler)])
name_of = {"ids": lambda path: path.name.removesuffix(".game.yaml")}


def draw_tokens(masks: Any, chance: random.Random) -> list[int]:
    return [chance.choice(np.flatnonzero(mask).tolist()) for mask in masks]


def check_against_single(game: Game, steps: int, most_steps: int = 40) -> None:
    """Every row shows what a match alone shows, token by token, and pays what it pays."""
    env = vector.VectorEnv(game, 3, seed=5, most_steps=most_steps)
    chance = random.Random(1)
    alone = [TokenTable(game, game.new(seed), env.encoding) for seed in env.seeds]
    spelt = [0] * env.count
    for _ in range(steps):
        for row, table in enumerate(alone):
            assert env.seats[row] == table.seat
            assert np.flatnonzero(env.masks[row]).tolist() == table.list_tokens()
            assert env.observations[row].tolist() == np.array(table.observe(table.seat), np.float32).tolist()
        tokens = draw_tokens(env.masks, chance)
        found = env.step(tokens)
        assert found.observations.shape == env.observations.shape and found.masks.any(axis=1).all()
        for row, token in enumerate(tokens):
            stopped = False
            spelt[row] += 1
            try:
                alone[row].add(token)
            except Fault:
                stopped = True
            is_over = not stopped and alone[row].is_over
            assert found.terminations[row] == is_over
            assert found.truncations[row] == (stopped or (not is_over and spelt[row] >= most_steps))
            worth = alone[row].match.utilities if is_over else [0.0] * game.players
            assert found.rewards[row].tolist() == np.array(worth, np.float32).tolist()
            if is_over or found.truncations[row]:
                alone[row], spelt[row] = TokenTable(game, game.new(env.seeds[row]), env.encoding), 0


@pytest.mark.share
@pytest.mark.parametrize("path", SAMPLES, **name_of)
@by_either
def test_many_matches_of_a_sample_are_those_played_alone(path: Path, executor: ExecutorName) -> None:
    check_against_single(Game(load(path, list_players(path)[0]).program, executor=executor), 12, most_steps=9)


@pytest.mark.slow
@each_game
def test_many_matches_of_every_game_are_those_played_alone_natively_too(path: Path) -> None:
    game = load(path, list_players(path)[0])
    check_against_single(game, 150, most_steps=100)
    check_against_single(Game(game.program, executor="native"), 150, most_steps=100)


@needs_compiler
@pytest.mark.parametrize("name", ["numbers", "secret-choice", "piles-and-windows"])
def test_native_matches_are_those_played_alone(name: str) -> None:
    path = next(path for path in SAMPLES if path.name.startswith(name))
    game = Game(load(path, list_players(path)[0]).program, executor="native")
    check_against_single(game, 25, most_steps=12)


@needs_compiler
def test_cards_with_equal_faces_are_told_apart_natively_too() -> None:
    game = hoyle.load("bunco-two-packs", executor="native")
    assert vector.VectorEnv(game, 1).is_native
    check_against_single(game, 60, most_steps=50)


@needs_compiler
def test_a_match_goes_on_alone_where_native_code_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hoyle.load("bonus-20", executor="native")
    faulty = Native(game.program, find_native(game.program).digest).load(level=(*UNOPTIMISED, "-DFAULT_AT=5"))
    assert faulty is not None
    monkeypatch.setattr(game.executor, "native", SimpleNamespace(library=faulty))
    check_against_single(game, 60, most_steps=50)


@by_either
def test_a_match_that_a_rule_stops_is_truncated(executor: ExecutorName, tmp_path: Path) -> None:
    stuck = (ROOT / "tests/native/sometimes-stuck.game.yaml").read_text(encoding="utf-8")
    choosing = "    for each seat: seat chooses play\n"
    path = tmp_path / "sometimes-stuck.game.yaml"
    for rules in (stuck, stuck.replace("    for each seat:\n", choosing + "    for each seat:\n")):
        path.write_text(rules, encoding="utf-8")
        check_against_single(hoyle.load(path, executor=executor), 60, most_steps=50)
    env, chance = vector.VectorEnv(path, 8, seed=1, executor=executor), random.Random(1)
    assert any(env.step(draw_tokens(env.masks, chance)).truncations.any() for _ in range(10))


@by_either
def test_tokens_that_cannot_come_change_nothing(executor: ExecutorName) -> None:
    path = ROOT / "docs/examples/rolling-stone/rolling-stone.game.yaml"
    env = vector.VectorEnv(path, 2, 4, seed=1, executor=executor)
    assert env.is_native == (executor == "native")
    before = env.observations.copy()
    good = draw_tokens(env.masks, random.Random(1))
    bad = int(np.flatnonzero(~env.masks[1])[0])
    for tokens, message in (
        ([good[0], bad], f"token {bad} cannot come in match 1"),
        ([-1, good[1]], "token -1 cannot come in match 0"),
        (good[:1], "there are 2 matches, and 1 tokens"),
    ):
        with pytest.raises(ValueError, match=message):
            env.step(tokens)
        assert (env.observations == before).all()
    with pytest.raises(ValueError, match="the number of matches is at least 1, not 0"):
        vector.VectorEnv(path, 0)


def test_a_seed_gives_the_same_matches_again() -> None:
    path = next(path for path in SAMPLES if path.name.startswith("tricks"))
    env = vector.VectorEnv(load(path, list_players(path)[0]), 4, seed=9)
    first = [env.seeds[:], env.observations.copy()]
    env.step(draw_tokens(env.masks, random.Random(2)))
    observations, _ = env.reset(9)
    assert first[0] == env.seeds and (first[1] == observations).all()
    env.reset(10)
    assert first[0] != env.seeds


@pytest.mark.parametrize("token", [0.5, 1.0, None, "0", True], ids=str)
def test_a_token_is_a_whole_number(token: object) -> None:
    env = vector.VectorEnv("kuhn-poker", 2, seed=1)
    before = env.observations.copy()
    for tokens in ([token, token], np.array([token, token])):
        with pytest.raises(ValueError, match="tokens are whole numbers, one for each match, not"):
            env.step(tokens)
    with pytest.raises(ValueError, match="tokens are whole numbers, one for each match, not 5"):
        env.step(5)
    assert (env.observations == before).all()


def test_every_number_of_an_observation_has_a_name() -> None:
    env = vector.VectorEnv("leduc-poker", 2, seed=1)
    names = env.observation_names
    assert len(names) == len(set(names)) == env.observations.shape[1]
    seen = dict(zip(names, env.observations[0].tolist(), strict=True))
    hand = [name.removeprefix("hand of 0: ") for name, many in seen.items() if name.startswith("hand of 0: ") and many]
    match = env.game.new(env.seeds[0])
    assert hand == [*(match.view(0).zones[2].cards), "cards"]
    assert seen["pack: cards"] == 4 and seen["hand of 1: cards"] == 1
    assert seen["stake of 1"] == seen["stake of 1: told"] == 1 and seen["to choose"] == 1


@by_either
def test_matches_that_were_pickled_go_on_as_they_were(executor: ExecutorName) -> None:
    path = next(path for path in SAMPLES if path.name.startswith("numbers"))
    game = Game(load(path, list_players(path)[0]).program, executor=executor)
    env, chance = vector.VectorEnv(game, 3), random.Random(1)
    for _ in range(12):  # some choices are said by half
        other = pickle.loads(pickle.dumps(env))
        assert other.is_native == env.is_native and other.seeds == env.seeds
        tokens = draw_tokens(env.masks, chance)
        for one in (other, copy.deepcopy(env)):
            assert all((mine == its).all() for mine, its in zip(one._shown, env._shown, strict=True))
            one.step(tokens)
        env.step(tokens)
        assert all((mine == its).all() for mine, its in zip(other._shown, env._shown, strict=True))


def test_a_wrong_call_leaves_the_environment_as_it_was() -> None:
    game = hoyle.load("kuhn-poker", executor="python")
    env = vector.VectorEnv(game, 2, seed=1)
    for wrong, message in (
        (lambda: env.reset(float("nan")), "a seed is a whole number, not nan"),
        (lambda: env.masks.fill(True), "read-only"),
        (lambda: env.step([[0], [0]]), r"there are 2 matches, and tokens of the shape \(2, 1\)"),
        (lambda: vector.VectorEnv(game, 1.5), "the number of matches is a whole number, not 1.5"),
        (lambda: vector.VectorEnv(game, 2, most_steps=0), "the most steps of a match is at least 1, not 0"),
        (lambda: vector.VectorEnv(game, 2, 3), "a game that is loaded has its players and options already"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            wrong()
    for _ in range(8):
        env.step(draw_tokens(env.masks, random.Random(1)))


@needs_compiler
def test_a_board_is_copied_by_whatever_makes_copies() -> None:
    executor: Any = hoyle.load("leduc-poker", executor="native").executor
    board = executor.begin(7)
    board.apply(0)
    for other in (copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert (other.seat, other.size, other.position) == (board.seat, board.size, board.position)
        other.apply(0)
        assert other.position != board.position
    while not board.over:
        board.apply(0)
    assert pickle.loads(pickle.dumps(board)).results() == board.results()


@needs_compiler
def test_a_board_says_which_choice_it_does_not_have() -> None:
    path = next(path for path in SAMPLES if path.name.startswith("numbers"))
    executor: Any = Game(load(path, list_players(path)[0]).program, executor="native").executor
    board = executor.begin(7)
    before, number = board.position, 0
    assert board.choice(number)[-1] == range(1, 61)
    for place, said, error, message in (
        (99, 0, IndexError, "there is no choice 99; there are 3"),
        (-1, 0, IndexError, "there is no choice -1; there are 3"),
        ("0", 0, TypeError, "the place of a choice is a whole number, not '0'"),
        (0.0, 0, TypeError, "the place of a choice is a whole number, not 0.0"),
        (number, -1, IndexError, "there is no number -1 for this choice; there are 60"),
        (number, 2**70, IndexError, "there is no number .* for this choice; there are 60"),
        (number, 1.5, TypeError, "the place of a number is a whole number, not 1.5"),
    ):
        with pytest.raises(error, match=message):
            board.apply(place, said)
        assert board.position == before and board.handed_over == 0
