"""What strangers send to a server, and what they are not told: no answer is a fault of the server's own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hoyle
from hoyle.lab.bots import Advice, advise
from hoyle.play.engine.game import Match
from web_server import PATIENCE, Server

SAYING = """game: saying
title: Saying
players: 2
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9}]}
zones: {pack: {shows: nothing}}
state: {said: {type: number, start: 0, of: seat}}
actions: {say: {text: Say a number., choose: {amount: 0..999}, do: set said of seat to amount}}
steps:
  match: |
    repeat 3 times:
      for each seat: seat chooses say
winners: (seat in seats with highest said of seat)
"""
SLOW = """game: slow
title: Slow
players: 2
deck: {starts_in: pack, attributes: {rank: 1..99}, cards: [{rank: 1..99}]}
zones: {pack: {shows: all}}
actions:
  nod: {}
  grab: {choose: {a: pack, b: pack, c: pack}, possible: {sum: rank of a + rank of b + rank of c = 280}}
steps:
  match: |
    dealer chooses nod
    dealer chooses grab or nod
winners: (seat in seats with highest score of seat)
"""
HALF = "\ud800"  # half a surrogate, which JSON can say and UTF-8 cannot


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(files=tmp_path_factory.mktemp("sent"), upload=True)
    yield made
    made.close()


def send(server: Server, *lines: str) -> int:
    """The status that answers a request written by hand."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1"))
        return int(line.recv(1000).split()[1])


@pytest.mark.parametrize("host", ["[", "[::1", "[1]", "[v1.x", "", "\xff"])
def test_a_host_that_is_none_is_turned_away(server: Server, host: str) -> None:
    assert send(server, "GET / HTTP/1.1", f"Host: {host}") == 403


@pytest.mark.parametrize("origin", ["http://[", "//[1]", "null", ""])
def test_an_origin_that_is_none_is_turned_away(server: Server, origin: str) -> None:
    known = (f"Host: localhost:{server.port}", f"Origin: {origin}")
    assert send(server, "GET / HTTP/1.1", *known) == 403
    wanted = ("Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        asked = ("GET /ws/x HTTP/1.1", *known, "Connection: Upgrade", *wanted, "", "")
        line.sendall("\r\n".join(asked).encode("latin-1"))
        assert int(line.recv(1000).split()[1]) == 403


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/claim", {"key": HALF}),
        ("/api/again", {"key": HALF}),
        ("/api/go-on", {"key": HALF, "at": 0, "seat": 0}),
        ("/api/tables", {"game": "cribbage-61", "name": HALF}),
        ("/api/tables", {"game": "cribbage-61", "options": {HALF: HALF}}),
    ],
)
def test_a_text_that_is_none_is_refused(server: Server, path: str, body: Any) -> None:
    status, found, _ = server.ask(path, body)
    assert (status, found["why"]) == (400, "bad_message")


def test_only_who_plays_alone_goes_on_elsewhere_before_the_match_is_over_and_in_his_own_seat(server: Server) -> None:
    key = server.set_table("cribbage-61", players=2, seats=["me", "random"])
    seat = server.sit(key)
    watching = seat.table["links"]["watch"]
    for other, place in ((watching, 0), (watching, 1), (key, 1)):
        status, found, _ = server.ask("/api/go-on", {"key": other, "at": 0, "seat": place})
        assert (status, found["why"]) == (409, "not_over")
    status, found, _ = server.ask("/api/go-on", {"key": key, "at": 0, "seat": 0})
    assert status == 200
    seat.close()


def test_the_chance_of_a_table_cannot_be_found_by_trying(server: Server) -> None:
    """A billion seeds are tried within the hour by who knows his own cards."""
    keys = [server.set_table("cribbage-61") for _ in range(8)]
    keys += [server.ask("/api/again", {"key": keys[0]})[1]["key"] for _ in range(8)]
    store = server.lobby.store
    tables = [store.find_table(found.table) for found in map(store.find_key, keys) if found is not None]
    seeds = [table.setup.seed for table in tables if table is not None]
    assert len(seeds) == len(set(seeds)) == 16 and max(seeds) > 2**45 and max(seeds) < 2**53


