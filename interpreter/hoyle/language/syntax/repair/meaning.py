"""A heuristic check that a corrected line preserves the meaning of the original.

In: a line as written and as corrected. Out: `keeps_meaning`, which rejects a correction that drops a name, a number or
a text, or that inverts a superlative or a negation. Accepted corrections are verified later on the whole file.
"""

from __future__ import annotations

import re
from collections import Counter

from hoyle.base.diagnostics.spelling import NUMBERS

_WORD = re.compile(r"[A-Za-z_][\w.]*|\d+|\"[^\"]*\"|!=|<>|<=|>=|=<|=>|[≠≤≥<>!]|&&|\|\|")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_HIGH = _set("most highest max maximum greatest largest biggest higher")
_LOW = _set("fewest lowest least min minimum smallest lower")
_NOT = _set(
    "not no none never neither nobody unless without except empty isn aren doesn cannot while differ different false "
    "off != <> ≠ !"
)
_COMMON = _set("card cards seat seats player players number hand deck top bottom of all true false none empty score")
_ONE_CARD = re.compile(
    r"\bone\s+(?!(?:points?|chips?|coins?|more|less|higher|lower|greater|smaller|above|below|by)\b)(?=[a-z])"
    r"|\b(?:1|one)\s+(?:cards?|time|(?:less|more)(?!\s+than\b)|at\s+a\s+time|by\s+(?:1|one)|after\s+the\s+other)\b"
)
_EMPTY = re.compile(
    r"\b(?:out\s+of\s+cards?|(?:runs?|run|is)\s+out|exhausted|finished|gone|used\s+up|played\s+all|nothing(?=\s+(?:on|in|at)))\b"
)
_NOT_BEYOND = re.compile(
    r"\b(?:is\s+not|are\s+not|isn't|no|not|does\s+not|doesn't)\s+(?:"
    r"(?:more|greater|higher|larger|bigger|less|lower|fewer|smaller)\s+than|over|above|below|under|exceed|(?:go|fall)\s+(?:over|above|below|under))\b"
)
_TENS = {"once": "1", "twice": "2", "thrice": "3", "dozen": "12"}


def keeps_meaning(old: str, new: str, names: frozenset[str], *, denials: bool = True) -> bool:
    """Whether every number and text of the old line, and each of these names that it contains, is in the new one; and
    whether neither line contradicts the other, by superlatives and, if asked, by `denials`."""
    before, after = _words(_ONE_CARD.sub(" ", old)), _words(new)
    said = set(re.findall(r"\w+", " ".join(re.findall(r'"[^"]*"', new))))  # a name put in quotes is still there
    if any(word not in after and word not in said for word in _kept(before, names)):
        return False
    bare = _words(old.replace('"', " ")), _words(new.replace('"', " "))
    for side in (_HIGH, _LOW):
        if _among(bare[0], side) != _among(bare[1], side) and _among(bare[0], _HIGH | _LOW):
            return False
    return not denials or (_denials(before) - _denials(after)) % 2 == 0


def _words(text: str) -> Counter[str]:
    text = re.sub(r"\bone\s+of\b", "among", re.sub(r"\bat\s+once\b", "together", text))
    text = re.sub(r"\bbut\b(?!\s+not\b)", "except", text)
    text = re.sub(r"\b(?:an)?other\s+(?=(?:seat|player)s?\b)", "!= ", text)
    text = _EMPTY.sub("empty", re.sub(r"\bis\s+not\s+out\b", "not empty", text))
    text = re.sub(r"(\bis|\bto|\bnot|=)\s+(?:nothing|null|nil)\b", r"\1 none", text)
    text = re.sub(r"\bother\s+than\b", "except", text)
    text = re.sub(r"\bopponents?\b", "!=", re.sub(r"\brest\b", "except", text))
    text = re.sub(r"\bas\s+long\s+as\b", "while", text)
    text = re.sub(r"\bat\s+least\b|\bor\s+(?:more|higher)\b", ">=", text)
    text = re.sub(r"\bat\s+most\b|\bor\s+(?:less|fewer|lower)\b|\bmax(?:imum)?(?=\s+\w+\s+times)", "<=", text)
    text = re.sub(_NOT_BEYOND, "than", text)
    text = re.sub(r"\b(?:higher|lower|greater|smaller)\s+than\b", "than", text)
    spelled = (NUMBERS.get(word) or _TENS.get(word) or word for word in _WORD.findall(text))
    return Counter(spelled)


def _kept(words: Counter[str], names: frozenset[str]) -> list[str]:
    """What must be preserved: numbers, texts, and names of the game that are not common words."""
    known = names - _COMMON - _HIGH - _LOW
    return [word for word in words if word in known or word.isdigit() or word.startswith('"')]


def _among(words: Counter[str], group: frozenset[str]) -> bool:
    return any(word in words for word in group)


def _denials(words: Counter[str]) -> int:
    """The number of negations in a line; any words for emptiness or absence count as one."""
    absent = ("empty", "none", "nobody")
    return sum(words[word] for word in _NOT if word not in absent) + int(any(word in words for word in absent))
