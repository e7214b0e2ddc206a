"""Verification of fixes: every fix is tried before it is shown.

In: a report whose diagnostics have candidate fixes, and a function that checks the file with another text. Out: the
same report, in which each diagnostic has the fix or the suggestions that work: with it applied, the line parses and
checks, and no new errors arise there. Some errors are detected only in files without other errors; those that exist
independently of the erroneous parts are not held against a fix.

The diagnostics are processed in parallel, each with its next candidate, so that the number of checks does not grow with
their number. If a candidate corrects one error of a line and uncovers another, a fix for that is combined with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import field, replace
from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.codes_document import DOCUMENT_CODES
from hoyle.base.diagnostics.codes_syntax import SYNTAX_CODES
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Diagnostic, Fix, Label, Report
from hoyle.base.effort import TooMuchWork
from hoyle.base.shipped import find_game
from hoyle.base.source import Source, Span

Recheck = Callable[[str], Report]
Suppose = Callable[[], list[Diagnostic]]

OF_DOCUMENTS = frozenset(code.slug for code in DOCUMENT_CODES)
SYNTAX_SLUGS = frozenset(code.slug for code in SYNTAX_CODES)
# Errors of meaning in well-formed text: a rewording would change the meaning.
NOT_REWORDED = frozenset(
    {"unclear-value", "unclear-and-or", "counts-zones", "leak", "unseen", "not-remembered", "hidden-visibility"}
)
# Errors that are detected only in files without other errors.
OF_WHOLE_FILES = frozenset({"leak", "unseen", "not-remembered", "hidden-visibility", "maybe-unset", "always-empty"})
# Errors that are detected only if the deck is complete.
OF_CARDS = frozenset({"deal-short"})
# Errors that need only parentheses: a fix must not drop words.
NOT_SHORTENED = frozenset({"unclear-and-or"})
# Errors in which all names are known, so that a value was meant, not a text.
VALUES_MEANT = frozenset({"wrong-type", "different-types", "said-of-one", "may-be-none", "whose"})
_NUMBERS = re.compile(r"\d+")
_WORDS = re.compile(r"[\w.]+|[^\w\s()]+")
Known = tuple[str, str, tuple[int, int] | None]
MOST_ROUNDS = 14
MOST_APART = 12
MOST_CASES = 40
MOST_SUGGESTED = 3
DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate; `depth` is the number of fixes it combines."""

    fix: Fix
    depth: int = 1


@dataclass(slots=True)
class Case:
    """A diagnostic to be fixed: the candidates still to be tried, and those that work."""

    found: Diagnostic
    waiting: list[Trial]
    held: list[Trial] = field(default_factory=list)
    seen: set[tuple[int, int, str]] = field(default_factory=set)

    @property
    def is_done(self) -> bool:
        if not self.waiting or len(self.held) >= MOST_SUGGESTED:
            return True
        if not self.held:
            return False
        return self.held[0].fix.sure or self.waiting[0].depth > self.held[0].depth

    def settle(self) -> Diagnostic:
        """The diagnostic with the result. A sure candidate becomes the fix only if no likelier one works."""
        best = [trial.fix for trial in self.held]
        reworded = _say(self.found, best[0])
        if best[0].sure:
            return replace(reworded, candidates=(), fix=best[0])
        shown: dict[str, Fix] = {}
        for fix in best:
            shown.setdefault(_carried_out(fix), replace(fix, sure=False))
        return replace(reworded, candidates=(), suggestions=tuple(shown.values())[:MOST_SUGGESTED])


def _carried_out(fix: Fix) -> str:
    """The file after a fix, by which equivalent fixes are identified."""
    text = fix.span.source.text
    return text[: fix.span.start] + fix.text + text[fix.span.end :]


def try_candidates(report: Report, path: Path | str, recheck: Recheck, suppose: Suppose = list) -> None:
    """Replace the candidates of all diagnostics by the fixes that work. `suppose` gives the errors that exist in the
    file without its erroneous parts."""
    source = _own_source(report, path)
    if source is None:
        report.diagnostics = [replace(diagnostic, candidates=()) for diagnostic in report.diagnostics]
        return
    cases = [Case(diagnostic, []) for diagnostic in report.diagnostics]
    try:
        for case in cases:
            case.waiting = _list_trials(case.found, source, report)
        court = _Court(source, list(report.diagnostics), recheck, suppose, report.unchecked)
        court.try_all([case for case in cases if case.waiting][:MOST_CASES])
    except TooMuchWork:
        pass  # files are untrusted input: one that is slow to check is not checked repeatedly
    settled = [case.settle() if case.held else _leave(case.found) for case in cases]
    report.diagnostics = _prefer_shared(settled)


