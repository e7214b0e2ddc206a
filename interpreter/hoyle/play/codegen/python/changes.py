"""Code for state changes in Python: one function, or one line of a table, for each opcode of `Do`.

In: a `Do`, and the printer of its operands. Out: the statements that execute it; they raise on a fault.
"""

from __future__ import annotations

from collections.abc import Callable

from hoyle.play.codegen.low.build import Builder
from hoyle.play.codegen.low.facts import LIMIT, within
from hoyle.play.codegen.low.program import Do, Module
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.control_flow import Place
from hoyle.play.codegen.passes.mod_ref import list_touched
from hoyle.play.codegen.python.code import NAME, Assign, Code, Line, Nest, Statement
from hoyle.play.codegen.python.functions import conform
from hoyle.play.codegen.python.operations import find_state, spell_pile
from hoyle.play.codegen.python.printing import Values, name_place
from hoyle.play.codegen.python.promotion import PARTS
from hoyle.play.codegen.python.sums import Moved, Sums
from hoyle.play.engine.limits import FEW, LONGEST_STATE
from hoyle.program.words.bounds import LARGEST_NUMBER

MOST_NEAR = 4  # candidate zones of a card that are searched inline
MOST_DEALT_TO = 4  # targets for which a deal is unrolled


class Changes:
    """Prints the state changes of one function. `origins` has by slot the zone its card was picked from."""

    def __init__(
        self, module: Module, values: Values, origins: dict[int, Value], owners: tuple[int | None, ...], sums: Sums
    ) -> None:
        self.module = module
        self.program = module.program
        self.values = values
        self.places = values.places
        self.origins = origins
        self.owners = owners
        self.sums = sums

    def write(self, do: Do) -> None:
        """Print a change, update incremental sums, kill and forward available expressions."""
        self._moved = Moved("", "", one=False)
        self._set: tuple[Value, Code] | None = None
        _CHANGES[do.op](self, do)
        self.values.out += self.sums.update(do, self._moved)
        self.values.forget(list_touched(do))
        if self._set is not None:
            self.values.hold(*self._set)

    def change(self, part: str, at: int | str, code: Code) -> None:
        self.values.out.append(self.places.change(part, at, code))

    # ---------------------------------------------------------------------------------------------- slots and states
    def fit(self, place: Place, code: Code, value: Value, most: int) -> Code:
        """A list with a check that it is no longer than the fact of its place says."""
        if not value.fact.is_list or value.op == "none":
            return code
        longest = min(most, self.module.held[place].high)
        if value.fact.high <= longest:
            return code
        code = self.values.name(code)
        known = f"{code.text} is None or " if value.fact.none else ""
        self.values.refuse_unless(Code(f"{known}len({code.text}) <= {longest}"))
        return code

    def set_slot(self, do: Do) -> None:
        value, kind = do.args[0], self.program.slots[do.number].type
        code = self.fit(("slot", do.number), conform(self.values, value, kind), value, FEW)
        if value.constant is not None:  # a negative literal, too: it is never an operand here
            code = code._replace(level=NAME)
        self.change("slots", do.number, code)
        self._set = name_place(self.module.build, "slot", do.number), code

    def set_state(self, do: Do) -> None:
        state, value = self.program.states[do.number], do.args[0]
        code = self.fit(("state", do.number), conform(self.values, value, state.type), value, LONGEST_STATE)
        if _may_be_large(value):
            code = self.values.name(code)
            known = f"{code.text} is None or " if value.fact.none else ""
            self.values.refuse_unless(Code(f"{known}{-LARGEST_NUMBER} < {code.text} < {LARGEST_NUMBER}"))
        self.change("states", find_state(self.values, do.number, do.args[1:]), code)
        if not do.args[1:]:
            self._set = name_place(self.module.build, "state", do.number), code

    def set_total(self, do: Do) -> None:
        value, seat = do.args
        at = self.values.value(seat).text
        total = f"{self.places.element('totals', do.number).text}[{at}]"
        if value.op == "add" and value.args[0].op == "total" and value.args[0].args == (seat,):
            self.values.write(f"{total} += {self.values.value(value.args[1]).text}")
        else:
            self.values.write(f"{total} = {self.values.value(value).text}")

    def add_to(self, do: Do) -> None:
        _, remove, seats, first_only, _ = do.data
        value = self.values.name(self.values.value(do.args[0])).text
        at = find_state(self.values, do.number, do.args[1:])
        place = self.places.element("states", at).text
        held = f"({place} or ())" if self.module.held["state", do.number].none else place
        if remove and first_only:
            changed = f"take_out({held}, {value})"
        elif remove:
            changed = f"tuple([e for e in {held} if e != {value}])"
        elif seats:
            changed = f"tuple(sorted({{*{held}, {value}}}))"
        else:
            changed = f"(*{held}, {value})"
        self.put_list(do.number, at, Code(changed), grows=not remove and not seats)

    def put_list(self, number: int, at: int | str, changed: Code, *, grows: bool) -> None:
        """Store a list in a state, with checks of its declared length and bounds, and of the state's fact."""
        state, known = self.program.states[number], self.module.held["state", number]
        most = LONGEST_STATE if state.most is None else state.most
        low, high = (
            LARGEST_NUMBER * sign if bound is None else bound for bound, sign in ((state.low, -1), (state.high, 1))
        )
        if grows or known.high > most:
            changed = self.values.name(changed)
            self.values.refuse_unless(Code(f"len({changed.text}) <= {min(most, known.high)}"))
        bounded = state.low is not None or state.high is not None
        if bounded and known.of is not None and (known.of.low < low or known.of.high > high):
            changed = self.values.name(changed)
            name = changed.text
            self.values.refuse_unless(Code(f"not {name} or {low} <= min({name}) <= max({name}) <= {high}"))
        self.change("states", at, changed)

    def shuffle_list(self, do: Do) -> None:
        at = find_state(self.values, do.number, do.args)
        before = self.places.element("states", at).text
        self.put_list(do.number, at, Code(f"choose_permutation(position, {before} or ())"), grows=False)

    def draw(self, do: Do) -> None:
        self.change("slots", do.number, Code(f"draw(position, {self.values.elements(do.args[0]).text})"))

    # ---------------------------------------------------------------------------------------------- cards
    def pile(self, zone: Value, code: Code | None = None) -> Code:
        """The cards of a zone, whose number may already be in a variable."""
        if zone.constant is None and code is not None:
            return self.places.element("zones", code.text)
        return spell_pile(self.values, zone)

    def gather(self, do: Do) -> None:
        zone = self.values.value(do.args[0])
        self.values.nest(f"for pile in {self.places.whole('zones')}:", Line("pile.clear()"))
        self.values.write(f"{self.pile(do.args[0], zone).text}.extend(range({len(self.program.cards)}))")
        if self.program.keeps_holders:
            self.values.write(f"{self.places.whole('holders')}[:] = [None] * {len(self.program.cards)}")
            self.hold(do.args[0], zone, f"range({len(self.program.cards)})")

    def swap(self, do: Do) -> None:
        a, b = (self.values.name(self.values.value(zone)) for zone in do.args)
        first, second = (self.pile(*each).text for each in zip(do.args, (a, b), strict=True))
        self.values.write(f"{first}[:], {second}[:] = {second}, {first}[:]")
        for zone, code in zip(do.args, (a, b), strict=True):
            self.hold(zone, code, self.pile(zone, code).text)

    def table_owners(self) -> str:
        """The constant table of the owners of zones."""
        return self.values.constants.name(("owners",), "O", lambda: repr(self.owners))

    def hold(self, zone: Value, code: Code, cards: str, *, one: bool = False) -> None:
        """Update the holders of a card, or of some, that have come to a zone."""
        owners = set(self.owners[max(0, zone.fact.low) : zone.fact.high + 1])
        if not self.program.keeps_holders or owners == {None}:
            return
        table, known = self.table_owners(), zone.constant
        owner = Code(f"{table}[{code.text}]") if known is None else Code(str(self.owners[known]), NAME)
        none = None in owners and known is None
        owner = self.values.name(owner) if none or not one else owner
        held = self.places.change("holders", cards if one else "card", owner)
        held = held if one else Nest(f"for card in {cards}:", [held])
        self.values.out.append(Nest(f"if {owner.text} is not None:", [held]) if none else held)

    def move(self, do: Do) -> None:
        cards, zone = do.args
        if cards.op == "none" or cards.constants == ():
            if zone.faults:
                self.values.write(self.values.value(zone).text)
            return
        if cards.op == "items" and len(cards.args) == 1:
            self.move_one(cards.args[0], zone, bottom=bool(do.data[0]))
            return
        target = self.values.name(self.values.value(zone))
        moved = self._take(cards)
        if moved is None:
            listed = self.values.elements(cards)
            if not _is_apart(cards, listed):
                listed = Code(f"[*{listed.operand}]")
            moved = self.values.name(listed, "cards").text
            origin = self._find_origin(cards)
            with self.values.collecting() as body:
                self._lift("card", origin, cards)
            self.values.nest(f"for card in {moved}:", *body)
        self.values.write(f"{self.pile(zone, target).text}{'[:0] =' if do.data[0] else ' +='} {moved}")
        self.hold(zone, target, moved)
        self._moved = Moved(moved, "", one=False)

    def _take(self, cards: Value) -> str | None:
        """Remove a zone's cards, or a slice of them, at once; None if the cards have no such form."""
        whole, stretch = cards, "[:]"
        if cards.op in _STRETCHES and (cards.args[1].constant or 0) > 0:
            whole, stretch = cards.args[0], _STRETCHES[cards.op].format(cards.args[1].constant)
        if whole.op != "cards":
            return None
        pile = self.values.name(self.pile(whole.args[0]), "pile").text
        moved = self.values.name(Code(f"{pile}{stretch}"), "cards").text
        self.values.write(f"{pile}.clear()" if whole is cards else f"del {pile}{stretch}")
        return moved

    def _find_origin(self, cards: Value) -> Code | None:
        """The predicted pile of cards."""
        zone = find_origin(self.module.build, self.origins, cards)
        return None if zone is None else self.values.name(self.pile(zone), "pile")

    def _lift(self, card: str, origin: Code | None, value: Value) -> None:
        """Remove a card: from the predicted pile, with a slow path; from one of a few candidates; or by search."""
        near = _home_of(value)
        away = Line(f"lift({self.places.whole('zones')}, {card})")
        if origin is not None:
            self.values.nest("try:", Line(f"{origin.text}.remove({card})"))
            self.values.nest("except ValueError:", away, *self.sums.add_up(self.places))
        elif near is not None and near[1] - near[0] < MOST_NEAR:
            for at, zone in enumerate(range(near[0], near[1] + 1)):
                pile = self.places.element("zones", zone).text
                self.values.nest(f"{'elif' if at else 'if'} {card} in {pile}:", Line(f"{pile}.remove({card})"))
            self.values.nest("else:", away)
        else:
            self.values.out.append(away)

    def move_one(self, card: Value, zone: Value, *, bottom: bool) -> None:
        """The move of a single card, which may be none."""
        values = self.values
        target = values.name(values.value(zone))
        ending = card.args[0] if card.op == "sure" else card
        if ending.op in ("top", "bottom"):
            pile = values.name(self.pile(ending.args[0]), "pile").text
            lifted, test = values.fresh("card"), pile if card.fact.none else ""
            if test and self.sums.names:
                values.out.append(Assign(lifted, "None"))
            body: list[Statement] = [Assign(lifted, f"{pile}.pop({'' if ending.op == 'top' else '0'})")]
        else:
            lifted = values.name(values.number(card), "card").text
            test = f"{lifted} is not None" if card.fact.none else ""
            origin = self._find_origin(card)
            with values.collecting() as body:
                self._lift(lifted, origin, card)
        with values.collecting() as more:
            values.write(f"{self.pile(zone, target).text}{'.insert(0, ' if bottom else '.append('}{lifted})")
            self.hold(zone, target, lifted, one=True)
        values.out += [Nest(f"if {test}:", [*body, *more])] if test else [*body, *more]
        self._moved = Moved(lifted, test and f"{lifted} is not None", one=True)

    def deal(self, do: Do) -> None:
        source, targets, packet, *count = do.args
        if self._is_plain(do):
            self._deal_singly(source, targets, count[0].constant or 0)
            return
        owners = self.table_owners() if self.program.keeps_holders else "None"
        many = self.values.value(count[0]).text if count else "None"
        given = [self.values.value(source).text, self.values.elements(targets).text, many]
        given += [self.values.value(packet).text, str(bool(do.data[0]))]
        self.values.write(f"deal(position, {owners}, {', '.join(given)})")

    def _is_plain(self, do: Do) -> bool:
        """Whether a deal can be unrolled: a fixed count, one by one, to a fixed number of other zones."""
        source, targets, packet, *count = do.args
        of = targets.fact.of
        assert of is not None
        if do.data[0] or not count or (count[0].constant or 0) < 1 or packet.constant not in (0, 1):
            return False
        if source.constant is None or of.low <= source.constant <= of.high or targets.fact.none:
            return False
        if self.program.keeps_holders and None in self.owners[max(0, of.low) : of.high + 1]:
            return False
        return targets.fact.low == targets.fact.high <= MOST_DEALT_TO

    def _deal_singly(self, source: Value, targets: Value, few: int) -> None:
        values, many = self.values, targets.fact.high
        zones = values.name(values.elements(targets)).text
        pile = values.name(self.pile(source), "pile").text
        values.refuse_unless(Code(f"len({pile}) >= {few * many}"))
        dealt = values.name(Code(f"{pile}[:{-few * many - 1}:-1]"), "cards").text
        self.values.write(f"del {pile}[{-few * many}:]")
        targeted = [self.places.element("zones", f"{zones}[{place}]").text for place in range(many)]
        for place, target in enumerate(targeted):
            self.values.write(f"{target} += {dealt}[{place}::{many}]")
        for place, target in enumerate(targeted):
            if self.program.keeps_holders:
                owner = values.name(Code(f"{self.table_owners()}[{zones}[{place}]]"))
                self.values.nest(f"for card in {target}:", self.places.change("holders", "card", owner))

    # ---------------------------------------------------------------------------------------------- sheet
    def write_line(self, do: Do) -> None:
        amount, seat = (self.values.value(arg).text for arg in do.args)
        self.values.write(f"write_line(position, {len(self.program.columns)}, {seat}, {do.number}, {amount})")

    def mark(self, do: Do) -> None:
        seat = self.values.value(do.args[0]).text
        self.values.write(f"mark_line(position, {len(self.program.columns)}, {seat}, {do.number})")

    # ---------------------------------------------------------------------------------------------- delegated
    def carry_out(self, do: Do) -> None:
        self.values.write(f"effects.carry_out(NODES[{do.number}], position)")
        for part in PARTS if do.data[1] else ():
            self.values.write(f"{part} = position.{part}")

    def score(self, do: Do) -> None:
        given = ", ".join(self.values.whole(arg).text for arg in do.args)
        self.values.write(f"effects.score(NODES[{do.data[1]}], {given}, position)")


