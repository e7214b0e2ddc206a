"""One merge by name, for modules and variants alike.

In: a base and what goes over it, both as mappings. Out: the merged mapping. Mappings merge entry by entry; anything
else is replaced; a bare value over a clause replaces its body and keeps the rest.
"""

from __future__ import annotations

from hoyle.diagnostics.report import Label, Report, did_you_mean, nearest
from hoyle.document.clauses import PLACES, Clause, Path, clause_at
from hoyle.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.source import Span


def merge(base: Mapping, over: Mapping, report: Report, path: Path = ()) -> Mapping:
    """The entries of `base` with those of `over` put over them, by name."""
    clause = clause_at(path)
    merged = {entry.name: entry for entry in base}
    if clause is not None and clause.exclusive:
        _drop_other_bodies(merged, over, clause)
    wishes: list[tuple[str, str, Scalar]] = []
    for entry in over:
        if clause is not None and entry.name in PLACES:
            continue
        old = merged.get(entry.name)
        inner = (*path, entry.name)
        merged[entry.name] = Entry(entry.key, merge_nodes(old.value if old else None, entry.value, report, inner))
        if clause_at(inner) is not None and isinstance(entry.value, Mapping):
            wishes += [(entry.name, word, beside) for word in PLACES if isinstance(beside := entry.value.get(word), Scalar)]
    entries = list(merged.values())
    for name, word, beside in wishes:
        entries = _place(entries, name, word, beside, path, report)
    return Mapping(tuple(entries), over.span)


def merge_nodes(base: Node | None, over: Node, report: Report, path: Path) -> Node:
    """What stands at a path when `over` is put over `base`."""
    clause = clause_at(path)
    if isinstance(over, Mapping):
        if isinstance(base, Scalar) and clause is not None and clause.body and not clause.is_named_form(over):
            base = Mapping((_body_entry(clause, base),), base.span)
        if not isinstance(base, Mapping) or _differ_in_form(base, over, clause, path):
            base = Mapping((), over.span)
        return merge(base, over, report, path)
    if isinstance(over, Scalar) and isinstance(base, Mapping) and clause is not None and clause.body:
        if clause.is_named_form(base):
            return over
        kept = tuple(entry for entry in base if entry.name not in clause.bodies)
        return Mapping((*kept, _body_entry(clause, over)), over.span)
    return over


def _body_entry(clause: Clause, value: Scalar) -> Entry:
    """The entry a bare value stands for; its name has no place of its own."""
    return Entry(Scalar(clause.body, clause.body, "plain", value.span, value.span), value)


def _drop_other_bodies(merged: dict[str, Entry], over: Mapping, clause: Clause) -> None:
    given = [name for name in clause.bodies if over.entry(name) is not None]
    if given:
        for name in clause.bodies:
            if name not in given:
                merged.pop(name, None)


def _differ_in_form(base: Mapping, over: Mapping, clause: Clause | None, path: Path) -> bool:
    if clause is not None and base.entries:
        return clause.is_named_form(base) != clause.is_named_form(over)
    is_attribute = len(path) == 3 and path[:2] == ("deck", "attributes")
    return is_attribute and (base.entry("range") is None) != (over.entry("range") is None)


def _place(
    entries: list[Entry], name: str, word: str, beside: Scalar, path: Path, report: Report
) -> list[Entry]:
    """The entries with one of them moved beside the neighbour it wishes for."""
    others = [entry for entry in entries if entry.name != name]
    at = next((index for index, entry in enumerate(others) if entry.name == beside.text), None)
    if at is None:
        names = [entry.name for entry in others]
        report.error(
            "place-missing",
            f"`{name}` is to stand {word} `{beside.text}`, which is not in `{'.'.join(path)}`",
            beside.span,
            "not there",
            others=_beside(beside.text, others, names),
            hint=did_you_mean(beside.text, names) or _those_there(names),
        )
        return entries
    moved = next(entry for entry in entries if entry.name == name)
    at += word == "after"
    return [*others[:at], moved, *others[at:]]


def _beside(name: str, entries: list[Entry], names: list[str]) -> tuple[Label, ...]:
    """A place to look at: the entry of a similar name, else the first there is."""
    near = nearest(name, names)
    found = next((entry for entry in entries if entry.name == near), None)
    if found is not None:
        return (Label(found.key.span, "a similar name"),)
    return (Label(entries[0].key.span, "what is there begins here"),) if entries else ()


def _those_there(names: list[str]) -> tuple[str, ...]:
    return (f"what is there: {', '.join(f'`{name}`' for name in names[:12])}",) if names else ()


def remove_paths(base: Mapping, paths: Node | None, report: Report, file_span: Span) -> Mapping:
    """The base without what a variant takes out, each given as a dotted path."""
    for item in paths.items if isinstance(paths, Sequence) else ():
        if not isinstance(item, Scalar):
            continue
        found = find_path(base, item.text)
        if found is None:
            _report_nothing_to_remove(base, item, report, file_span)
        else:
            base = _without(base, found)
    return base


def find_path(node: Node, dotted: str) -> Path | None:
    """The names along a dotted path; names may hold dots and spaces themselves, longer names are tried first."""
    if not isinstance(node, Mapping):
        return None
    fitting = [entry for entry in node if dotted == entry.name or dotted.startswith(entry.name + ".")]
    for entry in sorted(fitting, key=lambda entry: -len(entry.name)):
        if dotted == entry.name:
            return (entry.name,)
        rest = find_path(entry.value, dotted[len(entry.name) + 1 :])
        if rest is not None:
            return (entry.name, *rest)
    return None


def _without(node: Mapping, path: Path) -> Mapping:
    entries = []
    for entry in node:
        if entry.name != path[0]:
            entries.append(entry)
        elif len(path) > 1:
            assert isinstance(entry.value, Mapping)
            entries.append(Entry(entry.key, _without(entry.value, path[1:])))
    return Mapping(tuple(entries), node.span)


def _report_nothing_to_remove(base: Mapping, item: Scalar, report: Report, file_span: Span) -> None:
    """Say how far the path leads, and what stands there."""
    known, rest, mapping = "", item.text, base
    while True:
        step = next((entry for entry in mapping if rest.startswith(entry.name + ".")), None)
        if step is None or not isinstance(step.value, Mapping):
            break
        known, rest, mapping = f"{known}{step.name}.", rest[len(step.name) + 1 :], step.value
    names = list(mapping.keys())
    where = f"`{known[:-1]}` has no `{rest}`" if known else f"there is no `{rest}`"
    report.error(
        "remove-missing",
        f"nothing to remove: {where}",
        item.span,
        "not there",
        others=tuple(
            label for label in _beside(rest, list(mapping.entries), names) if label.span.source is not file_span.source
        ),
        hint=did_you_mean(rest, names) or _those_there(names),
    )
