"""The command `why` during play: explains the legality of cards and actions, the scores, and the current decision.

In: the arguments of `why`, or a refused move. Out: lines, in the language of the table; with `--full` what only authors
of rules want to know, in English: values, source locations, the running steps, unmet conditions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from rich.text import Text

from hoyle.authoring.why import (
    Answer,
    ScoreEntry,
    align,
    explain_action,
    explain_moment,
    explain_scores,
    make_row,
    render_answer,
    render_moment,
    render_needs,
    render_scores,
    render_trace,
    say_place,
)
from hoyle.front.terminal.input_parsing import list_names
from hoyle.front.terminal.pen import fold
from hoyle.play.engine.actions import match_text
from hoyle.play.engine.game import IllegalAction
from hoyle.play.table.address import Speaker
from hoyle.play.table.model import Reason, Table
from hoyle.play.table.why_not import tell_rule

if TYPE_CHECKING:
    from hoyle.front.terminal.pen import Pen
    from hoyle.play.engine.game import Match
    from hoyle.play.table import Host

FULL = "--full"  # `why --full 8H` is for authors
SCORE = "score"


class Explained(Protocol):
    """The part of a terminal session that explanations use."""

    match: Match
    host: Host
    pen: Pen


class Explaining:
    """Explains to one seat."""

    def __init__(self, session: Explained, seat: int, speaker: Speaker) -> None:
        self.session = session
        self.seat = seat
        self.speaker = speaker

    def tell(self, rest: str, table: Table) -> list[Text]:
        """Answer `why` with the given arguments."""
        words = [word for word in rest.split() if word != FULL]
        full = len(words) < len(rest.split())
        match = self.session.match
        asks_scores = words and fold(words[0]) in (SCORE, fold(self.speaker.say("command_score")))
        about_scores = asks_scores and not self._is_action(words[0])
        if not words or about_scores:
            if not full:
                return [self.session.pen.text(line) for line in (self._list_scores() if words else self._tell_turn())]
            if about_scores:
                return [Text(line) for line in render_scores(explain_scores(match), match.scores, self.speaker.name)]
            return [Text(line) for line in render_moment(explain_moment(match, self.seat), full=True, you=self.seat)]
        asked = " ".join(words)
        return self._tell_card(asked, table, full) or self._tell_action(asked, full)

    def tell_refusal(self, words: str) -> list[Text]:
        """Explain why an action, as typed, is not legal."""
        spelled = self._spell(words)
        if self._is_offered(spelled):
            return self._say_allowed(words)
        return self.tell_reason(self.session.host.explain(self.session.match, spelled))

    def tell_reason(self, reason: Reason, *, full: bool = False) -> list[Text]:
        """Format a reason as lines: the sentence, the deciding values if asked for, the alternatives, the rules."""
        pen, say = self.session.pen, self.speaker.say
        lines = [pen.text(reason.text, "bold red")]
        if reason.because:
            lines.append(pen.text(f"  {reason.because}", "bold"))
        lines += [pen.text(f"  {value.text}: {value.value}") for value in reason.values if full]
        for way in reason.otherwise:
            cited = f" [{', '.join(way.cite)}]" if way.cite else ""
            lines.append(pen.text("  " + say("nor", text=way.text) + cited))
            lines += [pen.text(f"    {value.text}: {value.value}") for value in way.values if full]
        for rule in reason.rules:
            lines.append(pen.text(f"  {rule.id}" + (f": {rule.text}" if rule.text else f" ({rule.place})"), "cyan"))
        return lines

    # ---------------------------------------------------------------------------------------------- queries
    def _tell_card(self, asked: str, table: Table, full: bool) -> list[Text]:
        """Explain a card on the table or of this seat; empty if `asked` names no card."""
        host, said = self.session.host, fold(asked)
        called = [code for code, face in host.legend.faces.items() if said in map(fold, list_names(face))]
        if not called:
            return []
        mine = [zone for zone in table.zones if zone.owner in (None, self.seat)]
        found = next(((z, at, c) for z in mine for at, c in enumerate(z.cards) if c in called), None)
        if found is None:
            said = self.speaker.say("not_held", card=host.legend.faces[called[0]].text)
            return [self.session.pen.text(said, "bold red")]
        zone, place, code = found
        reason = host.explain_card(self.session.match, zone.id, place)
        menu = table.menu
        if reason is None and menu is not None and not menu.takes(host.legend.faces[code]):
            said = self.speaker.say("no_use", card=host.legend.faces[code].text)
            return [self.session.pen.text(said, "bold red")]
        return self._tell_why(asked, [f"{action.name} {code}" for action in host.program.actions], reason, full)

    def _tell_action(self, asked: str, full: bool) -> list[Text]:
        words = self._spell(asked)
        reason = None if self._is_offered(words) else self.session.host.explain(self.session.match, words)
        return self._tell_why(asked, [words], reason, full)

    def _spell(self, words: str) -> str:
        """Translate the action at the beginning of the words, a label or a unique prefix, to its name in the file."""
        actions = self.session.host.program.actions
        for action in actions:
            label = fold(self.speaker.locale.action(action.name))
            if f"{fold(words)} ".startswith(f"{label} ") and label != fold(action.name):
                return action.name + words[len(label) :]
        first, _, rest = words.partition(" ")
        known = [action.name for action in actions if action.name.startswith(fold(first))]
        return f"{known[0]} {rest}".strip() if len(known) == 1 else words

    def _is_action(self, word: str) -> bool:
        return any(fold(word) == fold(action.name) for action in self.session.host.program.actions)

    # ---------------------------------------------------------------------------------------------- answers
    def _tell_turn(self) -> list[str]:
        """Say what is happening, what the seat can choose, and by which rules."""
        match, speaker = self.session.match, self.speaker
        moment = explain_moment(match, self.seat)
        offered = match.decision.actions if match.decision is not None else []
        labels = dict.fromkeys(speaker.locale.action(action.name) for action in offered if action.choice)
        phrase = "may_choose" if moment.optional else "is_to_choose"
        rules, cited = self.session.host.program.rules, moment.clause.cite if moment.clause is not None else ()
        told = [tell_rule(rules[each], speaker) for each in cited if each in rules]
        steps = [speaker.locale.translate(step.clause.text) for step in moment.running if step.clause.text]
        lines = [*steps[-1:], speaker.say(phrase, what=", ".join(labels))]
        return [*lines, *(f"  {rule.id}: {rule.text}" for rule in told if rule.text)]

    def _list_scores(self) -> list[str]:
        """List how the scores came about, in the language of the table."""
        match, speaker = self.session.match, self.speaker
        rows = [
            make_row(speaker.say("round", round=entry.round), speaker.name(entry.seat), entry, self._label(entry))
            for entry in explain_scores(match)
        ]
        names = [f"{speaker.name(seat)} {score}" for seat, score in enumerate(match.scores)]
        return [*(align(rows) or [speaker.say("nothing_scored")]), speaker.say("scores_are", scores=", ".join(names))]

    def _label(self, entry: ScoreEntry) -> str:
        locale, names = self.speaker.locale, self.session.match.game.names
        if entry.pot is None:
            return " ".join(locale.message(part) for part in (entry.heading, entry.label) if part)
        pot = self.speaker.whose(locale.state(names.states[entry.pot][0].name), names.find_owner(entry.pot))
        return locale.state(entry.heading) + self.speaker.say("to" if entry.amount < 0 else "from", place=pot)

    def _is_offered(self, words: str) -> bool:
        """Whether the words match an offered action or its name."""
        decision = self.session.match.decision
        offered = decision.actions if decision is not None else []
        return bool(match_text(offered, words)) or any(fold(words) == fold(action.name) for action in offered)

    def _say_allowed(self, what: str) -> list[Text]:
        """Say that an action is allowed; or just possible, in games with errors, where an offered action need not be
        allowed, and whether it is may depend on hidden cards."""
        phrase = "why_possible" if self.session.host.program.called else "why_allowed"
        return [self.session.pen.text(self.speaker.say(phrase, what=what), "bold")]

    def _tell_why(self, asked: str, wordings: Iterable[str], reason: Reason | None, full: bool) -> list[Text]:
        """Format the reason against an action, or, without one, the rules that allow it; with source locations."""
        answer = self._find_answer(wordings, reason)
        trace = [Text(line) for line in render_trace(answer)] if answer is not None and full else []
        if reason is None:
            if answer is None or self.session.host.program.called or not full:
                return self._say_allowed(asked)
            first, *others = render_answer(answer)
            return [self.session.pen.text(first, "bold"), *map(Text, others), *trace]
        first_line, *details = self.tell_reason(reason, full=full)
        needs = render_needs(answer) if answer is not None and full else []
        places = map(Text, self._list_places(reason, answer)) if full else ()
        return [first_line, *places, *details, *map(Text, needs), *trace]

    def _find_answer(self, wordings: Iterable[str], reason: Reason | None) -> Answer | None:
        """Find the detailed answer for the action that a reason is about, or, without one, for the first allowed
        action."""
        for words in wordings:
            try:
                answer = explain_action(self.session.match, words, self.seat)
            except IllegalAction:
                continue
            if answer.allowed if reason is None else any(step.clause.path == reason.path for step in answer.decided):
                return answer
        return None

    def _list_places(self, reason: Reason, answer: Answer | None) -> list[str]:
        """Format the source location of the clause that refuses."""
        decided = [step.clause for step in answer.decided] if answer is not None else []
        clauses = (*decided, *self.session.host.program.clauses)
        clause = next((each for each in clauses if each.path == reason.path), None)
        return [f"  {say_place(clause)}"] if clause is not None else []
