"""Where choices go that are found: all into one list, or those of each offer into a list of their own.

In: the picks of a choice, as code. Out: the statements that add it, and the names of the lists.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from hoyle.codegen.lower.menus import Level, Offer
from hoyle.codegen.python.code import ATOM, COMPARE, NAME, Assign, Code, Line, Nest, Statement, require
from hoyle.codegen.python.printing import Values
from hoyle.dataclass import dataclass
from hoyle.engine.limits import MOST_CHOICES
from hoyle.engine.offering import LISTED

MOST_COMBINED = 8  # cards of a group that are named one by one


class Joined:
    """All choices of a tier in one list, by its `name`, each with its action; `again`: those that are there already are
    left out. `starts`: the list begins with this offer. `before`: the name of how many were in it, if somebody asks
    whether there was any. `bundles` is set where groups stand together."""

    def __init__(
        self, p: Values, offer: Offer, name: str, bundles: str = "", *, again: bool = False, before: str = ""
    ) -> None:
        self.p = p
        self.offer = offer
        self.name = name
        self.bundles = bundles
        self.again = again
        self.before = before
        self.starts = False

    def begin(self) -> None:
        """Before the offer is looked at."""
        if self.starts:
            self.p.write(f"{self.name} = []")
        if self.before:
            self.p.write(f"{self.before} = len({self.name})")

    def end(self, start: int) -> None:
        """After the offer has been looked at, whatever its conditions; its statements begin at a place."""

    def add(self, picks: Sequence[Code]) -> None:
        """A choice."""
        self.add_made(self._spell([pick.text for pick in picks]))

    def add_made(self, choice: str) -> None:
        """A choice, in the form in which it is offered."""
        added = Line(f"{self.name}.append({choice})")
        self.p.out.append(Nest(f"if {choice} not in {self.name}:", [added]) if self.again else added)

    def add_each(self, source: Code) -> bool:
        """Each element of a list is a choice by itself; whether that can be said."""
        return False

    def make_every(self, every: Offer) -> Joined:
        """Where all choices of an action go of which some are offered."""
        sink = Joined(self.p, every, self.p.fresh("every"))
        sink.starts = True
        return sink

    def pick(self, choice: str, place: int) -> Code:
        """A pick of a choice that was added."""
        return Code(f"{choice}[{place + 1}]")

    def _spell(self, picks: Sequence[str]) -> str:
        return f"({', '.join([str(self.offer.action), *picks])}{'' if picks else ','})"

    def takes_groups(self, offer: Offer) -> bool:
        """Whether free groups of the last pick are given as a whole."""
        return offer.bundled

    def add_groups(self, level: Level, picks: Sequence[Code], listed: str, keys: str, sizes: str) -> None:
        """One choice for each group, of which nothing need hold: what they are made of, what makes elements the same,
        how many a group has. Few of one size are listed at once."""
        p = self.p
        size = _find_size(level)
        spelt = [pick.text for pick in picks]
        with p.scope() as apart:
            bundle = p.name(Code(f"Groups({listed}, {keys}, {sizes})", ATOM, "list"), "groups").text
            added = Line(f"{self.name}.append({self._spell([*spelt, bundle])})")
            p.nest(f"if {bundle}.total:", added, Line(f"{self.bundles} = True"))
        if not size:
            p.out += apart
            return
        longest = max(many for many in range(LISTED) if math.comb(many, size) <= LISTED)
        group = p.fresh("c")
        each = f"[{self._spell([*spelt, group])} for {group} in combinations({listed}, {size})]"
        p.nest(f"if len({listed}) <= {longest}:", Line(f"{self.name} += {each}"))
        p.nest("else:", *apart)

    def check(self, most: int) -> None:
        """There may be so many choices."""
        if most > MOST_CHOICES:
            self.p.out.append(require(f"len({self.name}) <= {MOST_CHOICES}"))

    def some(self) -> Code:
        """Whether there was a choice."""
        some = f"len({self.name}) > {self.before}" if self.before else f"{self.name} != []"
        return self.p.name(Code(some, COMPARE, "bool"))


@dataclass(slots=True)
class Listed:
    """What is offered of an action: by `name` what can be picked, or, if nothing is to be picked, whether it can be
    chosen. `size` is how many choices that are. With `few`, elements are places in the list `of`, so many each."""

    action: int
    name: str
    size: Code
    picks: int
    numbers: bool
    few: int = 0
    of: str = ""


class Apart:
    """The choices of an offer in a list of their own: a choice of one pick is that pick, of several a tuple of them.
    What is in the lists `earlier` is left out. `alone`: no other offer of the tier is of this action."""

    def __init__(self, p: Values, offer: Offer, earlier: Sequence[str] = (), *, alone: bool = False) -> None:
        self.p = p
        self.earlier = earlier
        self.alone = alone
        self.many = 0  # so many there may be that are listed
        self.is_sure = not offer.levels and offer.test is p.build.true and not earlier  # one choice, if it is looked at
        numbers = bool(offer.levels) and offer.levels[-1].numbers
        self.name = name = p.fresh("o")
        size = Code(f"len({name})") if offer.levels else Code(name, NAME)
        self.listed = Listed(offer.action, name, size, len(offer.levels), numbers)
        if offer.levels and self.takes_groups(offer) and (few := _find_size(offer.levels[0])):
            self.listed.few, self.listed.of = few, p.fresh("of")  # groups of a known size are known by places

    def begin(self) -> None:
        self.p.out += self.list_empty()

    def end(self, start: int) -> None:
        """What is surely put in place of nothing need not be nothing before."""
        out, empty = self.p.out, self.list_empty()
        later = out[start + len(empty) :]
        if any(isinstance(each, Assign) and each.name == self.name for each in later):
            out[start:] = later

    def list_empty(self) -> list[Statement]:
        """Statements that say that there is no choice."""
        many = [Assign(self.listed.of, "()")] if self.listed.of else []
        return [Assign(self.name, "[]" if self.listed.picks else "0"), *many]

    def add(self, picks: Sequence[Code]) -> None:
        if picks:
            self.add_made(picks[0].text if len(picks) == 1 else f"({', '.join(pick.text for pick in picks)})")
        else:
            self._add(Assign(self.name, "1"), "not {}")

    def add_made(self, choice: str) -> None:
        self._add(Line(f"{self.name}.append({choice})"), f"{choice} not in {{}}")

    def _add(self, added: Statement, new: str) -> None:
        """Add a choice if it is new to each list before."""
        test = " and ".join(map(new.format, self.earlier))
        self.p.out.append(Nest(f"if {test}:", [added]) if test else added)

    def add_each(self, source: Code) -> bool:
        if not self.earlier:
            self.p.out.append(Assign(self.name, source.text))
        return not self.earlier

    def make_every(self, every: Offer) -> Apart:
        return Apart(self.p, every)

    def pick(self, choice: str, place: int) -> Code:
        return Code(choice, NAME) if self.listed.picks == 1 else Code(f"{choice}[{place}]")

    def takes_groups(self, offer: Offer) -> bool:
        level = offer.levels[-1]
        free = level.domain.op == "groups" and level.test is self.p.build.true and level.keeps is None
        return free and len(offer.levels) == 1 and self.alone

    def add_groups(self, level: Level, picks: Sequence[Code], listed: str, keys: str, sizes: str) -> None:
        """Groups as a set that is not listed, or, of a known size, as places."""
        groups = f"group({listed}, {keys}, {sizes})"
        if self.listed.few:
            self.p.out.append(Assign(self.listed.of, listed))
            groups = f"list_places(len({listed}), {self.listed.few})"
        self.p.out.append(Assign(self.name, groups))

    def check(self, most: int) -> None:
        self.many = most

    def some(self) -> Code:
        return Code(f"len({self.name}) > 0", COMPARE, "bool", filled=self.name)


Sink = Joined | Apart


def _find_size(level: Level) -> int:
    """How many cards each group has, if all have as many, and so few that they can be named one by one; else 0."""
    _, least, most = level.domain.args
    few = least.constant if least is most and not level.alike else None
    return few if few is not None and 0 < few <= MOST_COMBINED else 0
