"""Builds the legend: the data of a game that stays the same during a match, such as card faces, labels and rules.

In: a program and a locale. Out: a `Legend`. The face of a card lists its attributes; a value named like a well-known
suit gets that suit's glyph and colour, and a value named like a colour gets that colour.
"""

from __future__ import annotations

from hoyle.play.table.model import CitedRule, Face, Legend, Print
from hoyle.play.view.locale import Locale
from hoyle.program.ir.nodes import CardAttribute, Program

# Keyed by value name, for any deck: nothing here is specific to a game.
GLYPHS = {
    "spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣", "stars": "★", "circles": "●", "triangles": "▲",
    "squares": "■", "crosses": "✚", "moons": "☾", "suns": "☀", "cups": "⚱", "coins": "●", "swords": "†", "batons": "|",
    "trumps": "★",
}  # fmt: skip
COLOURS = {
    "spades": "black", "clubs": "black", "hearts": "red", "diamonds": "red", "stars": "yellow", "circles": "red",
    "triangles": "green", "squares": "blue", "crosses": "magenta", "moons": "blue", "suns": "yellow", "cups": "red",
    "coins": "yellow", "swords": "blue", "batons": "green", "red": "red", "green": "green", "blue": "blue",
    "yellow": "yellow", "black": "black", "white": "white", "orange": "orange", "purple": "magenta", "pink": "pink",
    "trumps": "magenta",
}  # fmt: skip


def make_legend(program: Program, locale: Locale) -> Legend:
    """Build the legend of a game in the language of the locale."""
    faces: dict[str, Face] = {}
    for number, card in enumerate(program.cards):
        if card.code not in faces:
            prints = tuple(
                _print(program, attribute, number, locale)
                for attribute in program.attributes
                if attribute.table[number] is not None
            )
            shown, name = locale.card(card.code), locale.value(card.name)
            faces[card.code] = Face(card.code, shown, name, prints, locale.message(card.text))
    return Legend(
        program.game,
        locale.title,
        locale.language,
        faces,
        {zone.name: locale.message(zone.text) for zone in program.zones},
        {
            rule.id: CitedRule(rule.id, locale.rule(rule.id, rule.text), rule.place, rule.status)
            for rule in program.rules.values()
        },
        tuple(sorted({rule for clause in program.clauses for rule in clause.cite} & set(program.rules))),
    )


def _print(program: Program, attribute: CardAttribute, card: int, locale: Locale) -> Print:
    value = attribute.table[card]
    assert value is not None
    short = locale.write_attribute(attribute, card)
    if attribute.type.kind != "enum":
        return Print(attribute.name, str(value), str(value), short)
    declared = next(enum for enum in program.enums if enum.name == attribute.type.name)
    name = declared.values[value]
    return Print(attribute.name, name, locale.value(name), short, GLYPHS.get(name, ""), COLOURS.get(name, ""))
