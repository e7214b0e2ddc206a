"""A game, and faults for whatever stores its matches: killed before, in and after a write; disk full; store locked."""

from __future__ import annotations

from pathlib import Path

RULES = """\
game: odd
title: Odd
players: 2..3
options:
  deals: {text: How many deals., default: 1, range: 1..5}
deck:
  starts_in: pack
  attributes: {number: 1..9, colour: [red, blue]}
  cards: [{number: 1..9, colour: [red, blue]}]
zones:
  pack: {shows: nothing}
  pile: {text: The cards played., shows: top_card}
  hand: {of: seat, shows: owner}
state:
  player: {type: seat, text: Whose turn it is.}
actions:
  play:
    text: Play a card.
    choose: {card: hand}
    do: move card to pile
  take:
    text: Take the top card of the pile.
    possible: pile is not empty
    do: move top of pile to hand
steps:
  match: |
    repeat deals times:
      gather pack
      shuffle pack
      deal 4 cards from pack to each hand, starting left of dealer
      set player to left of dealer
      repeat 6 times:
        player chooses play or take
        set player to left of player
      set dealer to left of dealer
winners: seats
"""


class Killed(BaseException):
    """The process ends here, without a chance to tidy up."""


def write_rules(folder: Path) -> Path:
    path = folder / "odd.game.yaml"
    path.write_text(RULES)
    return path
