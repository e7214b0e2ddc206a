"""Lays a menu out as lines, each with a key to type.

In: a menu and the room available. Out: lines with keys. Keys are numbers, unless numbers could also be cards or amounts
in this game; then they are letters that begin no word of the menu.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from itertools import product

from hoyle.base.dataclass import dataclass
from hoyle.front.terminal.pen import fold
from hoyle.play.table.menu import find_way
from hoyle.play.table.model import Act, Item, Legend, Menu, Way
from hoyle.program.ir.nodes import Program

RESERVED = "q"  # quits


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the menu: an action with the ways that the line covers, or declining (no action)."""

    key: str
    text: str
    act: Act | None = None
    ways: tuple[Way, ...] = ()


@dataclass(slots=True)
class _Fold:
    """The ways of an action, grouped into lines by the picks of their first `slots` slots: with all slots, each way has
    its own line; with none, there is a single line."""

    act: Act
    ways: list[Way]
    slots: int

    def list_ways(self) -> list[list[Way]]:
        found: dict[tuple[tuple[int, ...], ...] | int, list[Way]] = {}
        for way in self.ways:
            begins = way.choice if self.slots == len(self.act.slots) else way.picks[: self.slots]
            found.setdefault(begins, []).append(way)
        return list(found.values())

    def fold(self, least: int) -> bool:
        """Group by fewer slots until there are fewer lines, but at least `least`; return whether that was possible."""
        before, lines = self.slots, len(self.list_ways())
        while self.slots:
            self.slots -= 1
            now = len(self.list_ways())
            if now < least:
                break
            if now < lines:
                return True
        self.slots = before
        return False


def list_lines(
    menu: Menu, fits: Callable[[Sequence[str]], bool], decline: str, *, letters: bool, only: set[int] | None = None
) -> list[Line]:
    """Lay the menu out in lines that fit: one for each way, or, as long as there is no room, one for several ways with
    the same first picks, folding the actions with most lines first. `only` restricts it to the choices that an
    ambiguous input could mean."""
    folds = _list_folds(menu, only)
    declines = [(decline, None, ())] if menu.decline is not None and only is None else []
    # If the input already determines the action, a single line for it would not help to disambiguate.
    least = 2 if only is not None and len(folds) == 1 else 1
    while True:
        texts: list[tuple[str, Act | None, tuple[Way, ...]]] = [
            (say_way(ways[0]) if len(ways) == 1 else say_act(fold.act, ways, menu.items), fold.act, tuple(ways))
            for fold in folds
            for ways in fold.list_ways()
        ]
        texts += declines
        if fits([text for text, *_ in texts]):
            break
        longest = sorted(folds, key=lambda fold: -len(fold.list_ways()))
        if not any(fold.fold(least) for fold in longest):
            break
    keys = list_keys(menu, len(texts)) if letters else [str(key) for key in range(1, len(texts) + 1)]
    return [Line(key, text, act, ways) for key, (text, act, ways) in zip(keys, texts, strict=True)]


def _list_folds(menu: Menu, only: set[int] | None) -> list[_Fold]:
    """List each action with its ways, restricted to the choices in `only`."""
    folds = []
    for act in menu.acts:
        ways = [way for way in act.ways if only is None or (way.group is None and way.choice in only)]
        for place in sorted(only or ()):
            found = find_way(menu, place)
            if found is not None and found[0] is act and found[1] not in ways:
                ways.append(found[1])
        if ways:
            folds.append(_Fold(act, ways, len(act.slots)))
    return folds


def say_way(way: Way) -> str:
    """Format a way with its cost: `call (pay 2)`."""
    return f"{way.text} ({way.note})" if way.note else way.text


def say_act(act: Act, ways: list[Way], items: tuple[Item, ...]) -> str:
    """Format an action with all items that its ways offer: `lay away 2 of 3D 3C 6D`."""
    words = [act.label]
    for number, slot in enumerate(act.slots):
        groups = [way.group for way in ways if way.group is not None] if number + 1 == len(act.slots) else []
        offered = sorted({item for way in ways for item in way.picks[number]}.union(*(each.items for each in groups)))
        sizes = [size for each in groups for size in (each.low, each.high)]
        sizes = sorted({*sizes, *(len(way.picks[number]) for way in ways if way.group is None or not groups)})
        bounds = next((way.number for way in ways if way.number is not None), None)
        if not offered and bounds is not None:
            words.append(f"{bounds[0]}..{bounds[1]}")
        elif offered:
            joined = (" " if slot.kind == "card" else " / ").join(dict.fromkeys(items[each].text for each in offered))
            count = f"{sizes[0]}" if sizes[0] == sizes[-1] else f"{sizes[0]}-{sizes[-1]}"
            words.append(f"{count} of {joined}" if slot.many else joined if len(offered) == 1 else f"[{joined}]")
    return " ".join(words)


def needs_letters(legend: Legend, program: Program) -> bool:
    """Whether numbers typed in a game could be cards or amounts, so that keys must be letters."""
    if any(pick.type.kind == "number" for action in program.actions for pick in action.picks):
        return True
    shorts = [each.short for face in legend.faces.values() for each in face.prints]
    return any(any(sign.isdigit() for sign in text) for text in (*legend.faces, *shorts))


def list_keys(menu: Menu, number: int) -> list[str]:
    """List that many keys, letters or pairs of letters, that cannot be mistaken for a word of the menu."""
    words = [act.label for act in menu.acts]
    words += [word for item in menu.items for word in (item.word, item.text)]
    taken = {fold(word)[:1] for word in words} | set(RESERVED)
    free = [letter for letter in string.ascii_lowercase if letter not in taken]
    if number <= len(free):
        return free[:number]
    pairs = ["".join(pair) for pair in product(free, string.ascii_lowercase)]
    return pairs[:number] if number <= len(pairs) else [f".{key}" for key in range(1, number + 1)]
