"""Replays a recorded match in the terminal, step by step, from any seat or with all cards open.

In: a record and its game. Out: tables on the screen, controlled by the user; or the whole event log as lines.
"""

from __future__ import annotations

import sys
from dataclasses import field
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.front.terminal.pen import Pen, can_show_unicode, fold
from hoyle.front.terminal.saving import Record
from hoyle.front.terminal.starting import is_interactive, make_choice, wants_colour
from hoyle.front.terminal.surface import Left, Screen, Stream
from hoyle.play.table import Host

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game, Match
    from hoyle.play.table.model import News

KEPT_EVERY = 25  # choices between cached positions, which make stepping back fast


@dataclass(slots=True)
class Film:
    """Random access to the positions of a recorded match."""

    game: Game
    record: Record
    kept: dict[int, Match] = field(default_factory=dict)

    @property
    def length(self) -> int:
        return len(self.record.choices)

    def at(self, number: int) -> Match:
        """Return the match after `number` choices; `BadRecord` if one of them is no longer legal."""
        begin = max((kept for kept in self.kept if kept <= number), default=None)
        match = self.kept[begin].copy() if begin is not None else self.game.new(self.record.setup.seed)
        for step in range(begin or 0, number):
            make_choice(match, step + 1, self.record.choices[step])
            if (step + 1) % KEPT_EVERY == 0:
                self.kept[step + 1] = match.copy()
        return match


def read_log(game: Game, record: Record, seat: int | None, *, everything: bool) -> list[News]:
    """All that happened in a match, as a seat has heard it, or everybody."""
    host = Host(game, record.setup.language, record.setup.names)
    return host.tell(Film(game, record).at(len(record.choices)), seat, reveal=everything)


def replay_match(game: Game, record: Record, seat: int | None, *, everything: bool, plain: bool) -> None:
    """Replay a match: step by step on a terminal, else as the whole event log."""
    host = Host(game, record.setup.language, record.setup.names)
    pen = Pen(host.legend, unicode=can_show_unicode() or not sys.stdout.isatty())
    if plain or not is_interactive():
        Stream(pen).say(*map(pen.news, read_log(game, record, seat, everything=everything)))
        return
    film = Film(game, record)
    with Screen(pen, colour=wants_colour()).open() as screen:
        try:
            _watch(film, host, screen, pen, seat, everything=everything)
        except Left:
            return


def _watch(film: Film, host: Host, screen: Screen, pen: Pen, seat: int | None, *, everything: bool) -> None:
    number = 0
    note = ""
    while True:
        match = film.at(number)
        before = len(film.at(max(0, number - 1)).events) if number else 0
        table = host.see(match, seat, before, reveal=everything)
        speaker = host.speak_to(seat)
        head = speaker.say("step_of", number=number, count=film.length)
        from_seat = speaker.say("everybody") if everything else speaker.name(seat) if seat is not None else "-"
        notes = [pen.text(f"{head} · {from_seat}", "dim"), *([pen.text(note, "bold red")] if note else [])]
        screen.show_table(table, [], notes, speaker)
        said = fold(screen.read(speaker.say("replay_prompt")))
        note = ""
        if said in ("", "n", "+"):
            number = min(film.length, number + 1)
        elif said in ("b", "p", "-"):
            number = max(0, number - 1)
        elif said.isdecimal() and len(said) < 9:
            number = min(film.length, int(said))
        elif said in ("q", "quit"):
            return
        elif said.startswith("s"):
            wanted = said[1:].strip()
            everything = wanted in ("all", "tous")
            if wanted.isdecimal() and len(wanted) < 9 and int(wanted) < film.game.players:
                seat = int(wanted)
            elif wanted in map(fold, host.names):
                seat = list(map(fold, host.names)).index(wanted)
            elif not everything:
                note = speaker.say("no_word", word=wanted[:40])
        else:
            note = speaker.say("no_word", word=said[:40])


