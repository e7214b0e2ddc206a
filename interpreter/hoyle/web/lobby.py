"""The lobby: creates tables, finds them by their access keys, opens a room on demand and closes it when idle.

In: keys and requests of clients. Out: rooms; or `Refused`, with a code for the reason.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Sequence
from pathlib import Path

import hoyle
from hoyle import shipped
from hoyle.bots import choose_level
from hoyle.dataclass import dataclass
from hoyle.diagnostics.render import render_text
from hoyle.diagnostics.signs import spell_out
from hoyle.engine.faults import Fault
from hoyle.engine.game import Game
from hoyle.programs import describe
from hoyle.view.locale import say_in
from hoyle.web.backroom import BackRoom, RulesChanged, Trace, find_level, list_levels
from hoyle.web.messages import BadMessage, GoOn, NewTable
from hoyle.web.room import Room, choose_name
from hoyle.web.store import PERSON, Choice, Key, Seat, Setup, Store

MOST_TABLES = 2_000  # tables stored; the least recently used are dropped
MOST_ROOMS = 500  # rooms open at once
MOST_GUESTS = 40  # connections per table
MOST_TRACES = 8
MOST_GAMES = 128  # cache entries of compiled games; each game has two, by its settings as given and as resolved
MOST_HELD = 32  # games that are in no file
IDLE = 600.0  # seconds after which an empty room is closed
LARGEST_FILE = 200_000  # bytes of an uploaded rule file
MOST_FILES = 200
SEEDS = 2**53  # the safe integers of JavaScript; too many for a player to find the seed from their cards by brute force
ME = "me"


class Refused(Exception):  # noqa: N818 - a response to a client, not an error of this program
    """A request is refused: `why` is a code that the page has a message for, `detail` tells more."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(detail or why)
        self.why, self.detail = why, spell_out(detail, frozenset("\n"))


@dataclass(slots=True)
class Rules:
    """The settings and limits of a server."""

    pace: float = 0.7
    upload: bool = False
    tables: int = MOST_TABLES
    rooms: int = MOST_ROOMS
    patience: float = 1.0  # factor on the rate limits per address


