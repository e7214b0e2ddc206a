"""Finds, parses and validates files of examples.

In: paths of files and folders. Out: `TestFile`s with their `Example`s; errors are in the report of the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from pathlib import Path
from typing import ClassVar

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Report, did_you_mean
from hoyle.base.shipped import GAME_SUFFIX, all_games, game_name, list_files, stays_inside
from hoyle.base.source import Source, Span
from hoyle.language.document.language_version import take_version
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence
from hoyle.language.document.reading import read_nodes, read_source
from hoyle.language.document.validation import validate

TEST_SUFFIX = ".test.yaml"


@dataclass(frozen=True, slots=True)
class Example:
    """One example: its node, and the defaults of its file for keys that it does not set."""

    name: str
    cites: tuple[str, ...]
    span: Span = field(compare=False)
    node: Mapping = field(repr=False)
    defaults: Mapping | None = field(default=None, repr=False)

    @property
    def line(self) -> int:
        return self.span.line

    def get(self, key: str) -> Node | None:
        """Return the node of a key, falling back to the defaults."""
        own = self.node.get(key)
        return own if own is not None or self.defaults is None else self.defaults.get(key)

    @property
    def stages(self) -> tuple[Mapping, ...]:
        """The example itself and the stages under `then`."""
        further = self.node.get("then")
        steps = further.items if isinstance(further, Sequence) else ()
        return (self.node, *(step for step in steps if isinstance(step, Mapping)))


@dataclass(frozen=True, slots=True)
class TestFile:
    """A file of examples and the rule file that they test. With errors in `report`, it cannot be run. `no_longer` names
    the examples of parents that a variant invalidates."""

    __test__: ClassVar[bool] = False  # keeps pytest from collecting the class, whose name begins with `Test`

    path: Path
    game: Path | None
    examples: tuple[Example, ...]
    report: Report = field(repr=False)
    no_longer: tuple[Scalar, ...] | None = None

    @property
    def name(self) -> str:
        return shown_path(self.path)


def find_tests(paths: Iterable[Path | str]) -> list[TestFile]:
    """Read the files of examples at paths of such files, of rule files with examples beside them, or of folders."""
    return [read_tests(path) for path in list_test_files(paths)]


def list_test_files(paths: Iterable[Path | str]) -> list[Path]:
    """The files of examples at paths, each once."""
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        found.update(dict.fromkeys(_find_files(path)))
    return list(found)


def _find_files(path: Path) -> list[Path]:
    if path.is_dir():
        return list_files(path, TEST_SUFFIX)
    if path.name.endswith(GAME_SUFFIX):
        beside = path.with_name(game_name(path) + TEST_SUFFIX)
        return [beside] if beside.is_file() and stays_inside(beside, path.parent) else []
    return [path]


def read_tests(path: Path, text: str | None = None) -> TestFile:
    """Read one file of examples; `text` replaces its content."""
    report = Report()
    source = read_source(path, report) if text is None else Source(shown_path(path), text.replace("\r\n", "\n"))
    root = read_nodes(source, report) if source is not None else None
    root = take_version(root, report) if root is not None else None
    if root is None:
        return TestFile(path, None, (), report)
    validate(root, "test", report)
    if report.failed:
        return TestFile(path, None, (), report)
    defaults = root.get("defaults")
    examples = root.get("examples")
    gone = root.get("no_longer")
    return TestFile(
        path,
        _find_game(path, root.get("tests"), report),
        tuple(
            _read_example(node, defaults if isinstance(defaults, Mapping) else None)
            for node in (examples.items if isinstance(examples, Sequence) else ())
            if isinstance(node, Mapping)
        ),
        report,
        tuple(item for item in gone if isinstance(item, Scalar)) if isinstance(gone, Sequence) else None,
    )


def _find_game(path: Path, node: Node | None, report: Report) -> Path | None:
    assert isinstance(node, Scalar)
    beside = path.parent / (node.text + GAME_SUFFIX)
    if beside.is_file() and stays_inside(beside, path.parent):
        return beside
    report.files[str(beside.absolute())] = ""
    shipped = {game_name(game): game for game in all_games()}
    if node.text in shipped:
        return shipped[node.text]
    known = [*shipped, *(game_name(game) for game in path.parent.glob("*" + GAME_SUFFIX))]
    report.error(
        "unknown-game",
        f"no game named `{node.text}` beside this file or among those that are shipped",
        node.span,
        hint=did_you_mean(node.text, known),
    )
    return None


def _read_example(node: Mapping, defaults: Mapping | None) -> Example:
    name = node.entry("name")
    assert name is not None and isinstance(name.value, Scalar)
    cite = node.get("cite")
    cited = cite.items if isinstance(cite, Sequence) else () if cite is None else (cite,)
    cites = tuple(each.text for each in cited if isinstance(each, Scalar))
    return Example(" ".join(name.value.text.split()), cites, name.value.span, node, defaults)
