"""The API: a game, its matches, their decisions.

In: a program. Out: `Game` and `Match`, which play it, explain refusals, tell each seat what it may know, and save.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hoyle.diagnostics.report import did_you_mean
from hoyle.engine.actions import Action, list_readings, match_text, spell_actions
from hoyle.engine.executor import ReferenceExecutor
from hoyle.engine.faults import Fault
from hoyle.engine.refusals import Explainer, Refusal
from hoyle.ir.nodes import Program
from hoyle.model.events import Event
from hoyle.model.position import Position
from hoyle.view import seeing
from hoyle.view.names import Names


class IllegalAction(Exception):  # noqa: N818 - it is an answer to a player, not an error of ours
    """An action that is not legal; `refusal` says why. Nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat is to choose from."""

    name: str
    seat: int
    actions: list[Action]


class Game:
    """A game compiled for a number of players and a set of options. `info` is what its file says about itself."""

    def __init__(self, program: Program, info: Mapping[str, Any] | None = None) -> None:
        self.program = program
        self.info = dict(info or {})
        self.name = program.game
        self.title = program.title
        self.players = program.players
        self.options = dict(program.options)

    @cached_property
    def executor(self) -> ReferenceExecutor:
        """An executor that records nothing; those of the matches share its tables."""
        return ReferenceExecutor(self.program)

    @property
    def names(self) -> Names:
        return self.executor.effects.names

    def new(self, seed: int = 0, script: list[Any] | None = None, *, checked: bool = False) -> Match:
        """A new match, run to its first decision. `script` are outcomes that chance is to give first."""
        position = self.executor.start(seed, script)
        match = Match(self, position, seed=seed, script=script, checked=checked)
        match.run()
        return match

    def locate(self, fault: Fault) -> Fault:
        """The fault with the place in the file filled in."""
        if fault.clause is not None:
            clause = self.program.clauses[fault.clause]
            fault.place = f"{clause.file}:{clause.line}: {clause.path}"
        return fault


class Match:
    """A match being played. `position` may be replaced or edited; what is offered follows from it."""

    def __init__(
        self,
        game: Game,
        position: Position,
        *,
        events: list[Event] | None = None,
        history: list[str] | None = None,
        seed: int = 0,
        script: list[Any] | None = None,
        checked: bool = False,
    ) -> None:
        self.game = game
        self.position = position
        self.events = events if events is not None else []
        self.history = history if history is not None else []
        self.seed = seed
        self.script = list(script or ())
        self.executor = ReferenceExecutor(game.program, self._record, checked=checked, like=game.executor)
        self._offered: tuple[Position, Decision] | None = None

    def _record(self, event: Event) -> None:
        self.events.append(event)

    # ---------------------------------------------------------------------------------------------- playing
    @property
    def decision(self) -> Decision | None:
        """Who is to choose, and from what; None when the match is over."""
        decide = self.executor.find_decide(self.position)
        if decide is None:
            return None
        if self._offered is None or self._offered[0] != self.position:
            try:
                seat = self.find_seat()
                choices = self.executor.list_legal(self.position)
            except Fault as fault:
                raise self.game.locate(fault) from None
            actions = spell_actions(self.game.program, self.game.names, self.position, choices)
            name = self.game.program.decisions[decide.decision].name
            self._offered = (self.position.copy(), Decision(name, seat, actions))
        return self._offered[1]

    def apply(self, action: Action | str | int) -> None:
        """Make a choice, given as an action, its text, or its place in the list, and run to the next decision."""
        chosen = self.find_action(action)
        before, told = self.position, len(self.events)
        self.position = before.copy()
        try:
            self.executor.apply(self.position, chosen.choice)
            self.run()
        except Fault:
            self.position = before
            del self.events[told:]
            raise
        self.history.append(chosen.text)

    def run(self, until_step: int | str | None = None) -> None:
        """Run on to the next decision, the end, or the step."""
        try:
            self.executor.run(self.position, until_step)
        except Fault as fault:
            raise self.game.locate(fault) from None

    def find_seat(self) -> int:
        """The seat that is to choose."""
        try:
            return self.executor.find_seat(self.position)
        except Fault as fault:
            raise self.game.locate(fault) from None

    def find_action(self, action: Action | str | int) -> Action:
        """The legal action that is meant; `IllegalAction` if none is."""
        decision = self.decision
        if decision is None:
            raise IllegalAction(Refusal("", "the match is over" if self.is_over else "there is nothing to choose"))
        if isinstance(action, int):
            if not 0 <= action < len(decision.actions):
                raise IllegalAction(Refusal("", f"there is no action {action}; there are {len(decision.actions)}"))
            return decision.actions[action]
        if isinstance(action, Action):
            found = [each for each in decision.actions if each.choice == action.choice]
            if not found:
                raise IllegalAction(self.explain(action))
            return found[0]
        found = match_text(decision.actions, action)
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(f"`{each.text}`" for each in found[:5])
            raise IllegalAction(Refusal("", f"`{action}` can mean {listed}"))
        raise IllegalAction(self.explain(action))

    def explain(self, action: Action | str) -> Refusal:
        """Why an action is not legal here."""
        program, position = self.game.program, self.position
        decide = self.executor.find_decide(position)
        if decide is None:
            return Refusal("", "the match is over" if position.over else "there is nothing to choose")
        if isinstance(action, Action):
            readings = iter([action.choice])
        else:
            readings = list_readings(program, self.game.names, position, action)
        explainer = Explainer(program, self.executor.evaluator, self.executor.effects.sight)
        decision = program.decisions[decide.decision]
        seat = self.find_seat()
        refusals = [explainer.explain(decision, seat, position, choice) for choice in readings]
        found = [refusal for refusal in refusals if refusal is not None]
        if found:
            # A code may stand for several cards: speak of the one that came nearest to being legal.
            return max(found, key=lambda refusal: not _is_about_picks(refusal))
        return self._refuse_words(str(action) if isinstance(action, str) else action.text)

    def _refuse_words(self, text: str) -> Refusal:
        names = [action.name for action in self.game.program.actions]
        first = text.split()[0] if text.split() else ""
        if first in names:
            picks = next(action.picks for action in self.game.program.actions if action.name == first)
            form = " ".join([first, *(f"<{pick.name}>" for pick in picks)])
            return Refusal("", f"`{text}` is not how `{first}` is written: {form}")
        hint = "".join(f"; {each}" for each in did_you_mean(first, names))
        return Refusal("", f"there is no action `{first}`{hint}")

    # ---------------------------------------------------------------------------------------------- looking
    @property
    def is_over(self) -> bool:
        return self.position.over

    @property
    def scores(self) -> list[int]:
        """What each seat has scored."""
        return list(self.position.totals[0]) if self.position.totals else [0] * self.game.players

    @property
    def rounds(self) -> int:
        """How many rounds have been played to their end."""
        return self.position.rounds_played

    @property
    def winners(self) -> list[int]:
        """The seats that have won; nobody before the match is over."""
        return list(self.executor.list_winners(self.position)) if self.is_over else []

    def view(self, seat: int | None) -> seeing.View:
        """The position as a seat may see it; None for a spectator."""
        deciding = self.find_seat() if self.executor.find_decide(self.position) else None
        return seeing.view(self.game.program, self.position, seat, deciding)

    def events_for(self, seat: int | None) -> list[dict[str, Any]]:
        """The events as told to a seat; None for a spectator."""
        told = (seeing.filter_event(self.game.program, event, seat, self.game.names) for event in self.events)
        return [event for event in told if event is not None]

    # ---------------------------------------------------------------------------------------------- keeping
    def copy(self) -> Match:
        """A match that goes on by itself."""
        return Match(
            self.game,
            self.position.copy(),
            events=self.events[:],
            history=self.history[:],
            seed=self.seed,
            script=self.script,
            checked=self.executor.checked,
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Match)
            and self.game.program == other.game.program
            and self.position == other.position
            and self.history == other.history
            and self.events == other.events
        )

    __hash__ = None  # type: ignore[assignment]  # a match changes

    def to_json(self) -> str:
        """The match as JSON text."""
        return json.dumps(
            {
                "game": self.game.name,
                "players": self.game.players,
                "options": self.game.options,
                "seed": self.seed,
                "script": self.script,
                "position": self.position.to_json(),
                "events": [event.to_json() for event in self.events],
                "history": self.history,
            }
        )

    @classmethod
    def from_json(cls, game: Game, text: str) -> Match:
        """The match `to_json` wrote. It must be of this game, players and options."""
        data = json.loads(text)
        saved = (data["game"], data["players"], data["options"])
        if saved != (game.name, game.players, game.options):
            raise ValueError(f"saved for {saved[0]} with {saved[1]} players and options {saved[2]}")
        return cls(
            game,
            Position.from_json(data["position"]),
            events=[Event.from_json(event) for event in data["events"]],
            history=data["history"],
            seed=data["seed"],
            script=data["script"],
        )


def _is_about_picks(refusal: Refusal) -> bool:
    return ".choose." in f".{refusal.path}."
