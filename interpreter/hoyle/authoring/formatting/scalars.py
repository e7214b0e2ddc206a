"""Formats scalars: spelling, line breaks and indentation.

In: scalars. Out: their text. Lines are only broken where YAML folds the break to a single blank.
"""

from __future__ import annotations

import re

from hoyle.authoring.formatting.style import INDENT
from hoyle.base.source import Source, Span
from hoyle.language.document.nodes import Node, Scalar
from hoyle.language.document.quoting import quote

CONNECTIVES = {"and", "or", "where", "with", "otherwise"}


def spell(key: Scalar) -> str:
    """Return a key as written in the source."""
    return " ".join(key.span.text.split()) if key.span.text else key.text


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.span.text


def split_words(node: Scalar) -> list[str]:
    """Split a value at the places where it can be broken: single blanks only."""
    lines = [line.strip() for line in node.span.text.split("\n")]
    if "" in lines[1:-1]:  # a blank line inside a value is a line break of its content
        return [node.span.text]
    return re.split(r"(?<! ) (?! )", " ".join(lines))


def is_broken(node: Scalar) -> bool:
    """Whether a value spans several lines in the source."""
    return "\n" in node.span.text


def fold_words(node: Scalar, column: int, indent: int, tail: int, width: int, *, is_rule: bool = False) -> list[str]:
    """Break a long value into lines: as in the source if they fit, else with as many words on each line as fit. Rules
    are preferably broken before a connecting word, if there is one beyond the first third of the line."""
    if is_broken(node):
        lines = [line.strip() for line in node.span.text.split("\n")]
        lengths = [(indent if number else column) + len(line) for number, line in enumerate(lines)]
        lengths[-1] += tail
        if max(lengths) <= width or "" in lines[1:-1]:
            return [lines[0], *(" " * indent + line if line else "" for line in lines[1:])]
    found: list[str] = []
    words = split_words(node)
    while words:
        room = width - (indent if found else column)
        number = count_fitting(words, room, tail)
        if is_rule and number < len(words):
            half = [i for i in range(1, number + 1) if words[i] in CONNECTIVES and len(" ".join(words[:i])) > room // 3]
            number = half[-1] if half else number
        while number < len(words) and not can_begin(words[number]):
            number += 1
        found.append(" ".join(words[:number]))
        words = words[number:]
    return [found[0], *(" " * indent + line for line in found[1:])]


def count_fitting(words: list[str], room: int, tail: int) -> int:
    """Return how many words fit into a line, at least one; `tail` characters follow the last word of all."""
    length = -1
    for number, word in enumerate(words):
        length += 1 + len(word)
        if length + (tail if number == len(words) - 1 else 0) > room:
            return max(1, number)
    return len(words)


def can_begin(word: str) -> bool:
    """Whether a continuation line can begin with a word without changing its meaning in YAML."""
    return not word.startswith("#")


def find_header(node: Scalar) -> str:
    """Return the header of a block scalar, without a comment after it."""
    header = node.span.text.split("\n", 1)[0].split("#")[0].strip()
    return re.sub(r"[1-9]", str(INDENT), header)


def print_block_scalar(node: Scalar, indent: int) -> list[str]:
    """Format the lines of a block scalar at another indentation."""
    lines = [line.rstrip() for line in node.body.text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    first = next((line for line in lines if line), "")
    inside = next((line for line in node.text.split("\n") if line.strip()), "")
    cut = (len(first) - len(first.lstrip(" "))) - (len(inside) - len(inside.lstrip(" ")))
    return [" " * indent + line[cut:] if line else "" for line in lines]


def loosen(node: Node) -> Node:
    """Remove quotes that a value needed only in flow style."""
    if not isinstance(node, Scalar) or node.style not in ("single", "double") or node.escaped or is_broken(node):
        return node
    return make_scalar(node.text) if quote(node.text) == node.text else node


def make_scalar(text: str, flow: bool = False) -> Scalar:
    """Create a scalar that is in no file, quoted as needed."""
    written = quote(text, flow)
    span = Span(Source("", written), 0, len(written))
    return Scalar(text, text, "plain" if written == text else "double", span, span)
