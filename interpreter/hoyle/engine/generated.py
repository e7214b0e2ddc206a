"""The generated executor: what the reference executor does, done by Python source written from the program.

In: a program. Out: the same positions, choices, events and faults as those of the reference, much faster.

The reference stays the definition. Wherever generated code cannot go on, because a rule is faulty, because the position
was edited into something the rules cannot lead to, or because the limit of instructions is near, the reference does the
same instruction again and goes on from there: what it says is what is so. It also does what nobody is in a hurry for:
tracing, checking each change, running up to a step.
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
Entries = dict[int, Callable[..., tuple[int, int] | None]]  # functions by the blocks they begin at


class Played(NamedTuple):
    """How many choices were offered in all, and the most at once."""

    offered: int
    widest: int


class Generated:
    """The generated parts of one program, made when they are first needed."""

    def __init__(self, reference: ReferenceExecutor, digest: str) -> None:
        self.digest = digest
        self.reference = reference
        self.program = reference.program
        self._parts: dict[Part, Loaded] = {}
        self.handed_over = 0  # how often the reference had to do what generated code could not
        self.mistakes: Counter[str] = Counter()  # of the generator: errors that neither code nor rules call for
        self.problem = ""  # why there is a part that no code could be written for

    @cached_property
    def unsupported(self) -> Reason | None:
        """What there is in the program that no code is written for."""
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
        except (SyntaxError, NameError, ValueError):  # what was kept is damaged
            source = find_source(self.digest, part, write, anew=True)
            return load_part(self.program, part, source, self.reference.effects)

    def load(self, part: Part) -> Loaded:
        """A part, ready to run; empty tables if there is something no code is written for."""
        if part not in self._parts:
            try:
                self._parts[part] = self._load(part)
            except (Unsupported, SyntaxError, RecursionError) as error:  # too much of it, or too deep, for Python
                self.handed_over += 1
                self.problem = str(error) if isinstance(error, Unsupported) else Reason.SIZE
                self._parts[part] = Loaded({}, "", "")
        return self._parts[part]


def find_problem(program: ir.Program) -> str:
    """Why random matches of a program are played by the reference although generated code was asked for; nothing if
    there is code for them."""
    generated = find_generated(program)
    generated.load("drawn")
    return Reason.CALLED if program.called else generated.problem


_made: OrderedDict[str, Generated] = OrderedDict()
MOST_MADE = 64
MOST_GIVEN_UP = 3
WORTH_WRITING = 300_000  # steps of evaluation that take about as long as writing code that lists choices
STEPS_TO_LIST = 50  # as many as listing choices takes besides


def find_generated(program: ir.Program) -> Generated:
    """The generated parts of a program, shared by all executors of equal programs."""
    digest = digest_program(program)
    found = _made.get(digest)
    if found is None:
        found = _made[digest] = Generated(ReferenceExecutor(program), digest)
        if len(_made) > MOST_MADE:
            _made.popitem(last=False)
    return found


def _find_entries(part: Loaded) -> tuple[Entries, int]:
    """The functions of a part that go on at a block, and the budget they need."""
    return part.names.get("ENTRIES", {}), part.names.get("MARGIN", 0)


def write_source(program: ir.Program) -> str:
    """The source of all parts, to be read."""
    return "\n\n".join(write_part(program, part) for part in PARTS)


@dataclass(slots=True)
class Tally:
    """The steps of evaluation in which the reference listed choices, of all watched matches of a program."""

    steps: int = 0


class GeneratedExecutor(ReferenceExecutor):
    """Runs one program by generated code."""

    def __init__(self, program: ir.Program, *args: Any, like: ReferenceExecutor | None = None, **options: Any) -> None:
        super().__init__(program, *args, like=like, **options)
        self._like = like if isinstance(like, GeneratedExecutor) else None
        self._tally: Tally = self._like._tally if self._like else Tally()
        self._given_up = 0  # matches one after the other that the code without stops could not play
        self._failed: Exception | None = None  # what that code last failed of
        self._traced = self.visit is not None or self.evaluator.trace is not None
        self._watched = self.checked or self._traced

    # ---------------------------------------------------------------------------------------------- tables
    @cached_property
    def generated(self) -> Generated:
        """What is shared by all executors of the program, found when it is first needed."""
        return self._like.generated if self._like else find_generated(self.program)

    @cached_property
    def legal(self) -> dict[int, Callable[[Position], Sequence[Choice]]]:
        """For each block that decides, the function that lists what is legal."""
        found: dict[int, Callable[[Position], Sequence[Choice]]] = self.generated.load("choices").names.get("LEGAL", {})
        return found

    @cached_property
    def _segments(self) -> Loaded:
        return self.generated.load("plain" if self.effects.record is None else "recorded")

    @cached_property
    def choices(self) -> dict[int, dict[int | None, Callable[..., tuple[int, int] | None]]]:
        """For each block that decides and each action offered there, the function that carries it out."""
        found: dict[int, dict[int | None, Callable[..., Any]]] = self._segments.names.get("CHOICES", {})
        return found

    @cached_property
    def _entries(self) -> tuple[Entries, int]:
        """For each block that is jumped to, the function that goes on there; and the budget they need."""
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
        """Whether choices are listed by generated code. What is checked is what choices do; where much was listed,
        code that lists them is worth its while."""
        return not self._watched or (not self._traced and self._tally.steps >= WORTH_WRITING)

    @cached_property
    def _strict(self) -> GeneratedExecutor:
        """The same program with errors refused: what is legal there is lawful here."""
        return GeneratedExecutor(replace(self.program, called=False))

    def list_lawful(self, position: Position) -> Sequence[Choice]:
        if not self.program.called:
            return super().list_lawful(position)
        try:
            return [choice for choice in self._strict.list_legal(position) if choice]
        except Fault:  # nothing is
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
        """Whether nobody listens or watches and there is code for everything, so that `play_on` can be used."""
        return not self._watched and self.effects.record is None and bool(self.legal and self.choices)

    @cached_property
    def _table(self) -> dict[int, tuple[Callable[..., Sequence[Choice]], dict[int | None, Callable[..., Any]]]]:
        """For each block that decides: what lists the choices, and what carries them out."""
        return {block: (self.legal[block], offered) for block, offered in self.choices.items()}

    def play_on(self, position: Position, choose: Callable[[Sequence[Choice]], Choice]) -> Played:
        """Play from a decision to the end of the match: the loop of `list_legal` and `advance` with nothing between."""
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
        """The functions that play at random, by the blocks they begin at; and the budget they need."""
        return _find_entries(self.generated.load("drawn"))

    @property
    def is_drawn(self) -> bool:
        """Whether there is code that plays a whole match at random."""
        return bool(self._drawn[0])

    def play_drawn(self, position: Position, draws: Draws, habits: Habits) -> Played | None:
        """Play a match from its beginning to its end with choices that are drawn, as decision by decision. None if that
        cannot be done, or is not done exactly, by the code written for it: then the position is good for nothing any
        more, nor is the chance."""
        entries, margin = self._drawn
        if position.block not in entries or self._watched or self.effects.record is not None:
            return None
        if self._given_up >= MOST_GIVEN_UP:  # why begin?
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
        """How many choices were offered at each decision; None if the end was not reached."""
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
        """A match was played to its end, though perhaps not by the code that plays at random: what that code failed of,
        if it did not ask for another, was a mistake in it."""
        if self._failed is not None:
            self._note_mistake(self._failed)
        self._failed = None

    def run(self, position: Position, until_step: int | str | None = None, *, to_end: bool = False) -> Stop:
        if self._watched or until_step is not None or position.instruction or position.over:
            return super().run(position, until_step, to_end=to_end)
        return self.go_on(position, position.block, MOST_STEPS)

    def go_on(self, position: Position, block: int, budget: int) -> Stop:
        """Run on at a block, with so many instructions left."""
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
        """The game has stopped at a decision or at its end."""
        if position.over:
            return "finish"
        if position.decisions >= self.most_decisions:
            decide = self.find_decide(position)
            assert decide is not None
            self._reach_decision(decide, position)
        return "decide"

    def _do_again(self, error: Exception, by_reference: Callable[[], Done]) -> Done:
        """Let the reference do what generated code could not do: it says what is wrong with the rules, or does it."""
        self.generated.handed_over += 1
        done = by_reference()
        self._note_mistake(error)
        return done

    def _note_mistake(self, error: Exception) -> None:
        """The reference could do it, without a fault: unless the code gave up knowingly, there is a mistake in it."""
        if not isinstance(error, GivenUp | TooManyCards):
            self.generated.mistakes[f"{type(error).__name__}: {error}"] += 1

    def _recover(self, position: Position, choice: Choice, error: Exception) -> Stop:
        """Let the reference go on from the instruction that generated code could not carry out."""
        trace = self._find_trace(error.__traceback__)
        found = self._segments.names["PLACES"].get(trace.tb_lineno) if trace is not None else None
        if trace is None or found is None:
            raise error
        place = At(*found)
        if place == BEFORE:
            return self._do_again(error, partial(super().advance, position, choice))
        budget = trace.tb_frame.f_locals.get("budget", MOST_STEPS)
        position.block, position.instruction = place.block, place.instruction
        if isinstance(error, Fault) and error.clause is not None:  # of the events, after what they tell of was changed
            self.generated.handed_over += 1
            raise self._locate(error, error.clause, position) from None
        return self._do_again(error, partial(self._walk, position, None, budget - place.cost))

    def _find_trace(self, trace: TracebackType | None) -> TracebackType | None:
        """Where code of a stretch of play was being run."""
        while trace is not None and trace.tb_frame.f_code.co_filename != self._segments.file:
            trace = trace.tb_next
        return trace
