"""Tests that are known to fail at the beginning of a block, whichever way led there.

In: a program whose blocks are run from its beginning. Out: for each block, the tests of branches that failed on every
way to it, with nothing changed since that they read. An end of the match that was tested after every score need not be
tested again before the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hoyle.effort import spend
from hoyle.engine.generate.graph import list_offered, list_returns, list_stored
from hoyle.engine.generate.reads import Mark, Reads, list_writes, touches
from hoyle.ir import nodes as ir

Tests = frozenset[ir.Expr]


def find_refuted(program: ir.Program, reads: Reads, simple: Callable[[ir.Expr], ir.Expr]) -> list[Tests]:
    """The tests known to fail at each block, as they are after they were made simple."""
    ends = {number: block.end for number, block in enumerate(program.blocks)}
    tests = {number: simple(end.test) for number, end in ends.items() if isinstance(end, ir.Branch)}
    read = {test: reads.of(test) for test in tests.values()}
    spend(len(read) ** 2 // 32)
    with_it = {test: frozenset(other for other in read if other == test or _needs(other, test)) for test in read}
    known: dict[int, Tests] = {program.entry: frozenset()}
    open_blocks = [program.entry]
    while open_blocks:
        number = open_blocks.pop()
        left = known[number]
        for writes in _list_writes(program, program.blocks[number]):
            spend(1 + len(left))
            left = frozenset(test for test in left if not touches(read[test], writes))
        for after, failed in _list_ways(program, number):
            found = left if failed is None else (left | with_it[tests[number]] if failed else left - {tests[number]})
            before = known.get(after)
            met = found if before is None else before & found
            if met != before:
                known[after] = met
                open_blocks.append(after)
    return [known.get(number, frozenset()) for number in range(len(program.blocks))]


def _needs(test: ir.Expr, part: ir.Expr) -> bool:
    """Whether a test fails where a part of it does."""
    return isinstance(test, ir.Logic) and test.op == "and" and part in test.parts


def _list_writes(program: ir.Program, block: ir.Block) -> Iterator[frozenset[Mark]]:
    """What the instructions of a block and its end change."""
    for instruction in block.instructions:
        yield list_writes(instruction)
    end = block.end
    match end:
        case ir.Enter():
            yield frozenset({("slot", program.steps[end.step].return_slot)})
        case ir.Return():
            yield frozenset({("slot", end.slot)})
        case ir.Perform():
            yield list_begun(program, list_stored(program))
        case ir.Decide():
            yield list_chosen(program, end)


def list_chosen(program: ir.Program, decide: ir.Decide) -> frozenset[Mark]:
    """The slots that a choice is put into."""
    if decide.store is not None:
        return frozenset({("slot", decide.store)})
    return list_begun(program, list_offered(program, decide))


def list_begun(program: ir.Program, numbers: list[int]) -> frozenset[Mark]:
    """The slots that are set when one of some actions begins."""
    actions = [program.actions[number] for number in numbers]
    slots = {slot for each in actions for slot in (each.seat_slot, each.return_slot, *each.pick_slots)}
    return frozenset(("slot", slot) for slot in slots)


def _list_ways(program: ir.Program, number: int) -> list[tuple[int, bool | None]]:
    """The blocks that can follow one, with whether the test of the branch has failed."""
    end = program.blocks[number].end
    match end:
        case ir.Jump():
            return [(end.to, None)]
        case ir.Branch():
            return [(end.yes, False), (end.no, True)]
        case ir.Enter():
            return [(program.steps[end.step].entry, None)]
        case ir.Return():
            return [(to, None) for to in list_returns(program, end.slot)]
        case ir.Perform():
            return [(end.to, None), *((program.actions[each].entry, None) for each in list_stored(program))]
        case ir.Decide():
            offered = [] if end.store is not None else list_offered(program, end)
            return [(end.to, None), *((program.actions[each].entry, None) for each in offered)]
    return []
