"""The utility of a result, and the evaluation of a seat's standing for bots.

In: `utility:` and `hints:`. Out: their typed expressions; the frame of each begins with the seat.
"""

from __future__ import annotations

from hoyle.language.declare.declarations import DefinitionDecl
from hoyle.language.elaborate.definitions import Definitions, name_clause
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.elaborate.typing_rules import coerce
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import NUMBER, SEAT


def read_worth(definitions: Definitions) -> tuple[ir.Utility | None, ir.Expr | None, tuple[int, ...], int]:
    """The utility, the hints, the actions at whose decisions bots use these, and the frame size."""
    declared = definitions.env.declared
    frames = Frame(), Frame()
    utility = None
    if declared.utility is not None:
        low, high = declared.utility.bounds or (None, None)
        value = _read(definitions, declared.utility.value, frames[0], "what a result is worth")
        utility = ir.Utility(value=value, low=low, high=high, sum=declared.utility.sum)
    hints = None
    judged: list[int] = []
    if declared.hints is not None:
        hints = _read(definitions, declared.hints.value, frames[1], "how a seat stands")
        found = map(definitions.env.find_action, declared.hints.judges)
        judged = [action for action in found if action is not None]
    return utility, hints, tuple(judged), max(frame.size for frame in frames)


def _read(definitions: Definitions, decl: DefinitionDecl, frame: Frame, what: str) -> ir.Expr:
    env = definitions.env
    scope, _ = Scope(frame, where="definition").variable("seat", SEAT)
    span = decl.body.expr.span if decl.body.expr is not None else decl.line.span
    value = coerce(env, definitions.body(decl.body, scope), NUMBER, span, what)
    return value if isinstance(value, ir.Named) else name_clause(env.clause(decl.line), value)
