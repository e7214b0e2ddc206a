"""Smart constructors of expressions, with constant folding: options disappear here.

In: parts of an expression. Out: the expression, or a constant.
"""

from __future__ import annotations

from typing import Literal

from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import TRUTH, Type
from hoyle.program.model.runtime_values import Value
from hoyle.program.words import WORDS, Cost, Op, word_of

MOST_VALUES = 4096
MOST_JOINED = 256


def constant(value: Value, kind: Type, text: str = "") -> ir.Const:
    return ir.Const(type=kind, value=value, text=text)


def apply(word: Op | str, args: tuple[ir.Expr, ...], kind: Type, text: str = "") -> ir.Expr:
    """The application of a word, given by name or by operation; folded if all arguments are constant."""
    declared = word_of(word) if isinstance(word, Op) else WORDS[word]
    plain = ir.Apply(type=kind, word=declared.name, args=args, text=text)
    if declared.takes_position or not all(isinstance(a, ir.Const) for a in args):
        return plain
    known = [a for a in args if isinstance(a, ir.Const)]
    values = [a.value for a in known]
    if not declared.takes_none and any(v is None for v in values):
        return constant(False if kind == TRUTH else None, kind, text)
    if declared.op is Op.SPAN and known[1].number - known[0].number > MOST_VALUES:
        return plain
    if (declared.op is Op.MULTIPLY or declared.cost is Cost.ALL_GROUPS) and _is_large(values):
        return plain
    if declared.gives.kind == "list" and sum(len(v) for v in values if isinstance(v, tuple)) > MOST_JOINED:
        return plain
    try:
        return constant(declared.run(*values), kind, text)
    except (ZeroDivisionError, IndexError):  # a run-time fault, if it is ever evaluated
        return plain


def _is_large(values: list[Value]) -> bool:
    return any((isinstance(v, tuple) and len(v) > 8) or (isinstance(v, int) and abs(v) > 1 << 40) for v in values)


def choose(test: ir.Expr, yes: ir.Expr, no: ir.Expr, kind: Type, text: str = "") -> ir.Expr:
    known = truth_of(test)
    if known is not None:
        return yes if known else no
    return ir.If(type=kind, test=test, yes=yes, no=no, text=text)


def truth_of(expr: ir.Expr) -> bool | None:
    """The value of a constant test, else None."""
    while isinstance(expr, ir.Named):
        expr = expr.body
    return bool(expr.value) if isinstance(expr, ir.Const) else None


def logic(op: Literal["and", "or", "not"], parts: tuple[ir.Expr, ...], text: str = "") -> ir.Expr:
    """`and`, `or`, `not`, simplified. Named parts are kept, because explanations refer to them."""
    if op == "not":
        known = truth_of(parts[0]) if not isinstance(parts[0], ir.Named) else None
        return (
            constant(not known, TRUTH, text)
            if known is not None
            else ir.Logic(type=TRUTH, op=op, parts=parts, text=text)
        )
    flat: list[ir.Expr] = []
    for part in parts:
        if isinstance(part, ir.Logic) and part.op == op:
            flat.extend(part.parts)
        else:
            flat.append(part)
    kept: list[ir.Expr] = []
    for part in flat:
        known = truth_of(part) if not isinstance(part, ir.Named) else None
        if known is None:
            kept.append(part)
        elif known is (op == "or"):
            return constant(known, TRUTH, text)
    if not kept:
        return constant(op == "and", TRUTH, text)
    return kept[0] if len(kept) == 1 else ir.Logic(type=TRUTH, op=op, parts=tuple(kept), text=text)
