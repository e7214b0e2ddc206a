"""The style of rule files: all configurable choices of the formatter.

In: nothing. Out: `Style`, the one in use as `STYLE`, and the order of the keys of a clause.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass

INDENT = 2


@dataclass(frozen=True, slots=True)
class Style:
    """`width` is the maximum line length. In games and modules, a clause in flow style becomes a block if it has
    `block_from` keys or more, and so does any flow collection whose line would exceed `block_beyond`; None disables
    either rule. `ordered` sorts the keys of every clause by `KEY_ORDER`."""

    width: int = 120
    block_from: int | None = 3
    block_beyond: int | None = 100
    ordered: bool = True


STYLE = Style()

# Descriptions come first, then what the clause is about, then the rule itself. Names chosen by authors follow in their
# original order.
KEY_ORDER = (
    "text", "cite", "after", "before", "of", "takes", "type", "most", "start", "default", "range", "values", "require",
    "many", "shows", "remembered", "lasts", "quiet", "label", "call", "when", "waits_for", "choose", "possible",
    "allowed", "forbidden", "score", "for_each", "is", "any", "all", "none", "cases", "value", "offer", "ends", "do",
)  # fmt: skip
LAST = len(KEY_ORDER)
_RANK = {name: place for place, name in enumerate(KEY_ORDER)}


def rank_key(name: str) -> int:
    """Return the sort key of a clause's key."""
    return _RANK.get(name, LAST)
