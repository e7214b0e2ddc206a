"""Loops that go on until something that nobody must bring about are warned of, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.language.compile import check_file

RULES = """
game: loop
title: Loop
players: 2
deck: {{starts_in: pack, attributes: {{rank: 1..9}}, cards: [{{rank: 1..9, copies: 2}}]}}
zones: {{pack: {{shows: nothing}}, pile: {{shows: top_card}}, hand: {{of: seat, shows: owner}}}}
state: {{turns: 0..99}}
definitions: {{done: every hand is empty}}
actions:
  play: {{choose: {{card: hand}}, do: move card to pile}}
  pass: {{}}
  rest: {{possible: pile is empty}}
  win: {{do: score 1 to seat for "won"}}
  leave: {{do: end round}}
ends: {{called: count of pile > 5}}
steps:
  match: |
    shuffle pack
    deal 3 cards from pack to each hand, starting left of dealer
    do round
    do called
  round: |
    {loop}
    dealer chooses leave or win or rest or pass
  one_turn: |
    for each seat: seat may choose play
  called: |
    repeat until turns = 9: dealer chooses play, otherwise pass
winners: (seat in seats with highest score of seat)
"""
CAN = "can be chosen again and again"
WARNED = {
    "repeat until done: dealer chooses play or pass": f"`pass` {CAN}",
    "repeat until done: dealer may choose play": f"to do nothing {CAN}",
    "repeat until done: do one_turn": f"to do nothing {CAN}",
    "repeat until done: offer play to any seat from dealer": f"to do nothing {CAN}",
    "repeat until score of dealer > 9: dealer chooses win or pass or play": f"`pass` {CAN}",
    "repeat until turns > 9: dealer chooses play or pass": "nothing in this loop changes anything",
    "repeat until turns > 9: score 1 to dealer": "nothing in this loop changes anything",
}
NOT_WARNED = (
    "repeat until done: dealer chooses play, otherwise pass",
    "repeat until done: dealer chooses play or rest",
    "repeat until done: dealer chooses play or leave",
    "repeat at most 9 times until done: dealer chooses play or pass",
    "repeat until done or turns > 9:\n      dealer chooses play or pass\n      set turns to turns + 1",
    "repeat until done:\n      dealer chooses play or pass\n      if pack is not empty: move top of pack to pile",
    "repeat until done: dealer chooses play or pass  # goes on: nobody need play",
    "repeat until not (dealer may play): dealer chooses play or pass",
)


def list_warnings(loop: str, folder: Path) -> list[str]:
    (folder / "loop.game.yaml").write_text(RULES.format(loop=loop))
    report = check_file(folder / "loop.game.yaml")
    assert not report.failed, report.diagnostics
    return [one.message for one in report.diagnostics if one.code == "may-go-on"]


@pytest.mark.parametrize("loop", WARNED)
def test_a_loop_that_nobody_must_bring_to_an_end_is_warned_of(loop: str, tmp_path: Path) -> None:
    (told,) = list_warnings(loop, tmp_path)
    assert WARNED[loop] in told


@pytest.mark.parametrize("loop", NOT_WARNED)
def test_a_loop_that_comes_to_an_end_is_not(loop: str, tmp_path: Path) -> None:
    assert list_warnings(loop, tmp_path) == []
