"""Elaboration of expressions: name resolution, type inference and construction of IR in a single pass over the AST.

In: an environment. Out: its `Elaborator`, with a handler for each form of the AST.
"""

from __future__ import annotations

from hoyle.language.elaborate.application import OfExpressions
from hoyle.language.elaborate.arithmetic import Arithmetic
from hoyle.language.elaborate.branching import Branching
from hoyle.language.elaborate.conditions import Conditions
from hoyle.language.elaborate.definition_uses import Uses
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import constant
from hoyle.language.elaborate.is_tests import Adjectives
from hoyle.language.elaborate.list_expressions import Lists
from hoyle.language.elaborate.local_names import list_each
from hoyle.language.elaborate.name_resolution import Names
from hoyle.language.elaborate.places import open_pile
from hoyle.language.syntax import ast
from hoyle.program.ir.types import TEXT


def build_elaborator(env: Environment) -> Elaborator:
    """The elaborator of an environment, with a handler for each form of expression."""
    elaborator = Elaborator(env)
    uses = Uses(elaborator)
    names = Names(env, uses)
    of_expressions = OfExpressions(elaborator, uses)
    arithmetic, conditions, branching = Arithmetic(elaborator), Conditions(elaborator), Branching(elaborator)
    lists = Lists(elaborator, of_expressions)
    elaborator.forms.update(
        {
            ast.Name: names.name,
            ast.Int: arithmetic.number,
            ast.Text: lambda node, scope, wanted: constant(node.value, TEXT, node.value),
            ast.Group: lambda node, scope, wanted: elaborator.expr(node.body, scope, wanted),
            ast.Of: of_expressions.of,
            ast.Aggregated: lists.aggregated,
            ast.EndOf: lists.end_of,
            ast.Each: lambda node, scope, wanted: list_each(env, node.word, scope),
            ast.NewPile: lambda node, scope, wanted: open_pile(
                env, elaborator.expr(node.family, scope), node.family.span
            ),
            ast.Binary: arithmetic.binary,
            ast.Negative: arithmetic.negative,
            ast.Compare: conditions.compare,
            ast.IsA: Adjectives(elaborator, uses).is_a,
            ast.IsIn: conditions.is_in,
            ast.Relates: uses.relates,
            ast.CanDo: conditions.can_do,
            ast.Quantified: conditions.quantified,
            ast.ListOf: lists.listed,
            ast.Key: lists.key,
            ast.Those: lists.those,
            ast.Division: lists.division,
            ast.Not: branching.negation,
            ast.Logic: branching.and_or,
            ast.Choice: branching.choice,
            ast.OrElse: branching.or_else,
        }
    )
    return elaborator
