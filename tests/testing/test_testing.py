"""Examples beside the rules: they pass where they hold, and say what does not hold where they do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

import pytest

from hoyle.authoring.testing import Outcome, find_tests, run_files

Run = Callable[[str], Outcome]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs one example, given without its name, on a shipped game with three players."""

    def run_example(body: str) -> Outcome:
        path = tmp_path / "some.test.yaml"
        head = "tests: bonus-20\ndefaults: {players: 3, given: {dealer: 0, player: 1}}\nexamples:\n  - name: it\n"
        path.write_text(head + indent(dedent(body).strip("\n"), "    ") + "\n", encoding="utf-8")
        [outcome] = run_files([path])
        return outcome

    return run_example


# ------------------------------------------------------------------------------------------------ what fails and why
def test_an_action_that_is_missing_or_unexpected_is_marked_in_a_list_of_both_sides(run: Run) -> None:
    outcome = run("given: {hand of 1: C7 X3, pile: C12}\nlegal: [play C7, play X3]")
    assert not outcome.passed
    rows = [line.split() for line in outcome.message.splitlines()]
    assert ["expected", "actual"] in rows
    assert ["play", "C7", "play", "C7"] in rows
    assert ["-", "play", "X3"] in rows
    assert ["+", "draw"] in rows


def test_a_failure_shows_its_place_and_the_position(run: Run) -> None:
    outcome = run("given: {hand of 1: C7 X3, pile: C12}\nexpect:\n  pile: C11")
    assert "some.test.yaml:7:13" in outcome.message
    assert "^^^" in outcome.message
    assert "hand of 1  C7 X3" in outcome.message
    assert (outcome.line, Path(outcome.file).name) == (4, "some.test.yaml")


def test_any_stands_for_every_value_of_a_pick(run: Run) -> None:
    given = "given: {hand of 1: B, pile: C12}\n"
    assert run(given + "legal: [bonus B any, keep_call B, draw]").passed
    assert not run(given + "legal: [bonus B stars, keep_call B, draw]").passed
    assert not run("options: {bonus_lead: false}\ngiven: {hand of 1: B C7, pile: empty}\noffers: [bonus B any]").passed


def test_offers_allow_more_and_legal_does_not(run: Run) -> None:
    given = "given: {hand of 1: C7, pile: C12}\n"
    assert run(given + "offers: [draw]").passed
    assert not run(given + "legal: [draw]").passed
    assert not run(given + "offers: [draw, pass]").passed


def test_a_refusal_must_come_from_the_clause_that_is_named(run: Run) -> None:
    given = "given: {hand of 1: C7 X3, pile: C12}\n"
    for clause in ("actions.play.allowed", "actions.play", "allowed", "play.allowed"):
        assert run(f"{given}illegal: {{play X3: {clause}}}").passed, clause
    wrong = run(f"{given}illegal: {{play X3: actions.play.choose.card}}")
    assert "refused by another clause" in wrong.message
    assert "actions.play.allowed" in wrong.message
    assert "seat 1 may `play C7`" in run(f"{given}illegal: [play C7]").message


def test_what_a_seat_does_out_of_turn_is_a_mistake_of_the_example(run: Run) -> None:
    outcome = run("given: {pile: C12}\ndo: [2 draw]")
    assert "error[wrong-seat]: seat 1 is to choose, not seat 2" in outcome.message


def test_an_illegal_choice_is_explained(run: Run) -> None:
    outcome = run("given: {hand of 1: C7 X3, pile: C12}\ndo: [1 play X3]")
    assert "error[choice-refused]: seat 1 may not `play X3`" in outcome.message
    assert "actions.play.allowed" in outcome.message
    assert "play C7" in outcome.message


