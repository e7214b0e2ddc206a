"""Shared pytest configuration: collects the examples beside the rules, and adds `--update` for golden files."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from hoyle.authoring import testing
from hoyle.base.shipped import GAME_SUFFIX
from hoyle.front.cli import OBJECTS_BETWEEN_COLLECTIONS
from hoyle.play.codegen.unsupported import failures
from hoyle.play.engine.native.program import Native

GAMES = Path(__file__).parent.parent / "games"
INTERPRETER = Path(__file__).parent.parent / "interpreter"
SHARES = 30
SETS = 3
MOST_SHARED = 6_000  # bytes of a rule file: what longer ones are asked takes longer than everything else of a test
WAITING = {"web", "terminal"}  # folders of tests that wait for others: they begin first, beside those that do not
OPTIMISE = Native._optimise


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write golden files anew; review them as diffs")


def pytest_configure(config: pytest.Config) -> None:
    # A cache folder of this checkout: it persists between runs, and does not evict the user's own cache.
    os.environ.setdefault("HOYLE_CACHE", str(config.rootpath / ".pytest_cache" / "hoyle"))
    # Processes started in the background by a shell inherit an ignored SIGINT, and so would the commands under test.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Hooks in this file would only apply to files below its folder.
    config.pluginmanager.register(_Examples(), "examples beside the rules")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow, and so defer to `make verify`: tests of shipped variants, which share most rules with their
    parents, and all but a share of the cases of tests marked `share`. With `--update`, run all."""
    for item in [] if config.getoption("--update") else items:
        is_shared = item.get_closest_marker("share") is not None
        if any(map(is_variant, list_paths(item))) or (is_shared and not is_in_share(item)):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: not WAITING.intersection(item.path.parts))


def is_in_share(item: pytest.Item) -> bool:
    """Whether a test case, `test_it_ends[hearts]`, is in the share that `make test` runs: one of `SHARES`, by a hash of
    what it is about. There are few sets of cases, so that modules share compiled programs, and several, so that more
    games are asked about."""
    if any(path.is_relative_to(GAMES) and path.stat().st_size > MOST_SHARED for path in list_paths(item)):
        return False
    return crc32(item.name.partition("[")[2].encode()) % SHARES == crc32(item.path.name.encode()) % SETS


def list_paths(item: pytest.Item) -> list[Path]:
    """The paths among the parameters of a test case, those in pairs too."""
    given = getattr(item, "callspec", None)
    values = [] if given is None else [*given.params.values()]
    parts = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    return [part for part in parts if isinstance(part, Path)]


def is_variant(path: Path) -> bool:
    """Whether a path is that of a shipped variant: a file not named like its folder."""
    if GAMES not in path.parents or not path.name.endswith(GAME_SUFFIX):
        return False
    return path.name != path.parent.name + GAME_SUFFIX


def pytest_collection_finish() -> None:
    """Exclude the collected tests, which live to the end, from garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Disable background optimisation of native code unless a test is marked `optimises`: it would take longer than
    most tests."""
    wanted = item.get_closest_marker("optimises") is not None
    setattr(Native, OPTIMISE.__name__, OPTIMISE if wanted else lambda _native: None)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Fail a test during which a generator failed by a fault of its own: the reference plays on, and nobody would
    hear of it but the next test that has simulations told."""
    told = dict(failures)
    failures.clear()
    assert not told, told


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether to rewrite golden files."""
    return bool(request.config.getoption("--update"))


class _Examples:
    """Collects files of examples."""

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Skip modules without doctests."""
        is_module = collection_path.suffix == ".py" and INTERPRETER in collection_path.parents
        return True if is_module and ">>>" not in collection_path.read_text(encoding="utf-8") else None

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        if file_path.name.endswith(testing.TEST_SUFFIX):
            return ExampleFile.from_parent(parent, path=file_path)
        return None


class ExampleFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        tests = testing.find_tests([self.path])[0]
        if not tests.examples or tests.report.failed:
            yield ExampleItem.from_parent(self, name="the file of examples", tests=tests, example=None)
        for example in tests.examples:  # errors in the rule file surface when they run
            yield ExampleItem.from_parent(self, name=example.name, tests=tests, example=example)


class ExampleItem(pytest.Item):
    """One example as a test item; without an example, the file that cannot be run."""

    def __init__(self, *, tests: testing.TestFile, example: testing.Example | None, **known: Any) -> None:
        super().__init__(**known)
        self.tests = tests
        self.example = example

    def runtest(self) -> None:
        problem = testing.find_problem(self.tests)
        if problem is None and self.example is not None:
            problem = testing.run_example(self.tests, self.example)
        if problem is not None and not problem.passed:
            raise ExampleFailed(f"{problem.file}:{problem.line}: {problem.name}\n\n{problem.message}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, ExampleFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.example.line - 1 if self.example else 0, self.name


class ExampleFailed(Exception):  # noqa: N818 - a test failure, not an error of this program
    """An expectation of an example failed."""
