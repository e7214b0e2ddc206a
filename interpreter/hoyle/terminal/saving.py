"""Saves matches as they are played: an append-only JSON Lines file for each.

In: the setup of a match, and its choices. Out: a file in the user's data folder, from which the match can be replayed
up to any choice. The first line is the setup; every other line is a choice, `{"back_to": 12}` for an undo, or a change
of the setup from then on, such as `{"bot": "easy"}`. A truncated last line, after a crash, is ignored.
"""

from __future__ import annotations

import json
import os
import time
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import asdict, field, fields, replace
from pathlib import Path
from typing import Any

from hoyle.dataclass import dataclass
from hoyle.diagnostics.signs import spell_out

SUFFIX = ".match.jsonl"
FORMAT = 1
MOST_KEPT = 100
LARGEST = 20_000_000  # limit of bytes read from a file
MOST_CHOICES = 1_000_000
LONGEST_NAME = 200
LAST_DAY = 253_370_764_800.0  # the first day of the year 9999, in seconds since the epoch
CHANGED = frozenset({"bot", "names", "errors", "language"})  # the parts of a setup that can change on resume


class BadRecord(Exception):  # noqa: N818 - a finding about a file, not an error of this program
    """The file is not a valid match; the text says why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a match: all parameters of `hoyle play`. `people` are the seats of users; bots have the others."""

    game: str
    title: str
    players: int
    options: dict[str, Any]
    seed: int
    people: tuple[int, ...]
    names: tuple[str, ...]
    bot: str
    errors: float = 0.0
    language: str | None = None
    began: float = 0.0


