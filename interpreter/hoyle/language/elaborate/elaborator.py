"""The recursive core of elaboration: dispatches each form of expression to its handler.

In: an AST expression and its scope. Out: a typed IR expression; an erroneous one is reported and becomes unknown.
Handlers are registered in `expressions`; this module imports none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from hoyle.base.effort import spend
from hoyle.base.source import Span
from hoyle.language.elaborate.conversions import convert
from hoyle.language.elaborate.environment import DefinitionInfo, Environment
from hoyle.language.elaborate.folding import apply
from hoyle.language.elaborate.narrowing import Facts, find_facts
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import as_elements, coerce, described, is_unknown, unknown
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARDS, TRUTH, ZONE, Type, certain, list_of
from hoyle.program.words import Op

Form = Callable[[Any, Scope, Type | None], ir.Expr]


class DefinitionTypes(Protocol):
    """Elaborates definitions on first use."""

    def type_of(self, info: DefinitionInfo, used_at: Span) -> Type: ...


class Elaborator:
    """Translates AST expressions to IR in one environment."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.definitions: DefinitionTypes | None = None
        self.forms: dict[type[ast.Expr], Form] = {}
        self._facts: dict[tuple[int, bool], Facts] = {}

    def expr(self, node: ast.Expr, scope: Scope, wanted: Type | None = None) -> ir.Expr:
        """The expression with its inferred type; the expected type `wanted` only disambiguates values of the same
        name."""
        spend()
        found = self.forms[type(node)](node, scope, wanted)
        if found.type.kind == "maybe" and scope.knows(found):
            found = replace(found, type=certain(found.type))
        if self.env.report.types is not None and not is_unknown(found.type):
            self.env.report.types[node.span] = str(found.type)
        return found

    def assume(self, scope: Scope, test: ir.Expr, holds: bool = True) -> Scope:
        """The scope refined by the outcome of a test."""
        return scope.learn(find_facts(test, holds, self._facts_of))

    def _facts_of(self, definition: int, holds: bool) -> Facts:
        """The facts implied by the outcome of a definition, if it has been elaborated. Memoised: chains of definitions
        that each use others twice would take exponential time."""
        if (definition, holds) not in self._facts:
            infos = (info for info in self.env.definitions.values() if info.index == definition)
            body = next((info.result.body for info in infos if info.result is not None), None)
            if body is None:
                return frozenset()
            self._facts[definition, holds] = find_facts(body, holds, self._facts_of)
        return self._facts[definition, holds]

    def typed(self, node: ast.Expr, scope: Scope, wanted: Type, what: str = "this", *, widen: bool = False) -> ir.Expr:
        """The expression, coerced to the expected type."""
        return coerce(self.env, self.expr(node, scope, wanted), wanted, node.span, what, widen=widen)

    def pointed(self, node: ast.Expr, scope: Scope, wanted: Type, what: str = "this") -> ir.Expr:
        """A seat, card or zone that a statement refers to."""
        return coerce(self.env, self.expr(node, scope, wanted), wanted, node.span, what, pointing=True)

    def truth(self, node: ast.Expr, scope: Scope) -> ir.Expr:
        return self.typed(node, scope, TRUTH)

    def listed(self, node: ast.Expr, scope: Scope, what: str = "this") -> ir.Expr:
        """The expression as a list; a zone becomes its cards, a new pile a list of one."""
        return self.as_list(as_elements(self.env, self.expr(node, scope)), node, what)

    def as_list(self, found: ir.Expr, node: ast.Expr, what: str) -> ir.Expr:
        """An elaborated expression as a list."""
        if isinstance(found, ir.Piles) and found.new:
            return apply(Op.LIST, (found,), list_of(ZONE), found.text)
        if is_unknown(found.type) or found.type.kind == "list":
            return found
        self.env.report.error(
            "wrong-type",
            f"{what} must be a list; `{written(node)}` is {described(found.type)}",
            node.span,
            described(found.type),
            hint="a list is a zone, `seats`, `each hand`, `(a, b)` or `(x in L where …)`",
            fix=convert(self.env, found, CARDS, node.span),
        )
        return unknown()
