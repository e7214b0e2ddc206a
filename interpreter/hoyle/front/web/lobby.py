"""The lobby: creates tables, finds them by their access keys, opens a room on demand and closes it when idle.

In: keys and requests of clients. Out: rooms; or `Refused`, with a code for the reason.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import hoyle
from hoyle.base import shipped
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.signs import spell_out
from hoyle.base.errors import HoyleError, NotStored
from hoyle.front.web.backroom import BackRoom, RulesChanged, Trace, find_level
from hoyle.front.web.hiding import tell_fault, tell_report
from hoyle.front.web.lessons import find_lesson, tell_lesson
from hoyle.front.web.messages import BadMessage, GoOn, NewTable
from hoyle.front.web.places import Admit
from hoyle.front.web.room import Room, choose_name
from hoyle.front.web.store import PERSON, Choice, Key, Role, Seat, Setup, Sitting, Store
from hoyle.front.web.thinking import Alone, Thinking
from hoyle.lab.bots import choose_level
from hoyle.lab.bots.teaching import Lesson, Teacher
from hoyle.lab.learning.patience import GRADES, Dealer
from hoyle.lab.learning.solving import SolveError
from hoyle.language.library import describe
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game
from hoyle.play.engine.origin import OtherRules, check_rules
from hoyle.play.view.locale import say_in

MOST_TABLES = 20_000  # tables stored, beyond which no new one is set
MOST_ROOMS = 500  # rooms open at once
MOST_GUESTS = 40  # connections per table
MOST_TRACES = 8
MOST_GAMES = 128  # cache entries of compiled games; each game has two, by its settings as given and as resolved
MOST_HELD = 32  # games that are in no file
IDLE = 600.0  # seconds after which an empty room is closed
MOST_SENT = 300_000  # steps of evaluation for one instruction or menu of a game that was sent
MOST_WORK = 100_000  # steps of `hoyle.base.effort` for one thing that happens at its tables
LARGEST_FILE = 200_000  # bytes of an uploaded rule file
MOST_FILES = 200
MOST_DEALERS = 16
LOOKING = 15.0  # seconds within which a deal of some grade is to be found
Found = TypeVar("Found")
SEEDS = 2**53  # the safe integers of JavaScript; too many for a player to find the seed from their cards by brute force
ME = "me"


class Refused(HoyleError):  # noqa: N818 - a response to a client, not an error of this program
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

    def __init__(
        self,
        store: Store,
        rules: Rules,
        own: list[Path],
        files: Path | None = None,
        games: list[Path] | None = None,
        thinking: Thinking | None = None,
    ) -> None:
        self.store = store
        self.rules = rules
        self.files = files
        self.library = {shipped.game_name(path): path for path in games or shipped.all_games()}
        self._references = {name: name for name in self.library}  # what the store calls a game, by its name for clients
        self.own: list[str] = []
        for path in own:
            self.name_file(path)
        self.rooms: dict[str, Room] = {}
        self.draw_seed: Callable[[], int] = partial(secrets.randbelow, SEEDS)
        self.thinking = thinking if thinking is not None else Alone()
        self.loading, self.dealing = BackRoom("loading"), BackRoom("dealing")
        self.checking = BackRoom("checking")  # what strangers have sent: nobody waits for it but them
        self._dealers: dict[Game, Dealer] = {}
        self._teachers: dict[Game, Teacher] = {}
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._games: dict[tuple[object, ...], Game] = {}
        self._compiling: dict[tuple[object, ...], asyncio.Task[Game]] = {}
        self.held: dict[str, tuple[Game, Path, str]] = {}  # games of a text that belongs at a path
        self.admit: Admit | None = None  # finds what a table of a tournament is
        self._traces: dict[tuple[str, int, int], Trace] = {}
        self._left: dict[str, float] = {}

    def close(self) -> None:
        for room in self.rooms.values():
            room.stop()
        for behind in (self.thinking, self.loading, self.dealing, self.checking):
            behind.close()
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
                    "about": info.about,
                    "goal": info.goal,
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

    def count_matches(self) -> dict[str, tuple[int, int, int]]:
        """By game: the matches played to their end here, the people in them, and how many of these won."""
        return self.store.count_ends(self._references)

    def name_file(self, path: Path) -> str:
        """Offer a rule file of the owner; return its name for clients, which does not say where it lies."""
        reference = str(path.resolve())
        for name, other in self._references.items():
            if other == reference:
                return name
        name = choose_name(shipped.game_name(path), set(self.library))
        self.library[name], self._references[name] = Path(reference), reference
        self.own.append(name)
        return name

    def refer(self, name: str) -> str:
        """What the store calls the game that a client names."""
        if name in self.held:
            return name
        if name not in self._references:
            raise Refused("no_such_game")
        return self._references[name]

    def find_path(self, reference: str) -> Path:
        """The rule file of a game of the store. Stored matches of a file can be resumed even if the server was started
        without that file."""
        path = self.library.get(reference)
        if path is None and Path(reference).is_absolute() and Path(reference).is_file():
            path = Path(reference)
        if path is None:
            raise Refused("no_such_game")
        return path

    async def load(self, name: str, players: int | None, options: dict[str, object]) -> Game:
        """Load a game, as the store calls it; compiled once for each number of players and set of options."""
        if name in self.held:
            return self.held[name][0]
        path = self.find_path(name)
        try:
            changed = path.stat().st_mtime_ns
            known = _tell_apart(name, changed, players, options)
            if known in self._games:
                return self._games[known]
            # Concurrent requests for the same game share one compilation.
            compiling = self._compiling.get(known)
            if compiling is None:
                compiling = asyncio.create_task(self._behind(name).do(self._load, name, path, players, options))
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
            raise Refused("bad_rules", tell_report(wrong.report, path)) from None
        except OSError:
            raise Refused("no_such_game") from None

    def _load(self, name: str, path: Path, players: int | None, options: dict[str, object]) -> Game:
        """Load a game; one that was sent counts its work, of which it may do little."""
        game = hoyle.load(path, players, options)
        if not self.is_sent(name):
            return game
        counted = Game(game.program, game.info, executor="reference")
        for evaluator in (counted.executor.evaluator, counted.knower.evaluator):
            evaluator.most = evaluator.most_listing = MOST_SENT
        return counted

    def is_sent(self, reference: str) -> bool:
        """Whether a game of the store comes from a stranger."""
        return self.files is not None and Path(reference).is_relative_to(self.files.resolve())

    def _behind(self, reference: str) -> BackRoom:
        return self.checking if self.is_sent(reference) else self.loading

    def hold(self, name: str, game: Game, path: Path, text: str) -> None:
        """Register a game that is in no file, so that tables can be created for it; drop the oldest such game."""
        self.held[name] = game, path, text
        while len(self.held) > MOST_HELD:
            del self.held[next(iter(self.held))]

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
        return self.name_file(path)

    # ---------------------------------------------------------------------------------------------- tables
    async def set_table(
        self, new: NewTable, options: dict[str, object] | None = None, begun: tuple[str, ...] = ()
    ) -> str:
        """Create a table; return the key of the creator's seat, or of a spectator if they take no seat. `begun` are
        choices already made: they must be legal."""
        reference = self.refer(new.game)
        game = await self.load(reference, new.players, dict(new.options) if options is None else options)
        wanted = new.seats or (ME, *[choose_level()] * (game.players - 1))
        if len(wanted) != game.players:
            raise Refused("seats", f"{len(wanted)} seats for {game.players} players")
        for player in wanted:
            if player not in (ME, PERSON) and find_level(player) is None:
                raise Refused("no_such_bot")
        if new.seed is not None and PERSON in wanted:
            raise Refused("own_seed")  # who knows the seed can work out every hand
        if new.grade is not None:
            seed = await self._find_deal(game, new)
        else:
            seed = self.draw_seed() if new.seed is None else new.seed
        try:
            await self._behind(reference).play_again(game, seed, begun)
        except RulesChanged as changed:
            raise Refused("rules_changed", str(changed)) from None
        setup = set_up_match(reference, game, seed, begun, known=new.seed is not None or bool(begun))
        return self.seat(setup, wanted, [new.name if player == ME else "" for player in wanted], new.language)

    async def _find_deal(self, game: Game, new: NewTable) -> int:
        """Draw seeds until one deals what is wanted; the deals that were graded besides are kept for later."""
        if new.grade not in GRADES or game.players > 1 or new.seed is not None:
            raise BadMessage("only deals of a game for one are graded, and by easy, hard or winnable")
        dealer = _find_or_make(self._dealers, game, Dealer)
        try:
            seed = await self.dealing.do(dealer.find, new.grade, self.draw_seed, LOOKING)
        except SolveError as error:
            raise Refused("no_such_deal", str(error)) from None
        if seed is None:
            raise Refused("no_such_deal")
        return seed

    async def teach(self, room: Room, rule: str, language: str) -> dict[str, object]:
        """A numbered rule as a question at a small table."""
        teacher = _find_or_make(self._teachers, room.game, Teacher)
        lesson = await self._find_lesson(teacher, rule)
        names = [seat.name for seat in room.seats]
        return await self.dealing.do(tell_lesson, teacher.plain, lesson, language, names)

    async def practise(self, room: Room, rule: str) -> str:
        """Create a table that begins where a numbered rule decides."""
        lesson = await self._find_lesson(_find_or_make(self._teachers, room.game, Teacher), rule)
        wanted = [choose_level()] * room.game.players
        wanted[lesson.seat] = ME
        setup = set_up_match(room.setup.game, room.game, lesson.seed, lesson.choices, known=True)
        return self.seat(setup, tuple(wanted), [seat.name for seat in room.seats])

    async def _find_lesson(self, teacher: Teacher, rule: str) -> Lesson:
        lesson = await self.dealing.do(find_lesson, teacher, rule)
        if lesson is None:
            raise Refused("no_such_lesson")
        return lesson

    async def go_on_from(self, room: Room, key: Key, wish: GoOn) -> str:
        """Create a private table from an earlier position of a match, with bots in the other seats. Before the match is
        over, only its single human player may do so, in their own seat; anybody else would learn hidden cards."""
        alone = room.place is None and key.role == "seat" and sum(seat.player == PERSON for seat in room.seats) == 1
        if not room.match.is_over and not (alone and wish.seat == key.seat):
            raise Refused("not_over")
        choices = [*room.setup.begun, *(choice.text for choice in room.choices)]
        begun = len(room.setup.begun)
        if not 0 <= wish.at <= len(room.choices) or not 0 <= wish.seat < room.game.players:
            raise Refused("no_such_choice")
        level = next((seat.player for seat in room.seats if seat.player != PERSON), choose_level())
        wanted = [level] * room.game.players
        wanted[wish.seat] = ME
        made = tuple(choices[: begun + wish.at])
        setup = set_up_match(room.setup.game, room.game, room.setup.seed, made, known=True)
        return self.seat(setup, tuple(wanted), [seat.name for seat in room.seats])

    async def play_again(self, room: Room, seat: int | None) -> str:
        """Create a new table with the same game, options and players, and invite those who sit here; who also asks
        sits down at that table. At a tournament, it is the table of the next game."""
        if room.place is not None:
            return await room.place.go_on(seat)
        waiting = self.store.find_keys(room.next, "invitation") if room.next is not None else {}
        if seat is not None and seat in waiting:
            return await self.claim(waiting[seat], room.seats[seat].name)
        wanted = [ME if number == seat else each.player for number, each in enumerate(room.seats)]
        setup = set_up_match(room.setup.game, room.game, self.draw_seed())
        key = self.seat(setup, tuple(wanted), [each.name for each in room.seats])
        if seat is not None:
            room.invite_again(self.find_key(key).table, seat)
        return key

    def seat(
        self,
        setup: Setup,
        wanted: tuple[str, ...],
        called: Sequence[str],
        language: str | None = None,
        sitting: Sitting | None = None,
    ) -> str:
        """Store a new table with its keys, naming unnamed players from the language's list; return the key of its
        creator."""
        if self.store.count_tables() >= self.rules.tables:
            raise Refused("too_many_tables")
        birds = say_in(language, "names_of_bots").split("|")
        names: list[str] = []
        for number, name in enumerate(called):
            names.append(choose_name(name or birds[number % len(birds)], set(names)))
        seats = tuple(
            Seat(PERSON if player == ME else player, name) for player, name in zip(wanted, names, strict=True)
        )
        opens: list[tuple[Role, int | None]] = [("watch", None)]
        opens += [("seat" if player == ME else "invitation", number) for number, player in enumerate(wanted)
                  if player in (ME, PERSON)]  # fmt: skip
        keys = self.store.add_table(setup, seats, opens, sitting)
        return next((key for key, (role, _) in zip(keys, opens, strict=True) if role == "seat"), keys[0])

    async def claim(self, key: str, name: str) -> str:
        """Exchange an invitation for the key of its seat. The invitation is consumed, so that nobody else has a key of
        this seat."""
        found = self.find_key(key)
        if found.role != "invitation" or found.seat is None:
            raise Refused("no_such_table")
        room = await self.open(found.table)
        own = self.store.exchange_key(key, "seat")
        if own is None:
            raise Refused("no_such_table")
        room.take_over(found.seat)
        if name:
            with suppress(NotStored):  # the seat is taken; its key must reach who took it
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
        game = await self.load(setup.game, setup.players, setup.options)
        choices = [*setup.begun, *(choice.text for choice in kept.choices)]
        try:
            check_rules(game.program, {"rules": setup.rules, "hoyle": setup.hoyle}, "match")
            match = await self._behind(setup.game).play_again(game, setup.seed, choices)
        except (RulesChanged, OtherRules) as changed:
            raise Refused("rules_changed", str(changed)) from None
        except Fault as fault:
            raise Refused("bad_rules", tell_fault(fault)) from None
        seats, made = list(kept.seats), list[Choice](kept.choices)
        behind, most_work = self._behind(setup.game), MOST_WORK if self.is_sent(setup.game) else None
        room = Room(table, setup, seats, match, made, self.store, self.thinking, behind, self.rules.pace, most_work)
        sitting = self.store.find_sitting(table)
        if sitting is not None and self.admit is not None:
            room.place = await self.admit(sitting)
        self.rooms[table] = room
        with suppress(NotStored):  # the match is whole without it
            self.store.note_use(table, over=match.is_over)
        return room

    def put_away(self) -> None:
        """Close rooms that have been empty for a while; their matches are in the store."""
        now = time.monotonic()
        for table, room in list(self.rooms.items()):
            if room.is_attended:
                self._left.pop(table, None)
            elif now - self._left.setdefault(table, now) > IDLE:
                del self.rooms[table], self._left[table]

    # ---------------------------------------------------------------------------------------------- replays
    async def trace(self, room: Room) -> Trace:
        """Return all positions of a match, from a small cache."""
        known = (room.id, room.epoch, len(room.choices))
        if known not in self._traces:
            choices = [*room.setup.begun, *(choice.text for choice in room.choices)]
            trace = await room.loading.trace(room.game, room.setup.seed, choices)
            self._traces[known] = trace
            while len(self._traces) > MOST_TRACES:
                del self._traces[next(iter(self._traces))]
        return self._traces[known]


def _find_or_make(kept: dict[Game, Found], game: Game, make: Callable[[Game], Found]) -> Found:
    """What is kept for a game, or made for it; the oldest give way."""
    if game not in kept:
        kept[game] = make(game)
        while len(kept) > MOST_DEALERS:
            del kept[next(iter(kept))]
    return kept[game]


def set_up_match(reference: str, game: Game, seed: int, begun: tuple[str, ...] = (), *, known: bool = False) -> Setup:
    return Setup(reference, game.players, dict(game.options), seed, begun, dict(game.program.digests), known=known)


def _tell_apart(name: str, changed: int, players: int | None, options: dict[str, object]) -> tuple[object, ...]:
    return name, changed, players, tuple(sorted(options.items()))
