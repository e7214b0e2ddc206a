"""Lists in state on both executors: what is too long or outside its range, orders that are rigged, edited positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hoyle.language.compile import compile_game
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.program.ir.nodes import Program

# Each is an action of its own; those that begin with `!` are faults.
STATEMENTS = {
    "!add one too many": "repeat 4 times: add 1 to few",
    "!add a number outside the range": "add one * 9 to few",
    "!set what is too long": "set few to 1..(one + 3)",
    "!set a number outside the range": "set few to (1, one * 9)",
    "!add what is none": "add (first of none_yet) to few",
    "!add to the list of nobody": "add 1 to own of heir",
    "!shuffle the list of nobody": "shuffle own of heir",
    "!add a seat once more": "repeat 3 times: add seat to waiting",
    "remove what is not there": "remove (one * 9) from few",
    "remove the first of several": "set few to (2, 1, 2); remove 2 from few",
    "shuffle nothing": "clear few; shuffle few",
    "shuffle one": "set few to 3..3; shuffle few",
    "shuffle several": "shuffle waiting; set few to (1, 2, 2); shuffle few; shuffle waiting",
    "shuffle own": "repeat 4 times: add 2 * count of own to own; shuffle own",
    "hand on": "set few to (5, 4); set none_yet to few; add 1 to few; set few to none_yet",
}
RULES = """game: made
title: Made
players: 3
deck:
  starts_in: pack
  attributes: {{rank: 1..6}}
  cards: [{{rank: 1..6}}]
zones: {{pack: {{shows: nothing}}, hand: {{of: seat, shows: owner}}}}
state:
  one: {{type: number, start: 1}}
  few: {{type: list of 1..5, most: 3}}
  none_yet: {{type: list of 1..5, most: 3}}
  heir: seat or none
  own: {{of: seat, type: list of number, most: 4}}
  waiting: {{type: list of seat, most: 5}}
actions:
{actions}
  wait: {{}}
steps:
  match: |
    shuffle pack
    set waiting to seats
    dealer chooses {names}
    score count of few + sum of few to (last of waiting or else dealer) for "list"
    dealer chooses wait
winners: seats
"""
NAMES = {"do_" + said.strip("!").replace(" ", "_"): statement for said, statement in STATEMENTS.items()}
FAULTY = sum(said.startswith("!") for said in STATEMENTS)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    lines = {name: statement.replace("; ", "\n      ") for name, statement in NAMES.items()}
    actions = "\n".join(f"  {name}:\n    do: |\n      {statement}" for name, statement in lines.items())
    file = tmp_path_factory.mktemp("lists") / "made.game.yaml"
    file.write_text(RULES.format(actions=actions, names=" or ".join(NAMES)))
    made, report = compile_game(file)
    assert made is not None, report.diagnostics
    return made


def follow(executor: ReferenceExecutor, choice: int, script: list[Any], edit: Callable[[Any], None]) -> Any:
    """What comes of an action: the position at the next decision, or the fault."""
    position = executor.start(7)
    executor.run(position)
    position.script = list(script)
    edit(position)
    try:
        executor.advance(position, executor.list_legal(position)[choice])
    except Fault as fault:
        return fault.code, fault.message, fault.clause, fault.steps, position.random, position.states
    return position


SCRIPTS: list[list[Any]] = [[], [[2, 0, 1], [2, 2, 1]], ["random", [1, 2, 2], [1, 1, 1]], [5], [[1, 2]], [[2, None, 1]],
                            [[[2], 0, 1]]]  # fmt: skip


@pytest.mark.parametrize("script", SCRIPTS, ids=str)
def test_a_list_is_changed_in_the_same_way_on_both_executors(program: Program, script: list[Any]) -> None:
    faults = 0
    for choice in range(len(NAMES)):
        told: tuple[list[Any], list[Any]] = ([], [])
        found = [
            follow(make(program, record), choice, script, lambda position: None)
            for make, records in ((GeneratedExecutor, told[0]), (ReferenceExecutor, told[1]))
            for record in (None, records.append)
        ]
        assert all(each == found[0] for each in found), list(NAMES)[choice]
        assert told[0] == told[1]
        faults += isinstance(found[0], tuple)
    assert faults >= FAULTY


def test_code_does_what_is_no_fault_without_the_reference(program: Program) -> None:
    executor = GeneratedExecutor(program)
    before = executor.generated.handed_over
    for choice in range(FAULTY, len(NAMES)):
        follow(executor, choice, [], lambda position: None)
    assert executor.generated.handed_over == before


def test_a_list_that_was_edited_to_be_too_long_is_the_same_fault_on_both_executors(program: Program) -> None:
    few = next(state.base for state in program.states if state.name == "few")

    for held in ((1, 2, 3, 4, 5), (1, 77), (-3,)):

        def edit(position: Any, held: tuple[int, ...] = held) -> None:
            position.states[few] = held

        for choice in range(len(NAMES)):
            made, defined = (follow(make(program), choice, [], edit) for make in (GeneratedExecutor, ReferenceExecutor))
            assert made == defined, list(NAMES)[choice]
