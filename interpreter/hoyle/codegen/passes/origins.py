"""Where cards were picked from.

In: a module. Out: for slots of picks, the zone these lay in when the choice was offered. Nothing says that they still
lie there when they are moved: whoever makes use of it tests it first.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial

from hoyle.codegen.low.program import Decide, Module
from hoyle.codegen.low.values import Value, transform


def find_origins(module: Module) -> dict[int, Value]:
    """For slots of picks, the zone these were picked from, as it is known while the action is carried out."""
    build, found = module.build, defaultdict[int, set[Value | None]](set)
    ends = [block.end for block in module.blocks.values() if isinstance(block.end, Decide)]
    offers = [(end.seat, offer) for end in ends for tier in end.menu.tiers for offer in tier.offers]
    for seat, offer in offers:
        action = module.program.actions[offer.action]
        put_seat = partial(_put_seat, build.read("slot", seat.fact, data=(action.seat_slot,)))
        for slot, level in zip(action.pick_slots, offer.levels, strict=True):
            source = level.domain
            while source.op in ("groups", "each", "distinct", "sure"):
                source = source.args[0]
            known = source.op == "cards" and not source.args[0].free
            found[slot].add(transform(source.args[0], build, put_seat, {}) if known else None)
    return {slot: zone for slot, (zone, *others) in found.items() if zone is not None and not others}


def _put_seat(seat: Value, node: Value) -> Value:
    return seat if node.op == "asked" else node


def find_picked(origins: dict[int, Value], cards: Value) -> tuple[Value, ...]:
    """The zone of what was picked, if that is known and can be told at any time."""
    while cards.op in ("sure", "need"):
        cards = cards.args[0]
    zone = origins.get(cards.number) if cards.op == "slot" else None
    return () if zone is None or zone.faults or zone.guarded else (zone,)
