"""The choices of a decision, all in a list.

In: a menu. Out: statements that put every choice of the first tier that has any into a register, in the order of the
reference. Groups of cards that nothing but their number restricts are one entry, a `bundle`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hoyle.codegen.low.facts import LIMIT, between, list_of
from hoyle.codegen.low.program import Fault, Leave, Push, When
from hoyle.codegen.low.values import Value
from hoyle.codegen.lower.menus import Menu, Offer, Tier
from hoyle.codegen.passes.expand import Expander
from hoyle.codegen.passes.offers import Offers, list_roots, size_fact
from hoyle.engine.limits import MOST_CHOICES

CHOICE = between(0, 1 << 20)
CHOICES = list_of(CHOICE, 1 << 20, unique=True)


class Listing:
    """Lists what decisions offer."""

    def __init__(self, offers: Offers) -> None:
        self.offers = offers
        self.expander: Expander = offers.expander
        self.build = offers.build

    def list(self, menu: Menu, seat: Value) -> Value:
        """The register that holds all choices, without declining; it is empty if there is none."""
        expander, build = self.expander, self.build
        expander.start([seat, *(each for tier in menu.tiers for each in list_roots(tier))])
        expander.asked = expander.name(expander.value(seat))
        found, label = expander.register(CHOICES), expander.label()
        expander.set(found, build.known_list((), CHOICE))
        some = build.less(build.false, build.read("length", between(0, 1 << 20), found))

        def list_tiers() -> None:
            for place, tier in enumerate(menu.tiers):
                expander.when(expander.value(tier.when), self._tier(tier, found))
                if place + 1 < len(menu.tiers):
                    expander.out.append(When(some, (Leave(label),)))

        expander.once(label, list_tiers)
        return found

    def _tier(self, tier: Tier, found: Value) -> Callable[[], None]:
        def list_offers() -> None:
            for place, offer in enumerate(tier.offers):
                again = any(other.action == offer.action for other in tier.offers[:place])
                self._offer(offer, tier.offers[:place] if again else (), found)

        return list_offers

    def _offer(self, offer: Offer, earlier: tuple[Offer, ...], found: Value) -> None:
        expander, build = self.expander, self.build
        many = size_fact(offer).high > MOST_CHOICES

        def push(*last: Value) -> None:
            levels = offer.levels[: len(offer.levels) - len(last)]
            picks = (*(expander.bound[level.variable.number] for level in levels), *last)
            expander.out.append(Push(found, build.read("choice", CHOICE, *picks, data=(offer.action,))))
            if many:
                length = build.read("length", between(0, 1 << 20), found)
                expander.out.append(When(build.less(build.number(MOST_CHOICES), length), (Fault(offer.clause),)))

        def list_picks() -> None:
            if not offer.bundled:
                self.offers.bind(offer, earlier, push)
                return
            self.offers.bind(replace(offer, levels=offer.levels[:-1]), (), push_groups)

        def push_groups() -> None:
            bundle = expander.name(self._bundle(offer))
            some = build.less(build.false, build.read("total", between(0, LIMIT), bundle))
            expander.when(some, lambda: push(bundle))

        expander.when(expander.value(offer.test), list_picks)

    def _bundle(self, offer: Offer) -> Value:
        """All groups of the last pick."""
        expander, build, level = self.expander, self.build, offer.levels[-1]
        candidates, least, most = level.domain.args
        listed = expander.listed(candidates)
        if not candidates.fact.unique:
            unique = replace(candidates.fact, unique=True)
            listed = expander.listed(build.read("distinct", unique, candidates))
        sizes = (expander.value(least), expander.value(most))
        return build.read("bundle", CHOICE, listed, *sizes, data=(level.alike,))
