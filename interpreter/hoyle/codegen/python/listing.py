"""What may be chosen at a decision, as Python that lists it.

In: a menu. Out: statements that return the choices of the first tier that has any, in the order of the reference:
`(action, pick, …)`, a number parameter as the range it is taken from, and groups of cards of which nothing need hold
together, as `Groups`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.menus import Level, Menu, Offer, Tier
from hoyle.codegen.passes.offers import list_roots
from hoyle.codegen.passes.shapes import find_filter
from hoyle.codegen.passes.tabulate import list_entries
from hoyle.codegen.python.code import ATOM, COMPARE, NAME, Code, Line, Nest, Refuse, Statement
from hoyle.codegen.python.lists import write_function
from hoyle.codegen.python.values import Values
from hoyle.engine.limits import MOST_CHOICES, MOST_OFFERED
from hoyle.engine.offering import LISTED
from hoyle.ir.types import certain

MOST_COMBINED = 8  # cards of a group


class Listing:
    """Lists what decisions offer."""

    def __init__(self, values: Values) -> None:
        self.p = values
        self._bundles = ""  # the name of what tells whether groups stand together

    def write(self, menu: Menu, asked: Value, seat: Value) -> list[Statement]:
        """The body of a function; `asked` stands in the menu for the seat that is asked."""
        p = self.p
        with p.collecting() as out:
            p.start([seat, *(each for tier in menu.tiers for each in list_roots(tier))])
            p.keep(asked, write_seat(p, seat))
            for tier in menu.tiers:
                self._tier(tier, optional=menu.optional)
            p.write("return [()]" if menu.optional else "raise Stop")
        return out

    def _tier(self, tier: Tier, *, optional: bool) -> None:
        p = self.p
        when = p.test(tier.when) if tier.when is not p.build.true else None
        with p.scope() as out:
            found = p.fresh("found")
            p.write(f"{found} = []")
            bundled = any(offer.bundled for offer in tier.offers)
            self._bundles = p.fresh("bundles")
            if bundled:
                p.write(f"{self._bundles} = False")
            for place, offer in enumerate(tier.offers):
                self._offer(offer, place, tier.offers[:place], found)
            last: list[Statement] = [Line(f"{found}.append(())")] if optional else []
            if bundled:
                few = Refuse(f"type({found}) is list or {found}.total <= {MOST_OFFERED - MOST_CHOICES}")
                last.append(Nest(f"if {self._bundles}:", [Line(f"{found} = settle({found})"), few]))
            p.out.append(Nest(f"if {found}:", [*last, Line(f"return {found}")]))
        p.out += out if when is None else [Nest(f"if {when.text}:", out)]

    # ---------------------------------------------------------------------------------------------- offers
    def _offer(self, offer: Offer, place: int, earlier: Sequence[Offer], found: str) -> None:
        p = self.p
        if offer.test is p.build.false:
            return
        test = p.test(offer.test) if offer.test is not p.build.true else None
        with p.scope() as out:
            again = [other for other in earlier if other.action == offer.action]
            self._picks(offer, again, 0, [], found)
        before = ""
        if test is None and place and self._some(offer) is not None:
            before = p.fresh("before")
            p.write(f"{before} = len({found})")
        p.out += out if test is None else [Nest(f"if {test.text}:", out)]
        some = self._some(offer)
        if test is None and some is not None and p.uses[some]:  # whether there is a choice need not be found out again
            p.keep(some, p.name(Code(f"len({found}) > {before}" if before else f"{found} != []", COMPARE, "bool")))

    def _some(self, offer: Offer) -> Value | None:
        """Whether there is a choice of an offer, as a value; None where nobody could ask."""
        build = self.p.build
        if len(offer.levels) != 1 or offer.levels[0].numbers or offer.levels[0].domain.op == "groups":
            return None
        (level,) = offer.levels
        some = build.any(build.bind_each(level.domain, level.variable, level.test, level.variable))
        return some if not some.free and some.constant is None and self.p.uses[some] else None

    def _picks(self, offer: Offer, again: list[Offer], depth: int, picks: list[Code], found: str) -> None:
        """All ways to make the picks from a depth on."""
        p = self.p
        if depth == len(offer.levels):
            choice = f"({', '.join([str(offer.action), *(pick.text for pick in picks)])},)"
            choice = choice if not picks else f"{choice[:-2]})"
            if again:
                p.out.append(Nest(f"if {choice} not in {found}:", [Line(f"{found}.append({choice})")]))
            else:
                p.write(f"{found}.append({choice})")
            return
        level, number = offer.levels[depth], offer.levels[depth].variable.number
        if level.numbers:
            self._numbers(offer, again, depth, picks, found)
            return
        if offer.bundled and depth + 1 == len(offer.levels):
            self._bundle(offer, level, picks, found)
            return
        later = [part for other in offer.levels[depth + 1 :] for part in (*_list_sources(other.domain), other.test)]
        p.hoist((level.test, *later), *(other.variable.number for other in offer.levels[depth:]))
        level = self._join_tests(level)
        source = self._domain(level)
        element = Code(p.fresh("c"), NAME, "tuple" if level.variable.fact.is_list else "int")
        kind = certain(p.program.actions[offer.action].picks[depth].type).kind
        pick = Code(f"bool({element.text})", ATOM, "bool") if kind == "truth" else element
        with p.scope(number, element) as out:
            test = p.test(level.test) if level.test is not p.build.true else None
            with p.scope() as inner:
                self._picks(offer, again, depth + 1, [*picks, pick], found)
        inner = inner if test is None else [Nest(f"if {test.text}:", inner)]
        p.out.append(Nest(f"for {element.text} in {source.text}:", [*out, *inner]))
        most = math.prod(1 if each.numbers else each.domain.fact.high for each in offer.levels)
        if not depth and most > MOST_CHOICES:
            p.out.append(Refuse(f"len({found}) <= {MOST_CHOICES}"))

    def _bundle(self, offer: Offer, level: Level, picks: list[Code], found: str) -> None:
        """Groups of which nothing need hold: few of one size are listed at once."""
        p = self.p
        candidates, least, most = level.domain.args
        prefix = "".join(f"{code}, " for code in (str(offer.action), *(pick.text for pick in picks)))
        size = least.constant if least is most and not level.alike else None
        with p.scope() as apart:
            bundle = p.name(self._groups(level, bundled=True), "groups")
            added = Line(f"{found}.append(({prefix}{bundle.text}))")
            p.out.append(Nest(f"if {bundle.text}.total:", [added, Line(f"{self._bundles} = True")]))
        if size is None or not 1 <= size <= MOST_COMBINED:
            p.out += apart
            return
        longest = max(many for many in range(LISTED) if math.comb(many, size) <= LISTED)
        listed, group = self._candidates(candidates), p.fresh("c")
        few = Line(f"{found} += [({prefix}{group}) for {group} in combinations({listed.text}, {size})]")
        p.out += [Nest(f"if len({listed.text}) <= {longest}:", [few]), Nest("else:", apart)]

    def _candidates(self, candidates: Value) -> Code:
        """What groups are made of, each element once."""
        listed = self.p.elements(candidates)
        if not candidates.fact.unique:
            listed = Code(f"[*dict.fromkeys({listed.text})]", ATOM, "list")
        return self.p.name(listed)

    def _numbers(self, offer: Offer, again: list[Offer], depth: int, picks: list[Code], found: str) -> None:
        """A number parameter: the range it is taken from, unless that is empty."""
        p = self.p
        numbers = p.name(p.operations["span"](p, offer.levels[depth].domain), "numbers")
        with p.scope(offer.levels[depth].variable.number, numbers) as inner:
            self._picks(offer, again, depth + 1, [*picks, numbers], found)
        p.out.append(Nest(f"if {numbers.text}:", inner))

    def _join_tests(self, level: Level) -> Level:
        """A level that picks from a list of those that meet a test, picking from all: the test is one more."""
        p, build = self.p, self.p.build
        if level.alike and len(set(faces := self._list_faces(level.domain))) < len(faces):
            return level
        while p.uses[level.domain] < 2 and p.find(level.domain) is None:
            source, test = find_filter(level.domain)
            if source is None or not source.fact.unique:
                break
            own = build.read("var", level.variable.fact, data=(level.domain.number,))
            test = build.both(build.replace(test, own, level.variable), level.test)
            level = replace(level, domain=source, test=test, alike=False)
        return level

    # ---------------------------------------------------------------------------------------------- domains
    def _domain(self, level: Level) -> Code:
        """What a pick is taken from, each element once."""
        p, domain = self.p, level.domain
        if domain.op == "groups":
            return self._groups(level)
        possible = self._list_faces(domain) if level.alike else []
        if len(set(possible)) < len(possible):
            faces = p.constants.name("faces", "F", lambda: repr(tuple(card.face for card in p.program.cards)))
            zone = _find_zone(domain)
            listed = p.elements(domain)
            if zone is not None and len(set(possible)) == 1:
                return Code(f"{listed.within(ATOM)}[:1]", ATOM, "list")
            if zone is not None:
                return Code(f"first_of_face({listed.text}, {faces})", ATOM, "list")
            return Code(f"first_of_face_in_zone({listed.text}, {faces}, position)", ATOM, "list")
        listed = p.elements(domain)
        return listed if domain.fact.unique else Code(f"[*dict.fromkeys({listed.text})]", ATOM, "list")

    def _list_faces(self, domain: Value) -> list[int]:
        """The face of each card that can be in a list."""
        build, cards = self.p.build, self.p.program.cards
        possible = [True] * len(cards)
        of = domain.fact.of
        assert of is not None
        while (found := find_filter(domain))[0] is not None:
            variable = build.read("var", of, data=(domain.number,))
            entries = list_entries(build, found[1], variable)
            if entries is not None:
                possible = [
                    can_be and card < len(entries) and bool(entries[card]) for card, can_be in enumerate(possible)
                ]
            domain = found[0] or domain
        return [card.face for card, can_be in zip(cards, possible, strict=True) if can_be]

    def _groups(self, level: Level, *, bundled: bool = False) -> Code:
        """Groups of cards, in order; put together card by card where something holds of every beginning."""
        p = self.p
        candidates, least, most = level.domain.args
        listed, keys = self._candidates(candidates), "None"
        if level.alike:
            faces = p.constants.name("faces", "F", lambda: repr(tuple(card.face for card in p.program.cards)))
            keys = f"list_keys({listed.text}, {faces}, position)"
        sizes = f"{p.value(least).text}, {p.value(most).text}"
        if level.keeps is None and not level.alike and not bundled:
            return Code(f"list_groups({listed.text}, {sizes})", ATOM, "list")
        groups = f"Groups({listed.text}, {keys}, {sizes})"
        if level.begun is None or level.keeps is None:
            return Code(groups, ATOM, "list")
        p.hoist((level.keeps,), level.begun.number)
        name = write_function(p, level.begun.number, level.keeps)
        return Code(f"grow_groups({listed.text}, {keys}, {sizes}, {name})", ATOM, "list")


def write_seat(p: Values, seat: Value) -> Code:
    """The seat that is to choose, if there is such a one."""
    named = p.name(p.value(seat.args[0] if seat.op == "need" else seat), "seat")
    if seat.constant is None:
        p.refuse_unless(Code(f"0 <= {named.text} < {p.program.players}"))
    return named


def _list_sources(domain: Value) -> tuple[Value, ...]:
    """What is worked out to run through a list: groups are not listed before that."""
    return domain.args if domain.op == "groups" else (domain,)


def _find_zone(domain: Value) -> Value | None:
    """The one zone that all candidates lie in."""
    while (found := find_filter(domain))[0] is not None:
        domain = found[0] or domain
    return domain if domain.op == "cards" else None
