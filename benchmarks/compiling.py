"""Benchmark of compile times: checking the rule file, then generating and compiling code.

In: the shipped games. Out: a table, with cold and with warm cache.

Each game is measured in a process and with a cache folder of its own. Modules are imported and the grammar is loaded
before timing starts, since that cost is independent of the game.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import hoyle
from benchmarks.table import write_rows

USES = ("random", "play")
_MEASURE = """
import sys, time, hoyle
hoyle.load(sys.argv[3])
began = time.process_time()
game = hoyle.load(sys.argv[1], executor="generated")
read = time.process_time()
if sys.argv[2] == "random":
    game.executor.list_winners(game.executor.start())
else:
    game.new(1).decision
print(read - began, time.process_time() - read)
"""


@dataclass(frozen=True, slots=True)
class Readiness:
    """Seconds to read the rule file, and to make the code for one use of it, with cold and with warm cache."""

    game: str
    use: str
    read: float
    made: float
    read_again: float
    made_again: float


def measure_compiling(
    games: Sequence[str], tell: Callable[[str], None], uses: Sequence[str] = USES
) -> list[Readiness]:
    """Measure all games, for random play and for play with views."""
    found = []
    for use in uses:
        for game in games:
            tell(f"{game}, to {use}")
            other = next(each for each in hoyle.games() if each[:4] != game[:4])  # warms up the imports
            with tempfile.TemporaryDirectory() as folder:
                first, again = (_ask(folder, game, use, other) for _ in range(2))
            found.append(Readiness(game, use, *first, *again))
    return found


def _ask(folder: str, game: str, use: str, other: str) -> tuple[float, float]:
    environment = {**os.environ, "HOYLE_CACHE": folder}
    command = [sys.executable, "-c", _MEASURE, game, use, other]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    read, made = map(float, answer.stdout.split())
    return read, made


def write_compiling(found: Sequence[Readiness]) -> str:
    rows: list[tuple[str, ...]] = [("game", "to", "rule file", "code", "first time", "from the cache")]
    for each in found:
        first, again = each.read + each.made, each.read_again + each.made_again
        seconds = (each.read, each.made, first, again)
        rows.append((each.game, each.use, *(f"{number:.2f} s" for number in seconds)))
    return "\n".join(write_rows(rows, {2, 3, 4, 5}))
