"""Loops over the suffixes of a list, with incremental reducers and an early exit; no suffix is materialised.

In: a loop over tails, and the printer. Out: `TailLoop`, if a tail is only read by count, distinct count, and, with the
latter, maximum and minimum. The Python counterpart of `passes/accumulators.py`.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.passes.accumulators import find_monotone
from hoyle.play.codegen.python.code import Assign, Code, Line, Statement
from hoyle.play.codegen.python.printing import Values

EXTREMES = {"highest": "max", "lowest": "min"}


@dataclass(slots=True)
class TailLoop:
    """`start` initialises the accumulators, `take` adds an element; `read` gives each reducer as code. The loop runs
    while `monotone` holds; `rest` is what remains of the test."""

    source: Code
    start: list[Statement]
    take: list[Statement]
    read: dict[Value, Code]
    monotone: Value
    rest: Value


def find_tail_loop(
    p: Values, source: Value, where: Value, made: Value | None, tail: int, element: str
) -> TailLoop | None:
    """The loop over tails, the shortest first; `element` is the variable of the element that each one adds."""
    found = find_monotone(p.build, source, where, tail)
    reducers = None if found is None else _list_reducers((where, made) if made is not None else (where,), tail)
    if found is None or reducers is None:
        return None
    loop = TailLoop(Code(f"reversed({p.elements(source.args[0]).text})"), [], [], {}, *found)
    different = ""  # the variable of the set of elements
    for reducer in sorted(reducers, key=lambda each: each.op in EXTREMES):
        name = p.fresh("t")
        code = p.given(name)
        if reducer.op in EXTREMES and not different:
            return None
        if reducer.op in EXTREMES:  # computed from the set on use, which is rare
            code = Code(f"{EXTREMES[reducer.op]}({different})")
        elif reducer.args[0].op == "distinct":
            different, code = name, Code(f"len({name})", quick=True)
            loop.start.append(Assign(name, "set()"))
            loop.take.append(Line(f"{name}.add({element})"))
        else:
            loop.start.append(Assign(name, "0"))
            loop.take.append(Line(f"{name} += 1"))
        loop.read[reducer] = code
    return loop


def _list_reducers(bodies: tuple[Value, ...], tail: int) -> dict[Value, None] | None:
    """The reducers of a tail, if these are its only uses."""
    found: dict[Value, None] = {}
    seen: set[Value] = set()

    def visit(node: Value) -> bool:
        if tail not in node.free or node in seen:
            return True
        seen.add(node)
        if _is_asked(node, tail):
            found[node] = None
            return True
        return node.op != "var" and all(map(visit, node.args))

    return found if all(map(visit, bodies)) else None


def _is_asked(node: Value, tail: int) -> bool:
    if node.op == "count" and node.args[0].op == "distinct":
        node = node.args[0]
    elif node.op not in ("count", *EXTREMES):
        return False
    listed = node.args[0]
    return listed.op == "var" and listed.number == tail
