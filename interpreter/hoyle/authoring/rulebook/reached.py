"""Which steps and actions play reaches with the options as they stand.

In: declarations. Out: the steps in the order of play; the steps and actions that wait for options.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hoyle.authoring.rulebook.settling import settle
from hoyle.base.shipped import module_folder
from hoyle.language.declare.calls import Calls, blocks_of
from hoyle.language.declare.declarations import Declarations, Line, StepDecl
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import renamed


def is_of_module(line: Line) -> bool:
    return module_folder() in Path(line.span.source.name).resolve().parents


def statements_in_force(declared: Declarations, statements: tuple[ast.Statement, ...]) -> Iterator[ast.Statement]:
    """All statements, including those of nested blocks, that can be executed with the options as they stand."""
    for one in statements:
        yield one
        blocks = blocks_of(one)
        if isinstance(one, ast.If):
            held = [settle(declared, test) for test, _ in one.cases]
            last = held.index(True) if True in held else len(held)
            blocks = [block for at, block in enumerate(blocks) if at <= last and (*held, None)[at] is not False]
        elif isinstance(one, ast.Cases):
            blocks = [case.do for case in one.cases if case.when is None or settle(declared, case.when) is not False]
        for block in blocks:
            yield from statements_in_force(declared, block)


def list_steps(declared: Declarations, *, told_only: bool) -> list[StepDecl]:
    """List the steps in the order in which play reaches them, then unreachable ones. With `told_only`, steps that wait
    for options are left out, and a sentence covers what is below it that has none of its own."""
    found: dict[str, bool] = {}  # whether it is covered

    def visit(name: str, *, covered: bool) -> None:
        step = declared.steps.get(name)
        if step is None or found.get(name) in (False, covered):
            return
        found[name] = covered
        inner = covered or bool(step.line.text)
        for one in statements_in_force(declared, step.do):
            if isinstance(one, ast.Do):
                visit(renamed(one.step), covered=inner)

    visit("match", covered=False)
    dormant = list_dormant(declared) if told_only else set()
    for action in declared.actions.values():
        if f"actions.{action.name}" in dormant:
            continue
        for one in statements_in_force(declared, action.do):
            if isinstance(one, ast.Do):
                visit(renamed(one.step), covered=bool(action.line.text))
    unreached = (
        each
        for each, step in declared.steps.items()
        if each not in found and not is_of_module(step.line) and f"steps.{each}" not in dormant
    )
    listed = [declared.steps[name] for name in (*found, *unreached) if not declared.steps[name].is_action]
    return [each for each in listed if not told_only or each.line.text or not found.get(each.name, False)]


def list_dormant(declared: Declarations) -> set[str]:
    """List the steps and actions that play reaches only if options are set otherwise."""
    calls = Calls(declared)
    awake: set[str] = set()
    waiting = ["steps.match"]
    while waiting:
        unit = waiting.pop()
        if unit not in awake and unit in calls.leads:
            awake.add(unit)
            waiting += [name for name, _ in calls.targets(statements_in_force(declared, calls.body(unit)))]
    return set(calls.reaches["steps.match"]) - awake if "steps.match" in calls.reaches else set()
