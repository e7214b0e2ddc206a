"""Bots against OpenSpiel's information-set search, at Euchre, deal by deal, side by side.

    python -m benchmarks ismcts --deals 200 --seconds 0.25
    python -m benchmarks ismcts --deals 200 --iterations 500 --simulations 6000

OpenSpiel deals and keeps the score; a match here is dealt the same cards and is made the same choices. Each deal is
played twice, with the sides exchanged. Both think as long a move, or so many iterations; on a machine with other work
the latter is fairer, and the processor's time that they took is told. Where the rules differ both play the stricter:
the dealer may not lay away the card he has just taken. The dealer sticks, so that every deal is played.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import hoyle
from hoyle.bots.search import SearchBot
from hoyle.engine.decision import Decision
from hoyle.model.chance import derive_seed

SEATS = 4
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
EXPLORATION = 2.0  # of its search: about what a deal brings


@dataclass(frozen=True, slots=True)
class Thought:
    """How much both think a move: seconds, or iterations of ours and simulations of theirs."""

    seconds: float | None
    iterations: int | None
    simulations: int
    exploration: float = EXPLORATION


@dataclass(frozen=True, slots=True)
class Deal:
    """What our side gained over the other in one deal, with each pair of seats; moves and seconds of both."""

    number: int
    margins: tuple[float, ...]
    moves: tuple[int, int]
    seconds: tuple[float, float]


@cache
def load_game() -> hoyle.Game:
    return hoyle.load("euchre", options={"stick": True, "target": 15})


def turn_round(card: str) -> str:
    """A card as it is written here: rank first."""
    return card[1] + card[0] if card[0] in "CDHS" else card


class Table:
    """A deal at both tables. `first` is OpenSpiel's seat whose side is ours."""

    def __init__(self, seed: int, first: int, thought: Thought) -> None:
        import pyspiel

        chance = random.Random(seed)
        self.theirs: Any = pyspiel.load_game("euchre", {"stick_the_dealer": True}).new_initial_state()
        dealt = []
        while self.theirs.is_chance_node():
            outcome = chance.choice([outcome for outcome, _ in self.theirs.chance_outcomes()])
            dealt.append(self.theirs.action_to_string(outcome))
            self.theirs.apply_action(outcome)
        self.dealer = "NESW".index(dealt[0])
        cards = [turn_round(card) for card in dealt[1:]]
        hands = [cards[:20][seat::SEATS] for seat in range(SEATS)]
        order = (1, 2, 3, 0)
        pack = [card for seat in order for card in hands[seat][:3]]
        pack += [card for seat in order for card in hands[seat][3:]]
        self.turned = cards[20]
        game = load_game()
        codes = {card.code: number for number, card in enumerate(game.program.cards)}
        self.match = game.new(0, [[codes[card] for card in reversed([*pack, self.turned])]])
        self.first = first
        self.ours = [SearchBot(derive_seed(seed, seat), thought.iterations, thought.seconds) for seat in range(SEATS)]
        self.bots = [
            pyspiel.ISMCTSBot(
                derive_seed(seed, seat) % (1 << 31), pyspiel.RandomRolloutEvaluator(1, seed % (1 << 31)),
                thought.exploration, thought.simulations, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False,
                False, thought.seconds or -1.0,
            )
            for seat in range(SEATS)
        ]  # fmt: skip
        self.moves, self.seconds = [0, 0], [0.0, 0.0]

    def play(self) -> float:
        """Play the deal; what our side gained."""
        while not self.theirs.is_terminal():
            decision = self.match.decision
            assert decision is not None
            if decision.actions[0].name == "go_alone":
                self._decide_alone(decision)
            else:
                self._move(self.theirs.current_player(), self._choose(self.theirs, decision))
        found: float = self.theirs.returns()[self.first]
        return found

    def _decide_alone(self, decision: Decision) -> None:
        """There the dealer lays away a card before the maker says whether he plays alone, here after it. Neither sees
        of the other's choice what could tell him anything, so that the maker is asked first."""
        dealer, asked = self.theirs.current_player(), self.theirs.clone()
        if not self._asks_alone(asked):
            asked.apply_action(asked.legal_actions()[0])
        alone = self._choose(asked, decision)
        laid_away = not self._asks_alone(self.theirs)
        self.match.apply(self._say(asked, alone, decision))
        if laid_away:
            after = self.match.decision
            assert after is not None
            self._move(dealer, self._choose(self.theirs, after))
        self.theirs.apply_action(alone)

    @staticmethod
    def _asks_alone(state: Any) -> bool:
        seat = state.current_player()
        return "Alone" in {state.action_to_string(seat, action) for action in state.legal_actions()}

    def _choose(self, state: Any, decision: Decision) -> int:
        """What whoever is to choose takes, as an action of OpenSpiel's."""
        seat, legal = state.current_player(), state.legal_actions()
        if len(legal) == 1:
            found: int = legal[0]
            return found
        said = {self._say(state, action, decision): action for action in legal}
        is_ours = (seat - self.first) % 2 == 0
        began = time.process_time()
        if is_ours:
            left = replace(decision, actions=[each for each in decision.actions if each.text in said])
            bot = self.ours[decision.seat]
            answer = bot.choose(left, partial(self.match.standpoint, decision.seat))
            found = said[answer.text if not isinstance(answer, int) else left.actions[answer].text]
        else:
            found = self.bots[seat].step(state)
        self.seconds[not is_ours] += time.process_time() - began
        self.moves[not is_ours] += 1
        return found

    def _move(self, seat: int, action: int) -> None:
        decision = self.match.decision
        assert decision is not None and decision.seat == (seat - self.dealer) % SEATS
        self.match.apply(self._say(self.theirs, action, decision))
        self.theirs.apply_action(action)

    def _say(self, state: Any, action: int, decision: Decision) -> str:
        """An action of OpenSpiel's as it is written here."""
        said = state.action_to_string(state.current_player(), action)
        if said in ("Pass", "Partner", "Alone"):
            return {"Pass": "pass", "Partner": "decline", "Alone": "go_alone"}[said]
        if said.lower() in SUITS.values():
            return "order_up" if said.lower() == SUITS[self.turned[1].lower()] else f"name_trump {said.lower()}"
        return f"{decision.actions[0].name} {turn_round(said)}"


