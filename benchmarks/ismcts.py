"""Bots against OpenSpiel's ISMCTS bot, at Hearts or Euchre, in duplicate deals.

    python -m benchmarks ismcts --game hearts --deals 100 --seconds 0.25
    python -m benchmarks ismcts --game euchre --deals 200 --iterations 500 --simulations 4000

OpenSpiel deals and keeps the score, mirrored by a match with the same cards and choices. Each deal is played twice with
seats exchanged; our bots sit opposite each other. Both sides get the same time per move, or fixed numbers of
iterations, which is fairer on a busy machine; their CPU times are reported.

Hearts is played without passing. At Euchre the dealer must name a suit, so that every deal is played, and may not
discard the card just taken. There OpenSpiel's search has an advantage: its determinizations use the same twenty cards,
so that it knows the undealt ones.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, ClassVar

import hoyle
from hoyle.lab.bots.search import SearchBot
from hoyle.lab.sim.intervals import mean_interval
from hoyle.play.engine.decision import Decision
from hoyle.program.model.chance import derive_seed

SEATS = 4
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@dataclass(frozen=True, slots=True)
class Thought:
    """The budget per move: seconds, or iterations of our bot and simulations of OpenSpiel's."""

    seconds: float | None
    iterations: int | None
    simulations: int


@dataclass(frozen=True, slots=True)
class Deal:
    """The result of one deal: our margin from both pairs of seats, and moves and seconds of both sides."""

    number: int
    margins: tuple[float, ...]
    moves: tuple[int, int]
    seconds: tuple[float, float]


@cache
def load_game(name: str) -> hoyle.Game:
    options = {"euchre": {"stick": True, "target": 15}, "hearts": {"passing": False, "limit": 500}}
    return hoyle.load(name, options=options[name])


class Table:
    """A deal in both programs. Our bots are at OpenSpiel's seats `first` and opposite; `dealer` is OpenSpiel's seat
    that corresponds to seat 0 here."""

    name = ""
    params: ClassVar[dict[str, Any]] = {}
    exploration = 1.0  # exploration constant of OpenSpiel's search, about the score range of a deal

    def __init__(self, seed: int, first: int, thought: Thought) -> None:
        import pyspiel

        chance = random.Random(seed)
        self.theirs: Any = pyspiel.load_game(self.name, self.params).new_initial_state()
        dealt: list[str] = []
        while self.theirs.is_chance_node():
            outcomes = [outcome for outcome, _ in self.theirs.chance_outcomes()]
            outcome = self.draw(chance, outcomes, first=not dealt)
            dealt.append(self.theirs.action_to_string(outcome))
            self.theirs.apply_action(outcome)
        self.dealer = 0
        game = load_game(self.name)
        codes = {card.code: number for number, card in enumerate(game.program.cards)}
        self.match = game.new(0, [[codes[card] for card in reversed(self.order(dealt))]])
        self.first = first
        self.ours = [SearchBot(derive_seed(seed, seat), thought.iterations, thought.seconds) for seat in range(SEATS)]
        self.bots = [
            pyspiel.ISMCTSBot(
                derive_seed(seed, seat) % (1 << 31), pyspiel.RandomRolloutEvaluator(1, seed % (1 << 31)),
                self.exploration, thought.simulations, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False,
                False, thought.seconds or -1.0,
            )
            for seat in range(SEATS)
        ]  # fmt: skip
        self.moves, self.seconds = [0, 0], [0.0, 0.0]

    def draw(self, chance: random.Random, outcomes: list[int], *, first: bool) -> int:
        return chance.choice(outcomes)

    def order(self, dealt: list[str]) -> list[str]:
        """Convert the cards to the order of dealing here."""
        raise NotImplementedError

    def say(self, state: Any, action: int, decision: Decision) -> str:
        """Convert an action of OpenSpiel to its text here."""
        raise NotImplementedError

    def play(self) -> float:
        """Play the deal; return the margin of our bots."""
        while not self.theirs.is_terminal():
            decision = self.match.decision
            assert decision is not None
            self.take_turn(decision)
        returns: list[float] = self.theirs.returns()
        ours = [returns[seat] for seat in range(SEATS) if self._is_ours(seat)]
        others = [returns[seat] for seat in range(SEATS) if not self._is_ours(seat)]
        return sum(ours) / len(ours) - sum(others) / len(others)

    def take_turn(self, decision: Decision) -> None:
        self.move(self.theirs.current_player(), self.choose(self.theirs, decision))

    def _is_ours(self, seat: int) -> bool:
        return (seat - self.first) % 2 == 0

    def choose(self, state: Any, decision: Decision) -> int:
        """Let the deciding side choose; return the action of OpenSpiel."""
        seat, legal = state.current_player(), state.legal_actions()
        if len(legal) == 1:
            found: int = legal[0]
            return found
        said = {self.say(state, action, decision): action for action in legal}
        began = time.process_time()
        if self._is_ours(seat):
            left = replace(decision, actions=[each for each in decision.actions if each.text in said])
            bot = self.ours[decision.seat]
            answer = bot.choose(left, partial(self.match.standpoint, decision.seat))
            found = said[answer.text if not isinstance(answer, int) else left.actions[answer].text]
        else:
            found = self.bots[seat].step(state)
        who = int(not self._is_ours(seat))
        self.seconds[who] += time.process_time() - began
        self.moves[who] += 1
        return found

    def move(self, seat: int, action: int) -> None:
        decision = self.match.decision
        assert decision is not None and decision.seat == (seat - self.dealer) % SEATS
        self.match.apply(self.say(self.theirs, action, decision))
        self.theirs.apply_action(action)


