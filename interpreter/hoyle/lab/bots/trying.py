"""Trying choices: in worlds that a seat cannot tell from the real one, what each brings if all go on by the policy.

In: a standpoint, choices of its decision, spelt in tokens, and a policy. Out: for each world what the standing of the
seat gains with each choice. Native code plays on; where there is none yet, nothing is tried.
"""

from __future__ import annotations

import ctypes
import threading
import time
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hoyle.lab.bots.evaluation import Worth
from hoyle.lab.bots.tables import WORD, Environment, Rows, Tables
from hoyle.lab.learning.features import MOST_SAID
from hoyle.play.codegen.c.columns import Given
from hoyle.play.codegen.unsupported import Unsupported
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.native.compiler import BuildError
from hoyle.play.engine.native.library import ASKED
from hoyle.play.engine.native.memory import Mirror
from hoyle.play.engine.native.program import find_native

if TYPE_CHECKING:
    import random

    from hoyle.lab.learning.looking import Looking
    from hoyle.lab.learning.policies import Layer, Policy
    from hoyle.play.engine.playable import Playable
    from hoyle.play.engine.standpoint import Standpoint

HEAT = 1.0  # how the policy draws while it plays on
MENU = 64  # choices of one decision that are told apart, as in `codegen/c/environment.c`
MOST_DECISIONS = 300  # of one try
INT16, INT32, FLOAT = ctypes.c_int16, ctypes.c_int32, ctypes.c_float


class Said(Given, ctypes.Structure):
    _fields_ = [("tokens", INT16 * MOST_SAID), ("actor", INT16), ("many", INT16)]


class Network(Given, ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in (
            "first", "first_bias", "second", "second_bias", "scores", "scores_bias", "used",
        )),
        ("units", INT32),
    ]  # fmt: skip


