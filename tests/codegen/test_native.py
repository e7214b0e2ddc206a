"""Native code: every game plays the same by it as by the reference, and what it cannot do the reference does."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import random
import re
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import cast

import pytest

import hoyle
from hoyle.base.shipped import all_games
from hoyle.front.cli import run
from hoyle.lab.sim.run import Plan, simulate
from hoyle.language.library import describe, find_program
from hoyle.play.codegen.c import operations
from hoyle.play.codegen.c.printer import print_c
from hoyle.play.codegen.low.program import Module
from hoyle.play.codegen.lower import whole_program as lowering
from hoyle.play.codegen.lower.capacities import find_capacities
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game, Match
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.native import compiler, native_executor
from hoyle.play.engine.native import program as native_program
from hoyle.play.engine.native.board import Board
from hoyle.play.engine.native.library import ASKED
from hoyle.play.engine.native.program import Native, find_native
from hoyle.play.engine.playout import read_result
from hoyle.program.ir.nodes import Program
from native_play import POLICIES, UNOPTIMISED, has_compiler, load_library, needs_compiler, play_natively
from two_executors import compile_with, draw_options, list_tables

RANDOM_GROUPS = Path(__file__).parents[1] / "native" / "random-groups.game.yaml"
SAMPLES = sorted((Path(__file__).parents[1] / "language" / "valid").rglob("*.game.yaml"))
BY_GAME = list_tables()
FEW_DECISIONS = 60


def is_variant(path: Path) -> bool:
    return path.name.split(".")[0] != path.parent.name


TURNED_CARDS = RANDOM_GROUPS.with_name("turned-cards.game.yaml")
DIVIDED = RANDOM_GROUPS.with_name("divided.game.yaml")
MEASURED = sorted((Path(__file__).parents[2] / "benchmarks" / "rules").glob("*.game.yaml"))
PLAYED = [*(path for path in all_games() if not is_variant(path)), *MEASURED]


def compare(program: Program, seeds: int = 2) -> None:
    library = load_library(program)
    for policy in POLICIES:
        for seed in range(seeds if policy == "random" else 1):
            play_natively(program, library, seed, policy, most=FEW_DECISIONS)


@pytest.fixture(scope="module")
def bonus() -> Game:
    """A shipped game whose native code is built, without optimisation."""
    game = hoyle.load("bonus-20")
    if has_compiler:
        load_library(game.program)
    return game


# ------------------------------------------------------------------------------------------------ equality
@pytest.mark.slow
@pytest.mark.parametrize("path", all_games(), ids=lambda path: path.name.split(".")[0])
def test_there_is_native_code_for_every_shipped_game(path: Path) -> None:
    program, _ = find_program(path)
    assert program is not None
    text = print_c(lower_program(program))
    assert text.isascii() and program.title not in text


@needs_compiler
@pytest.mark.share
@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_a_game_goes_the_same_way_natively(path: Path) -> None:
    program, _ = find_program(path)
    assert program is not None
    compare(program)


@needs_compiler
@pytest.mark.share
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.split(".")[0])
def test_a_sample_of_the_language_goes_the_same_way_natively(path: Path) -> None:
    info, _ = describe(path)
    assert info is not None
    program = compile_with(path, info.allowed[1], {})
    assert program is not None
    compare(program)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("tables", BY_GAME, ids=lambda tables: tables[0][0].name.split(".")[0])
def test_every_table_goes_the_same_way_natively(tables: list[tuple[Path, int]]) -> None:
    for path, players in tables:
        program = compile_with(path, players, {})
        assert program is not None
        library = load_library(program)
        for policy in POLICIES:
            for seed in range(40 if policy == "random" else 2):
                play_natively(program, library, seed, policy, most=400)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("tables", BY_GAME, ids=lambda tables: tables[0][0].name.split(".")[0])
def test_whatever_is_set_a_game_goes_the_same_way_natively(tables: list[tuple[Path, int]]) -> None:
    chance, settings = random.Random(tables[0][0].name), 0
    for path, players in [*tables[:1], *tables[-1:]] * 3:
        program = compile_with(path, players, draw_options(path, chance))
        if program is None:  # not everything goes together
            continue
        settings += 1
        library = load_library(program)
        for policy in POLICIES:
            for seed in range(5 if policy == "random" else 1):
                play_natively(program, library, seed, policy, most=200)
    assert settings


@needs_compiler
def test_whole_matches_end_the_same_way_natively(bonus: Game) -> None:
    native = Game(bonus.program, executor="native")
    for seed in range(20):
        assert native.playout(seed) == bonus.playout(seed)


@needs_compiler
def test_many_matches_at_once_go_as_each_alone(bonus: Game) -> None:
    """Those that are over begin anew when they are asked to, from their own seeds."""
    count, library, reference = 4, load_library(bonus.program), ReferenceExecutor(bonus.program)
    positions, asks = (library.mirror.position * count)(), (library.mirror.ask * count)()
    status, last = (ctypes.c_int32 * count)(), library.mirror.position()
    places, seeds = (ctypes.c_int32 * count)(), (ctypes.c_uint64 * count)(*range(7, 7 + count))
    boards: list[Board | None] = [None] * count
    begun = 0
    for _ in range(2_000):
        library.functions.start_all(positions, asks, seeds, status, count)
        for row, board in enumerate(boards):
            if board is None or board.over:
                boards[row] = board = Board.begin(library, reference, seeds[row])
                seeds[row] += 100
                begun += 1
            assert (status[row], asks[row].seat, asks[row].size) == (ASKED, board.seat, board.size)
            places[row] = row % board.size
            board.apply(places[row])
        library.functions.apply_all(positions, ctypes.byref(last), asks, places, None, status, count)
    assert begun > count
    for board, position, stand in zip(boards, positions, status, strict=True):
        assert board is not None and board.over == (stand != ASKED)
        assert library.mirror.packing.read(position) == board.position


@needs_compiler
def test_a_board_is_the_same_through_ctypes(bonus: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    library, reference = load_library(bonus.program), ReferenceExecutor(bonus.program)
    direct = Board.begin(library, reference, 3)
    assert library._builtins is not None
    monkeypatch.setattr(library, "_builtins", None)  # as where Python is not CPython
    slow = Board.begin(library, reference, 3)
    while not direct.over:
        assert (direct.seat, direct.size) == (slow.seat, slow.size)
        place = direct.size * 2 // 3
        direct.apply(place)
        slow.apply(place)
    assert slow.over and direct.position == slow.position
    direct.restart(5)
    begun = Board.begin(library, reference, 5)
    assert not direct.over and (direct.position, direct.size) == (begun.position, begun.size)


@needs_compiler
def test_a_board_refuses_what_is_no_place_and_stays_as_it_is(bonus: Game) -> None:
    board = Board.begin(load_library(bonus.program), ReferenceExecutor(bonus.program), 3)
    before, wrong = board.position, cast("list[int]", [0.5, "0", None])
    for place in wrong:
        with pytest.raises(TypeError):
            board.apply(place)
        with pytest.raises(TypeError):
            board.apply(0, place)
    for place in (-1, board.size, 1 << 80):
        with pytest.raises(IndexError):
            board.apply(place)
    with pytest.raises(IndexError):
        board.apply(0, 1 << 80)
    assert board.position == before


def count_equal(program: Program, most: int, seconds: float) -> int:
    """How many matches, drawn from seeds in turn, end by native code as by generated code; all of them, or it fails."""
    library, defined = load_library(program), Game(program, executor="generated")
    ends = time.process_time() + seconds
    for first in range(0, most, 20):
        seeds = range(first, first + 20)
        for seed, found in zip(seeds, library.play(seeds), strict=True):
            expected = defined.playout(seed)
            winners = tuple(found.winners.seats[: found.winners.n])
            assert not found.fault
            assert (tuple(found.scores), winners) == (expected.scores, expected.winners), seed
            counts = (expected.decisions, expected.rounds, expected.offered, expected.widest)
            assert (found.decisions, found.rounds, found.offered, found.widest) == counts, seed
        if time.process_time() > ends:
            return first + 20
    return most


def compare_from_the_middle(program: Program) -> None:
    library, match = load_library(program), Game(program, executor="generated").new(seed=2)
    for place in range(9):
        if match.decision is not None:
            match.apply(match.decision.choice(place % match.decision.count))
    held, seeds = library.mirror.position(), range(2)
    assert match.decision is None or library.mirror.packing.write(match.position, held)
    found = library.play(seeds, start=held) if match.decision else []
    assert list(map(read_result, found)) == [match.playout(seed=seed) for seed in seeds[: len(found)]]


@needs_compiler
@pytest.mark.share
@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_hundreds_of_matches_end_the_same_way_natively_where_that_is_quick(path: Path) -> None:
    program, _ = find_program(path)
    assert program is not None
    assert count_equal(program, 500, seconds=0.7) >= 20
    compare_from_the_middle(program)


@needs_compiler
def test_groups_are_pruned_while_they_are_built() -> None:
    program, _ = find_program(next(path for path in SAMPLES if path.name == "lists.game.yaml"))
    assert program is not None
    assert re.search(r"while \(q\d+ >= 0\)", print_c(lower_program(program)))
    assert count_equal(program, 100, seconds=0.7) >= 20


def test_a_hand_is_filtered_by_a_set() -> None:
    text = r"\[r\d+n\] = r(\d+); r\d+n \+= \(int32_t\)\(r\d+ >> r\1 & 1\)"
    assert re.search(text, print_c(lower_program(hoyle.load("spades").program)))


def test_what_is_picked_last_is_counted_by_a_set_and_constants_are_run_through_as_members() -> None:
    scopa, president = (print_c(lower_program(hoyle.load(name).program)) for name in ("scopa", "president"))
    assert re.search(r"r(\d+) = \(r\d+ & S\d+\[r\d+\]\);\s+r(\d+) = \(r\2 \+ POPCOUNT\(r\1\)\);", scopa)
    assert re.search(r"for \(w(\d+) = r\d+; w\1; w\1 &= w\1 - 1\)", president)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("path", all_games(), ids=lambda path: path.stem)
def test_many_matches_end_the_same_way_natively(path: Path) -> None:
    program, _ = find_program(path)
    assert program is not None
    assert count_equal(program, 50_000, seconds=60.0) >= 20


@needs_compiler
def test_what_is_kept_goes_along_with_the_cards() -> None:
    program, _ = find_program(Path(__file__).parents[1] / "native" / "worked-out-once.game.yaml")
    assert program is not None
    assert "kept |=" in print_c(lower_program(program))
    assert count_equal(program, 500, seconds=10.0) >= 200
    compare(program)


@needs_compiler
def test_a_group_that_chance_names_is_the_same_natively() -> None:
    program, _ = find_program(RANDOM_GROUPS)
    assert program is not None
    assert count_equal(program, 500, seconds=5.0) >= 40
    compare(program, seeds=10)


def add_to_random_groups(said: str, folder: Path) -> Program:
    path = folder / "random-groups.game.yaml"
    path.write_text(RANDOM_GROUPS.read_text().replace("pick taken at", f"{said}\n      pick taken at"))
    program, _ = find_program(path)
    assert program is not None
    return program


def test_lists_of_lists_that_no_native_code_is_written_for_are_named(tmp_path: Path) -> None:
    program = add_to_random_groups("let kept be pairs of (rank of card - 3 for card in hand)", tmp_path)
    with pytest.raises(Unsupported, match="lists of such numbers that are kept"):
        lower_program(program)


@needs_compiler
@pytest.mark.parametrize("said", [
    "count of (pair in pairs of (1, 2, 3) where sum of pair = 4)",
    "count of distinct of pairs of hand",
    "count of distinct of tails of (row + row)",
    "sum rank of joined of top (2) of (pair in pairs of hand with lowest sum rank of pair)",
    "count of joined of bottom (3) of (pairs of row + tails of hand)",
    "sum of joined of distinct of subsets of (rank of card for card in hand)",
    "count of distinct of (pairs of hand + (pair in pairs of hand with highest sum rank of pair))",
    "count of joined of (tails of row + (pair in pairs of hand with highest sum rank of pair))",
    "sum of joined of (pairs of (rank of card for card in hand) if count of hand > 3 otherwise tails of (1, 2))",
])  # fmt: skip
def test_lists_of_lists_go_the_same_way_in_all_executors(said: str, tmp_path: Path) -> None:
    program = add_to_random_groups(f'score {said} to seat for "lists"', tmp_path)
    scores = [
        [Game(program, executor=executor).playout(seed).scores for seed in range(7)]
        for executor in ("reference", "generated")
    ]
    assert scores[0] == scores[1]
    assert count_equal(program, 20, seconds=2.0) == 20


@pytest.mark.slow
@needs_compiler
def test_cards_are_divided_the_same_way_natively() -> None:
    program, _ = find_program(DIVIDED)
    assert program is not None
    assert count_equal(program, 100, seconds=1.5) >= 20
    compare(program)


def test_the_melds_that_a_deck_can_make_are_listed_before_a_game() -> None:
    program, _ = find_program(next(path for path in all_games() if path.stem.startswith("gin-rummy")))
    assert program is not None
    text = print_c(lower_program(program))
    table = re.search(r"(S\d+)_starts\[53\] = ", text)
    assert table is not None
    listed = re.search(rf"\b{table[1]}\[\d+\] = {{(.*)}};", text)
    assert listed is not None
    sets = [{4 * rank + suit for suit in range(4)} - {4 * rank + left} for rank in range(13) for left in range(5)]
    runs = [{4 * rank + suit for rank in range(low, end)} for suit in range(4) for low in range(11)
            for end in range(low + 3, 14)]  # fmt: skip
    expected = {sum(1 << card for card in group) for group in (*sets, *runs)}
    assert {int(each) for each in re.findall(r"\d+(?=\))", listed[1])} == expected
    assert len(expected) == 13 * 5 + 4 * 66


@pytest.mark.slow
@needs_compiler
def test_more_cards_than_can_be_divided_are_told_as_python_tells_them(tmp_path: Path) -> None:
    path = tmp_path / "divided.game.yaml"
    path.write_text(DIVIDED.read_text().replace("nears of top 9 of row", "nears of row"))
    program, _ = find_program(path)
    assert program is not None
    load_library(program)
    load = functools.partial(Game, program)
    by_python = simulate(load, Plan(40, executor="python"))
    found = simulate(load, Plan(40, executor="native"))
    assert 0 < by_python.faults < 40
    assert found == by_python and found.first_fault == by_python.first_fault
    assert found.native is not None and found.native.left_out == by_python.faults


@pytest.mark.slow
@needs_compiler
def test_a_card_keeps_its_side_natively_however_it_is_moved() -> None:
    for players in (2, 3):
        program = compile_with(TURNED_CARDS, players, {})
        assert program is not None
        assert count_equal(program, 100, seconds=1.0) >= 20
        compare(program)


@needs_compiler
def test_a_shuffle_that_is_made_as_far_as_somebody_looks_is_the_same_shuffle() -> None:
    program, _ = find_program(Path(__file__).parents[1] / "native" / "looked-into-late.game.yaml")
    assert program is not None
    assert "ORDERED(" in print_c(lower_program(program))
    assert count_equal(program, 1000, seconds=10.0) >= 400
    compare(program)


@needs_compiler
def test_too_little_room_for_cards_is_a_fault_and_never_another_match(monkeypatch: pytest.MonkeyPatch) -> None:
    program, _ = find_program(next(path for path in all_games() if path.stem.startswith("cribbage-61")))
    assert program is not None

    def find_too_few(module: Module) -> tuple[int, ...]:
        return tuple(room if room == len(program.cards) else 6 for room in find_capacities(module))

    monkeypatch.setattr(lowering, "find_capacities", find_too_few)
    tight = Native(program, find_native(program).digest[::-1]).load(level=UNOPTIMISED)
    assert tight is not None and min(tight.layout.known.capacities) == 6
    handed_over = play_natively(program, tight, 1, "random", most=40, faulty=True)
    assert handed_over > 0
    assert all(result.fault for result in tight.play(range(5)))


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(
    "path", [*all_games(), RANDOM_GROUPS, TURNED_CARDS, DIVIDED, *MEASURED], ids=lambda path: path.stem
)
def test_native_code_does_nothing_that_sanitizers_complain_of(path: Path, tmp_path: Path) -> None:
    program, _ = find_program(path)
    assert program is not None
    source, made = tmp_path / "program.c", tmp_path / "program"
    main = (Path(__file__).parents[1] / "native" / "sanitized.c").read_text()
    source.write_text(print_c(lower_program(program)) + main)
    found = compiler.find_compiler()
    assert found is not None
    flags = ("-std=gnu11", "-O1", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    built = subprocess.run(
        [*found.command, *flags, "-o", made, source, "-lm"], capture_output=True, text=True, timeout=1200, check=False
    )
    if "sanitize" in built.stderr and built.returncode:
        pytest.skip(f"{found.command[0]} has no sanitizers: native code is NOT CHECKED by them")
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([made, "40"], capture_output=True, text=True, timeout=600, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert ran.stdout.split() == ["40", "0", "1"]


# ------------------------------------------------------------------------------------------------ simulations
@needs_compiler
def test_a_simulation_adds_up_the_same_natively(bonus: Game) -> None:
    load = functools.partial(Game, bonus.program)
    for bot in ("random", "first"):
        by_python = simulate(load, Plan(60, seed=5, bot=bot, executor="python"))
        rows: list[object] = []
        for jobs, keep in ((1, None), (2, None), (1, rows.extend)):
            found = simulate(load, Plan(60, seed=5, bot=bot, jobs=jobs, executor="native"), keep=keep)
            assert found == by_python
            assert found.native is not None and (found.native.played, found.native.left_out) == (60, 0)
        kept: list[object] = []
        simulate(load, Plan(60, seed=5, bot=bot, executor="python"), keep=kept.extend)
        assert rows == kept


@needs_compiler
@pytest.mark.parametrize(("name", "options", "errors"), [
    ("ratscrew", {}, 0.0), ("piles-and-windows", {}, 0.0), ("piles-and-windows", {}, 0.3),
    ("called-numbers", {}, 0.0), ("called-numbers", {}, 0.3),
    pytest.param("bunco-short", {"error_mode": "challenge"}, 0.2, marks=pytest.mark.slow),
])  # fmt: skip
def test_habits_are_the_same_natively(name: str, options: dict[str, str], errors: float) -> None:
    """In windows players mostly decline, also those who otherwise take what is first; and they err now and then."""
    path = next((path for path in SAMPLES if path.name == f"{name}.game.yaml"), name)
    load = functools.partial(Game, hoyle.load(path, options=options).program)
    library = load_library(load().program)
    for policy in POLICIES:
        play_natively(load().program, library, 1, policy, most=200)
    for bot in ("random", "first"):
        by_python = simulate(load, Plan(20, seed=5, bot=bot, executor="python", errors=errors))
        found = simulate(load, Plan(20, seed=5, bot=bot, executor="native", errors=errors))
        assert found == by_python
        assert found.native is not None and (found.native.played, found.native.left_out) == (20, 0)


@needs_compiler
def test_games_that_end_in_a_fault_are_told_as_python_tells_them() -> None:
    game = hoyle.load(Path(__file__).parents[1] / "native" / "sometimes-stuck.game.yaml")
    load_library(game.program)
    load = functools.partial(Game, game.program)
    by_python = simulate(load, Plan(40, executor="python"))
    found = simulate(load, Plan(40, executor="native"))
    assert 0 < by_python.faults < 40
    assert found == by_python and found.first_fault == by_python.first_fault
    assert found.native is not None and found.native.left_out == by_python.faults


@needs_compiler
def test_what_is_left_of_a_long_simulation_is_handed_to_native_code(
    bonus: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hoyle.lab.sim.native.PLAYED_FIRST", 0.0)
    monkeypatch.setattr("hoyle.lab.sim.native.WORTH_BUILDING", 0.0)
    native = Native(bonus.program, find_native(bonus.program).digest)
    monkeypatch.setattr("hoyle.lab.sim.native.find_native", lambda program: native)
    monkeypatch.setattr(native, "load", lambda build: None)  # as if nothing were kept
    load = functools.partial(Game, bonus.program)
    found = simulate(load, Plan(300, executor="auto"))
    assert found.native is not None and 0 < found.native.played < 300
    assert found == simulate(load, Plan(300, executor="python"))


@needs_compiler
def test_playouts_are_native_once_that_pays(bonus: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is not even looked for at first; then it is built beside, and the results are the same."""
    native = Native(bonus.program, find_native(bonus.program).digest)
    monkeypatch.setattr(native_program, "find_native", lambda program: native)
    monkeypatch.setattr(native, "load", lambda build: None)  # as if nothing were kept
    monkeypatch.setattr(native_executor.PatientExecutor, "patience", 1 << 60)  # work that no match here takes
    made, defined = Game(bonus.program), Game(bonus.program, executor="generated")
    executor = made.executor
    assert isinstance(executor, native_executor.PatientExecutor)
    assert made.playout(0) == defined.playout(0)
    assert executor.library is None and not native.is_building
    monkeypatch.setattr(native_executor.PatientExecutor, "patience", 0)
    monkeypatch.setattr(native_executor, "WORTH_BUILDING", 0)
    seed = 1
    while native.library is None:
        assert made.playout(seed) == defined.playout(seed) and not native.problem
        seed += 1
    with monkeypatch.context() as patched:
        patched.setattr(executor, "start", None)  # no executor in Python plays any more
        played = [made.playout(seed) for seed in range(5)]
    native.end()
    assert played == [defined.playout(seed) for seed in range(5)]


