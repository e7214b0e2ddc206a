"""Builds the table of each seat from a match.

In: a game, a language, the names of the players; a match and a seat (None: a spectator). Out: a `Table`, derived only
from the declarations, the seat's view, and the events the seat is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from hoyle.play.engine.utility import Best, find_best
from hoyle.play.table.address import Speaker
from hoyle.play.table.costing import Costs
from hoyle.play.table.grouping import Grouping
from hoyle.play.table.laying import mark_laid, mark_shown
from hoyle.play.table.layout import DEALER, Layout
from hoyle.play.table.legend import make_legend
from hoyle.play.table.marking import mark_places
from hoyle.play.table.menu import make_menu
from hoyle.play.table.model import Fact, Legend, Menu, News, Player, Pot, Reason, Scores, Side, Table, Zone
from hoyle.play.table.news import tell_news
from hoyle.play.table.numbered_cards import Places
from hoyle.play.table.shape import is_cooperative
from hoyle.play.table.why_not import explain_action, explain_card, list_tips, make_reason
from hoyle.play.table.winning import make_result
from hoyle.play.view.locale import Locale
from hoyle.play.view.score_sheet_view import Sheet
from hoyle.play.view.seeing import StateView, View, ZoneView, filter_event, includes, reveal_all, reveal_event, sees
from hoyle.play.view.track import place_pegs
from hoyle.program.ir.nodes import Program, State
from hoyle.program.ir.types import Type, certain

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Decision, Game, Match

_NOTHING = ("none", "nothing", "false", "")


class Host:
    """Builds tables of one game, in one language, with the names of the players. It caches what stays the same during a
    match."""

    def __init__(self, game: Game, language: str | None = None, names: Sequence[str] | None = None) -> None:
        self.game = game
        self.program = game.program
        self.locale = Locale(game.program, language)
        self.names = tuple(names or ())
        self.layout = Layout(game.program)
        self._costs, self._places, self._grouping = Costs(game.program), Places(), Grouping(game.program)

    @cached_property
    def legend(self) -> Legend:
        return make_legend(self.program, self.locale)

    @cached_property
    def best(self) -> Best:
        return find_best(self.program)

    @cached_property
    def is_cooperative(self) -> bool:
        return is_cooperative(self.program)

    @cached_property
    def _zones(self) -> dict[str, int]:
        """Zone indices of a position, by zone id."""
        names = self.game.names
        return {names.spell_zone(number): number for number in range(len(names.zones))}

    def speak_to(self, seat: int | None) -> Speaker:
        return Speaker(self.locale, seat, self.names)

    def see(self, match: Match, seat: int | None, since: int | None = None, *, reveal: bool = False) -> Table:
        """Build the table that a seat (None: a spectator) sees now. Its news cover the events from index `since`, by
        default from the seat's last choice. `reveal` shows every card: for replays only, never during play."""
        program, speaker = self.program, self.speak_to(seat)
        seen = match.view(seat) if not reveal else reveal_all(self.game.names, match.position, match.view(seat))
        zones = mark_shown(match, _list_zones(seen, self.layout, speaker), seat, self._zones)
        zones = self._grouping.arrange(match, mark_laid(match, zones, seat, self._zones), self._zones)
        zones = mark_places(match, zones, self.layout.list_marks, speaker, self._zones)
        decision = match.decision if seen.deciding is not None and seen.deciding == seat else None
        menu = self._make_menu(match, decision, zones, speaker) if decision is not None else None
        facts = [*_list_counts(match, self.layout, speaker), *_list_facts(seen, self.layout, speaker)]
        if since is None:
            since = find_last_choice(match, seat)
        return Table(
            program.game,
            self.locale.title,
            self.locale.language,
            seat,
            seen.round if self.layout.has_rounds else 0,
            seen.over,
            seen.deciding,
            _say_status(seen, menu, speaker),
            _list_players(match, seen, facts, speaker),
            _keep_worthwhile(zones, menu, program),
            _list_pots(seen, program, speaker),
            tuple(fact for fact in facts if not _is_mark(fact) and not (fact.counted and fact.owner is not None)),
            _make_scores(match, self.best, speaker, together=self.is_cooperative),
            tuple(self.tell(match, seat, since, reveal=reveal)),
            menu,
            make_result(program, match.winners, speaker) if seen.over else None,
        )

    def _make_menu(self, match: Match, decision: Decision, zones: Sequence[Zone], speaker: Speaker) -> Menu:
        return make_menu(match, decision, zones, speaker, self._costs, self._places)

    def tell(
        self, match: Match, seat: int | None, since: int = 0, until: int | None = None, *, reveal: bool = False
    ) -> list[News]:
        """Build the news of a seat for the events from index `since` to before `until`; `reveal` tells it all events
        and cards."""
        new = match.events[since:until]
        if not new:
            return []
        events = [reveal_event(event, self.program.players) if reveal else event for event in new]
        told = (filter_event(self.program, event, seat, self.game.names) for event in events)
        known = [event for event in told if event is not None]
        before = list(takewhile(lambda event: event.name != "round_began", islice(match.events, since)))
        opening = len(before) == since
        states = self.program.states
        settled = any(event.name == "set" and states[event.data["state"]].name == DEALER for event in before)
        return tell_news(known, self.speak_to(seat), self.layout, opening=opening, dealer_told=settled)

    def explain(self, match: Match, action: Action | str) -> Reason:
        """Explain why an action is illegal for the deciding seat. It is given as offered or as text in the names of the
        rule file; the bare name of an action asks why no form of it is legal."""
        refusal = None
        if isinstance(action, str) and any(action == each.name for each in self.program.actions):
            refusal = explain_action(match, action)
        return make_reason(refusal or match.explain(action), self.speak_to(match.find_seat()))

    def explain_card(self, match: Match, zone: str, place: int) -> Reason | None:
        """Explain why the deciding seat cannot use a card that it sees; None if it can, or sees no card there."""
        number = self._zones.get(zone)
        seat = match.find_seat()
        place -= self._count_below(match, number)
        if number is None or not 0 <= place < len(match.position.zones[number]):
            return None
        if not sees(self.game.sight, match.position, seat)[number][place]:
            return None
        refusal = explain_card(match, match.position.zones[number][place])
        return make_reason(refusal, self.speak_to(seat)) if refusal is not None else None

    def guide(self, match: Match) -> list[tuple[Reason, tuple[str, ...]]]:
        """The rules that keep the deciding seat from something now, each with the cards of its own that it is about."""
        seat, names = match.find_seat(), self.game.names
        seen = sees(self.game.sight, match.position, seat)
        own = [card for number, (_, owner) in enumerate(names.zones) if owner == seat
               for card, known in zip(match.position.zones[number], seen[number], strict=True) if known]  # fmt: skip
        speaker = self.speak_to(seat)
        return [
            (make_reason(refusal, speaker), tuple(map(names.name_card, cards)))
            for refusal, cards in list_tips(match, own)
        ]

    def _count_below(self, match: Match, number: int | None) -> int:
        """Count the cards of the zone that is shown stacked under this one, which offset its places on the table."""
        below = self.layout.below.get(self.game.names.zones[number][0].name) if number is not None else None
        if number is None or below is None:
            return 0
        names, values = self.game.names, self.game.names.zone_values[number]
        lower = next(
            at for at, (zone, _) in enumerate(names.zones) if zone.name == below and names.zone_values[at] == values
        )
        return len(match.position.zones[lower])


