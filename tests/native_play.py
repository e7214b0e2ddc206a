"""Plays the same match natively and by another executor, and compares them choice by choice."""

from __future__ import annotations

import random
from typing import Literal

import pytest

from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.legality import Choice
from hoyle.play.engine.native.board import Board
from hoyle.play.engine.native.compiler import QUICK, find_compiler
from hoyle.play.engine.native.library import Library
from hoyle.play.engine.native.program import find_native
from hoyle.program.ir.nodes import Program

Policy = Literal["random", "first", "last", "longest"]
POLICIES: tuple[Policy, ...] = ("random", "first", "last", "longest")
UNOPTIMISED = QUICK  # the same semantics, compiled in a tenth of the time
MOST_LISTED = 400

has_compiler = find_compiler() is not None
needs_compiler = pytest.mark.skipif(not has_compiler, reason="there is no C compiler: native code is NOT TESTED")


def load_library(program: Program, level: tuple[str, ...] = UNOPTIMISED) -> Library:
    """Build and load the native code of a program."""
    native = find_native(program)
    library = native.load(level=level)
    assert library is not None, native.problem
    return library


def choose(policy: Policy, legal: list[Choice], chance: random.Random) -> tuple[int, int]:
    """Choose by a policy; return the index of a choice, and the offset of its number in the range."""
    place = {
        "random": lambda: chance.randrange(len(legal)),
        "first": lambda: 0,
        "last": lambda: len(legal) - 1,
        "longest": lambda: max(range(len(legal)), key=lambda at: _count_cards(legal[at])),
    }[policy]()
    choice = legal[place]
    if not choice or not isinstance(choice[-1], range):
        return place, 0
    return place, {"random": chance.randrange(len(choice[-1])), "first": 0}.get(policy, len(choice[-1]) - 1)


def _count_cards(choice: Choice) -> int:
    return sum(len(pick) if isinstance(pick, tuple) else 1 for pick in choice)


def play_natively(
    program: Program,
    library: Library,
    seed: int,
    policy: Policy,
    *,
    most: int,
    by: type[ReferenceExecutor] = GeneratedExecutor,
    every: int = 1,
    faulty: bool = False,
) -> int:
    """Play a match on a native board and by another executor, and assert that they agree. Every `every` decisions,
    compare all choices and rebuild the board from its position. Return the number of decisions, or, for deliberately
    `faulty` code, the number that the reference had to make."""
    defined = by(program)
    position = defined.start(seed)
    defined.run(position)
    board = Board.begin(library, defined, seed)
    chance = random.Random(seed)
    for decisions in range(most + 1):
        if decisions % every == 0 or position.over:
            assert board.position == position
        assert board.over == position.over
        if position.over or decisions == most:
            assert board.results() == (tuple(defined.list_scores(position)), defined.list_winners(position))
            break
        legal = defined.list_legal(position)
        assert (board.size, board.seat) == (len(legal), defined.find_seat(position))
        if decisions % 7 == 0 and len(legal) <= MOST_LISTED:
            assert board.choices() == legal
        place, number = choose(policy, legal, chance)
        choice = legal[place]
        if choice and isinstance(choice[-1], range):
            choice = (*choice[:-1], choice[-1][number])
        defined.advance(position, choice)
        board.apply(place, number)
        if decisions % 11 == 3 and not board.over and not faulty:
            board = Board.at(library, defined, board.position)
    if faulty:
        return board.handed_over
    assert board.handed_over == 0, "the reference had to do what native code could not"
    return decisions
