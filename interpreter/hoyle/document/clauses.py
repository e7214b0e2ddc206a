"""Which parts of a file are clauses, and what a bare value in place of one stands for.

In: the path of an entry. Out: its `Clause`: `options.limit: 5` means `options.limit: {default: 5}`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hoyle.document.nodes import Entry, Mapping, Scalar

Path = tuple[str, ...]

_PLACES = ("after", "before")
_COMMON = ("text", "cite")


@dataclass(frozen=True, slots=True)
class Clause:
    """A kind of clause. `body` is what a bare value stands for; `bodies` are all the ways of saying it.

    `exclusive`: only one of them may stand. `required`: one of them must. `free`: instead of them, clauses with names
    may stand in the same place. `movable`: `after` and `before` may say where it stands.
    """

    body: str = ""
    bodies: tuple[str, ...] = ()
    exclusive: bool = False
    required: bool = True
    free: bool = False
    movable: bool = True

    def is_named_form(self, node: Mapping) -> bool:
        """Whether a mapping holds named clauses rather than the parts of this one."""
        return self.free and not any(entry.name in (*self.bodies, *_COMMON) for entry in node)

    def place_of(self, node: Mapping) -> Iterator[Entry]:
        """The entries of a clause that say where it stands."""
        if self.movable and not self.is_named_form(node):
            yield from (entry for entry in node if entry.name in _PLACES and isinstance(entry.value, Scalar))


_CONDITION = Clause("is", ("is",))
_CONDITIONS = Clause("is", ("is", "any", "all"), exclusive=True, free=True, movable=False)
_CASE = Clause("value", ("value",))
_CHOOSABLE = "possible|allowed|forbidden"

_TABLE: tuple[tuple[Path, Clause], ...] = (
    (("players",), Clause("allowed", ("allowed", "usual"), movable=False)),
    (("options", "*"), Clause("default", ("default",))),
    (("zones", "*"), Clause(required=False)),
    (("state", "*"), Clause("type", ("type",))),
    (("kinds", "*"), Clause(required=False)),
    (("pots", "*"), Clause(required=False)),
    (("definitions", "*"), Clause("is", ("is", "cases", "any", "all"), exclusive=True)),
    (("definitions", "*", "cases", "*"), _CASE),
    (("definitions", "*", "any|all", "*"), _CONDITION),
    (("scores", "*"), Clause(required=False)),
    (("scores", "*", "*"), Clause("is", ("is", "cases", "score"), exclusive=True)),
    (("scores", "*", "*", "cases", "*"), _CASE),
    (("actions", "*"), Clause(required=False)),
    (("actions", "*", _CHOOSABLE), _CONDITIONS),
    (("actions", "*", _CHOOSABLE, "any|all", "*"), _CONDITION),
    (("actions", "*", _CHOOSABLE, "*"), _CONDITION),
    (("choices", "*", "*"), Clause("offer", ("offer",))),
    (("ends", "*"), Clause("when", ("when",), free=True)),
    (("ends", "*", "*"), Clause("when", ("when",))),
    (("steps", "*"), Clause("do", ("do", "cases"), exclusive=True)),
    (("steps", "*", "cases", "*"), Clause("do", ("do",))),
    (("winners",), Clause("is", ("is", "cases"), exclusive=True, movable=False)),
    (("winners", "cases", "*"), _CASE),
)
_PARTS = {*_COMMON, "is", "any", "all", "when"}
_TABLE_PARTS = {*_COMMON, "of", "takes"}


def clause_at(path: Path) -> Clause | None:
    """The kind of clause that stands at a path, if one does."""
    for pattern, clause in _TABLE:
        if len(pattern) == len(path) and all(map(_matches, pattern, path)):
            if path[0] == "scores" and len(path) == 3 and path[2] in _TABLE_PARTS:
                return None
            in_free_place = len(path) > 2 and pattern[-1] == "*" and pattern[-2] in (_CHOOSABLE, "*")
            return None if in_free_place and path[-1] in _PARTS else clause
    return None


def _matches(pattern: str, step: str) -> bool:
    return pattern == "*" or step in pattern.split("|")


def declared_word(pattern: str) -> int:
    """Which word of a pattern is the name it declares: `NAME`, `NAME of x`, `x is NAME`, `x NAME y`."""
    words = pattern.split()
    if len(words) < 3 or words[1] == "of":
        return 0
    return 2 if words[1] == "is" else 1
