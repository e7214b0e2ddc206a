"""References to zones: single, a member of a family, or a family of piles.

In: the name of a zone, and its owner. Out: the IR for the zone, or for the list of its piles.
"""

from __future__ import annotations

from hoyle.base.source import Span
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply
from hoyle.language.elaborate.giving import give
from hoyle.language.elaborate.owners import find_owner
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import is_unknown, unknown
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import NUMBER, SEAT, SEATS, ZONE, list_of, maybe
from hoyle.program.words import Op


def find_zone(env: Environment, name: str, said: str, span: Span, scope: Scope) -> ir.Expr:
    """A zone named without `of`: a shared one, or that of the seat in scope."""
    zone = env.zone_list[env.zones[name]]
    owner = find_owner(env, zone, said, span, scope) if zone.of else None
    if zone.of and owner is None:
        return unknown()
    return refer_to_zone(env, name, owner, said)


def refer_to_zone(env: Environment, name: str, owner: ir.Expr | None, text: str) -> ir.Expr:
    """A reference to a zone; for a family of piles, the list of the existing ones."""
    index = env.zones[name]
    if env.zone_list[index].many:
        return ir.Piles(type=list_of(ZONE), zone=index, owner=owner, new=False, text=text)
    return ir.ZoneRef(type=ZONE, zone=index, owner=owner, text=text)


def each_member(env: Environment, name: str, scope: Scope) -> ir.Expr:
    """The zones of a family: of all seats still in the match, or all members."""
    index = env.zones[name]
    zone = env.zone_list[index]
    text = f"each {name}"
    if [dimension.kind for dimension in zone.of] == ["seat"]:
        owners, kind = apply(Op.SEATS, (), SEATS, "seats"), SEAT
    else:
        owners, kind = give(env, "numbers", list_of(NUMBER), "", name), NUMBER
    if zone.many:
        return refer_to_zone(env, name, owners, text)
    var = ir.Var(type=kind, index=scope.frame.new(), name=str(kind), text=str(kind))
    member = ir.ZoneRef(type=ZONE, zone=index, owner=var, text=name)
    return ir.Those(type=list_of(ZONE), var=var.index, source=owners, where=None, orders=(), value=member, text=text)


def open_pile(env: Environment, found: ir.Expr, span: Span) -> ir.Expr:
    """The elaboration of `new surplus`: the first empty pile of a family."""
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
