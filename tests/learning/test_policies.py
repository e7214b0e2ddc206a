"""Policies and strategies: files that strangers may have written, refused by name, while the game goes on."""

from __future__ import annotations

import json
import zlib
from functools import partial
from pathlib import Path

import pytest

import hoyle
from hoyle.lab.bots import make_bots
from hoyle.lab.bots.learned import POLICY, STRATEGY, read_learnt
from hoyle.lab.learning.features import Features
from hoyle.lab.learning.policies import MAGIC, Layer, Policy, PolicyError, fingerprint
from hoyle.lab.learning.solving import SolveError, find_exploitability, grow_tree, solve
from hoyle.lab.learning.strategies import read_strategy, write_strategy


def make_policy(game: hoyle.Game, width: int = 2) -> Policy:
    """A policy that finds all choices equally good."""
    features = Features(game.program)

    def layer(inputs: int, units: int) -> Layer:
        return Layer(inputs, units, bytes(inputs * units), (1.0,) * units, (0.0,) * units)

    told = {"game": game.name, "players": game.players, "fingerprint": fingerprint(game.program)}
    layers = [layer(features.size, width), layer(width, width), layer(width, features.vocabulary)]
    return Policy(told, features.size, range(features.size), layers)


def test_a_policy_is_read_as_it_was_written(tmp_path: Path) -> None:
    game = hoyle.load("kuhn-poker")
    written = make_policy(game)
    path = tmp_path / f"kuhn-poker-2{POLICY}"
    written.write(path)
    read = Policy.read(path, game.program)
    assert read.used == written.used and read.layers == written.layers
    assert read.score([1.0] * read.size, [[1, 0], [2, 3]]) == [0.0, 0.0]


def test_a_policy_for_other_rules_is_refused(tmp_path: Path) -> None:
    content = make_policy(hoyle.load("leduc-poker")).to_bytes()
    other = hoyle.load("leduc-poker", options={"raises": 1})
    with pytest.raises(PolicyError, match="other rules"):
        Policy.from_bytes(content, other.program)


def _edit(content: bytes, **changes: object) -> bytes:
    line, _, packed = content[len(MAGIC) :].partition(b"\n")
    return MAGIC + json.dumps({**json.loads(line), **changes}).encode() + b"\n" + packed


def _pack(content: bytes, body: bytes) -> bytes:
    line, _, _ = content[len(MAGIC) :].partition(b"\n")
    return MAGIC + line + b"\n" + zlib.compress(body)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"",
        lambda content: b"PK\x03\x04" + content,
        lambda content: content[: len(content) // 2],
        lambda content: content + b"more",
        lambda content: content[: len(MAGIC)] + b"[" * 100_000,
        lambda content: content[: len(MAGIC)] + b"[" * 9_000 + b"\n",
        lambda content: _edit(content, size=10**9),
        lambda content: _edit(content, size=True),
        lambda content: _edit(content, size="7"),
        lambda content: _edit(content, used="é"),
        lambda content: _edit(content, used=None),
        lambda content: _edit(content, layers=[[1, 2]]),
        lambda content: _edit(content, layers=[[97, 20_000], [20_000, 20_000], [20_000, 20_000]]),
        lambda content: _edit(content, layers=[[97, -2], [-2, -2], [-2, 70]]),
        lambda content: _edit(content, layers=[[97, 2.0], [2, 2], [2, 70]]),
        lambda content: _pack(content, bytes(100_000_000)),
        lambda content: _pack(content, b"\xff" * (97 * 2 + 16 + 4 + 16 + 140 + 560)),
    ],
)
def test_a_damaged_or_hostile_policy_is_refused(spoil, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Refused with one sentence that names the file, whatever is in it; and the bots search instead."""
    game = hoyle.load("kuhn-poker")
    path = tmp_path / f"kuhn-poker-2{POLICY}"
    path.write_bytes(spoil(make_policy(game).to_bytes()))
    with pytest.raises(PolicyError, match=f"kuhn-poker-2{POLICY}"):
        Policy.read(path, game.program)
    learnt = read_learnt(game, tmp_path)
    assert not learnt and "search instead" in learnt.notice


def test_every_policy_beside_the_rules_is_for_these_rules() -> None:
    """No shipped file is stale, none is too large, and bots play by it."""
    shipped = sorted(Path("games").glob(f"*/*{POLICY}")) + sorted(Path("games").glob(f"*/*{STRATEGY}"))
    assert shipped
    for path in shipped:
        name, _, players = path.name.partition(".")[0].rpartition("-")
        game = hoyle.load(name, players=int(players))
        learnt = read_learnt(game)
        assert learnt, f"{path}: {learnt.notice}"
        match = game.new(seed=1)
        bots = make_bots("hard", 1, game.players)
        for _ in range(6):
            decision = match.decision
            if decision is None:
                break
            match.apply(bots[decision.seat].choose(decision, partial(match.standpoint, decision.seat)))


def test_kuhn_poker_is_solved_as_openspiel_solves_it() -> None:
    """CFR+ comes to 0.00009 after 1,000 iterations there; the value is one eighteenth for the second player."""
    found = solve(hoyle.load("kuhn-poker"), 1000)
    assert found.exploitability == pytest.approx(0.00009, abs=0.00001)
    assert found.values[1] == pytest.approx(1 / 18, abs=1e-4)


def test_playing_evenly_is_as_exploitable_as_openspiel_says() -> None:
    tree = grow_tree(hoyle.load("kuhn-poker"))
    even = [[1 / len(menu)] * len(menu) for menu in tree.menus]
    assert find_exploitability(tree, even) == pytest.approx(0.458333, abs=1e-6)


@pytest.mark.slow
def test_leduc_poker_is_solved_as_openspiel_solves_it() -> None:
    assert solve(hoyle.load("leduc-poker"), 100).exploitability == pytest.approx(0.0134, abs=0.00005)


def test_a_game_that_is_too_large_is_not_solved() -> None:
    with pytest.raises(SolveError, match="more than 50 positions"):
        solve(hoyle.load("leduc-poker"), 1, most=50)


def test_a_strategy_is_read_with_the_rules_it_was_made_for(tmp_path: Path) -> None:
    game, path = hoyle.load("kuhn-poker"), tmp_path / f"kuhn-poker-2{STRATEGY}"
    write_strategy(path, game.program, solve(game, 20))
    assert len(read_strategy(path, game.program).shares) == 12
    with pytest.raises(PolicyError, match="other rules"):
        read_strategy(path, hoyle.load("leduc-poker").program)
    path.write_text(path.read_text().replace("0.", "9."))
    with pytest.raises(PolicyError, match="no shares"):
        read_strategy(path, game.program)
