"""Rule text to AST.

In: a stretch of a file, and what it is to be read as. Out: the AST, or diagnostics and None.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

from lark import Token, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedToken, VisitError
from lark.utils import TextSlice

from hoyle.diagnostics.report import Report
from hoyle.source import Span
from hoyle.syntax.build import AstBuilder
from hoyle.syntax.grammar import LAYOUT, Start, grammar
from hoyle.syntax.repair.near_misses import explain_refusal, find_silent_mistakes

LONGEST_TEXT = 20_000
DEEPEST_NESTING = 40
DEEPEST_TREE = 100


def parse(
    start: Start, span: Span, report: Report, *, relations: frozenset[str] = frozenset(), lines: bool = False
) -> Any | None:
    """The AST of the text at `span`; `lines` says that it is a `|` block, in which new lines count."""
    text = span.text
    if not text.strip():
        report.error("empty-text", "there is no rule here", span, hint="write the rule, or remove the key")
        return None
    if _too_big(span, report):
        return None
    if find_silent_mistakes(start, span, report):
        return None
    first = re.search(r"\S", text)
    assert first is not None
    line_start = text.rfind("\n", 0, first.start()) + 1
    base = first.start() - line_start if lines else 0
    LAYOUT.prepare(relations, statements=start == "steps", lines=lines, base=base, end=span.end)
    try:
        tree = grammar().parse(TextSlice(span.source.text, span.start, span.end), start=start)
        built = AstBuilder(span.source).transform(tree)
        if _measure_depth(built) <= DEEPEST_TREE:
            return built
        _report_depth(span, report)
    except UnexpectedInput as error:
        at, expected = _place(error, span)
        explain_refusal(start, span, at, expected, report)
    except (VisitError, RecursionError):
        _report_depth(span, report)
    return None


def _report_depth(span: Span, report: Report) -> None:
    report.error("too-deep", "this rule is nested too deeply", span, hint="give its parts names under `definitions:`")


def _measure_depth(built: Any) -> int:
    """How many nodes of a tree lie inside one another, at most."""
    deepest, open_nodes = 0, [(built, 1)]
    while open_nodes:
        node, depth = open_nodes.pop()
        if isinstance(node, tuple):
            open_nodes += [(part, depth) for part in node]
        elif is_dataclass(node) and not isinstance(node, Span):
            deepest = max(deepest, depth)
            open_nodes += [(getattr(node, each.name), depth + 1) for each in fields(node)]
    return deepest


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
    words_in_a_row = 0
    for found in re.finditer(r"[()]|\b(?:of|not|otherwise|else)\b|-", text):
        if found.group() == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif found.group() == ")":
            depth -= 1
        else:
            words_in_a_row += 1
    per_line = max(len(re.findall(r"\b(?:of|not|otherwise|else)\b|-", line)) for line in text.split("\n"))
    if deepest > DEEPEST_NESTING or per_line > 100:
        report.error(
            "too-deep",
            "this rule is nested too deeply",
            Span(span.source, span.start, span.start + 1),
            hint="give its parts names under `definitions:`",
        )
        return True
    return False


def _place(error: UnexpectedInput, span: Span) -> tuple[Span, set[str]]:
    """Where the parser stopped, and what it would have taken."""
    source = span.source
    if isinstance(error, UnexpectedToken):
        token = error.token
        try:
            expected = set(error.accepts or error.expected)
        except Exception:  # lark cannot always replay its state to tell; the plain expectation is good enough then
            expected = set(error.expected)
        if token.type == "$END" or (token.type in ("_NL", "_DEDENT") and not str(token).strip()):
            end = span.start + len(span.text.rstrip())
            if isinstance(token, Token) and token.type == "_NL" and str(token) and token.start_pos is not None:
                end = token.start_pos
            return Span(source, end, end), expected
        start = token.start_pos if token.start_pos is not None else span.start
        return Span(source, start, start + max(1, len(str(token)))), expected
    if isinstance(error, UnexpectedCharacters):
        at = error.pos_in_stream if error.pos_in_stream is not None else span.start
        word = re.match(r"\w+|.", source.text[at : span.end], re.S)
        return Span(source, at, at + (len(word.group()) if word else 1)), set(error.allowed or ())
    return span, set()
