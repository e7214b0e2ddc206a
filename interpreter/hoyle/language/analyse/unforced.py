"""Loops that go on until something that nothing must bring about: again and again, players can choose what does not
bear on it.

In: declarations and their call graph. Out: a warning for each such `repeat until`, and each `repeat` that only `ends:`
leave.

The analysis is by names, and in favour of the author: a statement brings the condition about if it may change anything
that the condition reads, in any case; a choice does if every action does that can always be chosen. A comment on the
line marks an intended case: `# goes on: why`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hoyle.base.diagnostics.report import Report
from hoyle.base.effort import spend
from hoyle.base.source import Span
from hoyle.language.declare.calls import Calls, blocks_of, statements_in
from hoyle.language.declare.declarations import Declarations
from hoyle.language.declare.usage import names_in
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import head_of, written
from hoyle.program.ir.parts import Part
from hoyle.program.words import WORDS

MEANT = re.compile(r"#\s*goes on:\s*\S")
SCORES, CARDS = "score", "the cards"
PARTS = {Part.ZONES: CARDS, Part.HOLDERS: CARDS, Part.FACES: CARDS, Part.TOTALS: SCORES, Part.LINES: SCORES}
Names = frozenset[str]


def report_unforced(declared: Declarations, calls: Calls, report: Report) -> None:
    """Warn of each loop of the game's own that may go on for ever by what players choose."""
    finder = _Finder(declared, calls)
    for unit in calls.leads:
        for one in statements_in(calls.body(unit)):
            if not isinstance(one, ast.Repeat) or one.times is not None:
                continue
            span = one.until.span if one.until is not None else head_of(one)
            if span.source.own is None and not MEANT.search(span.source.line_text(span.line)):
                finder.look(unit, one, span, report)


class _Finder:
    def __init__(self, declared: Declarations, calls: Calls) -> None:
        self.declared, self.calls = declared, calls

    def look(self, unit: str, loop: ast.Repeat, span: Span, report: Report) -> None:
        ends = [end.when for end in self.declared.ends if unit == (step := f"steps.{end.step.name}")
                or unit in self.calls.reaches.get(step, ())]  # fmt: skip
        read = self._close(names_in([*([loop.until] if loop.until is not None else []), *ends]))
        idle: dict[str, None] = {}
        if not read or any(self._bears(one, read, idle) for one in loop.body):
            return
        said = written(loop.until) if loop.until is not None else " or ".join(map(written, ends))
        until = f" until {said}" if loop.until is not None else ""
        if any(self._bears(each, read, None) for each in loop.body):
            chosen = _either(idle) if idle else "to do nothing"
            message = f"nothing must make `{said}` true: {chosen} can be chosen again and again"
            hint = f"say when it is over anyhow: `repeat at most 100 times{until}:`, or leave the step by `end`"
        else:
            message = f"nothing in this loop changes anything that `{said}` looks at"
            hint = "look at something that the loop changes"
        report.error("may-go-on", message, span, "goes on until then", hint=hint)

    def _close(self, names: Iterable[tuple[str, str]]) -> Names:
        """What a condition depends on: states, pots, cards, scores; nothing if that cannot be told."""
        found, waiting = set[str](), list(names)
        for kind, name in waiting:  # grows while it is gone through
            if kind != "word":
                return frozenset()
            if name in found:
                continue
            found.add(name)
            spend()
            if name in self.declared.definitions:
                waiting += names_in(self.declared.definitions[name].body)
            elif name in self.declared.zones:
                found.add(CARDS)
            elif name in (SCORES, *self.declared.columns):
                found.add(SCORES)
            elif name in WORDS and name not in self.declared.states:
                looks = WORDS[name].reads
                if looks is None or any(look.part not in PARTS and look.part is not Part.SEATS for look in looks):
                    return frozenset()
                found |= {PARTS[look.part] for look in looks if look.part in PARTS}
        changing = {SCORES, CARDS, "dealer", *self.declared.states, *self.declared.pots}
        return frozenset(found & changing)

    def _bears(self, one: ast.Statement, read: Names, idle: dict[str, None] | None) -> bool:
        """Whether a statement may change what is read, or leave the loop, whatever players choose; `idle` collects the
        names of actions that do not and can always be chosen. With None, whether it does where they choose to."""
        spend()
        if isinstance(one, ast.End | ast.TakeBack | ast.Lost):
            return True
        if isinstance(one, ast.Do):
            return any(self._bears(each, read, idle) for each in self._bodies([f"steps.{one.step.name}"]))
        if isinstance(one, ast.Choose | ast.Offer):
            if idle is None:
                names = [word.name for word in self.calls.offered(one.menu)]
                if not all(name in self.declared.actions for name in names):
                    return True  # a misspelt action may do anything
                return any(self._bears(each, read, None) for each in self._bodies(f"actions.{name}" for name in names))
            can_decline = isinstance(one, ast.Offer) or one.may
            must = not can_decline and not self._find_idle(one.menu, read, idle)
            return must and self._bears(one, read, None)
        if any(self._bears(each, read, idle) for block in blocks_of(one) for each in block):
            return True
        return any(self._writes(one, kind.writes, read) for kind in one.becomes or ()) or one.becomes is None

    def _bodies(self, units: Iterable[str]) -> Iterator[ast.Statement]:
        for unit in units:
            yield from self.calls.body(unit) if unit in self.calls.leads else ()

    def _writes(self, one: ast.Statement, touches: Iterable[object] | None, read: Names) -> bool:
        for touch in touches or ():
            part = getattr(touch, "part", Part.ALL)
            if part in PARTS:
                if PARTS[part] in read:
                    return True
            elif part is Part.STATES:
                if self._named(one) & read:
                    return True
            elif part is not Part.SLOTS:
                return True
        return touches is None

    def _named(self, one: ast.Statement) -> Names:
        return frozenset(name for kind, name in names_in(one) if kind == "word")

    def _find_idle(self, menu: ast.Menu, read: Names, idle: dict[str, None]) -> bool:
        """Whether an action that can always be chosen bears on nothing that is read."""
        found = False
        for name in self._list_open(menu):
            action = self.declared.actions.get(name)
            if action is None or action.picks or action.possible or action.allowed:
                continue
            if not any(self._bears(each, read, {}) for each in action.do):
                idle[name], found = None, True
        return found

    def _list_open(self, menu: ast.Menu) -> Iterator[str]:
        """The actions that a menu offers in any case."""
        for item in menu.tiers[0]:
            name = item.action.name
            choice = self.declared.choices.get(name)
            if item.where is not None:
                continue
            if choice is None:
                yield name
            elif choice.tiers and choice.tiers[0].when is None:
                yield from (each.action.name for each in choice.tiers[0].offer.tiers[0] if each.where is None)


def _either(names: Iterable[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)
