"""Words as the author wrote them, and as the game knows them.

In: parts of the AST. Out: their text on one line, or the name they bear in the game.
"""

from __future__ import annotations

from hoyle.syntax import ast


def written(node: ast.Expr | ast.Binding | ast.Statement) -> str:
    """How the author wrote it, on one line."""
    return " ".join(node.span.text.split())


def renamed(word: ast.Word | ast.Name) -> str:
    """A name as the game knows it: names of a used module may bear another name there."""
    return word.span.source.renames.get(word.id, word.id)