class Lobby:
    """The tables of a server."""

    def __init__(self, store: Store, rules: Rules, own: list[Path], files: Path | None = None) -> None:
        self.store = store
        self.rules = rules
        self.files = files
        self.library = {shipped.game_name(path): path for path in shipped.all_games()}
        self.own = [str(path.resolve()) for path in own]
        self.library |= {name: Path(name) for name in self.own}
        self.rooms: dict[str, Room] = {}
        self.thinking, self.loading = BackRoom("thinking"), BackRoom("loading")
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._games: dict[tuple[object, ...], Game] = {}
        self._compiling: dict[tuple[object, ...], asyncio.Task[Game]] = {}
        self._held: dict[str, Game] = {}
        self._traces: dict[tuple[str, int, int], Trace] = {}
        self._left: dict[str, float] = {}

    def close(self) -> None:
        for room in self.rooms.values():
            room.stop()
        self.thinking.close()
        self.loading.close()
        self.store.close()

    # ---------------------------------------------------------------------------------------------- games
    async def list_games(self, language: str | None) -> list[dict[str, object]]:
        """List all games, variants after the game whose folder they share."""
        return await self.loading.do(self._list_games, language)

    def _list_games(self, language: str | None) -> list[dict[str, object]]:
        found = []
        for name, path in self.library.items():
            info, _ = describe(path, language)
            if info is None:
                continue
            main = shipped.game_name(path) == path.parent.name or name in self.own
            found.append(
                {
                    "name": name,
                    "title": info.title,
                    "also": info.also,
                    "kind": info.family,
                    "usual": info.usual,
                    "allowed": info.allowed,
                    "family": path.parent.name if name not in self.own else name,
                    "variant": not main,
                    "own": name in self.own,
                    "options": [
                        {
                            "name": option.name,
                            "text": option.text,
                            "kind": option.kind,
                            "default": option.default,
                            "values": option.values,
                            "low": option.low,
                            "high": option.high,
                            "or_none": option.or_none,
                        }
                        for option in info.options
                    ],
                }
            )
        return sorted(found, key=lambda game: (not game["own"], game["family"], game["variant"], game["name"]))

    def list_levels(self) -> list[dict[str, str]]:
        return [{"name": kind.name, "text": kind.text} for kind in list_levels()]

    async def load(self, name: str, players: int | None, options: dict[str, object]) -> Game:
        """Load a game, compiled once for each number of players and set of options."""
        if name in self._held:
            return self._held[name]
        path = self.library.get(name)
        if path is None:
            raise Refused("no_such_game")
        try:
            changed = path.stat().st_mtime_ns
            known = _tell_apart(name, changed, players, options)
            if known in self._games:
                return self._games[known]
            # Concurrent requests for the same game share one compilation.
            compiling = self._compiling.get(known)
            if compiling is None:
                compiling = asyncio.create_task(self.loading.do(hoyle.load, path, players, options))
                compiling.add_done_callback(lambda _: self._compiling.pop(known, None))
                self._compiling[known] = compiling
            game = await asyncio.shield(compiling)
            # A stored table names its players and all options, a new one only those that differ from the defaults.
            for same in (known, _tell_apart(name, changed, game.players, game.options)):
                game = self._games.setdefault(same, game)
            while len(self._games) > MOST_GAMES:
                del self._games[next(iter(self._games))]
            return game
        except hoyle.RuleFileError as wrong:
            raise Refused("bad_rules", render_text(wrong.report.ordered())[:4000]) from None
        except OSError:
            raise Refused("no_such_game") from None

    def hold(self, name: str, game: Game) -> None:
        """Register a game that is in no file, so that tables can be created for it; drop the oldest such game."""
        self._held[name] = game
        while len(self._held) > MOST_HELD:
            del self._held[next(iter(self._held))]

    def add_file(self, text: bytes) -> str:
        """Store an uploaded rule file; return the name of the game."""
        if not self.rules.upload or self.files is None:
            raise Refused("no_upload")
        if len(text) > LARGEST_FILE:
            raise Refused("too_large")
        folder = self.files / hashlib.sha256(text).hexdigest()[:16]
        path = folder / f"sent{shipped.GAME_SUFFIX}"
        if not path.is_file():
            if self.files.is_dir() and sum(1 for _ in self.files.iterdir()) >= MOST_FILES:
                raise Refused("too_many_files")
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        name = str(path)
        if name not in self.library:
            self.library[name] = path
            self.own.append(name)
        return name

    # ---------------------------------------------------------------------------------------------- tables
    async def set_table(self, new: NewTable) -> str:
        """Create a table; return the key of the creator's seat, or of a spectator if they take no seat."""
        game = await self.load(new.game, new.players, dict(new.options))
        wanted = new.seats or (ME, *[choose_level()] * (game.players - 1))
        if len(wanted) != game.players:
            raise Refused("seats", f"{len(wanted)} seats for {game.players} players")
        for player in wanted:
            if player not in (ME, PERSON) and find_level(player) is None:
                raise Refused("no_such_bot")
        seed = secrets.randbelow(SEEDS) if new.seed is None else new.seed
        setup = Setup(new.game, game.players, game.options, seed)
        return self._seat(setup, wanted, [new.name if player == ME else "" for player in wanted], new.language)

    async def go_on_from(self, room: Room, key: Key, wish: GoOn) -> str:
        """Create a private table from an earlier position of a match, with bots in the other seats. Before the match is
        over, only its single human player may do so, in their own seat; anybody else would learn hidden cards."""
        alone = key.role == "seat" and sum(seat.player == PERSON for seat in room.seats) == 1
        if not room.match.is_over and not (alone and wish.seat == key.seat):
            raise Refused("not_over")
        choices = [*room.setup.begun, *(choice.text for choice in room.choices)]
        begun = len(room.setup.begun)
        if not 0 <= wish.at <= len(room.choices) or not 0 <= wish.seat < room.game.players:
            raise Refused("no_such_choice")
        level = next((seat.player for seat in room.seats if seat.player != PERSON), choose_level())
        wanted = [level] * room.game.players
        wanted[wish.seat] = ME
        setup = Setup(
            room.setup.game, room.game.players, room.game.options, room.setup.seed, tuple(choices[: begun + wish.at])
        )
        return self._seat(setup, tuple(wanted), [seat.name for seat in room.seats])

    async def play_again(self, room: Room, seat: int | None) -> str:
        """Create a new table with the same game, options and players."""
        wanted = [ME if number == seat else each.player for number, each in enumerate(room.seats)]
        seed = secrets.randbelow(SEEDS)
        setup = Setup(room.setup.game, room.game.players, room.game.options, seed)
        return self._seat(setup, tuple(wanted), [each.name for each in room.seats])

    def _seat(
        self, setup: Setup, wanted: tuple[str, ...], called: Sequence[str], language: str | None = None
    ) -> str:
        """Store a new table with its keys, naming unnamed players from the language's list; return the key of its
        creator."""
        excess = self.store.count_tables() + 1 - self.rules.tables
        if excess > 0 and self.store.drop_oldest(excess, set(self.rooms)) < excess:
            raise Refused("too_many_tables")
        birds = say_in(language, "names_of_bots").split("|")
        names: list[str] = []
        for number, name in enumerate(called):
            names.append(choose_name(name or birds[number % len(birds)], set(names)))
        seats = tuple(
            Seat(PERSON if player == ME else player, name) for player, name in zip(wanted, names, strict=True)
        )
        table = self.store.add_table(setup, seats)
        own = self.store.add_key(table, "watch")
        for number, player in enumerate(wanted):
            if player == ME:
                own = self.store.add_key(table, "seat", number)
            elif player == PERSON:
                self.store.add_key(table, "invitation", number)
        return own

    async def claim(self, key: str, name: str) -> str:
        """Exchange an invitation for the key of its seat. The invitation is consumed, so that nobody else has a key of
        this seat."""
        found = self.find_key(key)
        if found.role != "invitation" or found.seat is None:
            raise Refused("no_such_table")
        room = await self.open(found.table)
        if not self.store.drop_key(key):
            raise Refused("no_such_table")
        own = self.store.add_key(found.table, "seat", found.seat)
        if name:
            room.rename(found.seat, name)
        room.tell_all()
        return own

    def find_key(self, key: str) -> Key:
        found = self.store.find_key(key) if len(key) <= 64 else None
        if found is None:
            raise Refused("no_such_table")
        return found

    # ---------------------------------------------------------------------------------------------- rooms
    async def open(self, table: str) -> Room:
        """Return the room of a table, opening it if needed; concurrent calls share one opening."""
        if table in self.rooms:
            return self.rooms[table]
        if table not in self._opening:
            self._opening[table] = asyncio.create_task(self._open(table))
        try:
            return await asyncio.shield(self._opening[table])
        finally:
            if table in self._opening and self._opening[table].done():
                del self._opening[table]

    async def _open(self, table: str) -> Room:
        kept = self.store.find_table(table)
        if kept is None:
            raise Refused("no_such_table")
        self.put_away()
        if len(self.rooms) >= self.rules.rooms:
            raise Refused("too_many_tables")
        setup = kept.setup
        self._allow_again(setup.game)
        game = await self.load(setup.game, setup.players, setup.options)
        choices = [*setup.begun, *(choice.text for choice in kept.choices)]
        try:
            match = await self.loading.play_again(game, setup.seed, choices)
        except RulesChanged as changed:
            raise Refused("rules_changed", str(changed)) from None
        except Fault as fault:
            raise Refused("bad_rules", str(fault)) from None
        seats, made = list(kept.seats), list[Choice](kept.choices)
        room = Room(table, setup, seats, match, made, self.store, self.thinking, self.rules.pace)
        self.rooms[table] = room
        self.store.note_use(table)
        return room

    def _allow_again(self, game: str) -> None:
        """Let stored matches of a rule file be resumed even if the server was started without that file."""
        if game not in self.library and Path(game).is_absolute() and Path(game).is_file():
            self.library[game] = Path(game)

    def put_away(self) -> None:
        """Close rooms that have been empty for a while; their matches are in the store."""
        now = time.monotonic()
        for table, room in list(self.rooms.items()):
            if room.guests:
                self._left.pop(table, None)
            elif now - self._left.setdefault(table, now) > IDLE:
                del self.rooms[table], self._left[table]

    # ---------------------------------------------------------------------------------------------- replays
    async def trace(self, room: Room) -> Trace:
        """Return all positions of a match, from a small cache."""
        known = (room.id, room.epoch, len(room.choices))
        if known not in self._traces:
            choices = [*room.setup.begun, *(choice.text for choice in room.choices)]
            trace = await self.loading.trace(room.game, room.setup.seed, choices)
            self._traces[known] = trace
            while len(self._traces) > MOST_TRACES:
                del self._traces[next(iter(self._traces))]
        return self._traces[known]


def _tell_apart(name: str, changed: int, players: int | None, options: dict[str, object]) -> tuple[object, ...]:
    return name, changed, players, tuple(sorted(options.items()))


def read_place(text: str | None, most: int) -> int:
    """Parse an index from a query string."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 7 or int(text) > most:
        raise BadMessage("no such place")
    return int(text)
