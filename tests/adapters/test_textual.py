"""Matches in words: every name can be another, and the game stays the same."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner

import hoyle
from hoyle.front.cli.env import command
from hoyle.lab.adapters.textual import Skin, TextMatch, write_text

GAMES = ["hearts", "holdem", "hanabi", "cribbage", "skat"]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_with_other_names_is_the_same_game(name: str) -> None:
    """The same choices by number lead to the same records, name for name, and no card keeps its name."""
    game = hoyle.load(name)
    skin = Skin(game.program, 7)
    plain, dressed, chance = TextMatch(game, 3), TextMatch(game, 3, skin), random.Random(1)
    names = {card.code for card in game.program.cards}
    for _ in range(60):
        asked, other = plain.ask(), dressed.ask()
        assert skin.put_on(asked) == other
        if "over" in asked:
            break
        assert asked["choices"] == [skin.take_off(choice) for choice in other["choices"]]
        assert len(set(other["choices"])) == len(set(asked["choices"]))
        assert not names & {card for zone in other["zones"] for card in zone["cards"]}
        place = chance.randrange(len(asked["choices"]))
        assert plain.answer(asked["choices"][place]) is None
        assert dressed.answer(other["choices"][place]) is None
    assert plain.match.history == dressed.match.history


def test_a_refusal_cites_the_rule_and_changes_nothing() -> None:
    played = TextMatch(hoyle.load("cribbage"), 1)
    before = played.ask()
    refused = played.answer("lay_away 2C 2C")
    assert refused is not None and refused["refused"]
    assert played.answer("nonsense") is not None and played.answer("x" * 9999) is not None
    assert played.ask() == before
    assert write_text(before).startswith("seat ")


def test_nobody_reads_what_the_seat_does_not_see() -> None:
    played = TextMatch(hoyle.load("hearts"), 1)
    hidden = [zone for zone in played.ask()["zones"] if zone["zone"].startswith("hand.") and zone["zone"] != "hand.0"]
    assert {card for zone in hidden for card in zone["cards"]} == {None}


def test_a_program_plays_over_standard_input() -> None:
    run = CliRunner().invoke(command, ["kuhn-poker", "--seat", "0", "--seed", "1"], input="nonsense\nbet\n")
    records = [json.loads(line) for line in run.output.splitlines() if line.startswith("{")]
    assert "choices" in records[0] and "refused" in records[1] and "over" in records[-1], run.output
