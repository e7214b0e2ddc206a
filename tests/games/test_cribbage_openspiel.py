"""Cribbage against OpenSpiel's: random games replayed move by move, legal plays and every score equal.

OpenSpiel departs from the rules in two ways, and both are asserted here, not passed over:

- it scores 4 for four cards of one suit in the crib, without the start card;
- it goes on scoring after somebody has 121.

For the second, each game is also played with a target nobody reaches, which must agree with OpenSpiel to its last
score; the game to 121 must then be the beginning of that one, up to the first score that brings somebody to 121.
"""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass, field
from typing import Any

import pytest

import hoyle

pytestmark = pytest.mark.slow

GAMES = 1_200
CHUNKS = 12
OUT, NEVER = 121, 999


@functools.cache
def load_game(target: int) -> hoyle.Game:
    return hoyle.load("cribbage", options={"target": target})


@functools.cache
def find_codes() -> dict[str, int]:
    return {card.code: number for number, card in enumerate(load_game(OUT).program.cards)}


@dataclass
class Move:
    """A choice of OpenSpiel's: what was legal, what was chosen, and the scores before it. No card: a pass."""

    seat: int
    legal: frozenset[tuple[str, ...]]
    cards: tuple[str, ...]
    scores: tuple[int, int]


@dataclass
class Deal:
    dealer: int
    hands: tuple[list[str], list[str]]
    start: str = ""
    moves: list[Move] = field(default_factory=list)
    after: tuple[int, int] = (0, 0)  # the scores when the deal was over

    @property
    def crib(self) -> list[str]:
        return [card for move in self.moves[:2] for card in move.cards]

    @property
    def crib_flush(self) -> int:
        """What OpenSpiel gives the dealer for four cards of one suit in the crib, against the rules."""
        suits = {card[-1] for card in self.crib}
        return 4 if len(suits) == 1 and self.start[-1] not in suits else 0


def read_scores(state: Any) -> tuple[int, int]:
    line = next(line for line in str(state).splitlines() if line.startswith("Scores:"))
    first, second = line.split()[1:]
    return int(first), int(second)


def read_cards(state: Any, action: int) -> tuple[str, ...]:
    said = state.action_to_string(action).split()
    return tuple(sorted(said[1:])) if said[0] == "Choose" else ()


