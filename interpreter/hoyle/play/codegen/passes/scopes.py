"""Available expressions in nested scopes (dominator-scoped CSE), and the bindings of variables.

In: values as they are expanded. Out: the results of earlier evaluations that dominate the current point.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.passes.patterns import count_uses

Made = TypeVar("Made")
Written = TypeVar("Written")


class Scopes(ABC, Generic[Made, Written]):
    """Emits statements (`out`) and records the values they evaluate. `uses` counts the uses of each value."""

    def __init__(self) -> None:
        self.out: list[Written] = []
        self.bound: dict[int, Made] = {}
        self.uses: Counter[Value] = Counter()
        self._scopes: list[tuple[dict[Value, Made], int | None]] = [({}, None)]

    @abstractmethod
    def value(self, value: Value) -> Made:
        """An operand for a value, after emitting the statements that evaluate it."""

    def expect(self, value: Value) -> Value:
        """Count the uses of a value that a rewrite has introduced after the statement began."""
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
        """A nested scope, conditional or a loop body: what it evaluates is not available after it."""
        outer = self.bound
        if variable is not None and made is not None:
            self.bound = {**outer, variable: made}
        self._scopes.append(({}, variable))
        with self.collecting() as out:
            yield out
        self._scopes.pop()
        self.bound = outer

    def find(self, value: Value) -> Made | None:
        """An available evaluation of a value, under the same bindings of its variables."""
        for known, variable in reversed(self._scopes):
            found = known.get(value)
            if found is not None:
                return found
            if variable is not None and variable in value.free:
                return None
        return None

    def record(self, value: Value, made: Made) -> Made:
        self._scopes[-1][0][value] = made
        return made

    def apart(self, value: Value, evaluate: Callable[[Value], Made] | None = None) -> tuple[list[Written], Made]:
        """A conditionally needed value: the statements that evaluate it, not yet emitted, and its operand."""
        with self.scope() as out:
            made = (evaluate or self.value)(value)
        return out, made
