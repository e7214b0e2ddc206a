"""A match controlled by tokens: the common base of the adapters.

In: a match, tokens. Out: the deciding seat, legal tokens, observations, utilities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.lab.adapters.encoding import Encoding, Spelling
from hoyle.lab.adapters.observing import Observing

if TYPE_CHECKING:
    from array import array

    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Game, Match


class TokenTable:
    """A match with the choice under construction. With `shared`, the match belongs to several tables and is never
    modified; the caller applies choices elsewhere."""

    def __init__(
        self,
        game: Game,
        match: Match,
        encoding: Encoding | None = None,
        observing: Observing | None = None,
        *,
        shared: bool = False,
    ) -> None:
        self.game = game
        self.match = match
        self.encoding = encoding or Encoding(game.program)
        self._observing = observing or Observing(game, self.encoding)
        self._spelling: Spelling | None = None
        self._shared = shared

    @property
    def is_over(self) -> bool:
        return self.match.is_over

    @property
    def seat(self) -> int:
        """The deciding seat."""
        return self.match.find_seat()

    @property
    def prefix(self) -> tuple[int, ...]:
        """The tokens of the choice so far."""
        return self._spelling.prefix if self._spelling is not None else ()

    def list_tokens(self) -> list[int]:
        """List the tokens that can come next; empty when the match is over."""
        spelling = self._find_spelling()
        return [] if spelling is None else spelling.legal()

    def _find_spelling(self) -> Spelling | None:
        if self._spelling is None:
            decision = self.match.decision
            if decision is None:
                return None
            self._spelling = Spelling(self.encoding.spell(decision.choices))
        return self._spelling

    def add(self, token: int) -> None:
        """Append a token; once the choice is complete, apply it."""
        assert not self._shared
        action = self.spell(token)
        if action is not None:
            self.match.apply(action)

    def spell(self, token: int) -> Action | None:
        """Append a token; return the action, for the caller to apply, once its choice is complete."""
        spelling = self._find_spelling()
        if spelling is None:
            raise ValueError("the match is over")
        choice = spelling.add(token)
        if choice is None and spelling.legal():
            return None
        self._spelling = None
        decision = self.match.decision
        assert decision is not None and choice is not None
        action = decision.find(choice)
        assert action is not None, "what is spelt is offered"
        return action

    def __deepcopy__(self, _known: dict[int, Any]) -> TokenTable:
        return self.copy()

    def copy(self) -> TokenTable:
        match = self.match if self._shared else self.match.copy()
        other = TokenTable(self.game, match, self.encoding, self._observing, shared=self._shared)
        spelling = self._find_spelling() if self._shared else self._spelling  # encoded once for all copies
        other._spelling = None if spelling is None else spelling.copy()
        return other

    def sample(self, seat: int, seed: int) -> TokenTable:
        """Sample a table from the seat's information set."""
        other = TokenTable(self.game, self.match.sample(seat, seed), self.encoding, self._observing)
        if self.prefix and not self.is_over and self.seat == seat:
            other._retrace(self.prefix)
        return other

    def _retrace(self, prefix: tuple[int, ...]) -> None:
        for token in prefix:
            self.add(token)

    # ---------------------------------------------------------------------------------------------- observations
    @property
    def observation_size(self) -> int:
        """Length of an observation."""
        return self._observing.size

    @property
    def observation_names(self) -> list[str]:
        """The names of the numbers of an observation."""
        return self._observing.names

    def observe(self, seat: int) -> array[float]:
        """Return the observation of a seat."""
        mine = not self.is_over and self.seat == seat
        return self._observing.observe(self.match.position, seat, mine=mine, said=self.prefix)
