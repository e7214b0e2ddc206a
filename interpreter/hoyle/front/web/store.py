"""Stores tables in SQLite: the setup, the access keys, and a row for every choice.

In: setups, keys and choices. Out: the same, also after a restart or crash of the server. Every choice is stored before
its result is sent to anybody. A write happens as a whole or not at all; `NotStored` means that nothing has changed. No
table is deleted unasked. One server at a time uses a file.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, field
from pathlib import Path
from typing import IO, Any, Literal

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import NotStored
from hoyle.base.locking import lock
from hoyle.base.version import __version__

Role = Literal["seat", "invitation", "watch", "replay", "party"]
PERSON = "person"
SCHEMA_VERSION = 3
BUSY = 200  # milliseconds that a write waits for a lock: all tables wait with it
LOCK = ".lock"

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
create table if not exists parties (
    id text primary key, wish text not null, used real not null, over integer not null default 0
) without rowid;
create table if not exists sittings (
    party text not null, game integer not null, number integer not null, "table" text not null,
    primary key (party, game, number)
) without rowid;
create index if not exists sitting_of_table on sittings ("table");
create table if not exists results (
    party text not null, game integer not null, result text not null, primary key (party, game)
) without rowid;
create table if not exists ended (
    "table" text primary key, game text not null, people integer not null, won integer not null
) without rowid;
"""


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a match. `game` is the name of a shipped game or the path of a rule file; `begun` are the choices
    already made when it continues from a position of another match; `rules` are the digests of the rules it is played
    under, and `hoyle` the version that wrote it. `known`: somebody who plays knows the seed, and with it every hand."""

    game: str
    players: int
    options: dict[str, object]
    seed: int
    begun: tuple[str, ...] = ()
    rules: dict[str, str] = field(default_factory=dict)
    hoyle: str = __version__
    known: bool = False


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
class Sitting:
    """Which table of which game of a tournament a table is."""

    party: str
    game: int
    number: int


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
        self._lock: IO[str] | None = None
        if path != ":memory:":
            file = Path(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600)
            self._lock = Path(f"{path}{LOCK}").open("a")  # noqa: SIM115 - held as long as the store
            if not lock(self._lock):
                raise NotStored("another server keeps its tables there; --data FILE names another file")
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.db.execute("pragma journal_mode = wal")
        self.db.execute("pragma synchronous = normal")  # with WAL, commits survive a crash of the process
        self.db.execute(f"pragma busy_timeout = {BUSY}")
        version = self.db.execute("pragma user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise sqlite3.DatabaseError(f"it is of format {version}, and this Hoyle, {__version__}, reads formats up "
                                        f"to {SCHEMA_VERSION}; go on with the newer Hoyle that wrote it")  # fmt: skip
        self.db.executescript(_SCHEMA)
        self.db.execute(f"pragma user_version = {SCHEMA_VERSION}")

    def close(self) -> None:
        self.db.close()
        if self._lock is not None:
            self._lock.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """All that is written in this block is stored, or nothing."""
        try:
            self.db.execute("begin immediate")
            yield self.db
            self.db.execute("commit")
        except sqlite3.Error as failure:
            self._roll_back()
            raise NotStored(str(failure)) from None
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        if self.db.in_transaction:
            with suppress(sqlite3.Error):
                self.db.execute("rollback")

    def _read(self, sql: str, *known: object) -> list[Any]:
        try:
            return self.db.execute(sql, known).fetchall()
        except sqlite3.Error as failure:
            raise NotStored(str(failure)) from None

    # ---------------------------------------------------------------------------------------------- tables
    def add_table(
        self,
        setup: Setup,
        seats: tuple[Seat, ...],
        opens: Sequence[tuple[Role, int | None]],
        sitting: Sitting | None = None,
    ) -> list[str]:
        """Store a table with keys for these roles and seats; return the keys."""
        table, now = make_key(), time.time()
        keys = [make_key() for _ in opens]
        with self._writing() as db:
            db.execute("insert into tables values (?, ?, ?, ?, 0)", (table, json.dumps(asdict(setup)), now, now))
            rows = [(table, number, seat.player, seat.name) for number, seat in enumerate(seats)]
            db.executemany("insert into seats values (?, ?, ?, ?)", rows)
            opened = [(key, table, role, seat) for key, (role, seat) in zip(keys, opens, strict=True)]
            db.executemany("insert into keys values (?, ?, ?, ?)", opened)
            if sitting is not None:
                row = (sitting.party, sitting.game, sitting.number, table)
                db.execute("insert into sittings values (?, ?, ?, ?)", row)
        return keys

    def find_table(self, table: str) -> Kept | None:
        found = self._read("select setup from tables where id = ?", table)
        if not found:
            return None
        data = json.loads(found[0][0])
        if "rules" not in data:  # as the first format had it
            data |= {"rules": {}, "hoyle": ""}
        data.setdefault("known", bool(data["begun"]))
        seats = self._read('select player, name from seats where "table" = ? order by seat', table)
        choices = self._read('select choice, seat, asked from choices where "table" = ? order by number', table)
        return Kept(
            table,
            Setup(**{**data, "begun": tuple(data.get("begun", ()))}),
            tuple(Seat(*row) for row in seats),
            tuple(Choice(text, seat, bool(asked)) for text, seat, asked in choices),
        )

    def count_tables(self) -> int:
        return int(self._read("select count(*) from tables")[0][0])

    def tidy(self, days: float) -> int:
        """Delete the tables whose match ended and that nobody has used for so many days; return how many. Unfinished
        ones stay, and so do all tables of a tournament that goes on."""
        before = time.time() - days * 86_400
        with self._writing() as db:
            gone = "in (select id from parties where over and used < ?)"
            own = f'select "table" from sittings where party {gone}'
            free = 'select id from tables where over and used < ? and id not in (select "table" from sittings)'
            found = db.execute(f"{own} union {free}", (before, before)).fetchall()
            db.execute(f'delete from keys where "table" {gone}', (before,))
            for name in ("sittings", "results"):
                db.execute(f"delete from {name} where party {gone}", (before,))
            db.execute("delete from parties where over and used < ?", (before,))
            for name in ("choices", "seats", "keys"):
                db.executemany(f'delete from {name} where "table" = ?', found)
            db.executemany("delete from tables where id = ?", found)
        return len(found)

    def seat(self, table: str, number: int, seat: Seat) -> None:
        with self._writing() as db:
            db.execute('update seats set player = ?, name = ? where "table" = ? and seat = ?',
                       (seat.player, seat.name, table, number))  # fmt: skip

    # ---------------------------------------------------------------------------------------------- tournaments
    def add_party(self, wish: dict[str, Any]) -> str:
        """Store a tournament; return the key of its page."""
        party, key = make_key(), make_key()
        with self._writing() as db:
            db.execute("insert into parties values (?, ?, ?, 0)", (party, json.dumps(wish), time.time()))
            db.execute("insert into keys values (?, ?, 'party', null)", (key, party))
        return key

    def find_party(self, party: str) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
        """What was wished for, and the results of the games so far."""
        found = self._read("select wish from parties where id = ?", party)
        results = self._read("select result from results where party = ? order by game", party)
        return (json.loads(found[0][0]), [json.loads(row[0]) for row in results]) if found else None

    def add_result(self, party: str, game: int, result: dict[str, Any], *, over: bool) -> None:
        with self._writing() as db:
            db.execute("insert into results values (?, ?, ?)", (party, game, json.dumps(result)))
            db.execute("update parties set used = ?, over = ? where id = ?", (time.time(), over, party))

    def find_sitting(self, table: str) -> Sitting | None:
        found = self._read('select party, game, number from sittings where "table" = ?', table)
        return Sitting(*found[0]) if found else None

    def list_sittings(self, party: str, game: int) -> dict[int, str]:
        """The tables of a game of a tournament, by their numbers."""
        return dict(self._read('select number, "table" from sittings where party = ? and game = ?', party, game))

    # ---------------------------------------------------------------------------------------------- choices
    def add_choice(self, table: str, number: int, choice: Choice) -> None:
        row = (table, number, choice.text, choice.seat, choice.asked)
        with self._writing() as db:
            db.execute("insert into choices values (?, ?, ?, ?, ?)", row)

    def go_back_to(self, table: str, number: int) -> None:
        with self._writing() as db:
            db.execute('delete from choices where "table" = ? and number >= ?', (table, number))

    def note_use(self, table: str, *, over: bool = False) -> None:
        """Note when a table was used last, and whether its match is over."""
        with self._writing() as db:
            db.execute("update tables set used = ?, over = ? where id = ?", (time.time(), over, table))

    def add_end(self, table: str, game: str, people: int, won: int) -> None:
        """Count a match that is over, once; it stays counted when its table is deleted."""
        with self._writing() as db:
            db.execute("insert or replace into ended values (?, ?, ?, ?)", (table, game, people, won))

    def count_ends(self, games: Mapping[str, str]) -> dict[str, tuple[int, int, int]]:
        """For each game, by a name for it, its matches, the people in them, and how many of these won."""
        rows = self._read("select game, count(*), sum(people), sum(won) from ended group by game")
        counted = {game: (matches, people, won) for game, matches, people, won in rows}
        return {name: counted[game] for name, game in games.items() if game in counted}

    # ---------------------------------------------------------------------------------------------- keys
    def add_key(self, table: str, role: Role, seat: int | None = None) -> str:
        key = make_key()
        with self._writing() as db:
            db.execute("insert into keys values (?, ?, ?, ?)", (key, table, role, seat))
        return key

    def find_key(self, key: str) -> Key | None:
        found = self._read('select "table", role, seat from keys where key = ?', key)
        return Key(*found[0]) if found else None

    def find_keys(self, table: str, role: Role) -> dict[int | None, str]:
        """Map seats to the keys of one role."""
        return dict(self._read('select seat, key from keys where "table" = ? and role = ?', table, role))

    def exchange_key(self, key: str, role: Role) -> str | None:
        """Replace a key by a new one of another role; None if there is none. Of two concurrent claims, only one
        succeeds."""
        new = make_key()
        with self._writing() as db:
            found = db.execute("update keys set key = ?, role = ? where key = ?", (new, role, key)).rowcount
        return new if found else None


def make_key() -> str:
    """Generate an unguessable token: 144 random bits."""
    return secrets.token_urlsafe(18)
