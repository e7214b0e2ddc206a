"""The reference evaluator: the semantics of every expression of the IR.

In: an expression, a position and a frame that binds its `Var`s. Out: its value. Evaluation changes nothing but binders
in the frame.

None propagates: a word applied to none gives none (a test gives false) unless the word accepts it; `and`, `or` and
`not` treat none as false; a list that is none is empty; whatever is owned by none is none. A list never contains none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import Frame, Legality
from hoyle.play.engine.limits import MOST_EVALUATED, MOST_LISTING, guard_size
from hoyle.play.engine.work import count_word
from hoyle.program.effects import effects_of, find_pure
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import certain
from hoyle.program.model.divisions import Divider, TooManyCards
from hoyle.program.model.position import Position
from hoyle.program.words import WORDS, Cost, Word

MOST_REMEMBERED = 500_000  # size of the memo table, in elements of arguments and results
MOST_DIVIDERS = 16
Trace = Callable[[ir.Expr, Any], None]
TAKEN = object()  # marks a word that accepts none as an argument


class Evaluator:
    """Evaluates expressions of one program. `trace`, if given, receives every node and its value.

    `spent` counts steps since `begin`: nodes evaluated, memoised or not, so that the count depends on the expression
    and the position alone. Exceeding `most` is a fault."""

    most = MOST_EVALUATED
    most_listing = MOST_LISTING

    def __init__(self, program: ir.Program, trace: Trace | None = None) -> None:
        self.program = program
        self.trace = trace
        self.legality = Legality(program, self)
        self._pure = find_pure(program)
        self._remembered: dict[tuple[Any, ...], tuple[Any, int]] = {}
        self._held = 0  # elements in the memo table
        self._dividers: dict[tuple[Any, ...], Divider] = {}  # by grouping and what it is given; dropped by `begin`
        self.spent, self._limit = 0, self.most
        self._names_piles = {i for i, state in enumerate(program.states) if certain(state.type).kind == "zone"}
        self._by_node: dict[type[ir.Expr], Callable[[Any, Position, Frame], Any]] = {
            ir.Const: self._const,
            ir.Var: self._var,
            ir.Slot: self._slot,
            ir.StateRef: self._state,
            ir.ZoneRef: self._zone,
            ir.Index: self._index,
            ir.Piles: self._piles,
            ir.Attribute: self._attribute,
            ir.Call: self._call,
            ir.Apply: self._apply,
            ir.If: self._if,
            ir.OrElse: self._or_else,
            ir.Logic: self._logic,
            ir.Named: self._named,
            ir.Those: self._those,
            ir.Division: self._division,
            ir.Quantified: self._quantified,
            ir.CanDo: self._can_do,
        }

    def begin(self, *, listing: bool = False) -> None:
        """Reset the step counter, to work out a value or to list choices."""
        self.spent, self._limit = 0, self.most_listing if listing else self.most
        self._dividers.clear()

    def evaluate(self, expr: ir.Expr, position: Position, frame: Frame) -> Any:
        """The value of a top-level expression: the step counter starts at zero."""
        self.begin()
        return self.value(expr, position, frame)

    def value(self, expr: ir.Expr, position: Position, frame: Frame) -> Any:
        """The value of a subexpression; its steps add to the current count."""
        spent = self.spent = self.spent + 1
        if spent > self._limit:
            self._give_up()
        value = self._by_node[type(expr)](expr, position, frame)
        if self.trace is not None:
            self.trace(expr, value)
        return value

    def _give_up(self) -> None:
        raise Fault("too-much-work", f"this takes more than {self._limit:,} steps to work out")

    def holds(self, test: ir.Expr | None, position: Position, frame: Frame) -> bool:
        """Whether a condition is true; an absent condition is."""
        return test is None or bool(self.value(test, position, frame))

    def elements(self, source: ir.Expr, position: Position, frame: Frame) -> tuple[Any, ...]:
        """The elements of a list; none counts as the empty list."""
        values: tuple[Any, ...] | None = self.value(source, position, frame)
        return () if values is None else values

    def _const(self, expr: ir.Const, position: Position, frame: Frame) -> Any:
        return expr.value

    def _var(self, expr: ir.Var, position: Position, frame: Frame) -> Any:
        return frame[expr.index]

    def _slot(self, expr: ir.Slot, position: Position, frame: Frame) -> Any:
        return position.slots[expr.index]

    def _state(self, expr: ir.StateRef, position: Position, frame: Frame) -> Any:
        index = self.state_index(expr.state, expr.owner, position, frame)
        value = None if index is None else position.states[index]
        if value is not None and expr.state in self._names_piles and not position.zones[value]:
            return None  # a pile ceases to exist with its last card
        return value

    def _zone(self, expr: ir.ZoneRef, position: Position, frame: Frame) -> int | None:
        return self._place(self.program.zones[expr.zone], expr.owner, position, frame)

    def _index(self, expr: ir.Index, position: Position, frame: Frame) -> int | None:
        place = 0
        for part, low, size in zip(expr.parts, expr.lows, expr.sizes, strict=True):
            value: int | None = self.value(part, position, frame)
            if value is None:
                return None
            if not low <= value < low + size:
                raise Fault("out-of-range", f"`{part.text}` is {value}, which is not from {low} to {low + size - 1}")
            place = place * size + value - low
        return place

    def _piles(self, expr: ir.Piles, position: Position, frame: Frame) -> int | tuple[int, ...] | None:
        family = self.program.zones[expr.zone]
        whose: Any = 0 if expr.owner is None else self.value(expr.owner, position, frame)
        if whose is None:
            return None if expr.new else ()
        zones = position.zones
        owners = whose if isinstance(whose, tuple) else (whose,)
        places = (family.base + owner * family.many + number for owner in owners for number in range(family.many))
        if expr.new:
            return next((place for place in places if not zones[place]), None)
        return tuple(place for place in places if zones[place])

    def state_index(self, state: int, owner: ir.Expr | None, position: Position, frame: Frame) -> int | None:
        """The index of a declared state in the position; None if its owner is none."""
        return self._place(self.program.states[state], owner, position, frame)

    def _place(
        self, declared: ir.Zone | ir.State, owner: ir.Expr | None, position: Position, frame: Frame
    ) -> int | None:
        if owner is None:
            return declared.base
        whose: int | None = self.value(owner, position, frame)
        if whose is None:
            return None
        if not 0 <= whose < declared.size:
            raise Fault("out-of-range", f"there is no `{declared.name}` of {whose}", declared.clause)
        return declared.base + whose

    def _attribute(self, expr: ir.Attribute, position: Position, frame: Frame) -> int | None:
        card = self.value(expr.card, position, frame)
        return None if card is None else self.program.attributes[expr.attribute].table[card]

    def _call(self, expr: ir.Call, position: Position, frame: Frame) -> Any:
        definition = self.program.definitions[expr.definition]
        own: Frame = [self.value(argument, position, frame) for argument in expr.args]
        remembers = self._pure[expr.definition] and self.trace is None
        key = (expr.definition, *own)
        if remembers and key in self._remembered:
            found, steps = self._remembered[key]
            self.spent += steps
            if self.spent > self._limit:
                self._give_up()
            return found
        before = self.spent
        own.extend([None] * (definition.frame - len(own)))
        try:
            found = self.value(definition.body, position, own)
        except Fault as fault:
            fault.clause = definition.clause if fault.clause is None else fault.clause
            raise
        if remembers:
            self._remember(key, found, self.spent - before)
        return found

    def _remember(self, key: tuple[Any, ...], found: Any, steps: int) -> None:
        held = count_elements(key) + 1 + count_elements(found)
        if self._held + held > MOST_REMEMBERED:
            self._remembered.clear()
            self._held = 0
        if held < MOST_REMEMBERED // 10:
            self._remembered[key] = (found, steps)
            self._held += held

    def _apply(self, expr: ir.Apply, position: Position, frame: Frame) -> Any:
        word, of_none, guarded = _find_word(expr.word)
        arguments = []
        through = 0  # elements of list arguments, which words of non-constant cost traverse
        for part in expr.args:
            if type(part) is ir.Var and self.trace is None:  # fast path: `value` inlined
                self.spent += 1
                argument = frame[part.index]
            else:
                argument = self.value(part, position, frame)
            if type(argument) is tuple and word.cost is not Cost.CONSTANT:
                through += len(argument)
            arguments.append(argument)
        if of_none is not TAKEN and None in arguments:
            return of_none
        if guarded:
            guard_size(word, arguments)
        try:
            found = word.run(position, *arguments) if word.takes_position else word.run(*arguments)
            made = len(found) if type(found) is tuple else 0
            if through or made:
                self.spent += count_word(through, made)
            return found
        except ZeroDivisionError:
            raise Fault("division-by-zero", f"`{expr.text or expr.word}` divides by 0") from None
        except IndexError:
            raise Fault("out-of-range", f"`{expr.text or expr.word}` asks for an element that is not there") from None

    def _if(self, expr: ir.If, position: Position, frame: Frame) -> Any:
        chosen = expr.yes if self.value(expr.test, position, frame) else expr.no
        return self.value(chosen, position, frame)

    def _or_else(self, expr: ir.OrElse, position: Position, frame: Frame) -> Any:
        first = self.value(expr.first, position, frame)
        return self.value(expr.second, position, frame) if first is None else first

    def _logic(self, expr: ir.Logic, position: Position, frame: Frame) -> bool:
        if expr.op == "not":
            return not self.value(expr.parts[0], position, frame)
        decided = expr.op == "or"
        for part in expr.parts:
            if bool(self.value(part, position, frame)) == decided:
                return decided
        return not decided

    def _named(self, expr: ir.Named, position: Position, frame: Frame) -> Any:
        try:
            return self.value(expr.body, position, frame)
        except Fault as fault:
            fault.clause = expr.clause if fault.clause is None else fault.clause
            raise

    def _those(self, expr: ir.Those, position: Position, frame: Frame) -> tuple[Any, ...]:
        kept: list[Any] = []
        var, where = expr.var, expr.where
        for element in self.elements(expr.source, position, frame):
            frame[var] = element
            if where is None or self.value(where, position, frame):
                kept.append(element)
        for order in expr.orders:
            kept = self._best(order, expr.var, kept, position, frame)
        if expr.value is None:
            return tuple(kept)
        values = []
        for element in kept:
            frame[expr.var] = element
            value = self.value(expr.value, position, frame)
            if value is not None:
                values.append(value)
        return tuple(values)

    def _best(self, order: ir.Order, var: int, elements: list[Any], position: Position, frame: Frame) -> list[Any]:
        """The elements with the best key; an element whose key is none is never among them."""
        keyed = []
        for element in elements:
            frame[var] = element
            key = self.value(order.key, position, frame)
            if key is not None:
                keyed.append((key, element))
        if not keyed:
            return []
        best = (max if order.best == "highest" else min)(key for key, _ in keyed)
        return [element for key, element in keyed if key == best]

    def _division(self, expr: ir.Division, position: Position, frame: Frame) -> tuple[Any, ...]:
        # Rules usually divide a hand and then that hand minus each of its cards: a divider whose conditions do not
        # read the position is reused, so that its cached groups serve all of them.
        given = tuple(self.value(part, position, frame) for part in expr.given)
        key = (id(expr.by), given)
        divider = self._dividers.get(key) if self.trace is None else None
        if divider is None:
            divider = make_divider(self, expr.by, position, given)
            if not effects_of(self.program).read_by_grouping(expr.by):
                if len(self._dividers) == MOST_DIVIDERS:
                    del self._dividers[next(iter(self._dividers))]
                self._dividers[key] = divider
        try:
            return divider.divide(self.elements(expr.source, position, frame))
        except TooManyCards as found:
            raise Fault("too-large", str(found)) from None

    def _quantified(self, expr: ir.Quantified, position: Position, frame: Frame) -> bool:
        looked_for = expr.how != "every"
        var, test = expr.var, expr.test
        for element in self.elements(expr.source, position, frame):
            frame[var] = element
            if bool(self.value(test, position, frame)) == looked_for:
                return expr.how == "some"
        return expr.how != "some"

    def _can_do(self, expr: ir.CanDo, position: Position, frame: Frame) -> bool:
        seat = self.value(expr.seat, position, frame)
        if seat is None:
            return False
        return self.legality.can_do(expr.action, seat, position, allowed=expr.how == "may")


@cache
def _find_word(name: str) -> tuple[Word, object, bool]:
    """A word, its result when an argument is none (`TAKEN` if it accepts none), and whether the size of its result is
    bounded."""
    word = WORDS[name]
    return word, TAKEN if word.takes_none else False if word.gives.kind == "truth" else None, word.fits is not None


def make_divider(
    evaluator: Evaluator, by: ir.Grouping, position: Position | None, given: tuple[Any, ...] = ()
) -> Divider:
    """The divider of a grouping in a position; `position` may be None if the grouping does not read it."""
    frame: Frame = [None] * max(by.frame, 1)
    for var, value in zip(by.given, given, strict=True):
        frame[var] = value
    looked_at: Any = position

    def test(expr: ir.Expr) -> Callable[[Any], bool]:
        def holds(group: Any) -> bool:
            frame[0] = group
            return bool(evaluator.value(expr, looked_at, frame))

        return holds

    def weigh(card: int) -> int:
        if by.weigh is None:
            return 1
        frame[by.card] = card
        return evaluator.value(by.weigh, looked_at, frame) or 0

    return Divider(test(by.where), None if by.keeps is None else test(by.keeps), weigh)


def count_elements(value: Any) -> int:
    """How many elements a value has, nested ones included."""
    if type(value) is not tuple:
        return 0
    count = len(value)
    for part in value:
        if type(part) is tuple:
            count += count_elements(part)
    return count
