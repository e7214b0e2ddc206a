"""What statements may change, told from the statements themselves: what a test has proved holds until then.

In: statements, with the call graph of the steps and actions they lead to. Out: sets of `zones`, `totals`, `rounds`,
`seats` and `state:N`, as `hoyle.analyse.effects` tells what expressions read.
"""

from __future__ import annotations

from hoyle.declare.calls import Calls, statements_in
from hoyle.elaborate.environment import Environment
from hoyle.syntax import ast
from hoyle.syntax.wording import renamed

Writes = frozenset[str]
CARDS = (ast.OnZone, ast.Deal, ast.Move, ast.Swap)


class Writing:
    """Works out what statements write; what a step or an action writes is worked out once."""

    def __init__(self, env: Environment, calls: Calls) -> None:
        self.env = env
        self.calls = calls
        self._known: dict[str, Writes] = {}
        self._everything = frozenset(
            {"zones", "totals", "rounds", "seats", *(f"state:{index}" for index in range(len(env.state_list)))}
        )

    def of(self, statements: tuple[ast.Statement, ...]) -> Writes:
        """Everything that statements may change, by way of steps and actions too."""
        found = self._of_block(statements)
        for one in statements_in(statements):
            for unit in self._led_to(one):
                for reached in (unit, *self.calls.reaches.get(unit, ())):
                    found |= self._of_unit(reached)
        return found

    def _led_to(self, one: ast.Statement) -> list[str]:
        if isinstance(one, ast.Do):
            return [f"steps.{renamed(one.step)}"]
        if isinstance(one, ast.Choose | ast.Offer):
            return [f"actions.{renamed(word)}" for word in self.calls.offered(one.menu)]
        return []

    def _of_unit(self, unit: str) -> Writes:
        """What the statements of a step or action write themselves."""
        if unit not in self._known:
            section, name = unit.split(".", 1)
            declared = self.env.declared
            decl = declared.steps.get(name) if section == "steps" else declared.actions.get(name)
            self._known[unit] = self._of_block(decl.do) if decl is not None else frozenset()
            if unit == "steps.round":  # state that lasts a round begins anew
                self._known[unit] |= {"rounds", *(f"state:{i}" for i, s in enumerate(self.env.state_list) if not s.pot)}
        return self._known[unit]

    def _of_block(self, statements: tuple[ast.Statement, ...]) -> Writes:
        return frozenset().union(*(self._of_one(one) for one in statements_in(statements)))

    def _of_one(self, one: ast.Statement) -> Writes:
        if isinstance(one, CARDS):
            shuffled = self._state_of(one.zone) if isinstance(one, ast.OnZone) else frozenset()
            piles = {f"state:{i}" for i, s in enumerate(self.env.state_list) if "zone" in (s.type.kind, _inner(s.type))}
            return frozenset({"zones", *piles}) | shuffled  # a state that names a pile names nothing once it is gone
        if isinstance(one, ast.Set | ast.AddTo):
            return self._state_of(one.target)
        if isinstance(one, ast.Score | ast.Mark):
            return frozenset({"totals"})
        if isinstance(one, ast.Pay):
            return frozenset(f"state:{i}" for i, state in enumerate(self.env.state_list) if state.pot)
        if isinstance(one, ast.Retire):
            return frozenset({"seats"})
        return self._everything if isinstance(one, ast.TakeBack) else frozenset()

    def _state_of(self, target: ast.Expr) -> Writes:
        word = target if isinstance(target, ast.Name) else target.word if isinstance(target, ast.Of) else None
        index = self.env.states.get(renamed(word)) if word is not None else None
        return frozenset() if index is None else frozenset({f"state:{index}"})


def _inner(kind: object) -> str:
    of = getattr(kind, "of", None)
    return of.kind if of is not None else ""
