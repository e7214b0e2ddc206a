"""What printed Python does not work out again: passes whose results show in the text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hoyle
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.python.match import Match, print_match
from hoyle.play.codegen.target import PYTHON

CRIBBAGE = Path(__file__).parents[2] / "games/cribbage/cribbage.game.yaml"


@pytest.fixture(scope="module")
def source() -> str:
    return print_match(hoyle.load(str(CRIBBAGE)).program)


def test_groups_of_a_hand_and_another_card_are_run_through_where_results_are_kept(source: str) -> None:
    matches = source[source.index("def play_") :]
    assert "list_subsets" in source
    assert "list_subsets" not in matches


def test_cards_are_looked_up_before_groups_are_made_of_them(source: str) -> None:
    fifteens = next(part for part in source.split("\ndef ") if "list_subsets" in part)
    assert fifteens.index("[e] for e in a0]") < fifteens.index("list_subsets")
    assert "if sum(" in fifteens


def test_tails_are_not_made_where_no_longer_one_can_do(source: str) -> None:
    assert "list_tails" not in source
    grown = next(part for part in source.split("\ndef ") if "reversed(" in part)
    assert grown.count("break") == 2


def test_results_that_are_needed_together_are_looked_up_once(source: str) -> None:
    assert len(re.findall(r"\nM\d+ = \{\}", source)) == 2  # for the play and for the show
    assert len(re.findall(r"\n +x\d+ = M\d+\.get", source)) == 3  # the show of hands, and that of the crib


def test_a_sum_over_a_zone_goes_along_with_its_cards(source: str) -> None:
    assert re.search(r"\n +z7\.append\((\w+)\)\n +g0 \+= T\d+\[\1\]\n", source)
    assert re.search(r"\n +g0 = 0\n", source)


def test_the_end_is_tested_again_only_where_something_was_scored(source: str) -> None:
    tests = re.findall(r"\n( *)(.*)\n( *)if not p0\[0\] < 121", source)
    within = [before for margin, before, own in tests if margin == own]  # the test stands beside what scores
    assert len(within) > len(tests) // 2
    assert all(before.startswith("p0[") for before in within)


def test_what_depends_on_the_order_of_cards_is_told_apart_by_it() -> None:
    module = lower_program(hoyle.load(str(CRIBBAGE)).program, PYTHON)
    assert {running.value.op for running in Match(module).sums.found} == {"sum", "cards_in_order"}


def test_what_divides_cards_is_made_once() -> None:
    source = print_match(hoyle.load("gin-rummy").program)
    assert source.count("make_divide(") == 1
    assert "make_divide(" not in source[source.index("def play_") :]


def test_what_can_fail_and_does_not_change_in_a_loop_is_worked_out_once_where_it_is_needed(tmp_path: Path) -> None:
    """Cards without those of their division, counted card by card: the division is made once, not for every card."""
    rules = (Path(__file__).parents[2] / "games/gin-rummy/gin-rummy.game.yaml").read_text("utf-8")
    changed = tmp_path / "gin-rummy.game.yaml"
    changed.write_text(rules.replace("unmatched of", "sum pips of deadwood of"), "utf-8")
    lines = print_match(hoyle.load(changed).program).splitlines()
    divided = [number for number, line in enumerate(lines) if re.search(r" in D\d+\(", line)]
    assert divided
    for number in divided:
        depth = len(lines[number]) - len(lines[number].lstrip())
        around = next(line for line in reversed(lines[:number]) if len(line) - len(line.lstrip()) < depth)
        assert not around.lstrip().startswith("for ")
