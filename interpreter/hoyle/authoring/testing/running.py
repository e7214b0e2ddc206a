"""Runs examples.

In: files of examples. Out: an `Outcome` for each example, and for each file that cannot be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from hoyle.authoring.testing.choosing import make_choices
from hoyle.authoring.testing.comparing import show_position
from hoyle.authoring.testing.example_files import Example, TestFile, find_tests
from hoyle.authoring.testing.expecting import check_expectations, check_log, check_values
from hoyle.authoring.testing.offers import check_offers
from hoyle.authoring.testing.placing import merge_given, place
from hoyle.authoring.testing.scenes import Scene
from hoyle.authoring.testing.tables import Table, Tables
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import render_text
from hoyle.base.diagnostics.report import Diagnostic, Report
from hoyle.base.effort import Effort, TooMuchWork, going_on, spend
from hoyle.language.document.nodes import Mapping
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Match

SEED = 0
MOST_TESTED = 5_000_000  # limit of steps (`hoyle.base.effort`) for all examples of a file: about a minute
STEPS_FOR_STAGE = 300  # flat cost of a stage: parsing it, setting up its position and comparing


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an example. `message` describes the failures; it is empty if it passed."""

    name: str
    file: str
    line: int
    passed: bool
    message: str = ""
    cites: tuple[str, ...] = ()


def run_files(paths: Iterable[Path | str], matching: str = "") -> Iterator[Outcome]:
    """Run the examples of all files found at the paths whose names contain `matching`."""
    for tests in find_tests(paths):
        yield from run_file(tests, matching)


def run_file(tests: TestFile, matching: str = "") -> Iterator[Outcome]:
    """Run the examples of one file; if it cannot be run, yield one outcome that says why."""
    problem = find_problem(tests)
    if problem is not None:
        yield problem
        return
    chosen = [example for example in tests.examples if matching.casefold() in example.name.casefold()]
    for _, outcome in run_each(tests, chosen):
        yield outcome


def run_each(
    tests: TestFile,
    examples: Sequence[Example],
    tables: Tables | None = None,
    begin: Callable[[Example], None] = lambda example: None,
) -> Iterator[tuple[Example | None, Outcome]]:
    """Run examples of a valid file within the limit of steps. If that is exceeded, the last outcome belongs to no
    example and says which were not run. `begin` is called before each example."""
    effort = Effort(MOST_TESTED)
    for number, example in enumerate(examples):
        begin(example)
        try:
            with going_on(effort):
                outcome = run_example(tests, example, tables)
        except TooMuchWork:
            yield None, _stop_before(tests, examples, number)
            return
        yield example, outcome


def _stop_before(tests: TestFile, examples: Sequence[Example], number: int) -> Outcome:
    """Make the outcome that reports that only the first `number` examples were run."""
    first, left = examples[number], len(examples) - number
    were, others = ("was", "") if number == 1 else ("were", "s")
    missing = f"`{first.name}` was not" if left == 1 else f"`{first.name}` and those after it were not, {left} in all"
    report = Report()
    report.error(
        "too-much-to-test",
        f"running these examples takes more than {MOST_TESTED:,} steps",
        first.span,
        "no more was run from here on",
        hint=(f"{number} example{others} {were} run; {missing}", "divide the file, or look for what takes so long"),
    )
    return Outcome("the file of examples", tests.name, first.line, False, _render(report))


def find_problem(tests: TestFile) -> Outcome | None:
    """Return the outcome of a file that cannot be run, because of errors in it or in its rule file; else None."""
    if tests.report.failed or tests.game is None:
        return Outcome("the file of examples", tests.name, _first_line(tests.report), False, _render(tests.report))
    tables = open_tables(tests.game)
    if tables.declared is None:
        return Outcome("the rule file", tests.name, 1, False, _render(tables.report))
    return None


def _first_line(report: Report) -> int:
    return next((each.primary.span.line for each in report.ordered() if each.primary), 1)


def _render(report: Report) -> str:
    return render_text(each for each in report.ordered() if each.severity == "error")


