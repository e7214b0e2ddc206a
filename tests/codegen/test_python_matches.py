"""Whole matches printed as Python go the way of play decision by decision."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import hoyle
from every_game import SAMPLES
from hoyle.play.engine.drawing import choose_by, draw_randomly
from hoyle.play.engine.game import Game
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.habits import Habits
from hoyle.program.ir.nodes import Program
from hoyle.program.model.position import Position
from two_executors import Table, compile_with, list_tables

ONE_EACH = [tables[(3 * i + 2) % len(tables)] for i, tables in enumerate(list_tables())]
SEEDS = 2


def name_table(table: Table) -> str:
    return f"{table[0].name.split('.')[0]}-{table[1]}"


def play_by_decisions(executor: GeneratedExecutor, seed: int) -> tuple[Position, list[int]]:
    position = executor.start(seed)
    executor.run(position)
    choose = choose_by(draw_randomly(seed, executor.program.players), partial(executor.find_seat, position))
    choose = Habits(0.0, seed).guide(choose, executor, position)
    sizes = []
    while not position.over:
        choices = executor.list_legal(position)
        sizes.append(len(choices))
        executor.advance(position, choose(choices))
    return position, sizes


def check_matches(program: Program, seeds: range) -> None:
    executor = GeneratedExecutor(program)
    for seed in seeds:
        position, sizes = play_by_decisions(executor, seed)
        drawn = executor.start(seed)
        played = executor.play_drawn(drawn, draw_randomly(seed, program.players), Habits(0.0, seed))
        assert played == (sum(sizes), max(sizes))
        assert repr(drawn) == repr(position)


@pytest.mark.share
@pytest.mark.parametrize("table", ONE_EACH, ids=name_table)
def test_a_printed_match_goes_the_way_of_one_played_decision_by_decision(table: Table) -> None:
    program = compile_with(*table, {})
    assert program is not None
    check_matches(program, range(SEEDS))


GROWN = """\
game: grown
title: Grown
players: 2
deck:
  starts_in: pack
  attributes:
    rank: {range: 1..6}
    suit: {red: R, blue: B}
  cards:
    - {rank: 1..6, suit: [red, blue]}
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
  row: {shows: all}
actions:
  play:
    text: Play cards.
    choose: {cards: 1..3 cards from hand}
    allowed: {few: sum rank of cards <= 7 or sum rank of row > 3}
    do: move cards to row
steps:
  match: |
    shuffle pack
    deal 5 cards from pack to each hand, starting left of dealer
    for each seat: seat chooses play
winners: (seat in seats with highest score of seat)
"""


def test_what_is_worked_out_when_first_needed_can_be_needed_while_groups_are_grown(tmp_path: Path) -> None:
    path = tmp_path / "grown.game.yaml"
    path.write_text(GROWN, encoding="utf-8")
    program = compile_with(path, 2, {})
    assert program is not None
    check_matches(program, range(5))


def test_what_is_kept_goes_along_with_the_cards() -> None:
    program = compile_with(Path(__file__).parents[1] / "native" / "worked-out-once.game.yaml", 2, {})
    assert program is not None
    check_matches(program, range(20))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_small_games_are_printed_and_played_or_refused(path: Path) -> None:
    program = hoyle.load(path).program
    if GeneratedExecutor(program).functions is None:
        assert program.called or program.keeps_faces
        return
    check_matches(program, range(SEEDS))


def test_a_straight_flush_is_told_from_the_suits_of_its_cards() -> None:
    """Cards put together by suit are still cards: what is remembered of them depends on their ranks, too."""
    program = hoyle.load("holdem").program
    seed = 8255  # in which a straight flush meets a full house
    made, defined = Game(program, executor="generated"), Game(program, executor="reference")
    assert made.playout(seed) == defined.playout(seed)
