"""Tables of a server lose nothing: at every write of a match the store is killed, filled and locked, and the match is
found whole. Nothing is deleted unasked, other rules are refused, and nobody is outvoted or outwitted."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import hoyle
from faulty_store import RULES, write_rules
from hoyle.base.errors import NotStored
from hoyle.front.cli import run
from hoyle.front.web.lobby import ME, Lobby, Refused, Rules
from hoyle.front.web.local import Local
from hoyle.front.web.messages import Agree, Choose, NewTable, Plain, React, Rename
from hoyle.front.web.room import Guest, Room
from hoyle.front.web.store import Store
from hoyle.play.engine.game import Match
from hoyle.play.table import Host
from web_server import Seat, Server

PEOPLE = (ME, "person")
UNDOING = 3  # the choices after which one is taken back, once


class Ticking(sqlite3.Connection):
    """A connection that calls `at_write` before and after each write is committed, with its number."""

    writes = 0
    at_write: Callable[[int, str], None] = staticmethod(lambda number, when: None)

    def execute(self, sql: str, *known: Any) -> sqlite3.Cursor:
        if sql != "commit":
            return super().execute(sql, *known)
        Ticking.writes += 1
        Ticking.at_write(Ticking.writes, "before")
        done = super().execute(sql, *known)
        Ticking.at_write(Ticking.writes, "after")
        return done


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *known, **more: connect(*known, **more, factory=Ticking))
    Ticking.writes, Ticking.at_write = 0, lambda number, when: None
    yield
    Ticking.at_write = lambda number, when: None


class Table:
    """A lobby whose table two people play, without a network."""

    def __init__(self, data: Path, rules: Path) -> None:
        self.lobby = Lobby(Store(str(data)), Rules(pace=0.0), [rules])
        self.lobby.draw_seed = lambda: 7
        self.guests: list[Guest] = []

    async def set_up(self) -> None:
        for _ in range(2):  # who is told that nothing was stored tries again
            with suppress(NotStored):
                self.key = await self.lobby.set_table(NewTable("odd", 2, {}, PEOPLE, "Ash", None))
                break
        table = self.lobby.find_key(self.key).table
        invitation = self.lobby.store.find_keys(table, "invitation")[1]
        for _ in range(2):
            with suppress(NotStored):
                self.other = await self.lobby.claim(invitation, "Bay")
                break
        assert self.lobby.find_key(self.other).seat == 1
        await self.sit_down()

    async def sit_down(self) -> None:
        self.room = await self.lobby.open(self.lobby.find_key(self.key).table)
        self.guests = [self.room.enter("seat", seat, None) for seat in (0, 1)]

    async def play(self) -> None:
        """Play to the end, take a choice back once on the way, and try again what could not be stored."""
        room, undone = self.room, False
        for _ in range(100):
            if room.match.is_over:
                break
            decision = room.match.decision
            assert decision is not None
            if len(room.choices) == UNDOING and not undone:
                before = len(room.choices)
                await room.take(self.guests[decision.seat], Plain("undo"))
                if room.undo is not None:
                    await room.take(self.guests[1 - decision.seat], Agree(True))
                undone = len(room.choices) < before
            else:
                await room.take(self.guests[decision.seat], Choose(room.match.count_told(decision.seat), 0))
            self.check_whole()
        await room.take(self.guests[0], Rename("Cy"))
        await room.take(self.guests[0], Rename("Cy"))
        await room.take(self.guests[0], Plain("share"))
        for guest in self.guests:
            room.leave(guest)

    def check_whole(self) -> None:
        """What is stored is what the room holds, and can be played again."""
        room = self.room
        kept = self.lobby.store.find_table(room.id)
        assert kept is not None and list(kept.choices) == room.choices
        assert [choice.text for choice in kept.choices] == room.match.history


def check_file(data: Path, rules: Path) -> int:
    """The table in a file is whole: its choices follow one another, can be played again, and its seats have keys."""
    db = sqlite3.connect(data)
    tables = [row[0] for row in db.execute("select id from tables")]
    made = 0
    for table in tables:
        rows = db.execute('select number from choices where "table" = ? order by number', [table]).fetchall()
        numbers = [row[0] for row in rows]
        assert numbers == list(range(len(numbers)))
        roles = db.execute("select seat, role from keys where \"table\" = ? and seat is not null", [table]).fetchall()
        assert sorted(seat for seat, _ in roles) == [0, 1], "every seat has one key, of its own or to invite"
        made = len(numbers)
    db.close()

    async def open_again() -> None:
        lobby = Lobby(Store(str(data)), Rules(pace=0.0), [rules])
        for table in tables:
            room = await lobby.open(table)
            assert len(room.match.history) == made
        lobby.close()

    asyncio.run(open_again())
    return made


async def play_whole(data: Path, rules: Path) -> Table:
    table = Table(data, rules)
    await table.set_up()
    await table.play()
    return table


def test_a_table_is_found_whole_whenever_its_server_is_killed(ticking: None, tmp_path: Path) -> None:
    rules = write_rules(tmp_path)
    table = asyncio.run(play_whole(tmp_path / "sound.sqlite", rules))
    writes = Ticking.writes
    assert table.room.match.is_over and writes >= 11
    table.lobby.close()
    points, most = 0, -1
    for number in range(1, writes + 1):
        for when in ("before", "after"):
            data = tmp_path / f"{number}-{when}.sqlite"
            child = os.fork()
            if child == 0:  # no tidying up of any kind happens in here
                def die(at: int, moment: str, number: int = number, when: str = when) -> None:
                    if (at, moment) == (number, when):
                        os.kill(os.getpid(), signal.SIGKILL)

                Ticking.writes, Ticking.at_write = 0, die
                with suppress(BaseException):
                    asyncio.run(play_whole(data, rules))
                os._exit(1)
            _, status = os.waitpid(child, 0)
            assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
            made = check_file(data, rules)
            points, most = points + 1, max(most, made)
    assert points == 2 * writes and most == len(table.room.choices)


@pytest.mark.parametrize("fault", ["full", "locked", "read only"])
def test_a_choice_that_cannot_be_stored_is_not_made_and_not_shown(ticking: None, tmp_path: Path, fault: str) -> None:
    rules = write_rules(tmp_path)
    table = asyncio.run(play_whole(tmp_path / "sound.sqlite", rules))
    whole, writes = [choice.text for choice in table.room.choices], Ticking.writes
    table.lobby.close()
    refused = 0

    def fail(at: int, moment: str) -> None:
        if (at, moment) == (number, "before"):
            what = {"full": "database or disk is full", "locked": "database is locked",
                    "read only": "attempt to write a readonly database"}[fault]  # fmt: skip
            raise sqlite3.OperationalError(what)

    for number in range(1, writes + 1):
        Ticking.writes, Ticking.at_write = 0, fail
        table = Table(tmp_path / f"{number}.sqlite", rules)

        async def play(table: Table = table) -> None:
            await table.set_up()
            await table.play()

        asyncio.run(play())
        replies = [reply for guest in table.guests for reply in guest.replies if reply["is"] == "refused"]
        refused += len(replies)
        assert all(reply["why"] == "not_stored" for reply in replies)
        table.check_whole()
        assert [choice.text for choice in table.room.choices] == whole
        table.lobby.close()
    assert refused >= writes - 8  # setting and taking a seat are refused otherwise; when a table was used is not told


def test_a_real_lock_refuses_within_a_moment_and_nobody_sees_the_choice(tmp_path: Path) -> None:
    rules, data = write_rules(tmp_path), tmp_path / "tables.sqlite"

    async def play() -> None:
        table = Table(data, rules)
        await table.set_up()
        room, decision = table.room, table.room.match.decision
        assert decision is not None
        other = sqlite3.connect(data, isolation_level=None)
        other.execute("begin exclusive")
        shown = [room.show(guest)["view"] for guest in table.guests]
        began = time.monotonic()
        await room.take(table.guests[decision.seat], Choose(room.match.count_told(decision.seat), 0))
        assert time.monotonic() - began < 5
        assert table.guests[decision.seat].replies[-1]["why"] == "not_stored"
        assert [room.show(guest)["view"] for guest in table.guests] == shown and room.match.history == []
        with pytest.raises(NotStored, match="locked"):
            await table.lobby.set_table(NewTable("odd", 2, {}, PEOPLE, "Ash", None))
        other.execute("rollback")
        await room.take(table.guests[decision.seat], Choose(room.match.count_told(decision.seat), 0))
        assert len(room.match.history) == 1
        table.check_whole()
        table.lobby.close()

    asyncio.run(play())


def test_spectators_cost_little_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they are shown is worked out once for all who have seen the same, and no position is kept that all saw."""
    seen: list[int | None] = []
    see = Host.see

    def note(host: Host, match: Match, seat: int | None, *rest: Any) -> Any:
        seen.append(seat)
        return see(host, match, seat, *rest)

    monkeypatch.setattr(Host, "see", note)

    def read(room: Room, guest: Guest) -> list[str]:
        texts = []
        guest.waiting.set()
        while guest.waiting.is_set():
            guest.waiting.clear()
            texts.append(room.write(guest))
        return texts

    async def play() -> None:
        table = Table(tmp_path / "tables.sqlite", write_rules(tmp_path))
        await table.set_up()
        room = table.room
        watching = [room.enter("watch", None, None) for _ in range(20)]
        for kept in (1, 2, 1):  # choices whose positions are kept: as long as one has not seen them
            late = room.enter("watch", None, None) if kept == 2 else None
            if late is not None:
                read(room, late)
            for _ in range(2):
                decision = room.match.decision
                assert decision is not None
                await room.take(table.guests[decision.seat], Choose(room.match.count_told(decision.seat), 0))
                seen.clear()
                told = [read(room, guest) for guest in (*watching, *table.guests)]
                assert all(texts == told[0] for texts in told[:20]) and seen.count(None) == len(told[0])
            assert len({id(beat.position) for beat in room.beats}) == kept
            if late is not None:
                assert len(read(room, late)) > len(told[0])
                room.leave(late)
        table.lobby.close()

    asyncio.run(play())


