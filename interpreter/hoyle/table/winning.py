"""Which score wins, and why a match was won.

In: a program, a match that is over. Out: `highest` or `lowest` where the winners are those with the best score; the
verdict and its reason in words. It is read off the rule for winners, never guessed from the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hoyle.ir import nodes as ir
from hoyle.ir.walk import walk_into
from hoyle.table.model import Result
from hoyle.table.speaking import Speaker

Best = Literal["highest", "lowest", ""]


def find_best(program: ir.Program) -> Best:
    """Which score wins; empty if it is not the score that decides."""
    order = _find_order(program)
    return order.best if order is not None and _is_score(program, order.key) else ""


def make_result(program: ir.Program, winners: Sequence[int], speaker: Speaker) -> Result:
    """Who has won and why."""
    who = speaker.list_seats(winners)
    if not winners:
        verdict = speaker.say("nobody_wins")
    elif len(winners) == 1:
        verdict = speaker.say("one_wins", of=winners[0], who=who)
    else:
        verdict = speaker.say("all_win", who=who)
    return Result(tuple(winners), speaker.begin(verdict), speaker.begin(_say_reason(program, speaker)))


def _say_reason(program: ir.Program, speaker: Speaker) -> str:
    order = _find_order(program)
    if order is None:
        return ""
    return speaker.say(f"{order.best}_wins", what=_name_key(program, order.key, speaker))


def _name_key(program: ir.Program, key: ir.Expr, speaker: Speaker) -> str:
    """What the winners have most or least of."""
    if _is_score(program, key):
        return speaker.say("score")
    if isinstance(key, ir.StateRef):
        return speaker.locale.state(program.states[key.state].name)
    name = program.definitions[key.definition].name if isinstance(key, ir.Call) else key.text
    return speaker.locale.value(name)


def _find_order(program: ir.Program) -> ir.Order | None:
    """The rule of preference by which winners are found, through the definitions that lead to it."""
    expr: ir.Expr = program.winners
    for _ in range(len(program.definitions) + 10):
        if isinstance(expr, ir.Call):
            expr = program.definitions[expr.definition].body
        elif isinstance(expr, ir.Named):
            expr = expr.body
        elif isinstance(expr, ir.If):
            expr = expr.no
        elif isinstance(expr, ir.Those) and expr.orders:
            return expr.orders[0]
        elif isinstance(expr, ir.Those):
            expr = expr.source
        else:
            break
    return None


def _is_score(program: ir.Program, key: ir.Expr) -> bool:
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
