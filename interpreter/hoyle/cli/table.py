"""A match at the terminal: what happened, what is seen, what may be done, and the answer.

In: a match, bots, the seat of the user and lines typed. Out: actions applied and text on the screen.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from hoyle.cli.common import in_columns
from hoyle.cli.failures import wants_color
from hoyle.engine.game import IllegalAction
from hoyle.view.seeing import filter_event
from hoyle.view.telling import render_events
from hoyle.view.text import render_view
from hoyle.view.track import place_pegs, render_track

if TYPE_CHECKING:
    from hoyle.bots import Bot
    from hoyle.engine.game import Decision, Game, Match


@dataclass(slots=True)
class Table:
    game: Game
    match: Match
    bots: list[Bot]
    seat: int
    auto: bool
    delay: float
    told: int = 0  # how many of the events have been gone through

    def play(self) -> bool:
        """Play until the match is over, or until the user leaves. Whether it came to its end."""
        self.tell_events()
        while (decision := self.match.decision) is not None:
            if self.auto or decision.seat != self.seat:
                self._let_bot_choose(decision)
            elif not self._ask(decision):
                return False
            self.tell_events()
        return True

    def _let_bot_choose(self, decision: Decision) -> None:
        seat = decision.seat
        self.match.apply(self.bots[seat].choose(decision, partial(self.match.view, seat)))
        if self.delay:
            time.sleep(self.delay)

    def tell_events(self) -> None:
        """Show what this seat may know of what happened since it was last told."""
        new = self.match.events[self.told :]
        self.told += len(new)
        told = [filter_event(self.game.program, event, self.seat, self.game.names) for event in new]
        for line in render_events(self.game, [event for event in told if event is not None], self.seat):
            if line:
                say(line)
            else:
                click.echo()

    def _ask(self, decision: Decision) -> bool:
        """Ask until an action is taken (true) or the user leaves (false)."""
        self._show_view()
        self._show_actions(decision)
        while True:
            line = read_line(f"seat {self.seat}, 1 to {len(decision.actions)}, ? for help: ")
            if line is None or line in ("q", "quit"):
                return False
            if self._answer(line, decision):
                return True

    def _answer(self, line: str, decision: Decision) -> bool:
        """Do what a line asks for. Whether it was an action."""
        if line == "":
            self._show_actions(decision)
        elif line in ("?", "help"):
            self._show_help(decision)
        elif line == "v":
            self._show_view()
        elif line == "s":
            self.show_scores()
        elif line.isascii() and line.isdigit():
            return self._take_number(line, decision)
        else:
            return self._take_text(line)
        return False

    def _take_number(self, line: str, decision: Decision) -> bool:
        number = int(line) if len(line) < 10 else 0
        if not 1 <= number <= len(decision.actions):
            click.echo(f"no action {line}: choose from 1 to {len(decision.actions)}")
            return False
        self.match.apply(number - 1)
        return True

    def _take_text(self, line: str) -> bool:
        try:
            self.match.apply(line)
        except IllegalAction as illegal:
            say(str(illegal.refusal))
            return False
        return True

    def _show_view(self) -> None:
        click.echo()
        click.echo(render_view(self.game, self.match, self.seat, width=_width()).rstrip("\n"))
        self._show_track()

    def _show_track(self) -> None:
        """Show the board the totals are pegged on, if the game has one."""
        track = render_track(self.game.program, self.match.scores, self.match.events, self.seat, _width())
        if track:
            click.echo(f"\n{track}")

    def _show_actions(self, decision: Decision) -> None:
        click.echo()
        click.echo("\n".join(arrange([action.text for action in decision.actions], _width())))

    def _show_help(self, decision: Decision) -> None:
        number = len(decision.actions)
        text = decision.actions[-1].text
        rows = [
            (str(number), "take that action"),
            (text, "the same, in words; of an action not listed you are told why it is not allowed"),
            ("empty line", "list the actions again"),
            ("v", "the position as you see it"),
            ("s", "the scores"),
            ("q", "quit"),
        ]
        click.echo("\n".join(f"  {line}" for line in in_columns(rows)))

    def show_scores(self) -> None:
        sides = place_pegs(self.game.program, self.match.scores, ())
        rows = [(" and ".join(self._name(seat) for seat in side.seats), str(side.front)) for side in sides]
        click.echo("\n".join(f"  {line}" for line in in_columns(rows)))

    def _name(self, seat: int) -> str:
        return f"seat {seat} (you)" if seat == self.seat and not self.auto else f"seat {seat}"

    def show_result(self) -> None:
        """Show the scores and who has won."""
        winners = [self._name(seat) for seat in self.match.winners]
        self._show_track()
        click.echo("\nthe scores:")
        self.show_scores()
        if not winners:
            verdict = "nobody wins"
        elif len(winners) == 1:
            verdict = f"{winners[0]} wins"
        else:
            verdict = f"{', '.join(winners[:-1])} and {winners[-1]} win together"
        click.echo(click.style(verdict, bold=True) if wants_color() else verdict)


def arrange(texts: list[str], width: int) -> list[str]:
    """Numbered texts in columns that fit the width, read downwards.

    >>> arrange(["take one", "take two", "pass"], 44)
    ['  1  take one    2  take two    3  pass']
    >>> arrange(["take one", "take two", "pass"], 30)
    ['  1  take one    3  pass', '  2  take two']
    """
    digits = len(str(len(texts)))
    cells = [f"  {number:>{digits}}  {text}" for number, text in enumerate(texts, 1)]
    widest = max(map(len, cells), default=0)
    columns = max(1, (width + 2) // (widest + 2))
    height = -(-len(cells) // columns)
    return [
        "  ".join(cell.ljust(widest) for cell in cells[row::height]).rstrip() for row in range(height)
    ]


def say(text: str) -> None:
    """Show lines of text, each folded at the width of the terminal, the rest of it under its beginning."""
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())] + "  "
        folded = textwrap.wrap(line, _width(), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        click.echo("\n".join(folded))


def read_line(prompt: str) -> str | None:
    """A line without the blanks around it, or None at the end of input; the prompt is for terminals alone."""
    if sys.stdin is None:
        return None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        line = sys.stdin.readline()
        return line.strip() if line else None
    import readline  # noqa: F401 - importing it gives input() its line editing

    try:
        return input(prompt).strip()
    except EOFError:
        click.echo()
        return None


def _width() -> int:
    return shutil.get_terminal_size((80, 24)).columns
