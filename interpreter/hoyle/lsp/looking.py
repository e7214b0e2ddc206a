"""A file looked at as it is being written: checked and indexed in one pass.

In: the path of a rule file or of examples, its text, and what was seen before. Out: a `Look`: what is wrong, and the
index by which an editor is answered. Files that did not change since the last look are not read again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from hoyle.compile import check_game
from hoyle.diagnostics.report import Diagnostic
from hoyle.document.keeping import Kept, keeping
from hoyle.lsp.index import Index, build_index
from hoyle.reviewing import review
from hoyle.source import Span
from hoyle.testing.example_files import TEST_SUFFIX, read_tests


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of a text."""

    index: Index
    found: list[Diagnostic]


@dataclass
class Looker:
    """Looks at texts one after the other, in one thread."""

    kept: Kept = field(default_factory=Kept)

    def look(self, path: Path, text: str, before: Index | None = None, *, whole: bool = False) -> Look:
        """What is wrong in a text: at every number of players, or while typing at the fewest."""
        with keeping(self.kept):
            if path.name.endswith(TEST_SUFFIX):
                found = read_tests(path, text).report.ordered()
                return Look(build_index(path, text, None, before), found)
            types: dict[Span, str] = {}
            checked = check_game(path, text, quick=not whole, types=types)
            review(checked)
            index = build_index(path, text, checked, before)
            if types:
                index.types = types
            return Look(index, checked.report.ordered())
