"""Values of the low form: interned trees of typed operations over what is read from the position.

In: operations and their operands. Out: `Value`s, equal if and only if identical, each with what is known of it.

Values are pure. What can go wrong in them (`need`, `check`) is a fault that hands the match to the reference, so a
value may be worked out earlier, later or more often than the rules ask for, but never left out where they would
fault. A list is described, not built: `each` of a source where a test holds, the `best` of them, parts joined;
reducers such as `count` and `any` say what is wanted of it.

Binders are numbered by height: one more than the highest inside. So equal descriptions are the same value, wherever
they stand. While the body of a binder is made, its variable has a negative number of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hoyle.codegen.low.facts import LIMIT, Fact
from hoyle.codegen.unsupported import Unsupported
from hoyle.dataclass import dataclass

MOST_VALUES = 150_000  # in one program: definitions are written out where they are used


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Constants looked up by a number from 0 on; None is none. Interned: equal tables are the same."""

    number: int
    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Lists of constants looked up by a number from 0 on."""

    number: int
    rows: tuple[tuple[int, ...], ...]


class Value:
    """An operation (`op`, with `data` that is no value) on other values. `free` are the variables read in it and not
    bound in it, `height` is the highest binder in it, `faults` says whether working it out can end in a fault,
    `guarded` whether it is good only where something is known (it is not to be worked out anywhere else), `weight` is
    how many operations it is made of, `loops` says whether a list is run through, or a card looked for."""

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
        self.constant: int | None = first if op == "int" else None  # the number it always is
        self.constants: tuple[int, ...] | None = first if op == "list" else None  # the list it always is
        self.faults: bool = faults
        self.guarded: bool = guarded
        self.loops: bool = loops
        self.weight: int = min(1 << 20, weight)

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, (*self.data, *self.args)))})"

    @property
    def number(self) -> int:
        """The number of a variable, a binder's variable, a register or a place of the position."""
        found = self.data[0]
        assert isinstance(found, int)
        return found

    @property
    def clause(self) -> int:
        """The clause whose fault it can end in."""
        return self.number

    @property
    def element(self) -> Fact:
        """What is known of each element of a list."""
        assert self.fact.of is not None
        return self.fact.of

    @property
    def table(self) -> Table:
        """The table it is looked up in."""
        found = self.data[0]
        assert isinstance(found, Table)
        return found

    @property
    def rows(self) -> Rows:
        """The lists it is one of."""
        found = self.data[0]
        assert isinstance(found, Rows)
        return found


# What binds a variable in all its operands but the first.
BINDERS = frozenset({"each", "best", "flat", "surveyed", "divided", "division"})
FAULTING = frozenset({"need", "check", "surveyed", "divided", "division", "applied"})
# Operations on single values alone.
SCALARS = frozenset({
    "int", "none", "var", "table", "add", "subtract", "multiply", "divide", "modulo", "greatest", "least", "equal",
    "less", "not", "and", "or", "if", "is_none", "sure",
})  # fmt: skip
CHECKED = frozenset({"add", "subtract", "multiply", "sum"})


def is_checked(op: str, fact: Fact) -> bool:
    """Whether an operation can leave the range of numbers that the machine holds."""
    return op in CHECKED and (fact.low <= -LIMIT or fact.high >= LIMIT)


def faults_late(source: Value) -> bool:
    """Whether working out an element of a list can be a fault after others have come."""
    match source.op:
        case "row" | "subsets" | "groups" | "pairs":  # what they are made of comes first
            return False
        case "each":
            return faults_late(source.args[0]) or any(arg.faults for arg in source.args[1:])
        case "check" | "sure":
            return faults_late(source.args[-1])
    return source.faults


REDUCERS = frozenset({"any", "count", "sum", "highest", "lowest", "first", "last"})
# Lists that can be run through where they are.
IN_PLACE = frozenset({"cards", "list", "row", "slot", "state", "register", "slice", "choices"})


def _loops(op: str, args: tuple[Value, ...]) -> bool:
    if op in REDUCERS:
        return op not in ("any", "count") or args[0].op not in IN_PLACE
    return op in ("place_of", "index_in")


_NOTHING: frozenset[int] = frozenset()


