"""Every declared limit stands in one table, the page of them is written from it, and each can be reached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hoyle.authoring.limit_table import LIMITS, Limit, write_limits
from hoyle.base.diagnostics.report import Report
from hoyle.language.compile import check_game
from hoyle.language.document.files import in_order
from hoyle.language.document.merging import load_file
from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault

ROOT = Path(__file__).parents[2]
RULES = """game: sample
title: Sample
players: {players}
{head}
deck: {{starts_in: pack, attributes: {{rank: 1..100}}, cards: [{{rank: 1..100, copies: {copies}}}]}}
zones:
  pack: {{shows: all}}
  hand: {{of: seat, shows: owner}}
{zones}
state:
  x: {{type: number, start: 2}}
  kept: cards
{states}
definitions:
  few: {few}
actions:
  nod: {{}}
  grab: {{choose: {{one: pack, two: pack, three: pack}}}}
  heap: {{choose: {{many: 1 or more cards from pack}}}}
steps:
  match: |
{match}
    dealer chooses nod
winners: seats
"""


def game(*lines: str, **parts: object) -> str:
    given: dict[str, object] = {
        "players": 2, "head": "", "copies": 1, "zones": "", "states": "", "few": 3,
        "match": "\n".join(f"    {line}" for line in lines or ("shuffle pack",)),
    }  # fmt: skip
    return RULES.format(**{**given, **parts})


# For each limit that is told, a file beyond it.
IN_CHECK: dict[str, Callable[[Limit], str]] = {
    "bytes": lambda most: game() + "#" * most.most,
    "values": lambda most: game(head="labels: [" + "1," * most.most + "]"),
    "depth": lambda most: game(head="labels: " + "[" * (most.most + 1) + "]" * (most.most + 1)),
    "entries": lambda most: game(zones="".join(f"  z{i}: {{shows: all}}\n" for i in range(most.most + 1))),
    "text": lambda most: game(few="1" + " + 1" * (most.most // 4)),
    "parentheses": lambda most: game(few="(" * (most.most + 1) + "1" + ")" * (most.most + 1)),
    "modules": lambda most: game(head="use: [" + ", ".join(["deck_52"] * (most.most + 1)) + "]"),
    "players": lambda most: game(players=f"1..{most.most + 1}"),
    "cards": lambda most: game(copies=most.most // 100 + 1),
    "zones": lambda most: game(head=f"kinds: {{lane: 1..{most.most + 1}}}", zones="  lanes: {of: lane, shows: all}"),
    "states": lambda most: game(head=f"kinds: {{lane: 1..{most.most + 1}}}", states="  y: {of: lane, type: number}"),
    "list": lambda most: game(states=f"  y: {{type: list of 0..9, most: {most.most + 1}}}"),
    "each": lambda most: game("for each lane: shuffle pack", head=f"kinds: {{lane: 1..{most.most + 1}}}"),
    "repeats": lambda most: game(f"repeat {most.most + 1} times: shuffle pack"),
}
IN_PLAY: dict[str, Callable[[Limit], str]] = {
    "instructions": lambda most: game(f"repeat {most.most + 1} times: set x to 1"),
    "evaluation": lambda most: game("if some v in 1..90000 satisfies (some w in 1..90000 satisfies (v + w < 0)): nod"
                                    .replace(": nod", ": shuffle pack")),
    "decisions": lambda most: game("repeat 90 times: dealer chooses nod"),
    "offered": lambda most: game("dealer chooses heap"),
    "choices": lambda most: game("dealer chooses grab"),
    "elements": lambda most: game(f"for each v in 1..(x + {most.most}): shuffle pack"),
    "subsets": lambda most: game("score count of subsets of pack to dealer"),
    "divided": lambda most: game(
        "score count of (pair in division of pack where count of pair = 2 leaving lowest count of rest) to dealer"
    ),
    "number": lambda most: game("repeat 99 times: set x to x * x"),
    "kept": lambda most: game(f"repeat {most.most + 1} times: add top of pack to kept"),
    "names": lambda most: game(*(f"let n{i} be (v + x for v in 1..{most.most // 4})" for i in range(5))),
}  # fmt: skip


def chain(length: int) -> dict[str, str]:
    """Variants each of which extends the next, and the game that the last one extends."""
    return {**{f"v{i}": f"game: v{i}\nextends: v{i + 1}\n" for i in range(length)}, f"v{length}": game()}


def family(size: int) -> dict[str, str]:
    """As many files: a variant of ten others, each of those a variant of some of the rest, all of one game."""
    heads, rest = [f"h{i}" for i in range(10)], [f"w{i}" for i in range(size - 12)]
    return {
        "v0": f"game: v0\nextends: [{', '.join(heads)}]\n",
        **{head: f"game: {head}\nextends: [{', '.join(rest[i::10])}]\n" for i, head in enumerate(heads)},
        **{name: f"game: {name}\nextends: sample\n" for name in rest},
        "sample": game(),
    }


# Limits of how many files there are: so many are read, one more is told.
OF_FILES: dict[str, Callable[[int], dict[str, str]]] = {"chain": chain, "files": family}
# Reached by tests of their own.
ELSEWHERE = {
    "simulated": "test_sim_endless.test_a_match_that_does_not_end_is_stopped_and_told",
    "check": "test_limits_in_check.test_a_megabyte_of_rules_is_answered_after_a_bounded_number_of_steps",
    "listing": "test_limits_in_play.test_what_is_too_much_work_is_a_fault_that_names_the_clause_on_every_executor",
    "remedies": "test_limits_in_check.test_looking_for_what_would_mend_a_file_is_bounded",
    "trial": "test_limits_in_check.test_trial_matches_take_no_more_than_is_allowed",
    "examples": "test_testing_bounds.test_those_that_were_not_run_are_told",
    "rounds": "test_limits_in_memory.test_a_score_sheet_has_a_last_round",
    "said": "test_number_parameter.test_a_bound_that_is_none_is_no_bound",
    "events": "test_limits_in_memory.test_events_of_many_decisions_are_forgotten_and_end_no_match",
}


def test_the_page_of_limits_is_current() -> None:
    written = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    assert written == write_limits(), "run: python -m hoyle.authoring.limit_table > docs/limits.md"


def test_every_limit_is_reached_by_a_test() -> None:
    assert {limit.name for limit in LIMITS} == IN_CHECK.keys() | IN_PLAY.keys() | OF_FILES.keys() | ELSEWHERE.keys()
    for test in ELSEWHERE.values():
        module, _, name = test.partition(".")
        (file,) = (ROOT / "tests").rglob(f"{module}.py")
        assert f"\ndef {name}(" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", OF_FILES)
def test_as_many_files_as_are_allowed_are_read_and_one_more_is_told(name: str, tmp_path: Path) -> None:
    limit = next(limit for limit in LIMITS if limit.name == name)
    for number, codes in ((limit.most, set()), (limit.most + 1, {limit.code})):
        for file, text in OF_FILES[name](number).items():
            (tmp_path / f"{file}.game.yaml").write_text(text)
        report = Report()
        found = load_file(tmp_path / "v0.game.yaml", report)
        assert {one.code for one in report.diagnostics} == codes
        assert all(f"more than {limit.most} " in one.message for one in report.diagnostics)
        assert found is None if codes else found is not None and len(in_order(found)) >= number


@pytest.mark.parametrize("name", IN_CHECK)
def test_a_file_beyond_a_limit_is_told(name: str, tmp_path: Path) -> None:
    limit = next(limit for limit in LIMITS if limit.name == name)
    (tmp_path / "sample.game.yaml").write_text(IN_CHECK[name](limit))
    checked = check_game(tmp_path / "sample.game.yaml")
    assert limit.code in {one.code for one in checked.report.diagnostics}


@pytest.mark.parametrize("name", IN_PLAY)
def test_play_beyond_a_limit_is_a_fault(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = next(limit for limit in LIMITS if limit.name == name)
    (tmp_path / "sample.game.yaml").write_text(IN_PLAY[name](limit))
    checked = check_game(tmp_path / "sample.game.yaml")
    assert checked.programs, checked.report.diagnostics
    if name == "evaluation":  # or else a test would take as long as it may
        monkeypatch.setattr(Evaluator, "most", limit.most // 20)
    executor = ReferenceExecutor(checked.programs[0], most_decisions=50)
    position = executor.start(1)
    with pytest.raises(Fault) as raised:
        while executor.run(position) == "decide":
            executor.apply(position, executor.list_legal(position)[0])
    assert raised.value.code == limit.code and raised.value.clause is not None
