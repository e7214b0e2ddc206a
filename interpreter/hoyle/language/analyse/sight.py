"""Abstract interpretation for the leak check: what an observer has to see to know the value of an expression.

In: an expression, with abstract values of its variables and slots. Out: a `Value`: the secrets it depends on.

A card is referenced by place or by identity. `top of pack` is a card by its place: to move it one need not know it, to
read its rank one must see the top of the pack. `QS` is a card by its identity (its face): that is public, but where it
lies is a secret. A value tracks both, so that only what a rule really reads counts.

Words declare what they read (`Word.reads`, `blind`, `keeps`, `compares`); an undeclared read counts as a secret that
nobody knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from hoyle.base.dataclass import dataclass
from hoyle.base.effort import spend
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import find_owning
from hoyle.program.ir.parts import Look, Sight
from hoyle.program.ir.types import SEAT, TEAM, ZONE, Type, certain
from hoyle.program.ir.walk import list_children
from hoyle.program.words import WORDS, Op, applies

ACTOR = "actor"
OTHER = "other"  # a seat known not to be the acting one
MOST_CONTEXTS = 60  # in which a definition is analysed separately, before arguments are joined
Who = ir.Expr | str | None  # the acting seat, the expression that names a seat, or unknown


# ------------------------------------------------------------------------------------------------ secrets
@dataclass(frozen=True, slots=True)
class Place:
    """The cards of a zone, or only its top card. `owner` denotes the owner of the zone; or, in a zone that is nobody's,
    the seat that held these cards last. `drawn`: chance has picked one of them, so that who remembers the cards does
    not know which it is."""

    zone: int
    top: bool
    owner: Who
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """The value of a state."""

    state: int
    owner: Who


@dataclass(frozen=True, slots=True)
class SomeZone:
    """The cards (or the top card) of an unknown zone."""

    text: str
    top: bool


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a card referenced by its face lies, or who held it last."""

    text: str


@dataclass(frozen=True, slots=True)
class Held:
    """Who held last the cards of a place, None for some place where they lie open; with `asker`, only whether it was
    that seat."""

    place: Place | None
    asker: Who = None


@dataclass(frozen=True, slots=True)
class Broken:
    """Whether rules were broken, and by whom."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice of a seat that the others are not told: one made in secret, or the cards that it picked."""

    action: int
    owner: Who


@dataclass(frozen=True, slots=True)
class Undeclared:
    """Whatever is read by a word that does not declare what it reads."""

    word: str


Secret = Place | Kept | SomeZone | Whereabouts | Held | Broken | Chosen | Undeclared
Trail = tuple[str, ...]


class Secrets(Mapping[Secret, Trail]):
    """A set of secrets, each with the definitions through which it is read; equality ignores the latter."""

    __slots__ = ("_found", "_hash")

    def __init__(self, found: Mapping[Secret, Trail] | None = None) -> None:
        self._found: dict[Secret, Trail] = dict(found or {})
        self._hash = hash(frozenset(self._found))

    def __getitem__(self, secret: Secret) -> Trail:
        return self._found[secret]

    def __iter__(self) -> Iterator[Secret]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secrets) and self._found.keys() == other._found.keys()

    def __or__(self, other: Secrets) -> Secrets:
        if not other._found or self is other:
            return self
        return Secrets({**other._found, **self._found}) if self._found else other

    def by_way_of(self, name: str) -> Secrets:
        return Secrets({secret: (name, *trail) for secret, trail in self._found.items()}) if self._found else self

    def without(self, kind: type) -> Secrets:
        return Secrets({secret: trail for secret, trail in self._found.items() if not isinstance(secret, kind)})

    def each(self, change: Callable[[Secret], Secret]) -> Secrets:
        return Secrets({change(secret): trail for secret, trail in self._found.items()}) if self._found else self


NONE = Secrets()
ANY_ZONE = None
Zones = frozenset[tuple[int, Who]] | None  # the zones a value may denote, each with its owner; None: any


