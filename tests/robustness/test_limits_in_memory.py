"""Whatever a rule file says, a match stays within bounds: positions, events and lists. What would go beyond them is a
fault that names the clause, on every executor."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from contextlib import nullcontext
from pathlib import Path

import pytest

from hoyle.language.library import find_program
from hoyle.play.codegen.c import printer as c_printer
from hoyle.play.codegen.lower.whole_program import lower_program
from hoyle.play.codegen.passes import dense_memo
from hoyle.play.codegen.python import support
from hoyle.play.engine import game as games
from hoyle.play.engine import hearing, transitions
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import ExecutorName, Game, Match
from hoyle.play.engine.limits import MOST_IN_NAMES, MOST_TOLD, measure_event
from hoyle.program.model.events import FORGOTTEN

BOTH: tuple[ExecutorName, ...] = ("generated", "reference")
MOST_MEMORY = 512 << 20
TOLD = """
game: told
title: Told
players: 2..64
deck: {starts_in: pack, attributes: {rank: 1..32}, cards: [{rank: 1..32, copies: 3}]}
zones: {pack: {shows: nothing}, hand: {of: seat, shows: owner}}
actions: {nod: {}}
steps:
  match: |
    shuffle pack
    deal 1 cards from pack to each hand, starting dealer
    repeat 300 times: announce "on"
    dealer chooses nod
winners: seats
"""
LARGE = """
game: large
title: Large
players: 2
deck: {starts_in: pack, attributes: {rank: 1..100}, cards: [{rank: 1..100, copies: 5}]}
zones: {pack: {shows: all}, hand: {of: seat, shows: owner}, pile: {shows: all}}
state: {x: {type: number, start: 9}, s: cards, z: {type: list of 0..99, most: 1000}}
definitions:
  longer of number: (v + number for v in 1..99000)
actions: {nod: {}}
steps:
  match: |
MATCH
    dealer chooses nod
  names: |
NAMES
winners: (seat in seats with highest score of seat)
"""
NAMES = "\n".join(f"    let n{i} be (v + x for v in 1..2000)" for i in range(180))
# Only run to be measured.
LONG_TO_WAIT_FOR = ("a state set", "all cards moved", "all cards shuffled", "long results")
# What is carried out, and what is said of it in play and, where nothing is recorded, in simulations.
STALLS = "does not come to a decision"
LARGE_CASES = {
    "a deal of two billion": (
        ["deal up to 2000000000 cards from pack to each hand in packets of 2000000000, starting dealer", "do names"],
        "local names",
        "local names",
    ),
    "a card added again and again": (["repeat 30000 times: add top of pack to s"], "`s` would hold", "`s` would hold"),
    "a state set again and again": (
        ["repeat 20000 times:", "  set s to pack", "  clear s"],
        STALLS,
        STALLS,
    ),
    "a list that is full": (["repeat 1001 times: add 1 to z"], "`z` would hold 1001", "`z` would hold 1001"),
    "all cards moved again and again": (
        ["repeat 20000 times:", "  move pack to pile", "  move pile to pack"],
        STALLS,
        STALLS,
    ),
    "all cards shuffled again and again": (["repeat 90000 times: shuffle pack"], STALLS, STALLS),
    "long lists in many names": (["do names"], "local names", "local names"),
    "long results that could be remembered": (
        ["for each v in 1..99: set x to count of longer of v"],
        STALLS,
        STALLS,
    ),
}


def write(folder: Path, lines: list[str]) -> Path:
    file = folder / "large.game.yaml"
    file.write_text(LARGE.replace("MATCH", "\n".join(f"    {line}" for line in lines)).replace("NAMES", NAMES))
    return file


@pytest.mark.parametrize("case", [case for case in LARGE_CASES if not case.startswith(LONG_TO_WAIT_FOR)])
def test_what_is_more_than_is_kept_is_a_fault_that_names_the_clause(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, in_play, in_simulations = LARGE_CASES[case]
    program, report = find_program(write(tmp_path, lines))
    assert program is not None, report.diagnostics
    monkeypatch.setattr(games, "MOST_TOLD", MOST_TOLD // 10)
    monkeypatch.setattr(transitions, "MOST_IN_NAMES", MOST_IN_NAMES // 50)
    told = set()
    for executor in BOTH:
        game = Game(program, executor=executor)
        with pytest.raises(Fault, match=in_play) as raised:
            game.new(1)
        with pytest.raises(Fault, match=in_simulations):
            game.playout(1)
        told.add(str(raised.value))
    assert len(told) == 1 and "large.game.yaml:" in told.pop()


@pytest.mark.slow
def test_cards_moved_again_and_again_stall_in_play_as_they_do_in_simulations(tmp_path: Path) -> None:
    lines = ["repeat 20000 times:", "  move pack to pile", "  show pile to seats", "  move pile to pack"]
    program, report = find_program(write(tmp_path, lines))
    assert program is not None, report.diagnostics
    for play in (Game(program).new, Game(program).playout):
        with pytest.raises(Fault, match=STALLS):
            play(1)


def test_a_list_that_grows_too_long_is_told_alike_in_play_and_in_simulations(tmp_path: Path) -> None:
    program, report = find_program(write(tmp_path, ["repeat 5000 times: add top of pack to s"]))
    assert program is not None, report.diagnostics
    for executor in BOTH:
        game = Game(program, executor=executor)
        for play in (game.new, game.playout):
            with pytest.raises(Fault, match="`s` would hold 2001, and 2000 is the most"):
                play(1)


SHEET = """
game: sheet
title: Sheet
players: 2
deck: {starts_in: pack, cards: [{name: joker}]}
zones: {pack: {shows: all}}
ledger: {columns: {a: A}, totals: {a: sum a of lines of seat}}
steps:
  match: |
    repeat 30 times: do round
  round: score 1 to dealer in a
