"""Kept matches from strangers: they can name no code to be run, are read at once, and deceive no reader."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hostile_text import EVIL, find_hidden
from hoyle.front.cli import run
from hoyle.front.terminal.saving import BadRecord, read_record
from terminals import Terminal

SETUP = {
    "hoyle": 1, "game": "cribbage-61", "title": "Cribbage", "players": 2, "options": {}, "seed": 3, "people": [0],
    "names": ["Ash", "Bay"], "bot": "random", "errors": 0.0, "language": None, "began": 0.0,
}  # fmt: skip


def write(folder: Path, *lines: object, **setup: Any) -> Path:
    file = folder / "sent.match.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in ({**SETUP, **setup}, *lines)), encoding="utf-8")
    return file


Answer = tuple[int, str, str]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    def call(*arguments: str) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        return run(list(arguments)), *capsys.readouterr()

    return call


@pytest.mark.parametrize("named", ["boom:Bot", "random, boom:Bot", "boom:Bot,random"])
def test_a_match_of_a_stranger_names_no_code_to_be_run(
    typed: Callable[..., Answer], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "boom.py").write_text("import pathlib\npathlib.Path(__file__).with_name('ran').touch()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "boom", raising=False)
    said: list[dict[str, Any]] = [{"bot": named}]
    for lines, setup in (([], said[0]), (said, {})):
        file = write(tmp_path, *lines, **setup)
        for more in ((), ("--think", "1")):
            code, _, err = typed("resume", str(file), *more)
            assert code == 1 and "`boom:Bot`, which is code outside Hoyle" in err
        assert typed("replay", str(file))[0] == 0
        assert not (tmp_path / "ran").exists()
        assert typed("resume", str(file), "--bot", "random")[0] == 0
    typed("resume", str(write(tmp_path)), "--bot", "boom:Bot")
    assert (tmp_path / "ran").exists()  # what the user names himself is his own


@pytest.mark.parametrize("choice", ["play B9", EVIL, "x" * 1_000_000, "\ud800", "", "9" * 10_000])
def test_choices_that_are_none_are_refused_in_a_few_words(
    typed: Callable[..., Answer], choice: str, tmp_path: Path
) -> None:
    file = write(tmp_path, choice)
    for command in ("resume", "replay"):
        code, out, err = typed(command, str(file))
        assert code == 1 and "choice 1" in err and "no longer legal" in err
        assert len(err) < 1_000 and not find_hidden(out + err)


@pytest.mark.parametrize(
    "setup",
    [
        {"errors": 2},
        {"errors": float("nan")},
        {"errors": -1e300},
        {"began": float("inf")},
        {"began": 10**300},
        {"began": -1},
        {"people": [0, 0]},
        {"people": [0] * 1000},
    ],
)
def test_numbers_that_cannot_be_are_refused(
    typed: Callable[..., Answer], setup: dict[str, Any], tmp_path: Path
) -> None:
    file = write(tmp_path, **setup)
    for command in ("resume", "replay"):
        code, _, err = typed(command, str(file))
        assert code == 1 and err.startswith(f"hoyle: {file} holds no match: ")


def test_texts_of_a_match_deceive_no_terminal(tmp_path: Path) -> None:
    file = write(tmp_path, title=f"Title{EVIL}", names=[f"Ash{EVIL}", f"Bay{EVIL}"], language=EVIL)
    record = read_record(file)
    assert not find_hidden(record.setup.title + "".join(record.setup.names))
    for arguments in (["resume", "--plain"], ["resume"]):
        terminal = Terminal([*arguments, str(file)], 200, 40, tmp_path)
        terminal.wait_for("Title")
        terminal.process.close(force=True)
        assert b"\x1b]0;x" not in terminal.raw and "\\u001b" in terminal.text


def test_a_pipe_or_a_device_is_no_match(tmp_path: Path, typed: Callable[..., Answer]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place in (pipe, Path("/dev/zero")):
        for command in ("resume", "replay"):
            code, _, err = typed(command, str(place))
            assert (code, err) == (1, f"hoyle: {place} holds no match: it is no file\n")
    for wanted in (("--save", "/dev/zero"), ("--choices", "@/dev/zero")):
        code, _, err = typed("why", "cribbage-61", *wanted)
        assert (code, err) == (1, "hoyle: /dev/zero: it is too large\n")


def test_a_match_taken_back_again_and_again_is_read_at_once(tmp_path: Path) -> None:
    lines = [json.dumps({"asked": ""})] * 100_000 + [json.dumps({"back_to": 100_000})] * 100_000
    file = write(tmp_path)
    with file.open("a") as record:
        record.write("\n".join(lines) + "\n")
    read = read_record(file)
    read.save_as(tmp_path / "copy")
    assert len(read.choices) == len(read.asked) == 100_000


def test_a_match_changed_again_and_again_is_read_at_once(tmp_path: Path) -> None:
    options = {f"option {number}": number for number in range(70_000)}
    file = write(tmp_path, *[{"bot": "random"}] * 70_000, options=options)
    assert len(read_record(file).setup.options) == 70_000


def test_a_match_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = write(tmp_path)
    with file.open("ab") as record:
        record.truncate(200_000_000)
    with pytest.raises(BadRecord, match="too large"):
        read_record(file)