# ------------------------------------------------------------------------------------------------ values
class Value(NamedTuple):
    """The abstract value of an expression.

    `secrets`: what one must know to know the value; for cards, to know which are referenced. `lies`: the places of
    cards referenced by place, which one must see to know their identity. `by_face`: it may contain cards referenced by
    face. `zones`: the zones it may denote. `seat`: the seat it denotes, or, for a list of seats, what is known of each;
    `ally`: for a team, a seat that belongs to it. `person`: what one must know, beside `secrets`, to know who it is, if
    it is who broke a rule or held a card: each seat knows whether it was itself."""

    secrets: Secrets = NONE
    lies: Secrets = NONE
    by_face: bool = False
    zones: Zones = frozenset()
    seat: Who = None
    ally: Who = None
    person: Secrets = NONE

    @property
    def told(self) -> Secrets:
        """What one must know to know the value; for cards, to know which are referenced."""
        return self.secrets | self.person

    @property
    def face(self) -> Secrets:
        """Everything one must see to know the value, identities of cards included."""
        return self.secrets | self.lies | self.person

    def joined(self, other: Value) -> Value:
        """The join of two values."""
        return Value(
            self.told | other.told,
            self.lies | other.lies,
            self.by_face or other.by_face,
            None if self.zones is None or other.zones is None else self.zones | other.zones,
            self.seat if self.seat == other.seat else None,
            self.ally if self.ally == other.ally else None,
        )

    def each(self, change: Callable[[Secret], Secret]) -> Value:
        return self._replace(secrets=self.told.each(change), lies=self.lies.each(change), person=NONE)

    def by_way_of(self, name: str) -> Value:
        return self._replace(
            secrets=self.secrets.by_way_of(name), lies=self.lies.by_way_of(name), person=self.person.by_way_of(name)
        )


NOTHING = Value()
OF_FACE = Value(by_face=True)
Frame = Mapping[int, Value]
Asked = tuple[ir.Pick | ir.Named, Value]
Reads = frozenset[int]  # dependencies of a cached value: numbers of slots, and complements (~) of numbers of states


def join(values: Iterable[Value]) -> Value:
    found = NOTHING
    first = True
    for value in values:
        found = value if first else found.joined(value)
        first = False
    return found


def holds_cards(kind: Type) -> bool:
    while kind.of is not None:
        kind = kind.of
    return kind.kind in ("card", "unknown", "any")


def is_about_zones(kind: Type) -> bool:
    kind = certain(kind)
    return kind == ZONE or (kind.of is not None and certain(kind.of) == ZONE)


@dataclass(frozen=True, slots=True)
class Seen:
    """What an observer has been shown, so that it is no secret to it at a certain program point: slots whose cards were
    seen, zones (or their top cards) that were shown and have not changed since, and expressions likewise. `placed` are
    slots whose cards have not moved since they were stored, `open` those whose cards lie where all see them."""

    slots: frozenset[int] = frozenset()
    zones: frozenset[Place] = frozenset()
    exprs: frozenset[ir.Expr] = frozenset()
    placed: frozenset[int] = frozenset()
    open: frozenset[int] = frozenset()

    def covers(self, place: Place) -> bool:
        return place in self.zones or (place.top and replace(place, top=False) in self.zones)


UNSEEN = Seen()


