"""Merging of a game with its modules and parents.

In: a path or the name of a shipped game. Out: a `Document`. The order is: parents, as listed in `extends`; modules of
`use`, from left to right; removals; the file itself.
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from hoyle.base import shipped
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Fix, Label, Report, did_you_mean
from hoyle.base.shipped import find_game, game_name
from hoyle.base.source import Source, Span
from hoyle.language.document.clauses import clause_at, is_named
from hoyle.language.document.combining import Conflict, Ledger, Mode, Putting
from hoyle.language.document.completeness import check_complete
from hoyle.language.document.files import GameFile, Loader, in_order
from hoyle.language.document.marks import find_mark
from hoyle.language.document.merge_errors import said
from hoyle.language.document.modules import Instance, check_arguments
from hoyle.language.document.nodes import Entry, Mapping, Scalar, Sequence
from hoyle.language.document.paths import shown
from hoyle.language.document.reading import read_nodes, read_source
from hoyle.language.document.validation import validate

RULES_FILE = "rules.yaml"
_SECTIONS = (
    "game", "title", "family", "also", "language", "text", "goal", "rulebook", "needs", "players", "teams", "errors",
    "options", "deck", "kinds", "zones", "pots", "ledger", "state", "definitions", "scores", "actions", "choices",
    "ends", "steps", "winners", "utility", "hints", "rulings", "labels", "table",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """A merged game. `rules` are its numbered rules by id; `files` those it consists of, itself last; `ledger` the
    observations of the merge."""

    root: Mapping
    sources: tuple[Source, ...]
    path: Path
    rules: Mapping | None
    files: tuple[GameFile, ...]
    ledger: Ledger

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of its ancestors, the nearest first."""
        return tuple(file.name for file in reversed(self.files[:-1]))


def resolve(
    path_or_name: str | Path, report: Report, *, module_folder: Path | None = None, text: str | None = None
) -> Document | None:
    """Load and merge a game; None if errors prevent further checks. `text` replaces the contents of the file, for
    editors; `module_folder` is where modules are looked up.
    """
    own = Report()
    file = load_file(path_or_name, own, module_folder=module_folder, text=text)
    document = put_together(file, own) if file is not None else None
    report.diagnostics += [found for found in own.diagnostics if found not in report.diagnostics]
    report.files.update(own.files)
    report.lost |= own.lost
    report.mentioned |= own.mentioned
    report.unchecked += own.unchecked
    report.incomplete |= own.incomplete
    return document


def load_file(
    path_or_name: str | Path, report: Report, *, module_folder: Path | None = None, text: str | None = None
) -> GameFile | None:
    """Load a game and everything it depends on; None, after an error, if that fails."""
    path = find_game(path_or_name) if text is None else Path(path_or_name)
    if path is None:
        hint = did_you_mean(str(path_or_name), [game_name(found) for found in shipped.all_games()])
        report.error("unreadable-file", f"there is no game and no file `{path_or_name}`", None, hint=hint)
        return None
    return Loader(report, module_folder or shipped.module_folder()).load(path, text)


def put_together(file: GameFile, report: Report) -> Document | None:
    """A file merged with everything it depends on; None if errors prevent further checks. A game without parents is
    always checked further; for a variant whose changes do not apply, further errors would be consequences."""
    files = in_order(file)
    assembly = _Assembly(report, files, Mapping((), file.root.span))
    assembly.merge()
    rules, found = read_rules([one.path.resolve().parent for one in files], report)
    rules = _without_rules(rules, assembly.ledger.rules_removed, report)
    root = assembly.root
    if assembly.is_unfit:
        return None
    check_complete(root, report)
    for instance in assembly.instances.values():
        check_arguments(instance, root, report)
    if assembly.is_unfit:
        return None
    ordered = sorted(root, key=lambda entry: _SECTIONS.index(entry.name))
    sources = [source for one in files for source in (one.source, *(used.source for used in one.modules))]
    document = Mapping(tuple(ordered), root.span)
    return Document(document, (*reversed(sources), *found), file.path, rules, tuple(files), assembly.ledger)


