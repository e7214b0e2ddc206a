"""Tabulation: partial evaluation of a scalar expression of one small variable into a lookup table.

In: a value. Out: the same as a table lookup, if it consists of constants, tables and arithmetic alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import between
from hoyle.play.codegen.low.values import SCALARS, Value, transform, walk
from hoyle.play.codegen.passes.patterns import find_filter

MOST_ENTRIES = 256
LIGHTEST, HEAVIEST = 3, 60


def tabulate(build: Builder, value: Value, *, reads: bool = False) -> Value | None:
    """The value as a table lookup, if its only leaf is a variable (with `reads`, a load), and if that pays."""
    if value.faults or value.fact.is_list or not LIGHTEST <= value.weight <= HEAVIEST or value.op in ("table", "sure"):
        return None
    leaves = set(_list_leaves(value))
    if len(leaves) != 1:
        return None
    leaf = leaves.pop()
    of_variable, fact = leaf.op == "var", leaf.fact
    if not (of_variable or reads) or fact.is_list or fact.none or not 0 <= fact.low <= fact.high < MOST_ENTRIES:
        return None
    saved = set(walk(value)) - set(walk(leaf))
    if sum(node.op not in (("int",) if of_variable else ("int", "sure", "not")) for node in saved) < 2:
        return None
    variable = build.make("var", (), (0,), between(0, fact.high))  # binders are numbered from 1 on

    def put(node: Value) -> Value:
        return variable if node is leaf else build.make(node.op, [put(arg) for arg in node.args], node.data, node.fact)

    try:
        entries = _evaluate(build, value, leaf) if of_variable else _evaluate(build, put(value), variable)
    except IndexError:  # an inner table is too short for an index that a guard elsewhere rules out
        return None
    return None if entries is None else build.table(entries, leaf)


def _list_leaves(value: Value) -> Iterator[Value]:
    """The leaves of a scalar expression that are not constants: variables, loads, reducers."""
    if value.op not in SCALARS or value.op == "var" or (value.op == "sure" and value.args[0].op not in SCALARS):
        yield value
        return
    for arg in value.args:
        yield from _list_leaves(arg)


def _evaluate(build: Builder, value: Value, variable: Value) -> list[int | None] | None:
    """The value for each number that its variable can be; None if one does not fold to a constant."""
    entries: list[int | None] = []
    for found in build.instances(value, variable):
        if found.op == "none":  # if the fact excludes none, this entry is never read
            entries.append(None if value.fact.none else value.fact.low)
        elif found.constant is not None:
            entries.append(found.constant)
        else:
            return None
    return entries


def is_scalar(value: Value) -> bool:
    """Whether a value consists of variables, constants, tables and arithmetic alone."""
    return all(node.op in SCALARS for node in walk(value))


def list_entries(build: Builder, value: Value, variable: Value) -> Sequence[int | None] | None:
    """The value for each number that `variable` can be, if it depends on nothing else."""
    while value.op == "sure":
        value = value.args[0]
    if value is variable:
        return range(variable.fact.high + 1)
    if value.op == "table" and value.args[0] is variable:
        return value.table.values[: variable.fact.high + 1]
    if value.free != {variable.number} or value.faults or value.weight > HEAVIEST or not is_scalar(value):
        return None
    return _evaluate(build, value, variable)


def list_possible(build: Builder, domain: Value, faces: Sequence[int]) -> list[int]:
    """The faces of the cards that can be in a list, by its filter; `faces` are those of the whole deck."""
    source, test = find_filter(domain)
    entries = None
    if source is not None:
        entries = list_entries(build, test, build.read("var", domain.element, data=(domain.number,)))
    return [face for card, face in enumerate(faces) if entries is None or (card < len(entries) and entries[card])]


def narrow(build: Builder, value: Value, test: Value, variable: Value) -> Value:
    """The value under a test of the same variable: subterms constant for all numbers that meet it are folded."""
    if test is build.true or variable.fact.is_list or variable.fact.low < 0 or variable.fact.high >= MOST_ENTRIES:
        return value
    possible = set(range(variable.fact.low, variable.fact.high + 1))
    for part in test.args if test.op == "and" else (test,):
        entries = list_entries(build, part, variable)
        if entries is not None:
            possible &= {number for number, entry in enumerate(entries) if entry}

    def change(node: Value) -> Value:
        if not node.fact.is_truth or node.free != {variable.number}:
            return node
        entries = list_entries(build, node, variable)
        found = set() if entries is None else {entries[number] for number in possible if number < len(entries)}
        return build.truth(bool(found.pop())) if len(found) == 1 and None not in found else node

    return transform(value, build, change, {}) if len(possible) <= variable.fact.high else value
