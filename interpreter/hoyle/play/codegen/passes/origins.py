"""Provenance of picks: the zone that a picked card lay in when the choice was offered.

In: a module. Out: by slot of a pick, that zone as a value. It is a prediction, not a fact, that the card still lies
there when it is moved: users check it and have a slow path.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial

from hoyle.play.codegen.low.program import Decide, Module
from hoyle.play.codegen.low.values import Value, transform


def find_origins(module: Module) -> dict[int, Value]:
    """By slot of a pick, the zone it is picked from, if all offers agree; over the action's seat slot, not `asked`."""
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
    """The zone a pick came from, if it is known and can be evaluated anywhere; as zero or one operands."""
    while cards.op in ("sure", "need"):
        cards = cards.args[0]
    zone = origins.get(cards.number) if cards.op == "slot" else None
    return () if zone is None or zone.faults or zone.guarded else (zone,)
