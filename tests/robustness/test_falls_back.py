"""Whatever stops a code generator or the C compiler, the next executor plays, with the same result, and says so."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hoyle
from hoyle.front.cli import run
from hoyle.lab.sim.report import summary_data
from hoyle.lab.sim.run import Plan, simulate
from hoyle.play.codegen import unsupported
from hoyle.play.codegen.c import printer
from hoyle.play.engine import generated, printed
from hoyle.play.engine.native import compiler, program
from hoyle.play.engine.native.compiler import find_compiler
from hoyle.program.ir.nodes import Program

RULES = """
game: falling
title: Falling
players: 2
deck: {starts_in: pack, attributes: {rank: 1..4}, cards: [{rank: 1..4, copies: 2}]}
zones: {pack: {shows: all}, hand: {of: seat, shows: owner}, pile: {shows: all}}
actions: {give: {choose: {card: hand}, do: move card to pile}}
steps:
  match: |
    shuffle pack
    deal 4 cards from pack to each hand, starting dealer
    repeat 4 times:
      for each seat:
        seat chooses give
        score sum rank of pile to seat for "given"
winners: (seat in seats with highest score of seat)
"""


@pytest.fixture
def falling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game that nothing is kept of, before and after, so that no other test meets its failures in any order."""
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / "cache"))
    forget()
    file = tmp_path / "falling.game.yaml"
    file.write_text(RULES)
    yield file
    forget()


def forget() -> None:
    printed._made.clear()
    unsupported.failures.clear()
    program.forget_all()


def failing(write: Callable[..., str]) -> Callable[..., str]:
    """A generator that fails at the game above, and not at one that another test is still having compiled."""

    def write_or_fail(program: Any, **more: Any) -> str:
        if getattr(program, "program", program).game == "falling":
            raise AssertionError("an unforeseen shape")
        return write(program, **more)

    return write_or_fail


def play(file: Path, executor: str, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    assert run(["sim", str(file), "--games", "5", "--executor", executor]) == 0
    shown = capsys.readouterr()
    return shown.out.split("\n", 2)[2], shown.err


@pytest.mark.parametrize("executor", ["python", "auto"])
def test_a_failing_generator_of_python_is_told_and_the_reference_plays(
    executor: str, falling: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, _ = play(falling, "reference", capsys)
    monkeypatch.setattr(printed, "print_python", failing(printed.print_python))
    monkeypatch.setattr(generated.TieredExecutor, "patience", 0)
    found, told = play(falling, executor, capsys)
    assert found == expected
    assert "which is slower: no Python is" in told and "by a fault of Hoyle's own; please report it" in told
    assert "an unforeseen shape" in told and "Traceback" not in told


def test_a_failing_generator_of_native_code_is_told_and_python_plays(
    falling: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, _ = play(falling, "reference", capsys)
    monkeypatch.setattr(printer, "print_c", failing(printer.print_c))
    found, told = play(falling, "native", capsys)
    assert found == expected
    assert "played by generated Python: no native code is written for this game by a fault of Hoyle's own" in told


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize(
    ("limit", "most", "why"),
    [
        ("MOST_WRITING", 100, "no native code is written for a game so intricate"),
        ("MOST_MAPPED", 0, "this process has loaded 0 libraries already"),
    ],
)
def test_native_code_that_would_take_too_much_is_not_made_and_python_plays(
    limit: str, most: int, why: str, falling: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, _ = play(falling, "reference", capsys)
    monkeypatch.setattr(program, limit, most)
    found, told = play(falling, "native", capsys)
    assert found == expected
    assert f"played by generated Python: {why}" in told


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("limit, most", [("MOST_MEMORY", 1_000), ("MOST_WORKED", 0)])
def test_a_compiler_that_takes_more_than_it_may_is_stopped_and_python_plays(
    limit: str, most: int, falling: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, _ = play(falling, "reference", capsys)
    monkeypatch.setattr(compiler, limit, most)
    found, told = play(falling, "native", capsys)
    assert found == expected
    assert "played by generated Python: " in told and " failed: " in told


def test_a_compiler_works_behind_others_and_its_files_are_cleared_away(tmp_path: Path) -> None:
    with (tmp_path / "said").open("wb") as said:
        script = "import os, sys, tempfile; sys.stderr.write(f'{os.nice(0)} {tempfile.gettempdir()}')"
        assert compiler._run(["python3", "-c", script], said, tmp_path, threading.Event()) == 0
    niceness, folder = (tmp_path / "said").read_text().split(" ", 1)
    assert int(niceness) >= compiler.NICENESS
    assert folder == str(tmp_path)


def test_what_a_generator_fails_at_is_a_mistake_that_tests_see(
    falling: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = hoyle.load(falling, players=2, executor="python")
    assert isinstance(game.program, Program)
    monkeypatch.setattr(printed, "print_python", failing(printed.print_python))
    summary = simulate(game, Plan(3, 1, executor="python"))
    assert summary_data(summary)["games"] == 3
    assert sum(printed.find_generated(game.program).mistakes.values()) == 1
