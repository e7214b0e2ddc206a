"""Playing the tiny game: decisions, refusals, chance, guards, keeping."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hoyle
from hoyle.play.engine.actions import Action
from hoyle.play.engine.conservation import check_conservation
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game, IllegalAction, Match
from hoyle.play.engine.origin import OtherRules
from hoyle.play.engine.refusals import Refusal
from hoyle.play.transcript import TranscriptMismatch, record, replay
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.dump import dump_text
from hoyle.program.ir.schema import build_schema, list_node_classes
from hoyle.program.ir.serialise import to_json_data
from hoyle.program.ir.types import NUMBER, TRUTH
from hoyle.program.model.position import Position
from tiny_program import CALLED, PLAYER, apply, const, make_program, zone

PROGRAM = make_program()
GAME = Game(PROGRAM)
CODES = [card.code for card in PROGRAM.cards]
SCHEMA = Path(__file__).parents[2] / "schema" / "ir.schema.json"


def rig(*codes: str) -> list[Any]:
    """A script that deals these cards first: the last is the bottom of what is dealt, nothing is cut."""
    left = list(range(len(CODES)))
    order = []
    for code in codes:
        card = next(card for card in left if CODES[card] == code)
        left.remove(card)
        order.append(card)
    return [left + order[::-1], 0]


def deal(mine: str, theirs: str, pile: str, rest: str = "") -> Match:
    """A match in which seat 0 has `mine`, seat 1 `theirs`, four each, and three cards lie on the pile."""
    hands = [code for pair in zip(theirs.split(), mine.split(), strict=True) for code in pair]
    return GAME.new(0, rig(*hands, *pile.split(), *rest.split()), checked=True)


def lay(match: Match, *texts: str) -> Match:
    for text in texts:
        match.apply(text)
    return match


def play_out(match: Match, seed: int) -> Match:
    chance = random.Random(seed)
    while (decision := match.decision) is not None:
        match.apply(chance.choice(decision.actions))
    return match


def texts(match: Match) -> list[str]:
    assert match.decision is not None
    return [action.text for action in match.decision.actions]


def refuse(match: Match, action: Action | str | int) -> Refusal:
    before = match.to_json()
    with pytest.raises(IllegalAction) as raised:
        match.apply(action)
    assert match.to_json() == before
    return raised.value.refusal


# ------------------------------------------------------------------------------------------------ what is offered
def test_copies_of_a_card_are_one_choice_and_groups_are_multisets() -> None:
    match = deal("W A1 W A2", "B1 B2 B3 B4", "A3 A4 A5")
    assert texts(match) == [
        "lay W", "lay A1", "lay A2", "lay W A1", "lay W W", "lay W A2", "lay A1 A2",
    ]  # fmt: skip


def test_picks_are_offered_in_every_combination() -> None:
    match = lay(deal("A1 A2 W B1", "B2 B3 B4 B5", "A3 A4 A5"), "lay B1", "lay B2")
    match.position.states[PLAYER] = 0
    assert texts(match) == ["play A1", "play A2", "wild W ash", "wild W birch"]
    assert match.decision is not None
    assert match.decision.actions[2].picks == {"card": "W", "named": "ash"}


def test_the_first_tier_with_a_legal_action_binds() -> None:
    match = lay(deal("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A6"), "lay A1", "lay B2")
    assert texts(match) == ["draw"]
    match.position.zones[1].append(match.position.zones[2].pop())
    assert texts(match) == ["play B3", "play B4", "play B5"]


def test_an_edited_position_decides_anew_whose_turn_it_is() -> None:
    match = lay(deal("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A6"), "lay A1", "lay B2")
    assert match.decision is not None and match.decision.seat == 1
    match.position.states[PLAYER] = 0
    assert match.decision.seat == 0
    assert texts(match) == ["play A2", "play B6"]


def test_a_declined_choice_is_offered_last_where_the_decision_is_optional() -> None:
    decisions = (PROGRAM.decisions[0], dataclasses.replace(PROGRAM.decisions[1], optional=True))
    match = Game(dataclasses.replace(PROGRAM, decisions=decisions)).new(3)
    match.apply(0)
    match.apply(0)
    offered = texts(match)
    assert offered[-1] == "decline" and len(offered) > 1
    hands = [pile[:] for pile in match.position.zones]
    match.apply("decline")
    assert match.position.zones == hands
    assert match.events_for(0)[-2]["action"] is None


def test_whether_a_seat_may_act_asks_its_conditions_but_not_its_tier() -> None:
    match = lay(deal("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A6"), "lay A1", "lay B2")
    evaluate = match.executor.evaluator.value

    def can(action: int, seat: int, how: Any) -> bool:
        asked = ir.CanDo(type=TRUTH, action=action, seat=const(seat), how=how)
        return bool(evaluate(asked, match.position, [None]))

    assert can(0, 1, "can") and not can(0, 1, "may")
    assert can(0, 0, "may") and can(2, 0, "may") and not can(1, 0, "can")


# ------------------------------------------------------------------------------------------------ how it is written
def test_actions_are_taken_by_object_text_or_place() -> None:
    first, second, third = (GAME.new(4) for _ in range(3))
    assert first.decision is not None
    first.apply(first.decision.actions[1])
    second.apply(f"  {texts(second)[1].upper()} ")
    third.apply(1)
    assert first == second == third


def test_a_group_may_be_written_in_any_order_and_any_stands_for_what_is_unique() -> None:
    match = deal("W A1 W A2", "B1 B2 B3 B4", "A3 A4 A5")
    match.apply("lay A2 A1")
    assert match.history == ["lay A1 A2"]
    match.apply("lay B1+B2")
    match.position.states[PLAYER] = 0
    match.apply("wild any birch")
    assert match.history[-1] == "wild W birch"


def test_an_ambiguous_text_is_refused_with_what_it_could_mean() -> None:
    match = deal("W A1 W A2", "B1 B2 B3 B4", "A3 A4 A5")
    assert "`lay A1`" in refuse(match, "lay any").text


def test_equal_cards_in_different_zones_are_told_apart_by_their_zone() -> None:
    both = apply(
        PROGRAM.actions[4].picks[0].source.type, "join", PROGRAM.actions[4].picks[0].source,
        apply(PROGRAM.actions[4].picks[0].source.type, "cards", zone(0)),
    )  # fmt: skip
    pick = dataclasses.replace(PROGRAM.actions[4].picks[0], source=both, high=const(1))
    actions = (*PROGRAM.actions[:4], dataclasses.replace(PROGRAM.actions[4], picks=(pick,)))
    game = Game(dataclasses.replace(PROGRAM, actions=actions))
    match = game.new(0, rig("B1", "W", "B2", "A1", "B3", "A2", "B4", "A3", "A4", "A5", "A6"))
    offered = texts(match)
    assert "lay W@hand.0" in offered and "lay W@pack" in offered and "lay A1" in offered
    match.apply("lay W@pack")
    assert replay(game, record(match)) == match


# ------------------------------------------------------------------------------------------------ refusals
def test_a_card_that_is_not_there_is_refused_by_its_pick() -> None:
    match = lay(deal("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A5"), "lay A1", "lay B2")
    assert refuse(match, "play A2").path == "actions.play.choose.card"
    assert refuse(match, "lay B3").text == "`lay` is not offered here"
    assert "foo" in refuse(match, "foo A2").text
    assert "did you mean `play`" in refuse(match, "plya A2").text
    assert "<card> <named>" in refuse(match, "wild ash").text
    assert refuse(match, 99).path == ""


def test_a_refused_card_lists_each_alternative_with_its_values() -> None:
    match = lay(deal("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A5"), "lay A1", "lay B2")
    refusal = refuse(match, "play B3")
    assert (refusal.path, refusal.cite) == ("actions.play.allowed", ("T-4",))
    assert [way.path.split(".")[-1] for way in refusal.alternatives] == ["lead", "suit", "number"]
    assert refusal.alternatives[0].values == (("pile", "3 cards"),)
    assert refusal.alternatives[1].values == (("suit of card", "birch"), ("suit_in_force", "ash"))
    assert refusal.alternatives[2].values == (("number of card", "3"), ("number of top of pile", "5"))
    assert "suit_in_force: ash" in str(refusal)


def test_a_later_tier_is_refused_by_the_tier_that_binds() -> None:
    match = lay(deal("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A6"), "lay A1", "lay B2")
    match.position.states[PLAYER] = 0
    refusal = refuse(match, "draw")
    assert refusal.path == "choices.turn.free"
    assert refusal.rules == ("T-6: What fits is played.",)


def test_an_impossible_action_is_refused_by_its_condition() -> None:
    match = lay(deal("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A6"), "lay A1", "lay B2")
    match.position.zones[5] += match.position.zones[0]
    match.position.zones[0].clear()
    assert texts(match) == ["pass"]
    refusal = refuse(match, "draw")
    assert refusal.path == "actions.draw.possible.left"
    assert refusal.values == (("pack", "0 cards"),)


def test_a_group_of_the_wrong_size_is_refused() -> None:
    refusal = refuse(deal("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A6"), "lay A1 A2 B1")
    assert refusal.text == "3 chosen, 1 to 2 wanted"


def test_nothing_can_be_done_when_the_match_is_over() -> None:
    match = play_out(GAME.new(1), 1)
    assert match.is_over and match.decision is None
    assert refuse(match, "pass").text == "the match is over"


# ------------------------------------------------------------------------------------------------ running
def test_a_match_ends_with_scores_and_winners() -> None:
    match = play_out(GAME.new(11, checked=True), 2)
    assert match.rounds == 2
    assert match.winners == [seat for seat in (0, 1) if match.scores[seat] == min(match.scores)]
    assert match.events[-1].name == "match_ended"


def test_an_end_leaves_no_step_or_action_running() -> None:
    match = play_out(GAME.new(11), 2)
    assert match.position.slots[:7] == [-1] * 7


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_seed_and_choices_give_the_same_match_and_lose_no_card(seed: int, choices: int) -> None:
    match = play_out(GAME.new(seed, checked=True), choices)
    check_conservation(match.position, len(CODES))
    assert play_out(GAME.new(seed), choices) == match
    assert replay(GAME, json.loads(json.dumps(record(match)))) == match


def test_a_scripted_shuffle_is_reduced_to_the_cards_present_with_the_others_below() -> None:
    match = GAME.new(0, [[5, 99, 4], 0])
    assert match.position.zones[3][0] == 4
    assert match.position.zones[2][0] == 5
    assert match.position.script == []


def test_a_scripted_cut_brings_the_lower_cards_on_top() -> None:
    order = list(range(len(CODES)))
    assert GAME.new(0, [order, 1]).position.zones[3][0] == 0
    assert GAME.new(0, [order, 0]).position.zones[3][0] == 13


def test_scripts_may_leave_an_outcome_to_chance() -> None:
    assert GAME.new(9, ["random", "random"]).position == GAME.new(9).position


def test_a_script_that_does_not_fit_is_a_fault() -> None:
    with pytest.raises(Fault) as raised:
        GAME.new(0, [7])
    assert raised.value.code == "bad-script"
    assert raised.value.place.startswith("tiny.game.yaml:")


def test_running_stops_before_a_step_that_is_asked_for() -> None:
    executor = ReferenceExecutor(PROGRAM)
    position = executor.start(5)
    assert executor.run(position, until_step="round") == "step"
    assert len(position.zones[0]) == len(CODES)
    assert executor.run(position) == "decide"
    before = position.copy()
    assert executor.run(position) == "decide"
    assert position == before


def replace_block(number: int, block: ir.Block) -> ir.Program:
    blocks = (*PROGRAM.blocks[:number], block, *PROGRAM.blocks[number + 1 :])
    return dataclasses.replace(PROGRAM, blocks=blocks)


def test_a_game_that_comes_to_no_decision_is_halted_and_names_its_steps() -> None:
    endless = replace_block(5, ir.Block(instructions=PROGRAM.blocks[7].instructions, end=ir.Jump(to=5)))
    with pytest.raises(Fault) as raised:
        Game(endless).new(0)
    assert (raised.value.code, raised.value.steps) == ("stalled", ("match", "round"))


def test_a_match_of_too_many_decisions_is_halted() -> None:
    executor = ReferenceExecutor(PROGRAM, most_decisions=2)
    position = executor.start(0)
    with pytest.raises(Fault) as raised:
        for _ in range(3):
            executor.run(position)
            executor.apply(position, executor.list_legal(position)[0])
    assert raised.value.code == "endless"


@pytest.mark.parametrize(
    ("instruction", "code"),
    [
        (ir.Deal(clause=3, count=const(9), up_to=False, source=zone(0), targets=const((2, 3)), packet=const(1)),
         "short-deal"),
        (ir.Draw(clause=3, slot=8, source=const(())), "empty-draw"),
        (ir.SetState(clause=3, state=2, owner=const(0), value=const(3)), "out-of-range"),
        (ir.SetState(clause=3, state=2, owner=const(None), value=const(1)), "no-value"),
        (ir.Score(clause=3, amount=const(None), seat=const(0), column=0, label=""), "no-value"),
        (ir.Move(clause=3, cards=const((1,)), zone=zone(2, const(None)), bottom=False), "no-value"),
        (ir.Let(clause=3, slot=8, value=apply(NUMBER, "divide", const(1), const(0))), "division-by-zero"),
    ],
)  # fmt: skip
def test_an_instruction_that_cannot_be_carried_out_is_a_fault_at_its_line(
    instruction: ir.Instruction, code: str
) -> None:
    with pytest.raises(Fault) as raised:
        Game(replace_block(0, ir.Block(instructions=(instruction,), end=ir.Finish()))).new(0)
    assert (raised.value.code, raised.value.clause) == (code, 3)
    assert str(raised.value.place).startswith("tiny.game.yaml:4")


def test_a_decision_without_any_legal_choice_is_a_fault() -> None:
    bare = dataclasses.replace(PROGRAM.decisions[0], tiers=())
    match = Game(dataclasses.replace(PROGRAM, decisions=(bare, PROGRAM.decisions[1]))).new(0)
    with pytest.raises(Fault) as raised:
        _ = match.decision
    assert raised.value.code == "no-choice"


def test_a_fault_in_an_effect_leaves_the_match_as_it_was() -> None:
    bad = ir.SetState(clause=3, state=CALLED, owner=None, value=apply(NUMBER, "divide", const(1), const(0)))
    match = Game(replace_block(7, ir.Block(instructions=(bad,), end=ir.Jump(to=5)))).new(0)
    before = match.to_json()
    with pytest.raises(Fault):
        match.apply(0)
    assert match.to_json() == before


def test_a_lost_card_is_noticed() -> None:
    match = GAME.new(0, checked=True)
    match.position.zones[0].append(match.position.zones[1][0])
    with pytest.raises(Fault) as raised:
        play_out(match, 0)
    assert raised.value.code == "lost-card"


def run_one(*instructions: ir.Instruction) -> Position:
    executor = ReferenceExecutor(replace_block(0, ir.Block(instructions=instructions, end=ir.Finish())), checked=True)
    position = executor.start(0)
    assert executor.run(position) == "finish"
    return position


def test_cards_moved_keep_their_order_above_and_below() -> None:
    to_pile = ir.Move(clause=0, cards=const((3, 1)), zone=zone(1), bottom=False)
    under = ir.Move(clause=0, cards=const((7, 5)), zone=zone(1), bottom=True)
    assert run_one(to_pile, under).zones[1] == [7, 5, 3, 1]


def test_dealing_goes_round_in_packets_until_the_cards_run_out() -> None:
    targets = const((2, 3))
    dealt = run_one(ir.Deal(clause=0, count=None, up_to=True, source=zone(0), targets=targets, packet=const(3)))
    assert dealt.zones[2] == [13, 12, 11, 7, 6, 5, 1, 0]
    assert dealt.zones[3] == [10, 9, 8, 4, 3, 2]


def test_zones_are_swapped_and_turned_over() -> None:
    swapped = run_one(
        ir.Swap(clause=0, first=zone(0), second=zone(1)), ir.TurnOver(clause=0, zone=zone(1))
    )  # fmt: skip
    assert swapped.zones[:2] == [[], list(range(13, -1, -1))]


def test_what_lasts_a_round_begins_anew_with_it() -> None:
    set_it = ir.SetState(clause=0, state=CALLED, owner=None, value=const(1))
    assert run_one(set_it).states[1] == 1
    assert run_one(set_it, ir.BeginRound(clause=0)).states[1] is None


# ------------------------------------------------------------------------------------------------ keeping
def test_a_match_saved_in_the_middle_goes_on_as_if_it_had_not_been() -> None:
    match = GAME.new(21)
    match.apply(0)
    saved = match.to_json()
    assert Match.from_json(GAME, saved) == match
    assert play_out(Match.from_json(GAME, saved), 5) == play_out(match, 5)


def test_a_match_saved_for_another_table_is_not_read() -> None:
    saved = GAME.new(0).to_json()
    with pytest.raises(ValueError, match="`rounds` was 2, and is 3; load the game with what it was stored with"):
        Match.from_json(Game(dataclasses.replace(PROGRAM, options={"rounds": 3})), saved)


def test_a_copy_goes_its_own_way() -> None:
    match = GAME.new(21)
    before = match.to_json()
    play_out(match.copy(), 3)
    assert match.to_json() == before


def test_a_position_comes_back_from_json_with_its_tuples() -> None:
    match = GAME.new(21)
    match.apply(0)
    again = Position.from_json(json.loads(json.dumps(match.position.to_json())))
    assert again == match.position
    assert isinstance(again.slots[11], tuple) and isinstance(again.slots[11][0], tuple)


def test_a_transcript_that_was_tampered_with_is_noticed() -> None:
    transcript = record(play_out(GAME.new(2), 2))
    with pytest.raises(TranscriptMismatch, match="other events"):
        replay(GAME, {**transcript, "sha256": "0" * 64})
    with pytest.raises(TranscriptMismatch, match="choice 1"):
        replay(GAME, {**transcript, "choices": ["pass"]})
    with pytest.raises(OtherRules, match="it has 3 players, and here are 2"):
        replay(GAME, {**transcript, "players": 3})


# ------------------------------------------------------------------------------------------------ the program as text
def test_the_program_as_json_meets_its_schema() -> None:
    jsonschema.validate(to_json_data(PROGRAM), json.loads(SCHEMA.read_text()))


def test_the_schema_is_that_of_the_node_classes_and_covers_every_one() -> None:
    schema = json.loads(SCHEMA.read_text())
    assert schema == build_schema(), "stale: run `python -m hoyle.program.ir.schema > schema/ir.schema.json`"
    assert {each.__name__ for each in list_node_classes()} <= set(schema["definitions"])


def test_the_schema_refuses_a_program_with_a_wrong_node() -> None:
    data = to_json_data(PROGRAM)
    data["blocks"][4]["instructions"][2]["zone"]["node"] = "Zoen"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, json.loads(SCHEMA.read_text()))


def test_the_dump_is_stable_and_names_what_it_shows() -> None:
    assert dump_text(make_program()) == dump_text(PROGRAM)
    dumped = dump_text(PROGRAM)
    assert "shuffle zone=@pack  ; steps.round.shuffle [T-5]" in dumped
    assert "decide turn by player then @19" in dumped
    assert "allowed <actions.play.allowed: (<actions.play.allowed.any.lead: no_cards(@pile)> or" in dumped


def test_a_copy_is_told_what_happens_to_it_alone() -> None:
    game = hoyle.load("leduc-poker")
    match, fresh = game.new(seed=3), game.new(seed=3)
    known = [match.information_state(seat) for seat in range(2)]
    copy = match.copy()
    copy.apply("raise")
    fresh.apply("raise")
    assert [match.information_state(seat) for seat in range(2)] == known
    assert [copy.information_state(seat) for seat in range(2)] == [fresh.information_state(seat) for seat in range(2)]
    match.apply("call")
    assert match.information_state(1) != copy.information_state(1) == fresh.information_state(1)
    assert copy.events_for(1) == fresh.events_for(1)


def test_games_and_matches_say_what_they_are() -> None:
    game = hoyle.load("kuhn-poker")
    match = game.new(seed=7)
    match.apply(0)
    assert repr(game) == "<Game kuhn-poker, 2 players>"
    assert repr(match) == "<Match kuhn-poker, 2 players, after 1 choice>"
    match.apply(0)
    assert repr(match) == "<Match kuhn-poker, 2 players, over after 2 choices>"


def test_the_package_lists_what_it_exports() -> None:
    assert [name for name in dir(hoyle) if name.isupper() or name in hoyle.__all__] == hoyle.__all__
