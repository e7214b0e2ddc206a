"""All tables of a server: set, found by their keys, opened when somebody comes, put away when all have left.

In: keys and wishes of strangers. Out: rooms; or `Refused`, with a word that says why.
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

MOST_TABLES = 2_000  # kept; the oldest make room
MOST_ROOMS = 500  # open at once
MOST_GUESTS = 40  # at one table
MOST_TRACES = 8
MOST_GAMES = 128  # compiled, each known by how it was asked for and by all it was set to
MOST_HELD = 32  # games that stand in no file
IDLE = 600.0  # seconds after which an empty room is put away
LARGEST_FILE = 200_000  # bytes of a rule file that is sent
MOST_FILES = 200
SEEDS = 2**53  # all that a page can show: too many to be tried one by one by who knows his own cards
ME = "me"


class Refused(Exception):  # noqa: N818 - an answer to a stranger, not an error of ours
    """What was asked for is not to be had: `why` is a word the page has a sentence for, `detail` more about it."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(detail or why)
        self.why, self.detail = why, spell_out(detail, frozenset("\n"))


@dataclass(slots=True)
class Rules:
    """What a server allows."""

    pace: float = 0.7
    upload: bool = False
    tables: int = MOST_TABLES
    rooms: int = MOST_ROOMS
    patience: float = 1.0  # how many times as often as usual one address may ask


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
        """Every game there is, variants after the game whose folder they share."""
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
        """A game, compiled once for each number of players and set of options."""
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
            # All who come while a game is being compiled wait for the same.
            compiling = self._compiling.get(known)
            if compiling is None:
                compiling = asyncio.create_task(self.loading.do(hoyle.load, path, players, options))
                compiling.add_done_callback(lambda _: self._compiling.pop(known, None))
                self._compiling[known] = compiling
            game = await asyncio.shield(compiling)
            # A table that is opened names its players and every option, one that is set need not.
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
        """Let tables be set of a game that stands in no file; the oldest such game makes room."""
        self._held[name] = game
        while len(self._held) > MOST_HELD:
            del self._held[next(iter(self._held))]

    def add_file(self, text: bytes) -> str:
        """Keep a rule file that somebody sent; the name it can be played by."""
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
        """Set a table; the key of the seat of who asked for it, or to watch if he takes none."""
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
        """A table of one's own, set as another stood after some of its choices, with bots in the other seats. Before
        that match is over only he may do so who plays it against bots alone, and in his own seat: whoever else did
        would see there what is hidden from him."""
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
        """A new table with the same game, options and players."""
        wanted = [ME if number == seat else each.player for number, each in enumerate(room.seats)]
        seed = secrets.randbelow(SEEDS)
        setup = Setup(room.setup.game, room.game.players, room.game.options, seed)
        return self._seat(setup, tuple(wanted), [each.name for each in room.seats])

    def _seat(
        self, setup: Setup, wanted: tuple[str, ...], called: Sequence[str], language: str | None = None
    ) -> str:
        """Lay a table for players; who is called nothing is named after a bird of the language. The key of who sets
        it."""
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
        """Take the seat one is invited to: the invitation is used up, and the new key is known to nobody else."""
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
        """The room of a table; all who come while it is being opened get the same."""
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
        """A rule file somebody once played from may be gone on with, though the server was started without it."""
        if game not in self.library and Path(game).is_absolute() and Path(game).is_file():
            self.library[game] = Path(game)

    def put_away(self) -> None:
        """Close rooms in which nobody has been for a while; what happened in them is in the store."""
        now = time.monotonic()
        for table, room in list(self.rooms.items()):
            if room.guests:
                self._left.pop(table, None)
            elif now - self._left.setdefault(table, now) > IDLE:
                del self.rooms[table], self._left[table]

    # ---------------------------------------------------------------------------------------------- seen again
    async def trace(self, room: Room) -> Trace:
        """All positions of a match, kept for a few matches at a time."""
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
    """A number in the address of a page."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 7 or int(text) > most:
        raise BadMessage("no such place")
    return int(text)
