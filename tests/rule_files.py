"""Generates random rule files: small games with decisions of every kind, most of them valid.

In: a random number generator. Out: the text of a rule file.
"""

from __future__ import annotations

import random

HEAD = """game: made
title: Made at random
players: 2..{most}
errors: {errors}
deck:
  starts_in: pack
  attributes: {{suit: [red, blue, green], rank: 1..{ranks}}}
  cards: [{{suit: [red, blue, green], rank: 1..{ranks}, copies: {copies}}}]
zones:
  pack: {{shows: nothing}}
  pile: {{shows: {shown}}}
  hand: {{of: seat, shows: owner}}
state:
  player: seat
  turns: 0..200
  level: 0..{level}
  bet: {{of: seat, type: number}}
actions:
{actions}
ends:
  playing: {end}
steps:
  match: |
    repeat {rounds} times: do round
  round: |
    gather pack
    shuffle pack
    deal {dealt} cards from pack to each hand, starting left of dealer
    set turns to 0
    set player to left of dealer
    do playing
    for each seat: score sum rank of hand + bet to seat
    set dealer to left of dealer
  playing: |
    repeat at most {turns} times:
      set turns to turns + 1
{moves}
      set player to left of player
winners: (seat in seats with {best} score of seat)
"""

ACTIONS = {
    "play": [
        "{choose: {card: hand}, do: move card to pile}",
        "{choose: {card: hand}, allowed: {fits: suit of card = suit of top of pile or pile is empty}, "
        "do: move card to pile}",
        "{choose: {card: hand where rank of card > level}, do: [move card to pile, set level to (level + 1) mod 3]}",
    ],
    "throw": [
        "{choose: {cards: 2 cards from hand}, do: move cards to pile}",
        "{choose: {cards: 1..2 cards from hand}, allowed: {few: count of cards < count of hand}, "
        "do: move cards to pile}",
    ],
    "draw": [
        "{possible: {left: pack is not empty}, do: move top of pack to hand}",
        "{possible: {left: pack is not empty}, allowed: {small: count of hand < 5}, do: move top of pack to hand}",
    ],
    "bid": [
        "{choose: {amount: 1..90}, do: set bet to amount}",
        "{choose: {amount: turns..turns}, do: set bet to amount}",
        "{choose: {amount: turns..200}, allowed: {enough: count of hand > 1}, do: set bet to amount}",
        "{choose: {colour: any suit, amount: 1..100}, do: set bet to amount}",
    ],
    "tip": ["{choose: {coins: 0..3}, do: score coins to seat}", "{choose: {coins: 2..2}, do: score coins to seat}"],
    "rest": ["{}", "{text: Do nothing., do: set bet to 0}"],
    "object": [
        "{do: score 1 to seat}",
        "{possible: {other: seat != player}, do: [score 1 to seat, set bet to 0]}",
        "{choose: {card: hand}, do: move card to bottom of pile}",
    ],
}

MOVES = [
    "player chooses play, otherwise draw, otherwise rest",
    "player chooses play or draw or rest",
    "player chooses rest",
    "player chooses throw, otherwise rest",
    "player chooses bid or rest",
    "player may choose bid",
    "player chooses tip",
    "player may choose play",
    "if count of hand of player > 0: player chooses play or rest",
    "seats choose bid or rest together",
    "seats choose tip together",
    "seats choose rest together",
    "for each seat from left of player: seat chooses tip or rest",
    "offer object to any seat from left of player where seat != player",
    "offer object or tip to any seat from player",
    "pick chosen at random from seats\nset player to chosen",
    "shuffle pack\nif pack is not empty: move top of pack to hand of player",
]


ENDS = ["some hand is empty", "some hand is empty or turns >= 20", "count of pile > 9"]


def make_rules(chance: random.Random) -> str:
    """Generate a rule file."""
    called = chance.random() < 0.4
    actions = {name: chance.choice(forms) for name, forms in ACTIONS.items()}
    moves = chance.sample(MOVES, chance.randint(2, 5))
    ranks, copies = chance.randint(3, 9), chance.choice((1, 1, 2))
    most = chance.randint(2, 4)
    return HEAD.format(
        most=most,
        errors="called" if called else "refused",
        ranks=ranks,
        copies=copies,
        shown=chance.choice(("all", "top_card")),
        level=chance.randint(2, 5),
        actions="\n".join(f"  {name}: {_spread(form)}" for name, form in actions.items()),
        end=chance.choice(ENDS),
        rounds=chance.randint(1, 2),
        dealt=chance.randint(1, 3 * ranks * copies // most),
        turns=chance.randint(1, 25),
        moves="\n".join(f"      {line}" for move in moves for line in move.split("\n")),
        best=chance.choice(("highest", "lowest")),
    )


def _spread(form: str) -> str:
    """Convert a `do` list of statements to the form of rule files: a quoted string with line breaks."""
    head, bracket, tail = form.partition("do: [")
    if not bracket:
        return form
    statements = tail.removesuffix("]}").split(", ")
    keys = head.strip().removeprefix("{").rstrip(", ")
    entries = _split_keys(keys)
    lines = [f"    {entry}" for entry in entries] + ["    do: |", *(f"      {each}" for each in statements)]
    return "\n" + "\n".join(lines)


def _split_keys(text: str) -> list[str]:
    """Split the entries of a flow mapping."""
    entries, depth, current = [], 0, ""
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            entries.append(current.strip())
            current = ""
        else:
            current += letter
    return [*entries, current.strip()] if current.strip() else entries
