"""A file of examples takes no more than so many steps, whatever its examples do, and tells which were not run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hoyle.authoring.testing import run_files
from hoyle.authoring.testing import running as bounds
from hoyle.authoring.testing.inheriting import compare_with_parents
from hoyle.base.shipped import games_folder
from hoyle.front.cli.app import run

RULES = """game: slow
title: Slow
players: 2
deck: {starts_in: pack, attributes: {rank: 1..20}, cards: [{rank: 1..20}]}
zones:
  pack: {shows: all}
state:
  turns: {type: number, start: 0}
definitions:
  slow: some a in 1..60 satisfies (some b in 1..60 satisfies (a + b < turns - 200))
actions:
  nod: {do: set turns to turns + 1}
  shake: {allowed: slow}
steps:
  match: |
    repeat 900 times:
      dealer chooses nod or shake
    do finish
  finish: |
    if slow: shuffle pack
winners: (seat in seats where slow)
"""
HEAD = "tests: slow\nexamples:\n"
QUICK = "  - name: quick {number}\n    expect: {{turns: 0}}\n"
SLOW = {
    "expressions": "evaluate: {{slow: false}}",
    "choices": "do: [0 nod, 0 nod]",
    "refusals": "illegal: {{shake: actions.shake.allowed}}",
    "offers": "legal: [nod]",
    "policies": "policy: nod where not slow\n    until: 2 choices",
    "positions": "given: {{at: finish}}\n    seed: {number}",
    "steps": "then: [{{legal: [nod]}}, {{legal: [nod]}}]",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bounds, "MOST_TESTED", 40_000)
    (tmp_path / "slow.game.yaml").write_text(RULES, encoding="utf-8")
    return tmp_path


def write(folder: Path, body: str, count: int) -> Path:
    path = folder / "slow.test.yaml"
    examples = "".join(f"  - name: slow {number}\n    {body.format(number=number)}\n" for number in range(count))
    path.write_text(HEAD + QUICK.format(number=0) + examples, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", SLOW)
def test_whatever_takes_long_in_examples_is_counted(folder: Path, kind: str) -> None:
    outcomes = list(run_files([write(folder, SLOW[kind], 120)]))
    assert len(outcomes) < 100
    assert all(outcome.passed for outcome in outcomes[:-1]), outcomes[0].message
    assert "error[too-much-to-test]" in outcomes[-1].message


def test_those_that_were_not_run_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(folder, SLOW["expressions"], 120)
    *held, stopped = run_files([path])
    assert [outcome.name for outcome in held] == ["quick 0", *(f"slow {number}" for number in range(len(held) - 1))]
    assert not stopped.passed and stopped.name == "the file of examples"
    first = f"slow {len(held) - 1}"
    assert f"{len(held)} examples were run; `{first}` and those after it were not, {121 - len(held)} in all" in (
        stopped.message
    )
    assert "running these examples takes more than 40,000 steps" in stopped.message
    assert stopped.line == 5 + 2 * (len(held) - 1)
    assert run(["test", str(path)]) == 1
    assert capsys.readouterr().out.endswith(f"{len(held)} passed, 1 failed\n")
    assert run(["test", str(path), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)[-1]["message"] == stopped.message
    assert run(["test", str(path), "-k", "slow 119"]) == 0, "it is within the bound by itself"


def test_a_single_one_that_goes_on_for_long_is_told(folder: Path) -> None:
    body = "policy: nod\n    until: match over"
    (quick, stopped) = run_files([write(folder, body, 1)])
    assert quick.passed
    assert "1 example was run; `slow 0` was not" in stopped.message


def test_examples_of_parents_have_the_same_bound(folder: Path) -> None:
    write(folder, SLOW["choices"], 120)
    variant = folder / "slower.game.yaml"
    variant.write_text("game: slower\nextends: slow\ntitle: Slower\n", encoding="utf-8")
    found = compare_with_parents(variant)
    assert found.problem is not None and "error[too-much-to-test]" in found.problem.message


@pytest.mark.slow
def test_no_shipped_file_comes_near_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """That with most steps of all takes a tenth of it."""
    monkeypatch.setattr(bounds, "MOST_TESTED", bounds.MOST_TESTED // 5)
    assert all(outcome.passed for outcome in run_files([games_folder()]))
