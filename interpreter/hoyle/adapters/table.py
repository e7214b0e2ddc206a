"""A match led by tokens: what the adapters stand on.

In: a match, tokens. Out: whose turn it is, which tokens may come, what each seat sees as numbers, what it is worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.adapters.encoding import Encoding, Spelling
from hoyle.adapters.observing import Observing

if TYPE_CHECKING:
    from array import array

    from hoyle.engine.actions import Action
    from hoyle.engine.game import Game, Match


class TokenTable:
    """A match, and the choice that is being spelt in it. One that is `shared` with other tables is never changed: what
    is chosen is made elsewhere."""

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
        """The seat that is to choose."""
        return self.match.find_seat()

    @property
    def prefix(self) -> tuple[int, ...]:
        """The tokens of the choice that is being spelt."""
        return self._spelling.prefix if self._spelling is not None else ()

    def list_tokens(self) -> list[int]:
        """The tokens that may come next; none when the match is over."""
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
        """Take a token; when a choice is complete, it is made."""
        assert not self._shared
        action = self.spell(token)
        if action is not None:
            self.match.apply(action)

    def spell(self, token: int) -> Action | None:
        """Take a token; the action, once its choice is complete. It is for the caller to apply."""
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
        spelling = self._find_spelling() if self._shared else self._spelling  # worked out once for all
        other._spelling = None if spelling is None else spelling.copy()
        return other

    def sample(self, seat: int, seed: int) -> TokenTable:
        """A table the seat cannot tell from this one."""
        other = TokenTable(self.game, self.match.sample(seat, seed), self.encoding, self._observing)
        if self.prefix and not self.is_over and self.seat == seat:
            other._retrace(self.prefix)
        return other

    def _retrace(self, prefix: tuple[int, ...]) -> None:
        for token in prefix:
            self.add(token)

    # ---------------------------------------------------------------------------------------------- looking
    @property
    def observation_size(self) -> int:
        """How many numbers a seat sees."""
        return self._observing.size

    @property
    def observation_names(self) -> list[str]:
        """What each of these numbers is."""
        return self._observing.names

    def observe(self, seat: int) -> array[float]:
        """What a seat sees as numbers."""
        mine = not self.is_over and self.seat == seat
        return self._observing.observe(self.match.position, seat, mine=mine, said=self.prefix)