def _may_be_large(value: Value) -> bool:
    """Whether a number needs a range check before it is stored. One in a register (a payment) may exceed the range."""
    return value.fact.of is None and value.op not in ("int", "register") and not within(value.fact, LIMIT - 1)


def _is_apart(cards: Value, code: Code) -> bool:
    """Whether a list of cards is a copy: it does not alias a pile that the move modifies."""
    while cards.op in ("sure", "check"):
        cards = cards.args[-1]
    return not cards.fact.none and (code.kind == "tuple" or cards.op in ("each", "distinct", *_STRETCHES))


def _strip(cards: Value) -> Value:
    """The source of a list of cards, through filters, slices and single elements."""
    while cards.op in ("sure", "each", "need", "check", *_STRETCHES, "best", "first", "last", "items", "distinct"):
        if cards.op == "items" and len(cards.args) != 1:
            break
        cards = cards.args[1 if cards.op == "check" else 0]
    return cards


def find_origin(build: Builder, origins: dict[int, Value], cards: Value) -> Value | None:
    """The predicted zone of cards: by provenance of a pick, by the zone they are read from, or by a `home` hint."""
    cards = _strip(cards)
    zone = origins.get(cards.number) if cards.op == "slot" else None
    if cards.op in ("cards", "top", "bottom"):
        zone = cards.args[0]
    if zone is not None and not zone.free:
        return zone
    near = _home_of(cards)
    return build.number(near[0]) if near is not None and near[0] == near[1] else None


