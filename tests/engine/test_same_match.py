"""A seed names one match: bots at the table, simulations and playouts make the same choices on every executor."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hoyle.front.terminal.saving import Record, Setup
from hoyle.front.terminal.starting import Manner
from hoyle.front.terminal.starting import play as play_at_terminal
from hoyle.play.engine.drawing import draw_randomly
from hoyle.play.engine.executors import EXECUTORS
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game
from hoyle.program.ir.nodes import Program
from hoyle.program.model.chance import MOST_BELOW, PIECE, Stream, derive_seed
from rule_files import make_rules
from two_executors import Table, compile_with, list_tables
from ways_to_play import compare_ways, play_by_bots, play_out, simulate

SAMPLES = sorted((Path(__file__).parents[1] / "language" / "valid").rglob("*.game.yaml"))
BY_GAME = list_tables()
FEWEST_OR_MOST = [tables[-(number % 2)] for number, tables in enumerate(BY_GAME)]
MADE = 12


def compile_text(path: Path, text: str) -> Program:
    path.write_text(text)
    program = compile_with(path, 2, {})
    assert program is not None, text
    return program


def make_program(folder: Path, number: int) -> Program:
    return compile_text(folder / f"made-{number}.game.yaml", make_rules(random.Random(f"made {number}")))


# ------------------------------------------------------------------------------------------------ every game
@pytest.mark.share
@pytest.mark.parametrize("table", FEWEST_OR_MOST, ids=lambda table: f"{table[0].name.split('.')[0]}-{table[1]}")
def test_every_game_is_the_same_match_however_its_seed_is_played(table: Table) -> None:
    program = compile_with(*table, {})
    assert program is not None
    game = Game(program)
    outcome, _ = play_by_bots(game, 3, 0.1, 10**9)
    assert simulate(game, 3, 0.1) == outcome
    assert play_out(game, 3, 0.1) == outcome
    compare_ways(program, 4, 0.1, most=40)  # the reference is slow


@pytest.mark.slow
@pytest.mark.parametrize("table", [table for tables in BY_GAME for table in tables], ids=str)
def test_many_seeds_of_every_game_are_the_same_match_however_they_are_played(table: Table) -> None:
    program = compile_with(*table, {})
    assert program is not None
    for seed in range(10):
        compare_ways(program, seed, errors=seed % 2 / 5, most=2000)


@pytest.mark.share
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.split(".")[0])
def test_every_sample_of_the_language_is_the_same_match_however_its_seed_is_played(path: Path) -> None:
    program = compile_with(path, 2, {}) or compile_with(path, 3, {}) or compile_with(path, 4, {})
    assert program is not None
    for seed in range(3):
        compare_ways(program, seed, errors=seed / 4, most=300)


# ------------------------------------------------------------------------------------------------ games made at random
@pytest.mark.share
@pytest.mark.parametrize("number", range(MADE))
def test_a_game_made_at_random_is_the_same_match_however_its_seed_is_played(number: int, tmp_path: Path) -> None:
    program = make_program(tmp_path, number)
    for seed in range(3):
        compare_ways(program, seed, errors=(0, 0.25, 1)[seed])


@pytest.mark.slow
def test_games_made_at_random_are_the_same_match_and_of_every_kind(tmp_path: Path) -> None:
    forced = windows = called = 0
    for number in range(MADE):
        program = make_program(tmp_path, number)
        windows += any(decision.window for decision in program.decisions)
        called += program.called
        for seed in range(3):
            history = compare_ways(program, seed, errors=(0, 0.25, 1)[seed])
        forced += "rest" in history
    assert min(forced, windows, called) > 2, "each kind of decision is to be met"


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_games_made_at_random_are_the_same_match(hundred: int, tmp_path: Path) -> None:
    for number in range(MADE + 100 * hundred, MADE + 100 * hundred + 100):
        program = make_program(tmp_path, number)
        for seed in range(6):
            compare_ways(program, seed, errors=(0, 0.25, 1, 0.5, 0.01, 0.9)[seed])


FORCED = """
game: forced
title: Forced
players: 2
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9, copies: 2}]}
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
  pile: {shows: all}
