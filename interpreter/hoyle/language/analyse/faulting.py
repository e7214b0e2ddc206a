"""Whether working out a value, or keeping it, may end in a fault: a fault is seen by all, like the outcome of a branch.

In: a program. Out: for an operand of an instruction, whether there may be a fault, by intervals of numbers and lengths
of lists: a division by 0, a product or a list beyond all bounds, an index that no member of a family has, a number
outside the range of its state.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from hoyle.base.dataclass import dataclass
from hoyle.base.effort import spend
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Part
from hoyle.program.ir.walk import list_children, walk_expression
from hoyle.program.words import WORDS, Op
from hoyle.program.words.bounds import LARGEST_NUMBER, LONGEST_LIST, MOST_FOR_SUBSETS

MOST_TURNS = 3  # before bounds that still grow are given up
# What is only ever added to by little stays far from all bounds: fewer than 2^38 instructions are in a match.
COUNTED, LITTLE = 1 << 59, 1 << 20


@dataclass(frozen=True, slots=True)
class Extent:
    """The bounds of a number, or of the numbers in a list, and of the length of that list and those in it."""

    low: float = math.inf
    high: float = -math.inf
    longest: float = 0

    def joined(self, other: Extent) -> Extent:
        return Extent(min(self.low, other.low), max(self.high, other.high), max(self.longest, other.longest))

    def widened(self, other: Extent) -> Extent:
        """This one, without the bounds beyond which another goes."""
        return Extent(
            self.low if other.low >= self.low else -math.inf,
            self.high if other.high <= self.high else math.inf,
            self.longest if other.longest <= self.longest else math.inf,
        )

    @property
    def size(self) -> float:
        """The greatest absolute value."""
        return max(abs(self.low), abs(self.high)) if self.low <= self.high else 0


NONE = Extent()
ANYTHING = Extent(-math.inf, math.inf, math.inf)
TRUTH = Extent(0, 1)
Frame = Mapping[int, Extent]


class Faulting:
    """The bounds of the values in one program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.cards = len(program.cards)
        self._slots: dict[int, Extent] = {}
        self._states = {number: self._at_start(state) for number, state in enumerate(program.states)}
        self._calls: dict[tuple[int, tuple[Extent, ...]], tuple[Extent, bool]] = {}
        self._faults = False
        self._asked: set[int] = set()  # actions whose conditions are looked at
        self._learn()

    def may_fault(self, one: ir.Instruction | ir.Terminator, expr: ir.Expr) -> bool:
        """Whether it may be a fault to work out an operand of an instruction, or to keep it in a state."""
        self._faults = False
        self._asked.clear()
        extent = self._look(expr, {})
        if self._faults or not isinstance(one, ir.SetState | ir.AddTo) or expr is not one.value:
            return self._faults
        state = self.program.states[one.state]
        if state.type.kind != "number" and (state.type.of is None or state.type.of.kind != "number"):
            return extent.longest > LONGEST_LIST if state.most is None else extent.longest > state.most
        low = 1 - LARGEST_NUMBER if state.low is None else state.low
        high = LARGEST_NUMBER - 1 if state.high is None else state.high
        return extent.low < low or extent.high > high or extent.longest > (state.most or math.inf)

    # ---------------------------------------------------------------------------------------------- what is kept
    def _at_start(self, state: ir.State) -> Extent:
        if state.low is not None and state.high is not None:
            return Extent(state.low, state.high, math.inf if state.most is None else state.most)
        if state.pot:
            return ANYTHING
        return _of_value(state.start)

    def _learn(self) -> None:
        """The least bounds that hold for slots and states; those that keep growing are given up."""
        turn, grown = 0, True
        while grown:
            grown = False
            for block in self.program.blocks:
                for one in block.instructions:
                    for held, number, extent in self._list_kept(one):
                        before = held.get(number, NONE)
                        after = before.joined(extent)
                        if after != before:
                            held[number] = before.widened(after) if turn >= MOST_TURNS else after
                            grown = True
            if not turn:
                self._learn_picks()
            self._calls.clear()
            turn += 1

    def _learn_picks(self) -> None:
        for action in self.program.actions:
            for slot in action.pick_slots:
                self._slots[slot] = ANYTHING

    def _list_kept(self, one: ir.Instruction) -> Iterable[tuple[dict[int, Extent], int, Extent]]:
        """What an instruction keeps in slots and states."""
        spend()
        match one:
            case ir.Let():
                yield self._slots, one.slot, self._look_at_kept(one.value, ir.Slot, one.slot)
            case ir.Draw():
                yield self._slots, one.slot, self._look(one.source, {})
            case ir.SetState() if one.value is not None:
                yield self._states, one.state, self._look_at_kept(one.value, ir.StateRef, one.state)
            case ir.AddTo():
                most = self.program.states[one.state].most
                added = self._look(one.value, {})
                yield self._states, one.state, Extent(added.low, added.high, math.inf if most is None else most)
            case _:
                for touch in one.writes or ():
                    held = getattr(one, touch.field) if touch.part is Part.SLOTS else ()
                    slots = held if isinstance(held, tuple) else (held,)
                    yield from ((self._slots, slot, ANYTHING) for slot in slots)

    def _look_at_kept(self, value: ir.Expr, kind: type[ir.Slot | ir.StateRef], number: int) -> Extent:
        """The bounds of a value that is kept; of what is added to itself, those of a counter."""
        if isinstance(value, ir.Apply) and WORDS[value.word].op in (Op.ADD, Op.SUBTRACT):
            first, second = value.args
            held = getattr(first, "index", None) if kind is ir.Slot else getattr(first, "state", None)
            if isinstance(first, kind) and held == number and self._look(second, {}).size <= LITTLE:
                return Extent(-COUNTED, COUNTED)
        return self._look(value, {})

    # ---------------------------------------------------------------------------------------------- expressions
    def _look(self, expr: ir.Expr, frame: Frame) -> Extent:
        spend()
        match expr:
            case ir.Const():
                return _of_value(expr.value)
            case ir.Var():
                return frame.get(expr.index, ANYTHING)
            case ir.Slot():
                return self._slots.get(expr.index, NONE)
            case ir.StateRef():
                self._look_at_parts(expr, frame)
                return self._states[expr.state]
            case ir.Attribute():
                self._look(expr.card, frame)
                table = self.program.attributes[expr.attribute].table
                return _of_value(tuple(each for each in table if each is not None))
            case ir.If():
                self._look(expr.test, frame)
                return self._look(expr.yes, frame).joined(self._look(expr.no, frame))
            case ir.OrElse():
                return self._look(expr.first, frame).joined(self._look(expr.second, frame))
            case ir.Named():
                return self._look(expr.body, frame)
            case ir.Call():
                return self._call(expr, frame)
            case ir.Those():
                return self._those(expr, frame)
            case ir.Quantified():
                self._look(expr.test, {**frame, expr.var: self._look(expr.source, frame)})
                return TRUTH
            case ir.Logic():
                self._look_at_parts(expr, frame)
                return TRUTH
            case ir.CanDo():
                self._look_at_action(expr.action)
                return TRUTH
            case ir.Index():
                parts = [self._look(part, frame) for part in expr.parts]
                for part, low, size in zip(parts, expr.lows, expr.sizes, strict=True):
                    self._faults |= part.low < low or part.high >= low + size
                return ANYTHING
            case ir.Apply():
                return self._apply(expr, [self._look(part, frame) for part in expr.args])
        self._look_at_parts(expr, frame)
        return ANYTHING

    def _look_at_parts(self, node: object, frame: Frame) -> None:
        for part in list_children(node):
            self._look(part, frame)

    def _look_at_action(self, number: int) -> None:
        if number not in self._asked:
            self._asked.add(number)
            action = self.program.actions[number]
            for node in (*action.picks, *action.possible, *action.allowed):
                self._look_at_parts(node, {})

    def _call(self, expr: ir.Call, frame: Frame) -> Extent:
        args = tuple(self._look(part, frame) for part in expr.args)
        key = expr.definition, args
        if key not in self._calls:
            outer, self._faults = self._faults, False
            found = self._look(self.program.definitions[expr.definition].body, dict(enumerate(args)))
            self._calls[key] = found, self._faults
            self._faults = outer
        found, faults = self._calls[key]
        self._faults |= faults
        return found

    def _those(self, expr: ir.Those, frame: Frame) -> Extent:
        source = self._look(expr.source, frame)
        inner = {**frame, expr.var: source}
        for part in (expr.where, *(order.key for order in expr.orders)):
            if part is not None:
                self._look(part, inner)
        if expr.value is None:
            return source
        value = self._look(expr.value, inner)
        return Extent(value.low, value.high, max(source.longest, value.longest))

    def _apply(self, expr: ir.Apply, args: list[Extent]) -> Extent:
        word = WORDS[expr.word]
        first, last = (args[0], args[-1]) if args else (ANYTHING, ANYTHING)
        if word.op in _RECKONING:
            return NONE if any(arg.low > arg.high for arg in args) else self._reckon(word.op, first, last)
        match word.op:
            case Op.JOIN:
                self._faults |= first.longest + last.longest > LONGEST_LIST
                return _of_length(first.joined(last), first.longest + last.longest)
            case Op.LIST | Op.LAID_OPEN:
                found = NONE
                for arg in args:
                    found = found.joined(arg)
                return _of_length(found, max(found.longest, len(args)))
            case Op.COUNT:
                return Extent(0, first.longest)
            case Op.SUM:
                return Extent(min(0, _times(first.longest, first.low)), max(0, _times(first.longest, first.high)))
            case Op.CARDS | Op.FACE_UP | Op.SIZE | Op.PLACE:
                return Extent(0, self.cards, self.cards)
            case Op.SEATS:
                return Extent(0, self.program.players, self.program.players)
            case Op.JOINED:
                return _of_length(first, _times(first.longest, first.longest))
            case Op.WITHOUT:
                self._faults |= _times(first.longest, last.longest) > 10 * LONGEST_LIST
            case Op.SUBSETS:
                self._faults |= first.longest > MOST_FOR_SUBSETS
            case Op.PAIRS | Op.TAILS:
                self._faults |= _times(first.longest, first.longest + 1) > 2 * LONGEST_LIST
        if word.op in _PASSING_ON:
            return next(arg for number, arg in enumerate(args) if word.keeps_argument(number))
        return TRUTH if word.gives.kind == "truth" else ANYTHING

    def _reckon(self, op: Op, first: Extent, last: Extent) -> Extent:
        match op:
            case Op.ADD:
                return Extent(first.low + last.low, first.high + last.high)
            case Op.SUBTRACT:
                return Extent(first.low - last.high, first.high - last.low)
            case Op.NEGATE:
                return Extent(-first.high, -first.low)
            case Op.MULTIPLY:
                ends = [_times(one, other) for one in (first.low, first.high) for other in (last.low, last.high)]
                self._faults |= max(map(abs, ends)) >= LARGEST_NUMBER
                return Extent(min(ends), max(ends))
            case Op.SPAN:
                self._faults |= last.high - first.low >= LONGEST_LIST
                return Extent(first.low, last.high, max(0, last.high - first.low + 1))
        self._faults |= last.low <= 0 <= last.high
        size = first.size if op is Op.DIVIDE else last.size
        is_positive = last.low > 0 and (op is Op.MODULO or first.low >= 0)
        return Extent(0 if is_positive else -size, size)


