"""End conditions of steps, with their read effects, so that they are tested only where their value may have changed.

In: declarations of ends. Out: `EndRule`s.
"""

from __future__ import annotations

from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.scope import Scope
from hoyle.language.irgen.flow import EndRule, Flow
from hoyle.language.syntax import ast
from hoyle.program.effects import Effects


def read_ends(elaborator: Elaborator, flow: Flow, effects: Effects) -> list[EndRule]:
    env = elaborator.env
    rules = []
    for end in env.declared.ends:
        name = end.step.name
        if name in env.reported and f"steps.{name}" not in flow.units:
            continue
        if f"steps.{name}" not in flow.units:
            env.report.error(
                "unknown-step",
                f"no step named `{name}` that could end",
                end.step.span,
                **env.similar(name, env.declared.steps, end.step.span, "steps"),
            )
            continue
        test = elaborator.truth(end.when, Scope(flow.frame, where="end"))
        waits = _read_waits(env, flow, end.waits_for or ())
        rules.append(EndRule(name, test, effects.reads(test), env.clause(end.line), waits))
    return rules


def _read_waits(env: Environment, flow: Flow, words: tuple[ast.Word, ...]) -> frozenset[str]:
    """The units that must have finished before an end is tested."""
    units: set[str] = set()
    for word in words:
        name = word.name
        if name == "action":
            units |= {unit for unit in flow.units if unit.startswith("actions.")}
            units |= {f"steps.{each}" for each, step in env.declared.steps.items() if step.is_action}
        elif f"steps.{name}" in flow.units:
            units.add(f"steps.{name}")
        elif name != "nothing":
            known = ["nothing", "action", *env.declared.steps]
            env.report.error(
                "unknown-step",
                f"no step named `{name}` that could be waited for",
                word.span,
                **env.similar(name, known, word.span, "things to wait for"),
            )
    return frozenset(units)
