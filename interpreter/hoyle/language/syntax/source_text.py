"""Source text of AST nodes, and names after renaming.

In: parts of the AST. Out: their text on one line, or their name in the game.
"""

from __future__ import annotations

import re

from hoyle.base.source import Span
from hoyle.language.syntax import ast

BRACES = re.compile(r"\{([^{}]*)\}")  # an expression in a text


def written(node: ast.Expr | ast.Binding | ast.Statement) -> str:
    """The source text, on one line."""
    return " ".join(node.span.text.split())


def enclosed(node: ast.Expr) -> str:
    """The source text as an operand: in parentheses if it is compound."""
    plain = (ast.Name, ast.Of, ast.Group, ast.ListOf, ast.Those, ast.Int, ast.EndOf, ast.Aggregated)
    return written(node) if isinstance(node, plain) else f"({written(node)})"

def head_of(node: ast.Statement) -> Span:
    """The first line of a statement."""
    head = node.span.text.split("\n", 1)[0]
    return Span(node.span.source, node.span.start, node.span.start + len(head.rstrip()))
