"""Flattening of a variant to a file of its own: everything it extends is merged, house rules included; shipped modules
remain references under `use:`.

In: a document. Out: the text of an equivalent rule file that extends nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from hoyle.base.dataclass import dataclass
from hoyle.language.document.clauses import Path, holds_statements
from hoyle.language.document.merging import Document
from hoyle.language.document.modules import Instance
from hoyle.language.document.nodes import Block, Edit, Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.paths import shown
from hoyle.language.document.quoting import quote
from hoyle.language.variants.edited_lines import list_statements

INDENT = "  "
# The kinds of labels for declarations of a section.
_LABELS = {
    "actions": ("actions", "told"), "zones": ("zones", "told"), "state": ("states", "told"), "pots": ("states",),
    "options": ("options",),
}  # fmt: skip
_HEAD = ("game", "title", "language", "text", "rulebook", "players")


def flatten(document: Document) -> str:
    """The text of the flattened file."""
    return "\n".join(_Writer(document).write()) + "\n"


@dataclass(slots=True)
class _Writer:
    document: Document
    modules: dict[str, Instance] = field(default_factory=dict)

    def __post_init__(self) -> None:
        removed = {removal.path[1] for removal in self.document.ledger.removed if removal.path[0] == "use"}
        for file in self.document.files:
            for used in file.modules:
                if not used.extends and (used.copy or used.name) not in removed:
                    self.modules.setdefault(used.by, used)

    def write(self) -> Iterator[str]:
        root = self.document.root
        head = [entry for entry in root if entry.name in _HEAD]
        yield f"# What {self.document.files[-1].name} amounts to: all it extends, put together."
        for entry in head:
            yield from self._entry(entry, (entry.name,), 0)
        if self.modules:
            yield f"use: [{', '.join(_write_use(used) for used in self.modules.values())}]"
        gone = [removal for removal in self.document.ledger.removed if self._is_of_module(removal.entry)]
        if gone:
            yield f"remove: [{', '.join(quote(shown(removal.path), flow=True) for removal in gone)}]"
        for entry in root:
            if entry not in head:
                lines = list(self._entry(entry, (entry.name,), 0))
                if lines:
                    yield ""
                    yield from lines

    # ---------------------------------------------------------------------------------------------- origin of entries
    def _is_of_module(self, entry: Entry) -> bool:
        """Whether an entry was contributed by a module that remains a reference."""
        return bool(entry.touches) and entry.touches[0].by in self.modules

    def _is_kept(self, entry: Entry) -> bool:
        """Whether a file of the game contributes to an entry, or to something below it."""
        if isinstance(entry.value, Mapping) and entry.value.entries:
            return any(self._is_kept(below) for below in entry.value)
        return not entry.touches or any(touch.by not in self.modules for touch in entry.touches)

    def _is_left_over(self, path: Path) -> bool:
        """Whether a path is the label of something that a file has removed."""
        if path[0] != "labels" or len(path) != 4:
            return False
        return any(
            len(removal.path) == 2 and path[3] == removal.path[1] and path[2] in _LABELS.get(removal.path[0], ())
            for removal in self.document.ledger.removed
        )

    # ---------------------------------------------------------------------------------------------- writing
    def _entry(self, entry: Entry, path: Path, depth: int, whole: bool = False) -> Iterator[str]:
        if (not whole and not self._is_kept(entry)) or self._is_left_over(path):
            return
        over_module = self._is_of_module(entry)
        replaced = over_module and any(touch.verb == "replaces" for touch in entry.touches)
        key = INDENT * depth + ("replace " if replaced else "") + quote(entry.name)
        node = entry.value
        if isinstance(node, Mapping) and node.entries:
            yield f"{key}:"
            for below in node:
                yield from self._entry(below, (*path, below.name), depth + 1, whole or replaced)
        elif isinstance(node, Block) and over_module and not replaced:
            yield f"{key}:"
            for edit in node.edits:
                yield from _write_edit(edit, depth + 1)
        elif isinstance(node, Scalar | Block) and _has_statements(node, path):
            yield f"{key}: |"
            for line in list_statements(node, self.document.root):
                yield INDENT * (depth + 1) + str(line)
        else:
            yield f"{key}: {_write_value(node)}"


def _has_statements(node: Scalar | Block, path: Path) -> bool:
    return isinstance(node, Block) or (node.style == "literal" and holds_statements(path))


def _write_edit(edit: Edit, depth: int) -> Iterator[str]:
    lead, inner = INDENT * depth + "- ", INDENT * (depth + 1)
    if edit.anchor is None:
        assert edit.do is not None
        yield f"{lead}{edit.verb}: |"
        yield from _write_block(edit.do, depth + 2)
        return
    if isinstance(edit.anchor, Sequence):
        yield f"{lead}{edit.verb}: {_write_value(edit.anchor)}"
    else:
        yield f"{lead}{edit.verb}: |"
        yield from _write_block(edit.anchor, depth + 2)
    if edit.do is not None:
        yield f"{inner}do: |"
        yield from _write_block(edit.do, depth + 2)


def _write_block(node: Scalar, depth: int) -> Iterator[str]:
    yield from (INDENT * depth + line for line in node.text.rstrip("\n").split("\n"))


def _write_use(used: Instance) -> str:
    """The use of a module, with its name and arguments where they are not the defaults."""
    more = [f"as: {used.copy}"] if used.copy and used.copy != used.name else []
    bound = [f"{entry.name}: {target}" for entry, target, _ in used.arguments if entry.name != target]
    more += [f"with: {{{', '.join(bound)}}}"] if bound else []
    return f"{{module: {used.name}, {', '.join(more)}}}" if more else used.name


def _write_value(node: Node, flow: bool = False) -> str:
    """A value on one line."""
    if isinstance(node, Sequence):
        return "[" + ", ".join(_write_value(item, True) for item in node) + "]"
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{quote(e.name, flow=True)}: {_write_value(e.value, True)}" for e in node) + "}"
    scalar = node.text if isinstance(node, Block) else node
    text = " ".join(scalar.text.split())
    if scalar.style == "plain":
        return text if not flow or not set(text) & set(",[]{}") else quote(text, flow=True)
    return quote(text, flow)
