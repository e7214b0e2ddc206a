"""Loops that run once: their head goes, so that nothing leads back.

In: the blocks of a program for a table, by number. Out: the same, in which a loop counted to one is a sequence.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.language.irgen.assemble import targets
from hoyle.program.ir import nodes as ir
from hoyle.program.words import Op, applies


def open_single_loops(blocks: dict[int, ir.Block]) -> None:
    """Let what enters a loop counted to one go on to its body, and what would go round it, behind it."""
    for head, block in list(blocks.items()):
        counter = _find_counter(block)
        if counter is None:
            continue
        assert isinstance(block.end, ir.Branch)
        for number, other in list(blocks.items()):
            if isinstance(other.end, ir.Jump) and other.end.to == head:
                to = block.end.yes if _begins(other, counter) else block.end.no
                blocks[number] = replace(other, end=replace(other.end, to=to))
        if not any(head in targets(other.end) for other in blocks.values()):
            del blocks[head]


def _find_counter(block: ir.Block) -> int | None:
    """The counter of a loop that runs once, if a block is the head of one."""
    if block.instructions or not isinstance(block.end, ir.Branch) or not applies(block.end.test, Op.LESS):
        return None
    counter, limit = block.end.test.args
    runs_once = isinstance(limit, ir.Const) and limit.value == 1 and isinstance(counter, ir.Slot)
    return counter.index if runs_once and isinstance(counter, ir.Slot) else None


def _begins(block: ir.Block, counter: int) -> bool:
    """Whether a block sets a counter to zero at its end."""
    last = block.instructions[-1] if block.instructions else None
    return (
        isinstance(last, ir.Let) and last.slot == counter and isinstance(last.value, ir.Const) and last.value.value == 0
    )
