"""Which parts of a file are clauses, and what a bare value in place of one stands for.

In: the path of an entry. Out: its `Clause`: `options.limit: 5` means `options.limit: {default: 5}`.
"""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.document.nodes import Mapping

Path = tuple[str, ...]

PLACES = ("after", "before")
_COMMON = ("text", "cite")


@dataclass(frozen=True, slots=True)
class Clause:
    """A kind of clause. `body` is what a bare value stands for; `bodies` are all the ways of saying it.

    `exclusive`: only one of them may stand. `required`: one of them must. `free`: instead of them, clauses with names
    may stand in the same place.
    """

    body: str = ""
    bodies: tuple[str, ...] = ()
    exclusive: bool = False
    required: bool = True
    free: bool = False

    def is_named_form(self, node: Mapping) -> bool:
        """Whether a mapping holds named clauses rather than the parts of this one."""
        return self.free and not any(entry.name in (*self.bodies, *_COMMON) for entry in node)


_CONDITION = Clause("is", ("is",))
_CONDITIONS = Clause("is", ("is", "any", "all"), exclusive=True, free=True)
_CASE = Clause("value", ("value",))
_CHOOSABLE = "possible|allowed|forbidden"

_TABLE: tuple[tuple[Path, Clause], ...] = (
    (("players",), Clause("allowed", ("allowed", "usual"))),
    (("options", "*"), Clause("default", ("default",))),
    (("zones", "*"), Clause(required=False)),
    (("state", "*"), Clause("type", ("type",))),
    (("definitions", "*"), Clause("is", ("is", "cases", "any", "all"), exclusive=True)),
    (("definitions", "*", "cases", "*"), _CASE),
    (("definitions", "*", "any|all", "*"), _CONDITION),
    (("actions", "*"), Clause(required=False)),
    (("actions", "*", _CHOOSABLE), _CONDITIONS),
    (("actions", "*", _CHOOSABLE, "any|all", "*"), _CONDITION),
    (("actions", "*", _CHOOSABLE, "*"), _CONDITION),
    (("choices", "*", "*"), Clause("offer", ("offer",))),
    (("ends", "*"), Clause("when", ("when",), free=True)),
    (("ends", "*", "*"), Clause("when", ("when",))),
    (("steps", "*"), Clause("do", ("do",))),
    (("winners",), Clause("is", ("is", "cases"), exclusive=True)),
    (("winners", "cases", "*"), _CASE),
)
_PARTS = {*_COMMON, "is", "any", "all", "when"}


def clause_at(path: Path) -> Clause | None:
    """The kind of clause that stands at a path, if one does."""
    for pattern, clause in _TABLE:
        if len(pattern) == len(path) and all(map(_matches, pattern, path)):
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
