"""Bunco as a whole: random games at every size of table come to their end, in both ways of treating errors, and nothing
hidden reaches a seat. The rules one by one are in games/bunco/*.test.yaml."""

from __future__ import annotations

import os
import random
from functools import cache

import pytest

import hoyle
from hoyle.play.beliefs.position_sampling import reshuffle_hidden
from hoyle.play.engine.conservation import check_conservation
from hoyle.play.engine.habits import Habits
from hoyle.play.engine.legality import Choice
from hoyle.program.model.position import Position

SEATS = (2, 4, 7, 8, 14)
MODES = ("reject", "challenge")
GAMES = int(os.environ.get("HOYLE_BUNCO_GAMES", "2000"))
ERRORS = 0.03
LOOKED_AT = 25  # every so many decisions the cards are counted and hidden ones dealt anew
MOST_DECISIONS = 400_000


@cache
def load(seats: int, mode: str) -> hoyle.Game:
    return hoyle.load("bunco", players=seats, options={"error_mode": mode})


def sizes(game: hoyle.Game, position: Position, name: str) -> list[int]:
    return [len(position.zones[z]) for z, (zone, _) in enumerate(game.names.zones) if zone.name == name]


def play(seats: int, mode: str, seed: int, *, look: bool) -> Position:
    """A random game, looked at now and then."""
    game = load(seats, mode)
    executor, chance, habits = game.executor, random.Random(seed), Habits(ERRORS, seed)
    position = executor.start(seed)
    executor.run(position)
    for number in range(MOST_DECISIONS):
        if position.over:
            return position
        choices = executor.list_legal(position)
        if not number % LOOKED_AT:
            check_conservation(position, len(game.program.cards))
            if look:
                assert_no_leak(game, position, choices, chance)
        executor.advance(position, chance.choice(habits.narrow(executor, position, choices)))
    raise AssertionError("the game does not end")


def assert_no_leak(game: hoyle.Game, position: Position, choices: list[Choice], chance: random.Random) -> None:
    """What is offered, and what every seat sees, does not depend on what is hidden from it."""
    deciding = game.executor.find_seat(position)
    here = hoyle.Match(game, position)
    for seat in {deciding, chance.randrange(game.players)}:
        other = reshuffle_hidden(game.program, position, seat, chance.getrandbits(32))
        assert hoyle.Match(game, other).view(seat) == here.view(seat)
        if seat == deciding:
            assert texts(game, other) == [action.text for action in here.decision.actions] if here.decision else True
            assert len(choices) == len(texts(game, other))


def texts(game: hoyle.Game, position: Position) -> list[str]:
    decision = hoyle.Match(game, position).decision
    return [action.text for action in decision.actions] if decision else []


def assert_ended_well(game: hoyle.Game, position: Position) -> None:
    """Somebody is rid of his Bunco pile, or a full round has passed without a card and the fewest have won."""
    check_conservation(position, len(game.program.cards))
    left = sizes(game, position, "bunco_pile")
    winners = game.executor.list_winners(position)
    assert winners == tuple(seat for seat, size in enumerate(left) if size == min(left))
    if 0 not in left:
        idle = next(i for i, (state, _) in enumerate(game.names.states) if state.name == "idle_turns")
        assert position.states[idle] > game.players
        assert not sizes(game, position, "stock")[0]


@pytest.mark.share
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seats", SEATS)
def test_a_random_game_ends_with_every_card_in_place_and_nothing_told(seats: int, mode: str) -> None:
    assert_ended_well(load(seats, mode), play(seats, mode, seats, look=True))


def test_a_round_of_nothing_but_penalties_does_not_block_the_game() -> None:
    seed = 143  # in which three turns in a row are lost by right calls
    assert_ended_well(load(2, "challenge"), play(2, "challenge", seed, look=False))


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seats", SEATS)
def test_thousands_of_random_games_end(seats: int, mode: str) -> None:
    for seed in range(GAMES):
        assert_ended_well(load(seats, mode), play(seats, mode, seed, look=not seed % 50))


