"""Hand-written players of Hearts and Spades, opponents that no learner was tuned against.

    hoyle arena hearts --bots hard,benchmarks.tricks_by_hand:Hearts --games 40

They know what a careful beginner knows. At Hearts: give away high cards, stay below the trick, throw the queen of
spades and high hearts when void. At Spades: bid the tricks of aces, kings and long trumps, take no trick from the
partner, win as cheaply as possible while tricks are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.decision import Decision
    from hoyle.play.engine.standpoint import Standpoint

RANKS = "23456789TJQKA"
QUEEN, KING = 10, 11
QUEEN_OF_SPADES = "QS"
FEW_SPADES = 4  # with fewer the queen is not safe
LONG = 3  # trumps beyond these take a trick each


def rank(card: str) -> int:
    """How high a card is in its suit.

    >>> rank("TH") < rank("AS")
    True
    """
    return RANKS.index(card[0])


def find_best(trick: Sequence[str], trumps: str = "") -> str | None:
    """The card that takes the trick so far.

    >>> find_best(["5H", "KD", "9H"]), find_best(["5H", "2S"], "S")
    ('9H', '2S')
    """
    if not trick:
        return None
    return max(trick, key=lambda card: (card[-1] == trumps, card[-1] == trick[0][-1], rank(card)))


def is_above(card: str, best: str, trumps: str = "") -> bool:
    """Whether a card would take the trick from the best so far."""
    return find_best([best, card], trumps) == card


class _ByHand:
    """Plays cards; `_zones` and `_states` are what it sees now."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, decision: Decision, look: Callable[[], Standpoint]) -> Action:
        standpoint = look()
        self._seat = standpoint.seat
        self._zones = {(zone.name, zone.owner): [card for card in zone.cards if card] for zone in standpoint.view.zones}
        self._states: dict[tuple[str, Any], Any] = {
            (state.name, state.owner): state.typed for state in standpoint.view.states
        }
        actions = list(decision.actions)
        if actions[0].name != "play_card":
            return self.prepare(actions)
        plays = {action.picks["card"]: action for action in actions}
        return plays[self.play(sorted(plays, key=rank), self._zones.get(("trick", None), []))]

    @property
    def hand(self) -> list[str]:
        return self._zones["hand", self._seat]

    def prepare(self, actions: Sequence[Action]) -> Action:
        raise NotImplementedError

    def play(self, cards: Sequence[str], trick: Sequence[str]) -> str:
        """A card of those that may be played, the lowest first."""
        raise NotImplementedError


class Hearts(_ByHand):
    """A player of Hearts."""

    def prepare(self, actions: Sequence[Action]) -> Action:
        """Give away what may take tricks with points."""
        suits = Counter(card[-1] for card in self.hand)

        def find_danger(card: str) -> int:
            if card[-1] == "S":
                return 0 if suits["S"] >= FEW_SPADES or rank(card) < QUEEN else 40 if card == QUEEN_OF_SPADES else 30
            return rank(card) + (3 if card[-1] == "H" else 0) + max(0, 4 - suits[card[-1]])

        return max(actions, key=lambda action: sum(map(find_danger, action.picks["cards"].split(", "))))

    def play(self, cards: Sequence[str], trick: Sequence[str]) -> str:
        best = find_best(trick)
        if best is None:
            safe = [card for card in cards if card[-1] != "S" or rank(card) < QUEEN]
            return (safe or cards)[0]
        if cards[0][-1] != best[-1]:  # void: away with what hurts
            worst = (QUEEN_OF_SPADES, "AS", "KS")
            return max(cards, key=lambda card: (card == worst[0], card in worst, card[-1] == "H", rank(card)))
        below = [card for card in cards if not is_above(card, best)]
        if QUEEN_OF_SPADES in below:
            return QUEEN_OF_SPADES
        hurts = any(card[-1] == "H" or card == QUEEN_OF_SPADES for card in trick)
        if len(trick) == 3 and not hurts:
            harmless = [card for card in cards if card != QUEEN_OF_SPADES]
            return (harmless or cards)[-1]
        if below:
            return below[-1]
        above = [card for card in cards if card != QUEEN_OF_SPADES] or cards
        return above[-1] if len(trick) == 3 else above[0]


class Spades(_ByHand):
    """A player of Spades."""

    def prepare(self, actions: Sequence[Action]) -> Action:
        wanted = max(1, self.count_tricks())
        bids = [action for action in actions if action.picks.get("number", "").isdigit()]
        return min(bids, key=lambda action: abs(int(action.picks["number"]) - wanted)) if bids else actions[0]

    def count_tricks(self) -> int:
        """The tricks that a hand takes as a rule."""
        suits = Counter(card[-1] for card in self.hand)
        held, sure = set(self.hand), 0.0
        for card in held:
            if card[0] == "A":
                sure += 1
            elif card[0] == "K" and suits[card[-1]] > 1:
                sure += 1 if "A" + card[-1] in held else 0.6
            elif card[0] == "Q" and card[-1] == "S" and suits["S"] > 2:
                sure += 0.7
        return int(sure + max(0, suits["S"] - LONG) + 0.4)

    def play(self, cards: Sequence[str], trick: Sequence[str]) -> str:
        best = find_best(trick, "S")
        partner = (self._seat + 2) % 4
        pair = self._seat, partner
        open_tricks = sum(self._states["bid", seat] - self._states["tricks_won", seat] for seat in pair)
        if best is None:
            aces = [card for card in cards if card[0] == "A" and card[-1] != "S"]
            return aces[0] if aces and open_tricks > 0 else cards[0]
        losing = [card for card in cards if not is_above(card, best, "S")]
        winning = [card for card in cards if is_above(card, best, "S")]
        is_partners = len(trick) >= 2 and trick.index(best) == len(trick) - 2
        is_safe = len(trick) == 3 or rank(best) >= QUEEN or best[-1] == "S"
        if losing and (not winning or open_tricks <= 0 or (is_partners and is_safe)):
            return min(losing, key=lambda card: (card[-1] == "S", rank(card)))
        if len(trick) == 3 or winning[0][-1] == "S":
            return min(winning, key=lambda card: (card[-1] == "S", rank(card)))
        return winning[-1] if rank(winning[-1]) >= KING or not losing else losing[0]
