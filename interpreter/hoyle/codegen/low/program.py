"""Statements and blocks of the low form, and the whole of it.

In: values. Out: the node classes that lowering builds, passes change and printers spell.

Before `expand`, statements are changes of the position (`Do`) whose operands are whole values. After it, everything
that loops or branches is said by statements, operands are simple values over registers, and a printer only spells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.codegen.low.build import Builder
from hoyle.codegen.low.facts import Fact
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.menus import Menu, list_roots
from hoyle.dataclass import dataclass
from hoyle.ir import nodes as ir


# ------------------------------------------------------------------------------------------------ statements
@dataclass(frozen=True, slots=True)
class Do:
    """A change of the position: what it is, on what, by which clause of the rules."""

    op: str
    args: tuple[Value, ...]
    data: tuple[object, ...] = ()
    clause: int = 0

    @property
    def number(self) -> int:
        """The number of the place that is changed."""
        found = self.data[0]
        assert isinstance(found, int)
        return found


@dataclass(frozen=True, slots=True)
class Let:
    """A register is set; one that holds a list is filled with a copy."""

    register: Value
    value: Value


@dataclass(frozen=True, slots=True)
class Push:
    """An element is put at the end of the list in a register."""

    register: Value
    value: Value


@dataclass(frozen=True, slots=True)
class When:
    test: Value
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """For each element of a list; `index` is the register of its place."""

    register: Value
    source: Value
    body: tuple[Statement, ...]
    index: Value | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave a `Once`."""

    label: int


@dataclass(frozen=True, slots=True)
class Once:
    """Statements that can be left early."""

    body: tuple[Statement, ...]
    label: int


@dataclass(frozen=True, slots=True)
class Fault:
    """The reference is to do what the rules of a clause say."""

    clause: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Which of `size` choices a seat takes is put into a register: drawn, or asked for by stopping here. Of a choice
    with a number parameter, which number is asked next, with `number`."""

    register: Value
    seat: Value
    size: Value
    decision: int
    number: bool = False


@dataclass(frozen=True, slots=True)
class Grow:
    """In a loop over groups: what stands before it is done for every beginning of a group, what follows only for whole
    groups. What begins with cards of which `keeps` does not hold is passed over."""

    keeps: Value


Statement = Do | Let | Push | When | For | Leave | Once | Fault | Ask | Grow


# ------------------------------------------------------------------------------------------------ blocks
@dataclass(frozen=True, slots=True)
class Jump:
    to: int


@dataclass(frozen=True, slots=True)
class Branch:
    test: Value
    yes: int
    no: int


@dataclass(frozen=True, slots=True)
class Switch:
    """Go on at the block that the value names; at any other the program is at fault."""

    value: Value
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decide:
    """A seat chooses from a menu. The choice is carried out at once, or stored. `breaches` are what each action is
    compared with where errors are called; `passes`: a seat that could only decline is not asked."""

    menu: Menu
    seat: Value
    store: int | None
    to: int
    passes: bool
    breaches: tuple[Breach, ...]
    clause: int


@dataclass(frozen=True, slots=True)
class Breach:
    """The clause that a choice of an action breaks, -1 for none; `picks` are the variables that stand for its picks."""

    action: int
    picks: tuple[Value, ...]
    clause: Value


@dataclass(frozen=True, slots=True)
class Perform:
    """A stored choice is carried out."""

    choice: Value
    seat: Value
    actions: tuple[int, ...]
    to: int
    breaches: tuple[Breach, ...]


@dataclass(frozen=True, slots=True)
class Finish:
    """The match is over."""


End = Jump | Branch | Switch | Decide | Perform | Finish


@dataclass(frozen=True, slots=True)
class Block:
    """`cost` is how many instructions of the program it stands for."""

    body: tuple[Statement, ...]
    end: End
    cost: int


@dataclass(slots=True)
class Module:
    """A program in the low form.

    `standing` is what each seat has scored; `told` what tells before the end how each stands, where that is not the
    score; `hints` how each may be expected to fare besides; `shown` the number of the case that holds, for zones of
    which rules say who sees them, and that of all cases if none does. `held` is what is known of every place of the
    position, whenever it is read or shown; `stored` are the facts of the picks of each action whose choices a slot can
    hold; `capacities` the most cards each zone can hold."""

    program: ir.Program
    build: Builder
    blocks: dict[int, Block]
    entry: int
    winners: Value
    standing: Value
    told: Value | None
    hints: Value | None
    shown: dict[int, Value]
    held: dict[tuple[str, int], Fact]
    stored: dict[int, dict[int, tuple[Fact, ...]]]
    capacities: tuple[int, ...]
    texts: tuple[str, ...]


def list_end_values(end: End) -> list[Value]:
    """The values that the end of a block works out."""
    match end:
        case Branch():
            return [end.test]
        case Switch():
            return [end.value]
        case Decide():
            return [end.seat, *(each for tier in end.menu.tiers for each in list_roots(tier))]
        case Perform():
            return [end.seat, end.choice]
    return []


def walk_statements(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Statements and those inside them, in order."""
    for each in statements:
        yield each
        match each:
            case When():
                yield from walk_statements((*each.then, *each.otherwise))
            case For() | Once():
                yield from walk_statements(each.body)


def list_values(statements: Sequence[Statement]) -> Iterator[Value]:
    """The values that statements as they are lowered work out themselves, in order."""
    for each in walk_statements(statements):
        match each:
            case Do():
                yield from each.args
            case Let():
                yield each.value
            case When():
                yield each.test
