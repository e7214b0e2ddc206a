"""Every fix is tried before it is shown.

In: a report whose findings have candidates for their mending, and a way to check the file with another text. Out: the
same report, in which each finding has the fix or the suggestions that hold: put in place, the line can be read and
checked, and nothing new is wrong there. What does not hold is not shown. Some things are looked for only in a file that
is whole; of those, what is wrong with the file though the failing parts are left out is not the doing of a mending.

All findings are tried at once, each with its next candidate, so that the number of checks does not grow with the number
of findings. Where a candidate mends one fault of a line and another is found there, the mending of that is added to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import field, replace
from pathlib import Path

from hoyle.dataclass import dataclass
from hoyle.diagnostics.codes_syntax import SYNTAX_CODES
from hoyle.diagnostics.report import Diagnostic, Fix, Label, Report
from hoyle.document.reading import shown_path
from hoyle.effort import TooMuchWork
from hoyle.shipped import find_game
from hoyle.source import Source, Span

Recheck = Callable[[str], Report]
Suppose = Callable[[], list[Diagnostic]]

SYNTAX_SLUGS = frozenset(code.slug for code in SYNTAX_CODES)
# Where the words are right and only what they stand for must be said, other words would say something else.
NOT_REWORDED = frozenset(
    {"unclear-value", "unclear-and-or", "counts-zones", "leak", "unseen", "not-remembered", "hidden-visibility"}
)
# What is looked for only where nothing else is wrong.
OF_WHOLE_FILES = frozenset({"leak", "unseen", "not-remembered", "hidden-visibility", "maybe-unset"})
# What is only seen where all cards are known.
OF_CARDS = frozenset({"deal-short"})
# Where only parentheses are asked for, a line without some of its words says something else.
NOT_SHORTENED = frozenset({"unclear-and-or"})
# Where all names are known a value was meant, and no text.
VALUES_MEANT = frozenset({"wrong-type", "may-be-none", "whose"})
_WORDS = re.compile(r"[\w.]+|[^\w\s()]+")
Known = tuple[str, str, tuple[int, int] | None]
MOST_ROUNDS = 14
MOST_APART = 12
MOST_CASES = 40
MOST_SUGGESTED = 3
DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate; `depth` is how many mendings it is made of."""

    fix: Fix
    depth: int = 1


@dataclass(slots=True)
class Case:
    """A finding that is to be mended: what is still to be tried, and what has held."""

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
        """The finding with what may be shown of its mending. What is sure is a fix only if nothing likelier holds."""
        best = [trial.fix for trial in self.held]
        said = _say(self.found, best[0])
        if best[0].sure:
            return replace(said, candidates=(), fix=best[0])
        shown: dict[str, Fix] = {}
        for fix in best:
            shown.setdefault(_carried_out(fix), replace(fix, sure=False))
        return replace(said, candidates=(), suggestions=tuple(shown.values())[:MOST_SUGGESTED])


def _carried_out(fix: Fix) -> str:
    """The file after a fix: two fixes that come to the same are one."""
    text = fix.span.source.text
    return text[: fix.span.start] + fix.text + text[fix.span.end :]


def try_candidates(report: Report, path: Path | str, recheck: Recheck, suppose: Suppose = list) -> None:
    """Replace the candidates of all findings by what holds of them. `suppose` tells what is wrong in the file without
    its failing parts, that is not told of it yet."""
    source = _own_source(report, path)
    if source is None:
        report.diagnostics = [replace(found, candidates=()) for found in report.diagnostics]
        return
    cases = [Case(found, []) for found in report.diagnostics]
    try:
        for case in cases:
            case.waiting = _list_trials(case.found, source, report)
        court = _Court(source, list(report.diagnostics), recheck, suppose)
        court.try_all([case for case in cases if case.waiting][:MOST_CASES])
    except TooMuchWork:
        pass  # files come from strangers: what takes long to check is not checked again and again
    settled = [case.settle() if case.held else _leave(case.found) for case in cases]
    report.diagnostics = _prefer_shared(settled)


def _leave(found: Diagnostic) -> Diagnostic:
    """A finding for which nothing holds. Of a key the name that is near is told all the same: what stands under it may
    be what is wrong besides."""
    near = [fix.text for fix in found.candidates if found.primary is not None and fix.span == found.primary.span]
    told = (f"did you mean `{near[0]}`?",) if found.code == "unknown-key" and near else ()
    return replace(found, candidates=(), hints=(*told, *found.hints))