def test_every_kind_of_expectation_can_fail(run: Run) -> None:
    hands = "hand of 0: T1, hand of 1: C7 X3, hand of 2: T2"
    story = f"given: {{{hands}, pile: C12, pack: S1 S2}}\ndo: [1 draw]\nexpect: "
    holding = [
        "{hand of 1: C7 X3 S2}", "{pack: 48 cards}", "{called: none}", "{player: 2}", "{deciding: 2}",
        "{scores: [0, 0, 0]}", "{over: false}", "{winners: []}", "{rounds_played: 0}", "{events: ['seat 1: draw']}",
        "{events of 1: [S2 moved from the pack to your hand]}", "{view of 1: {hand: C7 X3 S2}}",
        "{view of 0: {hand of 1: 3 cards}}", "{view of 0: {hand of 1: hidden hidden hidden}}",
        "{view of spectator: {player: 2}}", "{offers: [draw]}", "{illegal: [pass]}",
    ]  # fmt: skip
    failing = [
        "{hand of 1: C7 S2 X3}", "{pack: 47 cards}", "{called: stars}", "{player: 1}", "{deciding: 1}",
        "{scores: [0, 0, 1]}", "{over: true}", "{winners: [1]}", "{rounds_played: 1}", "{events: ['seat 2: draw']}",
        "{events of 2: [S2 moved from the pack to your hand]}", "{view of 1: {hand: C7 X3}}",
        "{view of 0: {hand of 1: C7 X3 S2}}", "{view of 0: {hand of 1: 2 cards}}",
        "{view of spectator: {player: 0}}", "{offers: [pass]}", "{illegal: [draw]}",
    ]  # fmt: skip
    for expected in holding:
        assert run(story + expected).passed, expected
    for expected in failing:
        outcome = run(story + expected)
        assert "error[not-as-expected]" in outcome.message, expected


def test_events_are_looked_for_in_order(run: Run) -> None:
    story = "given: {hand of 1: B X3, pile: C12}\ndo: [1 bonus B stars]\nexpect: {events: "
    first, second = "B moved from the hand of seat 1 to the pile", "called is now stars"
    assert run(f"{story}[{first}, {second}]}}").passed
    assert not run(f"{story}[{second}, {first}]}}").passed


def test_cards_in_another_order_are_told_apart(run: Run) -> None:
    outcome = run("given: {pile: C3 C12}\nexpect: {pile: C12 C3}")
    assert "the same cards in another order" in outcome.message


def test_a_story_goes_on_under_then(run: Run) -> None:
    story = "given: {hand of 1: C7 X3, pile: C12}\ndo: [1 play C7]\nexpect: {pile: C12 C7}\nthen:\n"
    more = "  - do: [2 draw]\n    expect: {events: [%s]}\n"
    assert run(story + more % "'seat 2: draw'").passed
    outcome = run(story + more % "C7 moved from the hand of seat 1 to the pile")
    assert not outcome.passed, "events of an earlier step do not count"


# ------------------------------------------------------------------------------------------------ positions
def test_cards_given_before_a_deal_are_told_to_be_gathered_if_the_example_fails(tmp_path: Path) -> None:
    example = "{name: gone, given: {at: round, dealer: 0, hand of 0: 2C 3C 4C 5C 6C 7C}, do: [0 lay_away 2C 3C]}"
    path = tmp_path / "trap.test.yaml"
    for given, told in ((example, True), (example.replace("at: round, ", ""), False)):
        path.write_text(f"tests: cribbage\nexamples:\n  - {given}\n", encoding="utf-8")
        (outcome,) = run_files([path])
        assert outcome.passed != told
        note = "note: the cards given were gathered again before anybody chose: `at: round`"
        assert (note in outcome.message) == told


BREAKS = """\
game: breaks
title: Bets beyond the purse
players: 2
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9}]}
zones: {pack: {shows: nothing}, pile: {shows: all}}
pots: {purse: {of: seat, start: 2}, bank: {start: 9}}
actions:
  bet:
    text: Bet three.
    do: |
      move pack to pile
      pay 3 from purse to bank
steps: {match: dealer chooses bet}
winners: seats
"""


def test_a_fault_is_told_with_the_position_given_and_what_had_become_of_it(tmp_path: Path) -> None:
    (tmp_path / "breaks.game.yaml").write_text(BREAKS, encoding="utf-8")
    path = tmp_path / "breaks.test.yaml"
    path.write_text("tests: breaks\nexamples: [{name: too much, given: {pack: 3 4}, do: [0 bet]}]\n", encoding="utf-8")
    (outcome,) = run_files([path])
    assert "game-fault" in outcome.message and "the position given, and what became of it" in outcome.message
    assert "3 4\n" in outcome.message and "-> empty" in outcome.message


