"""Ten thousand random matches at every number of players: they finish, keep their cards, tell nothing, and replay."""

from __future__ import annotations

import random
from functools import partial

import pytest

import hoyle
from hoyle.play.beliefs.position_sampling import reshuffle_hidden
from hoyle.play.engine.conservation import check_conservation
from hoyle.play.engine.drawing import choose_by, draw_randomly
from hoyle.play.engine.generated import GeneratedExecutor
from hoyle.play.engine.legality import Choice
from hoyle.play.engine.playout import Chooser, Result, play_out
from hoyle.play.transcript import record, replay
from hoyle.play.view.seeing import view
from hoyle.program.model.position import Position

pytestmark = pytest.mark.slow

MATCHES = 10_000
LOOKED_AT = 50  # matches played through the interface, with every seat's view compared on the way
each_number = pytest.mark.parametrize("players", range(2, 10))


@each_number
def test_random_matches_finish_keep_their_cards_tell_nothing_and_replay(players: int) -> None:
    game = hoyle.load("bonus-20", players=players)
    for seed in range(MATCHES):
        result = play_looked_at(game, seed)
        assert len(result.scores) == players
        assert result.winners
        assert min(result.scores) >= 0
        if not seed % 10:
            assert play_out(game.executor, seed) == result


def play_looked_at(game: hoyle.Game, seed: int) -> Result:
    """A match in which at one decision, taken at random, the cards are counted and those that the seat to play cannot
    see are dealt anew; at the end the cards are counted again."""
    executor, chance = game.executor, random.Random(seed)
    assert isinstance(executor, GeneratedExecutor)
    look_at = 1 + chance.randrange(200)
    made = looked = 0
    choose: Chooser

    def begin() -> Position:
        nonlocal made, choose
        made, position = 0, executor.start(seed)
        choose = choose_by(draw_randomly(seed, game.players), partial(executor.find_seat, position))
        executor.run(position)
        return position

    def choose_looking(choices: list[Choice]) -> Choice:
        nonlocal made, looked
        made += 1
        if made == look_at:
            assert_well(game, position, choices, seed)
            looked += 1
        return choose(choices)

    position = begin()
    offered, widest = executor.play_on(position, choose_looking)
    if not looked:  # the match was shorter: once more, looked at before its end
        look_at = 1 + chance.randrange(made)
        position = begin()
        offered, widest = executor.play_on(position, choose_looking)
    assert looked == 1
    check_conservation(position, len(game.program.cards))
    scores, winners = tuple(executor.list_scores(position)), executor.list_winners(position)
    return Result(scores, winners, position.decisions, position.rounds_played, offered, widest)


def assert_well(game: hoyle.Game, position: Position, choices: list[Choice], seed: int) -> None:
    check_conservation(position, len(game.program.cards))
    seat = game.executor.find_seat(position)
    other = reshuffle_hidden(game.program, position, seat, seed)
    assert view(game.sight, other, seat) == view(game.sight, position, seat)
    assert game.executor.list_legal(other) == choices


@each_number
def test_cards_are_never_lost_nor_made(players: int) -> None:
    game = hoyle.load("bonus-20", players=players)
    executor = game.executor
    for seed in range(MATCHES // 20):
        choose = choose_by(draw_randomly(seed, 1), lambda: 0)
        position = executor.start(seed, None)
        executor.run(position)
        while not position.over:
            executor.advance(position, choose(executor.list_legal(position)))
            check_conservation(position, len(game.program.cards))


@each_number
def test_what_a_seat_cannot_see_changes_nothing_for_it(players: int) -> None:
    game = hoyle.load("bonus-20", players=players, options={"match_length": "some_deals", "match_deals": 1})
    for seed in range(LOOKED_AT):
        chance = random.Random(seed)
        match = game.new(seed=seed)
        while match.decision is not None:
            seat = match.decision.seat
            if chance.random() < 0.05:
                other = match.copy()
                other.position = reshuffle_hidden(game.program, match.position, seat, seed)
                assert view(game.sight, other.position, seat) == view(game.sight, match.position, seat)
                assert other.decision is not None
                assert [a.text for a in other.decision.actions] == [a.text for a in match.decision.actions]
            match.apply(chance.choice(match.decision.actions))
        assert replay(game, record(match)) == match