# ------------------------------------------------------------------------------------------------ windows
def give(match: hoyle.Match, **zones: str) -> hoyle.Match:
    """A match with these cards in these zones (`hand_1`), all others in the stock."""
    names, cards = match.game.names, match.game.program.cards
    free = list(range(len(cards)))
    placed: dict[int, list[int]] = {}
    for key, codes in zones.items():
        zone = next(z for z in range(len(names.zones)) if names.spell_zone(z).replace(".", "_") == key)
        placed[zone] = []
        for code in codes.split():
            card = next(each for each in free if cards[each].code == code)
            free.remove(card)
            placed[zone].append(card)
    position = match.position
    position.zones = [placed.get(zone, []) for zone in range(len(position.zones))]
    position.zones[0] = free
    return match


PILES = {"bunco_pile_0": "9 9", "bunco_pile_1": "9 8", "bunco_pile_2": "9 7", "bunco_pile_3": "9 6"}


def begin_turn(**zones: str) -> hoyle.Match:
    """Four players, seat 0 in turn, before the first card."""
    match = hoyle.Match(load(4, "reject"), load(4, "reject").executor.start(0))
    match.executor.run(match.position, "turn")
    player = next(i for i, (state, _) in enumerate(match.game.names.states) if state.name == "player")
    match.position.states[player] = 0
    give(match, **{**PILES, **zones})
    match.events.clear()
    match.run()
    return match


def test_only_those_who_can_call_are_asked_and_only_they_know_it() -> None:
    match = begin_turn(hand_0="6 6", hand_1="4 4", hand_2="S 4", hand_3="5 5", table_pile1="1 2")
    assert match.decision is not None
    assert (match.decision.seat, match.decision.window) == (2, True)
    assert match.view(2).deciding == 2
    assert [match.view(seat).deciding for seat in (0, 1, 3, None)] == [None] * 4
    told = {seat: len(match.events_for(seat)) for seat in (0, 1, 2, 3, None)}
    match.apply("decline")
    heard = {seat: [event["event"] for event in match.events_for(seat)[told[seat] :]] for seat in told}
    assert heard == {0: [], 1: [], 2: ["chose"], 3: [], None: []}
    assert (match.decision.seat, match.decision.window) == (0, False)
    assert match.view(3).deciding == 0


def test_nobody_is_asked_where_nobody_can_call() -> None:
    match = begin_turn(hand_0="6 6", hand_1="4 4", hand_2="3 4", hand_3="5 5", table_pile1="1 2")
    assert match.decision is not None
    assert match.decision.seat == 0


def test_all_answer_before_the_first_claim_is_carried_out() -> None:
    match = begin_turn(hand_0="6 6", hand_1="S 4", hand_2="S 4", hand_3="S 5", table_pile1="1 2")
    for seat in (1, 2, 3):
        assert match.decision is not None
        assert match.decision.seat == seat
        assert sizes(match.game, match.position, "removed") == [0]
        assert not [event for event in match.events if event.name == "moved"]
        match.apply("decline" if seat == 1 else "stop S table_pile1")
    assert sizes(match.game, match.position, "hand") == [2, 2, 1, 2]
    chosen = [event for event in match.events_for(0) if event["event"] == "chose"]
    assert [(event["seat"], event["action"]) for event in chosen] == [(2, "stop")]


def test_what_a_seat_is_told_of_its_claim_does_not_depend_on_the_hands_of_others() -> None:
    """Another seat may be asked after it or not; once the window is closed, the same has been told."""
    heard = []
    for other in ("S 5", "5 5"):
        match = begin_turn(hand_0="6 6", hand_1="4 4", hand_2="S 4", hand_3=other, table_pile1="1 2")
        match.apply("stop S table_pile1")
        while match.decision is not None and match.decision.window:
            match.apply("decline")
        heard.append([event for event in match.events_for(2) if event["event"] != "set"])
    assert heard[0] == heard[1]


