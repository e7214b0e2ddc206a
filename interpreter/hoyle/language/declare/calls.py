"""The call graph of steps and actions: what does or offers what.

In: declarations. Out: the call graph, its transitive closure, and recursive cycles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.base.diagnostics.report import Label, Report
from hoyle.language.declare.declarations import Declarations
from hoyle.language.syntax import ast


def statements_in(statements: tuple[ast.Statement, ...]) -> Iterator[ast.Statement]:
    """All statements, including those of nested blocks."""
    for one in statements:
        yield one
        for block in blocks_of(one):
            yield from statements_in(block)


def list_statements(declared: Declarations) -> Iterator[ast.Statement]:
    """All statements of the steps and actions of a game."""
    for section in (declared.steps, declared.actions):
        for unit in section.values():
            yield from statements_in(unit.do)


def blocks_of(statement: ast.Statement) -> list[tuple[ast.Statement, ...]]:
    """The blocks directly inside a statement."""
    if isinstance(statement, ast.If):
        return [*(block for _, block in statement.cases), statement.otherwise]
    if isinstance(statement, ast.ForEach | ast.Repeat | ast.Lost):
        return [statement.body]
    return [case.do for case in statement.cases] if isinstance(statement, ast.Cases) else []


class Calls:
    """The call graph; units are named `steps.NAME` and `actions.NAME`. `leads` are the direct edges, each with the word
    that names the target; `reaches` is the transitive closure."""

    def __init__(self, declared: Declarations) -> None:
        self.declared = declared
        self.leads: dict[str, dict[str, ast.Word]] = {}
        for name, step in declared.steps.items():
            self.leads[f"steps.{name}"] = dict(self.targets(statements_in(step.do)))
        for name, action in declared.actions.items():
            self.leads[f"actions.{name}"] = dict(self.targets(statements_in(action.do)))
        self.reaches = {unit: self._reached(unit) for unit in self.leads}

    def targets(self, statements: Iterable[ast.Statement]) -> Iterator[tuple[str, ast.Word]]:
        """The units that the statements themselves do or offer, each with the word that names it."""
        for one in statements:
            if isinstance(one, ast.Do):
                yield f"steps.{one.step.name}", one.step
            elif isinstance(one, ast.Choose | ast.Offer):
                for word in self.offered(one.menu):
                    yield f"actions.{word.name}", word

    def offered(self, menu: ast.Menu) -> Iterator[ast.Word]:
        """The actions offered by a menu; a name of `choices:` stands for the actions of all its tiers."""
        for tier in menu.tiers:
            for item in tier:
                choice = self.declared.choices.get(item.action.name)
                if choice is None:
                    yield item.action
                else:
                    for inner in choice.tiers:
                        yield from (i.action for part in inner.offer.tiers for i in part)

    def body(self, unit: str) -> tuple[ast.Statement, ...]:
        """The statements of a unit."""
        section, name = unit.split(".", 1)
        return self.declared.steps[name].do if section == "steps" else self.declared.actions[name].do

    def _reached(self, unit: str) -> frozenset[str]:
        """Everything that may run while the unit runs; the unit itself is included only if it is recursive."""
        found: set[str] = set()
        waiting = list(self.leads.get(unit, ()))
        while waiting:
            one = waiting.pop()
            if one not in found and one in self.leads:
                found.add(one)
                waiting.extend(self.leads[one])
        return frozenset(found)

    def report_rings(self, report: Report) -> bool:
        """Report recursive steps and actions, one for each cycle: the first in the file. Whether there are any."""
        found: set[str] = set()
        for unit in self.leads:
            if unit in self.reaches[unit] and unit not in found:
                section, name = unit.split(".", 1)
                step = self.declared.steps[name] if section == "steps" else self.declared.actions[name]
                what = step.line.path.split("s.", 1)[0]
                via = next(
                    (w for u, w in self.leads[unit].items() if u == unit or unit in self.reaches.get(u, ())), None
                )
                report.error(
                    "step-ring",
                    f"the {what} `{name}` leads back to itself",
                    via.span if via else step.line.span,
                    "by way of this",
                    others=(Label(step.line.span, f"the {what}"),),
                    hint=(
                        "use `repeat … until` to do something again",
                        "effects that lead to effects wait in a list: `add effect to waiting`, and the next is its top",
                    ),
                )
                found.add(unit)
                found |= {one for one in self.reaches[unit] if unit in self.reaches[one]}
        return bool(found)
