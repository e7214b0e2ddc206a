"""Modules: each use is an instance with its own names and arguments.

In: an item of `use:`. Out: the module's sections with renamed keys, and a `Source` that knows the renames. A module is
a file `NAME.module.yaml` beside the game, or shipped. One that says `extends: GAME` contains house rules for that game:
it may change existing entries, as a variant may.
"""

from __future__ import annotations

import re
from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Label, Report, respell
from hoyle.base.shipped import MODULE_SUFFIX, is_there
from hoyle.base.source import Source, Span
from hoyle.language.document.clauses import declared_word
from hoyle.language.document.language_version import take_version
from hoyle.language.document.lifting import lift_ends
from hoyle.language.document.marks import take_marks
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.reading import read_nodes, read_source
from hoyle.language.document.validation import validate

_DECLARING = (
    "options", "kinds", "zones", "pots", "state", "definitions", "scores", "actions", "choices", "steps", "needs"
)  # fmt: skip
_RENAMED = (*_DECLARING, "ends", "labels")
_OF_THE_MODULE = ("module", "text", "arguments", "own", "inputs", "extends", "remove")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Instance:
    """One use of a module: its sections for the game, and its bound arguments. `copy` is the name of this instance,
    `extends` the game that its house rules are for, `removes` what it removes from that game."""

    name: str
    copy: str
    root: Mapping
    source: Source
    use: Span
    arguments: tuple[tuple[Entry, str, Span], ...]
    extends: tuple[Scalar, ...] = ()
    removes: Node | None = None
    is_own: bool = False  # not shipped: its file is beside the game

    @property
    def by(self) -> str:
        """A name that is unique among files and instances."""
        return f"use.{self.copy or self.name}"

    @property
    def key(self) -> tuple[str, str]:
        """Two uses with equal keys are the same instance."""
        return self.copy or self.name, " ".join(f"{entry.name}={target}" for entry, target, _ in self.arguments)

    @property
    def entry(self) -> Entry:
        """The use as an entry, for recording its removal."""
        key = Scalar(self.copy or self.name, self.name, "plain", self.use, self.use)
        return Entry(key, self.root)


def find_module(name: str, folders: tuple[Path, Path], report: Report) -> Path | None:
    """The file of a module: beside the game, else shipped."""
    if not _NAME.fullmatch(name):
        return None
    beside, shipped = folders[0] / f"{name}{MODULE_SUFFIX}", folders[1] / f"{name}.yaml"
    if is_there(beside):
        return beside
    report.files[str(beside.absolute())] = ""
    return shipped if is_there(shipped) else None


def list_modules(folders: tuple[Path, Path]) -> list[str]:
    """The names of all available modules."""
    beside = [path.name.removesuffix(MODULE_SUFFIX) for path in folders[0].glob("*" + MODULE_SUFFIX)]
    return sorted({*beside, *(path.stem for path in folders[1].glob("*.yaml"))})


def load_instance(item: Node, folders: tuple[Path, Path], report: Report) -> Instance | None:
    """The module named by an item of `use:`, instantiated; looked up in the first folder, then the second."""
    named = item if isinstance(item, Scalar) else item.get("module") if isinstance(item, Mapping) else None
    if not isinstance(named, Scalar):
        return None
    given_as = item.get("as") if isinstance(item, Mapping) else None
    given_with = item.get("with") if isinstance(item, Mapping) else None
    path = find_module(named.text, folders, report)
    if path is None:
        known = list_modules(folders)
        report.error(
            "unknown-module",
            f"no module named `{named.text}`",
            named.span,
            hint=f"the modules there are: {', '.join(f'`{name}`' for name in known)}",
            fix=respell(named.span, named.text, known),
        )
        report.incomplete = True
        return None
    read = read_source(path, report, (path.parent, named.span))
    if read is None:
        return None
    renames: dict[str, str] = {}
    own: set[str] = set()
    inputs: set[str] = set()
    source = Source(read.name, read.text, renames, own, inputs)
    root = read_nodes(source, report)
    if root is None:
        return None
    versioned = take_version(root, report)
    if versioned is None:
        return None
    root = take_marks(versioned, report)
    root = validate(lift_ends(root, report), "game", report)
    if root.entry("module") is None:
        hint = "a module begins with `module:`"
        report.error("not-a-game", f"`{source.name}` is not a module", named.span, hint=hint)
        return None
    extends = list_extends(root)
    if extends and isinstance(given_as, Scalar):
        report.error(
            "module-elsewhere",
            f"the module `{named.text}` changes a game, so there can be no copies of it",
            given_as.span,
            others=(Label(extends[0].span, "what it changes"),),
            hint=f"write `use: [{named.text}]`",
        )
        return None
    prefix = f"{given_as.text}." if isinstance(given_as, Scalar) else ""
    own.update(declared_names(root))
    inner = _list_inner(root, own, report)
    renames.update({name: (prefix or f"{named.text}.") + name for name in (own if prefix else inner)})
    arguments = _bind_arguments(root, given_with, named, report)
    renames.update({entry.name: target for entry, target, _ in arguments if entry.name != target})
    inputs.update(renames.get(name, name) for name in _list_inputs(root, report))
    own.update(entry.name for entry, _, _ in arguments)
    kept = tuple(_renamed(entry, renames) for entry in root if entry.name not in _OF_THE_MODULE)
    copy = given_as.text if isinstance(given_as, Scalar) else ""
    use = item.span if isinstance(item, Scalar) else named.span
    return Instance(
        named.text,
        copy,
        Mapping(kept, root.span),
        source,
        use,
        arguments,
        extends,
        root.get("remove"),
        path.name.endswith(MODULE_SUFFIX),
    )


