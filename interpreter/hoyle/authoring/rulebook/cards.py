"""The chapter on the deck.

In: declarations and a program. Out: points; the deck for each range of player numbers if it depends on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from hoyle.authoring.rulebook.book import Point
from hoyle.base.diagnostics.report import Report
from hoyle.language.compile import specialise_safely
from hoyle.language.declare.declarations import Declarations
from hoyle.language.elaborate.deck import fill_deck
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.expressions import build_elaborator
from hoyle.language.elaborate.kinds import fill_kinds
from hoyle.language.elaborate.options import fill_errors, fill_options
from hoyle.play.table.legend import make_legend
from hoyle.play.view.locale import Locale
from hoyle.program.ir.nodes import CardAttribute, Program


def list_cards(declared: Declarations, program: Program, locale: Locale) -> Iterator[Point]:
    """Yield the size of the deck, then the cards of each suit or name; of each deck, if it depends on the number of
    players."""
    deck = declared.deck
    cite = tuple(word.id for word in deck.line.cite) if deck is not None else ()
    decks = _list_decks(declared)
    if len(set(decks.values())) == 1:
        yield Point(locale.say("book_pack", number=len(program.cards)), cite=cite)
        yield from _list_groups(declared, program, locale)
        return
    for codes, group in groupby(decks, key=decks.__getitem__):
        players = list(group)
        found = specialise_safely(declared, players[0], {}, Report())
        said = str(players[0]) if len(players) == 1 else f"{players[0]} to {players[-1]}"
        text = locale.say("book_pack_with", players=said, number=len(codes))
        below = _list_groups(declared, found.program, Locale(found.program, locale.language)) if found else ()
        yield Point(text, cite=cite, below=tuple(below))


def _list_groups(declared: Declarations, program: Program, locale: Locale) -> Iterator[Point]:
    """Yield the cards of each suit or name."""
    legend = make_legend(program, locale)
    told: dict[str, tuple[Point, ...]] = {}  # what cards do, by their names
    for row in declared.deck.rows if declared.deck is not None else ():
        if row.text:
            told[row.name] = (*told.get(row.name, ()), Point(row.text, cite=tuple(word.id for word in row.cite)))
    for name, cards in _group(program).items():
        copies = Counter(program.cards[card].code for card in cards)
        alike = ((number, list(faces)) for number, faces in groupby(copies, key=copies.__getitem__))
        text = ", ".join(_count(locale, faces, number) for number, faces in alike)
        shown = tuple(legend.faces[face] for face in copies)
        yield Point(text, locale.value(name), faces=shown, below=told.pop(name, ()))
    for texts in told.values():
        yield from texts


def _count(locale: Locale, faces: list[str], copies: int) -> str:
    """List faces of which there are equally many copies, with the number of their cards."""
    each = f", {locale.say('book_each', number=copies)}" if copies > 1 and len(faces) > 1 else ""
    return f"{' '.join(map(locale.card, faces))} ({locale.count_cards(copies * len(faces))}{each})"


def _list_decks(declared: Declarations) -> dict[int, tuple[str, ...]]:
    """Map each number of players to the codes of the deck."""
    decks = {}
    for players in range(declared.allowed[0], declared.allowed[1] + 1):
        env = Environment(declared, players, Report(), reported=declared.lost)
        elaborator = build_elaborator(env)
        fill_options(elaborator, {})
        fill_errors(elaborator)
        fill_kinds(elaborator)
        fill_deck(elaborator)
        decks[players] = tuple(card.code for card in env.cards)
    return decks


def _group(program: Program) -> dict[str, list[int]]:
    """Group the cards by the enumeration attribute with the fewest values, or by their own name."""
    named = [attribute for attribute in program.attributes if attribute.type.kind == "enum"]
    suit = min(named, key=lambda each: len(_values(program, each)), default=None)
    groups: dict[str, list[int]] = {}
    for number, card in enumerate(program.cards):
        value = suit.table[number] if suit is not None else None
        name = card.name or (_values(program, suit)[value] if suit is not None and value is not None else "")
        groups.setdefault(name, []).append(number)
    return groups


def _values(program: Program, attribute: CardAttribute) -> tuple[str, ...]:
    return next(enum.values for enum in program.enums if enum.name == attribute.type.name)
