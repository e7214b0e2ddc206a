"""The names of a game, collected from the keys of its sections before any rule is parsed.

In: the merged root of a document. Out: its `Vocabulary`.
"""

from __future__ import annotations

from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.syntax.vocabulary import Vocabulary

MOST_ENTRIES = 1_000


def read_vocabulary(root: Mapping) -> Vocabulary:
    """The names declared in a game, by role."""
    deck = root.get("deck")
    starts = deck.get("starts_in") if isinstance(deck, Mapping) else None
    zones = entries_of(root, "zones")
    table = tuple(e.name for e in zones if not _is_owned(e.value))
    states = entries_of(root, "state")
    patterns = [_split(e.name) for e in entries_of(root, "definitions") + entries_of(root, "needs")]
    steps = entries_of(root, "steps")
    return Vocabulary(
        relations=frozenset(name for form, name in patterns if form == "relation"),
        start=starts.text if isinstance(starts, Scalar) else _find_stock(zones, table),
        zones=table,
        seat_zones=tuple(e.name for e in zones if _is_owned(e.value)),
        families=frozenset(e.name for e in zones if isinstance(e.value, Mapping) and e.value.get("many") is not None),
        states={e.name: _type_of(e.value) for e in states if not _is_owned(e.value)},
        seat_states={e.name: _type_of(e.value) for e in states if _is_owned(e.value)},
        pots=_names(root, "pots"),
        options=_names(root, "options"),
        actions=_names(root, "actions"),
        choices=_names(root, "choices"),
        steps=tuple(_split(e.name)[1] for e in steps),
        plain=tuple(name for form, name in patterns if form == "plain"),
        functions=tuple(name for form, name in patterns if form == "function")
        + tuple(_split(e.name)[1] for e in entries_of(root, "scores")),
        adjectives=tuple(name for form, name in patterns if form == "adjective"),
        attributes=_read_attributes(deck),
        cards=_read_cards(deck),
        others=_names(root, "kinds") + tuple(_read_values(root)),
    )


def _find_stock(zones: tuple[Entry, ...], table: tuple[str, ...]) -> str:
    """The zone that most likely holds the pack: the first shared zone that nobody sees, else the first shared zone."""
    for entry in zones:
        shows = entry.value.get("shows") if isinstance(entry.value, Mapping) else None
        if entry.name in table and isinstance(shows, Scalar) and shows.text == "nothing":
            return entry.name
    return table[0] if table else ""


def entries_of(root: Mapping, section: str) -> tuple[Entry, ...]:
    """The entries of a section, up to the limit."""
    node = root.get(section)
    return node.entries[:MOST_ENTRIES] if isinstance(node, Mapping) else ()


def declared_name(key: str) -> str:
    """The name a key declares: `points` of `points of card`."""
    return _split(key)[1]


def _names(root: Mapping, section: str) -> tuple[str, ...]:
    return tuple(entry.name for entry in entries_of(root, section))


def _split(key: str) -> tuple[str, str]:
    """The form of a key and the name it declares, as in `points of card`, `card is wild`, `card fits pile`."""
    words = key.split()
    if len(words) >= 3 and words[1] == "of":
        return "function", words[0]
    if len(words) == 3:
        return ("adjective", words[2]) if words[1] == "is" else ("relation", words[1])
    return "plain", words[0] if words else ""


def _is_owned(node: Node) -> bool:
    return isinstance(node, Mapping) and node.get("of") is not None


def _type_of(node: Node) -> str:
    kind = node.get("type") if isinstance(node, Mapping) else node
    return " ".join(kind.text.split()) if isinstance(kind, Scalar) else ""


def _read_attributes(deck: Node | None) -> dict[str, dict[str, str]]:
    """The values of each attribute, with their abbreviations in card codes."""
    listed = deck.get("attributes") if isinstance(deck, Mapping) else None
    found: dict[str, dict[str, str]] = {}
    for entry in listed if isinstance(listed, Mapping) else ():
        node = entry.value
        if isinstance(node, Sequence):
            found[entry.name] = {item.text: item.text for item in node if isinstance(item, Scalar)}
        elif isinstance(node, Mapping):
            names = node.get("names") if node.get("range") is not None else node
            pairs = names.entries if isinstance(names, Mapping) else ()
            found[entry.name] = {e.name: e.value.text for e in pairs if isinstance(e.value, Scalar)}
        else:
            found[entry.name] = {}
    return found


def _read_cards(deck: Node | None) -> tuple[str, ...]:
    rows = deck.get("cards") if isinstance(deck, Mapping) else None
    named = (row.get("name") for row in rows if isinstance(row, Mapping)) if isinstance(rows, Sequence) else ()
    return tuple(name.text for name in named if isinstance(name, Scalar))


def _read_values(root: Mapping) -> list[str]:
    """The values of options and kinds, and the columns and marks of the ledger."""
    found: list[str] = []
    for entry in entries_of(root, "options"):
        values = entry.value.get("values") if isinstance(entry.value, Mapping) else None
        if isinstance(values, Mapping):
            found += values.keys()
        elif isinstance(values, Sequence):
            found += [item.text for item in values if isinstance(item, Scalar)]
    for entry in entries_of(root, "kinds"):
        found += entry.value.keys() if isinstance(entry.value, Mapping) else ()
    ledger = root.get("ledger")
    for part in ("columns", "marks"):
        named = ledger.get(part) if isinstance(ledger, Mapping) else None
        found += named.keys() if isinstance(named, Mapping) else ()
    return found
