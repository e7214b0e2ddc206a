"""The low form: statements, terminators, basic blocks, the module.

In: values. Out: the node classes that lowering builds, passes transform and printers emit.

Before `expand`, statements are state changes (`Do`) whose operands are value trees with loops in them. After it, loops
and branches are statements, operands are loop-free expressions over registers, and the C printer only selects text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import Fact
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.menus import Menu, list_roots
from hoyle.program.ir import nodes as ir


# ------------------------------------------------------------------------------------------------ statements
@dataclass(frozen=True, slots=True)
class Do:
    """A state change: opcode, operands, immediate data, and the clause of the rules that it carries out."""

    op: str
    args: tuple[Value, ...]
    data: tuple[object, ...] = ()
    clause: int = 0

    @property
    def number(self) -> int:
        """The first immediate: mostly the number of the place that is written."""
        found = self.data[0]
        assert isinstance(found, int)
        return found


@dataclass(frozen=True, slots=True)
class Let:
    """Assign a register; a register that holds a list gets a copy."""

    register: Value
    value: Value


@dataclass(frozen=True, slots=True)
class Push:
    """Append an element to the list in a register."""

    register: Value
    value: Value


@dataclass(frozen=True, slots=True)
class When:
    test: Value
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """Loop over a list; `index` is the register of the loop counter."""

    register: Value
    source: Value
    body: tuple[Statement, ...]
    index: Value | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Break out of the `Once` with this label."""

    label: int


@dataclass(frozen=True, slots=True)
class Once:
    """A labelled block: statements that `Leave` can break out of."""

    body: tuple[Statement, ...]
    label: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Bail out: the reference executor is to carry on, or to report what is wrong in the clause."""

    clause: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Put the index, below `size`, of the choice a seat takes into a register: drawn, or asked for by returning to the
    caller. With `number` it is the second question of a choice with a number parameter: the index in its range."""

    register: Value
    seat: Value
    size: Value
    decision: int
    number: bool = False


@dataclass(frozen=True, slots=True)
class Grow:
    """Prune a loop over groups, which are extended card by card: statements before it run for every prefix of a group,
    those after it for complete groups only. Where `keeps` fails, the whole subtree of extensions is skipped."""

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
    """Indirect jump to one of `targets`; any other block number is a fault."""

    value: Value
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decide:
    """A seat chooses from a menu; the choice is performed at once, or appended to the slot `store`. `breaches` say for
    each action which clause it breaks, in games where illegal plays are possible and called. `passes`: a seat whose
    only choice is to decline is not asked."""

    menu: Menu
    seat: Value
    store: int | None
    to: int
    passes: bool
    breaches: tuple[Breach, ...]
    clause: int


@dataclass(frozen=True, slots=True)
class Breach:
    """The clause that a choice of an action breaks, -1 for none, as a value over the variables `picks`."""

    action: int
    picks: tuple[Value, ...]
    clause: Value


@dataclass(frozen=True, slots=True)
class Perform:
    """A stored choice is performed: dispatch to one of `actions`."""

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
    """A basic block; `cost` is what it is charged in the step budget, as by the reference executor."""

    body: tuple[Statement, ...]
    end: End
    cost: int


@dataclass(slots=True)
class Module:
    """A program in the low form.

    `standing` is the score of each seat; `told` the evaluation of an unfinished match, where that is not the score;
    `hints` a heuristic to add to it; `common` what all can work out: seats, and then tests of the card in the register
    `card`; `shown` for each zone with conditional visibility the index of the case that
    holds (the number of cases if none does). `held` is the flow-insensitive fact of every place of the position, which
    fixes its storage type; `stored` the facts of the picks of each action whose choices a slot can hold; `capacities`
    the bound on the cards in each zone."""

    program: ir.Program
    build: Builder
    blocks: dict[int, Block]
    entry: int
    winners: Value
    standing: Value
    told: Value | None
    hints: Value | None
    common: tuple[Value, ...]
    card: Value
    shown: dict[int, Value]
    held: dict[tuple[str, int], Fact]
    stored: dict[int, dict[int, tuple[Fact, ...]]]
    capacities: tuple[int, ...]
    texts: tuple[str, ...]


def list_end_values(end: End) -> list[Value]:
    """The values that a terminator evaluates."""
    match end:
        case Branch():
            return [end.test]
        case Switch():
            return [end.value]
        case Decide():
            return [end.seat, *list_roots(end.menu)]
        case Perform():
            return [end.seat, end.choice]
    return []


def list_targets(end: End) -> Sequence[int]:
    """The successors of an expanded block."""
    match end:
        case Jump():
            return [end.to]
        case Branch():
            return [end.yes, end.no]
        case Switch():
            return end.targets
    return ()


def walk_statements(statements: Sequence[Statement]) -> Iterator[Statement]:
    """All statements, nested ones included, in preorder."""
    for each in statements:
        yield each
        match each:
            case When():
                yield from walk_statements((*each.then, *each.otherwise))
            case For() | Once():
                yield from walk_statements(each.body)


def list_values(statements: Sequence[Statement]) -> Iterator[Value]:
    """The operands of statements, nested ones included, as lowering makes them: before `expand`."""
    for each in walk_statements(statements):
        match each:
            case Do():
                yield from each.args
            case Let():
                yield each.value
            case When():
                yield each.test
