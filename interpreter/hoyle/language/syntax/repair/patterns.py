"""The pattern language of near misses, compiled to regular expressions.

In: a pattern as it stands in a row. Out: `compile_pattern`, its regular expression, the types of its holes, and the
literals of which every match contains one: most patterns need not be tried on most lines.

    word       that word, whole                    {name:type}  a hole, of a type of `holes.py`; `{name}` is a thing
    words?     the last letter may be missing      {:type}      a hole that is not reported
    (a|b)      one of them                         {name=a|b}   a hole of its own form
    [a]        optional                            {=name}      the same text again
    <a>        what is wrong, to be marked         &(a) !(a)    what must or must not follow
    blank, ~   white space, optional white space   ^ ^^ $       begin of a statement, begin and end of the text
    \\x         the sign x itself
"""

from __future__ import annotations

import re
from functools import cache

from hoyle.base.dataclass import dataclass
from hoyle.language.syntax.repair.holes_for_names import HOLES

SHORTEST_NEEDED = 2
_BEGIN = r"(?:\A|(?<=:\s))"  # at the start of the line, or after a condition
_NOT_INSIDE = r"(?!\B\w)"  # not inside a word: behind what ends with a word in one case, and with a sign in another
_HOLE = re.compile(r"\{=(?P<again>\w+)\}|\{(?P<name>\w*)(?P<sign>[:=}])")
_WORD, _BLANK, _OTHER = "word", "blank", "other"
Needed = frozenset[str]
_NOTHING: Needed = frozenset()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern; `types` are those of its holes, by name."""

    regex: str
    types: dict[str, str]
    needed: Needed


@cache
def compile_pattern(text: str) -> Pattern:
    """Compiled on first use: a file without mistakes needs almost none of the patterns."""
    reader = _Reader(text)
    regex, needed = reader.read_alternatives()
    assert reader.at == len(text), f"`{text[reader.at :]}` is too much in `{text}`"
    return Pattern(regex + reader.end_word(), reader.types, needed)


class _Reader:
    """A recursive descent over a pattern. `edge` is what the text matched so far ends with: a word of its own begins
    and ends at a word boundary, but `max[imum]` is one word."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.edge = _OTHER
        self.types: dict[str, str] = {}

    def end_word(self) -> str:
        return _NOT_INSIDE if self.edge == _WORD else ""

    def begin_word(self) -> str:
        return r"\b" if self.edge == _OTHER else ""

    def takes(self, sign: str) -> bool:
        there = self.text.startswith(sign, self.at)
        self.at += len(sign) if there else 0
        return there

    def take(self, sign: str) -> None:
        there = self.takes(sign)  # not inside the assertion, which may be left out
        assert there, f"`{sign}` is missing in `{self.text}`"

    def read_alternatives(self) -> tuple[str, Needed]:
        before = self.edge
        ways, edges = [self.read_sequence()], [self.edge]
        while self.takes("|"):
            self.edge = before
            ways.append(self.read_sequence())
            edges.append(self.edge)
        self.edge = _meet(edges)
        needed = [words for _, words in ways]
        return "|".join(regex for regex, _ in ways), _NOTHING.union(*needed) if all(needed) else _NOTHING

    def read_group(self, closing: str, name: str = "") -> tuple[str, Needed]:
        regex, needed = self.read_alternatives()
        self.take(closing)
        return (f"(?P<{name}>{regex})" if name else f"(?:{regex})"), needed

    def read_sequence(self) -> tuple[str, Needed]:
        parts: list[str] = []
        best = _NOTHING
        literal = ""
        while self.at < len(self.text) and self.text[self.at] not in "|)]>}":
            sign = self.text[self.at]
            if sign.isalpha() and self.text[self.at + 1 : self.at + 2] != "?":
                parts.append((self.begin_word() if not literal else "") + sign)
                self.edge = _WORD
                self.at += 1
                literal += sign
                continue
            part, needed = self.read_part()
            best = _choose(best, _choose(frozenset({literal}), needed))
            literal = ""
            parts.append(part)
        return "".join(parts), _choose(best, frozenset({literal}))

    def read_part(self) -> tuple[str, Needed]:
        """Anything but a letter that must be there."""
        sign = self.text[self.at]
        if sign == "{":
            return self.read_hole()
        if self.takes("&(") or self.takes("!("):
            edge, end = self.edge, self.end_word()
            regex, needed = self.read_alternatives()
            regex = f"{end}(?{'=' if sign == '&' else '!'}(?:{regex}){self.end_word()})"
            self.take(")")
            self.edge = edge
            return regex, needed if sign == "&" else _NOTHING
        self.at += 1
        if sign == "(":
            return self.read_group(")")
        if sign == "<":
            return self.read_group(">", "bad")
        if sign == "[":
            before = self.edge
            regex, _ = self.read_group("]")
            self.edge = _meet([before, self.edge])
            return regex + "?", _NOTHING
        return self.read_sign(sign), _NOTHING

    def read_sign(self, sign: str) -> str:
        if sign == "^":
            return r"\A" if self.takes("^") else _BEGIN
        if sign == "$":
            return r"\Z"
        if sign in " ~":
            end = self.end_word() if sign == "~" else ""
            self.edge = _BLANK
            return end + (r"\s+" if sign == " " else r"\s*")
        if sign == "\\":
            sign = self.text[self.at]
            self.at += 1
        regex = "['\u2019]" if sign == "'" else re.escape(sign)
        if sign.isalpha():
            regex = self.begin_word() + regex
        optional = self.takes("?")
        self.edge = _WORD if sign.isalpha() else self.edge if optional else _OTHER
        return regex + "?" if optional else regex

    def read_hole(self) -> tuple[str, Needed]:
        hole_head = _HOLE.match(self.text, self.at)
        assert hole_head is not None, f"no hole: `{self.text[self.at :]}`"
        self.at = hole_head.end()
        if hole_head["again"]:
            self.edge = _WORD
            return f"(?P={hole_head['again']})", _NOTHING
        name, kind = hole_head["name"], "thing"
        if hole_head["sign"] == "=":
            return self.read_group("}", name)
        if hole_head["sign"] == ":":
            end = self.text.index("}", self.at)
            kind = self.text[self.at : end]
            self.at = end + 1
        hole = HOLES[kind]
        begin = self.begin_word() if hole.is_word else ""
        self.edge = _WORD if hole.is_word else self.edge if hole.regex.startswith("(?<") else _OTHER
        if not name:
            return f"{begin}(?:{hole.regex})", _NOTHING
        self.types[name] = kind
        return f"{begin}(?P<{name}>{hole.regex})", _NOTHING


def _meet(edges: list[str]) -> str:
    """The edge after alternatives."""
    return _WORD if _WORD in edges else _OTHER if _OTHER in edges else _BLANK


def _choose(first: Needed, second: Needed) -> Needed:
    """Of two sets of literals that a match needs, the one that tells more."""
    better = max(first, second, key=_shortest)
    return better if _shortest(better) >= SHORTEST_NEEDED else _NOTHING


def _shortest(words: Needed) -> int:
    return min(map(len, words), default=0)
