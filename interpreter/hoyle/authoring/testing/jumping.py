"""Starts a match directly at a step that ordinary play does not reach.

In: a match and the name of a step. Out: the match with a call stack as if the enclosing steps had just entered it.

Local names of the enclosing steps have no value; the example must set up what the step itself needs.
"""

from __future__ import annotations

from hoyle.play.engine.game import Match
from hoyle.program.ir import nodes as ir

NOT_RUNNING = -1
Site = tuple[int, int]  # a call site: the step entered, and the block to return to


def begin_at(match: Match, name: str) -> bool:
    """Move a match to the beginning of a step; return whether any chain of steps leads there."""
    program = match.game.program
    way = _find_way(program, name)
    if way is None:
        return False
    position = match.position
    back = [step.return_slot for step in program.steps] + [action.return_slot for action in program.actions]
    for slot in back:
        position.slots[slot] = NOT_RUNNING
    for step, to in way:
        position.slots[program.steps[step].return_slot] = to
    position.block, position.instruction = program.steps[way[-1][0]].entry, 0
    return True


def _find_way(program: ir.Program, name: str) -> list[Site] | None:
    """Find the shortest chain of calls from the entry of the program to a step (breadth-first search)."""
    ways: list[tuple[int, list[Site]]] = [(program.entry, [])]
    seen: set[int] = set()
    for entry, way in ways:
        for step, to in _list_entered(program, entry):
            if step in seen:
                continue
            seen.add(step)
            longer = [*way, (step, to)]
            if program.steps[step].name == name:
                return longer
            ways.append((program.steps[step].entry, longer))
    return None


def _list_entered(program: ir.Program, entry: int) -> list[Site]:
    """List the call sites in the blocks reachable from an entry without entering steps."""
    found: list[Site] = []
    blocks, waiting = {entry}, [entry]
    while waiting:
        end = program.blocks[waiting.pop()].end
        if isinstance(end, ir.Enter):
            found.append((end.step, end.to))
        after: list[int] = [end.yes, end.no] if isinstance(end, ir.Branch) else []
        after += [end.to] if isinstance(end, ir.Jump | ir.Decide | ir.Perform | ir.Enter) else []
        new = [block for block in after if block not in blocks]
        blocks.update(new)
        waiting += new
    return found
