"""Sinks of enumerated choices: one list for a tier, or a list for each offer.

In: the picks of a choice, as code. Out: the statements that append it, and the names of the lists.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from hoyle.play.codegen.lower.menus import Level, Offer
from hoyle.play.codegen.python.code import ATOM, COMPARE, NAME, Assign, Code, Line, Nest, Statement
from hoyle.play.codegen.python.printing import Values
from hoyle.play.engine.offering import LISTED

MOST_COMBINED = 8  # cards of a group whose combinations are printed one by one


class Sink:
    """The choices of an offer. In a list of its own, a choice with one pick is that pick, with several a tuple of them.
    In a list `shared` with other offers of a tier (by its name) choices are whole, with their action; `starts`: this
    offer creates it; `before`: the variable of its length before this offer, if non-emptiness is read. Choices in the
    lists `earlier` are skipped. `bundles` is the flag that is set if the list has unexpanded groups.

    `name` is the variable of the list, or, without picks, of a 0-or-1 flag; `size` the number of choices. With `few`,
    the elements are combinations of so many places in the list `of`."""

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
        self.many = 0  # a bound on the choices enumerated
        self.is_sure = not offer.levels and offer.test is p.build.true and not earlier  # unconditionally one choice
        self.action = offer.action
        self.picks = len(offer.levels)
        self.numbers = bool(offer.levels) and offer.levels[-1].numbers
        self.name = shared or p.fresh("o")
        self.size = Code(f"len({self.name})") if offer.levels else Code(self.name, NAME)
        self.few, self.of = 0, ""
        if not shared and offer.levels and self.takes_groups(offer) and (few := _find_size(offer.levels[0])):
            self.few, self.of = few, p.fresh("of")  # groups of a fixed size are drawn by places

    def begin(self) -> None:
        """Before the offer is enumerated."""
        self.p.out += self.list_empty()
        if self.before:
            self.p.write(f"{self.before} = len({self.name})")

    def list_empty(self) -> list[Statement]:
        """Statements that initialise the sink to no choice."""
        many = [Assign(self.of, "()")] if self.of else []
        nothing = Assign(self.name, "[]" if self.whole or self.picks else "0")
        return [nothing, *many] if self.starts else []

    def add(self, picks: Sequence[Code]) -> None:
        """Append a choice."""
        if picks or self.whole:
            self.add_made(self._spell([pick.text for pick in picks]))
        else:
            self._add(Assign(self.name, "1"), "not {}")

    def _spell(self, picks: Sequence[str]) -> str:
        if self.whole:
            return f"({', '.join([str(self.action), *picks])}{'' if picks else ','})"
        return picks[0] if len(picks) == 1 else f"({', '.join(picks)})"

    def add_made(self, choice: str) -> None:
        """Append a choice that is already in the form of the list."""
        self._add(Line(f"{self.name}.append({choice})"), f"{choice} not in {{}}")

    def _add(self, added: Statement, new: str) -> None:
        """Append a choice unless it is in an earlier list."""
        test = " and ".join(map(new.format, self.earlier))
        self.p.out.append(Nest(f"if {test}:", [added]) if test else added)

    def add_each(self, source: Code) -> bool:
        """Use a whole list as the choices, without a loop; whether that was possible."""
        if self.earlier or self.whole:
            return False
        self.p.out.append(Assign(self.name, source.text))
        return True

    def make_every(self, every: Offer) -> Sink:
        """A sink for all choices of an action, from which this one's are filtered."""
        return Sink(self.p, every, shared=self.p.fresh("every") if self.whole else "")

    def pick(self, choice: str, place: int) -> Code:
        """A pick of a choice from the list."""
        if self.whole:
            return Code(f"{choice}[{place + 1}]")
        return Code(choice, NAME) if self.picks == 1 else Code(f"{choice}[{place}]")

    def takes_groups(self, offer: Offer) -> bool:
        """Whether unconditioned groups of the last pick are taken as an unexpanded set."""
        return offer.bundled and (self.whole or len(offer.levels) == 1)

    def add_groups(self, level: Level, picks: Sequence[Code], listed: str, keys: str, sizes: str) -> None:
        """One choice for each unconditioned group of `listed`, whose `keys` tell interchangeable elements."""
        if self.whole:
            self._add_bundle(_find_size(level), [pick.text for pick in picks], listed, f"{listed}, {keys}, {sizes}")
        elif self.few:
            places = f"list_places(len({listed}), {self.few})"
            self.p.out += [Assign(self.of, listed), Assign(self.name, places)]
        else:
            self.p.out.append(Assign(self.name, f"group({listed}, {keys}, {sizes})"))

    def _add_bundle(self, size: int, picks: list[str], listed: str, given: str) -> None:
        """Groups as one unexpanded element; those of a fixed size are expanded inline if they are few."""
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
        """Whether there is a choice of this offer."""
        if self.whole:  # a snapshot: other offers append to the list
            some = f"len({self.name}) > {self.before}" if self.before else f"{self.name} != []"
            return self.p.name(Code(some, COMPARE, "bool"))
        return Code(f"len({self.name}) > 0", COMPARE, "bool", filled=self.name)


def _find_size(level: Level) -> int:
    """The size of groups, if it is fixed and small; else 0."""
    _, least, most = level.domain.args
    few = least.constant if least is most and not level.alike else None
    return few if few is not None and 0 < few <= MOST_COMBINED else 0
