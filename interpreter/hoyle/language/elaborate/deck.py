"""Elaboration of the deck: attributes, cards, their faces and codes.

In: the declaration of the deck. Out: cards, and a value table for each attribute.
"""

from __future__ import annotations

import re
from itertools import product
from math import prod

from hoyle.base.diagnostics.report import Fix, Label, respell
from hoyle.base.diagnostics.spelling import COURTS, NUMBERS, with_article
from hoyle.base.effort import spend
from hoyle.base.source import Span
from hoyle.language.declare.declarations import AttributeDecl, CardRow, DeckDecl
from hoyle.language.elaborate.constants import fixed, fixed_number
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.enums import add_enum, add_scale
from hoyle.language.elaborate.environment import Environment
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import NUMBER, TRUTH, enum, number_on
from hoyle.program.model.runtime_values import Value

MOST_CARDS = 2_000
FACES_IN_STEP = 4  # faces of cards worked out that count as one step of a check


def fill_deck(elaborator: Elaborator) -> None:
    env = elaborator.env
    deck = env.declared.deck
    if deck is None:
        return
    for attribute in deck.attributes:
        if attribute.values is not None:
            shorts = tuple(attribute.shorts.get(v, v) for v in attribute.values)
            add_enum(env, attribute.name, attribute.values, shorts)
        else:
            add_scale(env, attribute.name, attribute.low, attribute.high, attribute.shorts)
        env.attributes[attribute.name] = len(env.attributes)
    env.coded = env.coded or find_coded(deck)
    faces: dict[tuple[Value, ...], int] = {}
    tables: list[list[int | None]] = [[] for _ in deck.attributes]
    for row in deck.rows:
        _add_row(elaborator, deck, row, faces, tables)
    for attribute, table in zip(deck.attributes, tables, strict=True):
        kind = enum(attribute.name) if attribute.values is not None else number_on(attribute.name)
        written = tuple("" if value is None else write_value(attribute, value) for value in table)
        env.attribute_list.append(
            ir.CardAttribute(name=attribute.name, type=kind, table=tuple(table), written=written)
        )
    if not env.cards and not env.report.failed:
        env.report.error(
            "empty-deck",
            f"the deck has no cards with {env.players} players",
            deck.line.span,
            hint="add rows under `cards:`, or look at the `if:` and `copies:` of those there are",
        )


def name_value(attribute: AttributeDecl, value: int) -> str:
    """The name of an attribute's value; a number in digits."""
    return attribute.values[value] if attribute.values is not None else str(value)


def write_value(attribute: AttributeDecl, value: int) -> str:
    """The abbreviation of an attribute's value in card codes."""
    name = name_value(attribute, value)
    return attribute.shorts.get(name, name)


