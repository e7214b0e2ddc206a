"""Diagnosis of lines that do not parse, or that would parse with an unintended meaning.

In: a text, and where the parser stopped. Out: one diagnostic for each such line, with candidate corrections; and the
lines themselves, so that the rest of the text can be parsed without them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Fix, Report
from hoyle.base.source import Span
from hoyle.language.syntax.repair.meaning import keeps_meaning
from hoyle.language.syntax.repair.mending import (
    Correction,
    Mended,
    Reading,
    correct,
    give_reason,
    mend,
    place_all,
    place_fix,
)
from hoyle.language.syntax.repair.rows import ADVICE, SILENT, read_rows
from hoyle.language.syntax.repair.statement_forms import STATEMENT_WORDS, find_form, go_on, say_expected
from hoyle.language.syntax.repair.trial_parsing import FIRST_WORDS, Line, Refusal, read, split_lines, take_line
from hoyle.language.syntax.reserved import RESERVED
from hoyle.language.syntax.vocabulary import Vocabulary

LONGEST_LINE = 240  # longer lines get a generic message: matching patterns would take too long
_GAP = " " * 12  # so do lines with gaps that wide
MOST_REPORTED = 20
_CITE = re.compile(r"\s*(?<!\w)(?<!\bin\s)(?<!\bof\s)(?<!=\s)\[(?P<rules>[^\]\n]*)\]")  # not `score[seat]`
_RULE = re.compile(r"[A-Za-z][\w.-]*")
_STATEMENT_BEGINS = re.compile("|".join(rf"{verb}\b" for verb in FIRST_WORDS))


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that has been reported, and its most likely correction with strings restored; None if there is none."""

    line: Line
    meant: str | None = None


def lines_of(reading: Reading) -> list[Line]:
    """The text split into lines that are parsed separately."""
    return split_lines(reading.span.text, reading.span.start) if reading.block else [_whole(reading)]


def can_be_matched(text: str) -> bool:
    """Whether a line is compared with the near misses."""
    return len(text) <= LONGEST_LINE and _GAP not in text


# ------------------------------------------------------------------------------------------------ before parsing
def find_silent_mistakes(reading: Reading, lines: list[Line], report: Report) -> list[Refused]:
    """Report lines that would parse with an unintended meaning."""
    refused_lines = [_find_in_line(reading, line, report) for line in lines if can_be_matched(line.core)]
    return [refused for refused in refused_lines if refused is not None]


def _find_in_line(reading: Reading, line: Line, report: Report) -> Refused | None:
    if line.tail and _find_bad_citation(reading.span, line, report):
        return Refused(line, line.reveal(line.core))
    for miss in read_rows(SILENT):
        versions = miss.apply(line.core, reading.vocabulary) if reading.start in miss.starts else []
        for changed in versions:
            first = correct(miss, line.core, reading.vocabulary)
            if reading.reads(changed):
                mended = [Mended(changed, (first,))]
            else:
                mended = [replace(way, steps=(first, *way.steps)) for way in mend(reading, changed)]
            return _report_mended(reading, line, mended or [Mended(changed, (replace(first, guesses=True),))], report)
    return None


def _find_bad_citation(span: Span, line: Line, report: Report) -> bool:
    source = span.source
    first = source.text.find("[", line.start + len(line.core))
    last = first + len(line.tail)
    shown = Span(source, first, last)
    if first < 0 or source.text[first:last] != line.tail:
        return False
    rules = [rule.strip() for part in _CITE.findall(line.tail) for rule in part.split(",")]
    if line.tail.count("[") == 1 and all(_RULE.fullmatch(rule) for rule in rules):
        return False
    ids = re.findall(r"[A-Za-z][\w.]*(?:\s?-\s?[\w.]+|\s+[A-Z]?\d+)*", line.tail)
    right = "[" + ", ".join(re.sub(r"\s*-\s*|\s+", "-", rule) for rule in ids) + "]"
    if not ids:
        report.error("bad-citation", "this citation names no rule", shown,
                     hint="name it, as in `[RULE-7]`, or leave it out")
        return True
    report.error("bad-citation", "a citation is one pair of brackets with the ids of rules, separated by commas", shown,
                 fix=Fix(shown, right))
    return True


