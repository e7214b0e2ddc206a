"""Whole-program lowering: abstract interpretation of the control-flow graph, which lowers blocks as it goes.

In: a program. Out: a `Module`.

A worklist in reverse postorder re-lowers blocks until the facts at their entries reach a fixpoint: facts are refined by
branch conditions, joined where edges meet, widened in loops, and narrowed twice at the end. It is interprocedural: on
return to a call site, places outside the callee's mod set keep the facts from before the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low import program as low_form
from hoyle.play.codegen.low.facts import NONE, Fact, exactly, join, list_of, widen
from hoyle.play.codegen.low.program import Block, Breach, Do, Module, Statement
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.capacities import find_capacities
from hoyle.play.codegen.lower.control_flow import ControlFlow, Place
from hoyle.play.codegen.lower.expressions import FORMS
from hoyle.play.codegen.lower.liveness import find_live
from hoyle.play.codegen.lower.lowering import Lowering
from hoyle.play.codegen.lower.menus import has_any, lower_menu
from hoyle.play.codegen.lower.reckoning import limit_expression, limit_menu
from hoyle.play.codegen.lower.refine import Known, refine
from hoyle.play.codegen.lower.transfer import Instructions
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.utility import find_told
from hoyle.play.engine.work import Work
from hoyle.program.common_knowledge import find_common
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import list_members
from hoyle.program.ir.types import CARD
from hoyle.program.ir.walk import list_children

WIDEN_AFTER = 1
NARROWED = 2
WORTH_IT = 0.75  # of the room for all cards in every zone: below that, lowering again with capacities pays


def lower_program(program: ir.Program) -> Module:
    """The low form of a program, or `Unsupported`; lowered twice if static capacities are worth it."""
    everywhere = (len(program.cards),) * sum(zone.size for zone in program.zones)
    lowering = ProgramLowering(program, everywhere)
    capacities = find_capacities(lowering.lower())
    if sum(capacities) <= sum(everywhere) * WORTH_IT:
        lowering = ProgramLowering(program, capacities)
        lowering.lower()
    return lowering.limit()


@dataclass(frozen=True, slots=True)
class _Site:
    """A call site: calling block, return address, facts before the call, mod set of the callee with its parameters."""

    block: int
    to: int
    known: Known
    written: frozenset[Place]


class ProgramLowering:
    def __init__(self, program: ir.Program, capacities: tuple[int, ...]) -> None:
        self.program = program
        self.work = Work(program)
        self.control = ControlFlow(program)
        self.capacities = capacities
        self.live = find_live(program, self.control)
        self.low = Lowering(program, self.capacities, FORMS)
        self.instructions: Instructions = Instructions(self.low)
        self.incoming: dict[int, dict[object, Known]] = {}
        self.visits: dict[int, int] = {}
        self.sites: dict[int, dict[int, _Site]] = {}  # by return slot and block
        self.exits: dict[int, dict[int, Known]] = {}  # by return slot and block
        self.blocks: dict[int, Block] = {}
        self.stored: dict[int, dict[int, tuple[Fact, ...]]] = {}
        self.open: set[int] = set()
        self.ranks = {number: rank for rank, number in enumerate(self.control.in_order)}
        self.known: dict[int, Known] = {}
        self.limits = False  # whether what may be too much work is made a fault

    def lower(self) -> Module:
        self._flow("start", self.program.entry, self._start())
        while self.open:
            number = min(self.open, key=lambda block: self.ranks.get(block, 0))  # first in reverse postorder
            self.open.remove(number)
            self._visit(number)
        for _ in range(NARROWED):
            self.instructions.written.clear()
            self._narrow()
        self._cut_switches()
        return self._make_module()

    def limit(self) -> Module:
        """Lower every block once more, with a fault wherever something may be more work than is allowed."""
        self.limits = True
        for number, known in self.known.items():
            self._lower_block(number, dict(known))
        self._cut_switches()
        return self._make_module()

    def _make_module(self) -> Module:
        program, low = self.program, self.low
        low.places = held = self._hold(self._start())
        winners = limit_expression(low, program.winners, low.lower(program.winners))
        standing = self._lower_standing()
        told = self._lower_about_seats(*(find_told(program) or (None, 0)))
        card = low.build.register(low.fact_of(CARD))
        return Module(
            program, low.build, self.blocks, program.entry, winners, standing, told,
            self._lower_about_seats(program.hints, 0), self._lower_common(card), card, self._lower_shown(), held,
            self.stored, self.capacities, tuple(low.texts),
        )  # fmt: skip

    def _cut_switches(self) -> None:
        """Remove return addresses of unreachable call sites from indirect jumps."""
        for number, block in self.blocks.items():
            if isinstance(block.end, low_form.Switch):
                targets = tuple(to for to in block.end.targets if to in self.blocks)
                self.blocks[number] = replace(block, end=replace(block.end, targets=targets))

    def _start(self) -> Known:
        program = self.program
        known: Known = {("slot", number): NONE for number in range(len(program.slots))}
        known |= {("slot", slot): exactly(-1) for slot in self.control.return_slots}
        for number, state in enumerate(program.states):
            known["state", number] = self.low.start_of(state).fact
        return known | {("total", column): exactly(0) for column in range(len(program.columns))}

    def _lower_standing(self) -> Value:
        """The score of each seat: the declared standing, else the first column of totals, else 0."""
        build = self.low.build

        def lower(seat: Value) -> Value:
            if self.program.standing is not None:
                value = self.low.need(self.program.standing, {0: seat})
                return limit_expression(self.low, self.program.standing, value, {0: seat})
            if self.program.columns:
                return build.read("total", self.low.places["total", 0], seat, data=(0,))
            return build.false

        return self._each_seat(lower)

    def _each_seat(self, lower: Callable[[Value], Value]) -> Value:
        """An `each` over all seats, retired ones included; never simplified away."""
        build = self.low.build
        seats = build.known_list(range(self.program.players))
        seat = build.open_variable(seats.element)
        number, (value,) = build.close_variable(seat, (lower(seat),))
        return build.make("each", (seats, build.true, value), (number,), list_of(value.fact, self.program.players))

    def _lower_about_seats(self, expr: ir.Expr | None, place: int) -> Value | None:
        """A number for each seat, which is the variable `place` of the expression; None if it is missing or a list."""
        if expr is None:
            return None
        found = self._each_seat(lambda seat: self.low.need(expr, {place: seat}))
        return None if found.args[2].fact.is_list else found

    def _lower_common(self, card: Value) -> tuple[Value, ...]:
        """What everybody can work out: seats, and then tests of a card."""
        known, definitions = find_common(self.program), self.program.definitions
        seats = ((definitions[number].body, self.low.lower(definitions[number].body)) for number in known.seats)
        env = {0: card}
        marks = ((definitions[number].body, self.low.test(definitions[number].body, env)) for number in known.marks)
        return (
            *(limit_expression(self.low, expr, value) for expr, value in seats),
            *(limit_expression(self.low, expr, value, env) for expr, value in marks),
        )

    def _lower_shown(self) -> dict[int, Value]:
        """By zone with conditional visibility, the index of the first case that holds."""
        build, shown = self.low.build, dict[int, Value]()
        for zone in self.program.zones:
            for place, values in enumerate(list_members(zone.of) if zone.cases else ()):
                env = dict(enumerate(map(build.number, values)))
                found = build.number(len(zone.cases))
                for number in reversed(range(len(zone.cases))):
                    test = self.low.test(zone.cases[number].when, env)
                    found = build.choose(test, build.number(number), found)
                many = zone.many or 1
                shown |= dict.fromkeys(range(zone.base + place * many, zone.base + (place + 1) * many), found)
        return shown

    def _hold(self, start: Known) -> Known:
        """The flow-insensitive facts: initial value joined with all writes."""
        return {place: join(fact, self.instructions.written.get(place, fact)) for place, fact in start.items()}

    # ---------------------------------------------------------------------------------------------- flow
    def _flow(self, source: object, to: int, known: Known) -> None:
        """Propagate facts along an edge, without those of dead slots; the target is queued if they changed."""
        live = self.live[to]
        known = {place: fact for place, fact in known.items() if place[0] != "slot" or place[1] in live}
        ways = self.incoming.setdefault(to, {})
        if ways.get(source) != known:
            ways[source] = known
            self.open.add(to)

    def _visit(self, number: int) -> None:
        before, now = self.known.get(number), self._join_ways(number)
        if before is not None:
            now = _join_known(before, now)
            if now == before:
                return
            self.visits[number] = self.visits.get(number, 0) + 1
            if self.visits[number] > WIDEN_AFTER:
                now = {place: widen(before.get(place, fact), fact) for place, fact in now.items()}
        self.known[number] = now
        self._lower_block(number, dict(now))

    def _join_ways(self, number: int) -> Known:
        return reduce(_join_known, self.incoming[number].values())

    def _narrow(self) -> None:
        """One narrowing pass: recompute the facts at each block from its predecessors, without joining the old ones."""
        for number in self.control.in_order:
            if number in self.known:
                self.known[number] = self._join_ways(number)
                self._lower_block(number, dict(self.known[number]))
        self.open.clear()

    # ---------------------------------------------------------------------------------------------- blocks
    def _lower_block(self, number: int, known: Known) -> None:
        block, low = self.program.blocks[number], self.low
        low.places = known
        body = self._lower_instructions(number)
        with low.within(getattr(block.end, "clause", 0)):
            more, end = self._lower_end(number, block.end)
        self.blocks[number] = Block((*body, *more), end, self.work.units_of(number))
        if self.instructions.give_up_counts():  # code lowered so far relies on refuted bounds
            for each in list(self.known):
                self._lower_block(each, dict(self.known[each]))

    def _lower_instructions(self, number: int) -> list[Statement]:
        instructions = self.program.blocks[number].instructions
        return [
            statement for each in instructions for statement in (*self._limit(each), *self.instructions.lower(each))
        ]

    def _limit(self, node: ir.Instruction | ir.Branch) -> list[Statement]:
        """A fault where an expression of an instruction or a branch may be more work than is allowed."""
        low = self.low
        if not self.limits:
            return []
        with low.within(node.clause):
            limited = [limit_expression(low, expr, low.build.false) for expr in list_children(node)]
            return [Do("evaluate", (each,), (), node.clause) for each in limited if each is not low.build.false]

    def _lower_end(self, number: int, end: ir.Terminator) -> tuple[list[Statement], low_form.End]:
        low = self.low
        match end:
            case ir.Jump():
                self._flow(number, end.to, low.places)
                return [], low_form.Jump(end.to)
            case ir.Branch():
                return self._limit(end), self._branch(number, end)
            case ir.Enter():
                step = self.program.steps[end.step]
                entered = self._enter(number, step.entry, step.return_slot, end.to, {})
                return entered, low_form.Jump(step.entry)
            case ir.Return():
                value = low.read_slot(end.slot)
                low.places = low.places | {("slot", end.slot): exactly(-1)}
                self._return(number, end.slot, low.places)
                targets = self.control.returns.get(end.slot, ())
                left = Do("set_slot", (low.build.number(-1),), (end.slot,))
                if len(targets) == 1:
                    return [left], low_form.Jump(targets[0])
                to = low.build.register(value.fact)
                return [low_form.Let(to, value), left], low_form.Switch(to, targets)
            case ir.Decide():
                return [], self._decide(number, end)
            case ir.Perform():
                return [], self._perform(number, end)
        return [], low_form.Finish()

    def _branch(self, number: int, end: ir.Branch) -> low_form.End:
        low = self.low
        test = low.test(end.test)
        if test.constant is None:
            self._flow((number, 1), end.yes, refine(low.places, test, True))
            self._flow((number, 0), end.no, refine(low.places, test, False))
            return low_form.Branch(test, end.yes, end.no)
        to = end.yes if test.constant else end.no
        self._flow((number, test.constant), to, low.places)
        return low_form.Jump(to)

    # ---------------------------------------------------------------------------------------------- steps
    def _enter(self, number: int, entry: int, slot: int, to: int, given: Known) -> list[Statement]:
        """A call: facts flow into the callee, and, for the exits seen so far, to the return address."""
        known = self.low.places
        self.instructions.hold(("slot", slot), exactly(to))
        self._flow((number, entry), entry, known | given | {("slot", slot): exactly(to)})
        written = self.control.list_written(entry) | set(given) | {("slot", slot)}
        site = _Site(number, to, known, written)
        self.sites.setdefault(slot, {})[number] = site
        self._go_on(slot, site)
        return [Do("set_slot", (self.low.build.number(to),), (slot,))]

    def _return(self, number: int, slot: int, known: Known) -> None:
        self.exits.setdefault(slot, {})[number] = known
        for site in list(self.sites.get(slot, {}).values()):
            self._go_on(slot, site)

    def _go_on(self, slot: int, site: _Site) -> None:
        for number, left in self.exits.get(slot, {}).items():
            changed = {place: fact for place, fact in left.items() if place in site.written}
            kept = {place: fact for place, fact in site.known.items() if place not in site.written}
            self._flow((site.block, number), site.to, kept | changed)

    # ---------------------------------------------------------------------------------------------- decisions
    def _seat(self, expr: ir.Expr) -> Value:
        return self.low.within_range(self.low.need(expr), 0, self.program.players - 1, self.low.clause)

    def _decide(self, number: int, end: ir.Decide) -> low_form.Decide:
        """A decision. The seat is evaluated once; menu conditions read it as the register `asked`."""
        declared = self.program.decisions[end.decision]
        seat = self._seat(end.seat)
        asked = self.low.build.read("asked", seat.fact)
        menu = self.low.recall(("menu", end.decision, asked), lambda: lower_menu(self.low, end.decision, asked))
        if self.limits:
            menu = limit_menu(self.low, menu, asked)
        picks: dict[int, tuple[Fact, ...]] = {}
        for offer in (offer for tier in menu.tiers for offer in tier.offers):
            facts = tuple(level.variable.fact for level in offer.levels)
            picks[offer.action] = _join_facts(picks.get(offer.action, facts), facts)
        if end.store is not None:
            self._store(end.store, picks)
            held = self.low.places.get(("slot", end.store), NONE)
            many = min(self.program.players, max(0, held.high) + 1)  # each seat chooses once; more are a fault
            fact = Fact(1, many, of=exactly(0))
            self.instructions.note(("slot", end.store), fact)
            self._flow(number, end.to, dict(self.low.places))
        else:
            for action, facts in picks.items():
                self._begin(number, action, facts, seat.fact, end.to)
            if declared.optional:
                self._flow(number, end.to, self.low.places)
        offers = [offer for tier in menu.tiers for offer in tier.offers]
        chosen = {offer.action: tuple(level.variable for level in offer.levels) for offer in offers}
        breaches = self._breaches(declared, asked, chosen) if self.program.called else ()
        passes = declared.window and end.store is not None
        return low_form.Decide(menu, seat, end.store, end.to, passes, breaches, end.clause)

    def _store(self, slot: int, picks: dict[int, tuple[Fact, ...]]) -> None:
        held = self.stored.setdefault(slot, {})
        for action, facts in picks.items():
            joined = _join_facts(held.get(action, facts), facts)
            if joined != held.get(action):
                held[action] = joined
                self._open_performs()

    def _open_performs(self) -> None:
        for number in self.known:
            if isinstance(self.program.blocks[number].end, ir.Perform):
                self._lower_block(number, dict(self.known[number]))

    def _begin(self, number: int, action: int, facts: tuple[Fact, ...], seat: Fact, to: int) -> None:
        declared = self.program.actions[action]
        given: Known = {("slot", declared.seat_slot): seat.sure()}
        given |= {("slot", slot): fact for slot, fact in zip(declared.pick_slots, facts, strict=True)}
        for place, fact in given.items():
            self.instructions.hold(place, fact)
        self._enter(number, declared.entry, declared.return_slot, to, given)

    def _perform(self, number: int, end: ir.Perform) -> low_form.Perform:
        choice, seat = self._need_choice(end.choice), self._seat(end.seat)
        if choice.op != "choice":
            raise Unsupported("a stored choice that is not an element of a slot")
        slot = choice.number
        held = self.stored.get(slot, {})
        actions = tuple(action for action in self.control.list_performed(end) if action in held)
        for action in actions:
            self._begin(number, action, held[action], seat.fact, end.to)
        self._flow(number, end.to, self.low.places)
        breaches: tuple[Breach, ...] = ()
        if self.program.called and end.decision is not None:
            asked = self.low.build.read("asked", seat.fact)
            chosen = {action: tuple(map(self.low.build.open_variable, held[action])) for action in actions}
            breaches = self._breaches(self.program.decisions[end.decision], asked, chosen)
        return low_form.Perform(choice, seat, actions, end.to, breaches)

    def _need_choice(self, expr: ir.Expr) -> Value:
        """The stored choice to perform; an index that is none is a fault."""
        build, choice = self.low.build, self.low.lower(expr)
        if choice.op != "if" or build.sure(choice).op != "choice":
            return choice
        found, missing = build.sure(choice), build.is_none(choice)
        at = build.check(build.negate(missing), found.args[0], self.low.clause)
        return build.read("choice", found.fact, at, data=found.data)

    def _breaches(self, decision: ir.Decision, seat: Value, chosen: dict[int, tuple[Value, ...]]) -> tuple[Breach, ...]:
        """The clause that an illegal choice breaks: of the first test that fails among the conditions of its action and
        the tier rules. `chosen` gives for each action the variables of its picks."""
        found, build = [], self.low.build
        have_legal = [has_any(self.low, tier, seat) for tier in decision.tiers]
        for action, picks in chosen.items():
            env = {0: seat, **dict(enumerate(picks, start=1))}
            tests = [(self.low.test(each, env), each.clause) for each in self.program.actions[action].allowed]
            tests.extend(self._tier_tests(decision, have_legal, seat, action, env))
            broken = build.number(-1)
            for test, clause in reversed(tests):
                broken = build.choose(test, broken, build.number(clause))
            found.append(Breach(action, picks, broken))
        return tuple(found)

    def _tier_tests(
        self, decision: ir.Decision, have_legal: list[Value], seat: Value, action: int, env: dict[int, Value]
    ) -> Iterator[tuple[Value, int]]:
        """One test for each tier, that it does not bind while the choice is of a later one, and one that some tier
        offers the choice: the first non-empty tier binds."""
        build = self.low.build
        found = build.false  # whether an open tier so far offers the choice
        for tier, any_legal in zip(decision.tiers, have_legal, strict=True):
            is_open = self.low.test(tier.when, {0: seat})
            mine = build.either(*(self.low.test(item.where, env) for item in tier.items if item.action == action))
            yield build.either(found, build.negate(is_open), mine, build.negate(any_legal)), tier.clause
            found = build.either(found, build.both(is_open, mine))
        yield found, decision.clause


def _join_facts(first: tuple[Fact, ...], second: tuple[Fact, ...]) -> tuple[Fact, ...]:
    return tuple(map(join, first, second))


def _join_known(first: Known, second: Known) -> Known:
    """The join at a merge; a place missing on one edge (a dead slot) is dropped."""
    return {
        place: fact if fact is (other := second[place]) or fact == other else join(fact, other)
        for place, fact in first.items()
        if place in second
    }
