"""Runs examples from the editor.

In: the text of a file of examples in the editor. Out: code lenses "run example", and the results of runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hoyle.authoring.testing.example_files import read_tests
from hoyle.authoring.testing.running import find_problem, forget_tables, run_each
from hoyle.base.dataclass import dataclass
from hoyle.base.source import Span

RUN = "hoyle.runExample"
RUN_ALL = "hoyle.runExamples"
MOST_TOLD = 3  # failing examples reported in full; the others are only counted
LONGEST = 1500  # characters of a result


@dataclass(frozen=True, slots=True)
class Lens:
    """A code lens; `name` is the example it runs, None for all."""

    title: str
    span: Span
    name: str | None


def list_lenses(path: Path, text: str) -> Iterator[Lens]:
    """Yield the code lenses of a file of examples; none while it cannot be parsed."""
    tests = read_tests(path, text)
    for number, example in enumerate(tests.examples):
        if number == 0:
            source = example.span.source
            yield Lens("run all examples", Span(source, 0, 0), None)
        yield Lens("run example", Span(example.span.source, example.span.start, example.span.start), example.name)


def run_examples(path: Path, text: str, name: str | None) -> tuple[bool, str]:
    """Run one example by its name, or all; return whether they passed, and a message."""
    tests = read_tests(path, text)
    forget_tables()  # files that the game depends on may have been saved meanwhile
    problem = find_problem(tests)
    if problem is not None:
        return False, problem.message[:LONGEST]
    chosen = [each for each in tests.examples if name is None or each.name == name]
    if not chosen:
        return False, f"there is no example `{name}`" if name is not None else "there are no examples"
    outcomes = [outcome for _, outcome in run_each(tests, chosen)]
    failing = [each for each in outcomes if not each.passed]
    if not failing:
        return True, f"holds: {name}" if name is not None else f"{len(outcomes)} passed, 0 failed"
    told = "\n\n".join(f"fails: {each.name} (line {each.line})\n{each.message}" for each in failing[:MOST_TOLD])
    counted = f"{len(outcomes) - len(failing)} passed, {len(failing)} failed\n" if name is None else ""
    return False, (counted + told)[:LONGEST]
