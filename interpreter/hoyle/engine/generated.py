"""The generated executor: runs a program as Python source generated from it.

In: a program. Out: the same positions, choices, events and faults as the reference executor, much faster.

The reference defines the semantics. Where generated code cannot continue, because a rule is faulty, the position was
edited into a state the rules cannot reach, or the instruction limit is near, the reference re-executes the instruction
and takes over from there; its result is authoritative. It also serves what need not be fast: tracing, checking each
change, running up to a step.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from hoyle.codegen.python.code import At
from hoyle.codegen.python.stepping import BEFORE
from hoyle.codegen.python.support import Stop as GivenUp
from hoyle.codegen.unsupported import Unsupported
from hoyle.dataclass import dataclass
from hoyle.engine.drawing import Draws, Redraw, Take
from hoyle.engine.executor import ReferenceExecutor, Stop
from hoyle.engine.faults import Fault
from hoyle.engine.habits import Habits
from hoyle.engine.keeping import digest_program, find_source
from hoyle.engine.legality import Choice
from hoyle.engine.limits import MOST_STEPS
from hoyle.engine.printed import PARTS, Loaded, Part, load_part, write_part
from hoyle.engine.refusing import Reason, find_unsupported
from hoyle.engine.work import is_too_much
from hoyle.ir import nodes as ir
from hoyle.model.divisions import TooManyCards
from hoyle.model.position import Position

Done = TypeVar("Done")
Chance = tuple[list[Take], Redraw, Callable[[], bool]]
Entries = dict[int, Callable[..., tuple[int, int] | None]]  # functions by entry block


class Played(NamedTuple):
    """The total number of choices offered, and the most at one decision."""

    offered: int
    widest: int


class Generated:
    """The generated code of one program, loaded part by part on demand."""

    def __init__(self, reference: ReferenceExecutor, digest: str) -> None:
        self.digest = digest
        self.reference = reference
        self.program = reference.program
        self._parts: dict[Part, Loaded] = {}
        self.handed_over = 0  # how often generated code fell back to the reference
        self.mistakes: Counter[str] = Counter()  # generator bugs: exceptions where the reference ran without a fault
        self.problem = ""  # why some part could not be generated

    @cached_property
    def unsupported(self) -> Reason | None:
        """Why no code can be generated for the program, if so."""
        return find_unsupported(self.program)

    @cached_property
    def _is_too_much(self) -> bool:
        return is_too_much(self.program)

    def _load(self, part: Part) -> Loaded:
        if self._is_too_much:
            raise Unsupported(Reason.WORK)

        def write() -> str:
            if self.unsupported is not None:
                raise Unsupported(self.unsupported)
            return write_part(self.program, part)

        try:
            source = find_source(self.digest, part, write)
            return load_part(self.program, part, source, self.reference.effects)
        except (SyntaxError, NameError, ValueError):  # the cached source is corrupt
            source = find_source(self.digest, part, write, anew=True)
            return load_part(self.program, part, source, self.reference.effects)

    def load(self, part: Part) -> Loaded:
        """A part, compiled; with empty tables if no code could be generated for it."""
        if part not in self._parts:
            try:
                self._parts[part] = self._load(part)
            except (Unsupported, SyntaxError, RecursionError) as error:  # too large or too deep for Python's compiler
                self.handed_over += 1
                self.problem = str(error) if isinstance(error, Unsupported) else Reason.SIZE
                self._parts[part] = Loaded({}, "", "")
        return self._parts[part]


def find_problem(program: ir.Program) -> str:
    """Why the reference plays random matches of a program although generated code was requested; empty if it does
    not."""
    generated = find_generated(program)
    generated.load("drawn")
    return Reason.CALLED if program.called else generated.problem


_made: OrderedDict[str, Generated] = OrderedDict()
MOST_MADE = 64
MOST_GIVEN_UP = 3
WORTH_WRITING = 300_000  # evaluation steps that take about as long as generating the code that lists choices
STEPS_TO_LIST = 50  # overhead of listing choices once, in evaluation steps


def find_generated(program: ir.Program) -> Generated:
    """The generated code of a program, shared by all executors of equal programs."""
    digest = digest_program(program)
    found = _made.get(digest)
    if found is None:
        found = _made[digest] = Generated(ReferenceExecutor(program), digest)
        if len(_made) > MOST_MADE:
            _made.popitem(last=False)
    return found


def _find_entries(part: Loaded) -> tuple[Entries, int]:
    """The entry functions of a part, by block, and the budget that they need."""
    return part.names.get("ENTRIES", {}), part.names.get("MARGIN", 0)


def write_source(program: ir.Program) -> str:
    """The source of all parts, for inspection."""
    return "\n\n".join(write_part(program, part) for part in PARTS)


@dataclass(slots=True)
class Tally:
    """Evaluation steps that the reference spent on listing choices in watched matches of a program."""

    steps: int = 0


class GeneratedExecutor(ReferenceExecutor):
    """Runs one program by generated Python."""

    def __init__(self, program: ir.Program, *args: Any, like: ReferenceExecutor | None = None, **options: Any) -> None:
        super().__init__(program, *args, like=like, **options)
        self._like = like if isinstance(like, GeneratedExecutor) else None
        self._tally: Tally = self._like._tally if self._like else Tally()
        self._given_up = 0  # consecutive matches that `play_drawn` could not finish
        self._failed: Exception | None = None  # its last exception
        self._traced = self.visit is not None or self.evaluator.trace is not None
        self._watched = self.checked or self._traced

    # ---------------------------------------------------------------------------------------------- tables
    @cached_property
    def generated(self) -> Generated:
        """The code shared by all executors of the program, looked up on first use."""
        return self._like.generated if self._like else find_generated(self.program)

    @cached_property
    def legal(self) -> dict[int, Callable[[Position], Sequence[Choice]]]:
        """For each decision block the function that lists the legal choices."""
        found: dict[int, Callable[[Position], Sequence[Choice]]] = self.generated.load("choices").names.get("LEGAL", {})
        return found

    @cached_property
    def _segments(self) -> Loaded:
        return self.generated.load("plain" if self.effects.record is None else "recorded")

    @cached_property
    def choices(self) -> dict[int, dict[int | None, Callable[..., tuple[int, int] | None]]]:
        """For each decision block and each action offered there, the function that carries out the choice."""
        found: dict[int, dict[int | None, Callable[..., Any]]] = self._segments.names.get("CHOICES", {})
        return found

    @cached_property
    def _entries(self) -> tuple[Entries, int]:
        """For each block that is a jump target, the function that continues there; and the budget that these need."""
        return _find_entries(self._segments)

    @cached_property
    def _listener(self) -> tuple[GeneratedExecutor, ...]:
        return () if self.effects.record is None else (self,)

    # ---------------------------------------------------------------------------------------------- positions
    def find_seat(self, position: Position) -> int:
        if not self._watched and not position.over:
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
        if self._lists_by_code() and self.find_decide(position) is not None:
            enumerate_choices = self.legal.get(position.block)
            if enumerate_choices is not None:
                try:
                    return enumerate_choices(position)
                except Exception as error:
                    return self._do_again(error, partial(super().list_legal, position))
        found = super().list_legal(position)
        self._tally.steps += self.evaluator.spent + STEPS_TO_LIST
        return found

    def find_first_legal(self, position: Position) -> Choice:
        if self._lists_by_code():
            return self.list_legal(position)[0]
        found = super().find_first_legal(position)
        self._tally.steps += self.evaluator.spent + STEPS_TO_LIST
        return found

    def _lists_by_code(self) -> bool:
        """Whether generated code lists the choices. A `checked` executor verifies only what choices do, so it may use
        that code too, once enough has been listed for generating it to pay off."""
        return not self._watched or (not self._traced and self._tally.steps >= WORTH_WRITING)

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
        find_score = None if self._watched else self.generated.load("choices").names.get("standing")
        if find_score is None:
            return super().list_scores(position)
        try:
            return [find_score(position, seat) for seat in range(position.players)]
        except Exception as error:
            return self._do_again(error, partial(super().list_scores, position))

    def list_winners(self, position: Position) -> tuple[int, ...]:
        name_winners = None if self._watched else self.generated.load("choices").names.get("winners")
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
        offered = None if self._watched or self.find_decide(position) is None else self.choices.get(position.block)
        carry_out = offered.get(choice[0] if choice else None) if offered is not None else None
        if carry_out is None:
            return super().advance(position, choice, legal)
        try:
            further = carry_out(position, choice, *self._listener)
        except Exception as error:
            return self._recover(position, choice, error)
        return self._arrive(position) if further is None else self.go_on(position, *further)

    @cached_property
    def is_fast(self) -> bool:
        """Whether nothing records or watches and all code was generated, so that `play_on` is available."""
        return not self._watched and self.effects.record is None and bool(self.legal and self.choices)

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
        return bool(self._drawn[0])

    def play_drawn(self, position: Position, draws: Draws, habits: Habits) -> Played | None:
        """Play a match from start to end with drawn choices, with the same result as decision by decision. None if the
        code cannot do it, or not exactly; position and random state are then unusable."""
        entries, margin = self._drawn
        if position.block not in entries or self._watched or self.effects.record is not None:
            return None
        if self._given_up >= MOST_GIVEN_UP:  # it would most likely fail again
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

    def note_played(self) -> None:
        """Called when a match has been played to its end, perhaps after `play_drawn` gave up: an exception that it did
        not raise deliberately was then a generator bug."""
        if self._failed is not None:
            self._note_mistake(self._failed)
        self._failed = None

    def run(self, position: Position, until_step: int | str | None = None, *, to_end: bool = False) -> Stop:
        if self._watched or until_step is not None or position.instruction or position.over:
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
                further = enter(position, budget, *self._listener)
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
        if not isinstance(error, GivenUp | TooManyCards):
            self.generated.mistakes[f"{type(error).__name__}: {error}"] += 1

    def _recover(self, position: Position, choice: Choice, error: Exception) -> Stop:
        """Let the reference continue at the instruction that generated code failed to execute."""
        trace = self._find_trace(error.__traceback__)
        found = self._segments.names["PLACES"].get(trace.tb_lineno) if trace is not None else None
        if trace is None or found is None:
            raise error
        place = At(*found)
        if place == BEFORE:
            return self._do_again(error, partial(super().advance, position, choice))
        budget = trace.tb_frame.f_locals.get("budget", MOST_STEPS)
        position.block, position.instruction = place.block, place.instruction
        if isinstance(error, Fault) and error.clause is not None:  # raised by an event, after the change it reports
            self.generated.handed_over += 1
            raise self._locate(error, error.clause, position) from None
        return self._do_again(error, partial(self._walk, position, None, budget - place.cost))

    def _find_trace(self, trace: TracebackType | None) -> TracebackType | None:
        """The outermost traceback entry in the generated segments."""
        while trace is not None and trace.tb_frame.f_code.co_filename != self._segments.file:
            trace = trace.tb_next
        return trace