def _leave(found: Diagnostic) -> Diagnostic:
    """A diagnostic for which no candidate works, with the advice there is. For an unknown key, a similar key is
    suggested all the same: the error may be in the value below it."""
    if found.instead:
        return replace(found, message=found.instead, candidates=(), hints=())
    near = [fix.text for fix in found.candidates if found.primary is not None and fix.span == found.primary.span]
    question = (f"did you mean `{near[0]}`?",) if found.code == "unknown-key" and near else ()
    return replace(found, candidates=(), hints=(*question, *found.hints))


def _prefer_shared(settled: list[Diagnostic]) -> list[Diagnostic]:
    """Where one fix resolves several diagnostics, their other suggestions are dropped: these would resolve only one
    each."""
    offered = [[*each.suggestions, *([each.fix] if each.fix is not None else [])] for each in settled]
    mends = Counter(_carried_out(fix) for fixes in offered for fix in fixes)
    shared = [tuple(fix for fix in each.suggestions if mends[_carried_out(fix)] > 1) for each in settled]
    return [replace(each, suggestions=best) if best else each for each, best in zip(settled, shared, strict=True)]


def _own_source(report: Report, path: Path | str) -> Source | None:
    """The source of the file itself; others cannot be fixed from here."""
    name = shown_path(find_game(path) or Path(path))
    spans = [diagnostic.primary.span for diagnostic in report.diagnostics if diagnostic.primary is not None]
    return next((span.source for span in spans if span.source.name == name and not span.source.renames), None)


def _list_trials(found: Diagnostic, source: Source, report: Report) -> list[Trial]:
    own = [Trial(fix) for fix in _candidates(found, report) if fix.span.source.text == source.text]
    return list(dict.fromkeys(own))


def _say(found: Diagnostic, fix: Fix) -> Diagnostic:
    """The diagnostic reworded by its fix: for a line that does not parse, only the fix tells what was wrong."""
    if fix.says is None or found.code not in SYNTAX_SLUGS or found.primary is None:
        return found
    hints = tuple(hint for hint in fix.says.more if hint != fix.says.message)
    return replace(found, code=fix.says.code, message=fix.says.message, primary=Label(fix.says.span), hints=hints)


def _candidates(found: Diagnostic, report: Report) -> list[Fix]:
    """The candidates proposed by the pass, then rewordings of the line."""
    more: list[Fix] = []
    asked = found.severity == "error" and found.code not in NOT_REWORDED
    if found.primary is not None and asked and report.reword is not None:
        more = report.reword(found.primary.span) if found.code not in SYNTAX_SLUGS or not found.candidates else []
    if found.code in VALUES_MEANT:
        more = [fix for fix in more if fix.text.count('"') <= fix.span.text.count('"')]
    return [fix for fix in (*found.candidates, *more) if fix.span.text != fix.text]


