"""What the layout of rule files is: every choice the formatter makes by taste stands here.

In: nothing. Out: `Style`, the one in use as `STYLE`, and the order of the keys of a clause.
"""

from __future__ import annotations

from hoyle.dataclass import dataclass

INDENT = 2


@dataclass(frozen=True, slots=True)
class Style:
    """`width` is the longest line. In games and modules, a clause written in braces is laid out as a block when it has
    `block_from` keys or more, and so is anything in braces whose line would be longer than `block_beyond`; None for
    either leaves it as it is written. `ordered` puts the keys of every clause into the order of `KEY_ORDER`."""

    width: int = 120
    block_from: int | None = 3
    block_beyond: int | None = 100
    ordered: bool = True


STYLE = Style()

# What it says to people comes first, then what it is about, then the rule itself. Names of the author's own keep their
# places after these.
KEY_ORDER = (
    "text", "cite", "after", "before", "of", "takes", "type", "most", "start", "default", "range", "values", "require",
    "many", "shows", "remembered", "lasts", "quiet", "label", "call", "when", "waits_for", "choose", "possible",
    "allowed", "forbidden", "score", "for_each", "is", "any", "all", "cases", "value", "offer", "ends", "do",
)  # fmt: skip
LAST = len(KEY_ORDER)
_RANK = {name: place for place, name in enumerate(KEY_ORDER)}


def rank_key(name: str) -> int:
    """The place of a key of a clause among its neighbours."""
    return _RANK.get(name, LAST)