def test_the_deck_never_makes_a_chain_legal() -> None:
    """BUNCO-V17: whatever lies in the deck and under the Bunco pile, nothing known can follow the Bunco card."""
    match = begin_turn(hand_0="B", hand_1="4 4", hand_2="3 4", hand_3="6 6", table_pile1="1 2 3", bunco_pile_0="5 9")
    offered = set()
    for seed in range(200):
        other = reshuffle_hidden(match.game.program, match.position, 0, seed)
        offered.add(tuple(texts(match.game, other)))
    assert offered == {("lay B surplus1.0",)}


def test_covered_surplus_cards_are_known_to_all() -> None:
    """BUNCO-22: they carry a chain, and hidden cards dealt anew leave them where they are."""
    hands = {"hand_0": "9", "hand_1": "4 4", "hand_2": "3 4", "hand_3": "6 6"}
    match = begin_turn(**hands, surplus1_0="8 B", table_pile1="1 2 3 4 5 6")
    surplus = [z for z, (zone, _) in enumerate(match.game.names.zones) if zone.name == "surplus"]
    for seat in (0, 1, None):
        other = reshuffle_hidden(match.game.program, match.position, seat, 5)
        assert [other.zones[z] for z in surplus] == [match.position.zones[z] for z in surplus]
    assert "play_bunco B@surplus1.0 table_pile1" in texts(match.game, match.position)
    assert match.view(1).zones[surplus[0]].cards == (None, "B")


# ------------------------------------------------------------------------------------------------ offences
def erring_match(seed: int) -> hoyle.Match:
    """A match of two in which seat 0 or 1 has just done something against the rules."""
    match = load(2, "challenge").new(seed)
    chance = random.Random(seed)
    while match.offence is None:
        decision = match.decision
        assert decision is not None
        lawful = match.list_lawful()
        wrong = [action for action in decision.actions if action not in lawful]
        match.apply(chance.choice(wrong) if wrong and not decision.window else chance.choice(lawful))
    return match


@pytest.mark.parametrize("seed", range(6))
def test_an_offence_is_saved_resumed_and_taken_back(seed: int) -> None:
    match = erring_match(seed)
    assert match.offence is not None
    offender, clause = match.offence
    assert clause.startswith(("actions.", "choices."))
    again = hoyle.Match.from_json(match.game, match.to_json())
    assert again.position == match.position
    for one in (match, again):
        while one.decision is not None and (one.decision.window or one.decision.seat == offender):
            callable_ = [action for action in one.decision.actions if action.name == "call_bunco"]
            if callable_:
                one.apply(callable_[0])
                break
            one.apply("decline")
        while one.decision is not None and one.decision.window:
            one.apply("decline")
        assert one.offence is None
        assert [event.name for event in one.events].count("taken_back") == 1
        check_conservation(one.position, len(one.game.program.cards))
    assert again.position == match.position


def test_bots_err_only_as_often_as_they_are_told_to() -> None:
    game = load(2, "challenge")
    counts = {}
    for rate in (0.0, 0.2):
        wrong = 0
        for seed in range(2):
            match, habits, chance = game.new(seed), Habits(rate, seed), random.Random(seed)
            for _ in range(150):
                decision = match.decision
                if decision is None:
                    break
                kept = habits.narrow(match.executor, match.position, [action.choice for action in decision.actions])
                chosen = chance.choice([action for action in decision.actions if action.choice in kept])
                wrong += chosen not in match.list_lawful()
                match.apply(chosen)
        counts[rate] = wrong
    assert counts[0.0] == 0
    assert counts[0.2] > 5


def test_where_errors_are_refused_nothing_is_recorded() -> None:
    match = load(2, "reject").new(3)
    chance = random.Random(3)
    for _ in range(60):
        decision = match.decision
        if decision is None:
            break
        assert match.list_lawful() == decision.actions
        match.apply(chance.choice(decision.actions))
        assert match.position.offence is None
