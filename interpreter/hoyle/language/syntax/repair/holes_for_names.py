"""Holes in the patterns of near misses for what a game names: cards, zones, seats, states and actions.

In: the text in a hole, and the names of the game. Out: `HOLES`, complete.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice, takewhile

from hoyle.base.diagnostics.spelling import COURTS, NUMBERS
from hoyle.language.syntax.repair.holes import (
    ACTIONS,
    CODE,
    HOLES,
    NAME,
    RANK,
    THING,
    WORD,
    Meaning,
    means,
)
from hoyle.language.syntax.vocabulary import Vocabulary
from hoyle.program.words import WORDS, Op, op_named, word_of

__all__ = ["HOLES", "Meaning"]


def _is_known(kind: str, regex: str, *roles: str) -> None:
    """A hole for a name of the game in one of these roles; authors write it in another number, too."""

    def meanings(text: str, names: Vocabulary) -> Iterator[str]:
        known = {name for role in roles for name in getattr(names, role)}
        for form in (text, text.removesuffix("s"), text + "s"):
            if form in known:
                yield form
                break

    means(kind, regex)(meanings)


_is_known("own", NAME, "seat_zones", "seat_states", "pots")
_is_known("seat_zone", r"\w+", "seat_zones")
_is_known("family", NAME, "families")
_is_known("pile", NAME, "zones", "seat_zones", "plain")
_is_known("shared", NAME, "zones")
_is_known("attribute", NAME, "attributes")
_is_known("kind", NAME, "attributes", "others", "options")
_is_known("step", NAME, "steps")
_is_known("function", NAME, "functions", "attributes")
_is_known("adjective", NAME, "adjectives")
_is_known("relation", WORD, "relations")
_is_known("person", r"\w+", "people")
_is_known("option", r"\w+", "options")


@means("parted", r"[A-Za-z]+[\s-]+[A-Za-z]+")
def _parted(text: str, names: Vocabulary) -> Iterator[str]:
    """Words that form one name in the file: `turn up` for `turn_up`."""
    first, *rest = re.split(r"[\s-]+", text)
    for name in (sign.join((begun, *rest)) for begun in (first, first.removesuffix("s")) for sign in ("_", "")):
        if name in names.names:
            yield name


# ------------------------------------------------------------------------------------------------ cards
def _ranks(word: str, names: Vocabulary) -> Iterator[tuple[str, str]]:
    """The attributes that have a value of this name, and how it is written there: `queen` is Q, `seven` is 7."""
    single = word.lower().removesuffix("s") if word.lower() not in NUMBERS else word.lower()
    number = NUMBERS.get(single, "")
    for attribute, values in names.attributes.items():
        shorts = {short: value for value, short in values.items()}
        court = COURTS.get(single, word)
        if (court in shorts and attribute in names.numeric) or court in values:
            yield attribute, court
        elif number and attribute in names.numeric:
            yield attribute, values.get(number, number)
        elif single in values or single + "s" in values:
            yield attribute, single if single in values else single + "s"


def _values(word: str, names: Vocabulary) -> Iterator[tuple[str, str]]:
    """The attributes of which a word is a value, in the singular or the plural."""
    for attribute, values in names.attributes.items():
        for form in (word, word + "s", word.removesuffix("s")):
            if form in values:
                yield attribute, form
                break


def _compared(attribute: str, value: str) -> Meaning:
    signs = ("=", "!=") if value.isdigit() else ("is", "is not")
    return {"": value, "attribute": attribute, "is": signs[0], "not": signs[1]}


@means("rank", rf"(?:{RANK})s?")
def _rank(text: str, names: Vocabulary) -> Iterator[Meaning]:
    return (_compared(*rank) for rank in _ranks(text, names))


@means("printed", r"\w+")
def _printed(text: str, names: Vocabulary) -> Iterator[Meaning]:
    return (_compared(*value) for value in dict.fromkeys((*_ranks(text, names), *_values(text, names))))


@means("numeral", r"\d+")
def _numeral(text: str, names: Vocabulary) -> Iterator[Meaning]:
    return ({"": text, "attribute": attribute} for attribute in names.numeric)


@means("card", rf"(?:{RANK}|\d+|[AKQJT])\s+of\s+\w+")
def _card(text: str, names: Vocabulary) -> Iterator[str]:
    """`queen of spades`, as the code of the card."""
    rank, _of, suit = text.split()
    numbers = ((attribute, rank) for attribute in names.numeric) if rank.isdigit() else _ranks(rank, names)
    for first, sign in numbers:
        short = names.attributes[first].get(sign, sign)
        for second, value in _values(suit, names):
            parts = {first: short, second: names.attributes[second][value]}
            yield "".join(parts[name] for name in names.attributes if name in parts)


@means("one_card", rf"(?:{CODE}|(?:{RANK}|\d+|[AKQJT])\s+of\s+\w+)")
def _one_card(text: str, names: Vocabulary) -> Iterator[Meaning]:
    """`QS` or `queen of spades`."""
    yield from _card(text, names) if " " in text else (text,)


@means("values", r"\w+(?:\s*,\s*(?:or\s+)?\w+|\s+(?:or|nor)\s+\w+)+")
def _several_values(text: str, names: Vocabulary) -> Iterator[str]:
    """`clubs or spades`: negated it means the opposite, whether with `or` or `and`."""
    values = re.split(r"\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and|nor)\s+", text)
    known = {value for known in names.attributes.values() for pair in known.items() for value in pair}
    known |= {*names.others, *(name for name, kind in names.states.items() if kind.split(" ")[0] in names.attributes)}
    read = [word if word in known or word.isdigit() else next(_values_named(word, names), "") for word in values]
    if all(read):
        yield ", ".join(read)


def _values_named(word: str, names: Vocabulary) -> Iterator[str]:
    return (value for _attribute, value in (*_ranks(word, names), *_values(word, names)))


@means("attributes", "[a-z_]+s")
def _attributes(text: str, names: Vocabulary) -> Iterator[str]:
    """`ranks of hand`."""
    if text.removesuffix("s") in names.attributes and text not in names.names:
        yield text.removesuffix("s")


# ------------------------------------------------------------------------------------------------ seats and states
_LITTLE_WORDS = ["each", "every", "some", "no", "all", "any", "is", "to", "in", "the", "not", "and", "or", "if"]


@means("owner", r"[A-Za-z][\w.]*")
def _owner(text: str, _: Vocabulary) -> Iterator[str]:
    return (name for name in dict.fromkeys((text, text.removesuffix("s"))) if name not in _LITTLE_WORDS)


@means("owned", NAME)
def _owned(text: str, names: Vocabulary) -> Iterator[str]:
    """What each seat has a value of."""
    for name in dict.fromkeys((text, text.removesuffix("s"))):
        if op_named(name) is Op.SCORE or name in (*names.seat_states, *names.pots, *names.functions):
            yield name
            break


@means("place", THING)
def _place(text: str, names: Vocabulary) -> Iterator[str]:
    if text.split(" of ")[0] in (*names.zones, *names.seat_zones):
        yield text


@means("pot", THING)
def _pot(text: str, names: Vocabulary) -> Iterator[Meaning]:
    """A pot, with each other one that may pay into it; `coin` and `life` are said of `coins` and `lives`."""
    said, *owner = text.split(" of ")
    pot = next((form for form in _numbers_of(said) if form in names.pots), None)
    if pot is not None:
        others = [name for name in names.pots if name != pot] or [pot]
        return ({"": " of ".join((pot, *owner)), "other": other} for other in others)
    return iter(())


@means("roll", NAME)
def _roll(text: str, names: Vocabulary) -> Iterator[str]:
    """A list of seats: `passed`."""
    if text in names.rolls:
        yield text


@means("listing", NAME)
def _listing(text: str, names: Vocabulary) -> Iterator[str]:
    seats = word_of(Op.SEATS).name
    for name in (seats,) if text in ("player", "players") else (text, text + "s"):
        if name in (*names.plain, *names.states, word_of(Op.SEATS).name):
            yield name
            break


@means("group", NAME)
def _group(text: str, names: Vocabulary) -> Iterator[str]:
    """A list of seats, perhaps said of one: `loser`, of `losers`."""
    known = (*names.plain, *names.rolls)
    yield from islice((form for form in (text, text + "s", text + "es") if form in known), 1)


@means("absent", NAME)
def _absent(text: str, names: Vocabulary) -> Iterator[Meaning]:
    """`no shooter`, `no stock`: a test for none, emptiness or false, by the type of the name; and the opposite."""
    kinds = {**names.states, **names.seat_states}
    if kinds.get(text, "").endswith("or none"):
        yield _negated(f"{text} is", "none")
    elif text in (*names.zones, *names.seat_zones) or kinds.get(text) in ("seats", "cards"):
        yield _negated(f"{text} is", "empty")
    elif kinds.get(text) == "truth" or text in names.options:
        yield {"": f"not {text}", "there": text}


def _negated(tested: str, absence: str) -> Meaning:
    return {"": f"{tested} {absence}", "there": f"{tested} not {absence}"}


@means("switch", NAME)
def _switch(text: str, names: Vocabulary) -> Iterator[str]:
    """A state that is true or false."""
    if {**names.states, **names.seat_states}.get(text) == "truth":
        yield text


@means("quantity", THING)
def _quantity(text: str, names: Vocabulary) -> Iterator[str]:
    """A state that holds a number."""
    kind = {**names.states, **names.seat_states}.get(text.split(" of ")[0], "")
    if kind == "number" or ".." in kind:
        yield text


@means("unknown", NAME)
def _unknown(text: str, names: Vocabulary) -> Iterator[str]:
    """A name that the game does not have."""
    if text not in names.names and text not in WORDS:
        yield text


ALIKE = 3  # common prefix required, as of `knocked` and `knocker`


@means("remembered", r"\w+")
def _remembered(text: str, names: Vocabulary) -> Iterator[Meaning]:
    """`nobody has knocked`: a test for none of a state with a similar name, the most similar first; `there` is its
    opposite."""
    alike = {name: _count_alike(name, text) for name, kind in names.states.items() if kind == "seat or none"}
    for name in sorted(alike, key=lambda name: -alike[name]):
        if alike[name] >= ALIKE:
            yield _negated(f"{name} is", "none")
    if names.states.get(text) in ("seats", "list of seat"):
        yield _negated(f"{text} is", "empty")


def _count_alike(name: str, word: str) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(name, word, strict=False))))


def _numbers_of(text: str) -> tuple[str, ...]:
    """A word in singular and plural."""
    return (text, text.removesuffix("s"), text + "s", "lives" if text == "life" else text)


def _held(text: str, known: Collection[str]) -> Iterator[str]:
    """The names that a word for what one has so much of may mean: `life` for `lives_left`."""
    forms = _numbers_of(text)
    yield from (form for form in forms if form in known)
    yield from (name for name in known if any(name.startswith(form + "_") for form in forms))


@means("counted", r"\w+")
def _counted(text: str, names: Vocabulary) -> Iterator[str]:
    """`bids`, `life`: what each seat has so much of, `bid` or `lives_left`."""
    yield from islice(_held(text, names.seat_states), 1)


@means("unit", r"\w+")
def _unit(text: str, names: Vocabulary) -> Iterator[str]:
    """`chips`, `marks`: what is paid or lost, where nothing of the game is called so."""
    if not any(_held(text, (*names.seat_states, *names.states, *names.pots))):
        yield text


@means("did", r"\w+")
def _did(text: str, names: Vocabulary) -> Iterator[str]:
    """`passes`, where `passed` is a list of seats."""
    for name, kind in names.states.items():
        if kind == "seats" and text in (name.removesuffix("ed") + end for end in ("", "s", "es")):
            yield name


@means("did_state", r"\w+s")
def _did_state(text: str, names: Vocabulary) -> Iterator[str]:
    """`bids`, where each seat has a `bid`."""
    if text.removesuffix("s") in names.seat_states:
        yield text.removesuffix("s")


@means("officer", "(?:leads?|deals?|plays?|starts?|begins?|goes)")
def _officer(text: str, names: Vocabulary) -> Iterator[str]:
    """Who does that: `leads` is said of the `leader`."""
    verb = text.removesuffix("s")
    alike = [name for name in names.people if name.removesuffix("r").removesuffix("e") == verb]
    yield from alike or (name for name in names.people if name != "dealer")


@means("valued", NAME)
def _valued(text: str, names: Vocabulary) -> Iterator[Meaning]:
    """A state that holds a value printed on cards: `trump`, a suit."""
    kind = names.states.get(text, "").split(" ")[0]
    if kind in names.attributes:
        yield {"": text, "kind": kind, "first": next(iter(names.attributes[kind]), "")}


@means("qualified", rf"{NAME}\s+{NAME}")
def _qualified(text: str, names: Vocabulary) -> Iterator[str]:
    """`trump suit`, `suit led`: a state with its kind beside it."""
    first, second = text.split()
    for name, kind in ((first, second), (second, first)):
        if kind in names.attributes and names.states.get(name, "").split(" ")[0] == kind:
            yield name


@means("relating", WORD)
def _relating(text: str, names: Vocabulary) -> Iterator[str]:
    return (form for form in (text, text + "s", text + "es") if form in names.relations)


_WITH_CARDS = r"(?:with|(?:who|that)\s+(?:still\s+)?ha(?:s|ve)|having)\s+(?:any\s+|some\s+)?cards?(?:\s+left)?"
_WITH_CHIPS = _WITH_CARDS.replace("cards?", "(?:chips?|coins?|money)")


@means("which", r"(?:with|where|who|that|having)\s+[^:()]+?", is_word=False)
def _which(text: str, _: Vocabulary) -> Iterator[str]:
    """Which seats are meant."""
    if re.fullmatch(_WITH_CARDS, text):
        yield "where <hand> is not empty"
    elif re.fullmatch(_WITH_CHIPS, text):
        yield "where <pot> > 0"
    elif text.startswith(("who ", "that ")):
        yield f"where seat {text.partition(' ')[2]}"
    elif text.startswith("where "):
        yield text


# ------------------------------------------------------------------------------------------------ actions
@means("menu", ACTIONS)
def _menu(text: str, names: Vocabulary) -> Iterator[str]:
    """`lays`, `draws or takes`: actions by name."""
    words = re.split(r"(\s*,\s*otherwise\s+|\s*,\s*(?:or\s+)?|\s+or\s+|\s*/\s*)", text)
    known = (*names.actions, *names.choices)
    for index, word in enumerate(words):
        forms = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
        action = next((form for form in forms if form in known), "")
        words[index] = action if index % 2 == 0 else ", otherwise " if "otherwise" in word else " or "
    if all(words):
        yield "".join(words)


@means("laying", "(?:discard|lay|play)")
def _laying(text: str, names: Vocabulary) -> Iterator[str]:
    """Where cards are laid: a pile with the name of the verb, else any."""
    forms = (text, f"{text}s", f"{text}_pile", f"{text}ed")
    return iter(dict.fromkeys((*(name for name in names.zones if name in forms), *names.piles)))
