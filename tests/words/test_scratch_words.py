"""A word and an instruction are declared once: those of a package from outside are taken by the checker, the reference
of words, the leak check, the analyses of effects and both executors, without another line anywhere."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hoyle.authoring.lsp.completing import complete
from hoyle.authoring.lsp.highlighting import color_rules
from hoyle.authoring.lsp.index import build_index
from hoyle.authoring.word_reference import write_reference
from hoyle.base.diagnostics.render import render_text
from hoyle.language.analyse.leaks import find_leaks
from hoyle.language.compile import check_file, check_game, compile_game
from hoyle.play.codegen.c.printer import print_c
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.game import Game, Match
from hoyle.play.engine.transitions import FROM_ELSEWHERE
from hoyle.program.effects import effects_of, written_by
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.dump import dump_text
from hoyle.program.ir.parts import EVERYTHING, Part, Region
from hoyle.program.ir.serialise import to_json_data
from hoyle.program.ir.types import CARD, NUMBER, ZONE, maybe
from hoyle.program.words import SYNONYMS, WORDS
from source_trees import walk_sources
from two_executors import play_both

PACKAGE = '''
from hoyle.base.dataclass import dataclass

from hoyle.program.ir.instructions import Instruction, using
from hoyle.program.ir.expressions import Expr
from hoyle.program.ir.parts import TOP_OF_ZONE, Part, Touch, Use
from hoyle.program.words.operations import Op
from hoyle.program.words.registry import Cost, word


@word(
    "greatest: list(T) -> maybe(T)", "the greatest of them", op=Op.HIGHEST, keeps=(0,),
    needs_order=True, none_of_empty=True, synonyms=("biggest",),
)
def greatest(values):
    return max(values, default=None)


@word(
    "ascending: list(T) -> list(T)", "least first", "first of ascending of (4, 6, 5) = 4",
    keeps=(0,), needs_order=True, full=True,
    cost=Cost.SORTING,
)
def ascending(values):
    return tuple(sorted(values))


@word("uppermost: zone -> maybe(card)", "the card that covers all others", reads=(TOP_OF_ZONE,))
def uppermost(position, zone):
    return position.zones[zone][-1] if position.zones[zone] else None


@word("murky: zone -> number", "something about a zone, and it is not said what")
def murky(position, zone):
    return len(position.zones[zone])


@dataclass(frozen=True, slots=True, kw_only=True)
class Whisper(Instruction):
    """Something is kept in a state."""

    reads = ()
    writes = (Touch(Part.STATES, "state"),)
    uses = using(value=Use.STATED)

    state: int
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class Murmur(Instruction):
    """It is not said what it does."""

    value: Expr


def whisper(effects, node, position):
    state = effects.program.states[node.state]
    position.states[state.base] = effects.value(node.value, position)
'''

GAME = """\
game: scratch
title: Scratch
players: 2
deck:
  starts_in: pack
  attributes: {rank: 1..6, suit: {red: R, blue: B}}
  cards: [{rank: 1..6, suit: [red, blue]}]
zones:
  pack: {shows: nothing}
  row: {shows: all}
  hand: {of: seat, shows: owner}
state:
  least: {type: number, lasts: match}
  hidden: {type: number, lasts: match, shows: nothing}
actions:
  play: {choose: {card: hand where CHOSEN}, do: move card to row}
  tell: {possible: POSSIBLE}
  pass: {}
steps:
  match: |
    gather pack
    shuffle pack
    deal 4 cards from pack to each hand, starting left of dealer
    repeat 3 times:
      for each seat: seat chooses play or tell or pass
      set least to (first of ascending of (rank of held for held in row) or else 0)
      announce count of row
