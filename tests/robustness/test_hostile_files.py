"""Files written to hold Hoyle up: each is checked, listed, explained and simulated by a process with little memory and
little processor time, and answered by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MEMORY = 700 << 20  # bytes of address space, of which Python and its libraries take some hundred
SECONDS = 40  # of processor time, for all that is asked of one file; most take two
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
from hoyle.front.cli import run
for command in (["check"], ["rules"], ["why"], ["sim", "--games", "2", "--executor", "python"]):
    print("answered", run([command[0], sys.argv[1], *command[1:]]), file=sys.stderr)
"""
RULES = """
game: hostile
title: {title}
players: 2
deck: {{starts_in: pack, attributes: {{rank: {ranks}}}, cards: [{{rank: 1..9, copies: {copies}}}]}}
zones: {{pack: {{shows: all}}, hand: {{of: seat, shows: owner}}, pile: {{shows: all}}}}
state: {{x: {{type: number, start: 1}}}}
definitions:
  few: {few}
actions:
  nod: {{}}
  grab: {{choose: {{{choose}}}}}
steps:
  match: |
    shuffle pack
    {line}
    dealer chooses nod or grab
winners: (seat in seats with highest score of seat)
"""
DIVISION = "(group in division of pack where count of group > 1 leaving lowest count of rest)"
CASES = {
    "a huge number": {"line": "set x to " + "9" * 4_000},
    "a power of a power": {"line": "repeat 900 times: set x to x * x"},
    "a huge range of an attribute": {"ranks": "1..999999999", "line": "for each rank: set x to 1"},
    "a huge range": {"line": "for each v in 1..99999999999: set x to v"},
    "a range for each of a range": {"line": "set x to count of (v in 1..99999 where count of 1..v > 3)"},
    "a huge number of copies": {"copies": "999999999999"},
    "a division of a whole deck": {"copies": "99", "line": f"set x to count of {DIVISION}"},
    "divisions in a division": {"line": f"if some card in pack satisfies (count of {DIVISION} = 0): set x to 2"},
    "subsets of pairs of pairs": {"line": "set x to count of subsets of pairs of pairs of top 9 of pack"},
    "loops in loops": {"line": "".join("    " * i + f"repeat {9_999 - i} times:\n    " for i in range(9)) + " " * 36
                       + "set x to 1"},
    "a long line": {"line": "set x to 1 " + "+ 1 " * 4_000},
    "a long gap": {"line": "set x to" + " " * 18_000 + "1"},
    "a long name": {"line": f"set {'x' * 15_000} to 1"},
    "many parentheses": {"few": "(" * 9_000 + "1" + ")" * 9_000},
    "picks that multiply": {"copies": "5", "choose": "a: 3..13 cards from pack, b: 3..13 cards from pack"},
    "groups of hundreds of copies": {
        "copies": "200",
        "choose": "a: 1..1700 cards from pack, b: 1..1700 cards from pack},"
        " possible: {few: sum rank of a + sum rank of b = 9",
    },
    "names of other scripts": {"title": "牌\u202e戏 игра لعبة 🂡" * 20, "line": "set \uff58 to 1"},
}  # fmt: skip


def write(folder: Path, parts: dict[str, str]) -> Path:
    usual = {
        "title": "Hostile", "ranks": "1..9", "copies": "1", "few": "3", "choose": "card: pack", "line": "set x to 1",
    }  # fmt: skip
    file = folder / "hostile.game.yaml"
    file.write_text(RULES.format(**{**usual, **parts}), encoding="utf-8")
    return file


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux")
@pytest.mark.parametrize("parts", CASES.values(), ids=CASES)
def test_a_hostile_file_is_answered_with_little_memory_and_time(parts: dict[str, str], tmp_path: Path) -> None:
    file = write(tmp_path, parts)
    asked = LIMITED.format(memory=MEMORY, seconds=SECONDS)
    done = subprocess.run(
        [sys.executable, "-c", asked, str(file)], capture_output=True, text=True, check=False,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    shown = done.stdout + done.stderr
    assert done.returncode == 0, (done.returncode, shown[-2_000:])
    assert shown.count("answered ") == 4 and "answered 3" not in shown, shown[-2_000:]
    assert "Traceback" not in shown and "MemoryError" not in shown
    assert len(shown) < 200_000
