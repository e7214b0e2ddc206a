"""Law 4, statically: legality may read only what the acting seat can see.

In: a program. Out: a diagnostic for each clause that reads a hidden zone or state, naming it and the way to it.
"""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.diagnostics.report import Label
from hoyle.elaborate.environment import Environment
from hoyle.ir import nodes as ir
from hoyle.ir.layout import find_part
from hoyle.ir.types import SEAT, ZONE, Type, certain

LOOKING = {"cards": "all", "top": "top_card", "bottom": "all"}


Zones = frozenset[tuple[int, bool]]
Found = list[tuple[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the variables of a frame: which are the acting seat, and which zones the others may be, each
    with whether it is the acting seat's own."""

    actor: frozenset[int] = frozenset()
    zones: tuple[tuple[int, Zones], ...] = ()

    def bind(self, var: int, zones: Zones | None) -> Known:
        kept = tuple(pair for pair in self.zones if pair[0] != var)
        return Known(self.actor - {var}, kept if zones is None else (*kept, (var, zones)))


ME = Known(frozenset({0}))


class LeakCheck:
    """Walks an expression with what is known of its variables."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._seen: set[tuple[int, Known]] = set()

    def reads(self, expr: ir.Expr, known: Known, trail: tuple[str, ...]) -> Found:
        """What the expression reads that the actor cannot see: (what, the definitions on the way)."""
        found: Found = []
        if isinstance(expr, ir.Apply) and expr.word in LOOKING:
            found += self._look(expr.args[0], LOOKING[expr.word], known, trail)
        elif isinstance(expr, ir.StateRef):
            state = self.program.states[expr.state]
            mine = self._is_mine(state, expr.owner, known)
            if state.shows == "nothing" or (state.shows == "owner" and not mine):
                found.append((f"the state `{state.name}`", trail))
        elif isinstance(expr, ir.Call):
            found += self._call(expr, known, trail)
        elif isinstance(expr, ir.CanDo) and not self._is_actor(expr.seat, known):
            found.append((f"what another seat can do (`{expr.text}`)", trail))
        elif isinstance(expr, ir.CanDo):
            found += self.action(self.program.actions[expr.action], (*trail, self.program.actions[expr.action].name))
        elif isinstance(expr, ir.Those | ir.Quantified):
            inner = known.bind(expr.var, self._zones_of(expr.source, known))
            found += self.reads(expr.source, known, trail)
            for part in _parts(expr)[1:]:
                found += self.reads(part, inner, trail)
            return found
        for part in _parts(expr):
            found += self.reads(part, known, trail)
        return found

    def _look(self, zone: ir.Expr, needs: str, known: Known, trail: tuple[str, ...]) -> Found:
        """What is read when the cards (or the top card) of a zone are looked at."""
        zones = self._zones_of(zone, known)
        for index, mine in sorted(zones or ()):
            held = self.program.zones[index]
            if not _is_seen(held, needs, mine):
                whose = " of other seats" if held.of and not mine else ""
                return [(f"the zone `{held.name}`{whose}", trail)]
        if zones is None and isinstance(zone, ir.Var | ir.Slot):
            hidden = [z for z in self.program.zones if not _is_seen(z, needs, False)]
            return [(f"`{zone.text}`, which may be the zone `{hidden[0].name}`", trail)] if hidden else []
        return []

    def _zones_of(self, expr: ir.Expr, known: Known) -> Zones | None:
        """The zones an expression, a zone or a list of them, may stand for; None if that cannot be told."""
        if isinstance(expr, ir.ZoneRef | ir.Piles):
            return frozenset({(expr.zone, self._is_mine(self.program.zones[expr.zone], expr.owner, known))})
        if isinstance(expr, ir.Var):
            return dict(known.zones).get(expr.index)
        if isinstance(expr, ir.Const):
            return frozenset()
        if isinstance(expr, ir.Call):
            return self._zones_of(self.program.definitions[expr.definition].body, self._inside(expr, known))
        if isinstance(expr, ir.Those) and expr.value is not None:
            return self._zones_of(expr.value, known.bind(expr.var, self._zones_of(expr.source, known)))
        if isinstance(expr, ir.Those):
            return self._zones_of(expr.source, known)
        if isinstance(expr, ir.If):
            parts = [expr.yes, expr.no]
        elif isinstance(expr, ir.OrElse | ir.Named) or (isinstance(expr, ir.Apply) and expr.word != "zone"):
            parts = [part for part in _parts(expr) if _is_about_zones(part.type)]
        else:
            return None
        found = [self._zones_of(part, known) for part in parts]
        return None if None in found else frozenset().union(*(zones for zones in found if zones is not None))

    def _inside(self, expr: ir.Call, known: Known) -> Known:
        """What is known of the parameters of a definition that is called."""
        inner = Known(frozenset(i for i, arg in enumerate(expr.args) if self._is_actor(arg, known)))
        for index, arg in enumerate(expr.args):
            if _is_about_zones(arg.type):
                inner = inner.bind(index, self._zones_of(arg, known))
        return inner

    def _call(self, expr: ir.Call, known: Known, trail: tuple[str, ...]) -> Found:
        definition = self.program.definitions[expr.definition]
        inner = self._inside(expr, known)
        if (expr.definition, inner) in self._seen:
            return []
        self._seen.add((expr.definition, inner))
        return self.reads(definition.body, inner, (*trail, definition.name))

    def _is_actor(self, expr: ir.Expr, known: Known) -> bool:
        return isinstance(expr, ir.Var) and expr.index in known.actor

    def _is_mine(self, held: ir.Zone | ir.State, owner: ir.Expr | None, known: Known) -> bool:
        """Whether the acting seat is among the owners of a member of a family: it is its own, or its team's."""
        seat, team = find_part(held, owner, "seat"), find_part(held, owner, "team")
        if seat is not None:
            return self._is_actor(seat, known)
        own = isinstance(team, ir.Apply) and team.word == "element" and certain(team.args[1].type) == SEAT
        return own and isinstance(team, ir.Apply) and self._is_actor(team.args[1], known)

    def action(self, action: ir.Action, trail: tuple[str, ...]) -> Found:
        found: Found = []
        known = ME
        for index, pick in enumerate(action.picks):
            found += self.reads(pick.source, known, trail)
            known = self.bind_pick(known, index, pick)
            if pick.where is not None:
                found += self.reads(pick.where, known, trail)
        for named in action.possible + action.allowed:
            found += self.reads(named, known, trail)
        return found

    def bind_pick(self, known: Known, index: int, pick: ir.Pick) -> Known:
        """With a pick of an action, if it is a zone."""
        return known.bind(index + 1, self._zones_of(pick.source, known)) if _is_about_zones(pick.type) else known


def _is_seen(zone: ir.Zone, needs: str, mine: bool) -> bool:
    """Whether the acting seat knows the cards (or the top card) of a zone that is, or is not, its own."""
    return (
        zone.shows == "all"
        or zone.remembered
        or (zone.shows == "owner" and mine)
        or (zone.shows == "top_card" and needs == "top_card")
    )


def _is_about_zones(kind: Type) -> bool:
    kind = certain(kind)
    return kind == ZONE or (kind.of is not None and certain(kind.of) == ZONE)


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
    if isinstance(expr, ir.StateRef | ir.ZoneRef | ir.Piles):
        return [expr.owner] if expr.owner is not None else []
    if isinstance(expr, ir.Index):
        return list(expr.parts)
    return [expr.seat] if isinstance(expr, ir.CanDo) else []


def check_leaks(program: ir.Program, env: Environment) -> None:
    """Every clause that decides what a seat may do. Where errors are called, what is allowed decides nothing."""

    def tell(clause: int, expr: ir.Expr | None, known: Known) -> None:
        for what, trail in LeakCheck(program).reads(expr, known, ()) if expr is not None else ():
            _report(program, env, clause, what, trail)

    binder = LeakCheck(program)
    picked = []
    for action in program.actions:
        known = ME
        for index, pick in enumerate(action.picks):
            tell(pick.clause, pick.source, known)
            known = binder.bind_pick(known, index, pick)
            tell(pick.clause, pick.where, known)
        picked.append(known)
        for named in action.possible if program.called else action.possible + action.allowed:
            tell(named.clause, named.body, known)
    for decision in program.decisions if not program.called else ():
        for tier in decision.tiers:
            tell(tier.clause, tier.when, ME)
            for item in tier.items:
                tell(tier.clause, item.where, picked[item.action])
    for count in program.table.counts if program.table is not None else ():
        for what, trail in LeakCheck(program).reads(count.value, Known(), ()):
            _report(program, env, count.clause, what, trail, shown=True)


def _report(
    program: ir.Program, env: Environment, clause: int, what: str, trail: tuple[str, ...], *, shown: bool = False
) -> None:
    way = f" (by way of {' → '.join(f'`{t}`' for t in trail)})" if trail else ""
    others = tuple(
        Label(env.lines[zone.clause].span, f"shows {zone.shows}")
        for zone in program.zones
        if f"`{zone.name}`" in what
    )
    path, span = program.clauses[clause].path, env.lines[clause].span
    if shown:
        env.report.error(
            "leak",
            f"`{path}` reads {what}, which not everybody can see{way}",
            span,
            "is shown to all",
            others=others,
            hint="count what everybody sees: how many cards lie in a zone is always public",
        )
        return
    env.report.error(
        "leak",
        f"`{path}` reads {what}, which the seat that acts cannot see{way}",
        span,
        "decides what a seat may do",
        others=others,
        hint="what a seat may do can depend only on what it sees; who is asked may depend on everything",
    )
