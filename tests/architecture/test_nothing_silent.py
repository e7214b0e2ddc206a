"""Nothing is silent: an error that is caught whatever it is, is told or raised again, and what generated code leaves to
the reference without need is counted as a mistake of the generator."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from click.testing import CliRunner

import hoyle
from hoyle.front.cli.doctor import command as doctor
from hoyle.play.engine.game import Game
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.playout import play_out
from source_trees import walk_sources


def find_handlers(nodes: Iterable[ast.AST]) -> Iterator[ast.ExceptHandler]:
    """The handlers that catch every error."""
    for node in nodes:
        if isinstance(node, ast.ExceptHandler):
            caught = {"BaseException"} if node.type is None else {each.id for each in ast.walk(node.type)
                                                                  if isinstance(each, ast.Name)}  # fmt: skip
            if caught & {"Exception", "BaseException"}:
                yield node


def tells(handler: ast.ExceptHandler) -> bool:
    """Whether it raises again, or does something with what it has caught."""
    nodes = [node for part in handler.body for node in ast.walk(part)]
    if any(isinstance(node, ast.Raise) for node in nodes):
        return True
    return handler.name is not None and any(isinstance(node, ast.Name) and node.id == handler.name for node in nodes)


def test_no_error_is_caught_whatever_it_is_and_forgotten() -> None:
    found = [
        f"{place}:{handler.lineno}"
        for place, nodes in walk_sources()
        for handler in find_handlers(nodes)
        if not tells(handler)
    ]
    assert found == []


@pytest.fixture
def broken() -> Iterator[Game]:
    """A game whose generated code has mistakes: it asks for the winners, and plays at random, by names that are not
    there."""
    game = hoyle.load("bonus-20", 2)
    executor = game.executor
    assert isinstance(executor, GeneratedExecutor)
    generated = executor.generated
    assert generated.functions is not None

    def fail(*given: object) -> None:
        raise NameError("name 'winers' is not defined")

    before, generated.functions = generated.functions, replace(generated.functions, winners=fail, play=fail)
    yield game
    generated.functions = before
    generated.mistakes.clear()


def test_a_mistake_in_generated_code_is_counted_although_the_match_is_played(broken: Game) -> None:
    executor = GeneratedExecutor(broken.program)
    result = play_out(executor, 1)
    assert result.winners
    assert list(executor.generated.mistakes) == ["NameError: name 'winers' is not defined"]


def test_the_doctor_tells_of_mistakes_in_generated_code(broken: Game) -> None:
    told = CliRunner().invoke(doctor, ["bonus-20", "--try"]).output
    assert "mistakes of the generator" in told
    assert "NameError" in told


def test_the_doctor_finds_no_mistake_in_a_shipped_game() -> None:
    told = CliRunner().invoke(doctor, ["cribbage", "--try"]).output
    assert "cribbage" in told
    assert "mistakes" not in told
