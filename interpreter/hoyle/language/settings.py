"""The settings at which a file is checked: numbers of players, and values of options.

In: declarations. Out: settings, the usual one first. What rules say is checked once for all tables; what needs numbers
is checked at these: whether a deal runs short, whether a card that rules name is in the deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import product
from math import prod

from hoyle.base.dataclass import dataclass
from hoyle.language.declare.declarations import Declarations, OptionDecl
from hoyle.language.declare.usage import names_in

MOST_TOGETHER = 64  # combinations of options
MOST_LISTED = 12  # values of a number that are all tried; of more, the least, the middle and the greatest


@dataclass(frozen=True, slots=True)
class Setting:
    """A number of players, and options by name; those left out have their default."""

    players: int
    options: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[int, tuple[tuple[str, str], ...]]:
        return self.players, tuple(sorted(self.options.items()))


def list_tables(declared: Declarations) -> list[Setting]:
    """Every number of players, the fewest usual one first, with all options at their defaults."""
    low, high = declared.allowed
    return [Setting(players) for players in dict.fromkeys((declared.usual[0], *range(low, high + 1)))]


def list_settings(declared: Declarations, options: Iterable[str] | None = None) -> list[Setting]:
    """The settings at which a file is checked: every number of players; each option, by default all, at its values
    alone, with the fewest usual players and with the most; and together what a `require` connects."""
    counts = dict.fromkeys((declared.usual[0], declared.allowed[1]))
    found = list_tables(declared)
    tried = [declared.options[name] for name in (declared.options if options is None else options)]
    for option in tried:
        found += [Setting(players, {option.name: value}) for players in counts for value in list_values(option)]
    for option in tried:
        found += _list_connected(declared, option)
    return list({one.key: one for one in found}.values())


def list_together(declared: Declarations) -> list[Setting] | None:
    """All combinations of the options' values, with the fewest usual players; None if there are too many."""
    values = [["", *list_values(option)] for option in declared.options.values()]
    if prod(map(len, values)) > MOST_TOGETHER:
        return None
    chosen = [dict(zip(declared.options, each, strict=True)) for each in product(*values)]
    return [Setting(declared.usual[0], {name: value for name, value in each.items() if value}) for each in chosen]


def list_values(option: OptionDecl) -> list[str]:
    """The values of an option, as they are written; of a long range its ends and its middle."""
    default = option.default.span.text
    if option.kind == "truth":
        values = ["false", "true"]
    elif option.kind == "enum":
        values = list(option.values)
    else:
        low, high = option.low, option.high
        numbers = range(low, high + 1) if high - low < MOST_LISTED else (low, (low + high) // 2, high)
        values = [*map(str, numbers), *(["none"] if option.or_none else [])]
    return [value for value in values if value != default]


def _list_connected(declared: Declarations, option: OptionDecl) -> Iterator[Setting]:
    """The values of an option with those of others, or numbers of players, that its `require` names."""
    named = {name for test in option.require for _, name in names_in(test.test)}
    others = [other for name, other in declared.options.items() if name in named and name != option.name]
    counts = list(range(declared.allowed[0], declared.allowed[1] + 1)) if "players" in named else [declared.usual[0]]
    for other in others:
        for value, second in product(list_values(option), list_values(other)):
            yield Setting(declared.usual[0], {option.name: value, other.name: second})
    if len(counts) > 1:
        for value, players in product(list_values(option), counts):
            yield Setting(players, {option.name: value})


def say_setting(declared: Declarations, setting: Setting) -> list[str]:
    """What differs from the usual setting: `5 players`, `jokers: 2`."""
    said = [f"`{name}: {value}`" for name, value in setting.options.items()]
    if setting.players != declared.usual[0]:
        said.insert(0, f"{setting.players} player{'s' if setting.players > 1 else ''}")
    return said
