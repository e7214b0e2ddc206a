"""How long a language server takes to answer a keystroke: `python -m benchmarks.keystroke [GAME] [--times N]`.

In: a game. Out: milliseconds from a changed text to what is wrong with it, of a server that has the file open; the
processor's time beside them, for machines that are busy.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from hoyle.lsp.index import Index
from hoyle.lsp.looking import Looker
from hoyle.shipped import find_game


def measure(game: str, times: int) -> tuple[list[float], list[float]]:
    """Seconds by the clock and of the processor for each of some keystrokes, the first look left out."""
    path = find_game(game)
    if path is None:
        raise SystemExit(f"no game `{game}`")
    text = path.read_text(encoding="utf-8")
    looker, index = Looker(), None
    by_clock, by_processor = [], []
    for number in range(times + 1):
        clock, processor = time.perf_counter(), time.process_time()
        index = _type(looker, path, text, number, index)
        by_clock.append(time.perf_counter() - clock)
        by_processor.append(time.process_time() - processor)
    return by_clock[1:], by_processor[1:]


def _type(looker: Looker, path: Path, text: str, number: int, before: Index | None) -> Index:
    """Another letter in a step of the game."""
    at = text.index("\nsteps:") + len("\nsteps:")
    return looker.look(path, text[:at] + "  # " + "x" * number + text[at:], before).index


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="bunco")
    parser.add_argument("--times", type=int, default=20)
    asked = parser.parse_args()
    by_clock, by_processor = measure(asked.game, asked.times)
    for name, found in (("by the clock", by_clock), ("of the processor", by_processor)):
        print(f"{asked.game}: median {1000 * statistics.median(found):.0f} ms, most {1000 * max(found):.0f} ms {name}")


if __name__ == "__main__":
    main()
