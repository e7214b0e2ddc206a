"""One merge by name, for modules and variants alike.

In: a base and what goes over it, both as mappings. Out: the merged mapping. Mappings merge entry by entry; anything
else is replaced; a bare value over a clause replaces its body and keeps the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.diagnostics.report import Label, Report, did_you_mean, nearest
from hoyle.document import nodes
from hoyle.document.clauses import Clause, Path, clause_at
from hoyle.document.limits import MAX_REMOVALS, candidates, is_full
from hoyle.document.nodes import Entry, Mapping, Node, Scalar


def merge(base: Mapping, over: Mapping, report: Report, path: Path = ()) -> Mapping:
    """The entries of `base` with those of `over` put over them, by name."""
    clause = clause_at(path)
    merged = {entry.name: entry for entry in base}
    if clause is not None and clause.exclusive:
        _drop_other_bodies(merged, over, clause)
    own_place = list(clause.place_of(over)) if clause is not None else []
    wishes: list[tuple[str, Entry]] = []
    for entry in over:
        if entry in own_place:
            continue
        old = merged.get(entry.name)
        inner = (*path, entry.name)
        merged[entry.name] = Entry(entry.key, merge_nodes(old.value if old else None, entry.value, report, inner))
        kind = clause_at(inner)
        if kind is not None and isinstance(entry.value, Mapping):
            wishes += [(entry.name, place) for place in kind.place_of(entry.value)]
    order = list(merged)
    for name, place in wishes:
        _place(order, name, place, merged, path, report)
    return Mapping(tuple(merged[name] for name in order), over.span)


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


def _place(order: list[str], name: str, wish: Entry, merged: dict[str, Entry], path: Path, report: Report) -> None:
    """Move one of the names after or before the neighbour it wishes for."""
    assert isinstance(wish.value, Scalar)
    beside = wish.value.text
    if beside in merged and beside != name:
        order.remove(name)
        order.insert(order.index(beside) + (wish.name == "after"), name)
    elif not is_full(report):
        others = [entry for entry in merged.values() if entry.name != name]
        report.error(
            "place-missing",
            f"`{name}` is to stand {wish.name} `{beside}`, which is not in `{'.'.join(path)}`",
            wish.value.span,
            "not there" if beside != name else "this is the entry itself",
            others=_similar(beside, others),
            hint=_hints(beside, others),
        )


def _similar(name: str, entries: Sequence[Entry]) -> tuple[Label, ...]:
    """A place to look at: the entry of a similar name, else the first there is."""
    near = nearest(name, candidates([entry.name for entry in entries]))
    found = next((entry for entry in entries if entry.name == near), None)
    if found is not None:
        return (Label(found.key.span, "a similar name"),)
    return (Label(entries[0].key.span, "what is there begins here"),) if entries else ()


def _hints(name: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    names = candidates([entry.name for entry in entries])
    listed = ", ".join(f"`{known}`" for known in names[:12])
    return did_you_mean(name, names) or ((f"what is there: {listed}",) if names else ())


def remove_paths(base: Mapping, paths: Node | None, report: Report) -> Mapping:
    """The base without what a variant takes out, each given as a dotted path."""
    for item in paths.items[:MAX_REMOVALS] if isinstance(paths, nodes.Sequence) else ():
        if not isinstance(item, Scalar):
            continue
        found = find_path(base, item.text)
        if found is None and not is_full(report):
            _report_nothing_to_remove(base, item, report)
        elif found is not None:
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


def _report_nothing_to_remove(base: Mapping, item: Scalar, report: Report) -> None:
    """Say how far the path leads, and what stands there."""
    known, rest, mapping = "", item.text, base
    while True:
        step = next((entry for entry in mapping if rest.startswith(entry.name + ".")), None)
        if step is None or not isinstance(step.value, Mapping):
            break
        known, rest, mapping = f"{known}{step.name}.", rest[len(step.name) + 1 :], step.value
    where = f"`{known[:-1]}` has no `{rest}`" if known else f"there is no `{rest}`"
    report.error(
        "remove-missing",
        f"nothing to remove: {where}",
        item.span,
        "not there",
        others=_similar(rest, mapping.entries),
        hint=_hints(rest, mapping.entries),
    )
