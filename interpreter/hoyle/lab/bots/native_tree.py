"""Search iterations by native code.

In: a program, and a search of it. Out: `Growing`, which runs iterations with results bit-identical to those of the
Python search (`search_tree.py`).

If native code cannot complete an iteration, it gives up, and the search restarts in Python.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hoyle.lab.bots.budget import MOST_CHILDREN, MOST_NODES, GivenUp
from hoyle.lab.bots.evaluation import LEAST_SPREAD, Worth
from hoyle.lab.bots.looks import Looks
from hoyle.lab.bots.native_deals import NativeDeals
from hoyle.play.codegen.c.columns import Given, make_array
from hoyle.play.codegen.lower.liveness import find_live_when_asked
from hoyle.play.engine.native.library import FAULT, Library
from hoyle.play.engine.native.parts import WAYS, Part, Parts

if TYPE_CHECKING:
    from hoyle.play.engine.legality import Choice
    from hoyle.play.engine.standpoint import Standpoint
    from hoyle.program.model.position import Position

MOST_HELD = MOST_NODES + MOST_CHILDREN
MOST_LISTED = 5000  # choices at the root
BY_WINNERS, BY_SCORES, BY_TOLD = 0, 1, 2


class Entry(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_uint64) for name in ("key", "name", "stem")),
        ("number", ctypes.c_int64), ("total", ctypes.c_double), ("hinted", ctypes.c_double),
        *((name, ctypes.c_int32) for name in ("visits", "offered", "first", "last", "next", "spare")),
    ]  # fmt: skip


class Offer(Given, ctypes.Structure):
    _fields_ = [("key", ctypes.c_uint64), ("least", ctypes.c_int64), ("many", ctypes.c_int64)]


class Tree(Given, ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in (
            "looks", "picks", "looks_from", "picks_from", "stores", "faces", "sides", "places", "shows", "judged",
            "names", "before", "sums", "known", "slots", "entries",
        )),
        *((name, ctypes.c_double) for name in (
            "sign", "exploration", "spread_seen", "spread_sum", "spread_squares", "scale_squares",
        )),
        ("scale_seen", ctypes.c_int64),
        *((name, ctypes.c_int32) for name in (
            "sides_many", "seat", "whole", "told", "by_file", "is_staked", "has_numbers", "has_hints", "actions",
            "options", "most_nodes", "most_children", "nodes_many", "children_many", "root",
        )),
    ]  # fmt: skip


class _Memory(threading.local):
    """The memory of a search: of each thread, because one ends before the next begins, and it is 13 MB."""

    @cached_property
    def slots(self) -> Any:
        return (ctypes.c_int32 * (2 * MOST_HELD))()

    @cached_property
    def entries(self) -> Any:
        return (Entry * (1 + MOST_HELD))()


_memory = _Memory()


class NativeTree:
    """Tables shared by the searches of one program."""

    def __init__(self, library: Library, looks: Looks, worth: Worth) -> None:
        self.library = library
        self.looks = looks
        self.worth = worth
        self.held = library.mirror.position()
        self._parts = Parts(library.mirror)
        self._live = find_live_when_asked(library.program)
        self._seen: dict[int, tuple[Any, Any, Any]] = {}
        self.told = BY_SCORES if worth.by_score else BY_TOLD if worth.is_told_early else BY_WINNERS
        program = library.program
        stores = self._parts.list_stores()
        places = {store: place + 1 for place, store in enumerate(stores)}
        picks: list[Part] = []
        starts = [0]
        for store in (None, *stores):
            for action in range(len(program.actions)):
                picks += self._parts.list_picks(action, store, looks.picks[action])
                starts.append(len(picks))
        self.picks, self.picks_from = make_array(Part, picks), make_array(ctypes.c_int32, starts)
        ends = [getattr(block.end, "store", None) for block in program.blocks]
        self.stores = make_array(ctypes.c_int32, [0 if store is None else places[store] for store in ends])
        self.faces = make_array(ctypes.c_int32, looks.faces)
        self.has_numbers = any(action.picks and action.picks[-1].least is not None for action in program.actions)

    @classmethod
    def find(cls, library: Library, looks: Looks, worth: Worth) -> NativeTree | None:
        """Create the native tree of a program; None if the library has no matching tree code."""
        if library.tree_size != ctypes.sizeof(Tree):
            return None
        return cls(library, looks, worth)

    def find_deals(self, standpoint: Standpoint) -> NativeDeals | None:
        """Prepare native sampling for a standpoint; None if Python has to sample."""
        return NativeDeals.find(self.library.mirror, self._parts, self._live, standpoint)

    def see(self, seat: int) -> tuple[Any, Any, Any]:
        """Return, for searches by a seat, the parts of a position that form node keys, their start per deciding seat,
        and the ways of zones with conditional visibility, case by case."""
        if seat not in self._seen:
            parts: list[Part] = []
            starts, shows = [0], list[int]()
            for mover in range(self.library.program.players):
                zones, states = self.looks.list_seen(mover, seat)
                ways: list[tuple[int, str | int]] = []
                for zone, way in zones:
                    ways.append((zone, len(shows) if way == "rule" else way))
                    if way == "rule":
                        shows += [WAYS[case] for case in self.looks.list_cases(zone, mover, seat)]
                parts += self._parts.list_seen(ways, states)
                starts.append(len(parts))
            int32 = ctypes.c_int32
            self._seen[seat] = make_array(Part, parts), make_array(int32, starts), make_array(int32, shows)
        return self._seen[seat]


class Growing:
    """The tree of one search."""

    def __init__(
        self, made: NativeTree, seat: int, sides: Sequence[int], before: Sequence[float], *, whole: bool,
        exploration: float, is_hinted: bool, judged: Set[int],
    ) -> None:  # fmt: skip
        self.made = made
        looks, looks_from, shows = made.see(seat)
        self._kept = [make_array(ctypes.c_int32, sides), *(make_array(ctypes.c_double, before) for _ in range(2))]
        slots, self.entries = _memory.slots, _memory.entries
        ctypes.memset(slots, 0, ctypes.sizeof(slots))
        self._kept.append(slots)
        self.tree = Tree(
            seat=seat, sides_many=len(before), whole=whole, told=made.told, sign=made.worth.sign,
            by_file=made.worth.is_told_by_file, is_staked=made.worth.is_staked, has_numbers=made.has_numbers,
            has_hints=is_hinted, exploration=exploration,
            scale_squares=LEAST_SPREAD, scale_seen=made.worth.is_staked, most_nodes=MOST_NODES,
            most_children=MOST_CHILDREN,
            actions=len(made.library.program.actions),
        )  # fmt: skip
        pointers = {
            "looks": looks, "looks_from": looks_from, "picks": made.picks, "picks_from": made.picks_from,
            "stores": made.stores, "faces": made.faces, "slots": slots, "entries": self.entries,
            "sides": self._kept[0], "before": self._kept[1], "sums": self._kept[2], "shows": shows,
        }  # fmt: skip
        if judged:
            blocks = range(len(made.library.program.blocks))
            pointers["judged"] = make_array(ctypes.c_int32, [block in judged for block in blocks])
            self._kept.append(pointers["judged"])
        self._point(pointers)

    def _point(self, pointers: dict[str, Any]) -> None:
        for name, pointer in pointers.items():
            setattr(self.tree, name, ctypes.addressof(pointer))

    def plant(self, choices: Sequence[Choice], legal: Sequence[Choice]) -> bool:
        """Set the choices at the root, given by their indices among all legal ones; False if native code cannot take
        them."""
        if len(legal) > MOST_LISTED:
            return False
        at = {choice: place for place, choice in enumerate(legal)}
        if not all(choice in at for choice in choices):
            return False
        keys: dict[Choice, int] = {}
        offers: list[Offer] = []
        self._places: dict[Choice, int] = {}  # choice, without the number it asks for -> index at the root
        for place, choice in enumerate(choices):
            numbers, said = split_number(choice)
            name = self.made.looks.name_choice(choice)
            key = keys.setdefault(name[: len(said)], len(keys) + 1)
            offers.append(Offer(key, numbers.start, len(numbers)))
            self._places[said] = place
        self._names = {key: name for name, key in keys.items()}
        self._root = (
            make_array(ctypes.c_int32, [at[choice] for choice in choices]), make_array(Offer, offers),
            (ctypes.c_uint64 * len(choices))(),
        )  # fmt: skip
        self.tree.options = len(choices)
        self._spelt: tuple[tuple[Choice, ...], tuple[Any, Any, int]] | None = None
        self._point(dict(zip(("places", "names", "known"), self._root, strict=True)))
        return True

    def grow(self, position: Position, arms: Sequence[Choice], times: int, state: int) -> None:
        """Run `times` iterations from a position for each of the given root choices, or with selection if there are
        none."""
        if not self.made.library.mirror.packing.write(position, self.made.held):
            raise GivenUp
        self._grow(self.made.held, None, 0, arms, times, state)

    def grow_dealt(self, deals: NativeDeals, seed: int, arms: Sequence[Choice], times: int, state: int) -> None:
        """Like `grow`, from a determinization that native code samples from a seed."""
        self._grow(deals.held, ctypes.byref(deals.hidden), seed, arms, times, state)

    def _grow(self, held: Any, hidden: Any, seed: int, arms: Sequence[Choice], times: int, state: int) -> None:
        found = self.made.library.functions.grow(
            ctypes.byref(self.tree), ctypes.byref(held), hidden, seed, *self._spell_arms(arms), times, state
        )
        if found == FAULT:
            raise GivenUp

    def _spell_arms(self, arms: Sequence[Choice]) -> tuple[Any, Any, int]:
        key = tuple(arms)
        if self._spelt is None or self._spelt[0] != key:
            tried = [(choice, 0) if choice in self._places else (choice[:-1], choice[-1]) for choice in arms]
            places = make_array(ctypes.c_int32, [self._places[choice] for choice, _ in tried])
            said = make_array(ctypes.c_int64, [number for _, number in tried])
            self._spelt = key, (places, said, len(arms))
        return self._spelt[1]

    @property
    def seen(self) -> tuple[int, float, float]:
        """Number of iterations, sum of their values for the searching seat, and sum of the squares."""
        return int(self.tree.spread_seen), self.tree.spread_sum, self.tree.spread_squares

    def tell(self) -> Iterator[tuple[Choice, Entry]]:
        """Yield each tried choice at the root with its statistics, in the order in which they were first tried."""
        at = self.entries[self.tree.root].first  # 0 ends the list
        while at:
            child = self.entries[at]
            yield (*self._names[child.stem], child.number) if child.stem else self._names[child.name], child
            at = child.next


def split_number(choice: Choice) -> tuple[range, Choice]:
    """Split a choice into the range of its number, empty if it takes none, and the picks before it."""
    if choice and isinstance(choice[-1], range):
        return choice[-1], choice[:-1]
    return range(0), choice
