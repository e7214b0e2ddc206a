"""Cached reductions: loops read at several program points keep their results in registers with valid bits.

In: a module. Out: `ReductionCache`: the values worth caching, each with a register and a bit in the mask of valid
ones; and for every write to the position the bits it invalidates, by `mod_ref`.

The cache lives for one call of `run`: a match that returns at a decision resumes with all bits clear.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import TRUTH
from hoyle.play.codegen.low.lists import MOST_UNROLLED
from hoyle.play.codegen.low.program import (
    Block,
    Do,
    For,
    Let,
    Module,
    Once,
    Statement,
    When,
    list_end_values,
    list_values,
)
from hoyle.play.codegen.low.values import REDUCERS, Table, Value, walk
from hoyle.play.codegen.passes.dense_memo import Memos
from hoyle.play.codegen.passes.mod_ref import EVERYTHING, Place, Reads, find_read, list_touched
from hoyle.play.codegen.passes.patterns import find_filter
from hoyle.play.codegen.passes.tabulate import tabulate

MOST_CACHED = 60


@dataclass(frozen=True, slots=True)
class ReductionCache:
    """`registers` of the values, in the order of their valid bits; `readers`: by place, the mask of its dependents."""

    registers: dict[Value, Value]
    readers: dict[Place, int]

    def find_bit(self, value: Value) -> int:
        return 1 << list(self.registers).index(value)

    def find_invalidated(self, do: Do) -> int:
        """The mask of the values that a write invalidates."""
        stale = 0
        for place in list_touched(do):
            if place == EVERYTHING or do.op == "gather":  # an all-clear mask is a constant that compilers propagate
                return (1 << len(self.registers)) - 1
            if place == ("zone", -1):
                for other, bits in self.readers.items():
                    stale |= bits if other[0] == "zone" else 0
            stale |= self.readers.get(place, 0)
        return stale


EMPTY_CACHE = ReductionCache({}, {})


def find_cached(module: Module, memos: Memos) -> ReductionCache:
    """The values of a module to cache: closed loops evaluated by at least two statements, unless always as part of the
    same larger one; the most used and heaviest first."""
    sites: dict[Value, set[tuple[int, int]]] = defaultdict(set)
    parents: dict[Value, set[Value]] = defaultdict(set)
    reads: Reads = {}

    def note(root: Value, site: tuple[int, int]) -> None:
        above: dict[Value, list[Value]] = {}  # by node, the outermost candidates inside it
        for node in walk(root):
            above[node] = list(dict.fromkeys(each for arg in node.args for each in above[arg]))
            if _is_loop(node) and find_read(node, reads) is not None:
                sites[node].add(site)
                memo = memos.find(node)
                if memo is not None:
                    sites[memo.key].add(site)
                    find_read(memo.key, reads)
                    above[node].append(memo.key)
                for each in above[node]:
                    parents[each].add(node)
                above[node] = [node]

    for number, block in module.blocks.items():
        for at, roots in enumerate(list_by_statement(block)):
            for root in roots:
                note(root, (number, at))
    several = {value: found for value, found in sites.items() if len(found) > 1}
    chosen = [value for value, at in several.items() if at not in map(several.get, parents[value])]
    chosen.sort(key=lambda value: -len(several[value]) * min(value.weight, 100))
    registers: dict[Value, Value] = {}
    readers: dict[Place, int] = defaultdict(int)
    for bit, value in enumerate(chosen[:MOST_CACHED]):
        registers[value] = module.build.register(value.fact)
        for place in reads[value] or ():
            readers[place] |= 1 << bit
    return ReductionCache(registers, readers)


def list_by_statement(block: Block) -> Iterator[list[Value]]:
    """The operands of each statement of a block, and of its terminator."""
    for statement in block.body:
        yield list(list_values((statement,)))
    yield list_end_values(block.end)


def _is_loop(value: Value) -> bool:
    """Whether a value is a closed scalar reduction that is a loop, not over a few constants."""
    if value.op not in REDUCERS or value.free or value.fact.is_list or value.fact.constant is not None:
        return False
    source = value.args[0]
    while source.op in ("each", "best", "distinct", "sure"):
        source = source.args[0]
    return source.constants is None or len(source.constants) > MOST_UNROLLED


# ------------------------------------------------------------------------------------------------ invalidation
def invalidate(statements: Sequence[Statement], cache: ReductionCache, build: Builder) -> tuple[Statement, ...]:
    """The statements, with every write followed by the invalidation of what depends on it; where a single card moves,
    sums and counts over a zone are updated instead."""
    made: list[Statement] = []
    for each in statements:
        match each:
            case Do():
                stale = cache.find_invalidated(each)
                if each.op == "move_card":
                    for bit, update in _update_sums(each, cache, build):
                        if stale & bit:
                            made.append(update)
                            stale &= ~bit
                made.append(each)
                if stale:
                    made.append(Do("invalidate", (), (stale,)))
            case When():
                then, otherwise = (invalidate(part, cache, build) for part in (each.then, each.otherwise))
                made.append(replace(each, then=then, otherwise=otherwise))
            case For() | Once():
                made.append(replace(each, body=invalidate(each.body, cache, build)))
            case _:
                made.append(each)
    return tuple(made)


def _update_sums(move: Do, cache: ReductionCache, build: Builder) -> Iterator[tuple[int, Statement]]:
    """The updates of cached sums, placed before a move of one card. They trust that it lies where it was picked from;
    if the move finds that it does not, the printed code invalidates all cached values (`MISSED`)."""
    card, zone, *picked = move.args
    for value, register in cache.registers.items():
        summed = find_summed(value, build)
        if summed is None or zone.constant is None:
            continue
        own, table = summed
        bit = cache.find_bit(value)
        here = build.equal(picked[0], own) if picked else build.read("in_zone", TRUTH, card, own)
        comes = zone.constant == own.constant
        op = "add" if comes else "subtract"
        changed = build.make(op, (register, build.table(table, card)), (), register.fact)
        test = build.both(build.read("is_valid", TRUTH, data=(bit,)), build.negate(here) if comes else here)
        yield bit, When(test, (Let(register, changed),))


def find_summed(value: Value, build: Builder) -> tuple[Value, Table] | None:
    """If a value is a sum or count over the cards of one fixed zone: the zone, and the table of what each card adds."""
    if value.op not in ("sum", "count") or value.args[0].op != "each":
        return None
    source, where, made = value.args[0].args
    if source.op != "cards" or source.args[0].constant is None:
        return None
    if value.op == "count" and find_filter(value.args[0])[0] is None:
        return None
    if value.op == "sum" and where is not build.true:
        return None
    counted = made if value.op == "sum" else where
    found = tabulate(build, counted) or counted
    if found.op != "table" or found.args[0].op != "var" or found.fact.none:
        return None
    return source.args[0], found.table
