"""Ends of steps: their conditions, and what each reads, so that it is tested only where that can have changed.

In: declarations of ends. Out: `EndRule`s.
"""

from __future__ import annotations

from hoyle.analyse.effects import Reads
from hoyle.elaborate.elaborator import Elaborator
from hoyle.elaborate.environment import Environment
from hoyle.elaborate.scope import Scope
from hoyle.ir import nodes as ir
from hoyle.lower.flow import EndRule, Flow
from hoyle.lower.menus import Menus
from hoyle.syntax.wording import renamed


def read_ends(elaborator: Elaborator, flow: Flow, menus: Menus) -> list[EndRule]:
    env = elaborator.env
    reads = Reads(_bodies(env), {env.actions[n]: p.possible + p.allowed for n, p in menus.parts.items()})
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
        reads.definitions = _bodies(env)
        rules.append(EndRule(name, test, reads.of(test), env.clause(end.line)))
    return rules


def _bodies(env: Environment) -> dict[int, ir.Expr]:
    return {d.index: d.result.body for d in env.definitions.values() if d.result is not None}
