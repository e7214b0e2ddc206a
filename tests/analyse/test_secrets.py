"""Secrets hold against a file made to tell them: every way is refused by the checker, and without the checker a redeal
of what cannot be known shows that it tells something.

The two know nothing of each other: the checker reads the rules, the redeal plays them (`secrecy.py`).
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

import hoyle
from chance_files import ADVICE, compile_unchecked, play_at_a_table, try_files
from hostile_files import LOOKED_AT, SAYABLE, TELLING, write
from hoyle.language.compile import compile_game
from hoyle.play.engine.game import Game
from secrecy import watch_match


@pytest.mark.parametrize("name", TELLING)
def test_a_file_that_tells_a_secret_is_refused(name: str, tmp_path: Path) -> None:
    patch, code = TELLING[name]
    program, others, found = compile_unchecked(write(tmp_path, patch))
    assert program is not None, others
    assert {each.code for each in found} == {code}


# Seen only in courses whose earlier choices differ, too: the redeal keeps who held a card, where chance
# has drawn, and where a card lies that a name stands for.
OUT_OF_REACH = {
    "drawn: a card drawn by chance and left where it lies",
    "holders: across a shuffle",
    "holders: of a card taken unseen from among others",
    *(name for name in TELLING if name.startswith(("followed", "lost"))),
}


@pytest.mark.share
@pytest.mark.parametrize("name", sorted(TELLING.keys() - OUT_OF_REACH))
def test_a_file_that_is_refused_would_tell_a_secret(name: str, tmp_path: Path) -> None:
    program, others, _ = compile_unchecked(write(tmp_path, TELLING[name][0]))
    assert program is not None, others
    game = Game(program, executor="reference")
    with pytest.raises(AssertionError):  # at a table that looks only at what each seat knows, or in a redeal
        play_at_a_table(game, seeds=4)
        for seed in range(60):
            with suppress(hoyle.Fault):
                watch_match(game, seed, 16, 16)


@pytest.mark.parametrize("name", LOOKED_AT)
def test_nobody_looks_at_what_nobody_sees(name: str, tmp_path: Path) -> None:
    _, report = compile_game(write(tmp_path, LOOKED_AT[name]))
    assert {found.code for found in report.diagnostics} == {"unseen"}


@pytest.mark.parametrize("name", SAYABLE)
def test_what_players_can_carry_out_stays_sayable(name: str, tmp_path: Path) -> None:
    program, report = compile_game(write(tmp_path, SAYABLE[name]), SAYABLE[name].get("players", 3))
    assert program is not None, [found.message for found in report.diagnostics]
    assert {found.code for found in report.diagnostics} <= ADVICE
    play_at_a_table(Game(program, executor="reference"), seeds=1)


@pytest.mark.share
@pytest.mark.parametrize("name", SAYABLE)
def test_what_players_can_carry_out_tells_nothing(name: str, tmp_path: Path) -> None:
    program, _ = compile_game(write(tmp_path, SAYABLE[name]), SAYABLE[name].get("players", 3))
    assert program is not None
    game = Game(program, executor="reference")
    for seed in range(8):
        watch_match(game, seed, 16, 10)


# ------------------------------------------------------------------------------------------------ files by chance
def test_files_written_by_chance_are_refused_or_tell_nothing(tmp_path: Path) -> None:
    tried = try_files(range(30), tmp_path)
    assert not tried.differences, str(tried)
    assert tried.accepted > 2
    assert tried.refused.total() > 10


@pytest.mark.slow
@pytest.mark.parametrize("part", range(100))
def test_many_files_written_by_chance_are_refused_or_tell_nothing(part: int, tmp_path: Path) -> None:
    """Until two hundred more are accepted; of the first that are refused, how many are so in vain is printed."""
    first = 1_000_000 * (part + 1)
    tried = try_files(range(first, first + 40), tmp_path, look_at_refused=True)
    while tried.accepted < 200:
        first += 40
        tried.add(try_files(range(first, first + 40), tmp_path))
    print(tried)
    assert not tried.differences, str(tried)
    assert tried.refused.total() > 50
