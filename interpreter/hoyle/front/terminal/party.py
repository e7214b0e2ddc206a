"""The tables of a tournament at which people of this terminal sit.

In: who they are, the bots of the other seats. Out: `Party.open_table`, which opens such a table; the others are left to
the tournament. A table makes one decision at a time, as all tables of a tournament do, and asks its people for theirs.
"""

from __future__ import annotations

import sys
from dataclasses import field

from hoyle.base.dataclass import dataclass
from hoyle.front.terminal.pen import Pen, can_show_unicode
from hoyle.front.terminal.saving import Record
from hoyle.front.terminal.saving import Setup as Kept
from hoyle.front.terminal.session import Session
from hoyle.front.terminal.surface import Stream
from hoyle.lab.bots import make_bots
from hoyle.lab.tournament import Setup
from hoyle.play.engine.habits import Habits
from hoyle.play.table import Host
from hoyle.program.model.position import Position


@dataclass(slots=True)
class Party:
    """The people of one terminal: the first sides of a tournament, each in the first seat of its side. `shown` is who
    was asked last, so that a curtain is drawn before anybody else is."""

    names: tuple[str, ...]
    bot: str
    errors: float
    shown: str = ""

    def open_table(self, number: int, setup: Setup, sides: tuple[int, ...], seed: int) -> PartyTable | None:
        """Open a table if one of the people sits there."""
        people = tuple(sorted(setup.place(place) for place, side in enumerate(sides) if side < len(self.names)))
        if not people:
            return None
        game, names = setup.game, tuple(setup.name_seats(dict(enumerate(self.names)), sides))
        host = Host(game, None, names)
        pen = Pen(host.legend, unicode=can_show_unicode() or not sys.stdout.isatty())
        kept = Kept(game.name, game.program.title, game.players, dict(game.options), seed, people, names, self.bot)
        habits = Habits(self.errors, seed)
        bots = make_bots(self.bot, seed, game.players)
        session = Session(game.new(seed), host, bots, habits, Record(kept), Stream(pen), pen, people, people[0])
        session.note(f"table {number + 1}: {', '.join(names)}")
        return PartyTable(self, session)


@dataclass(slots=True)
class PartyTable:
    """A table with people at it."""

    party: Party
    session: Session = field(repr=False)

    @property
    def position(self) -> Position:
        return self.session.match.position

    @property
    def is_over(self) -> bool:
        return self.session.match.is_over

    def decide(self) -> None:
        """Make the next decision, by a bot or by asking."""
        decision = self.session.match.decision
        assert decision is not None
        if decision.seat in self.session.people:
            self._draw_curtain(decision.seat)
        self.session.go_on(decision)

    def _draw_curtain(self, seat: int) -> None:
        speaker = self.session.host.speak_to(seat)
        name = speaker.name(seat)
        if len(self.party.names) > 1 and self.party.shown != name:
            self.session.surface.hide(speaker.say("curtain", who=name), speaker.say("curtain_prompt", who=name))
        self.party.shown, self.session.shown_to = name, seat
