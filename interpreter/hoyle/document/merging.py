"""A game as it is when its modules and its parents have been put together.

In: a path or the name of a shipped game. Out: a `Document`. The order is: the modules of `use` from left to right,
then the parent with all that it uses and extends, then the file itself; later goes over earlier, by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from hoyle import shipped
from hoyle.diagnostics.report import Label, Report, did_you_mean
from hoyle.document.combining import merge, remove_paths
from hoyle.document.completeness import check_complete
from hoyle.document.limits import MAX_CHAIN, MAX_MODULES
from hoyle.document.modules import Instance, check_arguments, load_instance
from hoyle.document.nodes import Mapping, Scalar, Sequence
from hoyle.document.reading import decode_source, read_nodes, read_source, shown_path
from hoyle.document.validation import validate
from hoyle.shipped import GAME_SUFFIX, find_game, game_name
from hoyle.source import Source

RULES_FILE = "rules.yaml"
_SECTIONS = (
    "game", "title", "language", "text", "rulebook", "needs", "players", "teams", "errors", "options", "deck", "kinds",
    "zones", "pots", "ledger", "state", "definitions", "scores", "actions", "choices", "ends", "steps", "winners",
    "rulings", "labels",
)  # fmt: skip
_USED_UP = ("use", "extends", "remove")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")


@dataclass(frozen=True, slots=True)
class Document:
    """A game put together. `rules` are its numbered rules by id; `parents` the names it extends, the nearest first."""

    root: Mapping
    sources: tuple[Source, ...]
    path: Path
    rules: Mapping | None
    parents: tuple[str, ...]


def resolve(
    path_or_name: str | Path, report: Report, *, module_folder: Path | None = None, text: str | None = None
) -> Document | None:
    """Read a game and put it together; None if anything was reported that leaves it unfit to be checked further.

    `text` is taken instead of what stands in the file, for editors; `module_folder` is where modules are taken from.
    """
    path = find_game(path_or_name) if text is None else Path(path_or_name)
    if path is None:
        hint = did_you_mean(str(path_or_name), [game_name(found) for found in shipped.all_games()])
        report.error("unreadable-file", f"there is no game and no file `{path_or_name}`", None, hint=hint)
        return None
    own = Report()
    resolver = _Resolver(own, module_folder or shipped.module_folder())
    root = resolver.resolve_file(path, (), text)
    rules = resolver.read_rules()
    if root is not None and not own.failed:
        check_complete(root, own)
        for instance in resolver.instances:
            check_arguments(instance, root, own)
    report.diagnostics += [found for found in own.diagnostics if found not in report.diagnostics]
    report.files.update(own.files)
    if root is None or own.failed:
        return None
    ordered = sorted(root, key=lambda entry: _SECTIONS.index(entry.name))
    return Document(Mapping(tuple(ordered), root.span), tuple(resolver.sources), path, rules, tuple(resolver.parents))


@dataclass(frozen=True, slots=True)
class _Link:
    """A file of the chain, and the place where it names its parent."""

    path: Path
    extends: Scalar


@dataclass
class _Resolver:
    report: Report
    modules: Path
    sources: list[Source] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)

    def resolve_file(self, path: Path, chain: tuple[_Link, ...], text: str | None = None) -> Mapping | None:
        """The root of a file with everything it uses and extends."""
        if text is None:
            source = read_source(path, self.report)
        else:
            source = decode_source(shown_path(path), text.encode("utf-8", "replace"), self.report)
        if source is None:
            return None
        self.sources.append(source)
        self.folders.insert(0, path.resolve().parent)
        file = read_nodes(source, self.report)
        if file is None:
            return None
        if file.entry("module") is not None and file.entry("game") is None:
            first = file.entry("module")
            assert first is not None
            hint = "a game brings it in with `use:`"
            self.report.error("not-a-game", f"`{source.name}` is a module, not a game", first.key.span, hint=hint)
            return None
        validate(file, "game", self.report)
        base = self._use_modules(file, Mapping((), file.span))
        extends = file.get("extends")
        if isinstance(extends, Scalar):
            parent = self._resolve_parent(path, extends, chain)
            if parent is None:
                return None
            base = merge(base, parent, self.report)
        base = remove_paths(base, file.get("remove"), self.report)
        entries = tuple(entry for entry in file if entry.name not in _USED_UP)
        return merge(base, Mapping(entries, file.span), self.report)

    def _use_modules(self, file: Mapping, base: Mapping) -> Mapping:
        used = file.get("use")
        for item in used.items[:MAX_MODULES] if isinstance(used, Sequence) else ():
            instance = load_instance(item, self.modules, self.report)
            if instance is not None:
                self.sources.append(instance.source)
                self.instances.append(instance)
                base = merge(base, instance.root, self.report)
        return base

    def _resolve_parent(self, path: Path, extends: Scalar, chain: tuple[_Link, ...]) -> Mapping | None:
        parent = self._find_parent(path, extends)
        if parent is None:
            return None
        links = (*chain, _Link(path, extends))
        if any(link.path.resolve() == parent.resolve() for link in links):
            self._report_ring(parent, links)
            return None
        if len(links) > MAX_CHAIN:
            message = f"more than {MAX_CHAIN} variants extend one another"
            self.report.error("chain-too-long", message, extends.span, hint="extend one of the first of them instead")
            return None
        self.parents.append(game_name(parent))
        return self.resolve_file(parent, links)

    def _find_parent(self, path: Path, extends: Scalar) -> Path | None:
        """The file a variant extends: beside it, or else shipped."""
        name = extends.text
        if not _PLAIN_NAME.fullmatch(name):
            self.report.error(
                "parent-outside",
                f"a variant cannot extend `{name}`",
                extends.span,
                "not a plain name",
                hint="name a shipped game, or a file in the same folder, without folders",
            )
            return None
        beside = path.parent / (name if name.endswith(".yaml") else name + GAME_SUFFIX)
        named = [beside, *(game for game in shipped.all_games() if game_name(game) == name)]
        found = [file for file in named if file.is_file()]
        if beside not in found:
            self.report.files[str(beside.absolute())] = ""
        if not found:
            games = (*shipped.all_games(), *path.parent.glob("*" + GAME_SUFFIX))
            names = [game_name(file) for file in games if file != path]
            self.report.error(
                "unknown-parent",
                f"no game named `{name}` to extend",
                extends.span,
                hint=did_you_mean(name, names) or "name a shipped game, or a file in the same folder",
            )
            return None
        # A file of the same name as a shipped game may extend that game.
        others = [file for file in found if file.resolve() != path.resolve()]
        return (others or found)[0]

    def _report_ring(self, parent: Path, links: tuple[_Link, ...]) -> None:
        start = next(index for index, link in enumerate(links) if link.path.resolve() == parent.resolve())
        ring = links[start:]
        names = " → ".join([*(game_name(link.path) for link in ring), game_name(parent)])
        message = f"`{game_name(parent)}` extends itself" + (f": {names}" if len(ring) > 1 else "")
        self.report.error(
            "extends-ring",
            message,
            ring[-1].extends.span,
            "leads back to where it began" if len(ring) > 1 else "this is the file itself",
            others=[Label(link.extends.span, f"`{game_name(link.path)}` extends this") for link in ring[:-1]],
            hint="one of the files must stand on its own",
        )

    def read_rules(self) -> Mapping | None:
        """The numbered rules beside the game and beside its parents, the nearest last."""
        merged: Mapping | None = None
        for folder in dict.fromkeys(self.folders):
            path = folder / RULES_FILE
            if not path.is_file():
                self.report.files[str(path.absolute())] = ""
                continue
            source = read_source(path, self.report)
            root = read_nodes(source, self.report) if source else None
            if source is None or root is None:
                continue
            self.sources.append(source)
            validate(root, "rules", self.report)
            own = {entry.name: entry for entry in root}
            kept = {entry.name: entry for entry in merged} if merged else {}
            merged = Mapping(tuple((kept | own).values()), root.span)
        return merged
