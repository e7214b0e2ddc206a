"""Diagnostics as values, and the report that collects them.

In: findings of the passes. Out: a `Report`, ordered by place, without repeats.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from hoyle.diagnostics.codes import CODES
from hoyle.source import Span

Severity = Literal["error", "warning"]

MOST_FINDINGS = 200
LONGEST_MESSAGE = 500


@dataclass(frozen=True, slots=True)
class Label:
    """A place a diagnostic speaks of, with what is to be said there."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement of a stretch of the file that would mend the fault."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: what is wrong, where, what else has to do with it, and what to do."""

    code: str
    message: str
    primary: Label | None
    others: tuple[Label, ...] = ()
    hints: tuple[str, ...] = ()
    fix: Fix | None = None
    severity: Severity = "error"


def identity(found: Diagnostic) -> tuple[str, str, str, int]:
    """By what a finding is known again when its file is read a second time."""
    if found.primary is None:
        return found.code, found.message, "", -1
    return found.code, found.message, found.primary.span.source.name, found.primary.span.start


@dataclass
class Report:
    """Collects diagnostics; passes report and go on, so that one run shows all errors."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)  # hashes of those read; "" of those that would have been

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        label: str = "",
        *,
        others: Iterable[Label] = (),
        hint: str | Iterable[str] = (),
        fix: Fix | None = None,
    ) -> None:
        """Report a finding; its code decides whether it is an error or a warning. When there are too many to read, what
        comes later is left out, but never the first error."""
        if len(self.diagnostics) >= MOST_FINDINGS and (self.failed or CODES[code].severity == "warning"):
            return
        message = message if len(message) <= LONGEST_MESSAGE else message[: LONGEST_MESSAGE - 1] + "…"
        hints = (hint,) if isinstance(hint, str) else tuple(hint)
        primary = Label(span, label) if span is not None else None
        found = Diagnostic(code, message, primary, tuple(others), hints, fix, CODES[code].severity)
        if found not in self.diagnostics:
            self.diagnostics.append(found)

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    def ordered(self) -> list[Diagnostic]:
        """The diagnostics in the order of their places, those without a place first."""

        def place(d: Diagnostic) -> tuple[str, int]:
            return (d.primary.span.source.name, d.primary.span.start) if d.primary else ("", -1)

        return sorted(self.diagnostics, key=place)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name a reader most likely meant, if one is close."""
    found = difflib.get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The hint for a misspelt name, or none."""
    near = nearest(name, known)
    return (f"did you mean `{near}`?",) if near else ()
