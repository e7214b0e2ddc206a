"""`hoyle why`: what decided that an action is allowed or not, at positions said in every way."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hoyle.cli import run

ROOT = Path(__file__).parents[2]
GIVEN = ("-p", "4", "--given", "player: 1; hand of 1: 7C TD AS; trick: KD")


@pytest.fixture
def stone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    shutil.copytree(ROOT / "docs" / "examples" / "rolling-stone", tmp_path / "rolling-stone")
    monkeypatch.chdir(tmp_path)
    return "./rolling-stone"


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(["why", *arguments])
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def test_a_refusal_names_the_clause_its_values_and_what_would_have_to_differ(
    stone: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = ask(capsys, stone, "play 7C", *GIVEN)
    assert code == 0
    assert "play 7C is not allowed" in shown
    assert "by actions.play.allowed at rolling-stone/rolling-stone.game.yaml:52" in shown
    assert "`suit of card` is clubs and would have to be diamonds" in shown
    assert "What can be done: play TD" in shown


def test_what_is_allowed_cites_the_rules_that_allow_it(stone: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = ask(capsys, stone, "play TD", *GIVEN)
    assert code == 0
    assert shown.startswith("play TD is allowed\n")
    assert "[STONE-5]" in shown
    assert "STONE-5: " in shown


def test_a_changed_rule_changes_the_answer(stone: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(stone) / "rolling-stone.game.yaml"
    text = path.read_text(encoding="utf-8")
    rule = next(line for line in text.splitlines() if "suit of card = suit_led" in line)
    path.write_text(text.replace(rule, rule.replace("suit of card = suit_led", "rank of card = rank of top of trick")))
    _, shown = ask(capsys, stone, "play 7C", *GIVEN)
    assert "`rank of card` is 7 and would have to be K" in shown


def test_the_position_of_an_example_and_that_after_it(stone: str, capsys: pytest.CaptureFixture[str]) -> None:
    taking = ("--example", "who cannot follow takes up")
    _, before = ask(capsys, stone, *taking)
    _, after = ask(capsys, stone, *taking, "--after")
    assert "offered: take" in before
    assert "offered: play 7C, play AS, play KD, play 9D" in after


def test_scores_are_told_entry_by_entry(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = ask(capsys, "cribbage", "score", "--example", "CRIB-T13", "--after")
    assert code == 0
    assert "+5  = 17  flush" in shown
    assert "scores.show.flush at games/cribbage/cribbage.game.yaml" in shown
    assert "the scores: seat 0 8, seat 1 17" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dance"], "there is no action `dance`"),
        (["play ZZ"], "is not how `play` is written: play <card>"),
        (["--choices", "play 2C; fly"], "`play 2C` among the choices"),
        (["--save", "rolling-stone/rules.yaml"], "not a saved match"),
        (["--example", "no such example"], "no example"),
        (["--given", "hat: 7C"], "no zone and no state named `hat`"),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    stone: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = ask(capsys, stone, *arguments)
    assert code == 1
    assert said in shown