# ------------------------------------------------------------------------------------------------ faults
@needs_compiler
def test_a_match_goes_on_by_the_reference_wherever_native_code_gives_up(bonus: Game) -> None:
    faulty = Native(bonus.program, find_native(bonus.program).digest).load(level=(*UNOPTIMISED, "-DFAULT_AT=5"))
    assert faulty is not None
    handed_over = play_natively(bonus.program, faulty, 3, "random", most=40, faulty=True)
    assert handed_over >= 7
    assert all(result.fault for result in faulty.play(range(5)))


@needs_compiler
def test_a_fault_is_a_fault_on_every_executor_where_nobody_needs_what_goes_wrong() -> None:
    program, _ = find_program(RANDOM_GROUPS.with_name("faults.game.yaml"))
    assert program is not None
    reference, generated = ReferenceExecutor(program), GeneratedExecutor(program)
    board = Board.begin(load_library(program), reference, 1)
    for place, choice in enumerate(board.choices()):
        said = set()
        for advance in (
            functools.partial(reference.advance, board.position, choice),
            functools.partial(generated.advance, board.position, choice),
            functools.partial(board.copy().apply, place),
        ):
            with pytest.raises(Fault) as fault:
                advance()
            said.add(str(fault.value))
        assert len(said) == 1, said


