"""In which order play reaches steps.

In: declarations. Out: the steps in that order.
"""

from __future__ import annotations

from pathlib import Path

from hoyle.base.shipped import module_folder
from hoyle.language.declare.calls import statements_in
from hoyle.language.declare.declarations import Declarations, Line, StepDecl
from hoyle.language.syntax import ast


def is_of_module(line: Line) -> bool:
    return module_folder() in Path(line.span.source.name).resolve().parents


def list_steps(declared: Declarations, *, told_only: bool) -> list[StepDecl]:
    """List the steps in the order in which play reaches them, then unreachable ones. With `told_only`, a sentence
    covers what is below it that has none of its own."""
    found: dict[str, bool] = {}  # whether it is covered

    def visit(name: str, *, covered: bool) -> None:
        step = declared.steps.get(name)
        if step is None or found.get(name) in (False, covered):
            return
        found[name] = covered
        inner = covered or bool(step.line.text)
        for one in statements_in(step.do):
            if isinstance(one, ast.Do):
                visit(one.step.name, covered=inner)

    visit("match", covered=False)
    for action in declared.actions.values():
        for one in statements_in(action.do):
            if isinstance(one, ast.Do):
                visit(one.step.name, covered=bool(action.line.text))
    unreached = (each for each, step in declared.steps.items() if each not in found and not is_of_module(step.line))
    listed = [declared.steps[name] for name in (*found, *unreached) if not declared.steps[name].is_action]
    return [each for each in listed if not told_only or each.line.text or not found.get(each.name, False)]
