"""Settling: the program for a table, made from the general program of a game.

In: the general program, and the environment of a table. Out: the program in which the table's constants stand for what
is given: tests they decide are gone, with the blocks only those led to; families have their sizes and places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.base.effort import spend
from hoyle.language.elaborate.environment import Environment, give_value
from hoyle.language.elaborate.folding import apply, choose, constant, logic, truth_of
from hoyle.language.elaborate.giving import NoSuchCard, find_given
from hoyle.language.elaborate.pruning import Relaxing
from hoyle.language.elaborate.scope import Frame
from hoyle.language.elaborate.typing_rules import is_unknown
from hoyle.language.irgen.assemble import targets
from hoyle.language.irgen.decisions import MOST_LISTED
from hoyle.language.irgen.open_nodes import Open
from hoyle.language.irgen.single_loops import open_single_loops
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.given import Given, OpenIndex
from hoyle.program.ir.layout import find_member
from hoyle.program.ir.types import NUMBER, TRUTH, maybe
from hoyle.program.ir.walk import rebuild
from hoyle.program.words import Op, applies

NODES_IN_STEP = 8  # nodes settled for a step of effort


@dataclass(frozen=True, slots=True)
class Missing:
    """A card that a rule names though the deck lacks it, or has several: where, by clause."""

    clause: int | None
    name: str
    copies: int


@dataclass(slots=True)
class Settled:
    """A program for a table; `decided` are the clauses that its settings decide, with their outcome."""

    program: ir.Program
    decided: dict[int, bool]
    missing: list[Missing] = field(default_factory=list)


def settle(general: ir.Program, open_nodes: Open, env: Environment) -> Settled:
    """The program for the table of an environment."""
    return _Settling(general, open_nodes, env, {}).run()


def leave_open(general: ir.Program, open_nodes: Open, env: Environment) -> ir.Program:
    """A program for the analyses that stands for all tables, with teams if this one has them: options and the number of
    players are public states that nothing sets."""
    kinds = {("option", name): held.type for name, held in env.options.items()} | {("players", ""): NUMBER}
    base = sum(state.size for state in env.state_list)
    states = [
        ir.State(
            name=f"{what} {name}", of=(), base=base + number, size=1, type=kind, start=0, low=None, high=None,
            shows="all", lasts="match", clause=0,
        )
        for number, ((what, name), kind) in enumerate(kinds.items())
    ]  # fmt: skip
    places = {key: len(env.state_list) + number for number, key in enumerate(kinds)}
    program = _Settling(general, open_nodes, env, places).run().program
    return replace(program, states=(*program.states, *states))


class _Settling:
    """`states` are the states that stand for settings which are left open."""

    def __init__(
        self, general: ir.Program, open_nodes: Open, env: Environment, states: dict[tuple[str, str], int]
    ) -> None:
        self.general, self.open, self.env, self.states = general, open_nodes, env, states
        self.decided: dict[int, bool] = {}
        self.missing: list[Missing] = []
        self._clause: int | None = None
        self._live = True
        self._nodes = 0
        self._bodies: dict[int, ir.Expr] = {}
        self._decisions: dict[int, ir.Decision] = {}
        self._offered: set[int] = set()
        self._forms: dict[type, Callable[[Any], ir.Expr]] = {
            Given: self._given,
            OpenIndex: self._index,
            ir.Attribute: self._attribute,
            ir.Call: self._call,
            ir.Apply: self._apply,
            ir.If: self._if,
            ir.OrElse: self._or_else,
            ir.Logic: self._logic,
            ir.Named: self._named,
            ir.Division: self._division,
            ir.Quantified: self._quantified,
        }

    def run(self) -> Settled:
        general, env = self.general, self.env
        zones = self._settle_zones()
        blocks: dict[int, ir.Block] = {}
        self._follow([general.entry], blocks)
        actions = {number: self._action(general.actions[number]) for number in sorted(self._offered)}
        program = replace(
            general,
            players=env.players,
            options={name: give_value(env, held.value, held.type) for name, held in env.options.items()},
            cards=tuple(env.cards),
            attributes=tuple(env.attribute_list),
            zones=zones,
            states=tuple(env.state_list),
            teams=env.teams,
            most=env.most,
            track=env.track,
            called=env.called,
            winners=self._at(None, general.winners),
            struck=self._perhaps(general.struck),
            column_totals=tuple(self._expr(each) for each in general.column_totals),
            standing=self._perhaps(general.standing),
            utility=self._within(general.utility),
            hints=self._perhaps(general.hints),
            table=self._within(general.table),
        )
        self._live = False  # what nothing calls at this table is settled, but not held against it
        units = [place for step in general.steps for place in (step.entry, step.exit)]
        self._follow(units + [action.entry for action in general.actions], blocks)
        open_single_loops(blocks)
        program = replace(
            program,
            decisions=tuple(self._decision(number) for number in range(len(general.decisions))),
            definitions=tuple(self._definition(number, each) for number, each in enumerate(general.definitions)),
        )
        listed = (actions.get(number) or self._action(each) for number, each in enumerate(general.actions))
        program = _renumbered(replace(program, actions=tuple(map(self._prune(program), listed))), blocks)
        spend(self._nodes // NODES_IN_STEP)
        return Settled(program, self.decided, self.missing)

    # ---------------------------------------------------------------------------------------------- expressions
    def _expr(self, expr: ir.Expr) -> ir.Expr:
        if expr not in self.open:
            return expr
        self._nodes += 1
        form = self._forms.get(type(expr))
        return form(expr) if form is not None else rebuild(expr, self._expr)

    def _perhaps(self, expr: ir.Expr | None) -> ir.Expr | None:
        return None if expr is None else self._expr(expr)

    def _at(self, clause: int | None, expr: ir.Expr) -> ir.Expr:
        before, self._clause = self._clause, clause
        found = self._expr(expr)
        self._clause = before
        return found

    def _within(self, node: Any) -> Any:
        """A node that is no expression, with those inside it settled."""
        if node is None or node not in self.open:
            return node
        made = {
            part: self._within_part(getattr(node, part))
            for part in type(node).__dataclass_fields__
        }
        return replace(node, **made)

    def _within_part(self, held: Any) -> Any:
        if isinstance(held, ir.Expr):
            return self._expr(held)
        if isinstance(held, tuple):
            return tuple(self._within_part(each) for each in held)
        return self._within(held) if hasattr(type(held), "__dataclass_fields__") else held

    def _given(self, expr: Given) -> ir.Expr:
        state = self.states.get((expr.what, expr.name))
        if state is not None:
            return ir.StateRef(type=expr.type, state=state, owner=None, text=expr.text)
        try:
            return constant(find_given(self.env, expr.what, expr.name, expr.place), expr.type, expr.text)
        except NoSuchCard as card:
            if self._live:
                self.missing.append(Missing(self._clause, card.name, card.copies))
            return constant(None, maybe(expr.type), expr.text)

    def _index(self, expr: OpenIndex) -> ir.Expr:
        held = self.env.zone_list[expr.zone] if expr.zone is not None else self.env.state_list[expr.state or 0]
        parts = tuple(self._expr(part) for part in expr.parts)
        known = [part.value for part in parts if isinstance(part, ir.Const) and isinstance(part.value, int)]
        place = find_member(held.of, known) if len(known) == len(parts) else None
        if place is not None:
            return constant(place, NUMBER, expr.text)
        lows, sizes = tuple(each.low for each in held.of), tuple(each.size for each in held.of)
        return ir.Index(type=expr.type, parts=parts, lows=lows, sizes=sizes, text=expr.text)

    def _attribute(self, expr: ir.Attribute) -> ir.Expr:
        card = self._expr(expr.card)
        if isinstance(card, ir.Const) and card.value is not None:
            return constant(self.env.attribute_list[expr.attribute].table[card.number], expr.type, expr.text)
        return replace(expr, card=card)

    def _call(self, expr: ir.Call) -> ir.Expr:
        body = self._body(expr.definition)
        if isinstance(body, ir.Const) and not expr.args:
            return constant(body.value, body.type, expr.text)
        return rebuild(expr, self._expr)

    def _body(self, number: int) -> ir.Expr:
        """What a definition says at this table."""
        if number not in self._bodies:
            definition = self.general.definitions[number]
            self._bodies[number] = definition.body  # guards the recursion
            found = self._at(definition.clause, definition.body)
            if isinstance(definition.body, ir.If) and isinstance(found, ir.Named) and isinstance(found.body, ir.Const):
                self.decided[found.clause] = True
                found = found.body
            self._bodies[number] = found
        return self._bodies[number]

    def _apply(self, expr: ir.Apply) -> ir.Expr:
        if applies(expr, Op.OFFENDER):
            return expr if self.env.called else constant(None, expr.type, expr.text)
        args = tuple(self._expr(each) for each in expr.args)
        if applies(expr, Op.EQUAL, Op.DIFFER):
            for known, asked in (args, args[::-1]):
                if isinstance(known, ir.Const) and known.type == asked.type == TRUTH:
                    holds = bool(known.value) is applies(expr, Op.EQUAL)
                    return asked if holds else logic("not", (asked,), expr.text)
        return apply(expr.word, args, expr.type, expr.text)

    def _if(self, expr: ir.If) -> ir.Expr:
        test = self._expr(expr.test)
        known = truth_of(test)
        if known is None or is_unknown(test.type):
            yes, no = self._expr(expr.yes), self._expr(expr.no)
            return choose(test, yes, no, expr.type, expr.text)
        if isinstance(test, ir.Named):
            self.decided[test.clause] = known
        found = self._expr(expr.yes if known else expr.no)
        return constant(found.value, expr.type, found.text) if isinstance(found, ir.Const) else found

    def _or_else(self, expr: ir.OrElse) -> ir.Expr:
        first = self._expr(expr.first)
        if isinstance(first, ir.Const):
            return self._expr(expr.second) if first.value is None else constant(first.value, expr.type, first.text)
        return replace(expr, first=first, second=self._expr(expr.second))

    def _logic(self, expr: ir.Logic) -> ir.Expr:
        parts = []
        for part in expr.parts:
            parts.append(self._expr(part))
            known = truth_of(parts[-1]) if not isinstance(parts[-1], ir.Named) else None
            if expr.op != "not" and known is (expr.op == "or"):
                break  # what follows is never asked
        is_said_of_part = expr.op == "not" and expr.text == expr.parts[0].text
        return logic(expr.op, tuple(parts), parts[0].text if is_said_of_part else expr.text)

    def _named(self, expr: ir.Named) -> ir.Named:
        body = self._expr(expr.body)
        return replace(expr, body=body, text=body.text if expr.text == expr.body.text else expr.text)

    def _division(self, expr: ir.Division) -> ir.Expr:
        by = expr.by
        by = replace(by, where=self._expr(by.where), keeps=self._perhaps(by.keeps), weigh=self._perhaps(by.weigh))
        return replace(expr, source=self._expr(expr.source), by=by, given=tuple(map(self._expr, expr.given)))

    def _quantified(self, expr: ir.Quantified) -> ir.Expr:
        test = self._expr(expr.test)
        if truth_of(test) is (expr.how == "every"):
            return constant(expr.how != "some", TRUTH, expr.text)
        return replace(expr, source=self._expr(expr.source), test=test)

    # ---------------------------------------------------------------------------------------------- declarations
    def _definition(self, number: int, definition: ir.Definition) -> ir.Definition:
        body = self._body(number) if self.open.is_open_definition(number) else definition.body
        return definition if body is definition.body else replace(definition, body=body)

    def _settle_zones(self) -> tuple[ir.Zone, ...]:
        """The zones, with who sees them as far as the table decides it."""
        zones = []
        for number, zone in enumerate(self.env.zone_list):
            shows, cases = self.general.zones[number].shows, []
            for case in self.general.zones[number].cases:
                when = self._at(zone.clause, case.when)
                body = self._body(when.definition) if isinstance(when, ir.Call) else when
                known = truth_of(body)
                if known is None:
                    cases.append(replace(case, when=when))
                elif known:
                    shows = case.shows
                    break
            zones.append(replace(zone, shows=shows, cases=tuple(cases)))
        return tuple(zones)

    def _decision(self, number: int) -> ir.Decision:
        if number not in self._decisions:
            decision = self.general.decisions[number]
            self._decisions[number] = self._settle_decision(decision) if decision in self.open else decision
        return self._decisions[number]

    def _settle_decision(self, decision: ir.Decision) -> ir.Decision:
        tiers = []
        for tier in decision.tiers:
            when = None if tier.when is None else self._at(tier.clause, tier.when)
            if when is not None and truth_of(when) is False and not is_unknown(when.type):
                continue
            items = []
            for item in tier.items:
                where = None if item.where is None else self._at(tier.clause, item.where)
                if where is None or truth_of(where) is not False:
                    items.append(replace(item, where=where))
            tiers.append(replace(tier, when=when, items=tuple(items)))
        return replace(decision, tiers=tuple(tiers))

    def _action(self, action: ir.Action) -> ir.Action:
        if action not in self.open:
            return action
        return replace(
            action,
            picks=tuple(self._pick(each) for each in action.picks),
            possible=tuple(self._condition(each) for each in action.possible),
            allowed=tuple(self._condition(each) for each in action.allowed),
        )

    def _condition(self, condition: ir.Named) -> ir.Named:
        before, self._clause = self._clause, condition.clause
        found = self._named(condition) if condition in self.open else condition
        self._clause = before
        return found

    def _pick(self, pick: ir.Pick) -> ir.Pick:
        before, self._clause = self._clause, pick.clause
        pick = replace(
            pick,
            source=self._expr(pick.source),
            where=self._perhaps(pick.where),
            low=self._perhaps(pick.low),
            high=self._perhaps(pick.high),
            least=self._perhaps(pick.least),
            most=self._perhaps(pick.most),
        )
        self._clause = before
        if isinstance(pick.least, ir.Const) and isinstance(pick.most, ir.Const):  # so few numbers are listed
            low, high = pick.least.value, pick.most.value
            if isinstance(low, int) and isinstance(high, int) and high - low < MOST_LISTED:
                source = apply(Op.SPAN, (pick.least, pick.most), pick.source.type, pick.source.text)
                return replace(pick, source=source, least=None, most=None)
        return pick

    def _prune(self, program: ir.Program) -> Callable[[ir.Action], ir.Action]:
        """Derive pruning conditions for groups: what must hold of every partial group."""
        bodies = [definition.body for definition in program.definitions]
        scales = {scale.name: scale for scale in program.scales}

        def prune(action: ir.Action) -> ir.Action:
            if all(pick.low is None or pick.high is None for pick in action.picks):
                return action
            frame, picks = Frame(action.frame), list(action.picks)
            for place, pick in enumerate(picks, start=1):
                if pick.low is not None and pick.high is not None:
                    relaxing = Relaxing(place, len(picks), pick.high, bodies, frame, scales)
                    keeps, allowed = relaxing.join(action.possible), relaxing.join(action.allowed)
                    picks[place - 1] = replace(pick, keeps=keeps, keeps_allowed=allowed)
            return replace(action, picks=tuple(picks), frame=frame.size)

        return prune

    # ---------------------------------------------------------------------------------------------- blocks
    def _follow(self, waiting: list[int], found: dict[int, ir.Block]) -> None:
        """Settle the blocks that play can reach from these."""
        general = self.general
        while waiting:
            number = waiting.pop()
            if number in found:
                continue
            block = found[number] = self._block(general.blocks[number])
            waiting.extend(targets(block.end))
            if isinstance(block.end, ir.Enter):
                step = general.steps[block.end.step]
                waiting += [step.entry, step.exit]
            elif isinstance(block.end, ir.Decide) and self._live:
                decision = self._decision(block.end.decision)
                offered = {item.action for tier in decision.tiers for item in tier.items}
                waiting += [general.actions[action].entry for action in offered]
                self._offered |= offered

    def _block(self, block: ir.Block) -> ir.Block:
        if block not in self.open and (self.env.called or not self.general.called):
            return block
        instructions = []
        for one in block.instructions:
            if isinstance(one, ir.TakeBack) and not one.step and not self.env.called:
                continue
            self._clause = one.clause
            instructions.append(rebuild(one, self._expr) if one in self.open else one)  # type: ignore[type-var]
        end = block.end
        self._clause = getattr(end, "clause", None)
        if isinstance(end, ir.Branch):
            test = self._expr(end.test)
            known = None if is_unknown(test.type) else truth_of(test)
            if known is None:
                end = replace(end, test=test)
            else:
                end = ir.Jump(to=end.yes if known else end.no, clause=end.clause, held=known)
        elif end in self.open:
            end = rebuild(end, self._expr)  # type: ignore[type-var]
        self._clause = None
        return ir.Block(instructions=tuple(instructions), end=end)


def _renumbered(program: ir.Program, blocks: dict[int, ir.Block]) -> ir.Program:
    """The program with only these blocks, in their order."""
    if len(blocks) == len(program.blocks):
        return replace(program, blocks=tuple(blocks[number] for number in range(len(blocks))))
    numbers = {old: new for new, old in enumerate(sorted(blocks))}

    def to(end: ir.Terminator) -> ir.Terminator:
        if isinstance(end, ir.Branch):
            return replace(end, yes=numbers[end.yes], no=numbers[end.no])
        return replace(end, to=numbers[end.to]) if isinstance(end, ir.Jump | ir.Decide | ir.Perform | ir.Enter) else end

    return replace(
        program,
        blocks=tuple(ir.Block(instructions=blocks[old].instructions, end=to(blocks[old].end)) for old in numbers),
        steps=tuple(replace(step, entry=numbers[step.entry], exit=numbers[step.exit]) for step in program.steps),
        actions=tuple(replace(action, entry=numbers[action.entry]) for action in program.actions),
        entry=numbers[program.entry],
    )