@dataclass(slots=True)
class Record:
    """A match saved in a file. `asked` are the indices of the choices that users were asked for; `torn`: the last line
    of the file is truncated."""

    setup: Setup
    path: Path | None = None
    choices: list[str] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    over: bool = False
    torn: bool = False

    # ---------------------------------------------------------------------------------------------- writing
    def begin(self) -> None:
        """Write the first line."""
        self._append({"hoyle": FORMAT, **asdict(self.setup)}, new=True)

    def add(self, choice: str, *, asked: bool) -> None:
        if asked:
            self.asked.append(len(self.choices))
        self.choices.append(choice)
        self._append({"asked": choice} if asked else choice)

    def go_back_to(self, number: int) -> None:
        """Remove the choices from index `number` on, and record that."""
        self.forget(number)
        self._append({"back_to": number})

    def forget(self, number: int) -> None:
        """Remove the choices from index `number` on, without writing."""
        del self.choices[number:]
        del self.asked[bisect_left(self.asked, number) :]

    def change(self, setup: Setup) -> None:
        """Change the setup from now on: bots, names, errors, language."""
        new = {name: value for name in sorted(CHANGED) if (value := getattr(setup, name)) != getattr(self.setup, name)}
        if new:
            self.setup = replace(self.setup, **new)
            self._append(new)

    def end(self) -> None:
        self.over = True
        self._append({"over": True})

    def save_as(self, path: Path) -> None:
        """Write the whole match to another file."""
        lines: list[object] = [{"hoyle": FORMAT, **asdict(self.setup)}]
        asked = set(self.asked)
        lines += [{"asked": c} if n in asked else c for n, c in enumerate(self.choices)]
        lines += [{"over": True}] if self.over else []
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")

    def _append(self, line: object, *, new: bool = False) -> None:
        """Write a line immediately, so that a crash loses nothing. After an I/O error, the match is no longer saved."""
        if self.path is None:
            return
        try:
            if self.torn:  # appending to a truncated line would corrupt both: rewrite the file
                whole = self.path.with_name(f"{self.path.name}.new")
                self.save_as(whole)
                whole.replace(self.path)
                self.torn = False
                return
            with self.path.open("x" if new else "a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError:
            self.path = None


# ------------------------------------------------------------------------------------------------ reading
def read_record(path: Path) -> Record:
    """Read a match; `BadRecord` if the file is not a valid one."""
    if path.exists() and not path.is_file():  # reading a pipe or a device might never end
        raise BadRecord("it is no file")
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise BadRecord("it is too large")
        lines = raw.decode("utf-8").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError:
        raise BadRecord("it is no text") from None
    record = Record(_read_setup(lines[0]), path, torn=bool(lines[-1]))
    for number, text in enumerate(lines[1:], 2):
        try:
            line = json.loads(text) if text.strip() else None
        except (ValueError, RecursionError):
            if any(later.strip() for later in lines[number:]):
                raise BadRecord(f"line {number} is no JSON") from None
            line = None  # the last line is truncated
        if line is not None and not _take(record, line, number):
            raise BadRecord(f"line {number} is no choice")
        if len(record.choices) > MOST_CHOICES:
            raise BadRecord("it has too many choices")
    return record


def _take(record: Record, line: object, number: int) -> bool:
    """Apply a line to the record; return whether it is valid."""
    if isinstance(line, str):
        record.choices.append(line)
    elif isinstance(line, dict) and isinstance(line.get("asked"), str):
        record.asked.append(len(record.choices))
        record.choices.append(line["asked"])
    elif isinstance(line, dict) and type(line.get("back_to")) is int and 0 <= line["back_to"] <= len(record.choices):
        record.forget(line["back_to"])
        record.over = False
    elif isinstance(line, dict) and line and line.keys() <= CHANGED:
        known = {part.name: getattr(record.setup, part.name) for part in fields(Setup)}
        record.setup = _make_setup({**known, **line}, f"line {number}")
    elif line == {"over": True}:
        record.over = True
    else:
        return False
    return True


def _read_setup(text: str) -> Setup:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRecord("its first line is no JSON") from None
    if not isinstance(data, dict) or "hoyle" not in data:
        raise BadRecord("it is no match of Hoyle's")
    if data["hoyle"] != FORMAT:
        raise BadRecord(f"it is of format {data['hoyle']!r:.20}; this Hoyle reads format {FORMAT}")
    return _make_setup(data, "its first line")


def _make_setup(data: dict[str, Any], line: str) -> Setup:
    """Validate the data of a line as a setup; `BadRecord` if it is invalid."""
    listed = (list, tuple)
    wanted: dict[str, type | tuple[type, ...]] = {
        "game": str, "title": str, "players": int, "options": dict, "seed": int, "people": listed, "names": listed,
        "bot": str, "errors": (int, float), "language": (str, type(None)), "began": (int, float),
    }  # fmt: skip
    for name, kind in wanted.items():
        if not isinstance(data.get(name), kind) or (kind is int and isinstance(data[name], bool)):
            raise BadRecord(f"{line} has no `{name}` that could be one")
    players = data["players"]
    seats = data["people"]
    if not 1 <= players <= 100 or not all(type(seat) is int and 0 <= seat < players for seat in seats):
        raise BadRecord(f"the seats of {line} are none")
    if len(set(seats)) < len(seats):
        raise BadRecord(f"{line} has somebody sit in a seat twice")
    if not 0 <= data["errors"] <= 1 or not 0 <= data["began"] < LAST_DAY:
        raise BadRecord(f"{line} has a number that could be none")
    if len(data["names"]) != players or not all(isinstance(name, str) for name in data["names"]):
        raise BadRecord(f"{line} does not name every player")
    known = {name: data[name] for name in wanted}
    names = tuple(spell_out(name[:LONGEST_NAME]) for name in data["names"])
    title = spell_out(data["title"][:LONGEST_NAME])
    return Setup(**{**known, "title": title, "people": tuple(seats), "names": names})


# ------------------------------------------------------------------------------------------------ files
def data_folder() -> Path | None:
    """Return `$HOYLE_MATCHES`, or else `hoyle/matches` in the user's data folder, creating it if needed. None if the
    variable is set but empty, or the folder is not writable."""
    chosen = os.environ.get("HOYLE_MATCHES")
    if chosen == "":
        return None
    base = os.environ.get("XDG_DATA_HOME")
    try:
        home = Path(base) if base else Path.home() / ".local" / "share"
        folder = Path(chosen) if chosen else home / "hoyle" / "matches"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError, ValueError):
        return None
    return folder if os.access(folder, os.W_OK) else None


def choose_path(setup: Setup) -> Path | None:
    """Choose a new file name for a match, and delete the oldest files beyond the limit."""
    folder = data_folder()
    if folder is None:
        return None
    kept = list_files(folder)
    for old in kept[MOST_KEPT:]:
        old.unlink(missing_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(setup.began))
    name = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in Path(setup.game).name.split(".")[0])
    for number in range(100):
        path = folder / f"{name}-{stamp}{f'-{number}' if number else ''}{SUFFIX}"
        if not path.exists():
            return path
    return None


def list_files(folder: Path) -> list[Path]:
    """List match files, latest first."""
    try:
        return sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []


def list_unfinished(game: str | None = None) -> Iterator[Record]:
    """Yield the matches that can be resumed, latest first; only those of one game if it is named."""
    folder = data_folder()
    for path in list_files(folder) if folder is not None else ():
        try:
            record = read_record(path)
        except (BadRecord, OSError):
            continue
        if not record.over and record.choices and game in (None, record.setup.game):
            yield record
