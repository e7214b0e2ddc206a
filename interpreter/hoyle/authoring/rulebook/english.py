"""English word forms for the rulebook: plurals, articles, numbers, sentences.

In: words of a rule file. Out: words as they stand in a sentence.
"""

from __future__ import annotations

from hoyle.base.diagnostics.spelling import with_article

COMPARED = {
    "=": "is", "!=": "is not", "<=": "is at most", ">=": "is at least", "<": "is less than", ">": "is more than",
}  # fmt: skip
CONTRARY = {"=": "!=", "!=": "=", "<=": ">", ">=": "<", "<": ">=", ">": "<="}
JOINED = {"+": "plus", "-": "minus", "*": "times", "div": "divided by", "mod": "modulo"}
PRONOUNS = {
    "he": "his", "it": "its", "they": "their", "somebody": "somebody's", "everybody": "everybody's",
    "nobody": "nobody's",
}  # fmt: skip
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def plural_of(noun: str) -> str:
    """Form the plural of an English noun phrase, by its last word.

    >>> [plural_of(noun) for noun in ("card", "suit", "hand of cards", "box", "lady", "cards")]
    ['cards', 'suits', 'hands of cards', 'boxes', 'ladies', 'cards']
    """
    head, of, rest = noun.partition(" of ")
    if head.endswith("s") and not head.endswith("ss"):
        said = head
    elif head.endswith(("ss", "x", "z", "ch", "sh")):
        said = head + "es"
    elif head.endswith("y") and head[-2:-1] not in "aeiou":
        said = head[:-1] + "ies"
    else:
        said = head + "s"
    return said + of + rest


def count_of(number: int) -> str:
    return _NUMBERS[number] if 0 < number < len(_NUMBERS) else str(number)


def count_things(number: int, noun: str) -> str:
    """Say how many of a thing there are.

    >>> count_things(1, "card"), count_things(3, "time"), count_things(20, "card")
    ('one card', 'three times', '20 cards')
    """
    return f"{count_of(number)} {noun if number == 1 else plural_of(noun)}"


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Format a text as a sentence.

    >>> sentence("deal 6 cards")
    'Deal 6 cards.'
    """
    text = upper_first(text.strip())
    return text if not text or text[-1] in ".:!?…" else text + "."


def with_article_of_name(name: str) -> str:
    noun = {"seat": "player", "other": "other one"}.get(name, name)
    return noun if noun.endswith("s") else with_article(noun)


def in_words(name: str) -> str:
    return name.rpartition(".")[2].replace("_", " ")
