"""A tournament at tables of the server: one game after the other, at all tables at once.

In: what was wished for and the results so far, from the store; choices made at its tables. Out: the tables of each
game, their common end, and the standings.

People play as fast as they like; tables of bots alone make no more choices than the slowest table with people, so that
nobody is stopped by bots that need no time. Nothing is shared with other tables but the end of a game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hoyle
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.errors import HoyleError, NotStored
from hoyle.front.web.desk import Call
from hoyle.front.web.hiding import tell_report
from hoyle.front.web.lobby import ME, Lobby, Refused, set_up_match
from hoyle.front.web.room import LONGEST_WAIT, SHORTEST_WAIT, Room, choose_name
from hoyle.front.web.store import PERSON, Sitting
from hoyle.lab.tournament import NoTournament, Plan, Setup, Wish, prepare
from hoyle.lab.tournament.cutting import Cut
from hoyle.lab.tournament.running import Course, GameResult, TableResult
from hoyle.lab.tournament.standings_text import count_called, name_kind
from hoyle.play.view.locale import say_in

if TYPE_CHECKING:
    from hoyle.front.web.store import Role


class Tournaments:
    """The tournaments of a server."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self._parties: dict[str, asyncio.Task[Party]] = {}
        lobby.admit = self.admit

    async def begin(self, game: str, wish: Wish) -> str:
        """Store a tournament and the tables of its first game; return the key of its page."""
        reference = self.lobby.refer(game)
        await self.lobby.loading.do(_prepare, self.lobby.find_path(reference), wish)
        key = self.lobby.store.add_party({"game": reference, **asdict(wish)})
        (await self._find(self.lobby.find_key(key).table)).set_tables()
        return key

    async def admit(self, sitting: Sitting) -> Place:
        return Place(await self._find(sitting.party), sitting.game, sitting.number)

    async def show(self, call: Call) -> object:
        key = self.lobby.find_key(call.key)
        if key.role != "party":
            raise Refused("no_such_table")
        return await (await self._find(key.table)).show()

    async def _find(self, name: str) -> Party:
        """Return a tournament, read from the store if needed."""
        if name not in self._parties:
            self._parties[name] = asyncio.create_task(self._load(name))
        try:
            return await asyncio.shield(self._parties[name])
        except HoyleError:
            self._parties.pop(name, None)
            raise

    async def _load(self, name: str) -> Party:
        lobby, found = self.lobby, self.lobby.store.find_party(name)
        if found is None:
            raise Refused("no_such_table")
        kept, results = found
        reference = kept.pop("game")
        wish = Wish(**{**kept, "names": tuple(kept["names"])})
        setup, plan = await lobby.loading.do(_prepare, lobby.find_path(reference), wish)
        course = Course(setup, plan, [_read_result(each["game"]) for each in results])
        people = dict(results[-1]["people"]) if results else dict(enumerate(wish.names))
        return Party(lobby, name, reference, course, people)


def _prepare(path: Path, wish: Wish) -> tuple[Setup, Plan]:
    report = Report()
    try:
        prepared = prepare(path, wish, report)
    except NoTournament as cannot:
        raise Refused("no_tournament", str(cannot)) from None
    except hoyle.RuleFileError as wrong:
        raise Refused("bad_rules", tell_report(wrong.report, path)) from None
    if prepared is None:
        raise Refused("bad_rules", tell_report(report, path))
    return prepared


def _read_result(data: dict[str, Any]) -> GameResult:
    tables = []
    for table in data["tables"]:
        cut = table["cut"]
        rounds = () if cut is None else tuple(tuple((side, card) for side, card in each) for each in cut["rounds"])
        sides = {name: tuple(table[name]) for name in ("sides", "equal", "awarded")}
        tables.append(TableResult(**{**table, **sides, "cut": None if cut is None else Cut(cut["winner"], rounds)}))
    return GameResult(tuple(tables), data["stopped_by"])


