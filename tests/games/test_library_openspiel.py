"""The classics against OpenSpiel's: random games replayed move by move, legal moves equal at every step, and returns.

OpenSpiel plays; the cards it deals become the script of chance of a match here, and its choices are made here. What it
does otherwise than the rules is asserted, not passed over:

- Hearts: cards are passed one after another and not at once, so the three of a player are compared as one choice.
- Spades: partners may not bid more than thirteen together; spades are never led by who has another suit, though they
  are broken; the tricks of a nil that fails help the partner to make his bid.
- Euchre: the dealer lays away a card before the maker says whether he plays alone, and not after; and he may not lay
  away the card he has just taken.
- Skat: nobody bids values: the first who does not pass says what he plays, takes the skat and lays two cards away, so
  neither hand nor announcements are played; returns are the points above or below 60, and 30 or 90 for null.
- Crazy Eights: who has drawn as many cards as he may can pass though he could play; an eight turned up to begin with
  goes back among the cards, where here it is put under them; it is over when all and one more have passed; returns are
  what the cards left in hand cost, but an ace costs ten, and cards from 2 to 10 cost their place in the pack.
- Texas Hold'em: a bet is told by all that a player has put in in the deal, not in the round of betting.
- Goofspiel: the last card is played by itself.
- Blackjack: the bank has its second card from the beginning; a natural is paid like any other win and is no better
  than any 21, one of the bank neither; who has 21 is asked all the same.
- Gin Rummy: a card taken from the pile may be discarded at once, also in knocking; a deal is void when it was taken
  fifty times; who is to play when two cards are left may still take it if he can knock with it; who knocks says so
  before he discards, and if eleven cards can be divided in two ways that leave as much, he may not be let; runs of
  six or more cards are laid out as two; cards are laid off before sets and runs are laid out, no more than two at an
  end of a run, and a card that goes to a set and to a run counts for both; who has just as much left as the one who
  knocked has not undercut him, and nobody scores.
- Go Fish: cards have ranks and no suits; who can ask nobody is passed by; who is dealt four of a rank has others dealt
  for them, unless the deal is over with the fourth.
- Dou Dizhu: who has passed may bid again while the others do; two single cards added to threes in a
  row may be of one rank; four alike with two cards or pairs are not played; a bomb may be
  played on the rocket; no row begins with a rank of which the player has four.
- Klondike: nothing is drawn: the whole stock is known, and every third card of it, counted from the first, can be
  taken at any time; there is one move to an empty column though several are empty, and none of a king from a foundation
  or from the bottom of a column; games end when nothing is left to do but that, or with the 150th card or move; returns
  are points for what was taken from the stock, uncovered and brought home.
- Leduc poker: what does not go into the pot evenly is split into parts of a chip; so it is at Hold'em.

Cribbage is compared in `test_cribbage_openspiel.py`. OpenSpiel's tarok is the Slovenian game, not French Tarot: another
deck for other numbers of players, with other bids.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

import hoyle
from hoyle.program.model.position import Position

pytestmark = pytest.mark.slow

GAMES = 1_000
CHUNKS = 4
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@dataclass
class Move:
    seat: int
    legal: set[str]
    chosen: str


@dataclass
class Played:
    """A game as OpenSpiel played it: what chance gave, what was chosen, what came of it."""

    chance: list[str] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)


Picker = Callable[[Any, list[int]], list[int]]


def play(
    name: str, seed: int, params: dict[str, Any], deal: Picker | None = None, choose: Picker | None = None
) -> Played:
    """A random game of OpenSpiel's. `deal` and `choose` may leave out outcomes and actions."""
    import pyspiel  # installed by `make verify` (the extra `proof`)

    random_choice = random.Random(f"{name} {seed}").choice
    state = pyspiel.load_game(name, params).new_initial_state()
    played = Played()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = [outcome for outcome, _ in state.chance_outcomes()]
            action = random_choice(deal(state, outcomes) if deal else outcomes)
            played.chance.append(state.action_to_string(action))
        elif state.is_simultaneous_node():
            actions = []
            for seat in range(state.num_players()):
                legal = state.legal_actions(seat)
                actions.append(random_choice(legal))
                played.moves.append(Move(seat, set(map(str, legal)), str(actions[-1])))
            state.apply_actions(actions)
            continue
        else:
            seat, legal = state.current_player(), state.legal_actions()
            action = random_choice(choose(state, legal) if choose else legal)
            said = {each: state.action_to_string(seat, each) for each in legal}
            played.moves.append(Move(seat, set(said.values()), said[action]))
        state.apply_action(action)
    played.returns = state.returns()
    return played


@cache
def load(name: str, players: int, options: tuple[tuple[str, Any], ...]) -> hoyle.Game:
    return hoyle.load(name, players=players, options=dict(options))


def begin(name: str, players: int, dealt: list[str], **options: Any) -> hoyle.Match:
    """A match whose first shuffle gives these cards, the one dealt first standing first."""
    game = load(name, players, tuple(sorted(options.items())))
    codes = {card.code: number for number, card in enumerate(game.program.cards)}
    return game.new(0, [[codes[card] for card in reversed(dealt)]])


def make(match: hoyle.Match, seat: int, legal: set[str], chosen: str) -> None:
    """The same choice here, after what may be chosen has been compared."""
    decision = match.decision
    assert decision is not None
    assert decision.seat == seat
    assert {action.text for action in decision.actions} == legal
    match.apply(chosen)


def find_piles(match: hoyle.Match) -> dict[str, list[int]]:
    """The cards of each zone from the bottom up, by the name of the zone: `hand.0`."""
    return {match.game.names.spell_zone(zone): pile for zone, pile in enumerate(match.position.zones)}


def turn_round(card: str) -> str:
    """`HK` as `KH`."""
    return card[1] + card[0]


def deal_round(hands: list[list[str]], first: int) -> list[str]:
    """The cards of all hands in the order in which they are dealt one by one."""
    order = [*range(first, len(hands)), *range(first)]
    return [hands[seat][turn] for turn in range(len(hands[0])) for seat in order]


def as_plays(cards: set[str]) -> set[str]:
    return {f"play_card {card}" for card in cards}


# ------------------------------------------------------------------------------------------------ tricks
def check_hearts(seed: int) -> None:
    passing = bool(seed % 4)
    params = {"qs_breaks_hearts": False, "jd_bonus": seed % 3 == 0}
    played = play("hearts", seed, params, deal=lambda state, out: out if state.history() else [int(passing)])
    cards = [said for said in played.chance if len(said) == 2]  # besides the direction
    hands = [cards[seat::4] for seat in range(4)]
    options = {"passing": passing, "jack": params["jd_bonus"], "limit": 500}
    match = begin("hearts", 4, deal_round(hands, 1), **options)
    moves = iter(played.moves)
    for seat in range(4 if passing else 0):
        three = [next(moves) for _ in range(3)]
        assert three[0].legal == set(hands[seat])
        decision = match.decision
        assert decision is not None and decision.seat == seat and len(decision.actions) == math.comb(13, 3)
        match.apply(f"give {' '.join(sorted((each.chosen for each in three), key=hands[seat].index))}")
    for move in moves:
        make(match, move.seat, as_plays(move.legal), f"play_card {move.chosen}")
    assert match.rounds == 1
    points = [26 - score for score in match.scores]
    assert played.returns == points


