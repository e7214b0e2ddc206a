"""The C back end: a module as one translation unit, which is CUDA too.

In: a module. Out: C11. What is specific to a game is in macros for sizes, the struct of positions, constant tables and
the one function `run`; the rest is the runtime, `runtime.c`. Only numbers get from a rule file into the text.

`run` executes up to a decision, the end or a fault. With `A->stops` it returns at each decision and resumes with the
choice it is given, or continues as a rollout; without, choices are drawn, and it returns at the end of the match.

On a GPU, threads of a warp that diverge are serialised. They therefore reconverge at merge points (`MEET`,
`reconvergence.py`): the threads at the merge point of highest priority run, the others of the thread block wait.
Threads are persistent: one whose match is over starts the next, and none returns before all its matches are played.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hoyle.play.codegen.c.control import Statements
from hoyle.play.codegen.c.declarations import print_sizes, print_tables, print_types
from hoyle.play.codegen.c.expressions import write_literal
from hoyle.play.codegen.c.reconvergence import NEXT_MATCH, find_reconvergence, find_retreating
from hoyle.play.codegen.c.struct_layout import Known, Layout
from hoyle.play.codegen.low.facts import Fact
from hoyle.play.codegen.low.program import Ask, Block, Branch, Do, Finish, Jump, Module, Switch, list_targets
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.control_flow import ControlFlow
from hoyle.play.codegen.passes.decide import Decisions
from hoyle.play.codegen.passes.operations import make_expander

FOLDER = Path(__file__).parent


def print_c(module: Module, *, environment: bool = False) -> str:
    """The C text of a module: what plays and searches, or an environment for learners."""
    return Printer(module, environment=environment).print()


class Printer(Statements):
    """Prints one module; expands it first."""

    def __init__(self, module: Module, *, environment: bool = False) -> None:
        super().__init__(Layout(module.program, Known.of(module), environment=environment))
        self.environment = environment
        self.module = module
        self.program = module.program
        decisions = Decisions(module)
        self.blocks = decisions.expand()
        self.asking = _set_asks_apart(self.blocks) if environment else {}
        self.resumes, self.cache, self.memos = decisions.resumes, decisions.cache, decisions.memos
        done = (do for block in self.blocks.values() for do in block.body if isinstance(do, Do))
        shuffled = (do.args[0].constant for do in done if do.op == "shuffle")
        self.late_zone = next((zone for zone in shuffled if zone is not None), -1)

    # ---------------------------------------------------------------------------------------------- the whole
    def print(self) -> str:
        self._print_start()
        self._print_run()
        self._print_results()
        entries = ("entries.c", "environment.c") if self.environment else ("entries.c", "tree_search.c", "kernel.cu")
        parts = [
            f"/* {len(self.program.blocks)} blocks, {self.program.players} players */",
            *(["#define ENVIRONMENT 1"] if self.environment else []),
            _read("target.h"),
            *print_sizes(self.module, self.layout, self.late_zone),
            *print_types(self.layout),
            *print_tables(self.layout),
            *self.tables.values(),
            _read("runtime.c"),
            *self.helpers.values(),
            *self.list_lines(),
            *map(_read, entries),
        ]
        return "\n".join(parts) + "\n"

    def _print_start(self) -> None:
        """The functions that initialise slots, states and totals of the first position."""
        with self.block("HOST_DEVICE void start_slots(Pos *P, Frame *F)"):
            returns = ControlFlow(self.program).return_slots
            for number, field in self.layout.slots.items():
                start = self.module.build.number(-1) if number in returns else self.module.build.none
                self.set_place(field, "", start)
            self.write("(void)P; (void)F;")
        with self.block("HOST_DEVICE void start_values(Pos *P)"):
            for number, state in enumerate(self.program.states):
                for index in [f"[{place}]" for place in range(state.size)] if state.of else [""]:
                    self.set_place(self.layout.states[number], index, self._start_value(state.start))
            for field in self.layout.totals.values():
                self.write(f"for (int32_t i = 0; i < PLAYERS; i++) {field.path}[i] = 0;")

    def _start_value(self, start: Any) -> Value:
        build = self.module.build
        if isinstance(start, tuple):
            return build.known_list(start)
        if isinstance(start, str):
            return build.number(self.module.texts.index(start))
        return build.none if start is None else build.number(start)

    # ---------------------------------------------------------------------------------------------- run
    def _print_run(self) -> None:
        targets = {number: tuple(list_targets(block.end)) for number, block in self.blocks.items()}
        met = find_reconvergence(targets, self.module.entry, self.resumes.values())
        self.merge_points = {number: place for place, number in enumerate(met)}
        # the step budget is tested at every decision: other cycles need a test on their retreating edge
        unasked = [number for number, block in self.blocks.items() if not _asks(block)]
        self.retreating = find_retreating(targets, unasked)
        self.write(f"#define NEXT_MATCH {self.merge_points[NEXT_MATCH]}")
        with self.block("HOST_DEVICE int32_t run(Pos *P, Ask *A)"):
            self.write("int32_t fuel, work; TURN")
            self.write("uint64_t kept;")
            self.mentioned.update(self.cache.registers.values())  # declared at function scope: they outlive blocks
            self.write("fuel = MOST_STEPS; work = 0; kept = 0;")
            with self.block("switch (P->block)"):
                self.write(f"case START: {self._enter(self.module.entry)}")
                for number, resumed in self.resumes.items():
                    self.write(f"case {number}: {self._enter(resumed)}")
                self.write("default: goto fault;")
            self.lines += self._print_dispatch()
            self.in_run = True
            for number, block in self.blocks.items():
                with self.block(f"B{number}:"):
                    self._block(number, block)
            self.in_run = False
            self.lines += ("#if BATCHES", "broken:", "#else", "fault:", "#endif")
            self.write("P->fault = 1;")
            self.write("LEAVE(FAULT);")

    def _print_dispatch(self) -> Iterator[str]:
        """On a device: the dispatch of a thread to the block where it is its turn to run."""
        yield "#if BATCHES"
        yield "fault: /* entered without setting `at`, which is FAULTY then: no path bypasses the barrier */"
        yield "meet:"
        yield "  switch (take_turn(&at, &side)) {"
        for number, place in self.merge_points.items():
            if number == NEXT_MATCH:
                yield f"  case {place}:"
                yield "    if (!next_match(P, A, left_with)) { at = LEFT; goto meet; }"
                yield f"    fuel = MOST_STEPS; work = 0; kept = 0; BEGIN_FRAME {self._enter(self.module.entry)}"
            else:
                yield f"  case {place}: goto B{number};"
        yield from ("  case LEFT: return left_with;", "  default: goto broken;", "  }", "#endif")

    def _enter(self, to: int) -> str:
        return f"MEET(B{to}, {self.merge_points[to]})" if to in self.merge_points else f"goto B{to};"

    def _block(self, number: int, block: Block) -> None:
        end = block.end
        self._number = number
        self.statements(block.body)
        if block.cost:
            self.write(f"fuel -= {block.cost};")
        match end:
            case Jump():
                self.write(self._goto(number, end.to))
            case Branch():
                with self.block(f"if ({self.expr(end.test)})"):
                    self.write(self._goto(number, end.yes))
                self.write(self._goto(number, end.no))
            case Switch():
                with self.block(f"switch ({self.expr(end.value)})"):
                    for to in end.targets:
                        self.write(f"case {to}: {self._goto(number, to)}")
                    self.write("default: goto fault;")
            case Finish():
                self.write("settle(P, LATE_ZONE, 0);")
                self.write(f"P->over = 1; P->block = {number}; LEAVE(fuel < 0 || P->fault ? FAULT : OVER);")

    def _goto(self, number: int, to: int) -> str:
        return f"if (fuel < 0) goto fault; {self._enter(to)}" if (number, to) in self.retreating else self._enter(to)

    def ask(self, statement: Ask) -> None:
        name, seat, size = map(self.expr, (statement.register, statement.seat, statement.size))
        most = write_literal(statement.size.fact.high)
        if statement.number:
            ctype = self.type_of(statement.register)
            drawn = f"}} else {name} = ({ctype})take_place(A, {seat}, (int64_t){size}, {most}, 0);"
            with self.block("if (STOPPING(A))", drawn):
                self.write(f"A->many = {size}; if (A->stops == ROLLS) A->number = roll_number(A, A->many);")
                self.write(f"if (A->number < 0 || A->number >= {size}) goto fault;")
                self.write(f"{name} = ({ctype})A->number;")
            return
        block = next((block for block, resumed in self.resumes.items() if self._leads(resumed, self._number)), -1)
        window = int(self.program.decisions[statement.decision].window)
        self.write("if ((fuel | -P->fault) < 0 || ENDLESS(A) || INJECTED) goto fault;")
        with self.block("if (STOPPING(A))", ""):
            with self.block(f"if (!A->given && !roll(P, A, {seat}, {size}, {window}))"):
                asked = f"A->size = {size}; A->seat = {seat}; A->window = {window}; P->block = {block};"
                self.write(f"{asked} LEAVE(ASKED);")
            self.write(f"A->given = 0; if (A->place < 0 || A->place >= {size}) goto fault;")
            self.write(f"{name} = A->place;")
        with self.block("} else"):
            self.write(f"TOLD(offered) += {size}; if ({size} > TOLD(widest)) TOLD(widest) = {size};")
            self.write(f"{name} = (int32_t)take_place(A, {seat}, {size}, {most}, {window});")
        self.write("fuel = MOST_STEPS; work = 0;")

    def _leads(self, resumed: int, number: int) -> bool:
        """Whether a block asks for the decision that starts at another: itself, or behind the test of a window."""
        if resumed == number:
            return True
        end = self.blocks[resumed].end
        further = end.no if isinstance(end, Branch) else resumed
        return number in (further, self.asking.get(further)) and _asks(self.blocks[number])

    # ---------------------------------------------------------------------------------------------- results
    def _print_results(self) -> None:
        """The functions for scores, winners, evaluation, hints and conditional visibility."""
        expander = make_expander(self.module, self.memos)
        winners, build = self.module.winners, self.module.build
        with expander.collecting() as out:
            expander.start([winners])
            is_list = winners.fact.is_list or winners.op == "none"
            won = expander.listed(winners if is_list else build.items([winners], winners.fact.sure()))
        with self._function("list_winners(Pos *P, Winners *winners)"):
            self.write("winners->n = 0;")
            self.statements([*out, Do("win", (won,))])
        self._print_list("list_scores", self._list_by_seat(self.module.standing))
        if self.program.keeps_faces:
            self._print_list("list_shown", self.module.shown)
        self.write("#if !BATCHES")
        self._print_list("list_told", self._list_by_seat(self.module.told))
        self._print_list("list_hints", self._list_by_seat(self.module.hints))
        if not self.program.keeps_faces:
            self._print_list("list_shown", self.module.shown)
        self.write("#endif")
        if self.environment:
            self._print_common()

    @contextmanager
    def _function(self, head: str) -> Iterator[None]:
        """A function that returns whether it faulted."""
        with self.block(f"HOST_DEVICE int32_t {head}"):
            yield
            self.write("return 0;")
            self.lines.append("fault:")
            self.write("return FAULT;")

    def _list_by_seat(self, each: Value | None) -> dict[int, Value]:
        """The body of an `each` over all seats, instantiated for each."""
        if each is None:
            return {}
        build = self.module.build
        variable = build.make("var", (), each.data[:1], each.args[0].fact.of or Fact(0, 0))
        return {seat: build.replace(each.args[2], variable, build.number(seat)) for seat in range(self.program.players)}

    def _print_list(self, name: str, values: dict[int, Value]) -> None:
        """A function that writes values into an array by key; one that faults if there are none."""
        expander = make_expander(self.module, self.memos)
        with self._function(f"{name}(Pos *P, int64_t *found)"):
            for place, value in values.items():
                with expander.collecting() as out:
                    expander.start([value])
                    found = expander.value(value)
                with self.block():
                    self.statements([*out, Do("found", (found,), (place,))])
            if not values:
                self.write("(void)P; (void)found; goto fault;")

    def _print_common(self) -> None:
        """A function for what everybody can work out: seats, -1 for none, and tests of a card."""
        expander = make_expander(self.module, self.memos)
        common, card = self.module.common, self.module.card
        with self._function("tell_common(Pos *P, int32_t which, int32_t given, int64_t *found)"):
            for place, value in enumerate(common):
                with self.block(f"if (which == {place})"):
                    self.write(f"{self.expr(card)} = ({self.type_of(card)})given;")
                    with expander.collecting() as out:
                        expander.start([value])
                        made = expander.value(value)
                    self.statements([*out, Do("found", (made,), (0,))])
            self.write(f"(void)P; (void)given; if (which >= {len(common)}) goto fault;")


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _set_asks_apart(blocks: dict[int, Block]) -> dict[int, int]:
    """Let each decision ask in a block of its own, to which one goes back for the next choice; those blocks, by the
    blocks whose end they were."""
    found = {}
    for number, block in list(blocks.items()):
        if _asks(block):
            at = next(place for place, each in enumerate(block.body) if isinstance(each, Ask) and not each.number)
            found[number] = apart = max(blocks) + 1
            blocks[number] = Block(block.body[:at], Jump(apart), 0)
            blocks[apart] = Block(block.body[at:], block.end, block.cost)
    return found


def _asks(block: Block) -> bool:
    """Whether a block asks for a choice, and not only for its number parameter."""
    return any(isinstance(each, Ask) and not each.number for each in block.body)
