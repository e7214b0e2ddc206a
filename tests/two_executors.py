"""Plays the same match on generated code and on the reference, and compares them at every step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from hoyle.base.shipped import all_games
from hoyle.language.library import describe, find_program
from hoyle.play.engine.drawing import choose_by, draw_randomly
from hoyle.play.engine.game import Game, Match
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.printed import Generated
from hoyle.program.info import OptionInfo
from hoyle.program.ir.nodes import Program
from hoyle.program.model.chance import seeded
from hoyle.program.model.position import Position

Table = tuple[Path, int]


def list_tables() -> list[list[Table]]:
    """List every shipped game and variant with all numbers of players it allows."""
    found = []
    for path in all_games():
        info, _ = describe(path)
        if info is not None:
            found.append([(path, players) for players in range(info.allowed[0], info.allowed[1] + 1)])
    return found


def compile_with(path: Path, players: int, options: dict[str, Any]) -> Program | None:
    program, _ = find_program(path, players, options)
    return program


def draw_options(path: Path, chance: random.Random) -> dict[str, str]:
    """Draw values for about half of the options; the others keep their defaults."""
    info, _ = describe(path)
    assert info is not None
    return {option.name: draw_value(option, chance) for option in info.options if chance.random() < 0.5}


def draw_value(option: OptionInfo, chance: random.Random) -> str:
    if option.or_none and chance.random() < 0.3:
        return "none"
    if option.kind == "truth":
        return chance.choice(("true", "false"))
    if option.kind == "enum":
        return chance.choice([value for value, _ in option.values])
    return str(chance.randint(option.low, min(option.high, option.low + 20)))


def play_both(program: Program, seed: int, most: int = 1_000_000) -> int:
    """Play at random on both executors, and on the generated one also without events, and assert that all agree.
    Return the number of decisions."""
    made = Game(program, executor="generated").new(seed)
    defined = Game(program, executor="reference").new(seed)
    silent = GeneratedExecutor(program)
    unheard = silent.start(seed)
    silent.run(unheard)
    assert isinstance(made.executor, GeneratedExecutor)
    generated = made.executor.generated
    chance = random.Random(seed)
    decisions = 0
    handed_over = generated.handed_over
    while True:
        assert unheard == defined.position
        compare(made, defined, views=decisions % 5 == 0 or made.is_over)
        if made.is_over or decisions == most:
            break
        assert made.executor.list_legal(made.position) == defined.executor.list_legal(defined.position)
        assert made.decision is not None
        action = chance.choice(made.decision.actions)
        if action.number is not None:
            action = action.with_number(chance.choice(action.number))
        made.apply(action)
        defined.apply(action)
        silent.advance(unheard, action.choice)
        decisions += 1
    assert_counted(generated, handed_over)
    return decisions


def assert_counted(generated: Generated, before: int) -> None:
    """Assert that generated code did everything, unless the program has an unsupported feature."""
    if generated.functions is not None:
        assert generated.handed_over == before, "the reference had to do what generated code could not"
    else:
        assert generated.problem, "there is a reason why there is no code"


def sample_positions(program: Program, seed: int, *, drawn: bool, most: int = 2000) -> Iterator[Position]:
    """Yield positions at decisions of random matches, spread over each. `drawn`: also play matches that end again,
    by drawing in generated code."""
    silent = GeneratedExecutor(program)
    chance = random.Random(seed)
    while True:
        played = RandomMatch(silent, chance.getrandbits(32))
        stride = 1
        try:
            for number in range(most):
                if played.position.over:
                    break
                if not number % stride:
                    yield played.position.copy()
                    stride = chance.randint(1, 1 + number // 4)  # strides grow with the length of the match
                played.go_on()
        finally:
            if drawn:
                played.compare_drawn()


class RandomMatch:
    """A match with random choices, played decision by decision."""

    def __init__(self, executor: GeneratedExecutor, seed: int) -> None:
        self.executor = executor
        self.seed = seed
        self.position = executor.start(seed)
        self.executor.run(self.position)
        self.sizes: list[int] = []
        draws = draw_randomly(seed, executor.program.players)
        choose = choose_by(draws, partial(executor.find_seat, self.position))
        self._choose = Habits(0.0, seed).guide(choose, executor, self.position)

    def go_on(self) -> None:
        choices = self.executor.list_legal(self.position)
        self.sizes.append(len(choices))
        self.executor.advance(self.position, self._choose(choices))

    def compare_drawn(self) -> None:
        """Play a match that has ended again, drawn by generated code, and assert that it agrees."""
        if not self.position.over or self.executor.functions is None:
            return
        position, seed = self.executor.start(self.seed), self.seed
        draws = draw_randomly(seed, self.executor.program.players)
        played = self.executor.play_drawn(position, draws, Habits(0.0, seed))
        assert played == (sum(self.sizes), max(self.sizes, default=0))
        assert position == self.position


def compare_stretches(program: Program, seeds: range, *, drawn: bool = True) -> None:
    """For each seed, continue a position to the next decision with the chance and choice of the seed, on both executors
    and without events, and assert that all agree. Periodically, also compare legal choices, a deal, and views."""
    made_game, defined_game = Game(program, executor="generated"), Game(program, executor="reference")
    silent = GeneratedExecutor(program)
    handed_over = silent.generated.handed_over
    positions = sample_positions(program, seeds.start, drawn=drawn)
    for seed in seeds:
        if not (seed - seeds.start) % 100:
            begun, defined_begun = made_game.new(seed), defined_game.new(seed)
            compare(begun, defined_begun, views=False)
            for seat in (None, seed // 100 % program.players):
                assert begun.view(seat) == defined_begun.view(seat)
                assert begun.events_for(seat) == defined_begun.events_for(seat)
        position = next(positions)
        position.random = seeded(seed)
        made, defined = Match(made_game, position), Match(defined_game, position.copy())
        unheard = position.copy()
        choices = made.executor.list_legal(position)
        if not seed % 4:  # listing is slow on the reference
            assert defined.executor.list_legal(position) == choices
        assert made.find_seat() == defined.find_seat()
        choice = random.Random(seed).choice(choices)
        if choice and isinstance(choice[-1], range):
            choice = (*choice[:-1], random.Random(seed).choice(choice[-1]))
        for executor, changed in ((made.executor, position), (defined.executor, defined.position), (silent, unheard)):
            executor.advance(changed, choice)
        assert unheard == position
        compare(made, defined, views=False)
        if not seed % 20:
            seat = seed // 20 % program.players
            assert made.view(seat) == defined.view(seat)
            assert made.events_for(seat) == defined.events_for(seat)
    positions.close()
    assert_counted(silent.generated, handed_over)


def compare(made: Match, defined: Match, *, views: bool) -> None:
    """Assert that positions (with random states), events and scores agree; and views if asked."""
    assert made.position == defined.position
    assert made.events == defined.events
    assert made.winners == defined.winners and made.scores == defined.scores
    if views:
        for seat in (None, *range(made.game.players)):
            assert made.view(seat) == defined.view(seat)
            assert made.events_for(seat)[-3:] == defined.events_for(seat)[-3:]
