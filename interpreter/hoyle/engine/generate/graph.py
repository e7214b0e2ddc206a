"""The blocks as a graph: where loops begin that are run through without a stop.

In: a program. Out: for each block, the blocks that can follow it before the game stops: at a decision, or only at the
end of the match.
"""

from __future__ import annotations

from collections.abc import Iterable

from hoyle.effort import spend
from hoyle.ir import nodes as ir

BLOCKS_IN_STEP = 16  # that are followed for one step of `hoyle.effort`


class Graph:
    """Which blocks follow which; `through`: decisions are no stops."""

    def __init__(self, program: ir.Program, *, through: bool = False) -> None:
        self.program = program
        self.through = through
        self.next: list[tuple[int, ...]] = [self._list_next(block.end) for block in program.blocks]
        self.loops: frozenset[int] = self._find_loops()

    def _list_next(self, end: ir.Terminator) -> tuple[int, ...]:
        match end:
            case ir.Jump():
                return (end.to,)
            case ir.Branch():
                return (end.yes, end.no)
            case ir.Enter():
                return (self.program.steps[end.step].entry, end.to)
            case ir.Decide() if self.through:
                if end.store is not None:
                    return (end.to,)
                return (end.to, *(self.program.actions[each].entry for each in list_offered(self.program, end)))
            case ir.Decide():
                window = self.program.decisions[end.decision].window and end.store is not None
                return (end.to,) if window else ()  # a seat that can only decline is passed over
            case ir.Perform():
                return (end.to, *(self.program.actions[each].entry for each in list_stored(self.program)))
        return ()

    def leads_to(self, block: int, to: int, without: set[int]) -> bool:
        """Whether a block leads to another before the game stops, not by way of some."""
        found: set[int] = set()
        open_blocks = [block]
        while open_blocks and to not in found:
            each = open_blocks.pop()
            if (each not in found and each not in without) or each == to:
                found.add(each)
                open_blocks.extend(self.next[each])
        spend(len(found) // BLOCKS_IN_STEP)
        return to in found

    def meet(self, first: int, second: int, without: set[int]) -> int | None:
        """The first block that both of two blocks lead to, not by way of some; None if there is no such one."""
        common = self._follow(first, without) & self._follow(second, without)
        # All that follows a common block is common too: the first is the one that no other leads to.
        inner = {after for block in common for after in self._list_passed(block) if after != block}
        leading = common - inner
        return leading.pop() if len(leading) == 1 else None

    def _list_passed(self, block: int) -> tuple[int, ...]:
        """The blocks that follow a block, steps being passed over."""
        end = self.program.blocks[block].end
        if isinstance(end, ir.Enter | ir.Perform) or (self.through and isinstance(end, ir.Decide)):
            return (end.to,)
        return self.next[block]

    def _follow(self, block: int, without: set[int]) -> set[int]:
        """A block and all that follow it, steps being passed over."""
        found: set[int] = set()
        open_blocks = [block]
        while open_blocks:
            each = open_blocks.pop()
            if each not in found and each not in without:
                found.add(each)
                open_blocks.extend(self._list_passed(each))
        spend(len(found) // BLOCKS_IN_STEP)
        return found

    def measure(self, block: int, returns: dict[int, int]) -> int:
        """How many instructions there are from a block on, each counted once, returns being followed if known."""
        blocks = [self.program.blocks[each] for each in self.list_from(block, returns)]
        return sum(len(each.instructions) + (0 if isinstance(each.end, ir.Jump) else 1) for each in blocks)

    def list_from(self, block: int, returns: dict[int, int]) -> set[int]:
        """The blocks from a block on, before the game stops, returns being followed if known."""
        found: set[int] = set()
        open_blocks = [block]
        while open_blocks:
            each = open_blocks.pop()
            if each in found:
                continue
            found.add(each)
            open_blocks.extend(self.list_after(each, returns))
        spend(len(found) // BLOCKS_IN_STEP)
        return found

    def list_loop(self, number: int, returns: dict[int, int], outer: set[int]) -> set[int]:
        """The blocks of the loop that begins at a block, with those of the steps and actions that are begun in it."""
        found = {
            block
            for block in self.list_from(number, returns)
            if any(self.leads_to(after, number, outer) for after in self.list_after(block, returns))
        }
        begun = {entry for block in found for entry in self._list_begun(self.program.blocks[block].end)}
        return found.union(*(self.list_from(entry, {}) for entry in begun))

    def _list_begun(self, end: ir.Terminator) -> tuple[int, ...]:
        """Where steps and actions begin that come back to where they were begun."""
        match end:
            case ir.Enter():
                return (self.program.steps[end.step].entry,)
            case ir.Perform():
                return tuple(self.program.actions[each].entry for each in list_stored(self.program))
            case ir.Decide(store=None) if self.through:
                return tuple(self.program.actions[each].entry for each in list_offered(self.program, end))
        return ()

    def list_after(self, block: int, returns: dict[int, int]) -> tuple[int, ...]:
        """The blocks that can follow a block, returns being followed if known."""
        end = self.program.blocks[block].end
        if isinstance(end, ir.Return) and end.slot in returns:
            return (returns[end.slot],)
        return self.next[block]

    def _find_loops(self) -> frozenset[int]:
        """The blocks that are come back to: targets of edges that lead back on a walk in depth."""
        state = [0] * len(self.next)
        found: set[int] = set()
        for root in self._roots():
            if state[root]:
                continue
            state[root] = 1
            stack = [(root, iter(self.next[root]))]
            while stack:
                block, rest = stack[-1]
                following = next(rest, None)
                if following is None:
                    state[block] = 2
                    stack.pop()
                elif state[following] == 1:
                    found.add(following)
                elif state[following] == 0:
                    state[following] = 1
                    stack.append((following, iter(self.next[following])))
        return frozenset(found)

    def _roots(self) -> Iterable[int]:
        yield self.program.entry
        yield from (action.entry for action in self.program.actions)
        yield from (block.end.to for block in self.program.blocks if isinstance(block.end, ir.Decide))
        yield from range(len(self.next))


def list_offered(program: ir.Program, decide: ir.Decide) -> list[int]:
    """The actions that can be chosen at a decision, each once."""
    tiers = program.decisions[decide.decision].tiers
    return [*dict.fromkeys(item.action for tier in tiers for item in tier.items)]


def list_stored(program: ir.Program) -> list[int]:
    """The actions that are chosen at one time and carried out at another."""
    stored = [block.end for block in program.blocks if isinstance(block.end, ir.Decide) and block.end.store is not None]
    return sorted({action for decide in stored for action in list_offered(program, decide)})


def list_returns(program: ir.Program, slot: int) -> list[int]:
    """The blocks that a return slot can lead to."""
    steps = {number for number, step in enumerate(program.steps) if step.return_slot == slot}
    actions = {number for number, action in enumerate(program.actions) if action.return_slot == slot}
    performed = not actions.isdisjoint(list_stored(program))
    found = []
    for block in program.blocks:
        match block.end:
            case ir.Enter(step=step, to=to) if step in steps:
                found.append(to)
            case ir.Perform(to=to) if performed:
                found.append(to)
            case ir.Decide(store=None, to=to) if actions & set(list_offered(program, block.end)):
                found.append(to)
    return found