def test_a_number_that_is_not_said_is_refused_and_the_table_goes_on(server: Server) -> None:
    name = server.ask("/api/files", SAYING.encode())[1]["name"]
    seat = server.sit(server.set_table(name, seats=["me", "random"], seed=1))
    seat.wait_for_turn()
    turn = seat.table["view"]["menu"]["turn"]
    for wrong in ({}, {"number": None}, {"number": 1000}, {"number": -1}):
        seat.send({"do": "choose", "turn": turn, "choice": 0, **wrong})
        assert seat.hear("refused")["why"] == "no_such_number"
    seat.send({"do": "choose", "turn": turn, "choice": 0, "number": 999})
    seat.hear("table", lambda message: message["choices"] > 0)
    assert seat.table["broken"] == ""
    seat.close()


def test_a_hint_for_what_has_been_chosen_meanwhile_comes_too_late(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, chosen = threading.Event(), threading.Event()

    def think(match: Match, seed: int) -> Advice:
        asked.set()
        assert chosen.wait(PATIENCE)
        return advise(match, seed)

    monkeypatch.setattr("hoyle.front.web.thinker.advise", think)
    key = server.set_table("cribbage-61", players=2, seats=["me", "random"], seed=4)
    seat, same = server.sit(key), server.sit(key)
    seat.wait_for_turn()
    same.wait_for_turn()
    seat.send({"do": "hint"})
    assert asked.wait(PATIENCE)
    same.choose_first()
    same.hear("table", lambda message: message["choices"] > 0)
    chosen.set()
    assert seat.hear("refused")["why"] == "late"
    seat.close()
    same.close()


def test_nobody_waits_for_the_rules_of_a_stranger(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, done, load = threading.Event(), threading.Event(), hoyle.load

    def take_long(path: Path, *known: Any) -> hoyle.Game:
        if path.name.startswith("sent."):
            begun.set()
            assert done.wait(PATIENCE)
        return load(path, *known)

    monkeypatch.setattr("hoyle.load", take_long)
    name = server.ask("/api/files", SAYING.replace("Saying", "Said at length").encode())[1]["name"]
    waiting = threading.Thread(target=server.set_table, args=(name,))
    waiting.start()
    assert begun.wait(PATIENCE)
    seat = server.sit(server.set_table("cribbage-61"))
    seat.wait_for_turn()
    done.set()
    waiting.join(PATIENCE)
    seat.close()


@pytest.mark.parametrize("seats", [["me", "first"], ["first", "me"]])
def test_the_rules_of_a_stranger_may_take_little_work_at_a_table(seats: list[str], server: Server) -> None:
    name = server.ask("/api/files", SLOW.encode())[1]["name"]
    seat = server.sit(server.set_table(name, seats=seats, seed=1))
    if seats[0] == "me":
        seat.wait_for_turn()
        seat.choose_first()
    told = seat.table if seat.table["broken"] else seat.hear("table", lambda message: message["broken"])
    assert "more than" in told["broken"] and "grab" in told["broken"]
    other = server.sit(server.set_table("cribbage-61"))
    other.wait_for_turn()
    other.close()


def test_a_bot_that_breaks_down_is_told_and_the_table_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(*known: object) -> None:
        raise RuntimeError("no more")

    monkeypatch.setattr("hoyle.lab.bots.simple.FirstBot.choose", choose)
    name = server.ask("/api/files", SAYING.encode())[1]["name"]
    seat = server.sit(server.set_table(name, seats=["first", "me"], seed=1))
    assert seat.hear("refused")["why"] == "bot_failed"
    seat.hear("table", lambda message: message["choices"] > 0)
    assert not seat.table["broken"]
    seat.close()
