"""A match at the terminal: what happened, what is seen, what may be done, and the answer.

In: a match, bots, the seat of the user and lines typed. Out: actions applied and text on the screen.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from hoyle.bots.asking import let_choose
from hoyle.cli.common import in_columns
from hoyle.cli.failures import wants_color
from hoyle.engine.actions import match_text
from hoyle.engine.game import IllegalAction
from hoyle.engine.legality import DECLINED
from hoyle.view.locale import Locale
from hoyle.view.names import read_number
from hoyle.view.seeing import filter_event
from hoyle.view.sheet import render_sheet
from hoyle.view.telling import render_events
from hoyle.view.text import render_view
from hoyle.view.track import place_pegs, render_track

if TYPE_CHECKING:
    from hoyle.bots import Bot
    from hoyle.engine.actions import Action
    from hoyle.engine.game import Decision, Game, Match
    from hoyle.engine.habits import Habits
    from hoyle.engine.refusals import Refusal

MOST_SHOWN = 60


@dataclass(slots=True)
class Table:
    game: Game
    match: Match
    bots: list[Bot]
    seat: int
    auto: bool
    delay: float
    locale: Locale
    habits: Habits
    told: int = 0  # how many of the events have been gone through

    def play(self) -> bool:
        """Play until the match is over, or until the user leaves. Whether it came to its end."""
        self.tell_events()
        while (decision := self.match.decision) is not None:
            if self.auto or decision.seat != self.seat:
                self._let_bot_choose(decision)
            elif [action.choice for action in decision.actions] == [DECLINED]:
                self.match.apply(0)  # the user has nothing to choose, and only he is told so
            elif not self._ask(decision):
                return False
            self.tell_events()
        return True

    def _let_bot_choose(self, decision: Decision) -> None:
        self.match.apply(let_choose(self.habits, self.match, decision, self.bots[decision.seat]))
        if self.delay:
            time.sleep(self.delay)

    def tell_events(self) -> None:
        """Show what this seat may know of what happened since it was last told."""
        new = self.match.events[self.told :]
        self.told += len(new)
        told = [filter_event(self.game.program, event, self.seat, self.game.names) for event in new]
        for line in render_events(self.game, [event for event in told if event is not None], self.seat, self.locale):
            if line:
                say(line)
            else:
                click.echo()
        if any(event.name == "round_ended" for event in new) and not self.match.is_over:
            self._show_sheet()

    def _ask(self, decision: Decision) -> bool:
        """Ask until an action is taken (true) or the user leaves (false)."""
        self._show_view()
        self._show_actions(decision)
        prompt = self.locale.say("prompt", seat=self.seat, count=len(decision.actions))
        try:
            while not self._answer(_read(prompt), decision):
                pass
        except Left:
            return False
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
            click.echo(self.locale.say("no_action", number=line, count=len(decision.actions)))
            return False
        chosen = decision.actions[number - 1]
        if chosen.number is not None:
            said = self._ask_number(chosen)
            if said is None:
                self._show_actions(decision)
                return False
            chosen = chosen.with_number(said)
        return self._take_text(chosen)

    def _ask_number(self, action: Action) -> int | None:
        """The number the user adds to an action; None if he would rather choose again."""
        assert action.number is not None
        name, low, high = self.locale.action(action.name), action.number[0], action.number[-1]
        while True:
            said = _read(self.locale.say("ask_number", action=name, low=low, high=high))
            if not said:
                return None
            number = read_number(said)
            if number is not None and number in action.number:
                return number
            click.echo(self.locale.say("no_number", number=said, low=low, high=high))

    def _take_text(self, line: str | Action) -> bool:
        """Take an action; whether that was possible."""
        try:
            self.match.apply(self._read_words(line) if isinstance(line, str) else line)
        except IllegalAction as illegal:
            say(self._translate(illegal.refusal))
            return False
        return True

    def _read_words(self, line: str) -> Action | str:
        """The action that is meant by words of the language it was offered in; else the line in words of the file."""
        decision = self.match.decision
        offered = decision.actions if decision is not None else []
        found = match_text([replace(action, text=self.locale.spell(action.text)) for action in offered], line)
        return found[0] if len(found) == 1 and found[0].number is None else self.locale.unspell(line)

    def _translate(self, refusal: Refusal) -> str:
        """Why an action is refused; in another language than the file's, its sentence if that is translated."""
        if self.locale.language == self.game.program.language:
            return str(refusal)
        translated = self.locale.message(refusal.text)
        cited = f" [{', '.join(refusal.cite)}]" if refusal.cite else ""
        return (translated if translated != refusal.text else self.locale.say("refused")) + cited

    def _show_view(self) -> None:
        click.echo()
        click.echo(render_view(self.game, self.match, self.seat, _width(), self.locale).rstrip("\n"))
        self._show_track()

    def _show_track(self) -> None:
        """Show the board the totals are pegged on, if the game has one."""
        track = render_track(self.game.program, self.match.scores, self.match.events, self.seat, _width())
        if track:
            click.echo(f"\n{track}")

    def _show_actions(self, decision: Decision) -> None:
        click.echo()
        texts = [self.locale.spell(action.text) for action in decision.actions]
        click.echo("\n".join(arrange(texts[:MOST_SHOWN], _width())))
        if len(texts) > MOST_SHOWN:
            form = " ".join([*texts[-1].split(" ")[:-1], "…"])
            click.echo("  " + self.locale.say("more_actions", number=len(texts) - MOST_SHOWN, form=form))

    def _show_help(self, decision: Decision) -> None:
        number = len(decision.actions)
        tell = self.locale.say
        rows = [
            (str(number), tell("help_number")),
            (self.locale.spell(decision.actions[-1].text), tell("help_words")),
            (tell("empty_line"), tell("help_empty")),
            ("v", tell("help_view")),
            ("s", tell("help_scores")),
            ("q", tell("help_quit")),
        ]
        click.echo("\n".join(f"  {line}" for line in in_columns(rows)))

    def show_scores(self) -> None:
        if self._show_sheet():
            return
        sides = place_pegs(self.game.program, self.match.scores, ())
        rows = [(" and ".join(self._name(seat) for seat in side.seats), str(side.front)) for side in sides]
        click.echo("\n".join(f"  {line}" for line in in_columns(rows)))

    def _show_sheet(self) -> bool:
        """Show the score sheet, if the game keeps one; whether it does."""
        sheet = self.match.sheet
        if sheet is not None:
            click.echo()
            click.echo(render_sheet(sheet, [self._name(seat) for seat in range(self.game.players)], _width()))
        return sheet is not None

    def _name(self, seat: int) -> str:
        return self.locale.say("seat_you" if seat == self.seat and not self.auto else "seat", seat=seat)

    def show_result(self) -> None:
        """Show the scores and who has won."""
        winners = [self._name(seat) for seat in self.match.winners]
        self._show_track()
        if not self._show_sheet():
            click.echo("\n" + self.locale.say("scores"))
            self.show_scores()
        if not winners:
            verdict = self.locale.say("nobody_wins")
        elif len(winners) == 1:
            verdict = self.locale.say("wins", winner=winners[0])
        else:
            verdict = self.locale.say("win_together", winners=self.locale.join(winners))
        margin = self.match.sheet.find_margin(self.match.winners) if self.match.sheet is not None else None
        if margin is not None:
            verdict = self.locale.say("by", verdict=verdict, margin=f"{margin:,}")
        click.echo(click.style(verdict, bold=True) if wants_color() else verdict)


class Left(Exception):  # noqa: N818 - the user's wish, not an error
    """The user leaves the game."""


def _read(prompt: str) -> str:
    """A line the user answers with."""
    line = read_line(prompt)
    if line is None or line in ("q", "quit"):
        raise Left
    return line


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
