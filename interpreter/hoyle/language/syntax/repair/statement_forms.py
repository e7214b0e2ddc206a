"""The forms of all statements with example pieces, to complete unfinished lines.

In: the text before the place where a line was refused. Out: what is missing and an example that continues from it; and
the parser's expectations in words.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from hoyle.program.words.statements import STATEMENTS, Form

STATEMENT_WORDS = ", ".join(f"`{verb}`" for verb in STATEMENTS if verb not in ("chooses", "may", "choose", "otherwise"))

_DECISION = re.compile(r"\A(?P<seat>[A-Za-z][\w.]*(?:\s+of\s+[A-Za-z][\w.]*)*)\s+(?P<word>chooses|may|choose)\b")
_LAST_STATEMENT = re.compile(r".*:\s+(?=\S)", re.S)


def find_form(text: str) -> tuple[Form, int] | None:
    """The form of the last statement in `text`, and where that statement begins."""
    at = 0
    inner = _LAST_STATEMENT.match(text)
    if inner:
        at = inner.end()
    decision = _DECISION.match(text[at:])
    if decision:
        return STATEMENTS[decision["word"]], at + decision.start("word")
    first = re.match(r"otherwise\s+if\b|[A-Za-z]+", text[at:])
    verb = first.group().split()[-1] if first else ""
    return (STATEMENTS[verb], at) if verb in STATEMENTS else None


def go_on(form: Form, said: str, expected: Collection[str]) -> tuple[int, str] | None:
    """The index of the piece that is missing after `said`, and the example continued from there."""
    said = said.rstrip(" ,")
    words = re.findall(r"\w+|\S", said)
    last = max((i for i, piece in enumerate(form.pieces) if words and piece.key == words[-1]), default=-1)
    if last >= 0 and form.pieces[last].text != words[-1]:
        rest = [form.pieces[last].text[len(words[-1]) :].strip(), *(piece.text for piece in form.pieces[last + 1 :])]
        return last, _join(said, rest)
    heard = max((i for i, piece in enumerate(form.pieces) if i and piece.key in words), default=0)
    for index, piece in enumerate(form.pieces):
        if index > heard and piece.terminal in expected:
            return index, _join(said, [part.text for part in form.pieces[index:]])
    return None


def _join(said: str, pieces: list[str]) -> str:
    text = said
    for piece in pieces:
        text += piece if piece.startswith((",", ":")) else f" {piece}" if piece else ""
    return text


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VALUE_STARTS = _names("NAME INT CODE STRING LPAR CARDS TOP BOTTOM SUM HIGHEST LOWEST DISTINCT EACH NEW ALL MINUS")
_TEST_STARTS = _names("SOME EVERY NO NOT")
_ARITHMETIC = _names("PLUS MINUS STAR DIV MOD __ANON_0")
_TESTS = _names("COMPARE IS CAN MAY REL")
_JOINING = _names("AND OR IF")
_VERB_TERMINALS = frozenset(verb.upper() for verb in STATEMENTS) - _names("CHOOSES MAY CHOOSE OTHERWISE")
_SAID = {
    "NAME": "a name", "INT": "a number", "CODE": "a card", "STRING": "a text in quotes", "LPAR": "`(`", "RPAR": "`)`",
    "COMMA": "a comma", "COLON": "a colon", "CITE": "a citation", "CARDS": "`cards`", "REL": "a relation",
    "_NL": "the end of the line", "$END": "the end", "_INDENT": "deeper lines", "_DEDENT": "the end of the block",
}


def say_expected(expected: Collection[str]) -> str:
    """The expected terminals in words; whole classes of terminals are summarised."""
    left = set(expected) - {"COMMENT", "__IGNORE_0"}
    kinds: list[str] = []
    if left >= {"MOVE", "SCORE"}:
        kinds.append("a statement")
        left -= _VERB_TERMINALS | _VALUE_STARTS
    if left >= {"NAME", "INT", "LPAR"}:
        kinds.append("a condition or a value" if "NOT" in left else "a value")
        left -= _VALUE_STARTS | _TEST_STARTS
    tail: list[str] = []
    if left >= {"COMPARE", "IS"}:
        tail.append("a test such as `=` or `is`")
        left -= _TESTS
    if left >= {"PLUS", "STAR"}:
        tail.append("a sign such as `+`")
        left -= _ARITHMETIC
    if left >= {"AND", "OR"}:
        tail.append("`and` or `or`")
        left -= _JOINING
    ends = [_SAID[name] for name in ("_NL", "$END") if name in left]
    left -= {"_NL", "$END", "_DEDENT", "_INDENT", *(("CITE",) if ends else ())}
    words = sorted(_SAID.get(name, f"`{name.lower()}`") for name in left)
    return ", ".join([*kinds, *words, *tail, *ends[:1]])
