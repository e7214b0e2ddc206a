"""Which lines of a rule file move cards because somebody has chosen something.

In: a program, the name of an action. Out: the clauses of its effects that move cards, those of the steps it does among
them; whether it is ever chosen unseen, together with others.
"""

from __future__ import annotations

from hoyle.ir.instructions import Deal, Move
from hoyle.ir.nodes import Program
from hoyle.ir.walk import list_following


def list_moving_clauses(program: Program, action: str) -> frozenset[str]:
    """The clauses by which an action moves cards. One that ends a step goes on with what follows that step: then those
    count too, so that perhaps too many are listed, never too few."""
    declared = next(each for each in program.actions if each.name == action)
    found: set[str] = set()
    entered: set[int] = set()
    waiting = [declared.entry]
    while waiting:
        number = waiting.pop()
        if number in entered:
            continue
        entered.add(number)
        block = program.blocks[number]
        for each in block.instructions:
            if isinstance(each, Move | Deal):
                found.add(program.clauses[each.clause].path)
        waiting += list_following(program, block.end)
    return frozenset(found)


def is_chosen_unseen(program: Program, action: str) -> bool:
    """Whether an action is offered where nobody is told at once who has chosen what."""
    number = next(at for at, each in enumerate(program.actions) if each.name == action)
    return any(
        item.action == number
        for decision in program.decisions
        if decision.secret and not decision.window
        for tier in decision.tiers
        for item in tier.items
    )
