"""Which conditions decide what a name stands for where it is read: implicit flow.

In: a program, and its conditions that not all know. Out: for a slot read in a block, the conditions such that, by their
outcome, another assignment of the slot reaches the block: a loop that passes over a seat, a step done with another
argument. Whether the block is reached at all is told by the rules; with which value it is, is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial

from hoyle.base.effort import spend
from hoyle.language.analyse.kept_values import forget_owner
from hoyle.language.analyse.showing import Names
from hoyle.language.analyse.sight import NONE, Secret, Secrets, Value
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Part
from hoyle.program.ir.walk import list_following, walk_expression


class Branching:
    """The ways through one program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._decided: dict[tuple[int, int, frozenset[int], frozenset[int]], frozenset[int]] = {}

    def list_deciding(
        self, block: int, exprs: Iterable[ir.Expr], tests: frozenset[int], actor: frozenset[int]
    ) -> Iterator[int]:
        """The blocks, of `tests`, whose conditions decide what expressions stand for that are read at the end of a
        block. `actor` are the slots that hold the seat that reads: it knows who it is."""
        waiting = [(block, len(self.program.blocks[block].instructions), slot) for slot in _slots_in(exprs)]
        met: set[tuple[int, int, int]] = set()
        while waiting:
            number, place, slot = each = waiting.pop()
            if each in met or slot in actor:
                continue
            met.add(each)
            own = [put for put in self._puts.get(slot, ()) if put[0] == number and put[1] < place]
            # Who chooses and what is told as it is chosen; what is not told of it is a secret of its own.
            chosen = all(self._is_end(*put[:2]) for put in self._puts.get(slot, ()))
            if not own and not chosen:
                yield from self._find_deciding(number, slot, tests, actor)
            for where, at, value in own or self._puts.get(slot, []):
                waiting += [(where, at, read) for read in _slots_in([value] if value is not None else ())]

    def _is_end(self, block: int, place: int) -> bool:
        return place == len(self.program.blocks[block].instructions)

    def passes(self, start: int, end: int, slot: int) -> bool:
        """Whether a slot may be set on the way from one block to another."""
        after = self._reach([*self._ways[start]], stop={end}, ways=self._ways)
        return not after.isdisjoint(put[0] for put in self._puts.get(slot, ()))

    def _find_deciding(
        self, block: int, slot: int, tests: frozenset[int], actor: frozenset[int]
    ) -> frozenset[int]:
        key = (block, slot, tests, actor)
        if key not in self._decided:
            self._decided[key] = self._compare_ways(block, slot, tests, actor)
        return self._decided[key]

    def _compare_ways(self, block: int, slot: int, tests: frozenset[int], actor: frozenset[int]) -> frozenset[int]:
        """The tests from which, by their outcome, other assignments of a slot come to a block before it is met."""
        places = dict(put[:2] for put in self._puts.get(slot, ()))
        clean = self._reach([block], stop=places.keys() - {block}, ways=self._back)
        # The same seat is not asked twice unless whatever names it goes round, and the slot is set anew with it.
        renamed = [put[:2] for name in actor for put in self._puts.get(name, ())]
        anew = all(where not in clean and at < places.get(where, at + 1) for where, at in renamed)
        stop = {block, *(where for where, _ in renamed if anew)}
        coming = {put for put in places if not clean.isdisjoint(self._ways[put])}
        reaching = {put: self._reach([put], stop=stop, ways=self._back) for put in coming}
        found = set()
        for test in tests:
            end = self.program.blocks[test].end
            assert isinstance(end, ir.Branch)
            reached = [
                {put for put, blocks in reaching.items() if way in blocks} | ({-1} if way in clean else set())
                for way in (end.yes, end.no)
            ]
            if reached[0] != reached[1] and all(reached):
                found.add(test)
        return frozenset(found)

    def _reach(self, starts: Iterable[int], stop: Collection[int], ways: Mapping[int, Collection[int]]) -> set[int]:
        """The blocks reached from some, with these; what lies beyond the blocks of `stop` is not looked at."""
        found: set[int] = set()
        waiting = [*starts]
        while waiting:
            number = waiting.pop()
            if number not in found and number not in stop:
                found.add(number)
                waiting += ways[number]
        spend(len(found) // 4)
        return found

    # ---------------------------------------------------------------------------------------------- the program
    @cached_property
    def _ways(self) -> dict[int, list[int]]:
        """The successors of each block, into steps and actions and out of them."""
        returns: dict[int, list[int]] = {}
        for block in self.program.blocks:
            match block.end:
                case ir.Enter(step=step, to=to):
                    returns.setdefault(self.program.steps[step].return_slot, []).append(to)
                case ir.Decide(to=to) | ir.Perform(to=to):
                    for action in self._list_done(block.end):
                        returns.setdefault(self.program.actions[action].return_slot, []).append(to)
        return {number: self._list_ways(block.end, returns) for number, block in enumerate(self.program.blocks)}

    def _list_ways(self, end: ir.Terminator, returns: Mapping[int, list[int]]) -> list[int]:
        match end:
            case ir.Return(slot=slot):
                return list(dict.fromkeys(returns.get(slot, [])))
            case ir.Enter(step=step):
                return [self.program.steps[step].entry]
            case ir.Decide(to=to) | ir.Perform(to=to):
                return [to, *(self.program.actions[action].entry for action in self._list_done(end))]
        return list_following(self.program, end)

    def _list_done(self, end: ir.Decide | ir.Perform) -> list[int]:
        """The actions that a decision, or the doing of a stored choice, may lead to."""
        if isinstance(end, ir.Perform):
            return list(range(len(self.program.actions)))
        if end.store is not None:
            return []
        tiers = self.program.decisions[end.decision].tiers
        return sorted({item.action for tier in tiers for item in tier.items})

    @cached_property
    def _back(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {number: [] for number in self._ways}
        for number, ways in self._ways.items():
            for way in ways:
                found[way].append(number)
        return found

    @cached_property
    def _puts(self) -> dict[int, list[tuple[int, int, ir.Expr | None]]]:
        """Where each slot is set: the block, the place in it, and the value, if an instruction sets it to one."""
        found: dict[int, list[tuple[int, int, ir.Expr | None]]] = {}
        for number, block in enumerate(self.program.blocks):
            for place, one in enumerate(block.instructions):
                value = one.value if isinstance(one, ir.Let) else one.source if isinstance(one, ir.Draw) else None
                for slot in _slots_set(one):
                    found.setdefault(slot, []).append((number, place, value))
            if isinstance(block.end, ir.Decide | ir.Perform):
                for action in self._list_done(block.end):
                    done = self.program.actions[action]
                    for slot in (done.seat_slot, *done.pick_slots):
                        found.setdefault(slot, []).append((number, len(block.instructions), None))
        return found


class Conditions:
    """Conditions that not all know: the secrets of each, by its block."""

    def __init__(self, branching: Branching, secrets: Mapping[int, Value]) -> None:
        self.branching = branching
        self.secrets = secrets
        self._blocks = frozenset(secrets)

    def list_secrets(self, block: int, exprs: Iterable[ir.Expr], actor: Names) -> Secrets:
        """What decides for what the names in expressions stand when a decision is reached, for a seat with names."""
        own = frozenset(name.index for name in actor if isinstance(name, ir.Slot))
        found = NONE
        for test in self.branching.list_deciding(block, exprs, self._blocks, own) if self._blocks else ():
            found |= self.secrets[test].each(partial(self._forget_renamed, test, block)).secrets
        return found

    def _forget_renamed(self, test: int, block: int, secret: Secret) -> Secret:
        owner = getattr(secret, "owner", None)
        renamed = isinstance(owner, ir.Slot) and self.branching.passes(test, block, owner.index)
        return forget_owner(secret) if renamed else secret


def _slots_in(exprs: Iterable[ir.Expr]) -> set[int]:
    return {node.index for expr in exprs for node in walk_expression(expr) if isinstance(node, ir.Slot)}


def _slots_set(one: ir.Instruction) -> list[int]:
    touched = [getattr(one, touch.field) for touch in one.writes or () if touch.part is Part.SLOTS and touch.field]
    return [slot for held in touched for slot in (held if isinstance(held, tuple) else (held,))]
