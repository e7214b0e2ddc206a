"""Saves matches as they are played: an append-only JSON Lines file for each.

In: the setup of a match, and its choices. Out: a file in the user's data folder, from which the match can be replayed
up to any choice. The first line is the head of every stored match (`hoyle.play.engine.origin`) with the setup; every
other line is a choice, `{"back_to": 12}` for an undo, or a change of the setup from then on, such as `{"bot": "easy"}`.
A truncated last line, after a crash, is ignored.

A line is on the disk before what it says is done: `NotStored` means that nothing has changed, in the file or outside.
Who writes a file holds its lock, so that no two play one match. No file is ever deleted unasked.
"""

from __future__ import annotations

import json
import os
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, field, fields, replace
from pathlib import Path
from typing import Any, BinaryIO

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.signs import spell_out
from hoyle.base.errors import HoyleError, NotStored
from hoyle.base.locking import lock
from hoyle.base.version import __version__
from hoyle.play.engine.origin import FORMAT

SUFFIX = ".match.jsonl"
UNMARKED = 1  # the format of files that do not say under which rules they were played
MOST_KEPT = 1_000  # files in the folder beyond which no new match begins
LARGEST = 20_000_000  # limit of bytes read from a file
MOST_CHOICES = 1_000_000
LONGEST_NAME = 200
LAST_DAY = 253_370_764_800.0  # the first day of the year 9999, in seconds since the epoch
CHANGED = frozenset({"bot", "names", "errors", "language", "rules", "hoyle"})  # what can change on resume


class BadRecord(HoyleError):  # noqa: N818 - a finding about a file, not an error of this program
    """The file is not a valid match; the text says why."""


class InUse(HoyleError):  # noqa: N818 - an answer to a user
    """Somebody else plays the match."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a match: all parameters of `hoyle play`. `people` are the seats of users; bots have the others.
    `rules` are the digests of the rules it is played under, and `hoyle` the version that wrote it."""

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
    rules: dict[str, str] = field(default_factory=dict)
    hoyle: str = __version__


@dataclass(slots=True)
class Record:
    """A match saved in a file. `asked` are the indices of the choices that users were asked for. The first `whole`
    bytes of the file are intact; `ended`: they end with a line break."""

    setup: Setup
    path: Path | None = None
    choices: list[str] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    over: bool = False
    whole: int = 0
    ended: bool = True
    file: BinaryIO | None = None

    # ---------------------------------------------------------------------------------------------- writing
    def begin(self) -> None:
        """Create the file, take its lock and write the first line."""
        if self.path is not None:
            try:
                self.file = self.path.open("x+b", buffering=0)
            except OSError as failure:
                raise NotStored(_say_failure(self.path, failure)) from None
            lock(self.file)
            self._append(_write_head(self.setup))

    def release(self) -> None:
        """Let others go on with the match."""
        if self.file is not None:
            self.file.close()
            self.file = None

    def add(self, choice: str, *, asked: bool) -> None:
        self._append({"asked": choice} if asked else choice)
        if asked:
            self.asked.append(len(self.choices))
        self.choices.append(choice)

    def go_back_to(self, number: int) -> None:
        """Remove the choices from index `number` on, and record that."""
        self._append({"back_to": number})
        self.forget(number)

    def forget(self, number: int) -> None:
        """Remove the choices from index `number` on, without writing."""
        del self.choices[number:]
        del self.asked[bisect_left(self.asked, number) :]

    def change(self, setup: Setup) -> None:
        """Change the setup from now on: bots, names, errors, language; and the rules, if the user adopts others."""
        new = {name: value for name in sorted(CHANGED) if (value := getattr(setup, name)) != getattr(self.setup, name)}
        if new:
            self._append(new)
            self.setup = replace(self.setup, **new)

    def end(self) -> None:
        self._append({"over": True})
        self.over = True

    def save_as(self, path: Path) -> None:
        """Write the whole match to another file."""
        lines: list[object] = [_write_head(self.setup)]
        asked = set(self.asked)
        lines += [{"asked": c} if n in asked else c for n, c in enumerate(self.choices)]
        lines += [{"over": True}] if self.over else []
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")

    def _append(self, line: object) -> None:
        """Write a line to the disk. If that fails, what was written of it is removed; whatever is left of it is
        overwritten by the next."""
        if self.path is None:
            return
        if self.file is None:
            raise NotStored(f"{self.path}: the match is not held")
        content = json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        content = content if self.ended else b"\n" + content
        try:
            write_at(self.file, self.whole, content)
        except OSError as failure:
            with suppress(OSError):
                self.file.truncate(self.whole)
            raise NotStored(_say_failure(self.path, failure)) from None
        self.whole += len(content)
        self.ended = True


def write_at(file: BinaryIO, place: int, content: bytes) -> None:
    """Replace everything from a place on, and wait until it is on the disk."""
    file.truncate(place)
    file.seek(place)
    written = 0
    while written < len(content):
        written += file.write(content[written:])
    os.fsync(file.fileno())


def _write_head(setup: Setup) -> dict[str, Any]:
    return {"format": FORMAT, **asdict(setup)}


def _say_failure(path: Path, failure: OSError) -> str:
    return f"{path}: {(failure.strerror or str(failure)).lower()}"


# ------------------------------------------------------------------------------------------------ reading
def read_record(path: Path) -> Record:
    """Read a match; `BadRecord` if the file is not a valid one."""
    if path.exists() and not path.is_file():  # reading a pipe or a device might never end
        raise BadRecord("it is no file")
    with path.open("rb") as file:
        return _read(file, path)


