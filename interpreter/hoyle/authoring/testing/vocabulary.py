"""Resolves the names that examples use for places, cards, seats and values.

In: nodes of an example. Out: indices of zones, states, cards and seats in the program, or diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Sequence as List
from typing import Any, Literal

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report, did_you_mean
from hoyle.base.source import Span
from hoyle.language.document.nodes import Node, Scalar, Sequence
from hoyle.play.view.names import Names
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.layout import find_member
from hoyle.program.ir.types import Type, certain

EMPTY = "empty"
NONE = "none"
Canonical = str | tuple[str, ...]

_WORD = re.compile(r"[^\s,]+")
_PLACE = re.compile(
    r"(?:(?P<kind>zone|state) +)?(?P<name>[^\s]+)(?: +(?P<pile>\d{1,3}))?"
    r"(?: +of +(?:seat +)?(?P<owner>\([^()]*\)|team +\d+|[^\s]+))?"
)


class _Missing:
    """Sentinel for an invalid value that has been reported; None is a valid value."""


MISSING = _Missing()


def suggest_code(text: str, known: Iterable[str]) -> tuple[str, ...]:
    """Make the hint for an unknown card: a code that differs in case or order of characters, or else a similar one."""
    codes = list(known)
    signs = text.casefold()
    for alike in ([code for code in codes if code.casefold() == signs],
                  [code for code in codes if sorted(code.casefold()) == sorted(signs)]):  # fmt: skip
        if alike:
            return (f"did you mean `{alike[0]}`?",)
    return did_you_mean(text, codes)


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its span."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Place:
    """A zone or a state, by its index in the position; with `many`, the first of that many piles of a family."""

    kind: Literal["zone", "state"]
    index: int
    many: int = 0


def split_words(node: Node) -> list[Word]:
    """Split a text into words at blanks and commas; for a list, the words of all items."""
    if isinstance(node, Scalar):
        if node.escaped:
            return [Word(text, node.span) for text in _WORD.findall(node.text)]
        source, start = node.body.source, node.body.start
        found = _WORD.finditer(node.body.text)
        return [Word(each.group(), Span(source, start + each.start(), start + each.end())) for each in found]
    if isinstance(node, Sequence):
        return [word for item in node for word in split_words(item)]
    return []


class Vocabulary:
    """Resolves the names of one game and reports unknown ones."""

    def __init__(self, program: ir.Program, names: Names, report: Report) -> None:
        self.program = program
        self.names = names
        self.report = report
        self.copies: dict[str, list[int]] = {}
        for number, card in enumerate(program.cards):
            self.copies.setdefault(card.code, []).append(number)
        self._enums = {each.name: each.values for each in program.enums}
        self._zones = {zone.name: zone for zone in program.zones}
        self._states = {state.name: state for state in program.states}

    # ---------------------------------------------------------------------------------------------- places
    def find_place(self, key: Scalar, own: int | None = None, others: List[str] = ()) -> Place | None:
        """Find the zone or state that a key names. `own` is the default owner; `others` are further words allowed here,
        for spelling hints."""
        found = _PLACE.fullmatch(key.text.strip())
        parts = found.group("kind", "name", "pile", "owner") if found else (None, key.text, None, None)
        kind, name, pile, owner = parts
        declared: ir.Zone | ir.State | None = None
        if kind != "state":
            declared = self._zones.get(name)
        if declared is None and kind != "zone":
            declared = self._states.get(name)
        if declared is None:
            known = [*self._zones, *self._states]
            hints = did_you_mean(name, known) or did_you_mean(key.text, others)
            self.report.error(
                "unknown-place",
                f"`{self.program.game}` has no zone and no state named `{name}`",
                key.span,
                hint=hints or (f"there are {', '.join(f'`{each}`' for each in known)}",),
            )
            return None
        seat = self._find_owner(declared, owner, own, key.span)
        if seat is None:
            return None
        if isinstance(declared, ir.Zone) and declared.many:
            return self._find_pile(declared, seat, pile, key.span)
        if pile is not None:
            self.report.error("unknown-place", f"there is only one `{name}`", key.span, hint=f"write `{name}`")
            return None
        return Place("zone" if isinstance(declared, ir.Zone) else "state", declared.base + seat)

    def _find_pile(self, family: ir.Zone, seat: int, pile: str | None, span: Span) -> Place | None:
        """Return a family of piles, or one pile by its number."""
        first = family.base + seat * family.many
        if pile is None:
            return Place("zone", first, family.many)
        if 1 <= int(pile) <= family.many:
            return Place("zone", first + int(pile) - 1)
        self.report.error(
            "unknown-place", f"there is no `{family.name} {pile}`", span, hint=f"they go from 1 to {family.many}"
        )
        return None

    def _find_owner(self, declared: ir.Zone | ir.State, owner: str | None, own: int | None, span: Span) -> int | None:
        """Return the index of the named member in its family; 0 for a single zone or state."""
        name, of = declared.name, declared.of
        if not of:
            if owner is None:
                return 0
            self.report.error("unknown-seat", f"`{name}` belongs to nobody", span, hint=f"write `{name}`")
            return None
        if owner is None and [dimension.kind for dimension in of] == ["seat"]:
            if own is not None:
                return own
            self.report.error(
                "unknown-seat", f"every seat has its own `{name}`", span, hint=f"say whose: `{name} of 0`"
            )
            return None
        words = [word.strip() for word in (owner or "").strip("()").split(",") if word.strip()]
        if len(words) != len(of):
            kinds = " and ".join(f"`{dimension.name}`" for dimension in of)
            self.report.error(
                "unknown-place",
                f"there is a `{name}` for each {kinds}",
                span,
                hint=f"say which: `{name} of {self._example(declared)}`",
            )
            return None
        values = [self._read_member(dimension, word, span) for dimension, word in zip(of, words, strict=True)]
        known = [value for value in values if value is not None]
        return find_member(of, known) if len(known) == len(values) else None

    def _example(self, declared: ir.Zone | ir.State) -> str:
        """Spell the first member of a family, for a hint."""
        words = [self.names.spell_value(dimension.type, dimension.low) for dimension in declared.of]
        return words[0] if len(words) == 1 else f"({', '.join(words)})"

    def _read_member(self, dimension: ir.Dimension, word: str, span: Span) -> int | None:
        """Read a word as a value of a family's dimension."""
        if dimension.kind == "seat":
            return self.read_seat(Word(word.removeprefix("seat "), span))
        plain = word.removeprefix("team ") if dimension.kind == "team" else word
        if dimension.kind == "card":
            return self.copies[plain][0] if self._know_card(Word(plain, span)) else None
        members = range(dimension.low, dimension.low + dimension.size)
        spelled = {self.names.spell_value(dimension.type, value): value for value in members}
        if plain in spelled:
            return spelled[plain]
        first, last = next(iter(spelled)), next(reversed(spelled))
        listed = f"they go from {first} to {last}" if dimension.kind != "enum" else f"say which: `{first}`, …"
        self.report.error(
            "unknown-place",
            f"no `{dimension.name}` is called `{word}`",
            span,
            hint=did_you_mean(word, spelled) or (listed,),
        )
        return None

    def find_zone(self, node: Scalar) -> int | None:
        """Find a zone; a state is an error."""
        place = self.find_place(node)
        if place is not None and place.kind == "state":
            self.report.error("unknown-place", f"`{node.text}` is a state, not a zone", node.span)
            return None
        return None if place is None else place.index

    def read_seat(self, word: Word) -> int | None:
        """Read a seat number."""
        if word.text.isdecimal() and len(word.text) < 4 and int(word.text) < self.program.players:
            return int(word.text)
        last = self.program.players - 1
        self.report.error(
            "unknown-seat",
            f"nobody sits at `{word.text}`",
            word.span,
            hint=f"with {self.program.players} players the seats are 0 to {last}",
        )
        return None

    # ---------------------------------------------------------------------------------------------- cards
    def read_codes(self, node: Node) -> list[Word] | None:
        """Read card codes, bottom to top; None if one of them does not exist."""
        words = split_words(node)
        if [word.text for word in words] == [EMPTY] and EMPTY not in self.copies:
            return []
        known = [self._know_card(word) for word in words]
        return words if all(known) else None

    def _know_card(self, word: Word) -> bool:
        if word.text in self.copies:
            return True
        hints = suggest_code(word.text, self.copies)
        self.report.error(
            "unknown-card",
            f"the deck has no card `{word.text}`",
            word.span,
            hint=hints or (f"cards are written like `{next(iter(self.copies))}`",),
        )
        return False

    # ---------------------------------------------------------------------------------------------- values
    def read_value(self, kind: Type, node: Node) -> Any:
        """Read a value of a type, in the representation of positions; `MISSING` if the node is invalid."""
        words = split_words(node)
        whole = Word(" ".join(word.text for word in words), node.span)
        if whole.text == NONE and kind.kind in ("maybe", "none", "unknown"):
            return None
        kind = certain(kind)
        if kind.kind == "zone":
            named = [zone for zone in range(len(self.names.zones)) if self.names.name_zone(zone) == whole.text]
            if named:
                return named[0]
            codes = self.read_codes(node)
            return MISSING if codes is None else tuple(word.text for word in codes)
        if kind.kind == "list" and kind.of is not None:
            if whole.text in ("", "nothing", EMPTY, NONE):
                return ()
            parts = tuple(self._read_atom(certain(kind.of), word) for word in words)
            return MISSING if MISSING in parts else parts
        if kind.kind == "team" and len(words) > 1 and all(word.text.isdecimal() for word in words):
            seats = tuple(int(word.text) for word in words)
            for team in dict.fromkeys(self.program.teams):  # a team named by its seats
                if seats == tuple(seat for seat, own in enumerate(self.program.teams) if own == team):
                    return team
        if kind.kind in ("text", "key"):
            return node.text if isinstance(node, Scalar) else whole.text
        return self._read_atom(kind, whole if len(words) != 1 else words[0])

    def _read_atom(self, kind: Type, word: Word) -> Any:
        text = word.text.removeprefix(f"{kind.kind} ") if kind.kind in ("seat", "team") else word.text
        if kind.kind == "card" and text in self.copies:
            return self.copies[text][0]
        if kind.kind == "enum" and text in self._enums[kind.name]:
            return self._enums[kind.name].index(text)
        if kind.kind == "truth" and text.casefold() in ("true", "false"):
            return text.casefold() == "true"
        if kind.kind == "number" and (number := self.names.read_number(kind, text)) is not None:
            return number
        if kind.kind == "seat":
            seat = self.read_seat(Word(text, word.span))
            return MISSING if seat is None else seat
        if kind.kind == "team" and text.isdecimal() and int(text) <= max(self.program.teams):
            return int(text)
        if kind.kind == "card":
            self._know_card(word)
            return MISSING
        self._report_value(kind, word)
        return MISSING

    def _report_value(self, kind: Type, word: Word) -> None:
        hints: tuple[str, ...] = ()
        wanted = {"number": "a number", "truth": "`true` or `false`"}.get(kind.kind, str(kind))
        if kind.kind == "enum":
            values = self._enums[kind.name]
            wanted = f"one of {', '.join(f'`{value}`' for value in values)}"
            hints = did_you_mean(word.text, values)
        message = f"`{word.text}` cannot stand here; {wanted} is wanted"
        self.report.error("bad-test-value", message, word.span, hint=hints)

    def check_state(self, index: int, value: Any, span: Span) -> bool:
        """Check that a value is within the range of a state; report an error otherwise."""
        state, _ = self.names.states[index]
        numbers = value if isinstance(value, tuple) else (value,)
        low, high = state.low, state.high
        outside = [
            number
            for number in numbers
            if isinstance(number, int) and ((low is not None and number < low) or (high is not None and number > high))
        ]
        if outside:
            self.report.error(
                "bad-test-value", f"`{state.name}` goes from {low} to {high}, so it cannot be {outside[0]}", span
            )
        too_long = state.most is not None and len(numbers) > state.most
        if too_long:
            self.report.error("bad-test-value", f"`{state.name}` holds at most {state.most}", span)
        return not outside and not too_long

    def canonical(self, kind: Type, value: Any, zones: List[List[int]]) -> Canonical:
        """Convert a value to a form for comparison and display: a zone as the cards in it, a list as a tuple, else its
        name."""
        if value is None:
            return NONE
        kind = certain(kind)
        if kind.kind == "zone":
            if isinstance(value, tuple):
                return value
            return tuple(self.names.name_card(card) for card in zones[value])
        if kind.kind == "list" and kind.of is not None:
            element = kind.of
            return tuple(_flat(self.canonical(element, part, zones)) for part in value)
        return self.names.spell_value(kind, value)


def _flat(value: Canonical) -> str:
    return value if isinstance(value, str) else "+".join(value)


def write(value: Canonical) -> str:
    """Format a canonical value as one text."""
    return value if isinstance(value, str) else " ".join(value) or "nothing"
