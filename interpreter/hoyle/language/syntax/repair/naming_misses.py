"""Near misses that depend on the names of the game: ranks in words, owners of zones, members of lists.

In: the vocabulary of a game. Out: `NAMING_MISSES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from hoyle.base.diagnostics.spelling import COURTS, NUMBERS, SPELLED
from hoyle.language.syntax.repair.expression_misses import SIGNS
from hoyle.language.syntax.repair.patterns import (
    BEGIN,
    CONDITIONS,
    EXPR,
    HAND,
    NAME,
    OPERAND,
    PICK,
    STEPS,
    STOCK,
    NearMiss,
    by_name,
    one_of,
)
from hoyle.language.syntax.vocabulary import Vocabulary
from hoyle.program.words import Op, op_named, word_of

Match = re.Match[str]

_SCORE, _SEATS = word_of(Op.SCORE).name, word_of(Op.SEATS).name

_RANK = one_of(f"{' '.join(COURTS)} {SPELLED}")


# ------------------------------------------------------------------------------------------------ cards in words
_LITTLE_WORDS = frozenset(
    ("each", "every", "some", "no", "all", "any", "is", "to", "in", "the", "not", "and", "or", "if")
)


def _rank_values(word: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """The attributes that have a value of this name, and how it is written there: `queen` is Q, `seven` is 7."""
    single = word.lower().removesuffix("s") if word.lower() not in NUMBERS else word.lower()
    number = NUMBERS.get(single, "")
    for attribute, values in vocabulary.attributes.items():
        shorts = {short: value for value, short in values.items()}
        sign = COURTS.get(single, "")
        if sign in shorts or sign in values:
            yield attribute, sign
        elif number and all(value.lstrip("-").isdigit() for value in values):
            yield attribute, values.get(number, number)
        elif single in values or single + "s" in values:
            yield attribute, single if single in values else single + "s"


def _value_kinds(word: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """The attributes of which a word is a value, in the singular or the plural."""
    for attribute, values in vocabulary.attributes.items():
        for form in (word, word + "s", word.removesuffix("s")):
            if form in values:
                yield attribute, form
                break


def _card_code(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `queen of spades` as the code of the card."""
    for first, sign in _rank_values(found["rank"], vocabulary):
        short = vocabulary.attributes[first].get(sign, sign)
        for second, value in _value_kinds(found["suit"], vocabulary):
            parts = {first: short, second: vocabulary.attributes[second][value]}
            yield (found["before"] or "") + "".join(parts[name] for name in vocabulary.attributes if name in parts)