def take_up(path: Path) -> Record:
    """Read a match to go on with it, and hold its file: `InUse` if somebody else does. Its lock is taken first, so that
    nothing is added after it has been read."""
    if path.exists() and not path.is_file():
        raise BadRecord("it is no file")
    file = path.open("r+b", buffering=0)
    try:
        if not lock(file):
            raise InUse("it is being played elsewhere; leave it there first")
        record = _read(file, path)
    except BaseException:
        file.close()
        raise
    record.file = file
    return record


def _read(file: BinaryIO, path: Path) -> Record:
    raw = b""
    while part := file.read(LARGEST + 1 - len(raw)):  # an unbuffered file may give less than it is asked for
        raw += part
    if len(raw) > LARGEST:
        raise BadRecord("it is too large")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        if b"\n" in raw[wrong.start :] or b"\n" not in raw:  # a sign of the last line may be truncated
            raise BadRecord("it is no text") from None
        raw = raw[: raw.rfind(b"\n") + 1]
    lines = raw.split(b"\n")
    record = Record(_read_setup(lines[0]), path, whole=len(raw), ended=not lines[-1])
    for number, text in enumerate(lines[1:], 2):
        try:
            line = json.loads(text) if text.strip() else None
        except (ValueError, RecursionError):
            if any(later.strip() for later in lines[number:]):
                raise BadRecord(f"line {number} is no JSON") from None
            record.whole, record.ended = len(raw) - sum(len(rest) + 1 for rest in lines[number - 1 :]) + 1, True
            break  # the last line is truncated
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


def _read_setup(text: bytes) -> Setup:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRecord("its first line is no JSON") from None
    if not isinstance(data, dict) or "hoyle" not in data:
        raise BadRecord("it is no match of Hoyle's")
    if type(data["hoyle"]) is int:  # as the first format had its number
        data = {**data, "format": data["hoyle"], "hoyle": "", "rules": {}}
    if data.get("format") not in (UNMARKED, FORMAT):
        found, wrote = data.get("format"), f" ({data['hoyle']})" if isinstance(data["hoyle"], str) else ""
        raise BadRecord(f"it is of format {found!r:.20}, and this Hoyle, {__version__}, reads formats up to "
                        f"{FORMAT}; go on with the Hoyle that wrote it{wrote:.40}")  # fmt: skip
    return _make_setup(data, "its first line")


def _make_setup(data: dict[str, Any], line: str) -> Setup:
    """Validate the data of a line as a setup; `BadRecord` if it is invalid."""
    listed = (list, tuple)
    wanted: dict[str, type | tuple[type, ...]] = {
        "game": str, "title": str, "players": int, "options": dict, "seed": int, "people": listed, "names": listed,
        "bot": str, "errors": (int, float), "language": (str, type(None)), "began": (int, float), "rules": dict,
        "hoyle": str,
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
    """Return `$HOYLE_MATCHES`, or else `hoyle/matches` in the user's data folder, creating it if needed; None if the
    variable is set but empty. Raises `NotStored` if the folder cannot be written."""
    chosen = os.environ.get("HOYLE_MATCHES")
    if chosen == "":
        return None
    base = os.environ.get("XDG_DATA_HOME")
    folder = None
    try:
        home = Path(base) if base else Path.home() / ".local" / "share"
        folder = Path(chosen) if chosen else home / "hoyle" / "matches"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as failure:
        raise NotStored(_say_failure(folder or Path(), failure)) from None
    except (RuntimeError, ValueError) as failure:
        raise NotStored(str(failure)) from None
    if not os.access(folder, os.W_OK):
        raise NotStored(f"{folder}: cannot be written")
    return folder


def choose_path(setup: Setup) -> Path | None:
    """Choose a new file name for a match. Raises `NotStored` if as many are kept as may be."""
    folder = data_folder()
    if folder is None:
        return None
    kept = len(list_files(folder))
    if kept >= MOST_KEPT:
        raise NotStored(f"{folder}: {kept:,} matches are kept there, as many as may be; "
                        "`hoyle resume --tidy 30` deletes those that ended more than 30 days ago")  # fmt: skip
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(setup.began))
    name = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in Path(setup.game).name.split(".")[0])
    for number in range(MOST_KEPT + 1):
        path = folder / f"{name}-{stamp}{f'-{number}' if number else ''}{SUFFIX}"
        if not path.exists():
            return path
    raise NotStored(f"{folder}: no name is left for another match")


def list_files(folder: Path) -> list[Path]:
    """List match files, latest first."""
    try:
        return sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []


def list_unfinished(game: str | None = None) -> Iterator[Record]:
    """Yield the matches that can be resumed, latest first; only those of one game if it is named. Those that are being
    played are left out."""
    with suppress(NotStored):
        folder = data_folder()
        for path in list_files(folder) if folder is not None else ():
            record = _read_left(path)
            if record is not None and not record.over and record.choices and game in (None, record.setup.game):
                yield record


def _read_left(path: Path) -> Record | None:
    """A match that nobody plays; None for one that is being played, or a file that is none."""
    try:
        record = take_up(path)
    except (BadRecord, InUse, OSError):
        return None
    record.release()
    return record


def tidy(folder: Path, days: float) -> list[Path]:
    """Delete the matches that ended more than so many days ago; return their files. Unfinished ones stay."""
    before = time.time() - days * 86_400
    gone = []
    for path in list_files(folder):
        record = _read_left(path)
        if record is not None and record.over and path.stat().st_mtime < before:
            path.unlink(missing_ok=True)
            gone.append(path)
    return gone
