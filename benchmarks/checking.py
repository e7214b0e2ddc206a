"""Benchmark of `hoyle check`, in processor time as a multiple of starting Python with a few packages, most of which it
uses: `python -m benchmarks.checking [WHAT …]`, by default `cribbage`.

In: games or folders. Out: a table. Each command is started several times by turns, with warm caches, and the least time
counts: what else runs on the machine can only add to it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from benchmarks.table import write_rows

TIMES = 5
START = (sys.executable, "-c", "import click, lark, yaml, jsonschema, rich")
IMPORT = (sys.executable, "-c", "import hoyle.front.cli.check")


def measure_checking(whats: Sequence[str], times: int = TIMES) -> list[tuple[str, float]]:
    """The seconds of processor time of each command, starting Python first."""
    commands: dict[str, tuple[str, ...]] = {
        "starting Python with these packages": START,
        "the same with the command's own modules": IMPORT,
    }
    commands |= {f"hoyle check {what}": (sys.executable, "-m", "hoyle", "check", what) for what in whats}
    for command in commands.values():
        _take_time(command)  # fills the caches
    rounds = [[_take_time(command) for command in commands.values()] for _ in range(times)]
    return list(zip(commands, map(min, zip(*rounds, strict=True)), strict=True))


def _take_time(command: tuple[str, ...]) -> float:
    """The processor time of a process and its children, user and system."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    quiet = [(os.POSIX_SPAWN_OPEN, out, os.devnull, os.O_WRONLY, 0) for out in (1, 2)]
    started = os.posix_spawn(command[0], command, environment, file_actions=quiet)
    _, status, used = os.wait4(started, 0)
    if status:
        raise ChildProcessError(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime


def write_checking(found: Sequence[tuple[str, float]]) -> str:
    rows: list[tuple[str, ...]] = [("command", "processor time", "as a multiple")]
    rows += [(what, f"{seconds:.2f} s", f"{seconds / found[0][1]:.1f}") for what, seconds in found]
    return "\n".join(write_rows(rows, {1, 2}))


if __name__ == "__main__":
    print(write_checking(measure_checking(sys.argv[1:] or ["cribbage"])))
