"""What each choice moves, and what places are for, as the table is told: `Way.moved`, `Zone.ring`, `Zone.unit`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import hoyle
from hoyle.base.shipped import all_games, game_name
from hoyle.play.engine.game import Match
from hoyle.play.table import Host

MAIN = sorted(game_name(path) for path in all_games() if path.parent.name == game_name(path))


def list_moved(match: Match) -> dict[str, tuple[object, object, object]]:
    menu = Host(match.game).see(match, match.find_seat()).menu
    assert menu is not None
    return {way.text: (way.moved.cards, way.moved.source, way.moved.target)
            for act in menu.acts for way in act.ways if way.moved is not None}  # fmt: skip


def play(match: Match, choices: int) -> None:
    draw = random.Random(1)
    for _ in range(choices):
        if match.decision is None:
            return
        action = draw.choice(match.decision.actions)
        match.apply(action if action.number is None else action.with_number(action.number[0]))


def test_a_run_moves_whole_and_a_card_of_the_stock_is_not_named() -> None:
    match = hoyle.load("klondike").new(seed=7)
    assert list_moved(match)["draw"] == ((None,), ("stock",), ("waste",))
    for _ in range(20):
        runs = [(cards, target) for cards, source, target in list_moved(match).values()
                if len(set(cards)) > 1 and "stock" not in target]  # fmt: skip
        if runs:
            break
        play(match, 1)
    cards, target = runs[0]
    assert len(cards) == len(target) and len(set(target)) == 1 and target[0].startswith("column.")


def test_what_a_stock_deals_comes_from_it() -> None:
    _, source, target = list_moved(hoyle.load("spider").new(seed=3))["deal"]
    assert set(source) == {"stock"} and len(set(target)) == 10  # type: ignore[call-overload, arg-type]


def test_a_pile_and_a_pack_are_where_cards_come_from_and_the_hand_where_they_go() -> None:
    match = hoyle.load("gin-rummy", players=2).new(seed=3)
    while "draw" not in list_moved(match):
        play(match, 1)
    seat = match.find_seat()
    assert list_moved(match)["draw"] == ((None,), ("pack",), (f"hand.{seat}",))


@pytest.mark.share
@pytest.mark.parametrize("name", MAIN)
def test_what_a_choice_is_said_to_move_it_moves_and_the_said_does_not_hang_on_what_the_seat_cannot_see(
    name: str,
) -> None:
    match = hoyle.load(name).new(seed=5)
    for _ in range(25):
        if match.is_over or match.decision is None:
            break
        seat = match.find_seat()
        host = Host(match.game)
        menu = host.see(match, seat).menu
        assert menu is not None
        shown = {code for zone in host.see(match, seat).zones for code in zone.cards if code}
        for act in menu.acts:
            for way in act.ways:
                if way.moved is None:
                    continue
                assert {card for card in way.moved.cards if card} <= shown
                trial, before = match.copy(), len(match.events)
                trial.apply(way.choice)
                names = match.game.names
                moved = [event for event in trial.events[before:] if event.name == "moved"]
                assert any(names.spell_zone(event.data["zone"]) == way.moved.target[0] for event in moved), way
        play(match, 1)


def test_a_choice_made_together_with_others_moves_the_cards_of_its_seat_alone() -> None:
    match = hoyle.load("goofspiel", players=3).new(seed=3)
    while match.find_seat() != 2:
        play(match, 1)
    moved = list_moved(match)
    assert len(moved) == 13
    assert all((source, target) == (("hand.2",), ("bid.2",)) for _, source, target in moved.values())


def test_what_another_gives_when_asked_is_not_told() -> None:
    """Whether the other holds the rank, and how many, is what the asking is to find out; what is likely may be said."""
    match = hoyle.load(Path("tests/language/valid/asking.game.yaml"), players=3).new(seed=3)
    menu = Host(match.game).see(match, match.find_seat()).menu
    assert menu is not None
    assert [act.name for act in menu.acts] == ["ask"]
    moved = list_moved(match)
    assert len(moved) < len(menu.acts[0].ways) / 2
    assert all(source == ("pack",) for _, source, _ in moved.values())


def test_what_a_claim_moves_is_not_told_while_others_may_claim() -> None:
    match = hoyle.load("ratscrew", players=3).new(seed=5)
    for _ in range(60):
        if match.decision is not None and match.decision.window:
            assert list_moved(match) == {}
        play(match, 1)


def test_tricks_are_told_from_how_cards_move() -> None:
    ringed = {}
    none = ("scopa", "cribbage", "president", "crazy-eights", "bonanza", "klondike", "gin-rummy")
    for name in ("hearts", "bridge", "skat", *none):
        table = Host(game := hoyle.load(name)).see(game.new(seed=1), 0)
        ringed[name] = [(zone.name, {each.name: each.unit for each in table.zones if each.unit > 1})
                        for zone in table.zones if zone.ring]  # fmt: skip
    assert ringed["hearts"] == ringed["bridge"] == [("trick", {"tricks": 4})]
    assert ringed["skat"] == [("trick", {"tricks": 3})]
    assert all(ringed[name] == [] for name in none)


def test_a_board_has_a_place_for_each_card_to_come() -> None:
    match = hoyle.load("holdem", players=3).new(seed=3)
    board = Host(match.game).see(match, 0).find_zone("board")
    assert (board.size, board.places) == (0, 5)
