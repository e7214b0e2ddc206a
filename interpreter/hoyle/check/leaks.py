"""Law 4, statically: legality may read only what the acting seat can see.

In: a program. Out: a diagnostic for each clause that reads a hidden zone or state, naming it and the way to it.
"""

from __future__ import annotations

from hoyle.check.world import World
from hoyle.diagnostics.report import Label
from hoyle.ir import nodes as ir

LOOKING = {"cards": "all", "top": "top_card", "bottom": "all"}


class LeakCheck:
    """Walks an expression with the set of variables known to be the acting seat."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._seen: set[tuple[int, tuple[bool, ...]]] = set()

    def reads(self, expr: ir.Expr, actor: frozenset[int], trail: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
        """What the expression reads that the actor cannot see: (what, the definitions on the way)."""
        found: list[tuple[str, tuple[str, ...]]] = []
        if isinstance(expr, ir.Apply) and expr.word in LOOKING:
            found += self._look(expr.args[0], LOOKING[expr.word], actor, trail)
        elif isinstance(expr, ir.StateRef):
            state = self.program.states[expr.state]
            mine = expr.owner is not None and self._is_actor(expr.owner, actor)
            if state.shows == "nothing" or (state.shows == "owner" and not mine):
                found.append((f"the state `{state.name}`", trail))
        elif isinstance(expr, ir.Call):
            found += self._call(expr, actor, trail)
        elif isinstance(expr, ir.CanDo) and not self._is_actor(expr.seat, actor):
            found.append((f"what another seat can do (`{expr.text}`)", trail))
        elif isinstance(expr, ir.CanDo):
            found += self.action(self.program.actions[expr.action], (*trail, self.program.actions[expr.action].name))
        for inner in _parts(expr):
            found += self.reads(inner, actor, trail)
        return found

    def _look(
        self, zone: ir.Expr, needs: str, actor: frozenset[int], trail: tuple[str, ...]
    ) -> list[tuple[str, tuple[str, ...]]]:
        if isinstance(zone, ir.ZoneRef):
            held = self.program.zones[zone.zone]
            mine = zone.owner is not None and self._is_actor(zone.owner, actor)
            if (
                held.shows == "all"
                or (held.shows == "owner" and mine)
                or (held.shows == "top_card" and needs == "top_card")
            ):
                return []
            whose = "" if not held.owner else " of other seats" if not mine else ""
            return [(f"the zone `{held.name}`{whose}", trail)]
        if isinstance(zone, ir.Var | ir.Slot):
            hidden = [
                z
                for z in self.program.zones
                if not (z.shows == "all" or (z.shows == "top_card" and needs == "top_card"))
            ]
            return [(f"`{zone.text}`, which may be the zone `{hidden[0].name}`", trail)] if hidden else []
        return []

    def _call(self, expr: ir.Call, actor: frozenset[int], trail: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
        definition = self.program.definitions[expr.definition]
        mine = tuple(self._is_actor(arg, actor) for arg in expr.args)
        if (expr.definition, mine) in self._seen:
            return []
        self._seen.add((expr.definition, mine))
        inner = frozenset(i for i, yes in enumerate(mine) if yes)
        return self.reads(definition.body, inner, (*trail, definition.name))

    def _is_actor(self, expr: ir.Expr, actor: frozenset[int]) -> bool:
        return isinstance(expr, ir.Var) and expr.index in actor

    def action(self, action: ir.Action, trail: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
        found = []
        me = frozenset({0})
        for pick in action.picks:
            for part in (pick.source, pick.where):
                if part is not None:
                    found += self.reads(part, me, trail)
        for named in action.possible + action.allowed:
            found += self.reads(named, me, trail)
        return found


def _parts(expr: ir.Expr) -> list[ir.Expr]:
    if isinstance(expr, ir.Apply | ir.Call):
        return list(expr.args)
    if isinstance(expr, ir.If):
        return [expr.test, expr.yes, expr.no]
    if isinstance(expr, ir.OrElse):
        return [expr.first, expr.second]
    if isinstance(expr, ir.Logic):
        return list(expr.parts)
    if isinstance(expr, ir.Named):
        return [expr.body]
    if isinstance(expr, ir.Those):
        keys = [order.key for order in expr.orders]
        return [part for part in (expr.source, expr.where, expr.value, *keys) if part is not None]
    if isinstance(expr, ir.Quantified):
        return [expr.source, expr.test]
    if isinstance(expr, ir.Attribute):
        return [expr.card]
    if isinstance(expr, ir.StateRef | ir.ZoneRef):
        return [expr.owner] if expr.owner is not None else []
    return [expr.seat] if isinstance(expr, ir.CanDo) else []


def check_leaks(program: ir.Program, world: World) -> None:
    """Every clause that decides what a seat may do."""
    me = frozenset({0})

    def tell(clause: int, expr: ir.Expr, actor: frozenset[int] = me) -> None:
        for what, trail in LeakCheck(program).reads(expr, actor, ()):
            _report(program, world, clause, what, trail)

    for action in program.actions:
        for pick in action.picks:
            for part in (pick.source, pick.where):
                if part is not None:
                    tell(pick.clause, part)
        for named in action.possible + action.allowed:
            tell(named.clause, named.body)
    for decision in program.decisions:
        for tier in decision.tiers:
            if tier.when is not None:
                tell(tier.clause, tier.when)
            for item in tier.items:
                if item.where is not None:
                    tell(tier.clause, item.where)


def _report(program: ir.Program, world: World, clause: int, what: str, trail: tuple[str, ...]) -> None:
    way = f" (by way of {' → '.join(f'`{t}`' for t in trail)})" if trail else ""
    others = tuple(
        Label(world.lines[zone.clause].span, f"shows {zone.shows}")
        for zone in program.zones
        if f"`{zone.name}`" in what
    )
    world.report.error(
        "leak",
        f"`{program.clauses[clause].path}` reads {what}, which the seat that acts cannot see{way}",
        world.lines[clause].span,
        "decides what a seat may do",
        others=others,
        hint="what a seat may do can depend only on what it sees; who is asked may depend on everything",
    )
