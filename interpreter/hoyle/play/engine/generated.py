"""The generated executor: runs a program as Python source generated from it.

In: a program. Out: the same positions, choices and faults as the reference executor, much faster.

The reference defines the semantics. Where generated code cannot continue, because a rule is faulty, the position was
edited into a state the rules cannot reach, or the instruction limit is near, the reference does the same again from
where it began; its result is authoritative. It also serves what need not be fast: recording events, as in matches with
people, tracing, checking each change, running up to a step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from hoyle.play.engine.drawing import Draws
from hoyle.play.engine.executor import ReferenceExecutor, Stop
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.legality import Choice
from hoyle.play.engine.limits import STEPS_IN_UNIT
from hoyle.play.engine.tally import STEPS_TO_LIST, WORTH_WRITING, Tally
from hoyle.program.ir import nodes as ir
from hoyle.program.model.position import Position

if TYPE_CHECKING:
    from hoyle.play.engine.printed import Functions, Generated

Done = TypeVar("Done")
PLAYS, STEPS, LISTS = 0, 1, 2  # what generated code stops at
MOST_GIVEN_UP = 3


class Played(NamedTuple):
    """The total number of choices offered, and the most at one decision."""

    offered: int
    widest: int


class GeneratedExecutor(ReferenceExecutor):
    """Runs one program by generated Python. `patience` is the work after which code is generated."""

    patience = 0

    def __init__(self, program: ir.Program, *args: Any, like: ReferenceExecutor | None = None, **options: Any) -> None:
        super().__init__(program, *args, like=like, **options)
        self._like = like if isinstance(like, GeneratedExecutor) else None
        self._tally: Tally = self._like._tally if self._like else Tally()
        self._given_up = 0  # consecutive matches that `play_drawn` could not finish
        self._failed: Exception | None = None  # its last exception
        traced = self.visit is not None or self.evaluator.trace is not None
        self._watched = self.checked or traced or self.effects.record is not None

    # ---------------------------------------------------------------------------------------------- tables
    @cached_property
    def generated(self) -> Generated:
        """The code shared by all executors of the program, looked up on first use."""
        if self._like:
            return self._like.generated
        from hoyle.play.engine.printed import find_generated  # with the code generator: not for a match at a table

        return find_generated(self.program)

    @property
    def functions(self) -> Functions | None:
        """Generated code, where it runs the match: nothing watches it, and enough has been played for that to pay."""
        if self._watched or self._tally.steps < self.patience:
            return None
        return self.generated.functions

    def _find_functions(self, position: Position) -> Functions | None:
        """Generated code, if the position is one that it can go on from."""
        functions = self.functions
        if functions is None or position.script or not self._fits(functions, position):
            return None
        return functions

    def _fits(self, functions: Functions, position: Position) -> bool:
        try:
            return functions.fits(position)
        except (TypeError, ValueError, LookupError):
            return False

    # ---------------------------------------------------------------------------------------------- positions
    def list_legal(self, position: Position) -> Sequence[Choice]:
        functions = self._find_functions(position)
        if functions is not None and position.block in functions.asked and self.find_decide(position) is not None:
            try:
                found: Sequence[Choice] = functions.play(position, position.block, LISTS, 0)
                return found
            except Exception as error:
                return self._do_again(error, partial(super().list_legal, position))
        listed = super().list_legal(position)
        self._tally.note(self.evaluator.spent + STEPS_TO_LIST)
        return listed

    def find_first_legal(self, position: Position) -> Choice:
        if self.functions is not None:
            return self.list_legal(position)[0]
        found = super().find_first_legal(position)
        self._tally.note(self.evaluator.spent + STEPS_TO_LIST)
        return found

    def list_scores(self, position: Position) -> list[int]:
        functions = self._find_functions(position) if self.program.standing is not None else None
        if functions is None:
            return super().list_scores(position)
        try:
            found: list[int] = functions.scores(position)
        except Exception as error:
            return self._do_again(error, partial(super().list_scores, position))
        return found

    def list_winners(self, position: Position) -> tuple[int, ...]:
        functions = self._find_functions(position)
        if functions is None:
            return super().list_winners(position)
        try:
            winners: tuple[int, ...] | None = functions.winners(position)
        except Exception as error:
            return self._do_again(error, partial(super().list_winners, position))
        return () if winners is None else winners

    # ---------------------------------------------------------------------------------------------- running
    def advance(self, position: Position, choice: Choice, legal: Sequence[Choice] | None = None) -> Stop:
        before = self.walked
        stop = super().advance(position, choice, legal)
        self._tally.note((self.walked - before) * STEPS_IN_UNIT)
        self._tally.decisions += 1
        return stop

    def run(self, position: Position, until_step: int | str | None = None, *, to_end: bool = False) -> Stop:
        plain = until_step is None and not position.instruction and not position.over
        functions = self._find_functions(position) if plain else None
        if functions is None or position.block not in functions.entries:
            return super().run(position, until_step, to_end=to_end)
        begun = position.copy()
        try:
            functions.play(position, position.block, STEPS, 0)
        except Exception as error:
            position.become(begun)
            return self._do_again(error, partial(super().run, position))
        return self._arrive(position)

    def play_drawn(self, position: Position, draws: Draws, habits: Habits) -> Played | None:
        """Play a match from start to end with drawn choices, with the same result as decision by decision. None if the
        code cannot do it, or not exactly; position and random state are then unusable."""
        functions = self.functions
        if functions is None or self._given_up >= MOST_GIVEN_UP or position.script:  # it would most likely fail again
            return None
        self._failed, sizes = None, list[int]()
        try:
            functions.play(position, position.block, PLAYS, self.most_decisions, *draws, habits.acts, sizes.append)
        except Exception as error:
            self._failed = error
            self._given_up += 1
            self.generated.handed_over += 1
            return None
        self._given_up = 0
        position.decisions = len(sizes)
        return Played(sum(sizes), max(sizes, default=0))

    def note_played(self, decisions: int) -> None:
        """Account for decisions played by code."""
        if self.functions is not None:
            self._tally.note_decisions(decisions)

    def note_end(self) -> None:
        """Called when a match has been played to its end, perhaps after `play_drawn` gave up: an exception that it did
        not raise deliberately was then a generator bug."""
        if self._failed is not None:
            self._note_mistake(self._failed)
        self._failed = None

    def _arrive(self, position: Position) -> Stop:
        """Report whether the match stopped at a decision or at its end, and enforce the limit on decisions."""
        if position.over:
            return "finish"
        decide = self.find_decide(position)
        assert decide is not None
        self._reach_decision(decide, position)
        return "decide"

    def _do_again(self, error: Exception, by_reference: Callable[[], Done]) -> Done:
        """Fall back to the reference, which either raises the fault of the rules or does the work."""
        from hoyle.play.codegen.python.support import TooMany

        self.generated.handed_over += not isinstance(error, TooMany)
        done = by_reference()
        self._note_mistake(error)
        return done

    def _note_mistake(self, error: Exception) -> None:
        """The reference succeeded without a fault: unless the code gave up deliberately, the exception is a generator
        bug."""
        from hoyle.play.codegen.python.support import Stop as GivenUp

        if not isinstance(error, GivenUp):
            self.generated.mistakes[f"{type(error).__name__}: {error}"] += 1


class TieredExecutor(GeneratedExecutor):
    """Runs one program by the reference until generating Python pays."""

    patience = WORTH_WRITING
