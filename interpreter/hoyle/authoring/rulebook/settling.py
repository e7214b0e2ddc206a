"""Works out conditions that depend only on the options as they stand, or on how many may play.

In: declarations, a condition. Out: whether it holds; None if anything but an option decides it.
"""

from __future__ import annotations

from hoyle.language.declare.declarations import Declarations
from hoyle.language.syntax import ast

_DEEPEST = 4  # definitions unfolded within one another


def settle(declared: Declarations, expr: ast.Expr, depth: int = 0) -> bool | None:
    """Work out a condition that options as they stand, and how many may play, decide; None for any other."""
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
    if isinstance(expr, ast.IsA):
        standing = find_standing(declared, expr.arg.name) if isinstance(expr.arg, ast.Name) else None
        if standing is not None:
            return (standing == expr.word.id) is not expr.negated
        held = False if _is_out(declared, expr.word.id) else _unfold(declared, expr.word.name, depth)
        return None if held is None else held is not expr.negated
    if isinstance(expr, ast.Compare):
        one, other = _find_range(declared, expr.left), _find_range(declared, expr.right)
        if one is None or other is None:
            return None
        orders = {-1} if one[0] < other[1] else set()
        orders |= {1} if one[1] > other[0] else set()
        orders |= {0} if one[0] <= other[1] and other[0] <= one[1] else set()
        holding = {"=": {0}, "!=": {-1, 1}, "<": {-1}, ">": {1}, "<=": {-1, 0}, ">=": {0, 1}}[expr.op]
        return orders <= holding if orders <= holding or not orders & holding else None
    if isinstance(expr, ast.Name):
        said = expr.id if expr.id in ("true", "false") else find_standing(declared, expr.name)
        if said is None:
            return _unfold(declared, expr.name, depth)
        return said == "true" if said in ("true", "false") else None
    return None


def _is_out(declared: Declarations, card: str) -> bool:
    """Whether a card of this name is in the deck only with other options."""
    rows = [row for row in declared.deck.rows if row.name == card] if declared.deck is not None else []
    return bool(rows) and all(row.condition is not None and settle(declared, row.condition) is False for row in rows)


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


def _find_range(declared: Declarations, expr: ast.Expr) -> tuple[int, int] | None:
    """The least and the greatest value of a number that is written, an option or the number of players."""
    if isinstance(expr, ast.Int):
        return expr.value, expr.value
    if not isinstance(expr, ast.Name):
        return None
    if expr.id == "players":
        return declared.allowed
    value = find_standing(declared, expr.name)
    return (int(value), int(value)) if value is not None and value.isdecimal() else None
