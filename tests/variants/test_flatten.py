"""`hoyle flatten`: a file that extends nothing and plays the same, decision by decision."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hoyle as library
from hoyle.base import shipped
from hoyle.front.cli import run
from hoyle.language.compile import compile_game
from hoyle.language.family import find_parents
from hoyle.program.ir.nodes import Program

ROOT = Path(__file__).parents[2]
STONE = ROOT / "docs" / "examples" / "rolling-stone"
VARIANTS = [path for path in shipped.all_games() if find_parents(path)]


def compile_at(path: Path) -> Program:
    program, report = compile_game(path)
    assert program is not None, [found.message for found in report.ordered()]
    return program


def strip(program: Program) -> Program:
    """A program without the places of its clauses, the numbered rules, which lie elsewhere, labels of actions that are
    not there, and digests of how its sections are written."""
    clauses = tuple(replace(clause, file="", line=0, column=0) for clause in program.clauses)
    names = {action.name for action in program.actions}
    labels = tuple(
        replace(each, told={name: text for name, text in each.told.items() if name in names})
        for each in program.labels
    )
    return replace(program, clauses=clauses, rules={}, labels=labels, digests={})


def tell(path: Path, seed: int) -> list[Any]:
    """A match by a simple rule: every decision, what was offered, and how it ended."""
    match = library.load(path).new(seed=seed)
    told: list[Any] = []
    while (decision := match.decision) is not None and len(told) < 400:
        told.append((decision.seat, [str(action) for action in decision.actions]))
        action = decision.actions[(seed + len(told)) % len(decision.actions)]
        match.apply(action.with_number(action.number[0]) if action.number else action)
    return [*told, match.scores]


def prove(path: Path, folder: Path) -> None:
    alone = folder / path.name
    assert run(["flatten", str(path), "-o", str(alone)]) == 0
    text = alone.read_text(encoding="utf-8")
    assert "\nextends:" not in text
    assert run(["check", str(alone), "--no-trial"]) == 0
    assert run(["fmt", "--check", str(alone)]) == 0
    assert strip(compile_at(alone)) == strip(compile_at(path))
    assert tell(alone, 3) == tell(path, 3)


@pytest.mark.slow
@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.name)
def test_every_shipped_variant_flattened_checks_alone_and_plays_the_same(path: Path, tmp_path: Path) -> None:
    prove(path, tmp_path)


def test_a_variant_of_variants_with_house_rules_is_put_together(tmp_path: Path) -> None:
    for name, text in {
        "one.game.yaml": "game: one\ntitle: One\nextends: bonus-20\noptions: {match_deals: 2}\n",
        "late.module.yaml": "module: late\nextends: bonus-20\nsteps:\n  round:\n    - after: shuffle pack\n"
        "      do: cut pack\n",
        "two.game.yaml": "game: two\ntitle: Two\nextends: one\nuse: [late]\nsteps:\n  round:\n"
        "    - last: announce \"cut\"\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    folder = tmp_path / "alone"
    folder.mkdir()
    prove(tmp_path / "two.game.yaml", folder)


def test_nothing_is_overwritten_and_what_does_not_check_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(STONE, tmp_path / "stone")
    mercy = tmp_path / "stone" / "rolling-stone-mercy.game.yaml"
    assert run(["flatten", str(mercy), "-o", str(mercy)]) == 1
    assert "is there already; nothing was changed" in capsys.readouterr().err
    mercy.write_text(mercy.read_text(encoding="utf-8").replace("extends: rolling-stone", "extends: rolling-stoen"))
    assert run(["flatten", str(mercy)]) == 1
    assert "rolling-stoen" in capsys.readouterr().err
