"""The parts of a generated program put together.

In: a program and the name of a part. Out: its source text, or the functions it defines.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import chain, combinations, islice
from typing import Any, Literal

from hoyle.codegen.unsupported import Unsupported
from hoyle.dataclass import dataclass
from hoyle.effort import TooMuchWork, bounded
from hoyle.engine.effects import Effects
from hoyle.engine.generate import support
from hoyle.engine.generate.dividing import make_divide, write_names
from hoyle.engine.generate.facts import Facts
from hoyle.engine.generate.grouping import make_find_groups
from hoyle.engine.generate.module import Function, Module
from hoyle.engine.generate.moving import find_origins
from hoyle.engine.generate.playout_segments import PlayoutSegments
from hoyle.engine.generate.refusing import Reason
from hoyle.engine.generate.segments import Segments
from hoyle.engine.generate.simplify import Simplifier
from hoyle.engine.generate.tiers import write_can_do, write_decision
from hoyle.engine.generate.values import Values
from hoyle.engine.generate.writer import Writer, atom, comment
from hoyle.engine.offering import Offered, settle
from hoyle.ir import nodes as ir
from hoyle.ir.types import SEAT
from hoyle.model.groups import Groups, find_twins, list_groups
from hoyle.view.names import Names
from hoyle.words import WORDS

Part = Literal["choices", "plain", "recorded", "drawn"]
PARTS: tuple[Part, ...] = ("choices", "plain", "recorded", "drawn")
Shared = tuple[Facts, Simplifier]
MOST_WRITING = 120_000  # steps of `hoyle.effort` for a part; what would take more is played by the reference


@dataclass(frozen=True, slots=True)
class Loaded:
    """A part that has been compiled: its names, and which line carries out which instruction."""

    names: dict[str, Any]
    file: str
    source: str


def write_part(program: ir.Program, part: Part, shared: Shared | None = None) -> str:
    """The source of a part, unless that is too long."""
    try:
        with bounded(MOST_WRITING, apart=True):
            return _write_part(program, part, shared)
    except TooMuchWork:
        raise Unsupported(Reason.EFFORT) from None


def _write_part(program: ir.Program, part: Part, shared: Shared | None) -> str:
    module = Module(program, shared)
    module.can_do_writer = write_can_do
    module.origins = find_origins(program)
    head = [
        f'"""Generated from the rules for {program.players} players: {_ABOUT[part]}."""',
        comment(f"{program.game} {program.title}"),
        "",
    ]
    if part == "choices":
        return module.write(head, _write_choices(module))
    return module.write(head, _write_drawn(module) if part == "drawn" else _write_segments(module, part))


_ABOUT = {
    "choices": "what may be chosen",
    "plain": "what happens",
    "recorded": "what happens, with its events",
    "drawn": "what happens if choices are drawn",
}


def _write_choices(module: Module) -> list[str]:
    program = module.program
    legal, seats = [], []
    for number, block in enumerate(program.blocks):
        if isinstance(block.end, ir.Decide):
            legal.append(f"{number}: {write_decision(module, number, block.end)}")
            seats.append(f"{number}: {_write_value(module, f'seat_{number}', block.end.seat, 'who chooses')}")
    winners = _write_value(module, "winners", program.winners, "who has won")
    assert winners == "winners"
    if program.standing is not None:
        _write_standing(module, program.standing)
    return [f"LEGAL = {{{', '.join(legal)}}}", f"SEATS = {{{', '.join(seats)}}}"]


def _write_value(module: Module, name: str, expr: ir.Expr, about: str) -> str:
    writer = Writer()
    code = Values(module, writer).value(module.simple(expr))
    writer.add(f"return {code.text}")
    module.add(Function(name, f"{name}(position)", about, writer.lines))
    return name


def _write_standing(module: Module, standing: ir.Expr) -> None:
    """A function that says what the score of a seat is, where the ledger says so."""
    writer = Writer()
    values = Values(module, writer)
    seat = ir.Var(type=SEAT, index=module.simplifier.fresh())
    values.names[seat.index] = atom("seat")
    code = values.value(module.simplifier.simplify(standing, {0: seat}))
    writer.add(f"return {code.text}")
    module.add(Function("standing", "standing(position, seat)", "the score of a seat", writer.lines))


def _write_segments(module: Module, part: Part) -> list[str]:
    if module.program.called:
        # Offences are put on record at every choice: that is left to the reference.
        return ["MARGIN = 0", "ENTRIES = {}", "CHOICES = {}"]
    segments = Segments(module, recorded=part == "recorded")
    segments.write_all()
    entries = ", ".join(f"{block}: {name}" for block, name in segments.entries.items())
    choices = [
        f"    {block}: {{{', '.join(f'{action}: {name}' for action, name in by_action.items())}}},"
        for block, by_action in segments.choices.items()
    ]
    return [f"MARGIN = {segments.margin}", f"ENTRIES = {{{entries}}}", "CHOICES = {", *choices, "}"]


def _write_drawn(module: Module) -> list[str]:
    if module.program.called:
        return ["MARGIN = 0", "ENTRIES = {}"]
    segments = PlayoutSegments(module)
    segments.write_all()
    entries = ", ".join(f"{block}: {name}" for block, name in segments.entries.items())
    return [f"MARGIN = {segments.margin}", f"ENTRIES = {{{entries}}}"]


def load_part(program: ir.Program, part: Part, source: str, effects: Effects) -> Loaded:
    """Compile the source of a part; `effects` are the reference's, which record nothing."""
    file = f"<{part} generated by hoyle>"
    names: dict[str, Any] = {
        "__name__": "generated",
        "Stop": support.Stop,
        "lru_cache": lru_cache,
        "chain": chain.from_iterable,
        "combinations": combinations,
        "islice": islice,
        "group_cards": list_groups,
        "Groups": Groups,
        "Offered": Offered,
        "settle": settle,
        "find_twins": find_twins,
        "list_subsets": support.list_subsets,
        "tails": support.tails,
        "list_piles": support.list_piles,
        "find_free": support.find_free,
        "drop_piles": support.drop_piles,
        "list_places": support.list_places,
        "make_divide": make_divide,
        "make_find_groups": make_find_groups,
        "keep": support.keep,
        "make_room": support.make_room,
        "is_new": support.is_new,
        "is_new_there": support.is_new_there,
        "lift": support.lift,
        "find_zone": support.find_zone,
        "hold": support.hold,
        "shuffle": support.shuffle,
        "shuffle_list": support.shuffle_list,
        "take_out": support.take_out,
        "cut": support.cut,
        "draw": support.draw,
        "deal": support.deal,
        "effects": effects,
        "NODES": tuple(each for block in program.blocks for each in block.instructions),
        "OWNERS": tuple(owner for _, owner in Names(program).zones),
    }
    if "divide_" in source:
        names |= write_names(program)
    for word in WORDS.values():
        run: Callable[..., Any] = word.run
        names[f"W_{word.name}"] = run if word.fits is None else support.guard(word)
    exec(compile(source, file, "exec", dont_inherit=True), names)
    return Loaded(names, file, source)