@dataclass(slots=True)
class _Court:
    """Verifies candidates on one text."""

    source: Source
    before: list[Diagnostic]
    recheck: Recheck
    suppose: Suppose
    unchecked: list[Span]
    apart: int = 0
    latent: set[Known] | None = None

    def try_all(self, cases: list[Case]) -> None:
        for _ in range(MOST_ROUNDS):
            batch = self._take(cases)
            if not batch:
                break
            self._judge(batch)

    def _take(self, cases: list[Case]) -> dict[int, tuple[Case, Trial]]:
        """The next candidate of each case, except those on lines that are taken already."""
        batch: dict[int, tuple[Case, Trial]] = {}
        taken: list[tuple[int, int]] = []
        for number, case in enumerate(cases):
            if case.is_done:
                continue
            trial = case.waiting[0]
            start, end = _lines(self.source, trial.fix.span.start, trial.fix.span.end)
            if any(start < last and first < end for first, last in taken):
                continue
            case.waiting.pop(0)
            taken.append((start, end))
            batch[number] = (case, trial)
        return batch

    def _judge(self, batch: dict[int, tuple[Case, Trial]]) -> None:
        edits = sorted((trial.fix for _, trial in batch.values()), key=lambda fix: fix.span.start)
        text, shifts = _apply(self.source.text, edits)
        after = self.recheck(text)
        if any(diagnostic.code == "too-much-to-check" for diagnostic in after.diagnostics):
            raise TooMuchWork  # neither this candidate nor later ones can be verified
        new = [each for each in self._new_findings(after.diagnostics, shifts) if not self._is_latent(*each, shifts)]
        places = {number: _place_of(trial.fix, text, shifts) for number, (_, trial) in batch.items()}
        elsewhere = [
            diagnostic
            for diagnostic, at in new
            if diagnostic.severity == "error"
            and diagnostic.code not in OF_CARDS
            and not any(_touches(at, place) for place in places.values())
            and not self._was_hidden(diagnostic, at, shifts)
        ]
        if elsewhere and len(batch) > 1 and self.apart < MOST_APART:
            for part in _divide(batch, places, [self._place(diagnostic) for diagnostic in elsewhere]):
                self.apart += 1
                self._judge(part)
            return
        for number, (case, trial) in batch.items():
            here = [diagnostic for diagnostic, at in new if _touches(at, places[number]) and _matters(diagnostic)]
            here += self._unchanged(case.found, trial.fix, after.diagnostics, places[number], shifts)
            if not here:
                doubtful = any(_touches(self._within(span), places[number]) for span in after.unchecked)
                held = replace(trial, fix=replace(trial.fix, sure=trial.fix.sure and not doubtful))
                case.held += [held] if not elsewhere and not (doubtful and case.held) else []
            else:
                self._go_on(case, trial, here, after, shifts)

    def _new_findings(self, after: list[Diagnostic], shifts: Shifts) -> list[tuple[Diagnostic, tuple[int, int] | None]]:
        """The diagnostics that were not reported before, with their location in the new text."""
        known = {self._key(diagnostic) for diagnostic in self.before}
        new: list[tuple[Diagnostic, tuple[int, int] | None]] = []
        for diagnostic in after:
            at = self._place(diagnostic)
            old = shifts.back(at) if at is not None else None
            if (at is not None and old is None) or (diagnostic.code, diagnostic.message, old) not in known:
                new.append((diagnostic, at))
        return new

    def _is_latent(self, found: Diagnostic, at: tuple[int, int] | None, shifts: Shifts) -> bool:
        """Whether an error also exists in the file without its erroneous parts."""
        old = shifts.back(at) if at is not None else None
        if found.code not in OF_WHOLE_FILES or (at is not None and old is None):
            return False
        if self.latent is None:
            self.latent = {self._key(diagnostic) for diagnostic in self.suppose()}
        return (found.code, found.message, old) in self.latent

    def _was_hidden(self, found: Diagnostic, at: tuple[int, int] | None, shifts: Shifts) -> bool:
        """Whether what is found stands where nothing could be said before: it need not be the doing of a mending."""
        old = shifts.back(at) if at is not None else None
        if old is None or found.code in OF_DOCUMENTS:
            return False
        return any(_touches(old, self._within(span) or (-1, -1)) for span in self.unchecked)

    def _key(self, found: Diagnostic) -> Known:
        return found.code, found.message, self._place(found)

    def _unchanged(
        self, found: Diagnostic, fix: Fix, after: list[Diagnostic], place: tuple[int, int], shifts: Shifts
    ) -> list[Diagnostic]:
        """The diagnostic itself, if it persists after the fix, as often as before."""
        lines = _lines(self.source, fix.span.start, fix.span.end)
        alike = [other for other in after if (other.code, other.message) == (found.code, found.message)]
        own = self._place(found)
        for other in alike:
            at = self._place(other)
            if not _touches(own, lines) and at is not None and shifts.back(at) == own:
                return [other]
        known = [other for other in self.before if (other.code, other.message) == (found.code, found.message)]
        before = [other for other in known if _touches(self._place(other), lines)]
        still = [other for other in alike if _touches(self._place(other), place)]
        return still if still and len(still) >= len(before) else []

    def _place(self, found: Diagnostic) -> tuple[int, int] | None:
        return self._within(found.primary.span) if found.primary else None

    def _within(self, span: Span) -> tuple[int, int] | None:
        return (span.start, span.end) if span.source.name == self.source.name else None

    def _go_on(self, case: Case, trial: Trial, here: list[Diagnostic], after: Report, shifts: Shifts) -> None:
        """A candidate leaves an error at its place: queue combinations with fixes of that error."""
        if trial.depth >= DEEPEST:
            return
        fixes = [fix for each in here for fix in _candidates(each, after) if fix.span.source.name == self.source.name]
        joined = [_join(self.source, trial.fix, fix, shifts) for fix in fixes[:3]]
        for fix in [fix for fix in joined if fix is not None]:
            if not _keeps_numbers(fix) or (case.found.code in NOT_SHORTENED and not _keeps_words(fix)):
                continue
            mark = (fix.span.start, fix.span.end, fix.text)
            if mark not in case.seen:
                case.seen.add(mark)
                case.waiting.append(Trial(fix, trial.depth + 1))