@needs_compiler
def test_a_list_is_full_natively_as_soon_as_the_rules_say_though_what_it_held_is_taken_back() -> None:
    program, _ = find_program(RANDOM_GROUPS.with_name("full-list.game.yaml"))
    assert program is not None
    found = load_library(program).play(range(20), errors=0.5)
    faults = []
    for seed in range(20):
        try:
            Game(program, executor="reference").playout(seed, errors=0.5)
            faults.append(False)
        except Fault:
            faults.append(True)
    assert [bool(each.fault) for each in found] == faults and any(faults)


@needs_compiler
def test_a_seat_that_is_asked_in_a_position_is_asked_natively_though_it_can_only_decline() -> None:
    program, _ = find_program(RANDOM_GROUPS.with_name("claims.game.yaml"))
    assert program is not None
    library, reference = load_library(program), ReferenceExecutor(program)
    position = reference.start(1)
    reference.run(position)
    position.zones[1], position.zones[0] = position.zones[0], []
    board = Board.at(library, reference, position.copy())
    assert board.position == position and board.choices() == reference.list_legal(position) == [()]
    results = [
        Match(Game(program, executor=executor), position.copy()).playout(seed=3) for executor in ("reference", "native")
    ]
    assert results[0] == results[1]
    board.apply(0)
    reference.advance(position, ())
    assert board.position == position and board.handed_over == 0


