"""Loading of the files of a game: itself, its parents transitively, and the modules that each of them uses.

In: a path. Out: `GameFile`s, each parsed and validated by itself, with its parents; and the order of merging.
"""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path

from hoyle.base import shipped
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import escape, shown_path
from hoyle.base.diagnostics.report import Label, Report, respell
from hoyle.base.shipped import GAME_SUFFIX, game_name, is_there
from hoyle.base.source import Source, Span
from hoyle.language.document.file_limits import MAX_CHAIN, MAX_FILES, MAX_MODULES
from hoyle.language.document.language_version import take_version
from hoyle.language.document.lifting import lift_ends
from hoyle.language.document.marks import take_marks
from hoyle.language.document.modules import Instance, list_extends, load_instance
from hoyle.language.document.nodes import Mapping, Scalar, Sequence
from hoyle.language.document.reading import decode_source, read_nodes, read_source
from hoyle.language.document.validation import validate

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")


@dataclass(frozen=True, slots=True, eq=False)
class GameFile:
    """A loaded file. `name` is unique among the files of the game; `parents` are in the order of `extends`."""

    name: str
    path: Path
    source: Source
    root: Mapping
    parents: tuple[GameFile, ...]
    modules: tuple[Instance, ...]

    @property
    def extends(self) -> tuple[Scalar, ...]:
        return list_extends(self.root)


def in_order(file: GameFile) -> list[GameFile]:
    """A file and its ancestors without duplicates, parents before children."""
    found: dict[GameFile, None] = {}

    def visit(one: GameFile) -> None:
        if one not in found:
            for parent in one.parents:
                visit(parent)
            found[one] = None

    visit(file)
    return list(found)


@dataclass(frozen=True, slots=True)
class _Link:
    """A file of an inheritance chain, and the place where it names its parent."""

    path: Path
    extends: Scalar


@dataclass(slots=True)
class Loader:
    """Loads the files of one game; a file referenced several times is loaded once."""

    report: Report
    modules: Path
    _loaded: dict[Path, GameFile | None] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)

    def load(self, path: Path, text: str | None = None, chain: tuple[_Link, ...] = ()) -> GameFile | None:
        """A file with its parents and modules; None, after an error, if it cannot be loaded."""
        place = path.resolve()
        if place not in self._loaded:
            self._loaded[place] = self._read(path, text, chain)
        return self._loaded[place]

    def _read(self, path: Path, text: str | None, chain: tuple[_Link, ...]) -> GameFile | None:
        if text is None:
            source = read_source(path, self.report, self._named_by(path, chain))
        else:
            source = decode_source(shown_path(path), text.encode("utf-8", "replace"), self.report)
        if source is None:
            return None
        root = read_nodes(source, self.report)
        if root is None:
            return None
        versioned = take_version(root, self.report)
        if versioned is None:
            return None
        root = take_marks(versioned, self.report)
        named = root.entry("module") if root.entry("game") is None else None
        if named is not None and root.entry("extends") is None:
            hint = "a game brings it in with `use:`; house rules for a game say which: `extends: GAME`"
            self.report.error("not-a-game", f"`{source.name}` is a module, not a game", named.key.span, hint=hint)
            return None
        root = validate(lift_ends(root, self.report), "game", self.report)
        name = self._name(path)
        modules = self._load_modules(root, path)
        parents = [self._load_parent(path, item, chain) for item in list_extends(root)]
        found = tuple(dict.fromkeys(parent for parent in parents if parent is not None))
        if len(found) < len(parents) and None in parents:
            return None
        return GameFile(name, path, source, root, found, modules)

    def _named_by(self, path: Path, chain: tuple[_Link, ...]) -> tuple[Path, Span] | None:
        """The folder that a parent must lie in, and the place that names it; None for a shipped file."""
        if not chain or path in shipped.all_games():
            return None
        return path.parent, chain[-1].extends.span

    def _name(self, path: Path) -> str:
        """A unique name for a file: a second one of the same name includes its path."""
        name = escape(game_name(path))
        name = name if name not in self._names else f"{name} ({shown_path(path)})"
        self._names.add(name)
        return name

    def _load_modules(self, root: Mapping, path: Path) -> tuple[Instance, ...]:
        used = root.get("use")
        found = []
        for item in used.items[:MAX_MODULES] if isinstance(used, Sequence) else ():
            instance = load_instance(item, (path.parent, self.modules), self.report)
            if instance is not None:
                found.append(instance)
        return tuple(found)

    def _load_parent(self, path: Path, extends: Scalar, chain: tuple[_Link, ...]) -> GameFile | None:
        parent = self._find_parent(path, extends, chain)
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
        if len(self._names) >= MAX_FILES and parent.resolve() not in self._loaded:
            message = f"more than {MAX_FILES} files are put together"
            self.report.error("chain-too-long", message, extends.span, hint="say what differs in fewer files")
            return None
        return self.load(parent, None, links)

    def _find_parent(self, path: Path, extends: Scalar, chain: tuple[_Link, ...]) -> Path | None:
        """The file a variant extends: in the same folder, or else shipped."""
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
        found = [file for file in named if is_there(file)]
        if beside not in found:
            self.report.files[str(beside.absolute())] = ""
        if not found:
            games = (*shipped.all_games(), *path.parent.glob("*" + GAME_SUFFIX))
            names = [game_name(file) for file in games if file != path]
            self.report.error(
                "unknown-parent",
                f"no game named `{name}` to extend",
                extends.span,
                hint="name a shipped game, or a file in the same folder",
                fix=respell(extends.span, name, names),
            )
            return None
        # A file may extend the shipped game of the same name.
        others = [file for file in found if file.resolve() != path.resolve()]
        taken = (others or found)[0]
        if taken != beside and not chain:
            self._report_elsewhere(path, extends, taken)
        return taken

    def _report_elsewhere(self, path: Path, extends: Scalar, taken: Path) -> None:
        """Warn if a shipped parent was taken, although a file of that name lies in a neighbouring folder."""
        name = extends.text + GAME_SUFFIX
        folder = path.resolve().parent
        near = [folder.parent / name, *sorted(folder.glob(f"*/{name}")), folder.parent / extends.text / name]
        near = [file for file in near if is_there(file)]
        near = [file for file in near if file.resolve() not in (taken.resolve(), path.resolve())]
        if near:
            self.report.error(
                "parent-elsewhere",
                f"this extends the shipped `{extends.text}`, not {shown_path(near[0])}",
                extends.span,
                hint="put the two files into one folder if the other is meant, or give it another name",
            )

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
