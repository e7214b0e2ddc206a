"""Correction of a line: breadth-first search for the fewest rewrites after which it parses.

In: a line and the tables of near misses. Out: `mend` gives the nearest parsable lines with their corrections;
`place_fix` turns such a line into a fix of the file.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import field, replace
from functools import cache

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Fix, Reason
from hoyle.base.diagnostics.spelling import is_near, nearest
from hoyle.base.effort import spend_once
from hoyle.base.source import Span
from hoyle.language.syntax.repair.meaning import keeps_meaning
from hoyle.language.syntax.repair.rows import NEAR_MISSES, SILENT, NearMiss, read_rows
from hoyle.language.syntax.repair.trial_parsing import (
    FIRST_WORDS,
    Line,
    Refusal,
    count_trial,
    find_refusal,
    is_readable,
    read,
)
from hoyle.language.syntax.vocabulary import EMPTY, Vocabulary

MOST_TRIALS = 500
MOST_CORRECTIONS = 5
MOST_MENDED = 12
SIGNS_IN_STEP = 200  # pairs of characters
LITTLE = ("article", "filler", "spelled-number")  # codes of what may be left out or is put in figures
MOST_KEPT = 1_000  # entries of the cache


@dataclass(frozen=True, slots=True)
class Reading:
    """How a text is parsed: its start symbol, the names of the game, and whether it is in a `|` block."""

    start: str
    span: Span
    relations: frozenset[str]
    block: bool
    vocabulary: Vocabulary = field(default=EMPTY)

    def reads(self, text: str) -> bool:
        return read(self.start, text, self.relations) is None


@dataclass(frozen=True, slots=True)
class Correction:
    """One rewrite: its message, and the place of the mistake."""

    code: str
    message: str
    place: tuple[int, int]
    guesses: bool
    trusted: bool = False
    drops: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Mended:
    """A parsable line, and the corrections that lead to it."""

    text: str
    steps: tuple[Correction, ...]

    @property
    def sure(self) -> bool:
        return not any(step.guesses for step in self.steps)

    @property
    def depth(self) -> int:
        """The number of corrections; those of little words count as one."""
        return len({number if step.code not in LITTLE else -1 for number, step in enumerate(self.steps)})


_kept: OrderedDict[tuple[object, ...], tuple[list[Mended], int]] = OrderedDict()


def mend(reading: Reading, text: str, *, most: int = MOST_CORRECTIONS) -> list[Mended]:
    """The parsable lines nearest to `text` that preserve its meaning, fewest corrections first. A line that parses as
    it is gets corrected all the same: it was refused for another reason.

    Results are cached, since a line is parsed again whenever a fix elsewhere is verified. The effort is charged once
    per checked file, whether cached or not, so that the outcome does not depend on the state of the cache."""
    key = (reading.start, reading.relations, reading.vocabulary.signature, text, most)
    if key not in _kept:
        trials = _Trials(reading)
        _kept[key] = (_mend(trials, text, most), trials.steps)
        if len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    ways, steps = _kept[key]
    spend_once(key, steps)
    return list(ways)


@dataclass(slots=True)
class _Trials:
    """Trial parses, and the steps they took."""

    reading: Reading
    steps: int = 0

    def find_refusal(self, text: str) -> Refusal | None:
        self.steps += count_trial(text)
        return find_refusal(self.reading.start, text, self.reading.relations)

    def is_readable(self, text: str) -> bool:
        self.steps += count_trial(text)
        return is_readable(self.reading.start, text, self.reading.relations)


def _mend(trying: _Trials, text: str, most: int) -> list[Mended]:
    reading = trying.reading
    queue: deque[Mended] = deque([Mended(text, ())])
    seen = {text}
    ways: list[Mended] = []
    trials = 0
    plain = _leave_out_little(reading, text)
    while queue and len(ways) < MOST_MENDED:
        current = queue.popleft()
        trying.steps += len(current.text) ** 2 // SIGNS_IN_STEP  # the patterns take about as long
        refusal = trying.find_refusal(current.text)
        for changed, step in _corrections(reading, current.text, refusal):
            if changed in seen:
                continue
            seen.add(changed)
            trials += 1
            after = Mended(changed, (*current.steps, step))
            if _can_stand(trying, text, after):
                ways.append(after)
            elif after.depth < most:
                queue.append(after)
            if trials >= MOST_TRIALS or len(ways) >= MOST_MENDED:
                return ways
        if plain.text not in seen:
            seen.add(plain.text)
            if _can_stand(trying, text, plain):
                ways.append(plain)
            queue.appendleft(plain)
        if ways and queue and queue[0].depth > ways[0].depth + 1:
            break  # a line that needs many more corrections than another is unlikely
    return ways


def _leave_out_little(reading: Reading, text: str) -> Mended:
    """The line after all corrections of little words at once, which count as one."""
    plain = Mended(text, ())
    for miss in _find_misses(reading.start, text):
        if miss.code in LITTLE:
            for changed in miss.apply(plain.text, reading.vocabulary)[:1]:
                plain = Mended(changed, (*plain.steps, correct(miss, text, reading.vocabulary)))
    return plain


def _can_stand(trying: _Trials, old: str, new: Mended) -> bool:
    reading = trying.reading
    trusted = any(step.trusted for step in new.steps)
    names = reading.vocabulary.names.difference(*(step.drops for step in new.steps))
    return (
        keeps_meaning(old, new.text, frozenset() if trusted else names, denials=not trusted)
        and not _MOVES_NOWHERE.search(new.text)
        and trying.is_readable(new.text)
        and not _is_silent_mistake(reading, new.text)
    )


_MOVES_NOWHERE = re.compile(r"\bmove (?:top (?:\w+ )?of )?(.+) to \1$")  # `discard discard_pile` does not mean that


def _is_silent_mistake(reading: Reading, text: str) -> bool:
    return any(reading.start in miss.starts and miss.apply(text, reading.vocabulary) for miss in read_rows(SILENT))


def _corrections(reading: Reading, text: str, refusal: Refusal | None) -> Iterator[tuple[str, Correction]]:
    for miss in _find_misses(reading.start, text):
        for changed in miss.apply(text, reading.vocabulary):
            yield changed, correct(miss, text, reading.vocabulary)
    if refusal is not None:
        yield from _respellings(reading, text, refusal)


def prepare() -> None:
    """Compile all patterns in advance, for a server: otherwise this happens on the first error."""
    for miss in read_rows(NEAR_MISSES + SILENT):
        assert miss.pattern  # compiled by the access
        for start in miss.starts:
            _list_misses(start)


@cache
def _list_misses(start: str) -> tuple[tuple[str, ...], tuple[tuple[NearMiss, frozenset[str]], ...]]:
    """The near misses for a start symbol, each with the literals of which a match needs one; and all these literals."""
    misses = tuple((miss, miss.compiled.needed) for miss in read_rows(NEAR_MISSES) if start in miss.starts)
    return tuple(sorted(frozenset().union(*(needed for _, needed in misses)))), misses


def _find_misses(start: str, text: str) -> Iterator[NearMiss]:
    """The near misses that match a text."""
    words, misses = _list_misses(start)
    there = {word for word in words if word in text}
    for miss, needed in misses:
        if (not needed or not needed.isdisjoint(there)) and miss.pattern.search(text):
            yield miss


def _respellings(reading: Reading, text: str, refusal: Refusal) -> Iterator[tuple[str, Correction]]:
    """Corrections of spelling: of the word at which the text was refused, or of its verb."""
    wrong = text[refusal.start : refusal.end]
    known = {name.lower() for name in refusal.expected if name.isalpha() and name not in ("NAME", "INT", "CITE")}
    known |= reading.relations if "REL" in refusal.expected else frozenset()
    known -= {"compare", "comma", "colon", "lpar", "rpar", "plus", "minus", "star", "rel", "string", "code", "lost"}
    near = nearest(wrong, known) if wrong.isidentifier() else None
    if near and len(wrong) > 1 and is_near(wrong, near):
        message = f"`{wrong}` cannot stand here: did you mean `{near}`?"
        step = Correction("wrong-word", message, (refusal.start, refusal.end), False)
        yield text[: refusal.start] + near + text[refusal.end :], step
    first = re.match(r"(?:.*:\s)?([A-Za-z]\w*)", text) if reading.start == "steps" else None
    verb = nearest(first[1], FIRST_WORDS) if first and first[1] not in FIRST_WORDS else None
    if first and verb and is_near(first[1], verb) and text[first.end() :].startswith(" "):
        message = f"no statement begins with `{first[1]}`: did you mean `{verb}`?"
        step = Correction("wrong-word", message, first.span(1), False)
        yield text[: first.start(1)] + verb + text[first.end(1) :], step


def correct(miss: NearMiss, text: str, vocabulary: Vocabulary) -> Correction:
    start, end = miss.place(text, vocabulary)
    wrong = text[start:end]
    shift = len(wrong) - len(wrong.lstrip(" ,")) if wrong.strip(" ,") else 0
    wrong = wrong.strip() if not shift else wrong.strip(" ,")
    start += shift
    message = miss.message.replace("{found}", wrong)
    return Correction(miss.code, message, (start, start + len(wrong)), miss.guesses, miss.trusted, miss.drops(text))


# ------------------------------------------------------------------------------------------------ fixes
def place_all(reading: Reading, line: Line, mended: list[Mended]) -> list[Fix]:
    """Fixes for a line, one for each correction."""
    fixes = []
    for way in mended:
        fix = place_fix(reading, line, line.reveal(way.text), sure=way.sure)
        if fix is not None:
            fixes.append(replace(fix, says=give_reason(reading, line, way)))
    return fixes


def give_reason(reading: Reading, line: Line, mended: Mended) -> Reason:
    """The errors of a line: the first correction as the main message, the others as hints."""
    first, *others = mended.steps
    place = Span(reading.span.source, line.start + first.place[0], line.start + first.place[1])
    more = dict.fromkeys(line.reveal(step.message) for step in others if step.message != first.message)
    return Reason(first.code, line.reveal(first.message), place, tuple(more))


def place_fix(reading: Reading, line: Line, right: str, *, sure: bool) -> Fix | None:
    """The fix that replaces a line; quoted, or turned into a block, where YAML would misinterpret it."""
    if reading.block or not _breaks_yaml(reading.span, right):
        return narrow_fix(line, reading.span, right, sure=sure)
    span, source = reading.span, reading.span.source
    margin = source.text.rfind("\n", 0, span.start) + 1
    before = source.text[margin : span.start]
    sign = "'" if '"' in right else '"'
    if "\n" not in right and sign not in right and not before.endswith(('"', "'")):
        return Fix(span, f"{sign}{right}{sign}", sure)
    if reading.start == "steps" and "{" not in before and re.search(r":\s*\Z", before):
        deep = " " * (len(before) - len(before.lstrip()) + 2)
        return Fix(span, "|\n" + "\n".join(deep + part for part in right.split("\n")), sure)
    return None


def _breaks_yaml(span: Span, text: str) -> bool:
    """Whether the text would change the YAML structure at this place: a colon in a plain scalar, a comma inside
    braces."""
    if span.start == 0 and span.end == len(span.source.text):
        return False  # a bare text, not part of a file
    before = span.source.text[span.source.text.rfind("\n", 0, span.start) + 1 : span.start]
    quoted = before.endswith(('"', "'"))
    in_braces = "{" in before and not quoted
    return (
        "\n" in text
        or (not quoted and bool(re.search(r":\s|\s#|\A[\"'&*!|>%@`{\[]", text)))
        or (in_braces and bool(re.search(r"[,\[\]{}]", text)))
        or (quoted and before[-1] in text)
    )


def narrow_fix(line: Line, within: Span, right: str, *, sure: bool) -> Fix:
    """A fix that replaces only the differing part, by whole words."""
    source = within.source
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
    return Fix(Span(source, line.start + start, line.start + len(old) - end), new[start : len(new) - end], sure)
