"""`hoyle serve`, asked as a page asks it: over HTTP and WebSockets."""

from __future__ import annotations

import asyncio
import gc
import gzip
import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import hoyle
from hoyle.base.shipped import all_games, game_name
from hoyle.front.cli import run
from hoyle.front.web.backroom import BackRoom
from hoyle.front.web.lobby import Lobby, Rules
from hoyle.front.web.messages import NewTable
from hoyle.front.web.store import Store
from hoyle.front.web.thinking import Alone
from hoyle.lab.bots import BOTS
from hoyle.lab.bots.registry import BotKind
from hoyle.lab.learning.patience import solve_alone
from hoyle.play.engine.game import Match
from hoyle.play.table import Host
from hoyle.play.table.beats import list_beats
from hoyle.play.view.locale import LANGUAGES
from hoyle.play.view.seeing import filter_event
from web_server import Process, Seat, Server

KNOWN = {
    "is", "pause", "view", "log", "dropped", "fresh", "seats", "watchers", "undo", "can_undo", "can_redo", "links",
    "pace", "choices", "broken", "unstored", "seed", "party",
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server()
    made.lobby.rules.pace = 0.0
    yield made
    made.close()


@pytest.fixture
def duel(server: Server) -> Iterator[tuple[Seat, Seat]]:
    """Two people at a table of their own."""
    key = server.set_table("cribbage-61", players=2, seats=["me", "person"], name="Ash", seed=5)
    first = server.sit(key)
    invitation = first.table["links"]["seats"]["1"]
    _, found, _ = server.ask("/api/claim", {"key": invitation, "name": "Robin"})
    second = server.sit(found["key"])
    yield first, second
    first.close()
    second.close()


# ------------------------------------------------------------------------------------------------ secrets
@pytest.mark.share
@pytest.mark.parametrize("path", all_games(), ids=game_name)
def test_no_seat_is_sent_what_it_may_not_see(server: Server, path: Path) -> None:
    name = game_name(path)
    seed = 987_654_321_012
    game = hoyle.load(name)
    match = game.new(seed)
    first = server.sit(server.set_table(name, seats=["me", *["person"] * (game.players - 1)], seed=seed))
    table = server.lobby.rooms[first.legend["table"]]
    add_key = server.lobby.store.add_key
    seats = [first, *(server.sit(add_key(table.id, "seat", seat)) for seat in range(1, game.players))]
    watcher = server.sit(server.lobby.store.find_keys(table.id, "watch")[None])
    host = Host(game, "en" if "en" in table.languages else None, [each.name for each in table.seats])
    chance = random.Random(name)
    beats: list[Match] = []  # on the way to where the match stands

    def apply(action: Any) -> None:
        before, told = match.position, len(match.events)
        chosen = match.find_action(action)
        match.apply(chosen)
        for beat in list_beats(game, host.layout, before, told, chosen.choice):
            beats.append(Match(game, beat.position, events=match.events[: beat.told]))

    def wait_for(number: int | None, seat: Any) -> Any:
        """Wait until a seat has been sent the table as it may see it now."""
        view = json.loads(json.dumps(host.see(match, number, len(match.events)).to_json()))
        choices = match.count_choices(number)

        def is_due(message: Any) -> bool:
            """A choice may leave a view as it was."""
            return message["view"] == view and not message["pause"] and (match.is_over or message["choices"] == choices)

        if not is_due(seat.table):
            seat.hear("table", is_due)
        return seat.table

    for _ in range(14):
        while match.decision is not None and [each.text for each in match.decision.actions] == ["decline"]:
            apply(0)  # as the server does by itself
        for number, seat in [*enumerate(seats), (None, watcher)]:
            sent = wait_for(number, seat)
            assert set(sent) == KNOWN
            passed = [message for message in map(json.loads, seat.heard) if message.get("pause")]
            for at, message in zip(reversed(beats), reversed(passed), strict=False):
                assert message["view"] == json.loads(json.dumps(host.see(at, number, len(at.events)).to_json()))
            _check_zones(sent["view"], match.view(number), game.program, _list_shown(match, number))
            others = {part: sent[part] for part in KNOWN - {"view", "log"}}
            assert not _find_cards(others, game.program), others
        if match.is_over:
            break
        decision = match.decision
        assert decision is not None
        place = chance.randrange(len(decision.actions))
        action = decision.actions[place]
        number = action.number[0] if action.number is not None else None
        assert seats[decision.seat].table["view"]["menu"] is not None
        seats[decision.seat].choose(place, number)
        beats.clear()
        apply(action if number is None else action.with_number(number))
    for number, seat in [*enumerate(seats), (None, watcher)]:  # what was chosen secretly is told anew when it is known
        wait_for(number, seat)
    told = {number: _list_told(seat) for number, seat in [*enumerate(seats), (None, watcher)]}
    for number, texts in told.items():
        assert texts == [each.text for each in host.tell(match, number)][: len(texts)]
    for seat in [*seats, watcher]:
        before_the_end = [text for text in seat.heard if not json.loads(text).get("view", {}).get("over")]
        assert not any(str(seed) in text for text in before_the_end), "the seed says every card"
        seat.close()


def _list_shown(match: Match, seat: int | None) -> set[str]:
    """The cards that a seat was shown since the last choice."""
    since = max((at for at, event in enumerate(match.events) if event.name == "chose"), default=0)
    told = (filter_event(match.game.program, event, seat) for event in match.events[since:] if event.name == "shown")
    return {card for each in told if each is not None for card in each["cards"]}


def _check_zones(view: dict[str, Any], seen: Any, program: Any, shown: set[str]) -> None:
    """Each zone holds what the seat may see there or was just shown, and before it the same of the zone that lies under
    it."""
    allowed = {zone.word: list(zone.cards) for zone in seen.zones}
    for look in program.table.zones if program.table is not None else ():
        if look.under is not None:
            lower, upper = program.zones[look.zone].name, program.zones[look.under].name
            for zone in [zone for zone in seen.zones if zone.name == upper]:
                allowed[zone.word] = allowed[zone.word.replace(upper, lower, 1)] + allowed[zone.word]
    for zone in view["zones"]:
        assert len(zone["cards"]) == len(allowed[zone["id"]])
        for card, known in zip(zone["cards"], allowed[zone["id"]], strict=True):
            assert card == known or (known is None and card in shown)


def _find_cards(data: Any, program: Any) -> set[str]:
    codes = {card.code for card in program.cards if not card.code.isdigit()}
    return codes & set(re.findall(r"[\w']+", json.dumps({**data, "links": None})))


def _list_told(seat: Seat) -> list[str]:
    told: list[str] = []
    for text in seat.heard:
        message = json.loads(text)
        if message["is"] == "table":
            told = [] if message["fresh"] else told[: len(told) - message["dropped"]]
            told += [each["text"] for each in message["log"]]
    return told


def test_links_cannot_be_guessed_and_open_what_they_are_for(server: Server, duel: tuple[Seat, Seat]) -> None:
    links = duel[0].hear("table", lambda message: message["seats"][1]["here"])["links"]
    assert len(links["watch"]) >= 22 and links["seats"] == {}
    watcher = server.sit(links["watch"])
    assert watcher.table["view"]["seat"] is None and watcher.table["links"] == {}
    watcher.send({"do": "choose", "turn": 0, "choice": 0})
    assert watcher.hear("refused")["why"] == "watching"
    watcher.close()
    for wrong in ("x", "A" * 24, links["watch"][:-1]):
        assert server.ask(f"/api/key/{wrong}")[0] == 404
        assert server.ask(f"/api/replay/{wrong}?at=0")[0] == 404


def test_an_invitation_opens_a_seat_once(server: Server) -> None:
    seat = server.sit(server.set_table("cribbage-61", players=2, seats=["me", "person"], name="Ash"))
    invitation = seat.table["links"]["seats"]["1"]
    status, found, _ = server.ask(f"/api/key/{invitation}")
    assert status == 200 and found == {"role": "invitation", "seat": 1, "title": "Cribbage to 61", "with": ["Ash"]}
    status, found, _ = server.ask("/api/claim", {"key": invitation, "name": "  Ro\u0000bin  "})
    assert status == 200 and found["key"] != invitation
    assert server.ask("/api/claim", {"key": invitation, "name": "Eve"})[0] == 404
    guest = server.sit(found["key"])
    assert guest.table["view"]["seat"] == 1 and guest.table["seats"][1]["name"] == "Ro bin"
    assert seat.hear("table", lambda message: message["seats"][1]["here"])["seats"][1]["name"] == "Ro bin"
    guest.close()
    assert not seat.hear("table", lambda message: not message["seats"][1]["here"])["seats"][1]["here"]
    seat.close()


# ------------------------------------------------------------------------------------------------ refusals
def test_what_is_forged_late_repeated_or_malformed_is_refused_without_harm(duel: tuple[Seat, Seat]) -> None:
    first, second = duel
    asked, other = (first, second) if first.table["view"]["menu"] else (second, first)
    menu = asked.wait_for_turn()
    assert menu is not None
    turn = menu["turn"]
    for message in ({"do": "choose", "turn": turn, "choice": 0}, {"do": "hint"}):
        other.send(message)
        assert other.hear("refused")["why"] == "not_your_turn"
    for message, why in [
        ({"do": "choose", "turn": turn, "choice": 10_000}, "no_such_choice"),
        ({"do": "choose", "turn": turn, "choice": -1}, "no_such_choice"),
        ({"do": "choose", "turn": turn, "choice": 0, "number": 3}, "no_such_number"),
        ({"do": "choose", "turn": turn + 1, "choice": 0}, "late"),
        ({"do": "choose", "turn": turn, "choice": True}, "bad_message"),
        ({"do": "choose", "turn": turn, "choice": 0, "seat": 1}, "bad_message"),
        ({"do": "choose", "turn": turn, "choice": 2**60}, "bad_message"),
        ({"do": "deal"}, "bad_message"),
        ([], "bad_message"),
        ("{", "bad_message"),
        ("[" * 1500, "bad_message"),
        ('{"do": "why", "zone": "hand.0", "place": NaN}', "bad_message"),
        ({"do": "name", "name": "x" * 3000}, "bad_message"),
    ]:
        asked.send(message)
        assert asked.hear("refused")["why"] == why, message
    assert asked.table["choices"] == 0
    asked.send({"do": "why", "zone": "pack", "place": 0})
    assert asked.hear("why")["reason"] is None
    asked.choose_first()
    asked.choose_first()
    assert asked.hear("refused")["why"] in ("late", "not_your_turn")
    while asked.table["choices"] == 0:
        asked.hear("table")
    assert asked.table["choices"] == 1


def test_who_sends_too_much_is_shown_the_door(server: Server) -> None:
    seat = server.sit(server.set_table("cribbage-61"))
    with pytest.raises(ConnectionClosed):
        seat.send("x" * 100_000)
        seat.hear("never")
    again = server.sit(server.set_table("cribbage-61"))
    with pytest.raises(ConnectionClosed):
        for _ in range(500):
            again.send({"do": "hello"})
        again.hear("never")


def test_a_refusal_names_the_rule(server: Server) -> None:
    seat = server.sit(server.set_table("cribbage-61", players=2, seats=["me", "random"], seed=4))
    for _ in range(60):
        menu = seat.wait_for_turn()
        assert menu is not None
        hand = next(zone for zone in seat.table["view"]["zones"] if zone["id"] == "hand.0")
        free = {place for item in menu["items"] if item["zone"] == "hand.0" for place in item["places"]}
        barred = [place for place in range(len(hand["cards"])) if place not in free]
        if barred:
            seat.send({"do": "why", "zone": "hand.0", "place": barred[0]})
            reason = seat.hear("why")["reason"]
            assert reason["text"] and reason["rules"] and reason["cite"]
            break
        choices = seat.table["choices"]
        seat.choose_first()
        seat.hear("table", lambda message, before=choices: message["choices"] > before)
    else:
        pytest.fail("every card could always be played")
    seat.close()


def test_pages_of_other_sites_are_turned_away(server: Server) -> None:
    new = {"game": "cribbage-61"}
    assert server.ask("/api/tables", new, {"Origin": "http://elsewhere.example"})[0] == 403
    assert server.ask("/api/tables", new, {"Content-Type": "text/plain"})[0] == 400
    assert server.ask("/", headers={"Host": "elsewhere.example"})[0] == 403
    assert server.ask("/api/tables", new, {"Origin": server.address})[0] == 200
    key = server.set_table("cribbage-61")
    for origin in ("http://elsewhere.example", None):
        with pytest.raises(InvalidStatus):
            connect(f"ws://127.0.0.1:{server.port}/ws/{key}", origin=origin).__enter__()


def test_pages_can_load_nothing_from_elsewhere(server: Server) -> None:
    for path in ("/", "/t/whatever", "/static/table.js", "/static/style.css", "/api/games", "/static/../app.py", "/no"):
        _, text, headers = server.ask(path)
        known = {name.lower(): value for name, value in headers.items()}
        policy = known["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
        assert known["x-content-type-options"] == "nosniff" and known["referrer-policy"] == "no-referrer"
        assert "def make_app" not in str(text)
    static = Path(hoyle.__file__).parent / "front" / "web" / "static"
    for file in static.iterdir():
        found = re.findall(r"https?://[^\s\"'`)]+", file.read_text(encoding="utf-8"))
        assert set(found) <= {"http://www.w3.org/2000/svg"}, (file.name, found)


@pytest.mark.parametrize(
    ("path", "body", "why"),
    [
        ("/api/tables", {"game": "no-such"}, "no_such_game"),
        ("/api/tables", {"game": "../../etc/passwd"}, "no_such_game"),
        ("/api/tables", {"game": "cribbage-61", "players": 9}, "bad_rules"),
        ("/api/tables", {"game": "cribbage-61", "seats": ["me"]}, "seats"),
        ("/api/tables", {"game": "cribbage-61", "seats": ["me", "Deep Thought"]}, "no_such_bot"),
        ("/api/tables", {"game": "cribbage-61", "options": {"x": 1}}, "bad_message"),
        ("/api/tables", {"game": "cribbage-61", "surprise": 1}, "bad_message"),
        ("/api/tables", b"{" * 100_000, "bad_message"),
        ("/api/files", b"game: mine", "no_upload"),
        ("/api/again", {"key": "x"}, "no_such_table"),
        ("/api/go-on", {"key": "x", "at": 0, "seat": 0}, "no_such_table"),
    ],
)
def test_a_request_that_cannot_be_met_is_answered_with_a_word(server: Server, path: str, body: Any, why: str) -> None:
    status, found, _ = server.ask(path, body)
    assert (400 <= status < 500, found["why"]) == (True, why)


def test_one_address_cannot_set_tables_without_end() -> None:
    server = Server(tables=30, patience=1.0)
    answers = [server.ask("/api/tables", {"game": "cribbage-61"})[0] for _ in range(40)]
    assert answers[:15] == [200] * 15 and 429 in answers
    assert server.lobby.store.count_tables() <= 30
    server.close()


# ------------------------------------------------------------------------------------------------ going on
def test_a_choice_is_taken_back_when_all_agree(duel: tuple[Seat, Seat]) -> None:
    first, second = duel
    asked, other = (first, second) if first.table["view"]["menu"] else (second, first)
    asked.wait_for_turn()
    before = [zone["cards"] for zone in asked.table["view"]["zones"]]
    asked.choose_first()
    asked.hear("table", lambda message: message["choices"] == 1)
    asked.send({"do": "undo"})
    assert other.hear("table", lambda message: message["undo"] is not None)["undo"]["ask"]
    other.send({"do": "agree", "yes": False})
    assert asked.hear("refused")["why"] == "undo_refused"
    asked.send({"do": "undo"})
    other.hear("table", lambda message: message["undo"] is None)
    other.hear("table", lambda message: message["undo"] is not None)
    other.send({"do": "agree", "yes": True})
    view = asked.hear("table", lambda message: message["choices"] == 0)["view"]
    assert [zone["cards"] for zone in view["zones"]] == before
    asked.send({"do": "undo"})
    assert asked.hear("refused")["why"] == "nothing_to_undo"


def test_many_cards_are_picked_one_by_one_and_sent_together(server: Server) -> None:
    seat = server.sit(server.set_table("cheat", players=2, seats=["me", "random"], seed=5))
    menu = seat.wait_for_turn()
    while menu["acts"][0]["name"] != "lay":
        choices = seat.table["choices"]
        seat.send({"do": "choose", "turn": menu["turn"], "choice": menu["decline"]})
        seat.hear("table", lambda message, before=choices: message["choices"] > before)
        menu = seat.wait_for_turn()
    way = menu["acts"][0]["ways"][0]
    assert way["group"]["high"] == 4 and len(way["group"]["items"]) > 20
    picked = way["group"]["items"][7:3:-1]
    asked = {"do": "choose", "turn": menu["turn"], "choice": way["choice"]}
    for wrong in ([*picked, way["group"]["items"][0]], [9999], picked[:2] * 2):
        seat.send({**asked, "items": wrong})
        assert seat.hear("refused")["why"] == "no_such_choice"
    choices = seat.table["choices"]
    seat.send({**asked, "items": picked})
    seat.hear("table", lambda message: message["choices"] > choices)
    assert any(set(news["cards"]) == {menu["items"][item]["card"] for item in picked} for news in seat.table["log"])


def test_a_match_is_played_to_its_end_seen_again_and_shared(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seat = server.sit(server.set_table("cribbage-61", players=2, seats=["me", "random"], seed=11))
    _, key = seat.line.request.path.rsplit("/", 1)  # type: ignore[union-attr]
    key = key.partition("?")[0]
    for hidden in ("1", "all", "none"):
        assert server.ask(f"/api/replay/{key}?at=0&seat={hidden}")[1]["why"] == "not_over"
    assert server.ask(f"/api/file/{key}")[1]["why"] == "not_over"
    seat.send({"do": "share"})
    assert seat.hear("refused")["why"] == "not_over"
    seat.send({"do": "hint"})
    hint = seat.hear("hint")
    assert hint["choice"] == hint["tried"][0]["choice"] and hint["bot"] == "hard"
    assert [each["visits"] for each in hint["tried"]] == sorted((e["visits"] for e in hint["tried"]), reverse=True)
    assert 0 < sum(each["visits"] for each in hint["tried"]) <= hint["visits"]
    assert all(0 <= each["value"] <= 1 for each in hint["tried"])
    room, seal = server.lobby.rooms[seat.legend["table"]], seat.legend["seal"]
    while seat.wait_for_turn() is not None:
        choices = seat.table["choices"]
        assert seat.table["seed"] is None
        seat.choose_first()
        seat.hear("table", lambda message, before=choices: message["choices"] > before)
    view = seat.table["view"]
    assert view["result"]["winners"] and view["result"]["verdict"]
    assert (room.seal, seat.table["seed"]) == (seat.legend["seal"], 11), "the seed is told with the end"
    assert seal == hashlib.pbkdf2_hmac("sha256", b"11", seat.legend["table"].encode(), 100_000).hex()
    counted = server.ask("/api/games")[1]["played"]["cribbage-61"]
    assert counted[0] == 1 and counted[2] == (0 in view["result"]["winners"]), "the server counts the match"
    last = seat.table["choices"]
    for at in (0, last // 2, last):
        seen = [server.ask(f"/api/replay/{key}?at={at}&seat={who}")[1]["view"] for who in (0, 1, "none")]
        hands = [{zone["id"]: zone["cards"] for zone in each["zones"]} for each in seen]
        assert not any(card is None for card in hands[0]["hand.0"] + hands[1]["hand.1"])
        # What the players have shown at the end, spectators see, too.
        assert at == last or all(card is None for card in hands[2]["hand.0"])
        every = server.ask(f"/api/replay/{key}?at={at}&seat=all")[1]["view"]
        shown = {zone["id"]: zone["cards"] for zone in every["zones"]}
        assert (shown["hand.0"], shown["hand.1"]) == (hands[0]["hand.0"], hands[1]["hand.1"])
    assert server.ask(f"/api/replay/{key}?at={last + 1}")[0] == 400
    seat.send({"do": "share"})
    shared = seat.hear("shared")["key"]
    assert server.ask(f"/api/replay/{shared}?at={last}&seat=0")[1]["view"]["over"]
    status, text, _ = server.ask(f"/api/file/{shared}")
    setup, *choices, over = [json.loads(line) for line in text.splitlines()]
    assert (status, setup["seed"], len(choices), over) == (200, 11, last, {"over": True})
    kept = tmp_path / "cribbage.match.jsonl"
    kept.write_text(text, encoding="utf-8")
    assert run(["replay", str(kept), "--plain", "--all"]) == 0
    told = capsys.readouterr().out
    assert "The match ended" in told and re.search(r"Wren lays \w\w and \w\w in the crib", told)
    status, found, _ = server.ask("/api/go-on", {"key": key, "at": last // 2, "seat": 1})
    assert status == 200
    other = server.sit(found["key"])
    assert other.table["view"]["seat"] == 1 and not other.table["view"]["over"]
    assert other.table["choices"] <= last // 2 + 5
    other.close()
    again = server.sit(server.ask("/api/again", {"key": key, "name": ""})[1]["key"])
    assert again.table["view"]["round"] == 1 and again.table["seats"][0]["name"] == seat.table["seats"][0]["name"]
    again.close()
    seat.close()


def test_a_server_that_is_killed_loses_no_move_and_brings_none_back(tmp_path: Path) -> None:
    data = tmp_path / "tables.sqlite"
    server = Process("cribbage-61", "--seed", "3", data=data)
    key = server.link.removeprefix("/t/")
    seat = server.sit(key)
    for _ in range(3):
        seat.wait_for_turn()
        choices = seat.table["choices"]
        seat.choose_first()
        seat.hear("table", lambda message, before=choices: message["choices"] > before)
    seat.wait_for_turn()
    seat.send({"do": "undo"})
    before = seat.hear("table", lambda message: message["fresh"] and message["view"]["menu"] is not None)
    assert before["choices"] < choices + 1
    server.kill()
    again = Process(data=data)
    back = again.sit(key)
    back.wait_for_turn()
    assert back.table["choices"] == before["choices"] and back.table["view"] == before["view"]
    choices = back.table["choices"]
    back.choose_first()
    assert back.hear("table", lambda message: message["choices"] > choices)
    again.kill()


def test_a_game_is_compiled_once_for_all_tables_that_are_opened_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[object] = []
    load = hoyle.load

    def count(*known: Any) -> hoyle.Game:
        compiled.append(known)
        return load(*known)

    monkeypatch.setattr(hoyle, "load", count)

    async def open_all(tables: int) -> None:
        lobby = Lobby(Store(tmp_path / "tables.sqlite"), Rules(), [])
        keys = [await lobby.set_table(NewTable("whist", None, {}, (), "", 3)) for _ in range(tables)]
        assert len(compiled) <= 1
        await asyncio.gather(*(lobby.open(lobby.find_key(key).table) for key in keys))
        lobby.close()
        again = Lobby(Store(tmp_path / "tables.sqlite"), Rules(), [])  # the server was started again
        rooms = await asyncio.gather(*(again.open(again.find_key(key).table) for key in keys))
        assert len({id(room.game) for room in rooms}) == 1
        again.close()

    asyncio.run(open_all(5))
    assert len(compiled) == 2


def test_bots_at_tables_know_what_others_have_shown_that_they_do_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hoyle.load("whist")
    match, chance, told = game.new(seed=2), random.Random(2), []

    class Asked:
        def choose(self, decision: hoyle.Decision, look: Callable[[], Any]) -> int:
            told.append(look().barred)
            return 0

    async def ask_everybody() -> None:
        thinking, loading = Alone(), BackRoom("loading")
        kept = match
        while (decision := kept.decision) is not None and kept.rounds == 0:
            await thinking.ask("table", kept, "asked")
            assert told[-1] == kept.standpoint(decision.seat).barred
            kept.apply(decision.choice(chance.randrange(decision.count)))
            if len(kept.history) == 36:  # the server is started again
                thinking.close()
                thinking, kept = Alone(), await loading.play_again(game, 2, kept.history)
        for each in (thinking, loading):
            each.close()

    monkeypatch.setitem(BOTS, "asked", BotKind("asked", "looks, and takes the first", lambda seed: Asked()))
    asyncio.run(ask_everybody())
    assert any(told[:36]) and any(told[36:40])


def test_bots_choose_nothing_at_a_server_that_is_closed(tmp_path: Path) -> None:
    failed: list[object] = []

    async def close_while_bots_play() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context["message"]))
        lobby = Lobby(Store(tmp_path / "tables.sqlite"), Rules(pace=0.001), [])
        key = await lobby.set_table(NewTable("whist", None, {}, ("random",) * 4, "", 3))
        room = await lobby.open(lobby.find_key(key).table)
        room.enter("watch", None, None)
        while len(room.choices) < 3:
            await asyncio.sleep(0.001)
        lobby.close()
        await asyncio.sleep(0.05)

    asyncio.run(close_while_bots_play())
    gc.collect()  # what nobody has asked about is told when it goes
    assert not failed


@pytest.mark.parametrize("passing", ["true", "false"])
def test_the_rules_in_force_at_a_table_can_be_asked_for(passing: str, server: Server) -> None:
    key = server.set_table("hearts", options={"passing": passing})
    status, found, _ = server.ask(f"/api/rules/{key}?lang=en")
    told = json.dumps(found)
    assert status == 200 and "every heart you take costs 1" in told and "Whoever can must follow the card led." in told
    assert "trump" not in told and ("Pass three cards on" in told) is (passing == "true")
    assert server.ask("/api/rules/nothing")[0] == 404


def test_a_table_speaks_the_language_of_each_guest(server: Server) -> None:
    key = server.set_table("bonanza")
    english, french = server.sit(key), server.sit(key, "fr")
    assert english.legend["legend"]["language"] == "en" and french.legend["legend"]["language"] == "fr"
    assert english.table["view"]["status"] != french.table["view"]["status"]
    english.close()
    french.close()


def test_bots_are_named_in_the_language_of_who_sets_the_table_and_keep_their_names(server: Server) -> None:
    key = server.set_table("bonanza", players=4, language="fr", name="Ash", seed=3)
    seat = server.sit(key, "fr")
    names = [each["name"] for each in seat.table["seats"]]
    assert names == ["Ash", "Pinson", "Grive", "Pivert"]
    again = server.sit(server.ask("/api/again", {"key": key})[1]["key"])
    assert [each["name"] for each in again.table["seats"]] == names
    assert server.sit(server.set_table("cribbage", language="xx")).table["seats"][1]["name"] == "Wren"


def test_every_phrase_of_the_page_is_there_in_every_language() -> None:
    folder = Path(hoyle.__file__).parent / "front" / "web" / "static"
    text = (folder / "words.js").read_text(encoding="utf-8").partition("let language")[0]
    written = dict(re.findall(r"(?:^|[\s,{])(\w+): \"((?:[^\"\\]|\\.)*)\"", text))
    english = set(written)
    for language in LANGUAGES:
        if language != "en":
            words = json.loads((folder / f"words.{language}.json").read_text(encoding="utf-8"))
            assert words.keys() == english
            for name, said in words.items():
                assert set(re.findall(r"\{\w+\}", said)) == set(re.findall(r"\{\w+\}", written[name])), (language, name)
    scripts = [*folder.glob("*.js"), *(folder.parent.parent / "site" / "pages").rglob("*.js")]
    said = "".join(file.read_text(encoding="utf-8") for file in scripts).replace(text, "")
    assert set(re.findall(r"\bsay\(\"(\w+)\"", said)) <= english
    said += "".join(file.read_text(encoding="utf-8") for file in folder.parent.glob("*.py"))  # reasons of refusals
    begun = tuple(re.findall(r"[(`]`?([a-z]\w*_)\$\{", said))
    assert [name for name in english - set(re.findall(r"\w+", said)) if not name.startswith(begun)] == []


@pytest.mark.parametrize(("page", "first"), [("index.html", "lobby.js"), ("table.html", "table.js")])
def test_the_page_asks_for_all_its_scripts_at_once_and_for_no_others(page: str, first: str) -> None:
    """A script that is found only in another is asked for a round trip later."""
    folder = Path(hoyle.__file__).parent / "front" / "web" / "static"
    found, wanted = {"main.js", first}, ["main.js", first]
    while wanted:
        text = (folder / wanted.pop()).read_text(encoding="utf-8")
        more = set(re.findall(r'^import .* from "\./(\w+\.js)";$', text, re.MULTILINE)) - found
        found |= more
        wanted += more
    text = (folder / page).read_text(encoding="utf-8")
    assert sorted(re.findall(r'modulepreload" href="/static/(\w+\.js)"', text)) == sorted(found - {"main.js"})


def test_what_is_served_is_packed_and_not_sent_twice(server: Server) -> None:
    for path in ("/", "/t/whatever", "/static/table.js", "/static/style.css"):
        plain, packed = (fetch(server, path, {"Accept-Encoding": each}) for each in ("identity", "br, gzip;q=0.8"))
        assert gzip.decompress(packed[1]) == plain[1] and "content-encoding" not in plain[2]
        assert len(packed[1]) < 0.6 * len(plain[1]) and packed[2]["vary"] == plain[2]["vary"] == "Accept-Encoding"
        again = fetch(server, path, {"If-None-Match": packed[2]["etag"]})
        assert again[:2] == (304, b"") and again[2]["etag"] == plain[2]["etag"]
        assert fetch(server, path, {"If-None-Match": 'W/"other"'})[1] == plain[1]
        assert plain[2]["cache-control"] == "no-cache"
    version = re.findall(r"/static/(\w+)/main.js", server.ask("/")[1])[0]
    assert fetch(server, f"/static/{version}/main.js", {})[2]["cache-control"].endswith("immutable")
    assert fetch(server, "/static/another/main.js", {})[2]["cache-control"] == "no-cache"
    games = fetch(server, "/api/games", {"Accept-Encoding": "gzip"})
    assert json.loads(gzip.decompress(games[1])) == server.ask("/api/games")[1]


def fetch(server: Server, path: str, headers: dict[str, str]) -> tuple[int, bytes, dict[str, str]]:
    """An answer as it was on the wire."""
    line = HTTPConnection("127.0.0.1", server.port, timeout=60)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    found = answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    line.close()
    return found


# ------------------------------------------------------------------------------------------------ taking back
def test_bots_answer_alike_after_a_choice_was_taken_back_and_it_can_be_done_again(server: Server) -> None:
    first = server.sit(server.set_table("hearts", players=4, seats=["me", *["random"] * 3], seed=12))
    room = server.lobby.rooms[first.legend["table"]]
    for _ in range(4):
        first.wait_for_turn()
        first.choose_first()
        first.hear("table", lambda message: message["view"]["menu"] is not None)
    made = [choice.text for choice in room.choices]
    for _ in range(2):
        first.send({"do": "undo"})
        first.hear("table", lambda message: message["fresh"] and message["can_redo"])
    assert len(room.choices) < len(made)
    left, told = len(room.choices), first.table["choices"]  # the seat is told of fewer: others gave secretly
    first.choose_first()  # as before
    first.hear("table", lambda message: message["choices"] > told and message["view"]["menu"] is not None)
    told = first.table["choices"]
    now = [choice.text for choice in room.choices]
    assert now == made[: len(now)] and len(now) > left + 3, "a bot has chosen anew"
    assert not first.table["can_redo"]
    first.send({"do": "undo"})
    first.hear("table", lambda message: message["fresh"] and message["can_redo"])
    first.send({"do": "redo"})
    first.hear("table", lambda message: message["choices"] == told and not message["pause"])
    assert [choice.text for choice in room.choices] == now
    first.close()


def test_what_could_not_be_chosen_otherwise_is_not_what_is_taken_back(server: Server) -> None:
    first = server.sit(server.set_table("hearts", players=4, seats=["me", *["random"] * 3], seed=3))
    room = server.lobby.rooms[first.legend["table"]]
    forced = None
    for _ in range(200):
        menu = first.wait_for_turn()
        assert menu is not None
        only = sum(len(act["ways"]) for act in menu["acts"]) == 1
        if only:
            forced = len(room.choices)
        first.choose_first()
        first.hear("table", lambda message: message["view"]["menu"] is not None)
        if only:
            break
    assert forced is not None
    first.send({"do": "undo"})
    first.hear("table", lambda message: message["fresh"] and message["view"]["menu"] is not None)
    assert len(room.choices) < forced
    assert sum(len(act["ways"]) for act in first.table["view"]["menu"]["acts"]) > 1
    first.close()


def test_a_friend_takes_the_seat_of_a_bot_in_a_match_that_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.lobby, "draw_seed", lambda: 11)
    first = server.sit(server.set_table("crazy-eights", players=3, seats=["me", "random", "random"]))
    first.wait_for_turn()
    first.choose_first()
    first.hear("table", lambda message: message["view"]["menu"] is not None)
    first.send({"do": "offer", "seat": 0})
    assert first.hear("refused")["why"] == "no_such_seat", "somebody sits there"
    first.send({"do": "offer", "seat": 1})
    first.hear("table", lambda message: "1" in message["links"]["seats"])
    status, claimed, _ = server.ask("/api/claim", {"key": first.table["links"]["seats"]["1"], "name": "Robin"})
    assert status == 200
    friend = server.sit(claimed["key"])
    assert friend.table["view"]["seat"] == 1
    assert [seat["player"] for seat in friend.table["seats"]] == ["person", "person", "random"]
    room = server.lobby.rooms[first.legend["table"]]
    for _ in range(20):
        if room.match.find_seat() == 1:
            break
        first.wait_for_turn()
        choices = first.table["choices"]
        first.choose_first()
        first.hear("table", lambda message, now=choices: message["choices"] > now and not message["pause"])
    assert friend.wait_for_turn() is not None, "the bot plays on"
    first.close()
    friend.close()


def test_who_plays_again_invites_the_others_to_one_and_the_same_table(server: Server, duel: tuple[Seat, Seat]) -> None:
    first, second = duel
    keys = [seat.line.request.path.rsplit("/", 1)[1].partition("?")[0] for seat in duel]  # type: ignore[union-attr]
    again = server.sit(server.ask("/api/again", {"key": keys[0], "name": ""})[1]["key"])
    invited = second.hear("again")
    assert invited["who"] == "Ash" and server.ask(f"/api/key/{invited['key']}")[1]["role"] == "invitation"
    other = server.sit(server.ask("/api/again", {"key": keys[1], "name": ""})[1]["key"])
    assert other.legend["table"] == again.legend["table"] != first.legend["table"]
    assert [seat["name"] for seat in other.table["seats"]] == ["Ash", "Robin"]
    for seat in (again, other):
        seat.close()


def test_a_deal_of_a_patience_is_as_it_was_asked_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.front.web.lobby.LOOKING", 240.0)  # on a busy machine a deal is found late
    key = server.set_table("tri-peaks", players=1, seats=["me"], grade="winnable")
    kept = server.lobby.store.find_table(server.lobby.find_key(key).table)
    assert kept is not None and solve_alone(hoyle.load("tri-peaks"), kept.setup.seed, 2000).is_won
    for wish in ({"grade": "odd"}, {"grade": "easy", "seed": 3}, {"game": "hearts", "seats": [], "grade": "easy"}):
        status, told, _ = server.ask("/api/tables", {"game": "tri-peaks", "seats": ["me"], **wish})
        assert (status, told["why"]) == (400, "bad_message")


def test_signs_are_shown_to_all_and_nothing_else_is(duel: tuple[Seat, Seat]) -> None:
    first, second = duel
    second.send({"do": "react", "sign": "👏"})
    assert all(seat.hear("reaction")["sign"] == "👏" for seat in duel)
    first.send({"do": "react", "sign": "<b>hello</b>"})
    assert first.hear("refused")["why"] == "bad_message"
