"""What is worked out about a match apart from the event loop: choices of bots, hints, judgements.

In: a match as what it follows from: its game, its seed, its choices. Out: an action, or what a search found. The match
is kept and played on, so that the next question about it costs only the choices made since.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError
from hoyle.lab.bots import BOTS, Advice, advise, let_choose
from hoyle.lab.bots.judging import Judgement, judge
from hoyle.play.engine.game import Game
from hoyle.play.engine.habits import Habits
from hoyle.program.model.chance import derive_seed

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Match

MOST_GAMES = 64
MOST_MATCHES = 256
MOST_EVENTS = 200_000  # of all matches that are kept


@dataclass(frozen=True, slots=True)
class Course:
    """A match: `table` says which it is, `game` is the number under which the thinker holds its game."""

    table: str
    game: int
    seed: int
    choices: tuple[str, ...]


class NotHeld(HoyleError):  # noqa: N818 - a message between processes, not an error
    """The thinker does not hold the game that is asked about: it has to be given it."""


class Thinker:
    """Knows the matches that it was asked about, and nothing of tables and people."""

    def __init__(self) -> None:
        self._games: OrderedDict[int, Game] = OrderedDict()
        self._matches: OrderedDict[str, tuple[int, Match]] = OrderedDict()

    def hold(self, number: int, game: Game) -> None:
        """Take a game, as one of this thinker's own: the caches of executors belong to one thread."""
        self._games[number] = Game(game.program, game.info)
        while len(self._games) > MOST_GAMES:
            del self._games[next(iter(self._games))]

    def ask(self, course: Course, bot: str, seconds: float) -> Action:
        """Let a bot choose, within some seconds. It sees only its decision and the standpoint of its seat. Its chance
        hangs on all choices so far: after an undo, new choices are answered by new chance."""
        match = self._follow(course)
        decision = match.decision
        assert decision is not None
        so_far = hashlib.sha256("\n".join(course.choices).encode()).digest()
        seed = derive_seed(course.seed, int.from_bytes(so_far[:8]), decision.seat)
        made = BOTS[bot].make(seed)
        if (hurry := getattr(made, "hurry", None)) is not None:
            hurry(seconds)
        chosen = let_choose(Habits(0.0, seed), match, decision, made)
        return decision.actions[chosen] if isinstance(chosen, int) else chosen

    def advise(self, course: Course, seed: int) -> Advice:
        """Advice for the deciding seat."""
        return advise(self._follow(course), seed)

    def judge(self, course: Course, made: str, seed: int) -> Judgement:
        """Judge a choice that was made here."""
        match = self._follow(course)
        return judge(match, match.find_action(made), seed)

    def _follow(self, course: Course) -> Match:
        """The match as it stands after the choices."""
        if course.game not in self._games:
            raise NotHeld
        self._games.move_to_end(course.game)
        number, match = self._matches.pop(course.table, (None, None))
        known = len(match.history) if match is not None else 0
        if match is None or number != course.game or tuple(match.history) != course.choices[:known]:
            match = self._games[course.game].new(course.seed)
        for choice in course.choices[len(match.history) :]:
            match.apply(choice)
        self._matches[course.table] = course.game, match
        while len(self._matches) > 1 and self._is_much():
            self._matches.popitem(last=False)
        return match

    def _is_much(self) -> bool:
        told = sum(len(match.events) for _, match in self._matches.values())
        return len(self._matches) > MOST_MATCHES or told > MOST_EVENTS
