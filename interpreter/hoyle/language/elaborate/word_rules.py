"""Type rules of built-in words with one argument.

In: a word and its argument. Out: the word applied; an argument of another type is reported.
"""

from __future__ import annotations

from hoyle.base.source import Span
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply
from hoyle.language.elaborate.typing_rules import ORDERED, as_elements, described, is_unknown, same, unknown
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import Given
from hoyle.program.ir.types import CARDS, NUMBER, ZONE, Type, certain, list_of, maybe
from hoyle.program.words import WORDS, Cost, Op, applies

MOST_FOR_ALL_GROUPS = 12


_KINDS = {"any": "a list", "list": "groups"}


def apply_word(env: Environment, name: str, arg: ir.Expr, span: Span, text: str) -> ir.Expr:
    """A built-in word applied to one argument; none propagates."""
    declared = WORDS[name]
    wanted = declared.takes[0]
    if is_unknown(arg.type):
        return unknown()
    held = certain(arg.type)
    if declared.op is Op.COUNT and held.kind == "zone":
        return apply(Op.SIZE, (arg,), NUMBER, text)
    if wanted.kind == "list":
        arg = as_elements(env, arg)
        held = certain(arg.type)
        element = wanted.of
        assert element is not None
        inner = held.of or element
        if element.kind == "list" and element.of is not None and inner.kind == "list":  # of groups of anything
            inner = inner.of or element.of
            element = element.of
        if held.kind != "list" or (element.kind != "any" and not same(inner, element)):
            hint: tuple[str, ...] = ()
            if held == CARDS and element == NUMBER:
                hint = (f"say what to add up: `{name} ATTRIBUTE of {arg.text}`, for example `{name} points of …`",)
            elif held.of == ZONE and element.kind == "list":
                hint = ("of several zones each is asked by itself, and the answers are put together: "
                        f"`highest of (highest rank of pile for pile in {arg.text})`",)  # fmt: skip
            elif held.kind == "number":
                hint = (f"`{arg.text}` is a number already",)
            elif held.kind != "list":
                hint = (f"`{name}` is said of a list or a zone",)
            env.report.error(
                "wrong-type",
                f"`{name}` is said of {_KINDS.get(element.kind) or described(list_of(element))};"
                f" `{arg.text}` is {described(held)}",
                span,
                described(held),
                hint=hint,
            )
            return unknown()
        if declared.needs_order and held.of and certain(held.of).kind not in (*ORDERED, "unknown"):
            env.report.error(
                "no-order",
                f"{held.of}s cannot be compared as higher or lower",
                span,
                hint=f"say by what: `{name} ATTRIBUTE of …`, or `(x in … with {name} … of x)`",
            )
            return unknown()
        if declared.cost is Cost.ALL_GROUPS and most_elements(env, arg) > MOST_FOR_ALL_GROUPS:
            env.report.error(
                "too-many-groups",
                f"`{name}` of up to {most_elements(env, arg)} cards would be too many",
                span,
                hint=f"take them of a list of at most {MOST_FOR_ALL_GROUPS} cards",
            )
            return unknown()
        gives = _filled(declared.gives, inner)
        if gives.kind == "maybe" and never_empty(arg):
            gives = certain(gives)
        return apply(name, (arg,), gives, text)
    if not same(held, wanted):
        env.report.error(
            "wrong-type",
            f"`{name}` is said of {described(wanted)}; `{arg.text}` is {described(held)}",
            span,
            described(held),
        )
        return unknown()
    gives = declared.gives
    return apply(name, (arg,), maybe(gives) if arg.type.kind == "maybe" else gives, text)


def most_elements(env: Environment, expr: ir.Expr) -> int:
    """An upper bound on the length of a list, 0 if unknown."""
    if isinstance(expr, ir.Const) and isinstance(expr.value, tuple):
        return len(expr.value)
    if applies(expr, Op.LIST):
        return len(expr.args)
    return len(env.cards) if isinstance(expr, Given) and expr.what == "deck" else 0


def never_empty(expr: ir.Expr) -> bool:
    """Whether a list is provably not empty: `lowest of (a, b)` is never none."""
    if isinstance(expr, ir.Const):
        return bool(expr.value)
    if isinstance(expr, Given):
        return expr.what not in ("cards", "option")
    if isinstance(expr, ir.Those):  # no filter, and no element is dropped for a key or value of none
        kept = expr.where is None and all(order.key.type.kind != "maybe" for order in expr.orders)
        return kept and never_empty(expr.source) and (expr.value is None or expr.value.type.kind != "maybe")
    if not isinstance(expr, ir.Apply):
        return False
    if applies(expr, Op.LIST):
        return any(a.type.kind != "maybe" for a in expr.args)
    word = WORDS[expr.word]
    lists = [arg for arg, kind in zip(expr.args, word.takes, strict=False) if kind.kind == "list"]
    return word.full and all(never_empty(arg) for arg in lists)


def _filled(kind: Type, element: Type) -> Type:
    """A type of a signature with its type variable instantiated."""
    if kind.kind == "any":
        return element
    return Type(kind.kind, kind.name, _filled(kind.of, element)) if kind.of is not None else kind