def check_spades(seed: int) -> None:
    played = play("spades", seed, {})
    cards = [turn_round(card) for card in played.chance]
    match = begin("spades", 4, cards, target=1000, lost_at=500)
    bids = [0 if move.chosen == "Nil" else int(move.chosen) for move in played.moves[:4]]
    for seat, move in enumerate(played.moves[:4]):
        most = 13 - bids[seat - 2] if seat > 1 else 13
        assert move.legal == {"Nil", *map(str, range(1, most + 1))}
        make(match, (move.seat + 1) % 4, {f"bid {bid}" for bid in range(14)}, f"bid {bids[seat]}")
    spades: set[str] = set()
    for place, move in enumerate(played.moves[4:]):
        legal = {turn_round(card) for card in move.legal}
        if place % 4 == 0 and not all(card[1] == "S" for card in legal):
            assert not any(card[1] == "S" for card in legal)
            held = {card for card in cards[move.seat :: 4] if card[1] == "S"}
            legal |= held - spades if spades else set()
        make(match, (move.seat + 1) % 4, as_plays(legal), f"play_card {turn_round(move.chosen)}")
        if move.chosen[0] == "S":
            spades.add(turn_round(move.chosen))
    assert match.rounds == 1
    won = count_tricks([move.chosen for move in played.moves[4:]], [move.seat for move in played.moves[4:]])
    for seat in range(4):
        theirs, ours = played.returns[seat], match.scores[(seat + 1) % 2]
        sides = [(bids[each], won[each]) for each in (seat, (seat + 2) % 4)]
        assert theirs == score_spades(sides, helps=True)
        assert ours == score_spades(sides, helps=False)


def count_tricks(cards: list[str], seats: list[int]) -> list[int]:
    """How many tricks each seat has taken; spades are trumps."""
    won = [0] * 4
    for place in range(0, 52, 4):
        led = cards[place][0]
        ranks = {at: (cards[at][0] == "S", cards[at][0] == led, "23456789TJQKA".index(cards[at][1]))
                 for at in range(place, place + 4)}  # fmt: skip
        best = max(ranks, key=ranks.__getitem__)
        won[seats[best]] += 1
    return won


def score_spades(sides: list[tuple[int, int]], *, helps: bool) -> int:
    """What partners score who have bid and won so much; whether the tricks of a nil that fails help the partner, or are
    bags whatever he does."""
    nils = [(100 if won == 0 else -100) for bid, won in sides if bid == 0]
    contract = sum(bid for bid, _ in sides)
    counted = sum(won for bid, won in sides if bid > 0 or helps)
    spoilt = sum(won for bid, won in sides if bid == 0 and not helps)
    bags = max(counted - contract, 0) + spoilt
    made = 10 * contract if counted >= contract else -10 * contract
    return sum(nils) + made + bags - (100 if bags >= 10 else 0)


def check_oh_hell(seed: int) -> None:
    players, penalty = 3 + seed % 4, bool(seed % 2)
    played = play("oh_hell", seed, {"players": players, "off_bid_penalty": penalty})
    tricks, dealer = int(played.chance[0]), int(played.chance[1])
    cards = [turn_round(card) for card in played.chance[2:]]
    hands = [cards[:-1][seat::players] for seat in range(players)]
    hands = hands[dealer:] + hands[:dealer]
    scoring = "penalty" if penalty else "all_tricks"
    match = begin("oh-hell", players, [*deal_round(hands, 1), cards[-1]], most=tricks, scoring=scoring)
    for number, move in enumerate(played.moves):
        seat = (move.seat - dealer) % players
        if number < players:
            make(match, seat, {f"bid {bid}" for bid in move.legal}, f"bid {move.chosen}")
        else:
            legal = as_plays({turn_round(card) for card in move.legal})
            make(match, seat, legal, f"play_card {turn_round(move.chosen)}")
    assert match.rounds == 1
    assert played.returns == [match.scores[(seat - dealer) % players] for seat in range(players)]


def check_euchre(seed: int) -> None:
    stick = bool(seed % 2)
    played = play("euchre", seed, {"stick_the_dealer": stick})
    dealer = "NESW".index(played.chance[0])
    cards = [turn_round(card) for card in played.chance[1:]]
    hands = [cards[:20][seat::4] for seat in range(4)]
    order = (1, 2, 3, 0)
    dealt = [card for seat in order for card in hands[seat][:3]] + [card for seat in order for card in hands[seat][3:]]
    match = begin("euchre", 4, [*dealt, cards[20]], stick=stick, target=15)
    waiting: list[Move] = []
    for move in played.moves:
        if match.decision is not None and {action.text for action in match.decision.actions} == {"go_alone", "decline"}:
            waiting.append(move)
            if move.legal != {"Alone", "Partner"}:
                continue  # the card laid away comes after it here
            for each in (waiting[-1], *waiting[:-1]):
                make(match, (each.seat - dealer) % 4, *say_euchre(match, each, cards[20]))
            waiting = []
            continue
        make(match, (move.seat - dealer) % 4, *say_euchre(match, move, cards[20]))
    assert match.rounds == 1
    ours = [match.scores[seat % 2] - match.scores[1 - seat % 2] for seat in range(4)]
    assert played.returns == [ours[(seat - dealer) % 4] for seat in range(4)]


def say_euchre(match: hoyle.Match, move: Move, turned: str) -> tuple[set[str], str]:
    decision = match.decision
    assert decision is not None
    action = next(each.text.split()[0] for each in decision.actions if each.text != "pass")
    suit = SUITS[turned[1].lower()]

    def say(said: str) -> str:
        if said in ("Pass", "Partner", "Alone"):
            return {"Pass": "pass", "Partner": "decline", "Alone": "go_alone"}[said]
        if said.lower() in SUITS.values():
            return "order_up" if said.lower() == suit else f"name_trump {said.lower()}"
        return f"{action} {turn_round(said)}"

    taken = {f"bury {turned}"} if action == "bury" else set()
    return {say(each) for each in move.legal} | taken, say(move.chosen)