def find_wrong_indents(lines: list[Line], span: Span, report: Report) -> bool:
    """Report a line whose indentation matches no enclosing block; it would count as part of the outer one."""
    levels = [lines[0].indent] if lines else []
    for before, line in pairwise(lines):
        if before.lacks_colon:
            return False
        if before.opens_block and line.indent > levels[-1]:
            levels.append(line.indent)
            continue
        inner = levels[-1]
        while len(levels) > 1 and line.indent < levels[-1]:
            inner = levels.pop()
        if line.indent != levels[-1] and line.indent > levels[0]:
            start = line.start - line.indent
            margin = Span(span.source, start, line.start)
            report.error("wrong-indent", "this line stands between two depths, so it is not clear what it belongs to",
                         Span(span.source, line.start, line.start + len(line.core)),
                         hint=f"indent it by {inner} spaces, as the lines above, or by {levels[-1]}",
                         fix=(Fix(margin, " " * inner, sure=False), Fix(margin, " " * levels[-1], sure=False)))
            return True
    return False


# ------------------------------------------------------------------------------------------------ after a refusal
def explain_refusal(
    reading: Reading, lines: list[Line], at: Span, expected: set[str], report: Report
) -> list[Refused]:
    """Report what is wrong with each unparsable line; the result is empty if only the layout is wrong."""
    if not any(line.core for line in lines):
        report.error("empty-text", "there is no rule here, only a comment or a citation", reading.span,
                     hint="a rule stands here, or the key is left out")
        return []
    refused_lines: list[Refused] = []
    for line, after in zip(lines, [*lines[1:], None], strict=True):
        if len(refused_lines) == MOST_REPORTED:
            break
        refusal = read(reading.start, line.core, reading.relations)
        if refusal is None:
            continue
        if line.lacks_colon and after is not None and after.indent > line.indent:
            refused_lines.append(_explain_colon(reading, line, report))
        else:
            refused_lines.append(_explain_line(reading, line, refusal, report))
    if not refused_lines:
        _explain_layout(lines, at, expected, report)
    return refused_lines


def _whole(reading: Reading) -> Line:
    text = reading.span.text
    lead = len(text) - len(text.lstrip())
    return take_line(text[lead:].rstrip(), reading.span.start + lead, cited=reading.start == "steps")


def _explain_line(reading: Reading, line: Line, refusal: Refusal, report: Report) -> Refused:
    if _explain_continuation(reading, line, refusal, report):
        return Refused(line)
    if can_be_matched(line.core):
        if reading.start == "steps" and _explain_citation(reading, line, report):
            return Refused(line)
        mended = mend(reading, line.core)
        if mended:
            return _report_mended(reading, line, mended, report)
        if _explain_citation(reading, line, report):
            return Refused(line)
    _explain_form(reading, line, refusal, report)
    return Refused(line)


def _explain_colon(reading: Reading, line: Line, report: Report) -> Refused:
    """Report a missing colon before deeper lines."""
    text = line.core.rstrip(",") + ":"
    end = len(line.core)
    colon = Correction("unfinished", "a colon opens the lines below", (end, end), guesses=False)
    if reading.reads(text):
        return _report_mended(reading, line, [Mended(text, (colon,))], report)
    mended = mend(reading, text) if can_be_matched(text) else []
    if mended:
        with_colon = [replace(way, steps=(*way.steps, colon)) for way in mended]
        return _report_mended(reading, line, with_colon, report)
    refusal = read(reading.start, text, reading.relations)
    if refusal is not None:
        _explain_form(reading, line, refusal, report)
    return Refused(line)


def _report_mended(reading: Reading, line: Line, mended: list[Mended], report: Report) -> Refused:
    """Report a line with all its corrections as fixes; the message is that of the first."""
    reason = give_reason(reading, line, mended[0])
    fixes = place_all(reading, line, mended)
    advice = _find_advice(reading, line) if can_be_matched(line.core) else ""
    report.error(reason.code, reason.message, reason.span, hint=reason.more, fix=fixes, instead=advice)
    return Refused(line, line.reveal(mended[0].text))


