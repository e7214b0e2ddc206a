"""Warnings for variants: texts that may no longer hold, names that have become unused, repetitions of the parent.

In: a file, its merged document, and a way to read a file without one of its changes. Out: warnings at lines of the
file.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Label, Report
from hoyle.base.shipped import GAME_SUFFIX, game_name
from hoyle.base.source import Span
from hoyle.language.declare.declarations import Declarations
from hoyle.language.declare.usage import list_cited, list_unused
from hoyle.language.document.clauses import Path, clause_at, declared_name, holds_statements
from hoyle.language.document.combining import LeafChange
from hoyle.language.document.files import GameFile
from hoyle.language.document.merge_errors import report_no_such_path
from hoyle.language.document.merging import Document
from hoyle.language.document.nodes import Block, Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.paths import entry_at, find_path, shown
from hoyle.language.document.variant_changes import Change, list_changes, without_change
from hoyle.language.variants.differences import short_path
from hoyle.language.variants.edited_lines import list_statements
from hoyle.language.variants.listed import items_at, join, report_listed_twice, without_items
from hoyle.language.variants.numbers import numbers_in, says_number

Read = Callable[[GameFile], Declarations | None]

_RULES = ("definitions", "scores", "actions", "choices", "ends", "steps", "winners", "utility", "hints")
_PLACES = ("zones", "state", "kinds")
_BESIDE = ("text", "cite", "label", "call", "quiet", "after", "before", "of", "takes")
MOST_TRIALS = 12
MOST_LISTED = 6
LEAST_REPEATED = 3  # statements


def check_variant(file: GameFile, document: Document, declared: Declarations, read: Read, report: Report) -> None:
    """Report all warnings for a variant, and for any file what it lists twice."""
    report_listed_twice(file, document, report)
    if not file.parents:
        return
    _check_title(file, report)
    lint = _Lint(file, document, declared, report, _read_kept(file, document, report))
    lint.report_repeats()
    lint.report_stale()
    lint.report_untranslated()
    lint.report_unused(read)


def check_file_name(file: GameFile, report: Report) -> None:
    """Report a file whose name differs from that of its game, by which variants and people refer to it."""
    named = file.root.entry("game") if file.path.name.endswith(GAME_SUFFIX) else None
    if named is not None and isinstance(named.value, Scalar) and named.value.text != game_name(file.path):
        report.error(
            "other-file-name",
            f"the game is called `{named.value.text}` and its file `{file.path.name}`",
            named.value.span,
            hint=f"call the file `{named.value.text}.game.yaml`, or the game `{game_name(file.path)}`",
        )


def _check_title(file: GameFile, report: Report) -> None:
    named, said = file.root.entry("game"), file.root.entry("title")
    if named is None:
        return
    taken = [title for parent in file.parents if (title := parent.root.get("title")) is not None]
    if said is None or any(_text(said.value) == _text(title) for title in taken):
        report.error(
            "missing-title",
            f"`{file.name}` has the title of its parent",
            named.key.span if said is None else said.value.span,
            hint=f"{'add' if said is None else 'change'} `title:`, so that players can tell the two apart",
        )


def _read_kept(file: GameFile, document: Document, report: Report) -> set[str]:
    """What the variant declares as still valid: paths of clauses, numbers of rules."""
    listed = file.root.get("keep")
    rules = document.rules.keys() if document.rules is not None else ()
    kept: set[str] = set()
    for item in listed if isinstance(listed, Sequence) else ():
        if not isinstance(item, Scalar):
            continue
        found = find_path(document.root, item.text)
        if found is None and item.text not in rules:
            report_no_such_path(report, document.root, item, "keep-missing", "nothing to keep")
        kept.add(shown(short_path(found)) if found is not None else item.text)
    return kept


@dataclass(slots=True)
class _Lint:
    file: GameFile
    document: Document
    declared: Declarations
    report: Report
    kept: set[str]

    @property
    def changes(self) -> list[LeafChange]:
        """The single values of rules that the file itself changes."""
        return [one for one in self.document.ledger.changes if one.by == self.file.name]

    # ---------------------------------------------------------------------------------------------- repetitions
    def report_repeats(self) -> None:
        """Report values equal to those of the parent: they look like changes, and would mask a later change of the
        parent."""
        for change in self.changes:
            if change.is_repeat and change.path != ("title",):
                self.report.error(
                    "same-as-parent",
                    f"`{shown(short_path(change.path))}` is so already",
                    change.span,
                    others=(Label(change.old.span.first_line, "said here"),),
                    hint="leave it out",
                )
            elif holds_statements(change.path) and isinstance(change.new, Scalar):
                self._report_repeated_statements(change)

        self._report_repeated_modules()

    def _report_repeated_modules(self) -> None:
        """Report modules that the parent uses already, as one diagnostic, because the fix concerns a single line."""
        again = self.document.ledger.used_again.get(self.file.name, [])
        again = [(place, first) for place, first in again if first.source != place.source]
        used = self.file.root.entry("use")
        if not again or used is None or not isinstance(used.value, Sequence):
            return
        places = [place for place, _ in again]
        names = list(dict.fromkeys(f"`{place.text}`" for place in places))
        fix = without_items(used, used.value, items_at(used.value, places))
        self.report.error(
            "same-as-parent",
            f"{join(names)} {'is' if len(names) == 1 else 'are'} used already",
            places[0],
            others=[Label(first, "said here") for first in dict.fromkeys(first for _, first in again)],
            hint=() if fix is not None else "leave it out",
            fix=fix,
        )

    def _report_repeated_statements(self, change: LeafChange) -> None:
        assert isinstance(change.new, Scalar)
        if not isinstance(change.old, Scalar | Block):
            return
        old, new = (list_statements(node, self.document.root) for node in (change.old, change.new))
        before, after = ([(line.depth, line.text) for line in lines] for lines in (old, new))
        same = sum(block.size for block in difflib.SequenceMatcher(None, before, after, False).get_matching_blocks())
        if same < LEAST_REPEATED or 2 * same < len(new):
            return
        self.report.error(
            "repeats-parent",
            f"{same} of these {len(new)} statements are those of the parent",
            change.span,
            others=(Label(change.old.span.first_line, "they stand here"),),
            hint="say only what differs: `- {after: STATEMENT, do: …}`, `replace`, `remove`, `first` or `last`",
        )

    # ---------------------------------------------------------------------------------------------- stale texts
    def report_stale(self) -> None:
        """Report texts that may be stale because of a change: the text of the changed clause and, if a number changes,
        every related text and rule that mentions it."""
        told: set[str] = set(self.kept)
        for changes in self._changes_by_clause():
            texts: list[Path] = []
            rules: list[str] = []
            for change in changes:
                near = self._find_sentence(change.path)
                found = [near] if near is not None else []
                for number in _lost_numbers(change):
                    found += [clause for clause in self._concerned(change.path) if self._says(clause, number)]
                    rules += [rule for rule in self._cited_near(change.path) if self._rule_says(rule, number)]
                texts += [clause for clause in found if shown(clause) not in told]
                told |= {shown(clause) for clause in found}
            rules = [rule for rule in dict.fromkeys(rules) if rule not in told]
            told |= set(rules)
            if texts or rules:
                self._report_stale(changes, list(dict.fromkeys(texts)), rules)

    def _changes_by_clause(self) -> list[list[LeafChange]]:
        """The changes of rules, grouped by action, definition or row."""
        groups: dict[Path, list[LeafChange]] = {}
        for change in self.changes:
            if change.path[0] in (*_RULES, *_PLACES) and change.path[-1] not in _BESIDE and not change.is_repeat:
                length = 3 if change.path[0] in ("actions", "scores", "choices") else 2
                groups.setdefault(change.path[:length], []).append(change)
        return list(groups.values())

    def _find_sentence(self, path: Path) -> Path | None:
        """The nearest enclosing clause with a text that is inherited."""
        for length in range(len(path) - 1, 1, -1) if path[0] in _RULES else ():
            entry = entry_at(self.document.root, path[:length])
            said = entry.value.entry("text") if entry is not None and isinstance(entry.value, Mapping) else None
            if said is not None:
                return None if self._is_own(said) else path[:length]
        return None

    def _is_own(self, entry: Entry) -> bool:
        return bool(entry.touches) and entry.touches[-1].by == self.file.name

    def _says(self, clause: Path, number: int) -> bool:
        return any(says_number(_text(entry.value), number) for entry in self._list_said(clause))

    def _list_said(self, clause: Path) -> list[Entry]:
        """The inherited texts of a clause that players read: text, label, call."""
        found = (entry_at(self.document.root, (*clause, part)) for part in ("text", "label", "call"))
        return [entry for entry in found if entry is not None and not self._is_own(entry)]

    def _rule_says(self, rule: str, number: int) -> bool:
        declared = self.declared.rules.get(rule)
        said = entry_at(self.document.root, ("rulings", rule))
        restated = said is not None and self._is_own(said)
        return declared is not None and not restated and says_number(declared.text, number)

    def _report_stale(self, changes: list[LeafChange], texts: list[Path], rules: list[str]) -> None:
        name = shown(short_path(changes[0].path))
        entries = [self._list_said(clause)[0] for clause in texts]
        said = [f"the text of `{shown(clause)}`" if shown(clause) != name else "its text" for clause in texts]
        said += [f"the rule {rule}" for rule in rules]
        quoted = _text(entries[0].value) if entries else self.declared.rules[rules[0]].text
        languages = [f"`{one}`" for one, known in self._messages() if any(_text(e.value) in known for e in entries)]
        also = f", as in {', '.join(languages)}" if languages else ""
        places = [*map(shown, texts), *rules]
        hints = [f"give the clause a `{entries[0].name}:` of its own"] if entries else []
        hints += [f"say how the rule reads here: `rulings: {{{rules[0]}: …}}`"] if rules else []
        hints += [f"what holds all the same: `keep: [{', '.join(places[:MOST_LISTED])}]`"]
        self.report.error(
            "stale-text",
            f"`{name}` is changed, and {join(said)} {'stay' if len(said) > 1 else 'stays'}{also}: \"{_cut(quoted)}\"",
            changes[0].span,
            others=[Label(entry.value.span.first_line, "does this still hold?") for entry in entries[:3]],
            hint=hints,
        )

    def _messages(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The translated texts, by language."""
        languages = self.document.root.get("labels")
        for entry in languages if isinstance(languages, Mapping) else ():
            said = entry.value.get("messages") if isinstance(entry.value, Mapping) else None
            if isinstance(said, Mapping):
                names = said.keys()
                yield entry.name, tuple(" ".join(name.split()) for name in names)

    def report_untranslated(self) -> None:
        """Report texts that replace translated ones and have no translation, where the file speaks the language itself:
        a variant may be in fewer languages than its parent."""
        labels = self.file.root.get("labels")
        spoken = {entry.name for entry in labels.entries} if isinstance(labels, Mapping) else set()
        for change in self.changes:
            if change.path[-1] != "text" or not isinstance(change.old, Scalar) or not isinstance(change.new, Scalar):
                continue
            old, new = (" ".join(node.text.split()) for node in (change.old, change.new))
            for language, said in self._messages():
                if language in spoken and old in said and new not in said:
                    self.report.error(
                        "untranslated",
                        f"the sentence that was here is translated into `{language}`, this one is not",
                        change.new.span,
                        others=(Label(change.old.span.first_line, "it was this"),),
                        hint=f"add it: `labels: {{{language}: {{messages: {{…}}}}}}`",
                    )

    def _concerned(self, path: Path) -> Iterator[Path]:
        """The clauses that enclose a place, and those that use its declaration."""
        for length in range(len(path) - 1, 1, -1):
            yield path[:length]
        if path[0] in ("definitions", *_PLACES):
            waiting, seen = [declared_name(path[1])], set()
            while waiting:
                name = waiting.pop()
                if name not in seen:
                    seen.add(name)
                    users = list(self._users_of(name))
                    yield from users
                    waiting += [declared_name(clause[1]) for clause in users if clause[0] == "definitions"]

    def _cited_near(self, path: Path) -> tuple[str, ...]:
        """The rules cited by the nearest enclosing clause."""
        for length in range(len(path) - 1, 1, -1):
            entry = entry_at(self.document.root, (*path[:length], "cite"))
            if entry is not None:
                items = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
                return tuple(item.text for item in items if isinstance(item, Scalar))
        return ()

    def _users_of(self, name: str) -> Iterator[Path]:
        """The clauses whose rules mention a name."""
        word = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
        for section in _RULES:
            entry = self.document.root.entry(section)
            if entry is not None:
                yield from _users_below(entry.value, (section,), word)

    # ---------------------------------------------------------------------------------------------- unused declarations
    def report_unused(self, read: Read) -> None:
        """Report what the parents use and this file makes unused, at the change that causes it."""
        unused = {path for path in list_unused(self.declared, self.kept) - self.kept if self._is_inherited(path)}
        uncited = self.declared.rules.keys() - list_cited(self.declared)
        if not unused and not uncited:
            return
        before: set[str] = set()
        cited: set[str] = set()
        for parent in self.file.parents:
            declared = read(parent)
            if declared is None:
                return
            before |= list_unused(declared)
            cited |= list_cited(declared)
        if unused - before or uncited & cited:
            self._blame_unused(unused - before, uncited & cited, read)

    def _is_inherited(self, path: str) -> bool:
        found = find_path(self.document.root, path)
        entry = entry_at(self.document.root, found) if found is not None else None
        return entry is not None and bool(entry.touches) and entry.touches[0].by != self.file.name

    def _blame_unused(self, unused: set[str], lost: set[str], read: Read) -> None:
        for change in list_changes(self.file)[:MOST_TRIALS]:
            if not unused and not lost:
                return
            declared = read(without_change(self.file, change))
            if declared is None:
                continue
            by_this = unused - list_unused(declared), lost & list_cited(declared)
            if any(by_this):
                self._report_unused(change, *by_this)
                unused, lost = unused - by_this[0], lost - by_this[1]
        if unused:  # several changes together
            removing = [one for one in list_changes(self.file) if one.verb == "removes"]
            span = removing[0].span if removing else self.file.extends[0].span
            self._tell_unused(f"nothing uses {_listed(unused)} any more", span, unused)

    def _tell_unused(self, message: str, span: Span, unused: set[str]) -> None:
        """One diagnostic for everything that has become unused. To keep it, only the roots need be named; to remove it,
        all of it."""
        first = sorted(unused)[:3]
        roots = ", ".join(self._roots_of(unused))
        removed = f"remove it too: `remove: [{', '.join(sorted(unused))}]`, or keep it: `keep: [{roots}]`"
        self.report.error(
            "now-unused",
            message,
            span,
            others=[Label(place, "declared here") for path in first for place in self._place_of(path) if place != span],
            hint=removed if len(unused) <= MOST_LISTED else f"keep it: `keep: [{roots}]`, or remove all of it",
        )

    def _roots_of(self, unused: set[str]) -> list[str]:
        """A small set of these from which all others are reachable."""
        used = {path: unused - list_unused(self.declared, {*self.kept, path}) for path in sorted(unused)}
        roots: list[str] = []
        left = set(unused)
        while left:
            best = max(used, key=lambda path: len(used[path] & left))
            roots.append(best)
            left -= used[best] | {best}
        return sorted(roots)

    def _report_unused(self, change: Change, unused: set[str], lost: set[str]) -> None:
        verb = {"removes": "is removed", "adds": "is added", "replaces": "is replaced", "uses": "is used"}
        what = f"`{change.name}` {verb.get(change.verb, 'is changed')}"
        if unused:
            self._tell_unused(f"{what}, and nothing uses {_listed(unused)} any more", change.span, unused)
        if lost:
            self.report.error(
                "now-unused",
                f"{what}, and nothing cites {_listed(lost)} any more",
                change.span,
                hint=f"cite it where it holds, or take it out too: `remove: [{', '.join(sorted(lost))}]`",
            )

    def _place_of(self, path: str) -> Iterator[Span]:
        found = find_path(self.document.root, path)
        entry = entry_at(self.document.root, found) if found is not None else None
        if entry is not None:
            yield entry.key.span


def _users_below(node: Node, path: Path, word: re.Pattern[str]) -> Iterator[Path]:
    if isinstance(node, Mapping):
        for entry in node:
            if entry.name not in _BESIDE:
                yield from _users_below(entry.value, (*path, entry.name), word)
    elif word.search(_text(node)):
        yield from (path[:length] for length in range(len(path), 1, -1) if clause_at(path[:length]) is not None)


def _lost_numbers(change: LeafChange) -> list[int]:
    """The numbers that a change removes, except 0 and 1, which occur in too many texts."""
    if not isinstance(change.new, Scalar):
        return []
    return sorted(number for number in numbers_in(_text(change.old)) - numbers_in(change.new.text) if number > 1)


def _listed(names: set[str]) -> str:
    shown = [f"`{name}`" for name in sorted(names)[:MOST_LISTED]]
    return ", ".join(shown) + (" and more" if len(names) > MOST_LISTED else "")


def _text(node: Node) -> str:
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    return node.text.text if isinstance(node, Block) else ""


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:79] + "…"
