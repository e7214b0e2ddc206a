"""What each seat sees and is told, and that nothing else reaches it."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest
from test_engine import CODES, GAME, PROGRAM, deal, lay, play_out

import hoyle
from hoyle.front.terminal.plain_lines import list_facts
from hoyle.play.beliefs.position_sampling import reshuffle_hidden
from hoyle.play.engine.game import Game, Match
from hoyle.play.table import Host
from hoyle.play.view.seeing import sees
from hoyle.play.view.text import render_event
from hoyle.program.ir import nodes as ir
from hoyle.program.model.events import EVENT_NAMES
from tiny_program import const, zone

SECRET_DEAL = ("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A5")


def test_a_seat_sees_its_hand_the_top_of_the_pile_and_sizes() -> None:
    seen = deal(*SECRET_DEAL).view(0)
    zones = {(zone.name, zone.owner): zone.cards for zone in seen.zones}
    assert zones["hand", 0] == ("A1", "A2", "B1", "B6")
    assert zones["hand", 1] == (None,) * 4
    assert zones["pile", None] == (None, None, "A5")
    assert zones["pack", None] == (None,) * 3
    assert (seen.deciding, seen.round, seen.totals) == (0, 1, {"score": (0, 0)})


def test_a_spectator_sees_what_everybody_sees() -> None:
    seen = sees(GAME.sight, deal(*SECRET_DEAL).position, None)
    assert [sum(shown) for shown in seen] == [0, 1, 0, 0, 0, 0]


def test_state_shown_to_its_owner_is_seen_and_told_to_nobody_else() -> None:
    match = lay(deal(*SECRET_DEAL), "lay A1 A2", "lay B2")
    assert {(s.name, s.owner): s.value for s in match.view(0).states if s.name == "laid"} == {("laid", 0): "2"}
    told = [[e["value"] for e in match.events_for(seat) if e.get("state") == "laid"] for seat in (0, 1, None)]
    assert told == [["2"], ["1"], []]


def test_a_deal_onto_a_pile_shows_only_the_card_that_ends_on_top() -> None:
    dealt = [event for event in deal(*SECRET_DEAL).events_for(0) if event["event"] == "dealt"]
    assert dealt[1]["cards"] == ["??", "??", "A5"]
    assert dealt[0]["cards"] == ["??", "A1", "??", "A2", "??", "B1", "??", "B6"]


def test_a_secret_choice_is_told_to_its_seat_alone() -> None:
    match = lay(deal(*SECRET_DEAL), "lay A1 A2", "lay B2")
    chosen = [[e["picks"] for e in match.events_for(seat) if e["event"] == "chose"] for seat in (0, 1, None)]
    assert chosen == [[{"group": "A1+A2"}], [{"group": "B2"}], []]


def test_a_card_moved_is_known_to_those_who_saw_it_before_or_see_it_after() -> None:
    match = lay(deal(*SECRET_DEAL), "lay A1 A2", "lay B5")
    moved = [[e["cards"] for e in match.events_for(seat) if e["event"] == "moved"] for seat in (0, 1, None)]
    assert moved == [[["A1", "A2"], ["??"]], [["??", "??"], ["B5"]], [["??"] * 2, ["??"]]]
    match.apply("draw")
    assert match.events_for(0)[-2]["cards"] == ["??"]
    assert match.events_for(1)[-2]["cards"] != ["??"]


def test_a_public_choice_tells_its_action_and_its_picks_but_no_card() -> None:
    match = lay(deal("W A1 B1 A2", "B2 B3 B4 B5", "A3 A4 A6"), "lay A1", "lay B2", "draw", "wild W birch")
    chose = [event for event in match.events_for(1) if event["event"] == "chose"][-1]
    assert (chose["seat"], chose["action"], chose["picks"]) == (0, "wild", {"named": "birch"})


@pytest.mark.parametrize("seed", range(12))
def test_positions_that_differ_in_what_a_seat_cannot_see_look_and_play_alike_to_it(seed: int) -> None:
    match, chance = GAME.new(seed), random.Random(seed)
    changed = 0
    while (decision := match.decision) is not None:
        for seat in range(GAME.players):
            other = Match(GAME, reshuffle_hidden(PROGRAM, match.position, seat, seed))
            changed += other.position != match.position
            assert other.view(seat) == match.view(seat)
            if decision.seat == seat:
                assert other.decision == decision
        match.apply(chance.choice(decision.actions))
    assert changed


def test_a_stored_choice_follows_the_places_of_the_cards_it_names() -> None:
    match = lay(deal(*SECRET_DEAL), "lay A1 A2")
    other = Match(GAME, reshuffle_hidden(PROGRAM, match.position, 1, 77))
    stored = other.position.slots[11][0]
    assert [CODES[card] for card in stored[1]] == [CODES[card] for card in other.position.zones[2][:2]]
    other.apply("lay B2")
    assert len(other.position.zones[4]) == 2


# ------------------------------------------------------------------------------------------------ text
def test_the_table_is_told_a_fact_a_line_with_a_sorted_hand() -> None:
    host = Host(GAME)
    lines = list(list_facts(host.see(deal("B6 A2 A1 B1", "B2 B3 B4 B5", "A3 A4 A5"), 0), host.speak_to(0)))
    assert "your hand: A1 A2 B1 B6" in lines
    assert "pile: 3 cards, A5 on top" in lines
    assert "seat 1's hand: 4 cards" in lines
    assert "your turn" in lines[0]


def test_events_read_as_sentences_in_the_past_tense() -> None:
    match = lay(deal("A1 A2 B1 B6", "B2 B3 B4 B5", "A3 A4 A6"), "lay A1 A2", "lay B2", "draw")
    lines = [render_event(GAME, event, 0) for event in match.events_for(0)]
    assert "the pack shuffled" in lines
    assert "A1 and A2 moved from your hand to your aside" in lines
    assert "seat 1: draw" in lines
    assert "1 card moved from the pack to the hand of seat 1" in lines
    assert "your laid is now 2" in lines


def test_every_kind_of_event_that_happens_has_a_line() -> None:
    match = play_out(GAME.new(8), 8)
    happened = {event.name for event in match.events}
    assert happened <= set(EVENT_NAMES)
    for seat in (0, 1, None):
        assert all(render_event(GAME, event, seat) for event in match.events_for(seat))
    last = render_event(GAME, match.events_for(None)[-1])
    assert last.startswith("the match ended; seat")


def test_a_card_put_face_down_stays_known_to_those_who_saw_it() -> None:
    blocks = list(PROGRAM.blocks)
    under = ir.Move(clause=0, cards=const((0, 13)), zone=zone(0), bottom=True)
    onto = ir.Move(clause=0, cards=const((0,)), zone=zone(2, const(1)), bottom=False)
    blocks[0] = ir.Block(instructions=(onto, under), end=ir.Finish())
    match = Game(dataclasses.replace(PROGRAM, blocks=tuple(blocks))).new(0)
    moved = [[e["cards"] for e in match.events_for(seat) if e["event"] == "moved"][1] for seat in (0, 1, None)]
    assert moved == [["??", "??"], ["A1", "??"], ["??", "??"]]


HANDING_OVER = """\
game: handing-over
title: Handing over
players: {usual: 2}
deck: {starts_in: pack, attributes: {rank: 1..8}, cards: [{rank: 1..8}]}
zones: {pack: {shows: nothing}, hand: {of: seat, shows: owner}}
actions:
  give: {text: Give a card to the other., choose: {card: hand}, do: move card to hand of left of seat}
  lay_open: {text: Show a card., choose: {card: hand}, do: show card to seats}
steps:
  match: |
    set dealer to first of seats
    shuffle pack
    deal 3 cards from pack to each hand, starting left of dealer
    dealer chooses give or lay_open
winners: seats
"""


def test_what_passes_from_hand_to_hand_is_known_to_both_and_to_no_spectator(tmp_path: Path) -> None:
    file = tmp_path / "handing-over.game.yaml"
    file.write_text(HANDING_OVER)
    given, shown = (hoyle.load(file).new(seed=1) for _ in range(2))
    assert given.decision and shown.decision
    given.apply(0)
    shown.apply(next(action for action in shown.decision.actions if action.name == "lay_open"))
    told = [[event["cards"] for event in given.events_for(seat) if event["event"] == "moved"] for seat in (0, 1, None)]
    assert told[0] == told[1] != [["??"]] == told[2]
    assert "??" not in next(event for event in shown.events_for(None) if event["event"] == "shown")["cards"]
