"""Teams as values: the team of a seat, the seats of a team.

In: expressions for seats and teams. Out: expressions for the other, as lookups in constant tables.
"""

from __future__ import annotations

from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply
from hoyle.language.elaborate.giving import give
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import SEAT, SEATS, TEAM, certain, list_of, maybe
from hoyle.program.words import Op, applies


def all_teams(env: Environment) -> ir.Expr:
    """All teams, in the order of their first seats."""
    return give(env, "teams", list_of(TEAM), "teams")


def team_of(env: Environment, seat: ir.Expr, text: str = "") -> ir.Expr:
    """The team of a seat."""
    kind = maybe(TEAM) if seat.type.kind == "maybe" else TEAM
    return apply(Op.ELEMENT, (give(env, "team", list_of(TEAM), ""), seat), kind, text or f"team of {seat.text}")


def seats_of(env: Environment, team: ir.Expr) -> ir.Expr:
    """The seats of a team, in seat order; for a list of teams, concatenated."""
    members = give(env, "members", list_of(SEATS), "")
    if certain(team.type).kind == "list":
        return apply(Op.CONCATENATE, (members, team), SEATS, team.text)
    kind = maybe(SEATS) if team.type.kind == "maybe" else SEATS
    seat = _find_seat(team)
    if seat is not None:  # the seats of the team of a seat: one lookup instead of two
        mates = give(env, "mates", list_of(SEATS), "")
        return apply(Op.ELEMENT, (mates, seat), kind, team.text)
    return apply(Op.ELEMENT, (members, team), kind, team.text)


def first_seat_of(env: Environment, team: ir.Expr) -> ir.Expr:
    """The seat that represents a team on the score sheet."""
    kind = maybe(SEAT) if team.type.kind == "maybe" else SEAT
    return apply(Op.ELEMENT, (give(env, "firsts", list_of(SEAT), ""), team), kind, team.text)


def partner_of(env: Environment, seat: ir.Expr, text: str = "") -> ir.Expr:
    """The other member of a team; none without teams. Whether the type includes none does not depend on options, so
    that a file which type-checks does so with all of them."""
    size, condition = env.declared.team_size, env.declared.teams_if
    always = condition is None and isinstance(size, ast.Int) and size.value > 1
    kind = SEAT if always and seat.type.kind != "maybe" else maybe(SEAT)
    table = give(env, "partners", list_of(SEAT if always else maybe(SEAT)), "")
    return apply(Op.ELEMENT, (table, seat), kind, text or f"partner of {seat.text}")


def _find_seat(team: ir.Expr) -> ir.Expr | None:
    """The seat whose team an expression denotes, if it has that form."""
    if applies(team, Op.ELEMENT) and team.args[0].type == list_of(TEAM):
        return team.args[1] if certain(team.args[1].type) == SEAT else None
    return None
