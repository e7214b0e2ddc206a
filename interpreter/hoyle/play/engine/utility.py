"""The utility of a finished match for each seat, and which score wins.

In: a program, and the final position of a match. Out: utilities, by the file's `utility:` if it declares one, else
zero-sum by the winners; and `highest` or `lowest`, derived from the rule for winners, never guessed from scores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from hoyle.play.engine.faults import Fault
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.walk import walk_into
from hoyle.program.words import Op, applies

if TYPE_CHECKING:
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.program.model.position import Position

Best = Literal["highest", "lowest", ""]


def value_end(executor: ReferenceExecutor, position: Position) -> list[float]:
    """The utility of a finished match for each seat; raises `Fault` if it violates the bounds or the sum that the file
    declares."""
    program = executor.program
    said = program.utility
    if said is None:
        return find_utilities(program.teams, executor.list_winners(position))
    values = [executor.value_of(said.value, seat, position) for seat in range(program.players)]
    clause = said.value.clause if isinstance(said.value, ir.Named) else None
    for seat, value in enumerate(values):
        if said.low is not None and said.high is not None and not said.low <= value <= said.high:
            message = f"the utility of seat {seat} is {value}, which is not from {said.low} to {said.high}"
            raise Fault("out-of-range", message, clause)
    if said.sum is not None and sum(values) != said.sum:
        raise Fault("out-of-range", f"the utilities add up to {sum(values)}, which is not {said.sum}", clause)
    return [float(value) for value in values]


def find_range(program: ir.Program) -> tuple[float, float]:
    """Bounds on the utility of one seat; infinite where the file declares a utility without a range."""
    if program.utility is not None:
        low, high = program.utility.low, program.utility.high
        return (-math.inf, math.inf) if low is None or high is None else (float(low), float(high))
    sides = len(set(program.teams))
    return (-1.0 / (sides - 1), 1.0) if sides > 1 else (0.0, 1.0)


def find_sum(program: ir.Program) -> float | None:
    """The sum of all utilities if it is constant, else None; by default it is zero between sides of equal size."""
    if program.utility is not None:
        return None if program.utility.sum is None else float(program.utility.sum)
    sizes = {program.teams.count(side) for side in program.teams}
    return 0.0 if len(set(program.teams)) > 1 and len(sizes) == 1 else None


def find_utilities(teams: Sequence[int], winners: Sequence[int]) -> list[float]:
    """The default, zero-sum between sides: 1 for a side that wins alone, split if several win; the losers share the
    loss equally. If nobody wins, or everybody, all utilities are zero. A single side without opponents gets 1 for a
    win.

    >>> find_utilities((0, 1), (1,)), find_utilities((0, 1, 2), (0, 2)), find_utilities((0, 1, 0, 1), (0, 2))
    ([-1.0, 1.0], [0.25, -0.5, 0.25], [1.0, -1.0, 1.0, -1.0])
    """
    sides = len(set(teams))
    won = {teams[seat] for seat in winners}
    if not won or sides < 2:
        return [1.0 if sides < 2 and won else 0.0] * len(teams)
    share, lost = 1 / len(won), 1 / (sides - 1)
    return [(sides * share * (team in won) - 1) * lost for team in teams]


def find_told(program: ir.Program) -> tuple[ir.Expr, int] | None:
    """An expression that indicates a seat's standing before the end of a match, where it is not the score, and the
    frame index to which the seat is bound."""
    if program.utility is not None:
        return program.utility.value, 0
    those = None if find_best(program) else find_those(program)
    if those is None or those.source.type.of is None or those.source.type.of.kind != "seat":
        return None
    return those.orders[0].key, those.var


def find_best(program: ir.Program) -> Best:
    """Whether the highest or the lowest score wins; empty if the score does not decide."""
    order = find_order(program)
    return order.best if order is not None and is_score(program, order.key) else ""


def find_order(program: ir.Program) -> ir.Order | None:
    """The ordering by which winners are selected, looked up through definitions."""
    those = find_those(program)
    return those.orders[0] if those is not None else None


def find_those(program: ir.Program) -> ir.Those | None:
    """The selection expression that yields the winners, looked up through definitions."""
    expr: ir.Expr = program.winners
    for _ in range(len(program.definitions) + 10):
        if isinstance(expr, ir.Call):
            expr = program.definitions[expr.definition].body
        elif isinstance(expr, ir.Named):
            expr = expr.body
        elif isinstance(expr, ir.If):
            expr = expr.no
        elif isinstance(expr, ir.Those) and expr.orders:
            return expr
        elif isinstance(expr, ir.Those):
            expr = expr.source
        elif applies(expr, Op.CONCATENATE) and isinstance(expr, ir.Apply) and len(expr.args) == 2:
            expr = expr.args[1]  # seats of the winning sides: the second argument selects the sides
        else:
            break
    return None


def is_score(program: ir.Program, key: ir.Expr) -> bool:
    """Whether an ordering key depends on points scored, or on what the ledger declares as the score."""
    standing = program.standing
    for part in walk_into(program, key):
        if applies(part, Op.SCORE):
            return True
        if isinstance(part, ir.Call) and isinstance(standing, ir.Call) and part.definition == standing.definition:
            return True
        if isinstance(part, ir.StateRef) and isinstance(standing, ir.StateRef) and part.state == standing.state:
            return True
    return False
