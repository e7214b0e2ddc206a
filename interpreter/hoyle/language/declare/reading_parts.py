"""Reading of the data sections of a game file: players, options, deck, numbered rules.

In: nodes. Out: their declarations.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hoyle.base.diagnostics.report import Fix, Label, Report
from hoyle.base.diagnostics.spelling import NUMBERS
from hoyle.base.source import Span
from hoyle.language.declare.declarations import (
    AttributeDecl,
    CardRow,
    Condition,
    DeckDecl,
    Declarations,
    Line,
    OptionDecl,
)
from hoyle.language.declare.reader import CARD_NAME, Reader
from hoyle.language.declare.reading_definitions import read_conditions
from hoyle.language.document.guesses import guess_key
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.syntax import ast
from hoyle.program.ir.nodes import Rule

MOST_PLAYERS = 64
MOST_VALUES = 10_000
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*")
CARD_KEYS = {"name", "short", "copies", "if", "text", "cite"}
TAKEN_KEYS = {"name", "short", "copies", "if"}  # keys of a row that cannot be names of attributes


def numbers_of(text: str) -> tuple[int, int] | None:
    """The bounds of a range such as `2..8`; of a single number, that number twice.

    >>> numbers_of("2..8"), numbers_of("4"), numbers_of("two")
    ((2, 8), (4, 4), None)
    """
    found = re.fullmatch(r"\s*(-?\d{1,9})\s*(?:\.\.\s*(-?\d{1,9})\s*)?", text)
    if not found:
        return None
    low = int(found.group(1))
    return low, int(found.group(2)) if found.group(2) else low


def mend_range(span: Span) -> tuple[Fix, ...]:
    """Fixes for a range in another notation: `3-5`, `3 to 5`, `[3, 5]`, `three to five`."""
    words = (NUMBERS.get(word.lower(), word) for word in re.findall(r"\w+|\.\.|[-\u2013]", span.text))
    numbers = [word for word in words if word.isdigit()]
    return (Fix(span, "..".join(numbers)),) if len(numbers) == 2 and int(numbers[0]) <= int(numbers[1]) else ()


def read_bounds(reader: Reader, node: Node, what: str) -> tuple[int, int] | None:
    """A range; reported if it is malformed or reversed."""
    bounds = numbers_of(node.text) if isinstance(node, Scalar) else None
    if bounds is None:
        reader.report.error(
            "bad-range",
            f"{what} is not a range of numbers",
            node.span,
            "expected something like `2..8`",
            hint="the lowest and the highest stand with two dots between: `2..8`",
            fix=mend_range(node.span),
        )
    elif bounds[0] > bounds[1]:
        reader.report.error(
            "bad-range",
            f"{what} begins at {bounds[0]} and ends below it, at {bounds[1]}",
            node.span,
            fix=Fix(node.span, f"{bounds[1]}..{bounds[0]}", sure=False),
        )
        bounds = None
    return bounds


def read_words(node: Node | None) -> tuple[ast.Word, ...] | None:
    """A name or a list of names."""
    if node is None:
        return None
    words = node.items if isinstance(node, Sequence) else (node,)
    return tuple(ast.Word(word.text, word.span) for word in words if isinstance(word, Scalar))


def read_players(reader: Reader, entry: Entry | None, declared: Declarations) -> None:
    if entry is None:
        return
    node = entry.value
    declared.players_line = reader.line("players", entry.key, node)
    usual = node.get("usual") if isinstance(node, Mapping) else node
    allowed = node.get("allowed") if isinstance(node, Mapping) else None
    bounds = read_bounds(reader, usual, "`players`") if usual is not None else None
    wide = read_bounds(reader, allowed, "`players`") if allowed is not None else bounds
    bounds = bounds or wide  # `players: 3` in a variant overrides the range of its parent
    for found, at in ((bounds, usual), (wide, allowed)):
        if found and at is not None and not 1 <= found[0] <= found[1] <= MOST_PLAYERS:
            reader.report.error(
                "bad-players",
                f"a game has from 1 to {MOST_PLAYERS} players",
                at.span,
                hint="say how many can play, for example `2..8`",
            )
            return
    if bounds and wide:
        if wide[0] > bounds[0] or wide[1] < bounds[1]:
            assert usual is not None and allowed is not None
            reader.report.error(
                "bad-players",
                "the usual numbers of players must be among the allowed ones",
                usual.span,
                "usual",
                others=(Label(allowed.span, "allowed"),),
                hint="widen what is allowed, or narrow what is usual",
            )
            return
        declared.usual, declared.allowed = bounds, wide


# ------------------------------------------------------------------------------------------------ options
def read_option(reader: Reader, entry: Entry) -> OptionDecl | None:
    node, name = entry.value, entry.key.text
    if reader.report.may_lack(name):
        return None
    line = reader.line(f"options.{name}", entry.key, node)
    if not isinstance(node, Mapping):
        reader.report.error(
            "unknown-option",
            f"there is no option `{name}` whose default could be changed",
            entry.key.span,
            hint=f"a new option is written `{name}: {{default: …, text: …}}`",
        )
        return None
    default = node.get("default")
    if default is None:
        if not reader.report.tells(entry.key.span):
            reader.report.error("missing-key", f"the option `{name}` has no `default:`", entry.key.span)
        return None
    if not line.text:
        reader.report.error(
            "option-without-text",
            f"the option `{name}` has no sentence that says what it does",
            entry.key.span,
            hint="add `text:`; it is shown to players",
        )
    expr = reader.expr(default)
    if expr is None:
        return None
    require = node.entry("require")
    tests = tuple(
        part
        for part in (read_conditions(reader, f"{line.path}.require", require.key, require.value) if require else ())
        if isinstance(part, Condition)
    )
    values, limits = node.get("values"), node.get("range")
    if values is not None and limits is not None:
        reader.report.error(
            "bad-option",
            "an option has `values:` or a `range:`, not both",
            values.span,
            others=(Label(limits.span, "and a range"),),
            hint="a number has a `range:`, a choice among names has `values:`",
        )
        return None
    if values is not None:
        names, sentences = _option_values(values)
        _report_repeated(reader, names)
        for value, span in names:
            if not NAME.fullmatch(value):
                reader.report.error(
                    "bad-name",
                    f"`{value}` cannot be the name of a value",
                    span,
                    hint="a name begins with a letter and holds letters, digits and `_`",
                )
                return None
        plain = tuple(value for value, _ in names)
        places = dict(names)
        return OptionDecl(name, line, "enum", expr, values=plain, sentences=sentences, require=tests, places=places)
    if limits is not None:
        text = limits.text if isinstance(limits, Scalar) else ""
        or_none = text.endswith(" or none")
        bounds = numbers_of(text.removesuffix(" or none"))
        if bounds is None or bounds[0] > bounds[1]:
            read_bounds(reader, limits, f"the range of `{name}`")
            return None
        return OptionDecl(name, line, "number", expr, bounds[0], bounds[1], or_none, require=tests)
    return OptionDecl(name, line, "truth", expr, require=tests)


def _report_repeated(reader: Reader, names: list[tuple[str, Span]]) -> None:
    first: dict[str, Span] = {}
    for name, span in names:
        if name in first:
            reader.report.error(
                "declared-twice",
                f"`{name}` stands here twice",
                span,
                "again here",
                others=(Label(first[name], "first here"),),
                hint="leave one of them out",
            )
        first.setdefault(name, span)


def _option_values(node: Node) -> tuple[list[tuple[str, Span]], tuple[str, ...]]:
    if isinstance(node, Mapping):
        names = [(e.key.text, e.key.span) for e in node.entries]
        return names, tuple(e.value.text if isinstance(e.value, Scalar) else "" for e in node.entries)
    if isinstance(node, Sequence):
        found = [(item.text, item.span) for item in node.items if isinstance(item, Scalar)]
        return found, ("",) * len(found)
    return [], ()


# ------------------------------------------------------------------------------------------------ deck
def read_deck(reader: Reader, entry: Entry | None) -> DeckDecl | None:
    if entry is None or not isinstance(entry.value, Mapping):
        return None
    node = entry.value
    starts = node.get("starts_in")
    attributes = []
    listed = node.get("attributes")
    for one in listed.entries if isinstance(listed, Mapping) else ():
        if one.key.text in TAKEN_KEYS:
            reader.report.error(
                "reserved-name",
                f"no attribute can be called `{one.key.text}`: a row of `cards:` says something else with it",
                one.key.span,
                hint="choose another name",
            )
        attribute = _read_attribute(reader, one) if one.key.text not in TAKEN_KEYS else None
        if attribute:
            attributes.append(attribute)
        else:
            reader.lost.add(one.key.text)
    rows = []
    cards = node.get("cards")
    known = set(listed.keys()) if isinstance(listed, Mapping) else set()
    listed_rows: list[tuple[Scalar | None, Node]] = []
    if isinstance(cards, Mapping):
        listed_rows = [(one.key, one.value) for one in cards]
    elif isinstance(cards, Sequence):
        listed_rows = [(None, item) for item in cards]
    for key, item in listed_rows:
        if isinstance(item, Mapping):
            row = _read_row(reader, key, item, known)
            if row:
                rows.append(row)
    return DeckDecl(
        reader.line("deck", entry.key, node),
        ast.Word(starts.text, starts.span) if isinstance(starts, Scalar) else None,
        tuple(attributes),
        tuple(rows),
    )


def name_cards(declared: Declarations) -> None:
    """Give the cards that have names the attribute `card_name`, if the game speaks of it."""
    deck = declared.deck
    families = (declared.zones, declared.states, declared.pots)
    words = (word.id for section in families for each in section.values() for word in each.of)
    is_said = CARD_NAME in words or any(CARD_NAME in text.span.text for text in declared.texts)
    if deck is None or not is_said or any(each.name == CARD_NAME for each in deck.attributes):
        return
    places = {row.name: row.name_at for row in deck.rows if row.name}
    shorts = {row.name: row.short or row.name for row in deck.rows if row.name}
    attribute = AttributeDecl(CARD_NAME, deck.line, tuple(places), shorts, places=places, plain=True)
    rows = tuple(
        replace(
            row,
            attributes=(*row.attributes, (CARD_NAME, (row.name,))),
            places=(*row.places, (row.name_at,)),
        )
        if row.name
        else row
        for row in deck.rows
    )
    if places:
        declared.deck = replace(deck, attributes=(*deck.attributes, attribute), rows=rows)


def _read_numbered(
    reader: Reader, line: Line, name: str, node: Sequence, places: dict[str, Span]
) -> AttributeDecl | None:
    """Report numbers in a list of values, `[A, 2, 3, …, Q, K]`, and read them as a range if they are consecutive."""
    values = list(places)
    low = {int(value) - index for index, value in enumerate(values) if value.isdecimal()}
    scale, names, ends = "", {}, (0, 0)
    if len(low) == 1:
        ends = (min(low), min(low) + len(values) - 1)
        names = {str(ends[0] + index): value for index, value in enumerate(values) if not value.isdecimal()}
        said = ", ".join(f"{number}: {value}" for number, value in names.items())
        scale = f"{{range: {ends[0]}..{ends[1]}, names: {{{said}}}}}" if names else f"{ends[0]}..{ends[1]}"
    first = next(value for value in values if value.isdecimal())
    reader.report.error(
        "bad-name",
        f"`{first}` cannot be the name of a value",
        places[first],
        hint="numbers are declared as a range: `1..9`" + (", which may have names" if names else ""),
        fix=Fix(node.span, scale) if scale else (),
    )
    return AttributeDecl(name, line, None, names, *ends) if scale else None


def _read_attribute(reader: Reader, entry: Entry) -> AttributeDecl | None:
    node, name = entry.value, entry.key.text
    line = Line(f"deck.attributes.{name}", entry.key.span)
    if isinstance(node, Sequence):
        named = [(item.text, item.span) for item in node.items if isinstance(item, Scalar)]
        _report_repeated(reader, named)
        places = dict(named)
        if any(value.isdecimal() for value in places):
            return _read_numbered(reader, line, name, node, places)
        return AttributeDecl(name, line, tuple(places), {value: value for value in places}, places=places, plain=True)
    if is_scale(node):
        scale = read_scale(reader, node, name)
        return AttributeDecl(name, line, None, scale[2], *scale[:2]) if scale else None
    if isinstance(node, Mapping):
        shorts = {e.key.text: e.value.text for e in node.entries if isinstance(e.value, Scalar)}
        places = {e.key.text: e.key.span for e in node.entries}
        return AttributeDecl(name, line, tuple(shorts), shorts, places=places)
    return None


def is_scale(node: Node) -> bool:
    """Whether a numeric range is declared: `1..7`, or `{range: 1..13, names: {11: J}}`."""
    limits = node.get("range") if isinstance(node, Mapping) else node
    return isinstance(limits, Scalar)


def read_scale(reader: Reader, node: Node, name: str) -> tuple[int, int, dict[str, str]] | None:
    """The bounds of a scale, and the names of some of its numbers."""
    limits, named = (node.get("range"), node.get("names")) if isinstance(node, Mapping) else (node, None)
    bounds = read_bounds(reader, limits, f"the range of `{name}`") if limits is not None else None
    if bounds is None:
        return None
    names: dict[str, str] = {}
    for one in named.entries if isinstance(named, Mapping) else ():
        number = numbers_of(one.key.text)
        inside = number is not None and bounds[0] <= number[0] <= bounds[1]
        if not inside and limits is not None and one.key.span.source is limits.span.source:
            reader.report.error(
                "out-of-range",
                f"`{one.key.text}` has a name, but `{name}` goes from {bounds[0]} to {bounds[1]}",
                one.key.span,
                hint="name numbers of the range, or widen it",
            )
        shown = numbers_of(one.value.text) if isinstance(one.value, Scalar) else None
        if inside and shown is not None and shown != number and bounds[0] <= shown[0] <= bounds[1]:
            reader.report.error(
                "bad-name",
                f"{one.key.text} would be shown as {shown[0]}, which is another number of `{name}`",
                one.value.span,
                hint="rules say the number, players what is shown: the two must not be taken for each other",
            )
        if inside and number is not None and isinstance(one.value, Scalar):  # a variant may narrow the range alone
            names[str(number[0])] = one.value.text
    return *bounds, names


def _read_row(reader: Reader, key: Scalar | None, node: Mapping, attributes: set[str]) -> CardRow | None:
    """A row of the deck; with `short`, or without attributes, it is a special card named by the key of the row."""
    combined: list[tuple[str, tuple[str | int, ...]]] = []
    places: list[tuple[Span, ...]] = []
    known = (*sorted(attributes), *sorted(CARD_KEYS))
    for entry in node.entries:
        name = entry.key.text
        if name in CARD_KEYS and name not in attributes:
            continue
        if name not in attributes:
            reader.report.error(
                "unknown-attribute",
                f"cards have no attribute `{name}`",
                entry.key.span,
                "not declared under `attributes:`",
                hint=(
                    f"the attributes are {', '.join(f'`{one}`' for one in sorted(attributes)) or 'none yet'}",
                    *_say_what_for(name, entry.value),
                ),
                fix=guess_key(entry.key, [one for one in known if node.entry(one) is None]),
            )
            continue
        if name in reader.lost:
            continue
        listed = _listed(entry.value)
        combined.append((name, tuple(value for value, _ in listed)))
        places.append(tuple(span for _, span in listed))
    name_node, short, copies, condition = (node.get(k) for k in ("name", "short", "copies", "if"))
    line = reader.line("deck.cards", key or node.entries[0].key, node)
    if name_node is None and key is not None and (short is not None or not combined):
        name_node = key
    name = name_node.text if isinstance(name_node, Scalar) else ""
    return CardRow(
        node.span,
        tuple(combined),
        name,
        short.text if isinstance(short, Scalar) else name[:1].upper() + name[1:] if name else "",
        reader.expr(copies) if copies is not None else None,
        reader.expr(condition) if condition is not None else None,
        tuple(places),
        name_node.span if name_node is not None else node.span,
        line.text,
        line.cite,
    )


def _say_what_for(name: str, value: Node) -> tuple[str, ...]:
    """How a number, or a sentence, is said of a kind of card."""
    if not isinstance(value, Scalar):
        return ()
    if re.fullmatch(r"\d{1,6}", value.text):
        return (f"a number that kinds of cards have is declared beside the others: `{name}: 0..{value.text}`",)
    return ("what a card does is said in its `text:`",) if " " in value.text else ()


def _listed(node: Node) -> list[tuple[str | int, Span]]:
    """The values of an attribute in a row, with their locations: a single value, a list, or a range."""
    if isinstance(node, Sequence):
        return [value for item in node.items for value in _listed(item)]
    if not isinstance(node, Scalar):
        return []
    bounds = numbers_of(node.text)
    if bounds and ".." in node.text:
        return [(value, node.span) for value in range(bounds[0], min(bounds[1], bounds[0] + MOST_VALUES) + 1)]
    return [(int(node.text) if re.fullmatch(r"-?\d{1,9}", node.text) else node.text, node.span)]


# ------------------------------------------------------------------------------------------------ rules
def read_rules(node: Mapping | None, declared: Declarations, report: Report) -> None:
    """Read the numbered rules of the game's folder, the targets of citations."""
    if node is None:
        return
    declared.rules_known = True
    for entry in node.entries:
        if not isinstance(entry.value, Mapping):
            continue
        text, place, status = (entry.value.get(k) for k in ("text", "place", "status"))
        kind = status.text if isinstance(status, Scalar) else "stated"
        declared.rules[entry.key.text] = Rule(
            id=entry.key.text,
            text=text.text if isinstance(text, Scalar) else "",
            place=place.text if isinstance(place, Scalar) else "",
            status="follows" if kind == "follows" else "ruling" if kind == "ruling" else "stated",
        )
