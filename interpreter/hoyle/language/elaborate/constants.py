"""Compile-time constants.

In: an expression. Out: its value, if it depends on options and the number of players alone.
"""

from __future__ import annotations

from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.elaborate.typing_rules import is_unknown
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type
from hoyle.program.model.runtime_values import Value


def fixed(elaborator: Elaborator, node: ast.Expr, wanted: Type, what: str, scope: Scope | None = None) -> Value:
    """The value of a constant expression; None, after an error, if it is not constant."""
    found = elaborator.typed(node, scope or Scope(Frame()), wanted, what)
    if isinstance(found, ir.Const):
        return found.value
    if not is_unknown(found.type):
        elaborator.env.report.error(
            "not-constant",
            f"{what} must be known before the game begins",
            node.span,
            hint="it may use options and `players`, nothing else",
        )
    return None


def fixed_number(
    elaborator: Elaborator, node: ast.Expr, wanted: Type, what: str, scope: Scope | None = None
) -> int | None:
    """The same for a number, or anything represented as one."""
    found = fixed(elaborator, node, wanted, what, scope)
    return found if isinstance(found, int) else None
