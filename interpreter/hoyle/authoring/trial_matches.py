"""Trial matches: random play at every number of players, to find rules that fail at run time.

In: a checked game. Out: diagnostics: matches that end in a fault or in a standstill, cards that can never be chosen,
actions that are never possible. The effort is bounded by decisions and choices, and the matches are seeded, so that the
same file always gives the same result; a reported match can be replayed with `hoyle play FILE --auto --players N --seed
S`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field
from functools import partial
from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Label, Report
from hoyle.base.effort import Effort, TooMuchWork, bounded, spend
from hoyle.base.source import Source, Span
from hoyle.language.compile import Checked, compile_file
from hoyle.language.document.files import GameFile
from hoyle.language.document.variant_changes import Change, list_changes, without_change
from hoyle.play.engine.drawing import choose_by, draw_randomly
from hoyle.play.engine.executor import EVALUATED_IN_STEP, ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import MOST_WAYS, Choice
from hoyle.play.engine.limits import MOST_CHOICES
from hoyle.play.engine.offering import list_entries, list_members
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, certain
from hoyle.program.model.position import Position

ALL_WORK = 1_600  # per file, divided among numbers of players; a decision counts 1, more if it has many choices
LEAST_WORK = 60  # at each number of players
CHOICES_PER_WORK = 8
MOST_WORK = 120_000  # steps of `hoyle.base.effort` per file, for all numbers of players together
FIRST_WORK = 16_000  # such steps are done at first, twice as many, and so on, where something seems never to happen
LEAST_FIRST = 2_000  # of those at each number of players
MOST_WITHOUT_NEWS = 2_500  # of those in a match since a clause was carried out for the first time in any match
MOST_REPEATED = 2_000  # such steps since the last decision: a fault found later is not looked for once more
MOST_STALL = 500_000  # such steps, once per file: a match without decisions is continued until it is a fault
MOST_MATCHES = 25  # at each number of players
LONGEST_MATCH = 400  # in units of work
MOST_CAUSES = 6  # changes of a variant that are left out in turn to find the cause
MOST_STOPS = 3  # at one number of players; enough evidence
STANDSTILL = 150  # decisions
MOST_REPLAYED = 4
MOST_EXAMINED = 12  # actions, where nothing is legal
MOST_REFUSED = 4  # actions reported where nothing is legal
WAY_OUT = "give who can do nothing a way out: `…, otherwise pass`"
MOST_TRIED_AGAIN = 2  # numbers of players at which a parent is tried for comparison

# The evidence required before something is reported never to happen.
HARDLY_ANY = 2  # matches, for a card to seem stuck
ENOUGH_MATCHES = 8  # finished ones, for a card
MANY_MATCHES = 20  # finished ones, for an action
ENOUGH_DECISIONS = 150
MOST_ASKED = 400  # decisions at which an action that is not offered is tested for being possible
STANDS_STILL = f"at {STANDSTILL} decisions in a row nobody had a choice and no card moved"
_MEANT = re.compile(r"#\s*unreached:\s*\S")  # the author's comment that this is intended
MOST_OF_DECK = 3  # if more than a third of the cards cannot be chosen, that is probably the design of the game


@dataclass(frozen=True, slots=True)
class Stop:
    """A match that ended in a fault."""

    players: int
    seed: int
    fault: Fault
    clause: ir.Clause | None
    refused: tuple[str, ...] = ()  # why nothing was legal

    @property
    def key(self) -> tuple[str, str, int]:
        return self.fault.code, self.clause.file if self.clause else "", self.clause.line if self.clause else 0


@dataclass(slots=True)
class Seen:
    """The observations of all trial matches, by codes of cards and names of actions."""

    matches: Counter[int] = field(default_factory=Counter)  # by the number of players
    finished: int = 0
    was_followed: bool = False
    is_suspicious: bool = False  # something has not happened that more matches would let be reported
    is_costly: bool = False  # a fault was found after so much work that another match like it would take too long
    stops: list[Stop] = field(default_factory=list)
    held: Counter[str] = field(default_factory=Counter)  # matches in which a seat that could choose cards held it
    chosen_from: set[str] = field(default_factory=set)  # cards that could be chosen
    asked: Counter[str] = field(default_factory=Counter)  # decisions at which the action was in the menu
    possible: set[str] = field(default_factory=set)  # actions that were possible
    clauses: set[int | None] = field(default_factory=set)  # carried out
    feared: Counter[str] = field(default_factory=Counter)  # ways to choose an action, where they could not be listed


def try_out(checked: Checked) -> None:
    """Play trial matches of a checked game, and report the results."""
    programs = checked.programs
    if not programs or checked.report.failed:
        return
    share = max(LEAST_WORK, ALL_WORK // len(programs))
    seen = Seen()
    left = MOST_WORK
    seeds = [1] * len(programs)
    enough = max(LEAST_FIRST, FIRST_WORK // len(programs))
    while left > 0:
        for number, program in enumerate(programs):
            if not seen.is_costly and left > 0:
                with bounded(min(left, MOST_WORK // len(programs)), apart=True) as effort:
                    before = effort.left
                    seeds[number] = watch_matches(program, share, seen, _Course(effort, seen, enough), seeds[number])
                left -= before - effort.left  # a single slow evaluation may exceed the share
        if seen.is_costly or not _is_suspicious(checked, seen) or min(seeds) > MOST_MATCHES:
            break
        if not seen.finished and left < enough * _count_needed(seen):
            break  # what is left is not enough for so many whole matches
        enough, seen.is_suspicious = enough * 2, True
    with bounded(MOST_WORK, apart=True), suppress(TooMuchWork):  # comparing with the parents may exceed the budget
        _report(checked, seen)


def _report(checked: Checked, seen: Seen) -> None:
    report_stops(checked, seen)
    report_feared(checked, seen)
    if seen.stops or seen.finished < ENOUGH_MATCHES:
        return
    report_unplayable_cards(checked, seen)
    if seen.finished >= MANY_MATCHES:
        report_impossible_actions(checked, seen)


def _count_needed(seen: Seen) -> int:
    """How many matches must end before it can be reported that something never happens."""
    return ENOUGH_MATCHES if list_stuck_cards(seen, HARDLY_ANY) else MANY_MATCHES


def _is_suspicious(checked: Checked, seen: Seen) -> bool:
    """Whether more matches are worth playing: something has not happened yet that they would let be reported."""
    if seen.stops:
        return False
    if list_stuck_cards(seen, HARDLY_ANY):
        return True
    never = [name for name in seen.asked if name not in seen.possible]
    return any(_is_inherited(checked, name) or not _may_be_rare(checked.programs, name) for name in never)


class _Course:
    """How far the matches at one number of players are played: until so many steps are done as are `enough`. A match is
    left sooner where it brings nothing new, and the others with it, unless something is suspicious."""

    def __init__(self, effort: Effort, seen: Seen, enough: int) -> None:
        self.effort, self.seen = effort, seen
        self.whole, self.until = effort.left, effort.left - enough
        self.news = effort.left  # what was left when something happened for the first time

    def begin(self, players: int) -> None:
        self.seen.matches[players] += 1
        self.news = self.effort.left

    def visit(self, clause: int | None) -> None:
        if clause not in self.seen.clauses:
            self.seen.clauses.add(clause)
            self.news = self.effort.left

    @property
    def is_old(self) -> bool:
        among_first = self.seen.matches.total() <= HARDLY_ANY
        patience = MOST_WITHOUT_NEWS if among_first else MOST_WITHOUT_NEWS // 2
        return not self.seen.is_suspicious and self.news - self.effort.left >= patience

    @property
    def is_done(self) -> bool:
        return self.effort.left <= self.until or (self.is_old and self.seen.matches.total() >= HARDLY_ANY)


def watch_matches(program: ir.Program, work: int, seen: Seen, course: _Course, first: int = 1) -> int:
    """Play matches at one number of players until enough has been done, on the reference executor, which counts its
    effort; the last is left at its next decision. The seeds begin with `first`; returns the next one."""
    executor = ReferenceExecutor(program, visit=course.visit)
    effort, whole = course.effort, course.whole
    for seed in range(first, MOST_MATCHES + 1):
        if work <= 0 or course.is_done:
            return seed
        course.begin(program.players)
        watch = _Watch(program, executor, seen, course)
        try:
            done, over = _play(executor, seed, min(LONGEST_MATCH, work), watch)
            work -= done
            seen.finished += over
        except TooMuchWork:
            since_decision = watch.left - effort.left
            if since_decision > whole // 2 and not seen.was_followed:
                _follow(program, executor, seed, seen)
            if not watch.is_running and watch.position is not None:
                seen.feared |= _count_feared(executor, watch.position)
            return MOST_MATCHES + 1
        except Fault as fault:
            refused: tuple[str, ...] = ()
            if fault.code == "no-choice" and watch.position is not None:
                with suppress(Fault, TooMuchWork):
                    refused = _list_refused(executor, watch.position)
            seen.stops.append(_stop(program, seed, fault, refused))
            seen.is_costly |= watch.left - effort.left > MOST_REPEATED
            if seen.is_costly and not watch.is_running and watch.position is not None:
                seen.feared |= _count_feared(executor, watch.position)
            if seen.is_costly or sum(stop.players == program.players for stop in seen.stops) >= MOST_STOPS:
                return MOST_MATCHES + 1
            work -= LONGEST_MATCH // 4
        seen.held.update(watch.held)
    return MOST_MATCHES + 1


def _follow(program: ir.Program, executor: ReferenceExecutor, seed: int, seen: Seen) -> None:
    """Continue a match that ran long without a decision, or that lists the choices of one for long, until it is known
    to be a fault or not."""
    seen.was_followed = True
    try:
        with bounded(MOST_STALL, apart=True):
            _play(executor, seed, LONGEST_MATCH)
    except TooMuchWork:
        return
    except Fault as fault:
        seen.is_costly = True
        seen.stops.append(_stop(program, seed, fault))


def _stop(program: ir.Program, seed: int, fault: Fault, refused: tuple[str, ...] = ()) -> Stop:
    clause = program.clauses[fault.clause] if fault.clause is not None else None
    return Stop(program.players, seed, fault, clause, refused)


def _count_feared(executor: ReferenceExecutor, position: Position) -> Counter[str]:
    """For a decision whose choices could not be listed, how many ways there may be to choose each action."""
    decide, seat = executor.find_decide(position), executor.find_seat(position)
    assert decide is not None
    numbers = {item.action for tier in executor.program.decisions[decide.decision].tiers for item in tier.items}
    feared = Counter[str]()
    for number in numbers:
        executor.evaluator.begin()
        with bounded(MOST_WORK, apart=True), suppress(Fault, TooMuchWork):
            name = executor.program.actions[number].name
            feared[name] = executor.evaluator.legality.count_ways(number, seat, position)
    return feared


def _list_refused(executor: ReferenceExecutor, position: Position) -> tuple[str, ...]:
    """For a decision without legal choices, why each action cannot be chosen."""
    decide = executor.find_decide(position)
    if decide is None:
        return ()
    program, seat = executor.program, executor.find_seat(position)
    numbers = [item.action for tier in program.decisions[decide.decision].tiers for item in tier.items]
    asked = []
    for number in list(dict.fromkeys(numbers))[:MOST_EXAMINED]:
        executor.evaluator.begin()
        can = executor.evaluator.legality.can_do(number, seat, position, allowed=False)
        why = "possible then, but not allowed" if can else "not possible then"
        asked.append((not can, f"`{program.actions[number].name}` is {why}"))
    return tuple(told for _, told in sorted(asked, key=lambda each: each[0])[:MOST_REFUSED])


def _play(executor: ReferenceExecutor, seed: int, most: int, watch: _Watch | None = None) -> tuple[int, bool]:
    """Play one random match up to a limit of work; returns the work and whether the match ended."""
    position = executor.start(seed)
    if watch is not None:
        watch.position = position
    choose = choose_by(draw_randomly(seed, position.players), partial(executor.find_seat, position))
    executor.run(position)
    done, standstill = 0, _Standstill()
    while not position.over and done < most and not (watch is not None and watch.has_seen_enough):
        if watch is not None:
            watch.arrive()
        choices = executor.list_legal(position)
        if watch is not None:
            watch.look(position, choices)
        if standstill.is_reached(position, choices):
            decide = executor.find_decide(position)
            raise Fault("standstill", STANDS_STILL, None if decide is None else decide.clause)
        executor.advance(position, choose(choices))
        done += 1 + len(list_entries(choices)) // CHOICES_PER_WORK
    return done, position.over


class _Standstill:
    """Detects a standstill: for many decisions no seat had a choice, no card moved, and no random numbers were
    drawn."""

    def __init__(self) -> None:
        self._decisions = 0  # in a row
        self._before: tuple[object, ...] = ()

    def is_reached(self, position: Position, choices: Sequence[Choice]) -> bool:
        is_forced = len(choices) == 1 and not any(isinstance(value, range) for value in choices[0])
        now = (position.random, position.zones)
        if not is_forced or now != self._before:
            self._decisions, self._before = 0, (position.random, [pile[:] for pile in position.zones])
        self._decisions += is_forced
        return self._decisions > STANDSTILL


class _Watch:
    """Observes the decisions of one match."""

    def __init__(self, program: ir.Program, executor: ReferenceExecutor, seen: Seen, course: _Course) -> None:
        self.program, self.executor, self.seen, self.course = program, executor, seen, course
        self.effort, self.left = course.effort, course.effort.left  # budget left after the last decision
        self.is_running = True  # between decisions
        self.position: Position | None = None  # the current position
        self.held: set[str] = set()
        self.cards = [
            [i + 1 for i, pick in enumerate(action.picks) if _is_of_cards(pick)] for action in program.actions
        ]
        self.owned = [zone for zone in program.zones if _is_by_seat(zone) and zone.shows in ("owner", "all")]

    @property
    def has_seen_enough(self) -> bool:
        return self.course.effort.left <= self.course.until or self.course.is_old

    def arrive(self) -> None:
        """A decision is reached; its choices are not listed yet."""
        self.is_running = False

    def look(self, position: Position, choices: Sequence[Choice]) -> None:
        self.left, self.is_running = self.effort.left, True
        decide = self.executor.find_decide(position)
        assert decide is not None
        seat = self.executor.find_seat(position)
        self._look_at_cards(position, seat, choices)
        decision = self.program.decisions[decide.decision]
        offered = {choice[0] for choice in list_entries(choices) if choice}
        for number in {item.action for tier in decision.tiers for item in tier.items}:
            name = self.program.actions[number].name
            self.seen.asked[name] += 1
            if number in offered or (name not in self.seen.possible and self._can_do(number, name, seat, position)):
                self.seen.possible.add(name)

    def _can_do(self, action: int, name: str, seat: int, position: Position) -> bool:
        """Whether an action that is not offered is possible; after many decisions this is no longer tested."""
        if self.seen.asked[name] > MOST_ASKED:
            return False
        self.executor.evaluator.begin()
        try:
            return self.executor.evaluator.legality.can_do(action, seat, position, allowed=False)
        finally:
            spend(1 + self.executor.evaluator.spent // EVALUATED_IN_STEP)

    def _look_at_cards(self, position: Position, seat: int, choices: Sequence[Choice]) -> None:
        found: set[int] = set()
        for choice in list_entries(choices):
            for place in self.cards[choice[0]] if choice else ():
                value = choice[place]
                found.update(list_members(value))
        if not found:
            return
        self.seen.chosen_from.update(self.program.cards[card].code for card in found)
        for zone in self.owned:
            width = zone.many or 1
            for pile in position.zones[zone.base + seat * width : zone.base + (seat + 1) * width]:
                if not found.isdisjoint(pile):  # ignore zones, such as tricks won, from which nothing is chosen
                    self.held.update(self.program.cards[card].code for card in pile)


def _is_by_seat(zone: ir.Zone) -> bool:
    return len(zone.of) == 1 and zone.of[0].kind == "seat"


def _is_of_cards(pick: ir.Pick) -> bool:
    kind = certain(pick.type)
    return kind == CARD or (kind.kind == "list" and kind.of == CARD)


# ------------------------------------------------------------------------------------------------ reporting
def report_stops(checked: Checked, seen: Seen) -> None:
    """Report matches that ended in a fault, grouped by cause."""
    groups: dict[tuple[str, str, int], list[Stop]] = defaultdict(list)
    for stop in seen.stops:
        groups[stop.key].append(stop)
    for stops in groups.values():
        first = stops[0]
        players = first.players
        same = sum(stop.players == players for stop in stops)
        often = f"in {same} of {seen.matches[players]} trial matches of {players} players"
        message = f"{first.fault.message}, {often}"
        path = shown_path(Path(checked.path))
        shown = f"`hoyle play {path} --auto --players {players} --seed {first.seed}` shows one"
        hint = (*first.refused, *((WAY_OUT,) if first.refused else ()), shown)
        place = _find_span(checked, first.clause)
        change = _find_cause(checked, stops)
        if change is not None and checked.file is not None:
            others = (Label(place, "the rule that was carried out then"),) if place else ()
            checked.report.error(
                "trial-stopped",
                f"`{checked.file.name}` {change.verb} `{change.name}`: {message}",
                change.span,
                others=others,
                hint=hint,
            )
        else:
            checked.report.error("trial-stopped", message, place, "the rule that was carried out then", hint=hint)


def report_feared(checked: Checked, seen: Seen) -> None:
    """Report actions whose picks multiply, so that not all ways of choosing them could be tried."""
    assert checked.declared is not None
    for name, ways in seen.feared.items():
        if ways > MOST_CHOICES:
            about = "some" if ways < MOST_WAYS else "over"
            checked.report.error(
                "picks-multiply",
                f"`{name}` may be chosen in {about} {ways:,} ways, more than can be tried",
                checked.declared.actions[name].line.span,
                hint=(
                    "choose from fewer cards, or fewer at once, or test each card by a `where` of its own",
                    "let who chooses so many do it step by step: one card after the other, then `done`",
                ),
            )


def _find_cause(checked: Checked, stops: list[Stop]) -> Change | None:
    """The change of a variant that causes the faults, if the parents do not have them."""
    file, first = checked.file, stops[0]
    if file is None or not file.parents or (first.clause is not None and first.clause.file == file.source.name):
        return None
    changes = list_changes(file)
    if any(_stops_again(parent, stops) for parent in file.parents):
        return None
    if len(changes) == 1:
        return changes[0]
    for change in changes[:MOST_CAUSES]:
        if not _stops_again(without_change(file, change), stops):
            return change
    return None


def _stops_again(file: GameFile, stops: list[Stop]) -> bool:
    """Whether matches of another file end in the same fault; also true if it cannot be compiled."""
    program = compile_file(file, stops[0].players, Report())
    if program is None:
        return True
    executor = ReferenceExecutor(program)
    for stop in [one for one in stops if one.players == program.players][:MOST_REPLAYED]:
        try:
            _play(executor, stop.seed, LONGEST_MATCH)
        except Fault as fault:
            if fault.code == stop.fault.code:
                return True
    return False


def list_stuck_cards(seen: Seen, enough: int = ENOUGH_MATCHES) -> list[str]:
    """Cards held in many matches that could never be chosen, if they are exceptions in their deck."""
    stuck = [code for code, often in seen.held.items() if code not in seen.chosen_from and often >= enough]
    return stuck if MOST_OF_DECK * len(stuck) <= len(seen.held) else []


def report_unplayable_cards(checked: Checked, seen: Seen) -> None:
    """Report cards that are held again and again, but can never be chosen."""
    matches, stuck = seen.matches.total(), list_stuck_cards(seen)
    place = _find_row(checked, stuck) if stuck else None
    if not stuck or (place is not None and _MEANT.search(place.source.line_text(place.line))):
        return
    often = max(seen.held[code] for code in stuck)
    listed = ", ".join(f"`{code}`" for code in sorted(stuck)[:8]) + (", …" if len(stuck) > 8 else "")
    checked.report.error(
        "never-playable",
        f"{listed} can never be chosen: held in {often} of {matches} trial matches",
        place,
        hint=(
            "look at what actions choose, allow and forbid: a comparison with what a card lacks is false",
            "where rules alone play them, a comment on this line says so: `# unreached: why`",
        ),
    )


def _find_row(checked: Checked, codes: list[str]) -> Span | None:
    """The row of the deck that declares the cards."""
    declared = checked.declared
    if declared is None or declared.deck is None:
        return None
    file, line = checked.file, declared.deck.line.span
    if file is not None and line.source is not file.source:  # cards of a module or a parent: where that is named
        used = next((one.use for one in file.modules if one.source is line.source), None)
        named = file.root.entry("use") or file.root.entry("extends")
        return used if used is not None and used.source is file.source else named.key.span if named else line
    names = {card.name for program in checked.programs for card in program.cards if card.code in codes and card.name}
    return next((row.name_at for row in declared.deck.rows if row.name in names), declared.deck.line.span)


def report_impossible_actions(checked: Checked, seen: Seen) -> None:
    """Report actions that are offered again and again, but never possible. Actions with a condition under `possible:`,
    or on several cards, may just be rare; in a variant these are reported only if they are possible in the parent."""
    if checked.declared is None or checked.file is None:
        return
    never = [name for name, often in seen.asked.items() if name not in seen.possible and often >= ENOUGH_DECISIONS]
    inherited = [name for name in never if _is_inherited(checked, name)]
    before = _try_parents(checked) if inherited else Seen()
    for name in never:
        if name not in before.possible if name in inherited else _may_be_rare(checked.programs, name):
            continue
        checked.report.error(
            "never-possible",
            f"the action `{name}` was never possible, at {seen.asked[name]} trial decisions that offer it",
            checked.declared.actions[name].line.span,
            hint="look at what it chooses from and at `possible:`",
        )


def _is_inherited(checked: Checked, name: str) -> bool:
    assert checked.declared is not None and checked.file is not None
    return checked.declared.actions[name].line.span.source is not checked.file.source


def _try_parents(checked: Checked) -> Seen:
    """The observations of trial matches of the parents, with the options of the variant."""
    seen = Seen(is_suspicious=True)
    assert checked.file is not None
    for parent in checked.file.parents:
        for program in checked.programs[:MOST_TRIED_AGAIN]:
            known = compile_file(parent, program.players, Report())
            wanted = {name: program.options[name] for name in known.options if name in program.options} if known else {}
            same = compile_file(parent, program.players, Report(), wanted)
            if same is not None:
                with bounded(MOST_WORK) as effort:
                    watch_matches(same, ALL_WORK // MOST_TRIED_AGAIN, seen, _Course(effort, seen, MOST_WORK))
    return seen


def _may_be_rare(programs: tuple[ir.Program, ...], name: str) -> bool:
    found = [action for program in programs for action in program.actions if action.name == name]
    return any(action.possible or any(pick.low is not None for pick in action.picks) for action in found)


def _find_span(checked: Checked, clause: ir.Clause | None) -> Span | None:
    """The line of a clause, in its source."""
    source = next((one for one in checked.sources if clause is not None and one.name == clause.file), None)
    if source is None or clause is None:
        return None
    return _rest_of_line(source, clause.line, clause.column)


def _rest_of_line(source: Source, line: int, column: int) -> Span:
    text = source.line_text(line)
    start = source.offset(line, column)
    said = text[column - 1 :].split("  ")[0].rstrip()
    return Span(source, start, start + len(said))

