"""Combinations of several elements of a list, as an ordered set that is not materialised.

In: the elements, keys by which they are equivalent, the least and the greatest size. Out: `Groups`, a sequence with
counting, indexing (unranking), lookup (ranking) and iteration. Groups are ordered by size, then by the indices of their
elements. Groups that differ only in which of several equivalent elements they contain are one; it is written with the
first of these elements.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, combinations
from math import comb
from typing import Any, overload

Group = tuple[Any, ...]  # of comparable and hashable elements


def _number_keys(keys: Sequence[Hashable]) -> list[int]:
    """Each key as the index of its first occurrence."""
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
        sizes = range(self.low, self.high + 1)
        if self._alike:
            lengths = tuple(sorted(map(len, _chains(self.keys).values())))
            self._counts = list(_count_by_length(lengths, self.high)[self.low :])
        else:
            self._counts = [comb(len(self.elements), size) for size in sizes]
        self.total = sum(self._counts)  # may exceed what `len` can return

    def __len__(self) -> int:
        return self.total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Groups):
            return NotImplemented
        if (self.elements, self.low, self.high) != (other.elements, other.low, other.high):
            return False
        return _number_keys(self.keys) == _number_keys(other.keys)  # only the equivalence matters

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
        """The canonical form of a group, given with equivalent elements in any order; None if it is not in the set."""
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
        """The index of a group; raises `ValueError` if it is not in the set."""
        if value not in self:
            raise ValueError(f"{value} is no such group")
        before = sum(self._counts[: len(value) - self.low])
        places = [self.elements.index(element) for element in value]
        return before + (self._rank_with_copies(places) if self._alike else self._rank(places))

    # ---------------------------------------------------------------------------------------------- distinct elements
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

    # ---------------------------------------------------------------------------------------------- equivalent elements
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
    """The indices of the elements with each key, in order."""
    found: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    return {key: tuple(places) for key, places in found.items()}


def _after(chains: list[tuple[int, ...]], at: int) -> list[tuple[int, ...]]:
    """What may follow the first element of a chain: the rest of that chain, and the chains that begin later."""
    rest = chains[at][1:]
    return [*([rest] if rest else []), *chains[at + 1 :]]


def _count_multisets(chains: tuple[tuple[int, ...], ...], size: int) -> int:
    return _count_by_length(tuple(len(chain) for chain in chains), size)[size]


@lru_cache(maxsize=4096)
def _count_by_length(lengths: tuple[int, ...], most: int) -> tuple[int, ...]:
    """The numbers of multisets of each size up to the greatest, when kind i has `lengths[i]` copies."""
    ways = [1] + [0] * most
    for length in lengths:
        fewer = [0, *accumulate(ways)]  # in how many ways there are fewer than so many
        ways = [fewer[size + 1] - fewer[max(0, size - length)] for size in range(most + 1)]
    return tuple(ways)


def list_groups(candidates: Sequence[object], keys: Sequence[Hashable], size: int) -> Iterator[Group]:
    """All groups of `size`, as multisets of keys, each written with the first candidates that form it, in order.

    >>> list(list_groups(["a1", "b", "a2"], ["a", "b", "a"], 2))
    [('a1', 'b'), ('a1', 'a2')]
    """
    twins, many = find_twins(keys), len(candidates)
    chosen: list[int] = []
    taken = [False] * many
    index = 0
    while True:
        last = many - size + len(chosen)  # the last index that can come next; `many` if the group is complete
        # A copy is taken only after its predecessor, so that each multiset is generated once.
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
    """For each element the index of its predecessor with the same key."""
    twins: list[int | None] = []
    latest: dict[Hashable, int] = {}
    for index, key in enumerate(keys):
        twins.append(latest.get(key))
        latest[key] = index
    return twins