@needs_compiler
def test_native_code_that_is_to_stop_stops(bonus: Game) -> None:
    import ctypes

    library = load_library(bonus.program)
    assert len(library.play(range(50), stop=ctypes.c_int32(1))) == 0


# ------------------------------------------------------------------------------------------------ without
def test_a_library_is_made_for_the_processor_it_is_kept_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = set()
    cc = compiler.Compiler(("cc",), "1")
    for machine, said, flags in (
        ("x86_64", "processor: 0\nflags\t\t: fpu popcnt bmi1\n", ("-mpopcnt", "-mbmi")),
        ("x86_64", "flags: fpu\n", ()),
        ("aarch64", "flags: popcnt\n", ()),
        ("x86_64", None, ()),
    ):
        monkeypatch.setattr(compiler.platform, "machine", lambda machine=machine: machine)
        monkeypatch.setattr(compiler, "PROCESSOR", tmp_path / "cpuinfo")
        (tmp_path / "cpuinfo").unlink(missing_ok=True)
        if said is not None:
            (tmp_path / "cpuinfo").write_text(said)
        compiler.list_processor_flags.cache_clear()
        assert compiler.list_processor_flags() == flags
        names.add(compiler.name_library("0", ("-O2",), cc))
    compiler.list_processor_flags.cache_clear()
    assert len(names) == 2


