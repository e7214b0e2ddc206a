"""Expressions of a program as stand-alone Python functions.

In: an expression and its parameters. Out: the lines of a function. It assumes only the declared facts of the position,
which may have been edited.

A function returns what the reference evaluator returns, or raises: a bail-out, upon which the caller asks the
reference. Expressions without a low form, or too large, have no function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.play.codegen.low.facts import LIMIT
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.expressions import FORMS
from hoyle.play.codegen.lower.lowering import Lowering
from hoyle.play.codegen.python.code import NAME, Code
from hoyle.play.codegen.python.constants import Constants
from hoyle.play.codegen.python.operations import OPERATIONS
from hoyle.play.codegen.python.printing import Values
from hoyle.play.codegen.target import PYTHON
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type, certain
from hoyle.program.ir.walk import walk_into

GIVEN = -(1 << 40)  # the number of the variable for the first parameter, counting down


# ------------------------------------------------------------------------------------------------ declarations
def lower_declared(program: ir.Program, texts: dict[str, int]) -> Lowering:
    """A `Lowering` with the declared facts alone."""
    everywhere = (len(program.cards),) * sum(zone.size for zone in program.zones)
    low = Lowering(program, everywhere, FORMS, PYTHON)
    low.texts = texts
    low.places = low.declare()
    return low


def _refuse_large(program: ir.Program, expr: ir.Expr) -> None:
    """Decline constants beyond the range of facts."""
    for node in walk_into(program, expr):
        if isinstance(node, ir.Const) and type(node.value) is int and abs(node.value) >= LIMIT:
            raise Unsupported("numbers as large as this")


# ------------------------------------------------------------------------------------------------ functions
def print_given(
    low: Lowering, constants: Constants, name: str, expr: ir.Expr, variables: dict[int, Type]
) -> Iterator[str]:
    """The lines of a function that evaluates an expression with these parameters."""
    program, build = low.program, low.build
    _refuse_large(program, expr)
    env = {place: build.make("var", (), (GIVEN - place,), low.fact_of(kind)) for place, kind in variables.items()}
    with low.within(0):
        value = low.lower(expr, env) if env else low.lower(expr)
    printer = Values(program, build, constants, OPERATIONS)
    for place, kind in variables.items():
        printer.bound[GIVEN - place] = Code(f"a{place}", NAME, _kind_of(kind))
    printer.start([value])
    given = ", ".join(("position", *(f"a{place}" for place in variables)))
    return printer.define(f"{name}({given})", conform(printer, value, expr.type))


def write_texts(texts: Iterable[str]) -> str:
    """The definition of the pool of texts."""
    return f"TEXTS = ({''.join(f'{text!a}, ' for text in texts)})"


def _kind_of(kind: Type) -> str:
    known = certain(kind)
    return "tuple" if known.kind in ("list", "key") else "bool" if known.kind == "truth" else "int"


def conform(p: Values, value: Value, kind: Type) -> Code:
    """A value converted to the reference's representation of a type: `bool` or `int`, lists as tuples."""
    if value.fact.is_list:
        return _conform_list(p, value, kind)
    wanted = "bool" if certain(kind).kind == "truth" else "int"
    if wanted == "bool" and value.constant is not None:
        return Code(str(bool(value.constant)), NAME)
    code = p.value(value)
    no_truth = certain(kind).kind == "choice" or (code.kind == "" and value.fact.low > 1)
    if code.kind in (wanted, "none") or (wanted == "int" and no_truth):
        return code
    return p.convert(code, f"{wanted}({{}})", wanted, none=value.fact.none)


def _conform_list(p: Values, value: Value, kind: Type) -> Code:
    code = p.listed(value)
    known, of = certain(kind), value.fact.of
    assert of is not None
    may_be_truths = not of.is_list and of.low >= 0 and of.high <= 1
    if not may_be_truths or known.kind != "list" or known.of is None or value.constants is not None:
        return code
    of_truths = certain(known.of).kind == "truth"
    has_numbers = value.op == "row" or (value.op == "each" and not value.args[2].fact.none)
    if has_numbers and not of_truths and not value.fact.none:
        return code
    form = "tuple(map(bool, {}))" if of_truths else "tuple(map(int, {}))"
    return p.convert(code, form, "tuple", none=value.fact.none)
