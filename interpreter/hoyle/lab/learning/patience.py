"""Deals of games for one: whether they can be won, and how hard that is.

In: a game for one, and a seed. Out: a `Line` of play, and its `effort`; or the seed of a deal of the grade asked for.

All cards of the deal are known to the search. It asks two queues in turn for the position to open next: the one that
stands best, of those in which something lies as it never lay before at their standing; and the one that stands best and
was found last. An arrangement of cards is opened once, whatever is counted besides. Where that comes to an end without
a win, a second search tells apart what is counted, too: only then it is proved that there is none.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from hoyle.base.dataclass import dataclass
from hoyle.lab.learning.solving import SolveError
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.executors import EXECUTORS
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game
from hoyle.play.engine.native.board import Board
from hoyle.play.engine.native.native_executor import NativeExecutor
from hoyle.play.engine.utility import value_end

if TYPE_CHECKING:
    from hoyle.program.model.position import Position

GRADES = ("winnable", "easy", "hard")
MOST_OPENED = 1_500  # positions opened for a deal that is to be offered
WANTED = 4  # deals that are graded: an easy one is the easiest of them
Path = tuple[Any, int] | tuple[()]  # the path before, and the place of the choice


@dataclass(frozen=True, slots=True)
class Line:
    """The best line found: its choices, what it is worth, whether it wins, whether nothing is better, and how many
    positions were opened to find it."""

    moves: tuple[str, ...]
    value: float
    is_won: bool
    is_proven: bool
    positions: int

    @property
    def effort(self) -> float:
        """How hard a won deal is: the positions that were opened for each choice of its line."""
        return self.positions / max(1, len(self.moves))


def solve_alone(game: Game, seed: int, most: int, until: float | None = None) -> Line:
    """The best line of a game for one from a deal, found by opening at most so many positions, and before a time of
    `time.monotonic`."""
    if game.players != 1:
        raise SolveError(f"{game.name} is played by {game.players}")
    if any(pick.least is not None for action in game.program.actions for pick in action.picks):
        raise SolveError("a number is said in it: it is too large to be solved")
    found = _Search(game).look(seed, most, until)
    if found.is_won or not found.is_proven:
        return found
    again = _Search(game, counts=True).look(seed, most, until)
    best = max(again, found, key=lambda line: (line.value, bool(line.moves)))
    return Line(best.moves, best.value, again.is_won, again.is_proven, found.positions + again.positions)


class Dealer:
    """Finds deals of one game by grade, and keeps those that it has graded for who asks next."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._own = Game(game.program, game.info)  # the caches of a game are for one thread
        self._graded: list[tuple[float, int]] = []  # effort and seed of deals that can be won

    def find(self, grade: str, draw: Callable[[], int], seconds: float) -> int | None:
        """The seed of a deal of a grade; None if none was found in time."""
        wanted, until = 1 if grade == "winnable" else WANTED, time.monotonic() + seconds
        while len(self._graded) < wanted and time.monotonic() < until:
            seed = draw()
            line = solve_alone(self._own, seed, MOST_OPENED, until)
            if line.is_won:
                self._graded.append((line.effort, seed))
        if not self._graded:
            return None
        place = {"easy": 0, "hard": len(self._graded) - 1}.get(grade, len(self._graded) // 2)
        self._graded.sort()
        return self._graded.pop(place)[1]


# ------------------------------------------------------------------------------------------------ the search
class _Search:
    """`counts`: positions with equal cards differ where anything else does."""

    def __init__(self, game: Game, *, counts: bool = False) -> None:
        self.game = game
        self.counts = counts
        self.program = game.program
        self.hidden = [at for at, (zone, _) in enumerate(game.names.zones) if zone.shows == "nothing" and zone.of]

    def look(self, seed: int, most: int, until: float | None) -> Line:
        self.seen: set[object] = set()
        self.known: dict[object, set[object]] = {}
        self.new: list[tuple[bool, float, int]] = []
        self.deep: list[tuple[float, int]] = []
        self.waiting: dict[int, tuple[_Board, Path]] = {}
        self.best: tuple[float, bool, Path] | None = None
        self.found = 0
        opened = 0
        self._note(_begin(self.game, seed), ())
        while opened < most and (until is None or time.monotonic() < until):
            node = self._take(first=bool(opened % 2))
            if node is None or (self.best is not None and self.best[1]):
                break
            opened += 1
            board, path = node
            for place in range(board.size):
                later = board.copy()
                later.apply(place)
                self._note(later, (path, place))
        is_won = self.best is not None and self.best[1]
        value = self.best[0] if self.best is not None else min(0.0, self.game.utility_range[0])
        moves = self._spell(seed, self.best[2]) if self.best is not None else ()
        return Line(moves, value, is_won, is_won or not self.waiting, opened)

    def _take(self, *, first: bool) -> tuple[_Board, Path] | None:
        queue: list[Any] = self.new if first else self.deep
        while queue:
            number = abs(heapq.heappop(queue)[-1])
            node = self.waiting.pop(number, None)
            if node is not None:
                return node
        return None

    def _note(self, board: _Board, path: Path) -> None:
        """Take note of a position that was reached, unless it was before."""
        position = board.position
        if board.over:
            won = 0 in board.results()[1]
            value = value_end(self.game.executor, position)[0]
            if self.best is None or (won, value) > (self.best[1], self.best[0]):
                self.best = value, won, path
            return
        cards = tuple(map(tuple, position.zones)), tuple(position.turned), position.block
        key = (cards, tuple(map(repr, position.states)), repr(position.slots)) if self.counts else cards
        if key in self.seen:
            return
        self.seen.add(key)
        stands = sum(len(position.zones[at]) for at in self.hidden) - self._find_standing(board, position)
        known = self.known.setdefault(stands, set())
        before = len(known)
        known.update(_list_lying(position))
        self.found += 1
        self.waiting[self.found] = board, path
        heapq.heappush(self.new, (len(known) == before, stands, self.found))
        heapq.heappush(self.deep, (stands, -self.found))

    def _find_standing(self, board: _Board, position: Position) -> float:
        """How far a match has come: what its end would be worth now, where the file says so, or else its score."""
        said = self.program.utility
        if said is None:
            return float(board.results()[0][0])
        try:
            return float(self.game.executor.value_of(said.value, 0, position))
        except Fault:
            return 0.0

    def _spell(self, seed: int, path: Path) -> tuple[str, ...]:
        """The choices of a path, in words."""
        places = []
        while path:
            path, place = path
            places.append(place)
        match = self.game.new(seed)
        for place in reversed(places):
            match.apply(place)
        return tuple(match.history)


def _list_lying(position: Position) -> Iterator[tuple[int, int, int]]:
    """What lies where: each card with the one below it and its zone, and how many there are in each zone."""
    for zone, pile in enumerate(position.zones):
        below = -1
        for card in pile:
            yield zone, below, card
            below = card
        yield zone, -2, len(pile)


# ------------------------------------------------------------------------------------------------ playing
class _Board(Protocol):
    """A match at a decision of so many choices, or over."""

    over: bool
    size: int

    @property
    def position(self) -> Position: ...

    def copy(self) -> _Board: ...

    def apply(self, place: int) -> None: ...

    def results(self) -> tuple[Sequence[int], Sequence[int]]: ...


class _Stepped:
    """A match stepped by a Python executor."""

    def __init__(self, executor: ReferenceExecutor, position: Position) -> None:
        self.executor, self.position = executor, position
        self._look()

    def _look(self) -> None:
        self.over = self.position.over
        self.legal = [] if self.over else self.executor.list_legal(self.position)
        self.size = len(self.legal)

    def copy(self) -> _Stepped:
        made = _Stepped.__new__(_Stepped)
        made.executor, made.position = self.executor, self.position.copy()
        made.over, made.legal, made.size = self.over, self.legal, self.size
        return made

    def apply(self, place: int) -> None:
        self.executor.advance(self.position, self.legal[place], self.legal)
        self._look()

    def results(self) -> tuple[Sequence[int], Sequence[int]]:
        return self.executor.list_scores(self.position), self.executor.list_winners(self.position)


def _begin(game: Game, seed: int) -> _Board:
    """A deal, natively where that can be compiled."""
    executor = game.executor
    library = executor.native.load() if isinstance(executor, NativeExecutor) else None
    if library is not None:
        return Board.begin(library, ReferenceExecutor(game.program), seed)
    stepped = EXECUTORS["python"](game.program)
    position = stepped.start(seed)
    stepped.run(position)
    return _Stepped(stepped, position)