_RECKONING = {Op.ADD, Op.SUBTRACT, Op.NEGATE, Op.MULTIPLY, Op.SPAN, Op.DIVIDE, Op.MODULO}
_PASSING_ON = {  # no more than what is in an argument
    Op.HIGHEST, Op.LOWEST, Op.FIRST, Op.LAST, Op.DISTINCT, Op.DESCENDING, Op.FIRST_FEW, Op.LAST_FEW, Op.ALL_BUT_FIRST,
    Op.ALL_BUT_LAST, Op.AROUND, Op.ELEMENT, Op.WITHOUT,
}  # fmt: skip


def _times(one: float, other: float) -> float:
    return one * other if one and other else 0


def _of_length(extent: Extent, longest: float) -> Extent:
    return Extent(extent.low, extent.high, longest)


def _of_value(value: object) -> Extent:
    """The bounds of a value that is given."""
    if isinstance(value, int):
        return Extent(value, value)
    found = NONE
    if isinstance(value, tuple):
        for part in value:
            found = found.joined(_of_value(part))
        found = _of_length(found, max(found.longest, len(value)))
    return found


def list_refilled(program: ir.Program) -> frozenset[int]:
    """The states whose number of elements depends on what they are: lists from which something is taken out, or that
    are set to other than a constant."""
    return frozenset(
        one.state
        for block in program.blocks
        for one in block.instructions
        if (isinstance(one, ir.AddTo) and one.remove)
        or (isinstance(one, ir.SetState) and one.value is not None and not _is_constant(one.value))
    )


def _is_constant(expr: ir.Expr) -> bool:
    return all(isinstance(each, ir.Const) for each in walk_expression(expr))
