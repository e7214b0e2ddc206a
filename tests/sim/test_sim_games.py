"""Every shipped game, played by every bot."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

import hoyle
from hoyle.base import shipped
from hoyle.front.cli import run
from hoyle.lab.bots import BOTS
from hoyle.lab.sim import Plan, simulate
from hoyle.language.library import describe
from hoyle.play.engine.codegen_limits import Reason
from hoyle.play.engine.native.compiler import find_compiler

GAMES = shipped.all_games()


def player_counts(path: Path) -> range:
    info, _ = describe(path)
    assert info is not None
    return range(info.allowed[0], info.allowed[1] + 1)


@pytest.mark.share
@pytest.mark.parametrize("path", GAMES, ids=shipped.game_name)
def test_a_game_of_the_fewest_players_comes_to_its_end(path: Path) -> None:
    summary = simulate(functools.partial(hoyle.load, path), Plan(1, seed=1))
    assert summary.first_fault is None
    assert summary.games == 1
    assert summary.decisions.low > 0


@pytest.mark.slow
@pytest.mark.parametrize("bot", [kind.name for kind in BOTS.values() if kind.blind is not None])
@pytest.mark.parametrize("path", GAMES, ids=shipped.game_name)
def test_games_of_every_number_of_players_come_to_their_end(path: Path, bot: str) -> None:
    for players in player_counts(path):
        summary = simulate(functools.partial(hoyle.load, path, players), Plan(5, seed=players, bot=bot))
        assert summary.first_fault is None, f"{players} players"
        assert summary.games == 5


def test_what_generated_code_hands_over_is_told_once_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    called = Path(__file__).parents[1] / "language" / "valid" / "piles-and-windows.game.yaml"
    assert run(["sim", str(called), "--games", "2", "--executor", "python", "--jobs", "1"]) == 0
    told = f"played by the reference, which is slower: no Python is generated for {Reason.CALLED}\n"
    assert capsys.readouterr().err == told
    assert run(["sim", "goofspiel", "--games", "2", "--executor", "python", "--jobs", "1"]) == 0
    assert capsys.readouterr().err == ""


KEPT_PAIRS = """
game: kept-pairs
title: Different Pairs
players: 2
deck: {starts_in: pack, attributes: {rank: 1..50}, cards: [{rank: 1..50}]}
zones:
  pack: {shows: nothing}
  hand: {of: seat, shows: owner}
  pile: {shows: all}
actions:
  keep: {choose: {card: hand}, do: move card to pile}
steps:
  match: |
    shuffle pack
    deal 5 cards from pack to each hand, starting left of dealer
    for each seat: seat chooses keep
    let kept be pairs of (rank of card - 9 for card in pile)
    if count of kept > 1: move top of pile to pack
winners: seats
"""


@pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")
def test_what_native_code_cannot_play_is_told_with_who_played_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kept-pairs.game.yaml"
    path.write_text(KEPT_PAIRS)
    for _ in range(2):
        assert run(["sim", str(path), "--games", "2", "--executor", "native"]) == 0
        told = capsys.readouterr().err
        assert told.startswith("played by the reference: no native code is written for "), told
