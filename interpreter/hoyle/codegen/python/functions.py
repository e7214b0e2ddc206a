"""Expressions of a program as Python functions, each by itself.

In: a program and expressions of it. Out: source text, and for each expression that has a function its name and the
variables it is given, in order. Of the position nothing is relied on but what is declared: it may have been edited.

A function gives what the reference evaluator gives, or raises: then the reference is to be asked. Expressions that have
no low form, or are too large, have no function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from hoyle.codegen.low.facts import LIMIT, Fact, join
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.expressions import FORMS
from hoyle.codegen.lower.lowering import Lowering
from hoyle.codegen.python.code import ATOM, CHOICE, NAME, Code, Line, list_lines
from hoyle.codegen.python.names import list_names
from hoyle.codegen.python.operations import OPERATIONS
from hoyle.codegen.python.printing import Constants, Values
from hoyle.codegen.target import PYTHON
from hoyle.codegen.unsupported import Unsupported
from hoyle.dataclass import dataclass
from hoyle.effort import TooMuchWork, bounded
from hoyle.ir import nodes as ir
from hoyle.ir.types import Type, certain
from hoyle.ir.walk import list_children, walk_into

MOST_WRITING = 120_000  # steps of `hoyle.effort` for all functions of a program
GIVEN = -(1 << 40)  # the number of the variable that stands for the first place of the frame


@dataclass(frozen=True, slots=True)
class Function:
    """A printed function: its name, and the places of the frame it is given, after the position."""

    name: str
    variables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Functions:
    """Source text, the texts it names, by the place of each expression the function there is for it, and why others
    have none."""

    source: str
    texts: tuple[str, ...]
    made: dict[int, Function]
    refused: dict[int, str]


def print_functions(program: ir.Program, exprs: Sequence[ir.Expr]) -> Functions:
    """Functions for expressions; of a prefix of them, if all would take too long."""
    constants, lines = Constants(), list[str]()
    made: dict[int, Function] = {}
    refused: dict[int, str] = {}
    low = lower_declared(program, {})
    try:
        with bounded(MOST_WRITING, apart=True):
            for number, expr in enumerate(exprs):
                variables = list_free(expr)
                name = f"v{number}"
                try:
                    lines += print_given(low, constants, name, expr, variables)
                    made[number] = Function(name, tuple(variables))
                except Unsupported as error:
                    refused[number] = str(error)
                    if low.build.is_full:
                        low = lower_declared(program, low.texts)
                except RecursionError:
                    refused[number] = "a value as deep as this"
    except TooMuchWork:
        refused |= dict.fromkeys(set(range(len(exprs))) - made.keys() - refused.keys(), "too much to write")
    return Functions("\n".join((*constants.lines, *lines, "")), tuple(low.texts), made, refused)


def load_functions(functions: Functions) -> dict[int, Callable[..., Any]]:
    """The functions, ready to be called."""
    names = list_names() | {"TEXTS": functions.texts}
    exec(compile(functions.source, "<functions printed by hoyle>", "exec", dont_inherit=True), names)
    return {number: names[function.name] for number, function in functions.made.items()}


# ------------------------------------------------------------------------------------------------ declarations
def lower_declared(program: ir.Program, texts: dict[str, int]) -> Lowering:
    """Lowering that knows of places what is declared of them."""
    everywhere = (len(program.cards),) * sum(zone.size for zone in program.zones)
    low = Lowering(program, everywhere, FORMS, PYTHON)
    low.texts = texts
    for number, slot in enumerate(program.slots):
        low.places["slot", number] = low.fact_of(slot.type)
    for number, state in enumerate(program.states):
        low.places["state", number] = _declared(low, state)
    return low


def _declared(low: Lowering, state: ir.State) -> Fact:
    fact: Fact = low.fact_of(state.type)
    if state.start is None:
        return fact.or_none()
    if isinstance(state.start, int):
        return join(fact, low.build.number(state.start).fact)
    return fact


def list_free(expr: ir.Expr) -> dict[int, Type]:
    """The variables an expression is given, by their places, in order."""
    found: dict[int, Type] = {}

    def visit(node: ir.Expr, bound: frozenset[int]) -> None:
        if isinstance(node, ir.Var):
            if node.index not in bound:
                found.setdefault(node.index, node.type)
            return
        if isinstance(node, ir.Those | ir.Quantified):
            visit(node.source, bound)
            for part in list_children(node):
                if part is not node.source:
                    visit(part, bound | {node.var})
            return
        if isinstance(node, ir.Division):  # what groups there are is asked in a frame of its own
            visit(node.source, bound)
            return
        for part in list_children(node):
            visit(part, bound)

    visit(expr, frozenset())
    return dict(sorted(found.items()))


def _refuse_large(program: ir.Program, expr: ir.Expr) -> None:
    """Numbers beyond what facts can say."""
    for node in walk_into(program, expr):
        if isinstance(node, ir.Const) and type(node.value) is int and abs(node.value) >= LIMIT:
            raise Unsupported("numbers as large as this")


# ------------------------------------------------------------------------------------------------ functions
def print_given(
    low: Lowering, constants: Constants, name: str, expr: ir.Expr, variables: dict[int, Type]
) -> Iterator[str]:
    program, build = low.program, low.build
    _refuse_large(program, expr)
    env = {place: build.make("var", (), (GIVEN - place,), low.fact_of(kind)) for place, kind in variables.items()}
    with low.within(0):
        value = low.lower(expr, env) if env else low.lower(expr)
    printer = Values(program, build, constants, OPERATIONS)
    for place, kind in variables.items():
        printer.bound[GIVEN - place] = Code(f"a{place}", NAME, _kind_of(kind))
    printer.start([value])
    code = conform(printer, value, expr.type)
    printer.out.append(Line(f"return {code.text}"))
    given = ", ".join(("position", *(f"a{place}" for place in variables)))
    yield f"def {name}({given}):"
    yield from list_lines(printer.places.complete(printer.out), 1)


def write_texts(texts: Iterable[str]) -> str:
    """A line that names the texts of a program."""
    return f"TEXTS = ({''.join(f'{text!a}, ' for text in texts)})"


def _kind_of(kind: Type) -> str:
    known = certain(kind)
    return "tuple" if known.kind in ("list", "key") else "bool" if known.kind == "truth" else "int"


def conform(p: Values, value: Value, kind: Type) -> Code:
    """A value as the reference holds those of a type: truths are no numbers, and lists are tuples."""
    if value.fact.is_list:
        return _conform_list(p, value, kind)
    if kind.kind == "truth" or (kind.kind == "maybe" and certain(kind).kind == "truth"):
        if value.constant is not None:
            return Code(str(bool(value.constant)), NAME)
        code = p.value(value)
        if code.kind in ("bool", "none"):
            return code
        return _convert(p, code, "bool", none=value.fact.none)
    code = p.value(value)
    if code.kind in ("int", "none") or certain(kind).kind == "choice":
        return code
    if code.kind == "" and value.fact.low > 1:
        return code
    return _convert(p, code, "int", none=value.fact.none)


def _convert(p: Values, code: Code, kind: str, *, none: bool) -> Code:
    if not none:
        return Code(f"{kind}({code.text})", ATOM, kind)
    name = p.name(code).text
    return Code(f"{kind}({name}) if {name} is not None else None", CHOICE, kind)


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
    return _convert_list(p, code, "bool" if of_truths else "int", none=value.fact.none)


def _convert_list(p: Values, code: Code, kind: str, *, none: bool) -> Code:
    if not none:
        return Code(f"tuple(map({kind}, {code.text}))", ATOM, "tuple")
    name = p.name(code).text
    return Code(f"tuple(map({kind}, {name})) if {name} is not None else None", CHOICE, "tuple")
