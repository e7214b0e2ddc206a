"""Words about lists: counting, adding up, choosing, and groups of cards.

In: lists as tuples. Out: numbers, elements, lists.
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import TypeVar

from hoyle.program.model.runtime_values import Value
from hoyle.program.words.bounds import LONGEST_LIST, MOST_FOR_SUBSETS
from hoyle.program.words.operations import Op
from hoyle.program.words.registry import Cost, word

T = TypeVar("T")
Ordered = TypeVar("Ordered", int, str, tuple[int, ...])


@word(
    "count: list(T) -> number",
    "how many there are",
    "count of (4, 5, 6) = 3",
    op=Op.COUNT,
    synonyms=("len", "size", "length", "number"),
    blind=(0,),
)
def count(values: tuple[Value, ...]) -> int:
    return len(values)


@word(
    "sum: list(number) -> number",
    "all added up; nothing adds up to 0",
    "sum of (4, 5, 6) = 15",
    op=Op.SUM,
    synonyms=("total",),
    cost=Cost.LINEAR,
)
def total(values: tuple[int, ...]) -> int:
    return sum(values)


@word(
    "highest: list(T) -> maybe(T)",
    "the greatest of them, none of an empty list",
    "highest of (4, 6, 5) = 6",
    op=Op.HIGHEST,
    synonyms=("max", "maximum"),
    none_of_empty=True,
    keeps=(0,),
    needs_order=True,
    cost=Cost.LINEAR,
)
def highest(values: tuple[Ordered, ...]) -> Ordered | None:
    return max(values, default=None)


@word(
    "lowest: list(T) -> maybe(T)",
    "the least of them, none of an empty list",
    "lowest of (5, 4, 6) = 4",
    op=Op.LOWEST,
    synonyms=("min", "minimum"),
    none_of_empty=True,
    keeps=(0,),
    needs_order=True,
    cost=Cost.LINEAR,
)
def lowest(values: tuple[Ordered, ...]) -> Ordered | None:
    return min(values, default=None)


@word(
    "distinct: list(T) -> list(T)",
    "each different value once, in order",
    "count of distinct of (4, 4, 5) = 2",
    op=Op.DISTINCT,
    synonyms=("unique",),
    compares=True,
    keeps=(0,),
    cost=Cost.SORTING,
    full=True,
)
def distinct(values: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))


@word(
    "descending: list(T) -> list(T)",
    "greatest first",
    "first of descending of (4, 6, 5) = 6",
    op=Op.DESCENDING,
    synonyms=("sorted", "sort"),
    keeps=(0,),
    needs_order=True,
    cost=Cost.SORTING,
    full=True,
)
def descending(values: tuple[Ordered, ...]) -> tuple[Ordered, ...]:
    return tuple(sorted(values, reverse=True))


@word(
    "first: list(T) -> maybe(T)",
    "the first of a list, none of an empty one",
    "first of (4, 5, 6) = 4",
    op=Op.FIRST,
    none_of_empty=True,
    keeps=(0,),
    blind=(0,),
)
def first(values: tuple[T, ...]) -> T | None:
    return values[0] if values else None


@word(
    "last: list(T) -> maybe(T)",
    "the last of a list, none of an empty one",
    "last of (4, 5, 6) = 6",
    op=Op.LAST,
    none_of_empty=True,
    keeps=(0,),
    blind=(0,),
)
def last(values: tuple[T, ...]) -> T | None:
    return values[-1] if values else None


@word(
    "place_in: T, list(T) -> maybe(number)",
    "where the first such element stands in a list, from 1; none if it is not there",
    op=Op.PLACE_IN,
    spoken=False,
    written="place of (A, LIST)",
    compares=True,
    cost=Cost.LINEAR,
)
def place_in(value: Value, values: tuple[Value, ...]) -> int | None:
    return values.index(value) + 1 if value in values else None


@word(
    "last_few: number, list(T) -> list(T)",
    "up to so many from the end (the top of a pile)",
    op=Op.LAST_FEW,
    spoken=False,
    written="top N of LIST",
    keeps=(1,),
    blind=(1,),
    cost=Cost.LINEAR,
)
def last_few(number: int, values: tuple[T, ...]) -> tuple[T, ...]:
    return values[max(0, len(values) - max(0, number)) :]


@word(
    "first_few: number, list(T) -> list(T)",
    "up to so many from the beginning (the bottom of a pile)",
    op=Op.FIRST_FEW,
    spoken=False,
    written="bottom N of LIST",
    keeps=(1,),
    blind=(1,),
    cost=Cost.LINEAR,
)
def first_few(number: int, values: tuple[T, ...]) -> tuple[T, ...]:
    return values[: max(0, number)]


@word(
    "all_but_last: number, list(T) -> list(T)",
    "all but so many at the end (the top of a pile)",
    op=Op.ALL_BUT_LAST,
    spoken=False,
    written="all but top N of LIST",
    keeps=(1,),
    blind=(1,),
    cost=Cost.LINEAR,
)
def all_but_last(number: int, values: tuple[T, ...]) -> tuple[T, ...]:
    return values[: max(0, len(values) - max(0, number))]


@word(
    "all_but_first: number, list(T) -> list(T)",
    "all but so many at the beginning",
    op=Op.ALL_BUT_FIRST,
    spoken=False,
    written="all but bottom N of LIST",
    keeps=(1,),
    blind=(1,),
    cost=Cost.LINEAR,
)
def all_but_first(number: int, values: tuple[T, ...]) -> tuple[T, ...]:
    return values[max(0, number) :]


@word(
    "subsets: list(T) -> list(list(T))",
    "every group that can be made of them, of one or more",
    "count of subsets of (1, 2, 3) = 7",
    op=Op.SUBSETS,
    fits=lambda values: len(values) <= MOST_FOR_SUBSETS,
    keeps=(0,),
    blind=(0,),
    cost=Cost.ALL_GROUPS,
)
def subsets(values: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
    return tuple(group for size in range(1, len(values) + 1) for group in combinations(values, size))


@word(
    "joined: list(list(T)) -> list(T)",
    "all that is in the groups, as one list",
    "count of joined of pairs of (1, 2, 3) = 6",
    op=Op.JOINED,
    keeps=(0,),
    cost=Cost.LINEAR,
)
def joined(groups: tuple[tuple[T, ...], ...]) -> tuple[T, ...]:
    return tuple(chain.from_iterable(groups))


@word(
    "pairs: list(T) -> list(list(T))",
    "every group of two",
    "count of pairs of (1, 2, 3) = 3",
    op=Op.PAIRS,
    fits=lambda values: len(values) * (len(values) - 1) // 2 <= LONGEST_LIST,
    keeps=(0,),
    blind=(0,),
    cost=Cost.GROUPS,
)
def pairs(values: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
    return tuple(combinations(values, 2))


@word(
    "tails: list(T) -> list(list(T))",
    "the last one, the last two, and so on to the whole",
    "count of tails of (1, 2, 3) = 3",
    op=Op.TAILS,
    fits=lambda values: len(values) * (len(values) + 1) // 2 <= LONGEST_LIST,
    keeps=(0,),
    blind=(0,),
    cost=Cost.GROUPS,
)
def tails(values: tuple[T, ...]) -> tuple[tuple[T, ...], ...]:
    return tuple(values[-size:] for size in range(1, len(values) + 1))
