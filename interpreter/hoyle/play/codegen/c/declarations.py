"""The declarations of a program: macros for sizes, types, constant tables, and the memory spaces of a device.

In: the layout of positions. Out: lines of C.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.play.codegen.c.columns import find_bound
from hoyle.play.codegen.c.struct_layout import SHARED, Layout
from hoyle.play.codegen.low.facts import LIMIT, MOST_LINES
from hoyle.play.codegen.low.program import Module
from hoyle.play.codegen.passes.unranking import MOST_COUNTED
from hoyle.play.engine.limits import LONGEST_PLAYED, MOST_STEPS
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import list_holders, list_members, list_owners
from hoyle.program.ir.visibility import has_faces

NOBODY = 255
MOST_WORK = 20_000_000  # iterations of long loops between two decisions
MOST_NEAR = 180  # bytes of shared memory per thread: with a thousand threads, that leaves enough for the L1 cache


def print_sizes(module: Module, layout: Layout, late_zone: int) -> Iterator[str]:
    program = layout.program
    start = program.zones[program.start_zone]
    sizes = {
        "PLAYERS": program.players, "CARDS": layout.cards, "ZONES": layout.zones, "COLUMNS": len(program.columns),
        "HOLDERS": int(program.keeps_holders), "HOLDERS_FIT": int(layout.holders_fit),
        "FACES": int(program.keeps_faces), "START_HOLDER": _number_owners(program)[start.base],
        "KEEPS_LINES": int(program.keeps_lines), "MOST_LINES": MOST_LINES, "CALLED": int(program.called),
        "SAVES": int(program.saves),
        "RULES_OF_SIGHT": int(bool(module.shown)), "START_ZONE": start.base, "LATE_ZONE": late_zone,
        "NOBODY": NOBODY, "LIMIT": f"INT64_C({LIMIT})", "MOST_COUNTED": MOST_COUNTED, "MOST_STEPS": MOST_STEPS,
        "MOST_WORK": MOST_WORK, "MOST_DECISIONS": find_bound("Pos.decisions"), "LONGEST_PLAYED": LONGEST_PLAYED,
        "MOST_VISITS": find_bound("Entry.visits"),
    }  # fmt: skip
    yield from (f"#define {name} {value}" for name, value in sizes.items())


def print_types(layout: Layout) -> Iterator[str]:
    yield f"typedef {layout.card_type} card_t;"
    yield f"typedef {layout.zone_type} zone_t;"
    yield f"typedef {layout.count_type} count_t;"
    yield "typedef uint8_t seat_t;"
    tables = "Table t;" + (" Table saved;" if layout.program.saves else "")
    for name, first, inner in (("Table", [], True), ("Pos", [tables], False)):
        members = [*first, *(field.declared for field in layout.in_order(inner=inner))]
        yield from ("typedef struct {", *(f"  {member}" for member in members), f"}} {name};")
    yield from ("#if BATCHES", *_print_near(layout), "#else", "typedef Pos Frame;", "#endif")


def _print_near(layout: Layout) -> Iterator[str]:
    """The frame of a device thread, in registers, and its cells, in shared memory."""
    slots = [field.declared for field in layout.fields if field.in_frame]
    yield f"typedef struct {{ uint64_t offered; int32_t widest, decisions; {' '.join(slots)} }} Frame;"
    near = layout.list_shared(MOST_NEAR)
    if near:
        words = -(-sum(field.size for field in near) // 4) | 1  # odd: no bank conflicts
        yield f"typedef struct {{ {' '.join(field.declared for field in near)} }} Cells;"
        yield f"static __shared__ union {{ Cells cells; uint32_t words[{words}]; }} near[MOST_THREADS];"
    names = {field.name for field in near}
    yield from (
        f"#define TABLE_{name} {'near[threadIdx.x].cells' if name in names else 'P->t'}.{name}" for name in SHARED
    )


def print_tables(layout: Layout) -> Iterator[str]:
    program = layout.program
    zones = sorted(program.zones, key=lambda zone: zone.base)
    owners = _number_owners(program)
    fixed = {
        "OWNER": ("int8_t", owners),
        "ROOM": (layout.count_type, list(layout.known.capacities)),
        "IN_ORDER": (layout.card_type, list(range(layout.cards))),
        "INVERSE": ("uint32_t", [0, 0, *((1 << 32) // bound + 1 for bound in range(2, layout.cards + 1))]),
    }
    if program.keeps_faces:
        fixed |= _list_sights(program, zones)
    if layout.is_environment:
        fixed["SHOWN_TO"] = ("uint64_t", _list_lookers(program, zones))
    yield from (_print_table(name, ctype, values) for name, (ctype, values) in fixed.items())
    near, far = (_print_table("AT", "uint16_t", at) for at in (layout.near_offsets, layout.offsets))
    yield from ("#if BATCHES", near, "#else", far, "#endif")


def _list_lookers(program: ir.Program, zones: Sequence[ir.Zone]) -> list[int]:
    """The seats that see every card of a zone, always, as a mask."""
    everybody, masks = (1 << program.players) - 1, list[int]()
    for zone in zones:
        for values in list_members(zone.of):
            own = sum(1 << seat for seat in list_owners(zone.of, values, program.teams))
            mask = {"all": everybody, "owner": own, "all_but_owner": everybody & ~own}.get(zone.shows, 0)
            masks += [0 if zone.cases else mask] * (zone.many or 1)
    return masks


def _list_sights(program: ir.Program, zones: Sequence[ir.Zone]) -> dict[str, tuple[str, list[int]]]:
    """By zone, whether sides of cards matter in it (`FACED`), and which of its cards are public (`SIGHT`); with
    conditional visibility a negative offset into `SIGHT_IN_CASE`, which has an entry for each case."""
    faced, sights, cases = list[int](), list[int](), [0]
    for zone in zones:
        for values in list_members(zone.of):
            owned = bool(list_owners(zone.of, values, program.teams))
            shown = [_find_open(shows, owned) for shows in (*(case.shows for case in zone.cases), zone.shows)]
            many = zone.many or 1
            faced += [int(has_faces(zone))] * many
            sights += [-len(cases) if zone.cases else shown[0]] * many
            cases += shown if zone.cases else []
    return {"FACED": ("uint8_t", faced), "SIGHT": ("int16_t", sights), "SIGHT_IN_CASE": ("uint8_t", cases)}


def _number_owners(program: ir.Program) -> list[int]:
    """For each zone the seat that holds its cards; -1 for none."""
    return [-1 if owner is None else owner for owner in list_holders(program.zones, program.teams)]


def _print_table(name: str, ctype: str, values: Sequence[int]) -> str:
    return f"CONSTANT const {ctype} {name}[{len(values)}] = {{{', '.join(map(str, values))}}};"


def _find_open(shows: str, owned: bool) -> int:
    """The public cards of a zone, encoded: 0 none, 1 all, 2 the top card, 3 those face up."""
    if shows == "all" or (shows == "all_but_owner" and not owned):
        return 1
    return {"top_card": 2, "face_up": 3}.get(shows, 0)
