"""Stores tables in SQLite: the setup, the access keys, and a row for every choice.

In: setups, keys and choices. Out: the same, also after a restart or crash of the server. Every choice is stored before
its result is sent to anybody.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from hoyle.dataclass import dataclass

Role = Literal["seat", "invitation", "watch", "replay"]
PERSON = "person"
FORMAT = 1

_SCHEMA = """
create table if not exists tables (
    id text primary key, setup text not null, made real not null, used real not null, over integer not null default 0
) without rowid;
create table if not exists seats (
    "table" text not null, seat integer not null, player text not null, name text not null, primary key ("table", seat)
) without rowid;
create table if not exists keys (
    key text primary key, "table" text not null, role text not null, seat integer
) without rowid;
create index if not exists keys_of_table on keys ("table");
create table if not exists choices (
    "table" text not null, number integer not null, choice text not null, seat integer not null, asked integer not null,
    primary key ("table", number)
) without rowid;
"""


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a match. `game` is the name of a shipped game or the path of a rule file; `begun` are the choices
    already made when it continues from a position of another match."""

    game: str
    players: int
    options: dict[str, object]
    seed: int
    begun: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """The player of a seat: `player` is `person` or the name of a bot."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Key:
    """An access token of a table and its role: a seat, an invitation to one, a spectator, or a replay."""

    table: str
    role: Role
    seat: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice; `asked`: a person made it."""

    text: str
    seat: int
    asked: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """All data stored of a table."""

    id: str
    setup: Setup
    seats: tuple[Seat, ...]
    choices: tuple[Choice, ...]


class Store:
    """The database; with the path `:memory:`, it lasts only as long as the server runs."""

    def __init__(self, path: str) -> None:
        if path != ":memory:":
            file = Path(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600)
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.db.execute("pragma journal_mode = wal")
        self.db.execute("pragma synchronous = normal")  # with WAL, commits survive a crash of the process
        self.db.execute("pragma busy_timeout = 5000")
        version = self.db.execute("pragma user_version").fetchone()[0]
        if version not in (0, FORMAT):
            raise sqlite3.DatabaseError(f"it was written by another Hoyle (format {version}, not {FORMAT})")
        self.db.executescript(_SCHEMA)
        self.db.execute(f"pragma user_version = {FORMAT}")

    def close(self) -> None:
        self.db.close()

    # ---------------------------------------------------------------------------------------------- tables
    def add_table(self, setup: Setup, seats: tuple[Seat, ...]) -> str:
        table, now = make_key(), time.time()
        with self.db:
            self.db.execute("begin")
            self.db.execute("insert into tables values (?, ?, ?, ?, 0)", (table, json.dumps(asdict(setup)), now, now))
            rows = [(table, number, seat.player, seat.name) for number, seat in enumerate(seats)]
            self.db.executemany("insert into seats values (?, ?, ?, ?)", rows)
        return table

    def find_table(self, table: str) -> Kept | None:
        row = self.db.execute("select setup from tables where id = ?", (table,)).fetchone()
        if row is None:
            return None
        data = json.loads(row[0])
        seats = self.db.execute('select player, name from seats where "table" = ? order by seat', (table,))
        choices = self.db.execute('select choice, seat, asked from choices where "table" = ? order by number', (table,))
        return Kept(
            table,
            Setup(**{**data, "begun": tuple(data["begun"])}),
            tuple(Seat(*row) for row in seats),
            tuple(Choice(text, seat, bool(asked)) for text, seat, asked in choices),
        )

    def count_tables(self) -> int:
        return int(self.db.execute("select count(*) from tables").fetchone()[0])

    def drop_oldest(self, number: int, unless: set[str]) -> int:
        """Delete the least recently used tables, but none of those in use; return how many."""
        rows = self.db.execute("select id from tables order by used limit ?", (number + len(unless),)).fetchall()
        found = [row for row in rows if row[0] not in unless][:number]
        with self.db:
            self.db.execute("begin")
            for name in ("choices", "seats", "keys"):
                self.db.executemany(f'delete from {name} where "table" = ?', found)
            self.db.executemany("delete from tables where id = ?", found)
        return len(found)

    def seat(self, table: str, number: int, seat: Seat) -> None:
        self.db.execute(
            'update seats set player = ?, name = ? where "table" = ? and seat = ?',
            (seat.player, seat.name, table, number),
        )

    # ---------------------------------------------------------------------------------------------- choices
    def add_choice(self, table: str, number: int, choice: Choice) -> None:
        row = (table, number, choice.text, choice.seat, choice.asked)
        self.db.execute("insert into choices values (?, ?, ?, ?, ?)", row)

    def go_back_to(self, table: str, number: int) -> None:
        self.db.execute('delete from choices where "table" = ? and number >= ?', (table, number))

    def note_use(self, table: str) -> None:
        self.db.execute("update tables set used = ? where id = ?", (time.time(), table))

    # ---------------------------------------------------------------------------------------------- keys
    def add_key(self, table: str, role: Role, seat: int | None = None) -> str:
        key = make_key()
        self.db.execute("insert into keys values (?, ?, ?, ?)", (key, table, role, seat))
        return key

    def find_key(self, key: str) -> Key | None:
        row = self.db.execute('select "table", role, seat from keys where key = ?', (key,)).fetchone()
        return Key(*row) if row is not None else None

    def find_keys(self, table: str, role: Role) -> dict[int | None, str]:
        """Map seats to the keys of one role."""
        rows = self.db.execute('select seat, key from keys where "table" = ? and role = ?', (table, role))
        return dict(rows.fetchall())

    def drop_key(self, key: str) -> bool:
        """Delete a key; return whether it existed. This is atomic: of two concurrent claims, only one succeeds."""
        return self.db.execute("delete from keys where key = ?", (key,)).rowcount == 1


def make_key() -> str:
    """Generate an unguessable token: 144 random bits."""
    return secrets.token_urlsafe(18)
