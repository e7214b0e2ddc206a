"""Error recovery: parsing around unparsable lines.

In: a text and its refused lines. Out: `blank_out`, the text with placeholders of the same length, so that all offsets
are preserved; `put_back`, the statements with presumed corrections in place of placeholders.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hoyle.base.source import Span
from hoyle.language.syntax import ast
from hoyle.language.syntax.repair.trial_parsing import Line

_NEXT_LINE = re.compile(r"[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*(?P<indent> *)(?=\S)")
MARK = "\N{OBJECT REPLACEMENT CHARACTER}"  # the terminal LOST of the grammar; files must not contain it


def blank_out(span: Span, lines: list[Line]) -> str:
    """The text of the file with placeholders for refused lines; a line that opens a block still does."""
    text = span.source.text
    for line in lines:
        end = line.start + len(line.core)
        opens = line.opens_block or (line.lacks_colon and _has_deeper_below(text, span, line))
        marks = MARK * (end - line.start - 1) + ":" if opens else MARK * len(line.core)
        tail = text.find(line.tail, end, span.end) if line.tail else -1  # the citation may be the error
        if tail >= 0:
            text = text[:tail] + " " * len(line.tail) + text[tail + len(line.tail) :]
        text = text[: line.start] + marks + text[end:]
    return text


def _has_deeper_below(text: str, span: Span, line: Line) -> bool:
    """Whether the next line is indented deeper, and thus would be the block of this one."""
    below = _NEXT_LINE.match(text, line.start + len(line.core), span.end)
    return below is not None and len(below["indent"]) > line.start - (text.rfind("\n", 0, line.start) + 1)


def put_back(statements: tuple[ast.Statement, ...], meant: dict[int, Any]) -> tuple[ast.Statement, ...]:
    """The statements with placeholders replaced by presumed corrections, keyed by the offset of the line."""
    found: list[ast.Statement] = []
    for one in statements:
        if isinstance(one, ast.Lost):
            supposed = meant.get(one.span.start)
            found += _take_body(supposed, put_back(one.body, meant)) if supposed else [one]
        elif isinstance(one, ast.If):
            cases = tuple((test, put_back(block, meant)) for test, block in one.cases)
            found.append(replace(one, cases=cases, otherwise=put_back(one.otherwise, meant)))
        elif isinstance(one, ast.ForEach | ast.Repeat):
            found.append(replace(one, body=put_back(one.body, meant)))
        else:
            found.append(one)
    return tuple(found)


def _take_body(supposed: tuple[ast.Statement, ...], body: tuple[ast.Statement, ...]) -> list[ast.Statement]:
    """The presumed statements of a line, with the lines below it as the block of the last of them."""
    last = supposed[-1]
    if not body:
        return list(supposed)
    if isinstance(last, ast.ForEach | ast.Repeat):
        return [*supposed[:-1], replace(last, body=body)]
    if isinstance(last, ast.If) and len(last.cases) == 1 and not last.otherwise:
        return [*supposed[:-1], replace(last, cases=((last.cases[0][0], body),))]
    return list(body)