actions:
  nod: {}
  name_it: {choose: {amount: 5..5}}
  play: {choose: {card: hand}, do: move card to pile}
steps:
  match: |
    shuffle pack
    deal 4 cards from pack to each hand, starting left of dealer
    repeat 4 times:
      for each seat:
        seat chooses nod
        seat chooses name_it
        seat chooses play
    for each seat: score rank of top of pile or else 0 to seat
winners: (seat in seats with highest score of seat)
"""


def test_what_is_forced_takes_nothing_from_a_stream(tmp_path: Path) -> None:
    program = compile_text(tmp_path / "forced.game.yaml", FORCED)
    freely = FORCED.replace("        seat chooses nod\n        seat chooses name_it\n", "")
    without = compile_text(tmp_path / "free.game.yaml", freely.replace("game: forced", "game: free"))
    for seed in range(5):
        history = compare_ways(program, seed, 0.0)
        assert [each for each in history if each.startswith("play")] == compare_ways(without, seed, 0.0)


BOTH_ENDS = """
game: both-ends
title: Both Ends
players: 2
deck: {starts_in: pack, attributes: {rank: 1..4}, cards: [{rank: 1..4, copies: 3}]}
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
  pile: {shows: all}
actions:
  take: {choose: {card: "(bottom of pile, top of pile)"}, do: move card to hand}
  give: {choose: {card: "(top of hand, bottom of hand, top of pile, bottom of pile)"}, do: move card to bottom of pack}
steps:
  match: |
    shuffle pack
    for each seat: move top of pack to hand
    repeat 9 times:
      move top of pack to pile
      for each seat: seat chooses take or give, otherwise give
winners: seats
"""


def test_a_card_that_stands_twice_in_what_is_picked_from_is_one_choice(tmp_path: Path) -> None:
    program = compile_text(tmp_path / "both-ends.game.yaml", BOTH_ENDS)
    for seed in range(6):
        compare_ways(program, seed, 0)


def test_the_table_at_the_terminal_plays_the_match_of_the_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(3):
        game = Game(make_program(tmp_path, number))
        names = tuple(f"Player {seat}" for seat in range(game.players))
        record = Record(Setup("made", "Made", game.players, {}, 5, (), names, "random", 0.3))
        assert play_at_terminal(game, record, Manner())
        assert record.choices == play_by_bots(game, 5, 0.3, 10**9)[1]
    capsys.readouterr()


# ------------------------------------------------------------------------------------------------ numbers
@pytest.mark.parametrize("bound", [2, 3, 52, 40_000, PIECE - 1, PIECE, PIECE + 1, 3_000_000_000, MOST_BELOW])
def test_pieces_taken_many_at_once_give_what_a_stream_gives(bound: int) -> None:
    draws, one_by_one = draw_randomly(9, 1), Stream(derive_seed(9, 0))
    numbers = [draws.place(bound, 0) for _ in range(500)]
    assert numbers == [one_by_one.below(bound) for _ in range(500)]
    assert all(0 <= number < bound for number in numbers)


def test_no_number_is_drawn_below_more_than_32_bits() -> None:
    with pytest.raises(ValueError, match="no number"):
        Stream(1).below(MOST_BELOW + 1)
    with pytest.raises(ValueError, match="no number"):
        draw_randomly(1, 1).place(MOST_BELOW + 1, 0)


def test_more_numbers_than_can_be_drawn_from_are_a_fault_on_every_executor(tmp_path: Path) -> None:
    rules = FORCED.replace("amount: 5..5", "amount: 0..2000000000 * 3")
    program = compile_text(tmp_path / "many.game.yaml", rules)
    assert [compare_ways(program, 1, 0.0)] == [["nod"]]
    for name in EXECUTORS:
        with pytest.raises(Fault, match="more than 4294967296 numbers are offered"):
            Game(program, executor=name).playout(1)
