"""Zones by name: one, one of each seat, or a family of piles.

In: the name of a zone, and whose it is. Out: the IR for the zone, or for the list of its piles.
"""

from __future__ import annotations

from hoyle.check.folding import apply
from hoyle.check.owners import find_subject
from hoyle.check.scope import Scope
from hoyle.check.typing_rules import is_unknown, unknown
from hoyle.check.wording import renamed
from hoyle.check.world import World
from hoyle.ir import nodes as ir
from hoyle.ir.types import SEAT, SEATS, ZONE, list_of, maybe
from hoyle.source import Span
from hoyle.syntax import ast


def find_zone(world: World, name: str, said: str, span: Span, scope: Scope) -> ir.Expr:
    """A zone named without `of`: the table's, or that of the seat a rule speaks of."""
    zone = world.zone_list[world.zones[name]]
    world.used.add(f"zone:{name}")
    owner = find_subject(world, said, span, scope) if zone.owner else None
    if zone.owner and owner is None:
        return unknown()
    return refer_to_zone(world, name, owner, said)


def refer_to_zone(world: World, name: str, owner: ir.Expr | None, text: str) -> ir.Expr:
    """A zone; of a family, the list of its standing piles."""
    index = world.zones[name]
    if world.zone_list[index].many:
        return ir.Piles(type=list_of(ZONE), zone=index, owner=owner, new=False, text=text)
    return ir.ZoneRef(type=ZONE, zone=index, owner=owner, text=text)


def each_zone(world: World, word: ast.Word, scope: Scope) -> ir.Expr:
    """`each hand`: the zones of that name of all seats."""
    name = renamed(word)
    if name not in world.zones or not world.zone_list[world.zones[name]].owner:
        labels, hints = world.similar(name, [z.name for z in world.zone_list if z.owner], "zones of seats")
        world.report.error(
            "unknown-zone", f"`each {name}` needs a zone that every seat has", word.span, others=labels, hint=hints
        )
        return unknown()
    world.used.add(f"zone:{name}")
    if world.zone_list[world.zones[name]].many:
        return refer_to_zone(world, name, apply("seats", (), SEATS, "seats"), f"each {name}")
    var = ir.Var(type=SEAT, index=scope.frame.new(), name="seat", text="seat")
    zone = ir.ZoneRef(type=ZONE, zone=world.zones[name], owner=var, text=name)
    seats = apply("seats", (), SEATS, "seats")
    return ir.Those(
        type=list_of(ZONE), var=var.index, source=seats, where=None, orders=(), value=zone, text=f"each {name}"
    )


def open_pile(world: World, found: ir.Expr, span: Span) -> ir.Expr:
    """`new surplus`: the first place of a family at which no pile stands."""
    if is_unknown(found.type):
        return found
    of_many = isinstance(found, ir.Piles) and found.owner is not None and found.owner.type.kind == "list"
    if not isinstance(found, ir.Piles) or found.new or of_many:
        families = [zone.name for zone in world.zone_list if zone.many]
        world.report.error(
            "not-a-family",
            f"`new` opens a pile of a family of zones; `{found.text}` is none",
            span,
            hint=f"the families are {', '.join(f'`{name}`' for name in families)}"
            if families
            else "a family is declared with `many: N`",
        )
        return unknown()
    return ir.Piles(type=maybe(ZONE), zone=found.zone, owner=found.owner, new=True, text=f"new {found.text}")
