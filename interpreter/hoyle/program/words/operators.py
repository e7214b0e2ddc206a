"""Operators: arithmetic, comparison, joining of lists, tests for none.

In: values. Out: values. A comparison with none is false, and `!=` is the negation of `=`.
"""

from __future__ import annotations

from typing import TypeVar

from hoyle.program.model.runtime_values import Value
from hoyle.program.words.bounds import LARGEST_NUMBER, LONGEST_LIST
from hoyle.program.words.operations import Op
from hoyle.program.words.registry import Cost, word

T = TypeVar("T")
Ordered = TypeVar("Ordered", int, str, tuple[int, ...])


@word(
    "add: number, number -> number",
    "the sum of two numbers",
    "1 + 2 = 3",
    op=Op.ADD,
    spoken=False,
    written="A + B",
    sign="+",
)
def add(a: int, b: int) -> int:
    return a + b


@word(
    "subtract: number, number -> number",
    "the difference of two numbers",
    "3 - 2 = 1",
    op=Op.SUBTRACT,
    spoken=False,
    written="A - B",
    sign="-",
)
def subtract(a: int, b: int) -> int:
    return a - b


@word(
    "multiply: number, number -> number",
    "the product of two numbers",
    "3 * 2 = 6",
    op=Op.MULTIPLY,
    fits=lambda a, b: abs(a * b) < LARGEST_NUMBER,
    spoken=False,
    written="A * B",
    sign="*",
)
def multiply(a: int, b: int) -> int:
    return a * b


@word(
    "divide: number, number -> number",
    "how often b goes into a, rounded down",
    "7 div 2 = 3",
    op=Op.DIVIDE,
    spoken=False,
    written="A div B",
    sign="div",
)
def divide(a: int, b: int) -> int:
    return a // b


@word(
    "modulo: number, number -> number",
    "what is left when b has gone into a",
    "7 mod 2 = 1",
    op=Op.MODULO,
    spoken=False,
    written="A mod B",
    sign="mod",
)
def modulo(a: int, b: int) -> int:
    return a % b


@word(
    "negate: number -> number",
    "the number below nothing",
    "0 - 2 = -2",
    op=Op.NEGATE,
    spoken=False,
    written="-A",
)
def negate(a: int) -> int:
    return -a


@word(
    "span: number, number -> list(number)",
    "every number from a to b",
    "count of (2..4) = 3",
    op=Op.SPAN,
    fits=lambda a, b: b - a < LONGEST_LIST,
    spoken=False,
    written="A..B",
    sign="..",
    cost=Cost.LINEAR,
)
def span(a: int, b: int) -> tuple[int, ...]:
    return tuple(range(a, b + 1))


@word(
    "join: list(T), list(T) -> list(T)",
    "one list after the other",
    "count of ((1, 2) + (3, 4)) = 4",
    op=Op.JOIN,
    fits=lambda a, b: len(a) + len(b) <= LONGEST_LIST,
    spoken=False,
    written="LIST + LIST",
    sign="++",
    keeps="all",
    blind="all",
    cost=Cost.LINEAR,
)
def join(a: tuple[T, ...], b: tuple[T, ...]) -> tuple[T, ...]:
    return a + b


