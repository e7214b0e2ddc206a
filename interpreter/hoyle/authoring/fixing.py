"""Automatic fixes of a rule file.

In: a path. Out: the text with all sure fixes applied, and a log of these. Nothing is written. A fix may uncover others,
so the file is checked repeatedly until there are none left.
"""

from __future__ import annotations

from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import fixed_lines, shown_path
from hoyle.base.diagnostics.report import Diagnostic, Fix
from hoyle.base.source import Source
from hoyle.language.compile import check_file
from hoyle.language.fix_verification import carry_out

MOST_PASSES = 8


@dataclass(frozen=True, slots=True)
class Mending:
    """An applied fix: the line before and after."""

    line: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file before and after its fixes, and the remaining diagnostics."""

    source: Source | None
    text: str
    done: tuple[Mending, ...]
    found: tuple[Diagnostic, ...]


def fix_file(path: Path) -> Fixed:
    """The result of fixing a file."""
    name = shown_path(path)
    before: Source | None = None
    done: list[Mending] = []
    text: str | None = None
    found: tuple[Diagnostic, ...] = ()
    for _ in range(MOST_PASSES):
        found = tuple(check_file(path, text).ordered())
        fixes = [one.fix for one in found if one.fix is not None and one.fix.span.source.name == name]
        if not fixes:
            break
        source = fixes[0].span.source
        before = before or source
        text, carried = carry_out(source.text, fixes)
        done += [_describe(fix) for fix in carried]
    return Fixed(before, before.text if before and text is None else text or "", tuple(done), found)


def _describe(fix: Fix) -> Mending:
    line = fix.span.line
    return Mending(line, fix.span.source.line_text(line).strip(), " ⏎ ".join(fixed_lines(fix)))
