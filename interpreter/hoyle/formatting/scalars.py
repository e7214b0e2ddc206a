"""Single values: how they are spelled, broken into lines and moved to another depth.

In: scalars. Out: their text. A value is only broken where YAML reads the line end as one blank.
"""

from __future__ import annotations

import re

from hoyle.document.nodes import Node, Scalar
from hoyle.document.quoting import quote
from hoyle.formatting.style import INDENT
from hoyle.source import Source, Span

CONNECTIVES = {"and", "or", "where", "with", "otherwise"}


def spell(key: Scalar) -> str:
    """A key as it is written."""
    return " ".join(key.span.text.split()) if key.span.text else key.text


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.span.text


def split_words(node: Scalar) -> list[str]:
    """The pieces a value may be broken between: never where it holds more than one blank."""
    lines = [line.strip() for line in node.span.text.split("\n")]
    if "" in lines[1:-1]:  # a blank line inside a value stands for a line end
        return [node.span.text]
    return re.split(r"(?<! ) (?! )", " ".join(lines))


def is_broken(node: Scalar) -> bool:
    """Whether the author has broken a value into lines."""
    return "\n" in node.span.text


def fold_words(node: Scalar, column: int, indent: int, tail: int, width: int, *, is_rule: bool = False) -> list[str]:
    """A long value in several lines: as its author broke them if they fit, else as many words as fit on each. A rule is
    broken before a connecting word if there is one beyond the first third of its line."""
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
    """How many words fit into a line, at least one; `tail` signs follow the last of all."""
    length = -1
    for number, word in enumerate(words):
        length += 1 + len(word)
        if length + (tail if number == len(words) - 1 else 0) > room:
            return max(1, number)
    return len(words)


def can_begin(word: str) -> bool:
    """Whether a line of a value may begin with a word: not if YAML would take it for something else."""
    return not word.startswith("#")


def find_header(node: Scalar) -> str:
    """What opens a block of text, without a comment after it."""
    header = node.span.text.split("\n", 1)[0].split("#")[0].strip()
    return re.sub(r"[1-9]", str(INDENT), header)


def print_block_scalar(node: Scalar, indent: int) -> list[str]:
    """The lines of a block of text at another depth."""
    lines = [line.rstrip() for line in node.body.text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    first = next((line for line in lines if line), "")
    inside = next((line for line in node.text.split("\n") if line.strip()), "")
    cut = (len(first) - len(first.lstrip(" "))) - (len(inside) - len(inside.lstrip(" ")))
    return [" " * indent + line[cut:] if line else "" for line in lines]


def loosen(node: Node) -> Node:
    """A value that leaves its braces: the quotes it needed there are left out."""
    if not isinstance(node, Scalar) or node.style not in ("single", "double") or node.escaped or is_broken(node):
        return node
    return make_scalar(node.text) if quote(node.text) == node.text else node


def make_scalar(text: str, flow: bool = False) -> Scalar:
    """A value that stands in no file yet."""
    written = quote(text, flow)
    span = Span(Source("", written), 0, len(written))
    return Scalar(text, text, "plain" if written == text else "double", span, span)
