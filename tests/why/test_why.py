"""`hoyle why`: what decided that an action is allowed or not, at positions said in every way."""

from __future__ import annotations

import json
import re
import shutil
from io import StringIO
from pathlib import Path

import pytest

import hoyle
from hoyle.front.cli import run
from hoyle.play.transcript import record

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


def test_a_clause_without_a_sentence_says_that_of_the_definition_it_asks_for(
    stone: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path("rolling-stone/rolling-stone.game.yaml")
    text = re.sub(r"      any:\n +lead:[^\n]*\n +follow:[^\n]*", "      fits: card is fit", file.read_text())
    defined = "  card is fit: {text: Whoever can must follow suit., is: trick is empty or suit of card = suit_led}\n"
    file.write_text(text.replace("definitions:\n", "definitions:\n" + defined))
    _, shown = ask(capsys, stone, "play 7C", *GIVEN)
    assert "play 7C is not allowed: Whoever can must follow suit.\n" in shown


def test_what_is_allowed_cites_the_rules_that_allow_it(stone: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = ask(capsys, stone, "play TD", *GIVEN)
    assert code == 0
    assert shown.startswith("play TD is allowed\n")
    assert "[STONE-5]" in shown
    assert "STONE-5: " in shown


def test_a_tier_without_a_sentence_names_what_comes_first(stone: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = Path("rolling-stone/rolling-stone.game.yaml")
    file.write_text(re.sub(r"\n +text: Who can follow[^\n]*|, text: Who can follow[^}]*", "", file.read_text()))
    _, shown = ask(capsys, stone, "take", *GIVEN)
    assert "take is not allowed: `play` comes first, and can be done" in shown


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


def test_a_seed_with_choices_and_a_match_kept_while_it_was_played_are_the_same_position(
    stone: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, begun = ask(capsys, stone, "-p", "4", "--seed", "4")
    first = begun.split("offered: ")[1].split(", ")[0]
    played = ask(capsys, stone, "-p", "4", "--seed", "4", "--choices", first)
    assert played[0] == 0
    assert "seat 1 is to choose" in begun and "seat 2 is to choose" in played[1]
    seats = [part for seat in range(4) for part in ("--seat", str(seat))]
    monkeypatch.setattr("sys.stdin", StringIO(f"\n{first}\n\nsave kept.jsonl\nq\n"))
    assert run(["play", stone, "-p", "4", "--seed", "4", "--ask", *seats]) == 0
    capsys.readouterr()
    assert ask(capsys, stone, "--save", "kept.jsonl") == played
    Path("cut.jsonl").write_text(Path("kept.jsonl").read_text().replace(first, "play ZZ"))
    assert ask(capsys, stone, "--save", "cut.jsonl")[1].startswith(
        "hoyle: cut.jsonl: does not belong to this game as the file has it now: "
        "choice 1, `play ZZ`, is no longer legal: "
    )
    code, shown = ask(capsys, "whist", "--save", "kept.jsonl")
    assert (code, shown) == (1, "hoyle: kept.jsonl: a match of `rolling-stone`, not of `whist`\n")
    _, shown = ask(capsys, "whist", "-p", "3")
    assert shown == "hoyle: `whist` is for 4 players, not 3\n"


def test_a_transcript_and_a_position_as_json_are_read_too(stone: str, capsys: pytest.CaptureFixture[str]) -> None:
    match = hoyle.load(stone, players=4).new(seed=4)
    match.apply(match.decision.actions[0])
    Path("told.json").write_text(json.dumps(record(match), indent=2))
    Path("position.json").write_text(json.dumps(match.to_json()))
    by_choices = ask(capsys, stone, "-p", "4", "--seed", "4", "--choices", match.history[0])
    assert by_choices[0] == 0
    assert ask(capsys, stone, "--save", "told.json") == ask(capsys, stone, "--save", "position.json") == by_choices


def test_full_tells_everything_that_was_asked_in_order(stone: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, short = ask(capsys, stone, "play 7C", *GIVEN)
    _, full = ask(capsys, stone, "play 7C", *GIVEN, "--full")
    assert full.startswith(short)
    trace = full.removeprefix(short)
    assert trace.startswith("\nAsked in this order:\n  1. actions.play.choose.card at ")
    assert re.search(r"  2\. actions\.play\.allowed at .*: no, ", trace)
    assert "suit of card = suit_led: false" in trace


def test_the_trace_never_tells_one_sentence_both_true_and_false(capsys: pytest.CaptureFixture[str]) -> None:
    _, full = ask(capsys, "bonus-20", "draw", "--full")
    trace = full.partition("Asked in this order:")[2]
    assert "not (pile is empty): false" in trace and re.search(r"^ +pile is empty: true$", trace, re.M)
    assert "pack is not empty: true" in trace and "pack is not empty: false" not in trace


def test_too_few_cards_are_told_by_number(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = ask(capsys, "cribbage", "lay_away 5C", "--seed", "1")
    assert code == 0
    assert "lay_away 5C is not allowed: `cards` must be 2, not 1" in shown
    assert "by actions.lay_away.choose.cards at " in shown


@pytest.mark.parametrize(
    ("game", "shown", "named"),
    [("cribbage", "lay away KS KD", "lay_away KS KD"), ("hearts", "play QS", "play_card QS")],
)
def test_actions_may_be_written_as_tables_show_them(
    game: str, shown: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(capsys, game, shown) == ask(capsys, game, named)
    assert ask(capsys, game, named)[0] == 0


def test_choices_before_may_be_written_as_tables_show_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(capsys, "cribbage", "--seed", "1", "--choices", "lay away 5C 2D")[0] == 0


def test_the_moment_names_the_running_steps_the_rule_that_asks_and_the_tier_that_binds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, shown = ask(capsys, "bunco", "--example", "BUNCO-V4: first")
    assert code == 0
    running = re.findall(r"^ +(\w+) at games/bunco/bunco\.game\.yaml:\d+: (.+)$", shown, re.M)
    assert [step for step, _ in running] == ["match", "round", "play_of_the_game", "turn"]
    assert running[-1][1].startswith("player chooses next_card")
    assert "binding: choices.next_card.ones at " in shown


def test_an_error_that_can_be_made_is_not_told_to_be_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    called = ("--example", "BUNCO-V33", "--choices", "decline; decline; decline")
    _, shown = ask(capsys, "bunco", "play 4@hand.0 table_pile1", *called)
    assert shown.startswith(
        "play 4@hand.0 table_pile1 can be done, but is an error: The 1s in hand come first of all.\n"
        "  by choices.next_card.ones at games/bunco/bunco.game.yaml"
    )
    assert "passed over" not in shown
    _, shown = ask(capsys, "bunco", "play 1@hand.0 table_pile2", *called)
    assert shown.startswith("play 1@hand.0 table_pile2 is allowed\n")
    assert "passed over" not in shown, "only what speaks for it"
    assert "choices.next_card.ones at " in shown


def test_chips_paid_are_told_like_scores(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = ask(capsys, "bonanza", "score", "0", "--seed", "4")
    assert code == 0
    rows = re.findall(r"^round 1  seat 0  -1  = (\d+)  purse to (stake of \w+) +steps\.round at ", shown, re.M)
    assert [int(total) for total, _ in rows] == list(range(99, 89, -1))
    assert len({pot for _, pot in rows}) == 10
    assert "the scores: seat 0 90, " in shown


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
