"""Describes the situation at a position: the running steps, the deciding seat, and the rules of the decision.

In: a match. Out: a `Moment`: the call stack of steps, the decision, its tiers, the actions offered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.authoring.why.reasoning import Reasoning
from hoyle.authoring.why.reasons_for_actions import Step
from hoyle.base.dataclass import dataclass
from hoyle.play.engine.legality import is_permitted
from hoyle.program.ir import nodes as ir

if TYPE_CHECKING:
    from hoyle.play.engine.game import Match


@dataclass(frozen=True, slots=True)
class Running:
    """A running step or action (a stack frame), and the clause where it is, or where it has called the next one."""

    name: str
    clause: ir.Clause
    at: ir.Clause | None


@dataclass(frozen=True, slots=True)
class Moment:
    """The situation at a position. `seat` is the deciding seat, None when the match is over; `tiers` are those
    evaluated, the last of them binding."""

    over: bool
    round: int
    seat: int | None
    running: tuple[Running, ...]
    decision: str
    clause: ir.Clause | None
    optional: bool
    window: bool
    tiers: tuple[Step, ...]
    offered: tuple[str, ...]
    offences: tuple[str, ...]


def explain_moment(match: Match, seat: int | None = None) -> Moment:
    """Describe the situation of a match, with what `seat` can see (None: everything). In games with errors, which of
    the offered actions are errors may depend on hidden cards, and so it is not told to seats."""
    program, position, executor = match.game.program, match.position, match.executor
    decide = executor.find_decide(position)
    running = tuple(list_running(match))
    number = position.rounds_played + (0 if position.over else 1)
    found = match.decision if decide is not None else None
    if decide is None or found is None:
        return Moment(position.over, number, None, running, "", None, False, False, (), (), ())
    declared = program.decisions[decide.decision]
    secret = seat is not None and program.called
    lawful = [action.choice for action in (found.actions if secret else match.list_lawful())]
    wrong = [action.text for action in found.actions if action.choice and not is_permitted(action.choice, lawful)]
    return Moment(
        False,
        number,
        found.seat,
        running,
        declared.name,
        program.clauses[decide.clause],
        declared.optional,
        declared.window,
        () if secret else tuple(_list_tiers(match, declared, found.seat, seat)),
        tuple(action.text for action in found.actions if action.text not in wrong),
        tuple(wrong),
    )


def _list_tiers(match: Match, decision: ir.Decision, chooser: int, seat: int | None) -> list[Step]:
    """List the tiers evaluated, up to the binding one."""
    executor = match.executor
    reasoning = Reasoning(executor.evaluator, executor.effects.sight, match.position, seat)
    legality = executor.evaluator.legality
    steps: list[Step] = []
    for tier in decision.tiers:
        clause = match.game.program.clauses[tier.clause]
        opening: list[object] = [chooser, *[None] * decision.frame]
        when = (reasoning.explain(tier.when, opening),) if tier.when is not None else ()
        if when and not when[0].truth:
            steps.append(Step(clause, "passed over", False, when))
        elif any(True for _ in legality.list_tier(tier, chooser, match.position)):
            return [*steps, Step(clause, clause.text or "this binds", True, when)]
        else:
            steps.append(Step(clause, "nothing of it can be done", False, when))
    return steps


@dataclass(frozen=True, slots=True)
class _Unit:
    name: str
    clause: int
    entry: int
    return_slot: int


def list_running(match: Match) -> list[Running]:
    """List the running steps and actions, outermost first, from the return addresses in the slots."""
    program, position = match.game.program, match.position
    units = [_Unit(step.name, step.clause, step.entry, step.return_slot) for step in program.steps]
    units += [_Unit(action.name, action.clause, action.entry, action.return_slot) for action in program.actions]
    owner = _find_owners(program, units)
    main = next(unit for unit in units if unit.entry == program.entry)
    chain: list[_Unit] = []
    current: _Unit | None = owner.get(position.block, main)
    while current is not None and current not in chain:
        chain.insert(0, current)
        back = position.slots[current.return_slot]
        current = owner.get(back) if current is not main and _is_set(back) else None
    found = []
    for place, unit in enumerate(chain):
        inner = chain[place + 1] if place + 1 < len(chain) else None
        block = position.block if inner is None else position.slots[inner.return_slot]
        found.append(Running(unit.name, program.clauses[unit.clause], _find_place(program, block, inner is None)))
    return found


def _is_set(slot: object) -> bool:
    return isinstance(slot, int) and slot >= 0


def _find_place(program: ir.Program, block: object, innermost: bool) -> ir.Clause | None:
    """Return the current clause of a unit: the decision or branch of its block if it is innermost, else its call of the
    next unit."""
    if not isinstance(block, int) or not 0 <= block < len(program.blocks):
        return None
    if innermost:
        end = program.blocks[block].end
        return program.clauses[end.clause] if isinstance(end, ir.Decide | ir.Branch) else None
    for each in program.blocks:
        end = each.end
        if isinstance(end, ir.Enter | ir.Decide) and end.to == block and end.clause is not None:
            return program.clauses[end.clause]
    return None


def _find_owners(program: ir.Program, units: list[_Unit]) -> dict[int, _Unit]:
    """Map each block to its unit: the one from whose entry it is reachable without entering another unit. Exits are
    assigned first, because `end` jumps to the exit of another step."""
    owner = {step.exit: unit for step, unit in zip(program.steps, units, strict=False)}
    for unit in units:
        waiting = [unit.entry]
        while waiting:
            block = waiting.pop()
            if block in owner:
                continue
            owner[block] = unit
            end = program.blocks[block].end
            if isinstance(end, ir.Branch):
                waiting += [end.yes, end.no]
            elif isinstance(end, ir.Jump | ir.Decide | ir.Perform | ir.Enter):
                waiting.append(end.to)
    return owner
