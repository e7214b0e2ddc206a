"""Property tests of noninterference: after permuting what a seat cannot know, everything that it sees, may do and is
refused must stay the same.

This is independent of the static checker: what seats know is tracked from what they were told (`following`), without
trusting the declaration `remembered`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile, zip_longest
from typing import Any

import hoyle
from courses import Told as Told
from courses import ask_alike, choose, compare, list_texts, try_courses
from following import Knowledge, Known, list_known, look_up_sight, relabel
from hoyle.play.view.seeing import UNKNOWN_CARD, filter_event, includes
from hoyle.program.ir.nodes import State
from hoyle.program.model.events import Event

# Events about the places of cards. Others, such as scores and states, can legitimately reveal what another seat sees.
ABOUT_PLACES = {"chose", "gathered", "shuffled", "cut", "dealt", "moved", "turned_over", "swapped"}
MOST_ASKED = 6  # refusals compared
FAILED_AGAIN = 3  # other cards with which a rule has to fail that has failed with some
MOST_SEATS = 2  # seats checked besides the deciding one


@dataclass
class Watch:
    """Tracks the knowledge of all seats and spectators in a match, and compares it with other hidden cards."""

    match: hoyle.Match
    chance: random.Random
    followed: int = 0
    heard: list[str] = field(default_factory=list)  # names of actions offered so far

    def __post_init__(self) -> None:
        game = self.match.game
        self.seats = [*range(game.players), None]
        self.knowledge = {seat: Knowledge(game.program, seat) for seat in self.seats}
        self.follow()

    def run_on(self) -> None:
        """Run to the next decision, with checks wherever a randomly chosen step begins."""
        step = self.chance.choice(self.match.game.program.steps).name
        while True:
            before = len(self.match.events)
            self._run(until_step=step)
            self.follow()
            if self.match.is_over or self.match.executor.find_decide(self.match.position) is not None:
                return
            if len(self.match.events) == before:
                self._run()
                self.follow()
                return
            self._try_course()
            if self.chance.random() < 0.5:
                self.try_courses()
            step = self.chance.choice(self.match.game.program.steps).name

    def _run(self, until_step: str | None = None) -> None:
        """Run on; if a rule fails, then with other cards that nobody knows, too."""
        begun = self.match.position.copy()
        try:
            self.match.run(until_step=until_step)
        except hoyle.Fault as fault:
            self.match.position = begun
            known = join(list_known(each, begun) for each in self.knowledge.values())
            for _ in range(FAILED_AGAIN):
                compare("whether a rule fails", _fails(self._other(known).run), fault.code)
            raise

    def _try_course(self) -> None:
        """Check that the course up to the next decision does not depend on what nobody knows."""
        known = join(list_known(each, self.match.position) for each in self.knowledge.values())
        after = [self.match.copy(), self._other(known)]
        compare("whether a rule fails", *(_fails(each.run) for each in after))
        self._compare_course(after, known)

    def follow(self) -> None:
        """Process the new events for all seats."""
        fresh = self.match.events[self.followed :]
        self.followed = len(self.match.events)
        for seat, knowledge in self.knowledge.items():
            knowledge.follow(fresh, self.match.view(seat))

    def try_all(self) -> None:
        """Run the checks for each seat, and for what nobody can know."""
        known = {seat: list_known(knowledge, self.match.position) for seat, knowledge in self.knowledge.items()}
        asked = self.match.decision
        looking = {*self.chance.sample(self.seats, MOST_SEATS), *([asked.seat] if asked else [])}
        for seat in self.seats:
            if seat in looking:
                self._try_seat(seat, known[seat])
        self._try_nobody(join(known.values()))

    def try_courses(self, decisions: int = 3) -> None:
        """Go on for a while in two courses that one of the seats cannot tell apart."""
        seat = self.chance.randrange(self.match.game.players)
        known = list_known(self.knowledge[seat], self.match.position)
        try_courses(self.match, seat, known, self.chance, decisions)

    def _other(self, known: Known) -> hoyle.Match:
        other = self.match.copy()
        program = self.match.game.program
        other.position = relabel(program, self.match.position, known, self.chance.getrandbits(32))
        return other

    def _try_seat(self, seat: int | None, known: Known) -> None:
        """Check that what a seat sees, may do and is refused does not depend on what it cannot know."""
        other = self._other(known)
        compare("the view", other.view(seat), self.match.view(seat))
        compare("the scores", other.scores, self.match.scores)
        decision = self.match.decision
        if decision is None:
            return
        if decision.seat != seat:
            self._look_on(seat, other, decision)
            return  # who is asked may depend on what others see
        same = other.decision
        assert same is not None
        compare("the decision", (same.name, same.seat), (decision.name, decision.seat))
        offered = list_texts(decision)
        compare("what is offered", list_texts(same), offered)
        for text in self.chance.sample(self.heard, min(MOST_ASKED, len(self.heard))):
            if text not in offered:
                compare("a refusal", *(str(each.explain(text)) for each in (other, self.match)))
        self._try_states(seat, offered)
        choice = choose(decision, self.chance).text
        after = [each.copy() for each in (self.match, other)]
        for each in after:
            each.apply(choice)
        told = [self._list_told(each.events[self.followed :], seat, known) for each in after]
        told = self._end_where_acts_differ(*told)
        compare("what is told", *told)
        self.heard = list(dict.fromkeys([*self.heard, *offered]))[-200:]

    def _look_on(self, seat: int | None, other: hoyle.Match, decision: hoyle.Decision) -> None:
        """Let another seat make the same choice with other cards: if this seat is told the same and decides next, its
        legal actions must be the same."""
        choice = choose(decision, self.chance)
        after = [each.copy() for each in (self.match, other)]
        try:
            same = other.decision
            if seat is None or same is None or (same.seat, same.name) != (decision.seat, decision.name):
                return
            for each in after:
                each.apply(choice.text)
        except (hoyle.Fault, hoyle.IllegalAction):
            return  # with these cards, the choice is not possible
        told = [[self._hear(event, seat) for event in each.events[self.followed :]] for each in after]
        if told[0] != told[1] or after[0].view(seat) != after[1].view(seat) or not ask_alike(*after):
            return  # the rules have revealed something, or have given the seat cards
        asked = [each.decision for each in after]
        if all(each is not None and each.seat == seat for each in asked):
            compare("what is offered next", *(list_texts(each) for each in asked if each))

    def _try_states(self, seat: int, offered: list[str]) -> None:
        """Check that what a seat may do does not depend on the values of states that it cannot see."""
        other, program = self.match.copy(), self.match.game.program
        sight = look_up_sight(program)
        for index, (state, _) in enumerate(sight.names.states):
            if not includes(sight.mask_state(index), seat, program.players):
                other.position.states[index] = self._any_value(state, other.position.states[index])
        compare("the view", other.view(seat), self.match.view(seat))
        try:
            same = other.decision
        except hoyle.Fault:
            return  # an impossible value
        assert same is not None
        compare("what is offered", list_texts(same), offered)

    def _any_value(self, state: State, value: object) -> object:
        if isinstance(value, bool):
            return self.chance.random() < 0.5
        if isinstance(value, int) and state.type.kind == "number":
            return self.chance.randint(state.low or 0, state.high if state.high is not None else 20)
        return value

    def _list_told(self, events: list[Event], seat: int | None, known: Known) -> list[object]:
        """List what the seat is told after a choice, up to the first event that reveals what another seat knows."""
        until = takewhile(lambda event: not self._is_cut([event], seat, known), events)
        told = (self._hear(event, seat) for event in until)
        return [each for each in told if each is not None]

    def _end_where_acts_differ(self, first: list[Any], second: list[Any]) -> list[list[Any]]:
        """Both up to the first act of only one of them, or the first card that comes from elsewhere in only one: rules
        may depend on what somebody knows, who tells it by acting as they say. What nobody knows is compared to the end
        (`_compare_course`)."""
        sight = look_up_sight(self.match.game.program)
        seen = {sight.names.name_zone(zone) for zone, mask in enumerate(sight.fixed) if mask != 0}
        for place, told in enumerate(zip_longest(first, second)):
            if None in told or len({(each["event"], each["clause"]) for each in told}) > 1:
                return [first[:place], second[:place]]
            moved = [each["source"] for each in told if each["event"] == "moved" and UNKNOWN_CARD in each["cards"]]
            if len(moved) == 2 and moved[0] != moved[1] and not seen.isdisjoint({*moved[0], *moved[1]}):
                return [first[:place], second[:place]]
        return [first, second]

    def _hear(self, event: Event, seat: int | None) -> object:
        program = self.match.game.program
        return filter_event(program, event, seat, look_up_sight(program).names)

    def _is_cut(self, events: list[Event], seat: int | None, known: Known) -> bool:
        """Whether one of the events reveals what another seat knows."""
        place = self.match.game.program.players if seat is None else seat
        return any(event.name not in ABOUT_PLACES or _reveals(event, known, 1 << place) for event in events)

    def _try_nobody(self, known: Known) -> None:
        """Check that nothing depends on what nobody knows until it is revealed: neither views, nor decisions, nor the
        events after a choice."""
        other = self._other(known)
        for seat in self.seats:
            compare("a view", other.view(seat), self.match.view(seat))
        decision, same = self.match.decision, other.decision
        compare("whether anybody is asked", same is None, decision is None)
        if decision is None or same is None:
            return
        compare("who is asked what", (same.seat, same.name), (decision.seat, decision.name))
        compare("what is offered", *map(list_texts, (same, decision)))
        choice = choose(decision, self.chance).text
        after = [each.copy() for each in (self.match, other)]
        compare("whether a rule fails", *(_fails(partial(each.apply, choice)) for each in after))
        self._compare_course(after, known)

    def _compare_course(self, after: list[hoyle.Match], known: Known) -> None:
        streams = [self._list_public(each.events[self.followed :], known) for each in after]
        compare("what is told to anybody", *(told for told, _ in streams))
        if not any(revealed for _, revealed in streams):
            asked = [each.decision and (each.decision.seat, each.decision.name) for each in after]
            compare("who is asked next", *asked)
            compare("how the scores stand", *(each.scores for each in after))

    def _list_public(self, events: list[Event], known: Known) -> tuple[list[object], bool]:
        """List what all seats are told, up to the first event that reveals a card nobody knew; and whether there is
        one."""
        program = self.match.game.program
        told: list[object] = []
        for event in events:
            if _reveals(event, known, (1 << program.players + 1) - 1):
                return told, True
            heard = [self._hear(event, seat) for seat in self.seats]
            if any(each is not None for each in heard):
                told.append(heard)
        return told, False


def _fails(go_on: Callable[..., object]) -> str:
    """The code of the fault in which a match ends as it goes on; empty if in none."""
    try:
        go_on()
    except hoyle.Fault as fault:
        return fault.code
    return ""


def _reveals(event: Event, known: Known, who: int) -> bool:
    """Whether an event reveals an unknown card to any of these seats."""
    shown = zip(event.data.get("cards", ()), event.known, strict=False)
    return any(mask & who and card not in known.placed for card, mask in shown)


def join(known: Iterable[Known]) -> Known:
    """Combine the knowledge of all."""
    found = Known(frozenset())
    for each in known:
        found = found.joined(each)
    return found


def watch_match(game: hoyle.Game, seed: int, decisions: int, looked_at: int) -> None:
    """Play a random match and run the checks at some of its decisions, and at the beginning of steps between them, for
    example between a shuffle and the next decision."""
    chance = random.Random(seed)
    match = hoyle.Match(game, game.executor.start(seed), seed=seed)
    watch = Watch(match, chance)
    for number in range(decisions):
        watch.run_on()
        decision = match.decision
        if number < looked_at // 2 or not number % max(1, decisions // looked_at) or decision is None:
            watch.try_all()
        if decision is None:
            return
        match.executor.apply(match.position, match.find_action(choose(decision, chance)).choice)
