"""Playouts: a whole match as Python functions in which choices are drawn.

In: a program. Out: source text. Each function starts at a block and runs through decisions; it returns the block to
continue at and the rest of the step budget (a trampoline), or None at the end of the match. The size of every menu is
reported to `note`. A fault raises, and the reference plays the match again from its seed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from hoyle.play.codegen.low.program import Decide
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.python.code import ARITHMETIC, NAME, Assign, Code, Line, Nest, define
from hoyle.play.codegen.python.code import Statement as Written
from hoyle.play.codegen.python.enumeration import Enumeration
from hoyle.play.codegen.python.functions import write_texts
from hoyle.play.codegen.python.promotion import Places, PromotedPlaces
from hoyle.play.codegen.python.regions import Arm, Flow, Functions, Region
from hoyle.play.codegen.python.sinks import Sink
from hoyle.play.codegen.target import PYTHON
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.limits import MOST_CHOICES, MOST_DECISIONS, MOST_STEPS
from hoyle.program.ir import nodes as ir
from hoyle.program.model.chance import PIECE

NOTHING, ONE = Code("0", NAME), Code("1", NAME)  # counts of choices


def print_match(program: ir.Program) -> str:
    """The functions that play a match at random, or `Unsupported`."""
    if program.called:
        raise Unsupported("errors that are called")
    if program.keeps_faces:  # the reference tracks which side is up
        raise Unsupported("cards that lie face up or face down")
    module = lower_program(program, PYTHON)
    return f"{write_texts(module.texts)}\n{Match(module).print()}"


class Match(Functions):
    """All functions of a module; each runs through decisions."""

    def print(self) -> str:
        self.want(self.module.entry)
        used: dict[int, set[str]] = {}  # globals bound as default arguments: locals are faster
        bodies: dict[int, list[Written]] = {}
        self.own = used
        for block in self.wanted:  # a worklist that grows while it is iterated
            region = Drawn(self)
            with self.constants.noting() as used[block]:
                region.print(block)
                bodies[block] = region.complete(self.live[block])
        self.check_margin()
        lines = list(self.constants.lines)
        for block, body in bodies.items():
            own = ", ".join(f"{name}={name}" for name in ("len", *sorted(used[block])))
            begun = [Assign("takes, redraw, acts", "chance"), Assign("left", str(MOST_DECISIONS))]
            lines += define(f"play_{block}(position, budget, chance, note, {own})", [*begun, *body])
        entries = ", ".join(f"{block}: play_{block}" for block in self.wanted)
        limits = (f"MARGIN = {self.margin}", f"ENOUGH = {MOST_STEPS - self.margin}")
        return "\n".join((*lines, *limits, f"ENTRIES = {{{entries}}}", ""))


class Drawn(Region):
    """One function being written, in which choices are drawn."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.enumeration = Enumeration(self.values)
        self._decided: set[int] = set()  # headers of loops that contain a decision outside of their inner loops

    def make_places(self) -> Places:
        return PromotedPlaces(frozenset(state.base for state in self.program.states if not state.of))

    def _check_budget(self, number: int) -> None:
        self.values.nest("if budget < 0:", Line("raise Stop"))
        if number in self._decided:
            self.values.write("left -= 1")
            self.values.nest("if left < 0:", Line("raise Stop"))

    def _decide(self, number: int, end: Decide, flow: Flow) -> bool:
        values, decision = self.values, self.program.decisions[end.menu.decision]
        values.forget([("asked", 0)])
        values.asked = seat = values.name(values.value(end.seat), "seat")
        listed, most = self.enumeration.list_apart(end.menu)
        bounds = list[Code]()  # prefix sums of the sizes of the offers
        for offer in listed:
            bound = _plus(bounds[-1], offer.size) if bounds else offer.size
            bounds.append(values.name(bound, "n") if len(listed) > 1 else bound)
        size = bounds[-1] if bounds else NOTHING
        size = values.name(_plus(size, ONE) if end.menu.optional else size, "size")
        known, many = size.text.isdigit(), size.text
        if not end.menu.optional and (not known or size == NOTHING):
            values.nest(f"if not {many}:", Line("raise Stop"))
        if most > MOST_CHOICES:
            values.nest(f"if {many} > {MOST_CHOICES}:", Line("raise Stop"))

        def draw() -> bool:
            self._note(flow)
            values.write(f"note({many})")
            values.write("budget = ENOUGH")
            self._decided.update(header for header, _ in self.loops[-1:])
            at, after = self._place(size, seat, window=decision.window), replace(flow, cost=0, spent=0)
            arms: list[Arm] = []
            for offer, before, bound in zip(listed, (None, *bounds), bounds, strict=False):
                place = f"{at} - {before.text}" if before is not None else at
                arms.append((f"{at} < {bound.text}", partial(self._choose, end, offer, place, seat, after)))
            if end.menu.optional:
                arms.append(("", partial(self._declined, end, after)))
            return self.fork(arms)

        def write() -> bool:
            if end.passes and size == ONE:
                return self._declined(end, flow)
            if not end.passes or known:
                return draw()
            return self.fork([(f"{many} == 1", partial(self._declined, end, flow)), ("", draw)])

        return self._meet(end.to, flow, write)

    def _place(self, many: Code, seat: Code, *, window: bool = False) -> str:
        """Draw an index below `many`, with inlined rejection; in a window mostly the last one, which declines."""
        at = self.values.fresh("at")
        size, known = many.text, int(many.text) if many.text.isdigit() else 0
        bound = str(PIECE - known) if known else f"{PIECE} - {size}"
        redraw = Nest(f"if {at} >= {bound}:", [Assign(at, f"redraw({at}, {size}, {seat.text})")])
        drawn: list[Written] = [Assign(at, f"takes[{seat.text}]()"), redraw, Line(f"{at} %= {size}")]
        if known > 1 and not window:
            self.values.out += drawn
            return at
        self.values.write(f"{at} = {size} - 1" if window else f"{at} = 0")
        if known != 1:
            tests = [*([] if known else [f"{size} > 1"]), *(["acts()"] if window else [])]
            self.values.out.append(Nest(f"if {' and '.join(tests)}:", drawn))
        return at

    def _choose(self, end: Decide, offer: Sink, place: str, seat: Code, flow: Flow) -> bool:
        picks = self._pick(offer, place, seat)
        if end.store is not None:
            return self._store(end, f"({', '.join([str(offer.action), *(pick.text for pick in picks)])},)", flow)
        return self._begin(offer.action, seat, picks, end.to, flow)

    def _pick(self, offer: Sink, place: str, seat: Code) -> list[Code]:
        values = self.values
        if not offer.picks:
            return []
        drawn = values.name(Code(f"{offer.name}[{place}]"), "pick")
        if offer.few:
            taken = "".join(f"{offer.of}[{drawn.text}[{at}]], " for at in range(offer.few))
            return [values.name(Code(f"({taken})"), "pick")]
        picks = [drawn] if offer.picks == 1 else [Code(f"{drawn.text}[{at}]") for at in range(offer.picks)]
        if offer.numbers:
            numbers = values.name(picks[-1], "numbers").text
            at = self._place(Code(f"len({numbers})"), seat)
            picks[-1] = Code(f"{numbers}[{at}]")
        return picks


def _plus(a: Code, b: Code) -> Code:
    """A sum, folded if both terms are literals."""
    if a.text.isdigit() and b.text.isdigit():
        return Code(str(int(a.text) + int(b.text)), NAME)
    return b if a == NOTHING else Code(f"{a.text} + {b.text}", ARITHMETIC)