class Trying:
    """Tries choices of one game by one policy. `is_ready` once the native code is there."""

    def __init__(self, game: Playable, policy: Policy, looking: Looking) -> None:
        self._game, self._policy, self._looking = game, policy, looking
        self._native = find_native(game.program)
        self._library: Any = None
        self._is_given_up = False
        self._building: threading.Thread | None = None

    @property
    def is_ready(self) -> bool:
        """Whether the native code is there; if not, it is being built from now on."""
        if self._library is None and not self._is_given_up and self._building is None:
            self._building = threading.Thread(target=self._load, name="hoyle-build", daemon=True)
            self._building.start()
        if self._building is not None:
            self._building.join(0.02)  # cached code is there at once
            self._building = self._building if self._building.is_alive() else None
        return self._library is not None

    def _load(self) -> None:
        try:
            path, layout = self._native.load_environment()
            library = ctypes.CDLL(str(path))
        except (BuildError, Unsupported, OSError):
            self._is_given_up = True
            return
        self._prepare(Mirror(layout))
        library.try_choices.argtypes = [
            *[ctypes.c_void_p] * 6, INT32, ctypes.c_double, ctypes.c_uint64, INT32, ctypes.c_void_p,
        ]  # fmt: skip
        self._library = library

    def _prepare(self, mirror: Mirror) -> None:
        features, players = self._looking.features, self._game.program.players
        self._mirror = mirror
        self._tables = Tables(features, mirror, Worth(self._game.executor))
        self._plan: Environment = self._tables.environment
        self._plan.choices, self._plan.most_steps = MENU, MOST_DECISIONS
        names = ("steps", "rounds", "said_many", "seat")
        fields = [("pos", mirror.position), ("episode", ctypes.c_uint64), ("before", ctypes.c_double * players)]
        self._match: Any = type(
            "Match", (ctypes.Structure,), {"_fields_": [*fields, *((name, INT32) for name in names)]}
        )
        self._ring = Said * features.recent_many
        held = (
            (FLOAT * features.size)(), (INT16 * (MENU * features.tokens))(), INT32(), INT32(), (FLOAT * players)(),
            (FLOAT * players)(), ctypes.c_uint8(), (INT32 * MENU)(), (ctypes.c_int64 * MENU)(), self._ring(),
        )  # fmt: skip
        self._held = held
        self._rows = Rows(*(ctypes.addressof(each) for each in held))
        self._network, self._weights = _lay_out(self._policy, features.size)

    def compare(
        self, standpoint: Standpoint, rows: Sequence[Sequence[int]], worlds: int, seconds: float, chance: random.Random
    ) -> list[list[float]]:
        """What each of the choices brings, in up to so many worlds; in fewer if time is short, or if some worlds cannot
        be played on."""
        looking, features = self._looking, self._looking.features
        match, ring = self._match(), self._ring()
        wanted = (INT16 * (len(rows) * features.tokens))()
        for number, row in enumerate(rows):
            wanted[number * features.tokens : number * features.tokens + len(row)] = list(row)
        recent = looking.list_recent(standpoint.events)
        for place, (actor, tokens) in enumerate(recent):
            ring[place].tokens[: len(tokens)] = tokens
            ring[place].actor, ring[place].many = actor, len(tokens)
        exposed = looking.list_exposed(standpoint.events)
        values, found = (ctypes.c_double * len(rows))(), list[list[float]]()
        end = time.monotonic() + seconds
        for _ in range(worlds):
            seed, drawn = chance.getrandbits(63), chance.getrandbits(63)
            try:
                position = standpoint.sample(seed)
            except Fault:  # this world is impossible
                continue
            if not self._mirror.packing.write(position, match.pos):
                continue
            self._expose(match.pos, standpoint.seat, exposed)
            match.steps, match.rounds, match.said_many = 0, match.pos.rounds, len(recent)
            state = self._library.try_choices(
                *map(ctypes.byref, (self._plan, self._network, match, ring, self._rows, wanted)), len(rows), HEAT,
                drawn, MOST_DECISIONS, ctypes.byref(values),
            )  # fmt: skip
            if state == ASKED:
                found.append(list(values))
            if time.monotonic() >= end:
                break
        return found

    def _expose(self, held: Any, seat: int, exposed: set[int]) -> None:
        """Note which cards were seen before and lie hidden now: by the seat itself all that it was shown, by others
        those that nobody else sees now."""
        program, zones = self._game.program, self._looking.features.zones
        words, others = -(-len(program.cards) // WORD), [each for each in range(program.players) if each != seat]
        for card in exposed:
            is_held = any(zones[other][held.t.loc[card]].way for other in others)
            for looker in (seat,) if is_held else range(program.players):
                held.exposed[looker * words + card // WORD] |= 1 << card % WORD


def _lay_out(policy: Policy, size: int) -> tuple[Network, list[Any]]:
    """The network as native code reads it, and the arrays that it points into."""
    first, second, scores = policy.layers
    places = {place: number for number, place in enumerate(policy.used)}
    used = (INT32 * size)(*(places.get(place, -1) for place in range(size)))
    kept: list[Any] = [
        _spread(first), _floats(first.biases), _spread(second), _floats(second.biases), _turn(scores),
        _floats(scores.biases), used,
    ]  # fmt: skip
    return Network(*(ctypes.addressof(each) for each in kept), second.units), kept


def _floats(values: Sequence[float]) -> Any:
    return (FLOAT * len(values)).from_buffer(array("f", values))


def _spread(layer: Layer) -> Any:
    """The weights input by input."""
    weights, units = memoryview(layer.weights).cast("b").tolist(), layer.units
    found = array("f")
    for at in range(0, len(weights), units):
        row = weights[at : at + units]
        found.extend([weight * factor for weight, factor in zip(row, layer.factors, strict=True)])
    return (FLOAT * len(found)).from_buffer(found)


def _turn(layer: Layer) -> Any:
    """The weights unit by unit."""
    weights = memoryview(layer.weights).cast("b")
    found = array("f")
    for unit, factor in enumerate(layer.factors):
        found.extend([weight * factor for weight in weights[unit :: layer.units].tolist()])
    return (FLOAT * len(found)).from_buffer(found)