def find_last_choice(match: Match, seat: int | None) -> int:
    """Return the index of the event of the seat's last choice; 0 if there is none."""
    for number in range(len(match.events) - 1, -1, -1):
        event = match.events[number]
        if event.name == "chose" and event.seat == seat and includes(event.told, seat, match.game.players):
            return number
    return 0


# ------------------------------------------------------------------------------------------------ zones
def _list_zones(seen: View, layout: Layout, speaker: Speaker) -> list[Zone]:
    """List all visible zones: first the shared ones, then those of the seats in turn order from the viewer."""
    zones = [made for zone in layout.stack(seen.zones) if (made := _make_zone(zone, layout, speaker)) is not None]
    first = seen.seat or 0
    return sorted(
        zones, key=lambda zone: (zone.owner is not None, ((zone.owner or 0) - first) % seen.players, layout.rank(zone))
    )


def _make_zone(zone: ZoneView, layout: Layout, speaker: Speaker) -> Zone | None:
    """Build a zone, unless its layout places it `away`."""
    place = layout.find_place(zone)
    if place == "away":
        return None
    name = speaker.locale.zone(zone.name)
    short = speaker.say("numbered", name=name, number=zone.pile) if zone.pile else name
    return Zone(
        zone.word,
        zone.name,
        speaker.whose(short, zone.owner),
        short,
        zone.seat,
        zone.pile,
        layout.find_form(zone),
        place,
        zone.cards,
        layout.sort(zone),
        speaker.member(zone.owner),
        ring=zone.name in layout.rings,
        unit=layout.units.get(zone.name, 1),
        places=layout.count_places(zone.name),
    )


