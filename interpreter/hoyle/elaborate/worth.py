"""What a result is worth to a seat, and how a seat stands in the eyes of its bots.

In: `utility:` and `hints:`. Out: their expressions about a seat, typed; the frame of each begins with the seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.declare.declarations import DefinitionDecl
from hoyle.elaborate.definitions import Definitions, name_clause
from hoyle.elaborate.environment import Environment
from hoyle.elaborate.scope import Frame, Scope
from hoyle.elaborate.typing_rules import coerce
from hoyle.ir import nodes as ir
from hoyle.ir.types import NUMBER, SEAT
from hoyle.syntax import ast
from hoyle.syntax.wording import renamed


def read_worth(definitions: Definitions) -> tuple[ir.Utility | None, ir.Expr | None, tuple[int, ...], int]:
    """The utility, the hints, the actions of which they judge, and the size of frame they need."""
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
        judged = [*_find_actions(definitions.env, declared.hints.judges)]
    return utility, hints, tuple(judged), max(frame.size for frame in frames)


def _find_actions(env: Environment, words: Sequence[ast.Word]) -> Iterator[int]:
    for word in words:
        name = renamed(word)
        if name in env.actions:
            yield env.actions[name]
        elif name not in env.reported:
            similar = env.similar(name, env.actions, word.span, "actions")
            env.report.error(
                "unknown-action", f"no action named `{name}`", word.span, "not declared under `actions:`", **similar
            )


def _read(definitions: Definitions, decl: DefinitionDecl, frame: Frame, what: str) -> ir.Expr:
    env = definitions.env
    scope, _ = Scope(frame, where="definition").variable("seat", SEAT)
    span = decl.body.expr.span if decl.body.expr is not None else decl.line.span
    value = coerce(env, definitions.body(decl.body, scope), NUMBER, span, what)
    return value if isinstance(value, ir.Named) else name_clause(env.clause(decl.line), value)
