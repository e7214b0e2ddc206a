"""What check accepts never ends in a fault of Hoyle's own: definitions, divisions, groups and filters nested at random
are printed in every form and played alike by every executor."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.front.cli import run
from hoyle.language.compile import check_game
from hoyle.play.codegen.c.printer import print_c
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.unsupported import GeneratorFailed, Unsupported, generating
from hoyle.play.engine.executors import ExecutorName
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game
from hoyle.play.engine.printed import write_source
from hoyle.program.ir.nodes import Program
from nested_rules import Nested

IN_EVERY_RUN = 2
IN_ALL = 150
LEFT_OVER = """game: left
title: Left Over
players: 2
use: [deck_52, sets]
zones: {pack: {shows: nothing}, row: {shows: all}, hand: {of: seat, shows: owner}}
definitions:
  cards is meld: count of cards >= 3 and cards is one_rank
  melds of cards: (group in division of cards where group is meld leaving lowest count of rest)
  left_over of cards: count of cards - count of joined of melds of cards
  cards is ready: some card in cards satisfies (left_over of (cards - card) = 0)
actions:
  give: {choose: {card: hand}, do: move card to row}
  knock: {possible: hand is ready, do: score 1 to seat for "knock"}
steps:
  match: |
    shuffle pack
    deal 7 cards from pack to each hand, starting left of dealer
    repeat 3 times:
      for each seat from left of dealer: seat chooses give or knock
winners: (seat in seats with highest score of seat)
"""


def play(program: Program, executor: ExecutorName, seed: int) -> object:
    try:
        return Game(program, executor=executor).playout(seed)
    except Fault as fault:
        return str(fault)


def check_all(program: Program, seed: int) -> None:
    try:
        write_source(program)
    except Unsupported as missing:
        assert not isinstance(missing, GeneratorFailed), missing
    try:
        with generating("C"):
            print_c(lower_program(program))
    except Unsupported as missing:
        assert not isinstance(missing, GeneratorFailed), missing
    assert play(program, "reference", seed) == play(program, "generated", seed)


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed >= IN_EVERY_RUN)) for seed in range(IN_ALL)]
)
def test_rules_nested_at_random_are_printed_and_played_alike(seed: int, tmp_path: Path) -> None:
    (tmp_path / "nested.game.yaml").write_text(Nested(seed).write())
    checked = check_game(tmp_path / "nested.game.yaml")
    for program in checked.programs:
        check_all(program, seed)


def test_most_rules_nested_at_random_are_right(tmp_path: Path) -> None:
    (tmp_path / "nested.game.yaml").write_text(Nested(0).write())
    assert check_game(tmp_path / "nested.game.yaml").programs


@pytest.mark.parametrize("executor", ["auto", "native", "python"])
def test_a_division_of_all_but_one_card_in_a_test_of_each_is_played(executor: str, tmp_path: Path) -> None:
    file = tmp_path / "left.game.yaml"
    file.write_text(LEFT_OVER)
    assert run(["check", str(file)]) == 0
    assert run(["sim", str(file), "--games", "20", "--executor", executor]) == 0
