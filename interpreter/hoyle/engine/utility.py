"""What the end of a match is worth to each seat, and which score wins.

In: a program, and how a match of it ended. Out: utilities, by `utility:` where the file has it, else by the winners,
adding up to nothing; and `highest` or `lowest`, read off the rule for winners, never guessed from scores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from hoyle.engine.faults import Fault
from hoyle.ir import nodes as ir
from hoyle.ir.walk import walk_into
from hoyle.words import Op, applies

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.model.position import Position

Best = Literal["highest", "lowest", ""]


def value_end(executor: ReferenceExecutor, position: Position) -> list[float]:
    """What the end of a match is worth to each seat; `Fault` if it is not what the file says it always is."""
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
    """The least and the most that the end can be worth to a seat; infinite where the file has a utility and does not
    say."""
    if program.utility is not None:
        low, high = program.utility.low, program.utility.high
        return (-math.inf, math.inf) if low is None or high is None else (float(low), float(high))
    sides = len(set(program.teams))
    return (-1.0 / (sides - 1), 1.0) if sides > 1 else (0.0, 1.0)


def find_sum(program: ir.Program) -> float | None:
    """What the end is worth to all seats together, if that is always the same: nothing, between sides of equal size."""
    if program.utility is not None:
        return None if program.utility.sum is None else float(program.utility.sum)
    sizes = {program.teams.count(side) for side in program.teams}
    return 0.0 if len(set(program.teams)) > 1 and len(sizes) == 1 else None


def find_utilities(teams: Sequence[int], winners: Sequence[int]) -> list[float]:
    """1 for a side that wins alone, shared if several do; what they win the others lose in equal parts. Where nobody
    wins, or everybody, it is worth nothing to all.

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
    """What tells before the end how a seat stands, if it is not the score: an expression, and the place in the frame
    where the seat is."""
    if program.utility is not None:
        return program.utility.value, 0
    those = None if find_best(program) else find_those(program)
    if those is None or those.source.type.of is None or those.source.type.of.kind != "seat":
        return None
    return those.orders[0].key, those.var


def find_best(program: ir.Program) -> Best:
    """Which score wins; empty if it is not the score that decides."""
    order = find_order(program)
    return order.best if order is not None and is_score(program, order.key) else ""


def find_order(program: ir.Program) -> ir.Order | None:
    """The rule of preference by which winners are found, through the definitions that lead to it."""
    those = find_those(program)
    return those.orders[0] if those is not None else None


def find_those(program: ir.Program) -> ir.Those | None:
    """The list of those with the most or least of something that the winners are."""
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
            expr = expr.args[1]  # the seats of sides: the first says which they are, the second which sides
        else:
            break
    return None


def is_score(program: ir.Program, key: ir.Expr) -> bool:
    """Whether a key is worked out from what has been scored, or from what the ledger calls the score."""
    standing = program.standing
    for part in walk_into(program, key):
        if applies(part, Op.SCORE):
            return True
        if isinstance(part, ir.Call) and isinstance(standing, ir.Call) and part.definition == standing.definition:
            return True
        if isinstance(part, ir.StateRef) and isinstance(standing, ir.StateRef) and part.state == standing.state:
            return True
    return False
