"""Unused declarations, and assignments to states that are reset before they are read.

In: declarations, independent of the number of players. Out: diagnostics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hoyle.base.diagnostics.report import Label, Report
from hoyle.base.source import Span
from hoyle.language.declare.calls import Calls, statements_in
from hoyle.language.declare.declarations import Declarations
from hoyle.language.declare.usage import list_unused, names_in
from hoyle.language.syntax import ast

_KINDS = {
    "options": "option",
    "zones": "zone",
    "state": "state",
    "pots": "pot",
    "kinds": "kind",
    "definitions": "definition",
    "scores": "score table",
}


def check_purpose(declared: Declarations, report: Report) -> None:
    """Report unused declarations of the game's own file, and lost assignments."""
    if declared.line is None:
        return
    home = declared.line.span.source
    _report_never_used(declared, home.name, report)
    if "round" in declared.steps:
        _report_forgotten(declared, report)


def _report_never_used(declared: Declarations, home: str, report: Report) -> None:
    """Report unused declarations, except actions, choices and steps, which another check covers."""
    lines = _find_lines(declared)
    for path in sorted(list_unused(declared)):
        section, _, name = path.partition(".")
        span = lines.get(path)
        if span is not None and span.source.name == home:
            hint = "use it, or leave it out"
            report.error("never-used", f"the {_KINDS[section]} `{name}` is never used", span, hint=hint)


def _find_lines(declared: Declarations) -> dict[str, Span]:
    tables: dict[str, Mapping[str, Any]] = {
        "options": declared.options,
        "zones": declared.zones,
        "state": declared.states,
        "pots": declared.pots,
        "kinds": declared.kinds,
        "definitions": declared.definitions,
        "scores": declared.scores,
    }
    return {f"{section}.{name}": one.line.span for section, table in tables.items() for name, one in table.items()}


def _report_forgotten(declared: Declarations, report: Report) -> None:
    """Report states set outside a round that are reset before a round, or the loop that plays rounds, reads them.
    States that rounds set too, and that something outside them reads, may be meant this way and are excluded."""
    calls = Calls(declared)
    inside = {"steps.round"} | calls.reaches["steps.round"]
    outside = ({"steps.match"} | calls.reaches.get("steps.match", frozenset())) - inside
    apart = [one for unit in sorted(outside) for one in statements_in(calls.body(unit))]
    bodies = [one for unit in sorted(inside) for one in calls.body(unit)]
    looped = [one for one in apart if isinstance(one, ast.Repeat) and _plays_rounds(one)]
    within = {_set_by(one) for one in statements_in(tuple(bodies))}
    kept = within & _list_read_between(declared, calls)
    forgotten = _list_read(declared, bodies) | _list_read(declared, looped)
    for one in apart:
        state = declared.states.get(_set_by(one))
        if state is None or state.lasts == "match" or state.name not in forgotten - kept:
            continue
        forgotten.discard(state.name)  # told once
        report.error(
            "forgotten",
            f"`{state.name}` is set here, and back at its start when a round begins",
            one.span,
            others=(Label(state.line.span, "lasts for a round"),),
            hint="say that it lasts: `lasts: match`",
        )


def _list_read_between(declared: Declarations, calls: Calls) -> set[str]:
    """The names read by units reachable without entering a round, even if rounds use them too, and by the result."""
    units = {"steps.match"}
    waiting = ["steps.match"]
    while waiting:
        found = set(calls.leads.get(waiting.pop(), ())) & set(calls.leads) - units - {"steps.round"}
        units |= found
        waiting += found
    acts = [act for name, act in declared.actions.items() if f"actions.{name}" in units]
    asked = [(act.picks, act.possible, act.allowed) for act in acts]
    shown = declared.table.counts if declared.table is not None else ()
    results = [declared.winners, declared.utility, declared.ends, list(declared.choices.values()), asked, shown]
    bodies = [one for unit in sorted(units) for one in calls.body(unit)]
    return _list_read(declared, bodies) | _follow(declared, (name for _, name in names_in(results)))


def _plays_rounds(loop: ast.Repeat) -> bool:
    return any(isinstance(one, ast.Do) and one.step.name == "round" for one in statements_in(loop.body))


def _set_by(statement: ast.Statement) -> str:
    """The state that a statement sets: `lead` in `set lead of player to 3`."""
    return statement.target.name if isinstance(statement, ast.Set) else ""


def _list_read(declared: Declarations, statements: Sequence[ast.Statement]) -> set[str]:
    """The names that statements read, other than as targets of `set`, closed over definitions."""
    named = Counter(name for _, name in names_in(list(statements)))
    named.subtract(name for one in statements_in(tuple(statements)) if (name := _set_by(one)))
    return _follow(declared, +named)


def _follow(declared: Declarations, names: Iterable[str]) -> set[str]:
    """The closure of names over definitions."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            if name in declared.definitions:
                waiting += [inner for _, inner in names_in(declared.definitions[name].body)]
    return found
