"""A file that is checked clean loads and plays at every setting: number of players, and values of options."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from every_game import GAMES
from hoyle.base.diagnostics.report import Report
from hoyle.language.compile import read_game
from hoyle.language.settings import Setting, list_settings
from hoyle.language.specialise import Specialised, specialise
from hoyle.play.engine.game import Game
from secrecy import choose

DECISIONS = 12


def specialise_at(path: Path) -> list[tuple[Setting, Specialised | None, Report]]:
    """The game at each setting, except those that a `require` rules out."""
    declared = read_game(path, Report())
    assert declared is not None
    found = []
    for setting in list_settings(declared):
        report = Report()
        made = specialise(declared, setting.players, dict(setting.options), report)
        if not any(one.code == "option-requires" for one in report.diagnostics):
            found.append((setting, made, report))
    return found


@pytest.mark.share
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_a_game_loads_and_plays_at_every_setting(path: Path) -> None:
    for setting, made, report in specialise_at(path):
        assert made is not None, (setting, [one.message for one in report.ordered()])
        match, choices = Game(made.program, executor="reference").new(seed=1), random.Random(1)
        for _ in range(DECISIONS):
            if match.decision is None:
                break
            match.apply(choose(match.decision, choices))


def test_settings_are_all_players_each_value_alone_and_what_a_requirement_connects() -> None:
    declared = read_game(Path("games/bi-jinx/bi-jinx.game.yaml"), Report())
    assert declared is not None
    keys = {setting.key for setting in list_settings(declared)}
    low, high = declared.allowed
    assert {(players, ()) for players in range(low, high + 1)} <= keys
    assert (declared.usual[0], (("packets", "false"),)) in keys or (declared.usual[0], (("packets", "true"),)) in keys
    assert (4, (("partners", "true"),)) in keys, "partners require four players"
