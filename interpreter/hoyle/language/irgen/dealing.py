"""Lowering of what is dealt and passed round the table.

In: statements `deal` and `pass`, with their scopes. Out: instructions; a pass is a loop of moves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from hoyle.base.diagnostics.report import Fix
from hoyle.base.source import Span
from hoyle.language.declare.calls import statements_in
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.folding import apply, constant
from hoyle.language.elaborate.local_names import bind_each, list_each
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import described, is_unknown
from hoyle.language.irgen.flow import Flow
from hoyle.language.irgen.simple_statements import Form, Reported
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.effects import written_by
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARDS, NUMBER, SEAT, SEATS, TRUTH, ZONE, list_of
from hoyle.program.words import Op


class Dealing:
    """Lowers `deal` and `pass`."""

    def __init__(
        self, elaborator: Elaborator, flow: Flow, find_zone: Callable[[ast.Expr, Scope, str], ir.Expr]
    ) -> None:
        self.elaborator = elaborator
        self.env = elaborator.env
        self.flow = flow
        self._zone = find_zone
        statements = (one for unit in self.env.declared.units() for one in statements_in(unit.do))
        self._may_leave = any(isinstance(one, ast.Retire) for one in statements)
        self.forms: dict[type[ast.Statement], Form] = {ast.Deal: self._deal, ast.Pass: self._pass}

    def _deal(self, node: ast.Deal, scope: Scope) -> Scope:
        start = self.elaborator.pointed(node.start, scope, SEAT, "after `starting`, this") if node.start else None
        count = self.elaborator.typed(node.count, scope, NUMBER, "how many cards") if node.count is not None else None
        source = self._zone(node.source, scope, "where cards are dealt from")
        targets: ir.Expr | None = None
        if node.among is not None and not any(map(_of_each, node.targets)):
            self._report_not_each(node, node.among)
        for target in node.targets:
            owner = _of_each(target)
            if isinstance(target, ast.Of) and owner is not None:
                each = self._dealt_among(node, target, owner, start, scope)
            elif isinstance(target, ast.Each):
                each = self._dealt_to_each(node, target, start, scope)
            else:
                one = self._of_someone_in(self._zone(target, scope, "where cards are dealt to"), scope)
                each = apply(Op.LIST, (one,), list_of(ZONE), one.text)
            targets = each if targets is None else apply(Op.JOIN, (targets, each), list_of(ZONE), "")
        packet = self.elaborator.typed(node.packet, scope, NUMBER, "the size of a packet") if node.packet else None
        assert targets is not None
        self.flow.emit(
            ir.Deal(
                count=count,
                up_to=node.up_to or node.count is None,
                source=source,
                targets=targets,
                packet=packet or constant(1, NUMBER, "1"),
                clause=self.flow.clause(node),
            )
        )
        return scope

    def _of_someone_in(self, zone: ir.Expr, scope: Scope) -> ir.Expr:
        """A zone that is dealt to; a fault if it is that of a seat that has left the match."""
        if not self._may_leave or not isinstance(zone, ir.ZoneRef) or zone.owner is None or zone.owner.type != SEAT:
            return zone
        var = ir.Var(type=SEAT, index=scope.frame.new(), name="", text=zone.owner.text)
        still_in = ir.Those(
            type=SEATS,
            var=var.index,
            source=apply(Op.SEATS, (), SEATS, "seats"),
            where=apply(Op.EQUAL, (var, zone.owner), TRUTH),
            orders=(),
            value=None,
            text=f"{zone.owner.text}, of those still in the match",
        )
        return replace(zone, owner=apply(Op.ELEMENT, (still_in, constant(0, NUMBER, "0")), SEAT, still_in.text))

    def _dealt_to_each(self, node: ast.Deal, target: ast.Each, start: ir.Expr | None, scope: Scope) -> ir.Expr:
        """The zones of a family in dealing order: those of seats clockwise from the start of the deal."""
        each = list_each(self.env, target.word, scope)
        if is_unknown(each.type):
            raise Reported
        if each.type != list_of(ZONE):
            self.env.report.error(
                "wrong-type",
                f"cards are dealt to zones; `{each.text}` is {described(each.type)}",
                target.span,
                described(each.type),
            )
            raise Reported
        if not isinstance(each, ir.Those) or each.source.type != SEATS:
            return each
        return self._starting(node, each, start)

    def _dealt_among(
        self, node: ast.Deal, target: ast.Of, owner: ast.Word, start: ir.Expr | None, scope: Scope
    ) -> ir.Expr:
        """The zones of some owners, `upcards of each seat in live`, in dealing order."""
        binding = ast.Binding(owner, node.among, None, None, target.span)
        inner, var, source = bind_each(self.elaborator, binding, scope)
        named = ast.Of(word=target.word, arg=ast.Name(id=owner.id, span=owner.span), span=target.span)
        zone = self._of_someone_in(self._zone(named, inner, "where cards are dealt to"), inner)
        each = ir.Those(
            type=list_of(ZONE), var=var.index, source=source, where=None, orders=(), value=zone, text=written(target)
        )
        return self._starting(node, each, start) if source.type == SEATS else each

    def _report_not_each(self, node: ast.Deal, among: ast.Expr) -> NoReturn:
        last = node.targets[-1]
        word = last.word if isinstance(last, ast.Each) else None
        whole = Span(node.span.source, last.span.start, among.span.end)
        fix = Fix(whole, f"{word.id} of each seat in {written(among)}") if word is not None else ()
        self.env.report.error(
            "wrong-type",
            f"`{written(last)}` does not say whose it is, of those in `{written(among)}`",
            whole,
            hint="of some seats, the zones are dealt to with `ZONE of each seat in LIST`",
            fix=fix,
        )
        raise Reported

    def _starting(self, node: ast.Deal, each: ir.Those, start: ir.Expr | None) -> ir.Expr:
        """The zones of seats clockwise from the start of the deal."""
        if start is None:
            people = ("left of dealer", *self.env.declared.vocabulary.people)
            end = Span(node.span.source, node.span.end, node.span.end)
            self.env.report.error(
                "unfinished",
                "say who gets the first card",
                end,
                hint="cards are dealt round the table, beginning with a seat",
                fix=[Fix(end, f", starting {seat}", sure=False) for seat in people[:1]],
            )
            raise Reported
        return replace(each, source=apply(Op.AROUND, (each.source, start), SEATS, "seats"))

    def _pass(self, node: ast.Pass, scope: Scope) -> Scope:
        """One move for each seat. What a seat gets lies on what it has, so its own cards are always the lowest, as many
        as it had; ends are tested when all have passed."""
        zone = self.env.zones.get(node.zone.name)
        of_seats = zone is not None and [owner.kind for owner in self.env.zone_list[zone].of] == ["seat"]
        if not of_seats and not is_unknown(list_each(self.env, ast.Word(node.zone.id, node.zone.span), scope).type):
            self.env.report.error(
                "wrong-type", f"`{node.zone.id}` is not a zone that every seat has, so it is not passed", node.zone.span
            )
        if not of_seats:
            raise Reported
        clause = self.flow.clause(node)
        seats, own = self.flow.new_slot("who passes", SEATS), self.flow.new_slot("own cards", list_of(NUMBER))
        each, var = Scope(self.flow.frame).variable("seat", SEAT)
        count = apply(Op.COUNT, (self.elaborator.typed(node.zone, each, CARDS, "what is passed"),), NUMBER)
        one, number = self.flow.new_slot("seat", SEAT), self.flow.new_slot("cards to pass", NUMBER)
        listed = self.flow.slot(seats)
        counts = ir.Those(
            type=list_of(NUMBER), var=var.index, source=listed, where=None, orders=(), value=count, text=""
        )
        self.flow.note(ir.Let(slot=seats, value=apply(Op.SEATS, (), SEATS, "seats"), clause=clause))
        self.flow.note(ir.Let(slot=own, value=counts, clause=clause))
        counter = self.flow.new_slot("counter", NUMBER)
        head, body, after = self.flow.counted(counter, apply(Op.COUNT, (listed,), NUMBER), clause)
        self.flow.go_on(body)
        for slot, values in ((one, seats), (number, own)):
            element = apply(Op.ELEMENT, (self.flow.slot(values), self.flow.slot(counter)), self.flow.slots[slot].type)
            self.flow.note(ir.Let(slot=slot, value=element, clause=clause))
        of_one = Scope(self.flow.frame).bind("seat", self.flow.slot(one)).bind("%own", self.flow.slot(number))
        cards = ast.EndOf(
            which="bottom", number=ast.Name(id="%own", span=node.span), but=False, arg=node.zone, span=node.zone.span
        )
        target = ast.Of(word=ast.Word(node.zone.id, node.zone.span), arg=node.target, span=node.span)
        moved = ir.Move(
            cards=self.elaborator.typed(cards, of_one, CARDS, "what is passed"),
            zone=self._zone(target, of_one, "where cards are passed to"),
            bottom=False,
            clause=clause,
        )
        self.flow.note(moved)
        self.flow.count_up(counter, clause)
        self.flow.close(ir.Jump(to=head))
        self.flow.go_on(after)
        self.flow.test_ends(written_by(moved, self.env.state_list))
        return scope


def _of_each(target: ast.Expr) -> ast.Word | None:
    """The owner in `upcards of each seat`."""
    return target.arg.word if isinstance(target, ast.Of) and isinstance(target.arg, ast.Each) else None
