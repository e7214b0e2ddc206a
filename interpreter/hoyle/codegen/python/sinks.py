"""Where choices go that are found: all into one list, or those of each offer into a list of their own.

In: the picks of a choice, as code. Out: the statements that add it, and the names of the lists.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from hoyle.codegen.lower.menus import Level, Offer
from hoyle.codegen.python.code import ATOM, COMPARE, NAME, Assign, Code, Line, Nest, Statement
from hoyle.codegen.python.printing import Values
from hoyle.engine.offering import LISTED

MOST_COMBINED = 8  # cards of a group that are named one by one


class Sink:
    """The choices of an offer. In a list of their own, a choice of one pick is that pick, of several a tuple of them.
    In a list that is `shared` with other offers of a tier, by its name, they are whole, each with its action; `starts`:
    it begins with this offer, `before`: the name of how many were in it, if somebody asks whether there was any. What
    is in the lists `earlier` is left out. `bundles` is the name of what is set where groups stand together.

    By its `name` is known what can be picked, or, if nothing is to be picked, whether it can be chosen; `size` is how
    many choices that are. With `few`, elements are places in the list `of`, so many each."""

    def __init__(
        self, p: Values, offer: Offer, earlier: Sequence[str] = (), *, shared: str = "", starts: bool = True,
        before: str = "", bundles: str = "",
    ) -> None:  # fmt: skip
        self.p = p
        self.earlier = earlier
        self.whole = bool(shared)
        self.starts = starts
        self.before = before
        self.bundles = bundles
        self.many = 0  # so many there may be that are listed
        self.is_sure = not offer.levels and offer.test is p.build.true and not earlier  # one choice, if it is looked at
        self.action = offer.action
        self.picks = len(offer.levels)
        self.numbers = bool(offer.levels) and offer.levels[-1].numbers
        self.name = shared or p.fresh("o")
        self.size = Code(f"len({self.name})") if offer.levels else Code(self.name, NAME)
        self.few, self.of = 0, ""
        if not shared and offer.levels and self.takes_groups(offer) and (few := _find_size(offer.levels[0])):
            self.few, self.of = few, p.fresh("of")  # groups of a known size are known by places

    def begin(self) -> None:
        """Before the offer is looked at."""
        self.p.out += self.list_empty()
        if self.before:
            self.p.write(f"{self.before} = len({self.name})")

    def list_empty(self) -> list[Statement]:
        """Statements that say that there is no choice."""
        many = [Assign(self.of, "()")] if self.of else []
        nothing = Assign(self.name, "[]" if self.whole or self.picks else "0")
        return [nothing, *many] if self.starts else []

    def add(self, picks: Sequence[Code]) -> None:
        """A choice."""
        if picks or self.whole:
            self.add_made(self._spell([pick.text for pick in picks]))
        else:
            self._add(Assign(self.name, "1"), "not {}")

    def _spell(self, picks: Sequence[str]) -> str:
        if self.whole:
            return f"({', '.join([str(self.action), *picks])}{'' if picks else ','})"
        return picks[0] if len(picks) == 1 else f"({', '.join(picks)})"

    def add_made(self, choice: str) -> None:
        """A choice, in the form in which it is listed."""
        self._add(Line(f"{self.name}.append({choice})"), f"{choice} not in {{}}")

    def _add(self, added: Statement, new: str) -> None:
        """Add a choice if it is new to each list before."""
        test = " and ".join(map(new.format, self.earlier))
        self.p.out.append(Nest(f"if {test}:", [added]) if test else added)

    def add_each(self, source: Code) -> bool:
        """Each element of a list is a choice by itself; whether that can be said."""
        if self.earlier or self.whole:
            return False
        self.p.out.append(Assign(self.name, source.text))
        return True

    def make_every(self, every: Offer) -> Sink:
        """Where all choices of an action go of which some are offered."""
        return Sink(self.p, every, shared=self.p.fresh("every") if self.whole else "")

    def pick(self, choice: str, place: int) -> Code:
        """A pick of a choice that was added."""
        if self.whole:
            return Code(f"{choice}[{place + 1}]")
        return Code(choice, NAME) if self.picks == 1 else Code(f"{choice}[{place}]")

    def takes_groups(self, offer: Offer) -> bool:
        """Whether free groups of the last pick are given as a whole."""
        return offer.bundled and (self.whole or len(offer.levels) == 1)

    def add_groups(self, level: Level, picks: Sequence[Code], listed: str, keys: str, sizes: str) -> None:
        """One choice for each group, of which nothing need hold: what they are made of, what makes elements the same,
        how many a group has."""
        if self.whole:
            self._add_bundle(_find_size(level), [pick.text for pick in picks], listed, f"{listed}, {keys}, {sizes}")
        elif self.few:
            places = f"list_places(len({listed}), {self.few})"
            self.p.out += [Assign(self.of, listed), Assign(self.name, places)]
        else:
            self.p.out.append(Assign(self.name, f"group({listed}, {keys}, {sizes})"))

    def _add_bundle(self, size: int, picks: list[str], listed: str, given: str) -> None:
        """Groups that stand together; few of one size are listed at once."""
        p = self.p
        with p.scope() as apart:
            bundle = p.name(Code(f"Groups({given})", ATOM, "list"), "groups").text
            added = Line(f"{self.name}.append({self._spell([*picks, bundle])})")
            p.nest(f"if {bundle}.total:", added, Line(f"{self.bundles} = True"))
        if not size:
            p.out += apart
            return
        longest = max(many for many in range(LISTED) if math.comb(many, size) <= LISTED)
        group = p.fresh("c")
        each = f"[{self._spell([*picks, group])} for {group} in combinations({listed}, {size})]"
        p.nest(f"if len({listed}) <= {longest}:", Line(f"{self.name} += {each}"))
        p.nest("else:", *apart)

    def some(self) -> Code:
        """Whether there was a choice."""
        if self.whole:  # others come to the list
            some = f"len({self.name}) > {self.before}" if self.before else f"{self.name} != []"
            return self.p.name(Code(some, COMPARE, "bool"))
        return Code(f"len({self.name}) > 0", COMPARE, "bool", filled=self.name)


def _find_size(level: Level) -> int:
    """How many cards each group has, if all have as many, and so few that they can be named one by one; else 0."""
    _, least, most = level.domain.args
    few = least.constant if least is most and not level.alike else None
    return few if few is not None and 0 < few <= MOST_COMBINED else 0
