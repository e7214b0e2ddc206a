"""Copies of matches by whatever makes them, and errors that come out of another process."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import pytest

import hoyle

COPIES: dict[str, Callable[[hoyle.Match], hoyle.Match]] = {
    "copy": lambda match: match.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_a_copy_is_played_on_by_itself(make: Callable[[hoyle.Match], hoyle.Match]) -> None:
    match, same = (hoyle.load("leduc-poker").new(seed=1) for _ in range(2))
    match.apply(0)
    same.apply(0)
    other = make(match)
    assert other == match
    other.apply(0)
    assert other != match == same


def test_a_deep_copy_of_a_game_has_an_executor_of_its_own() -> None:
    game = hoyle.load("leduc-poker", executor="reference")
    other = copy.deepcopy(game)
    assert other.program is game.program and other.executor_name == "reference"
    assert other.executor is not game.executor


def raise_one(kind: str) -> None:
    match = hoyle.load("leduc-poker").new(seed=1)
    if kind == "file":
        hoyle.load("no-such-game")
    if kind == "illegal":
        match.apply("fold")
    fault = hoyle.Fault("stuck", "nothing can be chosen", 3, ("match", "round"))
    raise match.game.locate(fault)


def test_errors_come_out_of_another_process_as_they_are() -> None:
    with ProcessPoolExecutor(1) as pool:
        for kind, error in (("file", hoyle.RuleFileError), ("illegal", hoyle.IllegalAction), ("fault", hoyle.Fault)):
            with pytest.raises(error) as here:
                raise_one(kind)
            with pytest.raises(error) as there:
                pool.submit(raise_one, kind).result()
            assert str(there.value) == str(here.value) != ""
            for part in vars(here.value).keys() - {"report"}:
                assert getattr(there.value, part) == getattr(here.value, part)
