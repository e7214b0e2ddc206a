"""`hoyle watch`: it follows a file through every state an editor leaves it in, and ends when it is told to."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest

from hoyle.front.cli import run
from terminals import ROOT, interrupt

GAME = """\
game: pair
title: Pair
players: 2
use: [deck_24]
zones: {pack: {shows: nothing}, hand: {of: seat, shows: owner}, pile: {shows: all}}
actions:
  play: {text: Play a card., choose: {card: hand}, do: move card to pile}
steps:
  match: |
    shuffle pack
    deal 2 cards from pack to each hand, starting left of dealer
    for each seat: seat chooses play
    score 1 to dealer for "one"
winners: (seat in seats with highest score of seat)
"""
TESTS = "tests: pair\nexamples:\n  - {name: two cards are dealt, expect: {hand of 0: 2 cards}}\n"


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    path = tmp_path / "pair.game.yaml"
    path.write_text(GAME, encoding="utf-8")
    (tmp_path / "pair.test.yaml").write_text(TESTS, encoding="utf-8")
    return path


def test_once_tells_everything_and_whether_all_is_well(pair: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", str(pair), "--once", "--games", "2"]) == 0
    out = capsys.readouterr().out
    assert "check   1 file, no problems" in out
    assert "test    1 passed, 0 failed" in out
    assert "play    2 games to the end, 2 decisions each" in out
    pair.write_text(GAME.replace("deal 2 cards", "deal 3 cards"), encoding="utf-8")
    assert run(["watch", str(pair), "--once", "--games", "0"]) == 1
    out = capsys.readouterr().out
    assert "fails two cards are dealt" in out and "test    0 passed, 1 failed" in out
    pair.write_text(GAME.replace("move card to pile", "move card to pyle"), encoding="utf-8")
    assert run(["watch", str(pair), "--once"]) == 1
    assert "1 error in 1 file" in capsys.readouterr().out


def test_a_file_is_followed_through_every_save_until_it_is_told_to_stop(pair: Path) -> None:
    asked = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}  # it has a screen
    watch = pexpect.spawn(
        sys.executable,
        ["-m", "hoyle.front.cli", "watch", pair.name, "--games", "1", "--every", "0.1"],
        cwd=pair.parent,
        env={**asked, "PYTHONPATH": str(ROOT / "interpreter"), "TERM": "xterm", "LANG": "C.UTF-8"},
        encoding="utf-8",
        dimensions=(24, 90),
        timeout=120,
    )
    watch.expect("1 game to the end")
    watch.setwinsize(16, 30)
    watch.expect("Ctrl-C|…")  # drawn anew though nothing was saved, and the first line is no longer than the screen
    watch.expect("1 game to the end")
    pair.write_text(GAME[: len(GAME) // 2], encoding="utf-8")  # half a file
    watch.expect(r"error\[")
    pair.write_bytes(b"\xff\xfe\x00game")
    watch.expect("not UTF-8|cannot be seen|not-utf8")
    pair.unlink()
    watch.expect("is not there")
    pair.write_text(GAME, encoding="utf-8")
    watch.expect("1 game to the end")
    (pair.parent / "pair.test.yaml").write_text(TESTS.replace("2 cards", "3 cards"), encoding="utf-8")
    watch.expect("0 passed, 1 failed")
    interrupt(watch, "no longer watching")
    watch.expect(pexpect.EOF)
    watch.close()
    assert watch.exitstatus == 0


@pytest.mark.slow
def test_what_does_not_fit_on_the_screen_is_counted(pair: Path) -> None:
    slips = "".join(f"    move card{number} to pile\n" for number in range(30))
    pair.write_text(GAME.replace('    score 1 to dealer for "one"\n', slips), encoding="utf-8")
    watch = pexpect.spawn(
        sys.executable, ["-m", "hoyle.front.cli", "watch", pair.name], cwd=pair.parent, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "TERM": "xterm", "LANG": "C.UTF-8"},
        dimensions=(16, 80), timeout=120,
    )  # fmt: skip
    watch.expect(r"more lines")
    watch.expect(r"\d+ errors in 1 file")
    interrupt(watch, "no longer watching")
    watch.expect(pexpect.EOF)


def test_a_game_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "nowhere.game.yaml"]) == 1
    assert capsys.readouterr().err == "hoyle: no file nowhere.game.yaml\n"
