"""Terminal commands other than moves: help, undo, hint, why, rules, log, score, save, new match, quit.

In: a line typed at a prompt. Out: the command, executed. A command is typed as its name or a unique prefix of it; a
leading slash distinguishes it from a game action of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Protocol

from rich.text import Text

from hoyle.front.terminal.pen import fold
from hoyle.front.terminal.score_board import draw_scores
from hoyle.front.terminal.surface import Left, LeftForAnother, is_yes
from hoyle.lab.bots import advise
from hoyle.language.library import describe
from hoyle.play.table.menu import find_way
from hoyle.play.table.model import Table
from hoyle.program.info import say_options
from hoyle.program.model.chance import derive_seed

if TYPE_CHECKING:
    from hoyle.front.terminal.explaining import Explaining
    from hoyle.front.terminal.pen import Pen
    from hoyle.front.terminal.saving import Record
    from hoyle.front.terminal.surface import Surface
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Match
    from hoyle.play.table import Host

NAMES = ("help", "undo", "hint", "why", "rules", "log", "score", "save", "skip", "table", "new", "quit")
MOST_NOTED = 10  # answers with more lines are shown on pages of their own instead of beside the table
UNFOLDED = 1_000_000  # columns of lines that the surface folds
LONGEST = 150  # of what a table of contents says of a chapter
ROW = 22  # width of the first cell of a row
MOST_WEIGHED = 5  # choices for which a hint shows search statistics
SHORT = {"?": "help", "q": "quit"}


class Session(Protocol):
    """The part of a terminal session that commands use."""

    match: Match
    host: Host
    record: Record
    surface: Surface
    pen: Pen

    def undo(self) -> bool: ...

    def skip(self, seat: int, decline: int) -> None: ...

    def note(self, text: str, style: str = "bold red") -> None: ...

    def note_lines(self, lines: list[Text]) -> None: ...


class Commands:
    """The commands of a seat."""

    def __init__(self, session: Session, seat: int) -> None:
        self.session = session
        self.seat = seat
        self.speaker = session.host.speak_to(seat)
        self.words = {name: self.speaker.say(f"command_{name}") for name in NAMES}
        self._by_name: dict[str, Callable[[str, Table], None]] = {
            "help": self._help,
            "undo": self._undo,
            "hint": self._hint,
            "why": self._why,
            "rules": self._rules,
            "log": self._log,
            "score": self._score,
            "save": self._save,
            "skip": self._skip,
            "table": self._table,
            "new": self._new,
            "quit": self._quit,
        }

    @cached_property
    def explaining(self) -> Explaining:
        """What answers `why`; imported when somebody asks."""
        from hoyle.front.terminal.explaining import Explaining

        return Explaining(self.session, self.seat, self.speaker)

    def obey(self, line: str, table: Table) -> bool:
        """Execute a line if it is a command; return whether it is."""
        word, _, rest = line.strip().partition(" ")
        name = self.find(word, table)
        if name is None:
            return False
        self._by_name[name](rest.strip(), table)
        return True

    def find(self, word: str, table: Table) -> str | None:
        """Find the command for a word, or for a unique prefix of at least two letters. Actions of the menu take
        precedence unless the word begins with `/` or `:`."""
        said = fold(word)
        forced = said[:1] in ("/", ":")
        said = said.lstrip("/:")
        if word in SHORT:
            return SHORT[word]
        acts = [fold(text) for act in (table.menu.acts if table.menu else ()) for text in (act.label, act.name)]
        if not forced and any(act == said or (act.startswith(said) and len(said) > 1) for act in acts):
            return None
        exact = [name for name in NAMES if said in (name, fold(self.words[name]))]
        if exact:
            return exact[0]
        cut = [name for name in NAMES if name.startswith(said) or fold(self.words[name]).startswith(said)]
        return cut[0] if len(cut) == 1 and len(said) > 1 else None

    def complete(self, text: str, first: bool) -> Sequence[str]:
        """List completions of a text: items of the menu, and for the first word also actions and commands."""
        table = self.session.host.see(self.session.match, self.seat)
        menu = table.menu
        words = [act.label for act in menu.acts] if menu is not None and first else []
        words += [item.text if " " not in item.text else item.word for item in menu.items] if menu is not None else []
        words += self.words.values() if first else ()
        return sorted({f"{word} " for word in words if fold(word).startswith(fold(text))})

    # ---------------------------------------------------------------------------------------------- the commands
    def _help(self, rest: str, table: Table) -> None:
        say = self.speaker.say
        menu = table.menu
        lines = [Text(say("help_intro")), Text()]
        if menu is not None:
            for act in menu.acts:
                example = act.ways[0].text
                lines.append(self._row(example, act.text or act.label))
            lines.append(Text())
        for name in NAMES:
            word = self.words[name]
            typed = word if self.find(word, table) == name else f"/{word}"  # an action has the same name
            lines.append(self._row(typed, say(f"help_{name}")))
        self.session.surface.show_pages(say("help_title"), lines, self.speaker)

    def _row(self, left: str, right: str) -> Text:
        row = self.session.pen.text(f"  {left + ' ':<{ROW}} ", "bold")
        row.append_text(self.session.pen.text(right))
        return row

    def _undo(self, rest: str, table: Table) -> None:
        if self.session.undo():
            self.session.note(self.speaker.say("undone"), "bold")
        else:
            self.session.note(self.speaker.say("nothing_to_undo"))

    def _hint(self, rest: str, table: Table) -> None:
        """Show the choice of the adviser, with its search statistics."""
        match, say, pen = self.session.match, self.speaker.say, self.session.pen
        advice = advise(match, derive_seed(self.session.record.setup.seed, len(match.history)))
        self.session.note(say("hinted", bot=advice.bot, what=self._spell(advice.action, table)), "bold")
        if advice.equal > 1:
            same = "hint_same" if advice.equal < len(advice.weighed) else "hint_all_same"
            self.session.note(say(same, n=advice.equal))
        for each in advice.weighed[:MOST_WEIGHED]:
            what, write = self._spell(each.action, table), self.speaker.locale.write_number
            visits, total = write(each.visits), write(advice.visits)
            line = say("hint_weighed", what=what, visits=visits, all=total, value=round(100 * each.value))
            self.session.note_lines([pen.text(f"  {line}", "dim" if each.action != advice.action else "")])

    def _spell(self, action: Action, table: Table) -> str:
        """Format an action as in the menu."""
        decision, menu = self.session.match.decision, table.menu
        assert decision is not None and menu is not None
        found = find_way(menu, decision.place(action.choice))
        if found is None:
            return self.speaker.say("decline")
        _, way = found
        return way.text if way.number is None else f"{way.text.rsplit(' ', 1)[0]} {action.choice[-1]}"

    def _why(self, rest: str, table: Table) -> None:
        from hoyle.front.terminal.explaining import FULL

        lines = self.explaining.tell(rest, table)
        if len(lines) > MOST_NOTED or FULL in rest.split():
            self.session.surface.show_pages(f"{self.words['why']} {rest}".strip(), lines, self.speaker)
        else:
            self.session.note_lines(lines)

    def _rules(self, rest: str, table: Table) -> None:
        from hoyle.authoring.rulebook import list_points, write_book  # slow to import
        from hoyle.base.diagnostics.render import render_text
        from hoyle.base.diagnostics.report import Report

        say, pen, program = self.speaker.say, self.session.pen, self.session.host.program
        report = Report()
        path = Path(self.session.record.setup.game)
        book = write_book(path, report, self.speaker.locale.language, table=program)
        if book is None:
            self.session.note_lines([Text(line) for line in render_text(report.ordered()).splitlines()])
            return
        chapters = book.find(rest) if rest else book.chapters[:1]
        if not chapters:
            self.session.note(say("no_topic", word=rest[:40]))
            return
        lines: list[Text] = []
        for chapter in chapters:
            lines += [pen.text(chapter.title, "bold"), *map(pen.text, list_points(chapter, UNFOLDED)), Text()]
        if not rest:
            lines += [Text(say("rules_intro")), Text()]
            for chapter in book.chapters[1:]:
                named = ", ".join(dict.fromkeys(point.name for point in chapter.points if point.name))
                told = named or chapter.points[0].text
                lines.append(self._row(chapter.title, shorten(told, LONGEST, placeholder=" …")))
            if program.options:
                lines += [Text(), Text(say("rules_options"))]
                language = self.speaker.locale.language
                info, _ = describe(path, language if language != program.language else None)
                spoken = {"true": say("book_yes"), "false": say("book_no"), "none": say("none")}
                for told, value in say_options(info, program.options).items():
                    lines.append(pen.text(f"  {told}: {spoken.get(value, value)}"))
        self.session.surface.show_pages(say("rules_title"), lines, self.speaker)

    def _log(self, rest: str, table: Table) -> None:
        news = self.session.host.tell(self.session.match, self.seat)
        lines: list[Text] = []
        for each in news:
            if each.kind == "round_began" and lines:
                lines.append(Text())
            lines.append(self.session.pen.news(each))
        self.session.surface.show_pages(self.speaker.say("log_title"), lines, self.speaker)

    def _score(self, rest: str, table: Table) -> None:
        lines = draw_scores(table, self.speaker, self.session.pen)
        self.session.surface.show_pages(self.speaker.say("score_title"), lines, self.speaker)

    def _save(self, rest: str, table: Table) -> None:
        say, record = self.speaker.say, self.session.record
        if not rest:
            where = str(record.path) if record.path is not None else ""
            self.session.note(say("kept_in", path=where) if where else say("not_kept"), "bold")
            return
        path = Path(rest).expanduser()
        if path.exists():
            self.session.note(say("file_exists", path=rest))
            return
        try:
            record.save_as(path)
        except OSError as problem:
            self.session.note(say("not_written", path=rest, problem=(problem.strerror or "").lower()))
            return
        self.session.note(say("kept_in", path=rest), "bold")

    def _skip(self, rest: str, table: Table) -> None:
        """Decline all response windows until the seat's next turn."""
        menu = table.menu
        if menu is None or menu.decline is None or not menu.window:
            self.session.note(self.speaker.say("no_skip"))
            return
        self.session.skip(self.seat, menu.decline)

    def _table(self, rest: str, table: Table) -> None:
        """Redraw the table, which happens after every command."""

    def _new(self, rest: str, table: Table) -> None:
        say = self.speaker.say
        question = say("new_match" if self.session.record.path is not None else "new_match_unkept")
        if is_yes(self.session.surface.read(question), say("yes"), default=False):
            raise LeftForAnother

    def _quit(self, rest: str, table: Table) -> None:
        raise Left

