"""Expressions of the IR as one line of text.

In: an expression. Out: fully parenthesised text; stable, so that dumps can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import Given, OpenIndex

# Infix notation of binary words; filled in as the words are declared.
SIGNS: dict[str, str] = {}


def express(expr: ir.Expr | None, program: ir.Program | None = None) -> str:
    """The expression as text; with the program, declarations appear by name instead of by number."""
    return "-" if expr is None else _BY_NODE[type(expr)](expr, program)


def say_condition(condition: ir.Named, program: ir.Program) -> str:
    """The sentence of the file for a condition: its own, or that of the definition it asks for and nothing else."""
    text = program.clauses[condition.clause].text
    if not text and isinstance(condition.body, ir.Call):
        return program.clauses[program.definitions[condition.body.definition].clause].text
    return text


def _name(kind: str, index: int, program: ir.Program | None) -> str:
    return f"{kind}{index}" if program is None else str(getattr(program, f"{kind}s")[index].name)


def _owned(name: str, owner: ir.Expr | None, program: ir.Program | None) -> str:
    return name if owner is None else f"{name}[{express(owner, program)}]"


def _const(expr: ir.Const, program: ir.Program | None) -> str:
    return repr(expr.value)


def _local(prefix: str) -> Callable[[Any, ir.Program | None], str]:
    return lambda expr, program: f"{prefix}{expr.index}" + (f":{expr.name}" if expr.name else "")


def _apply(expr: ir.Apply, program: ir.Program | None) -> str:
    parts = [express(part, program) for part in expr.args]
    sign = SIGNS.get(expr.word)
    if sign is not None and len(parts) == 2:
        return f"({parts[0]} {sign} {parts[1]})"
    return f"{expr.word}({', '.join(parts)})"


def _call(expr: ir.Call, program: ir.Program | None) -> str:
    return f"{_name('definition', expr.definition, program)}!({', '.join(express(a, program) for a in expr.args)})"


def _logic(expr: ir.Logic, program: ir.Program | None) -> str:
    parts = [express(part, program) for part in expr.parts]
    return f"not {parts[0]}" if expr.op == "not" else f"({f' {expr.op} '.join(parts)})"


def _named(expr: ir.Named, program: ir.Program | None) -> str:
    path = f"#{expr.clause}" if program is None else program.clauses[expr.clause].path
    return f"<{path}: {express(expr.body, program)}>"


def _those(expr: ir.Those, program: ir.Program | None) -> str:
    text = f"%{expr.var} in {express(expr.source, program)}"
    if expr.value is not None:
        text = f"{express(expr.value, program)} for {text}"
    if expr.where is not None:
        text += f" where {express(expr.where, program)}"
    for order in expr.orders:
        text += f" with {order.best} {express(order.key, program)}"
    return f"[{text}]"


def _division(expr: ir.Division, program: ir.Program | None) -> str:
    by = expr.by
    weigh = "count" if by.weigh is None else f"sum of {express(by.weigh, program)} for %{by.card}"
    keeps = "" if by.keeps is None else f" keeps {express(by.keeps, program)}"
    given = "".join(f", %{var} = {express(part, program)}" for var, part in zip(by.given, expr.given, strict=True))
    test = f"{express(by.where, program)}{keeps}"
    return f"[divide {express(expr.source, program)}{given} into %0 where {test} leaving {weigh}]"


_BY_NODE: dict[type[ir.Expr], Callable[[Any, ir.Program | None], str]] = {
    ir.Const: _const,
    Given: lambda e, p: f"{e.what}({e.name}, {e.place})",
    ir.Var: _local("%"),
    ir.Slot: _local("$"),
    ir.StateRef: lambda e, p: _owned(_name("state", e.state, p), e.owner, p),
    ir.ZoneRef: lambda e, p: "@" + _owned(_name("zone", e.zone, p), e.owner, p),
    ir.Piles: lambda e, p: ("new " if e.new else "") + "@" + _owned(_name("zone", e.zone, p), e.owner, p),
    ir.Index: lambda e, p: ", ".join(express(part, p) for part in e.parts),
    OpenIndex: lambda e, p: ", ".join(express(part, p) for part in e.parts),
    ir.Attribute: lambda e, p: f"{_name('attribute', e.attribute, p)}({express(e.card, p)})",
    ir.Call: _call,
    ir.Apply: _apply,
    ir.If: lambda e, p: f"({express(e.yes, p)} if {express(e.test, p)} else {express(e.no, p)})",
    ir.OrElse: lambda e, p: f"({express(e.first, p)} ?? {express(e.second, p)})",
    ir.Logic: _logic,
    ir.Named: _named,
    ir.Those: _those,
    ir.Division: _division,
    ir.Quantified: lambda e, p: f"{e.how} %{e.var} in {express(e.source, p)}: {express(e.test, p)}",
    ir.CanDo: lambda e, p: f"{express(e.seat, p)} {e.how} {_name('action', e.action, p)}",
}
