"""Builds the control-flow graph of a game.

In: declarations. Out: a `Graph` whose nodes are steps, decisions, actions and ends, in the order of the file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Literal

from hoyle.base.dataclass import dataclass
from hoyle.language.declare.declarations import Declarations
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written

Visit = Iterator["Visit"]  # a generator that yields nested visits
Kind = Literal["start", "step", "decision", "action", "end", "over"]
LONGEST_LABEL = 44
MOST_LABELS = 3
MOST_LINES = 4


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph; `lines` are shown below its title."""

    id: str
    kind: Kind
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the graph; `label` is its condition or repetition."""

    source: str
    target: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def build_graph(declared: Declarations) -> Graph:
    """Build the graph of the steps reachable from `match`, with their decisions, actions and ends."""
    return _Builder(declared).build()


class _Builder:
    def __init__(self, declared: Declarations) -> None:
        self.declared = declared
        self.nodes: dict[str, Node] = {}
        self.edges: dict[tuple[str, str], list[str]] = {}

    def build(self) -> Graph:
        self._add(Node("start", "start", "start"))
        self._lead("start", "steps.match", "")
        _go_through(self._visit_step("match"))
        self._add(Node("over", "over", "the match is over"))
        self._lead("steps.match", "over", "")
        # An incomplete file can refer to steps and actions that do not exist yet.
        known = [(ends, labels) for ends, labels in self.edges.items() if all(end in self.nodes for end in ends)]
        edges = tuple(Edge(a, b, _join(labels)) for (a, b), labels in known)
        return Graph(self.declared.title, tuple(self.nodes.values()), edges)

    def _add(self, node: Node) -> bool:
        """Add a node; return whether it is new."""
        if node.id in self.nodes:
            return False
        self.nodes[node.id] = node
        return True

    def _lead(self, source: str, target: str, label: str) -> None:
        self.edges.setdefault((source, target), []).append(label)

    def _visit_step(self, name: str) -> Visit:
        step = self.declared.steps.get(name)
        if step is None:
            return
        title = name if not step.pattern.params else f"{name} of {', '.join(word.id for word in step.pattern.params)}"
        if not self._add(Node(f"steps.{name}", "step", title, tuple(list_leavings(step.do)))):
            return
        yield self._visit_statements(f"steps.{name}", step.do)
        for end in self.declared.ends:
            if end.step.name == name:
                title = end.line.path.removeprefix(f"ends.{end.step.id}").lstrip(".") or "end"
                self._add(Node(end.line.path, "end", title, wrap(written(end.when))))
                self._lead(f"steps.{name}", end.line.path, "ends when")

    def _visit_statements(self, unit: str, statements: tuple[ast.Statement, ...]) -> Visit:
        for statement, around in walk_with_context(statements):
            match statement:
                case ast.Do():
                    yield self._visit_done(unit, statement.step.name, around)
                case ast.Choose():
                    how = ("may choose" if statement.may else "choose" if statement.together else "chooses")
                    how += " together" if statement.together else ""
                    yield self._visit_decision(unit, statement.menu, f"{written(statement.seat)} {how}", around)
                case ast.Offer():
                    who = shorten(f"any {' '.join(statement.binding.span.text.split())}")
                    again = ", until all decline" if statement.again else ""
                    yield self._visit_decision(unit, statement.menu, f"{who} may act{again}", around)

    def _visit_done(self, unit: str, name: str, around: str) -> Visit:
        step = self.declared.steps.get(name)
        if step is not None and step.is_action:
            yield self._visit_action(name)
            self._lead(unit, f"actions.{name}", around)
        else:
            yield self._visit_step(name)
            self._lead(unit, f"steps.{name}", around)

    def _visit_decision(self, unit: str, menu: ast.Menu, who: str, around: str) -> Visit:
        menu_text = " ".join(menu.span.text.split())
        choice = self.declared.choices.get(menu_text)
        tiers = [tier.offer.tiers[0] for tier in choice.tiers] if choice else list(menu.tiers)
        names = [tier.name for tier in choice.tiers] if choice else [str(n + 1) for n in range(len(tiers))]
        offered = [list(dict.fromkeys(item.action.name for item in tier)) for tier in tiers]
        lines = [who]
        if len(tiers) > 1:
            lines += [shorten(f"{name}: {', '.join(tier)}") for name, tier in zip(names, offered, strict=True)]
        node = f"{unit}: {menu_text}, {who}"
        self._lead(unit, node, around)
        if self._add(Node(node, "decision", choice.name if choice else shorten(menu_text), tuple(lines))):
            for action in dict.fromkeys(action for tier in offered for action in tier):
                yield self._visit_action(action)
                self._lead(node, f"actions.{action}", "")

    def _visit_action(self, name: str) -> Visit:
        action = self.declared.actions.get(name)
        if action is not None and self._add(Node(f"actions.{name}", "action", name, tuple(list_leavings(action.do)))):
            yield self._visit_statements(f"actions.{name}", action.do)


def _go_through(visit: Visit) -> None:
    """Run a visit and, depth first, its nested visits, with an explicit stack: steps can be nested deeper than Python's
    call stack permits."""
    open_visits = [visit]
    while open_visits:
        following = next(open_visits[-1], None)
        if following is None:
            open_visits.pop()
        else:
            open_visits.append(following)


def list_leavings(statements: tuple[ast.Statement, ...]) -> list[str]:
    """List the steps that a unit ends explicitly: `ends turn`."""
    found = (
        f"ends {one.step.name}{' ' + around if around else ''}"
        for one, around in walk_with_context(statements)
        if isinstance(one, ast.End)
    )
    return [line for text in dict.fromkeys(found) for line in wrap(text)]


def walk_with_context(
    statements: tuple[ast.Statement, ...], around: str = ""
) -> Iterator[tuple[ast.Statement, str]]:
    """Yield every statement with the header of its enclosing block: `if …`, `for each …`, `repeat …`."""
    for one in statements:
        yield one, around
        match one:
            case ast.If():
                for test, block in one.cases:
                    yield from walk_with_context(block, shorten(f"if {written(test)}"))
                yield from walk_with_context(one.otherwise, "otherwise")
            case ast.ForEach():
                yield from walk_with_context(one.body, shorten(f"for each {' '.join(one.binding.span.text.split())}"))
            case ast.Repeat():
                yield from walk_with_context(one.body, _say_repeat(one))
            case ast.Cases():
                for case in one.cases:
                    yield from walk_with_context(case.do, case.word.id)


def _say_repeat(node: ast.Repeat) -> str:
    times = f" {'at most ' if node.at_most else ''}{written(node.times)} times" if node.times is not None else ""
    until = f" until {written(node.until)}" if node.until is not None else ""
    return shorten(f"repeat{times}{until}")


def wrap(text: str) -> tuple[str, ...]:
    """Wrap a text into a few short lines."""
    lines = textwrap.wrap(text, LONGEST_LABEL, break_long_words=False, break_on_hyphens=False)
    return tuple(lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], lines[MOST_LINES - 1] + " …"])


def shorten(text: str) -> str:
    """Truncate a text to the length of a label."""
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1].rstrip() + "…"


def _join(labels: list[str]) -> str:
    known = list(dict.fromkeys(label for label in labels if label))
    if "" in labels and known:
        return ""  # one of the edges is unconditional, so the conditions of the others are redundant
    return ", ".join(known[:MOST_LABELS]) + ("…" if len(known) > MOST_LABELS else "")
