"""End conditions that may interrupt an action or a step, and the statements they skip.

In: declarations and their call graph. Out: a warning for each end that does not declare what it waits for, although at
some place it would skip something relevant.

The analysis is by names: an end reads, and statements change, zones, states, pots, and `score` for everything scored. A
skipped statement is relevant if it writes to the score sheet or a pot, moves cards while the match goes on, or changes
a state that is read after the step has ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Label, Report
from hoyle.base.effort import spend
from hoyle.language.declare.calls import Calls, blocks_of, statements_in
from hoyle.language.declare.declarations import Declarations, EndDecl
from hoyle.language.declare.usage import names_in
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir

SCORES = "score"
Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Cut:
    """In a unit, a statement that may trigger the end, and a later one that is skipped then; `direct`: the statement
    triggers it itself, not through a call."""

    unit: str
    cause: ast.Statement
    skipped: ast.Statement
    direct: bool


def report_cut_short(declared: Declarations, calls: Calls, report: Report) -> None:
    """Warn of each end that may skip statements and does not say whether it should."""
    finder = _Finder(declared, calls)
    for end in declared.ends:
        step = f"steps.{end.step.name}"
        if end.waits_for is not None or step not in calls.leads or end.line.span.source.own is not None:
            continue
        cuts = sorted(finder.find(end, step), key=lambda cut: (not cut.direct, not cut.unit.startswith("actions.")))
        if cuts:
            _report(end, cuts[0], report)


def _report(end: EndDecl, cut: Cut, report: Report) -> None:
    section, name = cut.unit.split(".", 1)
    kind = section.removesuffix("s")
    goes_on = cut.skipped.span.start <= cut.cause.span.start < cut.skipped.span.end
    undone = "this does not go on" if goes_on else "this is not done"
    report.error(
        "cut-short",
        f"this may come about in the middle of the {kind} `{name}`, whose rest is then left out",
        end.when.span,
        "tested after every change",
        others=(Label(cut.cause.span.first_line, "after this"), Label(cut.skipped.span.first_line, undone)),
        hint=(
            f"to have it finished first, write `{{when: …, waits_for: {'action' if kind == 'action' else name}}}`",
            "if it is meant to end at once, say so: `{when: …, waits_for: nothing}`",
        ),
    )


class _Finder:
    """Analyses the statements of every unit that runs inside a step."""

    def __init__(self, declared: Declarations, calls: Calls) -> None:
        self.declared = declared
        self.calls = calls
        self.kept = {name for name, state in declared.states.items() if state.lasts == "match"} | {"dealer"}
        self._meant: dict[str, Names] = {}
        self._bound: dict[str, dict[str, Names]] = {}
        self._outside: dict[str, Names] = {}
        self._named: dict[str, frozenset[tuple[str, str]]] = {}

    def find(self, end: EndDecl, step: str) -> Iterator[Cut]:
        inside = {step, *self.calls.reaches[step]}
        read = self._close(names_in(end.when))
        by_emptying, by_resetting = _tests_emptiness(end.when), _asks_for_nothing(end.when)
        outside = self._list_outside(step, inside)
        last = step == "steps.match"

        def causes(one: ast.Statement, unit: str) -> bool:
            if isinstance(one, ast.Set) and _resets(one) and not by_resetting:
                return False
            return self._may_cause(one, read, by_emptying, self._bind(unit))

        firing = {unit for unit in inside if any(causes(one, unit) for one in statements_in(self._body(unit)))}
        leading = {unit for unit in inside if unit in firing or firing & self.calls.reaches[unit]}

        def matters(one: ast.Statement) -> bool:
            units = [self._body(unit) for unit in self._led_to(one) if unit in self.calls.leads]
            return self._lasts(one, outside, last) or any(
                self._lasts(inner, outside, last)
                for block in (*blocks_of(one), *units)
                for inner in self._all_in(block)
            )

        def scan(unit: str, block: tuple[ast.Statement, ...], after: ast.Statement | None) -> Iterator[Cut]:
            spend(len(block))
            for number, one in enumerate(block):
                rest = next((each for each in block[number + 1 :] if matters(each)), after)
                if isinstance(one, ast.ForEach) and rest is None:
                    rest = one if any(matters(each) for each in one.body) else None
                if rest is not None and causes(one, unit):
                    yield Cut(unit, one, rest, direct=True)
                elif rest is not None and any(led in leading for led in self._led_to(one)):
                    yield Cut(unit, one, rest, direct=False)
                for inner in blocks_of(one):
                    yield from scan(unit, inner, rest)

        for unit in sorted(inside - {step}):
            yield from scan(unit, self._body(unit), None)

    def _list_outside(self, step: str, inside: set[str]) -> Names:
        """The names read after a step has ended: by other units, and by scores and winners."""
        if step not in self._outside:
            spend(len(self.calls.leads) // 4)
            apart = [self._list_named(unit) for unit in self.calls.leads if unit not in inside]
            rest = [self.declared.winners, self.declared.standing, *self.declared.column_totals.values()]
            self._outside[step] = self._close({*names_in(rest)}.union(*apart))
        return self._outside[step]

    def _list_named(self, unit: str) -> frozenset[tuple[str, str]]:
        if unit not in self._named:
            self._named[unit] = frozenset(names_in(self._body(unit)))
        return self._named[unit]

    def _all_in(self, block: tuple[ast.Statement, ...]) -> Iterator[ast.Statement]:
        """The statements of a block, and of all units it leads to."""
        units: dict[str, None] = {}
        for one in statements_in(block):
            yield one
            for unit in self._led_to(one):
                units |= dict.fromkeys([unit, *sorted(self.calls.reaches.get(unit, ()))])
        for unit in units:
            if unit in self.calls.leads:
                yield from statements_in(self._body(unit))

    def _body(self, unit: str) -> tuple[ast.Statement, ...]:
        return self.calls.body(unit)

    def _led_to(self, one: ast.Statement) -> list[str]:
        if isinstance(one, ast.Do):
            return [f"steps.{one.step.name}"]
        if isinstance(one, ast.Choose | ast.Offer):
            return [f"actions.{word.name}" for word in self.calls.offered(one.menu)]
        return []

    # ---------------------------------------------------------------------------------------------- names
    def _close(self, names: Iterable[tuple[str, str]]) -> Names:
        """The closure of names over definitions. Everything scored counts as one name."""
        found: set[str] = set()
        waiting = [name for kind, name in names if kind == "word"]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self._mean(name)
        if found & {SCORES, "lines", *self.declared.columns}:
            found.add(SCORES)
        return frozenset(found)

    def _mean(self, name: str) -> Names:
        if name not in self._meant:
            decl = self.declared.definitions.get(name)
            inner = names_in(decl.body) if decl is not None else ()
            self._meant[name] = frozenset(each for kind, each in inner if kind == "word")
        return self._meant[name]

    def _bind(self, unit: str) -> dict[str, Names]:
        """The names that each local name of a unit depends on: picks, bound names, loop variables."""
        if unit in self._bound:
            return self._bound[unit]
        section, name = unit.split(".", 1)
        found = self._bound[unit] = {}
        if section == "actions":
            for pick in self.declared.actions[name].picks:
                found[pick.name.id] = self._close(names_in(pick.pick.source)) if pick.pick else frozenset()
        for one in statements_in(self._body(unit)):
            if isinstance(one, ast.Let):
                found[one.word.id] = self._close(names_in(one.value))
            elif isinstance(one, ast.Draw):
                found[one.word.id] = self._close(names_in(one.source))
            elif isinstance(one, ast.ForEach):
                found[one.binding.word.id] = self._close(names_in(one.binding.source))
        return found

    def _zones(self, expr: object, bound: dict[str, Names]) -> Names | None:
        """The zones an expression names; None if it names none, and so may denote any."""
        names = self._close(names_in(expr))
        for _ in range(3):  # local names may refer to local names
            names |= frozenset().union(*(bound[name] for name in names if name in bound))
        return names & frozenset(self.declared.zones) or None

    # ---------------------------------------------------------------------------------------------- statements
    def _may_cause(self, one: ast.Statement, read: Names, by_emptying: bool, bound: dict[str, Names]) -> bool:
        match one:
            case ast.Set() | ast.AddTo():
                return one.target.name in read
            case ast.Score():
                return SCORES in read
            case ast.Pay():
                return bool(self._close(names_in(one)) & read & frozenset(self.declared.pots))
            case ast.Move():
                sources = self._zones(one.cards, bound) or frozenset(self.declared.zones)
                targets = frozenset() if by_emptying else self._zones(one.zone, bound) or frozenset(self.declared.zones)
                return bool((sources | targets) & read)
            case ast.Deal():
                targets = frozenset() if by_emptying else self._zones(one, bound) or frozenset()
                return bool((targets | (self._zones(one.source, bound) or frozenset())) & read)
        return _moves_cards(one) and bool((self._zones(one, bound) or frozenset(self.declared.zones)) & read)

    def _lasts(self, one: ast.Statement, outside: Names, last: bool) -> bool:
        match one:
            case ast.Score() | ast.Mark() | ast.Pay() | ast.Retire():
                return True
            case ast.Set() | ast.AddTo():
                name = one.target.name
                return name in outside or (name in self.kept and not last)
        used = self._close(names_in(one)) & outside & frozenset(self.declared.zones)
        return _moves_cards(one) and (not last or bool(used))


def _moves_cards(one: ast.Statement) -> bool:
    return any(kind in (ir.Move, ir.Deal, ir.Swap) for kind in one.becomes or ())


def _tests_emptiness(test: ast.Expr) -> bool:
    """Whether a condition can become true only by cards leaving a zone."""
    if isinstance(test, ast.Logic):
        return _tests_emptiness(test.left) and _tests_emptiness(test.right)
    if isinstance(test, ast.Group):
        return _tests_emptiness(test.body)
    if isinstance(test, ast.Quantified):
        return test.how != "no" and _tests_emptiness(test.test)
    return isinstance(test, ast.IsA) and test.word.id == "empty" and not test.negated


def _resets(one: ast.Set) -> bool:
    return one.value is None or (isinstance(one.value, ast.Int) and one.value.value == 0)


def _asks_for_nothing(test: object) -> bool:
    """Whether a condition can become true by a number being reset to 0, or a value to none."""
    for part in _parts_of(test):
        if isinstance(part, ast.Compare):
            is_nought = isinstance(part.right, ast.Int) and part.right.value == 0
            if part.op in ("<", "<=") or (part.op == "=" and is_nought):
                return True
        if isinstance(part, ast.IsA) and part.word.id in ("none", "empty") and not part.negated:
            return True
    return False


def _parts_of(node: Any) -> Iterator[Any]:
    """An expression and all expressions inside it."""
    yield node
    for part in fields(node):
        value = getattr(node, part.name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, ast.Expr):
                yield from _parts_of(each)
