"""Mod/ref analysis: the places of the position that a value reads, and those that a state change may write.

In: a value, or a `Do`. Out: its ref set, or its mod set. Places are kinds with a number; a zone of -1 is any zone.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.play.codegen.low.program import Do
from hoyle.play.codegen.low.values import REDUCERS, SCALARS, Value, walk
from hoyle.play.codegen.passes.patterns import SLICES

Place = tuple[str, int]
Reads = dict[Value, frozenset[Place] | None]
EVERYTHING: Place = ("everything", 0)
# Operations that load nothing themselves.
PURE = SCALARS | REDUCERS | SLICES | {
    "list", "row", "need", "check", "present", "each", "best", "flat", "join", "items", "span", "distinct",
    "descending", "around", "subsets", "pairs", "tails", "groups", "surveyed", "divided", "element", "equal_lists",
    "less_lists", "memo_place",
}  # fmt: skip
# Loads from a zone: the operand that names it.
OF_ZONE = {"cards": 0, "size": 0, "top": 0, "bottom": 0, "in_zone": 1, "index_in": 1}
OF_PLACE = {"state": "state", "slot": "slot", "choices": "slot", "total": "total"}
# State changes that write one place: its kind.
CHANGES = {
    "set_state": "state", "add_to": "state", "shuffle_list": "state", "set_slot": "slot", "draw": "slot",
    "store_choice": "slot", "set_total": "total",
}  # fmt: skip
# State changes that move cards: the operands that are zones, or lists of zones.
OF_CARDS = {
    "shuffle": (0,), "cut": (0,), "turn_over": (0,), "swap": (0, 1), "turn": (), "gather": (), "deal": (0, 1),
    "move": (1,), "move_card": (1,), "move_part": (1, 2), "move_picked": (2,),
}  # fmt: skip
FROM_ELSEWHERE = frozenset({"gather", "move", "move_card", "move_picked"})  # also write the source zones
NO_CHANGE = frozenset({
    "evaluate", "peek", "decided", "remember", "sort_descending", "write_line", "mark", "end_round", "offence",
    "forget_offence", "keep", "validate", "invalidate", "erred", "draw_below", "divide",
})  # fmt: skip


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
