"""Positions a seat cannot tell from the real one: consistent, playable, uniform, and all that a bot is given.

Games are found by lying under `games/` or `tests/language/valid/`; nothing is listed here.
"""

from __future__ import annotations

import pickle
import random
from collections import Counter
from itertools import chain, count
from pathlib import Path

import pytest

import hoyle
from every_game import choose, each_game, list_players, load
from hoyle.play.engine.game import ExecutorName
from hoyle.play.transcript import record
from hoyle.program.model.records import RecordError

ROLLING_STONE = Path(__file__).parents[2] / "docs/examples/rolling-stone/rolling-stone.game.yaml"


def check_samples(path: Path, decisions: int, seeds: int, most_played: int) -> int:
    """Samples at decisions of a random match, from every seat. How many there were."""
    game = load(path, list_players(path)[0])
    chance, checked = random.Random(1), 0
    match = game.new(seed=2)
    for number in range(3 * decisions):
        decision = match.decision
        if decision is None:
            break
        if number % 3 == 0:
            for seat in range(game.players):
                for _ in range(seeds):
                    check_sample(match, seat, chance.getrandbits(40), most_played)
                    checked += 1
        match.apply(choose(decision, chance))
    return checked


def check_sample(match: hoyle.Match, seat: int, seed: int, most_played: int) -> None:
    sampled, decision = match.sample(seat, seed), match.decision
    assert decision is not None
    assert sampled.view(seat) == match.view(seat)
    assert sampled.information_state(seat) == match.information_state(seat)
    for zone, pile in enumerate(match.position.zones):
        assert len(sampled.position.zones[zone]) == len(pile)
    assert sorted(chain(*sampled.position.zones)) == sorted(chain(*match.position.zones))
    if decision.seat == seat:
        assert sampled.decision == decision
    executor, position = match.game.executor, sampled.position.copy()
    chance = random.Random(seed)
    for _ in range(most_played):
        if position.over:
            break
        choice = chance.choice(executor.list_legal(position))
        if choice and isinstance(choice[-1], range):
            choice = (*choice[:-1], chance.choice(choice[-1]))
        executor.advance(position, choice)


@pytest.mark.share
@each_game
def test_a_sample_looks_the_same_to_its_seat_and_nothing_hidden_reaches_a_bot(path: Path) -> None:
    assert check_samples(path, decisions=5, seeds=1, most_played=20)
    check_standpoints(path, decisions=6)


@pytest.mark.slow
@each_game
def test_play_goes_on_from_thousands_of_samples(path: Path) -> None:
    checked = 0
    while checked < 10_000:
        checked += check_samples(path, decisions=50, seeds=20, most_played=50)


def check_standpoints(path: Path, decisions: int) -> None:
    """Two positions that differ only in what the seat does not know give the bot the same standpoint, to the last card
    of the position inside it; and each of its choices has a number."""
    game = load(path, list_players(path)[0])
    match, chance = game.new(seed=5), random.Random(5)
    for _ in range(decisions):
        decision = match.decision
        if decision is None:
            break
        seat = decision.seat
        other = match.copy(seed=chance.getrandbits(40))
        other.position.zones, other.position.holders, other.position.offence = hide(match, seat, chance)
        given, same = match.standpoint(seat), other.standpoint(seat)
        assert given.position == same.position
        assert given.masks == same.masks
        assert given.view == match.view(seat)
        assert given.sample(9) == same.sample(9)
        assert given.information_state == match.information_state(seat)
        for index in {0, decision.count - 1, chance.randrange(decision.count)}:
            action = decision.choice(index)
            assert decision.index(action) == index
            assert action.number is None
        match.apply(decision.choice(chance.randrange(decision.count)))


def hide(match: hoyle.Match, seat: int, chance: random.Random) -> tuple[object, object, object]:
    """Zones, holders and offence with hidden cards exchanged; what else names a hidden card is kept out of the way by
    looking only where nothing does."""
    position = match.game.sampler.redealer.redeal(
        match.position, seat, chance.getrandbits(40), match.knowledge.masks
    )[0]
    if (position.states, position.slots) != (match.position.states, match.position.slots):
        position = match.position
    return position.zones, position.holders, position.offence


