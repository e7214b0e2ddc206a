"""The Python back end: a module as one function that plays, and queries of a position.

In: a module. Out: Python source with `play`, `winners`, `scores` and `fits`; it needs the names of `support`.

`play` runs from a block, with `stops`: `PLAYS`, to the end of the match, with choices that are drawn; `STEPS`, to the
next decision; `LISTS`, from a decision, to list its choices. While it runs, slots and states are local variables, and
piles and totals are changed where they lie. A block that several lead to, or where the match can be entered, is an arm
of one loop, found by binary search; every other block is printed where the one before it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.c.struct_layout import Known
from hoyle.play.codegen.low.facts import MODERATE, Fact, bounds_at_start
from hoyle.play.codegen.low.program import (
    Ask,
    Block,
    Branch,
    Do,
    Finish,
    For,
    Jump,
    Module,
    Switch,
    list_targets,
    walk_statements,
)
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.lowering import bounds_of
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.passes.decide import Decisions
from hoyle.play.codegen.passes.operations import make_expander
from hoyle.play.codegen.python.expressions import SLOT, STATE, TOTAL
from hoyle.play.codegen.python.statements import Statements
from hoyle.play.codegen.python.writer import MOST_DEEP
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.limits import MOST_STEPS
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type, certain
from hoyle.program.model.chance import PIECE

MOST_SEARCHED = 512  # choices that are listed by a search for each
FEW = 4  # targets of an indirect jump that is a chain of tests
HEAD = "def play(P, block, stops, left, takes=None, redraw=None, acts=None, note=None):"


def print_python(program: ir.Program) -> str:
    """The source for a program, or `Unsupported`."""
    if program.called:
        raise Unsupported("errors that are called")
    if program.keeps_faces:  # the reference tracks which side is up
        raise Unsupported("cards that lie face up or face down")
    return Printer(lower_program(program)).print()


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that holds a part of the position: its value where a function begins, and how it is put back."""

    begins: str
    ends: str


