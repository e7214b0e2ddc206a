"""What one seat may know of a match, and nothing else: what bots are given.

In: a match and a seat. Out: `Standpoint`: the view, the events told, and any number of positions that the seat cannot
tell from the real one. The position inside is itself such a sample, so nothing hidden can be found in it, and it is the
same however the hidden cards lie.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hoyle.model.chance import seeded
from hoyle.model.events import Told
from hoyle.view import seeing
from hoyle.view.knowledge import Knowledge

if TYPE_CHECKING:
    from hoyle.engine.executor import ReferenceExecutor
    from hoyle.engine.moments import Barred, Needed
    from hoyle.engine.playable import Playable
    from hoyle.model.events import Event
    from hoyle.model.position import Position
    from hoyle.view.shuffling import Hidden


@dataclass(frozen=True)
class Standpoint:
    """What a seat knows. `position` is one of the positions it could be; `masks` say which cards the seat knows there;
    `choosers` are the seats that have chosen in secret before it at this decision; `barred` say of cards it does not
    know which they cannot be, by what others have chosen, and `needed` of which cards one at least lies in a zone."""

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
        """All the seat has been told, and what it sees, as text."""
        return describe_information(map(describe_event, self.events), self.view)

    def sample(self, seed: int) -> Position:
        """A position the seat cannot tell from the real one, at the same decision, drawn by the seed."""
        sampler = self.game.sampler
        return sampler.sample(self.position, self.seat, seeded(seed), self.masks, self.choosers, self.hidden)[0]

    def match(self, seed: int) -> Any:
        """A `Match` the seat cannot tell from the real one, at the same decision, to try choices in and to play on:
        what the seat does not know, and all chance to come, is drawn by the seed. The seat has been told in it what it
        was told, and what others know beyond what they see is not known."""
        game, drawn = self.game, seeded(seed)
        position, becomes = game.sampler.sample_playable(
            self.position, self.seat, drawn, self.masks, self.choosers, self.hidden
        )
        knowledge = Knowledge.of(game.program, game.names, self.position, self.masks).relabel(becomes)
        return game.take_up(position, Before(self.seat, self.events, self.choosers, knowledge))

    def find_begin(self) -> Position | None:
        """The position whose hidden cards, dealt anew, make a sample; None if more is drawn anew than they."""
        sampler = self.game.sampler
        if not sampler.redealer.deals_only(self.position, self.seat, self.hidden):
            return None
        return sampler.find_begin(self.position, self.seat, self.choosers)

    @cached_property
    def hidden(self) -> Hidden:
        """What of the position is dealt anew for a sample."""
        return self.game.sampler.redealer.prepare(self.position, self.seat, self.masks, self.barred, self.needed)


def describe_event(event: Told) -> str:
    """What a seat was told, as a line."""
    return json.dumps(event, sort_keys=True)


def describe_information(lines: Iterable[str], view: seeing.View) -> str:
    """What a seat was told and what it sees, a line for each event, the last line for the view."""
    return "\n".join([*lines, json.dumps(_spread(view), sort_keys=True)])


def _spread(view: seeing.View) -> dict[str, Any]:
    """The fields of a view, without what is said in words already. It is asked for often, and `asdict` takes long."""
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
    """What went before a match that was sampled, as far as the seat may know for which it was: what the seat was told,
    which seats have chosen in secret at the decision it began at, and which card lies where each knows it."""

    seat: int | None
    told: tuple[Told, ...]
    choosers: tuple[int, ...]
    knowledge: Knowledge


def find_choosers(
    executor: ReferenceExecutor, position: Position, events: Sequence[Event], earlier: Sequence[int] = ()
) -> list[int]:
    """The seats whose choices are stored at the decision the position stands at, in the order of the choices. That they
    have chosen is known to all; what, is not. `earlier` are those who chose there before the first event."""
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
