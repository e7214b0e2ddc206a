"""The lines of a menu: what may be done, each under a key.

In: a menu and how much room there is. Out: lines with keys. A key is a number, unless a number could be a card or an
amount: then it is a letter, and never one that begins a word of this menu.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from itertools import product

from hoyle.ir.nodes import Program
from hoyle.table.menu import find_way
from hoyle.table.model import Act, Item, Legend, Menu, Way
from hoyle.terminal.pen import fold

RESERVED = "q"  # leaves the game


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the menu: a way, an action all of whose ways it stands for, or declining (neither)."""

    key: str
    text: str
    act: Act | None = None
    way: Way | None = None


def list_lines(menu: Menu, most: int, decline: str, *, letters: bool, only: set[int] | None = None) -> list[Line]:
    """At most so many lines: a line for each way, or, of the actions with most ways, one for all of them. `only` are
    the choices that are still meant."""
    groups: list[tuple[Act, list[Way]]] = []
    for act in menu.acts:
        ways = [way for way in act.ways if only is None or (way.group is None and way.choice in only)]
        for place in sorted(only or ()):
            found = find_way(menu, place)
            if found is not None and found[0] is act and found[1] not in ways:
                ways.append(found[1])
        if ways:
            groups.append((act, ways))
    declines = menu.decline is not None and only is None
    shut: set[str] = set()
    while _count(groups, shut) + declines > most:
        longest = max((group for group in groups if group[0].name not in shut), key=lambda g: len(g[1]), default=None)
        if longest is None or len(longest[1]) == 1:
            break
        shut.add(longest[0].name)
    texts: list[tuple[str, Act | None, Way | None]] = []
    for act, ways in groups:
        if act.name in shut:
            texts.append((say_act(act, ways, menu.items), act, None))
        else:
            texts += [(way.text, act, way) for way in ways]
    if declines:
        texts.append((decline, None, None))
    keys = list_keys(menu, len(texts)) if letters else [str(key) for key in range(1, len(texts) + 1)]
    return [Line(key, text, act, way) for key, (text, act, way) in zip(keys, texts, strict=True)]


def _count(groups: list[tuple[Act, list[Way]]], shut: set[str]) -> int:
    return sum(1 if act.name in shut else len(ways) for act, ways in groups)


def say_act(act: Act, ways: list[Way], items: tuple[Item, ...]) -> str:
    """An action with all it could be done with: `lay away 2 of 3D 3C 6D`."""
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
    """Whether in a game a number could be a card or an amount."""
    if any(pick.type.kind == "number" for action in program.actions for pick in action.picks):
        return True
    shorts = [each.short for face in legend.faces.values() for each in face.prints]
    return any(any(sign.isdigit() for sign in text) for text in (*legend.faces, *shorts))


def list_keys(menu: Menu, number: int) -> list[str]:
    """So many letters, none of which could be anything else here."""
    words = [act.label for act in menu.acts]
    words += [word for item in menu.items for word in (item.word, item.text)]
    taken = {fold(word)[:1] for word in words} | set(RESERVED)
    free = [letter for letter in string.ascii_lowercase if letter not in taken]
    if number <= len(free):
        return free[:number]
    pairs = ["".join(pair) for pair in product(free, string.ascii_lowercase)]
    return pairs[:number] if number <= len(pairs) else [f".{key}" for key in range(1, number + 1)]