class Printer(Statements):
    """Prints one module; expands it first."""

    def __init__(self, module: Module) -> None:
        super().__init__(module.program)
        self.module = module
        decisions = Decisions(module)
        self.blocks = decisions.expand()
        self.resumes, self.cache, self.memos = decisions.resumes, decisions.cache, decisions.memos
        self.keeps = bool(self.cache.registers)
        self._decisions = {asks: number for number, asks in self.resumes.items()}
        self._split_questions()
        self._heads = self._find_heads()
        self._listing = ""  # how to go on with the next choice, in the arm being printed

    def print(self) -> str:
        self._print_play()
        self._print_queries()
        self._print_fits()
        texts = f"TEXTS = {self.module.texts!a}\nCARDS = {len(self.program.cards)}"
        constants = [f"{name} = {text}" for text, name in self.constants.items()]
        return "\n".join((texts, *constants, *self.lines, ""))

    # ---------------------------------------------------------------------------------------------- blocks
    def _split_questions(self) -> None:
        """Split blocks after the question for a choice: where choices are listed, the rest runs for each."""
        self._after: dict[int, int] = {}
        self._places: dict[int, Value] = {}  # by block after a question, the register of the answer
        number = max(self.blocks)
        for asks, block in list(self.blocks.items()):
            for place, each in enumerate(block.body):
                if isinstance(each, Ask) and not each.number:
                    number += 1
                    self._after[asks], self._places[number] = number, each.register
                    self.blocks[asks] = Block(block.body[: place + 1], Jump(number), block.cost)
                    self.blocks[number] = Block(block.body[place + 1 :], block.end, 0)

    def _find_heads(self) -> dict[int, int]:
        """The blocks that are arms of the loop, numbered depth first."""
        program = self.program
        before = Counter(to for block in self.blocks.values() for to in set(list_targets(block.end)))
        entered = {self.module.entry, *self.resumes.values(), *self._after.values()}
        entered |= {action.entry for action in program.actions}
        entered |= {block.end.to for block in program.blocks if isinstance(block.end, ir.Decide)}
        for block in self.blocks.values():
            if isinstance(block.end, Switch) and len(block.end.targets) > FEW:
                entered.update(block.end.targets)
        order, seen = list[int](), set[int]()
        open_ = [*sorted(entered, reverse=True), self.module.entry]
        while open_:
            number = open_.pop()
            if number not in seen and number in self.blocks:
                seen.add(number)
                order.append(number)
                open_ += reversed(list_targets(self.blocks[number].end))
        heads = [number for number in order if number in entered or before[number] > 1]
        return {number: rank for rank, number in enumerate(heads)}

    # ---------------------------------------------------------------------------------------------- playing
    def _print_play(self) -> None:
        def write() -> None:
            with self._loop("while True:"):
                self._dispatch(list(self._heads))

        entries = ", ".join(f"{number}: {rank}" for number, rank in self._heads.items())
        asked = ", ".join(f"{number}: {self._heads[asks]}" for number, asks in self.resumes.items())
        start = [f"budget = {MOST_STEPS}; work = kept = 0"]
        start.append("b = ASKED[block] if stops == LISTS else ENTRIES[block]")
        self._function(HEAD, write, start, changes=True)
        self.lines += [f"ENTRIES = {{{entries}}}", f"ASKED = {{{asked}}}"]

    def _dispatch(self, heads: Sequence[int]) -> None:
        """A binary search for the arm to run."""
        if len(heads) == 1:
            if heads[0] in self._places:
                place = self.expr(self._places[heads[0]])
                self._listing = f"if {place} < many: b = {self._heads[heads[0]]}; continue"
                self._counting = f"{place} += 1"
            self._block(heads[0], 0)
            return
        half = len(heads) // 2
        with self.block(f"if b < {self._heads[heads[half]]}:"):
            self._dispatch(heads[:half])
        with self.block("else:"):
            self._dispatch(heads[half:])

    def _block(self, number: int, cost: int) -> None:
        """A block, and those behind it that are no arms; `cost` is that of the blocks since the budget was charged."""
        block = self.blocks[number]
        cost += block.cost
        if any(isinstance(each, Ask) for each in block.body) and cost:
            self.write(f"budget -= {cost}")
            cost = 0
        self._number = number
        self.statements(block.body)
        match block.end:
            case Jump(to=to):
                self._go(number, to, cost)
            case Branch(test=test, yes=yes, no=no):
                if no in self._heads and yes not in self._heads:
                    with self.block(f"if not {self.expr(test)}:"):
                        self._go(number, no, cost)
                    self._go(number, yes, cost)
                else:
                    with self.block(f"if {self.expr(test)}:"):
                        self._go(number, yes, cost)
                    self._go(number, no, cost)
            case Switch(value=value, targets=targets) if len(targets) <= FEW:
                for to in targets:
                    with self.block(f"if {self.expr(value)} == {to}:"):
                        self._go(number, to, cost)
                self.write("raise Stop")
            case Switch(value=value):
                self.write(f"budget -= {cost}")
                self.write("if budget < 0: raise Stop")
                self.write(f"b = ENTRIES[{self.expr(value)}]; continue")
            case Finish():
                self.write(f"if budget < {cost}: raise Stop")
                self.write(f"P.over = True; P.block = {number}; P.instruction = 0; break")

    def _go(self, number: int, to: int, cost: int) -> None:
        if to not in self._heads:
            if self.depth > MOST_DEEP:
                raise Unsupported("conditions nested so deeply")
            self._block(to, cost)
            return
        if cost:
            self.write(f"budget -= {cost}")
        if to not in self._places:
            self.write("if budget < 0: raise Stop")
        self.write(f"b = {self._heads[to]}; continue")

    # ---------------------------------------------------------------------------------------------- choices
    def ask(self, statement: Ask) -> None:
        name, seat, size = map(self.expr, (statement.register, statement.seat, statement.size))
        if statement.number:
            with self.block("if stops:"):
                self.write(f"{name} = 0; numbers = {size}")
            with self.block("else:"):
                self._draw(name, seat, size)
            return
        decision = self.program.decisions[statement.decision]
        number = self._find_decision(self._number)
        self.write("if budget < 0: raise Stop")
        with self.block("if stops:"):
            with self.block("if stops == STEPS:"):
                at = len(self.program.blocks[number].instructions)
                self.write(f"P.block = {number}; P.instruction = {at}; break")
            if self._searches(self._after[self._number]):
                self.write(f"if {size} > {MOST_SEARCHED}: raise TooMany")
            self.write(f"many = {size}; found = []; {name} = 0")
        with self.block("else:"):
            self.write(f"note({size}); left -= 1; budget = {MOST_STEPS}; work = 0")
            self.write("if left < 0: raise Stop")
            if decision.window:
                self.write(f"{name} = {size} - 1")
                with self.block(f"if {name} and acts():"):
                    self._draw(name, seat, size)
            else:
                self._draw(name, seat, size)

    def _draw(self, name: str, seat: str, size: str) -> None:
        """Draw an index, with inlined rejection."""
        if size == "1":
            self.write(f"{name} = 0")
            return
        if not size.isdigit():
            self.write(f"{name} = 0")
        with self.block("if True:" if size.isdigit() else f"if {size} > 1:"):
            self.write(f"{name} = takes[{seat}]()")
            self.write(f"if {name} >= {PIECE} - {size}: {name} = redraw({name}, {size}, {seat})")
            self.write(f"{name} %= {size}")

    def _find_decision(self, number: int) -> int:
        """The block of the program whose decision a block asks for: it is behind the test of a window, perhaps."""
        if number in self._decisions:
            return self._decisions[number]
        return next(
            decides for asks, decides in self._decisions.items()
            if isinstance(end := self.blocks[asks].end, Branch) and number in (end.yes, end.no)
        )  # fmt: skip

    def _searches(self, number: int) -> bool:
        """Whether a choice is found by its index in a loop, in the blocks from one on."""
        block = self.blocks[number]
        if any(isinstance(each, For) for each in walk_statements(block.body)):
            return True
        if any(isinstance(each, Do) and each.op == "peek" for each in block.body):
            return False
        return any(map(self._searches, list_targets(block.end)))

    def go_on_listing(self) -> None:
        self.write(self._counting)
        self.write(self._listing)
        self.write("return found")

    # ---------------------------------------------------------------------------------------------- the position
    def _function(
        self, head: str, write: Callable[[], str | None], start: Sequence[str] = (), *, changes: bool = False
    ) -> None:
        """A function: loads of what it uses, its body, and with `changes` stores of it; `write` returns the result."""
        self.loaded.clear()
        outer, self.lines = self.lines, []
        self.depth = 1
        result = write()
        body, self.lines = self.lines, outer
        self.depth = 0
        with self.block(head):
            for line in start:
                self.write(line)
            for name in sorted(self.loaded):
                self.write(f"{name} = {self._variables[name].begins}")
            self.lines += body
            if changes:
                for name in sorted(self.loaded):
                    if self._variables[name].ends:
                        self.write(self._variables[name].ends)
            if result is not None:
                self.write(f"return {result}")

    def move_states(self, *, back: bool) -> None:
        for number in range(len(self.program.states)):
            held = self._variables[self.load(f"{STATE}{number}")]
            self.write(f"{STATE}{number} = {held.begins}" if back else held.ends)

    @cached_property
    def _variables(self) -> dict[str, Variable]:
        """How every variable is loaded and stored."""
        found = {"Z": Variable("P.zones", ""), "H": Variable("P.holders", "")}
        for zone in range(len(self.owners)):
            found[f"z{zone}"] = Variable(f"P.zones[{zone}]", "")
        for column in range(len(self.program.columns)):
            found[f"{TOTAL}{column}"] = Variable(f"P.totals[{column}]", "")
        for number, slot in enumerate(self.program.slots):
            name, place = f"{SLOT}{number}", f"P.slots[{number}]"
            found[name] = Variable(_turn(slot.type, place, BEGINS), f"{place} = {_turn(slot.type, name, ENDS)}")
        for number, state in enumerate(self.program.states):
            name, place = f"{STATE}{number}", f"P.states[{state.base}]"
            begins, ends = (_turn(state.type, each, ways) for each, ways in ((place, BEGINS), (name, ENDS)))
            if state.of:
                place = f"P.states[{state.base}:{state.base + state.size}]"
                begins, ends = (_turn_all(state.type, *each) for each in ((place, BEGINS), (name, ENDS)))
            found[name] = Variable(begins, f"{place} = {ends}")
        return found

    # ---------------------------------------------------------------------------------------------- queries
    def _print_queries(self) -> None:
        expander, build = make_expander(self.module, self.memos), self.module.build
        self.keeps = False

        def evaluate(value: Value) -> str:
            with expander.collecting() as out:
                expander.start([value])
                found = expander.listed(value) if value.fact.is_list else expander.value(value)
            self.statements(out)
            return self.as_tuple(found)

        winners, standing = self.module.winners, self.module.standing
        if not winners.fact.is_list and winners.op != "none":
            winners = build.items([winners], winners.fact.sure())
        self._function("def winners(P):", lambda: evaluate(winners))

        def write() -> str:
            variable = build.make("var", (), standing.data[:1], standing.args[0].fact.of or Fact(0, 0))
            found = []
            for seat in range(self.program.players):
                self.write(f"score{seat} = {evaluate(build.replace(standing.args[2], variable, build.number(seat)))}")
                found.append(f"score{seat}")
            return f"[{', '.join(found)}]"

        self._function("def scores(P):", write)

    def _print_fits(self) -> None:
        """Whether a position is one that facts hold for: it might have been edited."""
        tests = [f"all(map(le, map(len, P.zones), {self.constant(repr(self.module.capacities))}))"]
        tests.append(f"P.rounds_played <= {MODERATE}")
        facts = Known.of(self.module).held
        for number, slot in enumerate(self.program.slots):
            tests += _test(f"P.slots[{number}]", facts["slot", number], slot.type)
        for number, state in enumerate(self.program.states):
            for place in range(state.base, state.base + state.size):
                tests += _test(f"P.states[{place}]", _narrow(facts["state", number], state), state.type)
        for column in range(len(self.program.columns)):
            low, high = bounds_at_start(facts["total", column])
            tests.append(f"{low} <= min(P.totals[{column}]) and max(P.totals[{column}]) <= {high}")
        with self.block("def fits(P):"):
            for test in tests:
                self.write(f"if not ({test}): return False")
            self.write("return True")


