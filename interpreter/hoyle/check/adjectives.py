"""`X is NAME`: none, empty, marked, a card, a value, or an adjective the game defines.

In: a test of the AST and its scope. Out: its IR; names that cannot be said of that kind of thing are reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle.check.folding import apply, constant, logic
from hoyle.check.naming import find_value
from hoyle.check.owners import find_subject
from hoyle.check.scope import Scope
from hoyle.check.typing_rules import described, is_unknown, unknown
from hoyle.check.using_definitions import Uses
from hoyle.check.wording import renamed, written
from hoyle.check.world import World
from hoyle.diagnostics.report import Fix
from hoyle.ir import nodes as ir
from hoyle.ir.types import CARD, CARDS, LINE, NUMBER, TRUTH, Type, certain
from hoyle.syntax import ast

if TYPE_CHECKING:
    from hoyle.check.expressions import Elaborator


class Adjectives:
    """Finds what a name means behind `is`."""

    def __init__(self, elaborator: Elaborator, uses: Uses) -> None:
        self.elaborator = elaborator
        self.world: World = elaborator.world
        self.uses = uses

    def is_a(self, node: ast.IsA, scope: Scope, wanted: Type | None) -> ir.Expr:
        text = written(node)
        test = self._is_a(node, scope, text)
        return logic("not", (test,), text) if node.negated else test

    def _is_a(self, node: ast.IsA, scope: Scope, text: str) -> ir.Expr:
        name, world = renamed(node.word), self.world
        arg = self.elaborator.expr(node.arg, scope)
        if is_unknown(arg.type):
            return unknown()
        kind = certain(arg.type)
        if name == "none":
            if arg.type.kind not in ("maybe", "none"):
                world.report.error("never-none", f"`{arg.text}` is never none", node.span, hint="leave the test out")
            return apply("is_none", (arg,), TRUTH, text)
        if name == "empty":
            if kind.kind == "zone":
                return apply("no_cards", (arg,), TRUTH, text)
            if kind.kind == "list":
                return apply("is_empty", (arg,), TRUTH, text)
            world.report.error(
                "wrong-type",
                f"only zones and lists can be empty; `{arg.text}` is {described(kind)}",
                node.arg.span,
                described(kind),
            )
            return unknown()
        if kind == LINE and name in world.declared.marks:
            world.used.add("word:lines")
            number = constant(list(world.declared.marks).index(name), NUMBER, name)
            return apply("marked", (arg, number), TRUTH, text)
        if name in ("true", "false") and kind == TRUTH:
            return apply("equal", (arg, constant(name == "true", TRUTH, name)), TRUTH, text)
        if kind == CARD and (name in world.card_names or node.word.id in world.card_codes):
            cards = world.card_names[name] if name in world.card_names else world.card_codes[node.word.id]
            return apply("is_in", (arg, constant(cards, CARDS, name)), TRUTH, text)
        value = find_value(self.world, name, kind)
        if value is not None:
            return apply("equal", (arg, constant(value.index, kind, name)), TRUTH, text)
        if kind == NUMBER and name in world.number_names:
            return apply("equal", (arg, constant(world.number_names[name], NUMBER, name)), TRUTH, text)
        info = world.definitions.get(name)
        if info is not None and info.decl.pattern.form == "adjective":
            args = [arg]
            if info.decl.owned:
                subject = find_subject(self.world, name, node.word.span, scope)
                if subject is None:
                    return unknown()
                args.insert(0, subject)
            return self.uses.with_args(info, args, [node.arg.span] * len(args), text, node.word.span)
        return self._not_an_adjective(name, node, arg, scope)

    def _not_an_adjective(self, name: str, node: ast.IsA, arg: ir.Expr, scope: Scope) -> ir.Expr:
        world, kind = self.world, certain(arg.type)
        said = written(node.arg)
        tables = (world.states, world.options, world.zones, scope.names)
        plain = name in world.definitions and world.definitions[name].decl.pattern.form == "plain"
        if plain or any(name in table for table in tables):
            sign = "!=" if node.negated else "="
            fixed = f"{said} {sign} {node.word.id}"
            world.report.error(
                "is-before-value",
                f"`is` stands before a name such as `empty`; `{name}` is a value",
                node.span,
                hint=f"compare values with `{sign}`: `{fixed}`",
                fix=Fix(node.span, fixed),
            )
            return unknown()
        known = [*world.enum_values(kind), "none"]
        known += [n for n, d in world.definitions.items() if d.decl.pattern.form == "adjective"]
        if kind == CARD:
            known += list(world.card_names)
        if kind.kind in ("zone", "list"):
            known.append("empty")
        labels, hints = world.similar(name, known)
        if not hints:
            values = world.enum_values(kind)
            hints = (f"{kind} is one of {', '.join(values)}",) if values else ()
        if kind == CARD and world.values.get(name):
            where = world.values[name][0].type.name
            hints = (f"write `{where} of {said} is {name}`",)
        world.report.error(
            "unknown-adjective",
            f"{described(kind)} cannot be `{name}`",
            node.word.span,
            "no such name",
            others=labels,
            hint=hints,
        )
        return unknown()
