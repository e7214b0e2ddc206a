"""Vectorized token encoding of the choices in native positions.

In: positions in native memory, and the number of choices of each. Out: `Choices`, with a line for each choice: its
tokens, the same as from `Encoding.spell`, and its index in native code.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hoyle.lab.adapters.encoding import NUMBERS, Encoding
from hoyle.lab.bots.rollout import list_rungs
from hoyle.play.codegen.c.struct_layout import Field, ListField
from hoyle.play.engine.actions import type_of_pick
from hoyle.program.ir.types import Type, certain

if TYPE_CHECKING:
    from hoyle.play.engine.native.library import Library

MOST_HELD = 1 << 24  # bytes of position copies per batch
FAILED, DECLINED = -2, -1  # results of `peek_all` that are no action
NOWHERE = -1
NEVER = -(1 << 62)


class Choices(NamedTuple):
    """Arrays with a line for each choice: its match, its index there, the offset of its number in its range, its number
    of tokens, and the tokens."""

    rows: Any
    places: Any
    numbers: Any
    lengths: Any
    tokens: Any

    @classmethod
    def none(cls) -> Choices:
        nothing: Any = np.zeros(0, np.int64)
        return cls(nothing, nothing, nothing, nothing, np.zeros((0, 1), np.int32))

    def select(self, which: Any) -> Choices:
        return Choices._make(column[which] for column in self)

    def next_tokens(self, said: Any) -> Any:
        """Return the next token of each choice, after `said` tokens of its match."""
        return self.tokens[np.arange(len(self.rows)), said[self.rows]]


def join(parts: list[Choices]) -> Choices:
    width = max(part.tokens.shape[1] for part in parts)
    widened = [_widen(part.tokens, width) for part in parts]
    columns = [np.concatenate(column) for column in zip(*(part[:4] for part in parts), strict=True)]
    return Choices._make([*columns, np.concatenate(widened)])


def _widen(tokens: Any, width: int) -> Any:
    found: Any = np.full((len(tokens), width), NOWHERE, np.int32)
    found[:, : tokens.shape[1]] = tokens
    return found


class NativeSpelling:
    """Encodes the choices of one program."""

    def __init__(self, library: Library, encoding: Encoding) -> None:
        self._library = library
        self._encoding = encoding
        self._layout = library.layout
        self._position = np.dtype(library.mirror.position)
        self._ask = library.mirror.ask()
        program = self._program = encoding.program
        stores = [getattr(block.end, "store", None) for block in program.blocks]
        self._stores: Any = np.array([NOWHERE if store is None else store for store in stores], np.int64)
        self._ranged: Any = np.array(
            [bool(action.picks) and action.picks[-1].least is not None for action in program.actions], np.bool_
        )
        self._tables = {"card": np.array([encoding.begins["card"] + face for face in encoding.faces])}

    def spell(self, positions: Any, rows: Any, sizes: Any) -> tuple[Choices, list[int]]:
        """Encode the choices in the positions of some rows, `sizes` in each; also return the rows where native code
        cannot list them."""
        most = max(1, MOST_HELD // self._position.itemsize)
        parts, failed = [Choices.none()], []
        first = 0
        while first < len(rows):
            ends = np.cumsum(sizes[first:])
            last = first + max(1, int(np.searchsorted(ends, most, side="right")))
            part, lost = self._spell_rows(positions, rows[first:last], sizes[first:last])
            parts.append(part)
            failed += lost
            first = last
        return join(parts), failed

    def _spell_rows(self, positions: Any, rows: Any, sizes: Any) -> tuple[Choices, list[int]]:
        many = int(sizes.sum())
        owners: Any = np.repeat(rows, sizes)
        places = (np.arange(many) - np.repeat(np.cumsum(sizes) - sizes, sizes)).astype(np.int32)
        scratch: Any = np.empty(many, self._position)
        actions: Any = np.empty(many, np.int32)
        spans: Any = np.empty(many, np.int64)
        self._library.functions.peek_all(
            positions.ctypes.data, owners.ctypes.data, places.ctypes.data, scratch.ctypes.data,
            ctypes.byref(self._ask), actions.ctypes.data, spans.ctypes.data, many,
        )  # fmt: skip
        failed = np.unique(owners[actions == FAILED])
        sources, numbers = self._say_numbers(actions, spans)
        if len(failed):
            good = ~np.isin(owners[sources], failed)
            sources, numbers = sources[good], numbers[good]
        stores = self._stores[positions["block"][owners]]
        spelt = _Spelt(len(sources))
        many_actions = len(self._program.actions) + 1
        kinds = ((stores + 1) * many_actions + actions + 1)[sources]
        for kind in np.flatnonzero(np.bincount(kinds)).tolist():
            store, action = kind // many_actions - 1, kind % many_actions - 1
            lines = np.flatnonzero(kinds == kind)
            self._spell_action(spelt, lines, action, store, scratch, sources[lines], owners, numbers[lines])
        if self._encoding.may_be_alike:
            spelt.tell_apart(owners[sources], self._encoding.begins["number"])
        choices = Choices(owners[sources], places[sources].astype(np.int64), numbers, spelt.lengths, spelt.tokens)
        return (choices if spelt.kept.all() else choices.select(spelt.kept)), failed.tolist()

    def _say_numbers(self, actions: Any, spans: Any) -> tuple[Any, Any]:
        """Expand choices that ask for a number into a line for each discretized number: return the source line of each,
        and the offset of its number in the range."""
        ranged = self._ranged[np.maximum(actions, 0)] & (actions >= 0)
        if not ranged.any():
            return np.arange(len(actions)), np.zeros(len(actions), np.int64)
        rungs = {span: np.array(list_rungs(range(span))) for span in np.unique(spans[ranged]).tolist()}
        times: Any = np.ones(len(actions), np.int64)
        for span, found in rungs.items():
            times[ranged & (spans == span)] = len(found)
        sources: Any = np.repeat(np.arange(len(actions)), times)
        numbers: Any = np.zeros(len(sources), np.int64)
        for span, found in rungs.items():
            which = (ranged & (spans == span))[sources]
            numbers[which] = np.tile(found, int(which.sum()) // len(found))
        return sources, numbers

    def _spell_action(
        self, spelt: _Spelt, lines: Any, action: int, store: int, scratch: Any, sources: Any, owners: Any, numbers: Any
    ) -> None:
        """Encode the choices of one action, whose picks native code has left in slots or, as stored choices, in
        `store`."""
        begins = self._encoding.begins
        if action == DECLINED:
            spelt.put(lines, np.full(len(lines), begins["decline"]))
            return
        spelt.put(lines, np.full(len(lines), begins["action"] + action))
        declared = self._program.actions[action]
        for at, (pick, slot) in enumerate(zip(declared.picks, declared.pick_slots, strict=True)):
            kind = certain(type_of_pick(pick))
            if store == NOWHERE:
                field = self._layout.slots[slot]
                where: tuple[Any, ...] = (sources,)
            else:
                field = self._layout.find(f"s{store}_{action}_{at}")
                where = (sources, scratch[f"s{store}_n"][sources].astype(np.int64) - 1)
            if isinstance(field, ListField):
                lengths = scratch[field.length.name][where].astype(np.int64)
                lengths[lengths == _spell_none(field.length)] = 0
                self._put_list(spelt, lines, kind, scratch[field.elements.name][where], lengths)
                continue
            values = scratch[field.name][where].astype(np.int64)
            there = values != _spell_none(field)
            if pick.least is not None:
                values = values + numbers
            tokens: Any = np.full(len(lines), begins["end"])
            if self._encoding.is_named(kind):
                tokens[there] = self._turn(kind, values[there])
            else:
                ranks = _rank(owners[sources][there], values[there])
                spelt.kept[lines[there][ranks >= NUMBERS]] = False
                tokens[there] = begins["number"] + np.minimum(ranks, NUMBERS - 1)
            spelt.put(lines, tokens)

    def _put_list(self, spelt: _Spelt, lines: Any, kind: Type, elements: Any, lengths: Any) -> None:
        inner = certain(kind.of) if kind.of is not None else kind
        for at in range(int(lengths.max(initial=0))):
            longer = lengths > at
            spelt.put(lines[longer], self._turn(inner, elements[longer, at].astype(np.int64)))
        spelt.put(lines, np.full(len(lines), self._encoding.begins["end"]))

    def _turn(self, kind: Type, values: Any) -> Any:
        """Encode values of a type as tokens."""
        begins = self._encoding.begins
        if kind.kind == "card":
            return self._tables["card"][values]
        if not self._encoding.is_named(kind):
            return begins["number"] + np.clip(values, 0, NUMBERS - 1)
        name = {"team": "seat", "enum": f"enum {kind.name}"}.get(kind.kind, kind.kind)
        return begins[name] + values


def _spell_none(field: Field) -> int:
    """Return the number that represents none in a field, or one that it never holds."""
    return NEVER if field.none is None else field.none


class _Spelt:
    """Token sequences of choices under construction. `kept` marks those that can be encoded within the limits."""

    def __init__(self, many: int) -> None:
        self.tokens: Any = np.full((many, 4), NOWHERE, np.int32)
        self.lengths: Any = np.zeros(many, np.int64)
        self.kept: Any = np.ones(many, np.bool_)

    def put(self, lines: Any, tokens: Any) -> None:
        at = self.lengths[lines]
        if len(lines) and at.max() >= self.tokens.shape[1]:
            self.tokens = _widen(self.tokens, 2 * self.tokens.shape[1])
        self.tokens[lines, at] = tokens
        self.lengths[lines] = at + 1

    def tell_apart(self, owners: Any, first: int) -> None:
        """Append a number to choices of a match with equal tokens, to disambiguate them."""
        lines = np.flatnonzero(self.kept)
        if not len(lines):
            return
        whole = np.column_stack([owners, self.tokens])[lines]
        _, groups, sizes = np.unique(whole, axis=0, return_inverse=True, return_counts=True)
        groups = groups.reshape(-1)
        if len(sizes) == len(lines):
            return
        alike = sizes[groups] > 1
        lines, groups = lines[alike], groups[alike]
        order = np.argsort(groups, kind="stable")
        ordered = groups[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        places: Any = np.empty(len(lines), np.int64)
        places[order] = np.arange(len(lines)) - np.repeat(starts, np.diff(np.r_[starts, len(lines)]))
        self.kept[lines[places >= NUMBERS]] = False
        self.put(lines, first + np.minimum(places, NUMBERS - 1))


def _rank(owners: Any, values: Any) -> Any:
    """Return the rank of each value among the distinct values of its owner."""
    order = np.lexsort((values, owners))
    owned, valued = owners[order], values[order]
    begins = np.r_[True, owned[1:] != owned[:-1]][: len(order)]
    differs = np.r_[False, (owned[1:] != owned[:-1]) | (valued[1:] != valued[:-1])][: len(order)]
    counted = np.cumsum(differs)
    ranks: Any = np.empty(len(order), np.int64)
    ranks[order] = counted - np.maximum.accumulate(np.where(begins, counted, 0))
    return ranks