def _home_of(card: Value) -> tuple[int, int] | None:
    return card.fact.of.home if card.fact.of is not None else card.fact.home


_STRETCHES = {"first_few": "[:{}]", "last_few": "[-{}:]", "all_but_first": "[{}:]", "all_but_last": "[:-{}]"}


def _call(form: str) -> Callable[[Changes, Do], None]:
    return lambda changes, do: changes.values.write(form.format(*(changes.values.value(arg).text for arg in do.args)))


_OWN = (
    Changes.set_slot, Changes.set_state, Changes.set_total, Changes.add_to, Changes.shuffle_list, Changes.draw,
    Changes.gather, Changes.swap, Changes.move, Changes.deal, Changes.write_line, Changes.mark,
    Changes.carry_out, Changes.score,
)  # fmt: skip
_CHANGES: dict[str, Callable[[Changes, Do], None]] = {
    **{change.__name__: change for change in _OWN},
    "evaluate": _call("{}"),
    "shuffle": _call("shuffle(position, {})"),
    "cut": _call("cut(position, {})"),
    "turn_over": lambda changes, do: changes.values.write(f"{changes.pile(do.args[0]).text}.reverse()"),
    "retire": _call("retire(position, {})"),
    "end_round": _call("position.rounds_played += 1"),
}

