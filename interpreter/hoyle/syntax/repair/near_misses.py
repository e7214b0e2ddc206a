"""What an author most likely meant when a line cannot be read, or would be read with another meaning.

In: a text, and where the parser stopped. Out: one diagnostic for each such line, with the line as it should be; a fix
where nothing has to be guessed, and only if the corrected line can be read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from hoyle.diagnostics.report import Fix, Report
from hoyle.source import Span
from hoyle.syntax.grammar import LAYOUT
from hoyle.syntax.repair.mending import Correction, Reading, correct, mend, report_mended
from hoyle.syntax.repair.statement_forms import STATEMENT_WORDS, find_form, go_on, say_expected
from hoyle.syntax.repair.table import SILENT
from hoyle.syntax.repair.trial import FIRST_WORDS, Line, Refusal, read, split_lines, take_line

LONGEST_LINE = 500  # longer lines are answered in general words: patterns would take too long
MOST_REPORTED = 20
_CITE = re.compile(r"\s*\[(?P<rules>[^\]\n]*)\]")
_RULE = re.compile(r"[A-Za-z][\w.-]*")
_STATEMENT_BEGINS = re.compile("|".join(rf"{verb}\b" for verb in FIRST_WORDS))


# ------------------------------------------------------------------------------------------------ before parsing
def find_silent_mistakes(start: str, span: Span, report: Report) -> bool:
    """Report what would be read with a meaning the author did not intend; whether anything was reported."""
    block = start == "steps" and (span.start == 0 or span.source.text[span.start - 1] == "\n")
    lines = split_lines(span.text, span.start) if block else [_whole(start, span)]
    found = False
    for line in lines:
        if len(line.core) <= LONGEST_LINE:
            found = _find_in_line(start, span, block, line, report) or found
    if block:
        found = _find_wrong_indents(lines, span, report) or found
    return found


def _find_in_line(start: str, span: Span, block: bool, line: Line, report: Report) -> bool:
    if line.tail and _find_bad_citation(span, line, report):
        return True
    for miss in SILENT:
        changed = miss.apply(line.core) if start in miss.starts else None
        if changed is not None:
            # The relations of the text before: most likely those of this one, and only a fix depends on them.
            reading = Reading(start, span, LAYOUT.relations, block)
            mended = (changed, ()) if reading.reads(changed) else mend(reading, changed)
            text, more = mended or (changed, ())
            first = replace(correct(miss, line.core), guesses=mended is None)
            report_mended(reading, line, text, (first, *more), report)
            return True
    return False


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
                 hint=f"write `{right}`", fix=Fix(shown, right))
    return True


def _find_wrong_indents(lines: list[Line], span: Span, report: Report) -> bool:
    """A line that stands between two depths would count as part of the outer block."""
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
                         fix=Fix(margin, " " * inner))
            return True
    return False


# ------------------------------------------------------------------------------------------------ after a refusal
def explain_refusal(start: str, span: Span, at: Span, expected: set[str], report: Report) -> None:
    """Say what is wrong with each line of the text that cannot be read."""
    layout = LAYOUT
    reading = Reading(start, span, layout.relations, start == "steps" and layout.lines)
    lines = split_lines(span.text, span.start) if reading.block else [_whole(start, span)]
    if not any(line.core for line in lines):
        report.error("empty-text", "there is no rule here, only a comment or a citation", span,
                     hint="write the rule, or remove the key")
        return
    reported = 0
    for line, after in zip(lines, [*lines[1:], None], strict=True):
        if reported == MOST_REPORTED:
            break
        refusal = read(start, line.core, reading.relations)
        if refusal is None:
            continue
        reported += 1
        if line.lacks_colon and after is not None and after.indent > line.indent:
            _explain_colon(reading, line, report)
        else:
            _explain_line(reading, line, refusal, report)
    if not reported:
        _explain_layout(lines, at, expected, report)


def _whole(start: str, span: Span) -> Line:
    text = span.text
    lead = len(text) - len(text.lstrip())
    return take_line(text[lead:].rstrip(), span.start + lead, cited=start == "steps")


def _explain_line(reading: Reading, line: Line, refusal: Refusal, report: Report) -> None:
    if _explain_continuation(reading, line, refusal, report):
        return
    if len(line.core) <= LONGEST_LINE:
        if _explain_citation(reading, line, report):
            return
        mended = mend(reading, line.core)
        if mended is not None:
            report_mended(reading, line, mended[0], mended[1], report)
            return
    _explain_form(reading, line, refusal, report)


def _explain_colon(reading: Reading, line: Line, report: Report) -> None:
    """Deeper lines stand below this one, and it has no colon to open them."""
    text = line.core.rstrip(",") + ":"
    end = len(line.core)
    colon = Correction("unfinished", "a colon opens the lines below", (end, end), guesses=False)
    if reading.reads(text):
        report_mended(reading, line, text, (colon,), report)
        return
    mended = mend(reading, text) if len(text) <= LONGEST_LINE else None
    if mended is not None:
        report_mended(reading, line, mended[0], (*mended[1], colon), report)
        return
    refusal = read(reading.start, text, reading.relations)
    if refusal is not None:
        _explain_form(reading, line, refusal, report)


def _explain_continuation(reading: Reading, line: Line, refusal: Refusal, report: Report) -> bool:
    """A deeper line goes on with the one above it; was it meant as a statement?"""
    if refusal.start not in line.deeper or not _STATEMENT_BEGINS.match(line.core, refusal.start):
        return False
    source = reading.span.source
    second = Span(source, line.start + refusal.start, line.start + len(line.core))
    start = source.text.rfind("\n", 0, second.start) + 1
    report.error("wrong-indent", "this line is deeper than the one above, so it is read as going on with it", second,
                 hint=f"indent it by {line.indent} spaces",
                 fix=Fix(Span(source, start, second.start), " " * line.indent))
    return True


def _explain_citation(reading: Reading, line: Line, report: Report) -> bool:
    found = _CITE.search(line.core)
    if found is None or not _RULE.match(found["rules"].strip()):
        return False
    source = reading.span.source
    start = line.start + found.start() + len(found[0]) - len(found[0].lstrip())
    place = Span(source, start, line.start + found.end())
    if reading.start != "steps":
        report.error("bad-citation", "a citation stands in brackets only in statements", place,
                     hint=f"take it out and say `cite: {found['rules'].strip()}` beside it")
        return True
    rules = [rule for group in _CITE.findall(line.core + line.tail) for rule in re.findall(_RULE, group)]
    bare = _CITE.sub("", line.core).strip()
    right = f"{bare}   [{', '.join(rules)}]"
    readable = reading.reads(bare)
    whole = Span(source, line.start, line.start + max(len(line.core), _tail_end(reading, line) - line.start))
    report.error("bad-citation", "a citation ends its line", place, hint=f"write `{line.reveal(right)}`",
                 fix=Fix(whole, line.reveal(right)) if readable else None)
    return True


def _tail_end(reading: Reading, line: Line) -> int:
    text = reading.span.source.text
    end = line.start + len(line.core)
    at = text.find(line.tail, end) if line.tail else -1
    return at + len(line.tail) if 0 <= at < reading.span.end else end


# ------------------------------------------------------------------------------------------------ general answers
def _explain_form(reading: Reading, line: Line, refusal: Refusal, report: Report) -> None:
    source = reading.span.source
    at = Span(source, line.start + refusal.start, line.start + refusal.end)
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
            report.error("unfinished", f"after `{line.reveal(said)}` say {form.pieces[index].question}", at,
                         hint=f"for example `{line.reveal(example)}`")
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


def _shown(rest: str) -> str:
    word = re.match(r'"[^"]*"|\w+|\S', rest)
    return word.group() if word else rest


def _explain_layout(lines: list[Line], at: Span, expected: set[str], report: Report) -> None:
    """Each line can be read by itself, so the fault is how they stand below one another."""
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
