"""The layout of observations and choices as native code reads it (`codegen/c/environment.c`).

In: features, and the memory layout of positions. Out: ctypes structures whose pointers lead into flat arrays, which can
be copied to a device as they are.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hoyle.lab.learning.features import BY_CASE, Features, Told
from hoyle.play.codegen.c.columns import Given, make_array
from hoyle.play.codegen.c.struct_layout import Field, ListField
from hoyle.play.engine.native.parts import Part, Parts

if TYPE_CHECKING:
    from hoyle.lab.bots.evaluation import Worth
    from hoyle.play.engine.native.memory import Mirror

WORD = 64
BY_WINNERS, BY_SCORES, BY_TOLD = 0, 1, 2
POINTERS = ("zones", "fields", "picks", "shows", "bases", "picks_from", "stores", "faces", "decisions", "silent",
            "recent_of", "turns", "relative", "sides")  # fmt: skip


class ZoneTold(Given, ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in ("way", "base", "size_at", "ends_at", "places_at", "shows")]


class FieldTold(Given, ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int32) for name in (
            "kind", "at", "width", "spare", "most", "length_at", "length_width", "stored_at", "stored_width", "base",
            "low", "domain", "has_none", "pad",
        )),
        ("none", ctypes.c_int64),
    ]  # fmt: skip


class Environment(Given, ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in POINTERS),
        ("seed", ctypes.c_uint64),
        *((name, ctypes.c_int32) for name in (
            "fields_many", "actions", "faces_many", "tokens", "choices", "size", "exposed_at", "recent_at",
            "recent_size", "recent_many", "decisions_at", "joint_at", "decline", "told", "by_file", "sign",
            "sides_many", "has_hints", "most_steps", "skips_forced", "spelt", "common_at", "seats_told", "marks_at",
            "marks_told",
        )),
    ]  # fmt: skip


class Rows(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_void_p)
        for name in ("observations", "tokens", "counts", "seats", "gains", "rewards", "ends", "places", "numbers",
                     "said")
    ]


class Tables:
    """The arrays of one program. `environment` is the structure with pointers into this process's memory."""

    def __init__(self, features: Features, mirror: Mirror, worth: Worth) -> None:
        self.features = features
        self._parts = Parts(mirror)
        self._layout = mirror.layout
        self._mirror = mirror
        program = features.program
        self.arrays: dict[str, Any] = {}
        self.environment = Environment(
            actions=len(program.actions), faces_many=features.faces_many, tokens=features.tokens, size=features.size,
            exposed_at=features.exposed_at, recent_at=features.recent_at, recent_size=features.recent_size,
            recent_many=features.recent_many, decisions_at=features.decisions_at, joint_at=features.joint_at,
            decline=features.decline, by_file=worth.is_told_by_file, sign=worth.sign,
            told=BY_SCORES if worth.by_score else BY_TOLD if worth.is_told_early else BY_WINNERS,
            sides_many=len(set(features.sides)), has_hints=program.hints is not None and not worth.judged,
            spelt=features.spelt, common_at=features.common_at, seats_told=len(features.common.seats),
            marks_at=features.marks_at, marks_told=len(features.common.marks),
        )  # fmt: skip
        self._fill_zones()
        self._fill_values()
        self._fill_picks()
        self._keep("faces", features.faces)
        self._keep("decisions", features.decisions or [-1])
        self._keep("silent", [int(features.is_silent(block)) for block in range(len(program.blocks))])
        self._keep("recent_of", features.recent_of)
        self._keep("turns", features.turns)
        self._keep("relative", [zone for row in features.relative for zone in row])
        self._keep("sides", features.sides)

    @property
    def is_valued(self) -> bool:
        """Whether a standing is known before the end of a match."""
        return bool(self.environment.told or self.environment.has_hints)

    def _keep(self, name: str, values: Sequence[int]) -> None:
        self.arrays[name] = make_array(ctypes.c_int32, values)
        setattr(self.environment, name, ctypes.addressof(self.arrays[name]))

    def _keep_rows(self, name: str, kind: Any, rows: Sequence[Any]) -> None:
        self.arrays[name] = make_array(kind, rows)
        setattr(self.environment, name, ctypes.addressof(self.arrays[name]))

    def _fill_zones(self) -> None:
        rows, shows = list[ZoneTold](), list[int]()
        for seat in self.features.zones:
            for zone in seat:
                rows.append(ZoneTold(zone.way, zone.base, zone.size_at, zone.ends_at, zone.places_at, len(shows)))
                if zone.way == BY_CASE:
                    shows += zone.cases
        self._keep_rows("zones", ZoneTold, rows)
        self._keep("shows", shows)

    # ---------------------------------------------------------------------------------------------- fields
    def _make(
        self, field: Field | ListField, place: int, told: Told, base: int = 0, store: ListField | None = None
    ) -> FieldTold:
        part: Part = self._parts.make(field, place, cards=False, store=store)
        held = field if isinstance(field, Field) else field.elements
        none = field.none if isinstance(field, Field) else None
        spare = WORD - 8 * part.width if not held.ctype.startswith("u") else 0
        return FieldTold(
            kind=told.kind, at=part.at, width=part.width, spare=spare, most=part.most, length_at=part.length_at,
            length_width=part.length_width, stored_at=part.stored_at, stored_width=part.stored_width, base=base,
            low=told.low, domain=told.domain, has_none=none is not None, none=none or 0,
        )  # fmt: skip

    def _fill_values(self) -> None:
        features, layout = self.features, self._layout
        rows, bases = list[FieldTold](), [list[int]() for _ in range(features.players)]
        for index, told in enumerate(features.told):
            if not any(index in states for states in features.states):
                continue
            number, place = self._parts.states[index]
            rows.append(self._make(layout.states[number], place, told))
            for seat, row in enumerate(bases):
                row.append(features.states[seat].get(index, -1))
        for column, field in layout.totals.items():
            for other in range(features.players):
                rows.append(self._make(field, other, features.number))
                for seat, row in enumerate(bases):
                    row.append(features.totals[seat][column][other])
        rows.append(self._make(layout.by_name["rounds"], 0, features.number))
        for row in bases:
            row.append(features.rounds_at)
        self._keep_rows("fields", FieldTold, rows)
        self._keep("bases", [base for row in bases for base in row])
        self.environment.fields_many = len(rows)

    def _fill_picks(self) -> None:
        features, program = self.features, self.features.program
        stores = self._parts.list_stores()
        places = {store: place + 1 for place, store in enumerate(stores)}
        rows, starts = list[FieldTold](), [0]
        for store in (None, *stores):
            for action in range(len(program.actions)):
                held = zip(self._parts.find_picks(action, store), features.picks[action], strict=False)
                rows += [self._make(field, 0, pick.told, pick.base, stored) for (field, stored), pick in held]
                starts.append(len(rows))
        ends = [getattr(block.end, "store", None) for block in program.blocks]
        self._keep_rows("picks", FieldTold, rows)
        self._keep("picks_from", starts)
        self._keep("stores", [0 if store is None else places[store] for store in ends])
