"""Policies: what was learnt about one game, as a small file, evaluated without any library.

In: bytes from anywhere, an observation, and choices spelt in tokens. Out: a score for each choice; the higher, the more
likely it is a good one.

A file is a line that says what it is, a line of JSON (which game, for which rules, the sizes), and compressed weights:
bytes, with a factor for each row. Sizes are checked before anything is unpacked, and nothing in a file is code.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.base.errors import HoyleError
from hoyle.program.ir.nodes import Program

MAGIC = b"hoyle policy 1\n"
LARGEST = 200_000  # bytes of a file
MOST_HEAD = 20_000  # of its line of JSON
MOST_UNITS, MOST_INPUTS, MOST_WIDTH = 20_000, 20_000, 1024
LAYERS = 3


class PolicyError(HoyleError):
    """A file is not a policy, or not one for these rules; the text says why."""


def fingerprint(program: Program) -> str:
    """A hash of the rules of a game for a number of players and its options, without what is said to people."""
    known = [program.game, program.players, sorted(program.options.items()), sorted(program.digests.items())]
    return hashlib.sha256(json.dumps(known, default=str).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of so many inputs and units: a signed byte for each pair, input by input, and for each unit a factor and
    a bias."""

    inputs: int
    units: int
    weights: bytes
    factors: tuple[float, ...]
    biases: tuple[float, ...]

    @classmethod
    def quantise(cls, weights: Any, biases: Any, steps: int = 127) -> Layer:
        """Round the weights of a layer, given as a NumPy array with a row for each unit, to so many steps up and
        down."""
        most = abs(weights).max(1).clip(1e-8) / steps
        rounded = (weights / most[:, None]).round().astype("int8")
        factors, added = tuple(map(float, most)), tuple(map(float, biases))
        return cls(rounded.shape[1], rounded.shape[0], rounded.T.tobytes(), factors, added)

    def add_up(self, given: Sequence[tuple[int, float]]) -> list[float]:
        """The units, from the inputs that are not 0, by number and value."""
        units, weights = self.units, memoryview(self.weights).cast("b")
        sums = [0.0] * units
        for number, value in given:
            row = weights[number * units : (number + 1) * units].tolist()
            if value == 1.0:
                sums = [total + weight for total, weight in zip(sums, row, strict=True)]
            else:
                sums = [total + value * weight for total, weight in zip(sums, row, strict=True)]
        return [total * factor + bias for total, factor, bias in zip(sums, self.factors, self.biases, strict=True)]


