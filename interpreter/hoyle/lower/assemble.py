"""Assembly of the program from its parts, with unreachable blocks eliminated.

In: the results of elaboration and lowering. Out: the `Program`.
"""

from __future__ import annotations

from hoyle.elaborate.environment import Environment, display
from hoyle.elaborate.scope import Frame
from hoyle.elaborate.sheet import Sheet
from hoyle.ir import nodes as ir
from hoyle.ir.visibility import list_ways
from hoyle.lower.flow import Flow, OpenBlock
from hoyle.lower.menus import Menus


def assemble(
    env: Environment,
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
    """The program, with reachable blocks renumbered."""
    declared = env.declared
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
                clause=env.clause(parts.decl.line),
            )
        )
    steps = tuple(
        ir.Step(
            name=name,
            entry=numbers[unit.entry],
            exit=numbers[unit.exit],
            return_slot=unit.return_slot,
            clause=env.clause(unit.line),
        )
        for name, unit in ((n, flow.units[f"steps.{n}"]) for n in declared.steps)
    )
    start = declared.deck.starts_in.id if declared.deck and declared.deck.starts_in else find_start(env)
    return ir.Program(
        game=declared.name,
        title=declared.title,
        players=env.players,
        options={name: display(env, c.value, c.type) for name, c in env.options.items()},
        enums=tuple(env.enums.values()),
        scales=tuple(env.scales.values()),
        cards=tuple(env.cards),
        attributes=tuple(env.attribute_list),
        zones=tuple(env.zone_list),
        start_zone=env.zones[start],
        states=tuple(env.state_list),
        columns=tuple(declared.columns) or ("score",),
        column_labels=tuple(declared.columns.values()) or ("score",),
        marks=tuple(declared.marks),
        mark_labels=tuple(declared.marks.values()),
        keeps_lines="word:lines" in env.used or bool(declared.columns),
        teams=env.teams,
        most=most,
        slots=tuple(flow.slots),
        definitions=definitions,
        scores=score_tables(env),
        keeps_holders="word:last_holder" in env.used or any(
            shown.last_holder for zone in env.zone_list for shown in list_ways(zone)
        ),
        actions=tuple(actions),
        decisions=tuple(menus.decisions),
        steps=steps,
        blocks=blocks,
        entry=numbers[flow.units["steps.match"].entry],
        frame=max(flow.frame.size, frame.size, sheet.frame, 1),
        winners=winners,
        clauses=tuple(env.clauses),
        rules=dict(declared.rules),
        track=track,
        struck=sheet.struck,
        column_totals=sheet.totals,
        standing=sheet.standing,
        called=env.called,
        language=declared.language,
        labels=labels,
    )


def find_start(env: Environment) -> str:
    """The zone that holds all cards at first if the deck does not say: the first single zone declared by the game
    itself."""
    for name, decl in env.declared.zones.items():
        if not decl.of and decl.many is None and decl.line.span.source.own is None:
            return name
    return next(iter(env.zones))


def score_tables(env: Environment) -> tuple[ir.ScoreTable, ...]:
    """The score tables, with definitions referenced by number."""

    def number(name: str) -> int:
        return env.definitions[name].index

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
                    clause=env.clause(row.line),
                )
                for row in table.rows
            ),
            clause=env.clause(table.line),
        )
        for table in env.declared.scores.values()
    )


def targets(end: ir.Terminator | None) -> tuple[int, ...]:
    if isinstance(end, ir.Branch):
        return (end.yes, end.no)
    return (end.to,) if isinstance(end, ir.Jump | ir.Decide | ir.Perform | ir.Enter) else ()


def reachable(flow: Flow) -> dict[int, int]:
    """New numbers for the reachable blocks, in the order of their creation."""
    waiting = [b for unit in flow.units.values() for b in (unit.entry, unit.exit)]
    found: set[int] = set()
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(targets(flow.blocks[one].end))
    return {old: new for new, old in enumerate(sorted(found))}


def _finished(block: OpenBlock, numbers: dict[int, int]) -> ir.Block:
    end = block.end or ir.Finish()  # a block is unterminated only after an error
    if isinstance(end, ir.Branch):
        end = ir.Branch(test=end.test, yes=numbers[end.yes], no=numbers[end.no], clause=end.clause)
    elif isinstance(end, ir.Jump):
        end = ir.Jump(to=numbers[end.to], clause=end.clause, held=end.held)
    elif isinstance(end, ir.Decide):
        end = ir.Decide(decision=end.decision, seat=end.seat, store=end.store, to=numbers[end.to], clause=end.clause)
    elif isinstance(end, ir.Perform):
        end = ir.Perform(choice=end.choice, seat=end.seat, to=numbers[end.to], decision=end.decision)
    elif isinstance(end, ir.Enter):
        end = ir.Enter(step=end.step, to=numbers[end.to], clause=end.clause)
    return ir.Block(instructions=tuple(block.instructions), end=end)
