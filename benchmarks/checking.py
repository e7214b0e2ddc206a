"""Benchmark of `hoyle check`, in processor time as a multiple of starting Python with the packages of
`benchmarks.starting`: `python -m benchmarks.checking [WHAT …]`, by default `cribbage`.

In: games or folders. Out: a table, measured as `benchmarks.starting` does, with warm caches.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from benchmarks.starting import LIBRARIES, measure, take_time, write_found


def measure_checking(whats: Sequence[str]) -> list[tuple[str, float]]:
    """The seconds of processor time of each command, starting Python first."""
    commands: dict[str, tuple[str, ...]] = {
        "starting Python with these packages": ("-c", LIBRARIES),
        "the same with the command's own modules": ("-c", "import hoyle.front.cli.check"),
    }
    commands |= {f"hoyle check {what}": ("-m", "hoyle", "check", what) for what in whats}
    return measure({name: partial(take_time, (sys.executable, *command)) for name, command in commands.items()})


if __name__ == "__main__":
    print(write_found(measure_checking(sys.argv[1:] or ["cribbage"])))
