"""Writes one row per game to a file for other programs.

In: the setting of a simulation, and rows as games end. Out: an SQLite, Parquet or CSV file.
"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError

Scores = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """The values common to all rows of a simulation."""

    game: str
    players: int
    options: Mapping[str, Any]
    seed: int
    bot: str
    version: str


@dataclass(frozen=True, slots=True)
class Row:
    """One game: its 0-based number, its seed, its result or the fault that stopped it. `offered` is the total number of
    choices at all its decisions: used by charts, not written to files."""

    number: int
    seed: int
    decisions: int | None = None
    rounds: int | None = None
    scores: Scores | None = None
    winners: Scores | None = None
    fault: str | None = None
    offered: int | None = None


class Store(Protocol):
    """A writer of rows; all rows added are in the file after `close`."""

    def add(self, rows: Sequence[Row]) -> None: ...

    def close(self) -> None: ...


class StorageError(HoyleError):
    """The file cannot be written; the text says why."""


def open_store(path: Path, setting: Setting) -> Store:
    """Open the store for the suffix of a path."""
    kind = STORES.get(path.suffix.lower())
    if kind is None:
        raise StorageError(f"{path.name}: results are written to {' or '.join(f'*{ending}' for ending in STORES)}")
    if not path.parent.is_dir():
        raise StorageError(f"{path}: there is no folder {path.parent}")
    if path.is_dir():
        raise StorageError(f"{path}: is a folder")
    return kind(path, setting)


# ------------------------------------------------------------------------------------------------ SQLite
# Seeds are text because SQLite integers are signed 64-bit. The games of a simulation refer to one row of `runs`; the
# view `results` joins them.
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
    run INTEGER PRIMARY KEY, game TEXT NOT NULL, players INTEGER NOT NULL, options TEXT NOT NULL,
    run_seed TEXT NOT NULL, bot TEXT NOT NULL, version TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
    run INTEGER NOT NULL REFERENCES runs, number INTEGER NOT NULL, seed TEXT NOT NULL, decisions INTEGER,
    rounds INTEGER, scores TEXT, winners TEXT, fault TEXT, PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS results AS
    SELECT run, number, game, players, options, bot, seed, decisions, rounds, scores, winners, fault
    FROM games JOIN runs USING (run);
"""


class SqliteStore:
    """Rows in an SQLite database; an existing file gets one more run."""

    def __init__(self, path: Path, setting: Setting) -> None:
        self._path = path
        try:
            self._connection = sqlite3.connect(path)
            self._connection.executescript(_TABLES)
            shared = (setting.game, setting.players, json.dumps(dict(setting.options)), str(setting.seed))
            cursor = self._connection.execute(
                "INSERT INTO runs (game, players, options, run_seed, bot, version) VALUES (?, ?, ?, ?, ?, ?)",
                (*shared, setting.bot, setting.version),
            )
            self._connection.commit()
        except sqlite3.Error as error:
            raise StorageError(f"{path}: {error}") from None
        self._run = cursor.lastrowid

    def add(self, rows: Sequence[Row]) -> None:
        try:
            with self._connection:
                self._connection.executemany(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [self._values(row) for row in rows]
                )
        except sqlite3.Error as error:
            raise StorageError(f"{self._path}: {error}") from None

    def _values(self, row: Row) -> tuple[object, ...]:
        scores, winners = (None if each is None else json.dumps(each) for each in (row.scores, row.winners))
        return self._run, row.number, str(row.seed), row.decisions, row.rounds, scores, winners, row.fault

    def close(self) -> None:
        self._connection.close()


# ------------------------------------------------------------------------------------------------ Parquet
GROUP = 50_000  # rows buffered per row group


class ParquetStore:
    """Rows in a Parquet file, written in row groups."""

    def __init__(self, path: Path, setting: Setting) -> None:
        if importlib.util.find_spec("pyarrow") is None:
            raise StorageError(
                f"{path.name}: Parquet needs pyarrow, which is not installed: pip install 'hoyle[parquet]'; "
                "a name that ends in .sqlite needs nothing more"
            )
        if path.exists():
            raise StorageError(f"{path}: is there already; Parquet files cannot be added to")
        self._arrow = importlib.import_module("pyarrow")
        self._path = path
        self._shared = {
            "game": setting.game,
            "players": setting.players,
            "options": json.dumps(dict(setting.options)),
            "bot": setting.bot,
        }
        self._schema = self._describe()
        self._rows: list[Row] = []
        try:
            self._writer = importlib.import_module("pyarrow.parquet").ParquetWriter(path, self._schema)
        except OSError as error:
            raise StorageError(f"{path}: {error}") from None

    def _describe(self) -> Any:
        arrow = self._arrow
        text, number, seats = arrow.dictionary(arrow.int32(), arrow.string()), arrow.int64(), arrow.list_(arrow.int64())
        types = {"number": number, "game": text, "players": number, "options": text, "bot": text}
        types |= {"seed": arrow.uint64(), "decisions": number, "rounds": number}
        types |= {"scores": seats, "winners": seats, "fault": text}
        return arrow.schema(list(types.items()))

    def add(self, rows: Sequence[Row]) -> None:
        self._rows.extend(rows)
        if len(self._rows) >= GROUP:
            self._flush()

    def _flush(self) -> None:
        if not self._rows:
            return
        columns: dict[str, list[object]] = {name: [value] * len(self._rows) for name, value in self._shared.items()}
        for name in ("number", "seed", "decisions", "rounds", "scores", "winners", "fault"):
            columns[name] = [getattr(row, name) for row in self._rows]
        try:
            self._writer.write_table(self._arrow.table(columns, schema=self._schema))
        except OSError as error:
            raise StorageError(f"{self._path}: {error}") from None
        self._rows = []

    def close(self) -> None:
        try:
            self._flush()
        finally:
            self._writer.close()


# ------------------------------------------------------------------------------------------------ CSV
class CsvStore:
    """Rows in a CSV file with a header; a score and a share of the win for each seat."""

    def __init__(self, path: Path, setting: Setting) -> None:
        if path.exists():
            raise StorageError(f"{path}: is there already")
        self._path, self._setting = path, setting
        try:
            self._file = path.open("w", encoding="utf-8", newline="")
        except OSError as error:
            raise StorageError(f"{path}: {error.strerror}") from None
        self._writer = csv.writer(self._file)
        seats = range(setting.players)
        self._writer.writerow(
            ["number", "game", "players", "options", "bot", "seed", "decisions", "rounds"]
            + [f"score_{seat}" for seat in seats] + [f"win_{seat}" for seat in seats] + ["fault"]
        )  # fmt: skip

    def add(self, rows: Sequence[Row]) -> None:
        setting = self._setting
        shared = [setting.game, setting.players, json.dumps(dict(setting.options)), setting.bot]
        empty = [""] * setting.players
        try:
            for row in rows:
                wins = row.winners
                shares = empty if wins is None else [_write_share(seat, wins) for seat in range(setting.players)]
                known = [row.number, *shared, row.seed, row.decisions, row.rounds]
                self._writer.writerow([*known, *(empty if row.scores is None else row.scores), *shares, row.fault])
        except OSError as error:
            raise StorageError(f"{self._path}: {error.strerror}") from None

    def close(self) -> None:
        self._file.close()


def _write_share(seat: int, winners: Scores) -> str:
    return repr(1 / len(winners)) if seat in winners else "0"


STORES: dict[str, Callable[[Path, Setting], Store]] = {
    ".sqlite": SqliteStore,
    ".db": SqliteStore,
    ".parquet": ParquetStore,
    ".csv": CsvStore,
}
