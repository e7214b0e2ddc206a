"""A tournament at tables of the server: people by links, bots, a game that ends for all, restarts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoyle.base.errors import NotStored
from hoyle.front.cli.group import commands
from hoyle.front.web import tournaments
from hoyle.front.web.lobby import Lobby, Rules
from hoyle.front.web.messages import Choose
from hoyle.front.web.store import Store
from hoyle.lab.tournament import Wish
from web_server import Process, Seat

GAME = """game: race
title: Race
players: 2..4
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9, copies: 4}]}
zones: {pack: {shows: nothing}, hand: {of: seat, shows: owner}, pile: {shows: all}}
state: {player: seat}
actions:
  play: {choose: {card: hand}, do: move card to pile}
steps:
  match: |
    shuffle pack
    deal 6 cards from pack to each hand, starting left of dealer
    set player to left of dealer
    repeat:
      player chooses play
      if some seat satisfies (hand is empty): end match
      set player to left of player
winners: (seat in seats with lowest count of hand)
"""
FORMAT = """format: race
title: A race
labels: {fr: {title: Une course, called: poinçons}}
tables: {default: 2, range: 1..9}
seats: {default: 2, range: 2..4}
games: {default: 2, range: 1..9}
stop: {when: some seat satisfies (count of hand = 1)}
award: {to: (seat in seats with lowest count of hand), called: punch, tie: cut}
seating: {then: awarded_move}
ranking: {ties: [cut]}
cut: {rank: 10 - rank of card}
"""
ASKED = ("--serve", "--players", "5", "--tables", "2", "--bot", "random", "--name", "Ann")


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "race.game.yaml"
    path.write_text(GAME)
    (tmp_path / "race.format.yaml").write_text(FORMAT)
    return str(path)


def play_on(server: Process, key: str) -> dict[str, object]:
    """Play at the table of a key until the game has ended for all; return what is told of the tournament."""
    seat: Seat = server.sit(key)
    while not seat.table["party"]["ended"]:
        if seat.table["view"]["menu"] is not None:
            seat.choose_first()
        seat.hear("table")
    party: dict[str, object] = seat.table["party"]
    seat.close()
    return party


def test_people_play_a_tournament_by_links_and_a_restart_goes_on_with_it(game: str, tmp_path: Path) -> None:
    server = Process(game, *ASKED, data=tmp_path / "tables", command="tournament")
    page = server.link.removeprefix("/t/")
    try:
        _, party, _ = server.ask(f"/api/party/{page}")
        sizes, names = [], []
        for table in party["tables"]:
            sizes.append(len(table["seats"]))
            names += [seat["name"] for seat in table["seats"]]
        assert (sizes, names) == ([3, 2], ["Ann", "Player 2", "Player 3", "Player 4", "Player 5"])
        numbers = [seat["number"] for table in party["tables"] for seat in table["seats"]]
        assert numbers == ["", "2", "3", "4", "5"], "the page says them in its own language"
        assert party["labels"] == {"fr": {"title": "Une course", "called": "poinçons"}}
        invitation = party["tables"][0]["seats"][0]["key"]
        key = server.ask("/api/claim", {"key": invitation, "name": "Anna"})[1]["key"]
        assert server.ask("/api/again", {"key": key, "name": ""})[1]["why"] == "not_over"
        first = play_on(server, key)
    finally:
        server.kill()
    assert (first["game"], first["over"], len(first["results"])) == (1, False, 2)
    assert sum(len(result["awarded"]) for result in first["results"]) == 2
    assert sum(points for _, _, points in first["standings"]) == 2
    assert (first["kind"], first["people"]) == ("player", {"0": "Anna"})
    assert sorted(side for _, side, _ in first["standings"]) == [0, 1, 2, 3, 4]
    again = Process(data=tmp_path / "tables")
    try:
        assert again.ask(f"/api/party/{page}")[1]["standings"] == first["standings"]
        status, found, _ = again.ask("/api/again", {"key": key, "name": ""})
        assert status == 200
        assert again.ask("/api/again", {"key": key, "name": ""})[1] == found  # there is one place for everybody
        last = play_on(again, found["key"])
        assert (last["game"], last["over"]) == (2, True)
        assert sum(points for _, _, points in last["standings"]) == 4
        assert [rank for rank, _, _ in last["standings"]].count(1) == 1
        assert again.ask("/api/again", {"key": found["key"], "name": ""})[1]["why"] == "tournament_over"
    finally:
        again.kill()


def test_a_tournament_of_the_server_needs_people_and_draws_its_own_seed(game: str) -> None:
    for more in (("--seed", "3"), ("--json",)):
        result = CliRunner().invoke(commands, ["tournament", game, *ASKED, *more])
        assert (result.exit_code, "--serve is for people" in result.output) == (1, True)


async def begin(game: str) -> tuple[Lobby, tournaments.Party]:
    """A tournament of two tables in this process, at one of which Ann plays."""
    lobby = Lobby(Store(":memory:"), Rules(pace=0.0), [Path(game)])
    made = tournaments.Tournaments(lobby)
    key = await made.begin("race", Wish(tables=2, players=4, names=("Ann",)))
    return lobby, await made._find(lobby.find_key(key).table)


def test_a_game_whose_result_cannot_be_stored_ends_once_it_can_be(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournaments, "SHORTEST_WAIT", 0.0)

    async def play() -> int:
        lobby, party = await begin(game)
        store, failed = lobby.store.add_result, [0]

        def add_result(*known: object, **more: object) -> None:
            failed[0] += 1
            if failed[0] < 3:
                raise NotStored("the disk is full")
            store(*known, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(lobby.store, "add_result", add_result)
        room = await lobby.open(lobby.store.list_sittings(party.id, 0)[0])
        seat = next(at for at, each in enumerate(room.seats) if each.player == "person")
        guest = room.enter("seat", seat, None)
        while not party.course.games:  # nobody else comes, and nobody asks
            if room.is_on and (decision := room.match.decision) is not None and decision.seat == seat:
                await room.take(guest, Choose(room.match.count_told(seat), 0))
            await asyncio.sleep(0)
        lobby.close()
        return failed[0]

    assert asyncio.run(asyncio.wait_for(play(), 120)) == 3


def test_who_comes_while_tables_are_opened_is_not_forgotten(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def come() -> int:
        lobby, party = await begin(game)
        opened, goes_on = [0], asyncio.Event()

        async def gather() -> None:
            opened[0] += 1
            await goes_on.wait()

        monkeypatch.setattr(party, "gather", gather)
        party.call()
        await asyncio.sleep(0)
        party.call()
        goes_on.set()
        assert party._calling is not None
        await party._calling
        lobby.close()
        return opened[0]

    assert asyncio.run(asyncio.wait_for(come(), 120)) == 2
