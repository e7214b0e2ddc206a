"""Conversion of lark's parse trees to the AST.

In: a tree. Out: nodes of `hoyle.language.syntax.ast` with exact locations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from lark import Token, Transformer, Tree
from lark.tree import Meta

from hoyle.base.source import Source, Span
from hoyle.language.syntax import ast

Args = list[Any]
Tail = Callable[[ast.Expr, Span], ast.Expr]  # the predicate of a test, as a function of its subject


# Statements that are what their parts are, in the order of the class.
_PLAIN: dict[str, type[ast.Statement]] = {
    "swap": ast.Swap, "show": ast.Show, "pass_each": ast.Pass, "retire": ast.Retire, "announce": ast.Announce,
    "nothing": ast.Nothing,
}  # fmt: skip


class AstBuilder(Transformer[Token, Any]):
    """One method per rule of the grammar, called with the location and the converted children."""

    def __init__(self, source: Source, base: int = 0) -> None:
        super().__init__(visit_tokens=False)
        self.source = source
        self.base = base  # offset of the parsed text in the source

    def _call_userfunc(self, tree: Tree[Token], new_children: Args | None = None) -> Any:
        """The same as `v_args(meta=True)`, without wrapping the method again for every node of every tree."""
        children = tree.children if new_children is None else new_children
        plain = _PLAIN.get(tree.data)
        if plain is not None:
            names = (part.name for part in fields(plain) if part.name not in ("span", "cite"))
            return plain(**dict(zip(names, children, strict=True)), span=self._span(tree.meta))
        return getattr(self, tree.data)(tree.meta, children)

    def _at(self, start: int, end: int) -> Span:
        return Span(self.source, self.base + start, self.base + end)

    def _span(self, meta: Meta) -> Span:
        return self._at(0, 0) if meta.empty else self._at(meta.start_pos, meta.end_pos)

    def _word(self, token: Token) -> ast.Word:
        assert token.start_pos is not None and token.end_pos is not None
        return ast.Word(str(token), self._at(token.start_pos, token.end_pos))

    # -------------------------------------------------------------------------------------------- small parts
    def word(self, meta: Meta, a: Args) -> ast.Word:
        return self._word(a[0])

    def cite(self, meta: Meta, a: Args) -> tuple[ast.Word, ...]:
        token: Token = a[0]
        assert token.start_pos is not None
        return tuple(
            ast.Word(found.group(), self._at(token.start_pos + found.start(), token.start_pos + found.end()))
            for found in re.finditer(r"[^\s,\[\]](?:[^,\[\]]*[^\s,\[\]])?", str(token))
        )

    def quantifier(self, meta: Meta, a: Args) -> str:
        return str(a[0])

    which = aggregate = quantifier

    # -------------------------------------------------------------------------------------------- atoms and operands
    def name(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Name(id=a[0].id, span=a[0].span)

    def all_word(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Name(id="all", span=self._span(meta))

    def code(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Name(id=str(a[0]), span=self._span(meta))

    def integer(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Int(value=int(a[0][:12]), span=self._span(meta))

    def text(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Text(value=str(a[0])[1:-1], span=self._span(meta))

    def group(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Group(body=a[0], span=self._span(meta))

    def list_of(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.ListOf(items=tuple(a), span=self._span(meta))

    def key(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Key(items=tuple(a), span=self._span(meta))

    def binding(self, meta: Meta, a: Args) -> ast.Binding:
        return ast.Binding(a[0], a[1], a[2], a[3], self._span(meta))

    def binder(self, meta: Meta, a: Args) -> ast.Binding:
        return ast.Binding(a[0], a[1], a[2], a[3], self._span(meta), a[4] or ())

    def best_highest(self, meta: Meta, a: Args) -> ast.Best:
        return ast.Best("highest", a[0])

    def best_lowest(self, meta: Meta, a: Args) -> ast.Best:
        return ast.Best("lowest", a[0])

    def order(self, meta: Meta, a: Args) -> tuple[ast.Best, ...]:
        return tuple(a)

    def each_row(self, meta: Meta, a: Args) -> ast.Those:
        return ast.Those(value=None, binding=a[0], orders=a[1] or (), span=self._span(meta))

    def those(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Those(value=None, binding=a[0], orders=a[1] or (), span=self._span(meta))

    def division(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Division(word=a[0], source=a[1], where=a[2], weight=a[3], span=self._span(meta))

    def values(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Those(value=a[0], binding=a[1], orders=a[2] or (), span=self._span(meta))

    def apply(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Of(word=a[0], arg=a[1], span=self._span(meta))

    def aggregated(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Aggregated(how=a[0], word=a[1], arg=a[2], span=self._span(meta))

    def aggregate_of(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Aggregated(how=a[0], word=None, arg=a[1], span=self._span(meta))

    def end_of(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.EndOf(which=a[0], number=None, but=False, arg=a[1], span=self._span(meta))

    def some_end_of(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.EndOf(which=a[0], number=a[1], but=False, arg=a[2], span=self._span(meta))

    def but_end_of(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.EndOf(which=a[0], number=None, but=True, arg=a[1], span=self._span(meta))

    def but_some_end_of(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.EndOf(which=a[0], number=a[1], but=True, arg=a[2], span=self._span(meta))

    def each(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Each(word=self._word(a[0]), span=self._span(meta))

    def new_pile(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.NewPile(family=a[0], span=self._span(meta))

    def negative(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Negative(arg=a[0], span=self._span(meta))

    # -------------------------------------------------------------------------------------------- operators
    def _binary(self, op: str, meta: Meta, a: Args) -> ast.Expr:
        return ast.Binary(op=op, left=a[0], right=a[1], span=self._span(meta))

    def span(self, meta: Meta, a: Args) -> ast.Expr:
        return self._binary("..", meta, a)

    def add(self, meta: Meta, a: Args) -> ast.Expr:
        return self._binary("+", meta, a)

    def subtract(self, meta: Meta, a: Args) -> ast.Expr:
        return self._binary("-", meta, a)

    def multiply(self, meta: Meta, a: Args) -> ast.Expr:
        return self._binary("*", meta, a)

    def divide(self, meta: Meta, a: Args) -> ast.Expr:
        return self._binary("div", meta, a)

    def modulo(self, meta: Meta, a: Args) -> ast.Expr:
        return self._binary("mod", meta, a)

    def test(self, meta: Meta, a: Args) -> ast.Expr:
        return a[1](a[0], self._span(meta))  # type: ignore[no-any-return]  # a tail is a function of its subject

    def compares(self, meta: Meta, a: Args) -> Tail:
        return lambda subject, span: ast.Compare(op=str(a[0]), left=subject, right=a[1], span=span)

    def is_a(self, meta: Meta, a: Args) -> Tail:
        return lambda subject, span: ast.IsA(arg=subject, word=self._word(a[0]), negated=False, span=span)

    def is_not_a(self, meta: Meta, a: Args) -> Tail:
        return lambda subject, span: ast.IsA(arg=subject, word=self._word(a[0]), negated=True, span=span)

    def is_in(self, meta: Meta, a: Args) -> Tail:
        return lambda subject, span: ast.IsIn(arg=subject, list=a[0], negated=False, span=span)

    def is_not_in(self, meta: Meta, a: Args) -> Tail:
        return lambda subject, span: ast.IsIn(arg=subject, list=a[0], negated=True, span=span)

    def can_do(self, meta: Meta, a: Args) -> Tail:
        return lambda subject, span: ast.CanDo(seat=subject, how="can", action=self._word(a[0]), span=span)

    def may_do(self, meta: Meta, a: Args) -> Tail:
        return lambda subject, span: ast.CanDo(seat=subject, how="may", action=self._word(a[0]), span=span)

    def relates(self, meta: Meta, a: Args) -> Tail:
        return lambda subject, span: ast.Relates(left=subject, word=self._word(a[0]), right=a[1], span=span)

    def quantified(self, meta: Meta, a: Args) -> ast.Expr:
        span = self._span(meta)
        subject = ast.Name(id=a[1].id, span=a[1].span)
        test = a[3](subject, a[1].span.to(span))
        return ast.Quantified(how=a[0], word=a[1], source=a[2], test=test, satisfies=False, span=span)

    def quantified_by(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Quantified(how=a[0], word=a[1], source=a[2], test=a[3], satisfies=True, span=self._span(meta))

    def not_(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Not(arg=a[0], span=self._span(meta))

    def and_(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Logic(op="and", left=a[0], right=a[1], span=self._span(meta))

    def or_(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Logic(op="or", left=a[0], right=a[1], span=self._span(meta))

    def choice(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Choice(yes=a[0], test=a[1], no=a[2], span=self._span(meta))

    def or_else(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.OrElse(first=a[0], second=a[1], span=self._span(meta))

    # -------------------------------------------------------------------------------------------- menus and picks
    def item(self, meta: Meta, a: Args) -> ast.Item:
        return ast.Item(self._word(a[0]), a[1])

    def tier(self, meta: Meta, a: Args) -> tuple[ast.Item, ...]:
        return tuple(a)

    def menu(self, meta: Meta, a: Args) -> ast.Menu:
        return ast.Menu(tuple(a), self._span(meta))

    def pick_any(self, meta: Meta, a: Args) -> ast.Pick:
        return ast.Pick(self._word(a[0]), None, None, a[1], self._span(meta))

    def pick_one(self, meta: Meta, a: Args) -> ast.Pick:
        return ast.Pick(None, None, a[0], a[1], self._span(meta))

    def pick_some(self, meta: Meta, a: Args) -> ast.Pick:
        return ast.Pick(None, a[0], a[1], a[2], self._span(meta))

    def pick_or_more(self, meta: Meta, a: Args) -> ast.Pick:
        return ast.Pick(None, a[0], a[1], a[2], self._span(meta), or_more=True)

    def plain(self, meta: Meta, a: Args) -> ast.Pattern:
        return ast.Pattern("plain", self._word(a[0]), (), self._span(meta))

    def function(self, meta: Meta, a: Args) -> ast.Pattern:
        return ast.Pattern("function", self._word(a[0]), tuple(a[1:]), self._span(meta))

    def adjective(self, meta: Meta, a: Args) -> ast.Pattern:
        return ast.Pattern("adjective", self._word(a[1]), (a[0],), self._span(meta))

    def relation(self, meta: Meta, a: Args) -> ast.Pattern:
        return ast.Pattern("relation", self._word(a[1]), (a[0], a[2]), self._span(meta))

    # -------------------------------------------------------------------------------------------- statements
    def steps(self, meta: Meta, a: Args) -> tuple[ast.Statement, ...]:
        return tuple(a)

    def cited(self, meta: Meta, a: Args) -> ast.Statement:
        return _with_cite(a[0], a[1] if len(a) > 1 else ())

    def one_line(self, meta: Meta, a: Args) -> tuple[tuple[ast.Word, ...], tuple[ast.Statement, ...]]:
        return (), (_with_cite(a[0], a[1] if len(a) > 1 else ()),)

    def one_inside(self, meta: Meta, a: Args) -> tuple[tuple[ast.Word, ...], tuple[ast.Statement, ...]]:
        return (), (a[0],)

    def one_if(self, meta: Meta, a: Args) -> tuple[tuple[ast.Word, ...], tuple[ast.Statement, ...]]:
        test, (cite, body) = a
        return (), (ast.If(cases=((test, body),), otherwise=(), span=self._span(meta), cite=cite),)

    def block(self, meta: Meta, a: Args) -> tuple[tuple[ast.Word, ...], tuple[ast.Statement, ...]]:
        cited = a[0] if isinstance(a[0], tuple) else ()
        return cited, tuple(part for part in a if isinstance(part, ast.Statement))

    def if_steps(self, meta: Meta, a: Args) -> ast.Statement:
        *pairs, otherwise = a
        cases = tuple((pairs[i], pairs[i + 1][1]) for i in range(0, len(pairs), 2))
        cite = tuple(word for i in range(1, len(pairs), 2) for word in pairs[i][0])
        rest = otherwise[1] if otherwise else ()
        return ast.If(cases=cases, otherwise=rest, span=self._span(meta), cite=cite)

    def for_each(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.ForEach(binding=a[0], body=a[1][1], span=self._span(meta), cite=a[1][0])

    def exactly(self, meta: Meta, a: Args) -> tuple[ast.Expr, bool]:
        return a[0], False

    def at_most(self, meta: Meta, a: Args) -> tuple[ast.Expr, bool]:
        return a[0], True

    def repeat(self, meta: Meta, a: Args) -> ast.Statement:
        times, at_most = a[0] or (None, False)
        return ast.Repeat(times=times, at_most=at_most, until=a[1], body=a[2][1], span=self._span(meta), cite=a[2][0])

    def _on_zone(self, verb: Any, meta: Meta, a: Args) -> ast.Statement:
        return ast.OnZone(verb=verb, zone=a[0], span=self._span(meta))

    def gather(self, meta: Meta, a: Args) -> ast.Statement:
        return self._on_zone("gather", meta, a)

    def shuffle(self, meta: Meta, a: Args) -> ast.Statement:
        return self._on_zone("shuffle", meta, a)

    def cut(self, meta: Meta, a: Args) -> ast.Statement:
        return self._on_zone("cut", meta, a)

    def turn_over(self, meta: Meta, a: Args) -> ast.Statement:
        return self._on_zone("turn over", meta, a)

    def turn_up(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Turn(cards=a[0], up=True, span=self._span(meta))

    def turn_down(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Turn(cards=a[0], up=False, span=self._span(meta))

    def amount(self, meta: Meta, a: Args) -> tuple[ast.Expr | None, bool]:
        everything = isinstance(a[0], ast.Name) and a[0].id == "all"
        return None if everything else a[0], False

    def up_to(self, meta: Meta, a: Args) -> tuple[ast.Expr, bool]:
        return a[0], True

    def in_packets(self, meta: Meta, a: Args) -> tuple[ast.Expr | None, ast.Expr | None]:
        return None, a[0]

    def among(self, meta: Meta, a: Args) -> tuple[ast.Expr | None, ast.Expr | None]:
        return a[0], a[1]

    def deal(self, meta: Meta, a: Args) -> ast.Statement:
        (count, up_to), source, *targets, dealt_in, start = a
        among, packet = dealt_in or (None, None)
        return ast.Deal(
            count=count,
            up_to=up_to,
            source=source,
            targets=tuple(targets),
            among=among,
            packet=packet,
            start=start,
            span=self._span(meta),
        )

    def move(self, meta: Meta, a: Args) -> ast.Statement:
        cards, zone = a
        under = isinstance(zone, ast.EndOf) and zone.which == "bottom" and zone.number is None and not zone.but
        return ast.Move(cards=cards, zone=zone.arg if under else zone, bottom=under, span=self._span(meta))

    def zone_name(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Name(id=str(a[0]), span=self._span(meta))

    def its_owner(self, meta: Meta, a: Args) -> ast.Expr:
        return ast.Name(id="seat", span=self._span(meta))

    def set_to(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Set(target=a[0], value=a[1], span=self._span(meta))

    def clear(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Set(target=a[0], value=None, span=self._span(meta))

    def add_to(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.AddTo(value=a[0], target=a[1], remove=False, span=self._span(meta))

    def remove_from(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.AddTo(value=a[0], target=a[1], remove=True, span=self._span(meta))

    def let(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Let(word=self._word(a[0]), value=a[1], span=self._span(meta))

    def draw(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Draw(word=self._word(a[0]), source=a[1], span=self._span(meta))

    def score(self, meta: Meta, a: Args) -> ast.Statement:
        amount, seat, column, label = a
        return ast.Score(
            amount=amount,
            seat=seat,
            column=self._word(column) if column is not None else None,
            label=str(label)[1:-1] if label else "",
            span=self._span(meta),
        )

    def mark(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Mark(seat=a[0], mark=self._word(a[1]), span=self._span(meta))

    def pay(self, meta: Meta, a: Args) -> ast.Statement:
        everything = isinstance(a[0], ast.Name) and a[0].id == "all"
        return ast.Pay(amount=None if everything else a[0], source=a[1], target=a[2], span=self._span(meta))

    def _choose(self, meta: Meta, a: Args, *, may: bool, together: bool) -> ast.Statement:
        return ast.Choose(seat=a[0], menu=a[1], may=may, together=together, span=self._span(meta))

    def chooses(self, meta: Meta, a: Args) -> ast.Statement:
        return self._choose(meta, a, may=False, together=False)

    def may_choose(self, meta: Meta, a: Args) -> ast.Statement:
        return self._choose(meta, a, may=True, together=False)

    def may_choose_together(self, meta: Meta, a: Args) -> ast.Statement:
        return self._choose(meta, a, may=True, together=True)

    def choose_together(self, meta: Meta, a: Args) -> ast.Statement:
        return self._choose(meta, a, may=False, together=True)

    def all_decline(self, meta: Meta, a: Args) -> bool:
        return True

    def offer(self, meta: Meta, a: Args) -> ast.Statement:
        binding, drawn = a[1]
        return ast.Offer(menu=a[0], binding=binding, again=bool(a[2]), drawn=drawn, span=self._span(meta))

    def claimants(self, meta: Meta, a: Args) -> tuple[ast.Binding, bool]:
        return self.binding(meta, a), False

    def drawn_claimants(self, meta: Meta, a: Args) -> tuple[ast.Binding, bool]:
        return ast.Binding(a[0], a[1], None, a[2], self._span(meta)), True

    def do(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Do(step=self._word(a[0]), arg=a[1], subject=a[2], span=self._span(meta))

    def take_back(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.TakeBack(step=self._word(a[0]) if a[0] else None, span=self._span(meta))

    def end(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.End(step=self._word(a[0]), span=self._span(meta))

    def lost(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Lost(body=(), span=self._span(meta))

    def lost_block(self, meta: Meta, a: Args) -> ast.Statement:
        return ast.Lost(body=a[1][1], span=self._span(meta))


def _with_cite(statement: ast.Statement, cite: tuple[ast.Word, ...]) -> ast.Statement:
    """A copy of the statement with its citation."""
    return replace(statement, cite=cite) if cite else statement
