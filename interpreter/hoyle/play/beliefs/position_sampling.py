"""Determinization: samples a position from the information set of one seat.

In: a position, a seat, what it knows, a seed. Out: a position with the unknown cards permuted and the secret values of
other seats redrawn.

Cards are relabelled, not moved: a permutation of the cards unknown to the seat is applied to the whole position at
once, to zones, last holders, states, local slots, stored choices and the recorded offence. The result therefore has the
structure of a reachable position, from which play can continue. The permutation shuffles the unknown cards in deck
order, so that it does not depend on where they really lie.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.play.beliefs.permutation_repair import Need, exchange_barred, is_met, meet
from hoyle.play.view.names import holds_cards
from hoyle.play.view.seeing import Sight, includes
from hoyle.program.ir.nodes import Decide, Program, Untold
from hoyle.program.ir.types import Type, certain
from hoyle.program.ir.visibility import list_ways
from hoyle.program.model.chance import Stream, derive_seed
from hoyle.program.model.fast_chance import shuffle_fast
from hoyle.program.model.offences import rename_cards, take_back
from hoyle.program.model.position import Position

SECRETS, BARRED, NEEDED, RECORD, NAMED, PLACES = 1, 5, 6, 7, 8, 9  # sub-seed paths below the seed of a sample
MOST_DEALT = 4  # budget of redeals by rejection sampling, divided by the needs, before swaps satisfy them
MOST_GUESSED = 20  # range of guesses above the lower bound of an unbounded number; wider if the seat's own is high
TOLD = Untold({}, ())


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a determinization for one seat changes: the unknown cards in zone order (`cards`) and in deck order
    (`ordered`); the zones that hold some; the states, slots and stored choices that refer to cards. `barred[card]` are
    the cards that cannot lie in its place; `needed` are places, given by the cards there, and the cards of which at
    least one must lie in one of them. In zones of `mixed`, unseen cards have no places that the seat knows."""

    cards: list[int]
    ordered: list[int]
    zones: list[int]
    states: list[int]
    slots: list[int]
    stores: list[int]
    barred: Mapping[int, frozenset[int]]
    needed: Sequence[Need] = ()
    mixed: Sequence[int] = ()


