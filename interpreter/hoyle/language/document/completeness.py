"""Completeness of a game after its parents and modules have been merged.

In: the merged root. Out: diagnostics for missing sections, clauses without a body or with two, and undeclared options.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.base.diagnostics.report import Label, Report, respell
from hoyle.base.diagnostics.spelling import nearest
from hoyle.language.document.clauses import Path, clause_at
from hoyle.language.document.file_limits import candidates, is_full
from hoyle.language.document.nodes import Entry, Mapping, Scalar

_REQUIRED = ("title", "players", "deck", "steps")


def check_complete(root: Mapping, report: Report) -> None:
    """Report what is missing, or defined in two ways."""
    missing = [name for name in _REQUIRED if root.entry(name) is None and not report.may_lack(name)]
    if report.incomplete and "deck" in missing:
        missing.remove("deck")  # the missing module may have declared it
    first = root.entry("game")
    span = first.key.span if first else root.span
    if missing and not report.tells(span):
        listed = ", ".join(f"`{name}`" for name in missing)
        hint = "list the cards under `deck:`, or take a usual pack: `use: [deck_52]`" if "deck" in missing else ()
        report.error("missing-key", f"the game has no {listed}", span, hint=hint)
    _check_options(root.get("options"), report)
    for entry in root:
        _check(entry, (entry.name,), root, report)


def _check(entry: Entry, path: Path, siblings: Mapping, report: Report) -> None:
    node = entry.value
    if not isinstance(node, Mapping) or is_full(report):
        return
    clause = clause_at(path)
    if clause is not None and clause.required and not clause.is_named_form(node):
        given = [found for name in clause.bodies if (found := node.entry(name)) is not None]
        if not given:
            _report_no_body(entry, path, clause.bodies, siblings, report)
        elif clause.exclusive and len(given) > 1:
            report.error(
                "conflicting-keys",
                f"`{'.'.join(path)}` says by `{given[0].name}` and by `{given[1].name}` what it is",
                given[1].key.span,
                "and by this",
                others=(Label(given[0].key.span, "by this"),),
                hint="keep one of them",
            )
    for inner in node:
        _check(inner, (*path, inner.name), node, report)


def _report_no_body(entry: Entry, path: Path, bodies: tuple[str, ...], siblings: Mapping, report: Report) -> None:
    wanted = " or ".join(f"`{name}`" for name in bodies)
    names = candidates([other.name for other in siblings if other.name != entry.name])
    if report.may_lack(entry.name) or report.tells(entry.key.span):
        return
    hints = [f"a new entry here has {wanted}; to change one that exists, use its name"]
    report.error(
        "missing-key",
        f"`{'.'.join(path)}` has no {wanted}",
        entry.key.span,
        others=_similar(entry.name, names, siblings),
        hint=hints,
        fix=respell(entry.key.span, entry.name, names),
    )


def _check_options(options: object, report: Report) -> None:
    """Report remaining bare values: they were meant for options that do not exist."""
    if not isinstance(options, Mapping):
        return
    known = candidates([entry.name for entry in options if isinstance(entry.value, Mapping)])
    for entry in options:
        if isinstance(entry.value, Scalar) and not is_full(report):
            report.lost.add(entry.name)
            value = entry.value.span.text.strip()
            number = f"{value}, range: 0..{2 * int(value)}" if value.isdecimal() else ""
            default = number or value if number or value in ("true", "false") else "5, range: 1..9"
            hints = [f"a new option has a default and a sentence: `{entry.name}: {{default: {default}, text: …}}`"]
            report.error(
                "unknown-option",
                f"there is no option `{entry.name}` to set",
                entry.key.span,
                others=_similar(entry.name, known, options),
                hint=hints,
                fix=respell(entry.key.span, entry.name, known),
            )


def _similar(name: str, names: Sequence[str], siblings: Mapping) -> tuple[Label, ...]:
    found = siblings.entry(nearest(name, names) or "")
    return (Label(found.key.span, "a similar name"),) if found else ()
