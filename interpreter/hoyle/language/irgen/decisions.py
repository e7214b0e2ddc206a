"""Actions and decisions: parameters with their domains, conditions, and tiers.

In: declarations of actions and choices, menus in statements. Out: IR actions and decisions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from math import prod

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Fix, Label, respell
from hoyle.language.declare.declarations import ActionDecl, AnyCondition, ConditionGroup, Line, PickDecl
from hoyle.language.declare.usage import names_read
from hoyle.language.elaborate.bounds import find_bounds
from hoyle.language.elaborate.definitions import Definitions
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply, constant, logic, truth_of
from hoyle.language.elaborate.local_names import all_values, check_free
from hoyle.language.elaborate.narrowing import Facts
from hoyle.language.elaborate.scope import Frame, Scope
from hoyle.language.elaborate.typing_rules import coerce, is_unknown, unknown
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, NUMBER, SEAT, TRUTH, Type, certain, list_of, number_on
from hoyle.program.ir.walk import list_children, list_variables, walk, walk_expression
from hoyle.program.words import Op, op_named, word_of

MOST_LISTED = 64
MOST_SAID = 999_999  # upper bound of a number where the rules set none
MOST_WAYS = 1_000_000
NOTHING: Mapping[str, ir.Expr] = {}


@dataclass(slots=True)
class ActionParts:
    """An action under construction; its frame grows with the menus that restrict it. `proved` are facts with the number
    of picks that must be bound for them to hold."""

    decl: ActionDecl
    frame: Frame
    scope: Scope
    picks: list[ir.Pick] = field(default_factory=list)
    possible: tuple[ir.Named, ...] = ()
    allowed: tuple[ir.Named, ...] = ()
    proved: list[tuple[int, Facts]] = field(default_factory=list)
    of_groups: list[ir.Named] = field(default_factory=list)  # conditions of picks on a group as a whole


class Menus:
    """Builds all actions first, then decisions as statements need them."""

    def __init__(self, elaborator: Elaborator, definitions: Definitions) -> None:
        self.elaborator = elaborator
        self.definitions = definitions
        self.env: Environment = elaborator.env
        self.decisions: list[ir.Decision] = []
        self.named: dict[tuple[str, bool, bool, bool], int] = {}
        self.env.actions.update({name: i for i, name in enumerate(self.env.declared.actions)})
        self.parts: dict[str, ActionParts] = {}
        for decl in self.env.declared.actions.values():
            self.parts[decl.name] = self._picks(decl)

    # -------------------------------------------------------------------------------------------- actions
    def _picks(self, decl: ActionDecl) -> ActionParts:
        frame = Frame()
        scope, _ = Scope(frame, where="action").variable("seat", SEAT)
        parts = ActionParts(decl, frame, scope)
        places = [frame.new() for _ in decl.picks]
        for pick, place in zip(decl.picks, places, strict=True):
            if pick.pick is None:
                self._add_lost(parts, pick, place)
            elif not self._add_number(parts, pick, pick.pick, place):
                self._add_pick(parts, pick, pick.pick, place)
        for early in parts.picks[:-1]:
            if early.least is not None:
                self._report_early(decl, early.name)
        self._report_too_many(parts)
        return parts

    def _report_too_many(self, parts: ActionParts) -> None:
        """Report an action with too many combinations of picks, since all of them may have to be tried."""
        ways = prod(self._most(pick) for pick in parts.picks)
        if ways > MOST_WAYS:
            self.env.report.error(
                "too-many-picks",
                f"`{parts.decl.name}` could be chosen in {ways} ways; at most {MOST_WAYS} can be tried",
                parts.decl.picks[-1].name.span,
                hint="choose from shorter lists, or choose cards together: `cards: 2 cards from hand`",
            )

    def _most(self, pick: ir.Pick) -> int:
        """The number of values of a pick; for groups 1, since these are limited at run time."""
        if pick.low is not None or pick.least is not None:
            return 1
        if isinstance(pick.source, ir.Const) and isinstance(pick.source.value, tuple):
            return len(pick.source.value)
        sizes = {"card": len(self.env.cards), "seat": self.env.declared.allowed[1], "zone": 0}
        return max(1, sizes.get(certain(pick.type).kind, 1))

    def _add_lost(self, parts: ActionParts, decl: PickDecl, place: int) -> None:
        """Recovery: a pick that could not be parsed still binds its name."""
        nothing, clause = unknown(), self.env.clause(decl.line)
        name = decl.name.id
        parts.scope = parts.scope.bind(name, ir.Var(type=nothing.type, index=place, name=name, text=name))
        parts.picks.append(
            ir.Pick(name=name, type=nothing.type, source=nothing, where=None, low=None, high=None, clause=clause)
        )

    def _add_number(self, parts: ActionParts, decl: PickDecl, pick: ast.Pick, place: int) -> bool:
        """Add a number parameter, for a long range or one with dynamic bounds; False if the pick is not one."""
        elaborator, node = self.elaborator, pick.source
        scale = self.env.scales.get(pick.kind.name) if pick.kind is not None else None
        kind, text = NUMBER, ""
        least: ir.Expr
        most: ir.Expr
        if scale is not None:
            kind, text = number_on(scale.name), f"any {scale.name}"
            least, most = constant(scale.low, kind), constant(scale.high, kind)
        elif isinstance(node, ast.Binary) and node.op == ".." and pick.count is None:
            text = written(node)
            least, most = self._bounds(node, parts.scope)
        else:
            return False
        if self._is_short(least, most):
            return False
        check_free(elaborator.env, decl.name, parts.scope)
        name = decl.name.id
        parts.scope = replace(
            parts.scope.bind(name, ir.Var(type=kind, index=place, name=name, text=name)),
            untested=parts.scope.untested | {name},
        )
        if pick.where is not None:
            elaborator.truth(pick.where, parts.scope)
        parts.picks.append(
            ir.Pick(
                name=name,
                type=kind,
                source=ir.Apply(type=list_of(kind), word=word_of(Op.SPAN).name, args=(least, most), text=text),
                where=None,
                low=None,
                high=None,
                clause=self.env.clause(decl.line),
                least=least,
                most=most,
            )
        )
        return True

    def _is_short(self, least: ir.Expr, most: ir.Expr) -> bool:
        """Whether the numbers of a range are so few, at all tables, that they are listed."""
        low, high = find_bounds(self.env, least).low, find_bounds(self.env, most).high
        return low is not None and high is not None and high - low < MOST_LISTED

    def _bounds(self, node: ast.Binary, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
        """The bounds of a range. An upper bound of none means unbounded, as with the limit of a loop."""
        least = self.elaborator.typed(node.left, scope, NUMBER, "a bound")
        most = self.elaborator.expr(node.right, scope, NUMBER)
        unbounded = constant(MOST_SAID, NUMBER)
        if isinstance(most, ir.Const) and most.value is None and not is_unknown(most.type):
            return least, unbounded
        if isinstance(most, ir.Const) and most.type.kind == "maybe":
            most = constant(most.value, NUMBER, most.text)
        if most.type.kind != "maybe":
            return least, coerce(self.env, most, NUMBER, node.right.span, "a bound")
        return least, ir.OrElse(type=NUMBER, first=most, second=unbounded, text=most.text)

    def _report_early(self, decl: ActionDecl, name: str) -> None:
        pick = next(one for one in decl.picks if one.name.id == name)
        self.env.report.error(
            "number-not-last",
            f"`{name}` is any number of a range; only the last thing that `{decl.name}` chooses can be that",
            pick.name.span,
            "chosen from a range",
            others=(Label(decl.picks[-1].name.span, "chosen after it"),),
            hint="move it to the end of `choose:`, or let it be one of at most 64 numbers",
        )

    def _add_pick(self, parts: ActionParts, decl: PickDecl, pick: ast.Pick, place: int) -> None:
        elaborator = self.elaborator
        check_free(elaborator.env, decl.name, parts.scope)
        low = high = None
        if pick.kind is not None:
            name = pick.kind.name
            if self.env.domain_of(name) is not None:
                source = all_values(elaborator.env, name, pick.kind.span)
            else:
                self.env.report.error(
                    "unknown-type",
                    f"`{name}` has no values to choose from",
                    pick.kind.span,
                    hint="`any` stands before an attribute, a kind or an option: its values can be chosen",
                    fix=(
                        *respell(pick.kind.span, name, [*self.env.enums, *self.env.scales]),
                        *_plain_sources(pick, name, self.env),
                    ),
                )
                source = unknown()
        elif isinstance(pick.source, ast.Binary) and pick.source.op == ".." and pick.count is None:
            bounds = self._bounds(pick.source, parts.scope)
            source = apply(Op.SPAN, bounds, list_of(NUMBER), written(pick.source))
        else:
            assert pick.source is not None
            source = elaborator.listed(pick.source, parts.scope, "what is chosen from")
        element = source.type.of or Type("unknown")
        var = ir.Var(type=element, index=place, name=decl.name.id, text=decl.name.id)
        if pick.count is not None:
            low, high = self._count(pick, source, parts.scope)
            var = ir.Var(type=list_of(element), index=place, name=decl.name.id, text=decl.name.id)
        outer = parts.scope
        parts.scope = outer.bind(decl.name.id, var)
        if pick.count is not None:  # in `2 cards from hand where …`, conditions concern each card, or the named group
            inner = outer.bind("card", ir.Var(type=element, index=place, name="card", text="card"))
            each, group = split_where(pick.where, decl.name.id)
            where = self._conjoin(each, inner)
            parts.of_groups += [
                ir.Named(
                    type=TRUTH,
                    clause=self.env.clause(decl.line),
                    body=elaborator.truth(one, parts.scope),
                    text=written(one),
                )
                for one in group
            ]
        else:
            where = elaborator.truth(pick.where, parts.scope) if pick.where is not None else None
            if where is not None:
                parts.scope = elaborator.assume(parts.scope, where)
        parts.picks.append(
            ir.Pick(
                name=decl.name.id,
                type=var.type,
                source=source,
                where=where,
                low=low,
                high=high,
                clause=self.env.clause(decl.line),
                placed=certain(element) == CARD and self._is_spread(source),
            )
        )

    def _is_spread(self, source: ir.Expr) -> bool:
        """Whether the cards of a list may lie in several zones."""
        zones, entered = set[int](), set[int]()
        waiting = [source]
        while waiting:
            for node in walk_expression(waiting.pop()):
                if isinstance(node, ir.Piles):
                    return True
                if isinstance(node, ir.ZoneRef):
                    zones.add(node.zone)
                elif isinstance(node, ir.Call) and node.definition not in entered:
                    entered.add(node.definition)
                    body = self.definitions.find_body(node.definition)
                    waiting += [body] if body is not None else []
        return len(zones) > 1

    def _conjoin(self, tests: list[ast.Expr], scope: Scope) -> ir.Expr | None:
        """The conjunction of tests; None if there are none."""
        found = [self.elaborator.truth(test, scope) for test in tests]
        return logic("and", tuple(found), " and ".join(one.text for one in found)) if len(found) > 1 else (
            found[0] if found else None
        )

    def _count(self, pick: ast.Pick, source: ir.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
        """The least and the greatest number of cards chosen together."""
        node = pick.count
        assert node is not None
        ends = (node.left, node.right) if isinstance(node, ast.Binary) and node.op == ".." else (node, node)
        low, high = (self.elaborator.typed(end, scope, NUMBER, "how many") for end in ends)
        if pick.or_more:
            high = apply(Op.COUNT, (source,), NUMBER, f"count of {source.text}")
        if is_unknown(low.type) or is_unknown(high.type):
            return constant(1, NUMBER), constant(1, NUMBER)
        known = [end.value if isinstance(end, ir.Const) else None for end in (low, high)]
        least, most = (value if isinstance(value, int) else None for value in known)
        if (least is not None and least < 0) or (most is not None and most < max(least or 0, 1)):
            said = f"{low.text}" if low is high or low.text == high.text else f"{low.text}..{high.text}"
            dotted = re.sub(r"(?:(?<!\s)\s+)?(?:-|\u2013)\s*", "..", node.span.text)
            self.env.report.error(
                "out-of-range",
                f"{said} cards cannot be chosen",
                node.span,
                hint="say how few and how many, the lower number first: `1..4 cards`",
                fix=Fix(node.span, dotted) if dotted != node.span.text else (),
            )
            return constant(1, NUMBER), constant(1, NUMBER)
        return low, high

    def conditions(self) -> None:
        """Elaborate `possible` and `allowed` of all actions. They may refer to other actions, so all picks are built
        before."""
        for parts in self.parts.values():
            parts.possible = self._all(parts, parts.decl.possible)
            parts.allowed = self._all(parts, parts.decl.allowed)
            parts.possible = (*parts.of_groups, *parts.possible)
        self._report_rings()

    def _report_rings(self) -> None:
        """Report cyclic dependencies among the conditions of actions."""
        asks = {name: self._asked(parts) for name, parts in self.parts.items()}
        reached = {name: _reached(name, asks) for name in asks}
        told: set[str] = set()
        for name in asks:
            ring = [other for other in asks if other in reached[name] and name in reached[other]]
            if name not in ring or name in told:
                continue
            told.update(ring)
            self.env.report.error(
                "action-ring",
                f"whether `{name}` may be done depends on itself",
                self.parts[name].decl.line.span,
                f"by way of {', '.join(f'`{one}`' for one in ring if one != name) or 'itself'}",
                hint="let one of them be decided without asking about the other",
            )

    def _asked(self, parts: ActionParts) -> set[str]:
        """The actions whose availability the conditions of an action query, through definitions too."""
        names = list(self.env.actions)
        bodies = {d.index: d.result.body for d in self.env.definitions.values() if d.result is not None}
        waiting = self.asked_by(self.env.actions[parts.decl.name])
        found, seen = set[str](), set[int]()
        while waiting:
            for node in walk(waiting.pop()):
                if isinstance(node, ir.CanDo):
                    found.add(names[node.action])
                elif isinstance(node, ir.Call) and node.definition in bodies and node.definition not in seen:
                    seen.add(node.definition)
                    waiting.append(bodies[node.definition])
        return found

    def asked_by(self, action: int) -> list[ir.Expr]:
        """The expressions that decide whether an action is available."""
        parts = self.parts[list(self.env.actions)[action]]
        return [*(expr for pick in parts.picks for expr in list_children(pick)), *parts.possible, *parts.allowed]

    def _all(self, parts: ActionParts, conditions: tuple[AnyCondition, ...]) -> tuple[ir.Named, ...]:
        """Conditions that must all hold. Each is tested as soon as the picks it reads are bound, so the facts it proves
        may be used by later conditions that read the same or later picks."""
        found = []
        names = [pick.name for pick in parts.picks]
        for one in conditions:
            mentioned = [index for index, name in enumerate(names, start=1) if name in _names_in(one)]
            earlier = [facts for depth, facts in parts.proved if depth <= max(mentioned, default=0)]
            scope = parts.scope.learn(frozenset().union(*earlier))
            named = self.definitions.condition(one, scope)
            assert isinstance(named, ir.Named)
            found.append(named)
            depth = max((index for index in list_variables(named) if index <= len(names)), default=0)
            parts.proved.append((depth, self.elaborator.assume(scope, named).facts - scope.facts))
        return tuple(found)

    def offered(self, decision: int) -> list[str]:
        """The names of the units of the actions a decision offers."""
        names = list(self.env.actions)
        return [f"actions.{names[item.action]}" for tier in self.decisions[decision].tiers for item in tier.items]

    def pick_types(self, name: str) -> tuple[ir.Local, ...]:
        return tuple(ir.Local(name=p.name, type=p.type) for p in self.parts[name].picks)

    # -------------------------------------------------------------------------------------------- decisions
    def decision(
        self, node: ast.Choose, line: Line, around: Mapping[str, ir.Expr] = NOTHING, *, window: bool = False
    ) -> int | None:
        """The number of the decision for a menu; `around` are the local names at the statement, which inline menus may
        use in their conditions."""
        tiers = node.menu.tiers
        single = tiers[0][0] if len(tiers) == 1 and len(tiers[0]) == 1 else None
        name = single.action.name if single is not None else ""
        choice = self.env.declared.choices.get(name) if single is not None and single.where is None else None
        if choice is None:
            menu = " ".join(node.menu.span.text.split())
            built = tuple(self._tier(f"tier {i + 1}", tier, None, line, around=around) for i, tier in enumerate(tiers))
            return self._add(menu, built, node, line, 1, window)
        key = (name, node.may, node.together, window)
        if key not in self.named:
            frame = Frame()
            scope, _ = Scope(frame, where="tier").variable("seat", SEAT)
            parts = []
            for tier in choice.tiers:
                when = self.elaborator.truth(tier.when, scope) if tier.when is not None else None
                if when is not None and truth_of(when) is False:
                    continue
                known = self.elaborator.assume(scope, when).facts if when is not None else frozenset()
                parts.append(self._tier(tier.name, tier.offer.tiers[0], when, tier.line, known))
            found = self._add(name, tuple(parts), node, choice.line, frame.size, window)
            self.named[key] = found
        return self.named[key]

    def _add(
        self, name: str, tiers: tuple[ir.Tier, ...], node: ast.Choose, line: Line, frame: int, window: bool
    ) -> int:
        self.decisions.append(
            ir.Decision(
                name=name,
                tiers=tiers,
                optional=node.may,
                secret=node.together,
                window=window,
                frame=frame,
                clause=self.env.clause(line),
            )
        )
        return len(self.decisions) - 1

    def _tier(
        self,
        name: str,
        items: tuple[ast.Item, ...],
        when: ir.Expr | None,
        line: Line,
        known: Facts = frozenset(),
        around: Mapping[str, ir.Expr] = NOTHING,
    ) -> ir.Tier:
        """A tier; `known` are the facts that its `when` proves."""
        built = []
        for item in items:
            action = item.action.name
            if action not in self.parts:
                self._unknown_action(item)
                continue
            parts = self.parts[action]
            scope = parts.scope.learn(known.union(*(facts for _, facts in parts.proved)))
            scope = scope.within(around)
            where = self.elaborator.truth(item.where, scope) if item.where is not None else None
            if where is not None and truth_of(where) is False:
                continue
            built.append(ir.Item(action=self.env.actions[action], where=where))
        return ir.Tier(name=name, clause=self.env.clause(line), when=when, items=tuple(built))

    def _unknown_action(self, item: ast.Item) -> None:
        name = item.action.name
        env = self.env
        if env.is_told(name, item.action.span):
            return
        similar = env.similar(name, [*env.actions, *env.declared.choices], item.action.span, "actions")
        if name in env.declared.choices:
            similar["hint"] = (f"`{name}` is a choice with tiers of its own; it stands alone: `player chooses {name}`",)
        elif name in set(env.names()):
            similar["hint"] = (f"`{name}` is not an action; a condition goes in parentheses: `… where (… or {name})`",)
        env.report.error(
            "unknown-action",
            f"no action named `{name}`",
            item.action.span,
            "not declared under `actions:`",
            **similar,
        )


def split_where(where: ast.Expr | None, group: str) -> tuple[list[ast.Expr], list[ast.Expr]]:
    """The parts of a condition on each card, and those on the group, which mention its name."""
    if where is None:
        return [], []
    if isinstance(where, ast.Logic) and where.op == "and":
        left, right = split_where(where.left, group), split_where(where.right, group)
        return left[0] + right[0], left[1] + right[1]
    return ([], [where]) if group in names_read(where) else ([where], [])


def _names_in(condition: AnyCondition) -> set[str]:
    """The names that occur in a condition."""
    if isinstance(condition, ConditionGroup):
        return set().union(*(_names_in(part) for part in condition.parts))
    return set(names_read(condition.test))


def _plain_sources(pick: ast.Pick, name: str, env: Environment) -> tuple[Fix, ...]:
    """The fix for `any hand` where the cards of the zone are meant: the source without `any`."""
    return (Fix(pick.span, name),) if name in env.zones or name in env.definitions or op_named(name) is Op.SEATS else ()


def _reached(name: str, asks: dict[str, set[str]]) -> set[str]:
    """The actions that an action depends on, transitively."""
    found: set[str] = set()
    waiting = list(asks[name])
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(asks[one])
    return found