class Party:
    """A tournament; `rooms` are the open tables of the game that is played, by number, and `people` those who play, by
    side. `stopped` is the table that has stopped the game for all."""

    def __init__(self, lobby: Lobby, name: str, reference: str, course: Course, people: dict[int, str]) -> None:
        self.lobby, self.store, self.id, self.reference = lobby, lobby.store, name, reference
        self.course, self.people = course, people
        self.player = say_in(course.setup.game.program.language, "player", number="{number}")
        self.rooms: dict[int, Room] = {}
        self.stopped: int | None = None
        self._called = False
        self._calling: asyncio.Task[None] | None = None

    # ---------------------------------------------------------------------------------------------- tables
    def set_tables(self) -> None:
        """Store the tables of the next game, as far as they are not there. Who has taken a seat has one again; bots
        are the others."""
        game = len(self.course.games)
        there, roles = self.store.list_sittings(self.id, game), self._find_roles(game)
        for number, sides in enumerate(self.course.seat()):
            if number in there:
                continue
            setup = self.course.setup.at(len(sides))
            wanted = [roles.get(_find_side(setup, sides, seat), self.course.plan.bot)
                      for seat in range(setup.game.players)]  # fmt: skip
            match = set_up_match(self.reference, setup.game, self.lobby.draw_seed())
            names = setup.name_seats(self.people, sides, self.player)
            self.lobby.seat(match, tuple(wanted), names, sitting=Sitting(self.id, game, number))

    def _find_roles(self, game: int) -> dict[tuple[int, int], str]:
        """Who is a person, by side and place in it: in the first game those who were named, then who sat before."""
        if game == 0:
            return {(side, 0): PERSON for side in self.people}
        roles: dict[tuple[int, int], str] = {}
        kinds: tuple[tuple[Role, str], ...] = (("seat", ME), ("invitation", PERSON))
        for number, table in self.store.list_sittings(self.id, game - 1).items():
            sides = self.course.games[-1].tables[number].sides
            for role, kind in kinds:
                for seat in self.store.find_keys(table, role):
                    assert seat is not None
                    roles[_find_side(self.course.setup.at(len(sides)), sides, seat)] = kind
        return roles

    def call(self) -> None:
        """Play at all tables while somebody is at one of them."""
        self._called = True
        if self._calling is None or self._calling.done():
            self._calling = asyncio.create_task(self._call())

    async def _call(self) -> None:
        """Open all tables, and wake them; again if somebody has come meanwhile, perhaps to the next game, and later if
        it cannot be done at the moment."""
        wait = SHORTEST_WAIT
        while self._called:
            self._called = False
            try:
                await self.gather()
            except (Refused, NotStored):
                await asyncio.sleep(wait)
                wait, self._called = min(2 * wait, LONGEST_WAIT), self.is_waited_for
            for room in self.rooms.values():
                room.wake()

    async def gather(self) -> None:
        """Open all tables of the game that is played."""
        game = len(self.course.games)
        for number, table in self.store.list_sittings(self.id, game).items():
            room = await self.lobby.open(table)
            if game == len(self.course.games):  # it is not over meanwhile
                self.rooms[number] = room
        for number in sorted(self.rooms):
            self.look(number)

    def look(self, number: int) -> None:
        """End the game at all tables if this one stops it, or if all are over; if that cannot be stored, it goes on."""
        if number not in self.rooms:
            return
        course, seating = self.course, self.course.seat()
        setup = course.setup.at(len(seating[number]))
        if self.stopped is None and setup.stops(setup.game.executor, self.rooms[number].match.position):
            self.stopped = number
        ends = self.stopped is not None or all(room.match.is_over for room in self.rooms.values())
        if not ends or len(self.rooms) < len(seating):
            return
        self.people = self._name_people(seating)
        tables = [self.rooms[number].match for number in range(len(seating))]
        game = course.settle(seating, tables, self.stopped)
        result = {"game": asdict(game), "people": list(self.people.items())}
        try:
            self.store.add_result(self.id, len(course.games) - 1, result, over=len(course.games) == course.number)
        except NotStored:
            course.games.pop()
            raise
        rooms, self.rooms, self.stopped = self.rooms, {}, None
        for room in rooms.values():
            room.tell_all()

    def _name_people(self, seating: Sequence[Sequence[int]]) -> dict[int, str]:
        """The names of people as they call themselves by now, by side."""
        people: dict[int, str] = {}
        for number, room in sorted(self.rooms.items()):
            setup = self.course.setup.at(len(seating[number]))
            for place, side in enumerate(seating[number]):
                seat = room.seats[setup.place(place)]
                if seat.player == PERSON:
                    people[side] = choose_name(seat.name, set(people.values()))
        return people

    # ---------------------------------------------------------------------------------------------- people
    async def go_on(self, place: Place, seat: int | None) -> str:
        """Return the key with which who sat or watched there goes on in the next game."""
        await self.gather()
        course = self.course
        if place.game >= len(course.games):
            raise Refused("not_over")
        if len(course.games) == course.number:
            raise Refused("tournament_over")
        self.set_tables()
        tables = self.store.list_sittings(self.id, len(course.games))
        if seat is None:
            return self.store.find_keys(tables[place.number], "watch")[None]
        before = course.games[place.game].tables[place.number].sides
        side, part = _find_side(course.setup.at(len(before)), before, seat)
        number, sides = next((at, sides) for at, sides in enumerate(course.seat()) if side in sides)
        new = course.setup.at(len(sides)).place(sides.index(side), part)
        own = self.store.find_keys(tables[number], "seat").get(new)
        if own is not None:
            return own
        open_seat = self.store.find_keys(tables[number], "invitation").get(new)
        key = open_seat or self.store.add_key(tables[number], "invitation", new)
        return await self.lobby.claim(key, self.people.get(side, "") if part == 0 else "")

    @property
    def is_attended(self) -> bool:
        return any(room.guests for room in self.rooms.values())

    @property
    def is_waited_for(self) -> bool:
        """Whether somebody is at any of its tables, also at one of an earlier game."""
        places = (room.place for room in self.lobby.rooms.values() if room.guests)
        return any(isinstance(place, Place) and place.party is self for place in places)

    # ---------------------------------------------------------------------------------------------- telling
    def tell(self, game: int) -> dict[str, object]:
        """What everybody may know of the tournament, at a table of one of its games."""
        course, setup = self.course, self.course.setup
        ended = game < len(course.games)
        card = setup.game.names.name_card
        results = []
        for table in course.games[game].tables if ended else ():
            rounds = table.cut.rounds if table.cut is not None else ()
            cuts = [[(side, card(lifted)) for side, lifted in each] for each in rounds]
            results.append({"awarded": table.awarded, "cuts": cuts})
        return {
            "title": setup.format.title,
            "labels": setup.format.labels,
            "kind": name_kind(setup),
            "people": self.people,
            "game": game + 1,
            "games": course.number,
            "ended": ended,
            "over": len(course.games) == course.number,
            "results": results,
            "stopped_by": course.games[game].stopped_by if ended else None,
            "called": count_called(setup.format),
            "standings": [[each.rank, each.side, each.points] for each in course.rank()[0]],
        }

    def _find_number(self, name: str) -> str:
        """The number by which a seat is named, if it is, so that its page can say it in any language."""
        before, after = self.player.split("{number}")
        number = name.removeprefix(before).removesuffix(after)
        return number if self.player.format(number=number) == name and number[:1].isdecimal() else ""

    async def show(self) -> dict[str, object]:
        """What the page of the tournament shows: besides, its tables with the links to seats that nobody has taken."""
        await self.gather()
        game = max(0, len(self.course.games) - (not self.store.list_sittings(self.id, len(self.course.games))))
        tables = []
        for number, table in sorted(self.store.list_sittings(self.id, game).items()):
            room = await self.lobby.open(table)
            free = self.store.find_keys(table, "invitation")
            seats = [
                {"name": seat.name, "number": self._find_number(seat.name), "person": seat.player == PERSON,
                 "key": free.get(at), "here": seat.player != PERSON or room.is_here(at)}
                for at, seat in enumerate(room.seats)
            ]  # fmt: skip
            tables.append({"number": number + 1, "watch": self.store.find_keys(table, "watch")[None], "seats": seats})
        program = self.course.setup.game.program
        titles = {each.language: each.title for each in program.labels if each.title}
        return {**self.tell(game), "of": program.title, "titles": titles, "tables": tables}