@word(
    "without: list(T), list(T) -> list(T)",
    "the first list without what is in the second",
    "count of ((1, 2, 3) - (2, 3)) = 1",
    op=Op.WITHOUT,
    fits=lambda a, b: len(a) * len(b) <= LONGEST_LIST * 10,
    spoken=False,
    written="LIST - LIST",
    sign="--",
    compares=True,
    keeps=(0,),
    cost=Cost.LINEAR,
)
def without(a: tuple[T, ...], b: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(x for x in a if x not in b)


@word(
    "list: -> list(T)",
    "the values in a list, leaving out none",
    "count of (1, 2) = 2",
    op=Op.LIST,
    takes_none=True,
    spoken=False,
    written="(A, B, …)",
    keeps="all",
    blind="all",
)
def make_list(*values: T | None) -> tuple[T, ...]:
    return tuple(v for v in values if v is not None)


@word(
    "key: -> key",
    "values to compare in order: the first, then the second; a list or a key in it stands for its parts",
    "(2 then (3, 1)) > (2 then 1 then 9)",
    op=Op.KEY,
    spoken=False,
    written="(A then B …)",
)
def make_key(*values: Value) -> tuple[Value, ...]:
    return tuple(part for value in values for part in (value if isinstance(value, tuple | list) else (value,)))


@word(
    "element: list(T), number -> T",
    "the element at a place, from 0",
    op=Op.ELEMENT,
    spoken=False,
    keeps=(0,),
    blind=(0,),
)
def element(values: tuple[T, ...], index: int) -> T:
    return values[index]


@word(
    "concatenate: list(list(T)), list(number) -> list(T)",
    "the lists at some places of a table, one after the other",
    op=Op.CONCATENATE,
    spoken=False,
    keeps=(0,),
    blind=(0,),
    cost=Cost.LINEAR,
)
def concatenate(table: tuple[tuple[T, ...], ...], places: tuple[int, ...]) -> tuple[T, ...]:
    return tuple(part for place in places for part in table[place])


@word(
    "equal: T, T -> truth",
    "the same value; cards are the same card",
    "2 = 2",
    op=Op.EQUAL,
    told=("{right}", "other than {right}"),
    spoken=False,
    written="A = B",
    sign="=",
    compares=True,
)
def equal(a: Value, b: Value) -> bool:
    return bool(a == b)


@word(
    "differ: T, T -> truth",
    "not the same value, or one of them is none",
    "2 != 3",
    op=Op.DIFFER,
    told=("other than {right}", "{right}"),
    takes_none=True,
    spoken=False,
    written="A != B",
    sign="!=",
    compares=True,
)
def differ(a: Value, b: Value) -> bool:
    return a is None or b is None or bool(a != b)


@word(
    "less: T, T -> truth",
    "comes before",
    "2 < 3",
    op=Op.LESS,
    told=("less than {right}", "at least {right}"),
    spoken=False,
    written="A < B",
    sign="<",
    needs_order=True,
)
def less(a: Ordered, b: Ordered) -> bool:
    return bool(a < b)


@word(
    "at_most: T, T -> truth",
    "comes before or is equal",
    "2 <= 2",
    op=Op.AT_MOST,
    told=("at most {right}", "more than {right}"),
    spoken=False,
    written="A <= B",
    sign="<=",
    needs_order=True,
)
def at_most(a: Ordered, b: Ordered) -> bool:
    return bool(a <= b)


@word(
    "greater: T, T -> truth",
    "comes after",
    "3 > 2",
    op=Op.GREATER,
    told=("more than {right}", "at most {right}"),
    spoken=False,
    written="A > B",
    sign=">",
    needs_order=True,
)
def greater(a: Ordered, b: Ordered) -> bool:
    return bool(a > b)


@word(
    "at_least: T, T -> truth",
    "comes after or is equal",
    "3 >= 3",
    op=Op.AT_LEAST,
    told=("at least {right}", "less than {right}"),
    spoken=False,
    written="A >= B",
    sign=">=",
    needs_order=True,
)
def at_least(a: Ordered, b: Ordered) -> bool:
    return bool(a >= b)


@word(
    "is_none: T -> truth",
    "there is no value",
    op=Op.IS_NONE,
    told=("none", "something"),
    takes_none=True,
    spoken=False,
    written="A is none",
    blind=(0,),
)
def is_none(a: Value) -> bool:
    return a is None


@word(
    "is_in: T, list(T) -> truth",
    "the value is one of the list",
    "2 is in (1, 2)",
    op=Op.IS_IN,
    told=("one of {right}", "none of {right}"),
    spoken=False,
    written="A is in LIST",
    sign="in",
    compares=True,
    cost=Cost.LINEAR,
)
def is_in(a: Value, values: tuple[Value, ...]) -> bool:
    return a in values


@word(
    "is_empty: list(T) -> truth",
    "there is nothing in it",
    op=Op.IS_EMPTY,
    told=("empty", "not empty"),
    spoken=False,
    written="LIST is empty",
    blind=(0,),
)
def is_empty(values: tuple[Value, ...]) -> bool:
    return not values