@pytest.mark.parametrize("body", ["legal: [play 8D]", "illegal: {play 5C: within_31}", "do: [0 play 8D]"])
def test_an_action_that_is_not_offered_here_is_told_with_the_step_in_which_it_is(tmp_path: Path, body: str) -> None:
    path = tmp_path / "elsewhere.test.yaml"
    example = f"{{name: too early, given: {{dealer: 0, player: 0, hand of 0: 5C 8D}}, {body}}}"
    path.write_text(f"tests: cribbage\nexamples:\n  - {example}\n", encoding="utf-8")
    (outcome,) = run_files([path])
    hint = "`play` is offered in the step `round_of_play`: `given: {at: round_of_play, …}` begins there"
    assert not outcome.passed and hint in outcome.message


def test_zones_that_are_not_named_keep_their_cards(run: Run) -> None:
    plain = run("expect: {hand of 2: 5 cards}").message
    hand = next(line.split("  ")[-1] for line in plain.splitlines() if "hand of 2  " in line)
    assert len(hand.split()) == 6
    first, *others = hand.split()
    assert run(f"given: {{hand of 1: {first}}}\nexpect: {{hand of 2: {' '.join(others)}, hand of 1: {first}}}").passed


def test_cards_that_lose_their_place_go_below_the_pack_or_where_it_is_said(run: Run) -> None:
    hands = "hand of 0: T1, hand of 1: C7, hand of 2: T2"
    assert run(f"given: {{{hands}, pack: C5}}\nexpect: {{pack: 51 cards}}\nevaluate: {{top of pack: C5}}").passed
    assert run("given: {pile: X1, pack: C5, rest: hand of 0}\nexpect: {pack: C5, pile: X1}").passed
    outcome = run("given: {pile: X1, pack: empty}")
    assert "error[cards-left-over]" in outcome.message


def test_copies_of_a_card_are_different_cards(run: Run) -> None:
    given = "given: {hand of 0: B, hand of 1: B B, hand of 2: X3, pile: B"
    assert run(given + "}\nexpect: {hand of 1: B B, hand of 0: B, pile: B}").passed
    assert "the deck has 5 `B`; this position names 6" in run(given + ", pack: B B}").message


def test_a_rigged_deck_is_dealt_from_the_first_card_on_and_not_cut(run: Run) -> None:
    given = "given: {at: round, deck: C1 C2 C3 C4 C5 C7}\n"
    assert run(given + "evaluate: {first of hand: C1}\nfor: 1").passed
    assert run(given + "evaluate: {first of hand: C2}\nfor: 2").passed


def test_the_same_seed_gives_the_same_position_and_another_another(run: Run) -> None:
    plain = run("expect: {hand of 2: 5 cards}").message
    hand = next(line.split("  ")[-1] for line in plain.splitlines() if "hand of 2  " in line)
    assert run(f"seed: 0\nexpect: {{hand of 2: {hand}}}").passed
    assert not run(f"seed: 1\nexpect: {{hand of 2: {hand}}}").passed


# ------------------------------------------------------------------------------------------------ policies, values
POLICY = "policy: play or bonus where (named is circles), otherwise draw, otherwise pass\n"


def test_a_policy_takes_the_lowest_card_of_the_first_tier(run: Run) -> None:
    given = "given: {hand of 1: X3 C8 B C7, pile: C12}\n"
    assert run(given + POLICY + "until: 1 choice\nlog: [1 play C8]").passed
    outcome = run(given + POLICY + "until: 1 choice\nlog: [1 play C7]")
    assert ["-", "1", "play", "C7"] in [line.split() for line in outcome.message.splitlines()]


def test_a_log_may_say_what_a_seat_gets_or_leave_it_out(run: Run) -> None:
    given = "given: {hand of 1: X3 T5, pile: C12, pack: S1}\n" + POLICY + "until: 1 choice\n"
    assert run(given + "log: 1 draw gets S1").passed
    assert run(given + "log: 1 draw").passed
    assert not run(given + "log: 1 draw gets S2").passed
    assert not run(given + "log: 1 draw, 2 draw").passed


