"""Zones of an environment, and the number of piles of a family.

In: declarations of zones. Out: zones with their index in the position; their visibility is elaborated later, in
`zone_visibility.py`.
"""

from __future__ import annotations

from hoyle.base.diagnostics.report import Label
from hoyle.language.declare.declarations import ZoneDecl
from hoyle.language.elaborate.constants import fixed_number
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.families import read_family
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import count_members
from hoyle.program.ir.types import NUMBER

MOST_PILES = 200
MOST_ZONES = 500


def fill_zones(elaborator: Elaborator) -> None:
    env = elaborator.env
    base = 0
    for zone in env.declared.zones.values():
        of = read_family(env, zone.of, f"zone `{zone.name}`", MOST_ZONES, cards=False)
        many = _count_piles(elaborator, zone)
        size = count_members(of) * (many or 1)
        env.zones[zone.name] = len(env.zone_list)
        env.zone_list.append(
            ir.Zone(
                name=zone.name,
                of=of,
                base=base,
                size=size,
                shows="nothing",
                text=zone.line.text,
                clause=env.clause(zone.line),
                quiet=zone.quiet,
                many=many,
                remembered=zone.remembered,
            )
        )
        base += size


def _count_piles(elaborator: Elaborator, zone: ZoneDecl) -> int:
    """The maximal number of piles of a family; 0 for a single zone."""
    env = elaborator.env
    if zone.many is None:
        return 0
    number = fixed_number(elaborator, zone.many, NUMBER, f"how many piles `{zone.name}` has")
    if number is not None and not 1 <= number <= MOST_PILES:
        env.report.error(
            "out-of-range",
            f"`{zone.name}` would have {number} piles; there can be 1 to {MOST_PILES}",
            zone.many.span,
            hint="say how many can stand at once",
        )
        return 1
    deck = env.declared.deck
    if deck is not None and deck.starts_in is not None and deck.starts_in.id == zone.name:
        env.report.error(
            "which-pile",
            f"the deck cannot start in `{zone.name}`, which is a family of piles",
            deck.starts_in.span,
            others=(Label(zone.line.span, "declared with `many`"),),
            hint="let it start in a single zone",
        )
    return int(number or 1)
