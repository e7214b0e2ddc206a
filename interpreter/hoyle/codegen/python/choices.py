"""What a decision offers, in Python: for each offer the list of what can be picked.

In: a menu. Out: statements that list what is offered, and for each offer its name, how many choices it has and how the
picks of one are read. The order is that of the reference. A choice of one pick is that pick, of several a tuple of
them; a number parameter is the range it may be taken from.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.codegen.low.facts import Fact, between
from hoyle.codegen.low.program import Decide, Module
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.menus import Level, Offer, Tier
from hoyle.codegen.passes.offers import list_roots
from hoyle.codegen.python.code import ATOM, OR, Assign, Code, Nest
from hoyle.codegen.python.lists import write_faces
from hoyle.codegen.python.values import Values
from hoyle.dataclass import dataclass

MOST_SPELT = 8  # cards of a group that are named one by one


@dataclass(frozen=True, slots=True)
class Listed:
    """What is offered of an action: by `name` what can be picked, or, if nothing is to be picked, whether it can be
    chosen. `size` is how many choices that are. With `few`, elements are places in the list `of`, so many each."""

    action: int
    name: str
    size: str
    picks: int
    numbers: bool
    few: int = 0
    of: str = ""


class Choices:
    """Lists the choices of decisions in one function."""

    def __init__(self, module: Module, values: Values) -> None:
        self.module = module
        self.program = module.program
        self.build = module.build
        self.values = values
        self.many = False  # whether what is listed may be more than is allowed

    def list_menu(self, end: Decide) -> list[Listed]:
        """List all offers; those of tiers that are not looked at are empty."""
        values = self.values
        self.many = False
        found: list[Listed] = []
        for tier in end.menu.tiers:
            if not tier.offers:
                continue
            first = not found
            with values.scope() as out:
                when = values.test(tier.when) if tier.when is not self.build.true else None
                with values.scope() as inner:
                    listed = self._list_tier(tier)
            if first and when is None:
                values.out += [*out, *inner]
            else:
                for each in listed:
                    values.out.append(Assign(each.name, "()" if each.picks else "0"))
                body = [Nest(f"if {when.text}:", inner)] if when is not None else inner
                before = " or ".join(each.name for each in found)
                values.out += [Nest(f"if not ({before}):", [*out, *body])] if found else [*out, *body]
            found += listed
        return found

    def _list_tier(self, tier: Tier) -> list[Listed]:
        listed: list[Listed] = []
        for offer in tier.offers:
            listed.append(self._list_offer(offer, [each for each in listed if each.action == offer.action]))
        return listed

    def _list_offer(self, offer: Offer, earlier: list[Listed]) -> Listed:
        values, build = self.values, self.build
        name = values.fresh("o")
        if not offer.levels:
            code = Code("1") if offer.test is build.true else values.test(offer.test)
            text = "1" if code.text == "1" else f"1 if {code.within(OR)} else 0"
            if earlier:
                text = f"0 if {' or '.join(each.name for each in earlier)} else {text}"
            values.out.append(Assign(name, text))
            return Listed(offer.action, name, name, 0, numbers=False)
        with values.scope() as before:
            test = values.test(offer.test) if offer.test is not build.true else None
            with values.scope() as out:
                listed = self._list_picks(offer, name, earlier)
        if test is None:
            values.out += [*before, *out]
        else:
            values.out += [*before, Assign(name, "()")]
            if listed.of:
                values.out.append(Assign(listed.of, "()"))
            values.out.append(Nest(f"if {test.text}:", out))
        return listed

    def _list_picks(self, offer: Offer, name: str, earlier: list[Listed]) -> Listed:
        values, many = self.values, len(offer.levels)
        numbers = offer.levels[-1].numbers
        only = offer.levels[0]
        if many == 1 and not earlier and self._is_free(only):
            return self._list_groups(offer, only, name)
        value = self._make(offer.levels, ())
        code = values.value(values.expect(value))
        if earlier:
            known = " and ".join(f"e not in {each.name}" for each in earlier)
            code = Code(f"[e for e in {code.within(OR)} if {known}]", ATOM, "list")
        values.out.append(Assign(name, code.text))
        if many > 1 or only.domain.op == "groups":
            self.many = True
        return Listed(offer.action, name, f"len({name})", many, numbers)

    # ---------------------------------------------------------------------------------------------- picks
    def _make(self, levels: tuple[Level, ...], picks: tuple[Value, ...]) -> Value:
        """The list of all ways to make the picks from a level on."""
        build, level = self.build, levels[0]
        if level.numbers:
            return self._make_numbers(level, picks)
        domain = self._domain(level)
        if len(levels) == 1:
            made = self._choice((*picks, level.variable))
            return build.bind_each(domain, level.variable, level.test, made)
        source = build.bind_each(domain, level.variable, level.test, level.variable)
        inner = self._make(levels[1:], (*picks, level.variable))
        return build.bind_flat(source, level.variable, inner)

    def _make_numbers(self, level: Level, picks: tuple[Value, ...]) -> Value:
        """One choice with all numbers, if there are any."""
        build, domain = self.build, level.domain
        if domain.constants is not None:
            low, high = map(build.number, (domain.constants[0], domain.constants[-1])) if domain.constants else (
                build.true, build.false
            )  # fmt: skip
        else:
            low, high = domain.args
        numbers = build.read("numbers", between(0, 1 << 30), low, high)
        one = build.make("items", (self._choice((*picks, numbers)),), (), Fact(1, 1, of=numbers.fact))
        none = build.make("items", (), (), Fact(0, 0, of=numbers.fact))
        return build.make("if", (build.less(high, low), none, one), (), Fact(0, 1, of=numbers.fact))

    def _choice(self, picks: tuple[Value, ...]) -> Value:
        if len(picks) == 1:
            return picks[0]
        return self.build.make("items", picks, (), Fact(len(picks), len(picks), of=between(0, 1 << 30)))

    def _domain(self, level: Level) -> Value:
        """What is picked from, each once; of cards that are one choice, the first."""
        build, domain = self.build, level.domain
        if domain.op != "groups":
            if not domain.fact.unique:
                domain = build.read("distinct", domain.fact, domain)
            if level.alike:
                domain = build.read("unlike", replace(domain.fact, low=min(1, domain.fact.low)), domain)
            return domain
        candidates, least, most = domain.args
        if not candidates.fact.unique:
            candidates = build.read("distinct", candidates.fact, candidates)
        if level.keeps is None or level.begun is None:
            return build.read("groups_alike" if level.alike else "groups", domain.fact, candidates, least, most)
        bodies = (level.keeps, least, most, build.truth(level.alike))
        return build.bind_other("grown_groups", candidates, level.begun, bodies, domain.fact)

    # ---------------------------------------------------------------------------------------------- free groups
    def _is_free(self, level: Level) -> bool:
        """Whether groups are chosen by nothing but how many they are."""
        return level.domain.op == "groups" and level.test is self.build.true and level.keeps is None

    def _list_groups(self, offer: Offer, level: Level, name: str) -> Listed:
        """Groups as a set that is not listed, or, of a known size, as places."""
        values, build = self.values, self.build
        candidates, least, most = level.domain.args
        if not candidates.fact.unique:
            candidates = build.read("distinct", candidates.fact, candidates)
        listed = values.name(values.elements(candidates), "of").text
        few = least.constant
        if not level.alike and few is not None and least is most and 0 < few <= MOST_SPELT:
            of = values.fresh("of")
            values.out += [Assign(of, listed), Assign(name, f"list_places(len({listed}), {few})")]
            return Listed(offer.action, name, f"len({name})", 1, numbers=False, few=few, of=of)
        keys = "None"
        if level.alike:
            keys = values.name(Code(f"list_keys({values.places.whole('zones')}, {listed}, {write_faces(values)})")).text
        sizes = ", ".join(values.value(each).text for each in (least, most))
        values.out.append(Assign(name, f"group({listed}, {keys}, {sizes})"))
        return Listed(offer.action, name, f"{name}.total" if offer.test is build.true else f"len({name})", 1, False)


def list_menu_roots(end: Decide) -> list[Value]:
    """The values that a decision works out."""
    return [end.seat, *(each for tier in end.menu.tiers for each in list_roots(tier))]
