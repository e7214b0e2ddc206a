"""The merge of one file over others, by name, for modules and variants alike.

In: a base and the file that goes over it, both as mappings. Out: the merged mapping; every entry records which files
touched it.

Invariant: everything named in the base is preserved, unless the file says `remove` or `replace`. Mappings are merged
entry by entry; a bare value changes the body of a clause and keeps the rest; named conditions are added to the existing
ones. In a variant an unmarked name must exist in the base, and a name marked `new` must not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field, replace
from typing import Literal

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Span
from hoyle.language.document.clauses import GROUPS, Clause, Path, clause_at, holds_statements, is_name_list, is_named
from hoyle.language.document.editing import put_edits
from hoyle.language.document.file_limits import MAX_REMOVALS, is_full
from hoyle.language.document.marks import names_of
from hoyle.language.document.merge_errors import (
    report_already_there,
    report_clash,
    report_drop,
    report_missing,
    report_no_such_path,
    report_place,
    report_unknown,
)
from hoyle.language.document.nodes import Block, Entry, Mapping, Node, Scalar, Sequence, Touch, TouchVerb
from hoyle.language.document.paths import Removal, find_path, normal, without

# `free`: a game over its modules, any name; `strict`: a variant, which marks new names; `adding`: a module.
Mode = Literal["free", "strict", "adding"]
CARDS = ("deck", "cards")
RULE = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9a-z]+)+")


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two files that do not know each other have changed the same thing."""

    path: Path
    first: Touch
    second: Touch


@dataclass(frozen=True, slots=True)
class LeafChange:
    """A change of a single value; edits of statements have no new value."""

    by: str
    path: Path
    old: Node
    new: Node | None
    span: Span

    @property
    def is_repeat(self) -> bool:
        """Whether the new value is the same as the old one."""
        return self.new is not None and says_the_same(self.old, self.new)


@dataclass(slots=True)
class Ledger:
    """Observations of the merge, for later passes. `touched`: by file, the paths it changed or added; `used_again`: by
    file, repeated uses of a module, each with the place of the first."""

    removed: list[Removal] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    changes: list[LeafChange] = field(default_factory=list)
    touched: dict[str, list[Path]] = field(default_factory=dict)
    rules_removed: list[Scalar] = field(default_factory=list)
    used_again: dict[str, list[tuple[Span, Span]]] = field(default_factory=dict)


