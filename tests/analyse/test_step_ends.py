"""What ends a step may stand beside it, and means what it means in the section of all ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.front.cli import run
from hoyle.language.compile import compile_game
from hoyle.program.ir.dump import dump_text

GAME = """\
game: going-out
title: Going out
players: 2
use: [deck_52]
zones:
  pack: {{shows: nothing}}
  hand: {{of: seat, shows: owner}}
  pile: {{shows: all}}
actions:
  play: {{choose: {{card: hand}}, do: move card to pile}}
{ends}steps:
  match: |
    shuffle pack
    deal 5 cards from pack to each hand, starting left of dealer
    for each seat: do play_on of 9
{step}winners: seats
"""
STATEMENTS = """\
      repeat:
        for each other in seats: other chooses play
"""
APART = GAME.format(
    ends="ends:\n  play_on:\n    out: some hand is empty\n    many: count of pile > 7\n",
    step="  play_on of number:\n    of: seat\n    do: |\n" + STATEMENTS,
)
BESIDE = GAME.format(
    ends="",
    step="  play_on of number:\n    of: seat\n    ends:\n      out: some hand is empty\n      many: count of pile > 7\n"
    "    do: |\n" + STATEMENTS,
)
VARIANT = """\
game: going-on
title: Going on
extends: going-out.game.yaml
steps:
  play_on:
    ends: {many: count of pile > 5, new few: count of pack < 9}
"""


def spell(folder: Path, name: str, text: str) -> str:
    file = folder / f"{name}.game.yaml"
    file.write_text(text, encoding="utf-8")
    program, report = compile_game(file, 2)
    assert program is not None, report.diagnostics
    return dump_text(program)


def test_an_end_beside_its_step_is_the_same_as_one_apart(tmp_path: Path) -> None:
    assert spell(tmp_path, "going-out", APART) == spell(tmp_path, "going-out", BESIDE)


@pytest.mark.parametrize("parent", [APART, BESIDE])
def test_a_variant_changes_and_adds_ends_wherever_its_parent_has_them(parent: str, tmp_path: Path) -> None:
    spell(tmp_path, "going-out", parent)
    text = spell(tmp_path, "going-on", VARIANT)
    assert "size(@pile) > 5" in text
    assert "size(@pile) > 7" not in text
    assert "size(@pack) < 9" in text
    assert "ends.play_on.out" in text


def test_ends_in_both_places_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "going-out.game.yaml"
    file.write_text(BESIDE.replace("steps:\n", "ends: {play_on: count of pile > 3}\nsteps:\n", 1), encoding="utf-8")
    assert run(["check", "--no-trial", str(file)]) == 1
    out = capsys.readouterr().out
    assert "error[duplicate-key]: `play_on` stands here twice" in out
    assert "going-out.game.yaml:17:3" in out
