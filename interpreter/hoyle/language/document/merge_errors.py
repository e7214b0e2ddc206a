"""Diagnostics of failed merges: the primary label is in the file that goes over the others, theirs are notes.

In: the entries in question. Out: diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hoyle.base.diagnostics.report import Fix, Label, Report, respell
from hoyle.base.diagnostics.spelling import nearest
from hoyle.base.source import Span
from hoyle.language.document.clauses import GROUPS, Path
from hoyle.language.document.file_limits import candidates
from hoyle.language.document.nodes import Entry, Mapping, Scalar
from hoyle.language.document.paths import Removal, normal, shown

MOST_LISTED = 12
MARKS = ("new", "replace")  # marks before the name of an entry


def similar(name: str, entries: Sequence[Entry]) -> tuple[Label, ...]:
    """A label at the entry with a similar name, else at the first entry."""
    near = nearest(name, candidates([entry.name for entry in entries]))
    found = next((entry for entry in entries if entry.name == near), None)
    if found is not None:
        return (Label(found.key.span, "a similar name"),)
    return (Label(entries[0].key.span, "what is there begins here"),) if entries else ()


def hints_for(entries: Sequence[Entry]) -> tuple[str, ...]:
    """A hint that lists the existing names."""
    names = candidates([entry.name for entry in entries])
    return (f"what is there: {listed(names[:MOST_LISTED])}",) if names else ()


def respelt(span: Span, name: str, entries: Sequence[Entry]) -> tuple[Fix, ...]:
    """Fixes for a misspelt name."""
    return respell(span, name, candidates([entry.name for entry in entries]))


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def said(by: str) -> str:
    """A file or module, for messages."""
    return f"`{by.removeprefix('use.')}`"


def report_unknown(report: Report, by: str, entry: Entry, path: Path, base: Mapping, gone: Removal | None) -> None:
    """Report an unmarked name that does not exist: misspelt, or meant as new."""
    where, name = shown(path[:-1]), entry.name
    if name in MARKS and isinstance(entry.value, Mapping):
        _forget_inside(report, entry.value.span)
        report_bare_mark(report, entry)
        return
    if gone is not None:
        report.error(
            "not-in-parent",
            f"{said(by)} changes `{shown(path)}`, which {said(gone.touch.by)} has taken out",
            entry.key.span,
            others=(Label(gone.touch.span, "taken out here"), Label(gone.entry.key.span, "it stood here")),
            hint=f"`new {name}` brings in another of that name",
        )
        return
    near = respelt(entry.key.span, name, base.entries)
    nameless = any(there.name.startswith("(") for there in base)  # an unnamed row may be meant
    report.error(
        "not-in-parent",
        f"there is no `{name}` in `{where}` to change",
        entry.key.span,
        others=similar(name, base.entries),
        hint=(
            *(() if near else (f"what is there: {listed(base.keys()[:MOST_LISTED]) or 'nothing'}",)),
            *((f"a row without a name is changed with all others: `replace {path[-2]}: …`",) if nameless else ()),
            f"what is meant to be new says so: `new {name}`",
        ),
        fix=(
            *(replace(fix, sure=False) for fix in near),
            Fix(entry.key.span, f"new {name}", sure=not near and not nameless),
        ),
    )


def report_bare_mark(report: Report, entry: Entry) -> None:
    """Report `new: {low: …}`, which should be `new low: …`."""
    inner = entry.value.entries if isinstance(entry.value, Mapping) else ()
    name = inner[0].name if inner else "NAME"
    source, end = entry.key.span.source, entry.value.span.end
    fixes: tuple[Fix, ...] = ()
    if len(inner) == 1 and entry.value.span.text.startswith("{"):
        fixes = (Fix(Span(source, entry.key.span.start, end), f"{entry.name} {name}: {inner[0].value.span.text}"),)
    report.error(
        "unknown-key",
        f"`{entry.name}` stands before the name of what it is said of: `{entry.name} {name}: …`",
        entry.key.span,
        fix=fixes,
    )


def _forget_inside(report: Report, span: Span) -> None:
    """Withdraw diagnostics inside a range: they are consequences of an error of the whole."""
    report.diagnostics = [
        one
        for one in report.diagnostics
        if one.primary is None
        or one.primary.span.source is not span.source
        or not span.start <= one.primary.span.start < span.end
    ]


def report_already_there(report: Report, entry: Entry, old: Entry, path: Path) -> None:
    report.error(
        "not-new",
        f"`{shown(path)}` is not new: it is there already",
        entry.key.span,
        others=(Label(old.key.span, "it stands here"),),
        hint=f"leave out `new` to change it, or write `replace {entry.name}` to put this in its place",
    )


def report_missing(report: Report, entry: Entry, path: Path, base: Mapping, what: str) -> None:
    if any(found.primary and found.primary.span == entry.key.span for found in report.diagnostics):
        return  # an unknown key at this place, which has been reported
    where = f"`{shown(path[:-1])}` has no `{entry.name}`" if len(path) > 1 else f"there is no `{entry.name}`"
    report.error(
        "not-in-parent",
        f"{what}: {where}",
        entry.key.span,
        "not there",
        others=similar(entry.name, base.entries),
        hint=hints_for(base.entries),
        fix=respelt(entry.key.span, entry.name, base.entries),
    )


def report_drop(
    report: Report, span: Span, path: Path, lost: Sequence[Entry], kind: str, within: Span | None = None
) -> None:
    """Report a value that would silently drop named parts; diagnostics `within` a range are withdrawn."""
    if within is not None:
        _forget_inside(report, within)
    last = path[-1]
    names = _names_in(lost)
    what = f"would drop {listed(names[:MOST_LISTED])}, which `{shown(path)}` has"
    if names and names[0] in _UNNAMED:
        what = f"would drop what `{shown(path)}` says, in another form"
    hints = {
        "conditions": f"to add a condition give it a name: `{last}: {{new NAME: …}}`; to change one, use its name",
        "ends": f"to add an end give it a name: `{last}: {{new NAME: …}}`; to change one, use its name",
        "cases": "to change a case, or add one, name it: `cases: {NAME: …}`, `cases: {new NAME: …}`",
        "row": f"to change what each scores: `{last}: {{score: …}}`",
        "cards": "to add cards give them a name: `cards: {new NAME: {…}}`; to change some, use the name of their row",
        "values": f"to add a value: `{last}: {{new NAME: …}}`",
    }
    report.error(
        "would-drop",
        f"this {what}",
        span,
        others=(Label(lost[0].key.span, "what is there"),),
        hint=(*((hints[kind],) if kind in hints else ()), f"to put this in the place of all that: `replace {last}: …`"),
    )


_UNNAMED = ("is", "when", "do", "score")


def _names_in(lost: Sequence[Entry]) -> list[str]:
    """The names in groups, and those of other entries."""
    found: list[str] = []
    for entry in lost:
        inner = entry.value.keys() if isinstance(entry.value, Mapping) and entry.name in GROUPS else ()
        found += inner or [entry.name]
    return found


def report_clash(report: Report, module: str, entry: Entry, old: Entry, use: Span | None) -> None:
    """Report a name declared by a module that exists already."""
    name = module.removeprefix("use.")
    places = [Label(old.key.span, "there already"), Label(entry.key.span, f"`{name}` brings it")]
    report.error(
        "module-clash",
        f"the module `{name}` brings `{normal(entry.name)}`, which is there already",
        use or entry.key.span,
        others=places if use else places[:1],
        hint=f"give the copy a name: `{{module: {name}, as: …}}`",
    )


def report_place(
    report: Report, name: str, wish: Entry, beside: Scalar, others: Sequence[Entry], path: Path
) -> None:
    report.error(
        "place-missing",
        f"`{name}` is to stand {wish.name} `{beside.text}`, which is not in `{shown(path)}`",
        beside.span,
        "not there" if normal(beside.text) != name else "this is the entry itself",
        others=similar(beside.text, others),
        hint=hints_for(others),
        fix=respelt(beside.span, beside.text, others),
    )


def report_no_such_path(report: Report, base: Mapping, item: Scalar, code: str, what: str) -> None:
    """Report an unresolvable path: how far it resolves, and what exists there."""
    known, rest, mapping = "", item.text, base
    while True:
        step = next((entry for entry in mapping if rest.startswith(entry.name + ".")), None)
        if step is None or not isinstance(step.value, Mapping):
            break
        known, rest, mapping = f"{known}{step.name}.", rest[len(step.name) + 1 :], step.value
    where = f"`{known[:-1]}` has no `{rest}`" if known else f"there is no `{rest}`"
    sections = [] if known else [one for one in base if isinstance(one.value, Mapping) and one.value.entry(rest)]
    if sections:
        paths = [f"{one.name}.{rest}" for one in sections]
        hint = f"a path begins with the section: `{paths[0]}`"
        fixes = [Fix(item.span, path, sure=len(paths) == 1) for path in paths]
        report.error(code, f"{what}: {where}", item.span, "not there", hint=hint, fix=fixes)
        return
    report.error(
        code,
        f"{what}: {where}",
        item.span,
        "not there",
        others=similar(rest, mapping.entries),
        hint=hints_for(mapping.entries),
        fix=[replace(fix, text=known + fix.text) for fix in respelt(item.span, rest, mapping.entries)],
    )