@dataclass(slots=True)
class _Assembly:
    """A merge in progress; `knows` maps files and modules to those that they were written for."""

    report: Report
    files: list[GameFile]
    root: Mapping
    ledger: Ledger = field(default_factory=Ledger)
    instances: dict[tuple[str, str], Instance] = field(default_factory=dict)
    knows: dict[str, set[str]] = field(default_factory=dict)

    @property
    def is_unfit(self) -> bool:
        return self.report.failed and len(self.files) > 1

    def merge(self) -> None:
        """Merge all files in order."""
        roots = [file for file in self.files if not file.parents]
        if len(roots) > 1:
            self._report_two_games(roots)
            return
        for file in self.files:
            self.add(file)
        self._report_conflicts()

    def add(self, file: GameFile) -> None:
        """Merge a file over the current root, its modules first."""
        own = {file.name}
        for parent in file.parents:
            own |= self.knows[parent.name]
        for instance in file.modules:
            self._use(instance, file, own)
            own.add(instance.by)
        self.knows[file.name] = own
        mode: Mode = "strict" if file.parents else "free"
        putting = Putting(file.name, mode, self.report, self.ledger, lambda name: name not in own)
        if mode == "free" and not file.modules:
            self._refuse_marks(file)
        self._take_out_modules(file, putting)
        self.root = Mapping(tuple(entry for entry in self.root if entry.name != "also"), self.root.span)  # the parent's
        self.root = putting.remove(self.root, file.root.get("remove"))
        self.root = putting.put_file(self.root, as_game(file.root))

    def _use(self, instance: Instance, file: GameFile, known: set[str]) -> None:
        before = self.instances.get(instance.key)
        if before is not None and before.source.name != instance.source.name:
            report_other_module(self.report, instance, before)
        if before is not None:
            self.ledger.used_again.setdefault(file.name, []).append((instance.use, before.use))
            return
        self.instances[instance.key] = instance
        if not instance.extends:
            putting = Putting(instance.by, "adding", self.report, self.ledger, use=instance.use)
            self.root = putting.put_file(self.root, instance.root)
            return
        there = {game_name(one.path) for one in self.files[: self.files.index(file)]}
        missing = next((name for name in instance.extends if name.text not in there), None)
        if missing is not None:
            self.report.error(
                "module-elsewhere",
                f"the module `{instance.name}` changes `{missing.text}`, which `{file.name}` is not a variant of",
                instance.use,
                others=(Label(missing.span, "what it changes"),),
                hint=f"use it in a variant of `{missing.text}`",
            )
            return
        own = {instance.by}
        for one in self.files:
            if game_name(one.path) in {name.text for name in instance.extends} and one.name in self.knows:
                own |= self.knows[one.name]
        self.knows[instance.by] = own
        putting = Putting(instance.by, "strict", self.report, self.ledger, lambda name: name not in own)
        self.root = putting.remove(self.root, instance.removes)
        self.root = putting.put_file(self.root, instance.root)

    def _refuse_marks(self, file: GameFile) -> None:
        """Report `new` and `replace` in a game that extends nothing, where they are meaningless."""
        marked = find_mark(file.root)
        if marked is not None:
            self.report.error(
                "mark-without-parent",
                f"`{marked.mark} {marked.name}` stands in a game that extends nothing, where everything is new",
                marked.key.span,
                fix=Fix(_with_mark(marked), marked.name),
            )

    def _take_out_modules(self, file: GameFile, putting: Putting) -> None:
        """Handle `remove: [use.cut]`: everything contributed by the module is removed."""
        wanted = file.root.get("remove")
        for item in wanted if isinstance(wanted, Sequence) else ():
            name = item.text if isinstance(item, Scalar) else ""
            found = next((key for key, instance in self.instances.items() if instance.by == name), None)
            if found is not None:
                instance = self.instances.pop(found)
                self.root = take_out(self.root, instance.by, f"{instance.copy}." if instance.copy else None)
                putting.note_removal(("use", instance.by.removeprefix("use.")), instance.entry, item.span)

    def _report_conflicts(self) -> None:
        """Report conflicting changes by files that do not know each other, unless a later file resolves them."""
        for conflict in self.ledger.conflicts:
            both = {conflict.first.by, conflict.second.by}
            judges = [file for file in self.files if both <= self.knows[file.name] and file.name not in both]
            if judges and not any(self._settles(file, conflict) for file in judges):
                report_conflict(judges[0], conflict, self.report)

    def _settles(self, file: GameFile, conflict: Conflict) -> bool:
        said = self.ledger.touched.get(file.name, ())
        length = len(conflict.path)
        return any(path[:length] == conflict.path[: len(path)] for path in said)

    def _report_two_games(self, roots: list[GameFile]) -> None:
        file = self.files[-1]
        span = file.extends[-1].span if file.extends else file.root.span
        names = " and ".join(f"`{one.name}`" for one in roots)
        self.report.error(
            "two-games",
            f"`{file.name}` would be a variant of two different games, {names}",
            span,
            others=[Label(one.root.entries[0].key.span, f"`{one.name}` extends nothing") for one in roots],
            hint="put together variants of one game",
        )


