"""Expressions printed as Python functions have the values of the reference evaluator."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from hoyle.base.dataclass import dataclass
from hoyle.language.library import describe
from hoyle.play.codegen.python.constants import Constants
from hoyle.play.codegen.python.functions import lower_declared, print_given
from hoyle.play.codegen.python.support import list_names
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.evaluate import Evaluator
from hoyle.play.engine.faults import Fault
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type, certain
from hoyle.program.ir.walk import list_children, list_parts, walk_into
from hoyle.program.model.position import Position
from two_executors import Table, compile_with, list_tables, sample_positions

BY_GAME = list_tables()
ONE_EACH = [tables[(5 * i + 1) % len(tables)] for i, tables in enumerate(BY_GAME)]
SAMPLES = sorted((Path(__file__).parents[1] / "language" / "valid").rglob("*.game.yaml"))
POSITIONS = 40


def list_free(expr: ir.Expr) -> dict[int, Type]:
    """The variables an expression is given, by their places, in order."""
    found: dict[int, Type] = {}

    def visit(node: ir.Expr, bound: frozenset[int]) -> None:
        if isinstance(node, ir.Var):
            if node.index not in bound:
                found.setdefault(node.index, node.type)
            return
        if isinstance(node, ir.Those | ir.Quantified):
            visit(node.source, bound)
            for part in list_children(node):
                if part is not node.source:
                    visit(part, bound | {node.var})
            return
        if isinstance(node, ir.Division):  # what groups there are is asked in a frame of its own
            visit(node.source, bound)
            return
        for part in list_children(node):
            visit(part, bound)

    visit(expr, frozenset())
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class Function:
    """A printed function: its name, and the places of the frame it is given, after the position."""

    name: str
    variables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Functions:
    """Source text, the texts it names, by the place of each expression the function there is for it, and why others
    have none."""

    source: str
    texts: tuple[str, ...]
    made: dict[int, Function]
    refused: dict[int, str]


def print_functions(program: ir.Program, exprs: Sequence[ir.Expr]) -> Functions:
    """Functions for expressions, as far as these have a low form."""
    constants, lines = Constants(), list[str]()
    made: dict[int, Function] = {}
    refused: dict[int, str] = {}
    low = lower_declared(program, {})
    for number, expr in enumerate(exprs):
        variables = list_free(expr)
        name = f"v{number}"
        try:
            lines += print_given(low, constants, name, expr, variables)
            made[number] = Function(name, tuple(variables))
        except Unsupported as error:
            refused[number] = str(error)
            if low.build.is_full:
                low = lower_declared(program, low.texts)
    return Functions("\n".join((*constants.lines, *lines, "")), tuple(low.texts), made, refused)


def load_functions(functions: Functions) -> dict[int, Callable[..., Any]]:
    """The functions, ready to be called."""
    names = list_names() | {"TEXTS": functions.texts}
    exec(compile(functions.source, "<functions printed by hoyle>", "exec", dont_inherit=True), names)
    return {number: names[function.name] for number, function in functions.made.items()}


def name_table(table: Table) -> str:
    return f"{table[0].name.split('.')[0]}-{table[1]}"


def list_exprs(program: ir.Program) -> list[ir.Expr]:
    """The operands of instructions and ends, what is picked from and which conditions there are, who has won."""
    nodes: list[Any] = [each for block in program.blocks for each in (*block.instructions, block.end)]
    for holder in (*program.actions, *program.decisions):
        nodes += _list_holders(holder)
    found = [expr for node in nodes for expr in list_children(node)]
    found += [program.winners, *([program.standing] if program.standing is not None else [])]
    return list({id(expr): expr for expr in found}.values())


def _list_holders(node: object) -> Iterator[object]:
    yield node
    for part in list_parts(node):
        if not isinstance(part, ir.Expr):
            yield from _list_holders(part)


class Guesses:
    """Values for the variables of an expression."""

    def __init__(self, program: ir.Program, seed: int) -> None:
        self.program = program
        self.chance = random.Random(seed)

    def guess(self, kind: Type, position: Position) -> Any:
        chance, program = self.chance, self.program
        if kind.kind == "maybe":
            return None if chance.random() < 0.2 else self.guess(certain(kind), position)
        match kind.kind:
            case "list":
                assert kind.of is not None
                if kind.of.kind == "card" and chance.random() < 0.7:
                    pile = chance.choice(position.zones)
                    return tuple(chance.sample(pile, min(len(pile), chance.randint(1, 5))))
                many = chance.randint(0, 4)
                return tuple(dict.fromkeys(self.guess(kind.of, position) for _ in range(many)))
            case "card":
                return chance.randrange(len(program.cards))
            case "seat":
                return chance.randrange(program.players)
            case "zone":
                return chance.randrange(len(position.zones))
            case "truth":
                return chance.random() < 0.5
            case "team":
                return chance.choice(program.teams)
            case "enum":
                return chance.randrange(next(len(each.values) for each in program.enums if each.name == kind.name))
            case "number":
                return chance.randint(0, 14)
        raise ValueError(kind)


def _list_needed(program: ir.Program, expr: ir.Expr) -> list[int]:
    """The slots an expression reads that hold something wherever it is asked."""
    slots = [node for node in walk_into(program, expr) if isinstance(node, ir.Slot)]
    return [slot.index for slot in slots if program.slots[slot.index].type.kind != "maybe"]


def check_functions(program: ir.Program, positions: int) -> tuple[int, dict[str, int]]:
    """How many expressions have functions, and how many have none for which reason; nothing differs."""
    exprs = list_exprs(program)
    functions = print_functions(program, exprs)
    made = load_functions(functions)
    evaluator, guesses = Evaluator(program), Guesses(program, 1)
    needed = {number: _list_needed(program, exprs[number]) for number in functions.made}
    told = faulty = 0
    for position in islice(sample_positions(program, 7, drawn=False), positions):
        for number, function in functions.made.items():
            expr = exprs[number]
            if any(position.slots[slot] is None for slot in needed[number]):
                continue  # it is never asked before that is set
            frame: list[Any] = [None] * 64
            for place, kind in list_free(expr).items():
                frame[place] = guesses.guess(kind, position)
            args = [frame[place] for place in function.variables]
            try:
                wanted = evaluator.evaluate(expr, position, frame)
            except Fault:
                faulty += 1
                with pytest.raises(Exception):  # noqa: B017 - whatever it is, the reference is asked
                    made[number](position, *args)
                continue
            told += 1
            found = made[number](position, *args)
            assert repr(found) == repr(wanted), (number, expr.text, args)
    reasons: dict[str, int] = {}
    for reason in functions.refused.values():
        reasons[reason] = reasons.get(reason, 0) + 1
    assert told > faulty
    return len(made), reasons


@pytest.mark.share
@pytest.mark.parametrize("table", ONE_EACH, ids=name_table)
def test_functions_of_every_game_give_what_the_reference_gives(table: Table) -> None:
    program = compile_with(*table, {})
    assert program is not None
    made, refused = check_functions(program, POSITIONS)
    assert made > 9 * sum(refused.values()), refused


@pytest.mark.share
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.split(".")[0])
def test_functions_of_every_sample_give_what_the_reference_gives(path: Path) -> None:
    info, _ = describe(path)
    assert info is not None
    program = compile_with(path, info.allowed[0], {})
    assert program is not None
    check_functions(program, 5)
