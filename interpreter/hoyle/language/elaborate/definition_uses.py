"""Uses of definitions: bare, applied with `of` to one argument or several, as an adjective, as a relation.

In: the name of a definition and its operands. Out: a call with checked arguments, or a constant.
"""

from __future__ import annotations

import re

from hoyle.base.diagnostics.report import Fix, Label
from hoyle.base.source import Span
from hoyle.language.elaborate.conversions import convert, describe
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import DefinitionInfo, Environment
from hoyle.language.elaborate.folding import apply, choose, constant, logic
from hoyle.language.elaborate.owners import find_subject
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.typing_rules import as_elements, described, is_unknown, same, unknown
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, CARDS, SEATS, TRUTH, ZONE, Type, maybe
from hoyle.program.words import Op, word_of


class Uses:
    """Elaborates calls of definitions, which are themselves elaborated on first use."""

    def __init__(self, elaborator: Elaborator) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env

    def alone(self, name: str, node: ast.Name, scope: Scope) -> ir.Expr:
        """A definition used as a bare name, perhaps with the seat in scope as its subject."""
        info = self.env.definitions[name]
        if info.decl.pattern.form != "plain":
            self.env.report.error(
                "word-alone",
                f"`{name}` is said of something: `{said_as(info)}`",
                node.span,
                fix=self._said_in_full(info, node, scope),
            )
            return unknown()
        args: tuple[ir.Expr, ...] = ()
        if info.decl.owned:
            subject = find_subject(self.env, name, node.span, scope)
            if subject is None:
                return unknown()
            args = (subject,)
        return self._call(info, args, node.id, node.span)

    def _said_in_full(self, info: DefinitionInfo, node: ast.Name, scope: Scope) -> tuple[Fix, ...]:
        """Fixes that apply a definition used alone to names in scope of a matching type."""
        pattern = info.decl.pattern
        if pattern.form == "relation" or len(pattern.params) != 1:
            return ()
        wanted = info.params[-1].type
        fit = [other for other, held in scope.names.items() if same(held.type, wanted)]
        said = {"adjective": f"{{}} is {node.id}", "function": f"{node.id} of {{}}"}[pattern.form]
        sure = len(fit) == 1 and pattern.form == "function"
        return tuple(Fix(node.span, said.format(other), sure) for other in reversed(fit))

    def of_one(self, name: str, arg: ir.Expr, at: Span, scope: Scope, span: Span, text: str) -> ir.Expr:
        """A definition with one argument: `strength of card`."""
        info = self.env.definitions[name]
        form = info.decl.pattern.form
        if form == "plain" and not info.decl.owned:
            self.env.report.error(
                "not-said-of",
                f"`{name}` is a definition that is not said of anything",
                span,
                fix=Fix(span.to(at), name),
            )
            return unknown()
        if form in ("adjective", "relation"):
            fixes = [Fix(span.to(at), f"{at.text} is {name}")] if form == "adjective" else []
            self.env.report.error("not-said-of", f"`{name}` is used as `{said_as(info)}`", span, fix=fixes)
            return unknown()
        args = [arg]
        if form == "function" and info.decl.owned:
            subject = find_subject(self.env, name, span, scope)
            if subject is None:
                return unknown()
            args.insert(0, subject)
        return self.with_args(info, args, [at] * len(args), text, span)

    def of_several(self, info: DefinitionInfo, node: ast.Of, scope: Scope, text: str) -> ir.Expr:
        """A definition with several arguments: `show of (hand, turned)`."""
        parts = node.arg.items if isinstance(node.arg, ast.ListOf) else ()
        if len(parts) != len(info.decl.pattern.params):
            self.env.report.error(
                "not-said-of",
                f"`{info.decl.name}` is said of {len(info.decl.pattern.params)} things: `{said_as(info)}`",
                node.arg.span,
                hint="each of them has a value, with a comma between",
            )
            return unknown()
        wanted = info.params[-len(parts) :]
        args = [self.elaborator.expr(part, scope, param.type) for part, param in zip(parts, wanted, strict=True)]
        spans = [part.span for part in parts]
        if info.decl.owned:
            subject = find_subject(self.env, info.decl.name, node.word.span, scope)
            if subject is None:
                return unknown()
            args.insert(0, subject)
            spans.insert(0, node.word.span)
        return self.with_args(info, args, spans, text, node.word.span)

    def relates(self, node: ast.Relates, scope: Scope, wanted: Type | None) -> ir.Expr:
        """A definition in infix form: `card fits pile`."""
        info = self.env.definitions.get(node.word.name)
        left, right = self.elaborator.expr(node.left, scope), self.elaborator.expr(node.right, scope)
        if info is None or info.decl.pattern.form != "relation":
            return unknown()
        args = [left, right]
        if info.decl.owned:
            subject = find_subject(self.env, node.word.id, node.word.span, scope)
            if subject is None:
                return unknown()
            args.insert(0, subject)
        spans = [node.word.span] * (len(args) - 2) + [node.left.span, node.right.span]
        return self.with_args(info, args, spans, written(node), node.word.span)

    def with_args(self, info: DefinitionInfo, args: list[ir.Expr], spans: list[Span], text: str, span: Span) -> ir.Expr:
        """A call with elaborated arguments; mismatches are reported at `spans`."""
        fitted = []
        for param, arg, at in zip(info.params, args, spans, strict=True):
            if is_unknown(arg.type):
                return unknown()
            wanted = param.type
            if wanted in (CARDS, SEATS):
                arg = as_elements(self.env, arg)
            is_word = info.decl.pattern.form == "function" and len(info.decl.pattern.params) == 1
            if not same(arg.type, wanted) and wanted == CARD and is_word and arg.type in (ZONE, CARDS):
                report_several(self.env, info.decl.name, arg, at, (Label(info.decl.line.span, "defined here"),))
                return unknown()
            if not same(arg.type, wanted):
                said = " and ".join(described(p.type) for p in info.params[-len(info.decl.pattern.params) :])
                self.env.report.error(
                    "wrong-type",
                    f"`{info.decl.name}` is said of {said}; `{arg.text}` is {described(arg.type)}",
                    at,
                    described(arg.type),
                    others=(Label(info.decl.line.span, "defined here"),),
                    hint=describe(self.env, arg, wanted),
                    fix=convert(self.env, arg, wanted, at),
                )
                return unknown()
            fitted.append(arg)
        return self._call(info, tuple(fitted), text, span)

    def _call(self, info: DefinitionInfo, args: tuple[ir.Expr, ...], text: str, span: Span) -> ir.Expr:
        definitions = self.elaborator.definitions
        assert definitions is not None
        kind = definitions.type_of(info, span)
        body = info.result.body if info.result is not None else None
        if isinstance(body, ir.Const) and not args:
            return constant(body.value, body.type, text)
        call = ir.Call(type=kind, definition=info.index, args=args, text=text)
        pairs = zip(args, info.params, strict=True)
        doubtful = [arg for arg, param in pairs if arg.type.kind == "maybe" != param.type.kind]
        missing = tuple(apply(Op.IS_NONE, (arg,), TRUTH, arg.text) for arg in doubtful)
        if not missing or is_unknown(kind):
            return call
        # None propagates, and a test of none is false, without evaluating the body.
        nothing = logic("or", missing)
        if kind == TRUTH:
            return logic("and", (logic("not", (nothing,)), call), text)
        return choose(nothing, constant(None, maybe(kind), "none"), call, maybe(kind), text)


