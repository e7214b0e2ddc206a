"""Two courses of play that a seat cannot tell apart show it the same from then on.

In: a match, a seat and what that seat knows (`following`). The second course is the same match with other cards where
the seat cannot know them. Both go on side by side: the seat does the same in both, chance and the others alike as far
as the seat can tell. As long as it has been told the same and sees the same, everything else that it gets must be
the same: what the server sends, the table from which the screen is drawn and the words are taken; the pauses between;
offers, menus with prices, reasons, `why`, rules in force, counts; what learners observe, a standpoint as a bot, and
samples.

Two courses are alike for a seat if it has been told the same since they parted, sees the same, and the rules ask for
the same (`ask_alike`): that they ask, and whom, tells what somebody knows, and the promise leaves that out. A window
asks in secret, so it may ask others. Left out is only what the pair itself cannot show:

- A position that may be taken back is of an earlier time. Of a card that the seat had then and that was mixed since,
  the second course has another one there, too, which the seat knows to be wrong: then that part of standpoints is not
  compared (`_was_alike`); all else is.
- The events after one's own choice, beside (`secrecy._end_where_acts_differ`): with other cards a rule does something
  else, or takes a card from the hand of another, as somebody knows who tells so by it. From there on the two are told
  apart.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import lru_cache, partial
from unittest import mock

import hoyle
from following import Known, relabel
from hoyle.authoring.why.reasons_for_actions import explain_action
from hoyle.authoring.why.render import render_answer, render_moment
from hoyle.authoring.why.scores import explain_scores
from hoyle.authoring.why.situation import explain_moment
from hoyle.front.web.backroom import BackRoom
from hoyle.front.web.room import Guest, Room
from hoyle.front.web.store import Seat, Setup, Store
from hoyle.front.web.thinking import Alone
from hoyle.lab.adapters.encoding import Encoding
from hoyle.lab.adapters.observing import Observing
from hoyle.play.beliefs.from_choices import Moments
from hoyle.play.engine.actions import Spelled
from hoyle.play.engine.legality import Choice
from hoyle.play.table.beats import list_beats
from hoyle.play.table.host import Host
from hoyle.program.model.chance import seeded
from hoyle.program.model.offences import take_back
from hoyle.program.model.position import Position

MOST_TRIED = 6  # choices of another seat in the second course, until one looks the same as in the first
MOST_ASKED = 4  # refusals compared
NO_LINKS = mock.Mock(spec=Store, **{"find_keys.return_value": {}})


class Told(AssertionError):  # noqa: N818 - a finding, not an error of this program
    """Hidden information leaked."""


def compare(what: str, first: object, second: object) -> None:
    if first != second:
        raise Told(f"{what} differs with other hidden cards:\n  {first}\n  {second}")


def try_courses(match: hoyle.Match, seat: int, known: Known, chance: random.Random, decisions: int) -> None:
    """Go on with a match, and with one that the seat cannot tell from it, and compare all that the seat gets."""
    courses = [match.copy(), match.copy()]
    fixed = Known(known.placed | known.zoned)
    # Who knows the rules may know more than the events say: that the card shown from the top is the one moved then.
    followed = {card for card, mask in enumerate(match.knowledge.masks) if mask >> seat & 1}
    if chance.random() < 0.5:
        fixed = Known(fixed.placed | followed)
    courses[1].position = relabel(match.game.program, match.position, fixed, chance.getrandbits(32))
    if chance.random() < 0.5:  # chance may go on otherwise, as long as the seat cannot tell
        courses[1].position.random = seeded(chance.getrandbits(32))
    since = len(match.events)
    host = Host(match.game)
    for course in courses:
        course._moments = Moments()  # what was inferred from choices was so from the cards of the first course
        try:
            course.run()
        except hoyle.Fault:
            return
    heard: list[str] = []
    for _ in range(decisions):
        if not _look_alike(courses, seat, since) or not ask_alike(*courses):
            return  # the rules have told what somebody knew
        for what, (first, second) in _list_surfaces(courses, seat, host, heard, since):
            if what != "a standpoint" or followed <= fixed.placed:
                compare(what, first, second)
        if any(course.decision is None for course in courses) or not _choose(courses, seat, host, since, chance, heard):
            return


def ask_alike(first: hoyle.Match, second: hoyle.Match) -> bool:
    """Whether both stand where the rules ask the same: that they ask for something tells, openly, what somebody knows.
    Who is asked in a window, or together with others, is told to nobody."""
    asked = [course.executor.find_decide(course.position) for course in (first, second)]
    if asked[0] is None or asked[0] is not asked[1]:
        return asked[0] is asked[1]
    declared = first.game.program.decisions[asked[0].decision]
    return declared.window or declared.secret or first.find_seat() == second.find_seat()


def _look_alike(courses: list[hoyle.Match], seat: int, since: int) -> bool:
    told = [_list_told(course, seat, since) for course in courses]
    views = [course.view(seat) for course in courses]
    return told[0] == told[1] and views[0] == views[1]


def _was_alike(courses: list[hoyle.Match], seat: int) -> bool:
    """Whether a seat could not tell them apart either when that began which may be taken back: of cards that have been
    mixed since, the second course has others in its hand of then, too."""
    then = [course.position.copy() for course in courses]
    for position in then:
        take_back(position)
    first, second = (hoyle.Match(course.game, at).view(seat) for course, at in zip(courses, then, strict=True))
    return first == second


def _list_told(course: hoyle.Match, seat: int, since: int) -> list[str]:
    own = hoyle.Match(course.game, course.position, events=course.events[since:])
    return [json.dumps(event, sort_keys=True) for event in own.events_for(seat)]


def _list_surfaces(
    courses: list[hoyle.Match], seat: int, host: Host, heard: list[str], since: int
) -> Iterator[tuple[str, tuple[object, object]]]:
    """What a seat gets in both courses beside views and events."""

    def both(get: object) -> tuple[object, object]:
        assert callable(get)
        return get(courses[0]), get(courses[1])

    yield "how many choices were made", both(lambda course: course.count_choices(seat))
    tables = both(lambda course: host.see(course, seat, since))
    yield "the table", tables  # from which alone the screen is drawn, and the table said in words
    yield "the message of the server", both(lambda course: _write_message(course, seat, since))
    if tables[0].menu is not None:
        spots = [(zone.name, place) for zone in tables[0].zones for place in range(min(zone.size, MOST_ASKED))]
        yield "why cards cannot be used", both(lambda course: [str(host.explain_card(course, *each)) for each in spots])
    yield "how the scores came about", both(lambda course: explain_scores(course, seat))
    deciding = [course.decision is not None and course.decision.seat == seat for course in courses]
    yield "who decides", (deciding[0], deciding[1])
    if not all(deciding):
        return
    yield "what is asked", both(lambda course: course.executor.find_decide(course.position))
    yield "what is offered", both(lambda course: list_texts(course.decision))
    yield "why that is offered", both(lambda course: render_moment(explain_moment(course, seat), full=True, you=seat))
    yield "the rules in force", both(host.guide)
    observing = _find_observing(courses[0].game)
    yield "an observation", both(lambda course: observing.observe(course.position, seat, mine=True, said=()))
    hints = courses[0].game.program.hints
    if hints is not None:
        yield "hints", both(lambda course: course.executor.value_of(hints, seat, course.position))
    for text in heard[:MOST_ASKED]:
        yield "a reason", both(lambda course, text=text: str(course.explain(text)))
        yield "why it is not offered", both(lambda course, text=text: _ask_why(course, text, seat))
    cards = courses[0].game.program.cards
    if len({card.face for card in cards}) == len(cards):  # which of two copies it has seen, a seat may know
        was_alike = _was_alike(courses, seat)
        yield "a standpoint", both(lambda course: _describe_standpoint(course, seat, whole=was_alike))


def _write_message(course: hoyle.Match, seat: int, since: int) -> str:
    """What the server sends to a browser: the table, and the news of what has happened since."""
    game = course.game
    seats = [Seat("person", f"guest {number}") for number in range(game.players)]
    setup = Setup(game.program.game, game.players, {}, seed=0)
    room = Room("table", setup, seats, course, [], NO_LINKS, mock.Mock(spec=Alone), mock.Mock(spec=BackRoom), pace=1)
    return room.write(Guest("seat", seat, game.program.language, since=since, told=since, epoch=room.epoch))


@lru_cache(maxsize=4)
def _find_observing(game: hoyle.Game) -> Observing:
    return Observing(game, Encoding(game.program))


def _ask_why(course: hoyle.Match, text: str, seat: int) -> object:
    try:
        return render_answer(explain_action(course, text, seat), full=True)
    except hoyle.IllegalAction as error:
        return str(error)


def _describe_standpoint(course: hoyle.Match, seat: int, *, whole: bool) -> object:
    """A standpoint and a sample; the position that may be taken back only if it is `whole`."""
    stand = course.standpoint(seat)
    concluded = stand.masks, stand.choosers, stand.barred, stand.needed
    positions = [position.to_json() for position in (stand.position, course.sample(seat, 1).position)]
    if not whole:
        positions = [position | {"offence": None} for position in positions]
    return positions, stand.events, concluded


def _list_pauses(host: Host, seat: int, course: hoyle.Match, before: Position, choice: Choice) -> object:
    """What the seat sees at each beat between two decisions."""
    beats = list_beats(course.game, host.layout, before, 0, choice)
    shown = [hoyle.Match(course.game, beat.position) for beat in beats]
    return [(beat.pause, match.view(seat)) for beat, match in zip(beats, shown, strict=True)]


def _choose(
    courses: list[hoyle.Match], seat: int, host: Host, since: int, chance: random.Random, heard: list[str]
) -> bool:
    """Let the seat that decides in the first course choose, and in the second as alike as the other can tell; whether
    that was possible."""
    first, second = courses
    decision, other = first.decision, second.decision
    assert decision is not None and other is not None
    if (decision.seat, decision.name) != (other.seat, other.name):
        return False
    chosen = choose(decision, chance)
    if decision.seat == seat:
        heard[:] = [*dict.fromkeys([*list_texts(decision), *heard])][:40]
    before = first.position.copy(), second.position.copy()
    try:
        first.apply(chosen)
        texts = [chosen.text]
        if decision.seat != seat:
            alike = [text for text in list_texts(other) if text.split()[0] == chosen.text.split()[0]]
            texts = [*chance.sample(alike, min(MOST_TRIED, len(alike))), *texts]
        for text in texts:
            trial = second.copy()
            try:
                trial.apply(text)
            except hoyle.IllegalAction:
                continue
            if decision.seat == seat or _look_alike([first, trial], seat, since):
                courses[1] = trial
                if _look_alike(courses, seat, since) and ask_alike(*courses):
                    made = chosen.choice, second.find_action(text).choice
                    compare("the pauses", *map(partial(_list_pauses, host, seat), courses, before, made))
                return True
    except hoyle.Fault:
        pass
    return False


def list_texts(decision: hoyle.Decision | None) -> list[str]:
    if decision is None:
        return []
    actions = decision.actions
    return list(actions.iter_texts()) if isinstance(actions, Spelled) else [action.text for action in actions]


def choose(decision: hoyle.Decision, chance: random.Random) -> hoyle.Action:
    """Choose a random action, with a random number if it takes one."""
    action = chance.choice(decision.actions)
    return action if action.number is None else action.with_number(chance.choice(action.number))