def test_the_choice_of_a_bot_that_cannot_be_stored_is_told_and_tried_again(
    ticking: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hoyle.front.web.room.SHORTEST_WAIT", 0.05)
    rules = write_rules(tmp_path)

    async def play() -> None:
        lobby = Lobby(Store(str(tmp_path / "tables.sqlite")), Rules(pace=0.0), [rules])
        key = await lobby.set_table(NewTable("odd", 2, {}, ("first", "first"), "", None))
        room = await lobby.open(lobby.find_key(key).table)
        told = []

        def fail(at: int, when: str) -> None:
            if when == "before" and len(room.match.history) == 2 and len(told) < 3:
                told.append(room.show(guest)["unstored"])
                raise sqlite3.OperationalError("database or disk is full")

        Ticking.at_write = fail
        guest = room.enter("watch", None, None)
        while not room.match.is_over:
            await asyncio.sleep(0.01)
        assert told == ["", "database or disk is full", "database or disk is full"]
        while room.show(guest)["unstored"]:
            await asyncio.sleep(0.01)
        kept = lobby.store.find_table(room.id)
        assert kept is not None and [each.text for each in kept.choices] == room.match.history
        lobby.close()

    asyncio.run(play())


def test_two_servers_do_not_share_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "tables.sqlite"
    store = Store(str(data))
    with pytest.raises(NotStored, match="another server keeps its tables there"):
        Store(str(data))
    assert run(["serve", "--data", str(data), "--no-open", "--port", "0"]) == 1
    assert "another server keeps its tables there" in capsys.readouterr().err
    store.close()
    Store(str(data)).close()


# ------------------------------------------------------------------------------------------------ limits and tidying
def test_a_full_server_refuses_new_tables_and_keeps_those_it_has(tmp_path: Path) -> None:
    rules = write_rules(tmp_path)

    async def fill() -> None:
        lobby = Lobby(Store(":memory:"), Rules(tables=3), [rules])
        keys = [await lobby.set_table(NewTable("odd", 2, {}, (ME, "first"), "", None)) for _ in range(3)]
        with pytest.raises(Refused, match="too_many_tables"):
            await lobby.set_table(NewTable("odd", 2, {}, (ME, "first"), "", None))
        assert all(lobby.store.find_table(lobby.find_key(key).table) is not None for key in keys)
        lobby.store.note_use(lobby.find_key(keys[1]).table, over=True)
        assert lobby.store.tidy(1) == 0
        lobby.store.db.execute("update tables set used = used - 2 * 86400")
        assert lobby.store.tidy(1) == 1 and lobby.store.count_tables() == 2
        assert lobby.store.find_key(keys[1]) is None and lobby.store.find_key(keys[0]) is not None
        lobby.close()

    asyncio.run(fill())


# ------------------------------------------------------------------------------------------------ other rules
def test_a_table_is_not_opened_under_other_rules(tmp_path: Path) -> None:
    rules, data = write_rules(tmp_path), tmp_path / "tables.sqlite"

    async def begin() -> str:
        table = Table(data, rules)
        await table.set_up()
        decision = table.room.match.decision
        assert decision is not None
        await table.room.take(table.guests[decision.seat], Choose(table.room.match.count_told(decision.seat), 0))
        table.lobby.close()
        return table.key

    async def open_again(key: str) -> Room:
        lobby = Lobby(Store(str(data)), Rules(), [])
        try:
            return await lobby.open(lobby.find_key(key).table)
        finally:
            lobby.close()

    key = asyncio.run(begin())
    rules.write_text(RULES.replace("Play a card.", "Play any card."))
    assert len(asyncio.run(open_again(key)).choices) == 1
    rules.write_text(RULES.replace("deal 4 cards", "deal 5 cards"))
    with pytest.raises(Refused, match="under other rules: `steps` has changed since; put back the rules") as told:
        asyncio.run(open_again(key))
    assert told.value.why == "rules_changed"
    rules.write_text(RULES)
    assert len(asyncio.run(open_again(key)).choices) == 1


# ------------------------------------------------------------------------------------------------ people
@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def sit_two(server: Server) -> tuple[Seat, Seat, str]:
    """Two people at a table, and the key of the second."""
    key = server.set_table("cribbage-61", seats=["me", "person"])
    first = server.sit(key)
    status, found, _ = server.ask("/api/claim", {"key": first.table["links"]["seats"]["1"], "name": "Bay"})
    assert status == 200
    return first, server.sit(found["key"]), found["key"]


def test_who_is_disconnected_is_asked_before_his_answer_is_taken_back(server: Server) -> None:
    first, second, key = sit_two(server)
    for _ in range(2):  # each lays away two cards
        for seat in (first, second):
            if seat.table["view"]["menu"] is not None:
                seat.choose_first()
                seat.hear("table", lambda told: told["view"]["menu"] is None or told["choices"] > 0)
    made = server.lobby.rooms[first.legend["table"]].choices
    before = [choice.text for choice in made]
    asked = next(choice.seat for choice in made if choice.asked)
    asker, other = (first, second) if asked == 0 else (second, first)
    if other is first:
        pytest.skip("the first to choose was not the one who stays")
    other.close()
    asker.hear("table", lambda told: not told["seats"][1]["here"])
    asker.send({"do": "undo"})
    waiting = asker.hear("table", lambda told: told["undo"] is not None)
    assert waiting["undo"]["waiting"] == [1]
    assert [choice.text for choice in server.lobby.rooms[first.legend["table"]].choices] == before
    again = server.sit(key)
    assert again.table["undo"]["ask"]
    again.send({"do": "agree", "yes": True})
    again.hear("table", lambda told: told["undo"] is None)
    asker.hear("table", lambda told: told["choices"] < len(before))


def test_the_seed_of_a_table_with_people_is_the_servers(server: Server) -> None:
    status, found, _ = server.ask("/api/tables", {"game": "cribbage", "seats": ["me", "person"], "seed": 7})
    assert (status, found["why"]) == (409, "own_seed")
    status, found, _ = server.ask("/api/tables", {"game": "cribbage", "seats": ["me", "easy"], "seed": 7})
    assert status == 200
    again = server.set_table("cribbage", seats=["me", "person"])
    room = server.lobby.store.find_table(server.lobby.find_key(again).table)
    assert room is not None and room.setup.seed > 2**20


@pytest.mark.parametrize("way", ["a seed of his own", "a position of another match"])
def test_who_knows_the_seed_gives_no_seat_to_others(way: str, server: Server) -> None:
    key = server.set_table("cribbage", seats=["me", "first"], **({"seed": 7} if way == "a seed of his own" else {}))
    if way != "a seed of his own":
        status, found, _ = server.ask("/api/go-on", {"key": key, "at": 0, "seat": 0})
        assert status == 200, found
        key = found["key"]
    seat = server.sit(key)
    try:
        seat.send({"do": "offer", "seat": 1})
        assert seat.hear("refused")["why"] == "own_seed"
        assert not seat.table["links"]["seats"]
    finally:
        seat.close()


def test_nobody_is_disconnected_by_what_others_send(tmp_path: Path) -> None:
    async def play() -> None:
        table = Table(tmp_path / "tables.sqlite", write_rules(tmp_path))
        await table.set_up()
        slow = table.room.enter("watch", None, None)
        for _ in range(100):
            await table.room.take(table.guests[0], React("👏"))
            table.guests[0].replies.clear()
        assert not slow.gone and any(reply["is"] == "reaction" for reply in slow.replies)
        table.lobby.close()

    asyncio.run(play())


# ------------------------------------------------------------------------------------------------ what is told
def test_answers_never_tell_where_files_lie_on_the_server(tmp_path: Path) -> None:
    rules = write_rules(tmp_path)
    broken = tmp_path / "broken.game.yaml"
    broken.write_text(RULES.replace("title: Odd", "title: Broken").replace("game: odd", "game: broken")
                      .replace("shuffle pack", "shuffle pax"))  # fmt: skip
    stuck = tmp_path / "stuck.game.yaml"
    stuck.write_text(RULES.replace("game: odd", "game: stuck").replace("player chooses play or take",
                                                                       "move top 90 of pack to pile"))  # fmt: skip
    server = Server(files=tmp_path / "sent", upload=True)
    told: list[str] = []
    try:
        server.lobby.loading  # noqa: B018 - the lobby is up
        names = [server.lobby.name_file(path) for path in (rules, broken, stuck)]
        assert names == ["odd", "broken", "stuck"]
        sent = server.ask("/api/files", broken.read_bytes())
        told.append(repr(sent))
        told.append(repr(server.ask("/api/games")))
        for game in (*names, sent[1]["name"], str(rules), str(rules.resolve()), "../odd"):
            status, found, _ = server.ask("/api/tables", {"game": game, "players": 2})
            told.append(repr(found))
            assert status == 200 or found["why"] in ("bad_rules", "no_such_game"), found
            if status == 200:
                seat = server.sit(found["key"])
                told += seat.heard
                seat.close()
        assert any("bad_rules" in each and "broken.game.yaml" in each for each in told)
    finally:
        server.close()
    assert not [each for each in told if str(tmp_path) in each or str(hoyle.__file__).rsplit("/", 2)[0] in each]


def test_a_browser_gets_back_the_tables_that_it_has_kept(tmp_path: Path) -> None:
    async def bring(name: str) -> str:
        return "{}"

    async def keep_and_restore() -> None:
        wish = {"game": "crazy-eights", "players": 2, "options": {"target": "50"}, "seats": [ME, "random"]}
        first = Local(lambda text: None, bring, str(tmp_path / "first"))
        status, _ = await first.ask("/api/tables", json.dumps(wish))
        _, kept = await first.ask("/api/kept", None)
        again = Local(lambda text: None, bring, str(tmp_path / "again"))
        _, count = await again.ask("/api/keep", json.dumps(kept))
        assert (status, count) == (200, {"tables": 1, "files": 0})
        assert (await again.ask("/api/kept", None))[1] == kept

    asyncio.run(keep_and_restore())