BEGINS = {"text": "TEXTS.index({})", "groups": "write_groups({}, CARDS)"}
ENDS = {"truth": "bool({})", "text": "TEXTS[{}]", "truths": "(*map(bool, {}),)", "groups": "read_groups({}, CARDS)"}


def _kind_of(kind: Type) -> str:
    """How a value is converted between the position and a variable, by its type."""
    known = certain(kind)
    if known.kind == "list" and known.of is not None:
        of = certain(known.of).kind
        return {"truth": "truths", "list": "groups", "choice": "choices"}.get(of, "")
    return known.kind


def _turn(kind: Type, text: str, ways: dict[str, str]) -> str:
    """A value converted; none stays none."""
    way = ways.get(_kind_of(kind))
    if way is None:
        return text
    return f"(None if {text} is None else {way.format(text)})"


def _turn_all(kind: Type, text: str, ways: dict[str, str]) -> str:
    """A list of values converted."""
    each = _turn(kind, "each", ways)
    return text if each == "each" else f"[{each} for each in {text}]"


def _narrow(fact: Fact, state: ir.State) -> Fact:
    """The fact of a state within its declared bounds."""
    if fact.of is not None:
        return replace(fact, of=_narrow(fact.of, state))
    low, high = bounds_of(state, fact)
    return replace(fact, low=max(low, fact.low), high=min(high, fact.high))


def _test(text: str, fact: Fact, kind: Type) -> list[str]:
    """The tests that a value of the position is one that its fact admits."""
    if _kind_of(kind) in ("text", "groups", "choices"):
        return []
    if fact.of is not None:
        low, high = bounds_at_start(fact.of)
        inside = f"len({text}) <= {fact.high} and {low} <= min({text}) and max({text}) <= {high}"
        inside += f" and len({{*{text}}}) == len({text})" * fact.unique
        return [f"not {text} or ({inside})" if fact.none else f"{text} is not None and (not {text} or {inside})"]
    low, high = bounds_at_start(fact)
    inside = f"{low} <= {text} <= {high}"
    if low > high:
        return [f"{text} is None"]
    return [f"{text} is None or {inside}" if fact.none else f"{text} is not None and {inside}"]
