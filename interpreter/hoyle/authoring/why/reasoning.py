"""Explains why a condition is true or false.

In: an expression, a position and a frame. Out: a tree of `Reasoned` nodes, each with its text, its value and its
clause; its decisive leaves; and what would have to differ.

The tree mirrors the short-circuit evaluation: an `and` stops at its first false part, an `or` at its first true one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import Frame
from hoyle.play.view.names import holds_cards
from hoyle.play.view.seeing import UNKNOWN_CARD, Sight, includes
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.express import express
from hoyle.program.ir.types import Type, certain
from hoyle.program.model.position import Position
from hoyle.program.words import WORDS, Op, applies

DEEPEST = 12
MOST_ELEMENTS = 12
MOST_CHOICES = 5
FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True)
class Reasoned:
    """An evaluated part of a rule. `clause` is set if it is a clause of its own; `truth` is None for anything but a
    condition; `decisive` are the parts that determined the value."""

    text: str
    value: str
    truth: bool | None
    clause: ir.Clause | None = None
    parts: tuple[Reasoned, ...] = ()
    decisive: tuple[Reasoned, ...] = ()

    def walk(self) -> Iterator[tuple[int, Reasoned]]:
        """Yield this node and all its descendants, with their depth."""
        yield 0, self
        for part in self.parts:
            for depth, node in part.walk():
                yield depth + 1, node


class Reasoning:
    """Explains expressions of one program at one position, with what a seat can see (None: the author, who sees
    all)."""

    def __init__(self, evaluator: Evaluator, sight: Sight, position: Position, seat: int | None = None) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.sight = sight
        self.position = position
        self.seat = seat

    # ---------------------------------------------------------------------------------------------- trees
    def explain(self, expr: ir.Expr, frame: Frame, depth: int = 0) -> Reasoned:
        """Build the tree of an expression."""
        clause = None
        while isinstance(expr, ir.Named):
            clause, expr = self.program.clauses[expr.clause], expr.body
        value = self.evaluator.value(expr, self.position, frame)
        parts: list[Reasoned] = []
        decisive: list[Reasoned] = []
        if depth < DEEPEST:
            parts, decisive = self._look_inside(expr, frame, depth + 1)
        text = self.say(expr)
        if isinstance(expr, ir.Logic) and expr.op == "not" and parts and parts[0].text == text:
            # A negation and its operand share one text. Under `forbidden`, the section negates the line, so say so;
            # otherwise (`is not`) the text contains the negation itself, and the operand is not shown.
            if clause is not None and FORBIDDEN in clause.path.split("."):
                text = f"not ({text})"
            else:
                parts, decisive = list(parts[0].parts), list(parts[0].decisive)
        truth = bool(value) if certain(expr.type).kind == "truth" else None
        return Reasoned(text, self.name(expr.type, value), truth, clause, tuple(parts), tuple(decisive))

    def _look_inside(self, expr: ir.Expr, frame: Frame, depth: int) -> tuple[list[Reasoned], list[Reasoned]]:
        match expr:
            case ir.Logic(op="not"):
                parts = [self.explain(expr.parts[0], frame, depth)]
                return parts, parts
            case ir.Logic():
                return self._look_at_logic(expr, frame, depth)
            case ir.Call():
                return self._look_at_definition(expr, frame, depth)
            case ir.If():
                test = self.explain(expr.test, frame, depth)
                chosen = self.explain(expr.yes if test.truth else expr.no, frame, depth)
                return [test, chosen], [test, chosen]
            case ir.Quantified():
                return self._look_at_elements(expr, frame, depth)
            case ir.CanDo():
                return self._look_at_action(expr, frame)
            case ir.Apply():
                parts = [self.explain(part, frame, depth) for part in expr.args if not isinstance(part, ir.Const)]
                return parts, parts
            case ir.OrElse():
                parts = [self.explain(expr.first, frame, depth)]
                return parts, parts
            case ir.Attribute() if not isinstance(expr.card, ir.Var | ir.Slot):
                parts = [self.explain(expr.card, frame, depth)]
                return parts, parts
        return [], []

    def _look_at_logic(self, expr: ir.Logic, frame: Frame, depth: int) -> tuple[list[Reasoned], list[Reasoned]]:
        stops = expr.op == "or"  # an `or` is decided by its first true part, an `and` by its first false one
        parts: list[Reasoned] = []
        for part in expr.parts:
            parts.append(self.explain(part, frame, depth))
            if parts[-1].truth == stops:
                return parts, parts[-1:]
        return parts, parts

    def _look_at_definition(self, expr: ir.Call, frame: Frame, depth: int) -> tuple[list[Reasoned], list[Reasoned]]:
        definition = self.program.definitions[expr.definition]
        own: Frame = [self.evaluator.value(argument, self.position, frame) for argument in expr.args]
        own.extend([None] * (definition.frame - len(own)))
        body = self.explain(definition.body, own, depth)
        clause = body.clause or self.program.clauses[definition.clause]
        found = Reasoned(body.text, body.value, body.truth, clause, body.parts, body.decisive)
        return [found], [found]

    def _look_at_elements(
        self, expr: ir.Quantified, frame: Frame, depth: int
    ) -> tuple[list[Reasoned], list[Reasoned]]:
        looked_for = expr.how != "every"
        kind = expr.source.type.of or expr.source.type
        parts: list[Reasoned] = []
        elements = self.evaluator.elements(expr.source, self.position, frame)
        for element in elements[:MOST_ELEMENTS]:
            frame[expr.var] = element
            test = self.explain(expr.test, frame, depth)
            said = Reasoned(f"for {self.name(kind, element)}: {test.text}", test.value, test.truth, test.clause,
                            test.parts, test.decisive)  # fmt: skip
            parts.append(said)
            if said.truth == looked_for:
                return parts, [said]
        if not elements:
            parts = [Reasoned(self.say(expr.source), "nothing", None)]
        return parts, parts

    def _look_at_action(self, expr: ir.CanDo, frame: Frame) -> tuple[list[Reasoned], list[Reasoned]]:
        seat = self.evaluator.value(expr.seat, self.position, frame)
        choices = self.list_choices(expr, seat) if seat is not None else []
        name = self.program.actions[expr.action].name
        said = ", ".join(choices) if choices else "nothing"
        parts = [Reasoned(f"what seat {seat} {expr.how} {name}", said, None)]
        return parts, parts

    def list_choices(self, expr: ir.CanDo, seat: int) -> list[str]:
        """List the first choices that make `seat may ACTION` true."""
        action = self.program.actions[expr.action]
        found: list[str] = []
        for choice in self.evaluator.legality.list_choices(
            expr.action, seat, self.position, allowed=expr.how == "may"
        ):
            if len(found) == MOST_CHOICES:
                return [*found, "…"]
            words = [self.name(pick.type, value) for pick, value in zip(action.picks, choice[1:], strict=True)]
            found.append(" ".join([action.name, *words]))
        return found

    # ---------------------------------------------------------------------------------------------- requirements
    def require(self, expr: ir.Expr, frame: Frame, wanted: bool = True, depth: int = 0) -> list[str]:
        """List, as sentences, what would have to differ for a condition to have the wanted truth; empty if it has."""
        if bool(self.evaluator.value(expr, self.position, frame)) == wanted:
            return []
        match expr:
            case ir.Named():
                return self.require(expr.body, frame, wanted, depth)
            case ir.Logic(op="not"):
                return self.require(expr.parts[0], frame, not wanted, depth)
            case ir.Logic():
                return self._require_logic(expr, frame, wanted, depth)
            case ir.Call() if depth < DEEPEST and certain(expr.type).kind == "truth":
                definition = self.program.definitions[expr.definition]
                own: Frame = [self.evaluator.value(argument, self.position, frame) for argument in expr.args]
                own.extend([None] * (definition.frame - len(own)))
                return self.require(definition.body, own, wanted, depth + 1)
            case ir.If():
                chosen = expr.yes if self.evaluator.value(expr.test, self.position, frame) else expr.no
                return self.require(chosen, frame, wanted, depth)
            case ir.CanDo() if not wanted:
                seat = self.evaluator.value(expr.seat, self.position, frame)
                there = ", ".join(self.list_choices(expr, seat))
                return [f"`{self.say(expr)}` would have to be false, but there is {there}"]
            case ir.Apply() if WORDS[expr.word].told is not None:
                return [self._require_comparison(expr, frame, wanted)]
            case ir.Const():
                return ["nothing would help: it never is" if wanted else "nothing would help: it always is"]
        return [f"`{self.say(expr)}` would have to be {'true' if wanted else 'false'}"]

    def _require_logic(self, expr: ir.Logic, frame: Frame, wanted: bool, depth: int) -> list[str]:
        needs = []
        for part in expr.parts:
            try:
                needs.append(self.require(part, frame, wanted, depth))
            except Fault:
                continue  # a part that short-circuit evaluation skipped can fault here
        needs = [need for need in needs if need]
        if (expr.op == "and") == wanted:
            return list(dict.fromkeys(line for need in needs for line in need))
        joined = [" and ".join(need) for need in needs]
        return [joined[0]] if len(joined) == 1 else ["either " + ", or ".join(dict.fromkeys(joined))]

    def _require_comparison(self, expr: ir.Apply, frame: Frame, wanted: bool) -> str:
        left, right = expr.args[0], expr.args[-1]
        if isinstance(left, ir.Const) and not isinstance(right, ir.Const) and applies(expr, Op.EQUAL, Op.DIFFER):
            left, right = right, left
        value = self.name(left.type, self.evaluator.value(left, self.position, frame))
        other = self.name(right.type, self.evaluator.value(right, self.position, frame))
        said = f"{other} (`{self.say(right)}`)" if not isinstance(right, ir.Const) and len(expr.args) > 1 else other
        told = WORDS[expr.word].told
        assert told is not None
        need = told[0 if wanted else 1].format(right=said)
        return f"`{self.say(left)}` is {value} and would have to be {need}"

    # ---------------------------------------------------------------------------------------------- formatting
    def say(self, expr: ir.Expr) -> str:
        """Return an expression as written in the file."""
        return expr.text or express(expr, self.program)

    def name(self, kind: Type, value: Any) -> str:
        """Format a value: a zone by its cards, a card that the seat cannot see as `??`."""
        kind = certain(kind)
        if value is None or not (kind.kind == "zone" or holds_cards(kind)):
            return self.sight.names.name_value(kind, value)
        if isinstance(value, tuple):
            return " ".join(self.name(kind.of or kind, part) for part in value) or "nothing"
        if kind.kind == "zone":
            cards = self.position.zones[value]
            return " ".join(self._name_card(card) for card in cards) if cards else "empty"
        return self._name_card(value)

    def name_asked(self, kind: Type, value: Any) -> str:
        """Format a value of the query itself: a card that the user has named is shown, visible or not."""
        return self.sight.names.name_card(value) if certain(kind).kind == "card" else self.name(kind, value)

    def _name_card(self, card: int) -> str:
        if self.seat is not None:
            mask = self.sight.mask_place(self.position, *self.position.find(card))
            if not includes(mask, self.seat, self.position.players):
                return UNKNOWN_CARD
        return self.sight.names.name_card(card)