class Interner(ABC):
    """Makes each value once."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], list[Value]] = {}  # those of which something else is known together
        self._many = 0
        self._tables: dict[tuple[int | None, ...], Table] = {}
        self._rows: dict[tuple[tuple[int, ...], ...], Rows] = {}
        self._fresh = 0

    def make(self, op: str, args: Sequence[Value], data: tuple[object, ...], fact: Fact) -> Value:
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
        """Whether no more values can be made."""
        return self._many >= MOST_VALUES

    def table_of(self, values: Iterable[int | None]) -> Table:
        known = tuple(None if value is None else int(value) for value in values)
        return self._tables.setdefault(known, Table(len(self._tables), known))

    def rows_of(self, rows: Iterable[Iterable[int]]) -> Rows:
        known = tuple(tuple(map(int, row)) for row in rows)
        return self._rows.setdefault(known, Rows(len(self._rows), known))

    # ---------------------------------------------------------------------------------------------- binders
    def open_variable(self, fact: Fact) -> Value:
        """A variable for the body of a binder that is about to be made."""
        self._fresh -= 1
        return self.make("var", (), (self._fresh,), fact.sure())

    def close_variable(self, variable: Value, bodies: Sequence[Value]) -> tuple[int, list[Value]]:
        """The number a binder of the variable has, and its bodies with that number in them."""
        number = 1 + max((body.height for body in bodies), default=0)
        final = self.make("var", (), (number,), variable.fact)
        return number, [self.replace(body, variable, final) for body in bodies]

    def replace(self, value: Value, variable: Value, by: Value) -> Value:
        """The value with another in the place of a variable."""
        if variable.number not in value.free:
            return value
        if by.op == "var" and by.fact == variable.fact and not 0 < by.number <= value.height:
            renamed = self._rename(value, variable, by)
            if renamed is not None:
                return renamed
        return self.replacing(variable, by)(value)

    def _rename(self, value: Value, variable: Value, by: Value) -> Value | None:
        """The value with another variable of which the same is known: nothing becomes simpler by that. None if
        something else is known of the variable somewhere."""
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
        """What puts a value into the place of a variable, and remembers what came of each part; where the
        variable is not read, something else is done."""
        number = variable.number
        done: dict[Value, Value] = {}

        def visit(node: Value) -> Value:
            if number not in node.free:
                return outer(node)
            found = done.get(node)
            if found is None:
                if node.op == "var":
                    found = by
                elif node.op in BINDERS:  # a variable of its own: nothing put in can be mistaken for it
                    source, *bodies = node.args
                    opened = self.open_variable(source.element)
                    within = self.replacing(node, opened, visit)
                    found = self.bind(node, visit(source), opened, [within(body) for body in bodies])
                else:
                    found = self.rebuild(node, [visit(arg) for arg in node.args])
                done[node] = found
            return found

        return visit

    def open_binder(self, node: Value) -> tuple[Value, Value, list[Value]]:
        """The source of a binder, a variable of its own for its bodies, and these: so that nothing put into them can be
        mistaken for it."""
        source, *bodies = node.args
        return source, *self.open_bodies(node, bodies)

    def open_bodies(self, node: Value, bodies: Sequence[Value]) -> tuple[Value, list[Value]]:
        """A variable for bodies of a binder, and the bodies with it."""
        element = node.args[0].element
        own = self.make("var", (), node.data[:1], element)
        opened = self.open_variable(element)
        return opened, [self.replace(body, own, opened) for body in bodies]

    @abstractmethod
    def bind(self, node: Value, source: Value, variable: Value, bodies: Sequence[Value]) -> Value:
        """A binder like another, with other operands."""

    @abstractmethod
    def rebuild(self, node: Value, args: Sequence[Value]) -> Value:
        """The same operation on other operands, made simple again."""


def _find_free(args: Sequence[Value], bound: int | None) -> frozenset[int]:
    free = _NOTHING
    for place, arg in enumerate(args):
        if arg.free:
            free |= arg.free - {bound} if place and bound is not None else arg.free
    return free


def walk(value: Value) -> Iterable[Value]:
    """Every value inside, each once, operands before what is made of them."""
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
    """The value with every part changed, inner ones first; `done` remembers what has been changed already."""
    found = done.get(value)
    if found is None:
        args = [transform(arg, interner, change, done) for arg in value.args]
        same = all(new is old for new, old in zip(args, value.args, strict=True))
        found = done[value] = change(value if same else interner.rebuild(value, args))
    return found
