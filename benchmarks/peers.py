"""External contestants: libraries, and programs written for a single game.

In: the installed packages. Out: contestants; one that is not available says so when it is prepared.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import shutil
import subprocess
import tempfile
from importlib import metadata
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import tight_cribbage
from benchmarks.measure import Contestant, Missing, Play, Sample, take_sample
from hoyle.play.engine.native.compiler import list_processor_flags

HERE = Path(__file__).parent
TIGHT, LIMIT = "tight Python", "C with a table"
SPIEL, SPIEL_SHORT, SPIEL_LOOP = "OpenSpiel, from Python", "OpenSpiel, from Python, shortcut", "OpenSpiel, loop in C++"
RLCARD = "RLCard"
PACKAGES = ("open_spiel", "rlcard", "numpy")


def list_peers() -> list[Contestant]:
    return [
        Contestant(TIGHT, "cribbage", 2, _make_tight, "written by hand, benchmarks/tight_cribbage.py"),
        Contestant(SPIEL, "cribbage", 2, _make_spiel, "chance_outcomes, as in its examples; goes on past 121"),
        Contestant(SPIEL_SHORT, "cribbage", 2, _make_spiel_short, "legal_actions for chance: all equally likely here"),
        Contestant(SPIEL_LOOP, "cribbage", 2, _make_spiel_loop, "evaluate_bots; decisions as from Python", True),
        Contestant(LIMIT, "cribbage", 2, _make_limit, "written by hand, cc -O2 -DTABLE", True),
        Contestant(RLCARD, "uno", 2, _make_rlcard, "random agents"),
    ]


def find_versions() -> dict[str, str]:
    """Return the versions of the installed packages."""
    found = {}
    for package in PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[package] = metadata.version(package)
    return found


def _need(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Missing(f"{error}; `make bench` installs it") from None


def _make_tight() -> Play:
    def play(number: int) -> int:
        return tight_cribbage.play_game(Random(number).random).decisions

    return play


# ------------------------------------------------------------------------------------------------ OpenSpiel
def _make_spiel() -> Play:
    game = _need("pyspiel").load_game("cribbage")

    def play(number: int) -> int:
        chance = Random(number)
        random, choices = chance.random, chance.choices
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choices(outcomes, weights)[0])
            else:
                decisions += 1
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
        return decisions

    return play


def _make_spiel_short() -> Play:
    """Prepare OpenSpiel's cribbage without querying chance probabilities, which doubles its speed: all outcomes, the
    cards left in the pack, are equally likely."""
    game = _need("pyspiel").load_game("cribbage")

    def play(number: int) -> int:
        random = Random(number).random
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(actions[int(random() * len(actions))])
        return decisions

    return play


def _make_spiel_loop() -> Any:
    spiel = _need("pyspiel")
    game = spiel.load_game("cribbage")
    counted = take_sample(_make_spiel(), 0.5)

    def play(number: int) -> int:
        bots = [spiel.make_uniform_random_bot(seat, 2 * number + seat) for seat in range(2)]
        spiel.evaluate_bots(game.new_initial_state(), bots, number)
        return 0

    def sample(seconds: float) -> Sample:
        taken = take_sample(play, seconds)
        return Sample(taken.games, round(taken.games * counted.decisions / counted.games), taken.seconds)

    return sample


# ------------------------------------------------------------------------------------------------ RLCard
def _make_rlcard() -> Play:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        rlcard, agents = _need("rlcard"), _need("rlcard.agents")
    table = rlcard.make("uno", config={"seed": 1})
    table.set_agents([agents.RandomAgent(num_actions=table.num_actions) for _ in range(table.num_players)])

    def play(number: int) -> int:
        before = table.timestep
        table.run(is_training=False)
        return int(table.timestep - before)

    return play


# ------------------------------------------------------------------------------------------------ C
def _make_limit() -> Any:
    compiler = shutil.which("cc")
    if compiler is None:
        raise Missing("there is no C compiler (cc)")
    folder = tempfile.TemporaryDirectory()
    program = Path(folder.name) / "limit_cribbage"
    command = [compiler, "-O2", *list_processor_flags(), "-DTABLE", str(HERE / "limit_cribbage.c"), "-o", str(program)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise Missing(f"cc cannot compile it: {made.stderr.strip().splitlines()[-1:]}")

    def sample(seconds: float) -> Sample:
        # The program plays five times the given number of games and reports the fastest fifth.
        games = max(1000, int(250_000 * seconds / 5))
        told = subprocess.run([program, str(games)], capture_output=True, text=True, check=True).stdout
        rate = float(_find(r"games/s=(\d+)", told))
        decisions = float(_find(r"dec/game=([\d.]+)", told)) + float(_find(r"pass/game=([\d.]+)", told))
        assert folder.name  # keeps the temporary folder alive as long as this function
        return Sample(games, round(games * decisions), games / rate)

    return sample


def _find(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found is not None, text
    return found[1]
