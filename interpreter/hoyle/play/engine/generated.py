"""The generated executor: runs a program as Python source generated from it.

In: a program. Out: the same positions, choices and faults as the reference executor, much faster.

The reference defines the semantics. Where generated code cannot continue, because a rule is faulty, the position was
edited into a state the rules cannot reach, or the instruction limit is near, the reference re-executes the instruction
and takes over from there; its result is authoritative. It also serves what need not be fast: recording events, as in
matches with people, tracing, checking each change, running up to a step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from hoyle.play.engine.drawing import Draws, Redraw, Take
from hoyle.play.engine.executor import ReferenceExecutor, Stop
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.legality import Choice
from hoyle.play.engine.limits import MOST_STEPS, STEPS_IN_UNIT
from hoyle.play.engine.tally import STEPS_TO_LIST, WORTH_WRITING, Tally
from hoyle.program.ir import nodes as ir
from hoyle.program.model.divisions import TooManyCards
from hoyle.program.model.position import Position

if TYPE_CHECKING:
    from hoyle.play.engine.printed import Generated, Loaded

Done = TypeVar("Done")
Chance = tuple[list[Take], Redraw, Callable[[], bool]]
Entries = dict[int, Callable[..., tuple[int, int] | None]]  # functions by entry block


MOST_GIVEN_UP = 3


class Played(NamedTuple):
    """The total number of choices offered, and the most at one decision."""

    offered: int
    widest: int


def _find_entries(part: Loaded) -> tuple[Entries, int]:
    """The entry functions of a part, by block, and the budget that they need."""
    return part.names.get("ENTRIES", {}), part.names.get("MARGIN", 0)


class GeneratedExecutor(ReferenceExecutor):
    """Runs one program by generated Python. `patience` is the work after which code is generated."""

    patience = 0

    def __init__(self, program: ir.Program, *args: Any, like: ReferenceExecutor | None = None, **options: Any) -> None:
        super().__init__(program, *args, like=like, **options)
        self._like = like if isinstance(like, GeneratedExecutor) else None
        self._tally: Tally = self._like._tally if self._like else Tally()
        self._given_up = 0  # consecutive matches that `play_drawn` could not finish
        self._failed: Exception | None = None  # its last exception
        self._traced = self.visit is not None or self.evaluator.trace is not None
        self._watched = self.checked or self._traced or self.effects.record is not None

    # ---------------------------------------------------------------------------------------------- tables
    @cached_property
    def generated(self) -> Generated:
        """The code shared by all executors of the program, looked up on first use."""
        if self._like:
            return self._like.generated
        from hoyle.play.engine.printed import find_generated  # with the code generator: not for a match at a table

        return find_generated(self.program)

    @cached_property
    def legal(self) -> dict[int, Callable[[Position], Sequence[Choice]]]:
        """For each decision block the function that lists the legal choices."""
        found: dict[int, Callable[[Position], Sequence[Choice]]] = self.generated.load("choices").names.get("LEGAL", {})
        return found

    @cached_property
    def _segments(self) -> Loaded:
        return self.generated.load("stepping")

    @cached_property
    def choices(self) -> dict[int, dict[int | None, Callable[..., tuple[int, int] | None]]]:
        """For each decision block and each action offered there, the function that carries out the choice."""
        found: dict[int, dict[int | None, Callable[..., Any]]] = self._segments.names.get("CHOICES", {})
        return found

    @cached_property
    def _entries(self) -> tuple[Entries, int]:
        """For each block that is a jump target, the function that continues there; and the budget that these need."""
        return _find_entries(self._segments)

    # ---------------------------------------------------------------------------------------------- positions
    def find_seat(self, position: Position) -> int:
        if self.runs_by_code and not position.over:
            find = self.generated.load("choices").names.get("SEATS", {}).get(position.block)
            if find is not None and self.find_decide(position) is not None:
                try:
                    seat: int | None = find(position)
                    if seat is not None and 0 <= seat < position.players:
                        return seat
                except Exception as error:
                    return self._do_again(error, partial(super().find_seat, position))
        return super().find_seat(position)

    def list_legal(self, position: Position) -> Sequence[Choice]:
        if self._lists_by_code and self.find_decide(position) is not None:
            enumerate_choices = self.legal.get(position.block)
            if enumerate_choices is not None:
                try:
                    return enumerate_choices(position)
                except Exception as error:
                    return self._do_again(error, partial(super().list_legal, position))
        found = super().list_legal(position)
        self._tally.note(self.evaluator.spent + STEPS_TO_LIST)
        return found

    def find_first_legal(self, position: Position) -> Choice:
        if self._lists_by_code:
            return self.list_legal(position)[0]
        found = super().find_first_legal(position)
        self._tally.note(self.evaluator.spent + STEPS_TO_LIST)
        return found

    @property
    def runs_by_code(self) -> bool:
        """Whether generated code runs the match: nothing watches it, and enough has been played for that to pay."""
        return not self._watched and self._tally.steps >= self.patience

    @property
    def _lists_by_code(self) -> bool:
        """Whether generated code lists the choices. Where only what choices do is recorded or checked it may do so too,
        once that pays."""
        return not self._traced and self._tally.steps >= (WORTH_WRITING if self._watched else self.patience)

    @cached_property
    def _strict(self) -> GeneratedExecutor:
        """The same program with offences forbidden: its legal choices are this program's lawful ones."""
        return GeneratedExecutor(replace(self.program, called=False))

    def list_lawful(self, position: Position) -> Sequence[Choice]:
        if not self.program.called:
            return super().list_lawful(position)
        try:
            return [choice for choice in self._strict.list_legal(position) if choice]
        except Fault:  # nothing is lawful
            return super().list_lawful(position)

    def list_scores(self, position: Position) -> list[int]:
        find_score = None if not self.runs_by_code else self.generated.load("choices").names.get("standing")
        if find_score is None:
            return super().list_scores(position)
        try:
            return [find_score(position, seat) for seat in range(position.players)]
        except Exception as error:
            return self._do_again(error, partial(super().list_scores, position))

    def list_winners(self, position: Position) -> tuple[int, ...]:
        name_winners = None if not self.runs_by_code else self.generated.load("choices").names.get("winners")
        if name_winners is None:
            return super().list_winners(position)
        try:
            winners: tuple[int, ...] | int | None = name_winners(position)
        except Exception as error:
            return self._do_again(error, partial(super().list_winners, position))
        if winners is None:
            return ()
        return winners if isinstance(winners, tuple) else (winners,)

    # ---------------------------------------------------------------------------------------------- running
    def advance(self, position: Position, choice: Choice, legal: Sequence[Choice] | None = None) -> Stop:
        by_code = self.runs_by_code and self.find_decide(position) is not None
        offered = self.choices.get(position.block) if by_code else None
        carry_out = offered.get(choice[0] if choice else None) if offered is not None else None
        if carry_out is None:
            before = self.walked
            stop = super().advance(position, choice, legal)
            self._tally.note((self.walked - before) * STEPS_IN_UNIT)
            self._tally.decisions += 1
            return stop
        try:
            further = carry_out(position, choice)
        except Exception as error:
            return self._recover(position, choice, error)
        return self._arrive(position) if further is None else self.go_on(position, *further)

    @property
    def is_fast(self) -> bool:
        """Whether code runs the match, and all of it was generated, so that `play_on` is available."""
        return self.runs_by_code and bool(self.legal and self.choices)

    @cached_property
    def _table(self) -> dict[int, tuple[Callable[..., Sequence[Choice]], dict[int | None, Callable[..., Any]]]]:
        """For each decision block: the function that lists the choices, and those that carry them out."""
        return {block: (self.legal[block], offered) for block, offered in self.choices.items()}

    def play_on(self, position: Position, choose: Callable[[Sequence[Choice]], Choice]) -> Played:
        """Play from a decision to the end of the match: `list_legal` and `advance` fused into one loop."""
        table, most = self._table, self.most_decisions
        entries, margin = self._entries
        offered = widest = 0
        while not position.over:
            enumerate_choices, carry_out = table[position.block]
            try:
                choices = enumerate_choices(position)
            except Exception as error:
                choices = self._do_again(error, partial(super().list_legal, position))
            size = len(choices)
            offered += size
            if size > widest:
                widest = size
            choice = choose(choices)
            try:
                further = carry_out[choice[0] if choice else None](position, choice)
                while further is not None:
                    block, budget = further
                    if budget < margin or block not in entries:
                        self.go_on(position, block, budget)
                        break
                    further = entries[block](position, budget)
            except Exception as error:
                self._recover(position, choice, error)
                continue
            if position.decisions >= most:
                self._arrive(position)
        return Played(offered, widest)

    @cached_property
    def _drawn(self) -> tuple[Entries, int]:
        """The entry functions of the code that plays random matches, by block, and the budget that they need."""
        return _find_entries(self.generated.load("drawn"))

    @property
    def is_drawn(self) -> bool:
        """Whether there is code that plays whole matches at random."""
        return self.runs_by_code and bool(self._drawn[0])

    def play_drawn(self, position: Position, draws: Draws, habits: Habits) -> Played | None:
        """Play a match from start to end with drawn choices, with the same result as decision by decision. None if the
        code cannot do it, or not exactly; position and random state are then unusable."""
        if not self.runs_by_code or self._given_up >= MOST_GIVEN_UP:  # it would most likely fail again
            return None
        entries, margin = self._drawn
        if position.block not in entries:
            return None
        self._failed = None
        sizes = self._play_through(entries, margin, position, (*draws, habits.acts))
        if sizes is None or len(sizes) > self.most_decisions:
            self._given_up += 1
            self.generated.handed_over += 1
            return None
        self._given_up = 0
        position.decisions = len(sizes)
        return Played(sum(sizes), max(sizes, default=0))

    def _play_through(self, entries: Entries, margin: int, position: Position, chance: Chance) -> list[int] | None:
        """The number of choices at each decision; None if the end was not reached."""
        sizes: list[int] = []
        block, budget = position.block, MOST_STEPS - margin
        try:
            while (further := entries[block](position, budget, chance, sizes.append)) is not None:
                block, budget = further
                if budget < margin or len(sizes) > self.most_decisions:
                    return None
        except Exception as error:
            self._failed = error
            return None
        return sizes

    def note_played(self, decisions: int) -> None:
        """Account for decisions played by code."""
        if self.runs_by_code:
            self._tally.note_decisions(decisions)

    def note_end(self) -> None:
        """Called when a match has been played to its end, perhaps after `play_drawn` gave up: an exception that it did
        not raise deliberately was then a generator bug."""
        if self._failed is not None:
            self._note_mistake(self._failed)
        self._failed = None

    def run(self, position: Position, until_step: int | str | None = None, *, to_end: bool = False) -> Stop:
        if not self.runs_by_code or until_step is not None or position.instruction or position.over:
            return super().run(position, until_step, to_end=to_end)
        return self.go_on(position, position.block, MOST_STEPS)

    def go_on(self, position: Position, block: int, budget: int) -> Stop:
        """Continue at a block with a remaining instruction budget."""
        entries, margin = self._entries
        while True:
            enter = entries.get(block)
            if enter is None or budget < margin:
                position.block, position.instruction = block, 0
                return self._walk(position, None, budget)
            try:
                further = enter(position, budget)
            except Exception as error:
                return self._recover(position, (), error)
            if further is None:
                return self._arrive(position)
            block, budget = further

    def _arrive(self, position: Position) -> Stop:
        """Report whether the match stopped at a decision or at its end, and enforce the limit on decisions."""
        if position.over:
            return "finish"
        if position.decisions >= self.most_decisions:
            decide = self.find_decide(position)
            assert decide is not None
            self._reach_decision(decide, position)
        return "decide"

    def _do_again(self, error: Exception, by_reference: Callable[[], Done]) -> Done:
        """Fall back to the reference, which either raises the fault of the rules or does the work."""
        self.generated.handed_over += 1
        done = by_reference()
        self._note_mistake(error)
        return done

    def _note_mistake(self, error: Exception) -> None:
        """The reference succeeded without a fault: unless the code gave up deliberately, the exception is a generator
        bug."""
        from hoyle.play.codegen.python.support import Stop as GivenUp

        if not isinstance(error, GivenUp | TooManyCards):
            self.generated.mistakes[f"{type(error).__name__}: {error}"] += 1

    def _recover(self, position: Position, choice: Choice, error: Exception) -> Stop:
        """Let the reference continue at the instruction that generated code failed to execute."""
        from hoyle.play.codegen.python.code import At
        from hoyle.play.codegen.python.stepping import BEFORE

        trace = self._find_trace(error.__traceback__)
        found = self._segments.names["PLACES"].get(trace.tb_lineno) if trace is not None else None
        if trace is None or found is None:
            raise error
        place = At(*found)
        if place == BEFORE:
            return self._do_again(error, partial(super().advance, position, choice))
        budget = trace.tb_frame.f_locals.get("budget", MOST_STEPS)
        position.block, position.instruction = place.block, place.instruction
        return self._do_again(error, partial(self._walk, position, None, budget - place.cost))

    def _find_trace(self, trace: TracebackType | None) -> TracebackType | None:
        """The outermost traceback entry in the generated segments."""
        while trace is not None and trace.tb_frame.f_code.co_filename != self._segments.file:
            trace = trace.tb_next
        return trace


class TieredExecutor(GeneratedExecutor):
    """Runs one program by the reference until generating Python pays."""

    patience = WORTH_WRITING
