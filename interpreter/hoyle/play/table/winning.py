"""The result of a finished match.

In: a program, the winners. Out: the verdict and its reason as text.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.play.engine.utility import find_order, is_score
from hoyle.play.table.address import Speaker
from hoyle.play.table.model import Result
from hoyle.program.ir import nodes as ir


def make_result(program: ir.Program, winners: Sequence[int], speaker: Speaker) -> Result:
    """Say who has won and why."""
    who = speaker.list_seats(winners)
    if not winners:
        verdict = speaker.say("nobody_wins")
    elif len(winners) == 1:
        verdict = speaker.say("one_wins", of=winners[0], who=who)
    else:
        verdict = speaker.say("all_win", who=who)
    return Result(tuple(winners), speaker.begin(verdict), speaker.begin(_say_reason(program, speaker)))


def _say_reason(program: ir.Program, speaker: Speaker) -> str:
    order = find_order(program)
    if order is None:
        return ""
    return speaker.say(f"{order.best}_wins", what=_name_key(program, order.key, speaker))


def _name_key(program: ir.Program, key: ir.Expr, speaker: Speaker) -> str:
    """Name the quantity that decides the match."""
    if is_score(program, key):
        return speaker.say("score")
    if isinstance(key, ir.StateRef):
        return speaker.locale.state(program.states[key.state].name)
    name = program.definitions[key.definition].name if isinstance(key, ir.Call) else key.text
    return speaker.locale.value(name)
