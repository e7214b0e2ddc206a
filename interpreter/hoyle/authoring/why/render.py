"""Formats explanations as text.

In: answers, scores, moments. Out: lines: the shortest explanation, or with `full` the complete trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hoyle.authoring.why.reasoning import Reasoned
from hoyle.authoring.why.reasons_for_actions import Answer, Step
from hoyle.authoring.why.scores import ScoreEntry
from hoyle.authoring.why.situation import Moment
from hoyle.program.ir import nodes as ir

MOST_VALUES = 8


class Quotes:
    """Quotes lines of rule files, with a cache of files; empty for unreadable ones."""

    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}

    def quote(self, clause: ir.Clause) -> str:
        """Return the source line of a clause."""
        if clause.file not in self._files:
            try:
                self._files[clause.file] = Path(clause.file).read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError):
                self._files[clause.file] = []
        lines = self._files[clause.file]
        return " ".join(lines[clause.line - 1].split()) if 0 < clause.line <= len(lines) else ""


def name_seat(seat: int) -> str:
    """Name a seat by its number."""
    return f"seat {seat}"


def say_place(clause: ir.Clause) -> str:
    """Format the location and the citations of a clause."""
    cited = f" [{', '.join(clause.cite)}]" if clause.cite else ""
    return f"{clause.path} at {clause.file}:{clause.line}{cited}"


def render_answer(answer: Answer, *, full: bool = False) -> list[str]:
    """Format the explanation of an action."""
    lines = [answer.sentence]
    for step in answer.decided:
        lines.append(f"  by {say_place(step.clause)}" + (f": {step.says}" if step.says and answer.allowed else ""))
        lines += [f"    {text}: {value}" for text, value in list_values(step.reasons)]
    lines += render_needs(answer)
    if answer.instead:
        lines.append(f"  What can be done: {', '.join(answer.instead)}")
    lines += [f"  {rule.id}: {rule.text}" for rule in answer.rules]
    return [*lines, "", *render_trace(answer)] if full else lines


def render_needs(answer: Answer) -> list[str]:
    """Format what would have to differ."""
    return [f"  {need[0].upper()}{need[1:]}" for need in answer.needs]


def render_trace(answer: Answer) -> list[str]:
    """Format all checks with their results."""
    lines = ["Asked in this order:"]
    for number, step in enumerate(answer.steps, 1):
        lines.append(f"  {number}. {say_place(step.clause)}: {_say_step(step)}")
        for tree in step.reasons:
            lines += _render_tree(tree, 3)
    return lines


def _say_step(step: Step) -> str:
    said = "no" if not step.passed else "yes"
    return f"{said}, {step.says[0].lower()}{step.says[1:]}" if step.says else said


def _render_tree(tree: Reasoned, depth: int) -> list[str]:
    lines = []
    for level, node in tree.walk():
        place = f"   ({say_place(node.clause)})" if node.clause is not None and level else ""
        lines.append(f"{'  ' * (depth + level)}{node.text}: {node.value}{place}")
    return lines


def list_values(trees: Iterable[Reasoned]) -> list[tuple[str, str]]:
    """List the deciding values: the distinct leaves of the decisive parts."""
    found: dict[str, str] = {}

    def collect(node: Reasoned, top: bool) -> None:
        inner = [part for part in node.decisive if part.text]
        if node.truth is None or not inner:
            if not top or not inner:
                found.setdefault(node.text, node.value)
            if node.truth is None and not top:
                return
        for part in inner:
            collect(part, False)

    for tree in trees:
        collect(tree, True)
    return list(found.items())[:MOST_VALUES]


# ------------------------------------------------------------------------------------------------ scores
def render_scores(
    entries: Sequence[ScoreEntry], scores: Sequence[int], name: Callable[[int], str] = name_seat
) -> list[str]:
    """Format how scores came about, entry by entry, and the current scores."""
    rows = []
    for entry in entries:
        label = " ".join(part for part in (entry.heading, entry.label) if part)
        place = say_place(entry.clause) if entry.clause is not None else ""
        rows.append(make_row(f"round {entry.round}", name(entry.seat), entry, label, place))
    lines = align(rows) or ["nothing has been scored yet"]
    lines.append("the scores: " + ", ".join(f"{name(seat)} {score}" for seat, score in enumerate(scores)))
    return lines


def make_row(round_: str, who: str, entry: ScoreEntry, label: str, place: str = "") -> tuple[str, ...]:
    """Format an entry as a row of a table."""
    parts = f" ({' + '.join(map(str, entry.parts))})" if len(entry.parts) > 1 else ""
    return round_, who, f"{entry.amount:+d}", f"= {entry.total}", f"{label}{parts}", place


def align(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Align the columns of a table of entries."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) if column in (2, 3) else cell.ljust(width)
                 for column, (cell, width) in enumerate(zip(row, widths, strict=True))]  # fmt: skip
        lines.append("  ".join(cells).rstrip())
    return lines


# ------------------------------------------------------------------------------------------------ moments
def render_moment(moment: Moment, *, full: bool = False, you: int | None = None) -> list[str]:
    """Format the current situation; `you` is the seat of the reader, who sees the menu anyway."""
    quotes = Quotes()
    if moment.over:
        return ["the match is over"]
    lines = [f"round {moment.round}; what is running, from the match down:"]
    for depth, unit in enumerate(moment.running, 1):
        at = unit.at or unit.clause
        line = quotes.quote(at)
        lines.append(f"{'  ' * depth}{unit.name} at {at.file}:{at.line}" + (f": {line}" if line else ""))
    if moment.seat is None:
        return [*lines, "nobody is to choose"]
    who = "you" if moment.seat == you else name_seat(moment.seat)
    may = "may choose" if moment.optional else "are to choose" if moment.seat == you else "is to choose"
    where = f" by {say_place(moment.clause)}" if moment.clause is not None else ""
    lines.append(f"{who} {may}: {moment.decision}{where}")
    for step in moment.tiers if full or len(moment.tiers) > 1 else ():
        lines.append(f"  {'binding' if step.passed else 'not'}: {say_place(step.clause)}: {step.says}")
        if full or not step.passed:
            lines += [f"    {text}: {value}" for text, value in list_values(step.reasons)]
    if moment.seat != you:
        lines.append(f"  offered: {', '.join(moment.offered)}")
    if moment.offences:
        lines.append(f"  possible, but against the rules: {', '.join(moment.offences)}")
    return lines
