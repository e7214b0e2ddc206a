"""Benchmark of starting: `python -m benchmarks.starting [--python PYTHON] [--times N]`.

In: the Python of an installation, by default this one. Out: the processor time of commands, as a multiple of starting
Python with the libraries a rule language in Python cannot do without. Commands are started several times by turns, and
the least time of each counts: what else runs on the machine can only add to it. A match is played up to its first
prompt, where the input ends.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.table import write_rows

TIMES = 5
LIBRARIES = "import click, lark, yaml, jsonschema, rich"
GAMES = Path(__file__).parents[1] / "games"
Command = tuple[str, ...]


def take_time(command: Command, **more: str) -> float:
    """The processor time of a process and its children, user and system."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"} | more
    streams = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
    streams += [(os.POSIX_SPAWN_OPEN, out, os.devnull, os.O_WRONLY, 0) for out in (1, 2)]
    started = os.posix_spawn(command[0], command, environment, file_actions=streams)
    _, status, used = os.wait4(started, 0)
    if status:
        raise ChildProcessError(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime


def measure(commands: dict[str, Callable[[], float]], times: int = TIMES) -> list[tuple[str, float]]:
    """The least time of each command, after one start of each that fills the caches."""
    for take in commands.values():
        take()
    rounds = [[take() for take in commands.values()] for _ in range(times)]
    return list(zip(commands, map(min, zip(*rounds, strict=True)), strict=True))


def list_commands(python: str, cache: str) -> dict[str, Callable[[], float]]:
    """The commands, the libraries alone first. `cache` is the folder of a cache of their own."""

    def hoyle(*arguments: str, empty: bool = False) -> float:
        if empty:
            shutil.rmtree(cache, ignore_errors=True)
        return take_time((python, "-m", "hoyle", *arguments), HOYLE_CACHE=cache)

    return {
        "starting Python with the libraries": lambda: take_time((python, "-c", LIBRARIES)),
        "`hoyle play cribbage`, empty cache": lambda: hoyle("play", "cribbage", empty=True),
        "`hoyle play cribbage`, again": lambda: hoyle("play", "cribbage"),
        "`hoyle list`": lambda: hoyle("list"),
        "`hoyle test games/cribbage`": lambda: hoyle("test", str(GAMES / "cribbage")),
    }


def write_found(found: Sequence[tuple[str, float]]) -> str:
    rows: list[tuple[str, ...]] = [("command", "processor time", "as a multiple")]
    rows += [(what, f"{seconds:.2f} s", f"{seconds / found[0][1]:.1f}") for what, seconds in found]
    return "\n".join(write_rows(rows, {1, 2}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="that of the installation to measure")
    parser.add_argument("--times", type=int, default=TIMES)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(write_found(measure(list_commands(asked.python, f"{folder}/cache"), asked.times)))


if __name__ == "__main__":
    main()