def _explain_continuation(reading: Reading, line: Line, refusal: Refusal, report: Report) -> bool:
    """Report a deeper line that continues the one above, if it was probably meant as a statement."""
    if refusal.start not in line.deeper:
        return False
    source = reading.span.source
    second = Span(source, line.start + refusal.start, line.start + len(line.core))
    if reading.start == "steps" and not reading.block:
        _explain_no_block(reading, second, report)
        return True
    if not _STATEMENT_BEGINS.match(line.core, refusal.start):
        return False
    start = source.text.rfind("\n", 0, second.start) + 1
    above = Span(source, line.start - line.indent, line.start)
    report.error("wrong-indent", "this line is deeper than the one above, so it is read as going on with it", second,
                 hint="lines that belong together stand at the same depth",
                 fix=(Fix(Span(source, start, second.start), " " * line.indent),
                      Fix(above, " " * (second.start - start))))
    return True


def _explain_no_block(reading: Reading, second: Span, report: Report) -> None:
    """Report several statements without `|`, which YAML folds into one line."""
    text, begin = reading.span.source.text, reading.span.start
    colon = len(text[:begin].rstrip())
    margin = second.start - (text.rfind("\n", 0, second.start) + 1)
    fixes = (Fix(Span(reading.span.source, colon, begin), " |\n" + " " * margin),) if text[colon - 1] == ":" else ()
    report.error("wrong-indent", "without `|` behind the name these lines are read as one", second,
                 hint="several statements stand in a `|` block", fix=fixes)


def _explain_citation(reading: Reading, line: Line, report: Report) -> bool:
    citation = _CITE.search(line.core)
    if citation is None or not _RULE.match(citation["rules"].strip()):
        return False
    source = reading.span.source
    start = line.start + citation.start() + len(citation[0]) - len(citation[0].lstrip())
    place = Span(source, start, line.start + citation.end())
    if reading.start != "steps":
        report.error("bad-citation", "a citation stands in brackets only in statements", place,
                     hint=f"take it out and say `cite: {citation['rules'].strip()}` beside it")
        return True
    rules = [rule for group in _CITE.findall(line.core + line.tail) for rule in re.findall(_RULE, group)]
    bare = _CITE.sub("", line.core).strip()
    right = f"{bare}   [{', '.join(rules)}]"
    readable = reading.reads(bare)
    whole = Span(source, line.start, line.start + max(len(line.core), _tail_end(reading, line) - line.start))
    report.error("bad-citation", "a citation ends its line", place,
                 fix=Fix(whole, line.reveal(right)) if readable else None)
    return True


def _tail_end(reading: Reading, line: Line) -> int:
    text = reading.span.source.text
    end = line.start + len(line.core)
    at = text.find(line.tail, end) if line.tail else -1
    return at + len(line.tail) if 0 <= at < reading.span.end else end


# ------------------------------------------------------------------------------------------------ generic messages
def _explain_name(reading: Reading, line: Line, report: Report) -> bool:
    """Report a reserved word that the game declares as a name."""
    names = RESERVED & reading.vocabulary.names
    reserved = next((word for word in re.finditer(r"\w+", line.core) if word[0] in names), None)
    if reserved is None:
        return False
    report.error("reserved-name", f"`{reserved[0]}` is a word of the language, and cannot be a name as well",
                 Span(reading.span.source, line.start + reserved.start(), line.start + reserved.end()),
                 hint="give what the file calls so another name")
    return True


def _find_advice(reading: Reading, line: Line) -> str:
    """What is told about a line that no other of its length can replace."""
    told = (miss.advise(line.core, reading.vocabulary) for miss in read_rows(ADVICE) if reading.start in miss.starts)
    return next(filter(None, told), "")