def test_a_game_is_played_in_python_where_there_is_no_compiler(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(native_program, "find_compiler", lambda: None)
    native_program.forget_all()
    outputs = []
    for executor in ("native", "python"):
        assert run(["sim", "bonus-20", "--games", "3", "--json", "--executor", executor]) == 0
        said = capsys.readouterr()
        outputs.append({**json.loads(said.out), "native": None, "seconds": None})
        assert ("played by generated Python: there is no C compiler" in said.err) == (executor == "native")
        assert ("pip install 'hoyle[native]'" in said.err) == (executor == "native")
    native_program.forget_all()
    assert outputs[0] == outputs[1]


def test_how_to_play_faster_is_told_once_it_would_have_paid(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hoyle.front.cli.progress.find_compiler", lambda: None)
    for long, told in ((1000.0, 0), (0.0, 1)):
        monkeypatch.setattr("hoyle.front.cli.progress.LONG", long)
        for said in (["sim", "bonus-20"], ["compare", "bonus-20", "bonus-20 players=3"]):
            assert run([*said, "--games", "3"]) == 0
            assert capsys.readouterr().err.count("to play faster") == told


@needs_compiler
def test_a_compiler_that_fails_is_told_and_the_game_is_played_all_the_same(
    bonus: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path))
    broken = compiler.Compiler((sys.executable, "-c", "raise SystemExit('no space')"), "broken")
    monkeypatch.setattr(native_program, "find_compiler", lambda: broken)
    native = Native(bonus.program, "0" * 64)
    assert native.load() is None
    assert "failed: no space" in native.problem


@needs_compiler
def test_an_operation_that_has_no_c_is_told_as_anything_else_without_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bonus: Game
) -> None:
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path))
    monkeypatch.delitem(operations.SPELLED, "size")
    native = Native(bonus.program, "of another printer")
    assert native.load() is None
    assert native.problem == "no native code is written for the operation size"