def _prefer_shared(settled: list[Diagnostic]) -> list[Diagnostic]:
    """Where one line mends several findings, nothing else is shown for them: their other lines each leave the rest."""
    mends = Counter(_carried_out(fix) for found in settled for fix in found.suggestions)
    shared = [tuple(fix for fix in found.suggestions if mends[_carried_out(fix)] > 1) for found in settled]
    return [replace(found, suggestions=best) if best else found for found, best in zip(settled, shared, strict=True)]


def _own_source(report: Report, path: Path | str) -> Source | None:
    """The file itself, among all that was read: the others cannot be mended from here."""
    name = shown_path(find_game(path) or Path(path))
    spans = [found.primary.span for found in report.diagnostics if found.primary is not None]
    return next((span.source for span in spans if span.source.name == name and not span.source.renames), None)


def _list_trials(found: Diagnostic, source: Source, report: Report) -> list[Trial]:
    own = [Trial(fix) for fix in _candidates(found, report) if fix.span.source.text == source.text]
    return list(dict.fromkeys(own))


def _say(found: Diagnostic, fix: Fix) -> Diagnostic:
    """The finding in the words of what mends it: of a line that cannot be read, only that tells what was wrong."""
    if fix.says is None or found.code not in SYNTAX_SLUGS or found.primary is None:
        return found
    hints = tuple(hint for hint in fix.says.more if hint != fix.says.message)
    return replace(found, code=fix.says.code, message=fix.says.message, primary=Label(fix.says.span), hints=hints)


def _candidates(found: Diagnostic, report: Report) -> list[Fix]:
    """What a pass proposes, then the line in other words."""
    more: list[Fix] = []
    asked = found.severity == "error" and found.code not in NOT_REWORDED
    if found.primary is not None and asked and report.reword is not None:
        more = report.reword(found.primary.span) if found.code not in SYNTAX_SLUGS or not found.candidates else []
    if found.code in VALUES_MEANT:
        more = [fix for fix in more if fix.says is None or fix.says.code != "missing-quotes"]
    return [fix for fix in (*found.candidates, *more) if fix.span.text != fix.text]


@dataclass(slots=True)
class _Court:
    """Tries candidates on one text."""

    source: Source
    before: list[Diagnostic]
    recheck: Recheck
    suppose: Suppose
    apart: int = 0
    latent: set[Known] | None = None

    def try_all(self, cases: list[Case]) -> None:
        for _ in range(MOST_ROUNDS):
            batch = self._take(cases)
            if not batch:
                break
            self._judge(batch)

    def _take(self, cases: list[Case]) -> dict[int, tuple[Case, Trial]]:
        """The next candidate of each case, as far as they do not touch one another."""
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
        if any(found.code == "too-much-to-check" for found in after.diagnostics):
            raise TooMuchWork  # nothing can be said of this candidate, nor of those after it
        new = [each for each in self._new_findings(after.diagnostics, shifts) if not self._is_latent(*each, shifts)]
        places = {number: _place_of(trial.fix, text, shifts) for number, (_, trial) in batch.items()}
        elsewhere = [
            found
            for found, at in new
            if found.severity == "error"
            and found.code not in OF_CARDS
            and not any(_touches(at, place) for place in places.values())
        ]
        if elsewhere and len(batch) > 1 and self.apart < MOST_APART:
            for part in _divide(batch, places, [self._place(found) for found in elsewhere]):
                self.apart += 1
                self._judge(part)
            return
        for number, (case, trial) in batch.items():
            here = [found for found, at in new if _touches(at, places[number]) and _matters(found)]
            here += self._unchanged(case.found, trial.fix, after.diagnostics, places[number], shifts)
            if not here:
                case.held += [trial] if not elsewhere else []
            else:
                self._go_on(case, trial, here, after, shifts)

    def _new_findings(self, after: list[Diagnostic], shifts: Shifts) -> list[tuple[Diagnostic, tuple[int, int] | None]]:
        """What is found now and was not found before, with its place in the new text."""
        known = {self._key(one) for one in self.before}
        found: list[tuple[Diagnostic, tuple[int, int] | None]] = []
        for one in after:
            at = self._place(one)
            old = shifts.back(at) if at is not None else None
            if (at is not None and old is None) or (one.code, one.message, old) not in known:
                found.append((one, at))
        return found

    def _is_latent(self, found: Diagnostic, at: tuple[int, int] | None, shifts: Shifts) -> bool:
        """Whether something is wrong in the file without its failing parts, too."""
        old = shifts.back(at) if at is not None else None
        if found.code not in OF_WHOLE_FILES or (at is not None and old is None):
            return False
        if self.latent is None:
            self.latent = {self._key(one) for one in self.suppose()}
        return (found.code, found.message, old) in self.latent

    def _key(self, found: Diagnostic) -> Known:
        return found.code, found.message, self._place(found)

    def _unchanged(
        self, found: Diagnostic, fix: Fix, after: list[Diagnostic], place: tuple[int, int], shifts: Shifts
    ) -> list[Diagnostic]:
        """The finding itself, if it is still there after the fix, as often as before."""
        lines = _lines(self.source, fix.span.start, fix.span.end)
        alike = [one for one in after if (one.code, one.message) == (found.code, found.message)]
        own = self._place(found)
        for one in alike:
            at = self._place(one)
            if not _touches(own, lines) and at is not None and shifts.back(at) == own:
                return [one]
        known = [one for one in self.before if (one.code, one.message) == (found.code, found.message)]
        before = [one for one in known if _touches(self._place(one), lines)]
        still = [one for one in alike if _touches(self._place(one), place)]
        return still if still and len(still) >= len(before) else []

    def _place(self, found: Diagnostic) -> tuple[int, int] | None:
        span = found.primary.span if found.primary else None
        if span is None or span.source.name != self.source.name:
            return None
        return span.start, span.end

    def _go_on(self, case: Case, trial: Trial, here: list[Diagnostic], after: Report, shifts: Shifts) -> None:
        """The candidate leaves something wrong at its place; with the mending of that it may hold."""
        if trial.depth >= DEEPEST:
            return
        fixes = [fix for found in here for fix in _candidates(found, after) if fix.span.source.name == self.source.name]
        joined = [_join(self.source, trial.fix, fix, shifts) for fix in fixes[:3]]
        for fix in [fix for fix in joined if fix is not None]:
            if case.found.code in NOT_SHORTENED and not _keeps_words(fix):
                continue
            mark = (fix.span.start, fix.span.end, fix.text)
            if mark not in case.seen:
                case.seen.add(mark)
                case.waiting.append(Trial(fix, trial.depth + 1))


