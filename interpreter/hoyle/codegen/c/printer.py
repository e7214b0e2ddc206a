"""A module as C text, which CUDA compilers take as well.

In: a module whose blocks are expanded. Out: C11. Everything of a game is in the sizes, the struct, the tables and the
one function `run`; what all games share is `runtime.c`. Only numbers get from a rule file into the text.

`run` plays until a decision, the end or a fault. With `A->stops` it returns at each decision and goes on with the
choice it is given; without, choices are drawn, and it returns at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hoyle.codegen.c.layout import Field, Known, Layout, ListField, element_type
from hoyle.codegen.c.spelling import Spelling
from hoyle.codegen.low.facts import LIMIT, Fact
from hoyle.codegen.low.program import (
    Ask,
    Block,
    Branch,
    Do,
    Fault,
    Finish,
    For,
    Jump,
    Leave,
    Let,
    Module,
    Once,
    Push,
    Statement,
    Switch,
    When,
)
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.control import Control
from hoyle.codegen.lower.expressions import MOST_LINES
from hoyle.codegen.passes.decide import Decisions
from hoyle.codegen.passes.expand import Expander
from hoyle.codegen.passes.memo import Memo
from hoyle.engine.limits import MOST_CHOICES, MOST_DECISIONS, MOST_STEPS
from hoyle.ir import nodes as ir
from hoyle.ir.layout import list_members, list_owners

FOLDER = Path(__file__).parent
NOBODY = 255
MANY_TIMES = 1 << 20  # loops that can go round so often are counted
MOST_WORK = 20_000_000  # times that such loops go round before a decision
MOST_IN_REGISTER = 4096  # elements of a list that is worked with; more are a fault


def print_c(module: Module) -> str:
    """The C text of a module."""
    decisions = Decisions(module)
    blocks = decisions.expand()
    return Printer(module, blocks, decisions.resumes).print()


class Printer:
    def __init__(self, module: Module, blocks: dict[int, Block], resumes: dict[int, int]) -> None:
        self.module = module
        self.program = module.program
        self.blocks = blocks
        self.resumes = resumes
        self.layout = Layout(module.program, Known.of(module))
        self.spelling = Spelling(self.layout)
        self.expr = self.spelling.expr
        self.lines: list[str] = []
        self.depth = 1
        self.mentions = Mentions()
        self._names = 0
        self._times = 1  # how often what is being printed can be gone through
        self._counts = False  # whether that is counted there

    # ---------------------------------------------------------------------------------------------- text
    def write(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def open(self, line: str) -> None:
        self.write(f"{line} {{")
        self.depth += 1

    def close(self, line: str = "}") -> None:
        self.depth -= 1
        self.write(line)

    def fresh(self, letter: str) -> str:
        self._names += 1
        return f"{letter}{self._names}"

    # ---------------------------------------------------------------------------------------------- the whole
    def print(self) -> str:
        run = self._print_run()
        results = self._print_results()
        parts = [
            f"/* {len(self.program.blocks)} blocks, {self.program.players} players */",
            (FOLDER / "target.h").read_text(encoding="utf-8"),
            *self._print_sizes(),
            *self._print_types(),
            *self._print_tables(),
            (FOLDER / "runtime.c").read_text(encoding="utf-8"),
            *self.spelling.helpers.values(),
            *self._print_start(),
            *run,
            *results,
            (FOLDER / "entries.c").read_text(encoding="utf-8"),
            (FOLDER / "kernel.cu").read_text(encoding="utf-8"),
        ]
        return "\n".join(parts) + "\n"

    def _print_sizes(self) -> Iterator[str]:
        program, layout = self.program, self.layout
        start = program.zones[program.start_zone]
        sizes = {
            "PLAYERS": program.players,
            "CARDS": layout.cards,
            "ZONES": layout.zones,
            "COLUMNS": len(program.columns),
            "HOLDERS": int(program.keeps_holders),
            "OWNER_AT_START": int(self._list_owners(start)[0] >= 0),
            "KEEPS_LINES": int(program.keeps_lines),
            "MOST_LINES": MOST_LINES,
            "CALLED": int(program.called),
            "START_ZONE": start.base,
            "NOBODY": NOBODY,
            "LIMIT": f"INT64_C({LIMIT})",
            "MOST_CHOICES": MOST_CHOICES,
            "MOST_STEPS": MOST_STEPS,
            "MOST_WORK": MOST_WORK,
            "MOST_DECISIONS": MOST_DECISIONS,
            "ENTRY": self.module.entry,
        }
        yield from (f"#define {name} {value}" for name, value in sizes.items())

    def _print_types(self) -> Iterator[str]:
        layout = self.layout
        yield f"typedef {layout.card_type} card_t;"
        yield f"typedef {layout.zone_type} zone_t;"
        yield f"typedef {layout.count_type} count_t;"
        yield "typedef uint8_t seat_t;"
        for name, inner in (("Table", True), ("Pos", False)):
            yield "typedef struct {"
            yield from (f"  {line}" for line in self._struct_members(inner=inner))
            yield f"}} {name};"

    def _struct_members(self, *, inner: bool) -> Iterator[str]:
        if not inner:
            yield "Table t;" + (" Table saved;" if self.program.called else "")
        for field in self.layout.in_order(inner=inner):
            yield f"{field.ctype} {field.name}{''.join(f'[{size}]' for size in field.dims)};"

    def _print_tables(self) -> Iterator[str]:
        zones = sorted(self.program.zones, key=lambda zone: zone.base)
        owners = [owner for zone in zones for owner in self._list_owners(zone)]
        fixed = {
            "OWNER": ("int8_t", owners),
            "AT": ("uint16_t", self.layout.offsets),
            "ROOM": (self.layout.count_type, list(self.module.capacities)),
        }
        for name, (ctype, values) in fixed.items():
            yield f"CONSTANT const {ctype} {name}[{len(values)}] = {{{', '.join(map(str, values))}}};"
        yield from self.spelling.tables.values()

    def _list_owners(self, zone: ir.Zone) -> list[int]:
        """For each zone of a family the seat that holds what lies there; -1 for none."""
        seated = any(dimension.kind == "seat" for dimension in zone.of)
        members = [list_owners(zone.of, values, self.program.teams) for values in list_members(zone.of)]
        return [owners[0] if seated else -1 for owners in members for _ in range(zone.many or 1)]

    def _print_start(self) -> Iterator[str]:
        """The function that makes the first position, without its cards."""
        yield "HOST_DEVICE void start_values(Pos *P) {"
        returns = Control(self.program).return_slots
        for number, field in self.layout.slots.items():
            start = self.module.build.number(-1) if number in returns else self.module.build.none
            yield from self._print_store(field, "", start)
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
        shared = self._find_shared()
        body: list[str] = []
        self._counts = True
        for number, block in self.blocks.items():
            self.lines, self.depth = [], 1
            self._block(number, block, shared)
            body += [f"B{number}: {{", *self.lines, "}"]
        self._counts = False
        self.lines, self.depth = [], 1
        self._declare(sorted(shared, key=_number))
        declared = self.lines
        return [
            "HOST_DEVICE int32_t run(Pos *P, Ask *A) {",
            "  int32_t fuel, work;",
            *declared,
            "  fuel = MOST_STEPS;",
            "  work = 0;",
            "  switch (P->block) {",
            f"  case START: goto B{self.module.entry};",
            *(f"  case {number}: goto B{resumed};" for number, resumed in self.resumes.items()),
            "  default: goto fault;",
            "  }",
            *body,
            "fault:",
            "  P->fault = 1;",
            "  return FAULT;",
            "}",
        ]

    def _find_shared(self) -> set[Value]:
        """The registers that are read in another block than they are set in."""
        seen: dict[Value, int] = {}
        shared: set[Value] = set()
        for number, block in self.blocks.items():
            for register in self.mentions.of(block.body) | self.mentions.of_values(_list_end_values(block)):
                if seen.setdefault(register, number) != number:
                    shared.add(register)
        return shared

    def _declare(self, registers: Iterable[Value]) -> None:
        for register in registers:
            name, fact = f"r{register.data[0]}", register.fact
            if fact.of is None:
                self.write(f"{self.spelling.type_of(register)} {name};")
            else:
                most = max(1, min(fact.high, MOST_IN_REGISTER))
                self.write(f"{element_type(fact.of, self.layout)} {name}[{most}]; int32_t {name}n;")

    def _block(self, number: int, block: Block, shared: set[Value]) -> None:
        end = block.end
        self._statements(block.body, shared, _list_end_values(block), number)
        if block.cost:
            self.write(f"fuel -= {block.cost};")
        match end:
            case Jump():
                self._go(number, end.to)
            case Branch():
                self.open(f"if ({self.expr(end.test)})")
                self._go(number, end.yes)
                self.close()
                self._go(number, end.no)
            case Switch():
                self.open(f"switch ({self.expr(end.value)})")
                for to in end.targets:
                    self.write(f"case {to}: {self._goto(number, to)}")
                self.write("default: goto fault;")
                self.close()
            case Finish():
                self.write(f"P->over = 1; P->block = {number}; return fuel < 0 || P->fault ? FAULT : OVER;")

    def _go(self, number: int, to: int) -> None:
        self.write(self._goto(number, to))

    def _goto(self, number: int, to: int) -> str:
        # Numbers of blocks grow along the way play goes only roughly: whatever does not grow may be a loop.
        return f"if (fuel < 0) goto fault; goto B{to};" if to <= number else f"goto B{to};"

    # ---------------------------------------------------------------------------------------------- statements
    def _statements(
        self, statements: Sequence[Statement], declared: set[Value], values: Sequence[Value] = (), number: int = -1
    ) -> None:
        """Statements with the registers that are read nowhere else declared before them."""
        uses = Counter(self.mentions.of_values(values))
        here = set(uses)
        for statement in statements:
            here |= self.mentions.here(statement)
            uses.update(self.mentions.of((statement,)))
            inner = Counter(register for part in _list_inner(statement) for register in self.mentions.of(part))
            here.update(register for register, times in inner.items() if times > 1)
        here.update(register for register, times in uses.items() if times > 1)
        here -= declared
        self._declare(sorted(here, key=_number))
        declared = declared | here
        for statement in statements:
            self._statement(statement, declared, number)

    def _statement(self, statement: Statement, declared: set[Value], number: int) -> None:
        match statement:
            case Do():
                _DO[statement.op](self, statement)
            case Let():
                self._let(statement.register, statement.value)
            case Push():
                self._push(statement)
            case When():
                self.open(f"if ({self.expr(statement.test)})")
                self._statements(statement.then, declared, number=number)
                if statement.otherwise:
                    self.close("} else {")
                    self.depth += 1
                    self._statements(statement.otherwise, declared, number=number)
                self.close()
            case For():
                self._for(statement, declared)
            case Once():
                self.open("")
                self._statements(statement.body, declared)
                self.close(f"}} L{statement.label}:;")
            case Leave():
                self.write(f"goto L{statement.label};")
            case Fault():
                self.write(f"goto fault; /* clause {statement.clause} */")
            case Ask():
                self._ask(statement, number)

    def _let(self, register: Value, value: Value) -> None:
        name = f"r{register.data[0]}"
        if register.fact.of is None:
            self.write(f"{name} = {self.spelling.as_type(value, self.spelling.type_of(register))};")
        else:
            most = min(register.fact.high, MOST_IN_REGISTER)
            self._fill(name, f"{name}n", element_type(register.fact.of, self.layout), value, most)

    def _fill(self, target: str, length: str, ctype: str, value: Value, most: int, none: str = "-1") -> None:
        """Copy a list."""
        if value.op == "none":
            self.write(f"{length} = {none};")
        elif value.constants == ():
            self.write(f"{length} = 0;")
        elif value.op == "items":
            for place, item in enumerate(value.args):
                self.write(f"{target}[{place}] = ({ctype}){self.expr(item)};")
            self.write(f"{length} = {len(value.args)};")
        elif value.op == "nth_group":
            source, size, number = value.args
            helper = self.spelling.helper("nth", self.spelling.list_type(source))
            listed = f"{self.spelling.pointer(source)}, {self.spelling.length(source)}"
            self.write(f"{helper}({listed}, {self.expr(size)}, {self.expr(number)}, {target});")
            self.write(f"{length} = {self.expr(size)};")
        elif value.op == "choice_pick":
            self._fill_from_choice(target, length, value)
        else:
            n, i = self.fresh("n"), self.fresh("i")
            self.write(f"{{ int32_t {i}, {n} = {self.spelling.length(value)};")
            if value.fact.high > most:
                self.write(f"  if ({n} > {most}) goto fault;")
            if value.fact.none and none != "-1":
                self.write(f"  {length} = {n} < 0 ? {none} : {n};")
            else:
                self.write(f"  {length} = {n};")
            self.write(
                f"  for ({i} = 0; {i} < {n}; {i}++) {target}[{i}] = ({ctype}){self.spelling.pointer(value)}[{i}]; }}"
            )

    def _fill_from_choice(self, target: str, length: str, value: Value) -> None:
        slot, action, place = value.data
        found = self.layout.find(f"s{slot}_{action}_{place}")
        assert isinstance(found, ListField)
        at, i = self.expr(value.args[0]), self.fresh("i")
        self.write(f"{{ int32_t {i}; {length} = {found.length.path}[{at}];")
        self.write(f"  for ({i} = 0; {i} < {length}; {i}++) {target}[{i}] = {found.elements.path}[{at}][{i}]; }}")

    def _push(self, statement: Push) -> None:
        register = statement.register
        name, of = f"r{register.data[0]}", register.fact.of
        assert of is not None
        if register.fact.high > MOST_IN_REGISTER:
            self.write(f"if ({name}n >= {MOST_IN_REGISTER}) goto fault;")
        self.write(f"{name}[{name}n++] = ({element_type(of, self.layout)}){self.expr(statement.value)};")

    def _for(self, statement: For, declared: set[Value]) -> None:
        before = self._times
        self._times = min(before * max(1, statement.source.fact.high), 1 << 62)
        if statement.source.op == "groups":
            self._for_groups(statement, declared)
        else:
            self._for_each(statement, declared)
        self._times = before

    def _count_work(self) -> None:
        """What could take very long can be stopped, and is left to others if it does."""
        if self._counts and self._times >= MANY_TIMES:
            self.write("if (++work > MOST_WORK || STOPPED(A)) goto fault;")

    def _for_each(self, statement: For, declared: set[Value]) -> None:
        source = statement.source
        self.open("")
        own = {each for each in (statement.register, statement.index) if each is not None}
        self._declare(sorted(own - declared, key=_number))
        declared = declared | own
        name = f"r{statement.register.data[0]}"
        if source.op == "span":
            low, high = map(self.expr, source.args)
            if statement.backwards:
                self.open(f"for ({name} = {high}; {name} >= {low}; {name}--)")
            else:
                self.open(f"for ({name} = {low}; {name} <= {high}; {name}++)")
        else:
            i, n = self.fresh("i"), self.fresh("n")
            if statement.index is not None:
                i = f"r{statement.index.data[0]}"
            else:
                self.write(f"int32_t {i};")
            self.write(f"int32_t {n}; {n} = {self.spelling.length(source)};")
            if statement.backwards:
                self.open(f"for ({i} = {n} - 1; {i} >= 0; {i}--)")
            else:
                self.open(f"for ({i} = 0; {i} < {n}; {i}++)")
            self.write(f"{name} = {self.spelling.pointer(source)}[{i}];")
        self._count_work()
        self._statements(statement.body, declared)
        self.close()
        self.close()

    def _for_groups(self, statement: For, declared: set[Value]) -> None:
        source, least, most, *twins = statement.source.args
        register = statement.register
        name, of = f"r{register.data[0]}", register.fact.of
        assert of is not None
        at, k, n, q = self.fresh("at"), self.fresh("k"), self.fresh("n"), self.fresh("q")
        self.open("")
        if register not in declared:
            self._declare([register])
        longest = max(1, min(register.fact.high, source.fact.high))
        self.write(f"int32_t {at}[{longest}], {k}, {n}, {q};")
        self.write(f"{n} = {self.spelling.length(source)};")
        self.open(f"for ({k} = {self.expr(least)}; {k} <= {self.expr(most)} && {k} <= {n}; {k}++)")
        self.write(f"first_group({at}, {n}, {k});")
        self.open("do")
        self._count_work()
        if twins:
            helper = self.spelling.helper("twins", self.spelling.list_type(twins[0]))
            self.write(f"if (!{helper}({at}, {k}, {self.spelling.pointer(twins[0])})) continue;")
        self.write(f"for ({q} = 0; {q} < {k}; {q}++) {name}[{q}] = {self.spelling.pointer(source)}[{at}[{q}]];")
        self.write(f"{name}n = {k};")
        self._statements(statement.body, declared | {register})
        self.close(f"}} while (next_group({at}, {n}, {k}));")
        self.close()
        self.close()

    def _ask(self, statement: Ask, number: int) -> None:
        name, seat, size = f"r{statement.register.data[0]}", self.expr(statement.seat), self.expr(statement.size)
        if statement.number:
            ctype = self.spelling.type_of(statement.register)
            self.open("if (A->stops)")
            self.write(f"A->many = {size}; if (A->number < 0 || A->number >= {size}) goto fault;")
            self.write(f"{name} = ({ctype})A->number;")
            self.close(f"}} else {name} = ({ctype})take_place(A, {seat}, (int64_t){size}, 0);")
            return
        block = next((block for block, resumed in self.resumes.items() if self._leads(resumed, number)), -1)
        window = int(self.program.decisions[statement.decision].window)
        self.write("if (fuel < 0 || P->fault || P->decisions >= MOST_DECISIONS) goto fault;")
        self.write("if (STOPPED(A) || INJECTED(P)) goto fault;")
        self.open("if (A->stops)")
        self.write(f"if (!A->given) {{ A->size = {size}; A->seat = {seat}; P->block = {block}; return ASKED; }}")
        self.write(f"A->given = 0; if (A->place < 0 || A->place >= {size}) goto fault;")
        self.write(f"{name} = A->place;")
        self.close("} else {")
        self.depth += 1
        self.write(f"A->offered += {size}; if ({size} > A->widest) A->widest = {size};")
        self.write(f"{name} = (int32_t)take_place(A, {seat}, {size}, {window});")
        self.close()
        self.write("fuel = MOST_STEPS; work = 0;")

    def _leads(self, resumed: int, number: int) -> bool:
        """Whether a block asks for a decision that begins at another: at once, or after a seat was not passed over."""
        if resumed == number:
            return True
        end = self.blocks[resumed].end
        return (
            isinstance(end, Branch) and end.no == number and any(isinstance(s, Ask) for s in self.blocks[number].body)
        )

    # ---------------------------------------------------------------------------------------------- results
    def _print_results(self) -> list[str]:
        """What each seat has scored, and who has won."""
        expander = Expander(self.module)
        winners, standing = self.module.winners, self.module.standing
        build = self.module.build
        with expander.collecting() as out:
            expander.start([winners])
            if winners.fact.is_list or winners.op == "none":
                won = expander.listed(winners)
            else:
                won = expander.listed(build.items([winners], winners.fact.sure()))
        self.lines, self.depth = [], 1
        self._statements([*out, Do("win", (won,))], set())
        won_lines = self.lines
        scores: list[str] = []
        for seat in range(self.program.players):
            value = build.replace(
                standing.args[2],
                build.make("var", (), standing.data[:1], standing.args[0].fact.of or Fact(0, 0)),
                build.number(seat),
            )
            with expander.collecting() as out:
                expander.start([value])
                scored = expander.value(value)
            self.lines, self.depth = [], 2
            self._statements([*out, Do("scored", (scored,), (seat,))], set())
            scores += ["  {", *self.lines, "  }"]
        return [
            "HOST_DEVICE int32_t list_winners(Pos *P, Winners *winners) {",
            "  winners->n = 0;", *won_lines, "  return 0;",
            "fault:", "  return FAULT;", "}",
            "HOST_DEVICE int32_t list_scores(Pos *P, int64_t *scores) {", *scores, "  return 0;",
            "fault:", "  return FAULT;", "}",
        ]  # fmt: skip

    # ---------------------------------------------------------------------------------------------- changes
    def _set_place(self, field: Field | ListField, index: str, value: Value) -> None:
        if isinstance(field, Field):
            self.write(self.spelling.store(field, index, value))
            return
        most = field.elements.dims[-1]
        none = str(field.length.none if field.length.none is not None else -1)
        self._fill(
            f"{field.elements.path}{index}", f"{field.length.path}{index}", field.elements.ctype, value, most, none
        )

    def _index(self, args: Sequence[Value]) -> str:
        return "".join(f"[{self.expr(arg)}]" for arg in args)

    def set_state(self, do: Do) -> None:
        number: Any = do.data[0]
        self._set_place(self.layout.states[number], self._index(do.args[1:]), do.args[0])

    def set_slot(self, do: Do) -> None:
        number: Any = do.data[0]
        self._set_place(self.layout.slots[number], "", do.args[0])

    def set_total(self, do: Do) -> None:
        column: Any = do.data[0]
        self.write(self.spelling.store(self.layout.totals[column], self._index(do.args[1:]), do.args[0]))

    def add_to(self, do: Do) -> None:
        number, remove, in_order, first_only = do.data
        field = self.layout.states[number]  # type: ignore[index]
        assert isinstance(field, ListField)
        index = self._index(do.args[1:])
        listed, length, value = f"{field.elements.path}{index}", f"{field.length.path}{index}", self.expr(do.args[0])
        i, j = self.fresh("i"), self.fresh("j")
        self.open("")
        self.write(f"int32_t {i} = 0, {j}; (void){j};")
        if field.length.none is not None:
            self.write(f"if ({length} == {field.length.none}) {length} = 0;")
        if remove:
            kept = f"{listed}[{j}] != {value}" + (f" || {i} < {j}" if first_only else "")
            self.write(f"for ({j} = 0; {j} < {length}; {j}++) if ({kept}) {listed}[{i}++] = {listed}[{j}];")
            self.write(f"{length} = ({field.length.ctype}){i};")
        else:
            if in_order:
                self.write(f"while ({i} < {length} && {listed}[{i}] < {value}) {i}++;")
                self.open(f"if ({i} >= {length} || {listed}[{i}] != {value})")
            else:
                self.open(f"{i} = {length};")
            self.write(f"if ({length} >= {field.elements.dims[-1]}) goto fault;")
            self.write(f"for ({j} = {length}; {j} > {i}; {j}--) {listed}[{j}] = {listed}[{j} - 1];")
            self.write(f"{listed}[{i}] = ({field.elements.ctype}){value}; {length}++;")
            self.close()
        self.close()

    def shuffle_list(self, do: Do) -> None:
        number: Any = do.data[0]
        field = self.layout.states[number]
        assert isinstance(field, ListField)
        index = self._index(do.args)
        if field.length.none is not None:
            self.write(f"if ({field.length.path}{index} == {field.length.none}) {field.length.path}{index} = 0;")
        helper = self.spelling.helper("mix", field.elements.ctype)
        self.write(f"{helper}(&P->rng, {field.elements.path}{index}, {field.length.path}{index});")

    def move(self, do: Do) -> None:
        cards, zone = do.args
        bottom = int(bool(do.data[0]))
        if cards.op == "cards" and not bottom:
            self.write(f"move_all(P, {self.expr(cards.args[0])}, {self.expr(zone)});")
        else:
            listed = f"{self.spelling.pointer(cards)}, {self.spelling.length(cards)}"
            self.write(f"move_cards(P, {listed}, {self.expr(zone)}, {bottom});")

    def deal(self, do: Do) -> None:
        source, targets, packet, *count = do.args
        to, i, n = self.fresh("to"), self.fresh("i"), self.fresh("n")
        self.open("")
        self.write(
            f"uint16_t {to}[{max(1, targets.fact.high)}]; int32_t {i}, {n}; {n} = {self.spelling.length(targets)};"
        )
        self.write(f"for ({i} = 0; {i} < {n}; {i}++) {to}[{i}] = (uint16_t){self.spelling.pointer(targets)}[{i}];")
        many = self.expr(count[0]) if count else "ALL"
        up_to = int(bool(do.data[0]))
        # longer packets than there are cards are as good as infinite ones
        self.write(
            f"deal(P, {self.expr(source)}, {to}, {n}, (int32_t)min64({self.expr(packet)}, CARDS), {many}, {up_to});"
        )
        self.close()

    def draw(self, do: Do) -> None:
        number: Any = do.data[0]
        source, field = do.args[0], self.layout.slots[number]
        assert isinstance(field, Field)
        n, at = self.fresh("n"), self.fresh("at")
        self.open("")
        self.write(f"int32_t {n}, {at}; {n} = {self.spelling.length(source)};")
        self.write(f"if ({n} <= 0) goto fault;")
        self.write(f"{at} = (int32_t)pick_below(&P->rng, (uint32_t){n});")
        self.write(f"{field.path} = ({field.ctype}){self.spelling.pointer(source)}[{at}];")
        self.close()

    def write_line(self, do: Do) -> None:
        amount, seat = do.args
        self.write(f"if (!write_line(P, {self.expr(seat)}, {do.data[0]}, {self.expr(amount)})) goto fault;")

    def mark(self, do: Do) -> None:
        self.write(f"if (!mark_line(P, {self.expr(do.args[0])}, {do.data[0]})) goto fault;")

    def offence(self, do: Do) -> None:
        self.write(f"note_offence(P, {self.expr(do.args[0])}, {do.data[0]});")

    def store_choice(self, do: Do) -> None:
        slot, action = do.data
        found = self.layout.find(f"s{slot}")
        assert isinstance(found, ListField)
        length, actions = found.length, found.elements
        if length.none is not None:
            self.write(f"if ({length.path} == {length.none}) {length.path} = 0;")
        self.write(f"if ({length.path} >= {actions.dims[0]}) goto fault;")
        chosen = actions.none if action is None else action
        self.write(f"{actions.path}[{length.path}] = {chosen};")
        for place, pick in enumerate(do.args):
            field = self.layout.find(f"s{slot}_{action}_{place}")
            self._set_place(field, f"[{length.path}]", pick)
        self.write(f"{length.path}++;")

    def peek(self, do: Do) -> None:
        """Stop where only what a choice is was asked."""
        action = -1 if do.data[0] is None else do.data[0]
        self.write(f"if (A->stops == PEEKS) {{ A->action = {action}; return ASKED; }}")

    def sort_descending(self, do: Do) -> None:
        listed = do.args[0]
        helper = self.spelling.helper("descend", self.spelling.list_type(listed))
        self.write(f"{helper}({self.spelling.pointer(listed)}, {self.spelling.length(listed)});")

    def remember(self, do: Do) -> None:
        """Put into a table what was worked out; 0 means that nothing is known, 255 that it is none."""
        memo = do.data[0]
        assert isinstance(memo, Memo)
        place, value = self.expr(do.args[0]), self.spelling.as_type(do.args[1], "int64_t")
        none = "NONE64" if do.args[1].fact.none else "ALL"
        self.write(f"remember(M{memo.number}, {place}, {value}, {none}, {memo.low});")

    def win(self, do: Do) -> None:
        listed, i = do.args[0], self.fresh("i")
        if listed.op != "none":
            self.write(f"int32_t {i};")
            self.write(f"if ({self.spelling.length(listed)} > PLAYERS) goto fault;")
            self.write(f"for ({i} = 0; {i} < {self.spelling.length(listed)}; {i}++)")
            self.write(f"  winners->seats[winners->n++] = (seat_t){self.spelling.pointer(listed)}[{i}];")

    def scored(self, do: Do) -> None:
        self.write(f"scores[{do.data[0]}] = {self.spelling.as_type(do.args[0], 'int64_t')};")


def _call(form: str) -> Any:
    return lambda printer, do: printer.write(form.format(*map(printer.expr, do.args)))


_DO: dict[str, Any] = {
    "gather": _call("gather(P, {});"),
    "shuffle": _call("shuffle(P, {});"),
    "cut": _call("cut(P, {});"),
    "turn_over": _call("turn_over(P, {});"),
    "swap": _call("swap_zones(P, {}, {});"),
    "move_card": _call("move_card(P, {}, {});"),
    "retire": _call("P->t.retired |= UINT64_C(1) << {};"),
    "end_round": _call("P->rounds++;"),
    "take_back": _call("take_back(P);"),
    "decided": _call("P->decisions++;"),
    "forget_offence": _call("if (P->offence_seat != {}) P->offence_seat = -1;"),
    "set_state": Printer.set_state,
    "set_slot": Printer.set_slot,
    "set_total": Printer.set_total,
    "add_to": Printer.add_to,
    "shuffle_list": Printer.shuffle_list,
    "move": Printer.move,
    "deal": Printer.deal,
    "draw": Printer.draw,
    "write_line": Printer.write_line,
    "mark": Printer.mark,
    "offence": Printer.offence,
    "store_choice": Printer.store_choice,
    "peek": Printer.peek,
    "sort_descending": Printer.sort_descending,
    "remember": Printer.remember,
    "win": Printer.win,
    "scored": Printer.scored,
}


def _list_end_values(block: Block) -> list[Value]:
    end = block.end
    return [end.test] if isinstance(end, Branch) else [end.value] if isinstance(end, Switch) else []


def _number(register: Value) -> int:
    number: Any = register.data[0]
    return int(number)


Registers = frozenset[Value]


class Mentions:
    """Which registers statements and values set or read; each is looked at once."""

    def __init__(self) -> None:
        self._values: dict[Value, Registers] = {}
        self._statements: dict[int, tuple[Statement, Registers]] = {}

    def of_values(self, values: Iterable[Value | None]) -> Registers:
        return frozenset().union(*(self.of_value(value) for value in values if value is not None))

    def of_value(self, value: Value) -> Registers:
        found = self._values.get(value)
        if found is None:
            found = frozenset((value,)) if value.op == "register" else self.of_values(value.args)
            self._values[value] = found
        return found

    def of(self, statements: Iterable[Statement]) -> Registers:
        return frozenset().union(*map(self._of_one, statements))

    def _of_one(self, statement: Statement) -> Registers:
        known = self._statements.get(id(statement))
        if known is None:
            inside = [self.of(part) for part in _list_inner(statement)]
            known = statement, self.here(statement).union(*inside)
            self._statements[id(statement)] = known
        return known[1]

    def here(self, statement: Statement) -> Registers:
        """Those that a statement itself sets or reads, not one inside it."""
        match statement:
            case Do():
                return self.of_values(statement.args)
            case Let() | Push():
                return self.of_values((statement.register, statement.value))
            case When():
                return self.of_value(statement.test)
            case For():
                return self.of_value(statement.source)
            case Ask():
                return self.of_values((statement.register, statement.seat, statement.size))
        return frozenset()


def _list_inner(statement: Statement) -> list[Sequence[Statement]]:
    """The lists of statements inside one."""
    match statement:
        case When():
            return [statement.then, statement.otherwise]
        case For():
            own = tuple(Let(each, each) for each in (statement.register, statement.index) if each is not None)
            return [(*own, *statement.body)]
        case Once():
            return [statement.body]
    return []
