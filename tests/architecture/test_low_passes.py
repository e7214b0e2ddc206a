"""One fixture for each pass over the low form: rules that need it, the low form before it, and what comes after.

A fixture is `tests/passes/PASS.txt`. Its rules are written by hand and completed to a small game; what follows them is
written by `pytest --update`. The blocks after a pass are those that are printed."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import yaml

from hoyle.language.library import find_program
from hoyle.play.codegen import passes
from hoyle.play.codegen.low.low_text import dump_blocks
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.passes.decide import Decisions
from hoyle.program.ir.nodes import Program

FIXTURES = Path(__file__).parents[1] / "passes"
FOLDER = Path(passes.__file__).parent
# Analyses and state that several passes share.
SHARED = {"__init__", "inputs", "mod_ref", "patterns", "scopes"}
PASSES = sorted({path.stem for path in FOLDER.glob("*.py")} - SHARED)
BEFORE, AFTER = "\n--- before\n", "\n--- after\n"
GAME = """
game: pass
title: Pass
players: 2
deck: {starts_in: pack, attributes: {rank: 1..6, suit: {red: R, blue: B}}, cards: [{rank: 1..6, suit: [red, blue]}]}
zones: {pack: {shows: all}, hand: {of: seat, shows: all}, row: {shows: all}}
state: {x: {type: number, start: 0}}
steps:
  match: |
    shuffle pack
    deal 4 cards from pack to each hand, starting dealer
    deal 3 cards from pack to row
    set x to rank of top of pack or else 0
    do turn
winners: (seat in seats with highest score of seat)
"""


class Writer(yaml.SafeDumper):
    """Writes steps as rule files do."""


def write_text(writer: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


Writer.add_representer(str, write_text)


def compile_rules(rules: str, folder: Path) -> Program:
    """The program of a game with some rules of its own."""
    game = yaml.safe_load(GAME)
    for section, own in yaml.safe_load(rules).items():
        game[section] = {**game.get(section, {}), **own} if isinstance(own, dict) else own
    path = folder / "pass.game.yaml"
    path.write_text(yaml.dump(game, Dumper=Writer, sort_keys=False, width=999), encoding="utf-8")
    program, report = find_program(path)
    assert program is not None, report.diagnostics
    return program


def run_passes(program: Program) -> tuple[str, str]:
    """The blocks before all passes and after them, as far as they differ."""
    module = lower_program(program)
    blocks = Decisions(module).expand()
    same = {number for number, block in module.blocks.items() if blocks.get(number) == block}
    before, after = ({n: each for n, each in of.items() if n not in same} for of in (module.blocks, blocks))
    return dump_blocks(module, before), dump_blocks(module, after)


def test_every_fixture_is_that_of_a_pass() -> None:
    assert {path.stem for path in FIXTURES.glob("[a-z]*.txt")} == set(PASSES)


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_makes_what_its_fixture_shows(name: str, tmp_path: Path, update: bool) -> None:
    fixture = FIXTURES / f"{name}.txt"
    rules, _, golden = fixture.read_text(encoding="utf-8").partition(BEFORE)
    program, entered = compile_rules(rules, tmp_path), set[str]()

    def note(frame: FrameType, _event: str, _value: Any) -> None:
        entered.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        before, after = run_passes(program)
    finally:
        sys.setprofile(None)
    assert str(FOLDER / f"{name}.py") in entered, "the rules do not need the pass"
    if update:
        fixture.write_text(f"{rules}{BEFORE}{before}{AFTER}{after}", encoding="utf-8", newline="\n")
        return
    assert f"{before}{AFTER}{after}".splitlines() == golden.splitlines()
