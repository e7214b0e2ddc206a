"""Rule files with definitions, divisions, groups and filters nested in one another at random.

In: a seed. Out: the text of a game whose definitions build on each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable

Write = Callable[[], str]

HEAD = """game: nested
title: Nested
players: 2
use: [deck_52, sets]
zones:
  pack: {shows: nothing}
  row: {shows: all}
  hand: {of: seat, shows: owner}
state:
  least: {type: 1..4, start: 2}
  kept: cards
"""
TAIL = """steps:
  match: |
    shuffle pack
    deal 6 cards from pack to each hand, starting left of dealer
    deal 4 cards from pack to row
    repeat 4 times:
      for each seat from left of dealer:
        seat chooses give or lay or nod
        if {test}: set kept to {cards}
        score {number} to seat for "number"
        set least to 1 + least mod 3
winners: (seat in seats with highest score of seat)
"""

class Nested:
    """Writes one game. Methods return expressions over the cards `of`, nested at most so deep."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.names = 0
        self.lists: list[str] = []
        self.numbers: list[str] = []
        self.tests: list[str] = []
        self.groupings: list[str] = []

    def name(self) -> str:
        self.names += 1
        return f"n{self.names}"

    def one_of(self, *options: Write) -> str:
        return self.draw.choice(options)()

    def calls(self, names: list[str], of: str, deep: int) -> list[Write]:
        return [lambda name=name: f"{name} of {self.cards(of, deep)}" for name in names]  # type: ignore[misc]

    def cards(self, of: str, deep: int) -> str:
        if deep <= 0:
            return of
        inner, name = deep - 1, self.name()
        return self.one_of(
            lambda: of,
            lambda: f"({self.cards(of, inner)} - top of row)",
            lambda: f"({self.cards(of, inner)} + row)",
            lambda: f"(top {self.draw.randint(1, 4)} of {self.cards(of, inner)})",
            lambda: f"({name} in {self.cards(of, inner)} where {self.card_test(name, of, inner)})",
            lambda: f"joined of ({self.groups(of, inner)})",
            lambda: f"(({self.draw.choice(['first', 'last'])} of {self.groups(of, inner)}) or else row)",
            *self.calls(self.lists, of, inner),
        )

    def groups(self, of: str, deep: int) -> str:
        inner, name = deep - 1, self.name()
        if self.draw.random() < 0.5:
            weigh = self.draw.choice(["count", "sum rank", "sum worth"])
            test = self.group_test("group", inner)
            return f"(group in division of {self.cards(of, inner)} where {test} leaving lowest {weigh} of rest)"
        return self.one_of(
            lambda: f"(subsets of (top 4 of {self.cards(of, inner)}))",
            lambda: f"(pairs of {self.cards(of, inner)})",
            *([lambda: f"({name} in {self.groups(of, inner)} where {self.group_test(name, inner)})"] * (deep > 0)),
            *self.calls(self.groupings, of, inner),
        )

    def group_test(self, group: str, deep: int) -> str:
        return self.one_of(
            lambda: f"count of {group} >= {self.draw.randint(1, 3)}",
            lambda: f"count of {group} = least",
            lambda: f"{group} is one_rank",
            lambda: f"({group} is one_suit and count of {group} > 1)",
            lambda: f"sum rank of {group} <= {self.draw.randint(5, 20)}",
        )

    def card_test(self, card: str, of: str, deep: int) -> str:
        deeper: list[Write] = [
            lambda: f"({self.number(f'({of} - {card})', deep - 1)} < {self.draw.randint(0, 9)})",
            lambda: f"({self.test(f'({of} - {card})', deep - 1)})",
        ]
        return self.one_of(
            lambda: f"rank of {card} > {self.draw.randint(1, 9)}",
            lambda: f"suit of {card} = suit of top of row",
            lambda: f"{card} is in {self.cards(of, deep - 1)}",
            *(deeper if deep > 0 else ()),
        )

    def number(self, of: str, deep: int) -> str:
        inner = deep - 1
        return self.one_of(
            lambda: f"count of {self.cards(of, inner)}",
            lambda: f"(count of {self.cards(of, inner)} - count of {self.cards(of, inner)})",
            lambda: f"sum rank of {self.cards(of, inner)}",
            lambda: f"count of ({self.groups(of, inner)})",
            lambda: f"(highest rank of {self.cards(of, inner)} or else 0)",
            *self.calls(self.numbers, of, inner),
        )

    def test(self, of: str, deep: int) -> str:
        if deep <= 0 or " - " in of:
            return f"{of} is not empty"
        inner, name = deep - 1, self.name()
        few = self.draw.randint(0, 4)
        return self.one_of(
            lambda: f"some {name} in {self.cards(of, inner)} satisfies ({self.card_test(name, of, inner)})",
            lambda: f"every {name} in {self.groups(of, inner)} satisfies ({self.group_test(name, inner)})",
            lambda: f"some {name} in {self.groups(of, inner)} satisfies ({self.group_test(name, inner)})",
            lambda: f"some {name} in {of} satisfies ({self.number(f'({of} - {name})', inner)} <= {few})",
            lambda: f"({self.number(of, inner)} = {self.number(of, inner)})",
            *[lambda test=test: f"{self.cards(of, inner)} is {test}" for test in self.tests],  # type: ignore[misc]
        )

    def define(self) -> str:
        name, deep = self.name(), self.draw.randint(2, 4)
        kind = self.draw.randrange(4)
        write = (self.cards, self.number, self.test, self.groups)[kind]
        text = write("cards", deep)
        (self.lists, self.numbers, self.tests, self.groupings)[kind].append(name)
        return f"  cards is {name}: {text}" if kind == 2 else f"  {name} of cards: {text}"

    def write(self) -> str:
        lines = ["definitions:", "  worth of card: 5 - rank of card"]
        lines += [self.define() for _ in range(self.draw.randint(2, 5))]
        fits, can = self.card_test("card", "hand", 2), self.test("hand", 2)
        lines += [
            "actions:",
            "  nod: {}",
            f"  give: {{choose: {{card: '{self.cards('hand', 1)}'}}, allowed: '{fits}', do: move card to row}}",
            f"  lay: {{possible: '{can}', do: 'score {self.number('hand', 2)} to seat for \"lay\"'}}",
        ]
        hand = "hand of seat"
        return HEAD + "\n".join(lines) + "\n" + TAIL.format(
            test=self.test(hand, 2), cards=self.cards(hand, 2), number=self.number("row", 2)
        )  # fmt: skip
