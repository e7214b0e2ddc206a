"""A position as one seat knows it: everything else is struck out.

In: a match and a seat. Out: a position in which a card that the seat does not know is an `Unknown`, as are the hidden
states, the local values that the proof of secrets does not give it, the answers of others and future chance. It can be
evaluated and played on by the reference executor. An `Unknown` can be carried about, so a card may be moved by its
place; whoever looks at one gets a `Fault` that names the clause and not the card. So nothing that is found in such a
position, be it a result or a fault, depends on what the seat does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from hoyle.base.errors import HoyleError
from hoyle.play.beliefs.known_cards import Knowledge
from hoyle.play.engine.decision import Decision
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import SECRET, Fault
from hoyle.play.engine.legality import Choice
from hoyle.play.view.names import holds_cards
from hoyle.play.view.seeing import includes
from hoyle.program.ir.visibility import list_ways
from hoyle.program.model.events import Event
from hoyle.program.model.position import Position


class Standing(Protocol):
    """A match that may stand at a decision."""

    position: Position
    executor: ReferenceExecutor

    @property
    def game(self) -> Any: ...

    @property
    def knowledge(self) -> Knowledge: ...

    @property
    def decision(self) -> Decision | None: ...


_LOOKING = (
    "eq ne hash lt le gt ge bool len iter getitem contains index int float call neg abs str format",
    "add radd sub rsub mul rmul floordiv rfloordiv mod rmod and rand or ror xor rxor lshift rlshift rshift rrshift",
)


def look_at_unknown(*_: object) -> NoReturn:
    raise Fault(SECRET, "this depends on what the seat does not know")


class Unknown:
    """A value that may not be looked at."""

    __slots__ = ()


for _name in " ".join(_LOOKING).split():
    setattr(Unknown, f"__{_name}__", look_at_unknown)


class UnknownCard(Unknown):
    """A card of which the seat knows the place only: other cards whose place it knows are other cards."""

    __slots__ = ("_known",)

    def __init__(self, known: frozenset[int]) -> None:
        self._known = known

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int) and other not in self._known:
            look_at_unknown()
        return self is other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return id(self)


class _Whoever(Unknown):
    """Who has broken a rule, or held a card: a seat knows only whether it was itself."""

    __slots__ = ("_is_it", "_seat")

    def __init__(self, seat: int, *, is_it: bool) -> None:
        self._seat, self._is_it = seat, is_it

    def __eq__(self, other: object) -> bool:
        if other is None:  # nobody is not that seat either: what is compared comes to the same
            return False
        if other != self._seat:
            look_at_unknown()
        return self._is_it

    def __ne__(self, other: object) -> bool:
        return not self == other


class _Offence(Unknown):
    __slots__ = ("_offender",)

    def __init__(self, offender: _Whoever) -> None:
        self._offender = offender

    def __getitem__(self, part: int) -> _Whoever:
        return self._offender if part == 0 else look_at_unknown()


class _OfCards(list[Any]):
    """A list by card. What is kept of unknown cards is either public, or it is unknown too."""

    def __init__(self, values: Sequence[Any], becomes: Mapping[int, UnknownCard], *, public: bool) -> None:
        super().__init__(values)
        hidden = Unknown()
        self._others = {unknown: values[card] if public else hidden for card, unknown in becomes.items() if values}

    def __getitem__(self, card: Any) -> Any:
        return self._others[card] if isinstance(card, UnknownCard) else super().__getitem__(card)

    def __setitem__(self, card: Any, value: Any) -> None:
        if isinstance(card, UnknownCard):
            self._others[card] = value
        else:
            super().__setitem__(card, value)


def strike_out(match: Standing, seat: int) -> Position:
    """The position of a match as a seat knows it."""
    game, real = match.game, match.position
    redealer = game.sampler.redealer
    hidden = redealer.prepare(real, seat, match.knowledge.masks)
    known = frozenset(range(len(game.program.cards))) - set(hidden.cards)
    becomes = {card: UnknownCard(known) for card in hidden.cards}
    struck: Any = real.copy()
    struck.holders, struck.offence = [], None
    struck = redealer.rename_hidden(struck, becomes, hidden)
    struck.holders = _OfCards(real.holders, becomes, public=False)
    others = _Whoever(seat, is_it=False)
    for pile, (zone, _) in zip(real.zones, game.names.zones, strict=True) if real.holders else ():
        if all(shown.last_holder or shown.everybody for shown in list_ways(zone)):  # it would see its own
            for card in pile:
                if card in becomes:
                    struck.holders[becomes[card]] = others
    struck.turned = _OfCards(real.turned, becomes, public=True)
    unknown: Any = Unknown()
    struck.random, struck.script = unknown, []
    if game.program.called:
        is_it = real.offence is not None and real.offence[0] == seat
        struck.offence = _Offence(_Whoever(seat, is_it=is_it))
    for index in range(len(struck.states)):
        if not includes(game.sight.mask_state(index), seat, real.players):
            struck.states[index] = unknown
    decide = match.executor.find_decide(real)
    for slot in game.untold.slots.get(real.block, ()):
        if not holds_cards(game.program.slots[slot].type):  # a card that it does not know is an `UnknownCard`
            struck.slots[slot] = unknown
    if decide is not None and decide.store is not None and struck.slots[decide.store]:
        struck.slots[decide.store] = unknown  # what the others have answered
    found: Position = struck
    return found


def check_offer(match: Standing) -> None:
    """A fault unless what is offered at the decision follows from what the seat knows."""
    decision, decide = match.decision, match.executor.find_decide(match.position)
    if decision is None or decide is None:
        return
    legality = match.game.knower.evaluator.legality
    match.game.knower.evaluator.begin()
    try:
        declared = match.game.program.decisions[decide.decision]
        offered = legality.list_legal(declared, decision.seat, strike_out(match, decision.seat))
        if len(offered) != len(decision.choices) or _list_entries(offered) != _list_entries(decision.choices):
            look_at_unknown()
    except Fault as fault:
        fault.clause = decide.clause if fault.clause is None else fault.clause
        raise match.game.locate(fault) from None


def _list_entries(choices: Sequence[Choice]) -> list[Any]:
    return list(getattr(choices, "entries", choices))


class _Done(HoyleError):  # noqa: N818 - a signal
    """What was looked for has happened."""


def foresee(match: Standing, struck: Position, choice: Choice, wanted: Callable[[Event], bool]) -> Event | None:
    """The first event wanted that follows a choice made in a position that is struck out for the deciding seat, before
    anybody chooses again; None if there is none, or if it depends on what the seat does not know."""
    events: list[Event] = []

    def hear(event: Event) -> None:
        events.append(event)
        if len(events) > 1 and (event.name in ("chose", "round_began") or wanted(event)):
            raise _Done

    position = struck.copy()
    executor = ReferenceExecutor(match.game.program, hear, like=match.game.knower)
    try:
        executor.apply(position, choice)
        executor.run(position)
    except _Done:
        return events[-1] if wanted(events[-1]) else None
    except Fault:
        pass
    return None
