"""Pots and payments: places for chips, and the statements that move them; and seats that leave.

In: the section `pots:`, statements `pay` and `retire`. Out: states that are pots; instructions.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.check.changes import Form, Reported
from hoyle.check.declarations import Declarations, PotDecl
from hoyle.check.expressions import Elaborator
from hoyle.check.flow import Flow
from hoyle.check.folding import truth_of
from hoyle.check.reader import Reader
from hoyle.check.scope import Scope
from hoyle.check.tables import fixed, owned_size
from hoyle.check.typing_rules import described, is_unknown
from hoyle.check.wording import written
from hoyle.document.nodes import Entry, Mapping
from hoyle.ir import nodes as ir
from hoyle.ir.types import NUMBER, SEAT, TRUTH
from hoyle.syntax import ast

Pot = tuple[int, ir.Expr | None]


def read_pot(reader: Reader, entry: Entry, declared: Declarations) -> None:
    """One pot: whose it is, what it holds at first, and whether it may be in debt."""
    name, node = entry.key.text, entry.value
    line = reader.line(f"pots.{name}", entry.key, node)
    if isinstance(node, Mapping):
        start, debt = node.get("start"), node.get("debt")
        declared.pots[name] = PotDecl(
            name,
            line,
            reader.owner(node, declared.kinds),
            reader.expr(start) if start is not None else None,
            reader.expr(debt) if debt is not None else None,
        )


def fill_pots(elaborator: Elaborator) -> None:
    """The pots of a world, after its states."""
    world = elaborator.world
    base = sum(state.size for state in world.state_list)
    for pot in world.declared.pots.values():
        start = fixed(elaborator, pot.start, NUMBER, f"the start of `{pot.name}`") if pot.start else 0
        debt = fixed(elaborator, pot.debt, TRUTH, f"whether `{pot.name}` may be in debt") if pot.debt else False
        if start is not None and start < 0 and not debt:
            world.report.error(
                "out-of-range",
                f"`{pot.name}` starts at {start}, but a pot holds nothing less than nothing",
                pot.start.span if pot.start else pot.line.span,
                hint="let it start at 0 or more, or say `debt: true`",
            )
        size = owned_size(world, pot.owner)
        world.states[pot.name] = len(world.state_list)
        world.state_list.append(
            ir.State(
                name=pot.name,
                owner=pot.owner,
                base=base,
                size=size,
                type=NUMBER,
                start=start or 0,
                low=None if debt else 0,
                high=None,
                shows="all",
                lasts="match",
                clause=world.clause(pot.line),
                pot=True,
                debt=bool(debt),
            )
        )
        base += size


class Payments:
    """Lowers `pay` and `retire`."""

    def __init__(self, elaborator: Elaborator, flow: Flow) -> None:
        self.elaborator = elaborator
        self.world = elaborator.world
        self.flow = flow
        self.forms: dict[type[ast.Statement], Form] = {ast.Pay: self._pay, ast.Retire: self._retire}

    def _pay(self, node: ast.Pay, scope: Scope) -> Scope:
        amount = self.elaborator.typed(node.amount, scope, NUMBER, "what is paid") if node.amount is not None else None
        clause = self.flow.clause(node)

        def emit(source: Pot, target: Pot) -> None:
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
        """Goes on with the pot that is meant; where a condition decides it, in two branches."""
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
        """The pot an expression names."""
        if check_only and isinstance(node, ast.Group | ast.Choice):
            return 0, None
        word = node if isinstance(node, ast.Name) else node.word if isinstance(node, ast.Of) else None
        name = self.elaborator.renamed(word) if word is not None else ""
        if name in self.world.reported:
            raise Reported
        index = self.world.states.get(name) if word is not None and word.id not in scope.names else None
        if index is not None and self.world.state_list[index].pot:
            found = self.elaborator.expr(node, scope)
            if isinstance(found, ir.StateRef):
                return found.state, found.owner
            raise Reported
        pots = [state.name for state in self.world.state_list if state.pot]
        if word is not None and name not in {*self.world.names(), *scope.names}:
            labels, hints = self.world.similar(name, pots, "pots")
            self.world.report.error(
                "unknown-pot",
                f"no pot named `{name}`",
                node.span,
                "not declared under `pots:`",
                others=labels,
                hint=hints,
            )
            raise Reported
        what = self.elaborator.expr(node, scope)
        if not is_unknown(what.type):
            self.world.report.error(
                "not-a-pot",
                f"chips are paid from pot to pot; `{written(node)}` is {described(what.type)}",
                node.span,
                "not a pot",
                hint=f"the pots are {', '.join(f'`{pot}`' for pot in pots)}" if pots else "declare one under `pots:`",
            )
        raise Reported

    def _retire(self, node: ast.Retire, scope: Scope) -> Scope:
        seat = self.elaborator.pointed(node.seat, scope, SEAT, "who leaves the match")
        self.flow.emit(ir.Retire(seat=seat, clause=self.flow.clause(node)))
        return scope