winners: (seat in seats with highest a of seat)
"""


def test_a_score_sheet_has_a_last_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sheet.game.yaml").write_text(SHEET)
    program, report = find_program(tmp_path / "sheet.game.yaml")
    assert program is not None, report.diagnostics
    for most, said in ((30, None), (20, "score sheet")):
        for module in (transitions, support):
            monkeypatch.setattr(module, "MOST_ROUNDS", most)
        for executor in BOTH:
            with pytest.raises(Fault, match=said) if said else nullcontext():
                Game(program, executor=executor).playout(1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="memory is limited by a call of Unix")
@pytest.mark.parametrize("case", LARGE_CASES)
def test_half_a_gigabyte_is_enough(case: str, tmp_path: Path) -> None:
    file = str(write(tmp_path, LARGE_CASES[case][0]))
    script = f"""
        import resource
        resource.setrlimit(resource.RLIMIT_AS, ({MOST_MEMORY}, {MOST_MEMORY}))
        from hoyle.front.cli import run
        codes = [run([*line, {file!r}]) for line in (["check"], ["play", "--auto"], ["sim", "--games", "1"])]
        raise SystemExit(0 if set(codes) <= {{0, 1}} else f"exit codes {{codes}}")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2_000:]


AGAIN = """
game: again
title: Again
players: 2
deck: {starts_in: pack, attributes: {rank: 1..100}, cards: [{rank: 1..100, copies: 20}]}
zones: {pack: {shows: all}, pile: {shows: all}}
actions: {nod: {}}
steps:
  match: |
    repeat 30 times:
      dealer chooses nod
      repeat 4 times:
        move pack to pile
        move pile to pack
      score 1 to dealer
winners: (seat in seats with highest score of seat)
"""


