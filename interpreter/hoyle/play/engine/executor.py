"""The reference executor: interprets a program block by block.

In: a program and a seed, or a position and a choice. Out: the position at the next decision, or at the end.

The executor keeps no state of a match between calls: the position holds all of it, so any position can be copied,
saved, edited and resumed. After `run`, a position stands at a `Decide`, is over, or stands at the requested step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal

from hoyle.base.effort import charge, spend
from hoyle.play.engine.conservation import check_chips, check_conservation, count_chips
from hoyle.play.engine.evaluate import Evaluator, Trace
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import DECLINED, Choice, is_permitted
from hoyle.play.engine.limits import MOST_BEYOND, MOST_COUNTED, MOST_DECISIONS, MOST_STEPS, STEPS_IN_UNIT
from hoyle.play.engine.offering import settle
from hoyle.play.engine.transitions import Effects, Record
from hoyle.play.engine.work import Work
from hoyle.play.view.names import holds_cards
from hoyle.play.view.seeing import Sight
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import touches_states, touches_zones
from hoyle.program.model.chance import seeded
from hoyle.program.model.offences import forget, make_record
from hoyle.program.model.position import Position

Stop = Literal["decide", "finish", "step"]
NOT_RUNNING = -1
EVALUATED_IN_STEP = 12  # evaluation steps charged as one step of `hoyle.base.effort`


class ReferenceExecutor:
    """Interprets one program.

    `record` receives every event; `trace` every evaluated expression with its value; `visit` the clause of every
    instruction, branch and decision reached. `checked` asserts after each change that no card or chip was lost, and
    before each choice that it is legal. `like` is an executor of the same program whose tables are shared.
    """

    def __init__(
        self,
        program: ir.Program,
        record: Record | None = None,
        *,
        trace: Trace | None = None,
        visit: Callable[[int], None] | None = None,
        checked: bool = False,
        most_decisions: int | None = None,
        like: ReferenceExecutor | None = None,
    ) -> None:
        self.program = program
        self.evaluator: Evaluator = like.evaluator if like and trace is None else Evaluator(program, trace)
        sight: Sight = like.effects.sight if like else Sight(program)
        self.effects: Effects = Effects(program, self.evaluator, sight, record)
        self.work: Work = like.work if like else Work(program)
        self.visit = visit
        self.checked = checked
        self.most_decisions: int = most_decisions or (like.most_decisions if like else MOST_DECISIONS)
        self.walked = 0  # instructions carried out by all runs so far, and the units of their evaluations
        self._return_slots = {step.return_slot for step in program.steps}
        self._return_slots |= {action.return_slot for action in program.actions}

    # ---------------------------------------------------------------------------------------------- positions
    def start(self, seed: int = 0, script: list[object] | None = None) -> Position:
        """The initial position. Chance takes its first outcomes from `script`."""
        position = self._beginning.copy()
        position.random, position.script = seeded(seed), list(script or ())
        return position

    @cached_property
    def _beginning(self) -> Position:
        program = self.program
        zones: list[list[int]] = [[] for _ in self.effects.names.zones]
        start = program.zones[program.start_zone].base
        zones[start] = list(range(len(program.cards)))
        return Position(
            players=program.players,
            zones=zones,
            states=[state.start for state, _ in self.effects.names.states],
            slots=[NOT_RUNNING if slot in self._return_slots else None for slot in range(len(program.slots))],
            totals=[[0] * program.players for _ in program.columns],
            rounds_played=0,
            block=program.entry,
            random=0,
            script=[],
            decisions=0,
            over=False,
            holders=[self.effects.names.zones[start][1]] * len(program.cards) if program.keeps_holders else [],
            turned=[False] * len(program.cards) if program.keeps_faces else [],
        )

    def find_decide(self, position: Position) -> ir.Decide | None:
        """The decision the position stands at; None if it stands at none."""
        block = self.program.blocks[position.block]
        if position.over or position.instruction < len(block.instructions) or not isinstance(block.end, ir.Decide):
            return None
        return block.end

    def find_seat(self, position: Position) -> int:
        """The seat whose decision it is, evaluated in the position as it is."""
        decide = self._need_decide(position)
        try:
            seat: int | None = self.effects.value(decide.seat, position)
            if seat is None or not 0 <= seat < position.players:
                raise Fault("no-value", "nobody is there to choose", decide.clause)
        except Fault as fault:
            raise self._locate(fault, decide.clause, position) from None
        return seat

    def list_legal(self, position: Position) -> Sequence[Choice]:
        """All legal choices of the deciding seat."""
        decide = self._need_decide(position)
        seat = self.find_seat(position)
        self.evaluator.begin(listing=True)
        try:
            legal = self.evaluator.legality.list_legal(self.program.decisions[decide.decision], seat, position)
        except Fault as fault:
            charge(1 + self.evaluator.spent // EVALUATED_IN_STEP)  # the fault is told, even if no work is left
            raise self._locate(fault, decide.clause, position) from None
        spend(1 + self.evaluator.spent // EVALUATED_IN_STEP)
        return legal

    def find_first_legal(self, position: Position) -> Choice:
        """The first legal choice, without enumerating the rest."""
        decide = self._need_decide(position)
        seat = self.find_seat(position)
        self.evaluator.begin(listing=True)
        try:
            first = self.evaluator.legality.find_first(self.program.decisions[decide.decision], seat, position)
        except Fault as fault:
            raise self._locate(fault, decide.clause, position) from None
        finally:
            spend(1 + self.evaluator.spent // EVALUATED_IN_STEP)
        return self.list_legal(position)[0] if first is None else first  # raises the fault that says why there is none

    def list_lawful(self, position: Position) -> Sequence[Choice]:
        """The legal choices that are not offences, without declining, which never is one."""
        decide = self._need_decide(position)
        seat = self.find_seat(position)
        self.evaluator.begin(listing=True)
        try:
            declared = self.program.decisions[decide.decision]
            return settle(self.evaluator.legality.find_binding(declared, seat, position)[1])
        except Fault as fault:
            raise self._locate(fault, decide.clause, position) from None

    def in_window(self, position: Position) -> bool:
        """Whether the position stands at a decision of a window."""
        decide = self.find_decide(position)
        return decide is not None and self.program.decisions[decide.decision].window

    def list_winners(self, position: Position) -> tuple[int, ...]:
        """The seats that the rule for winners names in this position."""
        winners = self.value_of(self.program.winners, None, position)
        if winners is None:
            return ()
        return winners if isinstance(winners, tuple) else (winners,)

    def list_scores(self, position: Position) -> list[int]:
        """The score of each seat: its total in the first column, unless the ledger defines the score otherwise."""
        if self.program.standing is None:
            return list(position.totals[0]) if position.totals else [0] * position.players
        return [self.value_of(self.program.standing, seat, position) for seat in range(position.players)]

    def value_of(self, expr: ir.Expr, subject: int | tuple[int, ...] | None, position: Position) -> Any:
        """The value of an expression. `subject`, a seat, a line of the score sheet or a list of cards, is bound to its
        first variable."""
        frame: list[Any] = [None] * self.program.frame
        if frame:
            frame[0] = subject
        try:
            return self.evaluator.evaluate(expr, position, frame)
        except Fault as fault:
            raise self._locate(fault, expr.clause if isinstance(expr, ir.Named) else None, position) from None
        finally:
            charge(self.evaluator.spent // EVALUATED_IN_STEP)

    def list_running(self, position: Position) -> tuple[str, ...]:
        """The names of the active steps."""
        return tuple(step.name for step in self.program.steps if position.slots[step.return_slot] >= 0)

    def _need_decide(self, position: Position) -> ir.Decide:
        decide = self.find_decide(position)
        if decide is None:
            raise ValueError("the position stands at no decision: run it first")
        return decide

    # ---------------------------------------------------------------------------------------------- running
    def apply(self, position: Position, choice: Choice, legal: Sequence[Choice] | None = None) -> None:
        """Make a choice at a decision, without running on. A number parameter must be a number, not a range. The choice
        is assumed to be legal unless `checked`; `legal` are the legal choices if the caller has them already."""
        decide = self._need_decide(position)
        seat = self.find_seat(position)
        if choice and isinstance(choice[-1], range):
            raise ValueError(f"a number must be chosen from {choice[-1]}: {choice}")
        if self.checked and not is_permitted(choice, self.list_legal(position) if legal is None else legal):
            raise ValueError(f"not a legal choice: {choice}")
        if self.program.called and not self.program.decisions[decide.decision].window:
            forget(position, seat)
            if not is_permitted(choice, self.list_lawful(position)):
                self._note_offence(decide.decision, position, seat, choice)
        position.decisions += 1
        position.instruction = 0
        self.tell_choice(position.block, seat, choice)
        if decide.store is not None:
            position.slots[decide.store] = (*(position.slots[decide.store] or ()), choice)
            position.block = decide.to
        else:
            self._begin_action(position, choice, seat, decide.to)

    def tell_choice(self, block: int, seat: int, choice: Choice) -> None:
        """Record the event of a choice made at the decision of a block."""
        decide = self.program.blocks[block].end
        if self.effects.record is None or not isinstance(decide, ir.Decide):
            return
        secret = decide.store is not None or self.program.decisions[decide.decision].secret
        self._tell(decide.clause, seat, choice, secret=secret)

    def _tell(self, clause: int, seat: int, choice: Choice, *, secret: bool) -> None:
        told = 1 << seat if secret else None
        action = self.program.actions[choice[0]] if choice else None
        picks = {
            pick.name: self.effects.names.spell_value(pick.type, value)
            for pick, value in zip(action.picks if action else (), choice[1:], strict=True)
            if secret or not holds_cards(pick.type)
        }
        data = {"action": action.name if action else None, "picks": picks, "secret": secret}
        self.effects.tell("chose", data, clause, seat=seat, told=told)

    def _note_offence(self, decision: int, position: Position, seat: int, choice: Choice) -> None:
        """Record a choice as an offence if it breaks a clause, unless an offence is on record already."""
        if position.offence is not None:
            return
        declared = self.program.decisions[decision]
        self.evaluator.begin()
        try:
            clause = self.evaluator.legality.find_breach(declared, seat, position, choice)
        except Fault as fault:
            raise self._locate(fault, declared.clause, position) from None
        if clause is not None:
            position.offence = make_record(position, seat, clause)

    def _begin_action(self, position: Position, choice: Choice, seat: int, to: int) -> None:
        """Enter the effects of a chosen action with its parameters bound; `()`, declining, goes straight on to `to`."""
        position.block = to
        if choice:
            action = self.program.actions[choice[0]]
            position.slots[action.seat_slot] = seat
            for slot, pick in zip(action.pick_slots, choice[1:], strict=True):
                position.slots[slot] = pick
            position.slots[action.return_slot] = to
            position.block = action.entry

    def run(self, position: Position, until_step: int | str | None = None, *, to_end: bool = False) -> Stop:
        """Run to the next decision or the end; or until the step, by name or number, is about to begin, or with
        `to_end`, has ended."""
        return self._walk(position, self._find_border(until_step, to_end=to_end), MOST_STEPS)

    def advance(self, position: Position, choice: Choice, legal: Sequence[Choice] | None = None) -> Stop:
        """Make a choice and run to the next decision or to the end; `legal` as for `apply`."""
        self.apply(position, choice, legal)
        return self.run(position)

    def _walk(self, position: Position, stop_block: int | None, budget: int) -> Stop:
        """Run block by block within a budget. Each block is first charged its estimated upper bound, as in generated
        code, so that both stop at the same place. Once that budget is used up, actual costs are charged to a second,
        smaller budget."""
        by_guess, counted = True, 0
        while not position.over:
            self.walked += 1
            if position.block == stop_block and position.instruction == 0:
                return "step"
            block = self.program.blocks[position.block]
            size = len(block.instructions) + 1
            counted += size
            budget -= self.work.units_of(position.block) if by_guess else size
            if budget < 0 and by_guess and self.work.guesses:
                by_guess, budget = False, MOST_BEYOND - size
            if budget < 0 or counted > MOST_COUNTED:
                raise self._locate(
                    Fault("stalled", f"the game does not come to a decision within {MOST_STEPS} instructions"),
                    clause_of(block), position,
                )  # fmt: skip
            while position.instruction < len(block.instructions):
                instruction = block.instructions[position.instruction]
                self.effects.spent = 0
                try:
                    self._carry_out(instruction, position)
                except Fault:
                    charge(self.effects.spent // EVALUATED_IN_STEP)
                    raise
                more = self.effects.spent // STEPS_IN_UNIT
                budget, counted = budget - (0 if by_guess else more), counted + more
                self.walked += 1 + more
                spend(1 + self.effects.spent // EVALUATED_IN_STEP)
                position.instruction += 1
            if isinstance(block.end, ir.Decide):
                self.evaluator.begin()
                if not self._pass_over(block.end, position):
                    self._reach_decision(block.end, position)
                    return "decide"
                more = self.evaluator.spent // STEPS_IN_UNIT
                budget, counted = budget - (0 if by_guess else more), counted + more
                continue
            position.instruction = 0
            self.effects.spent = 0
            try:
                self._go_on(block.end, position)
            except Fault:
                charge(self.effects.spent // EVALUATED_IN_STEP)
                raise
            more = self.effects.spent // STEPS_IN_UNIT
            budget, counted = budget - (0 if by_guess else more), counted + more
            spend(1 + self.effects.spent // EVALUATED_IN_STEP)
        return "finish"

    def _pass_over(self, decide: ir.Decide, position: Position) -> bool:
        """Skip the decision of a seat that could only decline in a window: it is not asked, and no event tells of
        it."""
        if not self.program.decisions[decide.decision].window or decide.store is None:
            return False
        if self.list_legal(position) != [DECLINED]:
            return False
        position.slots[decide.store] = (*(position.slots[decide.store] or ()), DECLINED)
        position.block, position.instruction = decide.to, 0
        return True

    def _find_border(self, until_step: int | str | None, *, to_end: bool) -> int | None:
        """The entry or exit block of a step."""
        if until_step is None:
            return None
        steps = enumerate(self.program.steps)
        step = next(step for number, step in steps if until_step in (number, step.name))
        return step.exit if to_end else step.entry

    def _carry_out(self, instruction: ir.Instruction, position: Position) -> None:
        if self.visit is not None:
            self.visit(instruction.clause)
        pays = self.checked and touches_states(instruction)
        chips = count_chips(self.effects.names, position) if pays else 0
        try:
            self.effects.carry_out(instruction, position)
            if self.checked and touches_zones(instruction):
                check_conservation(position, len(self.program.cards))
            if pays:
                check_chips(self.effects.names, position, chips)
        except Fault as fault:
            raise self._locate(fault, instruction.clause, position) from None

    def _reach_decision(self, decide: ir.Decide, position: Position) -> None:
        if self.visit is not None:
            self.visit(decide.clause)
        if position.decisions >= self.most_decisions:
            fault = Fault("endless", f"the match does not end within {self.most_decisions:,} decisions")
            raise self._locate(fault, decide.clause, position)

    def _go_on(self, end: ir.Terminator, position: Position) -> None:
        """Follow a terminator other than `Decide`."""
        match end:
            case ir.Jump():
                position.block = end.to
            case ir.Branch():
                if self.visit is not None:
                    self.visit(end.clause)
                try:
                    position.block = end.yes if self.effects.value(end.test, position) else end.no
                except Fault as fault:
                    raise self._locate(fault, end.clause, position) from None
            case ir.Enter():
                if self.visit is not None and end.clause is not None:
                    self.visit(end.clause)
                step = self.program.steps[end.step]
                position.slots[step.return_slot] = end.to
                position.block = step.entry
            case ir.Return():
                position.block = position.slots[end.slot]
                position.slots[end.slot] = NOT_RUNNING
            case ir.Perform():
                choice = self.effects.value(end.choice, position)
                seat = self.effects.value(end.seat, position)
                if end.decision is not None:
                    self.tell_claim(end.decision, position, seat, choice)
                self._begin_action(position, choice, seat, end.to)
            case ir.Finish():
                self.finish(position)
            case ir.Decide():
                raise AssertionError("a decision is no way on")

    def tell_claim(self, decision: int, position: Position, seat: int, choice: Choice) -> None:
        """Record that a claim made in a window is carried out: all seats are told, and it may be an offence."""
        if self.program.called:
            self._note_offence(decision, position, seat, choice)
        if self.effects.record is not None:
            self._tell(self.program.decisions[decision].clause, seat, choice, secret=False)

    def finish(self, position: Position) -> None:
        """End the match and record the result."""
        position.over = True
        if self.effects.record is not None:
            data = {"winners": list(self.list_winners(position)), "scores": self.list_scores(position)}
            winners = self.program.winners
            clause = winners.clause if isinstance(winners, ir.Named) else None
            self.effects.tell("match_ended", data, clause)

    def _locate(self, fault: Fault, clause: int | None, position: Position) -> Fault:
        """Fill in the clause and the active steps of a fault where an inner frame has not done so."""
        fault.clause = clause if fault.clause is None else fault.clause
        fault.steps = fault.steps or self.list_running(position)
        return fault


def clause_of(block: ir.Block) -> int | None:
    """The clause a block belongs to, if its first instruction or its terminator names one."""
    if block.instructions:
        return block.instructions[0].clause
    return getattr(block.end, "clause", None)
