"""Text dump of the low form: values, statements and blocks, to be read and compared.

In: a module, or its blocks after a pass. Out: lines. Operations are written as calls; `$3` is a bound variable, `r3` a
register, `T3` a table, `R3` a table of lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hoyle.play.codegen.low.program import (
    Ask,
    Block,
    Branch,
    Breach,
    Decide,
    Do,
    End,
    Fault,
    For,
    Grow,
    Jump,
    Leave,
    Let,
    Module,
    Once,
    Perform,
    Push,
    Statement,
    Switch,
    When,
)
from hoyle.play.codegen.low.values import BINDERS, Rows, Table, Value
from hoyle.play.codegen.lower.menus import Level, Menu

SHORT = 24  # elements of a table


def dump_blocks(module: Module, blocks: Mapping[int, Block]) -> str:
    """Blocks of a module, or those that a pass has made of them, and the tables they read."""
    names = [action.name for action in module.program.actions]
    lines = []
    for number, block in sorted(blocks.items()):
        lines.append(f"block {number}:" if number != module.entry else f"block {number}, entry:")
        lines += _indent([*dump_statements(block.body), *_dump_end(block.end, names)])
    read = set(re.findall(r"\b[TR]\d+(?=\()", "\n".join(lines)))
    build = module.build
    for letter, tables in (("T", build.tables), ("R", build.row_tables)):
        for name, entries in ((f"{letter}{number}", entries) for number, entries in enumerate(tables)):
            if name in read:
                more = ", …" if len(entries) > SHORT else ""
                lines.append(f"{name}: {', '.join(map(str, entries[:SHORT]))}{more}")
    return "\n".join(lines) + "\n"


def dump_statements(statements: Iterable[Statement]) -> Iterator[str]:
    """Statements, a line each, their bodies indented."""
    for each in statements:
        match each:
            case Do():
                data = "".join(f" {part}" for part in each.data if part is not None)
                yield f"{each.op}{data}{' ' if each.args else ''}{_list(each.args)}"
            case Let():
                yield f"{dump_value(each.register)} := {dump_value(each.value)}"
            case Push():
                yield f"push {dump_value(each.register)}, {dump_value(each.value)}"
            case When():
                yield f"when {dump_value(each.test)}:"
                yield from _indent(dump_statements(each.then))
                if each.otherwise:
                    yield "otherwise:"
                    yield from _indent(dump_statements(each.otherwise))
            case For():
                index = f", {dump_value(each.index)}" if each.index is not None else ""
                yield f"for {dump_value(each.register)}{index} in {dump_value(each.source)}:"
                yield from _indent(dump_statements(each.body))
            case Once():
                yield f"once L{each.label}:"
                yield from _indent(dump_statements(each.body))
            case Leave():
                yield f"leave L{each.label}"
            case Fault():
                yield "fault"
            case Ask():
                asked = f"ask {dump_value(each.seat)}, {'number' if each.number else 'choice'}"
                yield f"{dump_value(each.register)} := {asked} below {dump_value(each.size)}"
            case Grow():
                yield f"grow while {dump_value(each.keeps)}"


def _dump_end(end: End, names: Sequence[str]) -> Iterator[str]:
    match end:
        case Jump():
            yield f"jump {end.to}"
        case Branch():
            yield f"branch {dump_value(end.test)}, {end.yes}, {end.no}"
        case Switch():
            yield f"switch {dump_value(end.value)}: {', '.join(map(str, end.targets))}"
        case Decide():
            stored = f", stored in slot {end.store}" if end.store is not None else ""
            yield f"decide {dump_value(end.seat)}{stored}, then {end.to}:"
            yield from _indent([*_dump_menu(end.menu, names), *_dump_breaches(end.breaches, names)])
        case Perform():
            allowed = ", ".join(names[each] for each in end.actions)
            yield f"perform {dump_value(end.choice)} by {dump_value(end.seat)} ({allowed}), then {end.to}"
            yield from _indent(_dump_breaches(end.breaches, names))
        case _:
            yield "finish"


def _dump_menu(menu: Menu, names: Sequence[str]) -> Iterator[str]:
    for tier in menu.tiers:
        yield f"tier when {dump_value(tier.when)}:"
        for offer in tier.offers:
            yield f"  {names[offer.action]} if {dump_value(offer.test)}"
            yield from _indent(map(_dump_level, offer.levels), 2)
    if menu.optional:
        yield "or decline"


def _dump_level(level: Level) -> str:
    marks = [mark for mark, holds in (("one of each face", level.alike), ("a number", level.numbers)) if holds]
    pruned = f", grown while {dump_value(level.keeps)}" if level.keeps is not None else ""
    picked = f"{dump_value(level.variable)} in {dump_value(level.domain)} where {dump_value(level.test)}"
    return ", ".join([picked + pruned, *marks])


def _dump_breaches(breaches: Iterable[Breach], names: Sequence[str]) -> Iterator[str]:
    for breach in breaches:
        yield f"{names[breach.action]}({_list(breach.picks)}) breaks {dump_value(breach.clause)}"


def dump_value(value: Value) -> str:
    """A value on one line."""
    if value.constant is not None or value.constants is not None:
        return str(value.data[0])
    if value.op == "var":
        return f"${value.number}"
    if value.op == "register":
        return f"r{value.number}"
    parts = [dump_value(arg) for arg in value.args]
    if value.op in BINDERS:
        parts.insert(1, f"${value.number}:")
        return f"{value.op}({parts[0]}, {parts[1]} {', '.join(parts[2:])})"
    return f"{value.op}{''.join(map(_dump_data, value.data))}({', '.join(parts)})"


def _dump_data(each: object) -> str:
    match each:
        case Table():
            return f" T{each.number}"
        case Rows():
            return f" R{each.number}"
        case tuple():
            return f" of {len(set(each))}"  # classes of all cards
    return f" {each}"


def _list(values: Iterable[Value]) -> str:
    return ", ".join(map(dump_value, values))


def _indent(lines: Iterable[str], steps: int = 1) -> Iterator[str]:
    return (f"{'  ' * steps}{line}" for line in lines)
