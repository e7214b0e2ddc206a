"""What happens in many games: actions, windows, ends, caps and teams are counted as they come."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import hoyle
from hoyle.front.cli.group import commands
from hoyle.lab.bots import let_choose, make_bots
from hoyle.play.engine.habits import Habits
from hoyle.program.model.chance import derive_seed

RULES = """\
game: snatch
title: Snatch
players: 4
teams: {size: 2}
deck: {starts_in: pack, attributes: {rank: 1..24}, cards: [{rank: 1..24}]}
zones:
  pack: {shows: nothing}
  pile: {shows: all}
  hand: {of: seat, shows: owner}
actions:
  play: {choose: {card: hand}, do: move card to pile}
  keep: {}
  snatch:
    do: |
      move pile to pack
      score 1 to seat
  dream: {possible: count of hand > 9}
ends:
  play_on: {at_two: some seat satisfies (score of seat >= 2), all_out: every hand is empty}
steps:
  match: |
    shuffle pack
    deal 3 cards from pack to each hand, starting left of dealer
    do play_on
  play_on: |
    repeat at most 4 times:
      for each seat:
        if hand is not empty: seat chooses play or keep or dream
        offer snatch to any other in seats from left of seat where pile is not empty and other != seat
winners: (seat in seats with highest score of team of seat)
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sim") / "snatch.game.yaml"
    file.write_text(RULES, encoding="utf-8")
    return file


def sum_up(rules: Path, *more: str) -> dict[str, Any]:
    done = CliRunner().invoke(commands, ["sim", str(rules), "--games", "12", "--json", *more])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("bot", ["random", pytest.param("greedy", marks=pytest.mark.slow)])
def test_what_is_counted_is_what_the_matches_tell(rules: Path, bot: str) -> None:
    game = hoyle.load(rules, players=4)
    chosen: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    offered: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for index in range(12):
        seed = derive_seed(0, index)
        match, bots, habits = game.new(seed), make_bots(bot, seed, 4), Habits(0.0, seed)
        while (decision := match.decision) is not None:
            window = match.executor.in_window(match.position)
            offered[window].update({action.name or "decline" for action in decision.actions})
            action = let_choose(habits, match, decision, bots[decision.seat])
            match.apply(action)
            chosen[window][match.history[-1].split()[0]] += 1
    found = sum_up(rules, "--count", "--bot", bot)["counts"]
    for window, place in ((False, "actions"), (True, "windows")):
        told = found[place]["by_action"]
        assert {name: each["offered"] for name, each in told.items() if each["offered"]} == dict(offered[window])
        assert {name: each["chosen"] for name, each in told.items() if each["chosen"]} == dict(chosen[window])
        assert found[place]["decisions"] == chosen[window].total() > 0
    assert found["actions"]["by_action"]["dream"] == {"offered": 0, "chosen": 0}
    assert sum(found["ends"].values()) + sum(found["caps"].values()) == 12


def test_counting_changes_nothing_and_adds_up_in_processes(rules: Path) -> None:
    plain, here, there = sum_up(rules), sum_up(rules, "--count"), sum_up(rules, "--count", "--jobs", "2")
    for each in (plain, here, there):
        each.pop("seconds"), each.pop("native")
    assert here == there
    assert here.pop("counts")
    assert here == plain


def test_teams_win_together(rules: Path) -> None:
    found = sum_up(rules)
    assert [team["seats"] for team in found["teams"]] == [[0, 2], [1, 3]]
    assert sum(team["wins"] for team in found["teams"]) == pytest.approx(12)
    text = CliRunner().invoke(commands, ["sim", str(rules), "--games", "12", "--count"]).output
    named = (" team  wins", "0 + 2", "decisions in windows  offered", "ends.play_on.at_two", "steps.play_on, line 26")
    assert [part for part in named if part not in text] == []


def test_what_happens_on_both_sides_is_compared(rules: Path) -> None:
    sides = ["compare", str(rules), f"{rules} bot=greedy"]
    done = CliRunner().invoke(commands, [*sides, "--games", "6", "--count", "--json"])
    measures = {each["name"]: each["means"] for each in json.loads(done.stdout)["measures"]}
    assert measures["times snatch is chosen in a window"] != [0, 0]
    assert measures["times dream is offered"] == [0, 0]
    assert sum(measures[f"wins of team {team}"][0] for team in (0, 1)) == pytest.approx(1)
    assert measures["decisions in windows"][0] > 0
    plain = CliRunner().invoke(commands, [*sides, "--games", "2"]).output
    assert "times play" not in plain


def test_what_is_scored_to_teams_is_told_of_them(rules: Path) -> None:
    rules.write_text(RULES.replace("score 1 to seat", "score 1 to team of seat"), encoding="utf-8")
    assert [team["score"]["max"] for team in sum_up(rules)["teams"]] == [2, 2]
    of_seats, of_teams = CliRunner().invoke(commands, ["sim", str(rules), "--games", "12"]).output.split(" team  wins")
    assert "mean score" in of_teams and "mean score" not in of_seats
