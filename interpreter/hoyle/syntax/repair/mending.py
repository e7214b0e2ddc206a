"""Mending a line: the fewest corrections after which it can be read.

In: a line and the tables of near misses. Out: `mend` gives the corrected line and what was corrected; `report_mended`
tells the author.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from hoyle.diagnostics.report import Fix, Report, nearest
from hoyle.source import Span
from hoyle.syntax.repair.patterns import NearMiss
from hoyle.syntax.repair.table import NEAR_MISSES, SILENT
from hoyle.syntax.repair.trial import FIRST_WORDS, Line, Refusal, read

MOST_TRIALS = 150
MOST_CORRECTIONS = 5


@dataclass(frozen=True, slots=True)
class Reading:
    """How the text at hand is read: as what, among which relations, and whether it stands in a `|` block."""

    start: str
    span: Span
    relations: frozenset[str]
    block: bool

    def reads(self, text: str) -> bool:
        return read(self.start, text, self.relations) is None


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction on the way to a line that can be read: what is said of it, and where it stood."""

    code: str
    message: str
    place: tuple[int, int]
    guesses: bool


def mend(reading: Reading, text: str) -> tuple[str, tuple[Correction, ...]] | None:
    """The line nearest to `text` that can be read, with the corrections that lead to it; fewest corrections first."""
    queue: deque[tuple[str, tuple[Correction, ...]]] = deque([(text, ())])
    seen = {text}
    trials = 0
    while queue:
        current, steps = queue.popleft()
        refusal = read(reading.start, current, reading.relations)
        for changed, step in _corrections(reading, current, refusal):
            if changed in seen:
                continue
            seen.add(changed)
            trials += 1
            if reading.reads(changed) and not _is_silent_mistake(reading.start, changed):
                return changed, (*steps, step)
            if trials >= MOST_TRIALS:
                return None
            if len(steps) + 1 < MOST_CORRECTIONS:
                queue.append((changed, (*steps, step)))
    return None


def _is_silent_mistake(start: str, text: str) -> bool:
    return any(start in miss.starts and miss.pattern.search(text) for miss in SILENT)


def _corrections(reading: Reading, text: str, refusal: Refusal | None) -> Iterator[tuple[str, Correction]]:
    for miss in NEAR_MISSES:
        changed = miss.apply(text) if reading.start in miss.starts else None
        if changed is not None:
            yield changed, correct(miss, text)
    if refusal is not None:
        yield from _respellings(reading, text, refusal)


def _respellings(reading: Reading, text: str, refusal: Refusal) -> Iterator[tuple[str, Correction]]:
    """The word at which the text was refused, or its verb, as a word that is spelled almost like it."""
    wrong = text[refusal.start : refusal.end]
    known = {name.lower() for name in refusal.expected if name.isalpha() and name not in ("NAME", "INT", "CITE")}
    known |= reading.relations if "REL" in refusal.expected else frozenset()
    known -= {"compare", "comma", "colon", "lpar", "rpar", "plus", "minus", "star", "rel", "string", "code"}
    near = nearest(wrong, known) if wrong.isidentifier() else None
    if near and len(wrong) > 1:
        message = f"`{wrong}` cannot stand here: did you mean `{near}`?"
        step = Correction("wrong-word", message, (refusal.start, refusal.end), False)
        yield text[: refusal.start] + near + text[refusal.end :], step
    first = re.match(r"(?:.*:\s)?([A-Za-z]\w*)", text) if reading.start == "steps" else None
    verb = nearest(first[1], FIRST_WORDS) if first and first[1] not in FIRST_WORDS else None
    if first and verb and text[first.end() :].startswith(" "):
        message = f"no statement begins with `{first[1]}`: did you mean `{verb}`?"
        step = Correction("wrong-word", message, first.span(1), False)
        yield text[: first.start(1)] + verb + text[first.end(1) :], step


def correct(miss: NearMiss, text: str) -> Correction:
    start, end = miss.place(text)
    found = text[start:end]
    shift = len(found) - len(found.lstrip(" ,")) if found.strip(" ,") else 0
    found = found.strip() if not shift else found.strip(" ,")
    start += shift
    return Correction(miss.code, miss.message.replace("{found}", found), (start, start + len(found)), miss.guesses)


def report_mended(reading: Reading, line: Line, text: str, steps: tuple[Correction, ...], report: Report) -> None:
    first, *others = steps
    source = reading.span.source
    place = Span(source, line.start + first.place[0], line.start + first.place[1])
    right = line.reveal(text)
    needs_block = not reading.block and _breaks_yaml(reading.span, right)
    shown = "`, then `".join(part.strip() for part in right.split("\n"))
    hints = [f"write `{shown}`" + (", in a `|` block" if needs_block else "")]
    hints += [line.reveal(step.message) for step in dict.fromkeys(others) if step.message != first.message]
    fix = None
    if not needs_block and not any(step.guesses for step in steps):
        fix = _narrow_fix(reading, line, right)
    report.error(first.code, line.reveal(first.message), place, hint=hints, fix=fix)


def _breaks_yaml(span: Span, text: str) -> bool:
    """Whether the text could not stand where the span does: a colon in a scalar, a comma inside braces."""
    before = span.source.text[span.source.text.rfind("\n", 0, span.start) + 1 : span.start]
    quoted = before.endswith(('"', "'"))
    in_braces = "{" in before and not quoted
    return (
        "\n" in text
        or (not quoted and bool(re.search(r":\s|\s#", text)))
        or (in_braces and bool(re.search(r"[,\[\]{}]", text)))
        or (quoted and before[-1] in text)
    )


def _narrow_fix(reading: Reading, line: Line, right: str) -> Fix:
    """Replace only what differs, whole words at a time."""
    source = reading.span.source
    old = source.text[line.start : line.start + len(line.core)]
    new = right.replace("\n", "\n" + " " * line.indent)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    while start > 0 and old[start - 1] != " ":
        start -= 1
    while end > 0 and old[len(old) - end] != " ":
        end -= 1
    span = Span(source, line.start + start, line.start + len(old) - end)
    return Fix(span, new[start : len(new) - end])
