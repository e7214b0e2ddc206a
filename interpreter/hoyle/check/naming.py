"""What a name means where it stands: local, option, state, zone, definition, word, card, value.

In: a word of the AST and its scope. Out: the IR it stands for; unknown and unclear names are reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.check.folding import apply, choose, constant, logic
from hoyle.check.scope import Scope
from hoyle.check.typing_rules import as_cards, coerce, described, is_unknown, remedy, same, unknown
from hoyle.check.world import TYPE_WORDS, DefinitionInfo, Value, World
from hoyle.diagnostics.report import Fix, Label
from hoyle.ir import nodes as ir
from hoyle.ir.types import (
    CARD,
    CARDS,
    LINE,
    NONE,
    NUMBER,
    SEAT,
    SEATS,
    TRUTH,
    ZONE,
    Type,
    certain,
    enum,
    list_of,
    maybe,
)
from hoyle.source import Span
from hoyle.syntax import ast
from hoyle.words import WORDS

if TYPE_CHECKING:
    from hoyle.check.definitions import Definitions

CONSTANTS: dict[str, tuple[Any, Type]] = {"none": (None, NONE), "true": (True, TRUTH), "false": (False, TRUTH)}


class Naming:
    """The part of the elaborator that knows names."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.definitions: Definitions | None = None

    # The elaborator proper provides these.
    def expr(self, node: ast.Expr, scope: Scope, wanted: Type | None = None) -> ir.Expr:
        raise NotImplementedError

    def apply_word(self, name: str, arg: ir.Expr, span: Span, text: str) -> ir.Expr:
        raise NotImplementedError

    def renamed(self, word: ast.Word | ast.Name) -> str:
        """A name as the game knows it: names of a used module may bear another name there."""
        return word.span.source.renames.get(word.id, word.id)

    # -------------------------------------------------------------------------------------------- bare names
    def name(self, node: ast.Name, scope: Scope, wanted: Type | None) -> ir.Expr:
        if node.id in scope.names:
            if node.id in scope.untested:
                return self._tested_number(node)
            return scope.names[node.id]
        name, world = self.renamed(node), self.world
        if name in CONSTANTS:
            return constant(*CONSTANTS[name], node.id)
        if name in world.reported:
            return unknown()
        wanted_value = self._value(name, wanted)
        if wanted_value is not None:
            return constant(wanted_value.index, wanted_value.type, node.id)
        if name in world.options:
            world.used.add(f"option:{name}")
            option = world.options[name]
            return constant(option.value, option.type, node.id)
        if name in world.states:
            state = world.state_list[world.states[name]]
            owner = self._owner_of(state, node, scope) if state.owner else None
            world.used.add(f"state:{name}")
            if state.owner and owner is None:
                return unknown()
            return ir.StateRef(type=state.type, state=world.states[name], owner=owner, text=node.id)
        if name in world.zones:
            return self._zone(name, node.id, node.span, scope)
        if name in world.definitions:
            return self._plain_definition(name, node, scope)
        if name == "players":
            return constant(world.players, NUMBER, "players")
        if name == "deck":
            return constant(tuple(range(len(world.cards))), CARDS, "deck")
        if name == "offender" and not world.called:
            return constant(None, maybe(SEAT), node.id)
        if name in WORDS and WORDS[name].spoken and not WORDS[name].takes:
            return apply(name, (), WORDS[name].gives, node.id)
        card = self._card(name, node, scope)
        if card is not None:
            return card
        values = world.values.get(name, [])
        if len(values) == 1:
            return constant(values[0].index, values[0].type, node.id)
        if len(values) > 1:
            kinds = ", ".join(f"`{v.type.name}`" for v in values)
            world.report.error(
                "unclear-value",
                f"`{name}` is a value of {kinds}; which is meant cannot be told here",
                node.span,
                hint="compare it with something of that kind, or rename one of the values",
            )
            return unknown()
        if name in world.number_names:
            return constant(world.number_names[name], NUMBER, node.id)
        return self._unknown_name(name, node, scope)

    def _tested_number(self, node: ast.Name) -> ir.Expr:
        self.world.report.error(
            "number-tested",
            f"`{node.id}` is any number of a range, so no condition can test it",
            node.span,
            "not known when it is asked what is legal",
            hint="say with the bounds of the range what may be chosen, or choose from at most 64 numbers",
        )
        return unknown()

    def _value(self, name: str, wanted: Type | None) -> Value | None:
        if wanted is None:
            return None
        kind = certain(wanted)
        return next((v for v in self.world.values.get(name, ()) if v.type == kind), None)

    def is_value_name(self, node: ast.Expr, scope: Scope) -> bool:
        """Whether an expression is a bare name that means something only beside another value."""
        if not isinstance(node, ast.Name) or node.id in scope.names:
            return False
        name = self.renamed(node)
        tables = (self.world.options, self.world.states, self.world.zones, self.world.definitions)
        return name in self.world.values and not any(name in table for table in tables)

    def _subject(self, name: str, span: Span, scope: Scope) -> ir.Expr | None:
        """The seat whose `hand` is meant when a rule just says `hand`."""
        if scope.subject is not None and len(scope.seats) == 1:
            return scope.subject
        people = [f"`{name} of {seat}`" for seat in scope.seats] or [f"`{name} of dealer`"]
        reason = "two seats are spoken of here" if len(scope.seats) > 1 else "no seat is spoken of here"
        hint = f"write {' or '.join(people)}"
        if not scope.seats and scope.where == "definition":
            hint += ", or say that the definition is about a seat: `of: seat`"
        self.world.report.error("whose", f"whose `{name}`? {reason}", span, reason, hint=hint)
        return None

    def _owner_of(self, state: ir.State, node: ast.Name, scope: Scope) -> ir.Expr | None:
        """Whose a state is that stands without `of`: the seat's a rule speaks of, or that of `for each KIND`."""
        if state.owner == "seat":
            return self._subject(node.id, node.span, scope)
        spoken = scope.names.get(state.owner)
        if spoken is not None and spoken.type == enum(state.owner):
            return spoken
        first = self.world.enums[state.owner].values[0]
        self.world.report.error(
            "whose",
            f"there is a `{node.id}` for each `{state.owner}`; which is meant?",
            node.span,
            f"no `{state.owner}` is spoken of here",
            hint=f"say which: `{node.id} of {first}`",
        )
        return None

    def _zone(self, name: str, said: str, span: Span, scope: Scope) -> ir.Expr:
        zone = self.world.zone_list[self.world.zones[name]]
        self.world.used.add(f"zone:{name}")
        owner = self._subject(said, span, scope) if zone.owner else None
        if zone.owner and owner is None:
            return unknown()
        return self._place(name, owner, said)

    def _place(self, name: str, owner: ir.Expr | None, text: str) -> ir.Expr:
        """A zone; of a family, the list of its standing piles."""
        index = self.world.zones[name]
        if self.world.zone_list[index].many:
            return ir.Piles(type=list_of(ZONE), zone=index, owner=owner, new=False, text=text)
        return ir.ZoneRef(type=ZONE, zone=index, owner=owner, text=text)

    def new_pile(self, node: ast.NewPile, scope: Scope, wanted: Type | None) -> ir.Expr:
        """`new surplus`: the first place of a family at which no pile stands."""
        found = self.expr(node.family, scope)
        if is_unknown(found.type):
            return found
        of_many = isinstance(found, ir.Piles) and found.owner is not None and found.owner.type.kind == "list"
        if not isinstance(found, ir.Piles) or found.new or of_many:
            families = [zone.name for zone in self.world.zone_list if zone.many]
            self.world.report.error(
                "not-a-family",
                f"`new` opens a pile of a family of zones; `{found.text}` is none",
                node.family.span,
                hint=f"the families are {', '.join(f'`{name}`' for name in families)}"
                if families
                else "a family is declared with `many: N`",
            )
            return unknown()
        return ir.Piles(type=maybe(ZONE), zone=found.zone, owner=found.owner, new=True, text=f"new {found.text}")

    def _card(self, name: str, node: ast.Name, scope: Scope) -> ir.Expr | None:
        cards = self.world.card_names.get(name) or self.world.card_codes.get(name)
        if not cards:
            return None
        if len(cards) > 1 and not scope.codes:
            self.world.report.error(
                "several-cards",
                f"the deck holds {len(cards)} cards `{name}`; which one is meant cannot be told",
                node.span,
                hint=f"`card is {name}` tests whether a card is one of them; "
                f"`(card in hand where card is {name})` lists them",
            )
            return unknown()
        return constant(cards[0], CARD, node.id)

    def card_copy(self, node: ast.Expr, scope: Scope, copies: dict[str, int]) -> ir.Expr | None:
        """In a list of cards written out, `(B, B)` are two different cards."""
        if not isinstance(node, ast.Name) or not scope.codes or node.id in scope.names:
            return None
        cards = self.world.card_codes.get(node.id) or self.world.card_names.get(node.id)
        if not cards:
            return None
        taken = copies.get(node.id, 0)
        copies[node.id] = taken + 1
        if taken >= len(cards):
            self.world.report.error("several-cards", f"the deck holds only {len(cards)} of `{node.id}`", node.span)
            return unknown()
        return constant(cards[taken], CARD, node.id)

    def _unknown_name(self, name: str, node: ast.Name, scope: Scope) -> ir.Expr:
        world = self.world
        if name in WORDS and WORDS[name].spoken:
            world.report.error("word-alone", f"`{name}` is said of something", node.span, hint=f"write `{name} of …`")
            return unknown()
        if name in world.attributes:
            world.report.error(
                "word-alone", f"`{name}` is printed on cards; of which card?", node.span, hint=f"write `{name} of card`"
            )
            return unknown()
        for table, what in (
            (world.declared.actions, "an action"),
            (world.declared.steps, "a step"),
            (world.declared.choices, "a choice"),
        ):
            if name in table:
                hint = {
                    "an action": f"whether a seat could do it is asked with `seat can {name}` or `seat may {name}`",
                    "a step": f"a step is done: `do {name}`",
                    "a choice": f"a choice is made: `player chooses {name}`",
                }[what]
                world.report.error("not-a-value", f"`{name}` is {what}, not a value", node.span, hint=hint)
                return unknown()
        if self._is_later(name, node.span):
            return unknown()
        labels, hints = world.similar(name, [*world.names(), *scope.names])
        world.report.error(
            "unknown-name", f"no `{name}` is known here", node.span, "not declared anywhere", others=labels, hint=hints
        )
        return unknown()

    def _is_later(self, name: str, span: Span) -> bool:
        """Whether a name is declared but means nothing yet, because options and deck come first; if so, say it."""
        declared = self.world.declared
        if not any(name in table for table in (declared.zones, declared.states, declared.definitions)):
            return False
        self.world.report.error(
            "not-constant",
            f"`{name}` has no value before the game begins",
            span,
            hint="what is fixed before the game begins may use options and `players`, nothing else",
        )
        return True

    # -------------------------------------------------------------------------------------------- X of Y
    def of(self, node: ast.Of, scope: Scope, wanted: Type | None) -> ir.Expr:
        name, world = self.renamed(node.word), self.world
        text = " ".join(node.span.text.split())
        if name in world.reported:
            return unknown()
        if name in world.zones or name in world.states:
            return self._owned(name, node, scope, text)
        info = world.definitions.get(name)
        if info is not None and len(info.decl.pattern.params) > 1 and info.decl.pattern.form == "function":
            return self._several(info, node, scope, text)
        arg = self.expr(node.arg, scope)
        return self.apply_to(node.word, arg, node.arg.span, scope, node.span, text)

    def _owned(self, name: str, node: ast.Of, scope: Scope, text: str) -> ir.Expr:
        world = self.world
        zone = name in world.zones
        held: ir.Zone | ir.State = world.zone_list[world.zones[name]] if zone else world.state_list[world.states[name]]
        world.used.add(f"{'zone' if zone else 'state'}:{name}")
        if not held.owner:
            place = world.place_of(name)
            world.report.error(
                "nobodys",
                f"`{name}` belongs to the table, not to a seat",
                node.word.span,
                others=(Label(place, "declared without `of: seat`"),) if place else (),
                hint=f"write `{name}` alone",
            )
            return unknown()
        kind = SEAT if held.owner == "seat" else enum(held.owner)
        owner = self.expr(node.arg, scope, kind)
        if isinstance(held, ir.Zone) and held.many and owner.type == SEATS:
            return self._place(name, owner, text)
        if not is_unknown(owner.type) and certain(owner.type) != kind:
            owner = coerce(world, owner, kind, node.arg.span, f"whose `{name}` it is")
        if is_unknown(owner.type):
            return unknown()
        if zone:
            return self._place(name, owner, text)
        assert isinstance(held, ir.State)
        kept = maybe(held.type) if owner.type.kind == "maybe" else held.type
        return ir.StateRef(type=kept, state=world.states[name], owner=owner, text=text)

    def apply_to(self, word: ast.Word, arg: ir.Expr, at: Span, scope: Scope, whole: Span, text: str = "") -> ir.Expr:
        """A word applied to a value: an attribute, a definition or a built-in word."""
        name, world = self.renamed(word), self.world
        text = text or f"{word.id} of {arg.text}"
        if name in world.reported:
            return unknown()
        if name in world.attributes:
            return self._attribute(name, arg, at, text)
        if name in world.definitions:
            return self._function(name, arg, at, scope, word.span, text)
        if name in world.kind_columns:
            return self._kind_column(name, arg, at, text)
        if name in world.declared.columns:
            return self._column(name, arg, at, text)
        if name in ("team", "partner"):
            return self._team(name, arg, at, text)
        if name in WORDS and WORDS[name].spoken and len(WORDS[name].takes) == 1:
            world.used.add(f"word:{name}")
            return self.apply_word(name, arg, at, text)
        if is_unknown(arg.type):
            return unknown()
        kind = "an option" if name in world.options else "a state" if name in world.states else None
        if kind or name in WORDS or name in CONSTANTS or name in scope.names:
            world.report.error(
                "not-said-of",
                f"`{name}` is {kind or 'a value'}; it is not said of anything",
                word.span,
                hint=f"write `{name}` alone",
            )
            return unknown()
        if self._is_later(name, word.span):
            return unknown()
        labels, hints = world.similar(
            name,
            [
                *world.attributes,
                *world.definitions,
                *world.zones,
                *world.states,
                *(w.name for w in WORDS.values() if w.spoken),
            ],
        )
        world.report.error(
            "unknown-name",
            f"no `{name} of …` is known",
            word.span,
            "not declared anywhere",
            others=labels,
            hint=hints or f"define it: `definitions: {{{name} of {certain(arg.type)}: …}}`",
        )
        return unknown()

    def _kind_column(self, name: str, arg: ir.Expr, at: Span, text: str) -> ir.Expr:
        """What a value of a kind carries: a table that is known before the game begins."""
        tables = self.world.kind_columns[name]
        if is_unknown(arg.type):
            return unknown()
        table = tables.get(certain(arg.type).name) if certain(arg.type).kind == "enum" else None
        if table is None:
            kinds = ", ".join(f"a `{kind}`" for kind in tables)
            self.world.report.error(
                "wrong-type",
                f"`{name}` is said of {kinds}; `{arg.text}` is {described(arg.type)}",
                at,
                described(arg.type),
            )
            return unknown()
        element = table.type.of or Type("unknown")
        return apply("element", (table, arg), maybe(element) if arg.type.kind == "maybe" else element, text)

    def _column(self, name: str, arg: ir.Expr, at: Span, text: str) -> ir.Expr:
        """A column of the ledger: of a line what stands there, of a seat the total."""
        number = constant(list(self.world.declared.columns).index(name), NUMBER, name)
        if certain(arg.type) == LINE:
            self.world.used.add("word:lines")
            return apply("entry", (arg, number), maybe(NUMBER), text)
        seat = coerce(self.world, arg, SEAT, at, f"whose `{name}` it is")
        return unknown() if is_unknown(seat.type) else apply("column", (seat, number), NUMBER, text)

    def _team(self, name: str, arg: ir.Expr, at: Span, text: str) -> ir.Expr:
        """`team of` a seat: all who win with it, itself included; `partner of` it: the other one."""
        if certain(arg.type) != SEAT:
            arg = coerce(self.world, arg, SEAT, at, f"whose `{name}` it is")
        if is_unknown(arg.type):
            return unknown()
        teams = self.world.teams
        members = tuple(tuple(s for s, team in enumerate(teams) if team == mine) for mine in teams)
        if name == "team":
            return apply("element", (constant(members, list_of(SEATS), ""), arg), SEATS, text)
        others = tuple(next((s for s in members[seat] if s != seat), None) for seat in range(len(teams)))
        return apply("element", (constant(others, list_of(SEAT), ""), arg), maybe(SEAT), text)

    def _attribute(self, name: str, arg: ir.Expr, at: Span, text: str) -> ir.Expr:
        world = self.world
        attribute = world.attribute_list[world.attributes[name]]
        if is_unknown(arg.type):
            return unknown()
        if certain(arg.type) != CARD:
            self._report_several(name, arg, at)
            return unknown()
        missing = arg.type.kind == "maybe" or name in world.gaps
        kind = maybe(attribute.type) if missing else attribute.type
        if isinstance(arg, ir.Const) and arg.value is not None:
            return constant(attribute.table[arg.value], kind, text)
        return ir.Attribute(type=kind, attribute=world.attributes[name], card=arg, text=text)

    def _report_several(self, name: str, arg: ir.Expr, at: Span, others: tuple[Label, ...] = ()) -> None:
        """What is said of one card was said of something else, most likely of several."""
        hints: tuple[str, ...] = ()
        if arg.type.kind in ("zone", "list"):
            hints = (
                f"of each card: `sum {name} of {arg.text}`, `highest {name} of {arg.text}`; "
                f"of one: `{name} of top of {arg.text}`",
            )
        self.world.report.error(
            "said-of-one",
            f"`{name}` is said of one card; `{arg.text}` is {described(arg.type)}",
            at,
            described(arg.type),
            others=others,
            hint=hints,
        )

    # -------------------------------------------------------------------------------------------- definitions
    def _plain_definition(self, name: str, node: ast.Name, scope: Scope) -> ir.Expr:
        info = self.world.definitions[name]
        if info.decl.pattern.form != "plain":
            self.world.report.error(
                "word-alone",
                f"`{name}` is said of something: `{said_as(info)}`",
                node.span,
                hint=f"write `{said_as(info)}`",
            )
            return unknown()
        args: tuple[ir.Expr, ...] = ()
        if info.decl.owned:
            subject = self._subject(name, node.span, scope)
            if subject is None:
                return unknown()
            args = (subject,)
        return self._call(info, args, node.id, node.span)

    def _function(self, name: str, arg: ir.Expr, at: Span, scope: Scope, span: Span, text: str) -> ir.Expr:
        info = self.world.definitions[name]
        form = info.decl.pattern.form
        if form == "plain" and not info.decl.owned:
            self.world.report.error(
                "not-said-of",
                f"`{name}` is a definition that is not said of anything",
                span,
                hint=f"write `{name}` alone",
            )
            return unknown()
        if form in ("adjective", "relation"):
            self.world.report.error("not-said-of", f"`{name}` is used as `{said_as(info)}`", span)
            return unknown()
        args = [arg]
        if form == "function" and info.decl.owned:
            subject = self._subject(name, span, scope)
            if subject is None:
                return unknown()
            args.insert(0, subject)
        return self._with_args(info, args, [at] * len(args), text, span)

    def _several(self, info: DefinitionInfo, node: ast.Of, scope: Scope, text: str) -> ir.Expr:
        """A definition of several things: `show of (hand, turned)`."""
        parts = node.arg.items if isinstance(node.arg, ast.ListOf) else ()
        if len(parts) != len(info.decl.pattern.params):
            self.world.report.error(
                "not-said-of",
                f"`{info.decl.name}` is said of {len(info.decl.pattern.params)} things: `{said_as(info)}`",
                node.arg.span,
                hint=f"write `{said_as(info)}` with a value for each",
            )
            return unknown()
        wanted = info.params[-len(parts) :]
        args = [self.expr(part, scope, param.type) for part, param in zip(parts, wanted, strict=True)]
        spans = [part.span for part in parts]
        if info.decl.owned:
            subject = self._subject(info.decl.name, node.word.span, scope)
            if subject is None:
                return unknown()
            args.insert(0, subject)
            spans.insert(0, node.word.span)
        return self._with_args(info, args, spans, text, node.word.span)

    def relates(self, node: ast.Relates, scope: Scope, wanted: Type | None) -> ir.Expr:
        info = self.world.definitions.get(self.renamed(node.word))
        left, right = self.expr(node.left, scope), self.expr(node.right, scope)
        if info is None or info.decl.pattern.form != "relation":
            return unknown()
        args = [left, right]
        if info.decl.owned:
            subject = self._subject(node.word.id, node.word.span, scope)
            if subject is None:
                return unknown()
            args.insert(0, subject)
        spans = [node.word.span] * (len(args) - 2) + [node.left.span, node.right.span]
        return self._with_args(info, args, spans, " ".join(node.span.text.split()), node.word.span)

    def _with_args(
        self, info: DefinitionInfo, args: list[ir.Expr], spans: list[Span], text: str, span: Span
    ) -> ir.Expr:
        fitted = []
        for param, arg, at in zip(info.params, args, spans, strict=True):
            if is_unknown(arg.type):
                return unknown()
            wanted = param.type
            if wanted == CARDS:
                arg = as_cards(arg)
            is_word = info.decl.pattern.form == "function" and len(info.decl.pattern.params) == 1
            if not same(arg.type, wanted) and wanted == CARD and is_word and arg.type in (ZONE, CARDS):
                self._report_several(info.decl.name, arg, at, (Label(info.decl.line.span, "defined here"),))
                return unknown()
            if not same(arg.type, wanted):
                said = " and ".join(described(p.type) for p in info.params[-len(info.decl.pattern.params) :])
                self.world.report.error(
                    "wrong-type",
                    f"`{info.decl.name}` is said of {said}; `{arg.text}` is {described(arg.type)}",
                    at,
                    described(arg.type),
                    others=(Label(info.decl.line.span, "defined here"),),
                    hint=remedy(self.world, arg, wanted),
                )
                return unknown()
            fitted.append(arg)
        return self._call(info, tuple(fitted), text, span)

    def _call(self, info: DefinitionInfo, args: tuple[ir.Expr, ...], text: str, span: Span) -> ir.Expr:
        assert self.definitions is not None
        self.world.used.add(f"definition:{info.decl.name}")
        kind = self.definitions.type_of(info, span)
        body = info.result.body if info.result is not None else None
        if isinstance(body, ir.Const) and not args:
            return constant(body.value, body.type, text)
        call = ir.Call(type=kind, definition=info.index, args=args, text=text)
        pairs = zip(args, info.params, strict=True)
        doubtful = [arg for arg, param in pairs if arg.type.kind == "maybe" != param.type.kind]
        missing = tuple(apply("is_none", (arg,), TRUTH, arg.text) for arg in doubtful)
        if not missing or is_unknown(kind):
            return call
        # What is said of none is none, and a test of none is false, whatever the definition would make of it.
        nothing = logic("or", missing)
        if kind == TRUTH:
            return logic("and", (logic("not", (nothing,)), call), text)
        return choose(nothing, constant(None, maybe(kind), "none"), call, maybe(kind), text)

    # -------------------------------------------------------------------------------------------- X is NAME
    def is_a(self, node: ast.IsA, scope: Scope, wanted: Type | None) -> ir.Expr:
        text = " ".join(node.span.text.split())
        test = self._is_a(node, scope, text)
        return logic("not", (test,), text) if node.negated else test

    def _is_a(self, node: ast.IsA, scope: Scope, text: str) -> ir.Expr:
        name, world = self.renamed(node.word), self.world
        arg = self.expr(node.arg, scope)
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
        value = self._value(name, kind)
        if value is not None:
            return apply("equal", (arg, constant(value.index, kind, name)), TRUTH, text)
        if kind == NUMBER and name in world.number_names:
            return apply("equal", (arg, constant(world.number_names[name], NUMBER, name)), TRUTH, text)
        info = world.definitions.get(name)
        if info is not None and info.decl.pattern.form == "adjective":
            args = [arg]
            if info.decl.owned:
                subject = self._subject(name, node.word.span, scope)
                if subject is None:
                    return unknown()
                args.insert(0, subject)
            return self._with_args(info, args, [node.arg.span] * len(args), text, node.word.span)
        return self._not_an_adjective(name, node, arg, scope)

    def _not_an_adjective(self, name: str, node: ast.IsA, arg: ir.Expr, scope: Scope) -> ir.Expr:
        world, kind = self.world, certain(arg.type)
        said = " ".join(node.arg.span.text.split())
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

    # -------------------------------------------------------------------------------------------- domains
    def each_zone(self, word: ast.Word, scope: Scope) -> ir.Expr:
        name, world = self.renamed(word), self.world
        if name not in world.zones or not world.zone_list[world.zones[name]].owner:
            labels, hints = world.similar(name, [z.name for z in world.zone_list if z.owner], "zones of seats")
            world.report.error(
                "unknown-zone", f"`each {name}` needs a zone that every seat has", word.span, others=labels, hint=hints
            )
            return unknown()
        world.used.add(f"zone:{name}")
        if world.zone_list[world.zones[name]].many:
            return self._place(name, apply("seats", (), SEATS, "seats"), f"each {name}")
        var = ir.Var(type=SEAT, index=scope.frame.new(), name="seat", text="seat")
        zone = ir.ZoneRef(type=ZONE, zone=world.zones[name], owner=var, text=name)
        seats = apply("seats", (), SEATS, "seats")
        return ir.Those(
            type=list_of(ZONE), var=var.index, source=seats, where=None, orders=(), value=zone, text=f"each {name}"
        )

    def domain(self, word: ast.Word, scope: Scope) -> ir.Expr:
        """What `for each X` or `some X` runs over when no list is named."""
        name, world = self.renamed(word), self.world
        if name == "seat":
            return apply("seats", (), SEATS, "seats")
        if name in world.zones and world.zone_list[world.zones[name]].owner:
            return self.each_zone(word, scope)
        if name in world.enums and (name in world.attributes or name in world.declared.kinds):
            return self.all_values(name)
        near = "hand" if name == "card" else None
        world.report.error(
            "no-domain",
            f"`{name}` of what? it does not say what it runs over",
            word.span,
            hint=f"name a list: `{name} in {near or '…'}`",
        )
        return unknown()

    def all_values(self, name: str) -> ir.Expr:
        kind = enum(name)
        return constant(tuple(range(len(self.world.enums[name].values))), list_of(kind), f"any {name}")

    def check_free(self, word: ast.Word, scope: Scope) -> None:
        """A new local name may not hide another (S33)."""
        name, world = word.id, self.world
        if name in scope.names:
            hint = "use another name" if name != "seat" else "use another name: `for each rival in seats`"
            world.report.error("name-taken", f"`{name}` already stands for something here", word.span, hint=hint)
            return
        known = self.renamed(word)
        declared = (
            known in world.options
            or known in world.states
            or known in world.zones
            or known in world.definitions
            or known in world.card_names
            or known in CONSTANTS
            or (known in WORDS and WORDS[known].spoken)
        )
        if known in TYPE_WORDS and known not in world.zones:
            return
        if declared:
            place = world.place_of(known)
            world.report.error(
                "name-taken",
                f"`{name}` is already the name of something else",
                word.span,
                others=(Label(place, "declared here"),) if place else (),
                hint="use another name",
            )


def said_as(info: DefinitionInfo) -> str:
    """How a definition is used, in the words of its key."""
    return " ".join(info.decl.pattern.span.text.split())
