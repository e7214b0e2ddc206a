"""Expressions: names bound, types inferred, IR built, in one walk over the AST.

In: an AST expression and its scope. Out: a typed IR expression; what is wrong is reported and stands as unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hoyle.check.adjectives import Adjectives
from hoyle.check.branching import Branching
from hoyle.check.conditions import Conditions
from hoyle.check.folding import apply, constant
from hoyle.check.listing import Lists
from hoyle.check.local_names import all_values, check_free
from hoyle.check.naming import Names
from hoyle.check.places import each_zone, open_pile
from hoyle.check.reckoning import Reckoning
from hoyle.check.said_of import SaidOf
from hoyle.check.scope import Scope
from hoyle.check.typing_rules import as_cards, coerce, described, is_unknown, unknown
from hoyle.check.using_definitions import Uses
from hoyle.check.word_rules import apply_word
from hoyle.check.wording import renamed, written
from hoyle.check.world import World
from hoyle.ir import nodes as ir
from hoyle.ir.types import TEXT, TRUTH, ZONE, Type, list_of
from hoyle.source import Span
from hoyle.syntax import ast

if TYPE_CHECKING:
    from hoyle.check.definitions import Definitions

Form = Callable[[Any, Scope, Type | None], ir.Expr]


class Elaborator:
    """Turns AST expressions into IR for one world: each form is read in its room, and comes back here for its parts."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.definitions: Definitions | None = None
        uses = Uses(self)
        names = Names(world, uses)
        said_of = SaidOf(self, uses)
        reckoning, conditions, branching = Reckoning(self), Conditions(self), Branching(self)
        lists = Lists(self, said_of)
        self.binding = lists.binding
        self.either = branching.either
        self._forms: dict[type[ast.Expr], Form] = {
            ast.Name: names.name,
            ast.Int: reckoning.number,
            ast.Text: lambda node, scope, wanted: constant(node.value, TEXT, node.value),
            ast.Group: lambda node, scope, wanted: self.expr(node.body, scope, wanted),
            ast.Of: said_of.of,
            ast.Aggregated: lists.aggregated,
            ast.EndOf: lists.end_of,
            ast.EachZone: lambda node, scope, wanted: each_zone(world, node.word, scope),
            ast.NewPile: lambda node, scope, wanted: open_pile(world, self.expr(node.family, scope), node.family.span),
            ast.Binary: reckoning.binary,
            ast.Negative: reckoning.negative,
            ast.Compare: conditions.compare,
            ast.IsA: Adjectives(self, uses).is_a,
            ast.IsIn: conditions.is_in,
            ast.Relates: uses.relates,
            ast.CanDo: conditions.can_do,
            ast.Quantified: conditions.quantified,
            ast.ListOf: lists.listed,
            ast.Key: lists.key,
            ast.Those: lists.those,
            ast.Not: branching.negation,
            ast.Logic: branching.and_or,
            ast.Choice: branching.choice,
            ast.OrElse: branching.or_else,
        }

    def expr(self, node: ast.Expr, scope: Scope, wanted: Type | None = None) -> ir.Expr:
        """The expression, its type inferred; `wanted` only helps to tell values of the same name apart."""
        return self._forms[type(node)](node, scope, wanted)

    def typed(self, node: ast.Expr, scope: Scope, wanted: Type, what: str = "this", *, widen: bool = False) -> ir.Expr:
        """The expression as the wanted type."""
        return coerce(self.world, self.expr(node, scope, wanted), wanted, node.span, what, widen=widen)

    def pointed(self, node: ast.Expr, scope: Scope, wanted: Type, what: str = "this") -> ir.Expr:
        """A seat, card or zone that a statement points at."""
        return coerce(self.world, self.expr(node, scope, wanted), wanted, node.span, what, pointing=True)

    def truth(self, node: ast.Expr, scope: Scope) -> ir.Expr:
        return self.typed(node, scope, TRUTH)

    def listed(self, node: ast.Expr, scope: Scope, what: str = "this") -> ir.Expr:
        """The expression as a list; a zone is its cards, a new pile the only one of a list."""
        return self.as_list(as_cards(self.expr(node, scope)), node, what)

    def as_list(self, found: ir.Expr, node: ast.Expr, what: str) -> ir.Expr:
        """An expression that has been worked out, as a list."""
        if isinstance(found, ir.Piles) and found.new:
            return apply("list", (found,), list_of(ZONE), found.text)
        if is_unknown(found.type) or found.type.kind == "list":
            return found
        self.world.report.error(
            "wrong-type",
            f"{what} must be a list; `{written(node)}` is {described(found.type)}",
            node.span,
            described(found.type),
            hint="a list is a zone, `seats`, `each hand`, `(a, b)` or `(x in L where …)`",
        )
        return unknown()

    # What statements ask for too.
    def renamed(self, word: ast.Word | ast.Name) -> str:
        return renamed(word)

    def check_free(self, word: ast.Word, scope: Scope) -> None:
        check_free(self.world, word, scope)

    def each_zone(self, word: ast.Word, scope: Scope) -> ir.Expr:
        return each_zone(self.world, word, scope)

    def all_values(self, name: str) -> ir.Expr:
        return all_values(self.world, name)

    def apply_word(self, name: str, arg: ir.Expr, span: Span, text: str) -> ir.Expr:
        return apply_word(self.world, name, arg, span, text)
