"""The main loop of a match at the terminal.

In: a match, the seats of users and bots, a surface. Out: choices applied and saved, until the match is over or a user
leaves.
"""

from __future__ import annotations

import time
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import NotStored
from hoyle.front.terminal.commands import Commands
from hoyle.front.terminal.input_parsing import Answer, Reader
from hoyle.front.terminal.keys import Line, list_lines, needs_letters
from hoyle.front.terminal.pen import Pen, fold
from hoyle.front.terminal.score_board import draw_scores
from hoyle.front.terminal.surface import Left, Surface
from hoyle.lab.bots.asking import let_choose
from hoyle.play.engine.game import IllegalAction
from hoyle.play.table import Host
from hoyle.play.table.address import Speaker
from hoyle.play.table.model import Act, Table, Way
from hoyle.play.view.names import read_number

if TYPE_CHECKING:
    from hoyle.front.terminal.saving import Record
    from hoyle.lab.bots import Bot
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Decision, Match
    from hoyle.play.engine.habits import Habits

Meant = set[int]  # the choices that the last, ambiguous input could mean


@dataclass(slots=True)
class Session:
    """A match between users at one terminal and bots. `people` are the seats of users; `watched` is the seat whose view
    of a match between bots is shown, None to show all cards."""

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
    since: dict[int, int] = field(default_factory=dict)  # per user, the number of events before their last choice
    shown_to: int | None = None
    skipping: int | None = None  # the seat that declines all response windows until its next turn
    undone: dict[int, Match] = field(default_factory=dict)  # snapshots of the match before each choice of a user
    told: int = 0
    typed: str = ""  # a command typed at the prompt for a number, to be executed next
    letters: bool = False  # whether menu keys are letters

    def __post_init__(self) -> None:
        self.letters = needs_letters(self.host.legend, self.host.program)

    # ---------------------------------------------------------------------------------------------- playing
    def play(self) -> None:
        """Play until the match is over; raises `Left` if a user leaves before."""
        while (decision := self.match.decision) is not None or not self.record.over:
            try:
                self.go_on(decision)
            except NotStored as failure:
                self._tell_not_stored(failure)

    def go_on(self, decision: Decision | None) -> None:
        """Make one choice, or record the end."""
        if decision is None:
            self.record.end()
            return
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

    def _tell_not_stored(self, failure: NotStored) -> None:
        """Say why the match stays as it was, and wait until the user wants to try again or to leave."""
        speaker = self.host.speak_to(self.people[0] if self.people else self.watched)
        self.surface.say(speaker.say("not_stored", why=str(failure)))
        if fold(self.surface.read(speaker.say("store_again"))) in ("q", "quit"):
            raise Left

    def _is_forced(self, decision: Decision) -> bool:
        only = decision.actions[0]
        return len(decision.actions) == 1 and (only.number is None or len(only.number) == 1)

    def _let_bot_choose(self, decision: Decision) -> None:
        chosen = let_choose(self.habits, self.match, decision, self.bots[decision.seat])
        self._apply(self.match.find_action(chosen), asked=False)
        if self.delay:
            time.sleep(self.delay)

    def _tell_along(self) -> None:
        """On a line-based surface, print the events of a match between bots, and the sheet after each round."""
        seat = self.people[0] if self.people else self.watched
        new = self.match.events[self.told :]
        if new and new[-1].name == "chose" and new[-1].data["secret"] and not self.match.is_over:
            return  # choices made together are told when all have chosen
        ends = [at for at, event in enumerate(new, self.told + 1) if event.name == "round_ended"]
        if ends and self.match.sheet is not None and not self.match.is_over:
            self._tell_until(ends[-1], seat)
            self.surface.say("", *draw_scores(self.host.see(self.match, seat), self.host.speak_to(seat), self.pen), "")
        self._tell_until(len(self.match.events), seat)

    def _tell_until(self, until: int, seat: int | None) -> None:
        """Print the news of a match between bots, up to before an event."""
        if not self.people:
            for news in self.host.tell(self.match, seat, self.told, until, reveal=seat is None):
                self.surface.say(self.pen.news(news))
        self.told = until

    def _apply(self, action: Action, *, asked: bool) -> None:
        before = len(self.match.events)
        seat = self.match.find_seat()
        kept = self.match.copy() if asked else None
        self.match.apply(action, store=partial(self.record.add, asked=asked))
        if kept is not None:
            self.undone[len(self.record.choices) - 1] = kept
            self.since[seat] = before
            if self.skipping == seat and not self._was_window(kept):
                self.skipping = None

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
                    return  # the command was an undo or a skip
                continue
            meant = self._answer(line, table, lines, speaker, meant)

    def _find_news(self, seat: int) -> int | None:
        """Return the event from which on to tell a user the news: their last choice (None: let the table find it), or
        0 before the first choice that any user was asked for, so that forced moves made for them are told too."""
        return self.since.get(seat, None if self.record.asked else 0)

    def _prompt(self, speaker: Speaker, meant: Meant | None) -> str:
        return speaker.say("prompt_which") if meant else speaker.say("prompt_move")

    def _draw_curtain(self, seat: int) -> None:
        """Hide the screen between two users at one terminal, so that neither sees the other's cards."""
        if len(self.people) > 1 and self.shown_to != seat:
            speaker = self.host.speak_to(seat)
            name = speaker.name(seat)
            self.surface.hide(speaker.say("curtain", who=name), speaker.say("curtain_prompt", who=name))
        self.shown_to = seat

    def _answer(
        self, line: str, table: Table, lines: list[Line], speaker: Speaker, meant: Meant | None
    ) -> Meant | None:
        """Execute a move typed as a line. If it is ambiguous, return the choices that it could mean, restricted to
        those of the previous ambiguous input if any of them remain."""
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
        """Take a way; ask for its number if that is missing."""
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
        """Say how many cards to name."""
        assert way.group is not None
        low, high = way.group.low, way.group.high
        example = way.text.split(" of ", 1)[-1].split(" ")[: max(low, 1)]
        count = str(low) if low == high else f"{low}-{high}"
        self.note(speaker.say("name_cards", action=act.label, count=count, example=" ".join([act.label, *example])))

    def _is_command(self, line: str, table: Table) -> bool:
        return Commands(self, self.match.find_seat()).find(line.strip().partition(" ")[0], table) is not None

    def _ask_number(self, act: Act, way: Way, table: Table, speaker: Speaker) -> int | None:
        """Ask for a number; None if the user enters an empty line, or a command, which is then kept in `typed`."""
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
        """Note the error of an input, and the rule that forbids it, if any."""
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
        """Decline now, and all response windows before the seat's next turn."""
        assert self.match.decision is not None
        self._apply(self.match.decision.actions[decline], asked=True)
        self.skipping = seat

    def undo(self) -> bool:
        """Take back the last choice that a user was asked for; return whether there was one."""
        if not self.record.asked:
            return False
        number = self.record.asked[-1]
        before = self.undone.get(number) or self._replay(number)
        self.record.go_back_to(number)
        self.undone.pop(number, None)
        self.match = before
        self.since.clear()
        self.told = min(self.told, len(self.match.events))
        self.skipping = None
        return True

    def _replay(self, number: int) -> Match:
        """Rebuild the match after `number` choices."""
        match = self.host.game.new(self.record.setup.seed)
        for choice in self.record.choices[:number]:
            match.apply(choice)
        match.guard()
        return match
