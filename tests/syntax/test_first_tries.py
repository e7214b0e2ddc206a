"""What authors of twenty games write first, and what they are told: every fix is carried out and checked again.

The tries stand in `tests/first_tries`; `tests/slips.py` says how they are written. Of those that mean the same line the
first and every fourth after it are tried here, so that no kind is left out, and all of them in the slow checks.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

import hoyle
from hoyle.front.cli.check import command
from hoyle.language.compile import check_file
from hoyle.play.engine.game import ExecutorName
from slips import (
    FOLDER,
    GAMES,
    Outcome,
    Slip,
    all_slips,
    read_base,
    read_slips,
    read_told,
    show_answer,
    try_slip,
    write_told,
)

SLIPS = all_slips()
LEAST_MENDED = 0.85


def take_sample(slips: list[Slip]) -> list[Slip]:
    """Some of the tries for every line that is meant."""
    by_line: dict[tuple[Path, str], list[Slip]] = {}
    for slip in slips:
        by_line.setdefault((slip.game, slip.right), []).append(slip)
    return [slip for alike in by_line.values() for slip in alike[::4]]


def judge(outcome: Outcome) -> list[str]:
    """What must never happen."""
    slip = outcome.slip
    found = [f"{slip.name}: `{slip.wrote}` is taken for something else"] if outcome.misread else []
    for what, texts in (("means something else", outcome.wrong), ("fails", outcome.broken)):
        found += [f"{slip.name}: `{slip.wrote}` is answered with {text!r}, which {what}" for text in texts]
    return found


def test_the_corpus_is_large() -> None:
    assert len(SLIPS) >= 1_000
    assert len(take_sample(SLIPS)) >= 300


FIRST_WORDS = FOLDER / "first-words.game.yaml"
PARTS = 6


@pytest.mark.share
@pytest.mark.parametrize("part", range(PARTS))
def test_the_table_of_first_words_says_what_is_answered_to_each(part: int, update: bool) -> None:
    slips = read_slips(FIRST_WORDS)
    outcomes = [try_slip(slip) for slip in (slips if update else slips[part::PARTS])]
    told = [show_answer(outcome.told) or ["taken"] for outcome in outcomes]
    if update:
        FIRST_WORDS.with_name("first-words.slips").write_text(write_told(FIRST_WORDS, told), encoding="utf-8")
    assert told == (read_told(FIRST_WORDS) if update else read_told(FIRST_WORDS)[part::PARTS])
    assert [line for outcome in outcomes for line in judge(outcome)] == []
    assert [outcome.slip.wrote for outcome in outcomes if not outcome.taken and not outcome.mended] == []


@pytest.mark.share
@pytest.mark.parametrize("game", [game for game in GAMES if game != FIRST_WORDS], ids=lambda game: game.name[:-10])
def test_what_is_shown_for_a_first_try_holds_and_means_what_was_meant(game: Path) -> None:
    outcomes = [try_slip(slip) for slip in take_sample(read_slips(game))]
    assert [line for outcome in outcomes for line in judge(outcome)] == []


@pytest.mark.slow
def test_most_first_tries_are_mended_and_none_is_misread() -> None:
    outcomes = [try_slip(slip) for slip in SLIPS]
    assert [line for outcome in outcomes for line in judge(outcome)] == []
    counted = Counter("taken" if outcome.taken else outcome.mended or "not mended" for outcome in outcomes)
    assert counted["not mended"] / len(outcomes) <= 1 - LEAST_MENDED, counted


# ------------------------------------------------------------------------------------------------ several at once
BROKEN = """\
game: sample
title: A sample
players: 2..4
deck:
  attributes: {suit: {red: R, blue: B}, rank: 1..9}
  cards:
    - {suit: [red, bleu], rank: 1..9}
zones:
  pack: {shows: nothing}   # face down
  pile: {shows: top_card}
  hand: {of: player, shows: owner}
actions:
  play: {text: Play a card., choose: {card: hand}, do: move the card to plie}
steps:
  match: |
    deal 3 cards from pack to each hand, starting left of dealer
    repeat until every hand is empty:   # until all are out
      for each seat: seat chooses paly