def report_other_module(report: Report, instance: Instance, before: Instance) -> None:
    """Report two different modules requested by the same name."""
    report.error(
        "module-clash",
        f"`{instance.name}` is `{instance.source.name}` here, and another module of that name is there already",
        instance.use,
        others=(Label(before.use, f"this is `{before.source.name}`"),),
        hint=f"call the file of the module otherwise, or give the copy a name: `{{module: {instance.name}, as: …}}`",
    )


def report_conflict(file: GameFile, conflict: Conflict, report: Report) -> None:
    """Report a conflict of two parents, which the file that combines them must resolve."""
    first, second = conflict.first, conflict.second
    clause = clause_at(conflict.path[:-1])
    path = shown(conflict.path[:-1] if clause is not None and conflict.path[-1] == clause.body else conflict.path)
    report.error(
        "parents-disagree",
        f"{said(first.by)} and {said(second.by)} both change `{path}`, each in its own way",
        _naming(file, second.by),
        others=(Label(first.span, f"{said(first.by)} says this"), Label(second.span, f"{said(second.by)} says this")),
        hint=f"say in `{file.name}` what `{path}` is to be",
    )


def _naming(file: GameFile, name: str) -> Span:
    """Where a file names a parent or a module; by default, where it names its last parent."""
    for item in file.extends:
        if item.text == name:
            return item.span
    for instance in file.modules:
        if instance.by == name:
            return instance.use
    return file.extends[-1].span if file.extends else file.root.entries[0].key.span


def as_game(root: Mapping) -> Mapping:
    """The game sections of a file; house rules checked by themselves take the name of their module."""
    entries = []
    for entry in root:
        if entry.name == "module":
            key = Scalar("game", "game", "plain", entry.key.span, entry.key.span)
            entries.append(Entry(key, entry.value))
        elif entry.name in _SECTIONS:
            entries.append(entry)
    return Mapping(tuple(entries), root.span)


def take_out(node: Mapping, by: str, prefix: str | None = None, path: tuple[str, ...] = ()) -> Mapping:
    """A mapping without what a module has contributed, and without what the game says for that copy of it."""
    kept = []
    for entry in node:
        brought = bool(entry.touches) and entry.touches[0].by == by
        if prefix is not None and len(path) == 1 and entry.name.startswith(prefix):
            continue
        inner = (*path, entry.name)
        if brought and (is_named(inner) or not isinstance(entry.value, Mapping)):
            continue
        if isinstance(entry.value, Mapping):
            rest = take_out(entry.value, by, prefix, inner)
            if brought and not rest.entries:
                continue
            entry = Entry(entry.key, rest, entry.mark, entry.touches)
        kept.append(entry)
    return Mapping(tuple(kept), node.span)


def _without_rules(rules: Mapping | None, removed: list[Scalar], report: Report) -> Mapping | None:
    """The numbered rules without those that variants remove."""
    for item in removed:
        if rules is None or rules.entry(item.text) is None:
            known = rules.keys() if rules is not None else ()
            hint = did_you_mean(item.text, known)
            report.error("remove-missing", f"nothing to remove: there is no rule {item.text}", item.span, hint=hint)
        else:
            rules = Mapping(tuple(entry for entry in rules if entry.name != item.text), rules.span)
    return rules


def _with_mark(entry: Entry) -> Span:
    """The name of an entry with its mark."""
    span = entry.key.span
    return Span(span.source, span.source.text.rindex(entry.mark, 0, span.start), span.end)


def read_rules(folders: list[Path], report: Report) -> tuple[Mapping | None, list[Source]]:
    """The numbered rules in the folders of the game and its parents; nearer ones override."""
    merged: Mapping | None = None
    sources = []
    for folder in dict.fromkeys(folders):
        path = folder / RULES_FILE
        if not path.is_file():
            report.files[str(path.absolute())] = ""
            continue
        source = read_source(path, report, (folder, None))
        root = read_nodes(source, report) if source else None
        if source is None or root is None:
            continue
        sources.append(source)
        root = validate(root, "rules", report)
        own = {entry.name: entry for entry in root}
        kept = {entry.name: entry for entry in merged} if merged else {}
        merged = Mapping(tuple((kept | own).values()), root.span)
    return merged, sources
