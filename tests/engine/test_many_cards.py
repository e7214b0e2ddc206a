"""Choosing many cards: groups as sets that need not be listed, alike in both executors, typed in any order."""

from __future__ import annotations

import io
from itertools import combinations
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle import Game
from hoyle.front.cli import run
from hoyle.language.compile import compile_game
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.offering import Offered
from hoyle.play.engine.playout import play_out
from hoyle.program.model.groups import Groups, list_groups

PAIRS = """game: pairs
title: A pick named as a part of a definition
players: 2..4
use: [deck_52]
zones:
  pack: {shows: nothing}
  pile: {shows: top_card}
  hand: {of: seat, shows: owner}
definitions:
  card is x.pair: rank of card > 5
actions:
  lay:
    text: Lay two cards.
    choose:
      pair: 2 cards from hand where card is x.pair
    do: move pair to pile
  play: {text: Play a card., choose: {card: hand}, do: move card to pile}
steps:
  match: |
    gather pack
    shuffle pack
    deal 6 cards from pack to each hand, starting left of dealer
    repeat 2 times:
      for each seat: seat chooses lay or play
    score 1 to dealer for "the end"
winners: (seat in seats with highest score of seat)
"""
SAMPLE = Path(__file__).parents[1] / "language" / "valid" / "many-cards.game.yaml"


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 4), max_size=7), st.integers(0, 3), st.integers(0, 7), st.booleans())
def test_groups_are_counted_indexed_and_found_as_they_are_listed(
    kinds: list[int], low: int, high: int, alike: bool
) -> None:
    elements = [f"{kind}.{place}" for place, kind in enumerate(kinds)]
    keys = kinds if alike else elements
    groups = Groups(elements, kinds if alike else None, low, high)
    listed = [group for size in range(low, min(high, len(kinds)) + 1) for group in list_groups(elements, keys, size)]
    assert list(groups) == listed
    assert len(groups) == len(listed)
    assert [groups[i] for i in range(len(groups))] == listed
    assert [groups.index(group) for group in listed] == list(range(len(listed)))
    assert all(groups.find(group[::-1]) == group for group in listed)
    assert (*elements, "another") not in groups


def test_offered_choices_are_a_sequence() -> None:
    groups = Groups(range(5), None, 1, 3)
    offered = Offered([(0, 7), (1, 2, groups), ()])
    listed = [(0, 7), *((1, 2, g) for size in (1, 2, 3) for g in combinations(range(5), size)), ()]
    assert list(offered) == listed
    assert [offered[i] for i in range(len(offered))] == listed
    assert [offered.index(choice) for choice in listed] == list(range(len(listed)))
    assert offered.find((1, 2, (3, 1))) == (1, 2, (1, 3))
    assert (1, 2, (3, 1)) not in offered
    assert offered == listed


@pytest.fixture(scope="module")
def game() -> Game:
    program, _ = compile_game(SAMPLE, 2)
    assert program is not None
    return Game(program)


def test_both_executors_offer_and_play_the_same(game: Game) -> None:
    reference, generated = ReferenceExecutor(game.program), GeneratedExecutor(game.program)
    assert [play_out(generated, seed) for seed in range(3)] == [play_out(reference, seed) for seed in range(3)]
    assert generated.generated.handed_over == 0


def test_more_groups_than_are_listed_are_typed_in_any_order(game: Game) -> None:
    match = game.new(5)
    assert match.decision is not None
    match.apply("pass")
    decision = match.decision
    assert decision is not None
    assert len(decision.actions) > 1000
    last = decision.actions[len(decision.actions) // 2]
    name, *cards = last.text.split()
    chosen = match.find_action(" ".join([name, *reversed(cards)]))
    assert chosen.choice == last.choice
    assert decision.actions[decision.actions.index(last)] == last
    match.apply(chosen)
    assert match.history[-1] == last.text


def test_a_decision_counts_finds_and_numbers_groups_that_are_not_listed(game: Game) -> None:
    match = game.new(5)
    match.apply("pass")
    decision = match.decision
    assert decision is not None
    assert decision.count == len(decision.actions) == len(decision.choices)
    for number in (0, 17, decision.count // 2, decision.count - 1):
        action = decision.choice(number)
        assert decision.index(action) == number == decision.place(action.choice)
        assert decision.find(action.choice) == action
    with pytest.raises(TypeError, match="the number of an action is asked for, not that of 'x'"):
        decision.index("x")  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        decision.choice(decision.count)


def test_many_cards_are_typed_at_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("decline\ndecline\nlay\nlay 2c 2d 2h 5s 6d\nlay 2h,5s 2C\nq\n"))
    assert run(["play", "cheat", "--players", "3", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert "lay 1-4 of" in out
    assert "name the cards, 1-4 of them" in out
    assert "You lay 2C, 2H and 5S" in out


def test_a_pick_may_be_named_like_a_part_of_a_definition_that_its_condition_asks_for(tmp_path: Path) -> None:
    (tmp_path / "pairs.game.yaml").write_text(PAIRS, encoding="utf-8")
    program, report = compile_game(tmp_path / "pairs.game.yaml")
    assert program is not None, report.ordered()
    (lay, _) = program.actions
    assert lay.picks[0].where is not None and lay.possible == ()


def test_groups_of_thousands_of_copies_are_counted_at_once() -> None:
    begun = process_time()
    groups = Groups(range(1_950), [card % 13 for card in range(1_950)], 1, 1_900)
    assert groups.total == sum(groups._counts) > 1 << 60
    assert process_time() - begun < 5, "it took minutes while each size was counted for itself"
    few = Groups(range(9), [card % 4 for card in range(9)], 0, 9)
    assert few.total == sum(1 for _ in few) == 4 * 3 * 3 * 3
