"""Tests that are known to fail at the beginning of a block, whichever way led there.

In: the blocks of a module that are run from its entry with no scores, and where each can lead. Out: for each block, the
tests of branches that failed on every way to it, with nothing changed since that they read. An end of the match that
was tested after every score need not be tested again before the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hoyle.codegen.low.program import Branch, Module
from hoyle.codegen.low.values import Value, transform
from hoyle.codegen.passes.keep import EVERYTHING, Place, Reads, find_read
from hoyle.effort import spend

TESTS_IN_STEP = 16  # that are looked at for one step of `hoyle.effort`


def find_refuted(
    module: Module, follow: Callable[[int], Iterable[int]], list_written: Callable[[int], Iterable[Place]]
) -> dict[int, frozenset[Value]]:
    """The tests known to fail at each block. `follow` gives the blocks that a block can lead to, those that a step or
    action returns to among them; `list_written` the places that it and its end may change."""
    branches = {number: block.end for number, block in module.blocks.items() if isinstance(block.end, Branch)}
    reads: Reads = {}
    found_read = {branch.test: find_read(branch.test, reads) for branch in branches.values()}
    read = {test: places for test, places in found_read.items() if places is not None}
    written = {number: frozenset(list_written(number)) for number in module.blocks}
    known: dict[int, frozenset[Value]] = {module.entry: frozenset(test for test in read if _fails_first(module, test))}
    open_blocks = [module.entry]
    while open_blocks:
        number = open_blocks.pop()
        left = frozenset(test for test in known[number] if not touches(read[test], written[number]))
        spend(1 + len(known[number]) // TESTS_IN_STEP)
        branch = branches.get(number)
        for after in follow(number):
            found = left
            if branch is not None and branch.yes != branch.no and branch.test in read:
                found = left | {branch.test} if after == branch.no else left - {branch.test}
            before = known.get(after)
            met = found if before is None else before & found
            if met != before:
                known[after] = met
                open_blocks.append(after)
    return known


def _fails_first(module: Module, test: Value) -> bool:
    """Whether a test fails as long as nobody has scored."""
    build = module.build

    def begin(node: Value) -> Value:
        return build.number(0) if node.op == "total" else node

    return transform(test, build, begin, {}).constant == 0


def touches(read: frozenset[Place], written: frozenset[Place]) -> bool:
    """Whether something is changed that is read."""
    if EVERYTHING in written or read & written:
        return True
    return ("zone", -1) in written and any(place[0] == "zone" for place in read)
