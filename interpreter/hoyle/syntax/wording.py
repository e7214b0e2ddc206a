"""Words as the author wrote them, and as the game knows them.

In: parts of the AST. Out: their text on one line, or the name they bear in the game.
"""

from __future__ import annotations

import re

from hoyle.syntax import ast

BRACES = re.compile(r"\{([^{}]*)\}")  # a value in a text


def written(node: ast.Expr | ast.Binding | ast.Statement) -> str:
    """How the author wrote it, on one line."""
    return " ".join(node.span.text.split())


def enclosed(node: ast.Expr) -> str:
    """How the author wrote it, in parentheses where something else stands before it."""
    plain = (ast.Name, ast.Of, ast.Group, ast.ListOf, ast.Those, ast.Int, ast.EndOf, ast.Aggregated)
    return written(node) if isinstance(node, plain) else f"({written(node)})"


def renamed(word: ast.Word | ast.Name) -> str:
    """A name as the game knows it: names of a used module may bear another name there."""
    return word.span.source.renames.get(word.id, word.id)
