"""Pretty-prints YAML nodes.

In: a node tree, the remarks of the sources it came from, a style. Out: lines. Values keep their spelling; this module
decides line breaks, indentation, and whether a collection is in block or flow style.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Several
from dataclasses import field

from hoyle.authoring.formatting.comments import Remarks, is_flow
from hoyle.authoring.formatting.scalars import (
    find_header,
    fold_words,
    is_broken,
    is_null,
    loosen,
    print_block_scalar,
    spell,
    split_words,
)
from hoyle.authoring.formatting.style import INDENT, LAST, Style, rank_key
from hoyle.base.dataclass import dataclass
from hoyle.base.source import Source
from hoyle.language.document.clauses import clause_at, is_named
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence

Path = tuple[str, ...]
_BLOCKS = ("literal", "folded")
RULE_KEYS = {"is", "when", "value", "offer", "for_each", "score", "require", "do", "possible", "allowed", "forbidden"}


@dataclass(slots=True)
class Printer:
    """Prints one tree. `is_game`: it is a game or a module, whose clauses the style may reorder and restyle."""

    style: Style
    remarks: Callable[[Source], Remarks]
    is_game: bool = False
    lines: list[str] = field(default_factory=list)

    # ---------------------------------------------------------------------------------------------- block style
    def print_root(self, root: Mapping, head: Several[str] = ()) -> str:
        self.lines += head
        self._mapping(root, 0, (), tight=False)
        while self.lines and not self.lines[0]:
            del self.lines[0]
        return "\n".join(self.lines) + "\n"

    def _mapping(self, node: Mapping, indent: int, path: Path, lead: str = "", *, tight: bool = True) -> None:
        """Print the entries of a mapping in block style; `lead` replaces the indentation of the first, and `tight`
        suppresses a blank line above it."""
        entries = self.order(node, path)
        if is_flow(node):
            entries = [Entry(entry.key, loosen(entry.value)) for entry in entries]
        gaps = find_gaps(entries, [self._is_beside(entry, indent, path) for entry in entries])
        for number, entry in enumerate(entries):
            start = lead if number == 0 and lead else " " * indent
            self._above(entry.key, start, number == 0 and tight)
            opening = f"{start}{spell(entry.key)}:"
            self._value(entry.value, opening, gaps[number], indent, (*path, entry.name), entry.key)
            self._after(entry.key, indent)

    def _is_beside(self, entry: Entry, indent: int, path: Path) -> bool:
        """Whether a value begins on the line of its key, before and after formatting."""
        value, key = entry.value, entry.key
        if value.span.source is not key.span.source or value.span.line != key.span.line:
            return False
        if isinstance(value, Scalar):
            return value.style not in _BLOCKS and bool(value.span.text)
        assert isinstance(value, Mapping | Sequence)
        return self.stays_flow(value, indent + len(spell(key)) + 2, (*path, entry.name))

    def order(self, node: Mapping, path: Path) -> list[Entry]:
        """Return the entries in the order of the style."""
        if not (self.style.ordered and self.is_clause(path)):
            return list(node.entries)
        # Names chosen by the author keep their order, which can be significant: rows, conditions, values of kinds.
        named = {entry.name for entry in node if is_named((*path, entry.name))}
        return sorted(node, key=lambda entry: LAST if entry.name in named else rank_key(entry.name))

    def is_clause(self, path: Path) -> bool:
        """Whether there is a clause at a path."""
        return self.is_game and len(path) > 1 and clause_at(path) is not None

    def _sequence(self, node: Sequence, indent: int, path: Path) -> None:
        for number, item in enumerate(node):
            dash = " " * indent + "- "
            inner = (*path, str(number))
            if isinstance(item, Mapping) and not self.stays_flow(item, len(dash), inner):
                if is_flow(item):
                    self._above(item, dash, number == 0)
                self._mapping(item, indent + INDENT, inner, dash, tight=number == 0)
                if is_flow(item):
                    self._after(item, indent)
                continue
            self._above(item, dash, number == 0)
            self._value(item, " " * indent + "-", 1, indent, inner, item)
            self._after(item, indent)

    def _value(self, node: Node, opening: str, gap: int, indent: int, path: Path, owner: Node) -> None:
        """Print a value after its key or dash."""
        end = self.remarks(owner.span.source).of(owner.span.start).end
        if isinstance(node, Scalar) and node.style in _BLOCKS:
            self._add(f"{opening} {find_header(node)}", end)
            self.lines += print_block_scalar(node, indent + INDENT)
        elif isinstance(node, Scalar) and not node.span.text:
            self._add(opening, end)
        elif not isinstance(node, Mapping | Sequence) or self.stays_flow(node, len(opening) + gap, path):
            opening += " " * gap
            first, *rest = self.fold(node, len(opening), indent + INDENT, 0, path)
            self.lines += [opening + first, *rest]
            self._add(self.lines.pop(), end)
        elif not (node.entries if isinstance(node, Mapping) else node.items):
            self._add(opening + (" {}" if isinstance(node, Mapping) else " []"), end)
        else:
            self._add(opening, end)
            if isinstance(node, Mapping):
                self._mapping(node, indent + INDENT, path)
            else:
                self._sequence(node, indent + INDENT, path)

    # ---------------------------------------------------------------------------------------------- remarks
    def _add(self, line: str, end: object) -> None:
        """Print a line with its end-of-line comment, in the comment's original column if possible."""
        column, text = getattr(end, "column", 0), getattr(end, "text", "")
        self.lines.append(f"{line.ljust(max(column, len(line) + 2))}{text}" if text else line)

    def _above(self, owner: Node, lead: str, first: bool) -> None:
        above = self.remarks(owner.span.source).of(owner.span.start).above
        indent = len(lead) - len(lead.lstrip(" "))
        for number, line in enumerate(above):
            if line or not (first and number == 0):
                self.lines.append(" " * indent + line if line else "")

    def _after(self, owner: Node, indent: int) -> None:
        for line in self.remarks(owner.span.source).of(owner.span.start).after:
            self.lines.append(" " * indent + line if line else "")

    # ---------------------------------------------------------------------------------------------- flow style
    def stays_flow(self, node: Mapping | Sequence, column: int, path: Path) -> bool:
        """Whether a collection stays in flow style: it was, and nothing in it requires block style."""
        return is_flow(node) and not self._wants_block(node, column, path)

    def _wants_block(self, node: Mapping | Sequence, column: int, path: Path) -> bool:
        if self.remarks(node.span.source).stand_inside(node):
            return True
        if isinstance(node, Mapping) and self.is_game:
            most, beyond = self.style.block_from, self.style.block_beyond
            if most is not None and len(node.entries) >= most and self.is_clause(path):
                return True
            if beyond is not None and column + len(self.inline(node, path)) > beyond:
                return True
        parts = [(entry.name, entry.value) for entry in node] if isinstance(node, Mapping) else [
            (str(number), item) for number, item in enumerate(node)
        ]  # fmt: skip
        return any(
            isinstance(part, Mapping | Sequence) and self._wants_block(part, column, (*path, name))
            for name, part in parts
        )

    def inline(self, node: Node, path: Path) -> str:
        """Format a node on one line, collections in flow style."""
        if isinstance(node, Scalar):
            return " ".join(split_words(node))
        if isinstance(node, Mapping):
            entries = self.order(node, path)
            parts = [f"{spell(each.key)}: {self.inline(each.value, (*path, each.name))}".rstrip() for each in entries]
            return "{" + ", ".join(parts) + "}"
        assert isinstance(node, Sequence), "statements that files have edited are no text of any of them"
        return "[" + ", ".join(self.inline(item, (*path, str(n))) for n, item in enumerate(node)) + "]"

    def fold(self, node: Node, column: int, indent: int, tail: int, path: Path) -> list[str]:
        """Format a node as lines: the first begins at `column`, the others are indented; `tail` characters follow the
        last."""
        line = self.inline(node, path)
        if column + len(line) + tail <= self.style.width and not (isinstance(node, Scalar) and is_broken(node)):
            return [line]
        if isinstance(node, Scalar):
            is_rule = path[-1] in RULE_KEYS or self.is_clause(path)
            return fold_words(node, column, indent, tail, self.style.width, is_rule=is_rule)
        assert isinstance(node, Mapping | Sequence)
        kept = self._fill(node, column, indent, tail, path, keep=True)
        return kept if kept is not None else self._fill(node, column, indent, tail, path, keep=False) or []

    def _fill(
        self, node: Mapping | Sequence, column: int, indent: int, tail: int, path: Path, *, keep: bool
    ) -> list[str] | None:
        """Format a flow collection with as many parts on each line as fit. `keep` breaks lines only where the author
        did; None if that does not fit."""
        opening, closing = ("{", "}") if isinstance(node, Mapping) else ("[", "]")
        lines = [opening]
        parts = list(self._list_parts(node, path))
        for number, (prefix, part, begins, inner) in enumerate(parts):
            is_last = number == len(parts) - 1
            following = tail + 1 if is_last else 1
            shift = column if len(lines) == 1 else 0
            width = len(prefix) + len(self.inline(part, inner)) + following
            if number:
                fits = shift + len(lines[-1]) + 1 + width <= self.style.width
                if keep and not fits and not begins:
                    return None
                if begins if keep else not fits:
                    lines.append(" " * indent)
                    shift = 0
                else:
                    lines[-1] += " "
            first, *rest = self.fold(part, shift + len(lines[-1]) + len(prefix), indent + INDENT, following, inner)
            lines[-1] += prefix + first
            lines += rest
            lines[-1] += closing if is_last else ","
        return lines if parts else [opening + closing]

    def _list_parts(self, node: Mapping | Sequence, path: Path) -> Iterator[tuple[str, Node, bool, Path]]:
        """Yield the parts of a collection: prefix, value, whether the author began a line with it, and path."""
        if isinstance(node, Mapping):
            for entry in self.order(node, path):
                prefix = f"{spell(entry.key)}: " if not is_null(entry.value) else f"{spell(entry.key)}:"
                yield prefix, entry.value, begins_line(entry.key), (*path, entry.name)
        else:
            for number, item in enumerate(node):
                yield "", item, begins_line(item), (*path, str(number))


