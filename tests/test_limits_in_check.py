"""Whatever a rule file says, it is checked in a time that grows with its length: definitions and actions that use the
one below them twice would else take twice as long at every storey, and these would never be answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.compile import check_file

RULES = """
game: tower
title: Tower
players: 2
deck: {{starts_in: pack, attributes: {{rank: 1..9}}, cards: [{{rank: 1..9, copies: 4}}]}}
zones: {{pack: {{shows: all}}, hand: {{of: seat, shows: owner}}}}
state: {{x: {{type: number, start: 1}}}}
definitions:
{definitions}
actions:
{actions}
  nod: {{}}
steps:
  match: |
    shuffle pack
    if {test}: score 1 to dealer
    dealer chooses nod{more}
winners: (seat in seats with highest score of seat)
"""
HEIGHT = 45


def tower(first: str, each: str) -> str:
    return "\n".join([f"  d0{first}", *(f"  d{i}{each.format(below=i - 1)}" for i in range(1, HEIGHT))])


CASES = {
    "numbers": (tower(": count of pack", ": d{below} + d{below}"), "d44 > 1"),
    "conditions": (tower(": x > 1", ": d{below} or not d{below}"), "d44"),
    "of a seat": (
        tower(" of seat: count of hand of seat", " of seat: d{below} of left of seat + d{below} of seat"),
        "d44 of dealer > 1",
    ),
    "of a zone": (tower(" of zone: count of zone", " of zone: d{below} of zone + d{below} of pack"), "d44 of pack > 1"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_tower_of_definitions_is_checked(case: str, tmp_path: Path) -> None:
    definitions, test = CASES[case]
    (tmp_path / "tower.game.yaml").write_text(RULES.format(definitions=definitions, actions="", test=test, more=""))
    assert not check_file(tmp_path / "tower.game.yaml").diagnostics


def test_a_tower_of_actions_is_checked(tmp_path: Path) -> None:
    actions = "  a0: {choose: {card: hand}}\n" + "\n".join(
        f"  a{i}: {{choose: {{card: hand}}, possible: {{one: seat can a{i - 1}, two: seat may a{i - 1}}}}}"
        for i in range(1, HEIGHT)
    )
    more = "".join(f" or a{i}" for i in range(HEIGHT))
    text = RULES.format(definitions="  few: 3", actions=actions, test="few > x", more=more)
    (tmp_path / "tower.game.yaml").write_text(text)
    assert not check_file(tmp_path / "tower.game.yaml").diagnostics
