"""Validation of matches and positions from outside against the game they claim to belong to.

In: a game and JSON data. Out: a match, or a `RecordError` that names the place where the record is malformed or
impossible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hoyle.play.engine.faults import Fault
from hoyle.play.engine.origin import HEAD, LONGEST, OtherRules, check_origin, take_head
from hoyle.play.view import seeing
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import Type
from hoyle.program.model.chance import MASK
from hoyle.program.model.events import Event
from hoyle.program.model.position import Position
from hoyle.program.model.records import VALUE, check_fields, refuse

if TYPE_CHECKING:
    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.play.engine.playable import Playable

MATCH = {
    **HEAD, "layout": str, "seed": int, "script": [VALUE], "position": dict, "events": [dict], "history": [str],
}  # fmt: skip
NUMBERED = ("card", "seat", "team", "zone", "enum", "line")
PLAIN = {"number": int, "truth": bool, "text": str}


class Restored(Protocol):
    """What the final check of a restored match uses; all of it is derived from the position."""

    executor: ReferenceExecutor
    position: Position

    @property
    def is_over(self) -> bool: ...

    @property
    def scores(self) -> list[int]: ...

    @property
    def winners(self) -> list[int]: ...


MatchT = TypeVar("MatchT", bound=Restored)


def restore(make: Callable[..., MatchT], game: Playable, data: Any) -> MatchT:
    """The match that was saved as JSON data."""
    head = take_head(data, "match")
    check_fields(data, MATCH, "match")
    check_origin(game.program, head, "match")
    if data["layout"] != game.layout:
        raise OtherRules(f"match: the rules are the same, but Hoyle {head['hoyle'][:LONGEST]} numbered their parts "
                         "otherwise, so that the position means something else here; play its seed and history again")
    try:
        position = Position.from_json(data["position"])
        events = [Event.from_json(event, f"match.events[{place}]") for place, event in enumerate(data["events"])]
    except RecursionError:
        raise refuse("match", "nested too deeply") from None
    check_position(game, position)
    for place, event in enumerate(events):
        _check_event(game, event, f"match.events[{place}]")
    match = make(
        game, position, events=events, history=list(data["history"]), seed=data["seed"], script=data["script"]
    )
    _try(match)
    return match


def check_position(game: Playable, position: Position) -> None:
    """Raise `RecordError` for a position that cannot belong to the game."""
    program, start = game.program, game.executor.start(0)
    if position.players != program.players:
        raise refuse("position.players", f"the game is for {program.players}")
    for name in ("zones", "states", "slots", "totals", "holders", "turned"):
        found, wanted = len(getattr(position, name)), len(getattr(start, name))
        if found != wanted:
            raise refuse(f"position.{name}", f"there are {found}, and {wanted} in this game")
    _check_cards(position, len(program.cards))
    for column, totals in enumerate(position.totals):
        if len(totals) != program.players:
            raise refuse(f"position.totals[{column}]", f"must have a number for each of {program.players} seats")
    for place, (state, _) in enumerate(game.names.states):
        if state.start is not None or position.states[place] is not None:
            _check_kind(game, position.states[place], state.type, f"position.states[{place}]")
    _check_place(program, position)
    _check_seats(position)
    if not 0 <= position.random <= MASK:
        raise refuse("position.random", "is not a state of the generator")


def _check_cards(position: Position, cards: int) -> None:
    seen: set[int] = set()
    for zone, pile in enumerate(position.zones):
        for place, card in enumerate(pile):
            if not 0 <= card < cards or card in seen:
                raise refuse(f"position.zones[{zone}][{place}]", f"there is no card {card}, or it lies elsewhere too")
            seen.add(card)
    if len(seen) != cards:
        raise refuse("position.zones", f"{cards - len(seen)} cards lie nowhere")


def _check_place(program: ir.Program, position: Position) -> None:
    """Check the program counter and the return addresses."""
    if not 0 <= position.block < len(program.blocks):
        raise refuse("position.block", f"there are {len(program.blocks)} blocks")
    if not 0 <= position.instruction <= len(program.blocks[position.block].instructions):
        raise refuse("position.instruction", "the block has fewer")
    for slot in (*(step.return_slot for step in program.steps), *(act.return_slot for act in program.actions)):
        back = position.slots[slot]
        if type(back) is not int or not -1 <= back < len(program.blocks):
            raise refuse(f"position.slots[{slot}]", "is not a block to go back to")
    if position.decisions < 0 or position.rounds_played < 0:
        raise refuse("position.decisions", "must not be less than 0")


def _check_seats(position: Position) -> None:
    for name in ("retired", "holders"):
        for place, seat in enumerate(getattr(position, name)):
            if seat is not None and not 0 <= seat < position.players:
                raise refuse(f"position.{name}[{place}]", f"there is no seat {seat}")
    if position.retired != sorted(set(position.retired)):
        raise refuse("position.retired", "must be in the order of the seats, each once")


def _check_kind(game: Playable, value: Any, kind: Type, where: str) -> None:
    """Raise `RecordError` for a value that is not of a type."""
    if kind.kind == "maybe":
        if value is not None and kind.of is not None:
            _check_kind(game, value, kind.of, where)
    elif kind.kind == "list":
        if not isinstance(value, tuple):
            raise refuse(where, f"must be {kind}")
        for place, part in enumerate(value):
            _check_kind(game, part, kind.of or kind, f"{where}[{place}]")
    elif kind.kind in PLAIN:
        if type(value) is not PLAIN[kind.kind]:
            raise refuse(where, f"must be {kind}")
    elif kind.kind in NUMBERED and (type(value) is not int or not 0 <= value < _count(game, kind)):
        raise refuse(where, f"there is no {kind} {value}")


def _count(game: Playable, kind: Type) -> int:
    program = game.program
    counts = {"card": len(program.cards), "zone": len(game.names.zones), "line": 1 << 32}
    if kind.kind == "enum":
        return next((len(enum.values) for enum in program.enums if enum.name == kind.name), 0)
    return counts.get(kind.kind, program.players)


def _check_event(game: Playable, event: Event, where: str) -> None:
    if event.clause is not None and not 0 <= event.clause < len(game.program.clauses):
        raise refuse(f"{where}.clause", f"there is no clause {event.clause}")
    try:
        for seat in (None, *range(game.players)):
            seeing.filter_event(game.program, event, seat, game.names)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise refuse(where, f"`{event.name}` is not told like that") from None


def _try(match: Restored) -> None:
    """Raise `RecordError` for a position that cannot be resumed: any remaining inconsistency shows here."""
    try:
        if match.is_over:
            assert isinstance(match.winners, list) and match.scores
        elif match.executor.find_decide(match.position) is not None:
            match.executor.list_legal(match.position)
    except Fault:
        return  # an error of the rules, reported when the match is played
    except Exception as wrong:
        raise refuse("position", f"it cannot be gone on from ({type(wrong).__name__})") from None
