"""One program: a game for a number of players and a set of options.

In: declarations, players, options. Out: the checked `Program`, or None with the reasons reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hoyle.check.calls import Calls
from hoyle.check.declarations import Declarations
from hoyle.check.definitions import Definitions
from hoyle.check.effects import Reads
from hoyle.check.expressions import Elaborator
from hoyle.check.flow import EndRule, Flow, OpenBlock
from hoyle.check.folding import apply, constant
from hoyle.check.kinds import fill_columns
from hoyle.check.labels import build_labels
from hoyle.check.leaks import check_leaks
from hoyle.check.lints import check_citations, check_deals, check_names, check_unused
from hoyle.check.lowering import Lowering
from hoyle.check.menus import Menus
from hoyle.check.pots import fill_pots
from hoyle.check.scope import Frame, Scope
from hoyle.check.tables import (
    check_requirements,
    fill_deck,
    fill_errors,
    fill_kinds,
    fill_options,
    fill_states,
    fill_teams,
    fill_zones,
    fixed,
)
from hoyle.check.world import World, display
from hoyle.diagnostics.report import Report, nearest
from hoyle.ir import nodes as ir
from hoyle.ir.types import LINE, NUMBER, SEAT, SEATS, TRUTH, Type, maybe
from hoyle.syntax import ast


@dataclass(frozen=True, slots=True)
class Specialised:
    """A program, and what is needed to work out further expressions and menus in its words."""

    program: ir.Program
    elaborator: Elaborator
    menus: Menus


def specialise(declared: Declarations, players: int, options: dict[str, Any], report: Report) -> Specialised | None:
    """All passes after reading, in order."""
    if declared.deck is None or "match" not in declared.steps or declared.winners is None:
        report_missing(declared, report)
        return None
    world = World(declared, players, report)
    elaborator = Elaborator(world)
    fill_options(elaborator, options)
    fill_errors(elaborator)
    fill_kinds(elaborator)
    fill_deck(elaborator)
    fill_columns(elaborator)
    fill_zones(elaborator)
    fill_states(elaborator)
    fill_pots(elaborator)
    check_names(world)
    fill_teams(elaborator)
    most = fixed(elaborator, declared.most, maybe(NUMBER), "the most a total can be") if declared.most else None
    track = fixed(elaborator, declared.track, maybe(NUMBER), "the length of the track") if declared.track else None
    definitions = Definitions(elaborator)
    check_requirements(elaborator)
    menus = Menus(elaborator, definitions)
    menus.conditions()
    calls = Calls(declared)
    if calls.report_rings(report):
        return None
    lowering = Lowering(elaborator, calls, menus)
    lowering.declare_units()
    lowering.flow.ends = read_ends(elaborator, lowering.flow, menus)
    for name, step in declared.steps.items():
        lowering.lower_unit(f"steps.{name}", step.do)
    for name, action in declared.actions.items():
        lowering.lower_unit(f"actions.{name}", action.do)
    winners_frame = Frame()
    winners = definitions.body(declared.winners.body, Scope(winners_frame))
    if winners.type != SEATS and winners.type.kind != "unknown":
        report.error(
            "wrong-type",
            f"`winners` must be seats; this is {winners.type}",
            declared.winners.line.span,
            hint="a list of seats: `(seat in seats with highest score of seat)`",
        )
    sheet = read_sheet(elaborator)
    finished = definitions.finish()
    labels = build_labels(world)
    check_unused(world)
    check_citations(world)
    if report.failed:
        return None
    program = assemble(world, menus, lowering.flow, finished, winners, winners_frame, most, track, sheet, labels)
    check_deals(program, world)
    check_leaks(program, world)
    return None if report.failed else Specialised(program, elaborator, menus)


def report_missing(declared: Declarations, report: Report) -> None:
    span = declared.line.span if declared.line else None
    near = nearest("match", declared.steps)
    for there, what, hint in (
        (declared.deck, "no deck", "add `deck:` with its cards"),
        (
            declared.steps.get("match"),
            "no step `match`",
            f"rename `{near}`, if that is what happens from beginning to end"
            if near
            else "add `match:` under `steps:`: what happens from beginning to end",
        ),
        (declared.winners, "no winners", "add `winners:`, for example `(seat in seats with highest score of seat)`"),
    ):
        if there is None and not report.failed:
            report.error("incomplete-game", f"the game has {what}", span, hint=hint)


def read_ends(elaborator: Elaborator, flow: Flow, menus: Menus) -> list[EndRule]:
    world = elaborator.world
    reads = Reads(_bodies(world), {world.actions[n]: p.possible + p.allowed for n, p in menus.parts.items()})
    rules = []
    for end in world.declared.ends:
        name = elaborator.renamed(end.step)
        if f"steps.{name}" not in flow.units:
            labels, hints = world.similar(name, world.declared.steps, "steps")
            world.report.error(
                "unknown-step", f"no step named `{name}` that could end", end.step.span, others=labels, hint=hints
            )
            continue
        test = elaborator.truth(end.when, Scope(flow.frame))
        reads.definitions = _bodies(world)
        rules.append(EndRule(name, test, reads.of(test), world.clause(end.line)))
    return rules


@dataclass(frozen=True, slots=True)
class Sheet:
    """How the score sheet is added up; the frame of each expression begins with the line or the seat."""

    struck: ir.Expr | None
    totals: tuple[ir.Expr, ...]
    standing: ir.Expr | None
    frame: int


def read_sheet(elaborator: Elaborator) -> Sheet:
    """What the ledger says about struck lines, totals of columns and the score of a seat."""
    world, declared = elaborator.world, elaborator.world.declared
    frames: list[Frame] = []

    def about(node: ast.Expr, name: str, kind: Type, wanted: Type, what: str) -> ir.Expr:
        frames.append(Frame())
        scope, _ = Scope(frames[-1], where="definition").variable(name, kind)
        return elaborator.typed(node, scope, wanted, what)

    struck = about(declared.struck, "line", LINE, TRUTH, "whether a line is struck") if declared.struck else None
    if struck is not None:
        world.used.add("word:lines")
    totals = []
    for number, column in enumerate(declared.columns if declared.column_totals else ()):
        if column in declared.column_totals:
            totals.append(about(declared.column_totals[column][1], "seat", SEAT, NUMBER, "the total of a column"))
        else:
            seat = ir.Var(type=SEAT, index=0, name="seat", text="seat")
            totals.append(apply("column", (seat, constant(number, NUMBER, column)), NUMBER))
    for column, (span, _) in declared.column_totals.items():
        if column not in declared.columns:
            labels, hints = world.similar(column, declared.columns, "columns")
            world.report.error(
                "unknown-column",
                f"the ledger has no column `{column}`",
                span,
                "not declared under `ledger: columns:`",
                others=labels,
                hint=hints,
            )
    standing = about(declared.standing, "seat", SEAT, NUMBER, "the score of a seat") if declared.standing else None
    return Sheet(struck, tuple(totals), standing, max((frame.size for frame in frames), default=1))


def _bodies(world: World) -> dict[int, ir.Expr]:
    return {d.index: d.result.body for d in world.definitions.values() if d.result is not None}


def assemble(
    world: World,
    menus: Menus,
    flow: Flow,
    definitions: tuple[ir.Definition, ...],
    winners: ir.Expr,
    frame: Frame,
    most: int | None,
    track: int | None,
    sheet: Sheet,
    labels: tuple[ir.Labels, ...],
) -> ir.Program:
    """The parts put together, unreachable blocks left out."""
    declared = world.declared
    numbers = reachable(flow)
    blocks = tuple(_finished(flow.blocks[old], numbers) for old in sorted(numbers, key=lambda o: numbers[o]))
    actions = []
    for name, parts in menus.parts.items():
        unit = flow.units[f"actions.{name}"]
        actions.append(
            ir.Action(
                name=name,
                text=parts.decl.line.text,
                picks=tuple(parts.picks),
                possible=parts.possible,
                allowed=parts.allowed,
                frame=parts.frame.size,
                entry=numbers[unit.entry],
                return_slot=unit.return_slot,
                seat_slot=unit.param_slots[0],
                pick_slots=unit.param_slots[1:],
                clause=world.clause(parts.decl.line),
            )
        )
    steps = tuple(
        ir.Step(
            name=name,
            entry=numbers[unit.entry],
            exit=numbers[unit.exit],
            return_slot=unit.return_slot,
            clause=world.clause(unit.line),
        )
        for name, unit in ((n, flow.units[f"steps.{n}"]) for n in declared.steps)
    )
    start = declared.deck.starts_in.id if declared.deck and declared.deck.starts_in else next(iter(world.zones))
    return ir.Program(
        game=declared.name,
        title=declared.title,
        players=world.players,
        options={name: display(world, c.value, c.type) for name, c in world.options.items()},
        enums=tuple(world.enums.values()),
        cards=tuple(world.cards),
        attributes=tuple(world.attribute_list),
        zones=tuple(world.zone_list),
        start_zone=world.zones[start],
        states=tuple(world.state_list),
        columns=tuple(declared.columns) or ("score",),
        column_labels=tuple(declared.columns.values()) or ("score",),
        marks=tuple(declared.marks),
        mark_labels=tuple(declared.marks.values()),
        keeps_lines="word:lines" in world.used or bool(declared.columns),
        teams=world.teams,
        most=most,
        slots=tuple(flow.slots),
        definitions=definitions,
        scores=score_tables(world),
        keeps_holders="word:last_holder" in world.used or any(z.shows == "last_holder" for z in world.zone_list),
        actions=tuple(actions),
        decisions=tuple(menus.decisions),
        steps=steps,
        blocks=blocks,
        entry=numbers[flow.units["steps.match"].entry],
        frame=max(flow.frame.size, frame.size, sheet.frame, 1),
        winners=winners,
        clauses=tuple(world.clauses),
        rules=dict(declared.rules),
        track=track,
        struck=sheet.struck,
        column_totals=sheet.totals,
        standing=sheet.standing,
        called=world.called,
        language=declared.language,
        labels=labels,
    )


def score_tables(world: World) -> tuple[ir.ScoreTable, ...]:
    """The score tables with the numbers of their definitions."""

    def number(name: str) -> int:
        return world.definitions[name].index

    return tuple(
        ir.ScoreTable(
            name=table.name,
            total=number(table.name),
            rows=tuple(
                ir.ScoreRow(
                    name=row.name,
                    label=row.label,
                    call=row.call,
                    amount=number(f"{table.name}.{row.name}"),
                    groups=number(f"{table.name}.{row.name}.groups") if row.grouped else None,
                    parts=number(f"{table.name}.{row.name}.parts") if row.grouped else None,
                    clause=world.clause(row.line),
                )
                for row in table.rows
            ),
            clause=world.clause(table.line),
        )
        for table in world.declared.scores.values()
    )


def targets(end: ir.Terminator | None) -> tuple[int, ...]:
    if isinstance(end, ir.Branch):
        return (end.yes, end.no)
    return (end.to,) if isinstance(end, ir.Jump | ir.Decide | ir.Perform | ir.Enter) else ()


def reachable(flow: Flow) -> dict[int, int]:
    """New numbers of the blocks that something leads to, in the order in which they were begun."""
    waiting = [b for unit in flow.units.values() for b in (unit.entry, unit.exit)]
    found: set[int] = set()
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(targets(flow.blocks[one].end))
    return {old: new for new, old in enumerate(sorted(found))}


def _finished(block: OpenBlock, numbers: dict[int, int]) -> ir.Block:
    end = block.end
    assert end is not None
    if isinstance(end, ir.Branch):
        end = ir.Branch(test=end.test, yes=numbers[end.yes], no=numbers[end.no], clause=end.clause)
    elif isinstance(end, ir.Jump):
        end = ir.Jump(to=numbers[end.to])
    elif isinstance(end, ir.Decide):
        end = ir.Decide(decision=end.decision, seat=end.seat, store=end.store, to=numbers[end.to], clause=end.clause)
    elif isinstance(end, ir.Perform):
        end = ir.Perform(choice=end.choice, seat=end.seat, to=numbers[end.to], decision=end.decision)
    elif isinstance(end, ir.Enter):
        end = ir.Enter(step=end.step, to=numbers[end.to])
    return ir.Block(instructions=tuple(block.instructions), end=end)