def check_bridge(seed: int) -> None:
    vulnerable = bool(seed % 2)
    params = {"use_double_dummy_result": False, "dealer_vul": vulnerable, "non_dealer_vul": vulnerable}

    def choose(state: Any, legal: list[int]) -> list[int]:
        """Who can bid often passes, so that low contracts are played too."""
        return legal[:2] if state.action_to_string(legal[0]) == "Pass" and len(state.history()) % 3 else legal

    played = play("bridge", seed, params, choose=choose)
    cards = [say_bridge(card) for card in played.chance]
    hands = [cards[seat::4] for seat in range(4)]
    match = begin("bridge", 4, deal_round(hands, 1), vulnerable="everybody" if vulnerable else "nobody", deals=1)
    for move in played.moves:
        decision = match.decision
        assert decision is not None
        action = decision.actions[0].text.split()[0]
        make(match, move.seat, {say_bridge(each, action) for each in move.legal}, say_bridge(move.chosen, action))
    assert match.is_over
    ours = [match.scores[seat % 2] - match.scores[1 - seat % 2] for seat in range(4)]
    assert played.returns == ours


def say_bridge(said: str, action: str = "") -> str:
    """A card or a call, in the words of the game."""
    signs = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
    strains = {"♣": "club", "♦": "diamond", "♥": "heart", "♠": "spade", "NT": "no_trump"}
    if said in ("Pass", "Dbl", "RDbl"):
        return {"Pass": "pass", "Dbl": "double", "RDbl": "redouble"}[said]
    if said[0] in signs:
        card = said[1:].replace("10", "T") + signs[said[0]]
        return f"{action} {card}" if action else card
    return f"bid {said[0]} {strains[said[1:]]}"


def check_skat(seed: int) -> None:
    played = play("skat", seed, {})
    match = begin("skat", 3, [turn_round(card) for card in played.chance])
    moves = iter(played.moves)
    games = {"diamonds", "hearts", "spades", "clubs", "grand", "null"}
    said = [next(moves)]
    while said[-1].chosen == "unknown/pass" and len(said) < 3:
        said.append(next(moves))
    assert all(each.legal == {"unknown/pass", *games} for each in said)
    alone, chosen = (said[-1].seat + 1) % 3, said[-1].chosen
    for seat in (2, 0):  # middlehand and rearhand speak before forehand, who must speak only if both pass
        next_bid = "bid 20" if (seat, alone) == (0, 2) and chosen in games else "bid 18"
        make(match, seat, {next_bid, "pass"}, next_bid if seat == alone and chosen in games else "pass")
        if seat == alone and chosen in games:
            make(match, 1, {"hold", "pass"}, "pass")
    if chosen not in games or alone == 1:
        make(match, 1, {"bid 18", "pass"}, "bid 18" if chosen in games else "pass")
    if chosen not in games:
        assert match.rounds == 1 and played.returns == [0, 0, 0]
        return
    contract = {"grand": "grand", "null": "nullo"}.get(chosen, f"in_{chosen}")
    make(match, alone, {"take_skat", "play_from_hand"}, "take_skat")
    first, second = next(moves), next(moves)
    assert len(first.legal) == 12 and second.legal == first.legal - {first.chosen}
    held = {turn_round(card) for card in first.legal}
    decision = match.decision
    assert decision is not None and len(decision.actions) == 66
    assert {card for action in decision.actions for card in action.text.split()[1:]} == held
    both = {turn_round(first.chosen), turn_round(second.chosen)}
    match.apply(next(action.text for action in decision.actions if set(action.text.split()[1:]) == both))
    contracts = {f"declare {each} nothing_more" for each in ("grand", *(f"in_{suit}" for suit in SUITS.values()))}
    make(
        match,
        alone,
        {*contracts, "declare nullo nothing_more", "declare nullo ouvert"},
        f"declare {contract} nothing_more",
    )
    rest = list(moves)
    for move in rest:
        make(match, (move.seat + 1) % 3, as_plays({turn_round(card) for card in move.legal}),
             f"play_card {turn_round(move.chosen)}")  # fmt: skip
    assert match.rounds == 1
    points = 60 + 120 * played.returns[said[-1].seat]
    won = {0: 23, 1: -46}[points < 60] if chosen == "null" else None
    assert won is None or points in (pytest.approx(30), pytest.approx(90))
    if won is None:
        winners = [move.seat for move in rest[3::3]]  # who leads has won the trick before
        winners.append(rest[-3 + best_of_skat([move.chosen for move in rest[-3:]], chosen)].seat)
        won = score_skat(held, chosen, round(points), winners.count(said[-1].seat))
    assert match.scores == [won if seat == alone else 0 for seat in range(3)]


def best_of_skat(trick: list[str], chosen: str) -> int:
    """Which of three cards takes the trick; jacks are trumps, and the suit that is played."""
    suit, led = "" if chosen == "grand" else chosen[0].upper(), trick[0]

    def rank(card: str) -> tuple[bool, int, bool, int]:
        trump = card[1] == "J" or card[0] == suit
        jack = "DHSC".index(card[0]) + 1 if card[1] == "J" else 0
        return trump, jack, card[0] == led[0], "789QKTA".find(card[1])

    return max(range(3), key=lambda place: rank(trick[place]))


def score_skat(held: set[str], chosen: str, points: int, tricks: int) -> int:
    """What the game scores: with or without so many trumps from the top, schneider and schwarz."""
    suit = "" if chosen == "grand" else chosen[0].upper()
    trumps = [f"J{each}" for each in "CSHD"] + [f"{rank}{suit}" for rank in "ATKQ987" if suit]
    has = [trump in held for trump in trumps]
    matadors = next((place for place, each in enumerate(has) if each != has[0]), len(has))
    levels = matadors + 1 + (points >= 90 or points <= 30) + (tricks in (0, 10))
    base = {"diamonds": 9, "hearts": 10, "spades": 11, "clubs": 12, "grand": 24}[chosen]
    return base * levels * (1 if points > 60 else -2)


