"""Where what is known: values that have been worked out, and what stands for variables, from one scope to the next.

In: values as they are taken apart. Out: what was made of them before, as long as it still holds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from hoyle.codegen.low.values import Value
from hoyle.codegen.passes.shapes import count_uses

Made = TypeVar("Made")
Written = TypeVar("Written")


class Scopes(ABC, Generic[Made, Written]):
    """What writes statements and remembers what they have worked out. `uses` is how often each value is read."""

    def __init__(self) -> None:
        self.out: list[Written] = []
        self.bound: dict[int, Made] = {}
        self.uses: Counter[Value] = Counter()
        self._scopes: list[tuple[dict[Value, Made], int | None]] = [({}, None)]

    @abstractmethod
    def value(self, value: Value) -> Made:
        """A value as it can be read, after the statements that work it out."""

    def expect(self, value: Value) -> Value:
        """A value that is read in the statement, though it was not there when it began."""
        for node, times in count_uses([value]).items():
            self.uses[node] = max(self.uses[node], times)
        return value

    @contextmanager
    def collecting(self) -> Iterator[list[Written]]:
        before, self.out = self.out, []
        yield self.out
        self.out = before

    @contextmanager
    def scope(self, variable: int | None = None, made: Made | None = None) -> Iterator[list[Written]]:
        """Where something is worked out that need not be worked out elsewhere; perhaps with a variable bound."""
        outer = self.bound
        if variable is not None and made is not None:
            self.bound = {**outer, variable: made}
        self._scopes.append(({}, variable))
        with self.collecting() as out:
            yield out
        self._scopes.pop()
        self.bound = outer

    def find(self, value: Value) -> Made | None:
        """A value that has been worked out already, with the same variables."""
        for known, variable in reversed(self._scopes):
            found = known.get(value)
            if found is not None:
                return found
            if variable is not None and variable in value.free:
                return None
        return None

    def keep(self, value: Value, made: Made) -> Made:
        self._scopes[-1][0][value] = made
        return made

    def apart(self, value: Value, work_out: Callable[[Value], Made] | None = None) -> tuple[list[Written], Made]:
        """A value that is perhaps not needed: the statements that work it out, and what it is then."""
        with self.scope() as out:
            made = (work_out or self.value)(value)
        return out, made
