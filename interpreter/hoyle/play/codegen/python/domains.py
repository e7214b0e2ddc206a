"""The domains of picks, and loops over them.

In: a level of an offer. Out: loops over its candidates without duplicates, one representative of each class of
interchangeable cards. Groups are enumerated, breadth-first with pruning if there is a pruning predicate.
"""

from __future__ import annotations

from dataclasses import replace

from hoyle.base.dataclass import dataclass
from hoyle.play.codegen.low.values import Value
from hoyle.play.codegen.lower.menus import Level
from hoyle.play.codegen.passes.patterns import find_filter, is_of_zone
from hoyle.play.codegen.passes.tabulate import list_possible, narrow
from hoyle.play.codegen.python.code import ATOM, Assign, Code, Line, Nest, Statement, require
from hoyle.play.codegen.python.printing import Values
from hoyle.play.engine.limits import MOST_CHOICES


@dataclass(frozen=True, slots=True)
class Run:
    """A loop: over the elements that meet `first` and then `test`. In between, symmetry breaking: only the first
    element that meets `first` (`once`), or the first of each face, tracked in the set `seen`, is tested."""

    source: Code
    first: Value
    test: Value
    seen: str = ""
    once: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the loop takes all elements of the list."""
        return not self.seen and not self.once and self.first.constant == 1 and self.test.constant == 1


class Domains:
    """Prints the domains of picks in one function."""

    def __init__(self, values: Values) -> None:
        self.p = values

    def find_run(self, level: Level, some: Value | None) -> Run:
        """The loop over a level. Filters in the domain are fused into the loop unless the filtered list has other uses;
        `some`, the non-emptiness of the offer, is one that will not be evaluated."""
        p, build, domain = self.p, self.p.build, level.domain
        if domain.op == "groups":
            return Run(self._groups(level) if level.keeps is None else Code(""), build.true, level.test)
        faces = [card.face for card in p.program.cards]
        possible = list_possible(build, domain, faces) if level.alike else []
        alike = len(set(possible)) < len(possible)
        if alike and not is_of_zone(domain):
            unlike = f"first_of_face_in_zone({p.elements(domain).text}, {self.faces()}, position)"
            return Run(Code(unlike, ATOM, "list"), build.true, level.test)
        joined = build.true
        most = 2 if some is not None and domain in some.args else 1  # uses
        while (p.uses[domain] <= most or len(set(possible)) == 1) and p.find(domain) is None:
            source, test = find_filter(domain)
            if source is None or not source.fact.unique:
                break
            own = build.read("var", level.variable.fact, data=(domain.number,))
            joined = build.both(build.replace(test, own, level.variable), joined)
            domain = source
        listed = p.elements(domain)
        if not domain.fact.unique:
            plain = joined is build.true and level.test is build.true
            different = f"dict.fromkeys({listed.text})"
            listed = Code(f"[*{different}]" if plain else different, ATOM, "list")
        level = replace(level, test=narrow(build, level.test, joined, level.variable))
        if not alike:
            return Run(listed, build.true, build.both(joined, level.test))
        if len(set(possible)) > 1:
            seen = p.fresh("seen")
            p.write(f"{seen} = set()")
            return Run(listed, joined, level.test, seen)
        return Run(listed, joined, level.test, once=True)

    def faces(self) -> str:
        cards = self.p.program.cards
        return self.p.constants.name("faces", "F", lambda: repr(tuple(card.face for card in cards)))

    def candidates(self, level: Level) -> tuple[Code, str]:
        """The elements that groups are formed of, without duplicates, and the bounds on their size."""
        candidates, least, most = level.domain.args
        listed = self.p.elements(candidates)
        if not candidates.fact.unique:
            listed = Code(f"[*dict.fromkeys({listed.text})]", ATOM, "list")
        return self.p.name(listed), f"{self.p.value(least).text}, {self.p.value(most).text}"

    def keys(self, level: Level, listed: Code) -> str:
        """The keys by which elements of groups are interchangeable."""
        if not level.alike:
            return "None"
        if not is_of_zone(level.domain.args[0]):
            return f"list_keys({listed.text}, {self.faces()}, position)"
        return f"[{self.faces()}[c] for c in {listed.text}]"

    def _groups(self, level: Level) -> Code:
        """All groups, in order, as a list."""
        listed, sizes = self.candidates(level)
        if not level.alike:
            return Code(f"list_groups({listed.text}, {sizes})", ATOM, "list")
        return Code(f"Groups({listed.text}, {self.keys(level, listed)}, {sizes})", ATOM, "list")

    def grow(self, level: Level, made: Code, body: list[Statement]) -> None:
        """Breadth-first enumeration of groups with pruning: level by level, each prefix that meets `keeps` is extended
        by every later card, which gives them by size and then lexicographically. Of cards with the same key, a later
        one is only taken with the one before."""
        p = self.p
        assert level.begun is not None and level.keeps is not None
        listed, _ = self.candidates(level)
        least, most = (p.name(p.value(each)).text for each in level.domain.args[1:])
        p.hoist((level.keeps,), level.begun.number)
        reached, larger, group, place, size = (p.fresh(letter) for letter in ("level", "larger", "g", "at", "size"))
        many = p.name(Code(f"len({listed.text})"), "many").text
        twins = p.name(Code(f"find_twins({self.keys(level, listed)})"), "twins").text if level.alike else ""
        with p.scope(level.begun.number, made) as grown:
            p.write(f"{made.text} = (*{group}, {listed.text}[{place}])")
            test = p.test(level.keeps)
            p.out.append(Nest(f"if {test.text}:", [Line(f"{larger}.append(({made.text}, {place} + 1))")]))
        if twins:
            twin = f"{twins}[{place}]"
            grown = [Nest(f"if {twin} is None or {listed.text}[{twin}] in {group}:", grown)]
        run = Nest(f"for {made.text}, {place} in {reached}:", body)
        steps: list[Statement] = [
            Assign(larger, "[]"),
            Nest(f"for {group}, {place} in {reached}:", [Nest(f"for {place} in range({place}, {many}):", grown)]),
            Assign(reached, larger),
            require(f"len({reached}) <= {MOST_CHOICES}"),
            Nest(f"if {size} >= {least}:", [run]) if least != "1" else run,
        ]
        p.write(f"{reached} = [((), 0)]")
        p.out.append(Nest(f"for {size} in range(1, min({most}, {many}) + 1):", steps))
