"""Stored matches know under which rules they were played: under others they are refused, with what differs and how to
go on. What decides play counts, and no text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hoyle
from hoyle.play.engine.origin import FORMAT, OtherRules
from hoyle.play.transcript import record, replay
from hoyle.program.model.records import RecordError

RULES = """\
game: odd
title: Odd
players: 2..3
options:
  deals: {text: How many deals., default: 2, range: 1..5}
  fast: {text: Whether it goes on and on., default: false}
deck:
  starts_in: pack
  attributes: {number: 1..9, colour: [red, blue]}
  cards: [{number: 1..9, colour: [red, blue]}]
zones:
  pack: {shows: nothing}
  pile: {text: The cards played., shows: top_card}
  hand: {of: seat, shows: owner}
state:
  player: {type: seat, text: Whose turn it is.}
actions:
  play:
    text: Play a card.
    choose: {card: hand}
    allowed:
      any:
        lead: pile is empty
        colour: colour of card = colour of top of pile
    do: move card to pile
  take:
    text: Take the top card of the pile.
    possible: pile is not empty
    do: move top of pile to hand
steps:
  match: |
    repeat deals times:
      gather pack
      shuffle pack
      deal 3 cards from pack to each hand, starting left of dealer
      set player to left of dealer
      repeat 4 times:
        if fast: announce "on and on"
        player chooses play, otherwise take
        set player to left of player
      set dealer to left of dealer
winners: seats
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "odd.game.yaml"
    path.write_text(RULES)
    hoyle.load(path)
    return path


def begin(file: Path, **options: Any) -> hoyle.Match:
    match = hoyle.load(file, players=2, options=options).new(seed=5)
    for _ in range(3):
        match.apply(0)
    return match


def change(file: Path, old: str, new: str) -> hoyle.Game:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    return hoyle.load(file, players=2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: Odd", "title: Very Odd"),
        ("text: Play a card.", "text: Play one card of your hand."),
        ("text: The cards played.", "text: What has been played."),
        ("text: How many deals.", "text: The number of deals."),
        ("default: 2", "default: 3"),
        ("on and on", "again and again"),
        ("    do: move card to pile", "    do: |\n      move card to pile\n    # a comment"),
        ("lead: pile is empty", "lead: {text: The first card is free., is: pile is empty}"),
    ],
)
def test_a_match_outlives_a_change_of_texts_and_of_layout(file: Path, old: str, new: str) -> None:
    match = begin(file, deals=2)
    text = file.read_text().replace(old, new, 1)
    assert text != file.read_text()
    file.write_text(text)
    game = hoyle.load(file, players=2, options={"deals": 2})
    again = hoyle.Match.from_json(game, json.loads(json.dumps(match.to_json())))
    assert again.position == match.position and again.history == match.history
    if "on and on" not in old:
        assert replay(game, record(match)).position == match.position


@pytest.mark.parametrize(
    ("old", "new", "section"),
    [
        ("number: 1..9, colour: [red, blue]}\n", "number: 1..9, colour: [blue, red]}\n", "`deck` has"),
        ("played., shows: top_card", "played., shows: all", "`zones` has"),
        ("type: seat", "type: seat or none", "`state` has"),
        ("colour of card = colour of top of pile", "number of card = number of top of pile", "`actions` has"),
        ("deal 3", "deal 4", "`steps` has"),
        ("winners: seats", "winners: (seat in seats with lowest score of seat)", "`winners` has"),
        ("range: 1..5", "range: 1..6", "`options` has"),
    ],
)  # fmt: skip
def test_a_match_is_refused_under_other_rules_with_what_differs(file: Path, old: str, new: str, section: str) -> None:
    match = begin(file)
    saved, transcript = match.to_json(), record(match)
    game = change(file, old, new)
    for read in (lambda: hoyle.Match.from_json(game, saved), lambda: replay(game, transcript)):
        with pytest.raises(OtherRules, match=f"under other rules: .*{section} changed since; put back the rules"):
            read()


def test_a_match_is_refused_at_another_table_with_what_differs(file: Path) -> None:
    saved = begin(file).to_json()
    for game, differs in (
        (hoyle.load(file, players=3), "it has 2 players, and here are 3"),
        (hoyle.load(file, players=2, options={"deals": 4, "fast": True}),
         "`deals` was 2, and is 4, `fast` was false, and is true"),
        (hoyle.load("cribbage"), "it is of `odd`, and this is `cribbage`"),
    ):  # fmt: skip
        with pytest.raises(OtherRules, match=differs):
            hoyle.Match.from_json(game, saved)


def test_a_match_of_a_newer_format_is_refused_by_the_hoyle_that_wrote_it(file: Path) -> None:
    match = begin(file)
    newer = {"format": FORMAT + 1, "hoyle": "9.1", "anything": "else"}
    with pytest.raises(RecordError, match=rf"format {FORMAT + 1}.*go on with the newer Hoyle that wrote it \(9.1\)"):
        hoyle.Match.from_json(match.game, newer)
    with pytest.raises(RecordError, match=r"newer Hoyle that wrote it \(9.1\)"):
        replay(match.game, newer)


def test_a_position_that_another_compiler_numbered_otherwise_is_refused(file: Path) -> None:
    match = begin(file)
    with pytest.raises(OtherRules, match="play its seed and history again"):
        hoyle.Match.from_json(match.game, {**match.to_json(), "layout": "0" * 16})


def test_what_is_saved_shares_nothing_with_the_match(file: Path) -> None:
    match = begin(file)
    saved = match.to_json()
    text = json.dumps(saved)
    again = hoyle.Match.from_json(match.game, saved)
    for each in (match, again):
        each.apply(0)
    assert json.dumps(saved) == text


# ------------------------------------------------------------------------------------------------ options
def test_options_are_values_and_load_the_same_game_again(file: Path) -> None:
    file.write_text(file.read_text().replace("  fast:", "  cap: {text: A bound., default: none, range: 1..9 or none}\n"
                                             "  who: {text: Who begins., default: one, values: {one: A., other: B.}}\n"
                                             "  fast:"))  # fmt: skip
    game = hoyle.load(file, players=2, options={"deals": "4", "fast": "yes", "who": "other"})
    assert game.options == {"deals": 4, "cap": None, "who": "other", "fast": True}
    again = hoyle.load(file, players=2, options=game.options)
    assert again.options == game.options and again.program == game.program
    assert hoyle.load(file, options={"cap": 3, "fast": False}).options["cap"] == 3
