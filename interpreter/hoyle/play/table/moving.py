"""Static analysis: which clauses of a rule file can move cards as an effect of an action, and what is set before play.

In: a program, the name of an action. Out: the clauses of its effects that move cards, including those of the steps it
calls; and whether the action is ever chosen secretly, at the same time as by other seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from hoyle.program.ir.instructions import BeginRound, Deal, Move, SetState
from hoyle.program.ir.nodes import Enter, Program
from hoyle.program.ir.walk import list_following


def list_moving_clauses(program: Program, action: str) -> frozenset[str]:
    """Return the clauses by which an action can move cards: those of all blocks reachable from its entry.

    This over-approximates: an action that ends a step continues into the code that follows the step."""
    declared = next(each for each in program.actions if each.name == action)
    found: set[str] = set()
    waiting = [declared.entry]
    for number in _each_once(waiting):
        block = program.blocks[number]
        for each in block.instructions:
            if isinstance(each, Move | Deal):
                found.add(program.clauses[each.clause].path)
        waiting += list_following(program, block.end)
    return frozenset(found)


def _each_once(waiting: list[int]) -> Iterator[int]:
    """The blocks that wait to be looked at, each once; more may be added on the way."""
    entered: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number not in entered:
            entered.add(number)
            yield number


def is_chosen_unseen(program: Program, action: str) -> bool:
    """Whether an action is offered in a secret decision, whose choices are not told at once."""
    number = next(at for at, each in enumerate(program.actions) if each.name == action)
    return any(
        item.action == number
        for decision in program.decisions
        if decision.secret and not decision.window
        for tier in decision.tiers
        for item in tier.items
    )


def decides_first_dealer(program: Program) -> bool:
    """Whether the dealer may be set before the first round begins."""
    dealer = next((at for at, state in enumerate(program.states) if state.name == "dealer"), None)
    return dealer is not None and all(_scan_before_round(program, program.entry, dealer))


def _scan_before_round(program: Program, entry: int, state: int) -> tuple[bool, bool]:
    """Whether a state may be set on the way from a block to the first round, and whether a round begins there at all;
    what follows a step in which one begins is not on the way."""
    is_set = begins = False
    waiting = [entry]
    for number in _each_once(waiting):
        block = program.blocks[number]
        leading = list(takewhile(lambda each: not isinstance(each, BeginRound), block.instructions))
        is_set = is_set or any(isinstance(each, SetState) and each.state == state for each in leading)
        if len(leading) < len(block.instructions):
            begins = True
        elif isinstance(block.end, Enter):
            inner = _scan_before_round(program, program.steps[block.end.step].entry, state)
            is_set, begins = is_set or inner[0], begins or inner[1]
            waiting += [] if inner[1] else [block.end.to]
        else:
            waiting += list_following(program, block.end)
    return is_set, begins
