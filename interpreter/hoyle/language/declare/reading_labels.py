"""Reading of labels: how a game is displayed, in its own language and in others.

In: the sections `language:` and `labels:`. Out: their declarations.
"""

from __future__ import annotations

from hoyle.base.source import Span
from hoyle.language.declare.declarations import Declarations, LabelsDecl
from hoyle.language.declare.reader import Reader
from hoyle.language.document.nodes import Mapping, Node, Scalar

Said = dict[str, tuple[str, Span]]
PLAIN = ("actions", "told", "zones", "states", "values", "cards", "messages")


def read_labels(reader: Reader, root: Mapping, declared: Declarations) -> None:
    """Read the language of the file, and the labels in each language."""
    language = root.get("language")
    if isinstance(language, Scalar):
        declared.language = language.text
    languages = root.get("labels")
    for entry in languages.entries if isinstance(languages, Mapping) else ():
        if not isinstance(entry.value, Mapping):
            continue
        title = entry.value.get("title")
        declared.labels[entry.key.text] = LabelsDecl(
            title.text if isinstance(title, Scalar) else "",
            {section: _read_said(entry.value.get(section)) for section in PLAIN},
            _read_nested(entry.value.get("codes")),
            _read_options(entry.value.get("options")),
        )


def _read_said(node: Node | None) -> Said:
    entries = node.entries if isinstance(node, Mapping) else ()
    return {e.key.text: (e.value.text, e.key.span) for e in entries if isinstance(e.value, Scalar)}


def _read_nested(node: Node | None) -> dict[str, tuple[Said, Span]]:
    entries = node.entries if isinstance(node, Mapping) else ()
    return {entry.key.text: (_read_said(entry.value), entry.key.span) for entry in entries}


def _read_options(node: Node | None) -> dict[str, tuple[Said, Span]]:
    """For each option its text, under the key `text`, and those of its values."""
    found = _read_nested(node)
    for name, (text, span) in _read_said(node).items():
        found[name] = ({"text": (text, span)}, span)
    return found
