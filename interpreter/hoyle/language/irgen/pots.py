"""Lowering of payments and of seats that leave.

In: statements `pay` and `retire`. Out: instructions.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.base.diagnostics.report import Fix
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.folding import truth_of
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import described, is_unknown
from hoyle.language.irgen.flow import Flow
from hoyle.language.irgen.simple_statements import Form, Reported
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import is_of_seats
from hoyle.program.ir.types import NUMBER, SEAT, certain

Pot = tuple[int, ir.Expr | None]


class Payments:
    """Lowers `pay` and `retire`."""

    def __init__(self, elaborator: Elaborator, flow: Flow) -> None:
        self.elaborator = elaborator
        self.env = elaborator.env
        self.flow = flow
        self.forms: dict[type[ast.Statement], Form] = {ast.Pay: self._pay, ast.Retire: self._retire}

    def _pay(self, node: ast.Pay, scope: Scope) -> Scope:
        amount = self.elaborator.typed(node.amount, scope, NUMBER, "what is paid") if node.amount is not None else None
        clause = self.flow.clause(node)

        def emit(source: Pot, target: Pot) -> None:
            if source == target and written(node.source) == written(node.target):
                message = f"what is paid from `{written(node.source)}` comes back to it"
                self.env.report.error("pays-itself", message, node.target.span, hint="say another pot")
            self.flow.emit(
                ir.Pay(
                    amount=amount,
                    source=source[0],
                    source_owner=source[1],
                    target=target[0],
                    target_owner=target[1],
                    clause=clause,
                )
            )

        self._with_pot(
            node.source,
            scope,
            clause,
            lambda source: self._with_pot(node.target, scope, clause, lambda target: emit(source, target)),
        )
        return scope

    def _with_pot(self, node: ast.Expr, scope: Scope, clause: int, then: Callable[[Pot], None]) -> None:
        """Continue with the pot that an expression denotes; a conditional expression becomes a branch, with the
        continuation in both arms."""
        while isinstance(node, ast.Group):
            node = node.body
        if not isinstance(node, ast.Choice):
            then(self._pot(node, scope))
            return
        test = self.elaborator.truth(node.test, scope)
        known = truth_of(test)
        if known is not None or is_unknown(test.type):
            self._pot(node.no if known else node.yes, scope, check_only=True)
            self._with_pot(node.yes if known else node.no, scope, clause, then)
            return
        yes, no, after = self.flow.new_block(), self.flow.new_block(), self.flow.new_block()
        self.flow.close(ir.Branch(test=test, yes=yes, no=no, clause=clause))
        for block, chosen in ((yes, node.yes), (no, node.no)):
            self.flow.go_on(block)
            self._with_pot(chosen, scope, clause, then)
            self.flow.close(ir.Jump(to=after))
        self.flow.go_on(after)

    def _pot(self, node: ast.Expr, scope: Scope, *, check_only: bool = False) -> Pot:
        """The pot that an expression names."""
        if check_only and isinstance(node, ast.Group | ast.Choice):
            return 0, None
        word = node if isinstance(node, ast.Name) else node.word if isinstance(node, ast.Of) else None
        name = word.name if word is not None else ""
        if self.env.is_lost(name, node.span):
            raise Reported
        index = self.env.states.get(name) if word is not None and word.id not in scope.names else None
        if index is not None and self.env.state_list[index].pot:
            found = self.elaborator.expr(node, scope)
            if isinstance(found, ir.StateRef):
                return found.state, found.owner
            raise Reported
        pots = [state.name for state in self.env.state_list if state.pot]
        if word is not None and name not in {*self.env.names(), *scope.names}:
            self.env.report.error(
                "unknown-pot",
                f"no pot named `{name}`",
                node.span,
                "not declared under `pots:`",
                **self.env.similar(name, pots, node.span, "pots"),
            )
            raise Reported
        what = self.elaborator.expr(node, scope)
        if not is_unknown(what.type):
            self.env.report.error(
                "not-a-pot",
                f"chips are paid from pot to pot; `{written(node)}` is {described(what.type)}",
                node.span,
                "not a pot",
                hint=f"the pots are {', '.join(f'`{pot}`' for pot in pots)}" if pots else "declare one under `pots:`",
                fix=self._pots_of(node, what),
            )
        raise Reported

    def _pots_of(self, node: ast.Expr, what: ir.Expr) -> list[Fix]:
        """Fixes for a seat where its pot is meant."""
        owned = [state.name for state in self.env.state_list if state.pot and is_of_seats(state)]
        if certain(what.type) != SEAT:
            return []
        return [Fix(node.span, f"{pot} of {written(node)}", sure=len(owned) == 1) for pot in owned]

    def _retire(self, node: ast.Retire, scope: Scope) -> Scope:
        seat = self.elaborator.pointed(node.seat, scope, SEAT, "who leaves the match")
        self.flow.emit(ir.Retire(seat=seat, clause=self.flow.clause(node)))
        return scope
