"""Keeps what passed: the examples of a file hold as long as the file, the rules it tests and Hoyle are the same.

In: paths of files of examples. Out: their outcomes, from the user's cache where every example passed and nothing has
changed since, else by running them. Failures are never kept: they are shown with all they print, every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hoyle.authoring.testing.example_files import TestFile
from hoyle.authoring.testing.running import Outcome, open_tables, run_file
from hoyle.base.diagnostics.render import shown_path
from hoyle.language.library import find_place, keep, read_kept

_ASKED = ("examples",)


def recall_outcomes(path: Path) -> list[Outcome] | None:
    """The outcomes of a file of which every example passed when it was last run, if nothing has changed since."""
    kept = read_kept(find_place(_ASKED, path))
    if kept is None:
        return None
    return [Outcome(name, shown_path(path), line, True, cites=cites) for name, line, cites in kept]


def run_and_keep(tests: TestFile, matching: str = "") -> Iterator[Outcome]:
    """Run the examples of a file, and keep the outcomes if all were run and passed."""
    outcomes = []
    for outcome in run_file(tests, matching):
        outcomes.append(outcome)
        yield outcome
    if tests.game is None or len(outcomes) != len(tests.examples) or not all(each.passed for each in outcomes):
        return
    files = {**tests.report.files, **open_tables(tests.game).report.files}
    keep(find_place(_ASKED, tests.path), files, [(each.name, each.line, each.cites) for each in outcomes])
