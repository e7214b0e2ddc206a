"""Encodes choices as short sequences of tokens: the action, then each pick.

In: a program; the choices of a decision. Out: an `Encoding`, a fixed vocabulary of tokens as small as the declarations
of the game permit, and a `Spelling`, which builds a choice token by token.

| token             | meaning                                                               |
|-------------------|-----------------------------------------------------------------------|
| `action NAME`     | an action, in file order                                              |
| `decline`         | declining                                                             |
| `end`             | the end of a list of picks, or none                                   |
| `card CODE`       | a card by its face                                                    |
| `seat N`          | a seat or a team                                                      |
| `zone NAME`       | a zone or a pile                                                      |
| `no`, `yes`       | a truth value                                                         |
| `ENUM VALUE`      | a value of an enumeration                                             |
| `number K`        | the K-th of the numbers available, in order, from 0                   |

A number from a range is discretized to the lowest plus 0, 1, 2, 5, 10, 20, 50 …, and the highest. Choices with equal
tokens (equal cards in different zones) are disambiguated by one more `number K`. Games that need neither have no number
tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hoyle.lab.bots.rollout import spell_out
from hoyle.play.engine.actions import type_of_pick
from hoyle.play.view.names import Names
from hoyle.program.ir.nodes import Program
from hoyle.program.ir.types import Type, certain

if TYPE_CHECKING:
    from hoyle.play.engine.legality import Choice

NUMBERS = 128
MOST_KEPT = 100_000  # choices whose tokens are cached
Tokens = tuple[int, ...]
_NAMED = ("card", "list", "seat", "team", "zone", "truth", "enum")


class Encoding:
    """The token vocabulary of a game: `names[token]` is the meaning of each, `begins[kind]` the first token of a kind,
    and `faces[card]` the index of a card among the card tokens. Unless choices `may_be_alike`, their tokens are
    distinct without disambiguation."""

    def __init__(self, program: Program) -> None:
        if not isinstance(program, Program):
            raise TypeError(f"tokens are those of a compiled game, such as `game.program`, not of {program!r}")
        self.program = program
        names = Names(program)
        codes: dict[int, str] = {}
        for card in program.cards:
            codes.setdefault(card.face, card.code)
        places = {face: place for place, face in enumerate(codes)}
        self.faces = [places[card.face] for card in program.cards]
        self.names: list[str] = []
        self.begins: dict[str, int] = {}
        self._add("action", [f"action {action.name}" for action in program.actions])
        self._add("decline", ["decline"])
        self._add("end", ["end"])
        self._add("card", [f"card {code}" for code in codes.values()])
        self._add("seat", [f"seat {seat}" for seat in range(program.players)])
        self._add("zone", [f"zone {names.spell_zone(zone)}" for zone in range(len(names.zones))])
        self._add("truth", ["no", "yes"])
        for enum in program.enums:
            self._add(f"enum {enum.name}", [f"{enum.name} {value}" for value in enum.values])
        self._numbers = [
            [not self.is_named(pick.type) for pick in action.picks] for action in program.actions
        ]
        kinds = [certain(type_of_pick(pick)) for action in program.actions for pick in action.picks]
        listed = any(kind.kind == "list" and (kind.of is None or not self.is_named(kind.of)) for kind in kinds)
        self.may_be_alike = listed or len(codes) < len(program.cards)
        said = any(any(row) for row in self._numbers) or not all(map(self.is_named, kinds))
        self._add("number", [f"number {place}" for place in range(NUMBERS if said or self.may_be_alike else 0)])
        self._spelt: dict[Choice, Tokens] = {}  # cache of choices without numbers

    def _add(self, kind: str, names: list[str]) -> None:
        self.begins[kind] = len(self.names)
        self.names += names

    @property
    def size(self) -> int:
        """Number of tokens."""
        return len(self.names)

    def is_named(self, kind: Type) -> bool:
        """Whether values of a type have tokens of their own, rather than an index among the values offered."""
        return certain(kind).kind in _NAMED

    def spell(self, choices: Sequence[Choice]) -> dict[Tokens, Choice]:
        """Map token sequences to choices; choices with a number index beyond the limit are left out."""
        choices = spell_out(choices)
        ladders = self._list_numbers(choices)
        if not ladders:
            listed = [self._spelt.get(choice) or self._keep(choice) for choice in choices]
            once = dict(zip(listed, choices, strict=True))
            if len(once) == len(choices):
                return once
        spelt: dict[Tokens, Choice] = {}
        seen: Counter[Tokens] = Counter()
        alike = Counter(tokens for choice in choices if (tokens := self._spell(choice, ladders)) is not None)
        for choice in choices:
            tokens = self._spell(choice, ladders)
            if tokens is None:
                continue
            if alike[tokens] > 1:
                place = seen[tokens]
                seen[tokens] += 1
                if place >= NUMBERS:
                    continue
                tokens = (*tokens, self.begins["number"] + place)
            spelt[tokens] = choice
        return spelt

    def _keep(self, choice: Choice) -> Tokens:
        """Encode a choice without numbers, and cache its tokens."""
        tokens = self._spell(choice, {})
        assert tokens is not None
        if len(self._spelt) >= MOST_KEPT:
            self._spelt.clear()
        self._spelt[choice] = tokens
        return tokens

    def _list_numbers(self, choices: Sequence[Choice]) -> dict[tuple[int, int], dict[int, int]]:
        """Map the numbers that occur for each numeric pick to their indices."""
        found: dict[tuple[int, int], set[int]] = {}
        for choice in choices:
            for place, value in enumerate(choice[1:]):
                if self._numbers[choice[0]][place] and isinstance(value, int):
                    found.setdefault((choice[0], place), set()).add(value)
        return {key: {value: at for at, value in enumerate(sorted(values))} for key, values in found.items()}

    def _spell(self, choice: Choice, ladders: dict[tuple[int, int], dict[int, int]]) -> Tokens | None:
        if not choice:
            return (self.begins["decline"],)
        tokens = [self.begins["action"] + choice[0]]
        for place, (pick, value) in enumerate(zip(self.program.actions[choice[0]].picks, choice[1:], strict=True)):
            if (choice[0], place) in ladders and isinstance(value, int):
                at = ladders[choice[0], place][value]
                if at >= NUMBERS:
                    return None
                tokens.append(self.begins["number"] + at)
            else:
                tokens += self._spell_value(type_of_pick(pick), value)
        return tuple(tokens)

    def _spell_value(self, kind: Type, value: Any) -> list[int]:
        kind = certain(kind)
        end = self.begins["end"]
        if value is None:
            return [end]
        if isinstance(value, tuple):
            inner = kind.of if kind.of is not None else kind
            return [token for part in value for token in self._spell_value(inner, part)] + [end]
        if kind.kind == "card":
            return [self.begins["card"] + self.faces[value]]
        if kind.kind in ("seat", "team"):
            return [self.begins["seat"] + value]
        if kind.kind == "zone":
            return [self.begins["zone"] + value]
        if kind.kind == "truth":
            return [self.begins["truth"] + int(value)]
        if kind.kind == "enum":
            return [self.begins[f"enum {kind.name}"] + value]
        return [self.begins["number"] + min(max(int(value), 0), NUMBERS - 1)]


class Spelling:
    """A choice under construction, token by token."""

    __slots__ = ("_left", "prefix")

    def __init__(self, spelt: dict[Tokens, Choice], prefix: Tokens = ()) -> None:
        self._left = spelt
        self.prefix = prefix

    def copy(self) -> Spelling:
        return Spelling(self._left, self.prefix)

    def legal(self) -> list[int]:
        """List the tokens that can come next, in order."""
        at = len(self.prefix)
        return sorted({tokens[at] for tokens in self._left})

    def add(self, token: int) -> Choice | None:
        """Append a token; return the choice once it is complete, else None. `ValueError` if the token is not legal."""
        at = len(self.prefix)
        left = {tokens: choice for tokens, choice in self._left.items() if tokens[at] == token}
        if not left:
            raise ValueError(f"token {token} cannot come after {self.prefix}")
        self._left, self.prefix = left, (*self.prefix, token)
        return left.get(self.prefix)
