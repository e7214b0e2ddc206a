"""What the end of a match is worth to each seat, and which score wins.

In: a program and its winners. Out: utilities that add up to nothing, and `highest` or `lowest`, read off the rule for
winners, never guessed from scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hoyle.ir import nodes as ir
from hoyle.ir.walk import walk_into

Best = Literal["highest", "lowest", ""]


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
        else:
            break
    return None


def is_score(program: ir.Program, key: ir.Expr) -> bool:
    """Whether a key is worked out from what has been scored, or from what the ledger calls the score."""
    standing = program.standing
    for part in walk_into(program, key):
        if isinstance(part, ir.Apply) and part.word == "score":
            return True
        if isinstance(part, ir.Call) and isinstance(standing, ir.Call) and part.definition == standing.definition:
            return True
        if isinstance(part, ir.StateRef) and isinstance(standing, ir.StateRef) and part.state == standing.state:
            return True
    return False