# ------------------------------------------------------------------------------------------------ what is kept
@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder in which nothing is kept yet."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("HOYLE_CACHE", str(tmp_path))
    return tmp_path


@needs_compiler
def test_a_library_that_another_user_could_have_written_is_not_loaded(own_cache: Path) -> None:
    path = own_cache / "native-x.so"
    path.write_bytes(b"")
    path.chmod(0o600)
    assert compiler.is_trusted(path)
    path.chmod(0o620)
    assert not compiler.is_trusted(path)
    path.chmod(0o600)
    link = own_cache / "native-y.so"
    link.symlink_to(path)
    assert not compiler.is_trusted(link)
    own_cache.chmod(0o770)
    assert not compiler.is_trusted(path)
    assert compiler.library_folder() != own_cache
    assert stat.S_IMODE(compiler.library_folder().stat().st_mode) == 0o700


@needs_compiler
@pytest.mark.optimises
@pytest.mark.usefixtures("own_cache")
def test_code_that_is_built_quickly_is_used_until_it_is_optimised() -> None:
    program = hoyle.load("kuhn-poker").program
    native = Native(program, "0" * 64)
    built_quickly = native.load()
    assert built_quickly is not None and built_quickly.path.exists()
    native.wait()
    optimised = native.library
    assert optimised is not None and native.is_optimised and optimised.path != built_quickly.path
    assert [bytes(one) for one in optimised.play(range(20))] == [bytes(one) for one in built_quickly.play(range(20))]
    found_again = Native(program, "0" * 64)
    assert found_again.load(build=False) is not None and found_again.is_optimised


