"""The game tree with explicit chance nodes, cached: algorithms visit the same nodes thousands of times.

In: a game. Out: `Place`: a node, its match controlled by tokens, and the information state of each seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.lab.adapters.observing import Observing
from hoyle.lab.adapters.token_match import TokenTable
from hoyle.play.engine.unfolding import Node, unfold

if TYPE_CHECKING:
    from hoyle.lab.adapters.encoding import Encoding
    from hoyle.play.engine.game import Game

MOST_KEPT = 20_000  # cached places, each of about twenty kilobytes
MOST_TRIED = 500  # places visited at most to find the utility range


class Place:
    """An immutable node of the tree. Its table, None at chance nodes, is shared, so that choices are built on copies of
    it. `path` are the outcomes and choices that lead here, `said` the same as text, and `seen` is the last decision
    node on the path, which is this one unless it is a chance node."""

    __slots__ = ("_known", "node", "path", "said", "seen", "table")

    def __init__(
        self, node: Node, path: tuple[int, ...], said: tuple[str, ...], seen: Place | None, table: TokenTable | None
    ) -> None:
        self.node = node
        self.path = path
        self.said = said
        self.seen = seen if table is None else self
        self.table = table
        self._known: dict[int, str] = {}

    def __deepcopy__(self, _known: dict[int, Any]) -> Place:
        return self

    def describe(self, seat: int) -> str:
        """Return the information state of a seat as text; at a chance node, the one before it."""
        if self.seen is not self:
            return "before the deal" if self.seen is None else f"{self.seen.describe(seat)}\nchance moves"
        found = self._known.get(seat)
        if found is None:
            assert self.node.match is not None
            found = self._known[seat] = self.node.match.information_state(seat)
        return found


class Tree:
    """The cached tree of a game."""

    def __init__(self, game: Game, encoding: Encoding) -> None:
        self._game = game
        self._encoding = encoding
        self._observing = Observing(game, encoding)
        self._kept: dict[tuple[int, ...], Place] = {}
        self.root = self._make(unfold(game), None, 0)

    def take(self, place: Place, number: int) -> Place:
        """Return the child of a place, by the index of the outcome or choice."""
        path = (*place.path, number)
        found = self._kept.get(path)
        if found is None:
            found = self._make(place.node.take(number), place, number)
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[path] = found
        return found

    def _make(self, node: Node, before: Place | None, number: int) -> Place:
        table = None
        if node.match is not None:
            table = TokenTable(self._game, node.match, self._encoding, self._observing, shared=True)
        if before is None:
            return Place(node, (), (), None, table)
        if before.node.outcomes:
            text = before.node.outcomes[number].text
        else:
            assert before.node.match is not None and before.node.match.decision is not None
            text = before.node.match.decision.choice(number).text
        return Place(node, (*before.path, number), (*before.said, text), before.seen, table)

    def find_range(self) -> tuple[float, float] | None:
        """Return the lowest and highest utility of all terminal nodes; None if the tree is too large to visit."""
        found: list[float] = []
        left = [self.root]
        for _ in range(MOST_TRIED):
            if not left:
                return min(found), max(found)
            place = left.pop()
            match = place.node.match
            if match is not None and match.is_over:
                found += match.utilities
                continue
            many = len(place.node.outcomes) if match is None or match.decision is None else match.decision.count
            left += [self.take(place, number) for number in range(min(many, MOST_TRIED))]
        return None
