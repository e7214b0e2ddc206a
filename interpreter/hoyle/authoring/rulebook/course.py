"""Says statements of the rule language as the course of play.

In: statements, and how to phrase their expressions. Out: points. Bookkeeping is left out: what is gathered, remembered
or announced, and branches for options that are not set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from hoyle.authoring.rulebook.book import Point
from hoyle.authoring.rulebook.english import count_things, sentence, upper_first
from hoyle.authoring.rulebook.phrasing import Phrasing
from hoyle.base.dataclass import dataclass
from hoyle.language.syntax import ast

Statements = tuple[ast.Statement, ...]


@dataclass(slots=True)
class Course:
    """Says the statements of one unit; `phrasing` grows by the names that they bind."""

    phrasing: Phrasing

    def tell(self, statements: Statements) -> Iterator[Point]:
        for statement in statements:
            yield from self._tell(statement)

    def _tell(self, statement: ast.Statement) -> Iterator[Point]:
        cite = tuple(word.id for word in statement.cite)
        if isinstance(statement, ast.If):
            yield from self._tell_if(statement, cite)
        elif isinstance(statement, ast.Cases):
            yield from self._tell_cases(statement)
        elif isinstance(statement, ast.ForEach):
            yield from self._tell_each(statement, cite)
        elif isinstance(statement, ast.Repeat):
            yield from self._block(self._say_repeat(statement), statement.body, cite)
        else:
            say = _SAID.get(type(statement))
            text = say(self, statement) if say is not None else self._say_as_recorded(statement)
            if text:
                yield Point(sentence(text), cite=cite)

    # ---------------------------------------------------------------------------------------------- blocks
    def _block(
        self, head: str, body: Statements, cite: tuple[str, ...], course: Course | None = None
    ) -> Iterator[Point]:
        """Say a block: its head and what is below it, or both in one sentence; nothing if all is bookkeeping."""
        below = tuple((course or Course(self.phrasing)).tell(body))
        if len(below) == 1 and not below[0].below and len(head) + len(below[0].text) < 160:
            text = below[0].text
            if text.startswith("He "):
                joined = f"{head.removeprefix('for ')} {text[3:]}"
            else:
                joined = f"{head}{':' if head.startswith(('repeat', 'again')) else ','} {text[:1].lower()}{text[1:]}"
            joined = joined if head else text
            yield Point(upper_first(joined), cite=tuple(dict.fromkeys((*cite, *below[0].cite))))
        elif below and head:
            yield Point(f"{upper_first(head)}:", cite=cite, below=below)
        else:
            yield from below

    def _tell_if(self, statement: ast.If, cite: tuple[str, ...]) -> Iterator[Point]:
        said = False
        for test, body in statement.cases:
            settled = self.phrasing.settle(test)
            if settled is False:
                continue
            if settled:
                yield from self._block("otherwise" if said else "", body, cite)
                return
            before = self.phrasing.clause(test)
            yield from self._block(f"{'otherwise, ' if said else ''}if {before}", body, cite)
            said = True
        if statement.otherwise:
            yield from self._block("otherwise" if said else "", statement.otherwise, ())

    def _tell_cases(self, statement: ast.Cases) -> Iterator[Point]:
        for number, case in enumerate(statement.cases):
            cite = tuple(word.id for word in case.cite)
            if case.text:
                yield Point(sentence(case.text), cite=cite)
            elif case.when is None:
                yield from self._block("otherwise", case.do, cite)
            elif self.phrasing.settle(case.when) is not False:
                head = f"{'otherwise, ' if number else ''}if {self.phrasing.clause(case.when)}"
                yield from self._block(head, case.do, cite)

    def _tell_each(self, statement: ast.ForEach, cite: tuple[str, ...]) -> Iterator[Point]:
        binding = statement.binding
        those, bound = self.phrasing.those_in(binding, many=False)
        person = self.phrasing.noun_of(binding).endswith("player")
        head = f"for each {those}"
        if binding.start is not None:
            head += f", beginning {self._beginning(binding.start)}"
        course = Course(bound.bind(**{binding.word.id: "he"}) if person else bound)
        yield from self._block(head, statement.body, cite, course)

    def _say_repeat(self, statement: ast.Repeat) -> str:
        times = statement.times
        said = []
        if times is not None and self.phrasing.name(times) != "none":
            given = times.value if isinstance(times, ast.Int) else None
            number = f"{self.phrasing.name(times)} times" if given is None else count_things(given, "time")
            said.append(f"{'at most ' if statement.at_most else ''}{number}")
        if statement.until is not None and self.phrasing.settle(statement.until) is None:
            said.append(f"until {self.phrasing.clause(statement.until)}")
        return f"repeat {', '.join(said)}" if said else "again and again"

    def _beginning(self, start: ast.Expr) -> str:
        if isinstance(start, ast.Of) and start.word.id in ("left", "right"):
            return f"at {self.phrasing.whose(start.arg)} {start.word.id}"
        return f"with {self.phrasing.name(start)}"

    # ---------------------------------------------------------------------------------------------- single statements
    def _say_as_recorded(self, statement: ast.Statement) -> str:
        """Say a statement as its class has it, if it does: with the names of its parts."""
        form = statement.rulebook
        phrasing = self.phrasing.bind(seat="he") if form.startswith("each player") else self.phrasing
        return re.sub(r"\{(\w+)\}", lambda part: phrasing.name(getattr(statement, part[1])), form)

    def _on_zone(self, statement: ast.OnZone) -> str:
        if statement.verb == "gather":
            return ""
        return f"{statement.verb} {self.phrasing.name(statement.zone)}"

    def _deal(self, statement: ast.Deal) -> str:
        count = self._count_cards(statement.count, up_to=statement.up_to)
        said = f"deal {count} from {self.phrasing.name(statement.source)} to "
        said += self.phrasing.locale.join([self.phrasing.name(target) for target in statement.targets])
        packet = self.phrasing.name(statement.packet) if statement.packet is not None else "1"
        said += f", {packet} at a time" if packet != "1" else ""
        return said + (f", beginning {self._beginning(statement.start)}" if statement.start is not None else "")

    def _count_cards(self, count: ast.Expr | None, *, up_to: bool = False) -> str:
        if count is None:
            return "all cards"
        said = str(count.value) if isinstance(count, ast.Int) else self.phrasing.name(count)
        many = count_things(int(said), "card") if said.isdecimal() else f"as many cards as {said}"
        return f"{'up to ' if up_to else ''}{many}"

    def _move(self, statement: ast.Move) -> str:
        cards, zone = self.phrasing.name(statement.cards), self.phrasing.name(statement.zone)
        verb = "go" if self._are_many(statement.cards) else "goes"
        return f"{cards} {verb} to {'the bottom of ' if statement.bottom else ''}{zone}"

    def _are_many(self, cards: ast.Expr) -> bool:
        names = {zone.name for zone in self.phrasing.program.zones}
        return self.phrasing.is_plural(cards) and not (isinstance(cards, ast.Name) and cards.id in names)

    def _set(self, statement: ast.Set) -> str:
        """Of what is set only the deal is told: who deals is asked at every table, and the rest is in the texts."""
        if isinstance(statement.target, ast.Name) and statement.target.id == "dealer" and statement.value is not None:
            if isinstance(statement.value, ast.Of) and statement.value.word.id == "left":
                return "the deal passes to the left"
            return f"the dealer is {self.phrasing.name(statement.value)}"
        return ""

    def _let(self, statement: ast.Let) -> str:
        name = statement.word.name
        self.phrasing = self.phrasing.bind(**{statement.word.id: f"the {name.replace('_', ' ')}"})
        return ""

    def _draw(self, statement: ast.Draw) -> str:
        person = isinstance(statement.source, ast.Name) and self.phrasing.name(statement.source).endswith("players")
        what = "player" if person else "card"
        self.phrasing = self.phrasing.bind(**{statement.word.id: f"the {what} drawn"})
        return f"draw one of {self.phrasing.name(statement.source)} by lot" if person else ""

    def _score(self, statement: ast.Score) -> str:
        who, amount = self.phrasing.name(statement.seat), self.phrasing.name(statement.amount)
        column = f" under {statement.column.id.upper()}" if statement.column is not None else ""
        label = f" for {statement.label}" if statement.label else ""
        return f"{who} scores {amount}{column}{label}"

    def _pay(self, statement: ast.Pay) -> str:
        amount = self.phrasing.name(statement.amount) if statement.amount is not None else "all"
        if (payer := self._owner(statement.source)) is not None:
            to = self._owner(statement.target)
            return f"{payer} pays {amount} to {to if to is not None else self.phrasing.name(statement.target)}"
        if (taker := self._owner(statement.target)) is not None:
            return f"{taker} takes {amount} from {self.phrasing.name(statement.source)}"
        return f"{amount} goes from {self.phrasing.name(statement.source)} to {self.phrasing.name(statement.target)}"

    def _owner(self, pot: ast.Expr) -> str | None:
        """Name the player whose pot this is."""
        if isinstance(pot, ast.Of) and self.phrasing.is_person(pot.arg):
            return self.phrasing.name(pot.arg)
        states = self.phrasing.program.states
        if isinstance(pot, ast.Name) and any(s.name == pot.id and [d.kind for d in s.of] == ["seat"] for s in states):
            return self.phrasing.locals.get("seat", "the player")
        return None

    def _choose(self, statement: ast.Choose) -> str:
        who = self.phrasing.name(statement.seat)
        many = self.phrasing.is_plural(statement.seat)
        verb = "may" if statement.may else "choose" if many else "chooses"
        together = " at the same time" if statement.together else ""
        menu = self.say_menu(statement.menu)
        return f"{who} {verb} {menu}{together}" if statement.may else f"{who} {verb} to {menu}{together}"

    def say_menu(self, menu: ast.Menu) -> str:
        """List the actions of a menu, or of the choice that it names."""
        tiers = []
        for tier in menu.tiers:
            names: dict[str, None] = {}
            for item in tier:
                choice = self.phrasing.declared.choices.get(item.action.id)
                offered = [item]
                if choice is not None:
                    offered = [each for part in choice.tiers for group in part.offer.tiers for each in group]
                names.update(dict.fromkeys(self.phrasing.locale.action(each.action.id) for each in offered))
            *others, last = names
            tiers.append(f"{', '.join(others)} or {last}" if others else last)
        return ", or if that is impossible ".join(tiers)

    def _offer(self, statement: ast.Offer) -> str:
        those, _ = self.phrasing.those_in(statement.binding, many=False)
        again = ", until nobody wants to" if statement.again else ""
        return f"any {those.removeprefix('any ')} may {self.say_menu(statement.menu)}{again}"

    def _do(self, statement: ast.Do) -> str:
        step = self.phrasing.declared.steps.get(statement.step.id)
        name = statement.step.name.rpartition(".")[2].replace("_", " ")
        if step is not None and step.line.text:
            return step.line.text.split(". ")[0]
        if step is not None and not tuple(Course(self.phrasing).tell(step.do)):
            return ""  # nothing but bookkeeping
        return f"then comes “{name}”"

    def _turn(self, statement: ast.Turn) -> str:
        return f"turn {self.phrasing.name(statement.cards)} {'up' if statement.up else 'down'}"

    def _take_back(self, statement: ast.TakeBack) -> str:
        if statement.step is None:
            return "it is taken back"
        return f"take the {statement.step.name.replace('_', ' ')} back and begin again"

    def _end(self, statement: ast.End) -> str:
        return f"the {statement.step.name.replace('_', ' ')} is over"


_SAID: dict[type[ast.Statement], Callable[[Course, Any], str]] = {
    ast.OnZone: Course._on_zone, ast.Deal: Course._deal, ast.Move: Course._move, 
    ast.Turn: Course._turn, ast.Set: Course._set, ast.Let: Course._let, ast.Draw: Course._draw,
    ast.Score: Course._score, ast.Pay: Course._pay, ast.Choose: Course._choose,
    ast.Offer: Course._offer, ast.Do: Course._do, ast.End: Course._end,
    ast.TakeBack: Course._take_back,
}  # fmt: skip