def list_extends(root: Mapping) -> tuple[Scalar, ...]:
    """The names of the parents, with their locations."""
    said = root.get("extends")
    items: tuple[Node, ...] = said.items if isinstance(said, Sequence) else (said,) if said is not None else ()
    return tuple(item for item in items if isinstance(item, Scalar))


def declared_names(root: Mapping) -> list[str]:
    """All names that a module declares in its sections."""
    names = []
    for section in _DECLARING:
        entries = root.get(section)
        for entry in entries if isinstance(entries, Mapping) else ():
            words = entry.name.split()
            names.append(words[declared_word(entry.name)] if words else entry.name)
    return names


def _list_inner(root: Mapping, declared: set[str], report: Report) -> list[str]:
    """The private names of a module, which are always prefixed by its name to avoid clashes."""
    kept = root.get("own")
    names = [item for item in (kept.items if isinstance(kept, Sequence) else ()) if isinstance(item, Scalar)]
    for item in names:
        if item.text not in declared:
            report.error(
                "unknown-name",
                f"the module declares no `{item.text}`",
                item.span,
                hint="name what the module declares",
                fix=respell(item.span, item.text, sorted(declared)),
            )
    return [item.text for item in names]


def _list_inputs(root: Mapping, report: Report) -> list[str]:
    """The states that a game may set before it does a step of the module; `*` if the module does not declare any."""
    said = root.get("inputs")
    if not isinstance(said, Mapping):
        return ["*"]
    states = root.get("state")
    known = [entry.name for entry in states] if isinstance(states, Mapping) else []
    for entry in said:
        if entry.name not in known:
            report.error(
                "unknown-state",
                f"the module declares no state `{entry.name}`",
                entry.key.span,
                hint="inputs are states of the module; what a game must define stands under `needs:`",
                fix=respell(entry.key.span, entry.name, known),
            )
    return [entry.name for entry in said]


def _bind_arguments(
    root: Mapping, given: Node | None, named: Scalar, report: Report
) -> tuple[tuple[Entry, str, Span], ...]:
    """The binding of each argument and its location; by default, an argument is bound to its own name."""
    declared = root.get("arguments")
    entries = declared.entries if isinstance(declared, Mapping) else ()
    names = [entry.name for entry in entries]
    wanted = given if isinstance(given, Mapping) else Mapping((), named.span)
    for entry in wanted:
        if entry.name not in names:
            others = (Label(entries[0].key.span, "its arguments stand here"),) if entries else ()
            listed = f"its arguments are: {', '.join(f'`{name}`' for name in names)}" if names else "it has none"
            report.error(
                "unknown-argument",
                f"the module `{named.text}` has no argument `{entry.name}`",
                entry.key.span,
                others=others,
                hint=listed,
                fix=respell(entry.key.span, entry.name, names),
            )
    bound = []
    for entry in entries:
        value = wanted.get(entry.name)
        if isinstance(value, Scalar):
            bound.append((entry, value.text, value.span))
        else:
            bound.append((entry, entry.name, named.span))
    return tuple(bound)


def _renamed(section: Entry, renames: dict[str, str]) -> Entry:
    """A section with renamed keys; locations are unchanged."""
    if section.name not in _RENAMED or not isinstance(section.value, Mapping):
        return section
    if section.name == "labels":
        return Entry(section.key, _renamed_labels(section.value, renames))
    entries = tuple(Entry(_renamed_key(entry.key, renames), entry.value, entry.mark) for entry in section.value)
    return Entry(section.key, Mapping(entries, section.value.span))


def _renamed_labels(languages: Mapping, renames: dict[str, str]) -> Mapping:
    """The labels of every language, with renamed keys."""
    found = []
    for language in languages:
        sections = language.value.entries if isinstance(language.value, Mapping) else ()
        renamed = tuple(
            Entry(
                each.key,
                Mapping(tuple(Entry(_renamed_key(e.key, renames), e.value) for e in each.value), each.value.span),
            )
            if isinstance(each.value, Mapping) and each.name != "messages"
            else each
            for each in sections
        )
        found.append(Entry(language.key, Mapping(renamed, language.value.span)))
    return Mapping(tuple(found), languages.span)


def _renamed_key(key: Scalar, renames: dict[str, str]) -> Scalar:
    words = key.text.split()
    at = declared_word(key.text)
    if not words or words[at] not in renames:
        return key
    words[at] = renames[words[at]]
    text = " ".join(words)
    return Scalar(text, text, key.style, key.span, key.body, key.escaped)


def check_arguments(instance: Instance, root: Mapping, report: Report) -> None:
    """Report an argument bound to a zone that the game does not have."""
    zones = root.get("zones")
    names = zones.keys() if isinstance(zones, Mapping) else ()
    for entry, target, span in instance.arguments:
        kind = entry.value.text if isinstance(entry.value, Scalar) else ""
        if kind != "zone" or target in names or report.may_lack(target):
            continue
        report.lost.add(target)
        report.error(
            "missing-argument",
            f"the module `{instance.name}` works on a zone `{target}`, which the game does not have",
            span,
            others=(Label(entry.key.span, "asked for here"),),
            hint=f"say which zone to take: `with: {{{entry.name}: …}}`",
            fix=respell(span, target, names) if span.text == target else (),
        )
