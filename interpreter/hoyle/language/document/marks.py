"""Marks before names in a variant: `new low: …` adds an entry, `replace allowed: …` discards the old one.

In: the root of a file as read. Out: the same with marks separated from names, so that later passes see plain names;
lists of names with marks become mappings.
"""

from __future__ import annotations

import re

from hoyle.base.diagnostics.report import Label, Report
from hoyle.base.source import Span
from hoyle.language.document.clauses import Path, is_name_list, is_named
from hoyle.language.document.nodes import Entry, Mapping, Mark, Node, Scalar, Sequence

_MARKED = re.compile(r"(new|replace) +(?=\S)")
_UNMARKED = ("labels", "rulings", "rulebook", "use", "extends", "remove", "keep")  # sections without marks


def take_marks(root: Mapping, report: Report) -> Mapping:
    """The root of a file with marks separated from names."""
    entries: dict[str, Entry] = {}
    for entry in root:
        mark, key = split_mark(entry.key)
        taken = entry
        if entry.name not in _UNMARKED:
            mark, key = (mark, key) if mark == "replace" else ("", entry.key)
            taken = Entry(key, _take(entry.value, (key.text,), report), mark)
        first = entries.setdefault(taken.name, taken)
        if first is not taken:
            report_twice(first.key, taken.key, report)
    return Mapping(tuple(entries.values()), root.span)


def find_mark(node: Node) -> Entry | None:
    """The first marked entry below a node."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        found = entry if entry.mark else find_mark(entry.value)
        if found is not None:
            return found
    return None


def _take(node: Node, path: Path, report: Report) -> Node:
    if isinstance(node, Sequence) and is_name_list(path):
        marked = any(isinstance(item, Scalar) and split_mark(item)[0] for item in node)
        return names_of(node, path) if marked else node
    if not isinstance(node, Mapping):
        return node
    entries: dict[str, Entry] = {}
    for entry in node:
        mark, key = split_mark(entry.key)
        inner = (*path, key.text)
        if mark == "new" and not is_named(inner):
            mark, key, inner = "", entry.key, (*path, entry.name)
        first = entries.setdefault(key.text, Entry(key, _take(entry.value, inner, report), mark))
        if first.key is not key:
            report_twice(first.key, key, report)
    return Mapping(tuple(entries.values()), node.span)


def report_twice(first: Scalar, second: Scalar, report: Report) -> None:
    report.error(
        "duplicate-key",
        f"`{second.text}` stands here twice",
        second.span,
        "again here",
        others=(Label(first.span, "first here"),),
        hint="give one of them another name, or put both contents under one",
    )


def split_mark(key: Scalar) -> tuple[Mark, Scalar]:
    """The mark before a name, and the name."""
    found = _MARKED.match(key.text)
    rest = key.text[found.end() :] if found else ""
    # Patterns have one word or three: before two words, `replace` is a part of the pattern. `new` is reserved, so it
    # never is.
    if found is None or key.escaped or (found[1] == "replace" and len(rest.split()) == 2):
        return "", key
    body = key.body
    span = Span(body.source, body.start + found.end(), body.end)
    return ("new" if found[1] == "new" else "replace"), Scalar(rest, rest, key.style, span, span, key.escaped)


def names_of(listed: Sequence, path: Path) -> Mapping:
    """A list of names as a mapping; the value of a name is its abbreviation for attributes, an empty text for
    options."""
    entries: dict[str, Entry] = {}
    for item in listed:
        if isinstance(item, Scalar):
            mark, key = split_mark(item)
            said = "" if path[0] == "options" else key.text
            value = Scalar(said, said, "double", item.span, item.span)
            entries.setdefault(key.text, Entry(key, value, mark))
    return Mapping(tuple(entries.values()), listed.span)
