"""What of a game is in force with options as they stand.

In: declarations, and the options that stand. Out: the declarations without what those rule out: branches never taken,
actions never possible, what is remembered and never asked for, and whatever only these lead to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import Any

from hoyle.authoring.rulebook.settling import settle
from hoyle.base.dataclass import list_fields
from hoyle.base.source import Span
from hoyle.language.declare.declarations import (
    ActionDecl,
    AnyCondition,
    Case,
    Condition,
    Declarations,
    OptionDecl,
    TierDecl,
)
from hoyle.language.declare.usage import list_unused, names_in
from hoyle.language.syntax import ast
from hoyle.program.info import write_option

_WITH_RULES = ("definitions", "actions", "choices", "steps")
_SECTIONS = {name: name for name in (*_WITH_RULES, "options", "zones", "pots", "scores")} | {"state": "states"}
_NO_RULES = ("rules", "cited", "labels", "texts", "written", "general")


def keep_in_force(declared: Declarations, standing: Mapping[str, OptionDecl]) -> Declarations:
    """The declarations without what is out as these options stand; the options themselves, and what nothing led to in
    the first place, stay."""
    settled, kept = copy(declared), copy(declared)
    settled.options = dict(standing)
    unused, size = list_unused(declared), -1
    while size != (size := sum(1 for name in _WITH_RULES for _ in _walk(getattr(kept, name)))):
        pruning = _Pruning(settled, kept)
        kept = copy(kept)
        kept.errors = pruning.prune(kept.errors)
        kept.actions = {name: one for name, one in kept.actions.items() if not pruning.is_never_done(one)}
        kept.ends = [end for end in kept.ends if settle(settled, end.when) is not False]
        for name in _WITH_RULES:
            setattr(kept, name, {each: pruning.prune(one) for each, one in getattr(kept, name).items()})
        out = list_unused(kept) - unused
        for section, name in _SECTIONS.items():
            held = getattr(kept, name).items()
            setattr(kept, name, {each: one for each, one in held if each in standing or f"{section}.{each}" not in out})
        gone = _list_offered(declared) - _list_offered(kept)  # what a step does without being asked stays a step
        kept.actions = {name: one for name, one in kept.actions.items() if name not in gone}
    return kept


def settle_table(declared: Declarations, players: int, options: Mapping[str, object]) -> Declarations:
    """The declarations of a game as they would be if only so many could play, and these options were the usual ones."""
    settled = copy(declared)
    settled.usual = settled.allowed = (players, players)
    settled.options = {
        name: replace(option, default=_write(options[name], option.default.span)) if name in options else option
        for name, option in declared.options.items()
    }
    return settled


def _write(value: object, span: Span) -> ast.Expr:
    """The value of an option as an expression."""
    if isinstance(value, int) and not isinstance(value, bool):
        return ast.Int(span=span, value=value)
    return ast.Name(span=span, id=write_option(value))


def _list_offered(declared: Declarations) -> set[str]:
    trees = (declared.steps, declared.actions, declared.choices)
    return {node.action.name for node in _walk(trees) if isinstance(node, ast.Item)}


def list_cites(declared: Declarations) -> set[str]:
    """The numbered rules that options, rules and their statements cite."""
    trees = [getattr(declared, name) for name in (*_WITH_RULES, "options", "scores", "ends", "winners")]
    return {word.id for node in _walk(trees) for word in getattr(node, "cite", ())}


def _walk(node: object) -> Iterator[object]:
    """A tree with all that is in it."""
    if isinstance(node, dict | tuple | list):
        for part in node.values() if isinstance(node, dict) else node:
            yield from _walk(part)
    elif not isinstance(node, Span) and (names := list_fields(type(node))):
        yield node
        for name in names:
            yield from _walk(getattr(node, name))


def _read_in(node: object) -> Iterator[str]:
    """The names in a tree but for those of states that are only set."""
    if isinstance(node, dict | tuple | list):
        for part in node.values() if isinstance(node, dict) else node:
            yield from _read_in(part)
    elif isinstance(node, ast.Set | ast.AddTo):
        yield from _read_in((node.value, node.target.arg if isinstance(node.target, ast.Of) else ()))
    elif isinstance(node, ast.Announce):
        yield from (name for _, name in names_in(node))
    elif isinstance(node, ast.Word | ast.Name):
        yield node.name
    elif not isinstance(node, Span):
        for name in list_fields(type(node)):
            yield from _read_in(getattr(node, name))


class _Pruning:
    """Takes what cannot be out of trees; `kept` are the declarations so far."""

    def __init__(self, settled: Declarations, kept: Declarations) -> None:
        self.settled, self.kept = settled, kept
        read = set(_read_in([getattr(kept, name) for name in list_fields(Declarations) if name not in _NO_RULES]))
        self.forgotten = {name for name, state in kept.states.items() if state.quiet and name not in read}

    def is_never_done(self, action: ActionDecl) -> bool:
        """Whether an action is never possible, or never allowed where what is not allowed cannot be done."""
        never = any(map(self._is_out, action.possible))
        return never or (_refuses(self.kept.errors) and any(map(self._is_never, action.allowed)))

    def _is_out(self, condition: AnyCondition) -> bool:
        if not isinstance(condition, Condition) or condition.test is None:
            return False
        return settle(self.settled, condition.test) is condition.negated

    def _is_never(self, condition: AnyCondition) -> bool:
        return (isinstance(condition, Condition) and condition.test is None) or self._is_out(condition)

    def prune(self, node: Any) -> Any:
        """A tree without what cannot be."""
        if isinstance(node, tuple):
            return tuple(found for part in node for found in self._prune_part(part))
        if isinstance(node, ast.Choice) and (held := settle(self.settled, node.test)) is not None:
            return self.prune(node.yes if held else node.no)
        if isinstance(node, ast.Logic):
            sides = [side for side in (node.left, node.right) if settle(self.settled, side) is None]
            if len(sides) == 1 and settle(self.settled, node) is None:
                return self.prune(sides[0])
        if isinstance(node, Span) or not (names := list_fields(type(node))):
            return node
        pruned = {name: self.prune(getattr(node, name)) for name in names}
        return replace(node, **pruned) if any(pruned[name] is not getattr(node, name) for name in names) else node

    def _prune_part(self, part: Any) -> Iterator[Any]:
        """What is left of a part of a list: nothing, the part, or the statements of the only branch that is taken."""
        match part:
            case ast.If():
                yield from self._prune_if(part)
                return
            case ast.Set() | ast.AddTo() if _find_state(part.target) in self.forgotten:
                return
            case ast.ForEach(binding=ast.Binding(where=ast.Expr() as test)) if settle(self.settled, test) is False:
                return
            case ast.Repeat(until=ast.Expr() as test) if settle(self.settled, test) is True:
                return
            case (
                ast.StepCase(when=ast.Expr() as test)
                | Case(when=ast.Expr() as test)
                | TierDecl(when=ast.Expr() as test)
                | ast.Item(where=ast.Expr() as test)
            ) if settle(self.settled, test) is False:
                return
            case ast.Item() if part.action.name not in self.kept.actions | self.kept.choices:
                return
        pruned = self.prune(part)
        match pruned:
            case () | ast.ForEach(body=()) | ast.Repeat(body=()) if part != pruned:
                return
            case ast.Choose(menu=menu) | ast.Offer(menu=menu) | TierDecl(offer=menu) if not menu.tiers:
                return
        yield pruned

    def _prune_if(self, statement: ast.If) -> Iterator[ast.Statement]:
        cases, otherwise = [], statement.otherwise
        for test, body in statement.cases:
            held = settle(self.settled, test)
            if held:
                otherwise = body
                break
            if held is None:
                cases.append((self.prune(test), self.prune(body)))
        otherwise = self.prune(otherwise)
        if not cases:
            yield from otherwise
        elif otherwise or any(body for _, body in cases):
            yield replace(statement, cases=tuple(cases), otherwise=otherwise)


def _refuses(errors: ast.Expr | None) -> bool:
    """Whether what is not allowed cannot be done."""
    return errors is None or (isinstance(errors, ast.Name) and errors.id == "refused")


def _find_state(target: ast.Expr) -> str:
    word = target.word if isinstance(target, ast.Of) else target
    return word.name if isinstance(word, ast.Word | ast.Name) else ""