def find_gaps(entries: Several[Entry], beside: Several[bool]) -> list[int]:
    """Return the number of blanks after the colon of each entry: one, or more if the author has aligned the values of
    adjacent entries. `beside` tells which values are on the line of their key."""
    gaps = [1] * len(entries)
    run: list[int] = []
    for number in range(len(entries) + 1):
        goes_on = number < len(entries) and beside[number]
        if goes_on and not (run and has_blank_between(entries[run[-1]], entries[number])):
            run.append(number)
            continue
        if len(run) > 1 and is_aligned([entries[each] for each in run]):
            widest = max(len(spell(entries[each].key)) for each in run)
            for each in run:
                gaps[each] = widest - len(spell(entries[each].key)) + 1
        run = [number] if goes_on else []
    return gaps


def has_blank_between(first: Entry, second: Entry) -> bool:
    source = first.value.span.source
    if second.key.span.source is not source or second.key.span.start < first.value.span.end:
        return True
    between = source.text[first.value.span.end : second.key.span.start]
    return any(not line.strip() for line in between.split("\n")[1:-1])


def is_aligned(entries: Several[Entry]) -> bool:
    columns = {entry.value.span.column for entry in entries}
    return len(columns) == 1 and any(entry.value.span.start - entry.key.span.end > 2 for entry in entries)


def begins_line(node: Node) -> bool:
    """Whether a node is the first on its line."""
    source, start = node.span.source, node.span.start
    return not source.text[source.text.rfind("\n", 0, start) + 1 : start].strip()
