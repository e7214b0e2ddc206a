"""Ends of steps: their conditions, and what each reads, so that it is tested only where that can have changed.

In: declarations of ends. Out: `EndRule`s.
"""

from __future__ import annotations

from hoyle.analyse.effects import Effects
from hoyle.elaborate.elaborator import Elaborator
from hoyle.elaborate.scope import Scope
from hoyle.lower.flow import EndRule, Flow
from hoyle.syntax.wording import renamed


def read_ends(elaborator: Elaborator, flow: Flow, effects: Effects) -> list[EndRule]:
    env = elaborator.env
    rules = []
    for end in env.declared.ends:
        name = renamed(end.step)
        if f"steps.{name}" not in flow.units:
            labels, hints = env.similar(name, env.declared.steps, "steps")
            env.report.error(
                "unknown-step", f"no step named `{name}` that could end", end.step.span, others=labels, hint=hints
            )
            continue
        test = elaborator.truth(end.when, Scope(flow.frame))
        rules.append(EndRule(name, test, effects.reads(test), env.clause(end.line)))
    return rules