@dataclass(slots=True)
class Putting:
    """The merge of one file. `is_stranger` tells whether this file was written without knowing another; `use` is the
    place where a module is requested."""

    by: str
    mode: Mode
    report: Report
    ledger: Ledger
    is_stranger: Callable[[str], bool] = lambda name: False
    use: Span | None = None
    known: set[Path] = field(default_factory=set)  # further names that need not be marked as new

    def put_file(self, base: Mapping, file: Mapping) -> Mapping:
        """The base with the sections of a file merged over it."""
        self.known = set(_known_elsewhere(base))
        return self.put(base, file)

    # ---------------------------------------------------------------------------------------------- mappings
    def put(self, base: Mapping, over: Mapping, path: Path = ()) -> Mapping:
        """The entries of `base` with those of `over` merged over them, by name."""
        clause = clause_at(path)
        if clause is not None and self._changes_form(base, over, clause, path):
            return base
        merged = {normal(entry.name): entry for entry in base}
        own_place = list(clause.place_of(over)) if clause is not None else []
        wishes: list[tuple[str, Entry]] = []
        for entry in over:
            if entry in own_place:
                continue
            name, inner = normal(entry.name), (*path, entry.name)
            merged[name] = self._put_entry(merged.get(name), entry, inner, base)
            kind = clause_at(inner)
            if kind is not None and isinstance(entry.value, Mapping):
                wishes += [(name, place) for place in kind.place_of(entry.value)]
        order = list(merged)
        for name, place in wishes:
            self._place(order, name, place, merged, path)
        return Mapping(tuple(merged[name] for name in order), over.span)

    def _put_entry(self, old: Entry | None, entry: Entry, path: Path, base: Mapping) -> Entry:
        if old is None:
            self._check_is_new(entry, path, base)
            return self._fresh(entry, path)
        if entry.mark == "replace":
            self._note(path, old, entry)
            return self._fresh(entry, path, "replaces", old.touches)
        if self.mode == "adding":
            return self._add_to(old, entry, path)
        if entry.mark == "new" and not is_full(self.report):
            report_already_there(self.report, entry, old, path)
        touches = (*old.touches, Touch("changes", self.by, entry.key.span))
        return Entry(entry.key, self._put_value(old, entry, path), touches=touches)

    def _add_to(self, old: Entry, entry: Entry, path: Path) -> Entry:
        """A module adds to sections; existing entries are not changed."""
        if is_named(path):
            report_clash(self.report, self.by, entry, old, self.use)
        elif isinstance(entry.value, Mapping) and isinstance(old.value, Mapping):
            return Entry(old.key, self.put(old.value, entry.value, path), touches=old.touches)
        return old

    def _check_is_new(self, entry: Entry, path: Path, base: Mapping) -> None:
        """Report a name that does not exist and is not marked as new, with similar names as fixes."""
        if is_full(self.report):
            return
        if entry.mark == "replace":
            report_missing(self.report, entry, path, base, "nothing to replace")
        elif not entry.mark and self.mode == "strict" and is_named(path) and _known_key(path) not in self.known:
            gone = next((one for one in self.ledger.removed if one.path == path), None)
            report_unknown(self.report, self.by, entry, path, base, gone)

    # ---------------------------------------------------------------------------------------------- values
    def _put_value(self, old: Entry, entry: Entry, path: Path) -> Node:
        base, over, clause = old.value, entry.value, clause_at(path)
        if is_name_list(path):
            base, over = (names_of(node, path) if isinstance(node, Sequence) else node for node in (base, over))
        if path == CARDS and isinstance(base, Sequence):
            base = rows_of(base)
        if holds_statements(path) and isinstance(over, Sequence):
            self._note(path, old, entry, edits=True)
            return put_edits(base, over, path, self.by, self.report)
        if isinstance(over, Mapping):
            if isinstance(base, Scalar | Block) and clause is not None and clause.body:
                base = Mapping((_body_entry(clause, base, old.touches),), base.span)
            if isinstance(base, Mapping) and not _is_other_attribute(base, over, path):
                return self.put(base, over, path)
        elif isinstance(over, Scalar) and isinstance(base, Mapping) and clause is not None and clause.body:
            return self._put_bare(base, entry, over, clause, path)
        if isinstance(base, Mapping) and (path == CARDS or is_name_list(path)):
            kind = "cards" if path == CARDS else "values"
            report_drop(self.report, entry.key.span, path, base.entries, kind, over.span)
            return base
        return self._put_leaf(Entry(old.key, base, touches=old.touches), Entry(entry.key, over), path)

    def _put_leaf(self, old: Entry, entry: Entry, path: Path) -> Node:
        self._note(path, old, entry)
        return self._stamped(entry.value, path)

    def _put_bare(self, base: Mapping, entry: Entry, over: Scalar, clause: Clause, path: Path) -> Node:
        """A bare value over a clause changes its body; it is an error if this drops named parts."""
        lost = _parts_with_names(base, clause)
        if lost:
            report_drop(self.report, over.span, path, lost, _kind_of_parts(base, clause))
            return base
        body = base.entry(clause.body)
        touches = (*(body.touches if body else ()), Touch("changes", self.by, entry.key.span))
        if body is not None:
            self._put_leaf(body, Entry(entry.key, over), (*path, clause.body))
        kept = tuple(one for one in base if one.name not in clause.bodies)
        return Mapping((*kept, _body_entry(clause, over, touches)), over.span)

    def _changes_form(self, base: Mapping, over: Mapping, clause: Clause, path: Path) -> bool:
        """Whether a clause changes its form, which would drop parts of it; if so, report it."""
        given = [entry for entry in over if entry.name in clause.bodies]
        if not given or not (clause.exclusive or clause.free) or self.mode == "adding":
            return False
        names = [entry.name for entry in given]
        lost = [entry for entry in base if entry.name in clause.bodies and entry.name not in names]
        if clause.is_named_form(base):
            lost = list(base)
        if not lost:
            return False
        report_drop(self.report, given[0].key.span, path, lost, _kind_of_parts(base, clause))
        return True

    # ---------------------------------------------------------------------------------------------- ledger
    def _note(self, path: Path, old: Entry, entry: Entry, *, edits: bool = False) -> None:
        """Record a change of a single value, and a conflict with an earlier change by a file that this one does not
        know."""
        self.ledger.touched.setdefault(self.by, []).append(path)
        self.ledger.changes.append(LeafChange(self.by, path, old.value, None if edits else entry.value, entry.key.span))
        before = old.touches[-1] if old.touches else None
        if before is not None and not edits and self.is_stranger(before.by) and (
            not says_the_same(old.value, entry.value)
        ):
            self.ledger.conflicts.append(Conflict(path, before, Touch("changes", self.by, entry.key.span)))

    def _fresh(self, entry: Entry, path: Path, verb: TouchVerb = "declares", before: tuple[Touch, ...] = ()) -> Entry:
        """A new entry, with everything in it attributed to this file."""
        if verb == "declares":
            self.ledger.touched.setdefault(self.by, []).append(path)
        touch = Touch(verb, self.by, entry.key.span)
        named = is_named(path) or verb == "replaces"
        return Entry(entry.key, self._stamped(entry.value, path, is_new=named), touches=(*before, touch))

    def _stamped(self, node: Node, path: Path, *, is_new: bool = True) -> Node:
        """A value as contributed by this file; inside a new entry nothing need be marked as new."""
        if isinstance(node, Sequence) and holds_statements(path):
            return put_edits(None, node, path, self.by, self.report)
        if not isinstance(node, Mapping):
            return node
        mode = "free" if is_new and self.mode == "strict" else self.mode
        other = self if mode == self.mode else replace(self, mode=mode)
        return other.put(Mapping((), node.span), node, path)

    def _place(self, order: list[str], name: str, wish: Entry, merged: dict[str, Entry], path: Path) -> None:
        """Move a name after or before the requested neighbour."""
        assert isinstance(wish.value, Scalar)
        beside = normal(wish.value.text)
        if beside in merged and beside != name:
            order.remove(name)
            order.insert(order.index(beside) + (wish.name == "after"), name)
        elif not is_full(self.report):
            others = [entry for entry in merged.values() if normal(entry.name) != name]
            report_place(self.report, name, wish, wish.value, others, path)

    # ---------------------------------------------------------------------------------------------- removal
    def remove(self, base: Mapping, paths: Node | None) -> Mapping:
        """The base without what a file removes, by dotted paths."""
        for item in paths.items[:MAX_REMOVALS] if isinstance(paths, Sequence) else ():
            if not isinstance(item, Scalar):
                continue
            if any(one.touch.span == item.span for one in self.ledger.removed):
                continue  # a module, which has been removed already
            if RULE.fullmatch(item.text):
                self.ledger.rules_removed.append(item)
                continue
            found = find_path(base, item.text)
            if found is None and not is_full(self.report):
                report_no_such_path(self.report, base, item, "remove-missing", "nothing to remove")
            elif found is not None:
                base, entry = without(base, found)
                self.note_removal(found, entry, item.span)
        return base

    def note_removal(self, path: Path, entry: Entry, span: Span) -> None:
        touch = Touch("removes", self.by, span)
        before = entry.touches[-1] if entry.touches else None
        if before is not None and self.is_stranger(before.by):
            self.ledger.conflicts.append(Conflict(path, before, touch))
        self.ledger.touched.setdefault(self.by, []).append(path)
        self.ledger.removed.append(Removal(path, entry, touch))


