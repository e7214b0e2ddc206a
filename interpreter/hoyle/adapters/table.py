"""A match led by tokens: what both adapters stand on.

In: a match, tokens. Out: whose turn it is, which tokens may come, what each seat sees as numbers, what it is worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.adapters.encoding import Encoding, Spelling
from hoyle.view.seeing import includes

if TYPE_CHECKING:
    from hoyle.engine.game import Game, Match


class TokenTable:
    """A match, and the choice that is being spelt in it."""

    def __init__(self, game: Game, match: Match, encoding: Encoding | None = None) -> None:
        self.game = game
        self.match = match
        self.encoding = encoding or Encoding(game.program)
        self._spelling: Spelling | None = None

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
        spelling = self._find_spelling()
        if spelling is None:
            raise ValueError("the match is over")
        choice = spelling.add(token)
        if choice is None and spelling.legal():
            return
        self._spelling = None
        decision = self.match.decision
        assert decision is not None and choice is not None
        action = decision.find(choice)
        assert action is not None, "what is spelt is offered"
        self.match.apply(action)

    def __deepcopy__(self, _known: dict[int, Any]) -> TokenTable:
        return self.copy()

    def copy(self) -> TokenTable:
        other = TokenTable(self.game, self.match.copy(), self.encoding)
        other._retrace(self.prefix)
        return other

    def sample(self, seat: int, seed: int) -> TokenTable:
        """A table the seat cannot tell from this one."""
        other = TokenTable(self.game, self.match.sample(seat, seed), self.encoding)
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
        names, program = self.game.names, self.game.program
        faces = len({card.face for card in program.cards})
        return len(names.zones) * (faces + 1) + 2 * len(names.states) + len(program.columns) * program.players + 2

    def observe(self, seat: int) -> list[float]:
        """What a seat sees as numbers: for each zone its size and how many of each face it sees there; each state it
        may see, after a 1, else two noughts; the totals; whether it is to choose, and how many tokens of its choice
        are said."""
        game, position = self.game, self.match.position
        names, program, sight = game.names, game.program, game.executor.effects.sight
        faces = {face: at for at, face in enumerate(dict.fromkeys(card.face for card in program.cards))}
        found: list[float] = []
        for zone, pile in enumerate(position.zones):
            counts = [0.0] * (len(faces) + 1)
            counts[-1] = float(len(pile))
            for place, card in enumerate(pile):
                if includes(sight.mask_place(position, zone, place), seat, program.players):
                    counts[faces[program.cards[card].face]] += 1
            found += counts
        for index in range(len(names.states)):
            value = position.states[index]
            if value is None or not includes(sight.mask_state(index), seat, program.players):
                found += [0.0, 0.0]
            else:
                found += [1.0, float(value) if isinstance(value, int) else float(len(value))]
        for row in position.totals:
            found += [float(total) for total in row]
        mine = not position.over and self.seat == seat
        return [*found, float(mine), float(len(self.prefix) if mine else 0)]
