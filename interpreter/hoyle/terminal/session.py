"""A match at the terminal: whose turn it is, what is asked and answered, what is kept.

In: a match that has been set up, who sits where, a surface. Out: choices applied and kept, until the match is over or a
user leaves.
"""

from __future__ import annotations

import time
from dataclasses import field
from typing import TYPE_CHECKING

from rich.text import Text

from hoyle.bots.asking import let_choose
from hoyle.dataclass import dataclass
from hoyle.engine.game import IllegalAction
from hoyle.table import Host
from hoyle.table.model import Act, Table, Way
from hoyle.table.speaking import Speaker
from hoyle.terminal.commands import Commands
from hoyle.terminal.keys import Line, list_lines, needs_letters
from hoyle.terminal.pen import Pen
from hoyle.terminal.reading import Answer, Reader
from hoyle.terminal.scores import draw_scores
from hoyle.terminal.surface import Surface
from hoyle.view.names import read_number

if TYPE_CHECKING:
    from hoyle.bots import Bot
    from hoyle.engine.actions import Action
    from hoyle.engine.game import Decision, Match
    from hoyle.engine.habits import Habits
    from hoyle.terminal.saving import Record

Meant = set[int]  # choices of which one must still be chosen


@dataclass(slots=True)
class Session:
    """A match between users at one terminal and bots. `people` are the seats of users; `watched` is the seat from which
    a match between bots is seen, None to see all of it."""

    match: Match
    host: Host
    bots: list[Bot]
    habits: Habits
    record: Record
    surface: Surface
    pen: Pen
    people: tuple[int, ...]
    watched: int | None = None
    ask_forced: bool = False
    delay: float = 0.0
    notes: list[Text] = field(default_factory=list)
    since: dict[int, int] = field(default_factory=dict)  # of each user, how many events there were when last asked
    shown_to: int | None = None
    skipping: int | None = None  # the seat that declines whatever it is offered out of turn, until its next turn
    undone: dict[int, Match] = field(default_factory=dict)  # the match as it was before each choice that was asked for
    told: int = 0
    typed: str = ""  # a command typed where a number was asked for
    letters: bool = False  # whether the lines of menus are lettered

    def __post_init__(self) -> None:
        self.letters = needs_letters(self.host.legend, self.host.program)

    # ---------------------------------------------------------------------------------------------- playing
    def play(self) -> None:
        """Play until the match is over; `Left` if a user leaves before."""
        while (decision := self.match.decision) is not None:
            if decision.seat not in self.people:
                self._let_bot_choose(decision)
            elif not self.ask_forced and self._is_forced(decision):
                self._apply(decision.actions[0], asked=False)
            elif self.skipping == decision.seat and decision.window:
                self._apply(decision.actions[-1], asked=False)
            else:
                self._ask(decision)
            if self.surface.tells_all:
                self._tell_along()
        if not self.record.over:
            self.record.end()

    def _is_forced(self, decision: Decision) -> bool:
        only = decision.actions[0]
        return len(decision.actions) == 1 and (only.number is None or len(only.number) == 1)

    def _let_bot_choose(self, decision: Decision) -> None:
        chosen = let_choose(self.habits, self.match, decision, self.bots[decision.seat])
        self._apply(self.match.find_action(chosen), asked=False)
        if self.delay:
            time.sleep(self.delay)

    def _tell_along(self) -> None:
        """Where lines follow one another, tell what bots do among themselves, and show the sheet after a round."""
        seat = self.people[0] if self.people else self.watched
        if not self.people:
            for news in self.host.tell(self.match, seat, self.told, reveal=seat is None):
                self.surface.say(self.pen.news(news))
        new = self.match.events[self.told :]
        self.told = len(self.match.events)
        if self.match.sheet is not None and any(e.name == "round_ended" for e in new) and not self.match.is_over:
            self.surface.say("", *draw_scores(self.host.see(self.match, seat), self.host.speak_to(seat), self.pen), "")

    def _apply(self, action: Action, *, asked: bool) -> None:
        before = len(self.match.events)
        seat = self.match.find_seat()
        kept = self.match.copy() if asked else None
        self.match.apply(action)
        if kept is not None:
            self.undone[len(self.record.choices)] = kept
            self.since[seat] = before
            if self.skipping == seat and not self._was_window(kept):
                self.skipping = None
        self.record.add(self.match.history[-1], asked=asked)

    def _was_window(self, match: Match) -> bool:
        return match.decision is not None and match.decision.window

    # ---------------------------------------------------------------------------------------------- asking
    def _ask(self, decision: Decision) -> None:
        """Ask until an action is taken."""
        seat = decision.seat
        self._draw_curtain(seat)
        commands = Commands(self, seat)
        turn = self.match.position.decisions
        meant: Meant | None = None
        while self.match.decision is not None and self.match.position.decisions == turn:
            table = self.host.see(self.match, seat, self._find_news(seat))
            assert table.menu is not None
            speaker = self.host.speak_to(seat)
            lines = list_lines(
                table.menu,
                self.surface.limit_menu(table, speaker),
                speaker.say("decline"),
                letters=self.letters,
                only=meant,
            )
            self.surface.show_table(table, lines, self.notes, speaker)
            self.notes = []
            line, self.typed = self.typed or self.surface.read(self._prompt(speaker, meant), commands.complete), ""
            if not line:
                meant = None
                continue
            if commands.obey(line, table):
                if self.match.position.decisions != turn:
                    return  # taken back
                continue
            meant = self._answer(line, table, lines, speaker, meant)

    def _find_news(self, seat: int) -> int | None:
        """The event from which on a user is told what happened: all of it before he is first asked, though moves that
        were forced have been made for him."""
        return self.since.get(seat, None if self.record.asked else 0)

    def _prompt(self, speaker: Speaker, meant: Meant | None) -> str:
        return speaker.say("prompt_which") if meant else speaker.say("prompt_move")

    def _draw_curtain(self, seat: int) -> None:
        """Between two users at one terminal nothing may be left of what the one before could see."""
        if len(self.people) > 1 and self.shown_to != seat:
            speaker = self.host.speak_to(seat)
            name = speaker.name(seat)
            self.surface.hide(speaker.say("curtain", who=name), speaker.say("curtain_prompt", who=name))
        self.shown_to = seat

    def _answer(
        self, line: str, table: Table, lines: list[Line], speaker: Speaker, meant: Meant | None
    ) -> Meant | None:
        """Do what a line asks for. What is still meant, if it could mean several things: of those that were meant
        before, where it could mean any of them."""
        assert table.menu is not None
        labels = {action.name: speaker.locale.action(action.name) for action in self.host.program.actions}
        reader = Reader(table, table.menu, lines, self.host.legend.faces, labels, speaker)
        answer = reader.read(line)
        if answer.ways == ((None, None),):
            self._take(table, None, None, speaker)
            return None
        ways = [(act, way) for act, way in answer.ways if act is not None and way is not None]
        open_ways = [(act, way) for act, way in ways if way.group is not None]
        if open_ways and len(open_ways) == len(ways):
            self._ask_cards(*open_ways[0], speaker)
            return None
        ways = [each for each in ways if each not in open_ways]
        ways = [each for each in ways if meant is not None and each[1].choice in meant] or ways
        if len(ways) == 1:
            return self._take(table, ways[0], answer.number, speaker)
        if ways:
            return {way.choice for _, way in ways}
        self._explain(answer, speaker)
        return None

    def _take(
        self, table: Table, chosen: tuple[Act, Way] | None, number: int | None, speaker: Speaker
    ) -> Meant | None:
        """Take a way; ask for its number if that has not been said."""
        decision = self.match.decision
        assert decision is not None
        if chosen is None:
            assert table.menu is not None and table.menu.decline is not None
            self._apply(decision.actions[table.menu.decline], asked=True)
            return None
        act, way = chosen
        action = decision.actions[way.choice]
        if action.number is not None:
            said = number if number is not None else self._ask_number(act, way, table, speaker)
            if said is None:
                return None
            action = action.with_number(said)
        try:
            self._apply(action, asked=True)
        except IllegalAction as illegal:
            self.note(str(illegal.refusal.text))
        return None

    def _ask_cards(self, act: Act, way: Way, speaker: Speaker) -> None:
        """Say how many cards are to be named."""
        assert way.group is not None
        low, high = way.group.low, way.group.high
        example = way.text.split(" of ", 1)[-1].split(" ")[: max(low, 1)]
        count = str(low) if low == high else f"{low}-{high}"
        self.note(speaker.say("name_cards", action=act.label, count=count, example=" ".join([act.label, *example])))

    def _is_command(self, line: str, table: Table) -> bool:
        return Commands(self, self.match.find_seat()).find(line.strip().partition(" ")[0], table) is not None

    def _ask_number(self, act: Act, way: Way, table: Table, speaker: Speaker) -> int | None:
        """The number the user adds; None if he would rather choose again, or asks for something else first."""
        assert way.number is not None
        low, high = way.number
        if low == high:
            return low
        prompt = speaker.say("ask_number", action=act.label, low=low, high=high)
        while said := self.surface.read(prompt):
            number = read_number(said)
            if number is None and self._is_command(said, table):
                self.typed = said
                return None
            if number is not None and low <= number <= high:
                return number
            self.surface.say(speaker.say("not_between", number=said[:40], low=low, high=high))
        return None

    def _explain(self, answer: Answer, speaker: Speaker) -> None:
        """Say what is wrong with what was typed, and the rule that forbids it where there is one."""
        if answer.card is not None:
            reason = self.host.explain_card(self.match, *answer.card)
            if reason is not None:
                self.note(answer.wrong)
                self.note_lines(Commands(self, self.match.find_seat()).explaining.tell_reason(reason))
                return
        if answer.refused:
            self.note_lines(Commands(self, self.match.find_seat()).explaining.tell_refusal(answer.refused))
            return
        self.note(answer.wrong)

    # ---------------------------------------------------------------------------------------------- notes and undo
    def note(self, text: str, style: str = "bold red") -> None:
        """Show a line with the next table."""
        self.notes.append(self.pen.text(text, style))

    def note_lines(self, lines: list[Text]) -> None:
        self.notes += lines

    def skip(self, seat: int, decline: int) -> None:
        """Decline now, and whatever else the seat is offered out of turn before its next turn."""
        assert self.match.decision is not None
        self._apply(self.match.decision.actions[decline], asked=True)
        self.skipping = seat

    def undo(self) -> bool:
        """Take back the last choice a user was asked for; whether there was one."""
        if not self.record.asked:
            return False
        number = self.record.asked[-1]
        kept = self.undone.pop(number, None)
        self.match = kept if kept is not None else self._replay(number)
        self.record.go_back_to(number)
        self.since.clear()
        self.told = min(self.told, len(self.match.events))
        self.skipping = None
        return True

    def _replay(self, number: int) -> Match:
        """The match as it was after so many choices."""
        match = self.host.game.new(self.record.setup.seed)
        for choice in self.record.choices[:number]:
            match.apply(choice)
        return match
