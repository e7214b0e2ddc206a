"""Matches in words: every name can be another, and the game stays the same."""

from __future__ import annotations

import json
import random
from typing import Any

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


def say(*messages: object) -> list[dict[str, Any]]:
    """What the server of a match of Leduc poker answers."""
    lines = "".join(json.dumps(each) + "\n" if isinstance(each, dict) else f"{each}\n" for each in messages)
    run = CliRunner().invoke(command, ["leduc-poker", "--seat", "0", "--seed", "3", "--mcp"], input=lines)
    assert run.exit_code == 0, run.output
    return [json.loads(line) for line in run.output.splitlines()]


def call(number: int, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_a_language_model_plays_through_a_server_of_tools() -> None:
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    choose = [call(9, name="choose", arguments={"choice": "call"})] * 20
    refuse = call(4, name="choose", arguments={"choice": "fold"})
    hello, tools, look, refused, *chosen = say(begin, ready, {**begin, "id": 2, "method": "tools/list"},
                                               call(3, name="look"), refuse, *choose)  # fmt: skip
    assert hello["result"]["protocolVersion"] == "2025-03-26" and "tools" in hello["result"]["capabilities"]
    assert [tool["name"] for tool in tools["result"]["tools"]] == ["look", "choose"]
    assert look["result"]["structuredContent"]["choices"] == ["call", "raise"] and not look["result"]["isError"]
    assert refused["result"]["isError"] and refused["result"]["content"][0]["text"].startswith("refused: ")
    assert refused["result"]["structuredContent"]["refused"]
    assert any("over" in answer["result"]["structuredContent"] for answer in chosen)
    assert chosen[-1]["result"]["structuredContent"]["refused"] == "the match is over"


@pytest.mark.parametrize(
    ("message", "code"),
    [("[", -32700), ("[" * 90_000, -32700), ("x" * 200_000, -32600), ("[1]", -32600), ({"id": 1}, -32600),
     ({"id": [], "method": "ping"}, -32600), ({"id": 1, "method": "steal"}, -32601),
     ({"id": 1, "method": "tools/call", "params": [1]}, -32602), (call(1, name="steal"), -32602),
     (call(1, name="choose", arguments=[]), -32602), (call(1, name="choose", arguments={"choice": 7}), -32602)],
)  # fmt: skip
def test_a_message_that_is_no_request_is_refused(message: object, code: int) -> None:
    wrong, *_, good = say(message, {"jsonrpc": "2.0", "id": 8, "method": "ping"})
    assert wrong["error"]["code"] == code and good == {"jsonrpc": "2.0", "id": 8, "result": {}}
