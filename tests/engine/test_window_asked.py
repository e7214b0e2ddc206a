"""A decision at which a position stands is asked, also of a seat that can only decline in a window: by a match, by its
playouts, and alike on every executor. On the way to the next decision such a seat is passed by."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.language.library import find_program
from hoyle.play.engine.executors import ExecutorName
from hoyle.play.engine.game import Game, Match

RULES = """
game: window
title: Window
players: 3
deck: {starts_in: pack, attributes: {rank: 1..9}, cards: [{rank: 1..9, copies: 2}]}
zones: {pack: {shows: nothing}, pile: {shows: all}, hand: {of: seat, shows: owner}}
actions:
  play: {choose: {card: hand}, do: move card to pile}
  claim:
    possible: some card in hand satisfies (rank of card = rank of top of pile)
    do: score 1 to seat for "claim"
steps:
  match: |
    shuffle pack
    deal 4 cards from pack to each hand, starting left of dealer
    repeat 3 times:
      for each host in seats:
        host chooses play
        offer claim to any seat from left of host where seat != host
winners: (seat in seats with highest score of seat)
"""


def place(executor: ExecutorName, folder: Path) -> Match:
    """A match at a window, changed so that the seat which is asked can do nothing but decline."""
    (folder / "window.game.yaml").write_text(RULES)
    program, report = find_program(folder / "window.game.yaml")
    assert program is not None, report.diagnostics
    game = Game(program, executor=executor)
    match = next(each for seed in range(50) if (each := meet_window(game, seed)) is not None)
    decision = match.decision
    assert decision is not None
    pack, pile, hand = match.position.zones[0], match.position.zones[1], match.position.zones[2 + decision.seat]
    top = game.program.cards[pile[-1]].code
    for card in [card for card in hand if game.program.cards[card].code == top]:
        pack[-1], hand[hand.index(card)] = card, pack[-1]
    assert [action.name for action in match.decision.actions] == ["decline"]  # type: ignore[union-attr]
    return match


def meet_window(game: Game, seed: int) -> Match | None:
    match = game.new(seed)
    while match.decision is not None and not match.decision.window:
        match.apply(0)
    return match if match.decision is not None else None


@pytest.mark.parametrize("executor", ["reference", "python", "native", "auto"])
def test_a_seat_that_can_only_decline_is_asked_where_the_position_stands(
    executor: ExecutorName, tmp_path: Path
) -> None:
    match = place(executor, tmp_path)
    reference = place("reference", tmp_path)
    by_hand = match.copy()
    while by_hand.decision is not None:
        by_hand.apply(0)
    played = match.playout(choose=lambda choices: choices[0])
    assert (played.decisions, list(played.scores)) == (by_hand.position.decisions, by_hand.scores)
    assert match.playout(seed=5) == reference.playout(seed=5)
    assert list(match.playouts(range(20))) == list(reference.playouts(range(20)))
