"""Environments: matches as arrays, which tell what the seats of the same matches know."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

import hoyle  # noqa: E402
from hoyle.lab.learning.looking import Looking  # noqa: E402
from hoyle.lab.train.environment import ArrayEnvironment  # noqa: E402
from hoyle.play.engine.native.compiler import find_compiler  # noqa: E402
from hoyle.program.model.chance import derive_seed  # noqa: E402

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")

GAMES = ["leduc-poker", "hearts", "hanabi", "holdem", "skat", "bridge", "cribbage", "scopa", "gin-rummy", "klondike",
         "spades", "oh-hell"]  # fmt: skip


@pytest.mark.share
@pytest.mark.parametrize("name", GAMES)
def test_arrays_tell_what_the_seat_to_choose_knows(name: str) -> None:
    """The arrays of native code are those made in Python from the events told to the seat and from its view."""
    game = hoyle.load(name)
    environment = ArrayEnvironment(game, 1, seed=5, skips_forced=False)
    looking = Looking(environment.features, game.sight)
    features, arrays = environment.features, environment.arrays
    match = game.new(seed=derive_seed(derive_seed(5, 0), 0))
    chance = np.random.default_rng(3)
    exposed = slice(features.exposed_at, features.exposed_at + features.faces_many)
    for _ in range(120):
        if match.is_over:
            break
        decision = match.decision
        assert decision is not None
        seat = decision.seat
        assert arrays.seats[0] == seat
        standpoint = match.standpoint(seat)
        recent = looking.list_recent(standpoint.events)
        shown = looking.list_exposed(standpoint.events)
        found, seen = looking.observe(match.position, seat, shown, recent)
        native = arrays.observations[0]
        for place, (ours, theirs) in enumerate(zip(found, native.tolist(), strict=True)):
            if exposed.start <= place < exposed.stop:
                assert theirs <= ours + 1e-6, features.inputs[place]  # events tell at least as much
            else:
                assert ours == pytest.approx(theirs, abs=1e-4), (features.inputs[place], seat)
        rows, choices = looking.spell(match.position, list(decision.choices), seat, seen | shown)
        count = int(arrays.counts[0])
        if len(rows) <= arrays.tokens.shape[1]:
            assert arrays.tokens[0, :count].tolist() == rows
            row = int(chance.integers(count))
            match.apply(_find(decision, choices[row]))
            environment.step(np.array([row]))
        else:  # a sample of the choices
            assert all(tokens in rows for tokens in arrays.tokens[0].tolist())
            row = int(chance.integers(count))
            match.apply(_find(decision, choices[rows.index(arrays.tokens[0, row].tolist())]))
            environment.step(np.array([row]))


def test_a_wrong_call_leaves_the_environment_as_it_was() -> None:
    game = hoyle.load("kuhn-poker")
    environment = ArrayEnvironment(game, 2, seed=1)
    before = environment.arrays.observations.copy()
    for wrong, message in (
        (lambda: environment.step([0, 9]), "a row below its count is needed for each of 2 matches"),
        (lambda: environment.step([0]), "a row below its count"),
        (lambda: ArrayEnvironment(game, 0), "the number of matches is at least 1, not 0"),
        (lambda: ArrayEnvironment(game, 2, seed=1.5), "a seed is a whole number, not 1.5"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            wrong()
    assert (environment.arrays.observations == before).all()


def test_a_seed_gives_the_same_matches_in_any_number_of_threads() -> None:
    game = hoyle.load("leduc-poker")
    found = []
    for threads in (1, 2):
        environment, chance = ArrayEnvironment(game, 128, seed=9, threads=threads), np.random.default_rng(2)
        for _ in range(20):
            environment.step((chance.random(128) * environment.arrays.counts).astype("int32"))
        found.append([each.copy() for each in environment.arrays])
    counts = found[0][2]
    for ours, theirs in zip(*found, strict=True):
        assert (ours[:, 0] == theirs[:, 0]).all() if ours.ndim == 3 else (ours == theirs).all()
    assert counts.min() >= 2  # decisions with one choice are taken at once


def _find(decision, choice):  # type: ignore[no-untyped-def]
    from hoyle.lab.bots.greedy import find_action

    return find_action(decision, choice)
