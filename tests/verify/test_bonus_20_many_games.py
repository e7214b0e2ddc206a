"""Ten thousand random matches at every number of players: they finish, keep their cards, tell nothing, and replay."""

from __future__ import annotations

import random

import pytest

import hoyle
from hoyle.engine.conservation import check_conservation
from hoyle.engine.playout import choose_randomly, play_out
from hoyle.transcript import record, replay
from hoyle.view.seeing import view
from hoyle.view.shuffling import reshuffle_hidden

pytestmark = pytest.mark.slow

MATCHES = 10_000
LOOKED_AT = 50  # matches played through the interface, with every seat's view compared on the way
each_number = pytest.mark.parametrize("players", range(2, 10))


@each_number
def test_random_matches_finish_and_replay(players: int) -> None:
    game = hoyle.load("bonus-20", players=players)
    for seed in range(MATCHES):
        result = play_out(game.executor, seed)
        assert len(result.scores) == players
        assert result.winners
        assert min(result.scores) >= 0
        if seed % 100 == 0:
            assert play_out(game.executor, seed) == result


@each_number
def test_cards_are_never_lost_nor_made(players: int) -> None:
    game = hoyle.load("bonus-20", players=players)
    executor = game.executor
    for seed in range(MATCHES // 20):
        choose = choose_randomly(seed)
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
                assert view(game.program, other.position, seat) == view(game.program, match.position, seat)
                assert other.decision is not None
                assert [a.text for a in other.decision.actions] == [a.text for a in match.decision.actions]
            match.apply(chance.choice(match.decision.actions))
        assert replay(game, record(match)) == match
