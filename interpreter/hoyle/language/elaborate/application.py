"""Elaboration of `X of Y`: family members, attributes, columns, definitions, and words of the language.

In: a word and its operand. Out: its IR; a word that does not apply to the operand is reported.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.base.diagnostics.report import Fix, Label
from hoyle.base.diagnostics.spelling import with_article
from hoyle.base.source import Span
from hoyle.language.elaborate.definition_uses import Uses, report_several
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.face_up import find_face_up
from hoyle.language.elaborate.folding import apply, choose, constant
from hoyle.language.elaborate.giving import give
from hoyle.language.elaborate.name_resolution import CONSTANTS, report_if_later
from hoyle.language.elaborate.owners import find_named_owner, find_owner_by, kind_of_place
from hoyle.language.elaborate.places import refer_to_zone
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.team_values import partner_of, seats_of, team_of
from hoyle.language.elaborate.typing_rules import as_elements, coerce, described, is_unknown, unknown
from hoyle.language.elaborate.word_rules import apply_word
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import is_of_seats
from hoyle.program.ir.types import (
    CARD,
    CARDS,
    LINE,
    NUMBER,
    SEAT,
    SEATS,
    TEAM,
    TRUTH,
    ZONE,
    Type,
    certain,
    list_of,
    maybe,
)
from hoyle.program.words import WORDS, Op, op_named

NEIGHBOURS = ("next", "previous")


class OfExpressions:
    """Resolves words applied with `of`."""

    def __init__(self, elaborator: Elaborator, uses: Uses) -> None:
        self.elaborator = elaborator
        self.env: Environment = elaborator.env
        self.uses = uses

    def of(self, node: ast.Of, scope: Scope, wanted: Type | None) -> ir.Expr:
        name, env = node.word.name, self.env
        text = written(node)
        if env.is_lost(name, node.span):
            self.elaborator.expr(node.arg, scope)  # what is wrong in it is told all the same
            return unknown()
        if name in env.zones or name in env.states:
            return self._owned(name, node, scope, text)
        if op_named(name) is Op.PLACE and isinstance(node.arg, ast.ListOf) and len(node.arg.items) == 2:
            return self._place_in(*node.arg.items, scope, text)
        info = env.definitions.get(name)
        if info is not None and len(info.decl.pattern.params) > 1 and info.decl.pattern.form == "function":
            return self.uses.of_several(info, node, scope, text)
        zone = env.zones.get(node.arg.word.name) if isinstance(node.arg, ast.Each) else None
        of_each = zone is not None and is_of_seats(env.zone_list[zone])
        if of_each and op_named(name) is Op.COUNT and name not in env.definitions:
            return self._count_of_each(node, node.arg)
        arg = self.elaborator.expr(node.arg, scope)
        return self.apply_to(node.word, arg, node.arg.span, scope, text)

    def _place_in(self, what: ast.Expr, where: ast.Expr, scope: Scope, text: str) -> ir.Expr:
        """Elaborates `place of (seat, finished)`: the place of an element in a list."""
        values = self.elaborator.listed(where, scope, "where it stands")
        element = values.type.of
        if element is None:
            return unknown()
        value = self.elaborator.pointed(what, scope, element, "what stands there")
        return unknown() if is_unknown(value.type) else apply(Op.PLACE_IN, (value, values), maybe(NUMBER), text)

    def _owned(self, name: str, node: ast.Of, scope: Scope, text: str) -> ir.Expr:
        env = self.env
        held = self._find_held(name)
        if not held.of:
            place = env.place_of(name)
            env.report.error(
                "nobodys",
                f"`{name}` belongs to the table, not to a seat",
                node.word.span,
                others=(Label(place, "declared without `of: seat`"),) if place else (),
                fix=Fix(node.span, name),
            )
            return unknown()
        if isinstance(held, ir.Zone) and held.many and [each.kind for each in held.of] == ["seat"]:
            several = self.elaborator.expr(node.arg, scope, SEAT)
            if certain(several.type).kind in ("list", "team"):
                owners = coerce(env, several, SEATS, node.arg.span, f"whose `{name}` it is")
                return refer_to_zone(env, name, owners, text)
        owner = find_named_owner(self.elaborator, held, name, node.arg, scope)
        return unknown() if owner is None else self._refer(held, owner, text)

    def _member(self, name: str, arg: ir.Expr, at: Span, scope: Scope, text: str) -> ir.Expr:
        """The member of a family with an elaborated index."""
        held = self._find_held(name)
        owner = find_owner_by(self.env, held, name, arg, at, scope)
        return unknown() if owner is None else self._refer(held, owner, text)

    def _find_held(self, name: str) -> ir.Zone | ir.State:
        """The zone or state with a name; records its use."""
        env = self.env
        return env.zone_list[env.zones[name]] if name in env.zones else env.state_list[env.states[name]]

    def _refer(self, held: ir.Zone | ir.State, owner: ir.Expr, text: str) -> ir.Expr:
        """A reference to a member of a family."""
        if isinstance(held, ir.Zone):
            return refer_to_zone(self.env, held.name, owner, text)
        kept = kind_of_place(owner, held.type)
        return ir.StateRef(type=kept, state=self.env.states[held.name], owner=owner, text=text)

    def _count_of_each(self, node: ast.Of, each: ast.Expr) -> ir.Expr:
        """Report `count of each hand`, which would be the number of hands."""
        assert isinstance(each, ast.Each)
        zone = each.word.id
        self.env.report.error(
            "counts-zones",
            f"`each {zone}` is a list of zones, so this would count the zones and not their cards",
            node.span,
            hint=f"`sum count of each {zone}` is how many cards lie in all of them",
            fix=(Fix(node.span, f"sum count of each {zone}", sure=False), Fix(node.span, "count of seats", sure=False)),
        )
        return unknown()

    def apply_to(self, word: ast.Word, arg: ir.Expr, at: Span, scope: Scope, text: str = "") -> ir.Expr:
        """A word applied to a value: an attribute, a definition or a built-in word."""
        name, env = word.name, self.env
        text = text or f"{word.id} of {arg.text}"
        if env.is_lost(name, at):
            return unknown()
        if name in env.attributes:
            return self._attribute(name, arg, at, text)
        if name in env.zones or (name in env.states and env.state_list[env.states[name]].of):
            return self._member(name, arg, at, scope, text)
        if name in NEIGHBOURS and not self._defines(name):
            return self._neighbour(name, arg, at, text)
        if name in env.definitions:
            return self.uses.of_one(name, arg, at, scope, word.span, text)
        if name in env.kind_columns:
            return self._kind_column(name, arg, at, text)
        if name in env.declared.columns:
            return self._column(name, arg, at, scope, text)
        if name in ("team", "partner"):
            return self._team(name, arg, at, text)
        if op_named(name) is Op.SCORE and certain(arg.type) == TEAM:
            return self._sum_of_team(arg, scope, text, lambda seat: apply(Op.SCORE, (seat,), NUMBER))
        if op_named(name) is Op.FACE_UP:
            return find_face_up(env, arg, at, text)
        if name in WORDS and WORDS[name].spoken and len(WORDS[name].takes) == 1:
            if op_named(name) is Op.JOINED and certain(arg.type) == list_of(ZONE):
                arg = _cards_of_each(arg, scope)
            return apply_word(self.env, name, arg, at, text)
        if is_unknown(arg.type) or scope.blind:
            return unknown()
        if name == str(CARD) + "s" and as_elements(env, arg).type == CARDS:
            env.report.error(
                "not-said-of",
                f"`{arg.text}` stands for its cards by itself",
                word.span.to(at),
                fix=(Fix(word.span.to(at), arg.text, sure=False),),
            )
            return unknown()
        kind = "an option" if name in env.options else "a state" if name in env.states else None
        if kind or name in WORDS or name in CONSTANTS or name in scope.names:
            env.report.error(
                "not-said-of",
                f"`{name}` is {kind or 'a value'}; it is not said of anything",
                word.span,
                hint=f"write `{name}` alone" + (", or two things in parentheses: `(A, B)`" if not kind else ""),
                fix=Fix(word.span.to(at), f"({name}, {arg.text})", sure=False),  # `trail of seat of suit of card`
            )
            return unknown()
        if report_if_later(self.env, name, word.span):
            return unknown()
        words = [word.name for word in WORDS.values() if word.spoken]
        said = [*env.attributes, *env.definitions, *env.zones, *env.states, *words]
        similar = env.similar(name, said, word.span)
        subject = str(certain(arg.type))
        defined = (f"define it: `definitions: {{{name} of {subject}: …}}`",) if subject.isidentifier() else ()
        similar["hint"] = similar["hint"] or defined
        env.report.error("unknown-name", f"no `{name} of …` is known", word.span, "not declared anywhere", **similar)
        return unknown()

    def _defines(self, name: str) -> bool:
        """Whether the game says of things what a word would say: `next of card`, but not `card is next`."""
        info = self.env.definitions.get(name)
        return info is not None and (info.decl.owned or info.decl.pattern.form == "function")

    def _neighbour(self, name: str, arg: ir.Expr, at: Span, text: str) -> ir.Expr:
        """The next value of an attribute or kind in its order, or the previous; none beyond the last and the first."""
        if is_unknown(arg.type):
            return unknown()
        kind = certain(arg.type)
        domain = self.env.domain_of(kind.name) if kind.name else None
        if domain is None:
            self.env.report.error(
                "wrong-type",
                f"`{name}` is said of a value of an attribute or kind; `{arg.text}` is {described(kind)}",
                at,
                described(kind),
                hint=f"of a number it is `{arg.text} {'+' if name == 'next' else '-'} 1`" if kind == NUMBER else (),
            )
            return unknown()
        values = domain[1]
        step, last = (Op.ADD, values[-1]) if name == "next" else (Op.SUBTRACT, values[0])
        moved = apply(step, (arg, constant(1, NUMBER, "1")), maybe(kind), text)
        is_last = apply(Op.EQUAL, (arg, constant(last, kind)), TRUTH)
        return choose(is_last, constant(None, maybe(kind), "none"), moved, maybe(kind), text)

    def _kind_column(self, name: str, arg: ir.Expr, at: Span, text: str) -> ir.Expr:
        """A column of a kind: a lookup in a constant table."""
        tables = self.env.kind_columns[name]
        if is_unknown(arg.type):
            return unknown()
        table: ir.Expr | None = tables.get(certain(arg.type).name) if certain(arg.type).kind == "enum" else None
        if table is None:
            kinds = ", ".join(with_article(f"`{kind}`") for kind in tables)
            self.env.report.error(
                "wrong-type",
                f"`{name}` is said of {kinds}; `{arg.text}` is {described(arg.type)}",
                at,
                described(arg.type),
            )
            return unknown()
        element = table.type.of or Type("unknown")
        place = list(self.env.declared.kinds).index(certain(arg.type).name)
        table = give(self.env, "column", table.type, table.text, name, place)
        return apply(Op.ELEMENT, (table, arg), maybe(element) if arg.type.kind == "maybe" else element, text)

    def _sum_of_team(self, team: ir.Expr, scope: Scope, text: str, total: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
        """The sum of what the seats of a team have scored."""
        var = ir.Var(type=SEAT, index=scope.frame.new(), name="seat", text="seat")
        seats = seats_of(self.env, team)
        totals = ir.Those(
            type=list_of(NUMBER), var=var.index, source=seats, where=None, orders=(), value=total(var), text=text
        )
        return apply(Op.SUM, (totals,), NUMBER, text)

    def _column(self, name: str, arg: ir.Expr, at: Span, scope: Scope, text: str) -> ir.Expr:
        """A column of the ledger: for a line the entry, for a seat or a team the total."""
        number = constant(list(self.env.declared.columns).index(name), NUMBER, name)
        if certain(arg.type) == LINE:
            return apply(Op.ENTRY, (arg, number), maybe(NUMBER), text)
        if certain(arg.type) == TEAM:
            return self._sum_of_team(arg, scope, text, lambda seat: apply(Op.COLUMN, (seat, number), NUMBER))
        seat = coerce(self.env, arg, SEAT, at, f"whose `{name}` it is")
        return unknown() if is_unknown(seat.type) else apply(Op.COLUMN, (seat, number), NUMBER, text)

    def _team(self, name: str, arg: ir.Expr, at: Span, text: str) -> ir.Expr:
        """The team of a seat, or its partner: the other member of the team."""
        if certain(arg.type) != SEAT:
            arg = coerce(self.env, arg, SEAT, at, f"whose `{name}` it is")
        if is_unknown(arg.type):
            return unknown()
        if name == "team":
            return team_of(self.env, arg, text)
        return partner_of(self.env, arg, text)

    def _attribute(self, name: str, arg: ir.Expr, at: Span, text: str) -> ir.Expr:
        env = self.env
        attribute = env.attribute_list[env.attributes[name]]
        if is_unknown(arg.type):
            return unknown()
        if certain(arg.type) != CARD:
            report_several(self.env, name, arg, at)
            return unknown()
        missing = arg.type.kind == "maybe" or name in env.gaps
        kind = maybe(attribute.type) if missing else attribute.type
        if isinstance(arg, ir.Const) and arg.value is not None:
            return constant(attribute.table[arg.number], kind, text)
        return ir.Attribute(type=kind, attribute=env.attributes[name], card=arg, text=text)


def _cards_of_each(zones: ir.Expr, scope: Scope) -> ir.Expr:
    """Several zones as the groups of cards that lie in them."""
    var = ir.Var(type=ZONE, index=scope.frame.new(), name="", text=f"each of {zones.text}")
    cards = apply(Op.CARDS, (var,), CARDS, var.text)
    return ir.Those(
        type=list_of(CARDS), var=var.index, source=zones, where=None, orders=(), value=cards, text=zones.text
    )
