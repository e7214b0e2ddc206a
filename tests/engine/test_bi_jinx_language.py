"""What the ledger, the cases of steps and definitions mean, shown with a small game."""

from __future__ import annotations

from pathlib import Path

import pytest

import hoyle
from hoyle.authoring.testing import run_files

GAME = """\
game: small
title: Small
players: 2..3
ledger: {columns: {gain: Gain, loss: Loss}, marks: {noted: Noted}}
deck:
  starts_in: pack
  attributes: {rank: 1..6}
  cards: [{rank: 1..6}, {name: fool, short: F}]
zones: {pack: {shows: nothing}, hand: {of: seat, shows: owner}}
state: {chosen: seat or none}
definitions:
  rival of seat: first of seats if seat != first of seats otherwise left of seat
  twice of number: 2 * number
  seat is host: no other in seats satisfies (other = left of seat and other = first of seats)
  rank_or_none of card: {takes: {card: card or none}, is: rank of card or else 99}
actions: {pass: {text: Pass.}}
steps:
  match: |
    repeat 2 times: do round
  round: |
    gather pack
    shuffle pack
    deal 1 cards from pack to each hand, starting dealer
    for each seat: seat chooses pass
    for each seat: do settle
  settle:
    of: seat
    text: Every line.
    cite: SMALL-1
    cases:
      low:
        text: A low card.
        cite: [SMALL-2, SMALL-3]
        when: rank of top of hand < 4
        do: |
          score 3 to seat in gain
          score 1 to seat in loss    [SMALL-4]
      fool: {when: top of hand is fool, do: mark seat as noted}
      other: {cite: SMALL-5, do: score 5 to seat in loss}
winners: (seat in seats with highest gain of seat)
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.game.yaml"
    path.write_text(GAME, encoding="utf-8")
    return path


def assert_examples_hold(path: Path, examples: str) -> None:
    tests = path.with_name("small.test.yaml")
    tests.write_text(f"tests: small\nexamples:\n{examples}", encoding="utf-8")
    outcomes = list(run_files([tests]))
    assert outcomes
    assert not [outcome.message for outcome in outcomes if not outcome.passed]


def test_what_a_definition_says_of_none_is_none_whatever_it_would_make_of_it(small: Path) -> None:
    assert_examples_hold(
        small,
        """\
  - name: nobody has been chosen
    given: {hand of 0: F}
    evaluate:
      rival of chosen: none
      twice of rank of top of hand of dealer: none
      some seat satisfies (seat = rival of chosen): false
      rival of first of seats: 1
  - name: a test of none is false
    evaluate: {chosen is host: false, first of seats is host: true}
  - name: a definition that takes none is asked all the same
    given: {hand of 0: empty, hand of 1: 4}
    evaluate: {rank_or_none of top of hand of dealer: 99, rank_or_none of top of hand of left of dealer: 4}
""",
    )


def test_the_first_case_of_a_step_that_fits_is_done(small: Path) -> None:
    assert_examples_hold(
        small,
        """\
  - name: a low card, the fool, another
    players: 3
    given: {at: settle, hand of 0: 2, hand of 1: F, hand of 2: 5}
    expect:
      lines of 0: [[3, 1]]
      lines of 1: [noted]
      lines of 2: [[none, 5]]
      events: [seat 0 scored 3 under Gain, seat 0 scored 1 under Loss, "seat 1: Noted", seat 2 scored 5 under Loss]
""",
    )


def test_each_case_of_a_step_has_a_sentence_and_citations_of_its_own(small: Path) -> None:
    clauses = hoyle.load(small).program.clauses
    cases = {clause.path: (clause.text, clause.cite) for clause in clauses if clause.path.startswith("steps.settle.")}
    assert cases["steps.settle.low"][0] == "A low card."
    assert cases["steps.settle.fool"] == ("Every line.", ("SMALL-1",))
    assert cases["steps.settle.other"] == ("Every line.", ("SMALL-5",))
    cited = {clause.cite for clause in clauses if clause.path == "steps.settle.low"}
    assert cited == {("SMALL-2", "SMALL-3"), ("SMALL-4",)}


def test_lines_are_kept_for_the_sheet_even_if_no_rule_reads_them(small: Path) -> None:
    text = GAME.replace(", marks: {noted: Noted}", "").replace("mark seat as noted", "score 0 to seat in gain")
    small.write_text(text, encoding="utf-8")
    match = hoyle.load(small).new(seed=2)
    while match.decision is not None:
        match.apply(0)
    assert match.sheet is not None
    written = [line.entries for rows in match.sheet.lines for line in rows]
    assert len(written) == 4
    assert set(written) <= {(3, 1), (0, None), (None, 5)}
    assert [sum(entry or 0 for entry, _ in written[seat::2]) for seat in range(2)] == match.scores
