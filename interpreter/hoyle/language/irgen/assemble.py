"""Assembly of the program from its parts, with unreachable blocks eliminated.

In: the results of elaboration and lowering. Out: the `Program`.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.language.declare.deciding import digest_sections
from hoyle.language.elaborate.environment import Environment, give_value
from hoyle.language.elaborate.scope import Frame
from hoyle.language.elaborate.score_sheet import Sheet
from hoyle.language.irgen.decisions import Menus
from hoyle.language.irgen.flow import Flow, OpenBlock
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.parts import Part
from hoyle.program.ir.visibility import list_ways
from hoyle.program.ir.walk import walk
from hoyle.program.words import WORDS


def assemble(
    env: Environment,
    menus: Menus,
    flow: Flow,
    definitions: tuple[ir.Definition, ...],
    winners: ir.Expr,
    frame: Frame,
    sheet: Sheet,
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
        options={name: give_value(env, c.value, c.type) for name, c in env.options.items()},
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
        keeps_lines=False,
        teams=env.teams,
        most=env.most,
        slots=tuple(flow.slots),
        definitions=definitions,
        scores=score_tables(env),
        keeps_holders=False,
        actions=tuple(actions),
        decisions=tuple(menus.decisions),
        steps=steps,
        blocks=blocks,
        entry=numbers[flow.units["steps.match"].entry],
        frame=max(flow.frame.size, frame.size, sheet.frame, 1),
        winners=winners,
        clauses=tuple(env.clauses),
        rules=dict(declared.rules),
        track=env.track,
        struck=sheet.struck,
        column_totals=sheet.totals,
        standing=sheet.standing,
        called=env.called,
        language=declared.language,
        digests=digest_sections(declared),
    )


def note_kept(program: ir.Program) -> ir.Program:
    """The program, with what positions must remember for it: lines of the score sheet, last holders of
    cards, a position to return to."""
    parts = (
        *program.definitions, *program.actions, *program.decisions, *program.blocks, *program.column_totals,
        program.winners, program.struck, program.standing, program.table, program.utility, program.hints,
    )  # fmt: skip
    nodes = [node for part in parts if part is not None for node in walk(part)]
    words = {node.word for node in nodes if isinstance(node, ir.Apply)}
    read = {look.part for word in words for look in WORDS[word].reads or ()}
    shows_holders = any(shown.last_holder for zone in program.zones for shown in list_ways(zone))
    marks = program.struck is not None or any(isinstance(node, ir.Mark) for node in nodes)
    return replace(
        program,
        keeps_lines=Part.LINES in read or marks or program.columns != ("score",),
        keeps_holders=Part.HOLDERS in read or shows_holders,
        saves=program.called or any(isinstance(node, ir.Keep) for node in nodes),
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
