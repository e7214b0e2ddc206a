"""Formats rows of a score table as a spoken running count: `fifteen two, and a pair is four`.

In: for each row its call and the points of each of its groups. Out: text.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.program.ir.nodes import Program

_SMALL = (
    "nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def find_calls(program: Program, table: str) -> dict[str, str]:
    """Map each row label of a score table to its call."""
    return {row.label: row.call for each in program.scores if each.name == table for row in each.rows}


def count_aloud(rows: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Format rows as calls, each followed by the running total in words.

    >>> count_aloud([("fifteen", [2, 2]), ("a pair is", [2]), ("a run is", [3, 3])])
    'fifteen two, fifteen four, and a pair is six, and a run is nine, and a run is twelve'
    >>> count_aloud([("one for his nob is", [1])])
    'one for his nob'
    """
    running = 0
    said: list[str] = []
    for number, (call, parts) in enumerate(rows):
        for part in parts:
            running += part
            joint = "" if not said else ", and " if number else ", "
            counts = not said and call.startswith(f"{spell_number(part)} ")  # the call says the number itself
            said.append(call.removesuffix(" is") if counts else f"{joint}{call} {spell_number(running)}")
    return "".join(said)


def count_plainly(rows: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Format rows as calls with their points in digits: the fallback for languages without a spoken count."""
    return ", ".join(f"{call} {sum(parts)}" for call, parts in rows)


def spell_number(number: int) -> str:
    """Spell a number from 0 to 99 in words; format any other in digits.

    >>> spell_number(12), spell_number(29), spell_number(40), spell_number(121)
    ('twelve', 'twenty-nine', 'forty', '121')
    """
    if 0 <= number < len(_SMALL):
        return _SMALL[number]
    if not 0 <= number < 100:
        return str(number)
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
