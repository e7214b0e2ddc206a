"""What generated code does not run: the one place where it says so.

In: a program. Out: what there is in it that no code is written for; the reference executor then plays it.
"""

from __future__ import annotations

from hoyle.ir import nodes as ir
from hoyle.ir.walk import walk

NODES = (ir.ShuffleList,)
WORDS = {
    "ShuffleList": "a list that is shuffled",
    "State": "a list in state",
}
MOST_BLOCKS = 1_000  # of a program that code is written for; larger ones are played by the reference


def find_unsupported(program: ir.Program) -> str | None:
    """The first thing no code is written for, in words; None if there is code for everything."""
    if len(program.blocks) > MOST_BLOCKS:
        return f"{len(program.blocks)} blocks"
    return next((WORDS[type(node).__name__] for node in walk(program) if is_unsupported(node)), None)


def is_unsupported(node: object) -> bool:
    return isinstance(node, NODES) or (isinstance(node, ir.State) and node.most is not None)
