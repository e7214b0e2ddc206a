"""The public API: games, matches and their decisions.

In: a program. Out: `Game` and `Match`: play, explanations of refusals, per-seat views and event streams, sampling for
search, and JSON serialisation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import Any

from hoyle.base.diagnostics.report import did_you_mean
from hoyle.base.digest import digest_tree
from hoyle.base.effort import spend
from hoyle.play.beliefs.cannot_hold import find_lacking
from hoyle.play.beliefs.determinization import Sampler
from hoyle.play.beliefs.from_choices import Barred, Moments, Needed, find_barred, rename_moment
from hoyle.play.beliefs.known_cards import Knowledge
from hoyle.play.beliefs.must_hold import find_needed
from hoyle.play.engine.actions import Action, list_readings, match_text, spell_actions
from hoyle.play.engine.decision import Decision as Decision
from hoyle.play.engine.drawing import Chooser
from hoyle.play.engine.executor import EVALUATED_IN_STEP, ReferenceExecutor
from hoyle.play.engine.executors import EXECUTORS, ExecutorName, read_executor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.hearing import Hearing
from hoyle.play.engine.legality import Choice, is_permitted
from hoyle.play.engine.limits import MOST_DECISIONS, MOST_TOLD, measure_event
from hoyle.play.engine.match_validation import check_position, restore
from hoyle.play.engine.origin import make_head
from hoyle.play.engine.playout import Result, play_chosen, play_from, play_many, play_out
from hoyle.play.engine.refusals import Explainer, Refusal
from hoyle.play.engine.refusals import IllegalAction as IllegalAction
from hoyle.play.engine.standpoint import Before, Standpoint, describe_information, find_choosers
from hoyle.play.engine.struck_out import check_offer, strike_out
from hoyle.play.engine.utility import find_range, find_sum, value_end
from hoyle.play.view import seeing
from hoyle.play.view.names import Names
from hoyle.play.view.score_sheet_view import Sheet, has_sheet, read_sheet
from hoyle.program.ir.nodes import Program, Untold
from hoyle.program.model.chance import derive_seed, seeded
from hoyle.program.model.events import FORGOTTEN, Event, Told
from hoyle.program.model.given import read_place, read_script, read_seat, read_whole
from hoyle.program.model.position import Position

UNKNOWN = -1  # a size that is reckoned once it is needed


class Game:
    """A program compiled for one number of players and one set of options. `info` is the metadata of its rule file.

    `executor` selects what runs playouts: the reference interpreter ("reference"), which defines the semantics and runs
    all matches with events, generated Python ("python"), native code ("native"), or each from when it pays ("auto").
    `executor_class` overrides the choice, for executors built for a purpose. A match of more than `most_decisions`
    ends in a fault."""

    def __init__(
        self,
        program: Program,
        info: Mapping[str, Any] | None = None,
        *,
        executor: ExecutorName = "auto",
        executor_class: type[ReferenceExecutor] | None = None,
        most_decisions: int = MOST_DECISIONS,
    ) -> None:
        self.executor_name = read_executor(executor)
        self.most_decisions = most_decisions
        self.executor_class = executor_class or EXECUTORS[self.executor_name]
        self.program = program
        self.info = dict(info or {})
        self.name = program.game
        self.title = program.title
        self.players = program.players
        self.options = dict(program.options)

    def __repr__(self) -> str:
        return f"<Game {self.name}, {self.players} player{'s' * (self.players != 1)}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle support: the same game is rebuilt in another process."""
        again = partial(
            Game, executor=self.executor_name, executor_class=self.executor_class, most_decisions=self.most_decisions
        )
        return again, (self.program, self.info)

    def __deepcopy__(self, _known: dict[int, Any]) -> Game:
        """A game that another thread can use: it shares the immutable program; executor, sampler and caches are
        rebuilt."""
        return Game(
            self.program, self.info, executor=self.executor_name, executor_class=self.executor_class,
            most_decisions=self.most_decisions,
        )  # fmt: skip

    @cached_property
    def executor(self) -> ReferenceExecutor:
        """An executor that records no events. The executors of matches share its tables."""
        return self.executor_class(self.program, most_decisions=self.most_decisions)

    @cached_property
    def knower(self) -> ReferenceExecutor:
        """An executor for positions in which what a seat does not know is struck out."""
        return ReferenceExecutor(self.program)

    @cached_property
    def untold(self) -> Untold:
        """What a seat need not know where it decides."""
        if self.program.untold is not None:
            return self.program.untold
        from hoyle.language.analyse.leaks import find_untold

        return find_untold(self.program)

    @cached_property
    def sampler(self) -> Sampler:
        """Redeals the cards that a seat does not know (determinization)."""
        return Sampler(self.executor, lambda: self.untold)

    @property
    def utility_range(self) -> tuple[float, float]:
        """Bounds on the utility of a finished match for one seat; infinite where the file declares a utility without a
        range."""
        return find_range(self.program)

    @property
    def utility_sum(self) -> float | None:
        """The sum of all seats' utilities at the end of a match if it is constant, else None."""
        return find_sum(self.program)

    @cached_property
    def layout(self) -> str:
        """A digest of what the numbers in a position and in its events refer to: zones, states, cards, blocks, clauses.
        It can differ between two Hoyles that compile the same rules."""
        program = self.program
        parts = (program.zones, program.states, program.slots, program.columns, program.blocks, program.scores)
        codes, paths = [card.code for card in program.cards], [clause.path for clause in program.clauses]
        return digest_tree([*parts, codes, paths])

    @property
    def names(self) -> Names:
        return self.executor.effects.names

    @property
    def sight(self) -> seeing.Sight:
        return self.executor.effects.sight

    def new(self, seed: int = 0, script: list[Any] | None = None, *, checked: bool = False) -> Match:
        """A new match, run to its first decision. Chance takes its first outcomes from `script`."""
        seed, script = read_whole(seed, "a seed"), read_script(script)
        position = self.executor.start(seed, script)
        match = Match(self, position, seed=seed, script=script, checked=checked)
        match.run()
        return match

    def take_up(self, position: Position, before: Before | None = None) -> Match:
        """A match that resumes from a copy of a position. Raises `RecordError`, a `ValueError`, if the position does
        not belong to this game. History and events start empty; `before` holds what the seats learned earlier. Without
        it, each seat knows only what it sees in the position."""
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
        """Play a match to its end without texts, views or events. `choose` picks from the list of choices. Without it,
        all seats choose at random by the seed, and commit offences at the rate `errors` in games where offences are
        possible."""
        script = read_script(script)
        try:
            if choose is not None:
                return play_chosen(self.executor, seed, choose, script)
            return play_out(self.executor, seed, errors=errors, script=script)
        except Fault as fault:
            raise self.locate(fault) from None

    def playouts(self, seeds: Iterable[int], *, errors: float = 0.0) -> Iterator[Result]:
        """One result per seed, each as by `playout`; native code plays them in batches."""
        try:
            yield from play_many(self.executor, seeds, errors=errors)
        except Fault as fault:
            raise self.locate(fault) from None

    def locate(self, fault: Fault) -> Fault:
        """The same fault with its source location filled in."""
        if fault.clause is not None:
            clause = self.program.clauses[fault.clause]
            fault.place = f"{clause.file}:{clause.line}: {clause.path}"
        return fault


