"""Works out conditions that depend only on the options as they stand.

In: declarations, a condition. Out: whether it holds; None if anything but an option decides it.
"""

from __future__ import annotations

from hoyle.language.declare.declarations import Declarations
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import renamed

_DEEPEST = 4  # definitions unfolded within one another


def settle(declared: Declarations, expr: ast.Expr, depth: int = 0) -> bool | None:
    """Work out a condition that depends only on options as they stand; None for any other."""
    if isinstance(expr, ast.Group):
        return settle(declared, expr.body, depth)
    if isinstance(expr, ast.Not):
        value = settle(declared, expr.arg, depth)
        return None if value is None else not value
    if isinstance(expr, ast.Logic):
        left, right = settle(declared, expr.left, depth), settle(declared, expr.right, depth)
        decisive = expr.op == "or"
        if decisive in (left, right):
            return decisive
        return None if left is None or right is None else not decisive
    if isinstance(expr, ast.IsA) and isinstance(expr.arg, ast.Name):
        standing = find_standing(declared, renamed(expr.arg))
        if standing is not None:
            return (standing == expr.word.id) is not expr.negated
        held = _unfold(declared, renamed(expr.word), depth)
        return None if held is None else held is not expr.negated
    if isinstance(expr, ast.Compare):
        sides = [_find_number(declared, expr.left), _find_number(declared, expr.right)]
        if isinstance(sides[0], int) and isinstance(sides[1], int):
            order = (sides[0] > sides[1]) - (sides[0] < sides[1])
            return order in {"=": (0,), "!=": (-1, 1), "<": (-1,), ">": (1,), "<=": (-1, 0), ">=": (0, 1)}[expr.op]
        return None
    if isinstance(expr, ast.Name):
        said = expr.id if expr.id in ("true", "false") else find_standing(declared, renamed(expr))
        if said is None:
            return _unfold(declared, renamed(expr), depth)
        return said == "true" if said in ("true", "false") else None
    return None


def _unfold(declared: Declarations, name: str, depth: int) -> bool | None:
    """Work out a condition that has a name."""
    definition = declared.definitions.get(name) if depth < _DEEPEST else None
    rule = definition.body.expr if definition is not None else None
    return settle(declared, rule, depth + 1) if rule is not None else None


def find_standing(declared: Declarations, name: str) -> str | None:
    """The value of an option, as written, if it depends on nothing."""
    option = declared.options.get(name)
    default = option.default if option is not None else None
    if isinstance(default, ast.Name):
        return default.id
    return str(default.value) if isinstance(default, ast.Int) else None


def _find_number(declared: Declarations, expr: ast.Expr) -> int | None:
    if isinstance(expr, ast.Int):
        return expr.value
    value = find_standing(declared, renamed(expr)) if isinstance(expr, ast.Name) else None
    return int(value) if value is not None and value.isdecimal() else None
