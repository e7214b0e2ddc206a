"""A module as C text, which CUDA compilers take as well.

In: a module whose blocks are expanded. Out: C11. Everything of a game is in the sizes, the struct, the tables and the
one function `run`; what all games share is `runtime.c`. Only numbers get from a rule file into the text.

`run` plays until a decision, the end or a fault. With `A->stops` it returns at each decision and goes on with the
choice it is given, or rolls on for a while; without, choices are drawn, and it returns at the end.

On a device the threads of a warp execute one instruction together as long as they are at the same place. Where several
ways come together they therefore meet (`MEET`, `meetings.py`): whoever is at the first of such places goes on, the
others of the block wait. Nobody returns before all its matches are played: whoever is done begins another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hoyle.codegen.c.declarations import print_sizes, print_tables, print_types
from hoyle.codegen.c.meetings import NEXT_MATCH, find_meetings, find_returns
from hoyle.codegen.c.spelling import write_literal
from hoyle.codegen.c.statements import Statements
from hoyle.codegen.c.struct_layout import Field, Known, Layout, ListField
from hoyle.codegen.low.facts import Fact
from hoyle.codegen.low.program import Ask, Block, Branch, Do, End, Finish, Jump, Module, Switch, list_end_values
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.control import Control
from hoyle.codegen.passes.decide import Decisions
from hoyle.codegen.passes.operations import make_expander

FOLDER = Path(__file__).parent


def print_c(module: Module) -> str:
    """The C text of a module."""
    decisions = Decisions(module)
    blocks = decisions.expand()
    return Printer(module, blocks, decisions).print()


class Printer(Statements):
    """Prints one module."""

    def __init__(self, module: Module, blocks: dict[int, Block], decisions: Decisions) -> None:
        super().__init__(Layout(module.program, Known.of(module)))
        self.module = module
        self.program = module.program
        self.blocks = blocks
        self.resumes = decisions.resumes
        self.kept = decisions.kept
        self.memos = decisions.memos
        shuffled = (do for block in blocks.values() for do in block.body if isinstance(do, Do) and do.op == "shuffle")
        self.spelling.late_zone = next((do.args[0].constant for do in shuffled if do.args[0].constant is not None), -1)

    # ---------------------------------------------------------------------------------------------- the whole
    def print(self) -> str:
        run = self._print_run()
        results = self._print_results()
        parts = [
            f"/* {len(self.program.blocks)} blocks, {self.program.players} players */",
            (FOLDER / "target.h").read_text(encoding="utf-8"),
            *print_sizes(self.module, self.layout, self.spelling.late_zone),
            *print_types(self.layout),
            *print_tables(self.layout),
            *self.spelling.tables.values(),
            (FOLDER / "runtime.c").read_text(encoding="utf-8"),
            *self.spelling.helpers.values(),
            *self._print_start(),
            *run,
            *results,
            (FOLDER / "entries.c").read_text(encoding="utf-8"),
            (FOLDER / "tree.c").read_text(encoding="utf-8"),
            (FOLDER / "kernel.cu").read_text(encoding="utf-8"),
        ]
        return "\n".join(parts) + "\n"

    def _print_start(self) -> Iterator[str]:
        """The functions that make the first position, without its cards."""
        yield "HOST_DEVICE void start_slots(Pos *P, Frame *F) {"
        returns = Control(self.program).return_slots
        for number, field in self.layout.slots.items():
            start = self.module.build.number(-1) if number in returns else self.module.build.none
            yield from self._print_store(field, "", start)
        yield "  (void)P; (void)F;"
        yield "}"
        yield "HOST_DEVICE void start_values(Pos *P) {"
        for number, state in enumerate(self.program.states):
            value = self._start_value(state)
            for place in range(state.size) if state.of else ("",):
                yield from self._print_store(self.layout.states[number], f"[{place}]" if state.of else "", value)
        for field in self.layout.totals.values():
            yield f"  for (int32_t i = 0; i < PLAYERS; i++) {field.path}[i] = 0;"
        yield "}"

    def _start_value(self, state: Any) -> Value:
        build = self.module.build
        start = state.start
        if isinstance(start, tuple):
            return build.known_list(start)
        if isinstance(start, str):
            return build.number(self.module.texts.index(start))
        return build.none if start is None else build.number(start)

    def _print_store(self, field: Field | ListField, index: str, value: Value) -> Iterator[str]:
        if isinstance(field, Field):
            yield f"  {self.spelling.store(field, index, value)}"
        elif value.op == "none":
            yield f"  {field.length.path}{index} = {field.length.none};"
        else:
            constants = value.constants or ()
            yield f"  {field.length.path}{index} = {len(constants)};"
            yield from (f"  {field.elements.path}{index}[{at}] = {each};" for at, each in enumerate(constants))

    # ---------------------------------------------------------------------------------------------- run
    def _print_run(self) -> list[str]:
        self.lines = []
        shared = self._find_shared() | set(self.kept.registers.values())
        body: list[str] = []
        self.in_run = True
        targets = {number: tuple(_list_targets(block.end)) for number, block in self.blocks.items()}
        met = find_meetings(targets, self.module.entry, self.resumes.values())
        self.meetings = {number: place for place, number in enumerate(met)}
        # steps are looked at wherever somebody is asked: only what goes round without is left
        self.returns = find_returns(targets, [number for number, block in self.blocks.items() if not _asks(block)])
        for number, block in self.blocks.items():
            self.lines, self.depth = [], 1
            self._block(number, block, shared)
            body += [f"B{number}: {{", *self.lines, "}"]
        self.in_run = False
        self.lines, self.depth = [], 1
        self.declare(shared)
        return [
            f"#define NEXT_MATCH {self.meetings[NEXT_MATCH]}",
            "HOST_DEVICE int32_t run(Pos *P, Ask *A) {",
            "  int32_t fuel, work; TURN",
            "  uint64_t kept;",
            *self.lines,
            "  fuel = MOST_STEPS;",
            "  work = 0;",
            "  kept = 0;",
            "  switch (P->block) {",
            f"  case START: {self._enter(self.module.entry)}",
            *(f"  case {number}: {self._enter(resumed)}" for number, resumed in self.resumes.items()),
            "  default: goto fault;",
            "  }",
            *self._print_meetings(),
            *body,
            *("#ifdef __CUDACC__", "broken:", "#else", "fault:", "#endif"),
            "  P->fault = 1;",
            "  LEAVE(FAULT);",
            "}",
        ]

    def _print_meetings(self) -> Iterator[str]:
        """On a device: which block a thread goes on with when it is its turn."""
        yield "#ifdef __CUDACC__"
        yield "fault: /* whoever comes here did not say where to: it is at FAULTY, and no way leads past the meeting */"
        yield "meet:"
        yield "  switch (take_turn(&at, &side)) {"
        for number, place in self.meetings.items():
            if number == NEXT_MATCH:
                yield f"  case {place}:"
                yield "    if (!next_match(P, A, left_with)) { at = LEFT; goto meet; }"
                yield f"    fuel = MOST_STEPS; work = 0; kept = 0; BEGIN_FRAME {self._enter(self.module.entry)}"
            else:
                yield f"  case {place}: goto B{number};"
        yield "  case LEFT: return left_with;"
        yield "  default: goto broken;"
        yield "  }"
        yield "#endif"

    def _enter(self, to: int) -> str:
        return f"MEET(B{to}, {self.meetings[to]})" if to in self.meetings else f"goto B{to};"

    def _find_shared(self) -> set[Value]:
        """The registers that are read in another block than they are set in."""
        seen: dict[Value, int] = {}
        shared: set[Value] = set()
        for number, block in self.blocks.items():
            for register in self.mentions.of(block.body) | self.mentions.of_values(list_end_values(block.end)):
                if seen.setdefault(register, number) != number:
                    shared.add(register)
        return shared

    def _block(self, number: int, block: Block, shared: set[Value]) -> None:
        end = block.end
        self.statements(block.body, shared, list_end_values(end), number)
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
        return f"if (fuel < 0) goto fault; {self._enter(to)}" if (number, to) in self.returns else self._enter(to)

    def ask(self, statement: Ask, number: int) -> None:
        name, seat, size = map(self.expr, (statement.register, statement.seat, statement.size))
        most = write_literal(statement.size.fact.high)
        if statement.number:
            ctype = self.spelling.type_of(statement.register)
            drawn = f"}} else {name} = ({ctype})take_place(A, {seat}, (int64_t){size}, {most}, 0);"
            with self.block("if (STOPPING(A))", drawn):
                self.write(f"A->many = {size}; if (A->stops == ROLLS) A->number = roll_number(A, A->many);")
                self.write(f"if (A->number < 0 || A->number >= {size}) goto fault;")
                self.write(f"{name} = ({ctype})A->number;")
            return
        block = next((block for block, resumed in self.resumes.items() if self._leads(resumed, number)), -1)
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
        """Whether a block asks for a decision that begins at another: at once, or after a seat was not passed over."""
        if resumed == number:
            return True
        end = self.blocks[resumed].end
        return isinstance(end, Branch) and end.no == number and _asks(self.blocks[number])

    # ---------------------------------------------------------------------------------------------- results
    def _print_results(self) -> list[str]:
        """What each seat has scored, and who has won."""
        expander = make_expander(self.module, self.memos)
        winners, standing = self.module.winners, self.module.standing
        build = self.module.build
        with expander.collecting() as out:
            expander.start([winners])
            if winners.fact.is_list or winners.op == "none":
                won = expander.listed(winners)
            else:
                won = expander.listed(build.items([winners], winners.fact.sure()))
        self.lines, self.depth = [], 1
        self.statements([*out, Do("win", (won,))], set())
        won_lines = self.lines
        return [
            "HOST_DEVICE int32_t list_winners(Pos *P, Winners *winners) {",
            "  winners->n = 0;", *won_lines, "  return 0;",
            "fault:", "  return FAULT;", "}",
            *self._print_list("list_scores", self._list_by_seat(standing)),
            *(self._print_list("list_shown", self.module.shown) if self.program.keeps_faces else ()),
            "#ifndef __CUDACC__",
            *self._print_list("list_told", self._list_by_seat(self.module.told)),
            *self._print_list("list_hints", self._list_by_seat(self.module.hints)),
            *(self._print_list("list_shown", self.module.shown) if not self.program.keeps_faces else ()),
            "#endif",
        ]  # fmt: skip

    def _list_by_seat(self, each: Value | None) -> dict[int, Value]:
        """A value for every seat, one after the other."""
        if each is None:
            return {}
        build = self.module.build
        variable = build.make("var", (), each.data[:1], each.args[0].fact.of or Fact(0, 0))
        return {seat: build.replace(each.args[2], variable, build.number(seat)) for seat in range(self.program.players)}

    def _print_list(self, name: str, values: dict[int, Value]) -> list[str]:
        """A function that writes values into places of a list."""
        expander = make_expander(self.module, self.memos)
        body: list[str] = []
        for place, value in values.items():
            with expander.collecting() as out:
                expander.start([value])
                found = expander.value(value)
            self.lines, self.depth = [], 2
            self.statements([*out, Do("found", (found,), (place,))], set())
            body += ["  {", *self.lines, "  }"]
        unused = [] if values else ["  (void)P; (void)found; goto fault;"]
        return [
            f"HOST_DEVICE int32_t {name}(Pos *P, int64_t *found) {{", *body, *unused, "  return 0;",
            "fault:", "  return FAULT;", "}",
        ]  # fmt: skip


def _list_targets(end: End) -> Sequence[int]:
    """The blocks that the end of a printed block leads to."""
    match end:
        case Jump():
            return [end.to]
        case Branch():
            return [end.yes, end.no]
        case Switch():
            return end.targets
    return ()


def _asks(block: Block) -> bool:
    """Whether somebody is asked for a choice, and not only for its number."""
    return any(isinstance(each, Ask) and not each.number for each in block.body)
