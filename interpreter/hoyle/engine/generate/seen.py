"""What a definition sees of the cards it is given, so that its results can be remembered by that alone.

In: the body of a pure definition, every definition it calls written out. Out: the classes of cards it cannot tell
apart, and whether the order of a list makes no difference to it.

A count of pairs sees ranks and no suits, and does not mind in which order the cards lie: remembered by the sorted
ranks, the same few thousand results serve all hands there are.
"""

from __future__ import annotations

from typing import Literal

from hoyle.dataclass import dataclass
from hoyle.engine.generate.facts import LEAVES, Facts, substitute
from hoyle.engine.generate.nodes import Bind, Lookup
from hoyle.ir import nodes as ir
from hoyle.ir.types import Type, certain
from hoyle.ir.walk import list_children
from hoyle.words import WORDS, Op

# Words that hand cards on or count them, but do not look at which they are.
PASSING = frozenset(word.name for word in WORDS.values() if word.blind)

# How a value changes when a list it is made from is put into another order: not at all; it is put into another order;
# it is put into another order and so are the lists in it.
Change = Literal["same", "order", "orders"]


@dataclass(frozen=True, slots=True)
class Seen:
    """`classes[card]` is the class of a card; `body` is over classes; `any_order`: lists may be sorted."""

    classes: tuple[int, ...] | None
    body: ir.Expr
    any_order: bool


def find_seen(facts: Facts, body: ir.Expr, params: list[ir.Var]) -> Seen | None:
    """What the body sees of its parameters; None if nothing is gained by asking."""
    ordered = {var.index: "order" for var in params if _is_flat_list(var.type)}
    any_order = bool(ordered) and _change(body, dict(ordered)) == "same"  # type: ignore[arg-type]  # "order" is a Change
    tables: dict[tuple[object, ...], None] = {}
    cards = len(facts.program.cards)
    if not any(carries_cards(var.type) for var in params) or not _sees_only_tables(body, tables, cards):
        return Seen(None, body, any_order) if any_order else None
    keys = [tuple(table[card] for table in tables) for card in range(cards)]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    classes = tuple(numbers[key] for key in keys)
    if len(numbers) == cards and not any_order:
        return None
    first = [classes.index(number) for number in range(len(numbers))]

    def narrow(expr: ir.Expr) -> ir.Expr | None:
        if isinstance(expr, Lookup) and carries_cards(expr.index.type):
            table = tuple(expr.table[card] for card in first)
            index = substitute(expr.index, narrow)
            return Lookup(type=expr.type, table=table, index=index, missing=expr.missing, text=expr.text)
        return None

    return Seen(classes, substitute(body, narrow), any_order)


def carries_cards(kind: Type) -> bool:
    """Whether a value of the type can name cards."""
    while kind.of is not None:
        kind = kind.of
    return kind.kind in ("card", "unknown", "any")


def _is_flat_list(kind: Type) -> bool:
    kind = certain(kind)
    return kind.kind == "list" and kind.of is not None and kind.of.kind != "list"


def _sees_only_tables(body: ir.Expr, tables: dict[tuple[object, ...], None], cards: int) -> bool:
    """Whether cards are only ever looked up; collects the tables."""
    if carries_cards(body.type) and not isinstance(body, ir.Const):
        return False
    return _looks_up(body, tables, cards)


def _looks_up(expr: ir.Expr, tables: dict[tuple[object, ...], None], cards: int) -> bool:
    match expr:
        case ir.Const():
            return not expr.value or not carries_cards(expr.type)
        case ir.Var():
            return True
        case Lookup():
            if carries_cards(expr.index.type):
                if len(expr.table) != cards:
                    return False
                tables[tuple((type(value), value) for value in expr.table)] = None
        case ir.Apply():
            if expr.word not in PASSING and any(carries_cards(part.type) for part in expr.args):
                return False
        case ir.Logic() | ir.If() | ir.OrElse() | ir.Those() | ir.Quantified() | Bind():
            pass
        case _:
            return False
    return all(_looks_up(child, tables, cards) for child in list_children(expr))


# ------------------------------------------------------------------------------------------------ order


def _change(expr: ir.Expr, changes: dict[int, Change]) -> Change | None:
    """What becomes of a value when lists are put into another order; None if that cannot be said."""
    match expr:
        case ir.Const():
            return "same"
        case ir.Var():
            return changes.get(expr.index, "same")
        case ir.Apply():
            return _change_of_word(expr.word, [_change(part, changes) for part in expr.args])
        case Bind():
            bound = _change(expr.value, changes)
            return None if bound is None else _change(expr.body, {**changes, expr.var: bound})
        case ir.Those():
            return _change_of_list(expr, changes)
        case ir.Quantified():
            source = _change(expr.source, changes)
            if source is None or _change(expr.test, {**changes, expr.var: _element(source)}) != "same":
                return None
            return "same"
        case ir.If() | ir.OrElse() | ir.Logic() | Lookup():
            found = [_change(child, changes) for child in list_children(expr)]
            if all(each == "same" for each in found):
                return "same"
            if isinstance(expr, ir.If) and found[0] == "same" and found[1] == found[2]:
                return found[1]
    return None if not isinstance(expr, LEAVES) else "same"


def _change_of_word(word: str, parts: list[Change | None]) -> Change | None:
    if None in parts:
        return None
    if all(part == "same" for part in parts):
        return "same"
    declared, first = WORDS[word], parts[0]
    if declared.any_order:
        lists = [kind.kind == "list" for kind in declared.takes]
        fits = (
            part == "same" or declared.is_blind_to(number) or (part == "order" and lists[number])
            for number, part in enumerate(parts)
        )
        return "same" if all(fits) else None
    if declared.op is Op.DISTINCT:
        return "order" if first == "order" else None
    if declared.op in (Op.SUBSETS, Op.PAIRS):
        return "orders" if first == "order" else None
    if declared.op in (Op.JOIN, Op.WITHOUT):
        return "order" if "orders" not in parts else None
    return None


def _change_of_list(expr: ir.Those, changes: dict[int, Change]) -> Change | None:
    source = _change(expr.source, changes)
    if source is None:
        return None
    inner: dict[int, Change] = {**changes, expr.var: _element(source)}
    tests = [*(order.key for order in expr.orders), *([expr.where] if expr.where is not None else [])]
    if any(_change(test, inner) != "same" for test in tests):
        return None
    if expr.value is None:
        return source
    value = _change(expr.value, inner)
    if value == "same":
        return "same" if source == "same" else "order"
    return "orders" if value == "order" else None


def _element(source: Change) -> Change:
    return "order" if source == "orders" else "same"
