"""Numbers as large as rules may name are counted alike by every executor, or are a fault in each: what a column of a
position holds is proved to fit, or has 64 bits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hoyle.base.errors import HoyleError
from hoyle.lab.learning.features import Features
from hoyle.language.library import find_program
from hoyle.play.engine.drawing import draw_randomly
from hoyle.play.engine.executors import ExecutorName
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game
from hoyle.play.engine.native.compiler import find_compiler
from hoyle.play.engine.native.native_executor import NativeExecutor
from hoyle.program.ir.nodes import Program

IN_EVERY_RUN, IN_ALL = 3, 60
BY: tuple[ExecutorName, ...] = ("reference", "python", "native") if find_compiler() else ("reference", "python")
NUMBERS = (0, 1, 127, 128, 255, 256, 32_767, 32_768, 65_535, 65_536, 1 << 24, 10**9, (1 << 31) - 2, (1 << 31) - 1)
NAMES = ("x", "(y of seat)", "(first of held or else 0)", "(score of seat)")
RULES = """game: large
title: Large
players: 2
deck: {{starts_in: pack, attributes: {{rank: 1..9}}, cards: [{{rank: 1..9, copies: 2}}]}}
zones: {{pack: {{shows: all}}, hand: {{of: seat, shows: owner}}, pile: {{shows: all}}}}
state:
  x: {{type: number, start: {n[0]}}}
  y: {{of: seat, type: number, start: {n[1]}}}
  held: {{type: list of number, most: 9}}
pots: {{purse: {{of: seat, start: {n[2]}}}, bank: {{start: {n[3]}, debt: true}}}}
definitions:
  worth of card: {n[4]} + rank of card
actions:
  say: {{choose: {{n: {n[5]}..{n[6]}}}, do: set x to x + n}}
  give: {{choose: {{card: hand}}, do: move card to pile}}
steps:
  match: |
    shuffle pack
    deal 5 cards from pack to each hand, starting left of dealer
    repeat 3 times:
      for each seat:
        seat chooses say or give
        set x to {e[0]}
        set y of seat to {e[1]}
        if count of held < 9: add {e[2]} to held
        score {e[3]} to seat for "a"
        if {e[4]} > {e[5]}: score x to seat for "b"
        score sum worth of pile to seat for "c"
        pay {n[7]} from bank to purse of seat
    score (last of held or else 0) to dealer for "d"
    score (highest worth of hand of dealer or else 0) to dealer for "e"
winners: (seat in seats with highest score of seat)
"""


def write(seed: int) -> str:
    chance = random.Random(seed)

    def number(deep: int = 0) -> str:
        if deep > 2 or chance.random() < 0.3:
            return str(chance.choice(NUMBERS)) if chance.random() < 0.4 else chance.choice(NAMES)
        first, second, divisor = number(deep + 1), number(deep + 1), chance.choice(NUMBERS[1:])
        forms = (f"{first} + {second}", f"{first} - {second}", f"{first} * {second}", f"{first} div {divisor}",
                 f"{first} mod {divisor}")  # fmt: skip
        return f"({chance.choice(forms)})"

    numbers = [chance.choice(NUMBERS) for _ in range(8)]
    numbers[5:7] = sorted(numbers[5:7])
    return RULES.format(n=numbers, e=[number() for _ in range(6)])


def play(program: Program, executor: ExecutorName, seed: int) -> str:
    try:
        return str(Game(program, executor=executor).playout(seed))
    except Fault as fault:
        return f"{fault.code} {fault}"


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed >= IN_EVERY_RUN)) for seed in range(IN_ALL)]
)
def test_large_numbers_are_counted_alike_or_are_a_fault_on_every_executor(seed: int, tmp_path: Path) -> None:
    (tmp_path / "large.game.yaml").write_text(write(seed))
    program, report = find_program(tmp_path / "large.game.yaml", 2)
    assert program is not None, report.diagnostics
    for match in range(3):
        assert len({play(program, executor, match) for executor in BY}) == 1


def test_some_of_these_matches_are_played_to_their_end(tmp_path: Path) -> None:
    found = set()
    for seed in range(12):
        (tmp_path / "large.game.yaml").write_text(write(seed))
        program, _ = find_program(tmp_path / "large.game.yaml", 2)
        assert program is not None
        found.add(play(program, "reference", 1).split()[0].startswith("Result"))
    assert found == {True, False}


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
def test_rounds_beyond_32_bits_are_left_to_the_reference() -> None:
    game = Game(find_program("hearts")[0], executor="native")
    executor = game.executor
    assert isinstance(executor, NativeExecutor)
    position = executor.start(1)
    executor.run(position)
    position.rounds_played = (1 << 31) - 2
    results = executor.play_natively([1, 2, 3], draw_randomly, 0.0, position)
    assert all(each.fault for each in results)


def test_a_game_of_more_tokens_than_16_bits_number_is_refused_to_learners(tmp_path: Path) -> None:
    actions = "\n".join(f"  a{i}: {{choose: {{card: hand}}, do: move card to pile}}" for i in range(20))
    given = {"n": NUMBERS, "e": ["x"] * 6}
    rules = RULES.replace("1..9", "1..1999").replace("copies: 2", "copies: 1").format(**given)
    (tmp_path / "large.game.yaml").write_text(rules.replace("  say:", f"{actions}\n  say:"))
    program, report = find_program(tmp_path / "large.game.yaml", 2)
    assert program is not None, report.diagnostics
    with pytest.raises(HoyleError, match="tokens"):
        Features(program)
