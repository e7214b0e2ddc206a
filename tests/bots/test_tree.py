"""Trees grown by native code: a search finds the same as in Python, and nothing hidden reaches it."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pytest

import hoyle
from every_game import GAMES, begin, choose, each_game
from hoyle.lab.bots import native_tree
from hoyle.lab.bots import search_tree as in_python
from hoyle.lab.bots.budget import GivenUp
from hoyle.lab.bots.native_tree import Growing
from hoyle.lab.bots.rollout import HORIZON, MOST_PLAYED
from hoyle.lab.bots.search import Search
from hoyle.lab.bots.search_tree import Tables
from hoyle.play.engine.decision import Decision
from hoyle.play.engine.native.program import find_native
from native_play import UNOPTIMISED, needs_compiler

# Cards shown to their last holder, secret choices of groups, nothing but winners, cards of equal face, a window,
# prices, a file that says what a result is worth, rounds longer than a rollout, money that is staked.
CHOSEN = {
    "hearts", "cribbage-61", "goofspiel", "whist", "snowball", "ratscrew", "bi-jinx", "chips", "kuhn-poker", "bunco",
    "holdem",
}  # fmt: skip
SOME = [path for path in GAMES if path.name.split(".")[0] in CHOSEN]
TURNED_CARDS = Path(__file__).parents[1] / "native" / "turned-cards.game.yaml"
Found = list[tuple[object, ...]]


def search(match: hoyle.Match, decision: Decision, iterations: int, *, native: bool) -> tuple[Found, bool]:
    """What a search finds, and whether native code grew its tree."""
    tables = Tables(match.game.executor)
    tables.grows_natively = native
    found = Search(match.standpoint(decision.seat), decision, random.Random(1), tables)
    found.think(iterations, None)
    return list(map(tuple, found.list_tried())), found.is_native


def is_alike(match: hoyle.Match, other: hoyle.Match, seat: int) -> bool:
    """Whether a seat is to know the same in both: no state names a card, and who has chosen before it is known, though
    the other match has no history."""
    here, there = match.position, other.position
    return (here.slots, here.states) == (there.slots, there.states) and (
        match.standpoint(seat).choosers == other.standpoint(seat).choosers
    )


def compare(path: Path, seed: int, most: int, iterations: int = 90) -> int:
    """How many searches native code could do, at decisions of a match; all find what those in Python do, and the same
    when what the seat does not know is different."""
    match, chance, native = begin(path, seed, checked=False), random.Random(seed), 0
    find_native(match.game.program).load(level=UNOPTIMISED)
    for number in range(most):
        decision = match.decision
        if decision is None:
            break
        if decision.count > 1 and number % 3 == 0:
            found, is_native = search(match, decision, iterations, native=True)
            native += is_native
            assert found == search(match, decision, iterations, native=False)[0]
            other = match.sample(decision.seat, seed=number)
            if is_alike(match, other, decision.seat):
                assert found == search(other, decision, iterations, native=True)[0]
        match.apply(choose(decision, chance))
    return native


@needs_compiler
@pytest.mark.share
@pytest.mark.parametrize("path", SOME, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_native_code_finds_what_a_search_in_python_does(path: Path) -> None:
    assert compare(path, 1, 10)


@needs_compiler
def test_what_different_seats_see_at_different_decisions_is_told_apart() -> None:
    """And a rule says who sees a hand. The numbers of the decisions and of the seats differ in one bit each."""
    assert compare(next(path for path in GAMES if path.name == "skat.game.yaml"), 0, 4, iterations=40)


@pytest.mark.slow
@needs_compiler
def test_what_lies_face_up_is_told_apart() -> None:
    assert sum(compare(TURNED_CARDS, seed, 10) for seed in range(3)) > 4


@needs_compiler
def test_hints_count_the_same_in_native_code(tmp_path: Path) -> None:
    path = next(path for path in GAMES if path.name == "worth.game.yaml")
    assert compare(path, 1, 8)
    before, _, after = path.read_text("utf-8").partition("utility:")
    alone = tmp_path / "worth.game.yaml"
    alone.write_text(f"{before.replace('repeat 2', 'repeat 4')}hints:{after.partition('hints:')[2]}", "utf-8")
    assert compare(alone, 0, 7)


@needs_compiler
@pytest.mark.slow
def test_what_hints_judge_is_searched_the_same_in_native_code() -> None:
    """Bids are judged, and after them cards are laid away and played."""
    path = next(path for path in GAMES if path.name == "french-tarot.game.yaml")
    for seed in range(3):
        assert compare(path, seed, 10)


@pytest.mark.slow
@needs_compiler
@each_game
def test_every_game_is_searched_the_same_with_and_without_native_code(path: Path) -> None:
    for seed in range(2):
        compare(path, seed, 40, iterations=40)


@needs_compiler
@pytest.mark.parametrize(("nodes", "children"), ((6, 1 << 17), (1 << 16, 40), (3, 14)))
def test_a_tree_that_is_full_grows_no_more(nodes: int, children: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (native_tree, in_python):
        monkeypatch.setattr(module, "MOST_NODES", nodes)
        monkeypatch.setattr(module, "MOST_CHILDREN", children)
    path = next(path for path in SOME if path.name.startswith("goofspiel"))
    assert compare(path, 2, 4)


@needs_compiler
def test_bots_of_one_process_share_the_memory_of_their_searches() -> None:
    match = begin(next(path for path in SOME if path.name.startswith("cribbage-61")), 1, checked=False)
    find_native(match.game.program).load(level=UNOPTIMISED)
    decision = match.decision
    assert decision is not None
    kept, sizes = [], []
    tracemalloc.start()
    for _ in range(4):
        kept.append(Tables(match.game.executor))
        found = Search(match.standpoint(decision.seat), decision, random.Random(1), kept[-1])
        found.think(20, None)
        assert found.is_native
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[-1] - sizes[0] < 10 * 2**20


@needs_compiler
def test_what_native_code_gives_up_python_does_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    match = hoyle.load("goofspiel").new(seed=1)
    find_native(match.game.program).load(level=UNOPTIMISED)
    decision = match.decision
    assert decision is not None
    expected, _ = search(match, decision, 200, native=False)
    grow, asked = Growing.grow_dealt, []

    def grow_some(*arguments: object) -> None:
        asked.append(arguments)
        if len(asked) > 4:
            raise GivenUp
        grow(*arguments)  # type: ignore[arg-type] # as it was called

    monkeypatch.setattr(Growing, "grow_dealt", grow_some)
    assert search(match, decision, 200, native=True) == (expected, False)
    assert len(asked) == 5


@needs_compiler
def test_many_iterations_are_the_same_too() -> None:
    """Rounding would show."""
    match = hoyle.load("hearts").new(seed=3)
    find_native(match.game.program).load(level=UNOPTIMISED)
    while match.decision is not None and (match.decision.count > 20 or match.decision.count < 3):
        match.apply(0)
    assert match.decision is not None
    found, is_native = search(match, match.decision, 500, native=True)
    assert is_native
    assert found == search(match, match.decision, 500, native=False)[0]


def play_on(name: str, seed: int) -> tuple[int, bool, bool]:
    """How many decisions a rollout from the start of a match plays, whether the round ends, and whether somebody stands
    otherwise by then."""
    match = hoyle.load(name, players=2).new(seed=seed)
    assert match.decision is not None
    tree = in_python.Tree(match.standpoint(match.decision.seat), [], Tables(match.game.executor))
    reached = tree.play_on(match.position.copy(), seed)
    is_ended = reached.over or reached.rounds_played > 0
    return reached.position.decisions - match.position.decisions, is_ended, tree.scale.has_moved(reached)


def test_a_rollout_ends_when_somebody_stands_otherwise_at_the_horizon() -> None:
    """At Bunco those stand best who have fewest cards left, which changes all the time; at Crazy Eights it is known at
    the end of the round."""
    lengths = {name: [play_on(name, seed) for seed in range(3)] for name in ("bunco", "crazy-eights")}
    for played, is_ended, has_moved in lengths["bunco"] + lengths["crazy-eights"]:
        assert is_ended or (has_moved and played % HORIZON == 0) or played == MOST_PLAYED
    assert (HORIZON, False, True) in lengths["bunco"]
    assert any(played > HORIZON for played, _, _ in lengths["crazy-eights"])
    assert all(is_ended or not has_moved for _, is_ended, has_moved in lengths["crazy-eights"])