def find_coded(deck: DeckDecl) -> frozenset[str]:
    """The attributes that occur in card codes: all with abbreviations, and as many others as are needed to make codes
    unique. Independent of options, so that a card is written alike in every game."""
    rows = [row for row in deck.rows if not row.short and size_of(row) <= MOST_CARDS]
    spend(sum(map(size_of, rows)) // FACES_IN_STEP)
    faces = {
        frozenset(zip((name for name, _ in row.attributes), values, strict=True))
        for row in rows
        for values in product(*(values for _, values in row.attributes))
    }
    coded = {attribute.name for attribute in deck.attributes if not attribute.plain}
    for attribute in deck.attributes:
        told_apart = {frozenset(pair for pair in face if pair[0] in coded) for face in faces}
        if len(told_apart) == len(faces):
            break
        coded.add(attribute.name)
    return frozenset(coded)


def _add_row(
    elaborator: Elaborator,
    deck: DeckDecl,
    row: CardRow,
    faces: dict[tuple[Value, ...], int],
    tables: list[list[int | None]],
) -> None:
    env = elaborator.env
    # Names and types must not depend on options: an omitted card still declares its name and its missing attributes.
    env.gaps |= {a.name for a in deck.attributes} - {name for name, _ in row.attributes}
    if row.name:
        env.card_names.setdefault(row.name, ())
    copies = 1
    if row.condition is not None and not fixed(elaborator, row.condition, TRUTH, "whether these cards are in the deck"):
        copies = 0
    elif row.copies is not None:
        number = fixed_number(elaborator, row.copies, NUMBER, "the number of copies")
        if number is None:
            return
        if number < 0:
            elaborator.env.report.error(
                "out-of-range",
                f"the number of copies is {number}, below 0",
                row.copies.span,
                hint="the least is 0: these cards are then not in the deck",
            )
            return
        copies = number
    size = copies * size_of(row)
    if size + len(env.cards) > MOST_CARDS:
        env.report.error(
            "deck-too-big",
            f"with these the deck has more than {MOST_CARDS} cards",
            row.copies.span if row.copies is not None and copies > MOST_CARDS else row.span,
            hint="take fewer copies, or fewer values",
        )
        return
    spend(size_of(row) // FACES_IN_STEP)
    by_name = {a.name: a for a in deck.attributes}
    columns = []
    for (name, values), places in zip(row.attributes, row.places, strict=True):
        numbers = {value: number for number, value in enumerate(by_name[name].values or ())}
        pairs = zip(values, places, strict=True)
        column = [_attribute_value(env, by_name[name], value, place, numbers) for value, place in pairs]
        if None in column:
            env.lacks_cards = True
            return
        columns.append([(value, _short(by_name[name], value)) for value in column if value is not None])
    places_of = {name: place for place, (name, _) in enumerate(row.attributes)}
    written = [places_of[a.name] for a in deck.attributes if a.name in places_of and a.name in env.coded]
    for combination in product(*columns):
        code = row.short or "".join([combination[place][1] for place in written])
        if copies == 0:
            env.card_codes.setdefault(code, ())
            continue
        printed = {name: combination[place][0] for name, place in places_of.items()}
        identity = (row.name, *(printed.get(a.name) for a in deck.attributes))
        if identity not in faces:
            if env.card_codes.get(code):
                env.report.error(
                    "same-code",
                    f"two different cards would both be written `{code}`",
                    row.span,
                    hint="give one of them another `short:`"
                    if row.short
                    else "tell them apart by their short forms, or by an attribute before these that has one: "
                    "`sort: {plain: p, prize: z}`",
                )
                return
            faces[identity] = len(faces)
        for _ in range(copies):
            card = len(env.cards)
            env.cards.append(ir.Card(face=faces[identity], code=code, name=row.name, text=row.text))
            env.card_codes[code] = (*env.card_codes.get(code, ()), card)
            if row.name:
                env.card_names[row.name] = (*env.card_names.get(row.name, ()), card)
            for a, table in zip(deck.attributes, tables, strict=True):
                table.append(printed.get(a.name))


def size_of(row: CardRow) -> int:
    """The number of faces of a row, whether they are in the deck or not."""
    return prod(len(values) for _, values in row.attributes)


def _attribute_value(
    env: Environment, attribute: AttributeDecl, value: str | int, place: Span, numbers: dict[str, int]
) -> int | None:
    if attribute.values is not None:
        if str(value) in numbers:
            return numbers[str(value)]
        shorts = {short: v for v, short in attribute.shorts.items()}
        fixes = respell(place, str(value), attribute.values)
        if str(value) in shorts:
            fixes = (Fix(place, shorts[str(value)]),)
        env.report.error(
            "unknown-value",
            f"`{value}` is not a value of `{attribute.name}`",
            place,
            others=(Label(attribute.line.span, f"the values of `{attribute.name}`"),),
            fix=fixes,
        )
        return None
    if isinstance(value, int) and attribute.low <= value <= attribute.high:
        return value
    named = {short: int(number) for number, short in attribute.shorts.items()}
    if value in named:
        return named[str(value)]
    env.report.error(
        "unknown-value",
        f"`{value}` is not {with_article(f'`{attribute.name}`')}, which goes from {attribute.low} to {attribute.high}",
        place,
        others=(Label(attribute.line.span, "declared here"),),
        hint=f"it is a number from {attribute.low} to {attribute.high}"
        + (f", or one of {', '.join(f'`{name}`' for name in named)}" if named else ""),
        fix=(*_mend_number(attribute, str(value), place), *respell(place, str(value), named)),
    )
    return None


def _mend_number(attribute: AttributeDecl, value: str, place: Span) -> list[Fix]:
    """Fixes for a rank in words, or a range in another notation: `queen`, `1-13`, `A..K`."""
    names = {short: number for number, short in attribute.shorts.items()}
    if COURTS.get(value.lower(), "") in names:
        return [Fix(place, COURTS[value.lower()])]
    if value.lower() in NUMBERS:
        return [Fix(place, NUMBERS[value.lower()])]
    ends = re.fullmatch(r"(\w+)\s*(?:\.{1,3}|-|\u2013|to)\s*(\w+)", value)
    if ends is None:
        return []
    low, high = (names.get(end, end) for end in ends.groups())
    return [Fix(place, f"{low}..{high}")] if low.isdigit() and high.isdigit() else []


def _short(attribute: AttributeDecl, value: int) -> str:
    if attribute.values is not None:
        name = attribute.values[value]
        return attribute.shorts.get(name, name)
    return attribute.shorts.get(str(value), str(value))
