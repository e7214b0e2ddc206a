"""Cached reductions: loops read at several program points keep their results in registers with valid bits.

In: a module. Out: `Kept`: the values worth caching, each with a register and a bit in the mask of valid ones; and for
every write to the position the bits it invalidates (a mod/ref analysis on places).

The cache lives for one call of `run`: a match that returns at a decision resumes with all bits clear.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.facts import TRUTH
from hoyle.codegen.low.lists import MOST_UNROLLED
from hoyle.codegen.low.program import Block, Do, For, Let, Module, Once, Statement, When, list_end_values, list_values
from hoyle.codegen.low.values import REDUCERS, SCALARS, Table, Value, walk
from hoyle.codegen.passes.memo import Memos
from hoyle.codegen.passes.shapes import SLICES, find_filter
from hoyle.codegen.passes.tabulate import tabulate
from hoyle.dataclass import dataclass

MOST_KEPT = 60
Place = tuple[str, int]
EVERYTHING: Place = ("everything", 0)
# Operations that load nothing themselves.
PURE = SCALARS | REDUCERS | SLICES | {
    "list", "row", "need", "check", "present", "each", "best", "flat", "join", "items", "span", "distinct",
    "descending", "around", "subsets", "pairs", "tails", "groups", "surveyed", "divided", "element", "equal_lists",
    "less_lists", "memo_place", "cards_key", "cards_in_order",
}  # fmt: skip
# Loads from a zone: the operand that names it.
OF_ZONE = {"cards": 0, "size": 0, "top": 0, "bottom": 0, "in_zone": 1, "index_in": 1}
OF_PLACE = {"state": "state", "slot": "slot", "choices": "slot", "total": "total"}
# State changes that write one place: its kind.
CHANGES = {
    "set_state": "state", "add_to": "state", "shuffle_list": "state", "set_slot": "slot", "draw": "slot",
    "store_choice": "slot", "set_total": "total", "tell_state": "state", "tell_score": "total",
}  # fmt: skip
# State changes that move cards: the operands that are zones, or lists of zones.
OF_CARDS = {
    "shuffle": (0,), "cut": (0,), "turn_over": (0,), "swap": (0, 1), "turn": (), "gather": (), "deal": (0, 1),
    "move": (1,), "move_card": (1,), "tell_move": (1,), "move_part": (1, 2), "move_picked": (2,),
}  # fmt: skip
FROM_ELSEWHERE = frozenset({"gather", "move", "move_card", "move_picked", "tell_move"})  # also write the source zones
NO_CHANGE = frozenset({
    "evaluate", "peek", "decided", "remember", "sort_descending", "write_line", "mark", "end_round", "offence",
    "forget_offence", "keep", "forget", "erred", "draw_below", "divide", "at",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kept:
    """`registers` of the cached values, in the order of their valid bits; `readers` has by place the mask of the values
    that depend on it."""

    registers: dict[Value, Value]
    readers: dict[Place, int]

    def find_bit(self, value: Value) -> int:
        return 1 << list(self.registers).index(value)

    def find_stale(self, do: Do) -> int:
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


NOTHING_KEPT = Kept({}, {})


def find_kept(module: Module, memos: Memos) -> Kept:
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
    for bit, value in enumerate(chosen[:MOST_KEPT]):
        registers[value] = module.build.register(value.fact)
        for place in reads[value] or ():
            readers[place] |= 1 << bit
    return Kept(registers, readers)


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


# ------------------------------------------------------------------------------------------------ reads and writes
Reads = dict[Value, frozenset[Place] | None]


def find_read(value: Value, known: Reads) -> frozenset[Place] | None:
    """The ref set of a value, the places of the position it is computed from; None if unknown. Memoised in `known`."""
    for node in walk(value) if value not in known else ():
        if node not in known:
            known[node] = _list_read(node, known)
    return known[value]


def _list_read(value: Value, known: Reads) -> frozenset[Place] | None:
    """The ref set of a node whose operands are in `known`."""
    own: frozenset[Place] = frozenset()
    if value.op in OF_ZONE:
        own = frozenset(_list_zones(value.args[OF_ZONE[value.op]]))
    elif value.op in OF_PLACE:
        own = frozenset({(OF_PLACE[value.op], value.number)})
    elif value.op in ("holder", "zone_of", "place_of", "turned_up"):
        own = frozenset({("cards", 0)})
    elif value.op not in PURE:
        return None
    inner = [known[arg] for arg in value.args]
    return None if None in inner else own.union(*(places for places in inner if places is not None))


def list_touched(do: Do) -> Iterator[Place]:
    """The mod set of a state change; `("zone", -1)` is any zone."""
    if do.op in CHANGES:
        yield CHANGES[do.op], do.number
    elif do.op in OF_CARDS:
        yield "cards", 0
        for at in OF_CARDS[do.op]:
            yield from _list_zones(do.args[at])
        if do.op in FROM_ELSEWHERE:
            source = _find_source(do.args[0])
            yield from [("zone", -1)] if source is None else _list_zones(source)
    elif do.op not in NO_CHANGE:
        yield EVERYTHING


def _list_zones(zone: Value) -> Iterator[Place]:
    fact = zone.fact.of or zone.fact
    return (("zone", number) for number in range(max(0, fact.low), fact.high + 1))


def _find_source(cards: Value) -> Value | None:
    """The zone in which all cards of a list are certain to lie."""
    while cards.op in ("slice", "sure"):
        cards = cards.args[0]
    return cards.args[0] if cards.op == "cards" else None


# ------------------------------------------------------------------------------------------------ invalidation
def forget_stale(statements: Sequence[Statement], kept: Kept, build: Builder) -> tuple[Statement, ...]:
    """The statements, with every write followed by the invalidation of what depends on it; where a single card moves,
    sums and counts over a zone are updated instead."""
    made: list[Statement] = []
    for each in statements:
        match each:
            case Do():
                stale = kept.find_stale(each)
                if each.op == "move_card":
                    for bit, update in _go_along(each, kept, build):
                        if stale & bit:
                            made.append(update)
                            stale &= ~bit
                made.append(each)
                if stale:
                    made.append(Do("forget", (), (stale,)))
            case When():
                then, otherwise = (forget_stale(part, kept, build) for part in (each.then, each.otherwise))
                made.append(replace(each, then=then, otherwise=otherwise))
            case For() | Once():
                made.append(replace(each, body=forget_stale(each.body, kept, build)))
            case _:
                made.append(each)
    return tuple(made)


def _go_along(move: Do, kept: Kept, build: Builder) -> Iterator[tuple[int, Statement]]:
    """The updates of cached sums, placed before a move of one card. They trust that it lies where it was picked from;
    if the move finds that it does not, the printed code invalidates all cached values (`MISSED`)."""
    card, zone, *picked = move.args
    for value, register in kept.registers.items():
        summed = find_summed(value, build)
        if summed is None or zone.constant is None:
            continue
        own, table = summed
        bit = kept.find_bit(value)
        here = build.equal(picked[0], own) if picked else build.read("in_zone", TRUTH, card, own)
        comes = zone.constant == own.constant
        op = "add" if comes else "subtract"
        changed = build.make(op, (register, build.table(table, card)), (), register.fact)
        test = build.both(build.read("is_kept", TRUTH, data=(bit,)), build.negate(here) if comes else here)
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
