"""Games unfolded: what chance can say, how likely it is, and that nothing else comes of it than of shuffled cards."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import pytest

import hoyle
from every_game import GAMES, list_players, load
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.outcomes import Chance
from hoyle.play.engine.unfolding import Node, unfold
from hoyle.play.engine.utility import value_end
from hoyle.play.transcript import record, replay
from hoyle.program.model.position import Position

# Everything chance does: cards lie face down beside the pack when others are shuffled again, one is drawn from a zone
# of which some cards are known, and what lies open is shuffled and cut.
SMALL = """game: small
title: Small
players: 2
deck:
  starts_in: pack
  attributes: {rank: 1..3}
  cards: [{rank: 1..3}, {rank: 3}]
zones:
  pack: {shows: nothing}
  aside: {shows: nothing}
  board: {shows: all}
  hand: {of: seat, shows: owner}
actions:
  keep: {text: Nothing more.}
  draw: {text: Take a card., do: move top of pack to hand}
steps:
  match: |
    do round
  round: |
    gather pack
    shuffle pack
    cut pack
    deal 1 cards from pack to each hand, starting left of dealer
    FACE_DOWN
    for each seat: seat chooses keep or draw
    for each seat: score sum rank of hand to seat
    move hand of first of seats to pack
    shuffle pack
    pick card at random from pack
    move card to board
    for each seat: score (rank of top of board or else 0) to seat
    FURTHER
winners: (seat in seats with highest score of seat)
utility: {is: 2 * score of seat - (1 if rank of top of board = 3 otherwise 0)}
"""
WAYS = {
    "plain": ("", ""),
    "face down": ("move top of pack to aside", "move aside to board"),
    "face down to the end": ("move top of pack to aside", "score count of aside to first of seats"),
    "open": ("", "shuffle board\n    cut pack\n    move pack to board\n    shuffle board\n    cut board"),
    "shown": ("", "show pack to seats\n    if highest rank of pack = 2: score 7 to first of seats"),
}


def load_small(folder: Path, way: str) -> hoyle.Game:
    down, further = WAYS[way]
    path = folder / "small.game.yaml"
    text = SMALL.replace("    FACE_DOWN\n", f"    {down}\n" if down else "")
    path.write_text(text.replace("    FURTHER\n", f"    {further}\n" if further else ""))
    return hoyle.load(path)


class More(Exception):  # noqa: N818
    """Chance has so many outcomes here."""


class Listed(Chance):
    """Outcomes by their numbers among all there are, all equally likely."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.left = list(numbers)

    def say(self, values: Sequence[Any]) -> Any:
        if not self.left:
            raise More(len(values))
        return values[self.left.pop(0)]

    def order(self, position: Position, cards: list[int]) -> list[int]:
        return list(self.say(list(permutations(cards)))) if len(cards) > 1 else cards

    def cut(self, position: Position, cards: list[int]) -> int:
        return self.say(range(1, len(cards))) if len(cards) > 2 else super().cut(position, cards)

    def element(self, position: Position, elements: Sequence[Any]) -> Any:
        return self.say(elements) if len(elements) > 1 else elements[0]


def expect_by_all(game: hoyle.Game, position: Position, choice: Any = None, numbers: tuple[int, ...] = ()) -> Fraction:
    """What the first seat can expect if all choose at random, over every order of every shuffle."""
    executor, now = ReferenceExecutor(game.program, like=game.executor), position.copy()
    executor.effects.chance = Listed(numbers)
    try:
        if choice is None:
            executor.run(now)
        else:
            executor.advance(now, choice)
    except More as more:
        each = [expect_by_all(game, position, choice, (*numbers, number)) for number in range(more.args[0])]
        return sum(each, Fraction()) / len(each)
    if now.over:
        return Fraction(value_end(executor, now)[0])
    choices = executor.list_legal(now)
    return sum((expect_by_all(game, now, choice) for choice in choices), Fraction()) / len(choices)


def walk(node: Node) -> Iterator[Node]:
    yield node
    for place in range(count(node)):
        yield from walk(node.take(place))


def count(node: Node) -> int:
    if node.outcomes:
        return len(node.outcomes)
    assert node.match is not None
    return 0 if node.match.decision is None else node.match.decision.count


