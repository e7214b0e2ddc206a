"""Another position that one seat cannot tell from this one.

In: a position, a seat, a random state. Out: the position with what the seat cannot see permuted, for the test that
nothing hidden reaches a view, an event or a list of legal actions.
"""

from __future__ import annotations

from typing import Any

from hoyle.ir.nodes import Decide, Program
from hoyle.ir.types import Type, certain
from hoyle.model.chance import shuffled
from hoyle.model.offences import rename_cards
from hoyle.model.position import Position
from hoyle.view.names import holds_cards
from hoyle.view.seeing import Sight, includes, knows


def reshuffle_hidden(program: Program, position: Position, seat: int | None, random_state: int) -> Position:
    """The hidden cards dealt anew among their places. Values that name a hidden card follow its place; a card named
    by a state the seat may see is not hidden, nor is a covered one that all saw when it was laid."""
    seen = knows(program, position, seat)
    named = _list_named(program, position, seat)
    hidden = [
        card
        for pile, shown in zip(position.zones, seen, strict=True)
        for card, is_shown in zip(pile, shown, strict=True)
        if not is_shown and card not in named
    ]
    _, others = shuffled(random_state, hidden)
    becomes = dict(zip(hidden, others, strict=True))
    changed = position.copy()
    changed.zones = [[becomes.get(card, card) for card in pile] for pile in position.zones]
    if position.holders:  # who held a card goes with its place, as the card itself is not known
        for card, other in becomes.items():
            changed.holders[other] = position.holders[card]
    changed.offence = rename_cards(position.offence, becomes)
    for index, (state, _) in enumerate(Sight(program).names.states):
        changed.states[index] = _rename(state.type, position.states[index], becomes)
    stores = {block.end.store for block in program.blocks if isinstance(block.end, Decide)}
    for index, local in enumerate(program.slots):
        value = position.slots[index]
        if index in stores:
            changed.slots[index] = value and tuple(_rename_choice(program, choice, becomes) for choice in value)
        else:
            changed.slots[index] = _rename(local.type, value, becomes)
    return changed


def _list_named(program: Program, position: Position, seat: int | None) -> set[int]:
    """The cards named by states the seat may see."""
    sight = Sight(program)
    found: set[int] = set()
    for index, (state, _) in enumerate(sight.names.states):
        value = position.states[index]
        if value is not None and holds_cards(state.type) and includes(sight.mask_state(index), seat, program.players):
            found.update(value if isinstance(value, tuple) else (value,))
    return found


def _rename(kind: Type, value: Any, becomes: dict[int, int]) -> Any:
    kind = certain(kind)
    if value is None or not holds_cards(kind):
        return value
    if isinstance(value, tuple):
        return tuple(_rename(kind.of or kind, part, becomes) for part in value)
    return becomes.get(value, value)


def _rename_choice(program: Program, choice: tuple[Any, ...], becomes: dict[int, int]) -> tuple[Any, ...]:
    if not choice:
        return choice
    picks = program.actions[choice[0]].picks
    return (choice[0], *(_rename(pick.type, value, becomes) for pick, value in zip(picks, choice[1:], strict=True)))
