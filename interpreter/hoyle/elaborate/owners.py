"""Whose a thing is when a rule does not say so: that of the seat, or of the value, it speaks of.

In: the name of what is owned, and the scope. Out: its owner; where nobody or several are spoken of, that is reported.
"""

from __future__ import annotations

from hoyle.elaborate.environment import Environment
from hoyle.elaborate.scope import Scope
from hoyle.ir import nodes as ir
from hoyle.ir.types import enum
from hoyle.source import Span
from hoyle.syntax import ast


def find_subject(env: Environment, name: str, span: Span, scope: Scope) -> ir.Expr | None:
    """The seat whose `hand` is meant when a rule just says `hand`."""
    if scope.subject is not None and len(scope.seats) == 1:
        return scope.subject
    people = [f"`{name} of {seat}`" for seat in scope.seats] or [f"`{name} of dealer`"]
    reason = "two seats are spoken of here" if len(scope.seats) > 1 else "no seat is spoken of here"
    hint = f"write {' or '.join(people)}"
    if not scope.seats and scope.where == "definition":
        hint += ", or say that the definition is about a seat: `of: seat`"
    env.report.error("whose", f"whose `{name}`? {reason}", span, reason, hint=hint)
    return None


def find_owner(env: Environment, state: ir.State, node: ast.Name, scope: Scope) -> ir.Expr | None:
    """Whose a state is that stands without `of`: the seat's a rule speaks of, or that of `for each KIND`."""
    if state.owner == "seat":
        return find_subject(env, node.id, node.span, scope)
    spoken = scope.names.get(state.owner)
    if spoken is not None and spoken.type == enum(state.owner):
        return spoken
    first = env.enums[state.owner].values[0]
    env.report.error(
        "whose",
        f"there is a `{node.id}` for each `{state.owner}`; which is meant?",
        node.span,
        f"no `{state.owner}` is spoken of here",
        hint=f"say which: `{node.id} of {first}`",
    )
    return None
