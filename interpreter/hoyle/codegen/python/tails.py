"""Loops over the tails of a list that end where no longer tail can meet a test. Tails are not made: what is asked of
them goes along with their elements.

In: a loop over tails, and what prints its parts. Out: `TailLoop`, if nothing is asked of a tail but how many elements
it has, how many are different, and then also which is the highest and lowest.
"""

from __future__ import annotations

from hoyle.codegen.low.values import Value
from hoyle.codegen.passes.accumulate import find_lasting
from hoyle.codegen.python.code import Assign, Code, Line, Statement
from hoyle.codegen.python.printing import Values
from hoyle.dataclass import dataclass

EXTREMES = {"highest": "max", "lowest": "min"}


@dataclass(slots=True)
class TailLoop:
    """`start` and `take` are what is done before the loop and for each element; `read` says what each reducer is then.
    The loop goes on as long as `lasting` holds; `rest` is what else is asked."""

    source: Code
    start: list[Statement]
    take: list[Statement]
    read: dict[Value, Code]
    lasting: Value
    rest: Value


def find_tail_loop(
    p: Values, source: Value, where: Value, made: Value | None, tail: int, element: str
) -> TailLoop | None:
    """How tails grow, the shortest first; `element` is the name of the one by which each is longer."""
    found = find_lasting(p.build, source, where, tail)
    reducers = None if found is None else _list_reducers((where, made) if made is not None else (where,), tail)
    if found is None or reducers is None:
        return None
    growing = TailLoop(Code(f"reversed({p.elements(source.args[0]).text})"), [], [], {}, *found)
    different = ""  # the name of the different elements
    for reducer in sorted(reducers, key=lambda each: each.op in EXTREMES):
        name = p.fresh("t")
        code = p.given(name)
        if reducer.op in EXTREMES and not different:
            return None
        if reducer.op in EXTREMES:  # they are asked for it, which happens seldom
            code = Code(f"{EXTREMES[reducer.op]}({different})")
        elif reducer.args[0].op == "distinct":
            different, code = name, Code(f"len({name})", quick=True)
            growing.start.append(Assign(name, "set()"))
            growing.take.append(Line(f"{name}.add({element})"))
        else:
            growing.start.append(Assign(name, "0"))
            growing.take.append(Line(f"{name} += 1"))
        growing.read[reducer] = code
    return growing


def _list_reducers(bodies: tuple[Value, ...], tail: int) -> dict[Value, None] | None:
    """What is asked of a tail, if it is nothing else."""
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
