"""Zones by name: one, one of each seat, or a family of piles.

In: the name of a zone, and whose it is. Out: the IR for the zone, or for the list of its piles.
"""

from __future__ import annotations

from hoyle.elaborate.environment import Environment
from hoyle.elaborate.folding import apply
from hoyle.elaborate.owners import find_subject
from hoyle.elaborate.scope import Scope
from hoyle.elaborate.typing_rules import is_unknown, unknown
from hoyle.ir import nodes as ir
from hoyle.ir.types import SEAT, SEATS, ZONE, list_of, maybe
from hoyle.source import Span
from hoyle.syntax import ast
from hoyle.syntax.wording import renamed


def find_zone(env: Environment, name: str, said: str, span: Span, scope: Scope) -> ir.Expr:
    """A zone named without `of`: the table's, or that of the seat a rule speaks of."""
    zone = env.zone_list[env.zones[name]]
    env.used.add(f"zone:{name}")
    owner = find_subject(env, said, span, scope) if zone.owner else None
    if zone.owner and owner is None:
        return unknown()
    return refer_to_zone(env, name, owner, said)


def refer_to_zone(env: Environment, name: str, owner: ir.Expr | None, text: str) -> ir.Expr:
    """A zone; of a family, the list of its standing piles."""
    index = env.zones[name]
    if env.zone_list[index].many:
        return ir.Piles(type=list_of(ZONE), zone=index, owner=owner, new=False, text=text)
    return ir.ZoneRef(type=ZONE, zone=index, owner=owner, text=text)


def each_zone(env: Environment, word: ast.Word, scope: Scope) -> ir.Expr:
    """`each hand`: the zones of that name of all seats."""
    name = renamed(word)
    if name not in env.zones or not env.zone_list[env.zones[name]].owner:
        labels, hints = env.similar(name, [z.name for z in env.zone_list if z.owner], "zones of seats")
        env.report.error(
            "unknown-zone", f"`each {name}` needs a zone that every seat has", word.span, others=labels, hint=hints
        )
        return unknown()
    env.used.add(f"zone:{name}")
    if env.zone_list[env.zones[name]].many:
        return refer_to_zone(env, name, apply("seats", (), SEATS, "seats"), f"each {name}")
    var = ir.Var(type=SEAT, index=scope.frame.new(), name="seat", text="seat")
    zone = ir.ZoneRef(type=ZONE, zone=env.zones[name], owner=var, text=name)
    seats = apply("seats", (), SEATS, "seats")
    return ir.Those(
        type=list_of(ZONE), var=var.index, source=seats, where=None, orders=(), value=zone, text=f"each {name}"
    )


def open_pile(env: Environment, found: ir.Expr, span: Span) -> ir.Expr:
    """`new surplus`: the first place of a family at which no pile stands."""
    if is_unknown(found.type):
        return found
    of_many = isinstance(found, ir.Piles) and found.owner is not None and found.owner.type.kind == "list"
    if not isinstance(found, ir.Piles) or found.new or of_many:
        families = [zone.name for zone in env.zone_list if zone.many]
        env.report.error(
            "not-a-family",
            f"`new` opens a pile of a family of zones; `{found.text}` is none",
            span,
            hint=f"the families are {', '.join(f'`{name}`' for name in families)}"
            if families
            else "a family is declared with `many: N`",
        )
        return unknown()
    return ir.Piles(type=maybe(ZONE), zone=found.zone, owner=found.owner, new=True, text=f"new {found.text}")
