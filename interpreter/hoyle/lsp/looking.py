"""A file looked at as it is being written: checked and indexed in one pass.

In: the path of a rule file or of examples, its text, and what was seen before. Out: a `Look`: what is wrong, and the
index by which an editor is answered. Files that did not change since the last look are not read again.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hoyle.compile import check_game
from hoyle.diagnostics.report import Diagnostic
from hoyle.document.keeping import Kept, keeping
from hoyle.lsp.index import Index, build_index
from hoyle.reviewing import review
from hoyle.source import Span
from hoyle.syntax.repair.mending import prepare
from hoyle.testing.example_files import TEST_SUFFIX, read_tests


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of a text; `untried`: there are mendings that have not all been tried."""

    index: Index
    found: list[Diagnostic]
    untried: bool = False


def settle_in() -> None:
    """Make ready for what comes, once a first file has been looked at: what finds mistakes is compiled, and what was
    loaded so far, which stays, is no longer gone through for garbage, which would make every eighth answer late."""
    prepare()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@dataclass
class Looker:
    """Looks at texts one after the other, in one thread."""

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
        """What is wrong in a text: at every number of players, or while typing at the fewest. `mends` is asked before
        each trial of a mending whether to go on."""
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
            return Look(index, checked.report.ordered(), untried)
