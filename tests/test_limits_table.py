"""Every declared limit stands in one table, the page of them is written from it, and each can be reached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hoyle.compile import check_game
from hoyle.engine.evaluate import Evaluator
from hoyle.engine.executor import ReferenceExecutor
from hoyle.engine.faults import Fault
from hoyle.limits import LIMITS, Limit, write_limits

ROOT = Path(__file__).parent.parent
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
# Reached elsewhere: chains and files by many files, the work of a check, rounds and events in tests of their own.
ELSEWHERE = {"chain", "files", "check", "remedies", "trial", "rounds", "events", "said"}


def test_the_page_of_limits_is_current() -> None:
    written = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    assert written == write_limits(), "run: python -m hoyle.limits > docs/limits.md"


def test_every_limit_is_reached_by_a_test() -> None:
    assert {limit.name for limit in LIMITS} == IN_CHECK.keys() | IN_PLAY.keys() | ELSEWHERE


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
