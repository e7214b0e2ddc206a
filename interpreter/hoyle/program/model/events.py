"""Events: what happened, and which seats may know it.

In: numbers of cards, zones, seats and states as in the position. Out: `Event`, a plain value.

| name             | data                                                                   |
|------------------|------------------------------------------------------------------------|
| gathered         | zone                                                                   |
| shuffled, cut    | zone                                                                   |
| dealt            | cards, source, to (the zone each card went to)                         |
| moved            | cards, source (the zone each card came from), zone, bottom             |
| turned_over      | zone                                                                   |
| turned           | cards, up (whether face up), source (the zone each card lies in)       |
| swapped          | zones (two)                                                            |
| shown            | cards, seats, source (the zone each card lies in)                      |
| set              | state, owner, value                                                    |
| scored           | amount, column, label; `seat` scores; `side` if it scores for its team |
| paid             | amount, payer, payee (indices of two pots among the states)            |
| retired          | nothing; `seat` has left the match                                     |
| taken_back       | broke (path of the broken clause); `seat` offended; or step, and as of |
|                  | dealt cards, all cards of zones that change; `seat` takes it back      |
| marked           | mark (the text noted on the score sheet); `seat` is marked             |
| announced        | value, text; of a text with values in braces, their words as `values`  |
| chose            | action (None: declined), picks (by name, in words), secret             |
| drawn_at_random  | cards, or value and text                                               |
| round_began      | round, counted from 1                                                  |
| round_ended      | round                                                                  |
| match_ended      | winners, scores                                                        |
"""

from __future__ import annotations

from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.program.model.position import pack, unpack
from hoyle.program.model.records import VALUE, check_fields, check_shape, refuse

WORDED = ("picks", "values")  # data fields that map names to values in words
EVENT_NAMES = (
    "gathered", "shuffled", "cut", "dealt", "moved", "turned_over", "turned", "swapped", "shown", "set", "scored",
    "paid", "retired", "taken_back", "marked", "announced", "chose", "drawn_at_random", "round_began", "round_ended",
    "match_ended",
)  # fmt: skip


Told = dict[str, Any]  # an event as filtered for a seat: plain data

SHAPES: dict[str, object] = {
    "name": str, "seat": (int, None), "data": dict, "clause": (int, None), "told": int, "known": [int],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    `seat` is who acted or scored, if anyone did; `told` is the mask of the seats that learn of the event at all;
    `known` parallels `data["cards"]`: for each card, the mask of the seats that know its identity.
    """

    name: str
    seat: int | None
    data: dict[str, Any]
    clause: int | None
    told: int
    known: tuple[int, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "seat": self.seat,
            "data": {key: dict(value) if key in WORDED else pack(value) for key, value in self.data.items()},
            "clause": self.clause,
            "told": self.told,
            "known": list(self.known),
        }

    @classmethod
    def from_json(cls, data: Any, where: str = "event") -> Event:
        """Read an event that `to_json` wrote; raises `RecordError` if it is malformed."""
        check_fields(data, SHAPES, where)
        if data == FORGOTTEN.to_json():
            return FORGOTTEN
        if data["name"] not in EVENT_NAMES:
            raise refuse(f"{where}.name", f"no event is called `{data['name']}`")
        for key, value in data["data"].items():
            check_shape(value, dict if key in WORDED else VALUE, f"{where}.data.{key}")
        inner = {key: dict(value) if key in WORDED else unpack(value) for key, value in data["data"].items()}
        return cls(data["name"], data["seat"], inner, data["clause"], data["told"], tuple(data["known"]))


# Placeholder for an event that a match has dropped to bound its memory; no seat is told of it.
FORGOTTEN = Event("forgotten", None, {}, None, 0)
