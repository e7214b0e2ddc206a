"""Checks what seats see and are told: `view of` and `events` of an example.

In: a scene and the nodes. Out: failed expectations, reported with expected and actual lines.
"""

from __future__ import annotations

import re

from hoyle.authoring.testing.comparing import Row, compare_words, show_rows
from hoyle.authoring.testing.piles import say_piles, say_written
from hoyle.authoring.testing.scenes import Scene
from hoyle.authoring.testing.vocabulary import EMPTY, MISSING, split_words
from hoyle.language.document.nodes import Entry, Mapping, Scalar, Sequence
from hoyle.play.view.event_lines import render_events
from hoyle.play.view.seeing import UNKNOWN_CARD, View, filter_event

HIDDEN = "hidden"
_SIZE = re.compile(r"(\d{1,4}) cards?")


def check_events(scene: Scene, entry: Entry, seat: int | None) -> None:
    """Check that the seat is told these lines in this order, with any other lines in between."""
    nodes = entry.value.items if isinstance(entry.value, Sequence) else ()
    expected = [" ".join(node.text.split()) for node in nodes if isinstance(node, Scalar)]
    told = list_told(scene, seat, scene.heard)
    rows: list[Row] = []
    begin, complete = 0, True
    for line in expected:
        at = next((i for i in range(begin, len(told)) if told[i].casefold() == line.casefold()), None)
        if at is None:
            complete = False
            rows.append(("-", line, ""))
        else:
            rows += [("", "", other) for other in told[begin:at]]
            rows.append(("", line, told[at]))
            begin = at + 1
    if not complete:
        rows += [("", "", other) for other in told[begin:]]
        who = "a spectator" if seat is None else f"seat {seat}"
        scene.fail("not-as-expected", f"{who} is not told this", entry.key.span, detail=show_rows(rows))


def list_told(scene: Scene, seat: int | None, since: int) -> list[str]:
    """List the events from `since` on as lines, as the seat is told them."""
    game = scene.game
    told = (filter_event(game.program, event, seat, game.names) for event in scene.match.events[since:])
    return [line for line in render_events(game, [event for event in told if event is not None], seat) if line]


def check_view(scene: Scene, entry: Entry, seat: int | None) -> None:
    """Check what a seat sees of zones and states."""
    seen = scene.match.view(seat)
    for part in entry.value if isinstance(entry.value, Mapping) else ():
        place = scene.words.find_place(part.key, own=seat)
        if place is None:
            continue
        if place.many:
            said = say_written(part.value)
            piles = [_say_zone(seen, place.index + number, said) for number in range(place.many)]
            actual = say_piles([pile for pile in piles if pile != EMPTY])
            if actual != said:
                scene.fail("not-as-expected", f"`{entry.name}` is not as expected: `{part.name}`", part.value.span,
                           detail=compare_words(said, actual))  # fmt: skip
            continue
        said = " ".join(HIDDEN if word.text == UNKNOWN_CARD else word.text for word in split_words(part.value))
        if place.kind == "state" and said != HIDDEN:
            value = _read_state(scene, part, place.index)
            if value is MISSING:
                continue
            said = str(value)
        actual = _say_zone(seen, place.index, said) if place.kind == "zone" else _say_state(scene, seen, place.index)
        if not _know_cards(scene, part, said, place.kind):
            continue
        if actual.removeprefix("seat ") != said.removeprefix("seat "):
            scene.fail("not-as-expected", f"`{entry.name}` is not as expected: `{part.name}`", part.value.span,
                       detail=compare_words(said, actual))  # fmt: skip


def _know_cards(scene: Scene, part: Entry, said: str, kind: str) -> bool:
    """Check that the cards listed exist; report those that do not."""
    if kind != "zone" or said == EMPTY or _SIZE.fullmatch(said):
        return True
    words = [word for word in split_words(part.value) if word.text not in (HIDDEN, UNKNOWN_CARD)]
    unknown = [word for word in words if word.text not in scene.words.copies]
    for word in unknown:
        scene.fail("unknown-card", f"the deck has no card `{word.text}`", word.span,
                   hint=("hidden cards are written `3 cards`, or `hidden` each",))  # fmt: skip
    return not unknown


def _say_zone(seen: View, zone: int, said: str) -> str:
    """Format a zone as the seat sees it; just the number of cards if all are hidden and the example does not list
    them one by one."""
    cards = seen.zones[zone].cards
    if not cards:
        return EMPTY
    if HIDDEN in said or any(card is not None for card in cards):
        return " ".join(card or HIDDEN for card in cards)
    size = len(cards)
    return "1 card" if size == 1 else f"{size} cards"


def _read_state(scene: Scene, part: Entry, index: int) -> object:
    """Read the expected value of a state and format it as views do; `MISSING` if it is invalid."""
    state, _ = scene.game.names.states[index]
    value = scene.words.read_value(state.type, part.value)
    return MISSING if value is MISSING else scene.game.names.name_value(state.type, value)


def _say_state(scene: Scene, seen: View, index: int) -> str:
    names = scene.game.names
    wanted = (names.states[index][0].name, names.find_owner(index))
    found = (each.value for each in seen.states if (each.name, each.owner) == wanted)
    return next(found, HIDDEN)
