"""Values, the expression IR: a hash-consed DAG of pure operations over loads from the position.

In: opcodes and operands. Out: `Value`s, structurally equal if and only if identical, each with its fact.

Values have no side effects but one: `need` and `check` can fault, which hands the match to the reference executor. So
evaluation may be hoisted, sunk or repeated, but a fault that the rules ask for is never eliminated; CSE is pointer
equality. Lists are symbolic: filter-map (`each`), arg-max (`best`), concatenation; reducers such as `count` read them.

Bound variables are numbered canonically: a binder has one more than the highest number inside, so alpha-equivalent
terms are one value. While the body of a binder is under construction its variable has a fresh negative number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.base.effort import spend
from hoyle.play.codegen.low.facts import LIMIT, Fact
from hoyle.play.codegen.unsupported import Unsupported

MOST_VALUES = 150_000  # in one program: definitions are inlined at every call


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A constant table, indexed from 0; None is none. Interned: equal tables are identical."""

    number: int
    values: tuple[int | None, ...]

    def find(self, index: int) -> int | None:
        """An entry; none beyond the table, where a fault comes before."""
        return self.values[index] if 0 <= index < len(self.values) else None


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A constant table of lists, indexed from 0; interned."""

    number: int
    rows: tuple[tuple[int, ...], ...]


class Value:
    """A node: opcode, operands, and immediate `data`. `free` are its free variables, `height` the highest number of a
    binder in it. `faults`: evaluation can end in a fault. `guarded`: it holds a `sure`, an assumption that only a
    dominating test makes true, so it must not be speculated as it is. `weight` is the size of the tree (shared nodes
    count each time, saturating). `loops`: evaluation iterates over a list or searches for a card."""

    __slots__ = (
        "args", "constant", "constants", "data", "fact", "faults", "free", "guarded", "height", "loops", "op", "weight",
    )  # fmt: skip

    def __init__(
        self, op: str, args: tuple[Value, ...], data: tuple[object, ...], fact: Fact, free: frozenset[int], height: int
    ) -> None:
        self.op = op
        self.args = args
        self.data = data
        self.fact = fact
        self.free = free
        self.height = height
        faults, guarded, loops, weight = op in FAULTING or is_checked(op, fact), op == "sure", _loops(op, args), 1
        for arg in args:
            faults, guarded, loops = faults or arg.faults, guarded or arg.guarded, loops or arg.loops
            weight += arg.weight
        first: Any = data[0] if data else None
        self.constant: int | None = first if op == "int" else None  # of an integer literal
        self.constants: tuple[int, ...] | None = first if op == "list" else None  # of a list literal
        self.faults: bool = faults
        self.guarded: bool = guarded
        self.loops: bool = loops
        self.weight: int = min(1 << 20, weight)

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, (*self.data, *self.args)))})"

    @property
    def number(self) -> int:
        """The first immediate: number of a variable, a binder's variable, a register or a place of the position."""
        found = self.data[0]
        assert isinstance(found, int)
        return found

    @property
    def clause(self) -> int:
        """The clause to blame for its fault."""
        return self.number

    @property
    def element(self) -> Fact:
        """The fact of the elements of a list."""
        assert self.fact.of is not None
        return self.fact.of

    @property
    def bound(self) -> Fact:
        """The fact of the variable of a binder: of an element of its source."""
        return self.args[0].element

    @property
    def table(self) -> Table:
        """The table of a lookup."""
        found = self.data[0]
        assert isinstance(found, Table)
        return found

    @property
    def rows(self) -> Rows:
        """The table of lists of a `row`."""
        found = self.data[0]
        assert isinstance(found, Rows)
        return found


# Binders: bind a variable in all operands but the first, the source.
BINDERS = frozenset({"each", "best", "flat", "surveyed", "divided"})
FAULTING = frozenset({"need", "check", "surveyed", "divided"})
# Scalar operations: no loads, no lists.
SCALARS = frozenset({
    "int", "none", "var", "table", "add", "subtract", "multiply", "divide", "modulo", "greatest", "least", "equal",
    "less", "not", "and", "or", "if", "is_none", "sure",
})  # fmt: skip
CHECKED = frozenset({"add", "subtract", "multiply", "sum"})


def is_checked(op: str, fact: Fact) -> bool:
    """Whether arithmetic needs an overflow check: its interval reaches the ends of the range."""
    return op in CHECKED and (fact.low <= -LIMIT or fact.high >= LIMIT)


def faults_late(source: Value) -> bool:
    """Whether a loop over a list can fault after elements have been produced, so that leaving it early loses faults."""
    match source.op:
        case "row" | "subsets" | "groups" | "pairs":  # operands are evaluated before the first element
            return False
        case "each":
            return faults_late(source.args[0]) or any(arg.faults for arg in source.args[1:])
        case "check" | "sure":
            return faults_late(source.args[-1])
    return source.faults


REDUCERS = frozenset({"any", "count", "sum", "highest", "lowest", "first", "last"})
# Lists that exist in memory: iterated without being materialised.
IN_PLACE = frozenset({"cards", "list", "row", "slot", "state", "register", "slice", "choices"})


def _loops(op: str, args: tuple[Value, ...]) -> bool:
    if op in REDUCERS:
        return op not in ("any", "count") or args[0].op not in IN_PLACE
    return op in ("place_of", "index_in")


_NOTHING: frozenset[int] = frozenset()


