"""The log that a guest puts together from what is sent is the log as it would be told at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from hoyle.front.web.lobby import Lobby, Rules
from hoyle.front.web.messages import NewTable
from hoyle.front.web.room import Guest
from hoyle.front.web.store import Store

CHOICES = 30
SECRET = """game: secret
title: Secret
players: 3
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9, copies: 6}]}
zones: {pack: {shows: nothing}, hand: {of: seat, shows: owner}, pile: {shows: all}}
actions:
  lay: {choose: {card: hand}, do: move card to pile}
  claim: {do: move top of pile to hand}
steps:
  match: |
    shuffle pack
    deal 6 cards from pack to each hand, starting dealer
    repeat 4 times:
      seats choose lay together
      for each seat in seats from dealer: seat chooses claim or lay
winners: (seat in seats with lowest count of hand)
"""


@pytest.mark.parametrize("name", ["secret", "bi-jinx", "cribbage"])
def test_what_is_sent_of_a_log_adds_up_to_the_whole(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret.game.yaml").write_text(SECRET)

    async def play() -> None:
        lobby = Lobby(Store(":memory:"), Rules(pace=0.0), [tmp_path / "secret.game.yaml"])
        lobby.draw_seed = lambda: 11
        game = await lobby.load(lobby.refer(name), None, {})
        seats = ("me", *["random"] * (game.players - 1))
        key = lobby.find_key(await lobby.set_table(NewTable(name, None, {}, seats, "Ash", None)))
        room = await lobby.open(key.table)
        room.guests = guests = {Guest("seat", 0, "en"), Guest("watch", None, "en")}
        logs: dict[Guest, list[Any]] = {guest: [] for guest in guests}
        for choice in range(CHOICES + 1):
            for guest in guests:
                guest.waiting.set()
                while guest.waiting.is_set():
                    guest.waiting.clear()
                    shown: Any = room.show(guest)
                    log = logs[guest]
                    logs[guest] = [*log[: len(log) - shown["dropped"]], *(said["text"] for said in shown["log"])]
            if room.match.is_over or choice == CHOICES:
                break
            room._apply(choice % len(room.match.decision.actions), asked=False)  # type: ignore[union-attr]
        for guest in guests:
            assert logs[guest] == [said.text for said in room.host("en").tell(room.match, guest.seat)]
        assert any(guest.since > 20 for guest in guests)
        lobby.close()

    asyncio.run(play())
