"""Which registers statements mention, so that each is declared in the smallest block that needs it.

In: statements and values. Out: sets of registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hoyle.codegen.low.program import Ask, Do, For, Grow, Let, Once, Push, Statement, When
from hoyle.codegen.low.values import Value

Registers = frozenset[Value]


class Mentions:
    """Which registers statements and values set or read; each is looked at once."""

    def __init__(self) -> None:
        self._values: dict[Value, Registers] = {}
        self._statements: dict[int, tuple[Statement, Registers]] = {}

    def of_values(self, values: Iterable[Value | None]) -> Registers:
        return frozenset().union(*(self.of_value(value) for value in values if value is not None))

    def of_value(self, value: Value) -> Registers:
        found = self._values.get(value)
        if found is None:
            found = frozenset((value,)) if value.op == "register" else self.of_values(value.args)
            self._values[value] = found
        return found

    def of(self, statements: Iterable[Statement]) -> Registers:
        return frozenset().union(*map(self._of_one, statements))

    def _of_one(self, statement: Statement) -> Registers:
        known = self._statements.get(id(statement))
        if known is None:
            inside = [self.of(part) for part in list_inner(statement)]
            known = statement, self.here(statement).union(*inside)
            self._statements[id(statement)] = known
        return known[1]

    def here(self, statement: Statement) -> Registers:
        """Those that a statement itself sets or reads, not one inside it."""
        match statement:
            case Do():
                return self.of_values(statement.args)
            case Let() | Push():
                return self.of_values((statement.register, statement.value))
            case When():
                return self.of_value(statement.test)
            case For():
                return self.of_value(statement.source)
            case Ask():
                return self.of_values((statement.register, statement.seat, statement.size))
            case Grow():
                return self.of_value(statement.keeps)
        return frozenset()


def list_inner(statement: Statement) -> list[Sequence[Statement]]:
    """The lists of statements inside one."""
    match statement:
        case When():
            return [statement.then, statement.otherwise]
        case For():
            own = tuple(Let(each, each) for each in (statement.register, statement.index) if each is not None)
            return [(*own, *statement.body)]
        case Once():
            return [statement.body]
    return []
