"""Definitions that depend on nothing but what they are said of: worked out once for the same arguments.

In: a program. Out: which of its definitions read neither the position nor, by way of others, anything that does.
"""

from __future__ import annotations

from hoyle.ir import nodes as ir
from hoyle.ir.walk import walk_expression
from hoyle.words import WORDS

MOST_REMEMBERED = 50_000
FREE = (ir.Const, ir.Var, ir.Attribute, ir.If, ir.OrElse, ir.Logic, ir.Named, ir.Those, ir.Quantified)


def find_pure(program: ir.Program) -> tuple[bool, ...]:
    """For each definition, whether its value follows from its arguments alone."""
    found: dict[int, bool] = {}

    def is_pure(index: int) -> bool:
        if index not in found:
            found[index] = all(is_free(node) for node in walk_expression(program.definitions[index].body))
        return found[index]

    def is_free(node: ir.Expr) -> bool:
        if isinstance(node, ir.Apply):
            return not WORDS[node.word].reads_position
        return is_pure(node.definition) if isinstance(node, ir.Call) else isinstance(node, FREE)

    return tuple(is_pure(index) for index in range(len(program.definitions)))