def _divide(
    batch: dict[int, tuple[Case, Trial]], places: dict[int, tuple[int, int]], wrong: list[tuple[int, int] | None]
) -> list[dict[int, tuple[Case, Trial]]]:
    """Candidates in two parts, where something is wrong elsewhere with all of them: those that stand next above it,
    which are likelier to have brought that about, and the others."""
    near = set()
    for at in wrong:
        above = [number for number, (start, _) in places.items() if at is not None and start <= at[0]]
        near |= {max(above, key=lambda number: places[number])} if above else set()
    if not near or len(near) == len(batch):
        near = set(list(batch)[: len(batch) // 2])
    return [{number: one for number, one in batch.items() if (number in near) == wanted} for wanted in (True, False)]


def _keeps_words(fix: Fix) -> bool:
    """Whether all words and signs that a fix takes away are in what it puts there, parentheses left out."""
    return not Counter(_WORDS.findall(fix.span.text)) - Counter(_WORDS.findall(fix.text))


def _matters(found: Diagnostic) -> bool:
    """Whether a finding at the place of a candidate speaks against it: what is unused may well be, so far,
    and what an end leaves out is the author's to say."""
    return found.code == "never-none" or not found.code.startswith(("never-", "cut-short"))


# ------------------------------------------------------------------------------------------------ texts and places
@dataclass(frozen=True, slots=True)
class Shifts:
    """How places in a text have moved by edits: of each its old start and end, and its new start and end."""

    moved: tuple[tuple[int, int, int, int], ...]

    def back(self, place: tuple[int, int]) -> tuple[int, int] | None:
        """The old place of a new one; None if it lies in what was edited."""
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
        """A place in the new text as it would be if only one of the edits had been made."""
        shift = 0
        for old_start, old_end, new_start, new_end in self.moved:
            if old_start != mine.span.start and new_start < at:
                shift += (old_end - old_start) - (new_end - new_start)
        return at + shift


def _apply(text: str, edits: list[Fix]) -> tuple[str, Shifts]:
    """The text with edits carried out that do not touch one another, in order."""
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
    """The lines of the new text in which an edit stands."""
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
    """Two edits, the second made in a text in which the first and others had been made, as one edit of the old text."""
    start = shifts.without_others(second.span.start, first)
    end = shifts.without_others(second.span.end, first)
    whole = source.text[: first.span.start] + first.text + source.text[first.span.end :]
    if whole[start:end] != second.span.text:
        return None
    old = source.text
    left = min(first.span.start, start)  # before both and after both nothing differs
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
    """The text with as many of the fixes as do not touch one another, and those."""
    done: list[Fix] = []
    for fix in sorted(fixes, key=lambda fix: (fix.span.start, fix.span.end)):
        if not done or fix.span.start >= done[-1].span.end:
            done.append(fix)
    return _apply(text, done)[0], done
