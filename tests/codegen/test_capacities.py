"""How many cards each zone has room for: those that can get there from where they are gathered."""

from __future__ import annotations

from pathlib import Path

import hoyle
from hoyle.play.codegen.lower.capacities import find_capacities
from hoyle.play.codegen.lower.whole_program import lower_program

RULES = """\
game: small-hands
title: Small Hands
players: 2
use: [deck_52]
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
  turned: {shows: all}
  trick: {shows: all}
  aside: {shows: all}
  drawn: {of: seat, shows: owner}
actions:
  play:
    text: Play a card.
    choose: {card: hand}
    do: move card to trick
steps:
  match: do rounds
  rounds: |
    repeat 3 times:
      gather pack
      shuffle pack
      deal 3 cards from pack to each hand, starting left of dealer
      move top of pack to turned
      for each seat:
        seat chooses play
      move trick to aside
      repeat 20 times:
        for each seat:
          move top of pack to drawn of seat
winners: (seat in seats with highest count of hand of seat)
"""


def test_a_zone_has_room_for_what_can_get_there(tmp_path: Path) -> None:
    file = tmp_path / "small-hands.game.yaml"
    file.write_text(RULES, encoding="utf-8")
    program = hoyle.load(file).program
    found = find_capacities(lower_program(program))
    zones = {zone.name: found[zone.base : zone.base + zone.size] for zone in program.zones}
    assert zones["pack"] == (52,)
    assert zones["hand"] == (3, 3)
    assert zones["turned"] == (1,)
    assert zones["trick"] == zones["aside"] == (6,), "what was in both hands"
    assert zones["drawn"] == (52, 52), "card after card, in a loop"
