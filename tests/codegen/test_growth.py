"""Numbers that only grow by small ones stay within what a match can add up; what else grows has no such bound."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import hoyle
from hoyle.play.codegen.low.facts import COUNTED, LIMIT, MODERATE, NONE, between, join
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.native.board import Board
from hoyle.program.ir.nodes import Program
from hoyle.program.model.position import Position
from native_play import POLICIES, load_library, needs_compiler, play_natively

GROWING = Path(__file__).parents[1] / "native" / "growing.game.yaml"
MANY = 18  # decisions


@pytest.fixture(scope="module")
def program() -> Program:
    return hoyle.load(GROWING).program


def edit(program: Program, number: int, standing: tuple[int, ...] = ()) -> Position:
    """A position at a decision in which everything that began at nothing has come to a number."""
    defined = ReferenceExecutor(program)
    position = defined.start(1)
    defined.run(position)
    dealer, *values = position.states
    found = {(): standing, 0: number}
    position.states = [dealer, *(found.get(value, value) for value in values)]
    return position


def play_on(executor: ReferenceExecutor, position: Position, turn: int) -> Position | str:
    try:
        for decision in range(MANY):
            legal = executor.list_legal(position)
            executor.advance(position, legal[decision * turn % len(legal)])
    except Fault as fault:
        return fault.code
    return position


def play_on_natively(program: Program, position: Position, turn: int) -> Position | str:
    board = Board.at(load_library(program), ReferenceExecutor(program), position)
    try:
        for decision in range(MANY):
            board.apply(decision * turn % board.size, 0)
    except Fault as fault:
        return fault.code
    return board.position


def test_what_counts_is_bounded_and_nothing_else(program: Program) -> None:
    module = lower_program(program)
    assert {state.name: module.held["state", number].high for number, state in enumerate(program.states)} == {
        "dealer": 0, "counted": COUNTED, "won": COUNTED, "copied": COUNTED, "summed": 4 * COUNTED, "standing": 3,
        "doubled": LIMIT, "late": LIMIT, "by_others": LIMIT, "far": LIMIT, "seen": LIMIT, "never": NONE.high,
        "rounds": COUNTED + 10,
    }  # fmt: skip


def test_what_can_only_be_none_does_not_grow() -> None:
    assert join(NONE, between(1, 0)) == join(between(1, 0), NONE) == NONE
    assert join(between(2, 1), between(1, 0)) == replace(NONE, none=False)


@needs_compiler
def test_what_begins_as_a_large_number_goes_on_from_it(program: Program) -> None:
    for policy in POLICIES:
        assert play_natively(program, load_library(program), 1, policy, most=60, by=ReferenceExecutor) == 60


@needs_compiler
@pytest.mark.parametrize("turn", [1, 5])
@pytest.mark.parametrize("number", [0, -MODERATE, MODERATE - 3, MODERATE, COUNTED, LIMIT // 3, LIMIT, 2**63 - 9])
def test_whatever_a_position_holds_play_goes_on_from_it_the_same_way(program: Program, number: int, turn: int) -> None:
    expected = play_on(ReferenceExecutor(program), edit(program, number), turn)
    assert play_on(GeneratedExecutor(program), edit(program, number), turn) == expected
    assert play_on_natively(program, edit(program, number), turn) == expected


@needs_compiler
@pytest.mark.parametrize("standing", [(), (0, 2), (2, 0), (1, 0), (2, 2)])
def test_seats_that_stand_in_another_order_are_put_in_order_when_one_joins_them(
    program: Program, standing: tuple[int, ...]
) -> None:
    expected = play_on(ReferenceExecutor(program), edit(program, 1, standing), 1)
    assert play_on(GeneratedExecutor(program), edit(program, 1, standing), 1) == expected
    assert play_on_natively(program, edit(program, 1, standing), 1) == expected


@needs_compiler
@pytest.mark.parametrize(("number", "fits"), [(0, True), (MODERATE, True), (-1, False), (MODERATE + 1, False)])
def test_native_code_goes_on_where_there_is_room_to_count(program: Program, number: int, fits: bool) -> None:
    board = Board.at(load_library(program), ReferenceExecutor(program), edit(program, number))
    board.apply(1, 0)
    assert (board.handed_over == 0) == fits


@needs_compiler
def test_so_many_rounds_that_no_match_has_them_are_counted_the_same_way(program: Program) -> None:
    said = set()
    for executor in (ReferenceExecutor(program), GeneratedExecutor(program)):
        position = edit(program, 0)
        position.rounds_played = 2**63 - 9
        legal = executor.list_legal(position)
        add_up = next(place for place, choice in enumerate(legal) if program.actions[choice[0]].name == "add_up")
        board = Board.at(load_library(program), executor, position.copy())
        for advance in (partial(executor.advance, position, legal[add_up]), partial(board.apply, add_up)):
            with pytest.raises(Fault) as fault:
                advance()
            said.add(str(fault.value))
    assert len(said) == 1, said
