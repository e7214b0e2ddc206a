"""Formats a verdict as text or as data.

In: a verdict and what was run. Out: lines of text, or data for JSON.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.authoring.coverage.clauses import Kind
from hoyle.authoring.coverage.measure import Measured
from hoyle.authoring.coverage.verdict import Line, Verdict, say_share
from hoyle.base.columns import in_columns, wrap_lines

# The kinds of items in display order: plural name, and the words for held and failed.
KINDS: dict[Kind, tuple[str, str, str]] = {
    "condition": ("conditions", "held", "failed"),
    "definition": ("definitions", "used", "false"),
    "case": ("cases", "taken", "passed over"),
    "row": ("score rows", "scored", "nothing"),
    "action": ("actions", "chosen", ""),
    "pick": ("picks", "something to choose", "nothing"),
    "tier": ("tiers", "bound", "passed over"),
    "offer": ("offers", "open", "closed"),
    "end": ("ends", "came", "not yet"),
    "window": ("windows", "used", "declined"),
    "branch": ("branches", "held", "failed"),
    "limit": ("limits", "went on", "reached"),
    "statement": ("statements", "done", ""),
}


def describe(
    verdict: Verdict, measured: Measured, *, everything: bool = False, width: int | None = None
) -> list[str]:
    """Format what was run, the clauses not reached (or all), and the share, in lines of at most some width."""
    head = [f"{measured.declared.title}: {describe_runs(measured)}", *_tell_spared(measured), ""]
    shown = list(verdict.lines) if everything else verdict.missing
    listed = [*_list_lines(shown, width), ""] if shown else []
    lines = [f"{excuse.place}: reached after all, though the file says: {excuse.why}" for excuse in verdict.stale]
    lines += [f"does not hold: {name}" for name in measured.failing]
    lines += [f"stopped by a fault: {fault}" for fault in measured.faults[:3]]
    lines.append(sum_up(verdict))
    return [*wrap_lines(head, width), *listed, *wrap_lines(lines, width)]


def describe_runs(measured: Measured) -> str:
    """Say how many examples and games were run."""
    return f"{_count(measured.examples, 'example')}, {_count(measured.games, 'game')}"


def _tell_spared(measured: Measured) -> list[str]:
    """Say why fewer games were played than planned."""
    if not measured.spared:
        return []
    asked = f"games take long here; --games {measured.planned} plays all"
    why = asked if measured.too_much else "every clause has been reached"
    return [f"{measured.spared:,} of {_count(measured.planned, 'game')} not played: {why}"]


def sum_up(verdict: Verdict) -> str:
    """Format the summary line."""
    total = len(verdict.counted)
    if not total:
        return "no clauses to reach"
    excused = f"; {_count(len(verdict.excused), 'clause')} excused" if verdict.excused else ""
    return f"{total - len(verdict.missing)} of {_count(total, 'clause')} reached, {say_share(verdict.share)}{excused}"


def _list_lines(lines: Sequence[Line], width: int | None) -> list[str]:
    rows = [
        (
            f"{line.item.span.source.name}:{line.item.span.line}",
            line.item.name,
            say_counts(line),
            line.complaint if line.missing else line.excuse and f"excused: {line.excuse}",
        )
        for line in lines
    ]
    return in_columns(rows, width)


def say_counts(line: Line) -> str:
    """Format the counts of an item, in the words of its kind."""
    _, held, failed = KINDS[line.item.kind]
    if line.item.kind == "definition" and "failed" in line.item.needs:
        held, failed = "true", "false"
    parts = [f"{held} {line.held:,}"]
    if failed and (line.failed or "failed" in line.item.needs):
        parts.append(f"{failed} {line.failed:,}")
    return ", ".join(parts)


def count_kinds(verdict: Verdict) -> list[tuple[str, int, int]]:
    """List each kind of item with the numbers reached and in total."""
    found = []
    for kind, (name, _, _) in KINDS.items():
        own = [line for line in verdict.counted if line.item.kind == kind]
        if own:
            found.append((name, sum(not line.missing for line in own), len(own)))
    return found


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def as_data(verdict: Verdict, measured: Measured) -> dict[str, object]:
    """Convert the verdict to plain data; shares are exact, as two numbers."""
    return {
        "game": measured.declared.name,
        "examples": measured.examples,
        "failing": measured.failing,
        "games": measured.games,
        "spared": measured.spared,
        "faults": measured.faults,
        "reached": len(verdict.counted) - len(verdict.missing),
        "clauses": len(verdict.counted),
        "excused": len(verdict.excused),
        "lines": [
            {
                "kind": line.item.kind,
                "path": line.item.path,
                "part": line.item.part,
                "file": line.item.span.source.name,
                "line": line.item.span.line,
                "column": line.item.span.column,
                "held": line.held,
                "failed": line.failed,
                "missing": list(line.missing),
                "excuse": line.excuse,
            }
            for line in verdict.lines
        ],
    }
