"""The definition of a near miss, and building blocks of its patterns.

In: nothing. Out: `NearMiss`, `miss` and `instead`, with which the tables of near misses are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.spelling import NUMBERS, SPELLED
from hoyle.language.syntax.repair.trial_parsing import FIRST_WORDS
from hoyle.language.syntax.vocabulary import Vocabulary

Rewrite = str | Callable[[re.Match[str]], str]
Versions = Callable[[re.Match[str], Vocabulary], Iterable[str]]

STEPS, EXPR, PICK, MENU = (frozenset({start}) for start in ("steps", "expr", "pick", "menu"))
CONDITIONS = STEPS | EXPR | PICK | {"each_row"}
EVERYWHERE = CONDITIONS | MENU | {"pattern"}

# Placeholders for roles in corrections, replaced by names of the game in that role.
STOCK, HAND, PILE, PERSON, ACTOR = "<<stock>>", "<<hand>>", "<<pile>>", "<<person>>", "<<actor>>"
DECK = "<<deck>>"  # the initial zone of the deck, from which cards are dealt
_ROLE = re.compile("<<[a-z]+>>")
MOST_FILLED = 4
MOST_VERSIONS = 6


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A wrong phrase and its correction. `{found}` in `message` is the group `bad` of the pattern, or the whole
    match."""

    code: str
    regex: str
    message: str
    rewrite: Rewrite
    starts: frozenset[str]
    throughout: bool  # whether all matches in the line are rewritten at once
    guesses: bool  # whether the correction contains invented words, so that it is shown but never applied by itself
    versions: Versions | None = None  # replacements of the match, given the names of the game
    trusted: bool = False  # whether names may disappear, because the correction accounts for them

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compile(self.regex)

    def apply(self, text: str, vocabulary: Vocabulary) -> list[str]:
        """All corrections of the text; empty if it does not match."""
        if self.versions is not None:
            return self._apply_versions(text, vocabulary, self.versions)
        changed, count = self.pattern.subn(self.rewrite, text, count=0 if self.throughout else 1)
        changed = changed.rstrip(" ")
        return fill_roles(changed, vocabulary) if count and changed != text else []

    def _apply_versions(self, text: str, vocabulary: Vocabulary, versions: Versions) -> list[str]:
        found: list[str] = []
        match = self.pattern.search(text)
        while match is not None:
            for new in versions(match, vocabulary):
                found += fill_roles(text[: match.start()] + new + text[match.end() :], vocabulary)
            match = self.pattern.search(text, match.start() + 1)
        return [changed for changed in dict.fromkeys(found) if changed != text][:MOST_VERSIONS]

    def drops(self, text: str) -> frozenset[str]:
        """The words matched outside named groups, which the correction may omit."""
        found: set[str] = set()
        for match in self.pattern.finditer(text):
            kept = [match[name] or "" for name in self.pattern.groupindex if name != "bad"]
            found |= set(re.findall(r"\w+", match[0])) - set(re.findall(r"\w+", " ".join(kept)))
        return frozenset(found)

    def place(self, text: str) -> tuple[int, int]:
        """The range of the mistake in the text."""
        found = self.pattern.search(text)
        if found is None:
            return 0, len(text)
        start, end = found.span("bad" if "bad" in self.pattern.groupindex else 0)
        return (start, end) if start >= 0 else found.span()


@cache
def _compile(regex: str) -> re.Pattern[str]:
    """Compiled lazily: a file without mistakes needs almost none of the patterns."""
    return re.compile(regex)


def fill_roles(text: str, vocabulary: Vocabulary) -> list[str]:
    """The text with each role replaced by names of the game, the most likely first."""
    found = _ROLE.search(text)
    if found is None:
        return [text]
    names = {
        STOCK: vocabulary.stocks, HAND: vocabulary.hands, PILE: vocabulary.piles, PERSON: vocabulary.people,
        ACTOR: ("seat", *vocabulary.people), DECK: vocabulary.stocks[:1],
    }[found[0]]  # fmt: skip
    versions = (full for name in names for full in fill_roles(text.replace(found[0], name), vocabulary))
    return list(islice(versions, MOST_FILLED))


def miss(
    code: str,
    pattern: str,
    message: str,
    rewrite: Rewrite,
    starts: frozenset[str] = EVERYWHERE,
    *,
    throughout: bool = False,
    guesses: bool = False,
    trusted: bool = False,
) -> NearMiss:
    """One row of a table of near misses."""
    return NearMiss(code, pattern, message, rewrite, starts, throughout, guesses, trusted=trusted)


def by_name(
    pattern: str,
    message: str,
    versions: Versions,
    starts: frozenset[str] = EVERYWHERE,
    *,
    guesses: bool = False,
    trusted: bool = False,
) -> NearMiss:
    """A row whose correction depends on the names of the game."""
    return NearMiss("wrong-word", pattern, message, "", starts, False, guesses, versions, trusted)


def instead(bad: str, good: str, starts: frozenset[str] = EVERYWHERE) -> NearMiss:
    """A row for a sign or phrase that is replaced wherever it occurs."""
    return miss("wrong-word", bad, f"`{{found}}` is written `{good.strip()}` here", good, starts, throughout=True)


# ------------------------------------------------------------------------------------------------ parts of patterns
def one_of(words: str) -> str:
    """A pattern for any of these words, longer ones first."""
    return "(?:" + "|".join(sorted(words.split(), key=len, reverse=True)) + ")"


NUMBER_WORD = one_of(SPELLED)
JOINING = (
    "of in is from where with for to if or and otherwise can may div mod satisfies then choose chooses together be"
)
_STARTING = "else not some every no each top bottom highest lowest sum distinct any all but starting times until as at"
NOT_CONNECTING = rf"(?!{one_of(f'{JOINING} {_STARTING}')}\b)"
NAME = rf"\b{NOT_CONNECTING}[A-Za-z][A-Za-z0-9_.]*"
OPERAND = rf"(?:(?:(?:top|bottom|{NAME})\s+of\s+)*(?:{NAME}|\d+[A-Z]\w*)|\d+)"
COUNT = rf"(?:\d+|{NUMBER_WORD}|an?|{NAME}|\([^()]*\))"
BEGIN = r"(?:\A|(?<=:\s))"  # the beginning of a statement: at the start of the line, or after a condition
VERB = one_of(" ".join(FIRST_WORDS)) + r"\b"
SIMPLE_VERB = one_of(" ".join(verb for verb in FIRST_WORDS if verb not in ("if", "for", "repeat", "otherwise"))) + r"\b"
STATEMENT = rf"(?:{VERB}|{OPERAND}\s+(?:chooses|may\s+choose|choose)\b)"


def write_digits(found: re.Match[str]) -> str:
    return NUMBERS[found[0].lower()]
