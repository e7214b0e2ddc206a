"""The control-flow graph of a module: loop headers, merge points, size of what is reachable.

In: a module. Out: successors: of a call its callee and the block it returns to (in `passed` the latter alone).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set

from hoyle.base.effort import spend
from hoyle.play.codegen.low.program import Branch, Decide, Jump, Module, Perform
from hoyle.play.codegen.lower.control_flow import list_finished
from hoyle.program.ir import nodes as ir

BLOCKS_IN_STEP = 16  # blocks visited per step of `hoyle.base.effort`
Returns = Mapping[int, int]


class Graph:
    """The graph of a module; `through`: functions run through decisions."""

    def __init__(self, module: Module, *, through: bool) -> None:
        self.module = module
        self.through = through
        self.program = module.program
        self.next = {number: tuple(self._list_next(number)) for number in module.blocks}
        self.passed = {number: self._list_passed(number) for number in module.blocks}
        self.loops = self._find_loops()
        self._from: dict[tuple[int, tuple[tuple[int, int], ...]], set[int]] = {}

    def _list_next(self, number: int) -> Iterator[int]:
        end, declared = self.module.blocks[number].end, self.program.blocks[number].end
        if isinstance(declared, ir.Return):
            return
        match end:
            case Jump():
                yield end.to
                if isinstance(declared, ir.Enter):
                    yield from (each for each in (declared.to,) if each in self.module.blocks)
            case Branch():
                yield from (end.yes, end.no)
            case Decide() if not self.through:
                yield from (end.to,) if end.passes else ()  # a seat that can only decline is not asked
            case Decide() | Perform():
                yield from (each for each in (end.to,) if each in self.module.blocks)
                yield from (self.program.actions[action].entry for action in list_begun(end))

    def _list_passed(self, number: int) -> tuple[int, ...]:
        """The intraprocedural successors of a block: calls are stepped over."""
        declared = self.program.blocks[number].end
        stops = isinstance(declared, ir.Decide) and not self.through
        if isinstance(declared, ir.Enter | ir.Perform | ir.Decide) and not stops:
            return (declared.to,) if declared.to in self.module.blocks else ()
        return self.next[number]

    def leads_to(self, block: int, to: int, without: set[int]) -> bool:
        """Whether a block reaches another on a path that avoids some blocks."""
        return to in _reach(block, self.next.__getitem__, without, to)

    def meet(self, first: int, second: int, without: set[int]) -> int | None:
        """The merge point of two blocks: their first common descendant on paths that avoid some blocks, if any."""
        common = set.intersection(*(_reach(each, self.passed.__getitem__, without) for each in (first, second)))
        # Common descendants are closed under successors: the first is the one without a predecessor among them.
        inner = {after for block in common for after in self.passed[block] if after != block}
        leading = common - inner
        return leading.pop() if len(leading) == 1 else None

    def measure(self, block: int, returns: Returns) -> int:
        """The code size reachable from a block, with known return addresses resolved."""
        blocks = [self.module.blocks[each] for each in self.list_from(block, returns)]
        return sum(each.cost - isinstance(each.end, Jump) for each in blocks)

    def list_from(self, block: int, returns: Returns) -> set[int]:
        """The blocks reachable from a block, with known return addresses resolved."""
        key = (block, tuple(sorted(returns.items())))
        if key not in self._from:
            self._from[key] = _reach(block, lambda each: self.list_after(each, returns))
        return self._from[key]

    def list_after(self, block: int, returns: Returns) -> tuple[int, ...]:
        """The successors of a block, with a known return address resolved."""
        end = self.program.blocks[block].end
        if isinstance(end, ir.Return) and end.slot in returns:
            return (returns[end.slot],)
        return self.next[block]

    def list_loop(self, number: int, returns: Returns, outer: set[int]) -> set[int]:
        """The body of the loop with this header, with all blocks of steps and actions called in it."""
        found = {
            block
            for block in self.list_from(number, returns)
            if any(self.leads_to(after, number, outer) for after in self.list_after(block, returns))
        }
        begun = {entry for block in found for entry in self._list_entered(block)}
        return found.union(*(self.list_from(entry, {}) for entry in begun))

    def _list_entered(self, number: int) -> list[int]:
        """The entries of the callees of a block."""
        end, declared = self.module.blocks[number].end, self.program.blocks[number].end
        if isinstance(declared, ir.Enter):
            return [self.program.steps[declared.step].entry]
        if isinstance(end, Perform) or (isinstance(end, Decide) and self.through):
            return [self.program.actions[action].entry for action in list_begun(end)]
        return []

    def _find_loops(self) -> frozenset[int]:
        """Loop headers: the targets of back edges of a depth-first search."""
        finished = list_finished((self.module.entry, *self.next), self.next.__getitem__)
        places = {block: place for place, block in enumerate(finished)}
        ways = ((block, to) for block, leads in self.next.items() for to in leads)
        return frozenset(to for block, to in ways if places[to] >= places[block])


def _reach(
    block: int, follow: Callable[[int], Iterable[int]], without: Set[int] = frozenset(), to: int | None = None
) -> set[int]:
    """The blocks reachable from a block without passing some; a search for `to` stops when it is found."""
    found: set[int] = set()
    open_blocks = [block]
    while open_blocks and to not in found:
        each = open_blocks.pop()
        if each not in found and (each not in without or each == to):
            found.add(each)
            open_blocks.extend(follow(each))
    spend(len(found) // BLOCKS_IN_STEP)
    return found


def list_begun(end: Decide | Perform) -> list[int]:
    """The actions that a terminator can call."""
    if isinstance(end, Perform):
        return list(end.actions)
    if end.store is not None:
        return []
    return list(dict.fromkeys(offer.action for tier in end.menu.tiers for offer in tier.offers))
