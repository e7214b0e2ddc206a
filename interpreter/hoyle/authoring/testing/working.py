"""Breaks a score table down into its rows.

In: a program, a match and an expression that calls a score table. Out: `WorkedRow`s of the rows that score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.language.queries import Query
from hoyle.play.engine.game import Match
from hoyle.play.view.names import Names
from hoyle.program.ir import nodes as ir


@dataclass(frozen=True, slots=True)
class WorkedRow:
    """A row that scores: its label and points, the rules it cites, its groups of cards and the points of each, and its
    call."""

    label: str
    amount: int
    cite: tuple[str, ...]
    groups: tuple[str, ...]
    parts: tuple[int, ...]
    call: str


def work_out_table(
    program: ir.Program, match: Match, query: Query, seat: int | None = None
) -> list[WorkedRow]:
    """Evaluate the scoring rows of the table that an expression calls; empty for any other expression."""
    expr = query.expr
    while isinstance(expr, ir.Named):
        expr = expr.body
    if not isinstance(expr, ir.Call):
        return []
    table = next((each for each in program.scores if each.total == expr.definition), None)
    if table is None:
        return []
    evaluator, position = match.executor.evaluator, match.position
    frame = [seat, *[None] * query.frame]
    return work_out_rows(program, match, table, [evaluator.evaluate(each, position, list(frame)) for each in expr.args])


def work_out_rows(
    program: ir.Program, match: Match, table: ir.ScoreTable, arguments: Sequence[Any]
) -> list[WorkedRow]:
    """Evaluate the scoring rows of a score table."""

    def work_out(number: int) -> Any:
        definition = program.definitions[number]
        own = [*arguments, *[None] * (definition.frame - len(arguments))]
        return match.executor.evaluator.evaluate(definition.body, match.position, own)

    rows = []
    for row in table.rows:
        amount = work_out(row.amount)
        if amount:
            groups = work_out(row.groups) if row.groups is not None else ()
            parts = tuple(work_out(row.parts)) if row.parts is not None else (amount,)
            named = tuple(_name_group(match.game.names, group) for group in groups)
            rows.append(WorkedRow(row.label, amount, program.clauses[row.clause].cite, named, parts, row.call))
    return rows


def _name_group(names: Names, group: Any) -> str:
    if not isinstance(group, tuple):
        return str(group)
    return " ".join(names.name_card(card) for card in group) or "nothing"