def test_hidden_cards_are_equally_likely_at_all_hidden_places() -> None:
    match = hoyle.load(ROLLING_STONE, players=4).new(seed=1)
    assert match.decision is not None
    seat = (match.decision.seat + 1) % 4
    hands = [index for index, pile in enumerate(match.position.zones) if len(pile) == 8]
    own = hands[seat]
    hidden = sorted(chain(*(match.position.zones[hand] for hand in hands if hand != own)))
    times = 3000
    lies = {card: Counter[int]() for card in hidden}
    for seed in range(times):
        zones = match.sample(seat, seed).position.zones
        for hand in hands:
            for card in zones[hand] if hand != own else ():
                lies[card][hand] += 1
    # 24 cards in three hands: two degrees of freedom for each card; 99.9 % of sums of 48 lie below 84.
    square = sum((lies[card][hand] - times / 3) ** 2 / (times / 3) for card in hidden for hand in hands if hand != own)
    assert square < 84


def test_cards_seen_and_put_away_are_remembered_until_they_are_mixed() -> None:
    """At the laying away of cribbage each seat knows for the rest of the deal what it laid away, and nothing of what
    the other did."""
    match = hoyle.load("cribbage").new(seed=4)
    laid: dict[int, set[int]] = {}
    for _ in range(2):
        decision = match.decision
        assert decision is not None
        action = decision.actions[0]
        laid[decision.seat] = set(action.choice[1])
        match.apply(action)
    crib = next(at for at, pile in enumerate(match.position.zones) if set(pile) == laid[0] | laid[1])
    for seat in (0, 1):
        sampled = [set(match.sample(seat, seed).position.zones[crib]) for seed in range(30)]
        assert all(laid[seat] <= cards for cards in sampled)
        assert len({frozenset(cards) for cards in sampled}) > 10


# ------------------------------------------------------------------------------------------------ copies and numbers
def test_what_was_worked_out_before_does_not_change_a_sample() -> None:
    """Steps are counted for each expression by itself: else others' secret choices would stand as they are."""
    match = hoyle.load("goofspiel").new(seed=1)
    for _ in range(3):
        match.apply(0)
    decision = match.decision
    assert decision is not None
    standpoint, evaluator = match.standpoint(decision.seat), match.executor.evaluator
    stored = [standpoint.sample(seed).slots for seed in range(20)]
    assert len(set(map(repr, stored))) > 1
    evaluator.spent = evaluator.most
    assert [standpoint.sample(seed).slots for seed in range(20)] == stored


def test_a_copy_with_a_seed_has_chance_of_its_own() -> None:
    match = hoyle.load("bonus-20", players=2).new(seed=1)
    results = {match.copy(seed=seed).playout().scores for seed in range(8)}
    assert len(results) > 1
    assert match.copy().playout() == match.playout()
    assert match.playout(seed=3) == match.copy(seed=3).playout(seed=3)


def test_a_playout_from_the_first_decision_is_the_playout_of_the_game() -> None:
    for name in ("cribbage", "bi-jinx"):
        game = hoyle.load(name)
        assert game.new(seed=6).playout() == game.playout(seed=6)


@pytest.mark.parametrize("executor", ["auto", "native", "generated", "reference"])
def test_many_playouts_are_those_one_by_one(executor: ExecutorName) -> None:
    game = hoyle.load("kuhn-poker", executor=executor)
    assert list(game.playouts(range(30))) == [game.playout(seed) for seed in range(30)]
    match = game.new(seed=1)
    while match.decision is not None:
        results = list(match.playouts(range(30)))
        assert results == [match.playout(seed=seed) for seed in range(30)]
        assert results == [match.copy(seed=seed).playout(seed=seed) for seed in range(30)]
        match.apply(match.decision.choice(0))
    assert next(match.playouts(count())).scores == tuple(match.scores)


def test_a_match_is_pickled_whole() -> None:
    match = hoyle.load("bi-jinx").new(seed=1)
    for _ in range(5):
        assert match.decision is not None
        match.apply(match.decision.choice(0))
    again = pickle.loads(pickle.dumps(match))
    assert again == match
    assert again.decision == match.decision
    assert again.information_state(0) == match.information_state(0)
    assert again.information_hash(0) == match.information_hash(0) != match.information_hash(1)


def test_there_is_no_choice_beyond_the_last() -> None:
    decision = hoyle.load("bi-jinx").new(seed=1).decision
    assert decision is not None
    for index in (decision.count, -1):
        with pytest.raises(IndexError):
            decision.choice(index)


def test_utilities_add_up_to_nothing_and_the_lowest_score_can_win() -> None:
    match = hoyle.load(ROLLING_STONE, players=4).new(seed=1)
    assert match.utilities == [0.0] * 4
    while (decision := match.decision) is not None:
        match.apply(decision.choice(0))
    assert sum(match.utilities) == pytest.approx(0)
    assert [seat for seat, worth in enumerate(match.utilities) if worth > 0] == match.winners