winners: seats
"""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    file = tmp_path / "sample.game.yaml"
    file.write_text(BROKEN, encoding="utf-8")
    return file


def test_slips_of_all_stages_are_shown_in_one_run(broken: Path) -> None:
    found = [one.primary.span.text for one in check_file(broken).ordered() if one.primary is not None]
    assert found == ["bleu", "player", "the", "paly"]


def test_fixes_are_carried_out_with_comments_and_layout_kept(broken: Path) -> None:
    told = CliRunner().invoke(command, ["--fix", str(broken)])
    assert told.exit_code == 0, told.output
    assert "now: play: {text: Play a card., choose: {card: hand}, do: move card to pile}" in told.output
    meant = BROKEN.replace("bleu", "blue").replace("player, ", "seat, ").replace("the card to plie", "card to pile")
    assert broken.read_text(encoding="utf-8") == meant.replace("paly", "play")


def test_tabs_are_made_levels_of_two_spaces(broken: Path) -> None:
    good = BROKEN.replace("bleu", "blue").replace("player, ", "seat, ").replace("the card to plie", "card to pile")
    good = good.replace("paly", "play")
    tabbed = re.sub(r"(?m)^ +", lambda indent: indent.group().replace("  ", "\t"), good)
    assert "\t" in tabbed
    broken.write_text(tabbed, encoding="utf-8")
    told = CliRunner().invoke(command, ["--fix", str(broken)])
    assert told.exit_code == 0, told.output
    assert broken.read_text(encoding="utf-8") == good


def test_the_difference_is_shown_and_nothing_is_written(broken: Path) -> None:
    told = CliRunner().invoke(command, ["--diff", str(broken)])
    assert told.exit_code == 0
    assert "-      for each seat: seat chooses paly\n+      for each seat: seat chooses play\n" in told.output
    assert broken.read_text(encoding="utf-8") == BROKEN


def test_each_game_is_right_as_it_is_meant() -> None:
    for game in {slip.game for slip in SLIPS}:
        assert not any(one.severity == "error" for one in check_file(game).ordered()), read_base(game)


# ------------------------------------------------------------------------------------------------ what is taken as said
WAITING = Path(__file__).parents[1] / "language" / "valid" / "waiting.game.yaml"


def test_an_end_that_waits_for_an_action_lets_it_finish() -> None:
    match = hoyle.load(WAITING, players=2).new(seed=3)
    match.apply(match.decision.actions[0])
    assert match.is_over
    assert min(match.scores) == 1 and max(match.scores) > 1


def test_without_waiting_the_rest_of_the_action_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / WAITING.name
    file.write_text(WAITING.read_text("utf-8").replace(", waits_for: action", ""), encoding="utf-8")
    match = hoyle.load(file, players=2).new(seed=3)
    match.apply(match.decision.actions[0])
    assert match.is_over
    assert list(match.scores) == [1, 1]


def test_an_end_that_has_waited_is_seen_when_the_action_is_left_by_ending_a_step(tmp_path: Path) -> None:
    file = tmp_path / WAITING.name
    text = WAITING.read_text("utf-8")
    text = text.replace("score rank of card to seat\n", "score rank of card to seat\n      end turn\n")
    text = text.replace("seat chooses play", "do turn") + "  turn: {of: seat, do: \"repeat: seat chooses play\"}\n"
    text = text.replace("winners: (seat in seats with highest score of seat)\n", "", 1)
    file.write_text(text + "winners: (seat in seats with highest score of seat)\n", encoding="utf-8")
    match = hoyle.load(file, players=2).new(seed=3)
    match.apply(match.decision.actions[0])
    assert match.is_over
    assert min(match.scores) == 1 and max(match.scores) > 1


def test_a_card_is_called_by_its_short_forms_alone(tmp_path: Path) -> None:
    """What is printed on cards and has no short forms, as `colour: [black, red]`, is no part of their codes."""
    file = tmp_path / "nobody.game.yaml"
    coloured = NOBODY.replace("{rank: 1..9},", "{rank: 1..9, colour: [black, red]},")
    file.write_text(coloured.replace("[{rank: 1..9}]", "[{rank: 1..9, colour: red}]"), encoding="utf-8")
    assert file.read_text("utf-8").count("colour") == 2
    assert [card.code for card in hoyle.load(file, players=3).program.cards][:2] == ["1", "2"]


NOBODY = """\
game: nobody
title: Nobody
players: 3
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9}]}
zones: {pack: {shows: nothing}, hand: {of: seat, shows: owner}}
state: {player: {type: seat, text: Whose turn it is.}}
actions:
  pass: {}
steps:
  match: |
    set player to dealer
    player chooses pass
    set player to first of (seat in seats where hand is not empty)
    for each seat from player: score 1 to seat for "asked"
winners: seats
"""


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_a_state_of_a_seat_is_never_set_to_nobody(tmp_path: Path, executor: ExecutorName) -> None:
    file = tmp_path / "nobody.game.yaml"
    file.write_text(NOBODY, encoding="utf-8")
    game = hoyle.load(file, players=3, executor=executor)
    with pytest.raises(hoyle.Fault, match="`player` may not be none"):
        game.new(seed=1).apply("pass")
    with pytest.raises(hoyle.Fault, match="`player` may not be none"):
        game.playout(1)


EARLY = """\
game: early
title: Over early
players: 2
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9}]}
zones: {pack: {shows: nothing}}
actions:
  take: {do: score 1 to seat}
  pass: {}
ends:
  match: some seat satisfies (score of seat >= 1)
steps:
  match: |
    do turn as dealer
    repeat 5 times: do round
  round: |
    for each seat: do turn
  turn: {of: seat, do: seat chooses take or pass}
winners: seats
"""


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_a_round_in_which_the_match_ends_is_counted(tmp_path: Path, executor: ExecutorName) -> None:
    file = tmp_path / "early.game.yaml"
    file.write_text(EARLY, encoding="utf-8")
    game = hoyle.load(file, players=2, executor=executor)
    for passes, rounds in ((0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (10, 5)):
        match = game.new(seed=1)
        for chosen in ["pass"] * passes + ["take"]:
            match.apply(chosen)
        assert match.is_over
        assert match.rounds == rounds
        assert [event.name for event in match.events].count("round_ended") == rounds
