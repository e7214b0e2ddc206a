"""One meaning each: scores where a standing is worked out, who held a card, cards in state as a seat sees them, and
who is asked when it is given whose turn it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.authoring.testing import run_files

RULES = """\
game: turns
title: Turns
players: 3
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9}]}
zones:
  pack: {shows: nothing}
  pile: {shows: last_holder}
  hand: {of: seat, shows: owner}
pots:
  purse: {of: seat, start: 5}
  bank: {}
state:
  player: {type: seat}
  laid: {type: cards}
  kept: {of: seat, type: cards, shows: owner}
ledger: {standing: purse of seat}
actions:
  play:
    choose: {card: hand}
    do: |
      move card to pile
      add card to laid
      add card to kept
      pay 1 from purse to bank
      score 3 to seat
steps:
  match: |
    deal 2 cards from pack to each hand, starting left of dealer
    set player to left of dealer
    repeat 6 times:
      do turn as player
      set player to left of player
  turn: {of: seat, do: seat chooses play}
winners: (seat in seats with highest purse of last_holder of top of pile)
"""
PLAYED = "given: {hand of 1: 3 4, laid: 5}\n    do: [1 play 3]\n    "


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("meanings")
    (path / "turns.game.yaml").write_text(RULES, encoding="utf-8")
    return path


def run(folder: Path, *examples: str) -> list[str]:
    """What is told of each example; "" of those that hold."""
    path = folder / "turns.test.yaml"
    listed = "".join(f"  - name: example {number}\n    {body}\n" for number, body in enumerate(examples))
    path.write_text(f"tests: turns\nexamples:\n{listed}", encoding="utf-8")
    return ["" if outcome.passed else outcome.message for outcome in run_files([path])]


def test_scores_are_what_the_standing_says_in_expectations_and_in_reports(folder: Path) -> None:
    right, wrong, given = run(
        folder,
        PLAYED + "expect: {scores: [5, 4, 5]}",
        PLAYED + "expect: {scores: [0, 3, 0]}",
        "given: {scores: [1, 2, 3]}",
    )
    assert right == ""
    assert "scores  [5, 5, 5]\n                -> [5, 4, 5]" in wrong
    assert "error[bad-test-value]: the score of a seat is worked out here" in given


def test_a_card_given_on_the_table_was_held_by_nobody_unless_it_is_said(folder: Path) -> None:
    seen = "expect: {view of 0: {pile: 2 cards}, view of 1: {pile: 2 cards}, view of 2: {pile: hidden 8}}"
    told = run(
        folder,
        "given: {pile: 7 8}\n    " + seen.replace("hidden 8", "2 cards"),
        "given: {pile: 7 8, last_holder of 8: 2}\n    " + seen,
        "given: {pile: 7 8, last_holder of 7 8: 2}\n    expect: {view of 2: {pile: 7 8}}",
        "given: {pile: 7 8, last_holder of 88: 2}",
        "given: {pile: 7 8, last_holder of 8: nobody}",
    )
    assert told[:3] == ["", "", ""]
    assert "error[unknown-card]" in told[3]
    assert "error[" in told[4]


def test_a_state_of_cards_is_seen_as_it_is_written(folder: Path) -> None:
    told = run(
        folder,
        PLAYED + "expect: {laid: 5 3, view of 0: {laid: 5 3, kept of 1: hidden}, view of 1: {kept: 3}}",
        PLAYED + "expect: {view of 0: {laid: 5}}",
        PLAYED + "expect: {view of 0: {kept: empty}}",
    )
    assert told[0] == "" and told[2] == ""
    assert "error[not-as-expected]: `view of 0` is not as expected: `laid`" in told[1]


def test_who_is_asked_follows_the_state_that_says_whose_turn_it_is(folder: Path) -> None:
    told = run(
        folder,
        "given: {player: 2}\n    expect: {deciding: 2}",
        "given: {player: 0, hand of 0: 3 4}\n    do: [0 play 3]\n    expect: {deciding: 1, player: 1}",
        "given: {at: turn, player: 2}\n    expect: {deciding: 2}",
        "given: {dealer: 1}\n    expect: {deciding: 1, player: 1}",
    )
    assert told == ["", "", "", ""]
