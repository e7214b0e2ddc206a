"""Diagnostics as values, and the report that collects them.

In: findings of the passes. Out: a `Report`, ordered by place, without repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from hoyle.diagnostics.codes import CODES
from hoyle.diagnostics.spelling import near_names, nearest
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
class Reason:
    """What a fix corrects: how that is told, where it stands, and what is corrected besides."""

    code: str
    message: str
    span: Span
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement of a stretch of the file that would mend the fault. `sure`: it holds no word that the author did
    not give or that could be another, so that it may be carried out without asking."""

    span: Span
    text: str
    sure: bool = True
    says: Reason | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: what is wrong, where, what else has to do with it, and what to do.

    `candidates` are fixes nobody has tried yet, the likeliest first; they are never shown. `hoyle.remedies` tries them:
    what then mends the place is the `fix`, if it is sure, or one of the `suggestions`. `trail` are the definitions
    through which the place reads what it is told of."""

    code: str
    message: str
    primary: Label | None
    others: tuple[Label, ...] = ()
    hints: tuple[str, ...] = ()
    candidates: tuple[Fix, ...] = ()
    severity: Severity = "error"
    fix: Fix | None = None
    suggestions: tuple[Fix, ...] = ()
    trail: tuple[str, ...] = ()


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
    lost: set[str] = field(default_factory=set)  # names whose declaration could not be read, which has been told
    incomplete: bool = False  # a module is not there: names that it may declare are not told as unknown
    stumbled: list[Exception] = field(default_factory=list)  # what later passes raised over what errors left out
    reword: Callable[[Span], list[Fix]] | None = None  # further candidates: the rule at a place in other words
    types: dict[Span, str] | None = None  # what expressions are, where somebody asks for it
    latent: list[Diagnostic] | None = None  # what is wrong without the parts that fail, where somebody asks for it

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        label: str = "",
        *,
        others: Iterable[Label] = (),
        hint: str | Iterable[str] = (),
        fix: Fix | Iterable[Fix] | None = None,
        trail: tuple[str, ...] = (),
    ) -> None:
        """Report a finding; its code decides whether it is an error or a warning. When there are too many to read, what
        comes later is left out, but never the first error. A finding in a text that is only supposed is not told."""
        if span is not None and span.source.supposed:
            return
        if self.incomplete and (code.startswith("unknown-") or code == "no-values") and code != "unknown-module":
            return
        message = message if len(message) <= LONGEST_MESSAGE else message[: LONGEST_MESSAGE - 1] + "…"
        hints = (hint,) if isinstance(hint, str) else tuple(hint)
        primary = Label(span, label) if span is not None else None
        fixes = () if fix is None else (fix,) if isinstance(fix, Fix) else tuple(fix)
        shown = tuple(label for label in others if not label.span.source.supposed)
        self.add(Diagnostic(code, message, primary, shown, hints, fixes, CODES[code].severity, trail=trail))

    def add(self, found: Diagnostic) -> None:
        """Take in a finding, if there is room for it."""
        if len(self.diagnostics) >= MOST_FINDINGS and (self.failed or found.severity == "warning"):
            return
        if found not in self.diagnostics:
            self.diagnostics.append(found)

    def tells(self, span: Span) -> bool:
        """Whether an error has been told at this very place: what a later pass misses there follows from it."""
        return any(one.severity == "error" and one.primary is not None and one.primary.span == span
                   for one in self.diagnostics)  # fmt: skip

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    def ordered(self) -> list[Diagnostic]:
        """The diagnostics in the order of their places, those without a place first."""

        def place(d: Diagnostic) -> tuple[str, int]:
            return (d.primary.span.source.name, d.primary.span.start) if d.primary else ("", -1)

        return sorted(self.diagnostics, key=place)


def respell(span: Span, name: str, known: Iterable[str]) -> tuple[Fix, ...]:
    """What may have been meant by a misspelt name at a place, as fixes."""
    return tuple(Fix(span, near, sure) for near, sure in near_names(name, known))


def say_candidates(found: Diagnostic) -> Diagnostic:
    """A finding in a file whose mendings nobody tries: the likeliest is a question."""
    said = tuple(f"did you mean `{fix.text}`?" for fix in found.candidates[:1])
    return replace(found, hints=said + found.hints, candidates=())


def did_you_mean(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The hint for a misspelt name, or none."""
    near = nearest(name, known)
    return (f"did you mean `{near}`?",) if near else ()