def report_several(env: Environment, name: str, arg: ir.Expr, at: Span, others: tuple[Label, ...] = ()) -> None:
    """Report a word for one card that was applied to something else, most likely to several cards."""
    hints: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    if arg.type.kind in ("zone", "list"):
        text = at.source.text
        if text[at.start - 1 : at.start] == "(" and text[at.end : at.end + 1] == ")":
            at = Span(at.source, at.start - 1, at.end + 1)
        of_each = Span(at.source, text.rfind(name, 0, at.start), at.start)
        ways = _ways_of_each(text[: of_each.start])
        hints = (
            f"of each card: {', '.join(f'`{way} {name} of {at.text}`' for way in ways[:2])}; "
            f"of one: `{name} of top of {at.text}`",
        )
        one = Fix(at, f"top of {at.text}", sure=False)
        each = [Fix(of_each, f"{way} {of_each.text}", sure=False) for way in ways]
        fixes = (one, each[0]) if ways[0] == word_of(Op.SUM).name else (each[0], one)
    env.report.error(
        "said-of-one",
        f"`{name}` is said of one card; `{arg.text}` is {described(arg.type)}",
        at,
        described(arg.type),
        others=others,
        hint=hints,
        fix=fixes,
    )


def _ways_of_each(before: str) -> list[str]:
    """Aggregates that turn a value of one card into one of several, the most likely first, judged by the preceding
    text: after `with lowest …`, `lowest`; after `is in`, the distinct values."""
    said = re.search(r"\bwith\b.*\b(highest|lowest)\s+\Z|\b(is(?:\s+not)?\s+in)\s+\Z", before[-200:], re.DOTALL)
    usual = [word_of(op).name for op in (Op.SUM, Op.HIGHEST)]
    if said is None:
        return usual
    return [said[1] or word_of(Op.DISTINCT).name, *(way for way in usual if way != said[1])]


def said_as(info: DefinitionInfo) -> str:
    """How a definition is used, as declared."""
    return " ".join(info.decl.pattern.span.text.split())
