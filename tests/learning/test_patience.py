"""Whether a deal of a game for one can be won, and deals of the grade asked for."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import hoyle
from hoyle.front.cli import run
from hoyle.lab.learning.patience import Dealer, solve_alone

# Three columns of two cards: the one that is next, from 1 up, can be taken away. Whoever waits twice has lost.
SMALL = """
game: small
title: Small
players: 1
deck: {starts_in: stock, attributes: {rank: 1..6}, cards: [{rank: 1..6}]}
kinds: {lane: 1..3}
zones:
  stock: {shows: nothing, quiet: true}
  column: {of: lane, shows: all}
  out: {shows: all}
state: {waits: number}
actions:
  take:
    choose: {card: (top of column for lane in each lane)}
    allowed: {next: rank of card = count of out + 1}
    do: move card to out
  wait: {do: set waits to waits + 1}
ends: {match: {when: count of out = 6 or waits > 1, waits_for: action}}
steps:
  match: |
    shuffle stock
    deal all cards from stock to each column
    repeat: dealer chooses take or wait
ledger: {standing: count of out}
winners: (seat in seats where count of out = 6)
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> hoyle.Game:
    path = tmp_path_factory.mktemp("small") / "small.game.yaml"
    path.write_text(SMALL, encoding="utf-8")
    return hoyle.load(path)


def test_a_deal_can_be_won_exactly_if_the_line_found_wins(small: hoyle.Game) -> None:
    """Here that can be told at a glance: in each column the lower card must lie on top."""
    told = set()
    for seed in range(40):
        match, found = small.new(seed), solve_alone(small, seed, 500)
        columns = [pile for pile in match.position.zones if len(pile) == 2]
        assert found.is_won == all(low > high for low, high in columns) and found.is_proven
        for text in found.moves:
            match.apply(text)
        assert match.is_over and bool(match.winners) == found.is_won
        told.add(found.is_won)
    assert told == {True, False}


def test_an_easy_deal_takes_less_looking_than_a_hard_one() -> None:
    game = hoyle.load("tri-peaks")
    easy, hard = (Dealer(game).find(grade, itertools.count().__next__, 240) for grade in ("easy", "hard"))
    assert easy is not None and hard is not None
    lines = [solve_alone(game, seed, 2000) for seed in (easy, hard)]
    assert all(line.is_won for line in lines) and lines[0].effort < lines[1].effort


def test_deals_are_graded_by_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "small.game.yaml"
    path.write_text(SMALL, encoding="utf-8")
    assert run(["solve", str(path), "--deals", "12"]) == 0
    said = capsys.readouterr().out
    assert "a win was found for" in said and "cannot be won" in said and "easy (1.0 positions a move)" in said
    assert run(["solve", "hearts", "--deals", "3"]) == 1
