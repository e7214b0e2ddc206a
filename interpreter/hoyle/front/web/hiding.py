"""What is told to clients of the files of the server: their names, never where they lie.

In: reports and faults, which name files for the author of the rules. Out: the same as text, without folders.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hoyle.base.diagnostics.render import render_text, shown_path
from hoyle.base.diagnostics.report import Report
from hoyle.play.engine.faults import Fault

LONGEST = 4_000  # characters of a report


def tell_report(report: Report, path: Path) -> str:
    """A report on a rule file."""
    return hide_folders(render_text(report.ordered()), [path, *map(Path, report.files)])[:LONGEST]


def tell_fault(fault: Fault) -> str:
    """A fault, at the name of its file."""
    file = fault.place.partition(":")[0]
    return hide_folders(str(fault), [Path(file)]) if file else str(fault)


def hide_folders(text: str, paths: Iterable[Path]) -> str:
    """The text with only the names of these files, however they are spelled in it."""
    spelled = {str(each): each.name for path in paths for each in (path, path.absolute(), path.resolve())}
    spelled |= {shown_path(Path(each)): name for each, name in spelled.items()}
    for each in sorted(spelled, key=len, reverse=True):
        text = text.replace(each, spelled[each])
    return text