@needs_compiler
@pytest.mark.optimises
@pytest.mark.usefixtures("own_cache")
def test_optimising_is_left_off_when_nobody_needs_it() -> None:
    program = hoyle.load("cribbage").program
    native = Native(program, "0" * 64)
    assert native.load() is not None
    native.end()
    assert not native.is_optimised and not native.is_building and native.problem == ""
    assert native.library is not None and len(native.library.play([1])) == 1
    found_again = Native(program, "0" * 64)
    assert found_again.load(build=False) is not None and not found_again.is_optimised


@needs_compiler
def test_native_code_is_kept_for_other_processes(bonus: Game) -> None:
    script = (
        "import hoyle; from hoyle.play.engine.native.program import find_native;"
        "from native_play import UNOPTIMISED;"
        "native = find_native(hoyle.load('bonus-20').program);"
        "print(native.load(build=False, level=UNOPTIMISED) is not None)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.strip() == "True"


@needs_compiler
@pytest.mark.usefixtures("own_cache")
def test_nothing_is_worked_out_again_of_a_library_that_is_kept(bonus: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Native(bonus.program, "0" * 64).load(level=UNOPTIMISED) is not None

    def work_out(*_: object) -> None:
        raise AssertionError("that is known of what is kept, or nobody has asked for it yet")

    monkeypatch.setattr(native_program, "is_too_much", work_out)
    monkeypatch.setattr("hoyle.play.codegen.lower.whole_program.lower_program", work_out)
    monkeypatch.setattr("hoyle.play.engine.native.memory.Packing", work_out)
    kept = Native(bonus.program, "0" * 64).load(build=False, level=UNOPTIMISED)
    assert kept is not None and len(kept.play([1])) == 1


@needs_compiler
def test_a_library_that_is_damaged_is_built_anew_and_what_was_left_half_built_goes(
    bonus: Game, own_cache: Path
) -> None:
    def play() -> tuple[int, list[bytes]]:
        library = Native(bonus.program, "0" * 64).load(level=UNOPTIMISED)
        assert library is not None
        return library.path.stat().st_mtime_ns, [bytes(one) for one in library.play([1, 2, 3])]

    built, results = play()
    assert play() == (built, results)
    (path,), (note,) = own_cache.glob("native-*.so"), own_cache.glob("native-*.json")
    whole = path.read_bytes()
    flipped = bytes(byte ^ 0x55 if number % 97 == 0 else byte for number, byte in enumerate(whole))
    for spoilt, content in ((path, whole[: len(whole) // 2]), (path, flipped), (note, b"hoyle "), (note, None)):
        (own_cache / "building-old").mkdir()
        os.utime(own_cache / "building-old", (0, 0))
        other = spoilt.with_name("other")  # a library that is loaded is not written over
        other.write_bytes(content or b"")
        other.chmod(0o700)
        other.replace(spoilt) if content is not None else spoilt.unlink()
        before, built = built, play()[0]
        assert built != before
        assert not (own_cache / "building-old").exists()
    assert play() == (built, results)


# ------------------------------------------------------------------------------------------------ the doctor
def test_the_doctor_tells_what_plays_a_game(
    bonus: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "bonus-20", "--try", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hoyle"] == hoyle.__version__ and found["executors"].startswith("reference, python")
    assert ("native" in found["executors"]) == has_compiler
    (game,) = found["games"]
    assert game["game"] == "bonus-20"
    assert game["native"] in (("kept", "not built") if has_compiler else ("none",))
    monkeypatch.setattr("hoyle.front.cli.doctor.find_compiler", lambda: None)
    monkeypatch.setattr(native_program, "find_compiler", lambda: None)
    native_program.forget_all()
    assert run(["doctor", "bonus-20"]) == 0
    said = capsys.readouterr().out
    assert "none found: install cc" in said and "there is no C compiler" in said
    native_program.forget_all()