def open_tables(game: Path) -> Tables:
    """Return the tables of a rule file, cached as long as the file does not change."""
    return _open_tables(game, game.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _open_tables(game: Path, changed: int) -> Tables:
    return Tables(game)


def forget_tables() -> None:
    """Clear the cache, since files that a rule file extends or uses may have changed."""
    _open_tables.cache_clear()


def stand_at(tests: TestFile, example: Example, tables: Tables, *, after: bool = False) -> tuple[Scene | None, str]:
    """Set up the initial position of an example, or, if `after`, the one after its choices; None and the reason if that
    fails."""
    report = Report()
    table = tables.find(example, report)
    if table is None:
        return None, _render(report)
    scene = _set_up(table, example)
    stages = example.stages if after else example.stages[:1]
    for number, stage in enumerate(stages):
        defaults = example.defaults if number == 0 else None
        given = merge_given(stage.get("given"), defaults.get("given") if defaults else None)
        try:
            if given is not None:
                place(scene, given)
            else:
                scene.match.run()
            if after and not scene.failed:
                make_choices(scene, stage)
        except Fault as fault:
            scene.fail_by_fault(fault, example.span)
        if scene.failed:
            return None, _tell(scene)
    return scene, ""


def _set_up(table: Table, example: Example) -> Scene:
    """Create the scene of an example with a new match."""
    seed = getattr(example.get("seed"), "value", None)
    seed = seed if isinstance(seed, int) else SEED
    return Scene(table, Match(table.game, table.game.executor.start(seed), seed=seed, checked=True))


def run_example(tests: TestFile, example: Example, tables: Tables | None = None) -> Outcome:
    """Run one example of a valid file; `tables` replaces the file's own tables."""
    assert tests.game is not None
    report = Report()
    table = (tables or open_tables(tests.game)).find(example, report)
    if table is None:
        return Outcome(example.name, tests.name, example.line, False, _render(report), example.cites)
    scene = _set_up(table, example)
    for number, stage in enumerate(example.stages):
        defaults = example.defaults if number == 0 else None
        given = merge_given(stage.get("given"), defaults.get("given") if defaults else None)
        _run_stage(scene, example, stage, given)
        if scene.failed:
            break
    message = _tell(scene) if scene.failed else ""
    return Outcome(example.name, tests.name, example.line, not scene.failed, message, example.cites)


def _run_stage(scene: Scene, example: Example, stage: Mapping, given: Mapping | None) -> None:
    """Run one stage of an example: set up the position, check the offers, make the choices, check expectations."""
    spend(STEPS_FOR_STAGE)
    scene.heard = len(scene.match.events)
    scene.log.clear()
    try:
        if given is not None:
            place(scene, given)
        else:
            scene.match.run()
        if not scene.failed:
            scene.given, scene.given_scores = scene.match.position.copy(), scene.match.scores
            scene.heard_given = len(scene.match.events)
            check_offers(scene, stage)
        if not scene.failed:
            make_choices(scene, stage)
        log, expected = stage.entry("log"), stage.get("expect")
        if log is not None and not scene.failed:
            check_log(scene, log)
        if isinstance(expected, Mapping) and not _has_stopped(scene):
            check_expectations(scene, expected)
        if not _has_stopped(scene):
            check_values(scene, stage)
    except Fault as fault:
        scene.fail_by_fault(fault, example.span)


def _has_stopped(scene: Scene) -> bool:
    """Whether an error other than a failed expectation makes further checks meaningless."""
    return any(each.code != "not-as-expected" for each in scene.report.diagnostics)


def _tell(scene: Scene) -> str:
    """Format all failures with their details, and the final position."""
    parts = [_tell_one(found, scene.details.get(found, "")) for found in scene.report.ordered()]
    if scene.details or any(found.code == "game-fault" for found in scene.report.diagnostics):
        match = scene.match
        scores = [scene.given_scores if scene.given else match.scores, match.scores]
        shown = show_position(scene.game.names, scene.given or match.position, match.position, scores)
        title = "the position given, and what became of it" if scene.given else "the position then"
        parts.append(f"{title}:\n" + _indent(shown))
        if any(event.name == "round_began" for event in match.events[scene.heard_given :]) and scene.log:
            parts.append("note: another round has begun since; `until: end of round` stops before it does")
    if scene.note:
        parts.append(f"note: {scene.note}")
    return "\n\n".join(parts)


def _tell_one(found: Diagnostic, detail: str) -> str:
    text = render_text([found]).rstrip("\n")
    return f"{text}\n{_indent(detail)}" if detail else text


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
