"""Elaboration of `X is NAME`: none, empty, a mark, a card, a value, or an adjective defined by the game.

In: a test of the AST and its scope. Out: its IR; names that do not apply to the subject are reported.
"""

from __future__ import annotations

from hoyle.base.diagnostics.report import Fix
from hoyle.base.diagnostics.spelling import near_names
from hoyle.language.elaborate.definition_uses import Uses
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.folding import apply, constant, logic
from hoyle.language.elaborate.giving import give
from hoyle.language.elaborate.name_resolution import find_value
from hoyle.language.elaborate.owners import find_subject
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import described, is_unknown, unknown
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import enclosed, written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import is_of_seats
from hoyle.program.ir.types import CARD, CARDS, LINE, NUMBER, SEAT, TRUTH, Type, certain
from hoyle.program.words import Op, op_named


class Adjectives:
    """Resolves the name after `is`."""

    def __init__(self, elaborator: Elaborator, uses: Uses) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env
        self.uses = uses

    def is_a(self, node: ast.IsA, scope: Scope, wanted: Type | None) -> ir.Expr:
        text = written(node)
        test = self._is_a(node, scope, text)
        return logic("not", (test,), text) if node.negated else test

    def _report_never_none(self, node: ast.IsA, arg: ir.Expr) -> None:
        """A list or a zone with nothing in it is empty; other values that are never none need no test."""
        holds = certain(arg.type).kind in ("list", "zone")
        empty = f"{enclosed(node.arg)} is {'not ' if node.negated else ''}empty"
        self.env.report.error(
            "never-none",
            f"`{arg.text}` is never none" + ("; with nothing in it, it is empty" if holds else ""),
            node.span,
            hint=() if holds else "leave the test out",
            fix=Fix(node.span, empty) if holds else (),
        )

    def _is_a(self, node: ast.IsA, scope: Scope, text: str) -> ir.Expr:
        name, env = node.word.name, self.env
        arg = self.elaborator.expr(node.arg, scope)
        if is_unknown(arg.type):
            return unknown()
        kind = certain(arg.type)
        if name == "none":
            if arg.type.kind not in ("maybe", "none") and not scope.knows(arg):
                if node.span.source.own is not None:  # modules are generic: other decks may lack an attribute
                    return constant(False, TRUTH, text)
                self._report_never_none(node, arg)
            return apply(Op.IS_NONE, (arg,), TRUTH, text)
        if name == "empty":
            if isinstance(node.arg, ast.Each) and node.arg.word.name in env.zones:
                return self._each_is_empty(node, node.arg)
            if kind.kind == "zone":
                return apply(Op.NO_CARDS, (arg,), TRUTH, text)
            if kind.kind == "list":
                return apply(Op.IS_EMPTY, (arg,), TRUTH, text)
            env.report.error(
                "wrong-type",
                f"only zones and lists can be empty; `{arg.text}` is {described(kind)}",
                node.arg.span,
                described(kind),
                fix=Fix(node.span, f"{enclosed(node.arg)} {'!=' if node.negated else '='} 0") if kind == NUMBER else (),
            )
            return unknown()
        if kind == LINE and name in env.declared.marks:
            number = constant(list(env.declared.marks).index(name), NUMBER, name)
            return apply(Op.MARKED, (arg, number), TRUTH, text)
        if name in ("true", "false") and kind == TRUTH:
            return arg if name == "true" else logic("not", (arg,), text)
        if kind == CARD and (name in env.card_names or node.word.id in env.card_codes):
            named = name if name in env.card_names else node.word.id
            return apply(Op.IS_IN, (arg, give(env, "cards", CARDS, name, named)), TRUTH, text)
        value = find_value(self.env, name, kind)
        if value is not None:
            return apply(Op.EQUAL, (arg, constant(value.index, kind, name)), TRUTH, text)
        numbers = [each for each in env.values.get(name, ()) if each.type.kind == kind.kind == "number"]
        if len(numbers) == 1:
            return apply(Op.EQUAL, (arg, constant(numbers[0].index, numbers[0].type, name)), TRUTH, text)
        info = env.definitions.get(name)
        if info is not None and info.decl.pattern.form == "adjective":
            args = [arg]
            if info.decl.owned:
                subject = find_subject(self.env, name, node.word.span, scope)
                if subject is None:
                    return unknown()
                args.insert(0, subject)
            return self.uses.with_args(info, args, [node.arg.span] * len(args), text, node.word.span)
        return self._not_an_adjective(name, node, arg, scope)

    def _each_is_empty(self, node: ast.IsA, each: ast.Each) -> ir.Expr:
        """Report `each hand is empty`, which would test whether the list of hands is empty."""
        sign = "is not" if node.negated else "is"
        self.env.report.error(
            "counts-zones",
            f"`each {each.word.id}` is a list of zones; whether all of them are empty is asked with `every`",
            node.span,
            fix=Fix(node.span, f"every {each.word.id} {sign} empty"),
        )
        return unknown()

    def _not_an_adjective(self, name: str, node: ast.IsA, arg: ir.Expr, scope: Scope) -> ir.Expr:
        env, kind = self.env, certain(arg.type)
        if env.is_told(name, node.span):
            return unknown()
        said = written(node.arg)
        tables = (env.states, env.options, env.zones, scope.names)
        plain = name in env.definitions and env.definitions[name].decl.pattern.form == "plain"
        if plain or any(name in table for table in tables):
            sign = "!=" if node.negated else "="
            fixed = f"{said} {sign} {node.word.id}"
            hint = f"values are compared with `{sign}`"
            if kind == SEAT and plain and env.definitions[name].decl.owned:
                hint = f"`{name}` is said of a seat: `{name} of {said}`; to say `is {name}`, define `seat is {name}: …`"
            env.report.error(
                "is-before-value",
                f"`is` stands before a name such as `empty`; `{name}` is a value",
                node.span,
                hint=hint,
                fix=(*self._guess_of_form(name, node, kind), Fix(node.span, fixed)),
            )
            return unknown()
        known = [*env.enum_values(kind), "none"]
        known += [n for n, d in env.definitions.items() if d.decl.pattern.form == "adjective"]
        if kind == CARD:
            known += list(env.card_names)
        if kind.kind in ("zone", "list"):
            known.append("empty")
        similar = env.similar(name, known, node.word.span)
        values = env.enum_values(kind)
        if not similar["fix"] and values:
            similar["hint"] = (f"{kind} is one of {', '.join(values)}",)
        if kind == CARD:
            similar["fix"] = (*self._of_attribute(name, node), *similar["fix"])
        similar["fix"] = (*self._guess_of_form(name, node, kind), *similar["fix"])
        env.report.error(
            "unknown-adjective", f"{described(kind)} cannot be `{name}`", node.word.span, "no such name", **similar
        )
        return unknown()

    def _of_attribute(self, name: str, node: ast.IsA) -> tuple[Fix, ...]:
        """Fixes for `card is hearts`, where the suit of the card is meant, or its rank by name."""
        said, sign = enclosed(node.arg), "is not" if node.negated else "is"
        near = [name] if name in self.env.values else [other for other, _ in near_names(name, self.env.values, 2)]
        pairs = [(value.type.name, one) for one in near for value in self.env.values[one]]
        pairs += [(scale.name, name) for scale in self.env.scales.values() if name in scale.names.values()]
        pairs = [(kind, value) for kind, value in pairs if kind in self.env.attributes]
        return tuple(Fix(node.span, f"{kind} of {said} {sign} {value}", sure=len(pairs) == 1) for kind, value in pairs)

    def _guess_of_form(self, name: str, node: ast.IsA, kind: Type) -> tuple[Fix, ...]:
        """Fixes for `seat is natural`, where `natural` is a definition or a state of a seat: `natural of seat`."""
        info = self.env.definitions.get(name)
        function = info is not None and (
            (info.decl.pattern.form == "function" and len(info.decl.pattern.params) == 1)
            or (info.decl.pattern.form == "plain" and info.decl.owned and kind == SEAT)
        )
        index = self.env.states.get(name)
        owned = index is not None and kind == SEAT and is_of_seats(self.env.state_list[index])
        held = self.env.state_list[index].type if index is not None else kind
        listed = index is not None and held.kind == "list" and held.of == kind
        no = "not " if node.negated else ""
        if op_named(name) is Op.FACE_UP and kind.kind == "zone":  # whether a card of it lies face up
            empty = "empty" if node.negated else "not empty"
            return (Fix(node.span, f"{name} of {enclosed(node.arg)} is {empty}", sure=False),)
        if listed:
            return (Fix(node.span, f"{enclosed(node.arg)} is {no}in {name}"),)
        return (Fix(node.span, f"{no}{name} of {enclosed(node.arg)}"),) if function or owned else ()
