"""Incrementally maintained sums over the cards of zones, for Python: strength reduction of loops that add up.

In: a module, and a prediction of the zone that cards leave (if it fails, sums are recomputed). Out: `IncrementalSum`,
for each sum, count or memo key over one zone that is read at several points, if all writes to the zone append, permute
or clear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.program import Do, Module, walk_statements
from hoyle.play.codegen.low.values import Table, Value, walk
from hoyle.play.codegen.passes.hashed_memo import HashedMemos
from hoyle.play.codegen.passes.mod_ref import EVERYTHING, list_touched
from hoyle.play.codegen.passes.reduction_cache import find_summed, list_by_statement

FEWEST_READ = 2  # places in a program
STAYS, COMES, EMPTIES, OTHER = "stays", "comes", "empties", "other"  # the effect of a change on a zone
UNORDERED = frozenset({"shuffle", "cut", "turn_over"})  # permutations
Origin = Callable[[Value], Value | None]


@dataclass(frozen=True, slots=True)
class IncrementalSum:
    """A value maintained with the cards of a zone; `table` has what each card adds, None for a memo key."""

    value: Value
    zone: int
    table: Table | None


def find_incremental_sums(module: Module, memos: HashedMemos, find_origin: Origin) -> list[IncrementalSum]:
    """The values of a module to maintain. `find_origin` predicts the zone that cards leave."""
    sites: dict[Value, set[tuple[int, int]]] = {}
    for number, block in module.blocks.items():
        for at, roots in enumerate(list_by_statement(block)):
            for value in _list_sums(roots, memos):
                sites.setdefault(value, set()).add((number, at))
    changes = [do for block in module.blocks.values() for do in walk_statements(block.body) if isinstance(do, Do)]
    found = []
    for value, places in sites.items():
        running = _describe(value, module)
        if running is None or len(places) < FEWEST_READ:
            continue
        if all(classify(do, running, find_origin) != OTHER for do in changes):
            found.append(running)
    return found


def _list_sums(roots: list[Value], memos: HashedMemos) -> Iterator[Value]:
    """The sums that are read in values, and the keys of memoised ones."""
    for node in dict.fromkeys(node for root in roots for node in walk(root)):
        memo = memos.find(node)
        yield from memo.key if memo is not None else ()
        if node.op in ("sum", "count"):
            yield node


def _describe(value: Value, module: Module) -> IncrementalSum | None:
    if value.op in ("cards_key", "cards_in_order"):
        listed = value.args[0]
        zone = listed.args[0].constant if listed.op == "cards" else None
        return None if zone is None else IncrementalSum(value, zone, None)
    summed = find_summed(value, module.build)
    if summed is None or summed[0].constant is None:
        return None
    return IncrementalSum(value, summed[0].constant, summed[1])


def classify(do: Do, running: IncrementalSum, find_origin: Origin) -> str:
    """The effect of a state change on the zone of a sum."""
    places = set(list_touched(do))
    if not places & {EVERYTHING, ("zone", -1), ("zone", running.zone)}:
        return STAYS
    if do.op == "gather":
        return OTHER if _reaches(do.args[0], running.zone) else EMPTIES
    if do.op in UNORDERED and running.value.op != "cards_in_order":
        return STAYS
    if do.op != "move":
        return OTHER
    cards, to = do.args
    origin = find_origin(cards)
    if origin is None:
        return OTHER
    if _reaches(origin, running.zone):
        whole = cards.op == "cards" and origin.constant == running.zone and not _reaches(to, running.zone)
        return EMPTIES if whole else OTHER
    if not _reaches(to, running.zone):
        return STAYS
    in_order = running.value.op == "cards_in_order"
    return COMES if to.constant == running.zone and not (in_order and do.data[0]) else OTHER


def _reaches(zone: Value, number: int) -> bool:
    return zone.fact.low <= number <= zone.fact.high
