"""Starts a match at the terminal: player names, terminal capabilities, the session, and the final result.

In: a game, the record of a match (new or resumed), and display settings. Out: the match, played; an `Outcome`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from enum import Enum
from typing import TYPE_CHECKING

from hoyle.base.dataclass import dataclass
from hoyle.front.terminal.pen import Pen, can_show_unicode
from hoyle.front.terminal.saving import BadRecord, Record, Setup
from hoyle.front.terminal.score_board import draw_scores
from hoyle.front.terminal.session import Session
from hoyle.front.terminal.surface import Left, LeftForAnother, Screen, Stream
from hoyle.lab.bots import make_bots
from hoyle.play.engine.game import IllegalAction
from hoyle.play.engine.habits import Habits
from hoyle.play.table import Host
from hoyle.play.view.locale import say_in

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game, Match


MOST_QUOTED = 200  # characters quoted of an illegal choice and of its refusal


class Outcome(Enum):
    """How a match ended at this terminal."""

    OVER = "over"
    LEFT = "left"
    LEFT_FOR_ANOTHER = "left for another"


@dataclass(frozen=True, slots=True)
class Manner:
    """Display settings: `plain` prints lines instead of a screen, `ask` prompts even for forced moves, `delay` is the
    pause in seconds after a bot's move."""

    plain: bool = False
    ask: bool = False
    delay: float = 0.0


def name_players(
    players: int, people: Sequence[int], given: Sequence[str | None], language: str | None
) -> tuple[str, ...]:
    """Name all players without duplicates: users as given or by default, bots from the language's list of names."""
    birds = say_in(language, "names_of_bots").split("|")
    said = dict(zip(people, given, strict=False))
    names: list[str] = []
    for seat in range(players):
        own = said.get(seat)
        if own is not None:
            name = own
        elif seat in people and len(people) > 1:
            name = say_in(language, "player", number=seat + 1)
        elif seat in people:
            name = say_in(language, "you").capitalize()
        else:
            name = birds[seat % len(birds)]
        while name in names:
            name += "'"
        names.append(name)
    return tuple(names)


def rename_players(setup: Setup, given: Sequence[str], language: str | None) -> tuple[str, ...]:
    """Name all players of a resumed match: users as given now, or else as given before."""
    unsaid = name_players(setup.players, setup.people, (), setup.language)
    before = [setup.names[seat] if setup.names[seat] != unsaid[seat] else None for seat in setup.people]
    return name_players(setup.players, setup.people, [*given, *before[len(given) :]], language)


def is_interactive() -> bool:
    """Whether both input and output are a terminal."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())


def wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def replay(game: Game, record: Record) -> Match:
    """Replay a record up to its last choice; `BadRecord` if a choice is no longer legal."""
    match = game.new(record.setup.seed)
    for number, choice in enumerate(record.choices, 1):
        make_choice(match, number, choice)
    match.guard()
    return match


def make_choice(match: Match, number: int, choice: str) -> None:
    """Apply a recorded choice; `BadRecord` if it is no longer legal."""
    try:
        match.apply(choice)
    except IllegalAction as illegal:
        why = illegal.refusal.text[:MOST_QUOTED]
        raise BadRecord(f"choice {number}, `{choice[:MOST_QUOTED]}`, is no longer legal: {why}") from None


def play(
    game: Game, record: Record, manner: Manner, heading: Sequence[str] = (), watched: int | None = None
) -> Outcome:
    """Play a match, from its beginning or from where it was left, until it is over or a user leaves."""
    setup = record.setup
    match = replay(game, record)
    host = Host(game, setup.language, setup.names)
    stream = manner.plain or not is_interactive() or not setup.people or os.environ.get("TERM") == "dumb"
    pen = Pen(host.legend, unicode=can_show_unicode() or not sys.stdout.isatty())
    surface = Stream(pen) if stream else Screen(pen, colour=wants_colour())
    # The number of choices is part of the seed; without it, bots would repeat their first draws after every resume.
    bots = make_bots(setup.bot, setup.seed + len(record.choices), setup.players)
    session = Session(
        match,
        host,
        bots,
        Habits(setup.errors, setup.seed + len(record.choices)),
        record,
        surface,
        pen,
        setup.people,
        setup.people[0] if setup.people else watched,
        manner.ask,
        manner.delay,
    )
    if stream:
        surface.say(*heading)
    with surface.open() if isinstance(surface, Screen) else nullcontext():
        if isinstance(surface, Screen):
            for line in heading:
                session.note(line, "dim")
        try:
            session.play()
        except LeftForAnother:
            return Outcome.LEFT_FOR_ANOTHER
        except Left:
            return Outcome.LEFT
        finally:
            surface.say() if stream else None
    show_result(session)
    return Outcome.OVER


def show_result(session: Session) -> None:
    """Print the last news, the scores, who has won and why."""
    seat = session.people[0] if len(session.people) == 1 else None if session.people else session.watched
    speaker = session.host.speak_to(seat)
    since = session.since.get(seat) if seat is not None else min(session.since.values(), default=session.told)
    table = session.host.see(session.match, seat, since, reveal=len(session.people) > 1)
    surface, pen = session.surface, session.pen
    if session.people:
        surface.say(*(pen.news(news) for news in table.news))
    surface.say("", *draw_scores(table, speaker, pen))
    assert table.result is not None
    verdict = table.result.verdict
    margin = session.match.sheet.find_margin(session.match.winners) if session.match.sheet is not None else None
    if margin is not None:
        verdict = speaker.say("by", verdict=verdict, margin=speaker.locale.write_number(margin))
    surface.say("", pen.text(verdict, "bold"), pen.text(table.result.reason, "dim"))