def play_deals(deals: int, seed: int, thought: Thought) -> Iterator[Deal]:
    for number in range(deals):
        tables = [Table(derive_seed(seed, number), first, thought) for first in (0, 1)]
        margins = tuple(table.play() for table in tables)
        moves = tables[0].moves[0] + tables[1].moves[0], tables[0].moves[1] + tables[1].moves[1]
        spent = tables[0].seconds[0] + tables[1].seconds[0], tables[0].seconds[1] + tables[1].seconds[1]
        yield Deal(number, margins, moves, spent)


def write_deals(found: list[Deal]) -> str:
    """The points a deal that our side gained over the other, with an interval of 95 %."""
    means = [sum(deal.margins) / len(deal.margins) for deal in found]
    mean = sum(means) / len(means)
    spread = math.sqrt(sum((each - mean) ** 2 for each in means) / max(1, len(means) - 1) / len(means))
    played = [margin for deal in found for margin in deal.margins]
    share = sum(0.5 + 0.5 * (margin > 0) - 0.5 * (margin < 0) for margin in played) / len(played)
    paces = [
        1000 * sum(deal.seconds[who] for deal in found) / max(1, sum(deal.moves[who] for deal in found))
        for who in (0, 1)
    ]
    return (
        f"{len(played)} games of {len(found)} deals: {mean:+.3f} points a game for ours "
        f"(95 %: {mean - 1.96 * spread:+.3f} to {mean + 1.96 * spread:+.3f}), {100 * share:.1f} % won; "
        f"{paces[0]:.0f} and {paces[1]:.0f} ms of the processor a move"
    )