class Redealer:
    """Samples determinizations. Its tables are built once per program."""

    def __init__(
        self, program: Program, sight: Sight | None = None, untold: Callable[[], Untold] = lambda: TOLD
    ) -> None:
        self.program = program
        self._untold = untold
        self.sight = sight or Sight(program)
        names = self.sight.names
        self._remembered = [zone.remembered for zone, _ in names.zones]
        self._states = _list_naming([state.type for state, _ in names.states])
        stores = {block.end.store for block in program.blocks if isinstance(block.end, Decide)}
        self._slots = _list_naming(
            [Type("none") if index in stores else local.type for index, local in enumerate(program.slots)]
        )
        self._stores = sorted(store for store in stores if store is not None)
        returns = {step.return_slot for step in program.steps} | {action.return_slot for action in program.actions}
        self._names = frozenset(range(len(program.slots))) - returns - stores
        self._picks = [_list_naming([pick.type for pick in action.picks]) for action in program.actions]
        self._masks = [self.sight.mask_state(index) for index in range(len(names.states))]

    @cached_property
    def _secrets(self) -> list[int]:
        """The states that other seats do not see, or nobody sees, and that keep what the seat cannot work out; what a
        pot holds follows from payments, which all see."""
        states = self.sight.names.states
        is_hidden = any(state.shows == "nothing" for state, _ in states)
        untold = {self.program.states[number].base for number in self._untold().states} if is_hidden else set()
        return [
            index
            for index, (state, _) in enumerate(states)
            if (state.shows == "owner" or state.base in untold) and not state.pot and _is_plain(state.type)
        ]

    def list_hidden(self, position: Position, seat: int | None, masks: Sequence[int] | None = None) -> list[int]:
        """List the cards unknown to the seat, in zone order: those that it does not see, that no state visible to it
        holds, that do not lie in a `remembered` zone (all saw them played), and that `masks` does not mark as known."""
        players = self.program.players
        bit = 1 << (players if seat is None else seat)
        named = self._list_named(position, seat)
        hidden = []
        for zone, pile in enumerate(position.zones):
            if not pile or self._remembered[zone]:
                continue
            mask = self.sight.fixed[zone]
            if mask is None:
                masks_there = self.sight.mask_places(position, zone)
                hidden += [card for card, shown in zip(pile, masks_there, strict=True) if not shown & bit]
            elif not mask & bit:
                hidden += pile
        return [card for card in hidden if card not in named and not (masks and masks[card] & bit)]

    def _list_named(self, position: Position, seat: int | None) -> set[int]:
        found: set[int] = set()
        for index in self._states:
            value = position.states[index]
            if value is not None and includes(self._masks[index], seat, self.program.players):
                found.update(value if isinstance(value, tuple) else (value,))
        return found

    def prepare(
        self,
        position: Position,
        seat: int | None,
        masks: Sequence[int] | None = None,
        barred: Mapping[int, frozenset[int]] | None = None,
        needed: Sequence[tuple[int, frozenset[int]]] = (),
        *,
        real: bool = False,
    ) -> Hidden:
        """Collect what to redeal in a position for a seat, once for many samples. `barred` excludes cards from places;
        `needed` pairs a zone with the cards of which at least one lies there. In a `real` position, and not a sample,
        a card that the seat knows in a hand of another has a place there that the seat does not know."""
        cards = self.list_hidden(position, seat, masks)
        moving = set(cards)
        return Hidden(
            cards,
            sorted(cards),
            [zone for zone, pile in enumerate(position.zones) if not moving.isdisjoint(pile)],
            [index for index in self._states if position.states[index] not in (None, ())],
            [slot for slot in self._slots if position.slots[slot] not in (None, ())],
            [store for store in self._stores if position.slots[store]],
            barred or {},
            [([card for card in position.zones[zone] if card in moving], wanted) for zone, wanted in needed],
            [zone for zone in self._hands if position.zones[zone]] if real else (),
        )

    def redeal(
        self,
        position: Position,
        seat: int | None,
        seed: int,
        masks: Sequence[int] | None = None,
        hidden: Hidden | None = None,
    ) -> tuple[Position, dict[int, int]]:
        """Sample a position that the seat cannot tell from this one; also return the permutation that was applied.

        Pass `hidden`, from `prepare` for the same position and seat, when sampling repeatedly."""
        hidden = hidden or self.prepare(position, seat, masks)
        becomes = _deal(hidden, seed)
        if hidden.needed:
            # Rejection sampling keeps the deals that satisfy the needs equally likely, but rarely succeeds with many
            # needs; swaps then repair the last deal, at the price of some bias.
            for attempt in range(MOST_DEALT // len(hidden.needed)):
                if is_met(becomes, hidden.needed):
                    break
                becomes = _deal(hidden, derive_seed(seed, NEEDED, attempt))
            meet(becomes, hidden.needed, hidden.barred, Stream(derive_seed(seed, NEEDED)))
        changed = self.rename_hidden(position, becomes, hidden)
        self._mix_places(changed, seat, hidden, becomes, Stream(derive_seed(seed, PLACES)))
        if self._secrets:
            self._redraw_secrets(changed, seat, seed)
        return changed, becomes

    @cached_property
    def _hands(self) -> list[int]:
        """The zones that some see and others do not: who looks at the cards there may lay any of them away."""
        zones = enumerate(self.sight.names.zones)
        ways = ((index, list_ways(zone)) for index, (zone, _) in zones if not zone.remembered)
        return [index for index, shown in ways if any(each.owner or each.last_holder for each in shown)]

    def _mix_places(
        self, position: Position, seat: int | None, hidden: Hidden, becomes: Mapping[int, int], stream: Stream
    ) -> None:
        """Mix the cards that a seat does not see in each zone of `mixed`, and who held the unknown ones last, as far as
        nothing else is known of them."""
        bit = 1 << (self.program.players if seat is None else seat)
        came = {card: was for was, card in becomes.items()}
        for zone in hidden.mixed:
            pile, seen = position.zones[zone], self.sight.mask_places(position, zone)
            places = [place for place, mask in enumerate(seen) if not mask & bit]
            cards = sorted(pile[place] for place in places)
            for place, card in zip(places, _shuffle(cards, stream), strict=True):
                pile[place] = card
            alike: dict[frozenset[int], list[int]] = {}
            for card in cards if position.holders else ():
                if card in came:
                    alike.setdefault(hidden.barred.get(came[card], frozenset()), []).append(card)
            for group in alike.values():
                held = sorted((position.holders[card] for card in group), key=lambda holder: (holder is None, holder))
                for card, holder in zip(_shuffle(group, stream), held, strict=True):
                    position.holders[card] = holder

    def redeal_record(self, position: Position, sampled: Position, seat: int | None, seed: int) -> None:
        """Redeal what can be taken back: the cards that the seat did not see then, by themselves. Where they lay then,
        and where they lie now, would tell how they have been mixed or passed on since."""
        then = position.copy()
        if take_back(then) is None:
            return
        hidden = self.list_hidden(then, seat)
        becomes = dict(zip(hidden, shuffle_fast(derive_seed(seed, RECORD), sorted(hidden))[1], strict=True))
        states = self.sight.names.states

        def restore(values: Sequence[Any]) -> list[Any]:
            """The states then; those that the seat does not see are as they were sampled."""
            seen = [state.pot or includes(mask, seat, self.program.players)
                    for (state, _), mask in zip(states, self._masks, strict=True)]  # fmt: skip
            return [old if is_seen else new for old, new, is_seen in zip(values, sampled.states, seen, strict=True)]

        sampled.offence = rename_cards(position.offence, becomes, restore)

    def rename(self, position: Position, becomes: Mapping[int, int]) -> Position:
        """Copy a position with all its cards renamed by `becomes`."""
        return self.rename_hidden(position, becomes, self.prepare_all(position))

    def prepare_all(self, position: Position) -> Hidden:
        """Collect what to change for a renaming of any cards, known or not."""
        zones = list(range(len(position.zones)))
        return Hidden([], [], zones, self._states, self._slots, [s for s in self._stores if position.slots[s]], {})

    def forget_names(self, position: Position, live: Collection[int]) -> None:
        """Forget the local values that nothing reads any more."""
        for slot in self._names:
            if slot not in live:
                position.slots[slot] = None

    def redraw_names(self, position: Position, seat: int | None, secret: Collection[int], seed: int) -> None:
        """Redraw the local values that the seat need not know. Of a card that it does not see it only knows in which
        zone it lies."""
        stream = Stream(derive_seed(seed, NAMED))
        becomes: dict[int, int] = {}
        for slot in secret:
            value, kind = position.slots[slot], self.program.slots[slot].type
            if slot not in self._names or value in (None, ()):
                continue
            if holds_cards(kind):
                becomes = becomes or self._mix_unseen(position, seat, stream)
                position.slots[slot] = _rename(value, becomes)
            elif certain(kind).kind in ("number", "truth", "enum"):  # whom they ask and where, rules tell openly
                position.slots[slot] = self._guess(kind, stream)

    def forget_answers(self, position: Position, asked: int | None) -> None:
        """Forget what seats answered when they were asked together, but for what is asked now: nobody is told who would
        have acted, too."""
        for store in self._stores:
            if store != asked and position.slots[store]:
                position.slots[store] = ()

    def _mix_unseen(self, position: Position, seat: int | None, stream: Stream) -> dict[int, int]:
        """For each card that a seat does not see another one of those in its zone."""
        unseen = set(self.list_hidden(position, seat))
        becomes: dict[int, int] = {}
        for pile in position.zones:
            cards = [card for card in pile if card in unseen]
            becomes |= dict(zip(cards, _shuffle(cards, stream), strict=True))
        return becomes

    def rename_hidden(self, position: Position, becomes: Mapping[int, int], hidden: Hidden) -> Position:
        """Copy a position with its hidden cards renamed by `becomes`."""
        changed, find = position.copy(), becomes.get
        for zone in hidden.zones:
            changed.zones[zone] = [find(card, card) for card in position.zones[zone]]
        if position.holders:  # the last holder belongs to the place, since the seat does not know which card it is
            for card, other in becomes.items():
                changed.holders[other] = position.holders[card]
        if position.offence is not None:
            changed.offence = rename_cards(
                position.offence, becomes, lambda states: self._rename_states(states, becomes)
            )
        _rename_in(changed.states, hidden.states, becomes)
        _rename_in(changed.slots, hidden.slots, becomes)
        for store in hidden.stores:
            stored = position.slots[store]
            changed.slots[store] = tuple([self._rename_choice(choice, becomes) for choice in stored])
        return changed

    def _rename_states(self, states: Sequence[Any], becomes: Mapping[int, int]) -> list[Any]:
        changed = list(states)
        _rename_in(changed, self._states, becomes)
        return changed

    def _rename_choice(self, choice: tuple[Any, ...], becomes: Mapping[int, int]) -> tuple[Any, ...]:
        if not choice:
            return choice
        picks = list(choice[1:])
        _rename_in(picks, self._picks[choice[0]], becomes)
        return (choice[0], *picks)

    def deals_only(self, position: Position, seat: int | None, hidden: Hidden) -> bool:
        """Whether a sample is a plain permutation of hidden cards: no needs, no recorded offence, no secret values."""
        has_secrets = next(self._list_secrets(position, seat), None) is not None
        return not hidden.needed and position.offence is None and not has_secrets

    @cached_property
    def _set_before(self) -> dict[int, frozenset[int]]:
        """For each of these states, the blocks at whose end it may have been set."""
        bases = {self.sight.names.states[index][0].base for index in self._secrets}
        numbers = [number for number, state in enumerate(self.program.states) if state.base in bases]
        from hoyle.play.codegen.lower.liveness import find_set_before  # only who asks pays for it

        return {self.program.states[number].base: find_set_before(self.program, number) for number in numbers}

    def _list_secrets(self, position: Position, seat: int | None) -> Iterator[int]:
        """List the states that the seat cannot see and that may have been set."""
        for index in self._secrets:
            state, _ = self.sight.names.states[index]
            value = position.states[index]
            if value is None or includes(self._masks[index], seat, self.program.players):
                continue
            if value != state.start or position.block in self._set_before[state.base]:
                yield index

    def _redraw_secrets(self, position: Position, seat: int | None, seed: int) -> None:
        """Redraw the secret values of other seats, uniformly over what each could be."""
        stream = Stream(derive_seed(seed, SECRETS))
        for index in self._list_secrets(position, seat):
            position.states[index] = self._guess_state(position, index, seat, stream)

    def _guess_state(self, position: Position, index: int, seat: int | None, stream: Stream) -> object:
        state, _ = self.sight.names.states[index]
        low = state.low if state.low is not None else 0
        own = [
            position.states[other] or 0
            for other in range(state.base, state.base + state.size)
            if certain(state.type).kind == "number" and includes(self._masks[other], seat, self.program.players)
        ]
        high = state.high if state.high is not None else max([low + MOST_GUESSED, *(2 * number for number in own)])
        return self._guess(state.type, stream, low, high)

    def _guess(self, kind: Type, stream: Stream, low: int = 0, high: int = MOST_GUESSED) -> object:
        """A value of a type; of a list, the empty one."""
        kind = certain(kind)
        match kind.kind:
            case "truth":
                return bool(stream.below(2))
            case "enum":
                return stream.below(len(next(enum.values for enum in self.program.enums if enum.name == kind.name)))
            case "seat":
                return stream.below(self.program.players)
            case "number":
                return low + stream.below(min(max(high - low, 0), 1 << 31) + 1)
        return () if kind.of is not None else None


def reshuffle_hidden(program: Program, position: Position, seat: int | None, random_state: int) -> Position:
    """Sample a position that differs only in what a seat cannot see now, ignoring what it knows from earlier."""
    return Redealer(program).redeal(position, seat, random_state)[0]


def _deal(hidden: Hidden, seed: int) -> dict[int, int]:
    becomes = dict(zip(hidden.cards, shuffle_fast(seed, hidden.ordered)[1], strict=True))
    if hidden.barred:
        exchange_barred(becomes, hidden.barred, Stream(derive_seed(seed, BARRED)))
    return becomes


def _shuffle(cards: list[int], stream: Stream) -> list[int]:
    return shuffle_fast(stream.below(1 << 32), cards)[1]


def _is_plain(kind: Type) -> bool:
    """Whether values of a type can be guessed: numbers, truths, values of an enumeration, seats, and lists of them."""
    kind = certain(kind)
    return _is_plain(kind.of) if kind.of is not None else kind.kind in ("number", "truth", "enum", "seat")


def _list_naming(types: Sequence[Type]) -> list[int]:
    """List the indices of the types that hold cards."""
    return [index for index, kind in enumerate(types) if holds_cards(kind)]


def _rename(value: Any, becomes: Mapping[int, int]) -> Any:
    """Rename a card, or the cards in nested tuples."""
    if isinstance(value, tuple):
        return tuple(_rename(part, becomes) for part in value)
    return becomes.get(value, value)


def _rename_in(values: list[Any], places: Sequence[int], becomes: Mapping[int, int]) -> None:
    for place in places:
        if values[place] is not None:
            values[place] = _rename(values[place], becomes)
