"""Reasons: the values that made a condition fail.

In: a condition that does not hold. Out: the operands of the tests that decided, and the named alternatives none of
which held. Only what was looked at counts: the first false part of an `and`, every part of an `or`.
"""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.engine.evaluate import Evaluator, Frame
from hoyle.ir import nodes as ir
from hoyle.ir.express import express
from hoyle.model.position import Position
from hoyle.view.names import Names

Value = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Alternative:
    """A named way in which a condition could have held, and why it did not."""

    path: str
    text: str
    cite: tuple[str, ...]
    values: tuple[Value, ...]


def find_reasons(
    evaluator: Evaluator, names: Names, test: ir.Expr, position: Position, frame: Frame
) -> tuple[tuple[Value, ...], tuple[Alternative, ...]]:
    """The values and the alternatives that made `test` fail."""
    search = _Search(evaluator, names, position)
    search.look(test, frame)
    return tuple(dict.fromkeys(search.values)), tuple(search.alternatives)


class _Search:
    """Goes down into a test along what decided it."""

    def __init__(self, evaluator: Evaluator, names: Names, position: Position) -> None:
        self.evaluator = evaluator
        self.names = names
        self.position = position
        self.values: list[Value] = []
        self.alternatives: list[Alternative] = []

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
                if test.text:
                    self._note(test, frame)
            case _:
                self._note(test, frame)

    def _holds(self, test: ir.Expr, frame: Frame) -> bool:
        return bool(self.evaluator.value(test, self.position, frame))

    def _note(self, expr: ir.Expr, frame: Frame) -> None:
        value = self.evaluator.value(expr, self.position, frame)
        text = expr.text or express(expr, self.evaluator.program)
        self.values.append((text, self.names.name_value(expr.type, value)))

    def _look_at_logic(self, test: ir.Logic, frame: Frame) -> None:
        if test.op == "not":
            self.look(test.parts[0], frame)
            return
        decisive = test.op == "or"  # an `or` is decided by its first true part, an `and` by its first false one
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
        values, _ = find_reasons(self.evaluator, self.names, part.body, self.position, frame)
        text = clause.text or part.body.text or express(part.body, self.evaluator.program)
        self.alternatives.append(Alternative(clause.path, text, clause.cite, values))

    def _look_at_definition(self, test: ir.Call, frame: Frame) -> None:
        definition = self.evaluator.program.definitions[test.definition]
        own: Frame = [self.evaluator.value(argument, self.position, frame) for argument in test.args]
        own.extend([None] * (definition.frame - len(own)))
        self.look(definition.body, own)

    def _look_at_elements(self, test: ir.Quantified, frame: Frame) -> None:
        """The element that decided, if one did; otherwise all that were looked at."""
        looked_for = test.how != "every"
        for element in self.evaluator.elements(test.source, self.position, frame):
            frame[test.var] = element
            if self._holds(test.test, frame) == looked_for:
                kind = test.source.type.of or test.source.type
                self.values.append((test.text or test.how, self.names.name_value(kind, element)))
                self.look(test.test, frame)
                return
        self._note(test.source, frame)
