"""The steps between a choice and the next decision, so that a table can show each of them.

In: the position before a choice, and the choice. Out: `Beat`s in order: positions on the way, with the number of events
told by then and how long each deserves to be looked at. What follows the last beat is the next decision.

They are found by playing the choice once more with the reference executor, which says before each instruction where it
stands. A beat is a position like any other: what a seat sees of it is filtered in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from hoyle.base.dataclass import dataclass
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import Choice
from hoyle.play.table.layout import Layout
from hoyle.play.view.seeing import everybody
from hoyle.program.model.events import Event
from hoyle.program.model.position import Position

if TYPE_CHECKING:
    from hoyle.play.engine.game import Game

Pause = Literal["step", "full", "round"]
MOST_STEPS = 24  # beats of one choice that only show a step; those to be looked at are all kept
NOWHERE = -1  # an instruction at which no decision stands
# What a seat can see happen on the table; the others are told in words, with what follows.
_SEEN = frozenset({"moved", "dealt", "shown", "turned", "turned_over", "swapped", "paid", "scored"})


@dataclass(frozen=True, slots=True)
class Beat:
    """A position on the way; `told` counts the events of the match by then. At a `full` beat, rules are about to clear
    the middle of the table; at a `round` beat, a round is over and another one follows."""

    position: Position
    told: int
    pause: Pause


def list_beats(game: Game, layout: Layout, before: Position, told: int, choice: Choice) -> list[Beat]:
    """List the beats that follow a choice made at `before`, after `told` events."""
    events: list[Event] = []
    kept: list[tuple[Position, int, int]] = []
    position = before.copy()
    count = 0

    def hear(event: Event) -> None:
        nonlocal count
        count += 1
        if event.told == everybody(game.players):  # pauses must not tell that something happened unseen
            events.append(event)

    def look(_clause: int) -> None:
        if len(events) > (kept[-1][1] if kept else 0):
            copy = position.copy()
            copy.instruction = NOWHERE
            kept.append((copy, len(events), count))

    executor = ReferenceExecutor(game.program, hear, visit=look, like=game.executor)
    try:
        executor.advance(position, choice)
    except Fault:
        return []
    found = list[Beat]()
    shown = 0
    for at, heard, counted in kept:
        if heard == len(events):
            break  # the next decision itself
        pause = _find_pause(layout, at, events, heard)
        if pause is None and _is_worth_showing(events, shown, heard):
            pause = "step"
        if pause is not None:
            found.append(Beat(at, told + counted, pause))
            shown = heard
    steps = [beat for beat in found if beat.pause == "step"]
    left_out = {id(beat) for beat in steps[MOST_STEPS:]}
    return [beat for beat in found if id(beat) not in left_out]


def _find_pause(layout: Layout, position: Position, events: Sequence[Event], heard: int) -> Pause | None:
    """Return why to stop at a position; None if there is no reason."""
    following = events[heard]
    if following.name == "round_ended":
        rest = (event.name for event in events[heard:])
        return "round" if any(name == "round_began" for name in rest) else None
    return "full" if _clears_middle(layout, position, following) else None


def _clears_middle(layout: Layout, position: Position, following: Event) -> bool:
    """Whether rules, not a player's own action, are about to empty a place in the middle where several cards lie."""
    if following.name != "moved" or following.clause is None:
        return False
    program = layout.program
    if program.clauses[following.clause].path.startswith("actions."):
        return False
    sources = set(following.data["source"])
    if len(sources) != 1:
        return False
    zone = sources.pop()
    return layout.is_in_middle(zone) and len(following.data["cards"]) == len(position.zones[zone]) > 1


def _is_worth_showing(events: Sequence[Event], shown: int, heard: int) -> bool:
    """Whether something has been seen to happen since the last beat that the next event does not go on with."""
    last, following = events[heard - 1], events[heard]
    if not any(event.name in _SEEN for event in events[shown:heard]):
        return False
    return following.name == "chose" or following.clause != last.clause
