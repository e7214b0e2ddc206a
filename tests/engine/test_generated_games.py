"""Every shipped game plays the same on both executors."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import hoyle
from every_game import GAMES
from hoyle.base.shipped import game_name
from hoyle.language.library import describe
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.game import Game
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.playout import play_out
from hoyle.play.engine.printed import find_problem
from hoyle.program.ir.nodes import Program
from two_executors import RandomMatch, Table, compare_stretches, compile_with, draw_options, list_tables, play_both

SAMPLES = sorted((Path(__file__).parents[1] / "language" / "valid").rglob("*.game.yaml"))
BY_GAME = list_tables()
TABLES = [table for tables in BY_GAME for table in tables]
ONE_EACH = [tables[(7 * i + 3) % len(tables)] for i, tables in enumerate(BY_GAME)]
OF_FOLDERS = list({table[0].parent: table for table in reversed(ONE_EACH)}.values())  # one game of each folder
FEW_DECISIONS = 60
SEEDS = 500
ALL_SEEDS = 1020  # of all games together, so that one game more costs no time
FEW_SEEDS = max(4, ALL_SEEDS // len(BY_GAME))


def name_table(table: Table) -> str:
    return f"{table[0].name.split('.')[0]}-{table[1]}"


def play_drawn(program: Program, seeds: range) -> None:
    """Matches drawn in generated code go the way of play decision by decision."""
    for seed in seeds:
        played = RandomMatch(GeneratedExecutor(program), seed)
        while not played.position.over and len(played.sizes) < 20 * FEW_DECISIONS:
            played.go_on()
        played.compare_drawn()


@pytest.mark.share
@pytest.mark.parametrize("table", OF_FOLDERS, ids=name_table)
def test_there_is_generated_code_for_all_of_a_game(table: Table) -> None:
    program = compile_with(*table, {})
    assert program is not None
    assert not find_problem(program)


@pytest.mark.share
@pytest.mark.parametrize("path", GAMES, ids=game_name)
def test_generated_code_plays_every_game_to_its_end_by_itself(path: Path) -> None:
    game = hoyle.load(path)
    executor = GeneratedExecutor(game.program)
    if executor.functions is None:
        assert game.program.called or game.program.keeps_faces
        return
    for seed in range(12):
        play_out(executor, seed)
    assert executor.generated.mistakes == {}
    assert executor.generated.handed_over == 0


@pytest.mark.share
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.split(".")[0])
def test_there_is_generated_code_for_a_sample_unless_errors_are_called_or_cards_turned(path: Path) -> None:
    info, _ = describe(path)
    assert info is not None
    program = compile_with(path, info.allowed[0], {})
    assert program is not None
    assert bool(find_problem(program)) == (program.called or program.keeps_faces)


def test_what_is_lawful_while_an_offence_is_on_record_is_what_the_reference_says() -> None:
    program = hoyle.load("bunco-short", options={"error_mode": "challenge"}).program
    generated, reference = GeneratedExecutor(program), ReferenceExecutor(program)
    position, habits, chance, offences = generated.start(0), Habits(0.2, 0), random.Random(0), 0
    generated.run(position)
    for _ in range(60):
        offences += position.offence is not None
        assert list(generated.list_lawful(position)) == list(reference.list_lawful(position))
        choices = habits.narrow(generated, position, generated.list_legal(position))
        generated.advance(position, chance.choice(choices))
    assert offences


@pytest.mark.share
@pytest.mark.parametrize("table", ONE_EACH, ids=name_table)
def test_every_game_goes_the_same_way_on_both_executors(table: Table) -> None:
    program = compile_with(*table, {})
    assert program is not None
    compare_stretches(program, range(FEW_SEEDS), drawn=True)


@pytest.mark.share
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.split(".")[0])
def test_every_sample_of_the_language_goes_the_same_way_on_both_executors(path: Path) -> None:
    info, _ = describe(path)
    assert info is not None
    program = compile_with(path, info.allowed[0], {})
    assert program is not None
    play_both(program, seed=1, most=FEW_DECISIONS)
    play_drawn(program, range(20))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=name_table)
def test_every_game_goes_the_same_way_for_a_hundred_times_as_many_seeds(table: Table) -> None:
    program = compile_with(*table, {})
    assert program is not None
    compare_stretches(program, range(101 * SEEDS))


@pytest.mark.share
@pytest.mark.parametrize("table", OF_FOLDERS, ids=name_table)
def test_a_game_with_other_options_goes_the_same_way_on_both_executors(table: Table) -> None:
    path, players = table
    chance = random.Random(f"{path.name} {players}")
    for _ in range(10):
        program = compile_with(path, players, draw_options(path, chance))
        if program is not None:
            play_both(program, seed=players, most=FEW_DECISIONS)
            play_drawn(program, range(3))
            return
    pytest.fail("no setting of the options is valid")


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=name_table)
def test_many_games_go_the_same_way_on_both_executors(table: Table) -> None:
    path, players = table
    program = compile_with(path, players, {})
    assert program is not None
    for seed in range(20):
        play_both(program, seed, most=2000)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=name_table)
def test_many_settings_of_options_go_the_same_way_on_both_executors(table: Table) -> None:
    path, players = table
    chance = random.Random(f"many {path.name} {players}")
    for seed in range(20):
        program = compile_with(path, players, draw_options(path, chance))
        if program is not None:
            play_both(program, seed, most=400)
            play_drawn(program, range(20))


def test_a_played_out_match_ends_the_same_way_on_both_executors() -> None:
    path, players = TABLES[0]
    program = compile_with(path, players, {})
    assert program is not None
    made, defined = Game(program, executor="generated"), Game(program, executor="reference")
    assert made.playout(2) == defined.playout(2)


@pytest.mark.share
@pytest.mark.parametrize("table", [tables[-1] for tables in BY_GAME], ids=name_table)
def test_a_position_takes_less_than_ten_thousand_bytes(table: Table) -> None:
    program = compile_with(*table, {})
    assert program is not None
    match = Game(program).new(1)
    for _ in range(20):
        if match.decision is not None and match.decision.actions[0].number is None:
            match.apply(0)
    assert len(json.dumps(match.position.to_json())) < 10_000
