"""Who sees a card: all but its owner, by conditions, face up and face down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hoyle
from hoyle.program.ir.nodes import Program
from native_play import POLICIES, has_compiler, load_library, play_natively
from secrecy import watch_match
from two_executors import compare_stretches, play_both

GAME = Path(__file__).parents[1] / "language" / "valid" / "who-sees.game.yaml"


@pytest.fixture(scope="module")
def game() -> hoyle.Game:
    return hoyle.load(GAME, players=3)


@pytest.fixture
def match(game: hoyle.Game) -> hoyle.Match:
    return game.new(seed=5)


def shown(match: hoyle.Match, seat: int | None, word: str) -> tuple[str | None, ...]:
    return next(zone.cards for zone in match.view(seat).zones if zone.word == word)


def choose(match: hoyle.Match, text: str) -> None:
    match.apply(next(action for action in match.decision.actions if action.text.startswith(text)))


def test_the_owner_of_a_fan_is_the_only_one_who_does_not_see_it(match: hoyle.Match) -> None:
    assert shown(match, 1, "fan.1") == (None, None)
    assert None not in shown(match, 0, "fan.1")
    assert shown(match, None, "fan.1") == shown(match, 2, "fan.1")


def test_a_hand_is_seen_by_all_as_soon_as_its_condition_holds_and_all_are_told(match: hoyle.Match) -> None:
    seat = match.decision.seat
    assert shown(match, None, f"hand.{seat}") == (None, None)
    before = len(match.events_for((seat + 1) % 3))
    choose(match, "open_up")
    told = match.events_for((seat + 1) % 3)[before:]
    held = shown(match, None, f"hand.{seat}")
    assert None not in held
    assert [event["cards"] for event in told if event["event"] == "shown"] == [list(held)]
    assert shown(match, (seat + 1) % 3, f"hand.{(seat + 2) % 3}") == (None, None)


def test_a_card_keeps_its_side_until_it_is_turned(match: hoyle.Match) -> None:
    assert [card is None for card in shown(match, 0, "column.1")] == [True, False]
    choose(match, "build column.1")
    moved = match.decision
    assert moved is not None
    columns = [shown(match, None, f"column.{lane}") for lane in (1, 2, 3)]
    assert sorted(len(column) for column in columns) == [1, 2, 3]
    assert [None in column for column in columns] == [len(column) > 1 for column in columns]
    assert match.copy().to_json() == match.to_json()
    assert hoyle.Match.from_json(match.game, match.to_json()).view(0) == match.view(0)


def test_all_executors_turn_the_same_cards(game: hoyle.Game) -> None:
    program: Program = game.program
    play_both(program, 1)
    compare_stretches(program, range(2))
    if has_compiler:
        for policy in POLICIES:
            play_natively(program, load_library(program), 1, policy, most=200)


def test_nothing_that_is_hidden_by_condition_or_face_down_is_told(game: hoyle.Game) -> None:
    watch_match(game, 7, 20, 8)


def test_views_are_hashable_and_json_and_their_numbers_are_numbers() -> None:
    match = hoyle.load("holdem", players=2).new(seed=1)
    view = match.view(0)
    assert hash(view) == hash(match.copy().view(0)) and len({view, match.view(0), match.view(1)}) == 2
    typed = {state.name: state.typed for state in view.states}
    assert typed["dealer"] in (0, 1) and type(typed["dealer"]) is int
    assert typed["high"] == 2 and typed["folded"] == ()
    told = json.loads(json.dumps(view.to_json()))
    assert told["seat"] == 0
    assert {state["name"]: state["typed"] for state in told["states"]}["dealer"] == typed["dealer"]
    assert "typed" not in match.information_state(0)


@pytest.mark.share
@pytest.mark.parametrize("name", hoyle.games())
def test_views_of_every_game_are_data_that_can_be_kept(name: str) -> None:
    match = hoyle.load(name).new(seed=2)
    for _ in range(20):
        decision = match.decision
        if decision is None:
            break
        for seat in (None, *range(match.game.players)):
            view = match.view(seat)
            told = json.loads(json.dumps(view.to_json()))
            assert [state["name"] for state in told["states"]] == [state.name for state in view.states]
            assert isinstance(hash(view), int)
        match.apply(decision.choice(decision.count // 2))