def _find_side(setup: Setup, sides: Sequence[int], seat: int) -> tuple[int, int]:
    """The side of a seat, and which of its players sits there."""
    teams = setup.game.program.teams
    return sides[teams[seat]], teams[:seat].count(teams[seat])


@dataclass(frozen=True, slots=True)
class Place:
    """A table of a game of a tournament, as its room knows it."""

    party: Party
    game: int
    number: int

    @property
    def is_on(self) -> bool:
        return self.party.stopped is None and self.game == len(self.party.course.games)

    @property
    def is_attended(self) -> bool:
        return self.is_on and self.party.is_attended

    def may_go(self) -> bool:
        rooms = self.party.rooms
        if not self.is_on or self.number not in rooms:
            return self.is_on
        with_people = [room for room in rooms.values() if room.seats_people and not room.match.is_over]
        own = rooms[self.number]
        made = own.match.position.decisions
        return own in with_people or all(made <= room.match.position.decisions for room in with_people)

    def look(self) -> None:
        rooms = self.party.rooms
        if not self.is_on or self.number not in rooms:
            return
        try:
            self.party.look(self.number)
        except NotStored:
            self.party.call()  # tries until it can be stored
        if rooms[self.number].seats_people:
            for room in rooms.values():
                if not room.seats_people:
                    room.wake()

    def call(self) -> None:
        self.party.call()

    async def go_on(self, seat: int | None) -> str:
        return await self.party.go_on(self, seat)

    def tell(self) -> dict[str, object]:
        return self.party.tell(self.game)