def _known_elsewhere(base: Mapping) -> list[Path]:
    """Names that a file may use although they do not exist at their place: the needs of modules, and columns of
    kinds."""
    needs, kinds = base.get("needs"), base.get("kinds")
    found: list[Path] = []
    for entry in needs if isinstance(needs, Mapping) else ():
        found += [(section, normal(entry.name)) for section in ("definitions", "scores", "steps")]
    for kind in kinds if isinstance(kinds, Mapping) else ():
        for value in kind.value if isinstance(kind.value, Mapping) else ():
            columns = value.value.keys() if isinstance(value.value, Mapping) else ()
            found += [("kinds", kind.name, column) for column in columns]
    return found


def _known_key(path: Path) -> Path:
    if path[0] == "kinds" and len(path) == 4:
        return (*path[:2], path[3])
    return (*path[:-1], normal(path[-1]))


def _body_entry(clause: Clause, value: Scalar | Block, touches: tuple[Touch, ...] = ()) -> Entry:
    """The entry that a bare value stands for."""
    return Entry(Scalar(clause.body, clause.body, "plain", value.span, value.span), value, touches=touches)


def _parts_with_names(base: Mapping, clause: Clause) -> tuple[Entry, ...]:
    """The named parts of a clause that a bare value would drop: conditions, groups, cases, scores."""
    groups = [entry for entry in base if entry.name in clause.bodies and entry.name in (*GROUPS, "score")]
    if not clause.free:
        return tuple(groups)
    parts = (*clause.bodies, "text", "cite", "after", "before")
    return tuple(entry for entry in base if entry in groups or entry.name not in parts)


def _kind_of_parts(base: Mapping, clause: Clause) -> str:
    if base.entry("score") is not None:
        return "row"
    if base.entry("cases") is not None:
        return "cases"
    if clause.body == "when":
        return "ends"
    return "conditions" if clause.free else "body"


def _is_other_attribute(base: Mapping, over: Mapping, path: Path) -> bool:
    is_attribute = len(path) == 3 and path[:2] == ("deck", "attributes")
    return is_attribute and (base.entry("range") is None) != (over.entry("range") is None)


def says_the_same(one: Node, other: Node) -> bool:
    """Whether two values are equal up to layout."""
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return one.text.split() == other.text.split()
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        pairs = zip(one.items, other.items, strict=False)
        return len(one.items) == len(other.items) and all(says_the_same(a, b) for a, b in pairs)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        mine, theirs = ({entry.name: entry.value for entry in node} for node in (one, other))
        return mine.keys() == theirs.keys() and all(says_the_same(mine[name], theirs[name]) for name in mine)
    return False


def rows_of(listed: Sequence) -> Mapping:
    """The rows of a deck in list form, by name; unnamed rows get names that cannot be written."""
    entries = []
    for number, item in enumerate(listed, start=1):
        named = item.get("name") if isinstance(item, Mapping) else None
        text = named.text if isinstance(named, Scalar) else f"(row {number})"
        at = named.span if isinstance(named, Scalar) else item.span
        entries.append(Entry(Scalar(text, text, "plain", at, at), item))
    return Mapping(tuple(entries), listed.span)
