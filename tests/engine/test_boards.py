"""Boards: matches played natively by the numbers of choices alone."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import hoyle
from every_game import SAMPLES, list_players, load
from hoyle.play.engine.game import Game
from native_play import needs_compiler


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