def test_events_of_many_decisions_are_forgotten_and_end_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "MOST_TOLD", MOST_TOLD // 800)
    (tmp_path / "again.game.yaml").write_text(AGAIN)
    program, report = find_program(tmp_path / "again.game.yaml")
    assert program is not None, report.diagnostics
    for executor in BOTH:
        game = Game(program, executor=executor)
        match, all_events = game.new(1), 0
        while match.decision is not None:
            match.apply("nod")
            kept = [event for event in match.events if event is not FORGOTTEN]
            assert sum(measure_event(event.data) for event in kept) <= MOST_TOLD // 800
            assert len(match.events) > all_events, "what is counted from is never lost"
            all_events = len(match.events)
            assert len(match.events_for(0)) == len(kept)
        assert match.scores == [30, 0] == list(game.playout(1).scores)
        assert FORGOTTEN in match.events and kept[-1].name == "match_ended"
        again = Match.from_json(game, match.to_json())
        assert again.events == match.events and again.scores == match.scores


def test_what_all_seats_are_told_is_kept_once_and_within_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty-four seats that are told thousands of events a turn would else take gigabytes."""
    (tmp_path / "told.game.yaml").write_text(TOLD)
    program, report = find_program(tmp_path / "told.game.yaml", 64)
    assert program is not None, report.diagnostics
    match = Game(program).new(1)
    heard = [match.events_for(seat) for seat in (*range(64), None)]
    assert len(heard[0]) == len(match.events) > 300
    public = [event for event in match.events if event.name == "announced"]
    assert len(public) == 300
    for each in heard[1:]:
        same = [one is other for one, other in zip(heard[0], each, strict=True) if one["event"] == "announced"]
        assert same == [True] * 300
    hands = [event for event in heard[5] if event["event"] == "dealt"]
    assert hands[0] is not heard[0][0] and "??" in str(hands)
    before = match.information_state(3)
    monkeypatch.setattr(hearing, "MOST_HEARD", 1_000)
    again = match.copy()
    assert [again.events_for(seat) for seat in (*range(64), None)] == heard
    assert again.information_state(3) == before
    assert again._hearing._size < 2 * len(match.events) * 40


# ------------------------------------------------------------------------------------------------ what is remembered
def write_groups(folder: Path, many: int) -> Path:
    """A game whose score adds up so many values that go through all groups of a hand."""
    values = [f"count of (group in subsets of hand of dealer where sum rank of group = {i})" for i in range(many)]
    file = folder / "groups.game.yaml"
    file.write_text(
        "game: groups\ntitle: Groups\nplayers: 2\n"
        "deck: {starts_in: pack, attributes: {rank: 1..13}, cards: [{rank: 1..13, copies: 4}]}\n"
        "zones: {pack: {shows: all}, hand: {of: seat, shows: owner}}\nactions: {nod: {}}\n"
        "steps:\n  match: |\n    shuffle pack\n    deal 5 cards from pack to each hand, starting left of dealer\n"
        + "".join(f"    score {value} to dealer\n" for value in values)
        + "    dealer chooses nod\nwinners: seats\n"
    )
    return file


def test_tables_of_what_was_worked_out_are_bounded_in_bytes(tmp_path: Path) -> None:
    program, report = find_program(write_groups(tmp_path, 40), 2)
    assert program is not None, report.diagnostics
    memos = c_printer.Printer(lower_program(program)).memos
    held = sum(classes.size * len(classes.rows) for classes in memos._classes.values())
    assert 0 < held == dense_memo.MOST_BYTES - memos.room <= dense_memo.MOST_BYTES
    assert held > dense_memo.MOST_BYTES // 2, "the file asks for more than there is room"
    by: tuple[ExecutorName, ...] = ("reference", "python")
    assert len({Game(program, executor=name).playout(1) for name in by}) == 1


def test_what_generated_python_remembers_is_bounded_for_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "MOST_REMEMBERED", 100)
    for each in support._filled:
        each.clear()
    monkeypatch.setattr(support, "_filled", [])
    monkeypatch.setattr(support, "_held", 0)
    tables: list[dict[int, int]] = [{} for _ in range(7)]
    for place in range(1_000):
        support.remember(tables[place % 7], place, place % 200, 0)
        assert sum(map(len, tables)) <= 100
        assert tables[place % 7][place] == place % 200 + 1
