"""Dead assignments to the states of a module: the game sets them, and the module overwrites them before reading them.

In: declarations and their call graph. Out: a warning for each lost assignment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.base.diagnostics.report import Label, Report
from hoyle.base.effort import spend
from hoyle.base.source import Source
from hoyle.language.declare.calls import Calls, blocks_of, statements_in
from hoyle.language.declare.declarations import Declarations
from hoyle.language.declare.usage import names_in
from hoyle.language.syntax import ast

ANY = "*"


def report_overwritten(declared: Declarations, calls: Calls, report: Report) -> None:
    """Warn of assignments in a game that a step of a module overwrites."""
    modules = {state.line.span.source for state in declared.states.values() if state.line.span.source.own is not None}
    if not modules:
        return
    finder = _Finder(declared, calls)
    for unit in calls.leads:
        inside = any(unit in calls.reaches[other] for other in calls.leads if finder.module_of(other) is not None)
        if finder.module_of(unit) is None and not inside:  # units called by a module may well change its states
            for setting, state, done in finder.find(calls.body(unit), ()):
                _report(declared, setting, state, done, report)


def _report(declared: Declarations, setting: ast.Statement, state: str, done: ast.Do, report: Report) -> None:
    source = declared.states[state].line.span.source
    inputs = sorted(name for name in source.inputs if name != ANY)
    taken = f"a game may set {', '.join(f'`{name}`' for name in inputs)}" if inputs else "a game need set nothing"
    report.error(
        "overwritten",
        f"what this sets, `{state}`, is set anew by `{done.step.name}`",
        setting.span,
        "lost",
        others=(Label(done.span, "done after it"), Label(declared.states[state].line.span, "the module's own")),
        hint=f"{taken} before; what else the module asks for stands under `definitions:`",
    )


class _Finder:
    def __init__(self, declared: Declarations, calls: Calls) -> None:
        self.declared = declared
        self.calls = calls

    def module_of(self, unit: str) -> Source | None:
        """The module in which a step or an action is declared; None for the game itself."""
        section, name = unit.split(".", 1)
        decl = self.declared.steps[name] if section == "steps" else self.declared.actions[name]
        source = decl.line.span.source
        return source if source.own is not None else None

    def find(
        self, block: tuple[ast.Statement, ...], after: tuple[ast.Statement, ...]
    ) -> Iterator[tuple[ast.Statement, str, ast.Do]]:
        """Assignments in a block that a later statement overwrites, with the state and that statement."""
        spend(len(block))
        for number, one in enumerate(block):
            rest = (*block[number + 1 :], *after)
            for state in dict.fromkeys(self._set_by(one)):
                done = self._done_next(one, state, rest)
                if done is not None:
                    yield one, state, done
                    break
            for inner in blocks_of(one):
                yield from self.find(inner, rest)

    def _set_by(self, one: ast.Statement) -> Iterator[str]:
        """The states of modules that a statement sets, directly or by a step of the module."""
        if isinstance(one, ast.Do):
            unit = f"steps.{one.step.name}"
            if unit in self.calls.leads and self.module_of(unit) is not None:
                for each in self._all_in(unit):
                    yield from self._set_by(each) if not isinstance(each, ast.Do) else ()
            return
        name = _target_of(one)
        state = self.declared.states.get(name)
        if state is not None and state.line.span.source.own is not None:
            yield name

    def _done_next(self, one: ast.Statement, state: str, rest: tuple[ast.Statement, ...]) -> ast.Do | None:
        """The next step of the same module, if it overwrites the state and nothing reads the state before."""
        source = self.declared.states[state].line.span.source
        strict = isinstance(one, ast.Set | ast.AddTo) and ANY not in source.inputs
        if state in source.inputs:
            return None
        for each in rest:
            unit = f"steps.{each.step.name}" if isinstance(each, ast.Do) else ""
            if isinstance(each, ast.Do) and unit in self.calls.leads and self.module_of(unit) is source:
                same = isinstance(one, ast.Do) and one.step.name == each.step.name
                sets = any(_target_of(inner) == state for inner in self._all_in(unit))
                lost = sets and not same and (strict or self._is_set_first(self.calls.body(unit), state))
                return each if lost else None
            if self._mentions([each], state):
                return None
        return None

    def _is_set_first(self, block: tuple[ast.Statement, ...], state: str) -> bool:
        for one in block:
            if _target_of(one) == state and not (isinstance(one, ast.Set) and self._mentions_in(one.value, state)):
                return isinstance(one, ast.Set)
            is_free = isinstance(one, ast.ForEach) and not self._mentions_in(one.binding, state)
            if is_free and any(self._is_set_first(inner, state) for inner in blocks_of(one)):
                return True
            if self._mentions([one], state):
                return False
        return False

    def _all_in(self, unit: str) -> Iterator[ast.Statement]:
        for each in (unit, *sorted(self.calls.reaches[unit])):
            if each in self.calls.leads and self.module_of(each) is not None:
                yield from statements_in(self.calls.body(each))

    def _mentions(self, statements: Iterable[ast.Statement], state: str) -> bool:
        """Whether statements, or what they lead to, mention a state."""
        return any(self._mentions_in(one, state) for one in statements)

    def _mentions_in(self, node: object, state: str) -> bool:
        seen: set[tuple[str, str]] = set()
        waiting = list(names_in(node))
        while waiting:
            kind, name = one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if kind == "word" and name == state:
                return True
            if kind == "word" and name in self.declared.definitions:
                waiting += names_in(self.declared.definitions[name].body)
            elif kind == "step" and name in self.declared.steps:
                waiting += names_in(self.declared.steps[name].do)
            elif kind == "menu":
                waiting += self._named_by_menu(name)
        return False

    def _named_by_menu(self, name: str) -> list[tuple[str, str]]:
        if name in self.declared.choices:
            return list(names_in(self.declared.choices[name].tiers))
        action = self.declared.actions.get(name)
        return [] if action is None else list(names_in((action.picks, action.possible, action.allowed, action.do)))


def _target_of(one: ast.Statement) -> str:
    """The state that a statement sets or adds to."""
    return one.target.name if isinstance(one, ast.Set | ast.AddTo) else ""
