"""The API: a game, its matches, their decisions.

In: a program. Out: `Game` and `Match`, which play it, explain refusals, tell each seat what it may know, and save.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from hoyle.diagnostics.report import did_you_mean
from hoyle.effort import spend
from hoyle.engine.actions import Action, list_readings, match_text, spell_actions
from hoyle.engine.decision import Decision as Decision
from hoyle.engine.drawing import Chooser
from hoyle.engine.executor import EVALUATED_IN_STEP, ReferenceExecutor
from hoyle.engine.executors import EXECUTORS, ExecutorName, read_executor
from hoyle.engine.faults import Fault
from hoyle.engine.lacking import find_lacking
from hoyle.engine.legality import Choice, is_permitted
from hoyle.engine.limits import MOST_TOLD, measure_event
from hoyle.engine.moments import Barred, Moments, Needed, find_barred, rename_moment
from hoyle.engine.needed import find_needed
from hoyle.engine.playout import Result, play_chosen, play_from, play_many, play_out
from hoyle.engine.refusals import Explainer, Refusal
from hoyle.engine.refusals import IllegalAction as IllegalAction
from hoyle.engine.restoring import check_position, restore
from hoyle.engine.sampling import Sampler
from hoyle.engine.standpoint import Before, Standpoint, describe_event, describe_information, find_choosers
from hoyle.engine.utility import find_range, find_sum, value_end
from hoyle.ir.nodes import Program
from hoyle.model.chance import derive_seed, seeded
from hoyle.model.events import FORGOTTEN, Event, Told
from hoyle.model.given import read_outcome, read_place, read_seat, read_whole
from hoyle.model.position import Position
from hoyle.view import seeing
from hoyle.view.knowledge import Knowledge
from hoyle.view.names import Names
from hoyle.view.sheet import Sheet, has_sheet, read_sheet


class Game:
    """A game compiled for a number of players and a set of options. `info` is what its file says about itself.

    `executor` says what plays it: Python generated from the program, native code, the one until the other pays (auto),
    or the reference, which defines what is right; `executor_class` is another one, made for a purpose."""

    def __init__(
        self,
        program: Program,
        info: Mapping[str, Any] | None = None,
        *,
        executor: ExecutorName = "auto",
        executor_class: type[ReferenceExecutor] | None = None,
    ) -> None:
        self.executor_name = read_executor(executor)
        self.executor_class = executor_class or EXECUTORS[self.executor_name]
        self.program = program
        self.info = dict(info or {})
        self.name = program.game
        self.title = program.title
        self.players = program.players
        self.options = dict(program.options)

    def __reduce__(self) -> tuple[object, ...]:
        """What another process makes the same game from."""
        return partial(Game, executor=self.executor_name), (self.program, self.info)

    def __deepcopy__(self, _known: dict[int, Any]) -> Game:
        """A game that another thread can play: all but the program, which does not change, is made anew."""
        return Game(self.program, self.info, executor=self.executor_name, executor_class=self.executor_class)

    @cached_property
    def executor(self) -> ReferenceExecutor:
        """An executor that records nothing; those of the matches share its tables."""
        return self.executor_class(self.program)

    @cached_property
    def sampler(self) -> Sampler:
        """What deals anew what a seat does not know."""
        return Sampler(self.executor)

    @property
    def most_decisions(self) -> int:
        """How many decisions a match may take; one that takes more is stopped by a fault."""
        return self.executor.most_decisions

    @property
    def utility_range(self) -> tuple[float, float]:
        """The least and the most that the end of a match can be worth to a seat; infinite where a file says what it is
        worth, but not within which range."""
        return find_range(self.program)

    @property
    def utility_sum(self) -> float | None:
        """What the end of a match is worth to all seats together, if that is always the same."""
        return find_sum(self.program)

    @property
    def names(self) -> Names:
        return self.executor.effects.names

    @property
    def sight(self) -> seeing.Sight:
        return self.executor.effects.sight

    def new(self, seed: int = 0, script: list[Any] | None = None, *, checked: bool = False) -> Match:
        """A new match, run to its first decision. `script` are outcomes that chance is to give first."""
        seed, script = read_whole(seed, "a seed"), read_outcome(script)
        position = self.executor.start(seed, script)
        match = Match(self, position, seed=seed, script=script, checked=checked)
        match.run()
        return match

    def take_up(self, position: Position, before: Before | None = None) -> Match:
        """A match that goes on from a position, of which a copy is taken; `RecordError`, which is a `ValueError`, if it
        is none of this game. Its history and its events begin there, and `before` is what seats know from earlier:
        unless it is given they know what they see."""
        if not isinstance(position, Position):
            raise TypeError(f"a match is taken up from a position, not from {position!r}")
        if before is None:
            check_position(self, position)
            before = Before(None, (), (), Knowledge.of(self.program, self.names, position))
        return Match(self, position.copy(), before=before)

    def playout(
        self,
        seed: int = 0,
        choose: Chooser | None = None,
        script: list[Any] | None = None,
        *,
        errors: float = 0.0,
    ) -> Result:
        """A match played to its end without texts, views or events: `choose` picks from the list of choices. Unless it
        is given, the match is that of bots that choose at random by the seed, who err at a share `errors` of their
        decisions where errors can be made."""
        script = read_outcome(script)
        try:
            if choose is not None:
                return play_chosen(self.executor, seed, choose, script)
            return play_out(self.executor, seed, errors=errors, script=script)
        except Fault as fault:
            raise self.locate(fault) from None

    def playouts(self, seeds: Iterable[int], *, errors: float = 0.0) -> Iterator[Result]:
        """The matches of many seeds, each as by `playout`; native code plays many at a time."""
        try:
            yield from play_many(self.executor, seeds, errors=errors)
        except Fault as fault:
            raise self.locate(fault) from None

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
        moments: Moments | None = None,
        before: Before | None = None,
    ) -> None:
        self.game = game
        self.position = position
        self.events = events if events is not None else []
        self.history = history if history is not None else []
        self.seed = seed
        self.script = list(script or ())
        self.before = before  # only of a match that was sampled
        self.executor = game.executor_class(game.program, self._record, checked=checked, like=game.executor)
        self._offered: tuple[Position, Sequence[Choice], Decision] | None = None
        self._knowledge: Knowledge | None = None
        self._moments = Moments() if moments is None else moments
        # By seat: how many events there were, the position, and what was concluded then.
        self._concluded: dict[int, tuple[int, Position, tuple[Barred, Needed]]] = {}
        self._size = sum(map(_measure, self.events))
        self._forgotten = 0  # events from the first on
        # By seat: events heard of, what was told, and the lines that describe as much of it as was asked for.
        self._told: dict[int | None, tuple[int, list[Told], list[str]]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        """What another process makes the same match from."""
        make = partial(
            Match,
            events=self.events,
            history=self.history,
            seed=self.seed,
            script=self.script,
            checked=self.executor.checked,
            moments=self._moments.copy(),
            before=self.before,
        )
        return make, (self.game, self.position)

    def _record(self, event: Event) -> None:
        self._size += _measure(event)
        self.events.append(event)
        if self._size > MOST_TOLD:
            self._forget_events()

    def _forget_events(self) -> None:
        """Let the older half of what is kept go: a match is not to end because it is watched, and simulations keep no
        events. Their places stay, since others count from them."""
        self._told.clear()
        place = self._forgotten
        while self._size > MOST_TOLD // 2 and place < len(self.events):
            self._size -= _measure(self.events[place])
            self.events[place] = FORGOTTEN
            place += 1
        self._forgotten = place

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
            position = self.position.copy()
            read = partial(list_readings, self.game.program, self.executor.effects.sight, position, seat)
            actions = spell_actions(self.game.program, self.game.names, self.position, choices, read)
            declared = self.game.program.decisions[decide.decision]
            decision = Decision(declared.name, seat, actions, declared.window)
            self._offered = (self.position.copy(), choices, decision)
        return self._offered[2]

    def apply(self, action: Action | str | int) -> None:
        """Make a choice, given as an action, its text, or its place in the list, and run to the next decision. Where a
        number is to be said, it must be said: `match.apply("offer 30")`, or `action.with_number(30)`."""
        chosen = self.find_action(action)
        legal = self._offered[1] if self._offered is not None else None
        before, told, size, forgotten = self.position, len(self.events), self._size, self._forgotten
        seat = self.find_seat()
        self.position = before.copy()
        try:
            self.executor.advance(self.position, chosen.choice, legal)
        except Fault as fault:
            self.position = before
            del self.events[told:]
            if self._forgotten > forgotten:
                size = sum(map(_measure, self.events))
            self._size, self._forgotten = size, min(self._forgotten, told)
            raise self.game.locate(fault) from None
        self.history.append(chosen.text)
        self._moments.note(before, seat, chosen.choice, self.position, self.events[told:])

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
        """The legal action that is meant, its number said; `IllegalAction` if none is."""
        found = self._find_offered(action)
        if found.number is None:
            return found
        if len(found.number) == 1:
            return found.with_number(found.number[0])
        raise IllegalAction(self._ask_number(found))

    def _find_offered(self, action: Action | str | int) -> Action:
        decision = self.decision
        if decision is None:
            raise IllegalAction(Refusal("", "the match is over" if self.is_over else "there is nothing to choose"))
        if not isinstance(action, Action | str):
            action = read_place(action)
            if not 0 <= action < len(decision.actions):
                raise IllegalAction(Refusal("", f"there is no action {action}; there are {len(decision.actions)}"))
            return decision.actions[action]
        if isinstance(action, Action):
            meant = decision.find(action.choice)
            if meant is None:
                raise IllegalAction(self.explain(action))
            return meant
        found = match_text(decision.actions, action)
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(f"`{each.text}`" for each in found[:5])
            raise IllegalAction(Refusal("", f"`{action}` can mean {listed}"))
        raise IllegalAction(self.explain(action))

    def _ask_number(self, action: Action) -> Refusal:
        assert action.number is not None
        pick = self.game.program.actions[action.choice[0]].picks[-1]
        example = action.with_number(action.number[0]).text
        bounds = f"from {action.number[0]} to {action.number[-1]}"
        clause = self.game.program.clauses[pick.clause]
        return Refusal(clause.path, f"`{pick.name}` is to be a number {bounds}: `{example}`")

    def explain(self, action: Action | str) -> Refusal:
        """Why an action is not legal here."""
        if not isinstance(action, Action | str):
            raise TypeError(f"what is explained is an action or its text, not {action!r}")
        program, position = self.game.program, self.position
        decide = self.executor.find_decide(position)
        if decide is None:
            return Refusal("", "the match is over" if position.over else "there is nothing to choose")
        sight, seat = self.executor.effects.sight, self.find_seat()
        if isinstance(action, Action):
            readings = iter([action.choice])
        else:
            readings = list_readings(program, sight, position, seat, action)
        explainer = Explainer(program, self.executor.evaluator, sight)
        decision = program.decisions[decide.decision]
        refusals = []
        for choice in readings:
            refusals.append(explainer.explain(decision, seat, position, choice))
            spend(1 + self.executor.evaluator.spent // EVALUATED_IN_STEP)
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
        try:
            return self.executor.list_scores(self.position)
        except Fault as fault:
            raise self.game.locate(fault) from None

    @property
    def sheet(self) -> Sheet | None:
        """The score sheet, in games that keep one."""
        program = self.game.program
        if not has_sheet(program):
            return None
        return read_sheet(program, self.position, self.scores, self.executor.value_of)

    @property
    def rounds(self) -> int:
        """How many rounds have been played to their end."""
        return self.position.rounds_played

    @property
    def winners(self) -> list[int]:
        """The seats that have won; nobody before the match is over."""
        try:
            return list(self.executor.list_winners(self.position)) if self.is_over else []
        except Fault as fault:
            raise self.game.locate(fault) from None

    def view(self, seat: int | None) -> seeing.View:
        """The position as a seat may see it; None for a spectator."""
        seat = read_seat(seat, self.game.players)
        decide = self.executor.find_decide(self.position)
        deciding = self.find_seat() if decide else None
        if decide and seat != deciding and self.game.program.decisions[decide.decision].window:
            deciding = None
        return seeing.view(self.game.sight, self.position, seat, deciding)

    @property
    def offence(self) -> tuple[int, str] | None:
        """The offence on record, for the host alone: the seat that committed it and the path of the clause it broke."""
        record = self.position.offence
        return None if record is None else (record[0], self.game.program.clauses[record[1]].path)

    def list_lawful(self) -> Sequence[Action]:
        """The actions offered that are no offences. For the host: which ones they are may depend on hidden cards."""
        decision = self.decision
        if decision is None or not self.game.program.called:
            return decision.actions if decision else []
        lawful = self.executor.list_lawful(self.position)
        return [action for action in decision.actions if not action.choice or is_permitted(action.choice, lawful)]

    def events_for(self, seat: int | None) -> list[Told]:
        """The events as told to a seat, those that are still kept; None for a spectator."""
        return self._hear(read_seat(seat, self.game.players))[0][:]

    def _hear(self, seat: int | None) -> tuple[list[Told], list[str]]:
        """What the seat was told, and the lines that describe some of it, from the first on; both are kept."""
        heard, told, lines = self._told.get(seat, (-1, [], []))
        if not 0 <= heard <= len(self.events):
            before = self.before
            heard, told, lines = 0, list(before.told) if before is not None and before.seat == seat else [], []
        for event in self.events[heard:]:
            shown = seeing.filter_event(self.game.program, event, seat, self.game.names)
            if shown is not None:
                told.append(shown)
        self._told[seat] = (len(self.events), told, lines)
        return told, lines

    def information_state(self, seat: int | None) -> str:
        """All that the seat has been told since the match began, and what it sees now, as text: two matches in which it
        is the same are the same to the seat."""
        told, lines = self._hear(read_seat(seat, self.game.players))
        lines += map(describe_event, told[len(lines) :])
        return describe_information(lines, self.view(seat))

    def information_hash(self, seat: int | None) -> str:
        """A short key for the information state, the same in every process and on every machine."""
        return hashlib.sha256(self.information_state(seat).encode()).hexdigest()

    @property
    def utilities(self) -> list[float]:
        """What the end of the match is worth to each seat; nothing before it is over."""
        if not self.is_over:
            return [0.0] * self.game.players
        try:
            return value_end(self.executor, self.position)
        except Fault as fault:
            raise self.game.locate(fault) from None

    # ---------------------------------------------------------------------------------------------- searching
    @property
    def knowledge(self) -> Knowledge:
        """Which cards each seat knows though it may not see them, from all that has happened."""
        if self._knowledge is None or self._knowledge.heard > len(self.events):
            begun = None if self.before is None else self.before.knowledge.relabel({})
            self._knowledge = begun or Knowledge(self.game.program, self.game.names)
        self._knowledge.hear(self.events)
        return self._knowledge

    def sample(self, seat: int | None, seed: int = 0) -> Match:
        """A match the seat cannot tell from this one, as far as its position goes: what the seat does not know is drawn
        by the seed, and so is all chance to come. It begins with no history, which would tell what is hidden, but the
        seat has been told in it what it was told here."""
        seat, seed = read_seat(seat, self.game.players), read_whole(seed, "a seed")
        choosers = self._find_choosers()
        sampler, known = self.game.sampler, self.knowledge.masks
        barred, needed = ({}, ()) if seat is None else self._conclude(seat)
        hidden = sampler.redealer.prepare(self.position, seat, known, barred, needed)
        position, becomes = sampler.sample_playable(self.position, seat, seed, known, choosers, hidden)
        before = Before(seat, tuple(self.events_for(seat)), tuple(choosers), self.knowledge.relabel(becomes))
        sampled = Match(self.game, position, seed=seed, checked=self.executor.checked, before=before)
        sampled._moments = self._moments.copy(partial(rename_moment, self.game.sampler.redealer, becomes))
        return sampled

    def standpoint(self, seat: int) -> Standpoint:
        """What a bot at the seat is given: all that the seat may know, and nothing else."""
        seat = read_seat(read_whole(seat, "a seat"), self.game.players)
        choosers = self._find_choosers()
        seed = derive_seed(self.position.decisions, seat)  # of its own: the seed of the match tells what is to come
        sampler, known = self.game.sampler, self.knowledge.masks
        barred, needed = self._conclude(seat)
        hidden = sampler.redealer.prepare(self.position, seat, known, barred, needed)
        position, becomes = sampler.sample(self.position, seat, seed, known, choosers, hidden)
        masks = tuple(mask >> seat & 1 and 1 << seat for mask in self.knowledge.relabel(becomes).masks)
        barred = {becomes[card]: cannot_be for card, cannot_be in barred.items()}
        told = tuple(self.events_for(seat))
        return Standpoint(self.game, seat, position, masks, tuple(choosers), told, barred, needed)

    def _find_choosers(self) -> list[int]:
        earlier = () if self.before is None else self.before.choosers
        return find_choosers(self.executor, self.position, self.events, earlier)

    def _conclude(self, seat: int) -> tuple[Barred, Needed]:
        """What the choices made tell the seat of cards it does not know: which they cannot be, and of which one at
        least lies in a zone. It is kept for as long as nothing happens: of one position many samples are drawn."""
        kept = self._concluded.get(seat)
        if kept is not None and kept[0] == len(self.events) and kept[1] == self.position:
            return kept[2]
        sampler = self.game.sampler
        cards = sampler.redealer.list_hidden(self.position, seat, self.knowledge.masks)
        barred = find_barred(sampler, self.position, seat, cards, self._moments)
        for card, lacked in find_lacking(sampler, self.position, seat, cards, self._moments).items():
            barred[card] = barred.get(card, lacked) | lacked
        needed = find_needed(sampler, self.position, seat, cards, self._moments)
        self._concluded[seat] = (len(self.events), self.position.copy(), (barred, needed))
        return barred, needed

    def playout(
        self, choose: Chooser | None = None, seed: int | None = None, *, errors: float = 0.0
    ) -> Result:
        """The match played on to its end, on a copy, without texts, views or events: `choose` picks from the list of
        choices; without it, all choose at random. `seed` is what chance and players at random go by from here on; if it
        is not given, chance is that of this match."""
        if seed is not None and choose is None:
            return next(self.playouts([seed], errors=errors))
        position = self.position.copy()
        if seed is not None:
            position.random, position.script = seeded(seed), []
        try:
            return play_from(self.game.executor, position, self.seed if seed is None else seed, choose, errors)
        except Fault as fault:
            raise self.game.locate(fault) from None

    def playouts(self, seeds: Iterable[int], *, errors: float = 0.0) -> Iterator[Result]:
        """The match played on for each of many seeds, as by `playout`; native code plays many at a time."""
        try:
            yield from play_many(self.game.executor, seeds, self.position.copy(), errors=errors)
        except Fault as fault:
            raise self.game.locate(fault) from None

    # ---------------------------------------------------------------------------------------------- keeping
    def copy(self, seed: int | None = None, game: Game | None = None) -> Match:
        """A match that goes on by itself; with a seed, with chance of its own from here on; with another game of the
        same program, as one of its matches, since two threads must not share a game."""
        if game is not None and game.program is not self.game.program and game.program != self.game.program:
            raise ValueError(f"a match of {self.game.name} cannot go on as one of {game.name}, or not as it was set")
        position = self.position.copy()
        if seed is not None:
            position.random, position.script = seeded(seed), []
        other = Match(
            game or self.game,
            position,
            history=self.history[:],
            seed=self.seed,
            script=self.script,
            checked=self.executor.checked,
            moments=self._moments.copy(),
            before=self.before,
        )
        other.events, other._size, other._forgotten = self.events[:], self._size, self._forgotten
        other._told = {seat: (heard, told[:], lines[:]) for seat, (heard, told, lines) in self._told.items()}
        return other

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, _known: dict[int, Any]) -> Match:
        return self.copy()

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
        """The match `to_json` wrote. It must be of this game, players and options; `RecordError`, which is a
        `ValueError`, says where it is not, or cannot be."""
        return restore(cls, game, text)


def _is_about_picks(refusal: Refusal) -> bool:
    return ".choose." in f".{refusal.path}."


def _measure(event: Event) -> int:
    return 0 if event is FORGOTTEN else measure_event(event.data)
