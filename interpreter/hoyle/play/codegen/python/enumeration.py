"""Enumeration of the legal choices at a decision.

In: a menu. Out: statements that enumerate the choices of the first non-empty tier, in the order of the reference.
Either in one list: tuples `(action, pick, …)`, with a number parameter as a range, and unconditioned groups of cards as
one `Groups`; or in a list for each offer, to draw from.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack

from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.menus import Menu, Offer, Tier, has_choice, list_roots
from hoyle.play.codegen.python.code import ATOM, NAME, Code, Line, Nest, Statement, require
from hoyle.play.codegen.python.domains import Domains
from hoyle.play.codegen.python.printing import Values
from hoyle.play.codegen.python.sinks import Sink
from hoyle.play.engine.limits import MOST_CHOICES, MOST_OFFERED
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import certain
from hoyle.program.ir.walk import walk_into


class Enumeration:
    """Prints the enumeration of menus."""

    def __init__(self, values: Values) -> None:
        self.p = values
        self.domains = Domains(values)
        self._again: set[int] = set()  # actions in several tiers, enumerated once and then filtered
        self._every: dict[int, tuple[Offer, Sink]] = {}  # by such an action, all its choices and their sink
        self._sure: set[int] = set()  # such actions whose choices are certainly enumerated at this point
        self._asked: set[int] = set()  # actions whose feasibility conditions may ask for

    # ---------------------------------------------------------------------------------------------- in one list
    def write(self, menu: Menu, seat: Value) -> None:
        """The body of a function that returns all choices in one list; `seat` is asked."""
        p = self.p
        p.start([seat, *(each for tier in menu.tiers for each in list_roots(tier))])
        p.asked = write_seat(p, seat)
        self._start(menu)
        for tier in menu.tiers:
            if not tier.offers:
                continue
            found, bundled = p.fresh("found"), any(offer.bundled for offer in tier.offers)
            bundles = p.fresh("bundles") if bundled else ""
            sinks = self._make_sinks(tier, found, bundles)
            with p.under(tier.when):
                if bundled:
                    p.write(f"{bundles} = False")
                self._offers(tier, sinks)
                last: list[Statement] = []
                if sum(sink.many for sink in sinks) > MOST_CHOICES:
                    last.append(require(f"len({found}) <= {MOST_CHOICES}"))
                if menu.optional:
                    last.append(Line(f"{found}.append(())"))
                if bundled:
                    few = require(f"type({found}) is list or {found}.total <= {MOST_OFFERED - MOST_CHOICES}")
                    last.append(Nest(f"if {bundles}:", [Line(f"{found} = settle({found})"), few]))
                p.nest(f"if {found}:", *last, Line(f"return {found}"))
        p.write("return [()]" if menu.optional else "raise Stop")

    # ---------------------------------------------------------------------------------------------- in several
    def list_apart(self, menu: Menu) -> tuple[list[Sink], int]:
        """Enumerate each offer into its own list, empty if its tier is not reached; also bound their number."""
        p = self.p
        self._start(menu)
        found: list[Sink] = []
        for tier in menu.tiers:
            if not tier.offers:
                continue
            sinks = self._make_sinks(tier)
            if not found and tier.when is p.build.true:
                self._offers(tier, sinks)
                for sink in sinks:
                    sink.size = Code("1", NAME) if sink.is_sure else sink.size
                if any(sink.is_sure for sink in sinks):  # later tiers are dead
                    found += sinks
                    break
            else:
                for sink in sinks:
                    p.out += sink.list_empty()
                with p.scope() as out, p.under(tier.when):
                    self._offers(tier, sinks)
                before = " or ".join(each.name for each in found)
                p.out += [Nest(f"if not ({before}):", out)] if found else out
            found += sinks
        return found, sum(sink.many for sink in found)

    # ---------------------------------------------------------------------------------------------- offers
    def _make_sinks(self, tier: Tier, shared: str = "", bundles: str = "") -> list[Sink]:
        """The sinks of the offers of a tier: one shared list, or one each."""
        p, sinks = self.p, list[Sink]()
        for place, offer in enumerate(tier.offers):
            earlier = list(dict.fromkeys(each.name for each in sinks if each.action == offer.action))
            before = p.fresh("before") if shared and place and self._some(offer) is not None else ""
            starts = not shared or not place
            sinks.append(Sink(p, offer, earlier, shared=shared, starts=starts, before=before, bundles=bundles))
        self._prepare(tier, sinks)
        return sinks

    def _offers(self, tier: Tier, sinks: Sequence[Sink]) -> None:
        """Enumerate all offers of a tier."""
        sure = set(self._sure)
        for offer, sink in zip(tier.offers, sinks, strict=True):
            if offer.action in self._again:
                self._offer_again(offer, sink)
                self._sure.add(offer.action)
            else:
                self._offer(offer, sink)
        if tier.when is not self.p.build.true:
            self._sure = sure

    def _offer(self, offer: Offer, sink: Sink) -> None:
        p = self.p
        test = p.test(offer.test) if offer.test is not p.build.true else None
        sink.begin()
        if test is None:
            self._picks(offer, 0, [], sink)
        else:
            with p.scope() as out:
                self._picks(offer, 0, [], sink)
            p.nest(f"if {test.text}:", *out)
        self._know(offer, sink)

    def _know(self, offer: Offer, sink: Sink) -> None:
        some = self._some(offer)
        if some is not None:  # non-emptiness is available from here on
            self.p.record(some, sink.some())

    # ---------------------------------------------------------------------------------------------- shared by tiers
    def _start(self, menu: Menu) -> None:
        """Begin a menu: find the actions that are offered in several tiers."""
        self._again, self._every, self._sure = _list_again(menu), {}, set()
        self._asked = _list_asked(self.p.program, menu)

    def _prepare(self, tier: Tier, sinks: Sequence[Sink]) -> None:
        """Before a tier: declare the shared lists of actions that occur in it for the first time."""
        for offer, sink in zip(tier.offers, sinks, strict=True):
            if offer.action in self._again and offer.action not in self._every:
                every = offer.every or offer
                self._every[offer.action] = every, sink.make_every(every)
                self.p.write(f"{self._every[offer.action][1].name} = None")

    def _offer_again(self, offer: Offer, sink: Sink) -> None:
        """An offer of a shared action: choices enumerated on first use are filtered by the item's condition."""
        p, (offered, every) = self.p, self._every[offer.action]
        if offer.action not in self._sure:
            with p.scope() as out:
                self._offer(offered, every)
            p.out.append(Nest(f"if {every.name} is None:", out))
        sink.begin()
        if offer.where is not None or not sink.add_each(Code(every.name, NAME, "list")):
            self._filter(offer, every, sink)
        sink.many = _bound(offer)
        self._know(offer, sink)

    def _filter(self, offer: Offer, every: Sink, sink: Sink) -> None:
        p, choice, where = self.p, self.p.fresh("c"), offer.where or self.p.build.true
        variables = [level.variable for level in offer.levels]
        p.hoist((where,), *(variable.number for variable in variables))
        with ExitStack() as scopes:
            body = list[Statement]()
            for place, variable in enumerate(variables):
                code = every.pick(choice, place)._replace(kind="tuple" if variable.fact.is_list else "int")
                body = scopes.enter_context(p.scope(variable.number, code))
            with p.under(where):
                sink.add_made(choice)
        p.nest(f"for {choice} in {every.name}:", *body)

    def _some(self, offer: Offer) -> Value | None:
        """The non-emptiness of an offer, as a value; None if no condition reads it."""
        if not offer.levels or offer.action not in self._asked:
            return None
        some = has_choice(self.p.build, offer)
        return some if not some.free and some.constant is None and self.p.uses[some] else None

    def _picks(self, offer: Offer, depth: int, picks: list[Code], sink: Sink) -> None:
        """The loop nest over the picks from a depth on."""
        p = self.p
        if depth == len(offer.levels):
            sink.add(picks)
            return
        level, number = offer.levels[depth], offer.levels[depth].variable.number
        if level.numbers:
            self._numbers(offer, depth, picks, sink)
            return
        if depth + 1 == len(offer.levels) and sink.takes_groups(offer):
            candidates, sizes = self.domains.candidates(level)
            sink.add_groups(level, picks, candidates.text, self.domains.keys(level, candidates), sizes)
            return
        later = [part for other in offer.levels[depth + 1 :] for part in (*_list_sources(other.domain), other.test)]
        p.hoist((level.test, *later), *(other.variable.number for other in offer.levels[depth:]))
        run = self.domains.find_run(level, self._some(offer))
        p.hoist((run.first, run.test), number)
        kind = certain(p.program.actions[offer.action].picks[depth].type).kind
        grows = level.begun is not None and level.keeps is not None
        if run.is_plain and not grows and kind != "truth" and len(offer.levels) == 1 and sink.add_each(run.source):
            return
        element = Code(p.fresh("c"), NAME, "tuple" if level.variable.fact.is_list else "int")
        pick = Code(f"bool({element.text})", ATOM, "bool") if kind == "truth" else element
        with p.scope(number, element) as body, p.under(run.first):
            with p.scope() as inner, p.under(run.test):
                self._picks(offer, depth + 1, [*picks, pick], sink)
            if run.seen:
                face = p.name(Code(f"{self.domains.faces()}[{element.text}]"), "f").text
                inner = [Nest(f"if {face} not in {run.seen}:", [Line(f"{run.seen}.add({face})"), *inner])]
            elif run.once:
                inner.append(Line("break"))
            p.out += inner
        if grows:
            self.domains.grow(level, element, body)
        else:
            p.nest(f"for {element.text} in {run.source.text}:", *body)
        if not depth:
            sink.many = _bound(offer)

    def _numbers(self, offer: Offer, depth: int, picks: list[Code], sink: Sink) -> None:
        """A number parameter: its range as one pick, unless that is empty."""
        p, level = self.p, offer.levels[depth]
        domain = level.domain
        if domain.constants is None:
            numbers = p.name(p.operations["span"](p, domain), "numbers")
        else:
            first, end = (domain.constants[0], domain.constants[-1] + 1) if domain.constants else (0, 0)
            numbers = p.name(Code(f"range({first}, {end})", ATOM, "list"), "numbers")
        with p.scope(level.variable.number, numbers) as inner, p.under(level.test):
            self._picks(offer, depth + 1, [*picks, numbers], sink)
        p.out.append(Nest(f"if {numbers.text}:", inner))


