"""Bi-Jinx beyond its examples: every card and point of a hand is accounted for, and the sheet is kept as printed."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import hoyle
from hoyle.front.cli import run
from hoyle.play.view.score_sheet_view import render_sheet
from hoyle.program.model.chance import Stream
from hoyle.program.model.position import Position

POINTS = {2: 76, 3: 101, 4: 146}
MARKS = ("jinxed", "double_jinx", "eliminated", "bi_jinx")
SAMPLE: dict[str, list[tuple[int | None, int | None, str]]] = {
    "Ann": [(11, None, ""), (28, None, ""), (159, None, "double_jinx"), (None, None, "eliminated"), (71, None, "")],
    "Jane": [(10, None, ""), (7, None, ""), (43, None, ""), (59, None, ""), (19, 1050, "")],
    "Jack": [(116, 3000, ""), (2081, None, "jinxed"), (16, None, ""), (18, None, ""), (2014, 2014, "bi_jinx")],
    "Bill": [(9, None, ""), (30, None, ""), (28, None, "double_jinx"), (69, None, ""), (42, None, "")],
}
PRINTED = """\
           Ann                Jane               Jack               Bill
         RET      DED       RET      DED       RET      DED       RET      DED
 1        11        -        10        -       116    3,000         9        -
 2        28        -         7        -     2,081     Jinx        30        -
 3       159  D. Jinx        43        -        16        -        28  D. Jinx
 4       Bi-Jinx             59        -        18        -        69        -
 5        71        -        19    1,050   ~2,014~  ~2,014~        42        -
     ----------------   ----------------   ----------------   ----------------
          71        -       138    1,050     2,231    3,000       178        -

  Ann and Jack   -698
  Jane and Bill  -734"""


# ------------------------------------------------------------------------------------------------ the score sheet
def write_sample() -> hoyle.Match:
    """A match of two pairs with the sample of the booklet on its sheet; partners sit opposite each other."""
    match = hoyle.load("bi-jinx-partners").new(seed=1)
    rows = zip(*SAMPLE.values(), strict=True)
    match.position.lines = [
        [[ret, ded, 1 << MARKS.index(mark) if mark else None] for ret, ded, mark in row] for row in rows
    ]
    return match


def test_the_sample_of_the_booklet_is_shown_as_a_table_with_its_totals() -> None:
    match = write_sample()
    assert match.sheet is not None
    assert render_sheet(match.sheet, list(SAMPLE)) == PRINTED
    assert match.sheet.sum_up_sides() == [((0, 2), -698), ((1, 3), -734)]
    assert match.sheet.find_margin([1, 3]) == 36


def test_a_narrow_sheet_puts_seats_below_each_other() -> None:
    match = write_sample()
    assert match.sheet is not None
    narrow = render_sheet(match.sheet, list(SAMPLE), 50)
    assert max(map(len, narrow.splitlines())) <= 50
    for row in PRINTED.splitlines()[2:7]:
        assert row.split()[1] in narrow
    assert narrow.endswith("Ann and Jack   -698\n  Jane and Bill  -734")


def test_a_sheet_can_be_shown_before_anything_is_written() -> None:
    match = hoyle.load("bi-jinx", 3).new(seed=1)
    assert match.sheet is not None
    assert match.sheet.scores == (0, 0, 0)
    assert "RET" in render_sheet(match.sheet, ["you", "seat 1", "seat 2"])


def test_games_without_columns_and_marks_keep_no_sheet() -> None:
    assert hoyle.load("bonus-20", 2).new(seed=1).sheet is None


def test_players_are_shown_the_sheet_after_each_hand_and_when_they_ask(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("score\nq\n"))
    assert run(["play", "bi-jinx", "--players", "2", "--seed", "4"]) == 0
    assert "RET" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["play", "bi-jinx", "--players", "3", "--seed", "4", "--auto", "--set", "hands=3"]) == 0
    out = capsys.readouterr().out
    assert len(re.findall("RET +DED", out)) >= 3
    assert "Robin" in out.splitlines()[-6]


# ------------------------------------------------------------------------------------------------ cards and points
@cache
def load(players: int) -> hoyle.Game:
    return hoyle.load("bi-jinx", players)


def play_hands(game: hoyle.Game, seed: int) -> Iterator[tuple[Position, Position]]:
    """A match with random choices: the positions before and after each settlement."""
    executor, stream = game.executor, Stream(seed)
    position = executor.start(seed)
    stop = executor.run(position, "settle")
    while stop != "finish":
        if stop == "step":
            before = position.copy()
            stop = executor.run(position)
            yield before, position
        else:
            make_choice(game, position, stream)
            stop = executor.run(position, "settle")


def make_choice(game: hoyle.Game, position: Position, stream: Stream) -> None:
    legal = game.executor.list_legal(position)
    choice: tuple[Any, ...] = legal[stream.below(len(legal))]
    if isinstance(choice[-1], range):
        choice = (*choice[:-1], choice[-1][stream.below(len(choice[-1]))])
    game.executor.apply(position, choice)


class Hand:
    """A hand before it is settled, read off a position; cards by their codes."""

    def __init__(self, game: hoyle.Game, position: Position) -> None:
        names = game.names
        piles = {
            names.name_zone(zone): [names.name_card(card) for card in pile] for zone, pile in enumerate(position.zones)
        }
        states = {state.name: position.states[at] for at, (state, owner) in enumerate(names.states) if owner is None}
        self.players = game.players
        self.piles = piles
        self.heir, self.seller, self.price = states["taker"], states["seller"], states["price"]
        self.inn = piles[f"inheritance of {self.heir}"]
        self.kept = [piles[f"hand of {seat}"] for seat in range(game.players)]
        self.tricks = [piles[f"tricks of {seat}"] for seat in range(game.players)]
        for bought in [kept for kept in self.kept if len(kept) > 2]:  # the card that was sold goes back, as if unsold
            card, hand = bought.pop(), self.kept[self.seller]
            of_talon = self.seller == self.heir and len(self.inn) < 10
            (hand if len(hand) < 2 else self.inn if of_talon else self.tricks[self.seller]).append(card)
        self.held = [
            self.kept[seat] + self.tricks[seat] + (self.inn if seat == self.heir else [])
            for seat in range(game.players)
        ]
        self.points = [sum(int(card) for card in held if card in "12345") for held in self.held]

    def find_penalty(self, seat: int) -> int:
        held = self.held[seat]
        zeros = {(False, False): 0, (True, False): 10, (False, True): 100, (True, True): 1000}[
            "0" in held, "00" in held
        ]
        return zeros * (("Bi" in held) + 2 * ("Jx" in held))

    def settle(self, seat: int) -> tuple[int | None, int | None]:
        """The line of a seat by the rules 15 to 22, written once more."""
        points, held = self.points[seat], self.held[seat]
        if seat == self.heir and {"Bi", "Jx", "0", "00"} <= set(self.inn):
            return points, 3000
        if seat == self.heir and {"Bi", "Jx"} <= set(self.inn) and not {"0", "00"} & set(self.inn):
            return None, None
        if set(self.kept[seat]) == {"Bi", "Jx"} and not self.tricks[seat]:
            return None, None
        if {"Bi", "Jx"} <= set(held):
            return points, points
        if self.seller is not None and {"Bi", "Jx"} & set(held):
            return (points, self.price) if seat == self.seller else (points + self.price, points + self.price)
        return points + self.find_penalty(seat), None


def assert_match_is_accounted_for(players: int, seed: int) -> set[str]:
    """Play a match and look at every hand; which kinds of lines there were."""
    game = load(players)
    kinds: set[str] = set()
    rounds = 0
    for before, after in play_hands(game, seed):
        hand = Hand(game, before)
        assert sorted(card for pile in before.zones for card in pile) == list(range(len(game.program.cards)))
        assert [len(kept) for kept in hand.kept] == [2] * players
        assert len(hand.inn) == 10
        assert sum(len(tricks) for tricks in hand.tricks) == 8 * players
        assert all(len(tricks) % players == 0 for tricks in hand.tricks)
        assert hand.piles["pack"] == hand.piles["trick"] == []
        assert sum(hand.points) == POINTS[players]
        lines = [tuple(line[:2]) for line in after.lines[rounds]]
        assert lines == [hand.settle(seat) for seat in range(players)]
        kinds |= {MARKS[at] for line in after.lines[rounds] for at in range(len(MARKS)) if (line[2] or 0) >> at & 1}
        kinds |= {"sale"} if hand.seller is not None else {"big four"} if (3000 in [d for _, d in lines]) else set()
        rounds += 1
    assert rounds == 5
    return kinds


@pytest.mark.parametrize("players", POINTS)
def test_every_card_and_point_of_a_match_is_accounted_for(players: int) -> None:
    kinds = set().union(*(assert_match_is_accounted_for(players, seed) for seed in range(8)))
    assert {"jinxed", "double_jinx", "bi_jinx", "sale"} <= kinds


@pytest.mark.slow
@pytest.mark.parametrize("players", POINTS)
def test_every_card_and_point_of_five_thousand_matches_is_accounted_for(players: int) -> None:
    kinds = set().union(*(assert_match_is_accounted_for(players, seed) for seed in range(5000)))
    assert kinds == {"jinxed", "double_jinx", "bi_jinx", "eliminated", "sale", "big four"}
