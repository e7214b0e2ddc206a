"""The generated executor: faults, chance, words, and source into which nothing of a rule file gets but values."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import random
import re
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import hoyle
from hoyle.base.shipped import all_games
from hoyle.front.cli.ir import command
from hoyle.play.codegen.python.support import list_names
from hoyle.play.engine import printed
from hoyle.play.engine.codegen_limits import MOST_BLOCKS, Reason
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.playout import play_out
from hoyle.play.engine.printed import find_problem, write_source
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import NUMBER, TRUTH, Type
from hoyle.program.model.chance import MASK, Stream, draw, shuffled
from hoyle.program.model.fast_chance import shuffle_fast
from hoyle.program.model.position import Position
from tiny_program import HAND, LAID, PACK, apply, const, listed, make_program, zone
from two_executors import play_both

PROGRAM = make_program()
LISTED = Type("list", "", NUMBER)


def with_block(number: int, block: ir.Block) -> ir.Program:
    blocks = (*PROGRAM.blocks[:number], block, *PROGRAM.blocks[number + 1 :])
    return dataclasses.replace(PROGRAM, blocks=blocks)


def find_fault(executor: ReferenceExecutor, seed: int = 0, script: list[Any] | None = None) -> tuple[Any, ...]:
    with pytest.raises(Fault) as raised:
        play_out(executor, seed, script=script)
    fault = raised.value
    return fault.code, fault.message, fault.clause, fault.steps


# ------------------------------------------------------------------------------------------------ equality
@pytest.mark.parametrize("seed", range(5))
def test_the_tiny_game_goes_the_same_way_on_both_executors(seed: int) -> None:
    assert play_both(PROGRAM, seed) > 4


def test_each_executor_goes_on_where_the_other_stopped() -> None:
    executors = [GeneratedExecutor(PROGRAM), ReferenceExecutor(PROGRAM)]
    position = executors[0].start(11)
    alone = executors[1].start(11)
    for executor, own in ((executors[0], position), (executors[1], alone)):
        executor.run(own)
    chance = random.Random(2)
    while not alone.over:
        choice = chance.choice(executors[1].list_legal(alone))
        executors[position.decisions % 2].advance(position, choice)
        executors[1].advance(alone, choice)
        assert position == alone


def test_a_choice_made_and_then_run_is_a_choice_advanced() -> None:
    made, defined = GeneratedExecutor(PROGRAM), ReferenceExecutor(PROGRAM)
    first, second = made.start(4), defined.start(4)
    made.run(first)
    defined.run(second)
    while not second.over:
        choice = defined.list_legal(second)[0]
        made.apply(first, choice)
        made.run(first)
        defined.advance(second, choice)
        assert first == second


def test_what_an_edited_position_leads_to_is_what_the_reference_says() -> None:
    made, defined = GeneratedExecutor(PROGRAM), ReferenceExecutor(PROGRAM)
    position = defined.start(3)
    defined.run(position)
    position.slots[12] = 9  # a seat that is not there
    for executor in (made, defined):
        with pytest.raises(Fault, match="nobody is there to choose"):
            executor.list_legal(position)


# ------------------------------------------------------------------------------------------------ faults
HANDS = listed(zone(HAND).type, zone(HAND, const(0, Type("seat"))), zone(HAND, const(1, Type("seat"))))
FAULTY: list[ir.Instruction] = [
    ir.Deal(clause=3, count=const(9), up_to=False, source=zone(PACK), targets=HANDS, packet=const(1)),
    ir.Draw(clause=3, slot=12, source=const((), Type("list", "", NUMBER))),
    ir.SetState(clause=3, state=LAID, owner=const(0, Type("seat")), value=const(3)),
    ir.SetState(clause=3, state=LAID, owner=const(None, Type("seat")), value=const(1)),
    ir.SetState(clause=3, state=LAID, owner=const(5, NUMBER), value=const(1)),
    ir.Let(clause=3, slot=12, value=apply(NUMBER, "divide", const(1), const(0))),
    ir.Let(clause=3, slot=12, value=apply(NUMBER, "multiply", const(1 << 40), const(1 << 40))),
    ir.Let(clause=3, slot=12, value=apply(NUMBER, "element", const((4, 5), Type("list", "", NUMBER)), const(2))),
    ir.Score(clause=3, amount=const(None), seat=const(0, Type("seat")), column=0, label=""),
    ir.Shuffle(clause=3, zone=const(None, Type("zone"))),
    ir.Move(clause=3, cards=const((), Type("list", "", Type("card"))), zone=const(None, Type("zone")), bottom=False),
]


@pytest.mark.parametrize("instruction", FAULTY, ids=lambda instruction: type(instruction).__name__)
def test_a_fault_is_the_same_on_both_executors(instruction: ir.Instruction) -> None:
    instructions = (*PROGRAM.blocks[4].instructions, instruction)
    program = with_block(4, ir.Block(instructions=instructions, end=PROGRAM.blocks[4].end))
    found = find_fault(ReferenceExecutor(program))
    assert found == find_fault(GeneratedExecutor(program))
    assert found[2] is not None and found[3] == ("match", "round")
    told: list[Any] = []
    assert find_fault(GeneratedExecutor(program, told.append)) == found and told


@pytest.mark.parametrize("script", [[7], [[[1], 2]], [[{}]], [["C7", None]], [[3, "random"]], [None]], ids=str)
def test_a_script_that_does_not_fit_is_the_same_fault_on_both_executors(script: list[Any]) -> None:
    """And nothing that is wrong with the generator."""
    executor = GeneratedExecutor(PROGRAM)
    found = find_fault(executor, script=script)
    assert found == find_fault(ReferenceExecutor(PROGRAM), script=script)
    assert found[0] == "bad-script" and "a shuffle needs an order of cards" in found[1]
    assert executor.generated.mistakes == {}


def test_a_scripted_shuffle_and_cut_come_out_the_same_on_both_executors() -> None:
    script = [list(range(14)), 5, "random", 0]
    results = [play_out(make(PROGRAM), 1, script=script) for make in (GeneratedExecutor, ReferenceExecutor)]
    assert results[0] == results[1]


@pytest.mark.parametrize("padding", [0, 7])
def test_a_game_that_stalls_is_halted_at_the_same_instruction(padding: int) -> None:
    count = ir.Let(clause=3, slot=12, value=apply(NUMBER, "add", ir.Slot(type=NUMBER, index=12), const(1)))
    begin = ir.Let(clause=3, slot=12, value=const(0))
    first = ir.Block(instructions=(begin, *[count] * padding), end=ir.Jump(to=1))
    loop = ir.Block(instructions=(count, count), end=ir.Jump(to=1))
    rest = [ir.Block(instructions=(), end=ir.Finish())] * (len(PROGRAM.blocks) - 2)  # nothing that is counted by guess
    program = dataclasses.replace(PROGRAM, blocks=(first, loop, *rest))
    positions: list[Position] = []
    for executor in (GeneratedExecutor(program), ReferenceExecutor(program)):
        position = executor.start(0)
        with pytest.raises(Fault, match="does not come to a decision") as raised:
            executor.run(position)
        assert (raised.value.code, raised.value.clause) == ("stalled", 3)
        positions.append(position)
    assert positions[0] == positions[1]


@pytest.mark.parametrize(("padding", "often"), [(0, 0), (7, 8)])
def test_a_game_that_stalls_is_halted_at_the_same_instruction_though_its_work_is_estimated(
    padding: int, often: int
) -> None:
    """Every so often there is a list so long that the reference has to keep it, and goes on alone from there."""
    number = ir.Slot(type=NUMBER, index=12)
    begin = ir.Let(clause=3, slot=12, value=const(0))
    count = ir.Let(clause=3, slot=12, value=apply(NUMBER, "add", number, const(1)))
    guess = ir.Let(clause=4, slot=11, value=apply(LISTED, "span", const(1), apply(NUMBER, "modulo", number, const(5))))
    long = ir.Let(clause=5, slot=11, value=apply(LISTED, "span", const(1), const(1_500)))
    first = ir.Block(instructions=(begin, *[count] * padding), end=ir.Jump(to=1))
    loop = ir.Block(instructions=(count, guess, count), end=ir.Jump(to=2 if often else 1))
    test = apply(TRUTH, "equal", number, const(padding + 4 * often))
    ask = ir.Block(instructions=(count, count), end=ir.Branch(test=test, yes=3, no=1, clause=3))
    keep = ir.Block(instructions=(count, long), end=ir.Jump(to=1))
    rest = [ir.Block(instructions=(), end=ir.Finish())] * (len(PROGRAM.blocks) - 4)
    program = dataclasses.replace(PROGRAM, blocks=(first, loop, ask, keep, *rest))
    found = []
    for executor in (GeneratedExecutor(program), ReferenceExecutor(program), GeneratedExecutor(program, print)):
        position = executor.start(0)
        with pytest.raises(Fault, match="does not come to a decision") as raised:
            executor.run(position)
        found.append((raised.value.code, raised.value.clause, position))
    assert found[0] == found[1] == found[2]


def test_a_match_that_does_not_end_is_halted_at_the_same_decision() -> None:
    assert find_fault(GeneratedExecutor(PROGRAM, most_decisions=3)) == find_fault(
        ReferenceExecutor(PROGRAM, most_decisions=3)
    )


# ------------------------------------------------------------------------------------------------ chance
@given(st.integers(0, MASK), st.integers(0, 120))
def test_the_fast_shuffle_is_the_shuffle(state: int, size: int) -> None:
    assert shuffle_fast(state, list(range(size))) == shuffled(state, list(range(size)))


def find_state(bits: int) -> int:
    """The state from which the generator draws these bits."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        undone = bits
        for _ in range(64 // shift + 1):
            undone = bits ^ (undone >> shift)
        bits = undone * pow(factor, -1, 1 << 64) & MASK
    return (bits - 0x9E3779B97F4A7C15) & MASK


def test_the_fast_shuffle_draws_again_what_the_shuffle_draws_again() -> None:
    state = find_state(find_state(0x0000_0000_0000_FFFF))
    cards = list(range(53))  # 53 does not divide 2 ** 16: the highest pieces are thrown away
    stream = Stream(draw(state)[1])
    assert stream.below(53) == 0 and stream.take_piece() == 0, "the second and the third piece of the first draw"
    assert shuffle_fast(state, cards) == shuffled(state, cards)


# ------------------------------------------------------------------------------------------------ safety
POISON = "'\"\"\"\\\n\t__import__('os')._exit(3)  # {0} %s \u2028\ud7ff class"
SAID = (
    "name", "text", "label", "path", "file", "code", "title", "game", "id", "place", "call", "cite", "columns",
    "column_labels", "marks", "mark_labels", "values", "shorts",
)  # fmt: skip


def poison(value: Any, said: bool = False) -> Any:
    """The value with everything an author can name or write turned into a trap."""
    if isinstance(value, str):
        return value + POISON if said else value
    if isinstance(value, tuple):
        return tuple(poison(part, said) for part in value)
    if isinstance(value, dict):
        return {poison(key, True): poison(part) for key, part in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {part.name: getattr(value, part.name) for part in dataclasses.fields(value)}
        return type(value)(**{name: poison(part, name in SAID) for name, part in parts.items()})
    return value


OURS = re.compile(
    r"[KZHPsrtvz]\d*|M\d+_\d+|[a-z]+_\d+|score\d+|each|pile|card|once|o|b|budget|work|kept|block|stops|left|many|numbers"
    r"|found|takes|redraw|acts|note|play|winners|scores|fits|TEXTS|CARDS|ENTRIES|ASKED|ValueError"
)
CALLED = list_names()


def test_nothing_of_a_rule_file_gets_into_the_source_but_values() -> None:
    text = ir.Const(type=Type("text"), value=POISON)
    traps = (ir.Announce(clause=3, value=text), ir.Let(clause=3, slot=len(PROGRAM.slots), value=text))
    block = PROGRAM.blocks[4]
    trapped = with_block(4, ir.Block(instructions=(*block.instructions, *traps), end=block.end))
    slot = dataclasses.replace(trapped.slots[12], type=Type("maybe", "", Type("text")))
    program = poison(dataclasses.replace(trapped, slots=(*trapped.slots, slot)))
    sound = {name for name in dir(builtins) if name.islower()} - {"eval", "exec", "compile", "open", "input"}
    source = write_source(program)
    assert source.isascii()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            assert OURS.fullmatch(node.id) or node.id in sound or node.id in CALLED, node.id
            assert not node.id.startswith("__")
        elif isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_")
        assert not isinstance(node, ast.Import | ast.ImportFrom)
    play_both(program, 1)


def test_the_same_program_gives_the_same_source() -> None:
    assert write_source(make_program()) == write_source(PROGRAM)


def test_the_generated_code_can_be_read() -> None:
    shown = CliRunner().invoke(command, [str(all_games()[0]), "--python"])
    assert shown.exit_code == 0
    assert "def winners(P):" in shown.output
    ast.parse(shown.output)


def test_a_game_is_loaded_for_the_executor_that_is_asked_for() -> None:
    assert type(hoyle.load(all_games()[0], executor="reference").executor) is ReferenceExecutor
    assert type(hoyle.load(all_games()[0], executor="generated").executor) is GeneratedExecutor


def test_the_reference_can_be_asked_for() -> None:
    game = Game(PROGRAM, executor="reference")
    assert type(game.new(0).executor) is ReferenceExecutor
    assert type(Game(PROGRAM, executor="generated").new(0).executor) is GeneratedExecutor


def test_a_watched_match_is_played_by_the_reference() -> None:
    visited: list[int] = []
    executor = GeneratedExecutor(PROGRAM, visit=visited.append)
    play_out(executor, 2)
    assert visited and executor.functions is None


# ------------------------------------------------------------------------------------------------ left to the reference
def with_lets(*values: ir.Expr) -> ir.Program:
    """The tiny game with values that are worked out and never used, where nothing comes of them."""
    block = PROGRAM.blocks[4]
    lets = [ir.Let(clause=3, slot=12, value=value) for value in values]
    return with_block(4, ir.Block(instructions=(*lets, *block.instructions), end=block.end))


def count_up(part: ir.Expr, var: int = 0) -> ir.Expr:
    """How many numbers up to a number that may be high, but is not, are no lower than another."""
    numbers = apply(LISTED, "span", const(1), ir.Slot(type=NUMBER, index=12))
    test = apply(TRUTH, "at_least", ir.Var(type=NUMBER, index=var), part)
    those = ir.Those(type=numbers.type, var=var, source=numbers, where=test, orders=(), value=None)
    return apply(NUMBER, "count", those)


def write_too_deep(program: ir.Program) -> NoReturn:
    """Write something that is as deep as Python can go, and deeper."""
    write_too_deep(program)


MANY_BLOCKS = tuple(ir.Block(instructions=(), end=ir.Finish()) for _ in range(MOST_BLOCKS))
LEFT = {
    Reason.BLOCKS: lambda: dataclasses.replace(PROGRAM, blocks=(*PROGRAM.blocks, *MANY_BLOCKS)),
    Reason.WORK: lambda: with_lets(const(2), count_up(count_up(const(1), var=1))),
    Reason.EFFORT: lambda: dataclasses.replace(PROGRAM, title="Written with little effort"),
    Reason.SIZE: lambda: dataclasses.replace(PROGRAM, title="Written too deep"),
    Reason.CALLED: lambda: dataclasses.replace(PROGRAM, called=True),
}


@pytest.mark.parametrize("reason", Reason, ids=lambda reason: reason.name)
def test_a_game_that_no_code_is_written_for_is_played_by_the_reference(
    reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason is Reason.EFFORT:
        monkeypatch.setattr(printed, "MOST_WRITING", 10)
    if reason is Reason.SIZE:
        monkeypatch.setattr(printed, "print_python", write_too_deep)
    program = LEFT[reason]()
    assert find_problem(program) == reason
    executor = GeneratedExecutor(program)
    assert executor.functions is None
    assert play_out(executor, 3) == play_out(ReferenceExecutor(program), 3)


def test_a_match_that_goes_on_too_long_is_the_same_fault_however_it_is_played() -> None:
    found = []
    for make in (ReferenceExecutor, GeneratedExecutor):
        with pytest.raises(Fault) as raised:
            play_out(make(PROGRAM, most_decisions=2), 1)
        found.append((raised.value.code, raised.value.message, raised.value.clause, raised.value.steps))
    assert found[0] == found[1]
