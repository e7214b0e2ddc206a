"""Incremental analysis of a file in the editor: checks and indexes it in one pass.

In: the path of a rule file or of examples, its text, and the previous index. Out: a `Look`: diagnostics, and the index
that answers queries. Files that have not changed since the last analysis are cached.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import field
from pathlib import Path

from hoyle.authoring.interval_lints import review
from hoyle.authoring.lsp.index import Index, build_index
from hoyle.authoring.testing.example_files import TEST_SUFFIX, read_tests
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Diagnostic
from hoyle.base.source import Span
from hoyle.language.compile import check_game
from hoyle.language.document.incremental import Kept, keeping
from hoyle.language.syntax.repair.mending import prepare
from hoyle.program.ir.nodes import Program


@dataclass(frozen=True, slots=True)
class Look:
    """The result of an analysis; `untried`: some quick fixes have not been verified yet; `program`: that of the usual
    table, of a rule file without errors."""

    index: Index
    found: list[Diagnostic]
    untried: bool = False
    program: Program | None = None


def settle_in() -> None:
    """Warm up after the first analysis: compile the patterns for error repair, and freeze all live objects for the
    garbage collector, whose full collections would otherwise delay every eighth response."""
    prepare()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@dataclass(slots=True)
class Looker:
    """Analyses texts sequentially, in one thread."""

    kept: Kept = field(default_factory=Kept)

    def look(
        self,
        path: Path,
        text: str,
        before: Index | None = None,
        *,
        whole: bool = False,
        mends: Callable[[], bool] = lambda: True,
    ) -> Look:
        """Analyse a text: for all numbers of players if `whole`, else, while typing, only for the fewest. `mends` is
        polled before each verification of a quick fix, and can stop it."""
        untried = False

        def may_try() -> bool:
            nonlocal untried
            untried = untried or not mends()
            return not untried

        with keeping(self.kept):
            if path.name.endswith(TEST_SUFFIX):
                found = read_tests(path, text).report.ordered()
                return Look(build_index(path, text, None, before), found)
            types: dict[Span, str] = {}
            checked = check_game(path, text, quick=not whole, types=types, mends=may_try)
            review(checked)
            index = build_index(path, text, checked, before)
            if types:
                index.types = types
            return Look(index, checked.report.ordered(), untried, next(iter(checked.programs), None))
