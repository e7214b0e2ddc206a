"""Games on a GPU: the same sums as everywhere else. Where there is none, its part is played by native code."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hoyle
from hoyle.lab.sim.run import Plan, simulate
from hoyle.lab.sim.summary import Summary
from hoyle.play.codegen.c.printer import print_c
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.engine.native import device
from hoyle.play.engine.native.device import DeviceCode, DeviceError
from hoyle.play.engine.native.library import MOST_SUMMED
from hoyle.play.engine.native.program import Native, find_native
from native_play import UNOPTIMISED, has_compiler

GAMES = 40
NATIVE = Path(__file__).parents[1] / "native"


class HostCode:
    """Stands for the code on a GPU: the same text, compiled for the processor, in blocks of a few games; every
    seventh match is left out."""

    most = 30

    def __init__(self, native: Native) -> None:
        self.library = native.load(level=UNOPTIMISED)
        assert self.library is not None, native.problem

    def sum_up(self, seed: int, first: int, games: int, policy: int) -> tuple[list[Any], list[int]]:
        assert games <= self.most
        assert self.library is not None
        kept = [number for number in range(first, first + games) if number % 7]
        sums = [self.library.sum_up(seed, number, 1, policy, _never()) for number in kept]
        assert not any(left for _, _, left in sums)
        return [totals for _, totals, _ in sums], [number for number in range(first, first + games) if not number % 7]


def _never() -> Any:
    import ctypes

    return ctypes.c_int32(0)


def play(executor: Any) -> Summary:
    return simulate(lambda: hoyle.load("bonus-20", 3), Plan(GAMES, 5, executor=executor))


@pytest.mark.skipif(not has_compiler, reason="there is no C compiler")
def test_sums_of_blocks_and_of_matches_left_out_are_those_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.lab.sim.on_device.DeviceCode", HostCode)
    found = play("cuda")
    assert found.native is not None
    assert found.native.played == GAMES
    assert found.native.left_out == len(range(0, GAMES, 7))
    assert found == play("python")


@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
@pytest.mark.parametrize(
    ("name", "games"), [("kuhn-poker", 100), pytest.param("goofspiel", 40, marks=pytest.mark.slow), ("cribbage-61", 3)]
)
def test_threads_of_a_block_wait_for_each_other_and_play_the_matches_of_native_code(
    name: str, games: int, tmp_path: Path
) -> None:
    """The text as a device takes it, with two warps that meet at barriers; not every thread has a match left."""
    native = find_native(hoyle.load(name).program)
    library = native.load(level=UNOPTIMISED)
    assert library is not None, native.problem
    parts = [(NATIVE / "one_block.cpp").read_text(), native.text, (NATIVE / "one_block_main.cpp").read_text()]
    (tmp_path / "block.cpp").write_text("\n".join(parts), encoding="utf-8")
    built = ["c++", "-O1", "-w", "-fpermissive", "-pthread", "-o", "block", "block.cpp"]
    subprocess.run(built, cwd=tmp_path, check=True, capture_output=True, text=True)
    printed = subprocess.run(["./block", str(games)], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    *found, left = map(int, printed.split())
    _, totals, left_out = library.sum_up(5, 0, games, 0, _never())
    wanted = bytes(totals)
    assert found == [int.from_bytes(wanted[at : at + 8], sys.byteorder, signed=True) for at in range(0, len(wanted), 8)]
    assert left == len(left_out) == 0


def test_without_a_gpu_it_is_said_and_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_list_libraries", lambda name: iter(()))
    found = play("cuda")
    assert found.native is not None
    assert found.native.problem == "there is no NVIDIA driver here"
    assert found == play("python")


def test_where_errors_are_called_a_gpu_does_not_play() -> None:
    sample = Path(__file__).parents[1] / "language" / "valid" / "piles-and-windows.game.yaml"
    found = simulate(lambda: hoyle.load(sample), Plan(3, executor="cuda", errors=0.1))
    assert found.native is not None and found.native.problem == "a GPU does not play where errors are called"
    assert found == simulate(lambda: hoyle.load(sample), Plan(3, executor="python", errors=0.1))


@pytest.mark.parametrize("game", ["bonus-20", "cribbage", "bi-jinx"])
def test_a_gpu_gives_the_totals_of_the_processor(game: str) -> None:
    try:
        DeviceCode(hoyle.load(game, executor="native").executor.native)
    except DeviceError as missing:
        pytest.skip(f"NOT TESTED ON A GPU: {missing}")
    plans = [Plan(MOST_SUMMED, 3, executor=executor) for executor in ("cuda", "native")]
    on_device, on_processor = (simulate(lambda: hoyle.load(game), plan) for plan in plans)
    assert on_device.native is not None
    assert on_device.native.played == MOST_SUMMED
    assert on_device == on_processor


@pytest.mark.parametrize("name", ["gin-rummy", pytest.param("cribbage", marks=pytest.mark.slow)])
def test_nothing_calls_itself(name: str) -> None:
    """A device has a small stack, of which it does not say when it is used up."""
    text = print_c(lower_program(hoyle.load(name).program))
    function = r"^(?:INLINE|NOINLINE|HOST_DEVICE) [^\n;]*?\b(\w+)\([^;{]*\{(.*?)(?:^\}|\}$)"
    found = re.findall(function, text, re.MULTILINE | re.DOTALL)
    called = {name: set(re.findall(r"\b(\w+)\(", body)) for name, body in found}
    assert len(called) > 50
    assert not [loop for loop in called if loop in reach(loop, called)]


def reach(name: str, called: dict[str, set[str]]) -> set[str]:
    """The functions called by one, and by those it calls."""
    found, left = set[str](), [name]
    while left:
        new = called.get(left.pop(), set()) - found
        found |= new
        left += new
    return found
