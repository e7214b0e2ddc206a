"""Diagnostics as values, and the report that collects them.

In: diagnostics of the passes. Out: a `Report`, ordered by location, without duplicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field, replace
from typing import Literal

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.codes import CODES
from hoyle.base.diagnostics.spelling import near_names, nearest
from hoyle.base.source import Span

Severity = Literal["error", "warning"]

MOST_FINDINGS = 200
LONGEST_MESSAGE = 500


@dataclass(frozen=True, slots=True)
class Label:
    """A location with a text."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """What a fix corrects: code, message and location, and further corrections."""

    code: str
    message: str
    span: Span
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement of a range of the file. `sure`: it contains no invented or ambiguous words, so that it may be
    applied without asking."""

    span: Span
    text: str
    sure: bool = True
    says: Reason | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic: what is wrong, where, related locations, and what to do.

    `candidates` are unverified fixes, the most likely first, which are never shown. `hoyle.language.fix_verification`
    verifies them: one that works becomes the `fix` if it is sure, otherwise one of the `suggestions`. `trail` are the
    definitions through which the location reads what is reported. `instead` is told where no candidate works."""

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
    instead: str = ""


def identity(found: Diagnostic) -> tuple[str, str, str, int]:
    """A key that identifies a diagnostic across repeated checks of a file."""
    if found.primary is None:
        return found.code, found.message, "", -1
    return found.code, found.message, found.primary.span.source.name, found.primary.span.start


@dataclass(slots=True)
class Report:
    """Collects diagnostics. Passes report and continue, so that one run shows all errors."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)  # hashes of files read; "" for files looked for but missing
    lost: set[str] = field(default_factory=set)  # names whose declaration is erroneous, which has been reported
    mentioned: set[str] = field(default_factory=set)  # words in rules that did not parse, which may be declared there
    unchecked: list[Span] = field(default_factory=list)  # rules that cannot be checked because of such names
    incomplete: bool = False  # a module is missing: unknown names are not reported, since it may declare them
    stumbled: list[Exception] = field(default_factory=list)  # exceptions of later passes, caused by reported errors
    reword: Callable[[Span], list[Fix]] | None = None  # further candidates: rewordings of the rule at a location
    types: dict[Span, str] | None = None  # collects the types of expressions, if given
    latent: list[Diagnostic] | None = None  # collects errors in the program without its erroneous parts, if given

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
        instead: str = "",
    ) -> None:
        """Report a diagnostic, with the severity of its code. Beyond a limit, further diagnostics are dropped, but
        never the first error. Diagnostics in a presumed correction are dropped too."""
        if span is not None and span.source.supposed:
            return
        if self.incomplete and (code.startswith("unknown-") or code == "no-values") and code != "unknown-module":
            self.unchecked += [span] if span is not None else []
            return
        message = message if len(message) <= LONGEST_MESSAGE else message[: LONGEST_MESSAGE - 1] + "…"
        hints = (hint,) if isinstance(hint, str) else tuple(hint)
        primary = Label(span, label) if span is not None else None
        fixes = () if fix is None else (fix,) if isinstance(fix, Fix) else tuple(fix)
        shown = tuple(label for label in others if not label.span.source.supposed)
        severity = CODES[code].severity
        self.add(Diagnostic(code, message, primary, shown, hints, fixes, severity, trail=trail, instead=instead))

    def add(self, found: Diagnostic) -> None:
        """Add a diagnostic, if there is room for it."""
        if len(self.diagnostics) >= MOST_FINDINGS and (self.failed or found.severity == "warning"):
            return
        if found not in self.diagnostics:
            self.diagnostics.append(found)

    def may_lack(self, name: str) -> bool:
        """Whether what a name means may stand in what could not be read."""
        return name in self.lost or name in self.mentioned

    def tells(self, span: Span) -> bool:
        """Whether an error has been reported at exactly this location, so that further errors there are
        consequences."""
        return any(one.severity == "error" and one.primary is not None and one.primary.span == span
                   for one in self.diagnostics)  # fmt: skip

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    def ordered(self) -> list[Diagnostic]:
        """The diagnostics ordered by location, those without one first."""

        def place(d: Diagnostic) -> tuple[str, int]:
            return (d.primary.span.source.name, d.primary.span.start) if d.primary else ("", -1)

        return sorted(self.diagnostics, key=place)


def respell(span: Span, name: str, known: Iterable[str]) -> tuple[Fix, ...]:
    """Fixes for a misspelt name."""
    return tuple(Fix(span, near, sure) for near, sure in near_names(name, known))


def say_candidates(found: Diagnostic) -> Diagnostic:
    """For files whose fixes are not verified: the most likely candidate becomes a question in the hints."""
    said = tuple(f"did you mean `{fix.text}`?" for fix in found.candidates[:1])
    return replace(found, hints=said + found.hints, candidates=())


def did_you_mean(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The hint for a misspelt name, if a similar one is known."""
    near = nearest(name, known)
    return (f"did you mean `{near}`?",) if near else ()