# ------------------------------------------------------------------------------------------------ shedding, collecting
def check_crazy_eights(seed: int) -> None:
    players = 2 + seed % 4
    buried: list[int] = []
    size = 7 if players == 2 else 5

    def deal(outcomes: list[int]) -> list[int]:
        """An eight turned up is drawn again only when no other card is left, as if it lay under the others."""
        return [each for each in outcomes if each not in buried] or buried[:1]

    def choose(state: Any, legal: list[int]) -> list[int]:
        said = [state.action_to_string(each) for each in legal]
        return legal[:-1] if said[-1] == "Pass" and len(legal) > 1 else legal

    chance = random.Random(seed)
    import pyspiel

    state = pyspiel.load_game("crazy_eights", {"players": players, "max_turns": 10_000}).new_initial_state()
    dealt: list[str] = []
    hands: list[list[str]] = [[] for _ in range(players)]
    dealer = -1
    moves: list[Move] = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = [outcome for outcome, _ in state.chance_outcomes()]
            action = chance.choice(outcomes if dealer < 0 else deal(outcomes))
            said = state.action_to_string(action).split()
            if dealer < 0:
                dealer = int(said[2])
            else:
                card = turn_round(said[1])
                if moves:
                    hands[moves[-1].seat].append(card)
                elif len(dealt) < players * size:
                    hands[(dealer + 1 + len(dealt)) % players].append(card)
                elif card[0] == "8":
                    assert state.child(action).chance_outcomes() == state.chance_outcomes()
                    buried.append(action)
                if action in buried and moves:
                    buried.remove(action)
                else:
                    dealt.append(card)
        else:
            legal = state.legal_actions()
            action = chance.choice(choose(state, legal))
            names = {each: state.action_to_string(each) for each in legal}
            moves.append(Move(state.current_player(), set(names.values()), names[action]))
            if names[action].startswith("Play"):
                hands[moves[-1].seat].remove(turn_round(names[action].split()[1]))
        state.apply_action(action)
    options = {"most_drawn": 5, "reshuffle": False, "hand_size": size, "target": 500}
    match = begin("crazy-eights", players, dealt, **options)
    eight = ""
    for place, move in enumerate(moves):
        seat = (move.seat - dealer) % players
        if match.rounds:
            assert [each.chosen for each in moves[place - players :]] == ["Pass"] * (players + 1)
            break
        if move.chosen.startswith("Nominate"):
            assert len(move.legal) == 4
            match.apply(f"eight {eight} {SUITS[move.chosen[-1].lower()]}")
            continue
        decision = match.decision
        assert decision is not None and decision.seat == seat
        ours = {" ".join(action.text.split()[:2]) for action in decision.actions}
        theirs = {say_crazy(each) for each in move.legal}
        assert ours == (theirs - {"pass"} if len(theirs) > 1 else theirs)
        chosen = say_crazy(move.chosen)
        if chosen.startswith("eight"):
            eight = chosen.split()[1]
        else:
            match.apply(chosen)
    if moves[-1].chosen.startswith("Play") and moves[-1].chosen[-1] == "8":
        match.apply(f"eight {eight} clubs")  # the last card; there is nothing left to name a suit for
    assert match.rounds == 1
    assert state.returns() == [-sum(map(cost_of_theirs, hand)) for hand in hands]
    costs = [sum(map(cost_of, hand)) for hand in hands]
    best = [seat for seat, cost in enumerate(costs) if cost == min(costs)]
    scores = [sum(costs) - players * min(costs) if [seat] == best else 0 for seat in range(players)]
    assert match.scores == [scores[(seat + dealer) % players] for seat in range(players)]


