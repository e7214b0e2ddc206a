"""Numbers in texts, in digits or in words.

In: a text and a number. Out: whether the text mentions it. Words are English and French, below a hundred.

>>> says_number("Thirty-one ends it.", 31), says_number("Two of his six cards.", 6), says_number("sixteen", 6)
(True, True, False)
"""

from __future__ import annotations

import re
from functools import cache

_ENGLISH = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_ENGLISH_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FRENCH = (
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
)  # fmt: skip
_FRENCH_TENS = ("vingt", "trente", "quarante", "cinquante", "soixante")


@cache
def words_for(number: int) -> tuple[str, ...]:
    """A number in words.

    >>> words_for(31)
    ('thirty-one', 'trente et un')
    """
    if not 0 <= number < 100:
        return ()
    if number < 20:
        return _ENGLISH[number], _FRENCH[number]
    tens, ones = divmod(number, 10)
    english = _ENGLISH_TENS[tens - 2] + (f"-{_ENGLISH[ones]}" if ones else "")
    if tens > 6:
        return (english,)
    joined = " et un" if ones == 1 else f"-{_FRENCH[ones]}" if ones else ""
    return english, _FRENCH_TENS[tens - 2] + joined


def says_number(text: str, number: int) -> bool:
    """Whether a text mentions a number."""
    if re.search(rf"(?<![\d.])-?{number}(?![\d.]*\d)", text):
        return True
    return any(re.search(rf"(?<![\w-]){word}(?![\w-])", text, re.I) for word in words_for(number))


def numbers_in(text: str) -> set[int]:
    """The numbers in a rule."""
    return {int(found) for found in re.findall(r"(?<![\w.])\d{1,9}(?![\w])", text)}