class Match:
    """A match in progress. `position` may be replaced or edited: decisions and views are derived from it."""

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
        self.before = before  # only for matches resumed from a position, sampled ones included
        self._guards: Callable[[int], bool] | None = None  # whose offers are checked
        self.executor = game.executor_class(game.program, self._record, checked=checked, like=game.executor)
        self._offered: tuple[Position, Sequence[Choice], Decision] | None = None
        self._knowledge: Knowledge | None = None
        self._moments = Moments() if moments is None else moments
        # Cached inferences by seat: the number of events and the position they were drawn from, and the result.
        self._concluded: dict[int, tuple[int, Position, tuple[Barred, Needed]]] = {}
        self._size = UNKNOWN if self.events else 0
        self._chosen: dict[int | None, tuple[int, int]] = {}  # by seat: the events looked at, the choices told in them
        self._forgotten = 0  # events dropped, counted from the first
        self._hearing = Hearing(game.program, game.names)

    def __repr__(self) -> str:
        made = self.position.decisions
        when = f"{'over ' * self.is_over}after {made} choice{'s' * (made != 1)}"
        return f"<Match {repr(self.game)[6:-1]}, {when}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle support: the same match is rebuilt in another process."""
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
        if self._size == UNKNOWN:
            self._size = sum(map(_measure, self.events))
        self._size += _measure(event)
        self.events.append(event)
        if self._size > MOST_TOLD:
            self._forget_events()

    def _forget_events(self) -> None:
        """Drop the older half of the recorded events, by size: recording must not make a match fail that would end
        without it. Dropped events are replaced by a placeholder, because others index into the list."""
        self._hearing.forget()
        place = self._forgotten
        while self._size > MOST_TOLD // 2 and place < len(self.events):
            self._size -= _measure(self.events[place])
            self.events[place] = FORGOTTEN
            place += 1
        self._forgotten = place

    # ---------------------------------------------------------------------------------------------- play
    @property
    def decision(self) -> Decision | None:
        """The decision the match stands at: the seat and its legal actions; None if it stands at none, as when it is
        over."""
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

    def apply(self, action: Action | str | int, *, store: Callable[[str], object] | None = None) -> None:
        """Apply a choice, given as an action, its text, or its index, and run to the next decision. An open number
        parameter must be given: `match.apply("offer 30")`, or `action.with_number(30)`. A fault leaves the match
        unchanged. `store` is called with the text of the choice once it is known to be playable and before it counts;
        if it raises, the match is left unchanged, too."""
        chosen = self.find_action(action)
        legal = self._offered[1] if self._offered is not None else None
        before, told, size, forgotten = self.position, len(self.events), self._size, self._forgotten
        seat = self.find_seat()
        self.position = before.copy()
        try:
            self.executor.advance(self.position, chosen.choice, legal)
            self._check_offer()
            if store is not None:
                store(chosen.text)
        except BaseException as failure:  # also Ctrl-C: a choice counts as a whole or not at all
            self.position = before
            del self.events[told:]
            if self._forgotten > forgotten:
                size = sum(map(_measure, self.events))
            self._size, self._forgotten = size, min(self._forgotten, told)
            self._knowledge = None  # it may have heard of what has not happened
            self._chosen.clear()
            self._hearing.forget()
            if isinstance(failure, Fault):
                raise self.game.locate(failure) from None
            raise
        self.history.append(chosen.text)
        self._moments.note(before, seat, chosen.choice, self.position, self.events[told:])

    def guard(self, people: Callable[[int], bool] = lambda seat: True) -> None:
        """From now on, and for what is offered now, it is a fault if an offer to one of these seats depends on what the
        seat does not know. So people play at a table: the proof of secrets is not all that stands between a rule file
        and them."""
        self._guards = people
        self._check_offer()

    def _check_offer(self) -> None:
        if self._guards is not None and self.executor.find_decide(self.position) and self._guards(self.find_seat()):
            check_offer(self)

    def run(self, until_step: int | str | None = None) -> None:
        """Run to the next decision, to the end, or to the beginning of a step."""
        try:
            self.executor.run(self.position, until_step)
        except Fault as fault:
            raise self.game.locate(fault) from None

    def find_seat(self) -> int:
        """The seat whose decision it is."""
        try:
            return self.executor.find_seat(self.position)
        except Fault as fault:
            raise self.game.locate(fault) from None

    def find_action(self, action: Action | str | int) -> Action:
        """The legal action that is meant, with its number filled in; raises `IllegalAction` if there is none, if the
        text is ambiguous, or if a number is missing."""
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
        known = strike_out(self, seat)
        if isinstance(action, Action):
            readings = iter([action.choice])
        else:
            readings = list_readings(program, sight, position, seat, action)
        # One that traces remembers nothing, so that it cannot mix up cards that are struck out with others.
        traced = self.executor.evaluator.trace is not None
        evaluator = self.executor.evaluator if traced else self.game.knower.evaluator
        explainer = Explainer(program, evaluator, sight)
        decision = program.decisions[decide.decision]
        refusals = []
        for choice in readings:
            refusals.append(explainer.explain(decision, seat, known, choice))
            spend(1 + evaluator.spent // EVALUATED_IN_STEP)
        found = [refusal for refusal in refusals if refusal is not None]
        if found:
            # A card code may be ambiguous: prefer the reading whose picks were valid, it came nearest to being legal.
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

    # ---------------------------------------------------------------------------------------------- queries
    @property
    def is_over(self) -> bool:
        return self.position.over

    @property
    def scores(self) -> list[int]:
        """The score of each seat."""
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
        """The number of completed rounds."""
        return self.position.rounds_played

    @property
    def winners(self) -> list[int]:
        """The winning seats; empty until the match is over."""
        try:
            return list(self.executor.list_winners(self.position)) if self.is_over else []
        except Fault as fault:
            raise self.game.locate(fault) from None

    def view(self, seat: int | None) -> seeing.View:
        """The position as a seat sees it; None for a spectator."""
        seat = read_seat(seat, self.game.players)
        decide = self.executor.find_decide(self.position)
        deciding = self.find_seat() if decide else None
        if decide and seat != deciding and self.game.program.decisions[decide.decision].window:
            deciding = None
        return seeing.view(self.game.sight, self.position, seat, deciding)

    @property
    def offence(self) -> tuple[int, str] | None:
        """The recorded offence, for the host only: the offending seat and the path of the broken clause."""
        record = self.position.offence if self.game.program.called else None
        return None if record is None else (record[0], self.game.program.clauses[record[1]].path)

    def list_lawful(self) -> Sequence[Action]:
        """The offered actions that are not offences. For the host only: which these are may depend on hidden cards."""
        decision = self.decision
        if decision is None or not self.game.program.called:
            return decision.actions if decision else []
        lawful = self.executor.list_lawful(self.position)
        return [action for action in decision.actions if not action.choice or is_permitted(action.choice, lawful)]

    def events_for(self, seat: int | None) -> list[Told]:
        """The retained events as filtered for a seat; None for a spectator."""
        return self._hearing.hear(self.events, read_seat(seat, self.game.players), self.before)[:]

    def count_told(self, seat: int | None) -> int:
        """How many events the seat has been told; it differs between any two decisions of one seat."""
        return len(self._hearing.hear(self.events, read_seat(seat, self.game.players), self.before))

    def information_state(self, seat: int | None) -> str:
        """Everything the seat has been told so far and what it sees now, as text: a key of its information set."""
        lines = self._hearing.describe(self.events, read_seat(seat, self.game.players), self.before)
        return describe_information(lines, self.view(seat))

    def information_hash(self, seat: int | None) -> str:
        """A hash of the information state, stable across processes and machines."""
        return hashlib.sha256(self.information_state(seat).encode()).hexdigest()

    @property
    def utilities(self) -> list[float]:
        """The utility of the finished match for each seat; zero for all until the match is over."""
        if not self.is_over:
            return [0.0] * self.game.players
        try:
            return value_end(self.executor, self.position)
        except Fault as fault:
            raise self.game.locate(fault) from None

    # ---------------------------------------------------------------------------------------------- search
    @property
    def knowledge(self) -> Knowledge:
        """Which cards each seat knows beyond those it sees, tracked from the events."""
        if self._knowledge is None or self._knowledge.heard > len(self.events):
            begun = None if self.before is None else self.before.knowledge.relabel({})
            self._knowledge = begun or Knowledge(self.game.program, self.game.names)
        self._knowledge.hear(self.events)
        return self._knowledge

    def sample(self, seat: int | None, seed: int = 0) -> Match:
        """A match whose position the seat cannot distinguish from this one: everything hidden from the seat, and all
        future chance, is resampled by the seed. Its history is empty, since the real one would reveal hidden cards; the
        events told to the seat carry over."""
        seat, seed = read_seat(seat, self.game.players), read_whole(seed, "a seed")
        choosers = self._find_choosers()
        sampler, known = self.game.sampler, self.knowledge.masks
        barred, needed = ({}, ()) if seat is None else self._conclude(seat)
        hidden = sampler.redealer.prepare(self.position, seat, known, barred, needed, real=True)
        position, becomes = sampler.sample_playable(self.position, seat, seed, known, choosers, hidden)
        position.decisions = self.count_choices(seat)
        before = Before(seat, tuple(self.events_for(seat)), tuple(choosers), self.knowledge.relabel(becomes))
        sampled = Match(self.game, position, seed=seed, checked=self.executor.checked, before=before)
        sampled._moments = self._moments.copy(partial(rename_moment, self.game.sampler.redealer, becomes))
        return sampled

    def redeal(self, seat: int, seed: int = 0) -> Position:
        """A position in which everything hidden from the seat is dealt anew, by what it has been told and shown alone:
        quicker than `sample`, which also infers from the choices of others."""
        sampler, known = self.game.sampler, self.knowledge.masks
        hidden = sampler.redealer.prepare(self.position, seat, known, real=True)
        return sampler.sample(self.position, seat, seed, known, self._find_choosers(), hidden)[0]

    def standpoint(self, seat: int) -> Standpoint:
        """The seat's information as a value: the only input of a bot at that seat."""
        seat = read_seat(read_whole(seat, "a seat"), self.game.players)
        choosers = self._find_choosers()
        seed = derive_seed(self.count_told(seat), seat)  # independent: the match's own seed predicts future chance
        sampler, known = self.game.sampler, self.knowledge.masks
        barred, needed = self._conclude(seat)
        hidden = sampler.redealer.prepare(self.position, seat, known, barred, needed, real=True)
        position, becomes = sampler.sample(self.position, seat, seed, known, choosers, hidden)
        position.decisions = self.count_choices(seat)
        masks = tuple(mask >> seat & 1 and 1 << seat for mask in self.knowledge.relabel(becomes).masks)
        barred = {becomes[card]: cannot_be for card, cannot_be in barred.items()}
        told = tuple(self.events_for(seat))
        return Standpoint(self.game, seat, position, masks, tuple(choosers), told, barred, needed)

    def count_choices(self, seat: int | None) -> int:
        """How many choices have been made, as far as the seat has been told: who declines in a window tells nobody."""
        seat, players, many = read_seat(seat, self.game.players), self.game.players, len(self.events)
        looked, chosen = self._chosen.get(seat, (0, 0))
        if looked > many:  # choices have been taken back
            looked = chosen = 0
        new = islice(self.events, looked, None)
        chosen += sum(1 for event in new if event.name == "chose" and seeing.includes(event.told, seat, players))
        self._chosen[seat] = many, chosen
        before = self.before
        if before is not None and before.seat == seat:
            chosen += sum(1 for event in before.told if event["event"] == "chose")
        return min(chosen, self.position.decisions)

    def _find_choosers(self) -> list[int]:
        earlier = () if self.before is None else self.before.choosers
        return find_choosers(self.executor, self.position, self.events, earlier)

    def _conclude(self, seat: int) -> tuple[Barred, Needed]:
        """Constraints on the cards hidden from the seat, inferred from past choices: which cards each cannot be, and
        sets of cards of which at least one lies in a zone. Cached until the next event or change of position, because
        many samples may be drawn from one position."""
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
        """Play a copy of the match to its end, without texts, views or events. `choose` picks from the list of choices;
        without it, all seats choose at random. `seed` determines chance and random players from here on; without it,
        chance continues from its present state, and random players draw by the seed of the match."""
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
        """Play the match on once per seed, each as by `playout`; native code plays them in batches."""
        try:
            yield from play_many(self.game.executor, seeds, self.position.copy(), errors=errors)
        except Fault as fault:
            raise self.game.locate(fault) from None

    # ---------------------------------------------------------------------------------------------- copying and saving
    def copy(self, seed: int | None = None, game: Game | None = None) -> Match:
        """An independent copy. With `seed`, future chance is reseeded. With `game`, another game of an equal program,
        the copy belongs to that game: threads must not share a game."""
        if game is not None and not isinstance(game, Game):
            raise TypeError(f"a match goes on in a game, not in {game!r}")
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
        other._guards = self._guards
        other.events, other._size, other._forgotten = self.events[:], self._size, self._forgotten
        other._hearing = self._hearing.copy()
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

    __hash__ = None  # type: ignore[assignment]  # mutable

    def to_json(self) -> dict[str, object]:
        """The match as JSON data, with the rules it is played under."""
        return {
            **make_head(self.game.program),
            "layout": self.game.layout,
            "seed": self.seed,
            "script": list(self.script),
            "position": self.position.to_json(),
            "events": [event.to_json() for event in self.events],
            "history": list(self.history),
        }

    @classmethod
    def from_json(cls, game: Game, data: Any) -> Match:
        """Read a match that `to_json` wrote. Raises `RecordError`, a `ValueError` that names the place, if it is
        malformed or impossible, and `OtherRules`, one of these, if it was saved under other rules, or with another
        game, number of players or options."""
        return restore(cls, game, data)


def _is_about_picks(refusal: Refusal) -> bool:
    return ".choose." in f".{refusal.path}."


def _measure(event: Event) -> int:
    return 0 if event is FORGOTTEN else measure_event(event.data)
