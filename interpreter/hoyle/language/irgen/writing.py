"""Write effects of statements: facts that a test has proved hold until one of these invalidates them.

In: statements, with the call graph of the steps and actions they lead to. Out: `Regions` of the position, the same as
those in which `hoyle.program.effects` describes reads. The effects of a statement are those of the instructions it may
be lowered to. Slots are omitted, since names are bound only once.
"""

from __future__ import annotations

from hoyle.language.declare.calls import Calls, statements_in
from hoyle.language.elaborate.environment import Environment
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import EVERYTHING, NOTHING, Part, Region, Regions


class Writing:
    """Computes the write effects of statements. Results are cached per step and action, and per statement across all
    programs of a file with the same states."""

    def __init__(self, env: Environment, calls: Calls) -> None:
        self.env = env
        self.calls = calls
        self._known: dict[str, Regions] = {}
        self._by_kind: dict[type[ir.Instruction], Regions] = {}
        states = tuple((state.name, state.pot, state.lasts) for state in env.state_list)
        self._written = env.declared.written.setdefault((tuple(env.states.items()), states), {})

    def of(self, statements: tuple[ast.Statement, ...]) -> Regions:
        """Everything that statements may change, through steps and actions too."""
        key = tuple(map(id, statements))
        if key not in self._written:
            self._written[key] = (statements, self._of(statements))
        return self._written[key][1]

    def _of(self, statements: tuple[ast.Statement, ...]) -> Regions:
        found = self._of_block(statements)
        for one in statements_in(statements):
            for unit in self._led_to(one):
                for reached in (unit, *self.calls.reaches.get(unit, ())):
                    found |= self._of_unit(reached)
        return found

    def _led_to(self, one: ast.Statement) -> list[str]:
        if isinstance(one, ast.Do):
            return [f"steps.{one.step.name}"]
        if isinstance(one, ast.Choose | ast.Offer):
            return [f"actions.{word.name}" for word in self.calls.offered(one.menu)]
        return []

    def _of_unit(self, unit: str) -> Regions:
        """What the statements of a step or action write themselves."""
        if unit not in self._known:
            section, name = unit.split(".", 1)
            declared = self.env.declared
            decl = declared.steps.get(name) if section == "steps" else declared.actions.get(name)
            self._known[unit] = self._of_block(decl.do) if decl is not None else NOTHING
            if unit == "steps.round":
                self._known[unit] |= self._written_by(ir.BeginRound) | self._written_by(ir.EndRound)
        return self._known[unit]

    def _of_block(self, statements: tuple[ast.Statement, ...]) -> Regions:
        return frozenset().union(*(self._of_one(one) for one in statements_in(statements)))

    def _of_one(self, one: ast.Statement) -> Regions:
        if one.becomes is None:
            return EVERYTHING
        found = frozenset().union(*(self._written_by(kind) for kind in one.becomes))
        named = self._states_of(one)
        if named is None:
            return found
        others = frozenset(region for region in found if region.part is not Part.STATES)
        return others | {Region(Part.STATES, state) for state in named}

    def _states_of(self, one: ast.Statement) -> set[int] | None:
        """The states that a statement may change; None if it does not restrict them."""
        if isinstance(one, ast.Pay):
            return {number for number, state in enumerate(self.env.state_list) if state.pot}
        if not isinstance(one, ast.Set | ast.AddTo | ast.OnZone):
            return None
        target = one.zone if isinstance(one, ast.OnZone) else one.target
        state = self.env.states.get(target.name)
        return set() if state is None else {state}

    def _written_by(self, kind: type[ir.Instruction]) -> Regions:
        """What instructions of a class may change, whatever their operands."""
        if kind not in self._by_kind:
            self._by_kind[kind] = self._find_written(kind)
        return self._by_kind[kind]

    def _find_written(self, kind: type[ir.Instruction]) -> Regions:
        if kind.writes is None:
            return EVERYTHING
        found: set[Region] = set()
        for touch in kind.writes:
            if touch.fleeting:
                states = enumerate(self.env.state_list)
                found |= {Region(touch.part, number) for number, state in states if state.lasts == "round"}
            elif touch.part is not Part.SLOTS:
                found.add(Region(touch.part))
        return frozenset(found)