def _explain_form(reading: Reading, line: Line, refusal: Refusal, report: Report) -> None:
    if _explain_name(reading, line, report):
        return
    source = reading.span.source
    at = Span(source, line.start + refusal.start, line.start + refusal.end)
    advice = _find_advice(reading, line)
    if advice:
        report.error("wrong-word", advice, Span(source, line.start, line.start + len(line.core)))
        return
    said, rest = line.core[: refusal.start].rstrip(), line.core[refusal.start :]
    ended = not rest.strip()
    found = find_form(said) if reading.start == "steps" else None
    if found is not None:
        form, begin = found
        missing = go_on(form, said[begin:], refusal.expected) if len(said) > begin else None
        if missing is not None:
            index, example = missing
            inserted = f"{said} {form.pieces[index].text} {rest}".replace(" ,", ",")
            example = inserted if rest and reading.reads(inserted) else said[:begin] + example
            meant = _with_own_names(example, reading.vocabulary)
            kept = not rest or keeps_meaning(line.core, meant, reading.vocabulary.names)  # an example drops words
            report.error("unfinished", f"after `{line.reveal(said)}` say {form.pieces[index].question}", at,
                         hint=f"the form is `{form.shape}`",
                         fix=place_fix(reading, line, line.reveal(meant), sure=False) if kept else ())
            return
        hints = [f"the form is `{form.shape}`"]
    elif reading.start == "steps":
        first = re.match(r"\S+", line.core)
        word = first.group() if first else ""
        decides = re.search(r"\b(?:chooses|choose|may)\b", line.core)
        if not decides and word.isidentifier() and word not in FIRST_WORDS and (said or ended):
            place = Span(source, line.start, line.start + len(word))
            report.error("syntax", f"no statement begins with `{word}`", place,
                         hint=[f"statements begin with {STATEMENT_WORDS}", "or a seat: `SEAT chooses ACTION`"])
            return
        hints = []
    else:
        hints = []
    expected = say_expected(refusal.expected)
    if expected:
        hints.insert(0, f"here may come: {expected}")
    if not hints:
        hints.append("leave it out, or say the rest in another way")
    what = "here something is missing" if ended else f"`{line.reveal(_shown(rest))}` cannot stand here"
    report.error("unfinished" if ended else "syntax", what, at, hint=hints)


def _with_own_names(example: str, names: Vocabulary) -> str:
    """An example of a statement with zones and seats of this game."""
    own = {"pack": names.stocks, "hand": names.hands, "pile": names.piles, "player": names.people}
    for general, found in own.items():
        if found and general not in names.names:
            example = re.sub(rf"\b{general}\b", found[0], example)
    return example


def _shown(rest: str) -> str:
    word = re.match(r'"[^"]*"|\w+|\S', rest)
    return word.group() if word else rest


def _explain_layout(lines: list[Line], at: Span, expected: set[str], report: Report) -> None:
    """Report a layout error: each line parses by itself, so the fault is in their indentation or order."""
    source = at.source
    for line, after in zip(lines, [*lines[1:], None], strict=True):
        if line.opens_block and (after is None or after.indent <= line.indent):
            end = line.start + len(line.core)
            fix = None
            if after is not None:
                fix = Fix(Span(source, after.start - after.indent, after.start), " " * (line.indent + 2))
            report.error("wrong-indent", "nothing stands below this line", Span(source, end - 1, end),
                         hint=f"what belongs to it stands below, indented by {line.indent + 2} spaces", fix=fix)
            return
    open_ifs: dict[int, bool] = {}
    for line in lines:
        open_ifs = {indent: is_open for indent, is_open in open_ifs.items() if indent <= line.indent}
        if re.match(r"otherwise\b", line.core) and not open_ifs.get(line.indent):
            report.error("wrong-indent", "this `otherwise` has no `if` above it at the same depth",
                         Span(source, line.start, line.start + len("otherwise")),
                         hint="indent it as far as its `if`, directly below what belongs to that")
            return
        open_ifs[line.indent] = bool(re.match(r"(?:otherwise\s+)?if\b", line.core))
    expected_words = say_expected(expected)
    report.error("syntax", "this cannot be read", at, hint=f"here may come: {expected_words}" if expected_words else ())
