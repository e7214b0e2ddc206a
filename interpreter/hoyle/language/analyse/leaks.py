"""Information-flow analysis: no rule may reveal hidden information.

In: a program. Out: a `Finding` for each clause that reads what it must not, with the chain of definitions through which
it does.

- The actions a seat may take may depend only on what that seat knows.
- What happens may depend on what some seat at the table knows, which reveals it by acting according to the rules. What
  nobody has seen must decide nothing until it is turned up or shown.
- What a score sheet shows may depend only on what everybody knows.
- The cards of a zone declared `remembered` must have been seen as they arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from hoyle.language.analyse.arrivals import Arrivals
from hoyle.language.analyse.branching import Branching, Conditions
from hoyle.language.analyse.faulting import Faulting, list_refilled
from hoyle.language.analyse.findings import Finding
from hoyle.language.analyse.kept_values import draw, forget_owner, keep_names
from hoyle.language.analyse.observers import Actor, Everybody, Observer, Somebody, describe, find_unknown
from hoyle.language.analyse.showing import ANYBODY, NOBODY, WHOEVER, Known, Names, Nodes, Showing
from hoyle.language.analyse.sight import (
    ACTOR,
    NONE,
    NOTHING,
    UNSEEN,
    Broken,
    Chosen,
    Kept,
    Place,
    Secret,
    Secrets,
    Seen,
    Sighting,
    Value,
    holds_cards,
    picked,
)
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Part, Use
from hoyle.program.ir.visibility import SHOWS, describe_shown, has_faces
from hoyle.program.ir.walk import walk

# Values for slots, each with whether chance picks an element of it, and the slots; values for states, and the states.
Puts = tuple[list[tuple[ir.Expr, bool]], list[int], list[ir.Expr], list[int]]
ACTS = Value(seat=ACTOR)
OFFERED = "what a seat may do can depend only on what it sees; who is asked may depend on what others see"
HINTS = "hints can depend only on what `seat` sees: its own hand, what lies open, how many cards lie in a zone"
DECIDES = "decides what happens"
HAPPENS = "turn it up or `show` it first, or let a seat see it"
CAME = "tells where it came from"
SOURCE = "say in which zone it lies, `move (held in hand where held = …) to …`; or move it to where all see it come"
FAULTS = "tells by its fault what it is"
FAULTLESS = (
    "a fault is seen by all: divide by what is never 0, keep the number in its range and the list below its `most`, or "
    "`show` first what it comes from"
)
SHEET = "what the score sheet shows can depend only on what lies open; write what is scored with `score`"
COUNTS = "count what everybody sees: how many cards lie in a zone is always public"
REMEMBERED = "move what lies open, or one card at a time where it is seen; or leave out `remembered`"


def find_leaks(program: ir.Program) -> list[Finding]:
    """All violations, without duplicates. What the rules show can only reduce what is hidden: if nothing is found under
    the assumption that nothing is ever shown, as in most games, the more expensive analysis of what is shown is
    skipped."""
    leaks = Leaks(program)
    if next(leaks.find(), None) is None:
        return []
    leaks.learn_what_is_shown()
    return list(dict.fromkeys(leaks.find()))


def find_untold(program: ir.Program) -> ir.Untold:
    """What a seat need not know where it decides: by decision block, where there are any, the slots whose values it
    need not know, or of whose cards it need not know which they are; and the states shown to nobody that keep what not
    all know."""
    leaks = Leaks(program)
    leaks.learn_what_is_shown()
    found = {}
    for block, (decide, known) in leaks.list_decisions():
        actor = Actor(leaks.everybody, frozenset(known.list_names(decide.seat)))
        tiers = program.decisions[decide.decision].tiers
        read = {node for tier in tiers for node in walk(tier) if isinstance(node, ir.Slot)}
        decided = {slot.index: leaks.conditions.list_secrets(block, [slot], actor.names) for slot in read}
        found[block] = tuple(
            slot
            for slot, value in leaks.shared.slots.items()
            if not any(isinstance(name, ir.Slot) and name.index == slot for name in actor.names)
            and find_unknown(_ask_for(program, slot, value) | decided.get(slot, NONE), actor) is not None
        )
    states = tuple(
        number
        for number, value in leaks.shared.states.items()
        if program.states[number].shows == "nothing"
        and find_unknown(value.face, leaks.everybody) is not None
    )
    return ir.Untold({block: slots for block, slots in found.items() if slots}, states)


def _ask_for(program: ir.Program, slot: int, value: Value) -> Secrets:
    """What one must know to know the value of a slot; of cards, at which places they lay when they got this name."""
    return value.told | picked(value.lies) if holds_cards(program.slots[slot].type) else value.face


class Leaks:
    """For every expression, compares who must know its value with who does. What somebody has been shown and what
    everybody has are kept apart: the one may decide what happens, only the other what a seat may do."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.nodes = Nodes()
        self.sighting = self.shared = Sighting(program)  # values by what somebody, and what everybody, has been shown
        every = [one for block in program.blocks for one in block.instructions]
        self._kept = {id(one): puts for one in every if any(puts := self._find_kept(one))}
        self.mixed = frozenset(one.state for one in every if isinstance(one, ir.ShuffleList) and self._is_hidden(one))
        self._learn_slots()
        self.branching = Branching(program)
        self.showing: Showing | None = None  # None: assume that nothing is shown
        self.arrivals = Arrivals(self.sighting, self.nodes)
        self.everybody = Everybody(program, self.arrivals.list_traced())
        self.actor = Actor(self.everybody)
        self.somebody = self._find_somebody()
        self.conditions = self._find_conditions()

    def learn_what_is_shown(self) -> None:
        """Refine the analysis by what the rules show."""
        self.shared = self.sighting.copy()
        self.showing = Showing(self.sighting, self.nodes)
        self.showing.run()
        self._learn_what_is_kept(self.sighting, ANYBODY)
        self._learn_what_is_kept(self.shared, WHOEVER)
        self.somebody = self._find_somebody()
        self.conditions = self._find_conditions()

    def _find_somebody(self) -> Somebody:
        return Somebody(self.program, self.arrivals.list_seen(by_all=False), self.sighting.states, self.mixed)

    def find(self) -> Iterator[Finding]:
        """The violations by the current state of the analysis."""
        yield from self.offers()
        yield from self.hints()
        yield from self.course()
        yield from self.sheet()
        yield from self.remembered()
        yield from self.visibility()

    # ---------------------------------------------------------------------------------------------- slots and states
    def _learn_slots(self) -> None:
        """Fixpoint over the abstract values of slots and states, flow-insensitively: picks by those who chose, the rest
        by assignments."""
        again = True
        while again:
            slots, states = dict(self.sighting.slots), dict(self.sighting.states)
            self._learn_picks()
            for each in self._kept.values():
                self._put(each, self.sighting, self.sighting.slots, self.sighting.states, NOBODY, WHOEVER)
            again = self._forget_what_changed(self.sighting, slots, states)

    def _find_kept(self, instruction: ir.Instruction) -> Puts:
        """The values an instruction stores in slots and in states, with the slots and states."""
        uses = self.nodes.uses(instruction)
        into_slots = [(expr, use is Use.HANDLED) for expr, use in uses if use is Use.KEPT or use is Use.HANDLED]
        into_states = [expr for expr, use in uses if use is Use.STATED]
        slots = self.nodes.written(instruction, Part.SLOTS) if into_slots else []
        states = self.nodes.written(instruction, Part.STATES) if into_states else []
        return into_slots if slots else [], slots, into_states if states else [], states

    def _put(
        self,
        kept: Puts,
        sighting: Sighting,
        slots: dict[int, Value],
        states: dict[int, Value],
        known: Known,
        names: Names,
    ) -> None:
        into_slots, slot_numbers, into_states, state_numbers = kept
        for expr, drawn in into_slots:
            value = sighting.look(expr, seen=UNSEEN if drawn else known.seen_by(names))
            value = keep_names(draw(value, expr) if drawn else value, known)
            for number in slot_numbers:
                self._add(slots, number, value)
        for expr in into_states:
            value = sighting.look(expr, seen=known.seen_by(names)).each(forget_owner)
            value = value._replace(zones=value.zones and frozenset((zone, None) for zone, _ in value.zones), ally=None)
            for number in state_numbers:
                self._add(states, number, value)

    def _forget_what_changed(self, sighting: Sighting, slots: dict[int, Value], states: dict[int, Value]) -> bool:
        """Invalidate values derived from slots and states that differ from the given ones; whether there were any."""
        changed = [
            [each for each in old.keys() | new.keys() if old.get(each) != new.get(each)]
            for old, new in ((slots, sighting.slots), (states, sighting.states))
        ]
        if any(changed):
            sighting.forget(*changed)
        return any(changed)

    def _add(self, into: dict[int, Value], index: int, value: Value) -> None:
        before = into.get(index)
        if before is not value:
            into[index] = value if before is None else before.joined(value)

    def _learn_picks(self) -> None:
        secret = {
            item.action
            for block in self.program.blocks
            if isinstance(block.end, ir.Decide)
            for tier in self.program.decisions[block.end.decision].tiers
            for item in tier.items
            if self._is_secret(block.end)
        }
        for number, action in enumerate(self.program.actions):
            seat = ir.Slot(type=self.program.slots[action.seat_slot].type, index=action.seat_slot)
            frame = self.sighting.frame_of(action, Value(seat=seat))
            for place, slot in enumerate(action.pick_slots, start=1):
                chosen, value = Secrets({Chosen(number, seat): ()}), frame[place]
                if number in secret:
                    value = value._replace(secrets=value.secrets | chosen)
                if holds_cards(self.program.slots[slot].type):  # which cards it picked, the others are not told
                    value = value._replace(lies=value.lies | chosen)
                self._add(self.sighting.slots, slot, keep_names(value, NOBODY))

    def _is_secret(self, decide: ir.Decide) -> bool:
        """Whether what is chosen is told to nobody; of a window, the choice that is carried out is told."""
        decision = self.program.decisions[decide.decision]
        return decision.secret or (decide.store is not None and not decision.window)

    def _learn_what_is_kept(self, sighting: Sighting, names: Names) -> None:
        """The values of slots and states again, with what is known at each assignment: a value computed from cards that
        had been shown is not hidden. Each turn starts from values that hold and makes them smaller, until none is."""
        again = True
        while again:
            slots: dict[int, Value] = {}
            states: dict[int, Value] = {}
            for instruction, known in self._instructions():
                if id(instruction) in self._kept:
                    self._put(self._kept[id(instruction)], sighting, slots, states, known, names)
            before = sighting.slots, sighting.states
            sighting.slots, sighting.states = sighting.slots | slots, states
            again = self._forget_what_changed(sighting, *before)

    def _instructions(self) -> Iterator[tuple[ir.Instruction, Known]]:
        """Every instruction, with what is known before it."""
        for block, known in self._list_known():
            yield from zip(block.instructions, known, strict=False)

    def _list_known(self) -> Iterable[tuple[ir.Block, list[Known]]]:
        """Every block, with what is known before each instruction and at the terminator."""
        if self.showing is not None:
            return self.showing.list_known()
        return ((block, [NOBODY] * (len(block.instructions) + 1)) for block in self.program.blocks)

    def _list_numbered(self) -> Iterator[tuple[int, tuple[ir.Block, list[Known]]]]:
        numbers = {id(block): number for number, block in enumerate(self.program.blocks)}
        return ((numbers[id(each[0])], each) for each in self._list_known())

    # ---------------------------------------------------------------------------------------------- offers
    def offers(self) -> Iterator[Finding]:
        """Violations in what decides which actions a seat has, wherever it is asked. With callable offences, `allowed`
        decides what is an offence: the offending seat must be able to know it, except for whether others have committed
        offences."""
        asked: set[int] = set()
        for block, (decide, known) in self.list_decisions():
            names = known.list_names(decide.seat)
            actor = Actor(self.everybody, names)
            seen = known.seen_by(names)
            for tier in self.program.decisions[decide.decision].tiers:
                if tier.when is not None:
                    secrets = self.shared.look(tier.when, {0: ACTS}, seen).face
                    secrets |= self.conditions.list_secrets(block, [tier.when], names)
                    yield from self._refuse(tier.clause, secrets, actor)
                for item in tier.items:
                    asked.add(item.action)
                    action = self.program.actions[item.action]
                    yield from self._offer(action, actor, seen)
                    if item.where is not None:
                        frame = self.shared.frame_of(action, ACTS)
                        secrets = self.shared.look(item.where, frame, seen).face
                        secrets |= self.conditions.list_secrets(block, [item.where], names)
                        yield from self._refuse(tier.clause, secrets, actor)
        for number, action in enumerate(self.program.actions):
            if number not in asked:
                yield from self._offer(action, self.actor, UNSEEN)

    def list_decisions(self) -> Iterator[tuple[int, tuple[ir.Decide, Known]]]:
        """The decisions by their blocks, each with what is known there."""
        for number, (block, known) in self._list_numbered():
            if isinstance(block.end, ir.Decide):
                yield number, (block.end, known[-1])

    def _find_conditions(self) -> Conditions:
        """The conditions that decide what happens and that not all know."""
        found = {}
        for number, (block, known) in self._list_numbered():
            if isinstance(block.end, ir.Branch):
                secrets = self.shared.look(block.end.test, seen=known[-1].seen_by(WHOEVER)).face
                if find_unknown(secrets, self.everybody) is not None:
                    found[number] = keep_names(Value(secrets), known[-1])
        return Conditions(self.branching, found)

    def _offer(self, action: ir.Action, actor: Actor, seen: Seen) -> Iterator[Finding]:
        for node, value in self.shared.look_at_action(action, ACTS, seen=seen):
            judges = self.program.called and node in action.allowed
            yield from self._refuse(node.clause, value.face.without(Broken) if judges else value.face, actor)

    def hints(self) -> Iterator[Finding]:
        """Violations in the evaluation given to bots: it may depend on what the seat knows, as its actions may."""
        hints = self.program.hints
        if hints is None:
            return
        for secret, trail in self.shared.look(hints, {0: ACTS}).face.items():
            if not self.actor.knows(secret):
                yield self._finding(
                    "leak", _find_clause(hints), secret, trail, "which the seat cannot see",
                    "tells a seat how it stands", HINTS, "hints",
                )  # fmt: skip

    def _refuse(self, clause: int, secrets: Secrets, observer: Observer) -> Iterator[Finding]:
        for secret, trail in secrets.items():
            if not observer.knows(secret):
                yield self._finding(
                    "leak", clause, secret, trail, "which the seat that acts cannot see", "decides what a seat may do",
                    self._see_otherwise(secret) or self._remember(secret) or OFFERED,
                )  # fmt: skip

    def _see_otherwise(self, secret: Secret) -> str:
        """A hint for zones that some seats do not see, or not always."""
        if not isinstance(secret, Place):
            return ""
        zone = self.program.zones[secret.zone]
        if has_faces(zone) or zone.cases:
            return f"`face_up of {zone.name}` are the cards of it that everybody sees now"
        if SHOWS[zone.shows].others:
            return (
                f"whose `{zone.name}` it is does not see it: let him name a place, `number: 1..5`; of another's say "
                "that it is one, `where other != seat`"
            )
        return ""

    def _remember(self, secret: Secret) -> str:
        """A hint for zones whose covered cards all have seen arrive, so that they may be declared remembered."""
        if not isinstance(secret, Place) or secret.zone not in Arrivals(self.shared, self.nodes).list_seen(by_all=True):
            return ""
        name = self.program.zones[secret.zone].name
        return f"all see the cards of `{name}` come: say `remembered: all` of it, if they may be remembered"

    # ---------------------------------------------------------------------------------------------- course of play
    def course(self) -> Iterator[Finding]:
        """Violations in what decides what happens, and in what is announced."""
        for instruction, known in self._instructions():
            yield from self._check(instruction, instruction.clause, known)
        for block, course in self._list_known():
            clause = getattr(block.end, "clause", None)
            if clause is not None:
                yield from self._check(block.end, clause, course[-1])
        yield from self._tell(self.sighting.look(self.program.winners).face, None, "winners")
        if self.program.utility is not None:
            value = self.program.utility.value
            yield from self._tell(self.sighting.look(value, {0: NOTHING}).face, _find_clause(value), "utility")

    def _check(self, node: ir.Instruction | ir.Terminator, clause: int, known: Known) -> Iterator[Finding]:
        for expr, use in self.nodes.uses(node):
            value = self.sighting.look(expr, seen=known.seen_by(ANYBODY))
            told = value.face if use in (Use.TOLD, Use.STATED) else value.told
            if use is Use.KEPT or (use is Use.STATED and self._is_hidden(node)):
                if find_unknown(told, self.somebody) is not None and self.faulting.may_fault(node, expr):
                    yield from self._tell(told, clause, "", label=FAULTS, hint=FAULTLESS)
                continue
            yield from self._tell(told, clause, "")
            if use is Use.HANDLED and value.by_face and isinstance(node, ir.Instruction):
                source = self.arrivals.find_source(node, expr, known, self.somebody)
                yield from self._tell(source, clause, "", label=CAME, hint=SOURCE)
        if isinstance(node, ir.AddTo) and not node.remove and node.state in self.refilled and self._is_hidden(node):
            held = Secrets({Kept(node.state, None): ()})
            yield from self._tell(held, clause, "", label=FAULTS, hint=FAULTLESS)

    @cached_property
    def faulting(self) -> Faulting:
        return Faulting(self.program)

    @cached_property
    def refilled(self) -> frozenset[int]:
        return list_refilled(self.program)

    def _is_hidden(self, node: ir.Instruction | ir.Terminator) -> bool:
        """Whether the states an instruction writes are visible to nobody."""
        shown = [SHOWS[self.program.states[state].shows] for state in self.nodes.written(node, Part.STATES)]
        return bool(shown) and not any(each.everybody or each.owner for each in shown)

    def _tell(
        self, secrets: Secrets, clause: int | None, part: str, *, label: str = DECIDES, hint: str = HAPPENS
    ) -> Iterator[Finding]:
        unknown = find_unknown(secrets, self.somebody)
        if unknown is not None:
            secret, trail = unknown
            found = self._finding(
                "unseen", clause, secret, trail, "which nobody at the table has seen", label, hint, part
            )  # fmt: skip
            yield replace(found, others=(*found.others, *self.arrivals.list_unseen_sources(secret)))

    # ---------------------------------------------------------------------------------------------- score sheet
    def sheet(self) -> Iterator[Finding]:
        """Violations in what is public at any time: scores, and counts on the table."""
        parts = [("ledger.standing", self.program.standing), ("ledger.struck", self.program.struck)]
        parts += [("ledger.totals", total) for total in self.program.column_totals]
        for name, expr in parts:
            if expr is not None:
                yield from self._show_all(expr, None, SHEET, name)
        for count in self.program.table.counts if self.program.table is not None else ():
            yield from self._show_all(count.value, count.clause, COUNTS, "")

    def _show_all(self, expr: ir.Expr, clause: int | None, hint: str, part: str) -> Iterator[Finding]:
        """What everybody is shown, about a seat or a line of the sheet, must be known to everybody."""
        unknown = find_unknown(self.sighting.look(expr, {0: NOTHING}).face, self.everybody)
        if unknown is not None:
            secret, trail = unknown
            yield self._finding(
                "leak", clause, secret, trail, "which not everybody can see", "is shown to all at any time", hint, part
            )

    # ---------------------------------------------------------------------------------------------- remembered zones
    def remembered(self) -> Iterator[Finding]:
        """Violations of `remembered`: cards must be seen to arrive, and their order must not be lost."""
        for unseen in Arrivals(self.shared, self.nodes).list_forgotten():
            zone = self.program.zones[unseen.zone]
            yield Finding(
                "not-remembered",
                unseen.instruction.clause,
                f"the cards of `{zone.name}` are said to be remembered by all, but {unseen.why}",
                "not seen by all",
                REMEMBERED,
                ((zone.clause, "said to be remembered"),),
            )

    # ---------------------------------------------------------------------------------------------- visibility
    def visibility(self) -> Iterator[Finding]:
        """Violations in visibility conditions of zones: whoever sees the zone learns the condition, so everybody must
        know it."""
        for zone in self.program.zones:
            for case in zone.cases:
                frame = dict.fromkeys(range(len(zone.of)), NOTHING)
                unknown = find_unknown(self.sighting.look(case.when, frame).face, self.everybody)
                if unknown is not None:
                    what, clauses = describe(unknown[0], self.program, for_actor=False)
                    yield Finding(
                        "hidden-visibility",
                        zone.clause,
                        f"who sees `{zone.name}` depends on {what}, which not everybody can see",
                        "who sees it would tell that",
                        "let it depend on states that all see, or on how many cards lie somewhere",
                        tuple((each, self._says(unknown[0])) for each in clauses if each != zone.clause),
                    )

    def _finding(
        self,
        code: str,
        clause: int | None,
        secret: Secret,
        trail: tuple[str, ...],
        cannot: str,
        label: str,
        hint: str,
        part: str = "",
    ) -> Finding:
        what, clauses = describe(secret, self.program, for_actor=hint == OFFERED)
        way = f" (by way of {' → '.join(f'`{name}`' for name in trail)})" if trail else ""
        path = self.program.clauses[clause].path if clause is not None else part
        others = tuple((each, self._says(secret)) for each in clauses)
        return Finding(code, clause, f"`{path}` reads {what}, {cannot}{way}", label, hint, others, part, trail)

    def _says(self, secret: Secret) -> str:
        match secret:
            case Place():
                return f"shows {describe_shown(self.program.zones[secret.zone])}"
            case Kept():
                return f"shows {self.program.states[secret.state].shows}"
        return "not seen by all"


def _find_clause(expr: ir.Expr) -> int | None:
    return expr.clause if isinstance(expr, ir.Named) else None
