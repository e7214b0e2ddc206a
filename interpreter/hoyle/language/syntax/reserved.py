"""Reserved words, derived from the grammar itself.

In: grammar.lark. Out: `RESERVED`, the connecting words; `VERBS`, the words a statement begins with.
"""

from __future__ import annotations

import re
from pathlib import Path

GRAMMAR = Path(__file__).with_name("grammar.lark").read_text("utf-8")


def _connecting_words() -> frozenset[str]:
    """The words excluded by the pattern of NAME."""
    found = re.search(r"NAME: /\(\?!\(\?:([a-z|]+)\)", GRAMMAR)
    assert found is not None
    return frozenset(found.group(1).split("|"))


def _verbs() -> frozenset[str]:
    """The first words of statements."""
    compound = GRAMMAR[GRAMMAR.index("?statement:") : GRAMMAR.index("limit:")]
    statements = compound + GRAMMAR[GRAMMAR.index("?simple:") : GRAMMAR.index("amount:")]
    return frozenset(re.findall(r'^ *(?:\?\w+:|\|)\s*"([a-z]+)"', statements, re.M))


RESERVED = _connecting_words()
VERBS = _verbs()
