"""Groups of several elements of a list, as an ordered set that need not be listed.

In: the elements, what makes two of them alike, how few and how many are taken. Out: `Groups`, a sequence: it can be
counted, indexed, searched and run through. Groups stand by size, then by the places of their elements; elements that
are alike are taken from the first on, so that groups which differ only in which of them they hold are one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, overload

Group = tuple[Any, ...]  # of elements that can be compared, and stand in sets


def _number_keys(keys: Sequence[Hashable]) -> list[int]:
    """Each key as the place at which it stands first."""
    first: dict[Hashable, int] = {}
    return [first.setdefault(key, place) for place, key in enumerate(keys)]


class Groups(Sequence[Group]):
    """All groups of `low` to `high` elements."""

    __slots__ = ("_alike", "_counts", "elements", "high", "keys", "low", "total")

    def __init__(self, elements: Sequence[Hashable], keys: Sequence[Hashable] | None, low: int, high: int) -> None:
        self.elements = tuple(elements)
        self.keys = self.elements if keys is None else tuple(keys)
        self.low = max(low, 0)
        self.high = min(high, len(self.elements))
        self._alike = keys is not None and len(set(self.keys)) < len(self.keys)
        self._counts = [self._count(size) for size in range(self.low, self.high + 1)]
        self.total = sum(self._counts)  # may be more than `len` can say

    def _count(self, size: int) -> int:
        if not self._alike:
            return comb(len(self.elements), size)
        return _count_multisets(tuple(sorted(_chains(self.keys).values(), key=len)), size)

    def __len__(self) -> int:
        return self.total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Groups):
            return NotImplemented
        if (self.elements, self.low, self.high) != (other.elements, other.low, other.high):
            return False
        return _number_keys(self.keys) == _number_keys(other.keys)  # which are alike matters, not what makes them so

    __hash__ = None  # type: ignore[assignment]  # equal to lists, which have none

    @overload
    def __getitem__(self, index: int) -> Group: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Group]: ...

    def __getitem__(self, index: int | slice) -> Group | Sequence[Group]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        for size, count in enumerate(self._counts, start=self.low):
            if 0 <= index < count:
                places = self._places_with_copies(index, size) if self._alike else self._places(index, size)
                return tuple(self.elements[place] for place in places)
            index -= count
        raise IndexError("there are not so many groups")

    def __iter__(self) -> Iterator[Group]:
        for size in range(self.low, self.high + 1):
            yield from list_groups(self.elements, self.keys, size) if self._alike else combinations(
                self.elements, size
            )

    def __contains__(self, group: object) -> bool:
        return isinstance(group, tuple) and self.find(group) == group

    def find(self, group: Group) -> Group | None:
        """The group of the set that has the same elements, or elements alike, in any order; None if there is none."""
        if not self.low <= len(group) <= self.high:
            return None
        places = {element: place for place, element in enumerate(self.elements)}
        if len(set(group)) < len(group) or any(element not in places for element in group):
            return None
        taken = [self.keys[places[element]] for element in group]
        chains = _chains(self.keys)
        found = sorted(place for key in set(taken) for place in chains[key][: taken.count(key)])
        return tuple(self.elements[place] for place in found)

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The place of a group in the set; `ValueError` if it is not in it."""
        if value not in self:
            raise ValueError(f"{value} is no such group")
        before = sum(self._counts[: len(value) - self.low])
        places = [self.elements.index(element) for element in value]
        return before + (self._rank_with_copies(places) if self._alike else self._rank(places))

    # ---------------------------------------------------------------------------------------------- all different
    def _places(self, index: int, size: int) -> list[int]:
        places, place, many = [], 0, len(self.elements)
        while size:
            with_it = comb(many - place - 1, size - 1)
            if index < with_it:
                places.append(place)
                size -= 1
            else:
                index -= with_it
            place += 1
        return places

    def _rank(self, places: list[int]) -> int:
        rank, start, many = 0, 0, len(self.elements)
        for taken, place in enumerate(places):
            missing = len(places) - taken - 1
            rank += sum(comb(many - other - 1, missing) for other in range(start, place))
            start = place + 1
        return rank

    # ---------------------------------------------------------------------------------------------- some alike
    def _places_with_copies(self, index: int, size: int) -> list[int]:
        places: list[int] = []
        chains = sorted(_chains(self.keys).values())
        while size:
            for at, chain in enumerate(chains):
                left = _after(chains, at)
                with_it = _count_multisets(tuple(sorted(left, key=len)), size - 1)
                if index < with_it:
                    places.append(chain[0])
                    chains = sorted(left)
                    break
                index -= with_it
            size -= 1
        return places

    def _rank_with_copies(self, places: list[int]) -> int:
        rank = 0
        chains = sorted(_chains(self.keys).values())
        for taken, place in enumerate(places):
            missing = len(places) - taken - 1
            for at, chain in enumerate(chains):
                left = _after(chains, at)
                if chain[0] == place:
                    chains = sorted(left)
                    break
                rank += _count_multisets(tuple(sorted(left, key=len)), missing)
        return rank


def _chains(keys: Sequence[Hashable]) -> dict[Hashable, tuple[int, ...]]:
    """The places of the elements of each key, in order."""
    found: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    return {key: tuple(places) for key, places in found.items()}


def _after(chains: list[tuple[int, ...]], at: int) -> list[tuple[int, ...]]:
    """What can still be taken after the first element of a chain: the rest of it, and the chains that begin later."""
    rest = chains[at][1:]
    return [*([rest] if rest else []), *chains[at + 1 :]]


def _count_multisets(chains: tuple[tuple[int, ...], ...], size: int) -> int:
    return _count_by_length(tuple(len(chain) for chain in chains), size)


@lru_cache(maxsize=4096)
def _count_by_length(lengths: tuple[int, ...], size: int) -> int:
    """In how many ways so many are taken of kinds of which there are so many each."""
    ways = [1] + [0] * size
    for length in lengths:
        ways = [sum(ways[max(0, total - length) : total + 1]) for total in range(size + 1)]
    return ways[size]


def list_groups(candidates: Sequence[object], keys: Sequence[Hashable], size: int) -> Iterator[Group]:
    """Every group of `size`, as a multiset of keys, each written with the first candidates that make it, in order.

    >>> list(list_groups(["a1", "b", "a2"], ["a", "b", "a"], 2))
    [('a1', 'b'), ('a1', 'a2')]
    """
    twins, many = find_twins(keys), len(candidates)
    chosen: list[int] = []
    taken = [False] * many
    index = 0
    while True:
        last = many - size + len(chosen)  # that may come next; there is none where nothing is missing
        # A copy is taken only after the copy before it: each multiset then arises once.
        while index <= last < many and (twin := twins[index]) is not None and not taken[twin]:
            index += 1
        if index <= last < many:
            chosen.append(index)
            taken[index] = True
        else:
            if len(chosen) == size:
                yield tuple([candidates[place] for place in chosen])
            if not chosen:
                return
            index = chosen.pop()
            taken[index] = False
        index += 1


def find_twins(keys: Sequence[Hashable]) -> list[int | None]:
    """For each element the place of the one before it that is alike."""
    twins: list[int | None] = []
    latest: dict[Hashable, int] = {}
    for index, key in enumerate(keys):
        twins.append(latest.get(key))
        latest[key] = index
    return twins
