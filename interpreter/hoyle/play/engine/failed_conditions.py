"""Explanation of a failed condition: the values that made it false.

In: a condition that does not hold. Out: the operands of the tests that decided, the named alternatives of which none
held, and the cards that all of this is about. Only what evaluation depends on counts: the first false part of an `and`,
every part of an `or`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.faults import SECRET, Fault
from hoyle.play.engine.legality import Frame
from hoyle.play.view.names import holds_cards
from hoyle.play.view.seeing import UNKNOWN_CARD, Sight, includes
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.express import express
from hoyle.program.ir.types import Type, certain
from hoyle.program.model.position import Position

Value = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Alternative:
    """A named alternative of a condition, and the values that made it false."""

    path: str
    text: str
    cite: tuple[str, ...]
    values: tuple[Value, ...]


class Reasons(NamedTuple):
    """What made a condition false; `cards` are the names of the cards that its values are, or were worked out from,
    `definitions` the clauses of the definitions that it asks for."""

    values: tuple[Value, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    cards: tuple[str, ...] = ()
    definitions: tuple[int, ...] = ()


def find_reasons(
    evaluator: Evaluator, sight: Sight, seat: int, test: ir.Expr, position: Position, frame: Frame
) -> Reasons:
    """What made `test` false, as a seat may know it."""
    search = _Search(evaluator, sight, seat, position)
    try:
        search.look(test, frame)
    except Fault as fault:
        if fault.code != SECRET:
            raise
    values, cards = tuple(dict.fromkeys(search.values)), tuple(dict.fromkeys(search.cards))
    return Reasons(values, tuple(search.alternatives), cards, tuple(search.definitions))


class _Search:
    """Descends into a test along the subexpressions that decided it."""

    def __init__(self, evaluator: Evaluator, sight: Sight, seat: int, position: Position) -> None:
        self.evaluator = evaluator
        self.sight = sight
        self.seat = seat
        self.position = position
        self.values: list[Value] = []
        self.alternatives: list[Alternative] = []
        self.cards: list[str] = []
        self.definitions: list[int] = []

    def look(self, test: ir.Expr, frame: Frame) -> None:
        match test:
            case ir.Named():
                self.look(test.body, frame)
            case ir.Logic():
                self._look_at_logic(test, frame)
            case ir.If():
                self.look(test.yes if self._holds(test.test, frame) else test.no, frame)
            case ir.Call():
                self._look_at_definition(test, frame)
            case ir.Quantified():
                self._look_at_elements(test, frame)
            case ir.Apply():
                for part in test.args:
                    if not isinstance(part, ir.Const):
                        self._note(part, frame)
            case ir.Const():
                if test.text and not isinstance(test.value, bool):
                    self._note(test, frame)
            case _:
                self._note(test, frame)

    def _holds(self, test: ir.Expr, frame: Frame) -> bool:
        return bool(self.evaluator.value(test, self.position, frame))

    def _note(self, expr: ir.Expr, frame: Frame) -> None:
        text = expr.text or express(expr, self.evaluator.program)
        try:
            value = self._name(expr.type, self.evaluator.value(expr, self.position, frame))
        except Fault as fault:
            if fault.code != SECRET:
                raise
            value = UNKNOWN_CARD
        self.values.append((text, value))
        self._note_cards(expr, frame)

    def _note_cards(self, expr: ir.Expr, frame: Frame) -> None:
        """Note the cards that a value is, or is worked out from, as far as the seat sees them."""
        if holds_cards(certain(expr.type)):
            try:
                self._add_cards(self.evaluator.value(expr, self.position, frame))
            except Fault as fault:
                if fault.code != SECRET:
                    raise
        elif isinstance(expr, ir.Attribute):
            self._note_cards(expr.card, frame)
        elif isinstance(expr, ir.Apply | ir.Call):
            for part in expr.args:
                self._note_cards(part, frame)

    def _add_cards(self, value: Any) -> None:
        for card in value if isinstance(value, tuple | list) else () if value is None else (value,):
            if isinstance(card, tuple | list):
                self._add_cards(card)
            elif self._sees(card):
                self.cards.append(self.sight.names.name_card(card))

    def _sees(self, card: int) -> bool:
        mask = self.sight.mask_place(self.position, *self.position.find(card))
        return includes(mask, self.seat, self.position.players)

    def _name(self, kind: Type, value: Any) -> str:
        """A value in words; a zone as its size, a card the seat cannot see as `??`."""
        kind = certain(kind)
        if value is None or not (kind.kind == "zone" or holds_cards(kind)):
            return self.sight.names.name_value(kind, value)
        if isinstance(value, tuple):
            return ", ".join(self._name(kind.of or kind, part) for part in value) or "nothing"
        if kind.kind == "zone":
            size = len(self.position.zones[value])
            return "1 card" if size == 1 else f"{size} cards"
        return self.sight.names.name_card(value) if self._sees(value) else UNKNOWN_CARD

    def _look_at_logic(self, test: ir.Logic, frame: Frame) -> None:
        if test.op == "not":
            self.look(test.parts[0], frame)
            return
        decisive = test.op == "or"  # a true part decides an `or`, a false part an `and`
        for part in test.parts:
            if self._holds(part, frame) == decisive:
                self.look(part, frame)
                return
        for part in test.parts:
            if decisive and isinstance(part, ir.Named):
                self._add_alternative(part, frame)
            else:
                self.look(part, frame)

    def _add_alternative(self, part: ir.Named, frame: Frame) -> None:
        clause = self.evaluator.program.clauses[part.clause]
        why = find_reasons(self.evaluator, self.sight, self.seat, part.body, self.position, frame)
        self.cards += why.cards
        text = clause.text or part.body.text or express(part.body, self.evaluator.program)
        self.alternatives.append(Alternative(clause.path, text, clause.cite, why.values))

    def _look_at_definition(self, test: ir.Call, frame: Frame) -> None:
        definition = self.evaluator.program.definitions[test.definition]
        self.definitions.append(definition.clause)
        own: Frame = [self.evaluator.value(argument, self.position, frame) for argument in test.args]
        own.extend([None] * (definition.frame - len(own)))
        self.look(definition.body, own)

    def _look_at_elements(self, test: ir.Quantified, frame: Frame) -> None:
        """The first element that decided a quantifier, and all cards that do; otherwise the quantified list."""
        kind, first = test.source.type.of or test.source.type, True
        for element in self.evaluator.elements(test.source, self.position, frame):
            frame[test.var] = element
            if self._holds(test.test, frame) == (test.how == "every"):
                continue
            if holds_cards(kind):
                self._add_cards(element)
            if first:
                first = False
                self.values.append((test.text or test.how, self._name(kind, element)))
                self.look(test.test, frame)
        if first:
            self._note(test.source, frame)