def cost_of(card: str) -> int:
    """What a card left in hand costs by the rules."""
    return {"8": 50, "A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def cost_of_theirs(card: str) -> int:
    """The same as OpenSpiel has it: an ace costs ten, and low cards their number in the pack of 52, counted from 2."""
    rank, suit = "23456789TJQKA".index(card[0]), "CDHS".index(card[1])
    return 50 if rank == 6 else 10 if rank >= 9 else 4 * rank + suit + 2


def say_crazy(said: str) -> str:
    if not said.startswith("Play"):
        return said.lower()
    card = turn_round(said.split()[1])
    return f"{'eight' if card[0] == '8' else 'play'} {card}"


def check_dou_dizhu(seed: int) -> None:
    def choose(state: Any, legal: list[int]) -> list[int]:
        """One round of bidding, nothing on the rocket, and no two kickers alike."""
        said = {each: state.action_to_string(state.current_player(), each) for each in legal}
        if any(each.startswith("Bid") for each in said.values()) and str(state).count("played") >= 3:
            return [each for each in legal if said[each] == "Pass"]
        last = [
            line.split()[-1] for line in str(state).splitlines() if " played " in line and not line.endswith("Pass")
        ]
        if last and last[-1] == ROCKET and "Pass" in said.values():
            return [each for each in legal if said[each] == "Pass"]
        return [each for each in legal if not repeats_kicker(said[each])]

    played = play("dou_dizhu", seed, {}, choose=choose)
    while len(played.moves) > 3 and any(each.startswith("Bid") for each in played.moves[3].legal):
        assert played.moves.pop(3).chosen == "Pass"  # who has passed is asked again
    cards = [said.split()[1] for said in played.chance[1:]]
    codes = [{"(BWJ)": "BJ", "(CJ)": "RJ"}.get(card, turn_round(card)) for card in cards]
    game = load("dou-dizhu", 3, ())
    numbers = {card.code: number for number, card in enumerate(game.program.cards)}
    rest = [code for code in numbers if code not in codes]
    order = [numbers[code] for code in reversed([*codes, *rest])]
    first = (played.moves[0].seat + 1) % 3
    match = game.new(0, [order, first])
    last = ""
    for move in played.moves:
        decision = match.decision
        assert decision is not None and decision.seat == (move.seat + 1) % 3
        ours = expand(match)
        fours = {said for said, made in ours.items() if made[0].startswith("play_with") and made[0].split()[2] == "4"}
        bombs = {each for each in move.legal if ours.keys() == {"Pass"} and each in {rank * 4 for rank in RANKS}}
        assert not bombs or last == ROCKET
        broken = {
            said for said, made in ours.items() if made[0].startswith("play_row") and said[0] * 4 in ours
        } - move.legal
        assert ours.keys() - fours - broken == {each for each in move.legal - bombs if not repeats_kicker(each)}
        last = last if move.chosen == "Pass" else move.chosen
        for said in ours[move.chosen]:
            match.apply(said)
    assert match.rounds == 1
    assert played.returns == [match.scores[(seat + 1) % 3] for seat in range(3)]


RANKS = "3456789TJQKA2"
ROCKET = "(BWJ)(CJ)"


def repeats_kicker(said: str) -> bool:
    """Whether single cards of one rank are added to threes in a row or to four alike, as OpenSpiel allows."""
    main, _, added = said.partition("-")
    added = added.replace("(BWJ)", "x").replace("(CJ)", "y")
    many = 2 if len(set(main)) == 1 else len(main) // 3
    return len(set(added)) < many if added else False


def expand(match: hoyle.Match) -> dict[str, list[str]]:
    """Whole plays as OpenSpiel writes them, and the choices of which they are made here."""
    found: dict[str, list[str]] = {}

    def write(ranks: list[str]) -> str:
        order = [*RANKS, "BJ", "RJ"]
        names = {"BJ": "(BWJ)", "RJ": "(CJ)"}
        return "".join(names.get(rank, rank) for rank in sorted(ranks, key=order.index))

    def follow(here: hoyle.Match, laid: list[str], said: list[str]) -> None:
        assert here.decision is not None
        for action in here.decision.actions:
            name, *picks = action.text.split()
            ranks, more = list(laid), 0
            if name in ("pass", "bid"):
                found["Pass" if name == "pass" else f"Bid {picks[0]}"] = [action.text]
                continue
            if name == "play":
                ranks += [picks[0]] * int(picks[1])
            elif name == "rocket":
                ranks += ["BJ", "RJ"]
            elif name == "play_with":
                ranks, more = ranks + [picks[0]] * int(picks[1]), int(picks[1]) - 2
            else:
                low, high = (picks[1], picks[2]) if name == "play_row" else (picks[0], picks[1])
                width = int(picks[0]) if name == "play_row" else 3
                row = RANKS[RANKS.index(low) : RANKS.index(high) + 1]
                ranks += [rank for rank in row for _ in range(width)]
                more = len(row) if name == "play_plane" else 0
            if more:
                size = 1 if picks[-1] == "single" else 2
                copy = here.copy()
                copy.apply(action.text)
                attach(copy, ranks, [*said, action.text], more, size)
            else:
                found[write(ranks)] = [*said, action.text]

    def attach(here: hoyle.Match, laid: list[str], said: list[str], more: int, size: int) -> None:
        assert here.decision is not None
        options = [action.text.split()[1] for action in here.decision.actions]
        for group in itertools.combinations(options, more):
            if not {"BJ", "RJ"} <= set(group):
                kickers = [rank for rank in group for _ in range(size)]
                name = write(laid + kickers) if more == 1 else f"{write(laid)}-{write(kickers)}"
                found[name] = [*said, *(f"attach {rank}" for rank in group)]

    follow(match, [], [])
    return found


# ------------------------------------------------------------------------------------------------ small games
def check_kuhn(seed: int) -> None:
    players = 2 + seed % 3
    played = play("kuhn_poker", seed, {"players": players})
    ranks = {2: "JQK", 3: "TJQK", 4: "9TJQK"}[players]
    match = begin("kuhn-poker", players, [ranks[int(card.split(":")[1])] for card in played.chance])
    for move in played.moves:
        decision = match.decision
        assert decision is not None
        bet = any(action.text == "call" for action in decision.actions)
        words = {"Pass": "fold", "Bet": "call"} if bet else {"Pass": "check", "Bet": "bet"}
        make(match, move.seat, {words[each] for each in move.legal}, words[move.chosen])
    assert match.is_over
    assert played.returns == match.scores  # the purses


def check_leduc(seed: int) -> None:
    players = 2 + seed % 3
    played = play("leduc_poker", seed, {"players": players})
    ranks = {2: "JQK", 3: "TJQK", 4: "9TJQK"}[players]
    dealt = [int(said.split(":")[1]) for said in played.chance]
    match = begin("leduc-poker", players, [ranks[card // 2] + "HS"[card % 2] for card in dealt])
    for move in played.moves:
        make(match, move.seat, {each.lower() for each in move.legal}, move.chosen.lower())
    assert match.is_over
    assert sum(played.returns) == 0
    pairs = zip(played.returns, match.scores, strict=True)
    assert all(abs(theirs - ours) < 1 for theirs, ours in pairs)  # a pot that three share is not split into parts


def check_holdem(seed: int) -> None:
    players, chips = 2 + seed % 5, (10, 20, 40)[seed % 3]
    small = 0 if players == 2 else 1  # the dealer is seat 0
    blinds = ["1" if seat == small else "2" if seat == (small + 1) % players else "0" for seat in range(players)]
    first = [(small + 2) % players + 1, *[2] * 3]
    params = {
        "betting": "nolimit", "bettingAbstraction": "fullgame", "numPlayers": players, "blind": " ".join(blinds),
        "firstPlayer": " ".join(map(str, first)), "stack": " ".join([str(chips)] * players), "numHoleCards": 2,
        "numBoardCards": "0 3 1 1", "numRounds": 4, "numRanks": 13, "numSuits": 4,
    }  # fmt: skip

    def choose(state: Any, legal: list[int]) -> list[int]:
        """In every second game nobody bets, so that it goes on to the last card. Nobody is left with less than the
        blind, who would be all in before he is asked again."""
        enough = [each for each in legal if f"Bet{chips - 1}" not in state.action_to_string(each)]
        return enough[:2] if seed % 2 else enough

    played = play("universal_poker", seed, params, choose=choose)
    cards = [said[-2].upper() + said[-1].upper() for said in played.chance]
    hands = [cards[2 * seat : 2 * seat + 2] for seat in range(players)]
    rest = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA" if rank + suit not in cards]
    board = cards[2 * players :]
    board += rest[3 : 8 - len(board)]
    order = [*deal_round(hands, 1), rest[0], *board[:3], rest[1], board[3], rest[2], board[4]]
    order += [card for card in rest if card not in order]
    match = begin("holdem", players, order, chips=chips)
    for move in played.moves:
        decision = match.decision
        assert decision is not None and decision.seat == move.seat
        stake, put = (count_chips(match, name)[move.seat] for name in ("stake", "put"))
        spoken: dict[str, str] = {}
        for action in decision.actions:
            name, _, bounds = action.text.partition(" ")
            if name in ("bet", "raise"):
                low, _, high = bounds.partition("..")
                for amount in range(int(low), int(high or low) + 1):
                    spoken[f"Bet{stake - put + amount}"] = f"{name} {amount}"
            elif name == "all_in":
                spoken[f"Bet{chips}"] = name
            else:
                spoken["Fold" if name == "fold" else "Call"] = name
        assert {each.split("=")[-1] for each in move.legal} == spoken.keys()
        match.apply(spoken[move.chosen.split("=")[-1]])
    assert match.is_over or match.rounds == 1
    purses = zip(count_chips(match, "purse"), count_chips(match, "stake"), strict=True)  # the next blinds may be in
    won = [purse + stake - chips for purse, stake in purses]
    assert sum(won) == 0
    assert all(abs(theirs - ours) < 1 for theirs, ours in zip(played.returns, won, strict=True))


def count_chips(match: hoyle.Match, name: str) -> list[int]:
    """What each seat has in a pot or a state that everybody sees."""
    return [int(each.value) for each in match.view(None).states if each.name == name]


def check_goofspiel(seed: int) -> None:
    players = 2 + seed % 2
    played = play("goofspiel", seed, {"players": players, "returns_type": "total_points"})
    prizes = [said.split()[-1] for said in played.chance]
    ranks = "A23456789TJQK"
    order = [ranks[int(prize) - 1] + "D" for prize in prizes]
    match = begin("goofspiel", players, order)
    suits = "CSH"
    for move in played.moves:
        legal = {f"bid {ranks[int(card)]}{suits[move.seat]}" for card in move.legal}
        make(match, move.seat, legal, f"bid {ranks[int(move.chosen)]}{suits[move.seat]}")
    while not match.is_over:
        decision = match.decision
        assert decision is not None and len(decision.actions) == 1
        match.apply(0)
    assert played.returns == list(match.scores)


def check_blackjack(seed: int) -> None:
    def choose(state: Any, legal: list[int]) -> list[int]:
        """Who has 21 stands: here he is not asked."""
        cards = str(state).split("Player 0: Cards: ")[1].split("\n")[0].split()
        return legal if total_of(cards) < 21 else [1]

    played = play("blackjack", seed, {}, choose=choose)
    asked = [move for move in played.moves if move.legal]
    hits = sum(move.chosen == "Hit" for move in asked)
    dealt = [("A" if card[1] == "A" else card[1]) + card[0] for card in played.chance]
    first, bank, later = dealt[:2], dealt[2:4], dealt[4:]
    order = [*first, bank[0], *later[:hits], bank[1], *later[hits:]]
    options = {"packs": 1, "deals": 1, "doubling": False, "splitting": False, "insurance": False}
    match = begin("blackjack", 1, order, **options)
    assert match.decision is not None
    match.apply("bet 10")
    for move in asked:
        assert move.legal == {"Hit", "Stand"}
        if match.is_over:
            assert move.chosen == "Stand"  # at 21
        else:
            make(match, 0, {"hit", "stand"}, move.chosen.lower())
    assert match.is_over
    won = match.scores[0] - 100
    mine, theirs = [*first, *later[:hits]], [*bank, *later[hits:]]
    totals = [total_of([turn_round(card) for card in held]) for held in (first, mine, bank, theirs)]
    natural, banks_natural = totals[0] == 21, totals[2] == 21
    if totals[1] == totals[3] == 21:
        assert played.returns == [0.0]
        assert won == (15 if natural and not banks_natural else -10 if banks_natural and not natural else 0)
    else:
        assert played.returns == [(won > 0) - (won < 0)]
        assert abs(won) in ((15,) if natural else (0, 10))


def total_of(cards: list[str]) -> int:
    pips = [1 if card[1] == "A" else 10 if card[1] in "TJQK" else int(card[1]) for card in cards]
    return sum(pips) + (10 if 1 in pips and sum(pips) <= 11 else 0)


def check_go_fish(seed: int) -> None:
    players = 2 + seed % 3
    ranks = "A23456789TJQK"
    size = 7 if players == 2 else 5

    def deal(state: Any, outcomes: list[int]) -> list[int]:
        """In every twentieth game the first player is dealt four of a rank."""
        dealt = state.history()
        return [dealt[0]] if seed % 20 == 0 and 0 < len(dealt) < 4 else outcomes

    played = play("go_fish", seed, {"players": players}, deal=deal)
    seen: dict[str, int] = {}
    dealt = []
    for said in played.chance:
        rank = ranks["abcdefghijklm".index(said[-1])]
        dealt.append(rank + "CDHS"[seen.get(rank, 0)])
        seen[rank] = seen.get(rank, 0) + 1
    hands, pond = split_deal(dealt, players, size)
    more = [card for hand in hands for card in hand[size:]]
    assert more or seed % 20  # the first player
    match = begin("go-fish", players, [*deal_round([hand[:size] for hand in hands], 0), *pond, *more], hand_size=size)
    deal_for_books(match, [hands[seat - 1] for seat in range(players)], size)
    for move in played.moves:
        seat = (move.seat + 1) % players
        pass_on(match)

        def say(said: str) -> str:
            return f"ask {(int(said[0]) + 1) % players} {ranks['abcdefghijklm'.index(said[1])]}"

        make(match, seat, {say(each) for each in move.legal}, say(move.chosen))
    pass_on(match)
    assert match.is_over
    assert sum(match.scores) == 13
    best = [match.scores[(seat + 1) % players] == max(match.scores) for seat in range(players)]
    share, loss = 1 / sum(best), -1 / max(players - sum(best), 1)
    assert all(best) or played.returns == pytest.approx([share if each else loss for each in best])


def split_deal(dealt: list[str], players: int, size: int) -> tuple[list[list[str]], list[str]]:
    """What each player is dealt by OpenSpiel, and the rest: four of a rank are laid down, and others dealt for them,
    unless the deal is over with the fourth."""
    hands: list[list[str]] = []
    rest = iter(dealt)
    for seat in range(players):
        hand: list[str] = []
        while (held := len(hand) - len(find_books(hand))) < size:
            hand.append(next(rest))
            if seat == players - 1 and held + 1 == size:
                break
        hands.append(hand)
    return hands, list(rest)


def find_books(hand: list[str]) -> list[str]:
    """The cards of which a hand has all four."""
    return [card for card in hand if sum(other[0] == card[0] for other in hand) == 4]


def deal_for_books(match: hoyle.Match, hands: list[list[str]], size: int) -> None:
    """Here a player who lays down a book at once goes on with what is left of his hand; he is given what OpenSpiel
    deals him for it, so that the games can go on together."""
    codes = [card.code for card in match.game.program.cards]
    zones = find_piles(match)
    for seat, hand in enumerate(hands):
        held, books = zones[f"hand.{seat}"], zones[f"books.{seat}"]
        assert {codes[card] for card in books} == set(find_books(hand[:size]))
        assert {codes[card] for card in held} == {*hand[:size]} - {*find_books(hand[:size])}
        for code in hand[size:]:
            zones["pond"].remove(codes.index(code))
            held.append(codes.index(code))
        for card in [codes.index(code) for code in find_books(hand)]:
            if card not in books:
                held.remove(card)
                books.append(card)


def pass_on(match: hoyle.Match) -> None:
    """Who can ask nobody passes here; in OpenSpiel it is the next player's turn without that."""
    while match.decision is not None and [action.text for action in match.decision.actions] == ["pass"]:
        match.apply("pass")


def check_hanabi(seed: int) -> None:
    players = 2 + seed % 4

    def choose(state: Any, legal: list[int]) -> list[int]:
        """In every second game no mistakes are made, so that it goes on to the last card."""
        lives = str(state).splitlines()[0]
        right = [each for each in legal if str(state.child(each)).startswith(lives)]
        return right if seed % 2 else legal

    played = play("hanabi", seed, {"players": players}, choose=choose)
    size = 5 if players < 4 else 4
    codes: list[str] = [turn_round(said.rstrip(")").split()[-1]) for said in played.chance]
    hands = [codes[seat * size : (seat + 1) * size] for seat in range(players)]
    game = load("hanabi", players, ())
    waiting: dict[str, list[int]] = {}
    for number, card in enumerate(game.program.cards):
        waiting.setdefault(card.code, []).append(number)
    order = [waiting[code].pop() for code in [*deal_round(hands, 0), *codes[players * size :]]]
    order += [number for left in waiting.values() for number in left]
    match = game.new(0, [order[::-1]])
    colours = {"R": "red", "Y": "yellow", "G": "green", "W": "white", "B": "blue"}
    for move in played.moves:
        seat = (move.seat + 1) % players
        held = len(find_piles(match)[f"hand.{seat}"])

        def say(said: str, seat: int = seat, held: int = held) -> str:
            words = said.strip("()").split()
            if words[0] in ("Play", "Discard"):  # they count from the oldest card, which is the lowest here
                return f"{words[0].lower()} {held - int(words[1])}"
            other, named = (seat + int(words[2])) % players, colours.get(words[4], words[4])
            return f"hint_{'colour' if words[3] == 'color' else 'rank'} {other} {named}"

        make(match, seat, {say(each) for each in move.legal}, say(move.chosen))
    assert match.is_over
    assert played.returns == match.scores


# ------------------------------------------------------------------------------------------------ melds
class GinRummy:
    """A deal played in both at once: the cards are those of a match here, the choices are made there."""

    def __init__(self, seed: int) -> None:
        import pyspiel

        self.match = load("gin-rummy", 2, (("target", 1000),)).new(seed)
        self.state = pyspiel.load_game("gin_rummy").new_initial_state()
        self.choose = random.Random(f"gin rummy {seed}").choice
        self.clever, self.patient = bool(seed % 4), seed % 4 == 3  # so that there are more knocks, and gin
        self.taken = ""
        self.laid_off = self.gin = False
        self.added: set[str] = set()
        lies = self.list_piles()
        self.chance = iter([*lies["hand.1"], *lies["hand.0"], *lies["pile"], *reversed(lies["pack"])])

    def list_piles(self) -> dict[str, list[str]]:
        codes = [card.code for card in self.match.game.program.cards]
        return {name: [codes[card] for card in pile] for name, pile in find_piles(self.match).items()}

    def list_ours(self, action: str) -> dict[frozenset[str], str]:
        """The choices of an action here, by the cards they tell of; nothing when the deal is over."""
        decision = self.match.decision
        if decision is None or self.match.rounds:
            return {}
        assert decision.seat == 1 - self.state.current_player()
        said = [each.text.split() for each in decision.actions]
        return {frozenset(each for each in words if len(each) == 2): " ".join(words)
                for words in said if words[0] == action}  # fmt: skip

    def list_theirs(self) -> dict[frozenset[str] | str, int]:
        """What is legal there: cards, alone or together, and other things by name."""
        found: dict[frozenset[str] | str, int] = {}
        for action in self.state.legal_actions():
            said = self.state.action_to_string(action).split("Action: ")[1]
            cards = frozenset(said[at : at + 2].upper() for at in range(0, len(said), 2))
            found[said if said.startswith(("Draw", "Pass", "Knock")) else cards] = action
        return found

    def play(self) -> None:
        state = self.state
        numbers = {state.action_to_string(each)[-2:].upper(): each for each in range(52)}
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(numbers[next(self.chance)])
                continue
            phase = next(line for line in str(state).splitlines() if line.startswith("Phase: ")).split()[1]
            getattr(self, f"do_{phase.lower()}")(self.list_theirs())
        self.compare_returns()

    def do_draw(self, theirs: dict[frozenset[str] | str, int]) -> None:
        names = {"Draw upcard": "take", "Draw stock": "draw", "Pass": "decline"}
        said = self.choose(sorted(theirs, key=str))
        assert isinstance(said, str)
        self.taken = self.list_piles()["pile"][-1] if said == "Draw upcard" else ""
        seat = 1 - self.state.current_player()
        make(self.match, seat, {names[str(each)] for each in theirs}, names[said])
        self.state.apply_action(theirs[said])

    do_firstupcard = do_draw

    def do_discard(self, theirs: dict[frozenset[str] | str, int]) -> None:
        after = self.state.child(theirs["Knock"]) if "Knock" in theirs else None
        low = set(after.legal_actions()) if after is not None else set()
        held = {cards: number for cards, number in theirs.items() if cards not in ("Knock", frozenset({self.taken}))}
        knocks = self.list_ours("knock")
        if after is None:
            assert all(self.weigh(theirs[cards]) <= 10 for cards in knocks)  # by their own count
        else:
            assert knocks.keys() == {cards for cards, number in held.items() if number in low}
        lightest = 0 if self.patient else 10 if after is not None else -1
        wanted = [cards for cards in sorted(knocks, key=sorted) if self.weigh(theirs[cards]) <= lightest]
        if wanted and self.choose((True, False)):
            cards = self.choose(wanted)
            self.state.apply_action(theirs["Knock"])
            self.match.apply(knocks[cards])
        else:
            if knocks:
                self.match.apply("decline")
            discards = self.list_ours("discard")
            assert discards.keys() == held.keys()
            order = sorted(discards, key=lambda cards: (self.weigh(theirs[cards]), min(cards)))
            cards = self.choose(order[:2] if self.clever else order)
            self.match.apply(discards[cards])
        self.state.apply_action(theirs[cards])

    def weigh(self, discard: int) -> int:
        """What they count as unmatched after a discard."""
        told = str(self.state.child(discard)).split(f"Player{self.state.current_player()}: Deadwood=")[1]
        return int(told.split()[0])

    def do_wall(self, theirs: dict[frozenset[str] | str, int]) -> None:
        assert theirs.keys() <= {"Pass", "Knock"}
        assert self.match.rounds == 1
        self.state.apply_action(theirs["Pass"])

    def do_knock(self, theirs: dict[frozenset[str] | str, int]) -> None:
        self.lay_out(theirs, self.state.current_player())

    def do_layoff(self, theirs: dict[frozenset[str] | str, int]) -> None:
        if self.laid_off or self.gin:
            self.lay_out(theirs, self.state.current_player())
            return
        ours = self.list_ours("lay_off")
        assert theirs.keys() <= {*ours, "Pass"}
        assert all(self.is_third(min(cards)) for cards in ours if cards not in theirs)
        cards = self.choose(sorted(theirs, key=str))
        self.laid_off = cards == "Pass"
        if isinstance(cards, frozenset):
            piles, added = self.list_piles(), [each for each in self.list_added() if min(cards) in each.split()]
            runs = [each for each in added if len({card[1] for card in piles[each.split()[-1]]}) == 1]
            self.match.apply((runs or added)[0])
            self.added.add(min(cards))
        self.state.apply_action(theirs[cards])

    def list_added(self) -> list[str]:
        assert self.match.decision is not None
        return [each.text for each in self.match.decision.actions if each.text.startswith("lay_off")]

    def is_third(self, card: str) -> bool:
        """Whether two cards that were laid off lie between a run and this one."""
        ranks = "A23456789TJQK"
        near = [[ranks.find(card[0]) + step * sign for step in (1, 2)] for sign in (1, -1)]
        return any(all(0 <= at < 13 and ranks[at] + card[1] in self.added for at in each) for each in near)

    def lay_out(self, theirs: dict[frozenset[str] | str, int], player: int) -> None:
        if self.match.rounds or not self.list_piles()[f"hand.{1 - player}"]:  # nothing is asked any more
            assert theirs.keys() == {"Pass"}
            self.gin = True
            self.state.apply_action(theirs["Pass"])
            return
        ours = {cards: said for cards, said in self.list_ours("meld").items() if len(cards) <= 5}
        assert ours.keys() | ({"Pass"} if self.list_ours("done") else set()) == theirs.keys()
        cards = self.choose(sorted(ours if self.clever and ours else theirs, key=str))
        self.match.apply(ours[cards] if isinstance(cards, frozenset) else "done")
        self.state.apply_action(theirs[cards])

    def compare_returns(self) -> None:
        returns, scores = self.state.returns(), self.match.scores
        if "meld" not in str(self.state) and not self.match.rounds:
            assert returns == [0, 0]  # the pile was taken from too often
        elif any(returns) or not any(scores):
            assert returns == [scores[1] - scores[0], scores[0] - scores[1]]
        else:
            assert sorted(scores) == [0, 25]


def check_gin_rummy(seed: int) -> None:
    GinRummy(seed).play()


# ------------------------------------------------------------------------------------------------ patience
def check_klondike(seed: int) -> None:
    """The cards are those of a match here; the choices are made there."""
    import pyspiel

    game = load("klondike", 1, (("most_moves", 5000),))
    position = game.new(seed).position
    state = pyspiel.load_game("solitaire").new_initial_state()
    numbers = {say_patience(state.action_to_string(each)[len("Reveal") :]): each for each in range(1, 53)}
    choose, shown = random.Random(f"klondike {seed}").choice, set[str]()
    while not state.is_terminal():
        lies = Patience(game, position)
        if state.is_chance_node():
            card = next(card for card in [*itertools.chain(*lies.columns), *lies.talon] if card not in shown)
            shown.add(card)
            state.apply_action(numbers[card])
            continue
        assert position.over == (len(lies.home) == 52)
        ours = {} if position.over else offer_patience(game, position, lies)
        skipped = {pair for pair in ours if pair[1] in lies.talon and lies.talon.index(pair[1]) % 3}
        idle = {pair for pair in ours if not pair[0] and pair[1] in (*lies.home, *lies.uncovered)}
        theirs = ours.keys() - skipped - idle
        legal = state.legal_actions()
        said = {each: state.action_to_string(each) for each in legal}
        if not theirs:
            assert list(said.values()) == ["kEnd"]
            break
        assert {split_patience(each) for each in said.values()} == theirs
        better = [each for each in legal if state.child(each).returns() > state.returns()]
        action = choose(better if seed % 2 and better else legal)
        position = ours[split_patience(said[action])]
        state.apply_action(action)
        assert state.returns() == [Patience(game, position).count_points()]
    assert game.executor.list_scores(position) == [len(Patience(game, position).home)]


class Patience:
    """How the cards of a game of Klondike lie, from the bottom up; the talon is all that will be drawn, in order."""

    def __init__(self, game: hoyle.Game, position: Position) -> None:
        cards: dict[str, list[list[str]]] = {}
        for (zone, _), pile in zip(game.names.zones, position.zones, strict=True):
            cards.setdefault(zone.name, []).append([game.names.name_card(card) for card in pile])
        (stock,), (waste,) = cards["stock"], cards["waste"]
        self.columns, self.covered, self.foundations = cards["column"], cards["covered"], cards["foundation"]
        self.talon = waste + stock[::-1]
        self.home = [card for pile in self.foundations for card in pile]
        pairs = zip(self.columns, self.covered, strict=True)
        self.uncovered = [column[0] for column, covered in pairs if column and not covered]

    def count_points(self) -> int:
        """What OpenSpiel counts: 20 for each card taken from the stock or uncovered, and more for cards at home."""
        taken, found = 24 - len(self.talon), 21 - sum(map(len, self.covered))
        worth = {rank: max(100 - 10 * place, 10) for place, rank in enumerate("A23456789TJQK")}
        return 20 * (taken + found) + sum(worth[card[0]] for card in self.home)


def offer_patience(game: hoyle.Game, position: Position, lies: Patience) -> dict[tuple[str, str], Position]:
    """All that can be done while the stock is gone through once: where a card goes, the card, and what comes of it."""
    executor, actions = game.executor, game.program.actions
    found: dict[tuple[str, str], Position] = {}
    here = position.copy()
    for _ in range(len(lies.talon) + 1):
        turned = None
        for choice in executor.list_legal(here):
            name, *picks = actions[choice[0]].name, *choice[1:]
            if name in ("draw", "turn_waste"):
                turned = choice
                continue
            if name == "give_up":  # nothing else is left
                continue
            card = game.names.name_card(picks[0])
            if name == "put_up":
                pile = lies.foundations["CDHS".index(card[1])]
                pair = pile[-1] if pile else card[1], card
            else:
                assert name == "build"
                pile = lies.columns[int(game.names.zone_values[picks[1]][0])]
                pair = pile[-1] if pile else "", card
            if pair not in found:
                found[pair] = here.copy()
                executor.advance(found[pair], choice)
        assert (turned is None) == (not lies.talon)
        if turned is not None:
            executor.advance(here, turned)
    return found


def say_patience(said: str) -> str:
    signs = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
    return "" if said == "🂿" else "".join(signs.get(each, each) for each in said)


def split_patience(said: str) -> tuple[str, str]:
    """Where a card goes, and the card."""
    target, _, card = said.partition(" ← ")
    return say_patience(target), say_patience(card)


CHECKS: dict[str, Callable[[int], None]] = {
    "hearts": check_hearts, "spades": check_spades, "oh-hell": check_oh_hell, "euchre": check_euchre,
    "bridge": check_bridge, "skat": check_skat, "crazy-eights": check_crazy_eights, "kuhn-poker": check_kuhn,
    "leduc-poker": check_leduc, "holdem": check_holdem, "goofspiel": check_goofspiel, "blackjack": check_blackjack,
    "go-fish": check_go_fish, "dou-dizhu": check_dou_dizhu, "hanabi": check_hanabi,
    "klondike": check_klondike, "gin-rummy": check_gin_rummy,
}  # fmt: skip


def split(games: int) -> Iterator[range]:
    yield from (range(chunk, games, CHUNKS) for chunk in range(CHUNKS))


@pytest.mark.parametrize("seeds", list(split(GAMES)), ids=lambda seeds: f"from {seeds.start}")
@pytest.mark.parametrize("name", CHECKS)
def test_a_game_goes_as_in_openspiel(name: str, seeds: range) -> None:
    for seed in seeds:
        CHECKS[name](seed)