def _card_of_rank(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    for attribute, sign in _rank_values(found["rank"], vocabulary):
        yield f"{attribute} of {found['what']} {'is not' if found['no'] else 'is'} {sign}" if not sign.isdigit() else (
            f"{attribute} of {found['what']} {'!=' if found['no'] else '='} {sign}"
        )


def _card_of_number(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    for attribute, values in vocabulary.attributes.items():
        if all(value.lstrip("-").isdigit() for value in values):
            yield f"{attribute} of {found['what']} {'!=' if found['no'] else '='} {found['number']}"


def _value_of_rank(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    for attribute, sign in _rank_values(found["rank"], vocabulary):
        if attribute == found["attribute"]:
            yield f"{found['attribute']} of {found['what']} {found['sign']} {sign}"


def _cards_of_value(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    for attribute, value in _value_kinds(found["value"], vocabulary):
        for name in ("card", "held"):
            yield f"({name} in {found['zone']} where {attribute} of {name} is {value})"
    for attribute, sign in _rank_values(found["value"], vocabulary):
        if sign != found["value"]:
            yield f"(card in {found['zone']} where {attribute} of card is {sign})"


def _all_of_value(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    how = {"all": "every", "each": "every"}.get(found["how"], found["how"])
    for attribute, value in _value_kinds(found["value"], vocabulary):
        for name in ("card", "other"):
            yield f"{how} {name} in {found['zone']} satisfies ({attribute} of {name} is {value})"


def _counted_rank(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    kinds = [*_rank_values(found["rank"], vocabulary), *_value_kinds(found["rank"], vocabulary)]
    for attribute, sign in dict.fromkeys(kinds):
        yield f"count of (card in {found['zone']} where {attribute} of card is {sign})"


def _among_values(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `is clubs or spades` as membership; negated, as the opposite, whether with `or` or `and`."""
    values = re.split(r"\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and|nor)\s+", found["values"])
    known = {value for names in vocabulary.attributes.values() for pair in names.items() for value in pair}
    if all(value in known | set(vocabulary.others) or value.isdigit() for value in values):
        yield f"{found['what']} {'is not in' if found['no'] else 'is in'} ({', '.join(values)})"


_CARDS = (
    by_name(rf"(?P<before>\bthe\s+)?\b(?P<rank>{_RANK}|[AKQJT])\s+of\s+(?P<suit>\w+)\b", "a card is named by its code",
            _card_code, trusted=True),
    by_name(rf"(?P<attribute>\w+)\s+of\s+(?P<what>{OPERAND})\s+(?P<sign>=|!=|is(?:\s+not)?)\s+(?:an?\s+)?(?P<rank>"
            rf"{_RANK}s?)\b", "a value is named as the deck names it", _value_of_rank, CONDITIONS),
    by_name(rf"(?P<what>{OPERAND})\s+is\s+(?P<no>not\s+)?(?:an?\s+)?(?P<rank>{_RANK}s?)\b",
            "what is printed on a card is asked for by its name", _card_of_rank, CONDITIONS),
    by_name(rf"(?P<what>(?:(?:top|bottom)\s+of\s+)?{NAME})\s+is\s+(?P<no>not\s+)?(?:an?\s+)?(?P<number>\d+)\b",
            "what is printed on a card is asked for by its name", _card_of_number, CONDITIONS),
    by_name(rf"(?:\b(?:all|every|the)\s+)?(?:the\s+)?\(?\b(?P<value>\w+)\s+(?:of|in|from)\s+(?P<zone>{OPERAND})\)?",
            "cards are listed by a sentence", _cards_of_value, STEPS | EXPR, trusted=True),
    by_name(rf"\b(?P<how>all|every|each|some|no)\s+cards?\s+in\s+(?P<zone>{OPERAND})\s+(?:is|are)\s+(?P<value>\w+)",
            "what is printed on cards is asked for by its name", _all_of_value, CONDITIONS, trusted=True),
    by_name(rf"\b(?:number|count|amount)\s+of\s+(?P<rank>\w+)\s+in\s+(?P<zone>{OPERAND})",
            "cards are counted with `count of`", _counted_rank, CONDITIONS, trusted=True),
    by_name(rf"(?P<what>{OPERAND})\s+(?:is|=|!=|equals)\s*(?P<no>not\s+)?(?:either\s+|neither\s+)?"
            r"(?P<values>\w+(?:\s*,\s*(?:or\s+)?\w+|\s+(?:or|nor)\s+\w+)+)\b",
            "one of several values is said with `is in`", _among_values, CONDITIONS),
)


# ------------------------------------------------------------------------------------------------ owners and members
def _owned_zone(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `dealer hand`, `dealers hand`, `next hand`: a seat's zone is referenced with `of`."""
    owner, zone = found["owner"], found["zone"]
    names = (*vocabulary.seat_zones, *vocabulary.seat_states, *vocabulary.pots)
    if zone in names:
        for name in dict.fromkeys((owner, owner.removesuffix("s"))):
            if name not in _LITTLE_WORDS:
                yield f"{zone} of {name}"


def _listed_seat(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `seat has passed`, where `passed` is a list of seats."""
    listed = [name for name, kind in vocabulary.states.items() if kind == "seats"]
    if found["list"] in listed:
        yield f"{found['who']} is {'not ' if found['no'] else ''}in {found['list']}"


def _where_listed(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    listed = [name for name, kind in vocabulary.states.items() if kind == "seats"]
    if found["list"] in listed:
        yield f"{found['word']} in {found['source']}{found['from'] or ''} where {found['word']} is " + (
            f"{'not ' if found['no'] else ''}in {found['list']}"
        )


def _how_many_listed(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    listed = [name for name, kind in vocabulary.states.items() if kind == "seats"]
    if found["list"] in listed:
        number = NUMBERS.get(found["number"], found["number"])
        sign = {"fewer than": "<", "less than": "<", "more than": ">", "at least": ">=", "at most": "<="}
        how = " ".join((found["how"] or "").split())
        yield f"count of {found['list']} {sign.get(how, '>=')} {number}"


def _is_absent(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `no shooter`, `no stock` as a test for none, emptiness or false, by the type of the name."""
    name = found["name"]
    kinds = {**vocabulary.states, **vocabulary.seat_states}
    if kinds.get(name, "").endswith("or none"):
        yield f"{name} is none"
    elif name in (*vocabulary.zones, *vocabulary.seat_zones) or kinds.get(name) in ("seats", "cards"):
        yield f"{name} is empty"
    elif kinds.get(name) == "truth" or name in vocabulary.options:
        yield f"not {name}"


def _some_zone(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    zone = found["zone"]
    for name in (zone, zone.removesuffix("s")):
        if name in vocabulary.seat_zones:
            yield f"some {name} is"
            break


def _some_owned(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `some score >= 100` as a quantifier over seats."""
    name = found["name"]
    if op_named(name) is Op.SCORE or name in (*vocabulary.seat_states, *vocabulary.pots, *vocabulary.functions):
        yield f"{found['how']} seat satisfies ({name} of seat {found['rest']})"


def _how_many_left(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `only one holder`, `1 holder is left` as a count."""
    number = NUMBERS.get(found["number"], found["number"])
    for name in (found["list"], found["list"] + "s"):
        if name in (*vocabulary.plain, *vocabulary.states, _SEATS):
            yield f"count of {name} = {number}"
            break


def _cards_of_deck(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    for attribute, value in _value_kinds(found["value"], vocabulary):
        yield f"move (card in {STOCK} where {attribute} of card is {value}) to "


def _every_attribute(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    if found["word"] in vocabulary.attributes:
        for name in ("card", "held"):
            yield f"{found['how']} {name} in {found['zone']} satisfies ({found['word']} of {name} {found['rest']})"


def _sum_over_seats(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `highest bid of seats` as an aggregate of each seat's value."""
    word = found["word"]
    if word in (*vocabulary.seat_states, *vocabulary.pots, *vocabulary.functions, _SCORE):
        listed = found["list"]
        for name in ("seat", "ally", "other"):
            yield f"{found['how']} of ({word} of {name} for {name} in {listed})"
    elif word in vocabulary.seat_zones:
        for name in ("seat", "other"):
            yield f"{found['how']} of (count of {word} of {name} for {name} in {found['list']})"


def _sum_of_state(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    word = found["word"].removesuffix("s")
    for name in dict.fromkeys((found["word"], word)):
        if name in (*vocabulary.seat_states, *vocabulary.pots, _SCORE):
            yield f"{found['how']} of ({name} of seat for seat in seats)"


def _sum_of_counts(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    zone = found["zone"]
    if zone in vocabulary.seat_zones:
        yield f"sum count of each {zone}"
        yield f"sum of (count of {zone} of seat for seat in seats)"
    elif zone in vocabulary.families:
        yield f"sum count of {zone}"


def _best_seats(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    word = found["word"]
    if word in (*vocabulary.seat_states, *vocabulary.pots, *vocabulary.functions, *vocabulary.plain, _SCORE):
        yield f"(seat in seats with {found['how']} {word} of seat)"
    elif word in vocabulary.seat_zones:
        yield f"(seat in seats with {found['how']} count of {word} of seat)"


def _best_card(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    for attribute, values in vocabulary.attributes.items():
        if all(value.lstrip("-").isdigit() for value in values):
            yield f"first of (card in {found['zone']} with {found['how']} {attribute} of card)"


def _best_teams(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    word = _SCORE if found["word"].removesuffix("s") in ("point", "score") else found["word"]
    how = "highest" if found["how"] in ("most", "highest", "best") else "lowest"
    if word in (*vocabulary.functions, *vocabulary.seat_states, _SCORE):
        yield f"(team in teams with {how} {word} of team)"


_SOME = {"any": "some", "a": "some", "an": "some"}

_PERSONS = (
    by_name(rf"\b(?:the\s+)?(?P<owner>[A-Za-z][\w.]*)(?:['\u2019]s?)?\s+(?P<zone>{NAME})\b",
            "whose a thing is is said with `of`", _owned_zone, CONDITIONS),
    by_name(rf"(?P<who>{OPERAND})\s+(?:has|have)\s+(?P<no>not\s+)?(?P<list>{NAME})",
            "who is in a list is asked with `is in`", _listed_seat, CONDITIONS),
    by_name(rf"(?P<word>\w+)\s+in\s+(?P<source>{OPERAND})(?P<from>\s+from\s+{OPERAND})?\s+where\s+(?P<no>not\s+)?"
            rf"(?P<list>{NAME})\b(?!\s+(?:of|is|=|<|>|in))", "who is in a list is asked with `is in`", _where_listed,
            CONDITIONS),
    by_name(rf"(?:\b(?P<how>fewer\s+than|less\s+than|more\s+than|at\s+least|at\s+most)\s+)?(?P<number>\d+|{one_of(SPELLED)})\s+"
            rf"(?:(?:seats?|players?)\s+)?(?:(?:have|are|has)\s+)?(?:in\s+)?(?P<list>{NAME})",
            "how many are in a list is counted", _how_many_listed, CONDITIONS, guesses=True),
    by_name(rf"\b(?:only\s+|exactly\s+)?(?P<number>\d+|{one_of(SPELLED)})\s+(?P<list>{NAME})(?:\s+(?:is|are)"
            r"\s+left|\s+left|\s+remains?)?\b", "how many there are is counted", _how_many_left, CONDITIONS,
            guesses=True),
    by_name(r"\bmove\s+(?:all\s+)?(?:the\s+)?(?P<value>\w+)\s+to\s+", "cards are listed by a sentence", _cards_of_deck,
            STEPS, guesses=True, trusted=True),
    by_name(rf"\bno\s+(?P<name>{NAME})\b(?!\s+(?:in|is|satisfies|of|can|may)\b)",
            "what is not there is asked for by a test", _is_absent, CONDITIONS),
    by_name(r"\b(?:an?|any|some(?:body|one)?(?:'s)?|some\s+(?:seat|player)(?:'s)?|any\s+(?:seat|player)(?:'s)?)\s+"
            r"(?P<zone>\w+)\s+(?:is|are)\b", "a test of one of them is said with `some`", _some_zone, CONDITIONS),
    by_name(rf"\b(?P<how>some|every|no)\s+(?P<name>{NAME})\s+(?P<rest>(?:=|!=|<=|>=|<|>)\s*[^:()]+?)(?=\s*(?::|\Z|\)))",
            "whose it is stands after `of`", _some_owned, CONDITIONS),
    by_name(rf"\b(?P<name>{NAME})\s+of\s+(?P<how>some|any|every|no)\s+(?P<who>team|side)\s+(?P<rest>(?:=|!=|<=|>=|<|>)\s*[^:()]+?)"
            r"(?=\s*(?::|\Z|\)))", "what must hold stands in parentheses after `satisfies`",
            lambda found, _: [f"{_SOME.get(found['how'], found['how'])} team satisfies "
                              f"({found['name']} of team {found['rest']})"],
            CONDITIONS),
    by_name(rf"\A\(?(?:the\s+)?(?:teams?|sides?)\s+with\s+(?:the\s+)?(?P<how>most|highest|best|fewest|lowest|least)\s+(?P<word>{NAME})\)?\Z",
            "those with the best value are listed by a sentence", _best_teams, EXPR),
    by_name(rf"\b(?P<name>{NAME})\s+of\s+(?P<how>some|every|no)\s+(?:seat|player)\s+(?P<rest>(?:=|!=|<=|>=|<|>|is)\s*[^:()]+?)"
            r"(?=\s*(?::|\Z|\)))", "what must hold stands in parentheses after `satisfies`",
            lambda found, _: [f"{found['how']} seat satisfies ({found['name']} of seat {found['rest']})"], CONDITIONS),
    by_name(rf"\b(?P<how>some|every|no|each|all)\s+(?P<word>{NAME})\s+(?:of|in)\s+(?P<zone>{OPERAND})\s+"
            r"(?P<rest>(?:=|!=|<=|>=|<|>|is)\s*[^:()]+?)(?=\s*(?::|\Z|\)))",
            "what must hold of each card stands after `satisfies`", _every_attribute, CONDITIONS),
)

_WITH_CARDS = r"(?:with|(?:who|that)\s+(?:still\s+)?has|having)\s+(?:any\s+|some\s+)?cards?(?:\s+left)?"


def _most_of(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `with most spades in taken` as a count."""
    how = "highest" if found["how"] in ("most", "highest", "greatest") else "lowest"
    if found["what"] in ("card", "cards"):
        yield f"with {how} count of {found['zone']}"
        return
    kinds = [*_rank_values(found["what"], vocabulary), *_value_kinds(found["what"], vocabulary)]
    for attribute, sign in dict.fromkeys(kinds):
        yield f"with {how} count of (card in {found['zone']} where {attribute} of card is {sign})"


def _after_whom(found: Match, _vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `next player after attacker with cards`: the next seat, or the first that satisfies a condition."""
    who, test = found["who"], found["test"]
    if test is None:
        yield f"left of {who}"
        return
    stays = found["which"] == "first" and found["how"] in ("from", "starting with", "starting from", "beginning with")
    start = who if stays else f"left of {who}"
    if re.fullmatch(_WITH_CARDS, test):
        yield f"first of (seat in seats from {start} where {HAND} is not empty)"
    elif test.startswith("where "):
        yield f"first of (seat in seats from {start} {test})"
    elif test.startswith(("who ", "that ")):
        yield f"first of (seat in seats from {start} where seat {test.partition(' ')[2]})"


def _next_with(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `set player to next player with cards`: counted from the seat that is set."""
    test = found["test"]
    if test.startswith(("who ", "that ")):
        test = f"where seat {test.partition(' ')[2]}"
    if re.fullmatch(_WITH_CARDS, found["test"]):
        test = f"where {HAND} is not empty"
    if test.startswith("where "):
        yield f"{found['head']}first of (seat in seats from left of {found['who']} {test})"


def _tested(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `card fits`, where `fits` is an adjective, with `is`."""
    if found["name"] in vocabulary.adjectives and found["name"] not in vocabulary.relations:
        yield f"{found['what']} is {found['name']}"


def _all_but(found: Match, _vocabulary: Vocabulary) -> Iterator[str]:
    for name in ("seat", "other"):
        yield f"({name} in seats where {name} != {found['who']})"


def _ranks_of(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `ranks of hand` as the distinct values; joined zones get parentheses."""
    attribute = found["many"].removesuffix("s")
    if attribute in vocabulary.attributes and found["many"] not in vocabulary.names:
        joined = re.split(r"\s+(?:\+|and)\s+", found["zones"])
        zones = found["zones"] if len(joined) == 1 else f"({' + '.join(joined)})"
        yield f"distinct {attribute} of {zones}"


_ORDER = (
    by_name(rf"\bwith\s+(?:the\s+)?(?P<how>most|highest|greatest|fewest|lowest|least)\s+(?P<what>\w+)\s+in\s+(?P<zone>{OPERAND})",
            "how many there are is counted", _most_of, CONDITIONS, trusted=True),
    by_name(rf"\b(?:the\s+)?(?P<which>next|first|)\s*(?:player|seat|one)\s+(?P<how>after|from|of|(?:on\s+|to\s+)?(?:the\s+)?left\s+of|"
            rf"starting\s+with|starting\s+from|beginning\s+with)\s+(?P<who>{OPERAND})"
            r"(?:\s+(?P<test>(?:with|where|who|that|having)\s+[^:()]+?))?(?=\s*(?::|\Z|\)))",
            "the next player is `left of` somebody", _after_whom, CONDITIONS, trusted=True),
    by_name(rf"(?P<head>{BEGIN}set\s+(?P<who>{NAME})\s+to\s+)(?:the\s+)?next\s+(?:player|seat|one)\s+"
            r"(?P<test>(?:with|where|who|that|having)\s+[^:()]+?)\Z", "the next player is `left of` somebody",
            _next_with, STEPS, trusted=True),
    by_name(r"\b(?:only\s+)?(?:one|1)\s+(?:player|seat)\s+(?:still\s+|alone\s+)?(?:has|holds|with)\s+(?:all\s+)?(?:the\s+|any\s+)?cards?"
            r"(?:\s+left)?\b", "those who have cards are counted",
            lambda _found, _vocabulary: [f"count of (seat in seats where {HAND} is not empty) = 1"], CONDITIONS,
            guesses=True, trusted=True),
    by_name(rf"\b(?P<what>{OPERAND})\s+(?P<name>{NAME})\b(?!\s+(?:of|is)\b)", "a test of one thing is said with `is`",
            _tested, CONDITIONS),
    by_name(r"\b(?:everyone|everybody|all\s+(?:the\s+)?(?:players|seats)|players|seats)\s+(?:(?:with|who\s+ha(?:s|ve))\s+(?P<no>no\s+)?"
            r"|(?P<out>without\s+))(?:any\s+)?cards?(?:\s+left)?(?=\s*(?::|\Z|\)))", "those are listed by a sentence",
            lambda found, _: [f"(seat in seats where {HAND} is {'' if found['no'] or found['out'] else 'not '}empty)"],
            CONDITIONS, trusted=True),
    by_name(rf"\b(?:everyone|everybody|all\s+(?:the\s+)?(?:players|seats|others)|players|seats)\s+(?:except(?:\s+for)?|but|other\s+than)\s+"
            rf"(?P<who>{OPERAND})", "those are listed by a sentence", _all_but, CONDITIONS),
    by_name(rf"\b(?P<many>[a-z_]+s)\s+(?:of|in)\s+(?P<zones>\([^()]+\)|{OPERAND}(?:\s+(?:\+|and)\s+{OPERAND})*)",
            "each value that is there, once, is said with `distinct`", _ranks_of, CONDITIONS),
)

_TOGETHER = (
    by_name(rf"\b(?P<how>sum|highest|lowest|distinct)\s+(?:of\s+)?(?P<word>{NAME})\s+of\s+(?P<list>seats|team\s+of"
            r"\s+\w+)", "what each seat has is put together from a list", _sum_over_seats, CONDITIONS),
    by_name(rf"\b(?P<how>sum|highest|lowest)\s+of\s+(?:each\s+|all\s+)?(?P<word>{NAME})\b(?!\s+of\b)",
            "what each seat has is put together from a list", _sum_of_state, CONDITIONS),
    by_name(rf"\bsum\s+of\s+\(?count\s+of\s+(?P<zone>{NAME})\s+of\s+each\s+(?:seat|player)\)?",
            "what lies in all of them is added up", _sum_of_counts, CONDITIONS),
    by_name(rf"\b(?P<how>sum)\s+of\s+\((?P<word>{NAME})\s+of\s+(?:each\s+)?(?P<name>\w+)\s+in\s+(?P<list>[^()]+)\)",
            "a value for each is said with `for`",
            lambda found, _: [f"sum of ({found['word']} of {found['name']} for {found['name']} in {found['list']})"],
            CONDITIONS),
    by_name(rf"\b(?:sum\s+(?:of\s+)?count\s+of\s+(?:each\s+|all\s+)?|count\s+of\s+(?:each|all)\s+|count\s+of\s+"
            rf"(?={NAME}\s+of\s+(?:seats|each\s+seat)\b))(?P<zone>{NAME})(?:\s+of\s+(?:seats|each\s+seat))?"
            r"(?!\s+of)", "what lies in all of them is added up", _sum_of_counts, CONDITIONS, guesses=True),
    by_name(rf"\A\(?(?:(?:seats?|players?)\s+(?:in\s+seats\s+)?(?:with|who\s+(?:has|have))\s+(?:the\s+)?)?(?P<how>highest|lowest)\s+"
            rf"(?P<word>{NAME})(?:\s+of\s+seats?)?\)?\Z", "those with the best value are listed by a sentence",
            _best_seats, EXPR),
    by_name(rf"\b(?P<how>highest|lowest)\s+card\s+(?:of|in)\s+(?P<zone>{OPERAND})",
            "the best card is the first of a list", _best_card, CONDITIONS, guesses=True),
)


# ------------------------------------------------------------------------------------------------ actions, steps, names
def _do_step(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    if found["step"] in vocabulary.steps:
        yield f"do {found['step']}{found['rest'] or ''}"


def _do_of(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `reward 4`, `do fish wanted`: the argument of a step follows `of`."""
    if found["step"] in vocabulary.steps:
        yield f"do {found['step']} of {found['what']}{found['rest'] or ''}"


def _choose_action(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `player lays`, `player draws or takes` as choices of actions by name."""
    words = re.split(r"(\s*,\s*otherwise\s+|\s*,\s*(?:or\s+)?|\s+or\s+|\s*/\s*)", found["actions"])
    names = []
    for index, word in enumerate(words):
        if index % 2:
            names.append(", otherwise " if "otherwise" in word else " or ")
            continue
        forms = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
        name = next((form for form in forms if form in (*vocabulary.actions, *vocabulary.choices)), "")
        if not name:
            return
        names.append(name)
    yield f"{found['who']} chooses {''.join(names)}"


def _joined(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Join words that form one name in the file: `turn up` for `turn_up`."""
    for sign in ("_", ""):
        if found[1] + sign + found[2] in vocabulary.names:
            yield found[1] + sign + found[2]


def _paid(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    if found["source"].split(" of ")[0] in vocabulary.pots:
        yield f"pay {found['what']} from {found['source']} to {found['target']}"


def _paid_from(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    target = found["target"].split(" of ")[0]
    if target in vocabulary.pots:
        sources = [pot for pot in vocabulary.pots if pot != target]
        whose = f" of {found['who']}" if found["who"] and found["who"] not in ("seat", "") else ""
        for pot in sources:
            yield f"pay {found['what']} from {pot}{whose} to {found['target']}"


def _paid_all(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    if found["source"].split(" of ")[0] in vocabulary.pots:
        yield f"pay all from {found['source']} to "


def _to_each(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    for name in (found["zone"], found["zone"].removesuffix("s")):
        if name in vocabulary.seat_zones:
            yield f"to each {name}"
            break


def _moved_to(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    if found["target"].split(" of ")[0] in (*vocabulary.zones, *vocabulary.seat_zones):
        yield f"move {found['what']} to {found['target']}"


def _pick_any(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    for name in (found["name"], found["name"].removesuffix("s")):
        if name in (*vocabulary.attributes, *vocabulary.others, *vocabulary.options):
            yield f"any {name}"
        elif name in (*vocabulary.zones, *vocabulary.seat_zones, *vocabulary.plain):
            yield name


def _counted_cards(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    zone = found["zone"]
    if zone in (*vocabulary.zones, *vocabulary.seat_zones, *vocabulary.plain):
        yield f"{found['number']} cards from {zone}"


def _function_of(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `plain cards`, `same of number, hand`: a definition is applied with `of`, to several arguments in
    parentheses."""
    if found["name"] in (*vocabulary.functions, *vocabulary.attributes):
        yield f"{found['name']} of {found['rest']}"


def _function_of_two(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    if found["name"] in vocabulary.functions:
        yield f"{found['name']} of ({found['first']}, {found['second']})"


def _related(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    if found["word"] in vocabulary.relations:
        yield f"{found['first'].strip()} {found['word']} {found['second'].strip()}"


def _each_pile(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    if found["zone"] in vocabulary.families:
        yield f"({found['which']} of heap for heap in {found['zone']})"
    elif found["zone"] in vocabulary.seat_zones:
        yield f"({found['which']} of {found['zone']} of other for other in seats)"


_DOING = (
    by_name(rf"{BEGIN}(?P<step>(?!do\b){NAME})(?P<rest>(?:\s+of\s+[^:]+?)?(?:\s+as\s+[^:]+)?)\Z",
            "a step is carried out with `do`", _do_step, STEPS),
    by_name(rf"{BEGIN}(?:do\s+)?(?P<step>{NAME})\s+(?:with\s+|on\s+)?(?P<what>(?!of\b|as\b|chooses?\b|may\b)[^:]+?)"
            r"(?P<rest>(?:\s+as\s+[^:]+)?)\Z", "what a step works on is said with `of`", _do_of, STEPS),
    by_name(rf"{BEGIN}(?:do\s+)?(?P<step>{NAME})\((?P<what>[^()]+)\)(?P<rest>(?:\s+as\s+[^:]+)?)\Z",
            "what a step works on is said with `of`", _do_of, STEPS),
    by_name(rf"{BEGIN}do\s+(?P<step>{NAME})(?P<rest>\s+as\s+{OPERAND})\s+of\s+(?P<what>{OPERAND})\Z",
            "what a step works on comes before who does it", _do_of, STEPS),
    by_name(rf"{BEGIN}(?P<who>{OPERAND})\s+(?:must\s+|has\s+to\s+|shall\s+)?(?P<actions>\w+(?:(?:\s*,\s*otherwise\s+|\s*,\s*(?:or\s+)?"
            r"|\s+or\s+|\s*/\s*)\w+)*)\Z", "a decision is said with `chooses`", _choose_action, STEPS),
    by_name(rf"{BEGIN}(?:ask|let|have|make)\s+(?P<who>{OPERAND})\s+(?:to\s+)?(?:choose\s+|chooses\s+)?"
            r"(?P<actions>\w+(?:(?:\s*,\s*(?:or\s+)?|\s+or\s+|\s*/\s*)\w+)*)\Z", "a decision is said with `chooses`",
            _choose_action, STEPS),
    by_name(r"\b([A-Za-z]+)[\s-]+([A-Za-z]+)\b", "a name of several words is written with `_`", _joined),
    by_name(rf"{BEGIN}(?:move|transfer|give|put|pay)\s+(?P<what>[^:]+?)\s+from\s+(?P<source>{OPERAND})\s+(?:to|into|in)\s+"
            rf"(?P<target>{OPERAND})\Z", "chips are paid", _paid, STEPS),
    by_name(rf"{BEGIN}(?:pay|move|put)\s+(?P<what>[^:]+?)\s+(?:to|into|in)\s+(?P<target>{OPERAND})\s+from\s+"
            rf"(?P<source>{OPERAND})\Z", "where chips come from is said first", _paid, STEPS),
    by_name(rf"{BEGIN}(?:(?P<who>{OPERAND})\s+)?pays?\s+(?P<what>[^:]+?)\s+(?:to|into)\s+(?P<target>{OPERAND})\Z",
            "say from which pot", _paid_from, STEPS, guesses=True),
    by_name(rf"{BEGIN}pay\s+(?:everything\s+from\s+|all\s+of\s+|all\s+)?(?P<source>{OPERAND})\s+to\s+",
            "all that a pot holds is `all`", _paid_all, STEPS),
    by_name(r"\bto\s+(?:every|all|the|both|each\s+of\s+the)?\s*(?P<zone>\w+)\b",
            "cards are dealt to a zone of each seat", _to_each, STEPS),
    by_name(rf"{BEGIN}(?:add|put|place|return|take)\s+(?P<what>[^:]+?)\s+(?:to|into|on|in)\s+(?P<target>{OPERAND})\Z",
            "cards are moved", _moved_to, STEPS),
    by_name(rf"\A(?:an?\s+|any\s+|some\s+|one\s+|each\s+|the\s+)?(?P<name>{NAME})\Z",
            "a value is chosen with `any`, a card from its zone", _pick_any, PICK),
    by_name(rf"\A(?P<number>\d+(?:\.\.\d+)?)\s+(?:from\s+|of\s+|in\s+)?(?P<zone>{NAME})\Z",
            "cards are chosen `from` a zone", _counted_cards, PICK),
    by_name(rf"\b(?P<name>{NAME})\s+(?P<rest>cards?|hand)\b", "a word is said of something with `of`", _function_of,
            CONDITIONS),
    by_name(rf"\b(?P<name>{NAME})\s+of\s+\(?(?P<first>{OPERAND})(?:\s*,\s*|\s+and\s+)(?P<second>{OPERAND})\)?",
            "what is said of several things has them in parentheses", _function_of_two, CONDITIONS),
    by_name(r"\b(?P<word>[A-Za-z]\w*)\((?P<first>[^(),]+),(?P<second>[^(),]+)\)",
            "a relation stands between two things", _related, CONDITIONS),
    by_name(rf"\b(?P<which>top|bottom)s?\s+of\s+(?:each|every|all)\s+(?P<zone>{NAME})",
            "a value for each is said with `for`", _each_pile, CONDITIONS),
    by_name(rf"{BEGIN}(?P<who>{OPERAND})\s+(?:takes?|draws?|picks?\s+up|gets?)\s+(?:an?\s+card|cards?|one(?:"
            r"\s+card)?)\Z", "cards are moved", lambda found, _: [f"move top of {STOCK} to {HAND} of {found['who']}"],
            STEPS, guesses=True),
    by_name(rf"{BEGIN}(?P<who>{OPERAND})\s+(?:takes?|draws?|picks?\s+up|gets?|wins?|collects?)\s+(?P<what>"
            rf"{OPERAND})\Z", "cards are moved",
            lambda found, _: [f"move {found['what']} to {HAND} of {found['who']}"], STEPS, guesses=True),
    by_name(rf"(?P<what>{OPERAND})\s+(?:has|have|holds?|contains?)\s+(?:(?P<how>more\s+than|at\s+least|fewer\s+than|less\s+than"
            r"|at\s+most|exactly|only|over|under)\s+)?(?P<number>\d+|\w+)\s+cards?\b", "say how many there are",
            lambda found, vocabulary: _has_number(found, vocabulary), CONDITIONS),
    by_name(r"\b(?:nobody|no\s*one|no\s+player|no\s+seat)\s+(?:has|holds)\s+(?:any\s+|a\s+)?cards?(?:\s+left)?",
            "say that all are empty", lambda _found, _vocabulary: [f"every {HAND} is empty"], CONDITIONS, trusted=True),
    by_name(r"\b(?:everybody|everyone|every\s+player|every\s+seat)\s+(?:has|holds)\s+no\s+cards?(?:\s+left)?",
            "say that all are empty", lambda _found, _vocabulary: [f"every {HAND} is empty"], CONDITIONS, trusted=True),
    by_name(r"\b(?:nobody|no\s*one|no\s+player|no\s+seat)\s+(?:(?:has|is|was)\s+)?(?P<word>\w+)\b(?!\s+(?:is|in|satisfies)\b)",
            "that nobody did is asked of what is remembered", lambda found, vocabulary: _nobody(found, vocabulary),
            CONDITIONS, guesses=True, trusted=True),
    by_name(rf"(?P<who>{OPERAND})\s+(?:has|have|holds?)\s+(?P<no>no\s+|any\s+|some\s+)?cards?(?:\s+left)?\b",
            "say whether it is empty", lambda found, vocabulary: _has_cards(found, vocabulary), CONDITIONS),
    by_name(rf"(?P<zone>{OPERAND})\s+(?:has|have|holds?|contains?)\s+(?P<how>no|an?|any|some|only)\s+"
            r"(?P<word>(?!cards?\b|more\b|fewer\b|less\b)[A-Za-z]\w*)\b", "say which of the cards are so",
            lambda found, vocabulary: _has_such(found, vocabulary), CONDITIONS),
    by_name(r"\b(?P<how>some|every|no|any|an?)\s+(?:seat|player|one)\s+(?:has|with)\s+(?:an?\s+)?(?:no\s+cards?(?:"
            r"\s+left)?|empty\s+(?P<zone>\w+))", "say whose zone is empty",
            lambda found, _: [f"{_SOME.get(found['how'], found['how'])} {found['zone'] or HAND} is empty"],
            CONDITIONS),
)


def _has_number(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `pile has 2 cards`, `seat has at least 3 cards` as a count of a zone or hand."""
    sign = SIGNS.get(" ".join((found["how"] or "").split()), "=")
    who = found["what"]
    if who.split(" of ")[0] in vocabulary.zones or who.split(" of ")[0] in vocabulary.seat_zones:
        yield f"count of {who} {sign} {found['number']}"
        return
    if who == "seat":
        yield f"count of {HAND} {sign} {found['number']}"
    yield f"count of {HAND} of {who} {sign} {found['number']}"


def _has_such(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `hand has no trump`, `seat has a trump` with an adjective of the game."""
    how = {"no": "no", "only": "every"}.get(found["how"], "some")
    names = [name for name in vocabulary.adjectives if name in (found["word"], found["word"].removesuffix("s"))]
    who = found["zone"]
    own = who.split(" of ")[0] in (*vocabulary.zones, *vocabulary.seat_zones)
    for name in names:
        yield f"{how} card in {who if own else f'{HAND} of {who}'} is {name}"


def _alike(name: str, word: str) -> int:
    """The length of the common prefix."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(name, word, strict=False))))


ALIKE = 3  # common prefix required, as of `knocked` and `knocker`


def _nobody(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    """Rewrite `nobody has knocked` as a test for none of a state with a similar name, the most similar first."""
    word = found["word"]
    kept = [name for name, kind in vocabulary.states.items() if kind == "seat or none"]
    kept = [name for name in kept if _alike(name, word) >= ALIKE]
    for name in sorted(kept, key=lambda name: -_alike(name, word)):
        yield f"{name} is none"
    if vocabulary.states.get(word) in ("seats", "list of seat"):
        yield f"{word} is empty"


def _has_cards(found: Match, vocabulary: Vocabulary) -> Iterator[str]:
    who = found["who"]
    zone = who if who.split(" of ")[0] in (*vocabulary.zones, *vocabulary.seat_zones) else f"{HAND} of {who}"
    negated = (found["no"] or "").strip() == "no"
    yield f"{zone} is {'' if negated else 'not '}empty"
    if who == "seat":
        yield f"{HAND} is {'' if negated else 'not '}empty"


NAMING_MISSES: tuple[NearMiss, ...] = (*_ORDER, *_CARDS, *_PERSONS, *_TOGETHER, *_DOING)