def _keep_worthwhile(zones: Sequence[Zone], menu: Menu | None, program: Program) -> tuple[Zone, ...]:
    """Drop empty piles of families and empty quiet zones, unless the menu offers them or something may go there."""
    quiet = {zone.name for zone in program.zones if zone.quiet}
    wanted = {item.zone for item in menu.items if item.kind == "zone"} if menu is not None else set()
    for act in menu.acts if menu is not None else ():
        wanted |= {zone for way in act.ways if way.moved is not None for zone in way.moved.target}
    return tuple(
        zone for zone in zones if zone.cards or zone.id in wanted or not (zone.pile or zone.name in quiet)
    )


# ------------------------------------------------------------------------------------------------ states
def _list_facts(seen: View, layout: Layout, speaker: Speaker) -> list[Fact]:
    """List the states worth showing. Those that only say whose turn it is are dropped, since the status says so,
    unless `deciding` is unknown to this seat."""
    states = {state.name: state for state in layout.program.states}
    seats = {each.name: _list_seats(states[each.name].type, each.value) for each in seen.states}
    by = {name: next(iter(seats.get(maker, ())), None) for name, maker in layout.offered.items()}
    said = layout.marked | (layout.turn_states if seen.deciding is not None or seen.over else frozenset())
    return [
        Fact(
            each.name,
            speaker.whose(speaker.locale.state(each.name), each.owner),
            "" if each.value == "true" else speaker.value(each.value),
            each.owner,
            seats[each.name],
            zone=layout.named.get(each.name, ""),
            by=by.get(each.name),
        )
        for each in seen.states
        if each.name not in said
        and (by.get(each.name) is not None or _says_something(states[each.name], each, layout.states))
    ]


def _says_something(state: State, seen: StateView, matter: frozenset[str] | None) -> bool:
    """Whether a state is worth a line: not if it is quiet, none, empty, or a number at its initial value. If the file
    lists the states that matter, only those are, and their numbers are hidden only if they are 0 and began at 0."""
    if state.pot or seen.value in _NOTHING or (isinstance(seen.owner, str) and seen.is_start):
        return False
    matters = matter is not None and state.name in matter
    begun = str(state.start or 0)
    if certain(state.type).kind == "number" and seen.value == begun and not (matters and begun != "0"):
        return False
    return not state.quiet if matter is None else state.name in matter or state.name == DEALER


def _list_counts(match: Match, layout: Layout, speaker: Speaker) -> list[Fact]:
    """Evaluate the counts that the file declares for the table, leaving out none and 0."""
    found = []
    for count in layout.counts:
        label = speaker.locale.message(count.label)
        for owner in range(layout.program.players) if count.owner else (None,):
            value = match.executor.value_of(count.value, owner or 0, match.position)
            if value:
                found.append(Fact(count.label, label, str(value), owner, counted=True))
    return found


