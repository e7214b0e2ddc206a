"""With which options a rule file is sound is kept from one run of its examples to the next, while it is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle import specialise
from hoyle.testing import run_files
from hoyle.testing.running import forget_tables

RULES = """game: peeking
title: Peeking
players: 2
use: [deck_52]
options:
  open: {text: What is decided by., default: true}
zones: {pack: {shows: nothing}, pile: {shows: all}, hand: {of: seat, shows: owner}}
actions: {wait: {}, stop: {}}
steps:
  match: |
    shuffle pack
    move top of pack to pile
    dealer chooses wait
winners: seats
"""
LEAK = """    if open: dealer chooses wait
    if not open and suit of top of pack = hearts: dealer chooses stop
"""
EXAMPLES = """tests: peeking
examples:
  - name: it is played
    options: {open: false}
    do: [0 wait]
"""


@pytest.fixture
def tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(specialise, "_SOUND", {})
    (tmp_path / "peeking.game.yaml").write_text(RULES, encoding="utf-8")
    file = tmp_path / "peeking.test.yaml"
    file.write_text(EXAMPLES, encoding="utf-8")
    return file


def run(tests: Path) -> list[str]:
    forget_tables()
    specialise._SOUND.clear()  # as in another process
    return [outcome.message for outcome in run_files([tests])]


def test_a_table_that_was_examined_is_not_examined_again(tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    find_leaks = specialise.find_leaks
    monkeypatch.setattr(specialise, "find_leaks", lambda program: looked.append(program) or find_leaks(program))
    assert run(tests) == [""] and len(looked) == 1
    assert run(tests) == [""] and len(looked) == 1
    for kept in (tests.parent / "cache").glob("examined-*.json"):
        kept.write_bytes(kept.read_bytes()[:-3])
    assert run(tests) == [""] and len(looked) == 2, "what is damaged is found again"


def test_rules_that_have_changed_are_examined_anew(tests: Path) -> None:
    assert run(tests) == [""]
    rules = tests.parent / "peeking.game.yaml"
    rules.write_text(RULES.replace("    dealer chooses wait\n", LEAK), encoding="utf-8")
    (message,) = run(tests)
    assert "error[unseen]" in message
    rules.write_text(RULES, encoding="utf-8")
    assert run(tests) == [""]