def _list_asked(program: ir.Program, menu: Menu) -> set[int]:
    """The actions whose feasibility is read by a condition of an offered action."""
    offered = {offer.action for tier in menu.tiers for offer in tier.offers}
    tests = [test for each in offered for test in (*program.actions[each].possible, *program.actions[each].allowed)]
    return {node.action for test in tests for node in walk_into(program, test) if isinstance(node, ir.CanDo)}


def _list_again(menu: Menu) -> set[int]:
    """The actions that are offered in several tiers, if enumerating them is expensive."""
    offers = [offer for tier in menu.tiers for offer in tier.offers]
    tiers = Counter(action for tier in menu.tiers for action in {offer.action for offer in tier.offers})
    bundled = {offer.action for offer in offers if offer.bundled}
    again = (offer.every or offer for offer in offers if tiers[offer.action] > 1 and offer.action not in bundled)
    return {every.action for every in again if _takes_long(every)}


def _takes_long(offer: Offer) -> bool:
    if not offer.levels or any(level.numbers for level in offer.levels):
        return False
    return len(offer.levels) > 1 or offer.levels[0].domain.op == "groups" or offer.levels[0].test.loops


def _bound(offer: Offer) -> int:
    """A bound on the number of choices."""
    return math.prod(1 if each.numbers else each.domain.fact.high for each in offer.levels)


def write_seat(p: Values, seat: Value) -> Code:
    """The seat that is to choose, checked to be one."""
    named = p.name(p.value(seat.args[0] if seat.op == "need" else seat), "seat")
    if seat.constant is None:
        p.refuse_unless(Code(f"0 <= {named.text} < {p.program.players}"))
    return named


def _list_sources(domain: Value) -> tuple[Value, ...]:
    """The values evaluated before a loop over a domain: of groups the operands, for they are not materialised."""
    return domain.args if domain.op == "groups" else (domain,)
