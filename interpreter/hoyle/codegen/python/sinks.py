"""Where choices go that are found: all into one list, or those of each offer into a list of their own.

In: the picks of a choice, as code. Out: the statements that add it, and the names of the lists.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from hoyle.codegen.lower.menus import Level, Offer
from hoyle.codegen.python.code import ATOM, COMPARE, NAME, Assign, Code, Line, Nest, Refuse, Statement
from hoyle.codegen.python.printing import Values
from hoyle.dataclass import dataclass
from hoyle.engine.limits import MOST_CHOICES
from hoyle.engine.offering import LISTED

WHOLE = "{0}"  # a choice of which the only pick is all
MOST_COMBINED = 8  # cards of a group that are named one by one


@dataclass(frozen=True, slots=True)
class Candidates:
    """What free groups are made of, what makes elements the same, and how many a group has."""

    listed: str
    keys: str
    sizes: str


@dataclass(slots=True)
class Listed:
    """What is offered of an action: by `name` what can be picked, or, if nothing is to be picked, whether it can be
    chosen. `size` is how many choices that are. With `few`, elements are places in the list `of`, so many each."""

    action: int
    name: str
    size: int | Code
    picks: int
    numbers: bool
    few: int = 0
    of: str = ""


@dataclass(frozen=True, slots=True)
class Every:
    """All choices of an action, by a name, of which picks are read: in the form in which they are offered."""

    name: str
    sink: Sink
    picks: tuple[str, ...]


class Sink(Protocol):
    """What is done with the choices of one offer."""

    def begin(self) -> None:
        """Before the offer is looked at."""

    def end(self, start: int) -> None:
        """After the offer has been looked at, whatever its conditions; its statements begin at a place."""

    def add(self, picks: Sequence[Code]) -> None:
        """A choice."""

    def add_each(self, source: Code) -> bool:
        """Each element of a list is a choice by itself; whether that can be said."""

    def make_every(self, every: Offer) -> Every:
        """Where all choices of an action go of which some are offered."""

    def add_made(self, choice: str) -> None:
        """A choice of `Every`."""

    def takes_groups(self, offer: Offer) -> bool:
        """Whether free groups of the last pick are given as a whole."""

    def add_groups(self, level: Level, picks: Sequence[Code], candidates: Candidates) -> None:
        """One choice for each group, of which nothing need hold."""

    def check(self, most: int) -> None:
        """There may be so many choices."""

    def some(self) -> Code:
        """Whether there was a choice."""


class Joined:
    """All choices of a tier in one list, each with its action; `again`: those that are there already are left out.
    `first`: there is nothing in the list when the offer is looked at. `asked`: somebody asks whether there was any.
    `bundles` is set where groups stand together."""

    def __init__(
        self, p: Values, offer: Offer, found: str, bundles: str, *, again: bool, first: bool, asked: bool
    ) -> None:
        self.p = p
        self.offer = offer
        self.found = found
        self.bundles = bundles
        self.again = again
        self.before = p.fresh("before") if asked and not first else ""
        self.starts = False  # whether the list begins with this offer

    def begin(self) -> None:
        if self.starts:
            self.p.write(f"{self.found} = []")
        if self.before:
            self.p.write(f"{self.before} = len({self.found})")

    def end(self, start: int) -> None:
        pass

    def add(self, picks: Sequence[Code]) -> None:
        self.add_made(self._spell([pick.text for pick in picks]))

    def add_made(self, choice: str) -> None:
        added = Line(f"{self.found}.append({choice})")
        self.p.out.append(Nest(f"if {choice} not in {self.found}:", [added]) if self.again else added)

    def make_every(self, every: Offer) -> Every:
        name = self.p.fresh("every")
        sink = Joined(self.p, every, name, "", again=False, first=True, asked=False)
        sink.starts = True
        return Every(name, sink, tuple(f"{{0}}[{place + 1}]" for place in range(len(every.levels))))

    def _spell(self, picks: Sequence[str]) -> str:
        return f"({', '.join([str(self.offer.action), *picks])}{'' if picks else ','})"

    def add_each(self, source: Code) -> bool:
        return False

    def takes_groups(self, offer: Offer) -> bool:
        return offer.bundled

    def add_groups(self, level: Level, picks: Sequence[Code], candidates: Candidates) -> None:
        """Few of one size are listed at once."""
        p, found, listed = self.p, self.found, candidates.listed
        _, least, most = level.domain.args
        size = least.constant if least is most and not level.alike else None
        spelt = [pick.text for pick in picks]
        with p.scope() as apart:
            groups = f"Groups({listed}, {candidates.keys}, {candidates.sizes})"
            bundle = p.name(Code(groups, ATOM, "list"), "groups").text
            added = Line(f"{found}.append({self._spell([*spelt, bundle])})")
            p.out.append(Nest(f"if {bundle}.total:", [added, Line(f"{self.bundles} = True")]))
        if size is None or not 1 <= size <= MOST_COMBINED:
            p.out += apart
            return
        longest = max(many for many in range(LISTED) if math.comb(many, size) <= LISTED)
        group = p.fresh("c")
        each = f"[{self._spell([*spelt, group])} for {group} in combinations({listed}, {size})]"
        p.out += [Nest(f"if len({listed}) <= {longest}:", [Line(f"{found} += {each}")]), Nest("else:", apart)]

    def check(self, most: int) -> None:
        if most > MOST_CHOICES:
            self.p.out.append(Refuse(f"len({self.found}) <= {MOST_CHOICES}"))

    def some(self) -> Code:
        some = f"len({self.found}) > {self.before}" if self.before else f"{self.found} != []"
        return self.p.name(Code(some, COMPARE, "bool"))


class Apart:
    """The choices of an offer in a list of their own: a choice of one pick is that pick, of several a tuple of them.
    What is in the lists `earlier` is left out. `alone`: no other offer of the tier is of this action."""

    def __init__(self, p: Values, offer: Offer, earlier: Sequence[str], *, alone: bool) -> None:
        self.p = p
        self.earlier = earlier
        self.alone = alone
        self.many = 0  # so many there may be that are listed
        self.sure = not offer.levels and offer.test is p.build.true
        numbers = bool(offer.levels) and offer.levels[-1].numbers
        name = p.fresh("o")
        self.listed = Listed(offer.action, name, Code(f"len({name})"), len(offer.levels), numbers)
        if not offer.levels:
            self.listed.size = Code(name, NAME)
        elif self.takes_groups(offer):
            self._prepare(offer.levels[0])

    def _prepare(self, level: Level) -> None:
        """Groups of a known size are known by places."""
        _, least, most = level.domain.args
        few = least.constant
        if not level.alike and few is not None and least is most and 0 < few <= MOST_COMBINED:
            self.listed.few, self.listed.of = few, self.p.fresh("of")

    def begin(self) -> None:
        self.p.out += self.list_empty()

    def end(self, start: int) -> None:
        """What is surely put in place of nothing need not be nothing before."""
        out, empty = self.p.out, self.list_empty()
        later = out[start + len(empty) :]
        if any(isinstance(each, Assign) and each.name == self.listed.name for each in later):
            out[start:] = later

    def list_empty(self) -> list[Statement]:
        """Statements that say that there is no choice."""
        listed = self.listed
        many = [Assign(listed.of, "()")] if listed.of else []
        return [Assign(listed.name, "[]" if listed.picks else "0"), *many]

    def add(self, picks: Sequence[Code]) -> None:
        if picks:
            self.add_made(picks[0].text if len(picks) == 1 else f"({', '.join(pick.text for pick in picks)})")
            return
        added, test = Assign(self.listed.name, "1"), " and ".join(f"not {other}" for other in self.earlier)
        self.p.out.append(Nest(f"if {test}:", [added]) if test else added)

    def add_made(self, choice: str) -> None:
        added = Line(f"{self.listed.name}.append({choice})")
        test = " and ".join(f"{choice} not in {other}" for other in self.earlier)
        self.p.out.append(Nest(f"if {test}:", [added]) if test else added)

    def make_every(self, every: Offer) -> Every:
        sink, many = Apart(self.p, every, (), alone=False), len(every.levels)
        picks = (WHOLE,) if many == 1 else tuple(f"{{0}}[{place}]" for place in range(many))
        return Every(sink.listed.name, sink, picks)

    def add_each(self, source: Code) -> bool:
        if self.earlier:
            return False
        self.p.out.append(Assign(self.listed.name, source.text))
        return True

    def takes_groups(self, offer: Offer) -> bool:
        level = offer.levels[-1]
        free = level.domain.op == "groups" and level.test is self.p.build.true and level.keeps is None
        return free and len(offer.levels) == 1 and self.alone

    def add_groups(self, level: Level, picks: Sequence[Code], candidates: Candidates) -> None:
        """Groups as a set that is not listed, or, of a known size, as places."""
        listed, p = self.listed, self.p
        if listed.few:
            p.out.append(Assign(listed.of, candidates.listed))
            p.out.append(Assign(listed.name, f"list_places(len({candidates.listed}), {listed.few})"))
        else:
            p.out.append(Assign(listed.name, f"group({candidates.listed}, {candidates.keys}, {candidates.sizes})"))

    def check(self, most: int) -> None:
        self.many = most

    def some(self) -> Code:
        return Code(f"len({self.listed.name}) > 0", COMPARE, "bool", filled=self.listed.name)

    @property
    def is_sure(self) -> bool:
        """Whether it is known to be one choice, if it is looked at."""
        return self.sure and not self.earlier