class Hearts(Table):
    name = "hearts"
    params: ClassVar[dict[str, Any]] = {"qs_breaks_hearts": False}
    exploration = 10.0

    def draw(self, chance: random.Random, outcomes: list[int], *, first: bool) -> int:
        return 0 if first else chance.choice(outcomes)  # the first chance node is the passing direction: none

    def order(self, dealt: list[str]) -> list[str]:
        cards = [card for card in dealt if len(card) == 2]
        hands = [cards[seat::SEATS] for seat in range(SEATS)]
        return [hands[seat][turn] for turn in range(len(hands[0])) for seat in (1, 2, 3, 0)]

    def say(self, state: Any, action: int, decision: Decision) -> str:
        return f"play_card {state.action_to_string(state.current_player(), action)}"


class Euchre(Table):
    name = "euchre"
    params: ClassVar[dict[str, Any]] = {"stick_the_dealer": True}
    exploration = 2.0

    def order(self, dealt: list[str]) -> list[str]:
        self.dealer = "NESW".index(dealt[0])
        cards = [card[1] + card[0] for card in dealt[1:]]
        hands = [cards[:20][seat::SEATS] for seat in range(SEATS)]
        self.turned = cards[20]
        order = (1, 2, 3, 0)
        pack = [card for seat in order for card in hands[seat][:3]]
        return [*pack, *(card for seat in order for card in hands[seat][3:]), self.turned]

    def take_turn(self, decision: Decision) -> None:
        if decision.actions[0].name == "go_alone":
            self._decide_alone(decision)
        else:
            super().take_turn(decision)

    def _decide_alone(self, decision: Decision) -> None:
        """In OpenSpiel the dealer discards before the maker decides whether to go alone, here after it. Neither learns
        anything useful from the other's choice, so the maker is asked first."""
        dealer, asked = self.theirs.current_player(), self.theirs.clone()
        if not _asks_alone(asked):
            asked.apply_action(asked.legal_actions()[0])
        alone = self.choose(asked, decision)
        lays_away = not _asks_alone(self.theirs)
        self.match.apply(self.say(asked, alone, decision))
        if lays_away:
            after = self.match.decision
            assert after is not None
            self.move(dealer, self.choose(self.theirs, after))
        self.theirs.apply_action(alone)

    def say(self, state: Any, action: int, decision: Decision) -> str:
        said = state.action_to_string(state.current_player(), action)
        if said in ("Pass", "Partner", "Alone"):
            return {"Pass": "pass", "Partner": "decline", "Alone": "go_alone"}[said]
        if said.lower() in SUITS.values():
            return "order_up" if said.lower() == SUITS[self.turned[1].lower()] else f"name_trump {said.lower()}"
        return f"{decision.actions[0].name} {said[1] + said[0]}"


TABLES: dict[str, type[Table]] = {table.name: table for table in (Hearts, Euchre)}


def _asks_alone(state: Any) -> bool:
    seat = state.current_player()
    return "Alone" in {state.action_to_string(seat, action) for action in state.legal_actions()}


def play_deals(name: str, deals: int, seed: int, thought: Thought) -> Iterator[Deal]:
    """Play deals of a game, each from both pairs of seats."""
    for number in range(deals):
        tables = [TABLES[name](derive_seed(seed, number), first, thought) for first in (0, 1)]
        margins = tuple(table.play() for table in tables)
        moves = [sum(table.moves[who] for table in tables) for who in (0, 1)]
        spent = [sum(table.seconds[who] for table in tables) for who in (0, 1)]
        yield Deal(number, margins, (moves[0], moves[1]), (spent[0], spent[1]))


def write_deals(found: list[Deal]) -> str:
    """Format our mean margin in points per game, with its 95 % confidence interval."""
    means = [sum(deal.margins) / len(deal.margins) for deal in found]
    mean = sum(means) / len(means)
    low, high = mean_interval(len(means), sum(means), sum(each * each for each in means))
    played = [margin for deal in found for margin in deal.margins]
    share = sum(0.5 + 0.5 * (margin > 0) - 0.5 * (margin < 0) for margin in played) / len(played)
    paces = [
        1000 * sum(deal.seconds[who] for deal in found) / max(1, sum(deal.moves[who] for deal in found))
        for who in (0, 1)
    ]
    return (
        f"{len(played)} games of {len(found)} deals: {mean:+.3f} points a game for ours "
        f"(95 %: {low:+.3f} to {high:+.3f}), {100 * share:.1f} % won; "
        f"{paces[0]:.0f} and {paces[1]:.0f} ms of the processor a move"
    )
