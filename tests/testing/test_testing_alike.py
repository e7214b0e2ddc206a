"""Tables of one rule file share what is found at them, as far as they are alike: never more."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.authoring.testing import run_files
from hoyle.authoring.testing.first_choices import FirstChoices

RULES = """\
game: alike
title: Alike
players: 2..3
options:
  peek: {text: What lies on top decides., default: false}
  least: {text: The least number one may name., default: 1, range: 1..5}
  rest: {text: How many more cards are turned up., default: 1, range: 0..3}
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9}]}
zones: {pack: {shows: nothing}, pile: {shows: all}}
state: {named: {type: number, start: 0}}
actions:
  name:
    choose: {number: least..9}
    possible: {seen: {text: It must be seen., is: not peek or rank of top of pack > 3}}
    do: set named to number
steps:
  match: |
    dealer chooses name
    do after
  after: |
    move top of pack to pile
    repeat rest times: move top of pack to pile
    dealer chooses name
winners: seats
"""
EXAMPLES = """\
tests: alike
examples:
  - {name: as it is, given: {at: after}, expect: {named: 1, pile: 2 cards}}
  - {name: more players, players: 3, given: {at: after}, expect: {named: 1, pile: 2 cards}}
  - {name: what is chosen, options: {least: 4}, given: {at: after}, expect: {named: 4, pile: 2 cards}}
  - {name: what happens, options: {rest: 3}, given: {at: after}, expect: {named: 1, pile: 4 cards}}
  - {name: both, options: {rest: 0, least: 5}, given: {at: after}, expect: {named: 5, pile: 1 cards}}
  - {name: a secret, options: {peek: true}, given: {at: after}, expect: {named: 1}}
  - {name: again a secret, options: {peek: true, rest: 2}, given: {at: after}, expect: {named: 1}}
"""


def test_options_change_what_they_change_and_nothing_else_at_tables_that_are_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = []
    number_rules = FirstChoices.number_rules
    monkeypatch.setattr(
        FirstChoices,
        "number_rules",
        lambda self, decision, rules: numbers.append(found := number_rules(self, decision, rules)) or found,
    )
    (tmp_path / "alike.game.yaml").write_text(RULES)
    (tmp_path / "alike.test.yaml").write_text(EXAMPLES)
    outcomes = {each.name: each for each in run_files([tmp_path])}
    assert [name for name, each in outcomes.items() if not each.passed] == ["a secret", "again a secret"]
    assert all("error[leak]" in each.message for each in outcomes.values() if not each.passed)
    assert numbers == [0, 1, 2, 0, 3]  # players and what may be named decide alike or not; `rest` has no part in it
