"""The information of one seat in a match, and nothing else: the input of bots.

In: a match and a seat. Out: `Standpoint`: the view, the events told to the seat, and samples of positions that it
cannot distinguish from the real one. The position inside is such a sample itself: it contains no hidden information,
and it does not depend on how the hidden cards really lie.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hoyle.base.dataclass import dataclass
from hoyle.play.beliefs.known_cards import Knowledge
from hoyle.play.view import seeing
from hoyle.program.model.chance import seeded
from hoyle.program.model.events import Told

if TYPE_CHECKING:
    from hoyle.play.beliefs.from_choices import Barred, Needed
    from hoyle.play.beliefs.position_sampling import Hidden
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.play.engine.playable import Playable
    from hoyle.program.model.events import Event
    from hoyle.program.model.position import Position


@dataclass(frozen=True)
class Standpoint:
    """What a seat knows. `position` is one of the possible positions; `masks` say which of its cards the seat knows;
    `choosers` are the seats that have already chosen secretly at this decision; `barred` and `needed` are inferences
    from the choices of others: cards that an unknown card cannot be, and cards of which at least one lies in a zone."""

    game: Playable
    seat: int
    position: Position
    masks: tuple[int, ...]
    choosers: tuple[int, ...]
    events: tuple[Told, ...]
    barred: Barred = field(default_factory=dict)
    needed: Needed = ()

    @cached_property
    def view(self) -> seeing.View:
        """The position as the seat sees it."""
        return seeing.view(self.game.sight, self.position, self.seat, self.seat)

    @property
    def information_state(self) -> str:
        """Everything the seat has been told, and what it sees, as text."""
        return describe_information(map(describe_event, self.events), self.view)

    def sample(self, seed: int) -> Position:
        """A position at the same decision that the seat cannot distinguish from the real one, drawn by the seed."""
        sampler = self.game.sampler
        return sampler.sample(self.position, self.seat, seeded(seed), self.masks, self.choosers, self.hidden)[0]

    def match(self, seed: int) -> Any:
        """A `Match` at the same decision that the seat cannot distinguish from the real one, for search and playouts:
        hidden cards and future chance are drawn by the seed. The events told to the seat carry over; what other seats
        know beyond what they see is not modelled."""
        game, drawn = self.game, seeded(seed)
        position, becomes = game.sampler.sample_playable(
            self.position, self.seat, drawn, self.masks, self.choosers, self.hidden
        )
        knowledge = Knowledge.of(game.program, game.names, self.position, self.masks).relabel(becomes)
        return game.take_up(position, Before(self.seat, self.events, self.choosers, knowledge))

    def find_begin(self) -> Position | None:
        """The position from which samples differ only in the redealt cards; None if more than these is redrawn."""
        sampler = self.game.sampler
        if not sampler.redealer.deals_only(self.position, self.seat, self.hidden):
            return None
        return sampler.find_begin(self.position, self.seat, self.choosers)

    @cached_property
    def hidden(self) -> Hidden:
        """What is redealt for a sample; prepared once for all samples."""
        return self.game.sampler.redealer.prepare(self.position, self.seat, self.masks, self.barred, self.needed)


def describe_event(event: Told) -> str:
    """An event as told to a seat, as one line of text."""
    return json.dumps(event, sort_keys=True)


def describe_information(lines: Iterable[str], view: seeing.View) -> str:
    """The events told to a seat and its view, as text: one line per event, the last line for the view."""
    return "\n".join([*lines, json.dumps(_spread(view), sort_keys=True)])


def _spread(view: seeing.View) -> dict[str, Any]:
    """The fields of a view without its values in words. A hand-written `asdict`: this is called often."""
    spread = {name: getattr(view, name) for name in _FIELDS}
    spread["zones"] = [{name: getattr(zone, name) for name in _FIELDS_OF_ZONE} for zone in view.zones]
    spread["states"] = [{name: getattr(state, name) for name in _FIELDS_OF_STATE} for state in view.states]
    return spread


_FIELDS, _FIELDS_OF_ZONE, _FIELDS_OF_STATE = (
    tuple(part.name for part in fields(kind) if part.name != "typed")
    for kind in (seeing.View, seeing.ZoneView, seeing.StateView)
)


@dataclass(frozen=True, slots=True)
class Before:
    """What a seat knew before a sampled match began: the events told to it, the seats that had chosen secretly at the
    decision where it begins, and the cards known to each seat."""

    seat: int | None
    told: tuple[Told, ...]
    choosers: tuple[int, ...]
    knowledge: Knowledge


def find_choosers(
    executor: ReferenceExecutor, position: Position, events: Sequence[Event], earlier: Sequence[int] = ()
) -> list[int]:
    """The seats whose choices are stored at the current decision, in order. That they have chosen is public; what they
    chose is not. `earlier` are those that chose before the first event."""
    decide = executor.find_decide(position)
    if decide is None or decide.store is None or executor.program.decisions[decide.decision].window:
        return []
    wanted = len(position.slots[decide.store] or ())
    found: list[int] = []
    for event in reversed(events):
        if len(found) == wanted:
            break
        if event.name == "chose" and event.clause == decide.clause and event.data["secret"] and event.seat is not None:
            found.append(event.seat)
    chose = found[::-1] if len(found) == wanted else [*earlier, *found[::-1]]
    return chose if len(chose) == wanted else []
