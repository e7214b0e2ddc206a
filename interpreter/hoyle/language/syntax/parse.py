"""Parsing of rule text, with error recovery.

In: a stretch of a file, and its start symbol. Out: the AST. Unparsable lines are reported and replaced by their most
likely correction, so that the rest can be checked.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from lark import Token, Tree, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from hoyle.base.diagnostics.report import Report
from hoyle.base.effort import spend
from hoyle.base.source import Source, Span
from hoyle.language.syntax.build import AstBuilder
from hoyle.language.syntax.grammar import LAYOUT, Start, grammar
from hoyle.language.syntax.recovery import blank_out, put_back
from hoyle.language.syntax.repair.mending import Reading
from hoyle.language.syntax.repair.near_misses import (
    Refused,
    explain_refusal,
    find_silent_mistakes,
    find_wrong_indents,
    lines_of,
)
from hoyle.language.syntax.repair.trial_parsing import Line
from hoyle.language.syntax.vocabulary import EMPTY, Vocabulary

LONGEST_TEXT = 20_000
DEEPEST_NESTING = 40
DEEPEST_TREE = 110  # levels of a parse tree
CHARACTERS_IN_STEP = 2  # parsed characters that count as one step
STEPS_FOR_LINE = 6
MOST_KNOWN = 2_000
MOST_LEFT_OUT = 20  # lines, because of others that cannot be read

# Cached parse trees of correct texts: a file is parsed many times, while its fixes are verified and while it is edited.
_KNOWN: dict[tuple[object, ...], Tree[Token]] = {}


def parse(
    start: Start,
    span: Span,
    report: Report,
    *,
    vocabulary: Vocabulary = EMPTY,
    relations: frozenset[str] | None = None,
    lines: bool = False,
) -> Any | None:
    """The AST of the text at `span`; `lines`: it is a `|` block, in which line breaks are significant. `relations`
    defaults to those of the vocabulary."""
    text = span.text
    if not text.strip():
        report.error("empty-text", "there is no rule here", span, hint="a rule stands here, or the key is left out")
        return None
    known = vocabulary.relations if relations is None else relations
    reading = Reading(start, span, known, start == "steps" and lines, vocabulary)
    key = (start, text, known, reading.block, vocabulary.signature)
    spend(8 + len(text) // CHARACTERS_IN_STEP + STEPS_FOR_LINE * (1 + text.count("\n")))
    if key in _KNOWN:
        spend(_steps_to_build(span))
        return AstBuilder(span.source, span.start).transform(_KNOWN[key])
    if _too_big(span, report):
        return None
    parts = lines_of(reading)
    refused = find_silent_mistakes(reading, parts, report)
    if reading.block and find_wrong_indents(parts, span, report):
        return None
    built, error = _try(reading, refused, report)
    if built is not None and not refused:
        _KNOWN[key] = _read_tree(start, text, known, reading.block, _base_of(reading))
        while len(_KNOWN) > MOST_KNOWN:
            del _KNOWN[next(iter(_KNOWN))]
    if error is not None:
        at, expected = _place(error, span)
        told = {one.line.start for one in refused}
        more = explain_refusal(reading, [line for line in parts if line.start not in told], at, expected, report)
        refused += more
        built = _read_around(reading, parts, refused, report) if more else None
    if built is None and reading.block:
        report.unchecked.append(span)
    return built


def _read_around(reading: Reading, parts: list[Line], refused: list[Refused], report: Report) -> Any | None:
    """The AST without the lines that are refused, and without those that cannot stand where they stand since one above
    them is left out: an `otherwise` below an `if` that cannot be read."""
    left_out = list(refused)
    built, error = _try(reading, left_out, report)
    while error is not None and len(left_out) < len(refused) + MOST_LEFT_OUT:
        at, _ = _place(error, reading.span)
        gone = {one.line.start for one in left_out}
        line = next((one for one in parts if one.start <= at.start <= one.start + len(one.core)), None)
        if line is None or line.start in gone:
            break
        left_out.append(Refused(line))
        report.unchecked.append(Span(at.source, line.start, line.start + len(line.core)))
        built, error = _try(reading, left_out, report)
    return built


def _steps_to_build(span: Span) -> int:
    return 8 + (span.end - span.start) // CHARACTERS_IN_STEP


def _base_of(reading: Reading) -> int:
    """The indentation of a block."""
    first = re.search(r"\S", reading.span.text)
    assert first is not None
    return first.start() - (reading.span.text.rfind("\n", 0, first.start()) + 1) if reading.block else 0


def _try(reading: Reading, refused: list[Refused], report: Report) -> tuple[Any | None, UnexpectedInput | None]:
    """The AST of a text without the refused lines, or the parse error."""
    start, span = reading.start, reading.span
    if refused and start != "steps":
        return _suppose(reading, refused[0].meant), None
    text = blank_out(span, [one.line for one in refused]) if refused else span.source.text
    try:
        spend(_steps_to_build(span))
        tree = _read_tree(start, text[span.start : span.end], reading.relations, reading.block, _base_of(reading))
    except UnexpectedInput as error:
        return None, error
    deep = _find_too_deep(tree)
    if deep is not None:
        _report_depth(Span(span.source, span.start + deep.meta.start_pos, span.start + deep.meta.end_pos), report)
        return None, None
    built = AstBuilder(span.source, span.start).transform(tree)
    if refused:
        meant = {one.line.start: _suppose(reading, one.meant) for one in refused}
        built = put_back(built, meant)
    return built, None


@lru_cache(maxsize=2_000)
def _read_tree(start: Start, text: str, relations: frozenset[str], lines: bool, base: int) -> Tree[Token]:
    """The parse tree of a text, independent of its location."""
    LAYOUT.prepare(relations, statements=start == "steps", lines=lines, base=base, end=len(text))
    return grammar().parse(text, start=start)


def _suppose(reading: Reading, meant: str | None) -> Any | None:
    """The AST of a presumed correction; errors in it are not reported."""
    if meant is None:
        return None
    text = meant
    if reading.start == "steps":
        text = f"if x: do x\n{text}" if re.match(r"otherwise\b", text) else text
        text += " do x" if text.endswith(":") else ""
    source = Source("", text, reading.span.source.renames, supposed=True)
    LAYOUT.prepare(
        reading.relations, statements=reading.start == "steps", lines=reading.start == "steps", base=0, end=len(text)
    )
    try:
        tree = grammar().parse(text, start=reading.start)
    except UnexpectedInput:
        return None
    return AstBuilder(source).transform(tree) if _find_too_deep(tree) is None else None


def _report_depth(span: Span, report: Report) -> None:
    hint = "give its parts names under `definitions:`"
    report.error("too-deep", "this rule is nested too deeply", span.first_line, hint=hint)


def _find_too_deep(tree: Tree[Token]) -> Tree[Token] | None:
    """The first part of a tree that is nested too deeply for the passes after it, which call themselves for parts."""
    waiting = [(tree, 1)]
    while waiting:
        part, depth = waiting.pop()
        if depth > DEEPEST_TREE and not part.meta.empty:
            return part
        waiting += [(each, depth + 1) for each in reversed(part.children) if isinstance(each, Tree)]
    return None


def _too_big(span: Span, report: Report) -> bool:
    text = span.text
    if len(text) > LONGEST_TEXT:
        report.error(
            "too-long",
            f"this rule has {len(text)} characters; at most {LONGEST_TEXT} are read",
            Span(span.source, span.start, span.start + 1),
            hint="divide it into definitions or steps",
        )
        return True
    depth = deepest = 0
    for sign in re.findall("[()]", text):
        depth += 1 if sign == "(" else -1
        deepest = max(deepest, depth)
    per_line = max(len(re.findall(r"\b(?:of|not|otherwise|else)\b|-", line)) for line in text.split("\n"))
    if deepest > DEEPEST_NESTING or per_line > 100:
        _report_depth(Span(span.source, span.start, span.start + 1), report)
        return True
    return False


def _place(error: UnexpectedInput, span: Span) -> tuple[Span, set[str]]:
    """Where the parser stopped, and the terminals it expected."""
    source, base = span.source, span.start
    if isinstance(error, UnexpectedToken):
        token = error.token
        expected = set(error.accepts or error.expected)
        if token.type == "$END" or (token.type in ("_NL", "_DEDENT") and not str(token).strip()):
            end = base + len(span.text.rstrip())
            if isinstance(token, Token) and token.type == "_NL" and str(token) and token.start_pos is not None:
                end = base + token.start_pos
            return Span(source, end, end), expected
        start = base + (token.start_pos or 0)
        return Span(source, start, start + max(1, len(str(token)))), expected
    if isinstance(error, UnexpectedCharacters):
        at = base + (error.pos_in_stream or 0)
        word = re.match(r"\w+|.", source.text[at : span.end], re.S)
        return Span(source, at, at + (len(word.group()) if word else 1)), set(error.allowed or ())
    return span, set()
