"""Saved matches, positions and transcripts that come from outside: what is malformed or impossible is refused with one
error that says where, and whatever is accepted can be played on from."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

import hoyle
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.transcript import record, replay
from hoyle.program.model.position import Position
from hoyle.program.model.records import RecordError

WRONG: tuple[Any, ...] = (None, -1, 10**30, "x", True, 1.5, [], {}, {"t": 3}, [[[]]])
GAME = hoyle.load("bonus-20", 2)


@pytest.fixture(scope="module")
def match() -> hoyle.Match:
    found = GAME.new(3)
    for _ in range(6):
        assert found.decision is not None
        found.apply(found.decision.actions[-1])
    return found


def list_places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in JSON data, of long lists only the beginning."""
    if path:
        yield path
    items = data.items() if isinstance(data, dict) else enumerate(data[:3]) if isinstance(data, list) else ()
    for key, value in items:
        yield from list_places(value, (*path, key))


def spoil(data: Any) -> Iterator[Any]:
    """The data with one thing missing, or something else in its place."""
    for path in list_places(data):
        for wrong in ("missing", *WRONG):
            spoilt = copy.deepcopy(data)
            inner = spoilt
            for key in path[:-1]:
                inner = inner[key]
            if wrong == "missing":
                del inner[path[-1]]
            else:
                inner[path[-1]] = wrong
            yield spoilt


def test_a_saved_match_that_is_spoilt_is_refused_with_where_or_can_be_gone_on_from(match: hoyle.Match) -> None:
    refused = 0
    for spoilt in spoil(json.loads(json.dumps(match.to_json()))):
        try:
            again = hoyle.Match.from_json(GAME, spoilt)
        except RecordError as wrong:
            refused += 1
            assert str(wrong).partition(":")[0].startswith(("match", "position"))
            continue
        try:
            again.view(0)
            again.events_for(1)
            if again.decision is not None:
                again.apply(again.decision.actions[0])
        except hoyle.Fault:
            pass
    assert refused > 100


@pytest.mark.parametrize("data", ["", "x", [1], None, 3, {"game": "bonus-20"}, 1e999, {"format": "2"}], ids=str)
def test_what_is_no_match_is_refused(data: object) -> None:
    with pytest.raises(RecordError, match="match"):
        hoyle.Match.from_json(GAME, data)


def test_a_position_that_is_spoilt_is_refused_with_where(match: hoyle.Match) -> None:
    for spoilt in spoil(match.position.to_json()):
        try:
            Position.from_json(spoilt)
        except RecordError as wrong:
            assert str(wrong).startswith("position")


def test_a_transcript_that_is_spoilt_is_refused_with_where(match: hoyle.Match) -> None:
    for spoilt in [*spoil(record(match)), *spoil({**record(match), "script": [1, [2]]}), [], None, "x"]:
        try:
            replay(GAME, spoilt)
        except RecordError as wrong:
            assert str(wrong)
        except hoyle.Fault:
            pass
    executor = GAME.executor
    assert isinstance(executor, GeneratedExecutor) and executor.generated.mistakes == {}


@pytest.mark.parametrize("script", [[7], [[[1], 2]], [["x"]]], ids=str)
def test_a_script_that_chance_cannot_follow_is_told(match: hoyle.Match, script: list[object]) -> None:
    said = r"transcript.script: does not fit choice 0: a shuffle needs an order of cards"
    with pytest.raises(RecordError, match=said):
        replay(GAME, {**record(match), "script": script})