def test_who_does_not_follow_suit_is_dealt_none_of_it() -> None:
    """A bot's samples give no card of a suit to who has shown that he has none; a sampled match gives the same."""
    game, seen = hoyle.load("whist"), 0
    match, chance = game.new(seed=2), random.Random(2)
    suits = next(attribute for attribute in game.program.attributes if attribute.name == "suit").table
    hands = {name.owner: zone for zone, name in enumerate(match.view(None).zones) if name.name == "hand"}
    lacks: dict[int, set[object]] = {seat: set() for seat in range(4)}
    led: object = None
    for number in range(40):
        decision = match.decision
        assert decision is not None
        for given in (match, match.sample(decision.seat, seed=number)):
            standpoint = given.standpoint(decision.seat)
            for seed in range(3):
                sampled = standpoint.sample(seed)
                for seat in set(range(4)) - {decision.seat}:
                    seen += bool(lacks[seat])
                    assert not lacks[seat] & {suits[card] for card in sampled.zones[hands[seat]]}
        action = decision.choice(chance.randrange(decision.count))
        suit = suits[action.choice[1]]
        if number % 4 == 0:
            led = suit
        elif suit != led:
            lacks[decision.seat].add(led)
        match.apply(action)
    assert seen > 100


def test_what_a_seat_was_told_before_goes_with_a_sampled_match() -> None:
    match = hoyle.load("cribbage").new(seed=7)
    for _ in range(12):
        match.apply(0)
    seat = 1
    sampled = match.sample(seat, seed=4)
    assert sampled.events_for(seat) == match.events_for(seat) != []
    assert sampled.events_for(1 - seat) == sampled.events == sampled.history == []
    before = len(match.events_for(seat))
    sampled.apply(0)
    for other in (sampled, sampled.copy(), pickle.loads(pickle.dumps(sampled)), sampled.sample(seat, seed=5)):
        told = other.events_for(seat)
        assert told[:before] == match.events_for(seat) and len(told) > before
        assert other.knowledge.masks.count(0) == sampled.knowledge.masks.count(0)


@pytest.mark.parametrize("again", [False, True], ids=["a sample", "a sample of a sample"])
def test_what_was_chosen_in_secret_is_no_more_known_in_a_sampled_match(again: bool) -> None:
    match = hoyle.load("goofspiel").new(seed=3)
    match.apply(4)
    seat = 1
    sampled = match.sample(seat, seed=1)
    sampled = sampled.sample(seat, seed=2).copy() if again else sampled
    standpoint = sampled.standpoint(seat)
    assert standpoint.choosers == (0,)
    assert len({repr(standpoint.sample(seed).slots) for seed in range(20)}) > 5
    assert len({repr(sampled.sample(seat, seed).position.slots) for seed in range(20)}) > 5


def test_a_sampled_match_has_no_transcript() -> None:
    match = hoyle.load("kuhn-poker").new(seed=7)
    with pytest.raises(RecordError, match="it was sampled"):
        record(match.sample(0, seed=1))


@pytest.mark.parametrize("name", ["hearts", "go-fish", "goofspiel", "leduc-poker"])
def test_a_bot_plays_on_from_where_it_stands(name: str) -> None:
    match = hoyle.load(name).new(seed=2)
    for _ in range(9):
        decision = match.decision
        if decision is None:
            break
        standpoint = match.standpoint(decision.seat)
        for seed in (1, 2):
            imagined = standpoint.match(seed)
            assert imagined.position == standpoint.sample(seed) and imagined.decision == decision
            assert imagined.information_state(decision.seat) == match.information_state(decision.seat)
            assert imagined.sample(decision.seat, 3).view(decision.seat) == match.view(decision.seat)
            imagined.apply(decision.choice(seed % decision.count))
        match.apply(decision.choice(0))
    assert len(imagined.playout(seed=1).scores) == match.game.players
    with pytest.raises(ValueError, match="it was sampled"):
        record(imagined)


def test_a_match_is_taken_up_from_a_position() -> None:
    game = hoyle.load("leduc-poker")
    match = game.new(seed=4)
    match.apply(0)
    again = game.take_up(match.position)
    assert again.decision == match.decision and again.view(0) == match.view(0)
    again.apply(0)
    assert again.position != match.position and len(again.history) == 1
    with pytest.raises(ValueError, match=r"position.players: the game is for 3"):
        hoyle.load("leduc-poker", players=3).take_up(match.position)
    with pytest.raises(TypeError, match="a match is taken up from a position, not from"):
        game.take_up(match)  # type: ignore[arg-type]