class Interner(ABC):
    """Hash-consing: constructs each node once."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], list[Value]] = {}  # by key, the nodes that differ in facts alone
        self._many = 0
        self.tables: dict[tuple[int | None, ...], Table] = {}
        self.row_tables: dict[tuple[tuple[int, ...], ...], Rows] = {}
        self._fresh = 0

    def make(self, op: str, args: Sequence[Value], data: tuple[object, ...], fact: Fact) -> Value:
        spend()
        alike = self._made.setdefault((op, *map(id, args), data), [])
        for found in alike:
            if found.fact is fact or found.fact == fact:
                return found
        number = data[0] if op in BINDERS or op == "var" else None
        assert number is None or isinstance(number, int)
        free = frozenset((number,)) if op == "var" and number is not None else _find_free(args, number)
        height = max((arg.height for arg in args), default=0)
        if op in BINDERS and number is not None:
            height = max(height, number)
        self._many += 1
        if self._many > MOST_VALUES:
            raise Unsupported("a program as large as this")
        alike.append(Value(op, tuple(args), data, fact, free, height))
        return alike[-1]

    @property
    def is_full(self) -> bool:
        """Whether the budget of values is spent."""
        return self._many >= MOST_VALUES

    def table_of(self, values: Iterable[int | None]) -> Table:
        known = tuple(None if value is None else int(value) for value in values)
        return self.tables.setdefault(known, Table(len(self.tables), known))

    def rows_of(self, rows: Iterable[Iterable[int]]) -> Rows:
        known = tuple(tuple(map(int, row)) for row in rows)
        return self.row_tables.setdefault(known, Rows(len(self.row_tables), known))

    # ---------------------------------------------------------------------------------------------- binders
    def open_variable(self, fact: Fact) -> Value:
        """A fresh variable for the body of a binder under construction."""
        self._fresh -= 1
        return self.make("var", (), (self._fresh,), fact.sure())

    def close_variable(self, variable: Value, bodies: Sequence[Value]) -> tuple[int, list[Value]]:
        """The canonical number for a binder of the variable, and the bodies renamed to it."""
        number = 1 + max((body.height for body in bodies), default=0)
        final = self.make("var", (), (number,), variable.fact)
        return number, [self.replace(body, variable, final) for body in bodies]

    def replace(self, value: Value, variable: Value, by: Value) -> Value:
        """Capture-avoiding substitution of a value for a variable."""
        if variable.number not in value.free:
            return value
        if by.op == "var" and by.fact == variable.fact and not 0 < by.number <= value.height:
            renamed = self._rename(value, variable, by)
            if renamed is not None:
                return renamed
        return self.replacing(variable, by)(value)

    def _rename(self, value: Value, variable: Value, by: Value) -> Value | None:
        """Substitution of a variable with the same fact: no rewrite can fire, so nodes are copied, not rebuilt. None
        if the variable occurs with another fact too."""
        number = variable.number
        done = {variable: by}

        def visit(node: Value) -> Value:
            if number not in node.free:
                return node
            found = done.get(node)
            if found is None:
                found = done[node] = self.make(node.op, [visit(arg) for arg in node.args], node.data, node.fact)
            return found

        renamed = visit(value)
        return renamed if number not in renamed.free else None

    def replacing(
        self, variable: Value, by: Value, outer: Callable[[Value], Value] = lambda node: node
    ) -> Callable[[Value], Value]:
        """A memoised substitution of a value for a variable; subterms without the variable go through `outer`."""
        number = variable.number
        done: dict[Value, Value] = {}

        def visit(node: Value) -> Value:
            if number not in node.free:
                return outer(node)
            found = done.get(node)
            if found is None:
                if node.op == "var":
                    found = by
                elif node.op in BINDERS:  # opened with a fresh variable, or it could capture what is substituted
                    source, *bodies = node.args
                    opened = self.open_variable(node.bound)
                    within = self.replacing(node, opened, visit)
                    found = self.bind(node, visit(source), opened, [within(body) for body in bodies])
                else:
                    found = self.rebuild(node, [visit(arg) for arg in node.args])
                done[node] = found
            return found

        return visit

    def open_binder(self, node: Value) -> tuple[Value, Value, list[Value]]:
        """The source of a binder, and its bodies over a fresh variable, which can capture nothing."""
        source, *bodies = node.args
        return source, *self.open_bodies(node, bodies)

    def open_bodies(self, node: Value, bodies: Sequence[Value]) -> tuple[Value, list[Value]]:
        """A fresh variable for a binder, and its bodies over it."""
        own = self.make("var", (), node.data[:1], node.bound)
        opened = self.open_variable(node.bound)
        return opened, [self.replace(body, own, opened) for body in bodies]

    @abstractmethod
    def bind(self, node: Value, source: Value, variable: Value, bodies: Sequence[Value]) -> Value:
        """A binder of the same kind over other operands."""

    @abstractmethod
    def rebuild(self, node: Value, args: Sequence[Value]) -> Value:
        """The same operation on other operands, simplified again."""


def _find_free(args: Sequence[Value], bound: int | None) -> frozenset[int]:
    free = _NOTHING
    for place, arg in enumerate(args):
        if arg.free:
            free |= arg.free - {bound} if place and bound is not None else arg.free
    return free


def walk(value: Value) -> Iterable[Value]:
    """All nodes of the DAG, each once, in postorder."""
    seen: set[Value] = set()
    found: list[Value] = []

    def visit(node: Value) -> None:
        if node not in seen:
            seen.add(node)
            for arg in node.args:
                visit(arg)
            found.append(node)

    visit(value)
    return found


def transform(value: Value, interner: Interner, change: Callable[[Value], Value], done: dict[Value, Value]) -> Value:
    """A bottom-up rewrite of the DAG by `change`, memoised in `done`."""
    found = done.get(value)
    if found is None:
        args = [transform(arg, interner, change, done) for arg in value.args]
        same = all(new is old for new, old in zip(args, value.args, strict=True))
        found = done[value] = change(value if same else interner.rebuild(value, args))
    return found
