"""Limits on files and on the number of diagnostics, so that any file is processed in a few seconds.

In: nothing. Out: the limits, and `is_full`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.base.diagnostics.report import Report

MAX_BYTES = 1_000_000
MAX_DEPTH = 50
MAX_NODES = 50_000
MAX_CHAIN = 20
MAX_FILES = 50
MAX_MODULES = 50
MAX_REMOVALS = 500
MAX_REPORTED = 100
MAX_CANDIDATES = 500


def is_full(report: Report) -> bool:
    """Whether enough diagnostics have been reported: nobody reads more, and looking for similar names takes time."""
    return len(report.diagnostics) >= MAX_REPORTED


def candidates(names: Sequence[str]) -> Sequence[str]:
    """The names among which similar ones are sought."""
    return names[:MAX_CANDIDATES]
