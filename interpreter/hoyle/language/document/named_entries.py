"""Lists where a rule file has a block of statements, or entries with names.

In: a list, and where it stands. Out: the same as a `|` block or with names, as candidates for its mending.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hoyle.base.diagnostics.report import Fix
from hoyle.base.diagnostics.spelling import near_names
from hoyle.base.source import Span
from hoyle.language.document.editing import VERBS
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence

Path = tuple[str | int, ...]

# What entries are called that have had no name: an author will know better ones.
_NAMES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def find_statements(root: Mapping, path: Path) -> Path | None:
    """Where the list of statements stands that a path leads into; none if it is no such list, or one of changes."""
    for length in range(2, len(path) + 1):
        at = path[:length]
        if at[-1] == "do" or (length == 2 and at[0] == "steps"):
            node = _find(root, at)
            return at if isinstance(node, Sequence) and not _has_changes(node) else None
    return None


def make_block(node: Sequence, *, sure: bool) -> list[Fix]:
    """The statements of a list as a `|` block."""
    source, start, end = node.span.source, node.span.start, node.span.end
    if source.text[start] == "[":
        margin = _margin(node.span) + 2
        items = [item.text.strip() for item in node.items if isinstance(item, Scalar)]
        lines = "".join(f"\n{' ' * margin}{item}" for item in items)
        if len(items) != len(node.items):
            return []
        return [Fix(node.span, items[0] if len(items) == 1 else f"|{lines}", sure)]
    begin = source.text.rfind("\n", 0, start) + 1
    if source.text[begin:start].strip():
        return []
    colon = len(source.text[:begin].rstrip())
    spare = 2 if start - begin > _margin(Span(source, colon, colon)) else 0  # the dashes leave room
    lines = "".join(f"\n{_without_dash(line)[spare:]}" for line in source.text[begin:end].split("\n"))
    return [Fix(Span(source, colon, end), f" |{lines}", sure)] if source.text[colon - 1] == ":" else []


def _without_dash(line: str) -> str:
    """A line of a list, with blanks in place of its dash, and without quotes around the whole of it."""
    bare = line.lstrip()
    margin = " " * (len(line) - len(bare))
    if not bare.startswith("- "):
        return line
    said = bare[2:].strip()
    quoted = len(said) > 1 and said[0] == said[-1] and said[0] in "'\"" and said[0] not in said[1:-1]
    return f"{margin}  {said[1:-1] if quoted else said}"


def name_items(node: Node) -> list[Fix]:
    """A list as entries with names: those that its items bear, else such as may do."""
    if not isinstance(node, Sequence) or not node.items or len(node.items) > len(_NAMES):
        return []
    source, start, end = node.span.source, node.span.start, node.span.end
    text = source.text
    if text[start] == "[":
        named = ", ".join(f"{name}: {item.span.text.strip()}" for name, item in zip(_NAMES, node.items, strict=False))
        return [Fix(node.span, f"{{{named}}}", sure=False)]
    bear_names = all(isinstance(item, Mapping) and text[item.span.start] != "{" for item in node.items)
    whose = {entry.name for item in node.items if isinstance(item, Mapping) for entry in item}
    bear_names = bear_names and whose.isdisjoint({"when", "value", "is", "offer", "do"})
    margin = " " * (start - text.rfind("\n", 0, start) - 1)
    pieces, at = [], start
    for name, item in zip(_NAMES, node.items, strict=False):
        dash = text.rfind("-", at, item.span.start)
        is_block = isinstance(item, Mapping) and text[item.span.start] != "{"
        head = "  " if bear_names else f"{name}:\n{margin}  " if is_block else f"{name}: "
        pieces += [text[at:dash], head]
        at = item.span.start
    return [Fix(node.span, "".join(pieces) + text[at:end], sure=bear_names)]


def mark_block(key: Scalar, first: Scalar) -> list[Fix]:
    """The statements below a name, of which the first has been read as a name itself, with the sign of a block."""
    source, start = key.span.source, key.span.end
    gap = source.text[start : first.span.start]
    return [Fix(Span(source, start, start + len(gap)), f": |{gap[1:]}")] if re.fullmatch(r":[^\S\n]*\n\s*", gap) else []


def _has_changes(node: Sequence) -> bool:
    """Whether something in it is said as a change of the parent's statements is, or nearly so."""
    said = {one.name for item in node.items if isinstance(item, Mapping) for one in item}
    return any(name in VERBS or any(sure for _, sure in near_names(name, VERBS)) for name in said)


def _find(root: Mapping, path: Iterable[str | int]) -> Node | None:
    node: Node | None = root
    for step in path:
        if isinstance(node, Mapping):
            node = node.get(str(step))
        elif isinstance(node, Sequence) and isinstance(step, int):
            node = node.items[step]
        else:
            return None
    return node


def _margin(span: Span) -> int:
    """How far the line is indented on which something begins."""
    text = span.source.text
    begin = text.rfind("\n", 0, span.start) + 1
    return len(text[begin : span.start]) - len(text[begin : span.start].lstrip())
