"""A program as stable, readable text.

In: a program. Out: its declarations, definitions, actions, decisions, steps and blocks, one fact per line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from hoyle.program.ir import nodes as ir
from hoyle.program.ir.express import express
from hoyle.program.ir.visibility import describe_shown


def dump_text(program: ir.Program) -> str:
    """The program as text; equal programs give equal text."""
    parts = (_dump_head, _dump_table, _dump_definitions, _dump_actions, _dump_decisions, _dump_steps, _dump_blocks)
    return "\n\n".join(text for part in parts if (text := "\n".join(part(program)))) + "\n"


def _dump_head(program: ir.Program) -> Iterator[str]:
    yield f"game {program.game}: {program.title}"
    yield f"players {program.players}"
    for name, value in sorted(program.options.items()):
        yield f"option {name} = {value!r}"


def _dump_table(program: ir.Program) -> Iterator[str]:
    for enum in program.enums:
        yield f"enum {enum.name}: {' '.join(enum.values)}"
    for scale in program.scales:
        names = "".join(f" {number}={name}" for number, name in scale.names.items())
        yield f"scale {scale.name}: {scale.low}..{scale.high}{names}"
    yield f"deck {len(program.cards)}: {' '.join(card.code for card in program.cards)}"
    for attribute in program.attributes:
        table = " ".join("-" if value is None else str(value) for value in attribute.table)
        yield f"attribute {attribute.name}: {attribute.type} = {table}"
    for zone in program.zones:
        yield f"zone {_range(zone)} {zone.name}{_of(zone)} shows {describe_shown(zone)}"
    yield f"start in {program.zones[program.start_zone].name}"
    for state in program.states:
        bounds = "" if state.low is None and state.high is None else f" {state.low}..{state.high}"
        yield (
            f"state {_range(state)} {state.name}{_of(state)}: {state.type}{bounds} = {state.start!r}"
            f" shows {state.shows} lasts {state.lasts}{' pot' if state.pot else ''}{' debt' if state.debt else ''}"
        )
    for column in program.columns:
        yield f"column {column}"
    for index, slot in enumerate(program.slots):
        yield f"slot ${index} {slot.name}: {slot.type}"
    yield f"winners {express(program.winners, program)}"
    if program.utility is not None:
        said = program.utility
        limits = "" if said.low is None else f" from {said.low} to {said.high}"
        together = "" if said.sum is None else f" sum {said.sum}"
        yield f"utility{limits}{together} {express(said.value, program)}"
    if program.hints is not None:
        judged = ", ".join(program.actions[action].name for action in program.judged)
        yield f"hints{f' judge {judged}' if judged else ''} {express(program.hints, program)}"


def _range(declared: ir.Zone | ir.State) -> str:
    last = declared.base + declared.size - 1
    return str(declared.base) if declared.size == 1 else f"{declared.base}-{last}"


def _of(declared: ir.Zone | ir.State) -> str:
    return f" of {' and '.join(each.name for each in declared.of)}" if declared.of else ""


def _dump_definitions(program: ir.Program) -> Iterator[str]:
    for definition in program.definitions:
        params = ", ".join(f"%{i}:{param.name} {param.type}" for i, param in enumerate(definition.params))
        yield f"define {definition.name}({params}): {definition.type}"
        yield f"  {express(definition.body, program)}"


def _dump_actions(program: ir.Program) -> Iterator[str]:
    for action in program.actions:
        yield (
            f"action {action.name} entry @{action.entry} return ${action.return_slot} seat ${action.seat_slot}"
            f"{_cite(program, action.clause)}"
        )
        for place, (pick, slot) in enumerate(zip(action.picks, action.pick_slots, strict=True), start=1):
            how_many = "" if pick.low is None else f" {express(pick.low, program)} to {express(pick.high, program)} of"
            where = "" if pick.where is None else f" where {express(pick.where, program)}"
            yield f"  choose %{place}:{pick.name} -> ${slot}{how_many} {express(pick.source, program)}{where}"
            for word, test in (("keeps", pick.keeps), ("keeps when allowed", pick.keeps_allowed)):
                if test is not None:
                    yield f"    {word} {express(test, program)}"
        for name, tests in (("possible", action.possible), ("allowed", action.allowed)):
            for test in tests:
                yield f"  {name} {express(test, program)}{_cite(program, test.clause)}"


def _dump_decisions(program: ir.Program) -> Iterator[str]:
    for index, decision in enumerate(program.decisions):
        flags = (" optional" if decision.optional else "") + (" secret" if decision.secret else "")
        yield f"decision {index} {decision.name}{flags}{_cite(program, decision.clause)}"
        for tier in decision.tiers:
            when = "" if tier.when is None else f" when {express(tier.when, program)}"
            yield f"  tier {tier.name}{when}{_cite(program, tier.clause)}"
            for item in tier.items:
                where = "" if item.where is None else f" where {express(item.where, program)}"
                yield f"    {program.actions[item.action].name}{where}"


def _dump_steps(program: ir.Program) -> Iterator[str]:
    yield f"entry @{program.entry}"
    for step in program.steps:
        cite = _cite(program, step.clause)
        yield f"step {step.name} entry @{step.entry} exit @{step.exit} return ${step.return_slot}{cite}"


def _dump_blocks(program: ir.Program) -> Iterator[str]:
    for index, block in enumerate(program.blocks):
        yield f"@{index}"
        for instruction in block.instructions:
            yield f"  {_dump_node(program, instruction)}{_cite(program, instruction.clause)}"
        yield f"  {_dump_end(program, block.end)}"


def _cite(program: ir.Program, clause: int) -> str:
    found = program.clauses[clause]
    cite = f" [{', '.join(found.cite)}]" if found.cite else ""
    return f"  ; {found.path}{cite}"


def _dump_node(program: ir.Program, node: ir.Instruction) -> str:
    """An instruction as its name and its non-empty fields, `field=value`."""
    parts = [_snake(type(node).__name__)]
    for part in fields(node):
        value: Any = getattr(node, part.name)
        if part.name == "clause" or value is None or value is False or value == "":
            continue
        parts.append(part.name if value is True else f"{part.name}={_dump_part(program, part.name, value)}")
    return " ".join(parts)


def _dump_part(program: ir.Program, name: str, value: Any) -> str:
    if isinstance(value, ir.Expr):
        return express(value, program)
    if name in ("state", "source", "target"):  # the pots of a payment are states
        return str(program.states[value].name)
    if name == "column":
        return str(program.columns[value])
    if name == "slot":
        return f"${value}"
    if name == "slots":
        return ",".join(f"${slot}" for slot in value)
    return repr(value)


def _dump_end(program: ir.Program, end: ir.Terminator) -> str:
    return _ENDS[type(end)](end, program)


def _dump_decide(end: ir.Decide, program: ir.Program) -> str:
    store = "" if end.store is None else f" store ${end.store}"
    name = program.decisions[end.decision].name
    return f"decide {name} by {express(end.seat, program)}{store} then @{end.to}{_cite(program, end.clause)}"


def _dump_branch(end: ir.Branch, program: ir.Program) -> str:
    return f"branch {express(end.test, program)} @{end.yes} @{end.no}{_cite(program, end.clause)}"


_ENDS: dict[type, Callable[[Any, ir.Program], str]] = {
    ir.Jump: lambda end, program: f"jump @{end.to}",
    ir.Branch: _dump_branch,
    ir.Decide: _dump_decide,
    ir.Perform: lambda end, program: (
        f"perform {express(end.choice, program)} by {express(end.seat, program)} then @{end.to}"
    ),
    ir.Enter: lambda end, program: f"enter {program.steps[end.step].name} then @{end.to}",
    ir.Return: lambda end, program: f"return ${end.slot}",
    ir.Finish: lambda end, program: "finish",
}


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
