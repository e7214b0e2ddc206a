"""What a near miss is, and the parts its patterns are made of.

In: nothing. Out: `NearMiss`, `miss` and `instead`, with which the tables of near misses are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hoyle.syntax.repair.trial import FIRST_WORDS

Rewrite = str | Callable[[re.Match[str]], str]

STEPS, EXPR, PICK, MENU = (frozenset({start}) for start in ("steps", "expr", "pick", "menu"))
CONDITIONS = STEPS | EXPR | PICK | {"each_row"}
EVERYWHERE = CONDITIONS | MENU | {"pattern"}


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A wrong turn of phrase. `{found}` in `message` is the group `bad` of the pattern, or all that matched."""

    code: str
    pattern: re.Pattern[str]
    message: str
    rewrite: Rewrite
    starts: frozenset[str]
    throughout: bool  # whether all places of the line are rewritten at once
    guesses: bool  # whether the correction has words the author did not give, so that it is only shown

    def apply(self, text: str) -> str | None:
        """The text corrected, or None if there is nothing to correct."""
        changed, count = self.pattern.subn(self.rewrite, text, count=0 if self.throughout else 1)
        changed = changed.rstrip(" ")
        return changed if count and changed != text else None

    def place(self, text: str) -> tuple[int, int]:
        """Where in the text the mistake stands."""
        found = self.pattern.search(text)
        if found is None:
            return 0, len(text)
        start, end = found.span("bad" if "bad" in self.pattern.groupindex else 0)
        return (start, end) if start >= 0 else found.span()


def miss(
    code: str,
    pattern: str,
    message: str,
    rewrite: Rewrite,
    starts: frozenset[str] = EVERYWHERE,
    *,
    throughout: bool = False,
    guesses: bool = False,
) -> NearMiss:
    """One row of a table of near misses."""
    return NearMiss(code, re.compile(pattern), message, rewrite, starts, throughout, guesses)


def instead(bad: str, good: str, starts: frozenset[str] = EVERYWHERE) -> NearMiss:
    """A sign or phrase for which the language has another; it is changed wherever it stands."""
    return miss("wrong-word", bad, f"`{{found}}` is written `{good.strip()}` here", good, starts, throughout=True)


# ------------------------------------------------------------------------------------------------ parts of patterns
def one_of(words: str) -> str:
    """A pattern for any of these words, the longer ones first."""
    return "(?:" + "|".join(sorted(words.split(), key=len, reverse=True)) + ")"


_SPELLED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
NUMBERS = {word: str(value) for value, word in enumerate(_SPELLED.split())}
NUMBER_WORD = one_of(_SPELLED)
JOINING = (
    "of in is from where with for to if or and otherwise can may div mod satisfies then choose chooses together be"
)
_STARTING = "else not some every no each top bottom highest lowest sum distinct any all but starting times until as at"
NOT_CONNECTING = rf"(?!{one_of(f'{JOINING} {_STARTING}')}\b)"
NAME = rf"\b{NOT_CONNECTING}[A-Za-z][A-Za-z0-9_.]*"
OPERAND = rf"(?:(?:(?:top|bottom|{NAME})\s+of\s+)*{NAME}|\d+)"
COUNT = rf"(?:\d+|{NUMBER_WORD}|an?|{NAME}|\([^()]*\))"
BEGIN = r"(?:\A|(?<=:\s))"  # where a statement begins: the line, or what follows a condition
VERB = one_of(" ".join(FIRST_WORDS)) + r"\b"
SIMPLE_VERB = one_of(" ".join(verb for verb in FIRST_WORDS if verb not in ("if", "for", "repeat", "otherwise"))) + r"\b"
STATEMENT = rf"(?:{VERB}|{OPERAND}\s+(?:chooses|may\s+choose|choose)\b)"


def write_digits(found: re.Match[str]) -> str:
    return NUMBERS[found[0].lower()]