winners: (seat in seats with highest score of seat)
"""
LEAST = "rank of card = first of ascending of (rank of held for held in hand of seat)"


RANKS = "(rank of held for held in row)"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("package")
    (folder / "scratch_package.py").write_text(PACKAGE, encoding="utf-8")
    before, synonyms = dict(WORDS), dict(SYNONYMS)
    sys.path.insert(0, str(folder))
    try:
        module = importlib.import_module("scratch_package")
        FROM_ELSEWHERE[module.Whisper] = module.whisper
        yield module
        del FROM_ELSEWHERE[module.Whisper]
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("scratch_package", None)
        WORDS.clear()
        WORDS.update(before)
        SYNONYMS.clear()
        SYNONYMS.update(synonyms)


def check(folder: Path, chosen: str = "true", possible: str = "count of row > 1") -> tuple[ir.Program | None, set[str]]:
    path = folder / "scratch.game.yaml"
    where = f" where {chosen}" if chosen != "true" else ""
    text = GAME.replace(" where CHOSEN", where).replace("POSSIBLE", possible)
    path.write_text(text, encoding="utf-8")
    program, report = compile_game(path)
    return program, {found.code for found in report.diagnostics}


def test_the_checker_takes_an_invented_word_and_knows_what_it_cannot_be_said_of(
    scratch: ModuleType, tmp_path: Path
) -> None:
    assert check(tmp_path, LEAST)[1] == set()
    assert check(tmp_path, "card = first of ascending of hand of seat")[1] == {"no-order"}
    # A list that is not empty has a first element, which is never none.
    never = "(first of ascending of (rank of card for other in seats) or else 0) = 3"
    assert check(tmp_path, never)[1] == {"never-none"}


def test_the_leak_check_knows_what_an_invented_word_looks_at(scratch: ModuleType, tmp_path: Path) -> None:
    assert check(tmp_path, possible="rank of uppermost of row > 3")[1] == set()
    assert check(tmp_path, possible="rank of uppermost of hand of seat > 3")[1] == set()
    assert check(tmp_path, possible="rank of uppermost of pack > 3")[1] == {"leak"}
    assert check(tmp_path, possible="rank of uppermost of hand of left of seat > 3")[1] == {"leak"}
    assert check(tmp_path, possible="murky of row > 3")[1] == {"leak"}, "what is not declared is a secret"


def test_what_is_proved_of_a_list_holds_for_an_invented_word(scratch: ModuleType, tmp_path: Path) -> None:
    check(tmp_path)
    path = tmp_path / "scratch.game.yaml"
    text = path.read_text(encoding="utf-8")
    for guard, expected in (("", {"may-be-none"}), (f"if {RANKS} is not empty: ", set())):
        set_least = f"{guard}set least to greatest of {RANKS}"
        path.write_text(text.replace(f"set least to (first of ascending of {RANKS} or else 0)", set_least))
        assert {found.code for found in check_file(path).diagnostics} - {"never-used"} == expected


def test_an_author_who_writes_a_synonym_is_told_the_invented_word(scratch: ModuleType, tmp_path: Path) -> None:
    assert check(tmp_path, possible=f"biggest({RANKS}) > 3")[1] == {"call-notation"}
    report = check_file(tmp_path / "scratch.game.yaml")
    assert "greatest of" in render_text(report.ordered())


def test_editors_are_told_of_an_invented_word(scratch: ModuleType, tmp_path: Path) -> None:
    check(tmp_path, possible=f"greatest of {RANKS} > 3")
    path = tmp_path / "scratch.game.yaml"
    text = path.read_text(encoding="utf-8")
    index = build_index(path, text, check_game(path))
    assert "the greatest of them" in index.explain("greatest")
    assert "greatest" in {found.name for found in complete(index, text.index("greatest of"))}
    at = text.index("greatest of")
    assert [piece.kind for piece in color_rules(index) if piece.start == at] == ["function"]


def test_native_code_writes_an_invented_word_as_the_operation_it_is(scratch: ModuleType, tmp_path: Path) -> None:
    texts = []
    for word in ("greatest", "highest"):
        program, codes = check(tmp_path, possible=f"{word} of {RANKS} > 3")
        assert program is not None, codes
        announced = change_announcement(program, lambda old: old)
        without = replace(announced, blocks=tuple(
            replace(block, instructions=tuple(one for one in block.instructions if not isinstance(one, ir.SetState)))
            for block in announced.blocks
        ))  # fmt: skip
        texts.append(print_c(lower_program(without)).replace(word, "WORD"))
        with pytest.raises(Unsupported, match="the word ascending"):
            lower_program(program)
    assert texts[0] == texts[1]


def test_the_reference_of_words_tells_of_an_invented_word(scratch: ModuleType) -> None:
    reference = write_reference()
    assert "least first" in reference
    assert "the card that covers all others" in reference


def test_both_executors_play_with_invented_words(scratch: ModuleType, tmp_path: Path) -> None:
    program, _ = check(tmp_path, LEAST, "rank of uppermost of row > 3")
    assert program is not None
    for seed in range(5):
        assert play_both(program, seed) > 0


def change_announcement(program: ir.Program, become: Any) -> ir.Program:
    """The program with another instruction in the place of what is announced."""
    blocks = tuple(
        replace(
            block,
            instructions=tuple(become(one) if isinstance(one, ir.Announce) else one for one in block.instructions),
        )
        for block in program.blocks
    )
    return replace(program, blocks=blocks)


def read_top_of_pack(program: ir.Program) -> ir.Expr:
    """An expression that looks at a hidden card."""
    pack = next(number for number, zone in enumerate(program.zones) if zone.name == "pack")
    card = ir.Apply(type=maybe(CARD), word="top", args=(ir.ZoneRef(type=ZONE, zone=pack, owner=None),))
    return ir.Attribute(type=maybe(NUMBER), attribute=0, card=card, text="rank of top of pack")


def number_of_state(program: ir.Program, name: str) -> int:
    return next(number for number, state in enumerate(program.states) if state.name == name)


def test_analyses_know_what_an_invented_instruction_writes_and_tells(scratch: ModuleType, tmp_path: Path) -> None:
    program, _ = check(tmp_path)
    assert program is not None
    public, hidden = (number_of_state(program, name) for name in ("least", "hidden"))
    secret = read_top_of_pack(program)

    def whispers(state: int, value: ir.Expr | None = None) -> ir.Program:
        return change_announcement(
            program, lambda old: scratch.Whisper(state=state, value=value or old.value, clause=old.clause)
        )

    assert find_leaks(whispers(public)) == []
    assert find_leaks(whispers(hidden, secret)) == []
    assert {found.code for found in find_leaks(whispers(public, secret))} == {"unseen"}
    murmurs = change_announcement(program, lambda old: scratch.Murmur(value=secret, clause=old.clause))
    assert {found.code for found in find_leaks(murmurs)} == {"unseen"}, "what is not declared is told to all"

    instructions = [one for block in whispers(public).blocks for one in block.instructions]
    one = next(one for one in instructions if isinstance(one, scratch.Whisper))
    assert written_by(one) == {Region(Part.STATES, public)}
    assert written_by(scratch.Murmur(value=secret, clause=0)) == EVERYTHING
    assert Region(Part.SLOTS) not in effects_of(program).reads(one.value)


def test_an_invented_instruction_is_printed_and_carried_out_by_both_executors(
    scratch: ModuleType, tmp_path: Path
) -> None:
    program, _ = check(tmp_path)
    assert program is not None
    state = number_of_state(program, "least")
    program = change_announcement(
        program, lambda old: scratch.Whisper(state=state, value=old.value, clause=old.clause)
    )
    assert "whisper" in dump_text(program).casefold()
    assert "Whisper" in {node.get("node") for node in _nodes_of(to_json_data(program)) if isinstance(node, dict)}
    for seed in range(3):
        assert play_both(program, seed) > 0
    game = Game(program, executor="reference")
    match = Match(game, game.executor.start(1), seed=1)
    match.run()
    while match.decision is not None:
        match.apply(next(action for action in match.decision.actions if action.text.startswith("play")))
    rows = [zone for zone in match.view(None).zones if zone.name == "row"]
    assert match.position.states[program.states[state].base] == len(rows[0].cards)


def _nodes_of(data: Any) -> Iterator[Any]:
    yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _nodes_of(part)


# Besides where they are made (`irgen`) and carried out (the executors), instructions are named by what is about them.
NAMED_ELSEWHERE = {
    ("analyse/branching.py", "Draw"),  # what puts a value under a name
    ("analyse/branching.py", "Let"),
    ("analyse/cut_short.py", "Deal"),  # what puts points or chips out of play where an end cuts it off
    ("analyse/cut_short.py", "Move"),
    ("analyse/cut_short.py", "Swap"),
    ("analyse/empties.py", "Deal"),  # what fills a zone
    ("analyse/empties.py", "Move"),
    ("analyse/faulting.py", "AddTo"),  # what is kept, which may be beyond its bounds
    ("analyse/faulting.py", "Draw"),
    ("analyse/faulting.py", "Let"),
    ("analyse/faulting.py", "SetState"),
    ("analyse/empties.py", "Gather"),
    ("analyse/leaks.py", "AddTo"),  # what a list tells by its length and its order
    ("analyse/leaks.py", "ShuffleList"),
    ("analyse/lints.py", "Deal"),  # a deal that runs short
    ("analyse/showing.py", "Draw"),  # a card that is followed from where it was drawn
    ("analyse/unset.py", "SetState"),  # the only instruction after which a state is known to be set
    ("beliefs/windows.py", "Let"),  # whom a window asks
    ("engine/paying.py", "Pay"),  # how it is carried out
    ("engine/paying.py", "Retire"),
    ("specialise.py", "AddTo"),  # what leaves the bounds of a state under some setting
    ("specialise.py", "Deal"),  # a deal that runs short under some setting
    ("specialise.py", "SetState"),
    ("engine/work.py", "Shuffle"),  # what the reference spends on one beyond others
    ("table/layout.py", "BeginRound"),  # whether another one can follow
    ("table/layout.py", "Let"),  # the seat a step is done as
    ("testing/placing.py", "Let"),  # what the setup of an example puts into slots
}
CARRY_OUT = ("ir/", "syntax/ast.py", "irgen/", "engine/transitions.py", "codegen/lower/")


def test_an_instruction_is_named_only_where_it_is_made_and_carried_out() -> None:
    known = {kind.__name__ for kind in ir.Instruction.__subclasses__() if kind.__module__ == ir.Instruction.__module__}
    assert len(known) > 20
    named = set()
    for place, nodes in walk_sources():
        if not place.startswith(CARRY_OUT):
            for node in nodes:
                if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "ir" and node.attr in known:
                    named.add((place, node.attr))
    assert named == NAMED_ELSEWHERE
