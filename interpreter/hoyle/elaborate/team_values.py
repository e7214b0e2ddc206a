"""Teams as values: the team of a seat, the seats of a team.

In: expressions for seats and teams. Out: expressions for the other, as lookups in constant tables.
"""

from __future__ import annotations

from hoyle.elaborate.environment import Environment
from hoyle.elaborate.folding import apply, constant
from hoyle.ir import nodes as ir
from hoyle.ir.types import SEAT, SEATS, TEAM, certain, list_of, maybe
from hoyle.words import Op, applies


def count_teams(env: Environment) -> int:
    return max(env.teams) + 1


def all_teams(env: Environment) -> ir.Expr:
    """All teams, in the order of their first seats."""
    return constant(tuple(range(count_teams(env))), list_of(TEAM), "teams")


def team_of(env: Environment, seat: ir.Expr, text: str = "") -> ir.Expr:
    """The team of a seat."""
    kind = maybe(TEAM) if seat.type.kind == "maybe" else TEAM
    return apply(Op.ELEMENT, (constant(env.teams, list_of(TEAM)), seat), kind, text or f"team of {seat.text}")


def seats_of(env: Environment, team: ir.Expr) -> ir.Expr:
    """The seats of a team, in seat order; for a list of teams, concatenated."""
    members = constant(tuple(_list_members(env, number) for number in range(count_teams(env))), list_of(SEATS))
    if certain(team.type).kind == "list":
        return apply(Op.CONCATENATE, (members, team), SEATS, team.text)
    kind = maybe(SEATS) if team.type.kind == "maybe" else SEATS
    seat = _find_seat(team)
    if seat is not None:  # the seats of the team of a seat: one lookup instead of two
        mates = constant(tuple(_list_members(env, number) for number in env.teams), list_of(SEATS))
        return apply(Op.ELEMENT, (mates, seat), kind, team.text)
    return apply(Op.ELEMENT, (members, team), kind, team.text)


def first_seat_of(env: Environment, team: ir.Expr) -> ir.Expr:
    """The seat that represents a team on the score sheet."""
    firsts = tuple(_list_members(env, number)[0] for number in range(count_teams(env)))
    kind = maybe(SEAT) if team.type.kind == "maybe" else SEAT
    return apply(Op.ELEMENT, (constant(firsts, list_of(SEAT)), team), kind, team.text)


def partner_of(env: Environment, seat: ir.Expr, text: str = "") -> ir.Expr:
    """The other member of a team; none without teams. Whether the type includes none does not depend on options, so
    that a file which type-checks does so with all of them."""
    mates = [_list_members(env, team) for team in env.teams]
    others = tuple(next((mate for mate in mates[own] if mate != own), None) for own in range(env.players))
    always = env.declared.team_size is not None and env.declared.teams_if is None and None not in others
    kind = SEAT if always and seat.type.kind != "maybe" else maybe(SEAT)
    table = constant(others, list_of(SEAT if always else maybe(SEAT)))
    return apply(Op.ELEMENT, (table, seat), kind, text or f"partner of {seat.text}")


def _list_members(env: Environment, team: int) -> tuple[int, ...]:
    return tuple(seat for seat, own in enumerate(env.teams) if own == team)


def _find_seat(team: ir.Expr) -> ir.Expr | None:
    """The seat whose team an expression denotes, if it has that form."""
    if applies(team, Op.ELEMENT) and team.args[0].type == list_of(TEAM):
        return team.args[1] if certain(team.args[1].type) == SEAT else None
    return None