def expect(node: Node) -> Fraction:
    if node.outcomes:
        assert sum(outcome.probability for outcome in node.outcomes) == 1
        return sum((each.probability * expect(node.take(at)) for at, each in enumerate(node.outcomes)), Fraction())
    assert node.match is not None
    if node.match.is_over:
        return Fraction(node.match.utilities[0])
    return sum((expect(node.take(at)) for at in range(count(node))), Fraction()) / count(node)


def test_kuhn_poker_has_as_many_nodes_as_in_books() -> None:
    game = hoyle.load("kuhn-poker")
    root = unfold(game)
    assert [(each.text, each.probability) for each in root.outcomes] == [(rank, Fraction(1, 3)) for rank in "JQK"]
    nodes = list(walk(root))
    assert len(nodes) == 58  # 1 + 3 of chance, 6 deals of 9 nodes
    keys = {
        (match.decision.seat, match.information_hash(match.decision.seat))
        for match in (node.match for node in nodes)
        if match is not None and match.decision is not None
    }
    assert len(keys) == 12
    assert expect(root) == Fraction(1, 8)


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=pytest.mark.slow) if way != "shown" else way for way in WAYS]
)
def test_what_can_be_expected_is_the_same_as_over_every_order(way: str, tmp_path: Path) -> None:
    game = load_small(tmp_path, way)
    assert expect(unfold(game)) == expect_by_all(game, game.executor.start())


def test_cards_with_the_same_face_are_one_outcome(tmp_path: Path) -> None:
    root = unfold(load_small(tmp_path, "plain"))
    assert [(each.text, each.probability) for each in root.outcomes] == [
        ("1", Fraction(1, 4)), ("2", Fraction(1, 4)), ("3", Fraction(1, 2)),
    ]  # fmt: skip


def test_what_stays_hidden_is_not_asked_for() -> None:
    """Of 13 prizes one is turned up at a time."""
    node, said = unfold(hoyle.load("goofspiel")), []
    while count(node):
        said += [len(node.outcomes)] if node.outcomes else []
        node = node.take(0)
    assert said == list(range(13, 1, -1))


def walk_at_random(game: hoyle.Game, seed: int, most: int) -> Node:
    node, chance = unfold(game), random.Random(seed)
    for _ in range(most):
        if not count(node):
            break
        assert not node.outcomes or sum(each.probability for each in node.outcomes) == 1
        node = node.take(chance.randrange(count(node)))
    while node.outcomes:
        node = node.take(0)
    return node


@pytest.mark.share
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".game.yaml"))
def test_a_node_is_a_match_that_its_script_and_choices_lead_to(path: Path) -> None:
    game = load(path, list_players(path)[0])
    if game.program.called:
        with pytest.raises(ValueError, match="errors are called in it"):
            unfold(game)
        return
    node = walk_at_random(game, 1, 150)
    assert node.match is not None
    again = game.new(script=node.script)
    for text in node.match.history:
        again.apply(text)
    assert again == node.match
    assert replay(game, record(node.match)) == again


def test_nodes_are_not_changed_by_going_on() -> None:
    root = unfold(hoyle.load("kuhn-poker"))
    before = [each.text for each in root.outcomes]
    deal = root.take(0).take(0)
    match = deal.match
    assert match is not None
    deal.take(0), deal.take(1)
    assert deal.match == match and [each.text for each in root.outcomes] == before and not match.history


def test_what_is_not_there_cannot_be_taken() -> None:
    root = unfold(hoyle.load("kuhn-poker"))
    for place in (-1, 3):
        with pytest.raises(IndexError, match=f"there is no outcome {place}; there are 3"):
            root.take(place)
    deal = root.take(0).take(0)
    with pytest.raises(IndexError, match="there is no choice 2; there are 2"):
        deal.take(2)
    over = deal.take(0).take(0)
    with pytest.raises(IndexError, match="the match is over"):
        over.take(0)


def test_all_deals_of_three_players_are_equally_likely() -> None:
    node = unfold(hoyle.load("kuhn-poker", players=3))
    assert len([each for each in walk(node) if each.match is not None and not each.match.history]) == factorial(4)
