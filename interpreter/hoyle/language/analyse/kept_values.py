"""Values as they are kept in slots and states, to be read later.

In: the abstract value of an expression where it is kept. Out: the value as it may be read when other seats bear the
names in it, and when chance has picked one element of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hoyle.language.analyse.showing import Known
from hoyle.language.analyse.sight import (
    NONE,
    Chosen,
    Held,
    Kept,
    Place,
    Secret,
    Secrets,
    Value,
    Whereabouts,
    Who,
    holds_cards,
)
from hoyle.program.ir import nodes as ir


def keep_names(value: Value, known: Known) -> Value:
    """A value as it may be read later: a slot still names the same seat then, within whose scope the value is; of a
    state only the slots that hold it now do."""

    def rename(who: Who) -> Who:
        names = known.list_names(who) if isinstance(who, ir.Expr) else ()
        return who if isinstance(who, ir.Slot) else next((each for each in names if isinstance(each, ir.Slot)), None)

    zones = None if value.zones is None else frozenset((zone, rename(owner)) for zone, owner in value.zones)
    return value.each(lambda secret: _rename_owner(secret, rename))._replace(zones=zones, ally=rename(value.ally))


def draw(value: Value, expr: ir.Expr) -> Value:
    """The element of a list that chance has picked: only who sees it where it lies knows which card it is."""
    secrets = value.told
    if value.by_face and holds_cards(expr.type):
        secrets |= Secrets({Whereabouts(expr.text): ()})
    lies = value.lies.each(lambda each: replace(each, drawn=True) if isinstance(each, Place) else each)
    return value._replace(secrets=secrets, lies=lies, person=NONE)


def forget_owner(secret: Secret) -> Secret:
    return _rename_owner(secret, lambda _: None)


def _rename_owner(secret: Secret, rename: Callable[[Who], Who]) -> Secret:
    if isinstance(secret, Place | Kept | Chosen):
        return replace(secret, owner=rename(secret.owner))
    if isinstance(secret, Held):
        return Held(secret.place and replace(secret.place, owner=rename(secret.place.owner)), rename(secret.asker))
    return secret
