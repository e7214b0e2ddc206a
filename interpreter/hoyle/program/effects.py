"""Effect analysis: what expressions read of a position, and what instructions write.

In: IR. Out: sets of `Region`, through definitions and actions. The effects of words and instructions are declared with
them; an undeclared effect is taken as reading and writing everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import Given
from hoyle.program.ir.parts import EVERYTHING, NOTHING, Part, Region, Regions, Touch
from hoyle.program.ir.types import certain
from hoyle.program.ir.walk import list_children, walk_expression
from hoyle.program.words import WORDS


class Effects:
    """Effects in one program. `body_of` gives the body of a definition, `asked_of` the expressions that decide whether
    an action is available; both may be incomplete while the program is being built."""

    def __init__(self, body_of: Callable[[int], ir.Expr | None], asked_of: Callable[[int], Iterable[ir.Expr]]) -> None:
        self._body_of = body_of
        self._asked_of = asked_of
        self._definitions: dict[int, Regions] = {}
        self._actions: dict[int, Regions] = {}
        self._found: dict[int, tuple[ir.Expr, Regions]] = {}  # by identity; the expression is stored to keep it alive

    # ---------------------------------------------------------------------------------------------- reading
    def reads(self, expr: ir.Expr) -> Regions:
        """The regions an expression depends on, through definitions and actions."""
        if id(expr) not in self._found:
            found: set[Region] = set()
            for node in walk_expression(expr):
                found |= self._read_by(node)
            self._found[id(expr)] = (expr, frozenset(found))
        return self._found[id(expr)][1]

    def _read_by(self, node: ir.Expr) -> Regions:
        """What a node itself reads, without its subexpressions."""
        match node:
            case ir.Apply():
                return _read_by_word(node)
            case ir.Slot():
                return frozenset({Region(Part.SLOTS, node.index)})
            case ir.StateRef():
                own = Region(Part.STATES, node.state)
                # A reference to a pile becomes none when the pile is emptied.
                is_pile = certain(node.type).kind == "zone"
                return frozenset({own, Region(Part.ZONES)} if is_pile else {own})
            case ir.Piles():
                return frozenset({Region(Part.ZONES, node.zone)})
            case ir.Call():
                return self.read_by_definition(node.definition)
            case ir.Division():
                return self.read_by_grouping(node.by)
            case ir.CanDo():
                return self._read_by_action(node.action)
        return NOTHING if isinstance(node, PLAIN) else EVERYTHING

    def read_by_grouping(self, by: ir.Grouping) -> Regions:
        """What the groups and the leftover weights depend on besides the cards."""
        parts = (by.where, by.keeps, by.weigh)
        return frozenset().union(*(self.reads(part) for part in parts if part is not None))

    def read_by_definition(self, number: int) -> Regions:
        """What a definition reads besides its arguments."""
        if number not in self._definitions:
            self._definitions[number] = NOTHING  # guards the recursion; cycles are reported elsewhere
            body = self._body_of(number)
            self._definitions[number] = EVERYTHING if body is None else self.reads(body)
        return self._definitions[number]

    def _read_by_action(self, number: int) -> Regions:
        if number not in self._actions:
            self._actions[number] = NOTHING
            # Which of several equal cards represents them depends on where they lie.
            found = {Region(Part.ZONES)}
            for expr in self._asked_of(number):
                found |= self.reads(expr)
            self._actions[number] = frozenset(found)
        return self._actions[number]


PLAIN = (
    ir.Const,
    Given,
    ir.Var,
    ir.ZoneRef,
    ir.Index,
    ir.Attribute,
    ir.If,
    ir.OrElse,
    ir.Logic,
    ir.Named,
    ir.Those,
    ir.Quantified,
)


def _read_by_word(node: ir.Apply) -> Regions:
    reads = WORDS[node.word].reads
    if reads is None:
        return EVERYTHING
    found = set()
    for look in reads:
        subject = node.args[look.argument] if look.argument < len(node.args) else None
        narrow = look.part is Part.ZONES and isinstance(subject, ir.ZoneRef)
        found.add(Region(look.part, subject.zone if narrow and isinstance(subject, ir.ZoneRef) else None))
    return frozenset(found)


def written_by(node: ir.Instruction | ir.Terminator, states: Sequence[ir.State] | None = None) -> Regions:
    """What an instruction or terminator may change. With `states`, those of the program, a reset at the beginning of a
    round is narrowed to the states concerned."""
    return EVERYTHING if node.writes is None else _touched(node, node.writes, states)


def _touched(node: object, touches: Iterable[Touch], states: Sequence[ir.State] | None) -> Regions:
    found: set[Region] = set()
    for touch in touches:
        if touch.field:
            held = getattr(node, touch.field)
            found |= {Region(touch.part, each) for each in (held if isinstance(held, tuple) else (held,))}
        elif touch.fleeting and states is not None:
            found |= {Region(touch.part, number) for number, state in enumerate(states) if state.lasts == "round"}
        else:
            found.add(Region(touch.part))
    return frozenset(found)


def asked_by(action: ir.Action) -> Iterable[ir.Expr]:
    """The expressions that decide whether an action is available."""
    for pick in action.picks:
        yield from list_children(pick)
    yield from action.possible
    yield from action.allowed


_latest: tuple[ir.Program, Effects] | None = None


def effects_of(program: ir.Program) -> Effects:
    """The effects in a finished program. The latest result is cached, since several analyses run on the same
    program."""
    global _latest
    latest = _latest
    if latest is None or latest[0] is not program:
        effects = Effects(
            lambda number: program.definitions[number].body, lambda number: asked_by(program.actions[number])
        )
        latest = _latest = (program, effects)
    return latest[1]


def find_pure(program: ir.Program) -> tuple[bool, ...]:
    """For each definition whether it is pure: its value depends on its arguments alone."""
    effects = effects_of(program)
    return tuple(not effects.read_by_definition(number) for number in range(len(program.definitions)))
