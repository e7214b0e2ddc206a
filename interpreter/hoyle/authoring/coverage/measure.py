"""Measures coverage: runs examples and games of bots with an instrumented executor.

In: a rule file and a plan. Out: `Measured`: the counts, and what was run.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import field
from pathlib import Path

from hoyle.authoring import testing
from hoyle.authoring.coverage.clauses import Item, list_items
from hoyle.authoring.coverage.instrumented import CountingExecutor, Counts, Probe
from hoyle.authoring.coverage.verdict import judge
from hoyle.authoring.testing.example_files import TEST_SUFFIX, TestFile, read_tests
from hoyle.authoring.testing.running import find_problem, run_each
from hoyle.authoring.testing.tables import Tables
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import list_beside
from hoyle.lab.sim.one_game import play_game
from hoyle.lab.sim.summary import Failure
from hoyle.language.compile import read_game, specialise_safely
from hoyle.language.declare.declarations import Declarations, OptionDecl
from hoyle.language.family import list_variants
from hoyle.language.specialise import Specialised
from hoyle.play.engine.game import Game
from hoyle.program.model.chance import derive_seed

ERRORS = 0.1  # error rate of bots in games with errors; without errors, nothing would ever be called
VARIED = 0.5  # probability that an option is varied

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: examples (`tests`), and games for a number of players (None: cycle through all usual ones) and with
    options. With `vary`, options not set are drawn at random for every second game. No further game starts after
    `most_work` expressions have been evaluated in games, or, with `stop`, once every clause of the game's own file is
    reached."""

    tests: bool = True
    games: int = 0
    players: int | None = None
    options: dict[str, object] = field(default_factory=dict)
    vary: bool = True
    seed: int = 0
    bot: str = "random"
    most_work: int | None = None
    stop: bool = False


@dataclass(slots=True)
class Measured:
    """What was run, and its counts. `home` is the game's own file; `spared` is the number of planned games not started,
    `too_much` whether that is because of the work limit."""

    declared: Declarations
    items: list[Item]
    counts: Counts
    examples: int = 0
    failing: list[str] = field(default_factory=list)
    games: int = 0
    planned: int = 0
    spared: int = 0
    too_much: bool = False
    faults: list[str] = field(default_factory=list)

    @property
    def home(self) -> str:
        assert self.declared.line is not None
        return self.declared.line.span.source.name

    @property
    def own(self) -> list[Item]:
        """The items of the game's own file."""
        return [item for item in self.items if item.span.source.name == self.home]


def measure(path: Path, plan: Plan, report: Report, tell: Tell = lambda what: None) -> Measured | None:
    """Run a plan and count; None after reporting errors of the rule file."""
    declared = read_game(path, report)
    rules = specialise_safely(declared, plan.players or declared.usual[0], plan.options, report) if declared else None
    if declared is None or rules is None:
        return None
    measured = Measured(declared, list_items(declared, rules.program), Counts(), planned=plan.games)
    if plan.tests:
        _run_tests(path, measured, tell)
    _play_games(measured, plan, report, tell)
    return measured


def find_tests(path: Path) -> list[TestFile]:
    """Find the examples of a game and of the variants in its folder, which also execute its clauses."""
    wanted = {path.resolve(), *(variant.resolve() for variant in list_variants(path))}
    found = [read_tests(each) for each in list_beside(path, TEST_SUFFIX)]
    return [tests for tests in found if tests.game is not None and tests.game.resolve() in wanted]


def probe_game(rules: Specialised, counts: Counts) -> tuple[Game, Probe]:
    """Return a game with an instrumented executor, and its probe."""
    probe = Probe(rules.program, rules.decided, counts)
    return Game(rules.program, executor_class=CountingExecutor.with_probe(probe)), probe


def _run_tests(path: Path, measured: Measured, tell: Tell) -> None:
    for tests in find_tests(path):
        problem: testing.Outcome | None = find_problem(tests)
        if problem is not None:
            measured.failing.append(f"{problem.file}: {problem.name} cannot be run")
            continue
        assert tests.game is not None
        tables = Tables(tests.game, lambda rules: probe_game(rules, measured.counts)[0])
        for example, outcome in run_each(tests, tests.examples, tables, lambda example: tell(example.name)):
            measured.examples += example is not None
            if not outcome.passed:
                measured.failing.append(f"{outcome.file}:{outcome.line}: {outcome.name}")


def _play_games(measured: Measured, plan: Plan, report: Report, tell: Tell) -> None:
    low, high = measured.declared.usual
    draws = _Draws(measured.declared, plan.seed)
    made: dict[tuple[int, str], tuple[Game, Probe] | None] = {}
    work = 0
    for index in range(plan.games):
        too_much = plan.most_work is not None and work > plan.most_work
        if too_much or (plan.stop and _reaches_all(measured)):
            measured.spared, measured.too_much = plan.games - index, too_much
            return
        players = plan.players or low + index % (high - low + 1)
        varies = plan.vary and index % 2 == 1
        options = {**draws.draw(), **plan.options} if varies else plan.options
        key = (players, repr(sorted(options.items())))
        if key not in made:
            rules = specialise_safely(measured.declared, players, options, Report() if varies else report)
            made[key] = probe_game(rules, measured.counts) if rules is not None else None
        probed = made[key]
        if probed is None:
            continue  # options drawn at random can be incompatible
        game, probe = probed
        tell(f"game {index + 1} of {plan.games}")
        before = probe.seen
        played = play_game(game, plan.bot, index, derive_seed(plan.seed, index), lambda: False, ERRORS)
        work += probe.seen - before
        measured.games += 1
        if isinstance(played, Failure):
            measured.faults.append(f"seed {played.seed}: {played.message.splitlines()[0]}")


def _reaches_all(measured: Measured) -> bool:
    return not judge(measured.own, measured.counts).missing


class _Draws:
    """Draws options at random, about half of them at a time; each option cycles through all its values."""

    def __init__(self, declared: Declarations, seed: int) -> None:
        self.options = declared.options
        self.random = random.Random(seed)
        self.waiting: dict[str, list[str]] = {}

    def draw(self) -> dict[str, str]:
        drawn = [option for option in self.options.values() if self.random.random() < VARIED]
        return {option.name: self._next(option) for option in drawn}

    def _next(self, option: OptionDecl) -> str:
        values = self.waiting.setdefault(option.name, [])
        if not values:
            values += list_values(option)
            self.random.shuffle(values)
        return values.pop()


def list_values(option: OptionDecl) -> list[str]:
    """List the values to try for an option; only the ten lowest numbers, since large ones can make long games."""
    if option.kind == "truth":
        return ["true", "false"]
    if option.kind == "enum":
        return list(option.values)
    return [str(number) for number in range(option.low, min(option.high, option.low + 9) + 1)]
