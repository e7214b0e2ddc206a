"""Matches kept in files lose nothing: at every write of a match the store is killed, filled and locked, and the match
is found whole. No two play one file, nothing is deleted unasked, and other rules are refused."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import pexpect
import pytest

import hoyle
from faulty_store import Killed, write_rules
from hoyle.front.cli import run
from hoyle.front.terminal import saving
from hoyle.front.terminal.saving import InUse, Record, Setup, read_record, take_up
from hoyle.front.terminal.starting import Manner, Outcome, play, replay
from terminals import open_terminal

UNDOING = 3  # the lines typed after which a choice is taken back, once
Fault = Callable[[BinaryIO, int, bytes], None]


def die_before(file: BinaryIO, place: int, content: bytes) -> None:
    raise Killed


def die_within(file: BinaryIO, place: int, content: bytes) -> None:
    write(file, place, content[: len(content) // 2])
    raise Killed


def die_after(file: BinaryIO, place: int, content: bytes) -> None:
    write(file, place, content)
    raise Killed


def fill(file: BinaryIO, place: int, content: bytes) -> None:
    write(file, place, content[:3])
    raise OSError(errno.ENOSPC, "No space left on device")


def lock_out(file: BinaryIO, place: int, content: bytes) -> None:
    raise OSError(errno.EACCES, "Permission denied")


write = saving.write_at
KILLS, REFUSALS = (die_before, die_within, die_after), (fill, lock_out)


class Store:
    """Stands for the disk: counts the writes, and at one of them has a fault."""

    def __init__(self, fault: Fault | None = None, at: int = -1) -> None:
        self.fault, self.at, self.writes, self.refused = fault, at, 0, False

    def __call__(self, file: BinaryIO, place: int, content: bytes) -> None:
        self.writes += 1
        if self.fault is not None and self.writes - 1 == self.at:
            self.refused = True
            self.fault(file, place, content)
        write(file, place, content)


class Typist:
    """Plays the first choice, takes one back once, and tries again when a choice was not stored."""

    def __init__(self, store: Store, typed: int = 0) -> None:
        self.store, self.typed = store, typed

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        if self.store.refused:
            self.store.refused = False
            return "\n"
        self.typed += 1
        return "undo\n" if self.typed == UNDOING else ".1\n"


@pytest.fixture
def game(tmp_path: Path) -> hoyle.Game:
    return hoyle.load(write_rules(tmp_path), players=2)


@pytest.fixture
def playing(game: hoyle.Game, monkeypatch: pytest.MonkeyPatch) -> Callable[[Record, Store, int], None]:
    def play_on(record: Record, store: Store, typed: int = 0) -> None:
        monkeypatch.setattr(saving, "write_at", store)
        monkeypatch.setattr("sys.stdin", Typist(store, typed))
        try:
            if not record.whole:
                record.begin()
            assert play(game, record, Manner(plain=True)) is Outcome.OVER
        finally:
            record.release()

    return play_on


def set_up(game: hoyle.Game, path: Path) -> Record:
    setup = Setup(str(path.parent / "odd.game.yaml"), "Odd", 2, game.options, 3, (0,), ("Ash", "Bay"), "first",
                  rules=game.program.digests)  # fmt: skip
    return Record(setup, path)


def test_a_match_is_found_whole_whenever_its_store_is_killed_filled_or_locked(
    game: hoyle.Game, playing: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, sound = tmp_path / "sound.match.jsonl", Store()
    playing(set_up(game, path), sound)
    whole = read_record(path)
    assert whole.over and sound.writes >= 9 and '{"back_to":' in path.read_text()
    points = 0
    for at in range(1, sound.writes):  # before the first line there is no match
        for fault in KILLS:
            path = tmp_path / f"{fault.__name__}-{at}.match.jsonl"
            store = Store(fault, at)
            with pytest.raises(Killed):
                playing(set_up(game, path), store)
            record = take_up(path)
            lines = 1 + sum(1 for _ in path.read_text().splitlines()[1:])
            assert lines in (at, at + 1)
            assert replay(game, record).history == record.choices, "what is stored can be played again"
            past = any("back_to" in line for line in path.read_text().splitlines())
            playing(record, Store(), UNDOING if past else sum(1 for _ in record.asked))
            assert read_record(path).over and replay(game, read_record(path)).is_over
            points += 1
        for refusal in REFUSALS:
            path = tmp_path / f"{refusal.__name__}-{at}.match.jsonl"
            playing(set_up(game, path), Store(refusal, at))
            again = read_record(path)
            assert (again.choices, again.asked, again.over) == (whole.choices, whole.asked, True)
            assert "the choice could not be kept, so that nothing has changed" in capsys.readouterr().out
            points += 1
    assert points == 5 * (sound.writes - 1) >= 40


def test_a_choice_that_cannot_be_written_is_not_made_and_the_player_is_told(tmp_path: Path) -> None:
    file, kept = write_rules(tmp_path), tmp_path / "kept"
    # Without -B, Python would keep modules of which only the beginning fits into such a file.
    begun = f"{sys.executable} -B -m hoyle.front.cli play {file} -p 2 --set deals=5 --bot first --seed 3"
    line = f"ulimit -f 1; exec {begun}"
    process = pexpect.spawn("bash", ["-c", line], dimensions=(24, 80), encoding="utf-8",
                            env={**os.environ, "HOYLE_MATCHES": str(kept), "TERM": "dumb"})  # fmt: skip
    for _ in range(60):
        process.sendline(".1")
        if process.expect(["so that nothing has changed", "> "], timeout=60) == 0:
            break
    else:
        raise AssertionError("the file never grew too large")
    process.expect("file too large")
    process.sendline("q")
    process.expect(pexpect.EOF)
    (left,) = kept.glob("*.jsonl")
    assert left.stat().st_size <= 1024
    record = read_record(left)
    game = hoyle.load(file, players=2, options={"deals": 5})
    assert replay(game, record).history == record.choices


def test_a_folder_that_cannot_be_written_is_told_before_the_match_begins(tmp_path: Path) -> None:
    file = write_rules(tmp_path)
    (tmp_path / "kept").write_text("no folder")
    with open_terminal("play", str(file), matches=tmp_path / "kept" / "matches", bot="first") as terminal:
        assert terminal.finish() == 1
        assert b"the match could not be kept" in terminal.raw and b"not a directory" in terminal.raw
        assert b"to play without keeping it" in terminal.raw.replace(b"\r\n", b" ")


def test_of_two_who_go_on_with_one_match_the_second_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOYLE_MATCHES", str(tmp_path / "kept"))
    file, kept = write_rules(tmp_path), tmp_path / "kept"
    with open_terminal("play", str(file), "--seed", "3", matches=kept, bot="first") as first:
        first.wait_for("> ")
        first.type(".1")
        (path,) = kept.glob("*.jsonl")
        before = path.read_text()
        assert run(["resume", str(path)]) == 1
        assert "it is being played elsewhere" in capsys.readouterr().err
        assert run(["resume"]) == 1
        assert "no match has been left unfinished" in capsys.readouterr().err
        assert path.read_text() == before
        with pytest.raises(InUse):
            take_up(path)
        first.type(".1")
    take_up(path).release()


def test_no_match_is_deleted_for_a_new_one_and_only_old_finished_ones_are_tidied_away(
    game: hoyle.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setenv("HOYLE_MATCHES", str(kept))
    monkeypatch.setattr(saving, "MOST_KEPT", 3)
    long_ago = time.time() - 40 * 86_400
    for name, ends in (("old", True), ("left", False), ("new", True)):
        record = set_up(game, kept / f"{name}.match.jsonl")
        record.setup = replace(record.setup, game=str(tmp_path / "odd.game.yaml"))
        record.begin()
        record.add("take", asked=True)
        if ends:
            record.end()
        record.release()
        if name != "new":
            os.utime(kept / f"{name}.match.jsonl", (long_ago, long_ago))
    with pytest.raises(hoyle.HoyleError, match="3 matches are kept there, as many as may be; `hoyle resume --tidy 30`"):
        saving.choose_path(record.setup)
    assert len(list(kept.iterdir())) == 3
    assert run(["resume", "--tidy", "30"]) == 0
    assert capsys.readouterr().out == "1 match that ended more than 30 days ago deleted\n"
    assert sorted(path.name for path in kept.iterdir()) == ["left.match.jsonl", "new.match.jsonl"]
    assert saving.choose_path(record.setup) is not None


# ------------------------------------------------------------------------------------------------ other rules
def test_a_match_begun_under_other_rules_is_refused_and_adopted_only_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, saved = write_rules(tmp_path), tmp_path / "saved.match.jsonl"

    def typed(lines: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        return run(list(arguments)), *capsys.readouterr()

    assert typed(f".1\n.1\nsave {saved}\nq\n", "play", str(file), "-p", "2", "--seed", "3")[0] == 0
    text = file.read_text()
    file.write_text(text.replace("text: Play a card.", "text: Play any card."))
    assert typed("q\n", "resume", str(saved))[0] == 0
    file.write_text(text.replace("repeat 6 times", "repeat 8 times"))
    for command in (("resume", str(saved)), ("replay", str(saved)), ("why", str(file), "--save", str(saved))):
        code, _, err = typed("q\n", *command)
        assert code == 1 and "it was stored under other rules: `steps` has changed since" in err
    assert "`hoyle resume --new-rules" in typed("", "resume", str(saved))[2]
    before = saved.read_text()
    assert typed("q\n", "resume", "--new-rules", str(saved))[0] == 0
    assert saved.read_text().startswith(before) and typed("q\n", "resume", str(saved))[0] == 0
    file.write_text(text.replace("deal 4 cards", "deal 1 cards").replace("move card to pile", "move card to pack"))
    code, _, err = typed("q\n", "resume", "--new-rules", str(saved))
    assert code == 1 and "the match cannot go on under the rules as they are now: choice" in err


def test_a_file_of_the_first_format_is_read_and_one_of_a_later_format_refused(
    game: hoyle.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.match.jsonl"
    record = set_up(game, path)
    record.begin()
    record.release()
    head: dict[str, Any] = json.loads(path.read_text())
    first = {name: value for name, value in head.items() if name not in ("format", "rules")}
    path.write_text(json.dumps({**first, "hoyle": 1}) + "\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert run(["resume", str(path)]) == 0
    capsys.readouterr()
    path.write_text(json.dumps({**head, "format": 3, "hoyle": "7.2"}) + "\n")
    assert run(["resume", str(path)]) == 1
    assert "reads formats up to 2; go on with the Hoyle that wrote it (7.2)" in capsys.readouterr().err