def play_openspiel(seed: int) -> list[Deal]:
    """A random game as OpenSpiel plays it, deal by deal."""
    import pyspiel  # installed by `make verify` (the extra `proof`)

    chance = random.Random(seed)
    state = pyspiel.load_game("cribbage").new_initial_state()
    deals: list[Deal] = []
    cards_out = 0
    while not state.is_terminal():
        if state.is_chance_node():
            action = chance.choice([outcome for outcome, _ in state.chance_outcomes()])
            card = state.action_to_string(action).split()[-1]
            if cards_out == 0:
                dealer = next(line for line in str(state).splitlines() if line.startswith("Dealer:"))
                if deals:
                    deals[-1].after = read_scores(state)
                deals.append(Deal(int(dealer.split()[-1]), ([], [])))
            if cards_out == 12:
                deals[-1].start = card
            else:
                deals[-1].hands[cards_out // 6].append(card)
            cards_out = (cards_out + 1) % 13
        else:
            legal = state.legal_actions()
            action = chance.choice(legal)
            deals[-1].moves.append(
                Move(
                    state.current_player(),
                    frozenset(read_cards(state, each) for each in legal),
                    read_cards(state, action),
                    read_scores(state),
                )
            )
        state.apply_action(action)
    deals[-1].after = read_scores(state)
    return deals


def make_script(deals: list[Deal]) -> list[Any]:
    """The chance of the game: the first dealer, then for each deal the order of the pack and the start card."""
    codes = find_codes()
    script: list[Any] = [deals[0].dealer]
    for deal in deals:
        other = 1 - deal.dealer
        dealt = [deal.hands[seat][turn] for turn in range(6) for seat in (other, deal.dealer)]
        script.append([codes[card] for card in reversed(dealt)])
        script.append(codes[deal.start] if deal.start else "random")
    return [part for part in script if part != "random"]


def list_scores(match: hoyle.Match) -> list[tuple[int | None, int]]:
    return [(event.seat, event.data["amount"]) for event in match.events if event.name == "scored"]


class Replay:
    """One game replayed by the rule file with a target nobody reaches, compared as it goes."""

    def __init__(self, deals: list[Deal]) -> None:
        self.deals = deals
        self.match = load_game(NEVER).new(0, make_script(deals))
        self.extra = [0, 0]  # what OpenSpiel has given for four cards of one suit in the crib
        self.compared = 0
        self.told = 0  # how many events there were before the last choice

    def run(self) -> None:
        for number, deal in enumerate(self.deals):
            for move in deal.moves:
                self.make(move)
            shown = self.match.rounds > number
            played = self.add_up(since_choice=("peg", "his heels"))
            by_card = deal is self.deals[-1] and deal.moves[-1].cards and not self.shows_at_once(shown)
            if by_card and self.is_out(played):
                # OpenSpiel ends with this card or start card, before the last card is pegged and the hands are shown.
                self.compare(deal.after, played)
                return
            if shown:
                self.extra[deal.dealer] += deal.crib_flush
            self.compare(deal.after, self.match.scores)

    def shows_at_once(self, shown: bool) -> bool:
        """Whether the last card made thirty-one: OpenSpiel then goes on to the show without anybody passing."""
        return shown and any(event.data.get("label") == "thirty one" for event in self.match.events[self.told :])

    def is_out(self, totals: list[int]) -> bool:
        return any(total + extra >= OUT for total, extra in zip(totals, self.extra, strict=True))

    def add_up(self, since_choice: tuple[str, ...]) -> list[int]:
        """The totals, of what was scored since the last choice only that of these tables or labels."""
        totals = [0, 0]
        for number, event in enumerate(self.match.events):
            if event.name == "scored" and event.seat is not None:
                said = event.data.get("table") or event.data["label"]
                if number < self.told or said in since_choice:
                    totals[event.seat] += event.data["amount"]
        return totals

    def make(self, move: Move) -> None:
        decision = self.match.decision
        assert decision is not None
        if not move.cards:
            # OpenSpiel lets everybody pass who cannot play; here a round of play is over when nobody can, and whoever
            # has no cards is not asked.
            assert move.legal == {()}
            if decision.seat == move.seat and [action.text for action in decision.actions] == ["go"]:
                self.told = len(self.match.events)
                self.match.apply("go")
            return
        self.compare(move.scores, self.match.scores)
        assert decision.seat == move.seat
        legal = {tuple(sorted(action.text.split()[1:])) for action in decision.actions}
        assert legal == move.legal
        self.told = len(self.match.events)
        self.match.apply(" ".join([decision.actions[0].text.split()[0], *move.cards]))

    def compare(self, theirs: tuple[int, int], ours: list[int]) -> None:
        assert tuple(map(sum, zip(ours, self.extra, strict=True))) == theirs
        self.compared += 1


def play_to_121(deals: list[Deal], choices: list[str]) -> hoyle.Match:
    match = load_game(OUT).new(0, make_script(deals))
    for choice in choices:
        if match.is_over:
            break
        match.apply(choice)
    return match


def check_game(seed: int) -> tuple[int, bool, bool, bool]:
    """Replay one game; the points given for cribs of one suit, whether OpenSpiel scored on after 121, whether its
    winner was another, and whether the points for a crib brought it to an end."""
    deals = play_openspiel(seed)
    replay = Replay(deals)
    replay.run()
    assert replay.compared > len(deals)
    ours = play_to_121(deals, replay.match.history)
    without_end, to_121 = list_scores(replay.match), list_scores(ours)
    assert to_121 == without_end[: len(to_121)]
    totals = [0, 0]
    for number, (seat, amount) in enumerate(to_121, start=1):
        assert seat is not None
        totals[seat] += amount
        # Nothing is scored after somebody is out, and the match is over as soon as somebody is.
        assert (max(totals) >= OUT) == (ours.is_over and number == len(to_121))
    assert ours.scores == totals
    final = deals[-1].after
    theirs = max((0, 1), key=lambda seat: final[seat])
    if not ours.is_over:
        assert max(final) >= OUT > max(ours.scores), "OpenSpiel ended before anybody was out by the rules"
        assert sum(replay.extra) > 0
        return sum(replay.extra), False, False, True
    scored_on = len(without_end) > len(to_121)
    return sum(replay.extra), scored_on, scored_on and ours.winners != [theirs], False


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_agree_but_for_the_crib_flush_and_scoring_on_after_121(chunk: int) -> None:
    size = GAMES // CHUNKS
    found = [check_game(seed) for seed in range(chunk * size, (chunk + 1) * size)]
    assert any(extra for extra, *_ in found), "no crib of one suit in all these games"
    assert any(scored_on for _, scored_on, *_ in found), "OpenSpiel stopped at 121 in all these games"


def test_openspiel_scores_four_of_one_suit_in_the_crib_and_the_rules_do_not() -> None:
    """One such deal, found among random ones, with the points it makes the difference of."""
    games = (play_openspiel(seed) for seed in range(10_000))
    deals = next(deals for deals in games if any(deal.crib_flush for deal in deals[:-1]))
    number = next(number for number, deal in enumerate(deals) if deal.crib_flush)
    replay = Replay(deals[: number + 1])
    replay.run()
    dealer = deals[number].dealer
    assert deals[number].after[dealer] - replay.match.scores[dealer] == 4
    assert deals[number].after[1 - dealer] == replay.match.scores[1 - dealer]


def test_openspiel_can_give_the_win_to_another_than_the_first_to_121() -> None:
    assert any(other for seed in range(200) for *_, other, _ in [check_game(seed)])
