"""Trying choices: what each brings in worlds that a seat cannot tell from the real one."""

from __future__ import annotations

import random

import pytest

import hoyle
from hoyle.lab.bots.learned import _find_best, find_learnt
from hoyle.play.engine.native.compiler import find_compiler


def test_another_choice_is_taken_only_if_it_surely_brings_more() -> None:
    assert _find_best([[0.0, 2.0], [1.0, 2.5], [0.0, 1.5]]) == 1
    assert _find_best([[0.0, 9.0], [1.0, -8.0], [0.0, 1.0]]) == 0


@pytest.mark.share
@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize(("name", "players"), [("skat", 3), ("hearts", 4), ("bridge", 4)])
def test_the_same_chance_tries_choices_in_the_same_worlds(name: str, players: int) -> None:
    game = hoyle.load(name, players=players)
    match = game.new(seed=4)
    for _ in range(12):
        decision = match.decision
        assert decision is not None
        match.apply(decision.choice(decision.count - 1))
    decision = match.decision
    assert decision is not None
    standpoint = match.standpoint(decision.seat)
    learnt = find_learnt(standpoint.game)
    trying, looking = learnt.trying, learnt.looking
    assert trying is not None and looking is not None
    while not trying.is_ready:
        assert not trying._is_given_up
    exposed = looking.list_exposed(standpoint.events)
    recent = looking.list_recent(standpoint.events)
    _, seen = looking.observe(standpoint.position, decision.seat, exposed, recent)
    rows, _ = looking.spell(standpoint.position, list(decision.choices), decision.seat, seen | exposed)
    found = [trying.compare(standpoint, rows, 6, 60.0, random.Random(3)) for _ in range(2)]
    assert found[0] == found[1]
    assert [len(world) for world in found[0]] == [len(rows)] * 6
    assert trying.compare(standpoint, rows, 6, 60.0, random.Random(4)) != found[0]
