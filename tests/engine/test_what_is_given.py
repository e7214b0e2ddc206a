"""Seeds, seats, places and orders as callers have them: whole numbers of any library; anything else is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import hoyle
from hoyle.lab.adapters.encoding import Encoding
from hoyle.lab.arena.playing import Plan as Arena
from hoyle.lab.arena.playing import run_arena
from hoyle.lab.bots import let_choose, make_bots
from hoyle.lab.bots.asking import BotFailed
from hoyle.lab.sim.comparing import Side, compare
from hoyle.lab.sim.run import Plan, simulate
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.unfolding import unfold
from hoyle.play.transcript import record, replay

np = pytest.importorskip("numpy")

Draw = Callable[[hoyle.Game, Any], object]
DRAWS: dict[str, Draw] = {
    "new": lambda game, seed: game.new(seed=seed),
    "playout": lambda game, seed: game.playout(seed=seed),
    "playouts": lambda game, seed: list(game.playouts([seed, 1])),
    "copy": lambda game, seed: game.new().copy(seed),
    "sample": lambda game, seed: game.new().sample(0, seed).position,
    "standpoint": lambda game, seed: game.new().standpoint(0).sample(seed),
    "match.playout": lambda game, seed: game.new().playout(seed=seed),
    "match.playouts": lambda game, seed: list(game.new().playouts([seed, 1])),
    "bots": lambda game, seed: [bot.choose(game.new().decision, lambda: None) for bot in make_bots("random", seed, 2)],
}


@pytest.fixture(scope="module", params=["generated", "native"])
def game(request: pytest.FixtureRequest) -> hoyle.Game:
    return hoyle.load("leduc-poker", executor=request.param)


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@pytest.mark.parametrize("seed", [7, -3, 200], ids=str)
def test_a_seed_may_be_a_number_of_numpy(game: hoyle.Game, draw: Draw, seed: int) -> None:
    assert draw(game, np.int64(seed)) == draw(game, seed)
    assert draw(game, np.uint64(seed % 2**64)) == draw(game, seed)


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@pytest.mark.parametrize("seed", [1.5, "7", None, [1]], ids=str)
def test_a_seed_is_a_whole_number(game: hoyle.Game, draw: Draw, seed: Any) -> None:
    if seed is None and draw in (DRAWS["copy"], DRAWS["match.playout"]):
        return  # the chance of the match itself
    with pytest.raises(TypeError, match="a seed is a whole number, not"):
        draw(game, seed)


def test_a_board_takes_a_seed_of_numpy() -> None:
    executor: Any = hoyle.load("leduc-poker", executor="native").executor
    if executor.library is None:
        pytest.skip("there is no native code")
    assert executor.begin(np.int64(-3)).position == executor.begin(-3).position


def test_a_match_with_a_seed_of_numpy_is_kept_and_replayed(game: hoyle.Game) -> None:
    match = game.new(seed=np.int64(7))
    match.apply(np.int64(0))
    assert hoyle.Match.from_json(game, match.to_json()) == match
    assert replay(game, record(match)) == match


def test_an_action_is_a_place_of_any_whole_number(game: hoyle.Game) -> None:
    match, other = game.new(seed=7), game.new(seed=7)
    match.apply(1)
    other.apply(np.uint8(1))
    assert match == other
    with pytest.raises(hoyle.IllegalAction, match="there is no action 9"):
        match.apply(np.int64(9))


@pytest.mark.parametrize("action", [None, 1.0, b"call", (0,), [0]], ids=str)
def test_anything_else_is_no_action(game: hoyle.Game, action: Any) -> None:
    match = game.new(seed=7)
    with pytest.raises(TypeError, match="an action is given as itself, as its text or by its place, not as"):
        match.apply(action)
    with pytest.raises(TypeError, match="the number of a choice is a whole number, not"):
        assert match.decision is not None
        match.decision.choice(action)


LOOKS: dict[str, Callable[[hoyle.Match, Any], object]] = {
    "view": lambda match, seat: match.view(seat),
    "events_for": lambda match, seat: match.events_for(seat),
    "information_state": lambda match, seat: match.information_state(seat),
    "information_hash": lambda match, seat: match.information_hash(seat),
    "sample": lambda match, seat: match.sample(seat, 1).position,
    "standpoint": lambda match, seat: match.standpoint(seat).information_state,
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_seat_may_be_a_number_of_numpy(game: hoyle.Game, look: Callable[[hoyle.Match, Any], object]) -> None:
    assert look(game.new(seed=3), np.int64(1)) == look(game.new(seed=3), 1)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_is_not_there_is_refused(
    game: hoyle.Game, look: Callable[[hoyle.Match, Any], object], seat: int
) -> None:
    with pytest.raises(ValueError, match=f"there is no seat {seat}; seats are 0 to 1"):
        look(game.new(seed=3), seat)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_seat_is_a_number(game: hoyle.Game, look: Callable[[hoyle.Match, Any], object]) -> None:
    for seat in (1.0, "0"):
        with pytest.raises(TypeError, match="a seat is a whole number, not"):
            look(game.new(seed=3), seat)


def test_a_script_may_hold_orders_of_numpy(game: hoyle.Game) -> None:
    order = np.random.default_rng(1).permutation(6)
    match = game.new(script=[order])
    assert match == game.new(script=[order.tolist()]) == game.new(script=[list(order)])
    assert hoyle.Match.from_json(game, match.to_json()) == match
    assert game.playout(1, script=[order]) == game.playout(1, script=[order.tolist()])


def test_players_are_a_whole_number() -> None:
    assert hoyle.load("leduc-poker", players=np.int64(3)).players == 3
    for players in (2.0, "2"):
        with pytest.raises(TypeError, match="the number of players is a whole number, not"):
            hoyle.load("leduc-poker", players=players)  # type: ignore[arg-type]


def test_an_executor_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no executor named `cuda`; there are auto, native, python, reference"):
        hoyle.load("leduc-poker", executor="cuda")  # type: ignore[arg-type]
    assert hoyle.load("leduc-poker", executor="generated").executor_name == "python"  # as it was called before


@pytest.mark.parametrize("name", [None, 3, b"leduc-poker"], ids=str)
def test_a_game_is_named_by_a_text(name: Any) -> None:
    with pytest.raises(TypeError, match="a game is its name or the path of a file, not"):
        hoyle.load(name)


@pytest.mark.parametrize("options", ["deals", ["deals"], {1: 2}, 3], ids=str)
def test_options_are_values_by_name(options: Any) -> None:
    with pytest.raises(TypeError, match=r"options are values by name, such as \{'deals': 2\}, not"):
        hoyle.load("leduc-poker", options=options)


def test_a_bot_may_answer_with_a_number_of_numpy(game: hoyle.Game) -> None:
    match = game.new(seed=7)
    decision = match.decision
    assert decision is not None
    chosen = let_choose(Habits(0.0, 7), match, decision, Fixed(np.argmax(np.array([0, 1]))))
    assert chosen == decision.actions[1]
    for answer in (np.array([0, 1]), True, None, 1.0):
        with pytest.raises(BotFailed, match="which is not offered"):
            let_choose(Habits(0.0, 7), match, decision, Fixed(answer))


class Fixed:
    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def choose(self, decision: hoyle.Decision, look: Any) -> Any:
        return self._answer


WRONG: dict[str, tuple[Callable[[hoyle.Game], object], str]] = {
    "place": (lambda game: game.playout(1, lambda choices: 0), "0 is none of the 2 choices that are offered"),
    "nothing": (lambda game: game.new().playout(lambda choices: None), "None is none of the 2 choices"),
    "chooser": (lambda game: game.playout(1, 5), "is a function that is given the choices"),  # type: ignore[arg-type]
    "explain": (lambda game: game.new().explain(None), "an action or its text, not None"),  # type: ignore[arg-type]
    "unfold": (lambda game: unfold(game.new()), "what is unfolded is a game, not"),  # type: ignore[arg-type]
    "outcome": (lambda game: unfold(game).take("0"), "the number of an outcome"),  # type: ignore[arg-type]
    "other": (lambda game: game.new().copy(game=hoyle.load("kuhn-poker")), "cannot go on as one of kuhn-poker"),
    "no game": (lambda game: game.new().copy(game="leduc-poker"), "goes on in a game, not in 'leduc-poker'"),  # type: ignore[arg-type]
    "script": (lambda game: game.new(script=5), "a script is a list of outcomes, .* not 5"),  # type: ignore[arg-type]
    "text": (lambda game: game.playout(script="random"), "a script is a list of outcomes"),  # type: ignore[arg-type]
    "errors": (lambda game: game.playout(errors=None), "from 0 to 1, not None"),  # type: ignore[arg-type]
    "executors": (lambda game: hoyle.load("kuhn-poker", executor=["native"]), "no executor named"),  # type: ignore[arg-type]
    "bots": (lambda game: make_bots(Fixed, 1, 2), "bots are named in text, such as"),  # type: ignore[arg-type]
    "simulated": (lambda game: simulate(game, Plan(games=1, bot=None)), "in text"),  # type: ignore[arg-type]
    "compared": (lambda game: compare((Side("a", game, ["first"]),) * 2, 1), "in text"),  # type: ignore[arg-type]
    "arena": (lambda game: run_arena(game, Arena("first,random", 1)), "a tuple of names"),  # type: ignore[arg-type]
    "encoding": (lambda game: Encoding(game), "a compiled game, such as `game.program`"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_what_a_call_cannot_use_is_named(game: hoyle.Game, call: Callable[[hoyle.Game], object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call(game)


def test_a_share_of_errors_may_be_a_number_of_any_library(game: hoyle.Game) -> None:
    played = {game.playout(1, errors=share) for share in (1, np.int64(1), np.uint8(1), np.float32(1), np.float64(1))}
    assert len(played) == 1