class Policy:
    """The network of one game. `told` is what the file says of it; `used` are the inputs that it reads."""

    def __init__(self, told: dict[str, Any], size: int, used: Sequence[int], layers: Sequence[Layer]) -> None:
        self.told = told
        self.size = size
        self.used = list(used)
        self.layers = list(layers)
        self._places = {place: number for number, place in enumerate(self.used)}
        self._rows: dict[int, list[float]] = {}  # of the last layer, by token

    @property
    def game(self) -> str:
        return str(self.told.get("game", ""))

    def fits(self, size: int, vocabulary: int) -> bool:
        """Whether it reads observations of such a size, and choices spelt in so many tokens."""
        return self.size == size and self.layers[-1].units == vocabulary

    def score(self, observation: Sequence[float], choices: Sequence[Sequence[int]]) -> list[float]:
        """The logits of choices, each spelt in tokens."""
        first, second, _ = self.layers
        places = self._places
        given = [(places[place], value) for place, value in enumerate(observation) if value and place in places]
        hidden = [max(0.0, unit) for unit in first.add_up(given)]
        deeper = second.add_up([(number, unit) for number, unit in enumerate(hidden) if unit])
        hidden = [unit + max(0.0, more) for unit, more in zip(hidden, deeper, strict=True)]
        known: dict[int, float] = {0: 0.0}
        scores = []
        for tokens in choices:
            total = 0.0
            for token in tokens:
                if token not in known:
                    known[token] = self._score_token(token, hidden)
                total += known[token]
            scores.append(total)
        return scores

    def _score_token(self, token: int, hidden: Sequence[float]) -> float:
        last = self.layers[-1]
        row = self._rows.get(token)
        if row is None:
            weights = memoryview(last.weights).cast("b")[token :: last.units].tolist()
            row = self._rows[token] = [weight * last.factors[token] for weight in weights]
        return last.biases[token] + sum([weight * unit for weight, unit in zip(row, hidden, strict=True)])

    # ---------------------------------------------------------------------------------------------- files
    def to_bytes(self) -> bytes:
        mask = bytearray(-(-self.size // 8))
        for place in self.used:
            mask[place // 8] |= 1 << place % 8
        sizes = [(layer.inputs, layer.units) for layer in self.layers]
        head = {**self.told, "size": self.size, "used": base64.b64encode(bytes(mask)).decode(), "layers": sizes}
        body = b"".join(
            layer.weights + struct.pack(f"<{2 * layer.units}f", *layer.factors, *layer.biases) for layer in self.layers
        )
        return MAGIC + json.dumps(head, sort_keys=True).encode() + b"\n" + zlib.compress(body, 9)

    def write(self, path: Path) -> None:
        """Write the file; `PolicyError` if it is too large to be read again."""
        content = self.to_bytes()
        if len(content) > LARGEST:
            raise PolicyError(f"the policy takes {len(content):,} bytes, more than {LARGEST:,}")
        path.write_bytes(content)

    @classmethod
    def read(cls, path: Path, program: Program | None = None) -> Policy:
        """Read a file, for a program if one is given; `PolicyError` names the file and what is wrong with it."""
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
            return cls.from_bytes(content, program)
        except (OSError, PolicyError) as error:
            raise PolicyError(f"{path}: {getattr(error, 'strerror', None) or error}") from None

    @classmethod
    def from_bytes(cls, content: bytes, program: Program | None = None) -> Policy:
        if len(content) > LARGEST:
            raise PolicyError(f"a policy has at most {LARGEST:,} bytes")
        if not content.startswith(MAGIC):
            raise PolicyError("this is no policy")
        line, newline, packed = content[len(MAGIC) :].partition(b"\n")
        if not newline or len(line) > MOST_HEAD:
            raise PolicyError("the policy breaks off, or its head is too long")
        try:
            head = json.loads(line)
        except (ValueError, RecursionError):
            raise PolicyError("the head of the policy cannot be read") from None
        if not isinstance(head, dict):
            raise PolicyError("the head of the policy cannot be read")
        if program is not None and head.get("fingerprint") != fingerprint(program):
            raise PolicyError(f"the policy was learnt for other rules than those of {program.game} here")
        size, used, sizes = _read_sizes(head)
        return cls(head, size, used, _unpack(packed, sizes))


def _read_sizes(head: dict[str, Any]) -> tuple[int, list[int], list[tuple[int, int]]]:
    size, mask, sizes = head.pop("size", None), head.pop("used", None), head.pop("layers", None)
    wrong = PolicyError("the sizes in the policy do not fit together")
    if not _is_size(size, MOST_INPUTS) or not isinstance(mask, str):
        raise wrong
    if not isinstance(sizes, list) or len(sizes) != LAYERS:
        raise wrong
    try:
        bits = base64.b64decode(mask, validate=True)
    except ValueError:
        raise wrong from None
    used = [place for place in range(size) if len(bits) > place // 8 and bits[place // 8] >> place % 8 & 1]
    if len(bits) != -(-size // 8) or not used:
        raise wrong
    for pair in sizes:
        if not isinstance(pair, list) or len(pair) != 2 or not all(_is_size(number, MOST_UNITS) for number in pair):
            raise wrong
    (inputs, width), (taken, more), (last, _) = sizes
    if inputs != len(used) or not taken == width == more == last or width > MOST_WIDTH:
        raise wrong
    return size, used, [(pair[0], pair[1]) for pair in sizes]


def _is_size(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= most


def _unpack(packed: bytes, sizes: Sequence[tuple[int, int]]) -> list[Layer]:
    expected = sum(inputs * units + 8 * units for inputs, units in sizes)
    if expected > 4 * LARGEST:
        raise PolicyError("the weights of the policy are too many")
    unpacking = zlib.decompressobj()
    try:
        body = unpacking.decompress(packed, expected + 1)
    except zlib.error:
        raise PolicyError("the weights of the policy are damaged") from None
    if len(body) != expected or not unpacking.eof or unpacking.unused_data:
        raise PolicyError("the weights of the policy are cut off, or too many")
    layers, at = [], 0
    for inputs, units in sizes:
        weights = body[at : at + inputs * units]
        at += inputs * units
        numbers = struct.unpack_from(f"<{2 * units}f", body, at)
        at += 8 * units
        if not all(math.isfinite(number) and abs(number) < 1e6 for number in numbers):
            raise PolicyError("the policy has weights that are no numbers")
        layers.append(Layer(inputs, units, weights, numbers[:units], numbers[units:]))
    return layers
