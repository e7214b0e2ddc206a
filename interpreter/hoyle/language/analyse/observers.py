"""Observers: who knows a secret, be it the acting seat, everybody, or some seat at the table.

In: a program and a secret. Out: whether an observer is certain to know it, and its description for messages.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from hoyle.base.dataclass import dataclass
from hoyle.language.analyse.sight import (
    ACTOR,
    OTHER,
    Broken,
    Chosen,
    Held,
    Kept,
    Place,
    Secret,
    Secrets,
    SomeZone,
    Undeclared,
    Value,
    Whereabouts,
    Who,
)
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.visibility import SHOWS, is_known_to, is_open, is_seen, is_stated, is_visible, list_ways


class Observer(Protocol):
    def knows(self, secret: Secret) -> bool: ...


@dataclass(frozen=True, slots=True)
class Everybody:
    """All seats, and spectators. `traced` are the zones of whose cards all know who held them last."""

    program: ir.Program
    traced: frozenset[int] = frozenset()

    def knows(self, secret: Secret) -> bool:
        match secret:
            case Place():
                zone = self.program.zones[secret.zone]
                return (is_visible if secret.drawn else is_open)(zone, top=secret.top)
            case Kept():
                return is_stated(self.program.states[secret.state])
            case SomeZone():
                return all(is_open(zone, top=secret.top) for zone in self.program.zones)
            case Whereabouts():
                return all(is_open(zone) for zone in self.program.zones) and self._can_trace(None)
            case Held():
                return (secret.place is None or self.knows(secret.place)) and self._can_trace(secret.place)
        return False

    def _can_trace(self, place: Place | None) -> bool:
        return all(zone in self.traced for zone in ([place.zone] if place else range(len(self.program.zones))))


@dataclass(frozen=True, slots=True)
class Actor:
    """The acting seat; `names` are expressions that denote it now."""

    everybody: Everybody
    names: frozenset[Who] = frozenset()

    def is_it(self, who: Who) -> bool:
        return who is not None and (who == ACTOR or who in self.names)

    def knows(self, secret: Secret) -> bool:
        program = self.everybody.program
        match secret:
            case Place(drawn=False):
                zone = program.zones[secret.zone]
                return is_known_to(
                    zone, top=secret.top, owner=self.is_it(secret.owner), other=secret.owner == OTHER
                )
            case Place():
                zone = replace(program.zones[secret.zone], remembered=False)
                return is_known_to(zone, top=secret.top, owner=self.is_it(secret.owner), other=False)
            case Kept():
                state = program.states[secret.state]
                return is_stated(state) or (SHOWS[state.shows].owner and self.is_it(secret.owner))
            case Chosen():
                return self.is_it(secret.owner)
            case Held(place=Place() as place):
                if self.is_it(secret.asker):  # of cards that it sees, or would see if they were its own
                    ways = list_ways(program.zones[place.zone])
                    return all(shown.last_holder or shown.everybody for shown in ways) or self.knows(place)
                return self.knows(place) and place.zone in self.everybody.traced
        return self.everybody.knows(secret)


@dataclass(frozen=True, slots=True)
class Somebody:
    """The union of all seats: it is enough that one of them knows. `seen` are zones whose cards somebody has seen
    arrive; `states` are the abstract values of states: a state visible to nobody is no more secret than what is stored
    in it, unless chance has put that in order (`mixed`)."""

    program: ir.Program
    seen: frozenset[int]
    states: dict[int, Value]
    mixed: frozenset[int]

    def knows(self, secret: Secret) -> bool:
        return self._knows(secret, frozenset())

    def _knows(self, secret: Secret, asked: frozenset[int]) -> bool:
        match secret:
            case Place():
                zone = self.program.zones[secret.zone]
                remembers = not secret.drawn and (zone.remembered or secret.zone in self.seen)
                return remembers or is_seen(zone, top=secret.top)
            case Kept():
                state = self.program.states[secret.state]
                if SHOWS[state.shows].everybody or SHOWS[state.shows].owner or secret.state in asked:
                    return True
                if secret.state in self.mixed:
                    return False
                kept = self.states.get(secret.state)
                return kept is None or all(self._knows(inner, asked | {secret.state}) for inner in kept.face)
            case SomeZone() | Whereabouts():
                top = isinstance(secret, SomeZone) and secret.top
                every = range(len(self.program.zones))
                return all(self._knows(Place(zone, top, None), asked) for zone in every)
            case Held():
                return secret.place is None or self._knows(secret.place, asked)
            case Broken() | Chosen():
                return True
        return False


def find_unknown(secrets: Secrets, observer: Observer) -> tuple[Secret, tuple[str, ...]] | None:
    """The first secret that the observer does not know, with the definitions through which it is read."""
    return next(((secret, trail) for secret, trail in secrets.items() if not observer.knows(secret)), None)


def describe(secret: Secret, program: ir.Program, *, for_actor: bool) -> tuple[str, tuple[int, ...]]:
    """A secret in words, and the clauses that declare it hidden."""
    match secret:
        case Place():
            zone = program.zones[secret.zone]
            others = " of other seats" if for_actor and SHOWS[zone.shows].owner else ""
            return f"the zone `{zone.name}`{others}", (zone.clause,)
        case Kept():
            state = program.states[secret.state]
            return f"the state `{state.name}`", (state.clause,)
        case SomeZone():
            hidden = next(zone for zone in program.zones if not is_open(zone, top=secret.top))
            return f"`{secret.text}`, which may be the zone `{hidden.name}`", (hidden.clause,)
        case Whereabouts():
            hidden = next(zone for zone in program.zones if not is_open(zone))
            return f"where `{secret.text}` is, which may be in the zone `{hidden.name}`", (hidden.clause,)
        case Held():
            if secret.place is None:
                return "who held last what lies open somewhere", ()
            zone = program.zones[secret.place.zone]
            return f"who held last what lies in `{zone.name}`", (zone.clause,)
        case Broken():
            return "whether somebody has broken a rule", ()
        case Chosen():
            return f"what another has chosen with `{program.actions[secret.action].name}`", ()
        case Undeclared():
            return f"`{secret.word}`, which does not say what it looks at", ()