def _list_seats(kind: Type, value: str) -> tuple[int, ...]:
    """List the seats in the value of a state, if its type is a seat or a list of seats."""
    kind = certain(kind)
    if "seat" not in (kind.kind, certain(kind.of).kind if kind.of is not None else ""):
        return ()
    return tuple(int(part.removeprefix("seat ")) for part in value.split(", ") if part.startswith("seat "))


def _is_mark(fact: Fact) -> bool:
    """Whether a fact designates players, such as the dealer, and so is shown beside their names."""
    return bool(fact.seats) and fact.owner is None


def _list_pots(seen: View, program: Program, speaker: Speaker) -> tuple[Pot, ...]:
    pots = {state.name for state in program.states if state.pot}
    return tuple(
        Pot(
            each.name if each.owner is None else f"{each.name}.{each.owner}",
            each.name,
            speaker.whose(speaker.locale.state(each.name), each.owner),
            speaker.owner(each.owner) if isinstance(each.owner, str) else speaker.locale.state(each.name),
            each.owner,
            int(each.value),
        )
        for each in seen.states
        if each.name in pots
    )


# ------------------------------------------------------------------------------------------------ players
def _list_players(match: Match, seen: View, facts: Sequence[Fact], speaker: Speaker) -> tuple[Player, ...]:
    program = match.game.program
    alone = program.players == 1  # "dealer" means nothing then
    marks = [
        (seat, fact.label)
        for fact in facts
        if _is_mark(fact) and not (alone and fact.name == DEALER)
        for seat in fact.seats
    ]
    if seen.seat is not None and len(set(program.teams)) > 1:
        own = program.teams[seen.seat]
        partners = [seat for seat, team in enumerate(program.teams) if team == own and seat != seen.seat]
        marks = [*((seat, speaker.say("partner")) for seat in partners), *marks]
    # Partners share a score, whichever of them it is recorded for.
    scores = {seat: side.front for side in place_pegs(program, match.scores, match.events) for seat in side.seats}
    return tuple(
        Player(
            seat,
            speaker.name(seat),
            seat == seen.seat,
            program.teams[seat],
            scores[seat],
            seat == seen.deciding,
            seat in seen.retired,
            tuple(label for whose, label in marks if whose == seat),
            tuple(fact for fact in facts if fact.counted and fact.owner == seat),
        )
        for seat in range(program.players)
    )


def _say_status(seen: View, menu: Menu | None, speaker: Speaker) -> str:
    if seen.over:
        return speaker.say("over")
    if seen.deciding is None:
        return speaker.say("waiting")
    return speaker.say("your_turn") if menu is not None else speaker.say("turn_of", who=speaker.who(seen.deciding))


# ------------------------------------------------------------------------------------------------ scores
def _make_scores(match: Match, best: Best, speaker: Speaker, *, together: bool) -> Scores:
    """The scores of the sides; of those who win together, one score if they all have the same."""
    program = match.game.program
    sides = tuple(
        Side(pegs.seats, speaker.list_seats(pegs.seats), pegs.front, pegs.rear)
        for pegs in place_pegs(program, match.scores, match.events)
    )
    if together and len({(side.score, side.before) for side in sides}) == 1:
        seats = tuple(range(program.players))
        sides = (Side(seats, speaker.list_seats(seats), sides[0].score, sides[0].before),)
    holes = program.track if program.track is not None and program.track > 1 else 0
    return Scores(sides, best, holes, _translate_sheet(match.sheet, speaker.locale))


def _translate_sheet(sheet: Sheet | None, locale: Locale) -> Sheet | None:
    if sheet is None:
        return None
    lines = tuple(
        tuple(replace(line, marks=tuple(map(locale.message, line.marks))) for line in row) for row in sheet.lines
    )
    return replace(sheet, columns=tuple(map(locale.message, sheet.columns)), lines=lines)