def _divide(
    batch: dict[int, tuple[Case, Trial]], places: dict[int, tuple[int, int]], wrong: list[tuple[int, int] | None]
) -> list[dict[int, tuple[Case, Trial]]]:
    """Split a batch after new errors elsewhere: the candidates next above these, which probably caused them, and the
    others."""
    near = set()
    for at in wrong:
        above = [number for number, (start, _) in places.items() if at is not None and start <= at[0]]
        near |= {max(above, key=lambda number: places[number])} if above else set()
    if not near or len(near) == len(batch):
        near = set(list(batch)[: len(batch) // 2])
    return [{number: case for number, case in batch.items() if (number in near) == wanted} for wanted in (True, False)]


def _keeps_numbers(fix: Fix) -> bool:
    """Whether a fix put together from several preserves all numbers."""
    return set(_NUMBERS.findall(fix.span.text)) <= set(_NUMBERS.findall(fix.text))


def _keeps_words(fix: Fix) -> bool:
    """Whether a fix preserves all words and signs except parentheses."""
    return not Counter(_WORDS.findall(fix.span.text)) - Counter(_WORDS.findall(fix.text))


def _matters(found: Diagnostic) -> bool:
    """Whether a diagnostic at the place of a candidate counts against it: declarations may well be unused so far, and
    what an end skips is up to the author."""
    return found.code == "never-none" or not found.code.startswith(("never-", "cut-short"))


# ------------------------------------------------------------------------------------------------ edits and offsets
@dataclass(frozen=True, slots=True)
class Shifts:
    """The displacement of offsets by edits: for each its old start and end, and its new start and end."""

    moved: tuple[tuple[int, int, int, int], ...]

    def back(self, place: tuple[int, int]) -> tuple[int, int] | None:
        """The old range for a new one; None if it lies in an edit."""
        start, end = self._back_one(place[0]), self._back_one(place[1])
        return None if start is None or end is None else (start, end)

    def _back_one(self, at: int) -> int | None:
        shift = 0
        for _, old_end, new_start, new_end in self.moved:
            if new_start < at < new_end:
                return None
            if at >= new_end:
                shift = old_end - new_end
        return at + shift

    def without_others(self, at: int, mine: Fix) -> int:
        """An offset in the new text as it would be with only one of the edits."""
        shift = 0
        for old_start, old_end, new_start, new_end in self.moved:
            if old_start != mine.span.start and new_start < at:
                shift += (old_end - old_start) - (new_end - new_start)
        return at + shift


def _apply(text: str, edits: list[Fix]) -> tuple[str, Shifts]:
    """The text with non-overlapping edits applied, in order."""
    parts: list[str] = []
    moved: list[tuple[int, int, int, int]] = []
    at = length = 0
    for fix in edits:
        parts += [text[at : fix.span.start], fix.text]
        start = length + fix.span.start - at
        moved.append((fix.span.start, fix.span.end, start, start + len(fix.text)))
        length, at = start + len(fix.text), fix.span.end
    return "".join([*parts, text[at:]]), Shifts(tuple(moved))


def _place_of(fix: Fix, text: str, shifts: Shifts) -> tuple[int, int]:
    """The lines of the new text that contain an edit."""
    _, _, start, end = next(move for move in shifts.moved if move[0] == fix.span.start and move[1] == fix.span.end)
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return first, len(text) if last < 0 else last


def _lines(source: Source, start: int, end: int) -> tuple[int, int]:
    first = source.text.rfind("\n", 0, start) + 1
    last = source.text.find("\n", end)
    return first, len(source.text) if last < 0 else last


def _touches(at: tuple[int, int] | None, place: tuple[int, int]) -> bool:
    return at is not None and at[0] <= place[1] and place[0] <= at[1]


def _join(source: Source, first: Fix, second: Fix, shifts: Shifts) -> Fix | None:
    """Two edits, the second made in a text where the first and others had been applied, as one edit of the old text."""
    start = shifts.without_others(second.span.start, first)
    end = shifts.without_others(second.span.end, first)
    whole = source.text[: first.span.start] + first.text + source.text[first.span.end :]
    if whole[start:end] != second.span.text:
        return None
    old = source.text
    left = min(first.span.start, start)  # the texts are equal before and after both edits
    right = min(len(old) - first.span.end, len(whole) - end)
    whole = whole[:start] + second.text + whole[end:]
    while left < min(len(old), len(whole)) and old[left] == whole[left]:
        left += 1
    right = min(right, len(old) - left, len(whole) - left)
    while right < min(len(old), len(whole)) - left and old[-1 - right] == whole[-1 - right]:
        right += 1
    while left > 0 and old[left - 1] not in " \n":
        left -= 1
    while right > 0 and old[len(old) - right] not in " \n":
        right -= 1
    sure = first.sure and second.sure
    return Fix(Span(source, left, len(old) - right), whole[left : len(whole) - right], sure, first.says)


def carry_out(text: str, fixes: list[Fix]) -> tuple[str, list[Fix]]:
    """The text with a non-overlapping subset of the fixes applied, and that subset."""
    done: list[Fix] = []
    for fix in sorted(fixes, key=lambda fix: (fix.span.start, fix.span.end)):
        if not done or fix.span.start >= done[-1].span.end:
            done.append(fix)
    return _apply(text, done)[0], done
