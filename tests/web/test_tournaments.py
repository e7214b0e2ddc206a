"""A tournament at tables of the server: people by links, bots, a game that ends for all, restarts."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from hoyle.front.cli.group import commands
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
