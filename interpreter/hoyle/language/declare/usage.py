"""Reachability of declarations from the first step, the end conditions and the result.

In: declarations. Out: the paths of unreachable declarations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any

from hoyle.base.dataclass import dataclass, list_fields
from hoyle.base.source import Span
from hoyle.language.declare.calls import statements_in
from hoyle.language.declare.declarations import Declarations
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import BRACES

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*")


@dataclass(slots=True)
class _Reached:
    """Reachable names, by namespace."""

    words: set[str] = field(default_factory=set)
    steps: set[str] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)
    choices: set[str] = field(default_factory=set)


def list_unused(declared: Declarations, kept: Iterable[str] = ()) -> set[str]:
    """The paths of unreachable options, zones, states, pots, kinds, definitions, actions, choices and steps. `kept` are
    additional roots."""
    found = _reach(declared, kept)
    unused: set[str] = set()
    rows = _rows(declared)
    named: tuple[tuple[str, Iterable[str]], ...] = (
        ("options", declared.options),
        ("zones", declared.zones),
        ("state", declared.states),
        ("pots", declared.pots),
        ("definitions", [name for name in declared.definitions if name not in rows]),
    )
    for section, names in named:
        unused |= {f"{section}.{name}" for name in names if name not in found.words}
    unused |= {
        f"kinds.{name}"
        for name, kind in declared.kinds.items()
        if not {name, *(kind.values or kind.names)} & found.words
    }
    unused |= {f"actions.{name}" for name in declared.actions if name not in found.actions}
    unused |= {f"choices.{name}" for name in declared.choices if name not in found.choices}
    own_steps = [name for name, step in declared.steps.items() if not step.is_action]
    unused |= {f"steps.{name}" for name in own_steps if name not in found.steps}
    tables = {f"scores.{name}" for name in declared.scores if f"definitions.{name}" in unused}
    return {path for path in unused if path.replace("definitions.", "scores.", 1) not in tables} | tables


def _rows(declared: Declarations) -> set[str]:
    """The definitions derived from rows of score tables."""
    return {name for table in declared.scores for name in declared.definitions if name.startswith(f"{table}.")}


def _reach(declared: Declarations, kept: Iterable[str] = ()) -> _Reached:
    found = _Reached()
    waiting: list[tuple[str, str]] = [("step", "match")]
    kinds = {"steps": "step", "actions": "menu", "choices": "menu"}
    waiting += [(kinds.get(section, "word"), name) for section, _, name in (path.partition(".") for path in kept)]
    seen: set[tuple[str, str]] = set()

    def take(*parts: object) -> None:
        for kind, name in names_in(parts):
            waiting.append((kind, name))

    roots = [declared.most, declared.struck, declared.standing, declared.track, declared.team_size, declared.teams_if]
    take(declared.winners, declared.utility, declared.errors)
    take(declared.hints.value if declared.hints is not None else None)
    take(*roots, *declared.column_totals.values(), *declared.ends)
    if declared.table is not None:
        take(declared.table.counts)
    if declared.deck is not None:
        take(declared.deck.starts_in, *((row.copies, row.condition) for row in declared.deck.rows))
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        kind, name = one
        if kind == "step" and name in declared.steps:
            (found.actions if declared.steps[name].is_action else found.steps).add(name)
            take(declared.steps[name].do, *(end for end in declared.ends if end.step.id == name))
        elif kind == "menu":
            if name in declared.choices:
                found.choices.add(name)
                take(declared.choices[name].tiers)
            elif name in declared.actions:
                found.actions.add(name)
                _take_action(declared, name, take)
        elif kind == "asked" and name in declared.actions:
            _take_action(declared, name, take)
        elif kind == "word":
            found.words.add(name)
            _take_word(declared, name, take)
    return found


def _take_action(declared: Declarations, name: str, take: Any) -> None:
    action = declared.actions[name]
    take(action.picks, action.possible, action.allowed, action.do)


def _take_word(declared: Declarations, name: str, take: Any) -> None:
    """Follow the references of a name: the body of a definition, the type of a state, the visibility of a zone."""
    if name in declared.definitions:
        take(declared.definitions[name].body)
        take(*(_Word(row) for row in declared.definitions[name].body.rows))
    if name in declared.states:
        take(declared.states[name].start, *(_Word(word) for word in _words_of(declared.states[name].type)))
        take(declared.states[name].of, declared.states[name].most)
    if name in declared.zones:
        take(declared.zones[name].of, declared.zones[name].shows, declared.zones[name].many)
    if name in declared.pots:
        take(declared.pots[name].start, declared.pots[name].debt, declared.pots[name].of)
    if name in declared.options:
        take(declared.options[name].default, declared.options[name].require)
    if name in declared.kinds:
        take(*(value.exprs for column in declared.kinds[name].columns.values() for value in column.values()))


@dataclass(frozen=True, slots=True)
class _Word:
    """A name that does not come from an AST."""

    id: str


def _words_of(span: Span) -> Iterable[str]:
    return [span.source.renames.get(word, word) for word in _WORD.findall(span.text)]


def names_in(node: object) -> Iterator[tuple[str, str]]:
    """All names in a tree, each with the namespace in which it is used."""
    if isinstance(node, tuple | list):
        for part in node:
            yield from names_in(part)
    elif isinstance(node, _Word):
        yield "word", node.id
    elif isinstance(node, ast.Word | ast.Name):
        yield "word", node.name
    elif isinstance(node, ast.Do | ast.End | ast.TakeBack) and node.step is not None:
        yield "step", node.step.name
        yield from _names_below(node)
    elif isinstance(node, ast.Item):
        yield "menu", node.action.name
        yield from names_in(node.where)
    elif isinstance(node, ast.CanDo):
        yield "asked", node.action.name
        yield from names_in(node.seat)
    elif isinstance(node, ast.Announce) and isinstance(node.value, ast.Text):
        for inner in BRACES.findall(node.value.span.text):
            yield from (("word", name) for name in _WORD.findall(inner))
    elif not isinstance(node, Span):
        yield from _names_below(node)


def _names_below(node: object) -> Iterator[tuple[str, str]]:
    for name in list_fields(type(node)):
        if name not in ("line", "cite", "span"):
            held = getattr(node, name)
            if held is not None and held != ():
                yield from names_in(held)


def names_read(node: object) -> Iterator[str]:
    """The names in a tree that stand for values: `pair` in `count of pair`, but not in `card is x.pair`."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, tuple):
        for part in node:
            yield from names_read(part)
    elif not isinstance(node, Span):
        for name in list_fields(type(node)):
            if name != "span":
                yield from names_read(getattr(node, name))


def list_cited(declared: Declarations) -> set[str]:
    """The rules cited by clauses and statements."""
    inside = {word.id for unit in declared.units() for one in statements_in(unit.do) for word in one.cite}
    return inside | {word.id for word in declared.cited}
