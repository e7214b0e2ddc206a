"""Lowering of windows, in which other seats may act, and of taking back offences and steps.

In: `offer` and `take back` statements. Out: blocks in the control flow graph.
"""

from __future__ import annotations

from hoyle.base.diagnostics.report import Fix
from hoyle.base.source import Span
from hoyle.language.declare.calls import list_statements
from hoyle.language.declare.declarations import Line
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply, constant, logic
from hoyle.language.elaborate.local_names import bind_each
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import coerce, is_unknown
from hoyle.language.irgen.decisions import Menus
from hoyle.language.irgen.flow import Flow
from hoyle.language.irgen.simple_statements import Form
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import NUMBER, SEAT, SEATS, TRUTH, Type, list_of
from hoyle.program.words import Op

CHOICE = Type("choice")


class Windows:
    """Lowers the statements that let other seats act."""

    def __init__(self, elaborator: Elaborator, menus: Menus, flow: Flow) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env
        self.menus = menus
        self.flow = flow
        self.forms: dict[type[ast.Statement], Form] = {ast.Offer: self._offer, ast.TakeBack: self._take_back}

    def _offer(self, node: ast.Offer, scope: Scope) -> Scope:
        """Every listed seat is asked in secret. After all have answered, the first that did not decline acts, or, in a
        race, a random one. With `again`, the window reopens after that, until all decline."""
        asked = ast.Choose(
            seat=ast.Name(id=node.binding.word.id, span=node.binding.word.span),
            menu=node.menu,
            may=True,
            together=True,
            span=node.span,
            cite=node.cite,
        )
        line = Line(self.flow.line.path, node.span, "", node.cite)
        decision = self.menus.decision(asked, line, scope.names, window=True)
        seats = self._list_seats(node.binding, scope, ordered=not node.drawn)
        if decision is None or is_unknown(seats.type):
            return scope
        flow, clause = self.flow, self.flow.clause(node)
        opening = flow.new_block()
        flow.close(ir.Jump(to=opening))
        flow.go_on(opening)
        who, choices = flow.new_slot("those who are asked", SEATS), flow.new_slot("their answers", list_of(CHOICE))
        flow.emit(ir.Let(slot=who, value=seats, clause=clause))
        flow.emit(ir.Let(slot=choices, value=constant((), list_of(CHOICE), ""), clause=clause))
        self._ask(decision, who, choices, clause)
        again = opening if node.again else None
        if node.drawn:
            self._draw_claim(decision, who, choices, clause, again)
        else:
            self._act(decision, who, choices, clause, again)
        return scope

    def _list_seats(self, binding: ast.Binding, scope: Scope, *, ordered: bool) -> ir.Expr:
        listed = binding.source
        everybody = listed is None or (isinstance(listed, ast.Name) and listed.id == "seats")
        if ordered and everybody and binding.start is None:
            self._report_no_first(binding)
        inner, var, source = bind_each(self.elaborator, binding, scope)
        if binding.where is not None:
            where = self.elaborator.truth(binding.where, inner)
            source = ir.Those(
                type=source.type, var=var.index, source=source, where=where, orders=(), value=None, text=source.text
            )
        return coerce(self.env, source, SEATS, binding.span, "those who are asked")

    def _report_no_first(self, binding: ast.Binding) -> None:
        """Report a missing start: the order of the seats is the priority of their claims."""
        after = binding.source.span.end if binding.source is not None else binding.word.span.end
        end = Span(binding.span.source, after, after)
        people = [f"left of {seat}" for seat in self.env.declared.vocabulary.people]
        self.env.report.error(
            "unfinished",
            "say whose claim goes first if several act",
            end,
            hint="the seats are asked clockwise, beginning with one: `to any seat from left of dealer`",
            fix=[Fix(end, f" from {seat}", sure=False) for seat in people[:3]],
        )

    def _ask(self, decision: int, who: int, choices: int, clause: int) -> None:
        flow = self.flow
        counter, one = flow.new_slot("counter", NUMBER), flow.new_slot("seat", SEAT)
        head, body, after = flow.counted(counter, apply(Op.COUNT, (flow.slot(who),), NUMBER), clause)
        flow.go_on(body)
        flow.emit(ir.Let(slot=one, value=self._element(who, counter, SEAT), clause=clause))
        answered = flow.new_block()
        flow.close(ir.Decide(decision=decision, seat=flow.slot(one), store=choices, to=answered, clause=clause))
        flow.go_on(answered)
        flow.count_up(counter, clause)
        flow.close(ir.Jump(to=head))
        flow.go_on(after)

    def _act(self, decision: int, who: int, choices: int, clause: int, again: int | None) -> None:
        flow = self.flow
        counter = flow.new_slot("counter", NUMBER)
        head, body, after = flow.counted(counter, apply(Op.COUNT, (flow.slot(who),), NUMBER), clause)
        flow.go_on(body)
        claim, further = flow.new_block(), flow.new_block()
        choice = self._element(choices, counter, CHOICE)
        claimed = logic("not", (apply(Op.IS_EMPTY, (choice,), TRUTH),))
        flow.close(ir.Branch(test=claimed, yes=claim, no=further, clause=clause))
        flow.go_on(claim)
        seat = self._element(who, counter, SEAT)
        self._perform(decision, choice, seat, after if again is None else again)
        flow.go_on(further)
        flow.count_up(counter, clause)
        flow.close(ir.Jump(to=head))
        flow.go_on(after)

    def _draw_claim(self, decision: int, who: int, choices: int, clause: int, again: int | None) -> None:
        """A random one of the seats that did not decline acts."""
        flow = self.flow
        var = ir.Var(type=SEAT, index=flow.frame.new(), name="seat", text="seat")

        def answer_of(seat: ir.Expr) -> ir.Expr:
            place = apply(Op.PLACE_IN, (seat, flow.slot(who)), NUMBER)
            index = apply(Op.SUBTRACT, (place, constant(1, NUMBER)), NUMBER)
            return apply(Op.ELEMENT, (flow.slot(choices), index), CHOICE)

        claimed = logic("not", (apply(Op.IS_EMPTY, (answer_of(var),), TRUTH),))
        source = flow.slot(who)
        claimants, drawn = flow.new_slot("those who claim", SEATS), flow.new_slot("who acts", SEAT)
        those = ir.Those(type=SEATS, var=var.index, source=source, where=claimed, orders=(), value=None)
        flow.emit(ir.Let(slot=claimants, value=those, clause=clause))
        after, claim = flow.new_block(), flow.new_block()
        nobody = apply(Op.IS_EMPTY, (flow.slot(claimants),), TRUTH)
        flow.close(ir.Branch(test=nobody, yes=after, no=claim, clause=clause))
        flow.go_on(claim)
        flow.emit(ir.Draw(slot=drawn, source=flow.slot(claimants), clause=clause))
        seat = flow.slot(drawn)
        self._perform(decision, answer_of(seat), seat, after if again is None else again)
        flow.go_on(after)

    def _perform(self, decision: int, choice: ir.Expr, seat: ir.Expr, to: int) -> None:
        """Carry out what a seat has claimed, test the ends that waited for it, and go on there."""
        done = self.flow.new_block()
        self.flow.close(ir.Perform(choice=choice, seat=seat, to=done, decision=decision))
        self.flow.go_on(done)
        self.flow.finish(self.menus.offered(decision))
        self.flow.close(ir.Jump(to=to))

    def _element(self, listed: int, counter: int, kind: Type) -> ir.Expr:
        return apply(Op.ELEMENT, (self.flow.slot(listed), self.flow.slot(counter)), kind)

    def _take_back(self, node: ast.TakeBack, scope: Scope) -> Scope:
        """Emits nothing where offences are impossible: there is never anything to take back."""
        if node.step is not None:
            self._take_back_step(node, node.step, scope)
            return scope
        if self.env.declared.errors is None:
            self.env.report.error(
                "nothing-to-take-back",
                "nothing is ever taken back: in this game nothing can be done against the rules",
                node.span,
                hint="say which step is begun again: `take back turn`; or `errors: called` at the top",
            )
        if self.env.called:
            self.flow.emit(ir.TakeBack(clause=self.flow.clause(node)))
        return scope

    def _take_back_step(self, node: ast.TakeBack, step: ast.Word, scope: Scope) -> None:
        unit = self.flow.find_running(step, "taken back")
        if unit is None:
            return
        if self.env.declared.errors is not None or unit.name != find_kept(self.env):
            self.env.report.error(
                "taken-back-twice",
                "only one thing can be taken back in a game: an error that is called, or all of one step",
                step.span,
                hint="the outer of two steps takes back what the inner has done, too",
            )
        elif scope.subject is None:
            self.env.report.error(
                "whose",
                f"who takes `{step.name}` back? no seat is spoken of here",
                node.span,
                hint="make the step one `of: seat`, or take back in an action",
            )
        else:
            self.flow.emit(ir.TakeBack(step=step.name, seat=scope.subject, clause=self.flow.clause(node)))


def find_kept(env: Environment) -> str:
    """The step that can be taken back, the first named; empty if there is none."""
    named = (one.step for one in list_statements(env.declared) if isinstance(one, ast.TakeBack) and one.step)
    return next((f"steps.{step.name}" for step in named), "")
