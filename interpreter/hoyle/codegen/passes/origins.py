"""Where cards were picked from.

In: a module. Out: for slots of picks, the zone these lay in when the choice was offered. Nothing says that they still
lie there when they are moved: whoever makes use of it tests it first.
"""

from __future__ import annotations

from functools import partial

from hoyle.codegen.low.program import Decide, Module
from hoyle.codegen.low.values import Value, transform


def find_origins(module: Module) -> dict[int, Value]:
    """For slots of picks, the zone these were picked from, as it is known while the action is carried out."""
    build, found, different = module.build, dict[int, Value](), set[int]()
    for block in module.blocks.values():
        if not isinstance(block.end, Decide):
            continue
        for offer in (offer for tier in block.end.menu.tiers for offer in tier.offers):
            action = module.program.actions[offer.action]
            put_seat = partial(_put_seat, build.read("slot", block.end.seat.fact, data=(action.seat_slot,)))
            for slot, level in zip(action.pick_slots, offer.levels, strict=True):
                source = level.domain
                while source.op in ("groups", "each", "distinct", "sure"):
                    source = source.args[0]
                if source.op != "cards" or source.args[0].free:
                    different.add(slot)
                    continue
                zone = transform(source.args[0], build, put_seat, {})
                if found.setdefault(slot, zone) is not zone:
                    different.add(slot)
    return {slot: zone for slot, zone in found.items() if slot not in different}


def _put_seat(seat: Value, node: Value) -> Value:
    return seat if node.op == "asked" else node


def find_picked(origins: dict[int, Value], cards: Value) -> tuple[Value, ...]:
    """The zone of what was picked, if that is known and can be told at any time."""
    while cards.op in ("sure", "need"):
        cards = cards.args[0]
    zone = origins.get(cards.number) if cards.op == "slot" else None
    return () if zone is None or zone.faults or zone.guarded else (zone,)
