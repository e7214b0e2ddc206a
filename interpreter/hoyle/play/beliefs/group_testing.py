"""Group testing: which cards in a zone determine the answer to a question about a position.

In: a position, its unknown cards, a zone, and a predicate on positions. Out: the cards any one of which, lying in the
zone, makes the predicate true, while it is false without them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.play.beliefs.position_sampling import Hidden, Redealer
    from hoyle.program.model.position import Position

MOST_TRIED = 64  # hands
TURNED = 8  # rotations of the unknown cards tried to find a hand for which the predicate is false
FILLED = 3  # hands without the decisive cards, tried to verify that the predicate is always false


class Hands:
    """Evaluates a predicate on a position with various hands dealt to a zone."""

    def __init__(
        self, redealer: Redealer, position: Position, hidden: Hidden, zone: int, ask: Callable[[Position], bool]
    ) -> None:
        self.redealer, self.position, self.hidden, self.ask = redealer, position, hidden, ask
        here = set(position.zones[zone])
        self.places = [card for card in hidden.cards if card in here]
        self.others = [card for card in hidden.cards if card not in here]
        self.tried = 0

    def find_telling(self) -> list[int]:
        """The decisive cards; none if there are none, or if too many hands would have to be tried."""
        cards, size = self.hidden.ordered, len(self.places)
        if not 0 < size < len(cards):
            return []
        packets = [cards[at : at + size] for at in range(0, len(cards), size)]
        packets[-1] = cards[-size:]
        asked = [(packet, self._ask(packet)) for packet in packets]
        plain = next((packet for packet, answer in asked if not answer), None) or self._find_plain()
        if plain is None or not any(answer for _, answer in asked):
            return []
        telling = sorted({card for packet, answer in asked if answer for card in self._split(packet, plain)})
        is_sure = bool(telling) and self._is_never_without(telling)
        return telling if is_sure and self.tried <= MOST_TRIED else []

    def _find_plain(self) -> list[int] | None:
        """A hand for which the predicate is false, when it is true for every packet: large hands are likely to hold a
        decisive card."""
        cards, size = self.hidden.ordered, len(self.places)
        turned = (cards[at:] + cards[:at] for at in range(1, len(cards), max(1, len(cards) // TURNED)))
        return next((order[:size] for order in turned if not self._ask(order[:size])), None)

    def _split(self, packet: list[int], plain: list[int]) -> list[int]:
        """The decisive cards of a packet, found by bisection."""
        rest = [card for card in plain if card not in packet]
        if not self._ask([*packet, *rest][: len(plain)]):
            return []
        if len(packet) == 1:
            return packet
        half = len(packet) // 2
        return self._split(packet[:half], plain) + self._split(packet[half:], plain)

    def _is_never_without(self, telling: list[int]) -> bool:
        """Whether the predicate is false for sample hands without any of these cards."""
        without, size = [card for card in self.hidden.ordered if card not in telling], len(self.places)
        if len(without) < size:
            return False
        step = max(1, (len(without) - size) // FILLED)
        return not any(self._ask(without[at : at + size]) for at in range(0, len(without) - size + 1, step))

    def _ask(self, hand: Sequence[int]) -> bool:
        """The predicate for a hand; the other unknown cards lie elsewhere, in deck order. False once the budget of
        trials is used up."""
        self.tried += 1
        if self.tried > MOST_TRIED:
            return False
        held = set(hand)
        rest = [card for card in self.hidden.ordered if card not in held]
        becomes = dict(zip([*self.places, *self.others], [*hand, *rest], strict=True))
        return self.ask(self.redealer.rename_hidden(self.position, becomes, self.hidden))
