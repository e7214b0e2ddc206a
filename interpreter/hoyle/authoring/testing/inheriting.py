"""Regression check of variants: runs the examples of the parents against a variant; failures show what it changes.

In: the rule file of a variant. Out: an `Inherited` for every example of its parents, and complaints about wrong entries
in the variant's list `no_longer:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from hoyle.authoring.testing.example_files import TEST_SUFFIX, Example, TestFile, read_tests
from hoyle.authoring.testing.running import Outcome, find_problem, open_tables, run_each
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import render_text, shown_path
from hoyle.base.diagnostics.report import Report
from hoyle.base.diagnostics.spelling import nearest
from hoyle.base.shipped import game_name, list_beside
from hoyle.language.compile import read_game, specialise_safely
from hoyle.language.document.files import GameFile, in_order
from hoyle.language.document.merging import load_file
from hoyle.language.document.nodes import Entry, Mapping, Scalar

Verdict = Literal["holds", "differs", "does not apply"]


@dataclass(frozen=True, slots=True)
class Inherited:
    """The result of a parent's example in the variant; `named`: the variant lists it under `no_longer:`."""

    example: Example
    outcome: Outcome
    verdict: Verdict
    named: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of all examples of the parents, and complaints about `no_longer:`; `lists`: there is such a list;
    `problem`: why the examples could not be run."""

    examples: tuple[Inherited, ...]
    complaints: tuple[Outcome, ...]
    lists: bool
    problem: Outcome | None = None

    @property
    def agrees(self) -> bool:
        """Whether the examples ran, and `no_longer:`, if there is one, is complete and has no wrong entries."""
        named = not self.complaints and all(one.named or one.verdict != "differs" for one in self.examples)
        return self.problem is None and (named or not self.lists)


def compare_with_parents(game: Path, matching: str = "") -> Comparison:
    """Run the examples of all parents of a game against it."""
    report = Report()
    declared = read_game(game, report)
    playable = declared is not None and specialise_safely(declared, declared.usual[0], {}, report) is not None
    file = load_file(game, Report())
    if file is None or not playable:
        problem = Outcome(game.name, shown_path(game), 1, False, render_text(report.ordered()))
        return Comparison((), (), lists=False, problem=problem)
    files = in_order(file)
    listed = {one: _list_gone(one) for one in files}
    own = listed[files[-1]]
    examples: list[Inherited] = []
    for parent in files[:-1]:
        between = files[files.index(parent) + 1 : -1]
        gone = [item for one in between for _, item in listed[one]]
        for tests in _tests_of(parent.path):
            held = [one for one in tests.examples if not any(_names(item, one) for item in gone)]
            held = [one for one in held if matching.casefold() in one.name.casefold()]
            held = [_at_its_table(one, parent.path) for one in held]
            own_tests = replace(tests, game=game)
            found = find_problem(own_tests)
            if found is not None:
                return Comparison((), (), lists=False, problem=found)
            run = _run(own_tests, held, [item for _, item in own])
            if isinstance(run, Outcome):
                return Comparison((), (), lists=False, problem=run)
            examples += run
    return Comparison(tuple(examples), tuple(_complain(own, examples, matching)), any(_has_list(game)))


def _run(tests: TestFile, examples: Sequence[Example], gone: list[Scalar]) -> list[Inherited] | Outcome:
    """Run examples in the variant; if they exceed the step limit, return the outcome that says so."""
    ran = list(run_each(tests, [one for one in examples if _applies(tests, one)]))
    if ran and ran[-1][0] is None:
        return ran[-1][1]
    outcomes = (outcome for _, outcome in ran)
    found = []
    for example in examples:
        named = any(_names(item, example) for item in gone)
        if _applies(tests, example):
            outcome = next(outcomes)
            found.append(Inherited(example, outcome, "holds" if outcome.passed else "differs", named))
        else:
            outcome = Outcome(example.name, tests.name, example.line, True)
            found.append(Inherited(example, outcome, "does not apply", named))
    return found


def _at_its_table(example: Example, parent: Path) -> Example:
    """Fix the number of players of an example that sets none to the parent's default."""
    declared = open_tables(parent).declared
    if example.get("players") is not None or declared is None:
        return example
    span, count = example.span, declared.usual[0]
    said = Entry(Scalar("players", "players", "plain", span, span), Scalar(str(count), count, "plain", span, span))
    known = example.defaults.entries if example.defaults is not None else ()
    return replace(example, defaults=Mapping((*known, said), span))


def _applies(tests: TestFile, example: Example) -> bool:
    """Whether the variant allows the number of players of the example."""
    assert tests.game is not None
    declared, said = open_tables(tests.game).declared, example.get("players")
    if declared is None or not isinstance(said, Scalar) or not isinstance(said.value, int):
        return True
    return declared.allowed[0] <= said.value <= declared.allowed[1]


def _tests_of(game: Path) -> list[TestFile]:
    """Read the files of examples beside a game that test it."""
    found = [read_tests(path) for path in list_beside(game, TEST_SUFFIX)]
    return [tests for tests in found if tests.game is not None and game_name(tests.game) == game_name(game)]


def _has_list(game: Path) -> Iterator[bool]:
    yield from (tests.no_longer is not None for tests in _tests_of(game))


def _list_gone(file: GameFile) -> list[tuple[TestFile, Scalar]]:
    return [(tests, item) for tests in _tests_of(file.path) for item in tests.no_longer or ()]


def _names(item: Scalar, example: Example) -> bool:
    """Whether an item names an example: by its whole name or by its first words."""
    said, name = " ".join(item.text.split()), example.name
    return name.startswith(said) and not re.match(r"\w", name[len(said) :])


def _complain(
    own: list[tuple[TestFile, Scalar]], examples: list[Inherited], matching: str
) -> Iterator[Outcome]:
    """Report entries of `no_longer:` that match no example, or only examples that still hold."""
    for tests, item in own:
        meant = [one for one in examples if _names(item, one.example)]
        if not meant and not matching:
            near = nearest(item.text, [one.example.name for one in examples])
            hint = f"; did you mean `{near}`?" if near else ""
            yield Outcome(item.text, tests.name, item.span.line, False, f"no parent has an example of this name{hint}")
        elif meant and all(one.verdict == "holds" for one in meant):
            yield Outcome(item.text, tests.name, item.span.line, False, "this still holds; take it off the list")


def short_name(example: Example, others: Iterable[Example]) -> str:
    """Shorten the name of an example to the single word before its colon, if that is unique among `others`."""
    first, colon, _ = example.name.partition(":")
    beginning = [one for one in others if one.name.startswith(f"{first}:")]
    return first if colon and " " not in first and len(beginning) == 1 else example.name
