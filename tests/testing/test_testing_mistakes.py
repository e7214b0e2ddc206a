"""Mistakes in files of examples: each has a code, a place and a hint, and none a traceback."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from hoyle.authoring.testing import run_files
from hoyle.base.diagnostics.codes import CODES
from hoyle.base.diagnostics.codes_testing import TESTING_CODES
from hoyle.base.shipped import games_folder

HEAD = "tests: bonus-20\ndefaults: {players: 3, given: {player: 1}}\nexamples:\n"

# The code, the example, the text the caret stands under, and a word of the message or hint.
MISTAKES = [
    ("unknown-card", "given: {pile: C15}", "C15", "C1"),
    ("unknown-card", "given: {pile: C3 c4}", "c4", "did you mean `C4`?"),
    ("unknown-card", "given: {pile: 4C}", "4C", "did you mean `C4`?"),
    ("unknown-card", "given: {pile: C12}\n    legal: [play 4C]", "play 4C", "did you mean `C4`?"),
    ("unknown-card", "given: {pile: C12}\n    legal: [play C15]", "play C15", "C15"),
    ("unknown-card", "expect: {pile: C6}", "C6", "no card `C6`"),
    ("unknown-card", "expect: {view of 1: {hand: C7 C6}}", "C6", "no card `C6`"),
    ("too-many-copies", "given: {pile: C7, hand of 1: C7}", "C7", "only one `C7`"),
    ("too-many-copies", "given: {at: round, deck: C7 C8 C7}", "C7", "named twice"),
    ("cards-left-over", "given: {pack: empty, hand of 1: C1}", "empty", "rest: ZONE"),
    ("cards-left-over", "given: {pack: C1, rest: pile, pile: empty}", "empty", "rest: ZONE"),
    ("unknown-place", "given: {hnad of 1: C7}", "hnad of 1", "did you mean `hand`?"),
    ("unknown-place", "given: {rest: called, pack: C1}", "called", "not a zone"),
    ("unknown-place", "expect: {winer: 1}", "winer", "did you mean `winners`?"),
    ("unknown-seat", "given: {hand of 3: C7}", "hand of 3", "0 to 2"),
    ("unknown-seat", "given: {hand: C7}", "hand", "hand of 0"),
    ("unknown-seat", "given: {pile of 1: C7}", "pile of 1", "belongs to nobody"),
    ("unknown-seat", "expect: {view of 7: {}}", "view of 7", "0 to 2"),
    ("unknown-seat", "given: {player: 8}", "8", "0 to 2"),
    ("unknown-seat", "do: [5 draw]", "5 draw", "0 to 2"),
    ("bad-test-value", "given: {called: sqares}", "sqares", "did you mean `squares`?"),
    ("bad-test-value", "given: {scores: [1, 2]}", "[1, 2]", "one for each seat"),
    ("bad-test-value", "evaluate: {count of pile: many}", "many", "a number"),
    ("bad-choice", "do: [draw]", "draw", "1 play C7"),
    ("bad-action", "do: [1 draw C7]", "1 draw C7", "write `draw`"),
    ("bad-action", "given: {hand of 1: X3, pile: C12}\n    illegal: {play: allowed}", "play", "play <card>"),
    ("unknown-action", "legal: [plya C7]", "plya C7", "did you mean `play`?"),
    ("unknown-action", "policy: plya", "plya", "did you mean `play`?"),
    ("unknown-clause", "illegal: {pass: actions.pas}", "actions.pas", "did you mean"),
    ("bad-order", "given: {at: round, deck: 'perm(2, 5)'}", "'perm(2, 5)'", "divisor"),
    ("bad-until", "policy: draw\n    until: the end", "the end", "round over"),
    ("unknown-step", "given: {at: rond}", "rond", "did you mean `round`?"),
    ("step-not-reached", "given: {rounds_played: 0}\n    then: [{given: {at: match}}]", "match", "does not begin"),
    ("unknown-option", "options: {leader_may_drew: true}", "leader_may_drew", "did you mean `leader_may_draw`?"),
    ("bad-option-value", "options: {turn_cap: 0}", "0", "1 to 100000"),
    ("player-count", "players: 12", "12", "2 to 9"),
    ("unknown-name", "evaluate: {count of pyle: 1}", "pyle", "pile"),
    ("missing-key", "evaluate: count of pile", "count of pile", "gives"),
    ("game-fault", "given: {at: round, chance: [C7]}", "{at: round, chance: [C7]}", "order of cards"),
    ("wrong-seat", "do: [2 draw]", "2 draw", "seat 1 is to choose"),
    ("choice-refused", "do: [1 pass]", "1 pass", "actions.pass"),
    ("policy-stuck", "policy: pass", "pass", "seat 1"),
    ("not-as-expected", "expect: {over: true}", "true", "over"),
    ("unknown-key", "gven: {}", "gven", "did you mean `given`?"),
]  # fmt: skip


def run_one(tmp_path: Path, text: str) -> str:
    path = tmp_path / "some.test.yaml"
    path.write_text(text, encoding="utf-8")
    [outcome] = run_files([path])
    assert not outcome.passed
    return outcome.message


@pytest.mark.parametrize(("code", "body", "under", "word"), MISTAKES, ids=[f"{m[0]}: {m[1]}" for m in MISTAKES])
def test_a_mistake_is_told_with_its_place(tmp_path: Path, code: str, body: str, under: str, word: str) -> None:
    message = run_one(tmp_path, f"{HEAD}  - name: it\n    {body}\n")
    assert f"error[{code}]" in message
    assert word in message
    found = re.search(r"\d+ \| (?P<line>.*)\n(?: +\| +-.*\n)*? +\| (?P<caret> *\^+)", message)
    assert found is not None, message
    start = found["caret"].index("^")
    assert found["line"][start : start + found["caret"].count("^")] == under


def test_a_game_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    message = run_one(tmp_path, "tests: bonus-21\nexamples: []\n")
    assert "error[unknown-game]" in message
    assert "did you mean `bonus-20`?" in message


@pytest.mark.parametrize("text", ["", "tests", "- 1\n", "tests: [", "tests: bonus-20\nexamples: 5\n", "\x00"])
def test_a_file_that_is_no_file_of_examples_is_told_as_one_failure(tmp_path: Path, text: str) -> None:
    assert "error[" in run_one(tmp_path, text)


def test_a_file_that_is_not_there_is_told() -> None:
    [outcome] = run_files(["nowhere.test.yaml"])
    assert "error[unreadable-file]" in outcome.message


def test_every_code_of_examples_is_explained_and_triggered() -> None:
    triggered = {mistake[0] for mistake in MISTAKES} | {"unknown-game", "too-much-to-test"}
    assert {code.slug for code in TESTING_CODES} <= triggered
    for code in TESTING_CODES:
        assert CODES[code.slug] is code
        assert bool(code.wrong) == bool(code.right)


WORDS = [
    "C7", "B", "empty", "none", "0", "1", "9", "-1", "pile", "pack", "player", "called", "squares", "play", "draw",
    "any", "[]", "{}", "[1]", "{a: 1}", "true", "null", "~", "'x'", "random", "round", "match", "seat", "(", "1e9",
    "999999999999999999", "'\"'", "of", "nothing", "decline", "given", "do", "then", "expect", "winners", "gets", "??",
    "|", "hidden",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_no_file_of_examples_brings_a_traceback(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    whole = (games_folder() / "bonus-20" / "bonus-20.test.yaml").read_text(encoding="utf-8")
    head, _, body = whole.partition("examples:\n")
    examples = [part for part in re.split(r"\n(?=  - )", body) if "policy" not in part]
    for number in range(5):
        text = chance.choice(examples)
        for _ in range(chance.randint(1, 3)):
            start, end = chance.choice([each.span() for each in re.finditer(r"[^\s,{}\[\]:]+|[{}\[\],:]", text)])
            text = text[:start] + chance.choice(WORDS) + text[end:]
        path = tmp_path / f"{number}.test.yaml"
        path.write_text(f"{head}examples:\n{text}\n", encoding="utf-8")
        for outcome in run_files([path]):
            assert outcome.passed or "error[" in outcome.message
