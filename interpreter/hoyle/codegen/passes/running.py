"""Incrementally maintained sums over the cards of zones, for Python: strength reduction of loops that add up.

In: a module, and a guess at the zone that cards are moved from. Out: `Running`, for each sum, count or memo key over
one zone that is read at several program points, if every write to the zone is an append, a permutation (unless order
matters), or empties it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hoyle.codegen.low.program import Do, Module, walk_statements
from hoyle.codegen.low.values import Table, Value, walk
from hoyle.codegen.passes.keep import EVERYTHING, find_summed, list_by_statement, list_touched
from hoyle.codegen.passes.remember import Memory
from hoyle.dataclass import dataclass

FEWEST_READ = 2  # places in a program
STAYS, COMES, EMPTIES, OTHER = "stays", "comes", "empties", "other"  # the effect of a change on a zone
UNORDERED = frozenset({"shuffle", "cut", "turn_over"})  # permutations
Origin = Callable[[Value], Value | None]


@dataclass(frozen=True, slots=True)
class Running:
    """A value maintained with the cards of a zone; `table` has what each card adds, None for a memo key."""

    value: Value
    zone: int
    table: Table | None


def find_running(module: Module, memory: Memory, find_origin: Origin) -> list[Running]:
    """The values of a module to maintain. `find_origin` gives the zone that cards probably leave: code that finds them
    elsewhere recomputes the sums."""
    sites: dict[Value, set[tuple[int, int]]] = {}
    for number, block in module.blocks.items():
        for at, roots in enumerate(list_by_statement(block)):
            for value in _list_sums(roots, memory):
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


def _list_sums(roots: list[Value], memory: Memory) -> Iterator[Value]:
    """The sums that are read in values, and the keys of memoised ones."""
    for node in dict.fromkeys(node for root in roots for node in walk(root)):
        remembered = memory.find(node)
        yield from remembered.key if remembered is not None else ()
        if node.op in ("sum", "count"):
            yield node


def _describe(value: Value, module: Module) -> Running | None:
    if value.op in ("cards_key", "cards_in_order"):
        listed = value.args[0]
        zone = listed.args[0].constant if listed.op == "cards" else None
        return None if zone is None else Running(value, zone, None)
    summed = find_summed(value, module.build)
    if summed is None or summed[0].constant is None:
        return None
    return Running(value, summed[0].constant, summed[1])


def classify(do: Do, running: Running, find_origin: Origin) -> str:
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