def test_a_policy_that_names_nothing_legal_is_stuck(run: Run) -> None:
    outcome = run("given: {hand of 1: X3 T5, pile: C12}\npolicy: play\n")
    assert "error[policy-stuck]" in outcome.message
    assert "draw" in outcome.message


def test_a_play_out_can_end_at_a_step(run: Run) -> None:
    story = POLICY + "until: round\nexpect: {rounds_played: 1, deciding: nobody}"
    assert run(story).passed


def test_values_are_compared_in_the_words_of_the_game(run: Run) -> None:
    given = "given: {hand of 1: C7 B, pile: C12, called: none}\nfor: 1\nevaluate:\n"
    for line in (
        "hand: C7 B", "top of pile: C12", "symbol of C7: circles", "called: none", "left of seat: 2",
        "seats: [0, 1, 2]", "pile is empty: false", "points of B: 20", "symbol_in_force: circles",
    ):  # fmt: skip
        assert run(f"{given}  {line}").passed, line
    for line in ("hand: B C7", "symbol of C7: stars", "called: stars", "seats: [0, 1]", "points of B: 2"):
        assert "does not give this" in run(f"{given}  {line}").message, line


# ------------------------------------------------------------------------------------------------ files
def test_files_are_found_in_folders_and_beside_rule_files(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.test.yaml").write_text("tests: bonus-20\nexamples: []\n")
    (tmp_path / "a" / "x.game.yaml").write_text("game: x\n")
    assert [tests.path.name for tests in find_tests([tmp_path])] == ["x.test.yaml"]
    assert [tests.path.name for tests in find_tests([tmp_path / "a" / "x.game.yaml"])] == ["x.test.yaml"]
    assert find_tests([tmp_path / "a" / "y.game.yaml"]) == []


def test_examples_are_of_the_game_beside_them_before_a_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "bonus-20.game.yaml").write_text("game: bonus-20\n")
    (tmp_path / "x.test.yaml").write_text("tests: bonus-20\nexamples: [{name: a}]\n")
    [outcome] = run_files([tmp_path])
    assert outcome.name == "the rule file"
    assert "error[" in outcome.message


def test_examples_of_a_variant_are_played_by_its_rules(tmp_path: Path) -> None:
    (tmp_path / "soft.game.yaml").write_text("game: soft\nextends: bonus-20\noptions: {leader_may_draw: true}\n")
    (tmp_path / "soft.test.yaml").write_text("tests: soft\nexamples: [{name: a, offers: [draw]}]\n")
    [outcome] = run_files([tmp_path])
    assert outcome.passed, outcome.message


def test_outcomes_carry_what_they_cite(tmp_path: Path) -> None:
    (tmp_path / "x.test.yaml").write_text("tests: bonus-20\nexamples: [{name: a, cite: [BONUS-1, BONUS-2]}]\n")
    [outcome] = run_files([tmp_path])
    assert outcome.cites == ("BONUS-1", "BONUS-2")


def test_only_examples_whose_name_matches_are_run(tmp_path: Path) -> None:
    (tmp_path / "x.test.yaml").write_text("tests: bonus-20\nexamples: [{name: The lead}, {name: the end}]\n")
    assert [outcome.name for outcome in run_files([tmp_path], "LEAD")] == ["The lead"]


# ------------------------------------------------------------------------------------------------ steps
def test_the_examples_of_the_samples_hold() -> None:
    """Among them: steps that play never comes to, and what a round forgets, looked at when it ends."""
    outcomes = list(run_files([Path(__file__).parents[1] / "language" / "valid"]))
    assert [outcome for outcome in outcomes if not outcome.passed] == []
    assert len(outcomes) > 10


def test_a_step_that_has_not_ended_is_told(run: Run) -> None:
    outcome = run("given: {pile: empty, hand of 1: C7 C8}\ndo: [1 play C7]\nuntil: end of round")
    assert not outcome.passed and "does not end after these choices" in outcome.message
