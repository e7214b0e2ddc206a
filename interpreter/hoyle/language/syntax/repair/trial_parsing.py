"""Trial parsing of single lines, to locate errors and to verify corrections.

In: a line, or a block to be split into lines. Out: `Line`s with strings and comments masked, and `read`, which tells
where a text is refused and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lark import UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.parsers.lalr_analysis import Shift

from hoyle.base.dataclass import dataclass
from hoyle.base.effort import spend
from hoyle.language.syntax.grammar import LAYOUT, grammar
from hoyle.language.syntax.reserved import VERBS

FIRST_WORDS = (*sorted(VERBS), "otherwise")

_COMMENT = re.compile(r"(?:(?<=\s)|\A)#[^\n]*")
_STRING = re.compile(r'"([^"\n]+)"')
_HIDDEN = re.compile("\"([\ue000-\uf8ff])\\1*\"")
_VERB_FIRST = re.compile(r"(?:" + "|".join(FIRST_WORDS) + r")\b")
_OPENS = re.compile(r"(?:if|otherwise|for|repeat|else|while|unless)\b[^:]*\Z")
_NO_CITATION = re.compile(r"(?:\w|[=,(]\s*|\b(?:in|of|to)\s+)\Z")  # before `[`, as in `score[seat]`, `in [J, Q]`
_FIRST_HIDDEN = 0xE000
_MOST_STRINGS = 1000
STEPS_FOR_TRIAL = 40


@dataclass(frozen=True, slots=True)
class Refusal:
    """Where a text is refused, as offsets into it, and the expected terminals."""

    start: int
    end: int
    expected: frozenset[str]


@dataclass(frozen=True, slots=True)
class Line:
    """A statement or expression with its strings masked, all offsets preserved; `tail` is its citation."""

    core: str
    tail: str
    start: int
    indent: int
    strings: tuple[str, ...]
    deeper: tuple[int, ...] = ()  # offsets in `core` at which continuation lines begin

    @property
    def opens_block(self) -> bool:
        return self.core.endswith(":")

    @property
    def lacks_colon(self) -> bool:
        """Whether it begins like a line that opens a block, but has no colon."""
        return bool(_OPENS.match(self.core))

    def reveal(self, text: str) -> str:
        """`text` with masked strings restored."""

        def put_back(found: re.Match[str]) -> str:
            index = ord(found[1]) - _FIRST_HIDDEN
            return f'"{self.strings[index]}"' if index < len(self.strings) else found[0]

        return _HIDDEN.sub(put_back, text)


def take_line(raw: str, start: int, indent: int = 0, *, cited: bool = True) -> Line:
    """The line `raw` at offset `start` of the file; `cited`: it may have a citation."""
    strings: list[str] = []

    def hide(found: re.Match[str]) -> str:
        if len(strings) >= _MOST_STRINGS:
            return found[0]
        strings.append(found[1])
        return '"' + chr(_FIRST_HIDDEN + len(strings) - 1) * len(found[1]) + '"'

    hidden = _STRING.sub(hide, raw)
    hidden = _COMMENT.sub(lambda found: " " * len(found[0]), hidden)
    deeper = tuple(found.end() for found in re.finditer(r"\n[ \t]*(?=\S)", hidden))
    hidden = re.sub(r"\s", " ", hidden)
    cut = _find_tail(hidden) if cited else len(hidden.rstrip())
    return Line(hidden[:cut], hidden[cut:].strip(), start, indent, tuple(strings), deeper)


def _find_tail(text: str) -> int:
    """Where the citations at the end of a line begin. Looked for from its end: a pattern would try every blank."""
    cut = len(text.rstrip())
    while text.endswith("]", 0, cut):
        opening = text.find("[", text.rfind("]", 0, cut - 1) + 1, cut)
        if opening < 0:
            break
        apart = len(text[:opening].rstrip())
        if _NO_CITATION.search(text, 0, opening):
            break
        cut = apart
    return cut


def split_lines(text: str, start: int) -> list[Line]:
    """The lines of a block, each with its continuation lines."""
    return list(_split_lines(text, start))


@lru_cache(maxsize=16)
def _split_lines(text: str, start: int) -> tuple[Line, ...]:
    """Cached, because every error in a long block requests all of its lines."""
    lines: list[Line] = []
    begin = end = depth = indent = 0
    opened = True
    for first, last in _physical_lines(text):
        here = len(text[first:last]) - len(text[first:last].lstrip())
        goes_on = not opened and here > indent
        is_statement = bool(_VERB_FIRST.match(text, first + here))
        if depth > 0 and not is_statement:
            goes_on = True
        elif goes_on and is_statement and end and take_line(text[begin:end], 0).lacks_colon:
            goes_on = False
        if not goes_on and end:
            lines.append(take_line(text[begin:end], start + begin, indent))
            end = 0
        if not end:
            begin, indent, depth = first + here, here, 0
        end = last
        line = take_line(text[first:last], 0)
        depth += line.core.count("(") - line.core.count(")")
        opened = line.opens_block
    if end:
        lines.append(take_line(text[begin:end], start + begin, indent))
    return tuple(lines)


def _physical_lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for raw in text.split("\n"):
        bare = raw.strip()
        if bare and not bare.startswith("#"):
            yield at, at + len(raw.rstrip())
        at += len(raw) + 1


def read(start: str, text: str, relations: frozenset[str]) -> Refusal | None:
    """The refusal of `text`, if it does not parse; a line that opens or continues a block is completed first."""
    spend(count_trial(text))
    return find_refusal(start, text, relations)


def count_trial(text: str) -> int:
    """The effort of a trial parse, in steps."""
    return STEPS_FOR_TRIAL + len(text)


# The functions below are cached and charge no effort: a line is parsed again whenever a correction of another is tried.
@lru_cache(maxsize=5_000)
def is_readable(start: str, text: str, relations: frozenset[str]) -> bool:
    """Whether `text` parses; faster than `find_refusal`, which also determines the expected terminals."""
    before, after = _surround(start, text)
    try:
        _parse(start, before + text + after, relations)
    except UnexpectedInput:
        return False
    return True


@lru_cache(maxsize=5_000)
def find_refusal(start: str, text: str, relations: frozenset[str]) -> Refusal | None:
    """Where `text` is refused, if it does not parse."""
    before, after = _surround(start, text)
    try:
        _parse(start, before + text + after, relations)
    except UnexpectedInput as error:
        first, last, expected = _place(error, len(before) + len(text))
        return Refusal(max(0, first - len(before)), max(0, last - len(before)), frozenset(expected))
    return None


def _surround(start: str, text: str) -> tuple[str, str]:
    """Text before and after a line that makes it parsable by itself."""
    if start != "steps":
        return "", ""
    return "if x: do x\n" if re.match(r"otherwise\b", text) else "", " do x" if text.endswith(":") else ""


def _parse(start: str, text: str, relations: frozenset[str]) -> None:
    LAYOUT.prepare(relations, statements=start == "steps", lines=start == "steps", base=0, end=len(text))
    grammar().parse(text, start=start)


def _list_accepted(error: UnexpectedToken) -> set[str]:
    """The terminals that the parser would accept: those that can be shifted, after reductions. Equivalent to Lark's
    `error.accepts`, which runs a copy of the parser for each terminal."""
    parser: Any = error.interactive_parser
    if parser is None:
        return set()
    table, stack = parser.parser_state.parse_conf, parser.parser_state.state_stack
    return {name for name in table.states[stack[-1]] if name.isupper() and _is_accepted(table, list(stack), name)}


def _is_accepted(table: Any, stack: list[Any], name: str) -> bool:
    states = table.states
    while (step := states[stack[-1]].get(name)) is not None:
        action, rule = step
        if action is Shift:
            return True
        if rule.expansion:
            del stack[-len(rule.expansion) :]
        stack.append(states[stack[-1]][rule.origin.name][1])
        if name == "$END" and stack[-1] == table.end_state:
            return True
    return False


def _place(error: UnexpectedInput, end: int) -> tuple[int, int, set[str]]:
    if isinstance(error, UnexpectedToken):
        token = error.token
        expected = _list_accepted(error) or set(error.expected)
        if token.type in ("$END", "_NL", "_DEDENT") or token.start_pos is None or token.start_pos >= end:
            return end, end, expected
        return token.start_pos, token.start_pos + max(1, len(str(token))), expected
    if isinstance(error, UnexpectedCharacters):
        return error.pos_in_stream or 0, (error.pos_in_stream or 0) + 1, set()  # a character outside the language
    return end, end, set()