class Sighting:
    """Abstract values of the expressions of one program. `slots` and `states` are the abstract values of these (see
    `leaks`); a missing one of a zone type may denote any zone. Results are cached until their dependencies are refined
    (`forget`); `version` counts the invalidations."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.slots: dict[int, Value] = {}
        self.states: dict[int, Value] = {}
        self.version = 0
        self._looks: dict[tuple[int, Seen], tuple[Value, Reads]] = {}  # by identity of expressions of the program
        self._calls: dict[tuple[int, tuple[Value, ...], Seen], tuple[Value, Reads]] = {}
        self._asked: dict[tuple[int, Value, bool, Seen], tuple[list[Asked], Reads]] = {}
        self._reads: set[int] = set()
        self._counts: Counter[tuple[str, int]] = Counter()
        self._widest: dict[tuple[str, int], tuple[Value, ...]] = {}
        self._seen = UNSEEN
        self._forms: dict[type[ir.Expr], Callable[[Any, Frame], Value]] = {
            ir.Const: self._const,
            ir.Var: self._var,
            ir.Slot: self._slot,
            ir.StateRef: self._state,
            ir.ZoneRef: self._zone,
            ir.Piles: self._zone,
            ir.Index: self._all_parts,
            ir.Attribute: self._attribute,
            ir.Call: self._call,
            ir.Apply: self._word,
            ir.If: self._if,
            ir.OrElse: self._or_else,
            ir.Named: self._named,
            ir.Logic: self._all_parts,
            ir.Those: self._those,
            ir.Division: self._division,
            ir.Quantified: self._quantified,
            ir.CanDo: self._can_do,
        }

    def look(self, expr: ir.Expr, frame: Frame | None = None, seen: Seen = UNSEEN) -> Value:
        """The abstract value of an expression of the program; `seen` is what has been shown."""
        self._seen = seen
        spend(2)
        if frame:
            return self._value(expr, frame)
        key = (id(expr), seen)
        if key not in self._looks:
            self._reads = set()
            value = self._value(expr, {})
            self._looks[key] = (value, frozenset(self._reads))
        return self._looks[key][0]

    def copy(self) -> Sighting:
        """The same values of slots and states, to be refined apart from these."""
        other = Sighting(self.program)
        other.slots, other.states = dict(self.slots), dict(self.states)
        return other

    def forget(self, slots: Iterable[int], states: Iterable[int]) -> None:
        """Invalidate results that depend on these slots and states."""
        changed = {*slots, *(~state for state in states)}
        kept: tuple[dict[Any, tuple[Any, Reads]], ...] = (self._looks, self._calls, self._asked)
        outdated = [[key for key, (_, reads) in values.items() if not reads.isdisjoint(changed)] for values in kept]
        for values, keys in zip(kept, outdated, strict=True):
            for key in keys:
                del values[key]
        self.version += any(outdated)
        self._counts.clear()
        self._widest.clear()

    def _widen(self, kind: str, number: int, args: tuple[Value, ...]) -> tuple[Value, ...]:
        """Widening: beyond a number of contexts, arguments are joined, so that the work stays bounded. This is sound,
        since it can only add secrets."""
        key = (kind, number)
        self._counts[key] += 1
        if self._counts[key] <= MOST_CONTEXTS:
            return args
        before = self._widest.get(key, args)
        self._widest[key] = tuple(old.joined(new) for old, new in zip(before, args, strict=True))
        return self._widest[key]

    # ---------------------------------------------------------------------------------------------- nodes
    def _value(self, expr: ir.Expr, frame: Frame) -> Value:
        if self._seen.exprs and expr in self._seen.exprs:
            return self._by_node(expr, frame)._replace(lies=NONE)
        return self._by_node(expr, frame)

    def _by_node(self, expr: ir.Expr, frame: Frame) -> Value:
        spend()
        form = self._forms.get(type(expr))
        if form is not None:
            return form(expr, frame)
        # Unknown node class: everything inside it, and an undeclared read.
        inner = join(self._value(part, frame) for part in list_children(expr))
        return Value(inner.face | Secrets({Undeclared(type(expr).__name__): ()}), zones=ANY_ZONE)

    def _const(self, expr: ir.Const, frame: Frame) -> Value:
        return OF_FACE if holds_cards(expr.type) and expr.value not in (None, ()) else NOTHING

    def _var(self, expr: ir.Var, frame: Frame) -> Value:
        return frame[expr.index]

    def _zone(self, expr: ir.ZoneRef | ir.Piles, frame: Frame) -> Value:
        secrets, whose = self._whose(self.program.zones[expr.zone], expr.owner, frame)
        return Value(secrets=secrets, zones=frozenset({(expr.zone, whose)}))

    def _all_parts(self, expr: ir.Index | ir.Logic, frame: Frame) -> Value:
        return Value(join(self._value(part, frame) for part in expr.parts).face)

    def _attribute(self, expr: ir.Attribute, frame: Frame) -> Value:
        return Value(self._value(expr.card, frame).face)

    def _word(self, expr: ir.Apply, frame: Frame) -> Value:
        return self._apply(expr, [self._value(part, frame) for part in expr.args])

    def _if(self, expr: ir.If, frame: Frame) -> Value:
        test = self._value(expr.test, frame)
        ways = [self._value(way, frame) for way in (expr.yes, expr.no) if not is_nothing(way)]
        chosen = join(ways)  # who is nobody is not any seat either
        return chosen._replace(secrets=chosen.secrets | test.face)

    def _or_else(self, expr: ir.OrElse, frame: Frame) -> Value:
        return self._value(expr.first, frame).joined(self._value(expr.second, frame))

    def _named(self, expr: ir.Named, frame: Frame) -> Value:
        return self._value(expr.body, frame)

    def _division(self, expr: ir.Division, frame: Frame) -> Value:
        source = self._value(expr.source, frame)
        given = [self._value(part, frame) for part in expr.given]
        of_cards = dict(zip(expr.by.given, given, strict=True)) | {0: source, expr.by.card: source}
        parts = [part for part in (expr.by.where, expr.by.weigh) if part is not None]
        secrets = source.secrets | join(self._value(part, of_cards) for part in parts).face
        return source._replace(secrets=secrets, seat=None, ally=None)

    def _quantified(self, expr: ir.Quantified, frame: Frame) -> Value:
        source = self._value(expr.source, frame)
        test, _ = self._filter(source, expr.test, expr.var, frame)
        return Value(source.told | test)

    def _slot(self, expr: ir.Slot, frame: Frame) -> Value:
        self._reads.add(expr.index)
        found = self.slots.get(expr.index, Value(zones=ANY_ZONE if is_about_zones(expr.type) else frozenset()))
        # The card may have moved since it was stored: then it is referenced by face, unless all see where it lies.
        moved = holds_cards(expr.type) and expr.index not in self._seen.placed
        lies = NONE if expr.index in self._seen.slots else found.lies
        is_open = moved and expr.index in self._seen.open
        return Value(
            found.secrets,
            lies.without(Place) if is_open else lies,
            not is_open and (found.by_face or moved),
            found.zones,
            expr if certain(expr.type) == SEAT else None,
            found.ally,
        )

    def _state(self, expr: ir.StateRef, frame: Frame) -> Value:
        secrets, whose = self._whose(self.program.states[expr.state], expr.owner, frame)
        zones: Zones = frozenset()
        if is_about_zones(expr.type):
            self._reads.add(~expr.state)
            zones = self.states[expr.state].zones if expr.state in self.states else ANY_ZONE
        return Value(
            secrets=secrets | Secrets({Kept(expr.state, whose): ()}),
            by_face=holds_cards(expr.type),
            zones=zones,
            seat=expr if expr.owner is None and certain(expr.type) == SEAT else None,
        )

    def _whose(self, family: ir.Zone | ir.State, owner: ir.Expr | None, frame: Frame) -> tuple[Secrets, Who]:
        """The secrets that determine which member of a family is denoted, and the seat that owns it."""
        if owner is None:
            return NONE, None
        index = find_owning(family.of)
        parts = owner.parts if isinstance(owner, ir.Index) else (owner,)
        values = [self._value(part, frame) for part in parts]
        whose = None if index is None else values[index].seat or values[index].ally
        return join(values).face, whose

    def _call(self, expr: ir.Call, frame: Frame) -> Value:
        args = tuple(self._value(part, frame) for part in expr.args)
        key = (expr.definition, args, self._seen)
        if key not in self._calls:
            args = self._widen("definition", expr.definition, args)
            key = (expr.definition, args, self._seen)
        if key not in self._calls:
            definition = self.program.definitions[expr.definition]
            outer, self._reads = self._reads, set()
            inner = self._value(definition.body, dict(enumerate(args)))
            self._calls[key] = (inner.by_way_of(definition.name), frozenset(self._reads))
            self._reads = outer
        value, reads = self._calls[key]
        self._reads |= reads
        return value

    def _those(self, expr: ir.Those, frame: Frame) -> Value:
        source = self._value(expr.source, frame)
        secrets = source.told
        test, source = self._filter(source, expr.where, expr.var, frame)
        inner = {**frame, expr.var: source}
        secrets |= test | join(self._value(order.key, inner) for order in expr.orders).face
        if expr.value is None:
            return source._replace(secrets=secrets, seat=source.seat if source.seat == OTHER else None, ally=None)
        value = self._value(expr.value, {**frame, expr.var: source})
        return value._replace(secrets=secrets | value.told, seat=None, ally=None, person=NONE)

    def _filter(self, value: Value, where: ir.Expr | None, var: int, frame: Frame) -> tuple[Secrets, Value]:
        """What one must know to test the elements of a list by a condition, and the elements that fit: each part is
        tested only of those that the parts before it have left."""
        secrets = NONE
        for part in where.parts if isinstance(where, ir.Logic) and where.op == "and" else (where,):
            if part is not None:
                inner = {**frame, var: value}
                secrets |= self._value(part, inner).face
                value = self._narrowed(value, part, var, inner)
        return secrets, value

    def _narrowed(self, value: Value, part: ir.Expr, var: int, frame: Frame) -> Value:
        """Refine the elements of a list by a condition: `other != seat` excludes the acting seat, and cards of which
        `last_holder of card = seat` were held by that one."""
        if applies(part, Op.DIFFER, Op.EQUAL):
            for one, other in (part.args, part.args[::-1]):
                seat = self._value(other, frame).seat
                if applies(part, Op.DIFFER) and is_variable(one, var) and seat == ACTOR:
                    value = value._replace(seat=OTHER)
                if applies(part, Op.EQUAL) and applies(one, Op.LAST_HOLDER) and is_variable(one.args[0], var):
                    value = value._replace(lies=value.lies.each(partial(self._held_by, seat)))
        return value

    def _held_by(self, seat: Who, place: Secret) -> Secret:
        """A place of cards that a seat held last, if nobody owns the zone."""
        if isinstance(place, Place) and not self.program.zones[place.zone].of and seat != OTHER:
            return replace(place, owner=seat)
        return place

    def _can_do(self, expr: ir.CanDo, frame: Frame) -> Value:
        seat = self._value(expr.seat, frame)
        action = self.program.actions[expr.action]
        found = seat.face
        for _, value in self.look_at_action(action, seat, allowed=expr.how == "may"):
            found |= value.face.by_way_of(action.name)
        return Value(found)

    def look_at_action(
        self, action: ir.Action, seat: Value, *, allowed: bool = True, seen: Seen | None = None
    ) -> list[Asked]:
        """What decides whether a seat can take an action: its picks and conditions, each with its value. `seen` is what
        has been shown, given where this is asked for by itself."""
        self._seen = self._seen if seen is None else seen
        number_of = self.program.actions.index(action)
        key = (number_of, seat, allowed, self._seen)
        if key not in self._asked:
            (seat,) = self._widen("action", number_of, (seat,))
            key = (number_of, seat, allowed, self._seen)
        if key not in self._asked:
            outer, self._reads = self._reads, set()
            self._asked[key] = (self._look_at(action, seat, allowed=allowed), frozenset(self._reads))
            self._reads = outer
        asked, reads = self._asked[key]
        self._reads |= reads
        return asked

    def _look_at(self, action: ir.Action, seat: Value, *, allowed: bool) -> list[Asked]:
        found: list[Asked] = []
        frame = {0: seat}
        for number, pick in enumerate(action.picks, start=1):
            bounds = join(self._value(part, frame) for part in list_children(pick) if part not in _of_elements(pick))
            # The choosing seat sees what is offered: the identity of each card counts, not only their number.
            source = self._value(pick.source, frame)
            frame[number] = source
            where, fitting = self._filter(source, pick.where, number, frame)
            frame[number] = fitting
            found.append((pick, Value(source.told | fitting.lies | where | bounds.face)))
        for named in (*action.possible, *(action.allowed if allowed else ())):
            found.append((named, self._value(named, frame)))
        return found

    def frame_of(self, action: ir.Action, seat: Value) -> dict[int, Value]:
        """The abstract frame of an action: the seat and its picks."""
        frame = {0: seat}
        for number, pick in enumerate(action.picks, start=1):
            _, frame[number] = self._filter(self._value(pick.source, frame), pick.where, number, frame)
        return frame

    # ---------------------------------------------------------------------------------------------- words
    def _apply(self, expr: ir.Apply, args: Sequence[Value]) -> Value:
        word = WORDS[expr.word]
        secrets = NONE
        looked_at = {look.argument for look in word.reads or ()}
        # Cards referenced by place can be compared by place, without knowing their identity.
        by_place = word.compares and not any(arg.by_face for arg in args)
        is_equality = applies(expr, Op.EQUAL, Op.DIFFER)
        for number, arg in enumerate(args):
            own = arg.secrets if by_place or word.is_blind_to(number) or number in looked_at else arg.secrets | arg.lies
            own |= picked(arg.lies) if by_place else NONE
            secrets |= own | (_ask_whether(arg.person, args[1 - number].seat) if is_equality else arg.person)
        if word.reads is None:
            secrets |= Secrets({Undeclared(expr.word): ()})
        kept = [arg for number, arg in enumerate(args) if word.keeps_argument(number)]
        found = join(kept) if kept else NOTHING
        others = bool(kept) and all(arg.seat == OTHER for arg in kept)
        lies = NONE if word.opens else found.lies
        seat = OTHER if others else None
        found = Value(secrets, lies, found.by_face, found.zones, seat, self._ally(expr, args))
        for look in word.reads or ():
            found = self._read(look, expr, args, found)
        if is_about_zones(expr.type) and not kept and not any(look.sight is Sight.PLACE for look in word.reads or ()):
            found = found._replace(zones=ANY_ZONE)
        return found

    def _ally(self, expr: ir.Apply, args: Sequence[Value]) -> Who:
        """For the team of a seat, that seat: recognises the lookup in the table of teams."""
        if certain(expr.type) != TEAM or len(args) != 2:
            return None
        table, seat = expr.args
        is_team_of = isinstance(table, ir.Const) and table.value == self.program.teams and certain(seat.type) == SEAT
        return args[1].seat if is_team_of and args[1].seat != OTHER else None  # the other may be a partner

    def _read(self, look: Look, expr: ir.Apply, args: Sequence[Value], found: Value) -> Value:
        subject = args[look.argument] if look.argument < len(args) else NOTHING
        match look.sight:
            case Sight.PUBLIC:
                return found
            case Sight.CARDS | Sight.TOP:
                return found._replace(lies=found.lies | self._lying(expr, subject, top=look.sight is Sight.TOP))
            case Sight.PLACE:
                if subject.by_face:
                    return found._replace(secrets=found.secrets | _whereabouts(expr, look), zones=ANY_ZONE)
                places = frozenset((p.zone, p.owner) for p in subject.lies if isinstance(p, Place))
                # Places of visible or shown cards are not tracked, since they are no secrets: the zone is unknown.
                unsure = not subject.lies or any(not isinstance(p, Place) for p in subject.lies)
                secrets = found.secrets | picked(subject.lies)
                return found._replace(secrets=secrets, zones=ANY_ZONE if unsure else places)
            case Sight.HOLDER:
                held = [Held(place if isinstance(place, Place) else None) for place in subject.lies or (None,)]
                if subject.by_face:
                    held = []
                hidden = Secrets(dict.fromkeys(held, ())) | (_whereabouts(expr, look) if subject.by_face else NONE)
                return found._replace(secrets=found.secrets | self._unplaced(subject.lies), person=hidden)
            case Sight.OFFENCE:
                return found._replace(person=Secrets({Broken(): ()}))

    def _unplaced(self, lies: Secrets) -> Secrets:
        return Secrets({secret: trail for secret, trail in lies.items() if not isinstance(secret, Place)})

    def _lying(self, expr: ir.Apply, subject: Value, *, top: bool) -> Secrets:
        """The places of the cards of the zone that a word reads."""
        if subject.zones is None:
            return Secrets({SomeZone(expr.args[0].text or expr.text, top): ()})
        places = [Place(zone, top, owner) for zone, owner in subject.zones]
        return Secrets({place: () for place in places if not self._seen.covers(place)})


def picked(lies: Secrets) -> Secrets:
    """Of the places of cards, those where chance or a seat has picked some: which ones, not all know."""
    found = [each for each in lies if isinstance(each, Chosen) or (isinstance(each, Place) and each.drawn)]
    return Secrets(dict.fromkeys(found, ()))


def _ask_whether(person: Secrets, seat: Who) -> Secrets:
    """What one must know to know whether a person is a seat: that seat knows of offences and of cards that it sees."""
    if seat in (None, OTHER):
        return person
    asked = person.each(lambda each: replace(each, asker=seat) if isinstance(each, Held) else each)
    return asked.without(Broken) if seat == ACTOR else asked


def is_nothing(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Const) and expr.value is None


def is_variable(expr: ir.Expr, index: int) -> bool:
    return isinstance(expr, ir.Var) and expr.index == index


def _of_elements(pick: ir.Pick) -> tuple[ir.Expr | None, ...]:
    return (pick.source, pick.where, pick.keeps, pick.keeps_allowed)  # `keeps` is implied by the conditions


def _whereabouts(expr: ir.Apply, look: Look) -> Secrets:
    return Secrets({Whereabouts(expr.args[look.argument].text or expr.text): ()})
