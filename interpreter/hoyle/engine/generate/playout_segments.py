"""Random playout: segments in which decisions are sampled inline.

In: blocks. Out: functions of the position that play on through decisions and return the block to go on at, or None at
the end of the match. How many choices were offered is noted; nothing is kept of a choice but what comes of it. Where
such code cannot go on, the whole match is played anew, decision by decision.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from hoyle.dataclass import dataclass
from hoyle.engine.generate.choices import Choices, can_be_many, write_choice
from hoyle.engine.generate.flow import Flow, Meeting
from hoyle.engine.generate.graph import Graph, list_offered
from hoyle.engine.generate.liveness import Liveness
from hoyle.engine.generate.module import Function, Module
from hoyle.engine.generate.nodes import Key
from hoyle.engine.generate.refuted import find_refuted
from hoyle.engine.generate.registers import Registers
from hoyle.engine.generate.running import find_zone_totalled
from hoyle.engine.generate.segment import FALSE, WORTH_MEETING, Segment, has_number
from hoyle.engine.generate.segments import Segments
from hoyle.engine.generate.tiers import asks_again
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import Code, Line, Writer, atom, comment
from hoyle.engine.limits import MOST_CHOICES, MOST_DECISIONS, MOST_OFFERED, MOST_STEPS
from hoyle.ir import nodes as ir
from hoyle.model.chance import PIECE


@dataclass(frozen=True, slots=True)
class Offer:
    """What is offered of an action: a list of what can be picked, or, if nothing is to be picked, 0 or 1. With `of`,
    the list is of groups of `few` places in the list of that name."""

    action: int
    name: str
    picks: int
    of: str = ""
    few: int = 0

    @property
    def size(self) -> str:
        return f"len({self.name})" if self.picks else self.name


@dataclass(frozen=True, slots=True)
class Arm:
    """One way on from a decision: how many of the choices lead there, and what writes it, given the place of the one
    drawn."""

    size: str
    write: Callable[[Code, Flow], bool]


class Picking:
    """Picks join a list, the only one as it is, several as a tuple."""

    def __init__(self, values: Values, found: str, *, many: bool) -> None:
        self.values = values
        self.found = found
        self.many = many
        self.bundled = False

    def add(self, choice: str) -> None:
        raise AssertionError("choices are not listed twice here")

    def add_picks(self, number: int, picks: list[str]) -> None:
        if not picks:
            self.values.writer.add(f"{self.found} = 1")
            return
        picked = picks[0] if len(picks) == 1 else f"({', '.join(picks)})"
        self.values.writer.add(f"{self.found}.append({picked})")

    def add_groups(self, number: int, picks: list[str], groups: str) -> None:
        writer = self.values.writer
        if not picks:
            self.many = False
            writer.add(f"{self.found} = {groups}")
            self.values.stop_if(f"{self.found}.total > {MOST_DRAWN}")
        else:
            self.bundled = True
            writer.add(f"{self.found}.append(({', '.join(picks)}, {groups}))")

    def check(self) -> None:
        if self.many and not self.bundled:
            self.values.stop_if(f"len({self.found}) > {MOST_CHOICES}")


class PlayoutSegment(Segment):
    """One function being written in which choices are drawn.

    Instructions since the last decision are counted as if every way were the longest, and rounds of loops that have
    decisions in them: a match that comes near a limit is played anew, exactly."""

    segments: PlayoutSegments
    counts_exactly = False

    def __init__(self, segments: PlayoutSegments) -> None:
        super().__init__(segments, stands_at=None)
        self.values.inlines = True
        self._decided: set[int] = set()  # blocks at which loops begin in which there is a decision

    def note_totals(self) -> Counter[ir.Expr]:
        """What could be kept up to date, and how often it is worked out; filled while the function is written."""
        asked: Counter[ir.Expr] = Counter()
        self.values.note = lambda expr: asked.update([expr] if find_zone_totalled(expr) is not None else [])
        return asked

    def _begin_count(self, flow: Flow) -> Flow:
        return flow

    def _is_refuted(self, number: int, test: ir.Expr) -> bool:
        return test in self.segments.refuted[number] or super()._is_refuted(number, test)

    def _carry_out(self, number: int, flow: Flow) -> Flow:
        for test in self.segments.refuted[number]:
            self.values.shared.setdefault(test, FALSE)
        return super()._carry_out(number, flow)

    def _go_after(self, to: int, flow: Flow) -> bool:
        return self.go(to, flow)

    def _decide(self, number: int, end: ir.Decide, flow: Flow) -> bool:
        decision = self.program.decisions[end.decision]
        seat = self.values.name(self.values.need(self.module.simple(end.seat)), "seat")
        self.writer.add(comment(f"choice: {decision.name}"))
        self.said = ""
        if is_simple(self.program, decision) and (end.store is None or len(decision.tiers[0].items) == 1):
            return self._draw_offer(end, decision, seat, flow)
        return self._draw_choice(number, end, decision, seat, flow)

    def _repeat(self, number: int, flow: Flow) -> None:
        self._note(flow)
        self.values.stop_if(f"(budget := budget - {flow.cost}) < 0")
        if number in self._decided:
            self.values.stop_if("(left := left - 1) < 0")
        self.writer.add("continue")

    def _note_size(self, size: Code, flow: Flow) -> Flow:
        """Note how many choices there are; instructions are counted anew."""
        self._note(flow)
        self.writer.add(f"note({size.text})")
        self.writer.add("budget = ENOUGH")
        self._decided |= {header for header, _ in self.loops}
        return replace(flow, cost=0, spent=0)

    # ---------------------------------------------------------------------------------------------- one tier
    def _draw_offer(self, end: ir.Decide, decision: ir.Decision, seat: Code, flow: Flow) -> bool:
        """What is offered in the only tier, action by action."""
        offers = list_offers(self.module, self.values, decision, seat)
        sizes = [offer.size for offer in offers]
        arms = [Arm(offer.size, self._offered(end, offer, seat)) for offer in offers]
        if decision.optional:
            arms.append(Arm("1", lambda _, begun: self._declined(end, begun)))
            sizes.append("1")
        size = self.values.name(Code(" + ".join(sizes), 0), "size")
        if not decision.optional:
            self.values.stop_if(f"not {size.text}")
        draw = partial(self._draw, end.to, size, arms, seat, flow, window=decision.window)
        return self._pass_over(end, f"{size.text} == 1", draw, flow) if _passes(decision, end) else draw()

    def _pass_over(self, end: ir.Decide, nothing: str, draw: Callable[[], bool], flow: Flow) -> bool:
        """A seat that could only decline in a window is not asked."""
        meeting = self._meet(end.to, flow)
        self.writer.add(f"if {nothing}:")
        with self.values.scope(), self.writer.indented():
            runs_on = self._declined(end, flow)
        self.writer.add("else:")
        with self.values.scope(), self.writer.indented():
            runs_on = draw() or runs_on
        return self._go_on_from(meeting, runs_on)

    def _offered(self, end: ir.Decide, offer: Offer, seat: Code) -> Callable[[Code, Flow], bool]:
        """What is done if one of the choices offered of an action is drawn."""

        def write(at: Code, flow: Flow) -> bool:
            picks = self._pick(offer, at, seat)
            if end.store is not None:
                return self._store(end, write_choice(offer.action, [pick.text for pick in picks]), flow)
            begun = self._begin(offer.action, seat, picks, end.to, flow)
            return self.go(self.program.actions[offer.action].entry, begun)

        return write

    def _place(self, size: str, seat: Code, *, window: bool = False) -> Code:
        """The place of the choice it is to be, of so many: what `Draws.place` gives. In a window a seat that could act
        mostly declines, which is the last choice."""
        at = atom(self.writer.fresh("at"))
        self.writer.add(f"{at.text} = {size} - 1" if window else f"{at.text} = 0")
        self.writer.add(f"if {size} > 1{' and acts()' if window else ''}:")
        with self.writer.indented():
            self.writer.add(f"{at.text} = takes[{seat.text}]()")
            self.writer.add(f"if {at.text} >= {PIECE} - {size}:")
            with self.writer.indented():
                self.writer.add(f"{at.text} = redraw({at.text}, {size}, {seat.text})")
            self.writer.add(f"{at.text} %= {size}")
        return at

    def _pick(self, offer: Offer, at: Code, seat: Code) -> list[Code]:
        if not offer.picks:
            return []
        drawn = self.values.name(atom(f"{offer.name}[{at.text}]"), "pick")
        if offer.of:
            taken = ", ".join(f"{offer.of}[{drawn.text}[{place}]]" for place in range(offer.few))
            return [self.values.name(atom(f"({taken},)" if offer.few == 1 else f"({taken})"), "pick")]
        picks = [drawn] if offer.picks == 1 else [atom(f"{drawn.text}[{place}]") for place in range(offer.picks)]
        if has_number(self.program, offer.action):
            numbers = self.values.name(picks[-1], "numbers")
            at = self._place(f"len({numbers.text})", seat)
            picks[-1] = self.values.name(atom(f"{numbers.text}[{at.text}]"), "pick")
        return [self.values.name(pick, "pick") for pick in picks]

    def _draw(self, to: int, size: Code, arms: list[Arm], seat: Code, flow: Flow, *, window: bool) -> bool:
        """Draw one of so many choices, and go on with it."""
        flow = self._note_size(size, flow)
        at = self._place(size.text, seat, window=window)
        if len(arms) == 1:
            return arms[0].write(at, flow)
        meeting = self._meet(to, flow)
        runs_on, before = False, ""
        for arm in arms:
            if arm is arms[-1]:
                self.writer.add("else:")
            else:
                upto = f"{before} + {arm.size}" if before else arm.size
                self.writer.add(f"{'elif' if before else 'if'} {at.text} < {upto}:")
            with self.values.scope(), self.writer.indented():
                runs_on = arm.write(atom(f"{at.text} - ({before})" if before else at.text), flow) or runs_on
            self.said = ""
            before = f"{before} + {arm.size}" if before else arm.size
        return self._go_on_from(meeting, runs_on)

    # ---------------------------------------------------------------------------------------------- several tiers
    def _draw_choice(self, number: int, end: ir.Decide, decision: ir.Decision, seat: Code, flow: Flow) -> bool:
        """What is offered is listed by a function; which action is drawn shows only then."""
        listed = self.values.name(atom(f"{self.segments.legal(number, end)}(position)"), "legal")
        draw = partial(self._draw_listed, end, decision, listed, seat, flow)
        return self._pass_over(end, f"{listed.text} == [()]", draw, flow) if _passes(decision, end) else draw()

    def _draw_listed(self, end: ir.Decide, decision: ir.Decision, listed: Code, seat: Code, flow: Flow) -> bool:
        size = self.values.name(atom(f"len({listed.text})"), "size")
        flow = self._note_size(size, flow)
        at = self._place(size.text, seat, window=decision.window)
        choice = self.values.name(atom(f"{listed.text}[{at.text}]"), "choice")
        offered = list_offered(self.program, end)
        if any(has_number(self.program, action) for action in offered):
            self.writer.add(f"if {choice.text} and type({choice.text}[-1]) is range:")
            with self.writer.indented():
                at = self._place(f"len({choice.text}[-1])", seat)
                self.writer.add(f"{choice.text} = (*{choice.text}[:-1], {choice.text}[-1][{at.text}])")
        if end.store is not None:
            return self._store(end, choice.text, flow)
        meeting = self._meet(end.to, flow)
        runs_on, word = False, "if"
        if decision.optional:
            self.writer.add(f"if not {choice.text}:")
            with self.values.scope(), self.writer.indented():
                runs_on = self._declined(end, flow)
            word = "elif"
        for action in offered:
            last = action == offered[-1]
            self.writer.add("else:" if last and word == "elif" else f"{word} {choice.text}[0] == {action}:")
            word = "elif"
            with self.values.scope(), self.writer.indented():
                begun = self._begin(action, seat, self._take_picks(action, choice.text), end.to, flow)
                runs_on = self.go(self.program.actions[action].entry, begun) or runs_on
            self.said = ""
        return self._go_on_from(meeting, runs_on)

    # ---------------------------------------------------------------------------------------------- ways on
    def _store(self, end: ir.Decide, choice: str, flow: Flow) -> bool:
        assert end.store is not None
        self._set_slot(end.store, f"(*(slots[{end.store}] or ()), {choice})")
        return self.go(end.to, flow)

    def _declined(self, end: ir.Decide, flow: Flow) -> bool:
        return self.go(end.to, flow) if end.store is None else self._store(end, "()", flow)

    def _meet(self, to: int, flow: Flow) -> Meeting | None:
        """Where all ways on from a decision meet, if what follows is too long to be written for each."""
        if self.graph.measure(to, flow.returns) < WORTH_MEETING or self._is_long():
            return None
        self.meetings.append(Meeting(to, flow.returns))
        return self.meetings[-1]

    def _go_on_from(self, meeting: Meeting | None, runs_on: bool) -> bool:
        if meeting is None:
            return runs_on
        self.meetings.pop()
        met = meeting.join(self)
        return met is not None and self.go(meeting.block, met)


class PlayoutSegments(Segments):
    """Writes all functions of a module that plays with choices that are drawn."""

    def __init__(self, module: Module) -> None:
        super().__init__(module, recorded=False)
        self.graph = Graph(module.program, through=True)
        self.refuted = find_refuted(self.program, self.reads, module.simple)
        start = self.program.zones[self.program.start_zone].base
        module.from_start = module.owners[start] is None
        module.grouped = {
            slot
            for action in self.program.actions
            for slot, pick in zip(action.pick_slots, action.picks, strict=True)
            if pick.low is not None
        }

    @property
    def listener(self) -> str:
        return ", chance, note"

    def _write_segment(self, block: int) -> Segment:
        """A function is written to see what it asks for again and again, and once more with that kept up to date."""
        segment = PlayoutSegment(self)
        asked = segment.note_totals()
        self.fill(segment, block)
        often = [expr for expr, times in asked.items() if times > 1 or isinstance(expr, Key)]
        if often:
            again = PlayoutSegment(self)
            again.instructions.running.keep(often)
            again.instructions.running.begin()
            if again.instructions.running.totals:
                self.fill(again, block)
                return again
        return segment

    def write_all(self) -> None:
        self.want(self.program.entry)
        self.write_wanted()
        functions = self.module.functions
        registers = Registers(self.program, Liveness(self.program, self.graph), functions)
        blocks = {name: block for block, name in self.entries.items()}
        for place, function in enumerate(functions):
            if function.name in blocks:
                functions[place] = self._add_counters(registers.rewrite(function, blocks[function.name]))

    def _add_counters(self, function: Function) -> Function:
        """The numbers a function counts with."""
        for line in function.lines:
            line.text = line.text.replace("ENOUGH", str(MOST_STEPS - self.margin))
        if any("takes[" in line.text for line in function.lines):
            function.lines.insert(0, Line(1, "takes, redraw, acts = chance", None))
        if any("left" in line.text for line in function.lines):
            function.lines.insert(0, Line(1, f"left = {MOST_DECISIONS}", None))
        return function


def _passes(decision: ir.Decision, end: ir.Decide) -> bool:
    """Whether a seat that could only decline is passed over."""
    return decision.window and end.store is not None


def is_simple(program: ir.Program, decision: ir.Decision) -> bool:
    """Whether what is offered can be listed action by action: one tier, always open, each action once."""
    if program.called or len(decision.tiers) != 1 or decision.tiers[0].when is not None:
        return False
    actions = [item.action for item in decision.tiers[0].items]
    return len(set(actions)) == len(actions)


def list_offers(module: Module, values: Values, decision: ir.Decision, seat: Code) -> list[Offer]:
    """Lists of what can be picked for each action of the only tier."""
    writer = values.writer
    choices = Choices(module, values, seat)
    found = []
    for item in decision.tiers[0].items:
        action = module.program.actions[item.action]
        offer = Offer(item.action, writer.fresh("offer"), len(action.picks))
        writer.add(f"{offer.name} = {'[]' if offer.picks else '0'}")
        many = can_be_many(action, len(module.program.cards))
        sink = Picking(values, offer.name, many=many)
        begin = len(writer.lines)
        choices.list_action(item.action, allowed=True, where=item.where, sink=sink)
        if sink.bundled:
            writer.add(f"{offer.name} = Offered({offer.name})")
            values.stop_if(f"{offer.name}.total > {MOST_DRAWN}")
        offer = _take_all(module, writer, begin, offer)
        if item.where is None and asks_again(module.program, decision, item.action):
            choices.know_possible(item.action, f"not not {offer.name}" if offer.picks else f"{offer.name} == 1")
        found.append(offer)
    return found


def _take_all(module: Module, writer: Writer, begin: int, offer: Offer) -> Offer:
    """A loop that puts everything it runs through into an empty list, as a list; groups of cards, as places."""
    for at in range(begin, len(writer.lines) - 1):
        head, body = writer.lines[at : at + 2]
        loop = _LOOP.fullmatch(head.text)
        ends = at + 2 == len(writer.lines) or writer.lines[at + 2].depth <= head.depth
        if loop and ends and head.depth == writer.depth and body.text == f"{offer.name}.append({loop[1]})":
            body.text = writer.lines[begin - 1].text = ""
            groups = _GROUPS.fullmatch(loop[2])
            if groups and offer.picks == 1 and int(groups[2]) <= MOST_SPELT:
                many, few = f"len({groups[1]})", int(groups[2])
                table = module.places(few)
                head.text = f"{offer.name} = {table}[{many}] if {many} < len({table}) else list_places({many}, {few})"
                check = writer.lines[at + 2 : at + 4]
                if check and check[0].text == f"if len({offer.name}) > {MOST_CHOICES}:":
                    check[0].text = check[1].text = ""
                return replace(offer, of=groups[1], few=few)
            head.text = f"{offer.name} = [*{loop[2]}]"
            return offer
    return offer


MOST_SPELT = 8
MOST_DRAWN = MOST_OFFERED >> 6  # choices of one action; whether those of all are too many is left to the reference
_LOOP = re.compile(r"for (\w+) in (.*):")
_GROUPS = re.compile(r"islice\(combinations\((\w+), (\d+)\), \d+\)")
