"""Small print that nothing else holds: rounding below zero, who pays in French, cuts for the lowest."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import hoyle
from hoyle.front.cli import run
from hoyle.lab.tournament.cutting import cut_among
from hoyle.play.engine.executors import ExecutorName
from hoyle.play.engine.native.compiler import find_compiler
from hoyle.play.engine.native.program import find_native

RULES = """
game: paying
title: Paying
players: 2
language: fr
deck: {starts_in: pack, attributes: {rank: 1..4}, cards: [{rank: 1..4}]}
zones: {pack: {shows: all}}
pots: {purse: {of: seat, start: 5}}
state: {x: {type: -9..9, start: -7}}
actions: {nod: {}}
steps:
  match: |
    for each seat: seat chooses nod
    pay 1 from purse of dealer to purse of left of dealer
    score x div 2 to dealer for "down"
    score x mod 2 to left of dealer for "rest"
winners: (seat in seats with highest score of seat)
"""


@pytest.fixture
def paying(tmp_path: Path) -> Path:
    file = tmp_path / "paying.game.yaml"
    file.write_text(RULES)
    return file


@pytest.mark.parametrize("executor", ["reference", "generated", "native"])
def test_division_rounds_down_also_below_zero(executor: ExecutorName, paying: Path) -> None:
    game = hoyle.load(paying, players=2, executor=executor)
    if executor == "native":
        if find_compiler() is None:
            pytest.skip("there is no C compiler")
        assert find_native(game.program).load() is not None
    assert game.playout(1).scores == (-4, 1)


def test_a_payment_is_told_in_french_of_another_player(paying: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", str(paying), "--auto", "--seed", "1", "--lang", "fr"]) == 0
    shown = capsys.readouterr().out
    assert " paie 1 → " in shown and "payez" not in shown


CHANCE = """
game: chance
title: Chance
players: 1
deck: {starts_in: pack, attributes: {rank: 1..40}, cards: [{rank: 1..40}]}
zones: {pack: {shows: all}}
actions: {nod: {}}
steps:
  match: |
    repeat 3 times:
      for each seat: seat chooses nod
      shuffle pack
      score (rank of top of pack or else 0) to dealer for "luck"
winners: seats
"""


def test_chance_falls_again_as_it_fell_before_it_was_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "chance.game.yaml"
    file.write_text(CHANCE)

    def play(*lines: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*lines, "score", ""])))
        run(["play", str(file), "--seed", "3", "--ask", "--plain"])
        return capsys.readouterr().out.rpartition("The score")[2]

    assert play(".1", ".1") == play(".1", ".1", "undo", ".1") != play(".1")
    assert play(".1", ".1") == play(".1", "undo", ".1", ".1")


@pytest.mark.parametrize("best, winner", [("lowest", 4), ("highest", 5)])
def test_a_tie_is_cut_for_the_card_that_is_best(best: str, winner: int) -> None:
    assert cut_among([4, 5], [3, 9], best, lambda number: [0, 1]).winner == winner
