"""Edits of statement lists by variants: addressing a statement, and splicing.

In: the statements of a step or action, one edit of a variant, the statements it inserts. Out: the edited statements;
each keeps its source location. A statement is addressed by a prefix that is unique, several lines address consecutive
statements, and a list of rules addresses the statement that cites them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import replace

from hoyle.base.diagnostics.report import Fix, Label, Report
from hoyle.base.source import Span
from hoyle.language.declare.calls import blocks_of, statements_in
from hoyle.language.document.nodes import Edit, Scalar, Sequence
from hoyle.language.syntax import ast
from hoyle.language.syntax.repair.trial_parsing import take_line

Statements = tuple[ast.Statement, ...]
MOST_SHOWN = 4


def apply_edit(statements: Statements, edit: Edit, found: Statements, report: Report) -> Statements:
    """The statements after an edit; unchanged, after an error, if it addresses none or more than one."""
    if edit.verb == "first":
        return (*found, *statements)
    if edit.verb == "last":
        return (*statements, *found)
    assert edit.anchor is not None
    places = _find_places(statements, edit.anchor)
    if len(places) != 1:
        (_report_unclear if places else _report_missing)(statements, edit, places, report)
        return statements
    return _splice(statements, places[0], edit, found)


def head_of(statement: ast.Statement) -> str:
    """The text of a statement without citation; for a compound statement, its header up to the colon."""
    span = statement.span
    if not isinstance(statement, ast.If | ast.ForEach | ast.Repeat):
        return " ".join(span.text.split())
    text = span.source.text
    return _plain(text[span.start : text.index(":", _end_of_condition(statement))])


def _end_of_condition(statement: ast.If | ast.ForEach | ast.Repeat) -> int:
    """Where the last expression before the colon of a statement ends."""
    if isinstance(statement, ast.If):
        return statement.cases[0][0].span.end
    if isinstance(statement, ast.ForEach):
        return statement.binding.span.end
    parts = [part.span.end for part in (statement.times, statement.until) if part is not None]
    return max(parts, default=statement.span.start)


def head_span(statement: ast.Statement) -> Span:
    """The first line of a statement."""
    text = statement.span.text.split("\n", 1)[0].rstrip()
    return Span(statement.span.source, statement.span.start, statement.span.start + len(text))


def _plain(text: str) -> str:
    """A text without comments, and without a citation or colon at its end."""
    lines = (take_line(line, 0) for line in text.split("\n"))
    bare = " ".join(line.reveal(line.core) for line in lines)
    return " ".join(bare.split()).removesuffix(":").rstrip()


def _find_places(statements: Statements, anchor: Scalar | Sequence) -> list[Statements]:
    """The statements that an anchor matches completely, else those that it is a prefix of."""
    if isinstance(anchor, Sequence):
        cited = {item.text for item in anchor if isinstance(item, Scalar)}
        return [(one,) for one in statements_in(statements) if cited <= {word.id for word in one.cite}]
    lines = [line for raw in anchor.text.split("\n") if (line := _plain(raw))]
    runs = [run for block in _blocks_in(statements) for run in _runs(block, len(lines))] if lines else []
    heads = [(run, [head_of(one) for one in run]) for run in runs]
    whole = [run for run, said in heads if said == lines]
    return whole or [run for run, said in heads if all(map(_begins, said, lines))]


def _begins(head: str, words: str) -> bool:
    return head.startswith(words) and not re.match(r"\w", head[len(words) :])


def _blocks_in(statements: Statements) -> Iterator[Statements]:
    yield statements
    for one in statements:
        for block in blocks_of(one):
            yield from _blocks_in(block)


def _runs(block: Statements, length: int) -> Iterator[Statements]:
    for start in range(len(block) - length + 1):
        yield block[start : start + length]


def _splice(statements: Statements, meant: Statements, edit: Edit, found: Statements) -> Statements:
    at = next((i for i, one in enumerate(statements) if one is meant[0]), None)
    if at is None:
        return tuple(_with_blocks(one, meant, edit, found) for one in statements)
    before, after = statements[:at], statements[at + len(meant) :]
    if edit.verb == "before":
        return (*before, *found, *meant, *after)
    if edit.verb == "after":
        return (*before, *meant, *found, *after)
    return (*before, *found, *after)


def _with_blocks(statement: ast.Statement, meant: Statements, edit: Edit, found: Statements) -> ast.Statement:
    """A statement whose nested blocks are edited, if they contain the addressed statements."""
    if isinstance(statement, ast.If):
        cases = tuple((test, _splice(block, meant, edit, found)) for test, block in statement.cases)
        return replace(statement, cases=cases, otherwise=_splice(statement.otherwise, meant, edit, found))
    if isinstance(statement, ast.ForEach | ast.Repeat):
        return replace(statement, body=_splice(statement.body, meant, edit, found))
    return statement


def _said(edit: Edit) -> str:
    anchor = edit.anchor
    if isinstance(anchor, Sequence):
        return "cites " + ", ".join(f"`{item.text}`" for item in anchor if isinstance(item, Scalar))
    assert anchor is not None
    return f"begins with `{' '.join(anchor.text.split())[:80]}`"


def _report_missing(statements: Statements, edit: Edit, _places: list[Statements], report: Report) -> None:
    assert edit.anchor is not None
    everything = list(statements_in(statements))
    near = _nearest(edit.anchor, everything)
    listed = ", ".join(f"`{head_of(one)}`" for one in everything[:MOST_SHOWN])
    others = (Label(head_span(near), "a similar statement"),) if near else ()
    if not others and everything:
        others = (Label(head_span(everything[0]), "the statements begin here"),)
    report.error(
        "statement-missing",
        f"no statement here {_said(edit)}",
        edit.anchor.span,
        "not there",
        others=others,
        hint=f"did you mean `{head_of(near)}`?" if near else f"the first of them: {listed}" if listed else (),
        fix=_respell(edit.anchor, head_of(near)) if near else (),
    )


def _respell(anchor: Scalar | Sequence, head: str) -> tuple[Fix, ...]:
    """The beginning of a statement as written, with as many words as the anchor has."""
    words = head.split()
    number = len(anchor.text.split()) if isinstance(anchor, Scalar) else 0
    said = " ".join(words[:number])
    plain = number and not re.search(r": |[#\"'{}\[\],]", said)
    return (Fix(anchor.span, said, sure=False),) if plain else ()


def _nearest(anchor: Scalar | Sequence, statements: list[ast.Statement]) -> ast.Statement | None:
    if not isinstance(anchor, Scalar) or not statements:
        return None
    words = " ".join(anchor.text.split())
    scored = [
        (difflib.SequenceMatcher(None, words, head_of(one)[: len(words) + 8]).ratio(), -number, one)
        for number, one in enumerate(statements)
    ]
    best = max(scored, key=lambda each: each[:2])
    return best[2] if best[0] >= 0.6 else None


def _report_unclear(statements: Statements, edit: Edit, places: list[Statements], report: Report) -> None:
    assert edit.anchor is not None
    report.error(
        "statement-unclear",
        f"{len(places)} statements here {_said(edit).replace('begins', 'begin', 1).replace('cites', 'cite', 1)}",
        edit.anchor.span,
        "which?",
        others=[Label(head_span(run[0]), "this?") for run in places[:MOST_SHOWN]],
        hint="write more of the statement, or the statement before it on a line of its own above it",
    )
