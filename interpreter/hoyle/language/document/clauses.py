"""The kinds of clauses, the paths at which names are chosen by the author, and the meaning of bare values.

In: the path of an entry. Out: its `Clause`, by which `options.limit: 5` means `options.limit: {default: 5}`; and
whether its last step is a name chosen by the author, for which a variant must distinguish changing from adding.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.base.dataclass import dataclass
from hoyle.language.document.nodes import Entry, Mapping, Scalar

Path = tuple[str, ...]

_PLACES = ("after", "before")
_COMMON = ("text", "cite")


@dataclass(frozen=True, slots=True)
class Clause:
    """A kind of clause. `body` is the key that a bare value stands for; `bodies` are all alternative forms.

    `exclusive`: only one form may be present. `required`: one must be. `free`: named clauses may take the place of the
    forms or, after merging, stand beside them. `movable`: `after` and `before` may give its position.
    """

    body: str = ""
    bodies: tuple[str, ...] = ()
    exclusive: bool = False
    required: bool = True
    free: bool = False
    movable: bool = True

    def is_named_form(self, node: Mapping) -> bool:
        """Whether a mapping contains named clauses rather than the parts of this one."""
        return self.free and not any(entry.name in (*self.bodies, *_COMMON, "waits_for") for entry in node)

    def place_of(self, node: Mapping) -> Iterator[Entry]:
        """The entries of a clause that give its position."""
        if self.movable and not self.is_named_form(node):
            yield from (entry for entry in node if entry.name in _PLACES and isinstance(entry.value, Scalar))


_CONDITION = Clause("is", ("is", "any", "all", "none"), exclusive=True)
_CONDITIONS = Clause("is", ("is", "any", "all", "none"), exclusive=True, free=True, movable=False)
_GROUPED = "any|all|none"
_CASE = Clause("value", ("value",))
_CHOOSABLE = "possible|allowed|forbidden"

_TABLE: tuple[tuple[Path, Clause], ...] = (
    (("players",), Clause("allowed", ("allowed", "usual"), movable=False)),
    (("options", "*"), Clause("default", ("default",))),
    (("zones", "*"), Clause(required=False)),
    (("state", "*"), Clause("type", ("type",))),
    (("kinds", "*"), Clause(required=False)),
    (("pots", "*"), Clause(required=False)),
    (("definitions", "*"), Clause("is", ("is", "cases", "any", "all", "none"), exclusive=True)),
    (("definitions", "*", "cases", "*"), _CASE),
    (("definitions", "*", _GROUPED, "*"), _CONDITION),
    (("definitions", "*", _GROUPED, "*", _GROUPED, "*"), _CONDITION),
    (("scores", "*"), Clause(required=False)),
    (("scores", "*", "*"), Clause("is", ("is", "cases", "score"), exclusive=True)),
    (("scores", "*", "*", "cases", "*"), _CASE),
    (("actions", "*"), Clause(required=False)),
    (("actions", "*", _CHOOSABLE), _CONDITIONS),
    (("actions", "*", _CHOOSABLE, _GROUPED, "*"), _CONDITION),
    (("actions", "*", _CHOOSABLE, _GROUPED, "*", _GROUPED, "*"), _CONDITION),
    (("actions", "*", _CHOOSABLE, "*", _GROUPED, "*"), _CONDITION),
    (("actions", "*", _CHOOSABLE, "*"), _CONDITION),
    (("choices", "*", "*"), Clause("offer", ("offer",))),
    (("ends", "*"), Clause("when", ("when",), free=True)),
    (("ends", "*", "*"), Clause("when", ("when",))),
    (("steps", "*"), Clause("do", ("do", "cases"), exclusive=True)),
    (("steps", "*", "ends"), Clause("when", ("when",), free=True)),
    (("steps", "*", "ends", "*"), Clause("when", ("when",))),
    (("steps", "*", "cases", "*"), Clause("do", ("do",))),
    (("winners",), Clause("is", ("is", "cases"), exclusive=True, movable=False)),
    (("winners", "cases", "*"), _CASE),
    (("utility",), Clause("is", ("is", "cases"), exclusive=True, movable=False)),
    (("utility", "cases", "*"), _CASE),
    (("hints",), Clause("is", ("is", "cases"), exclusive=True, movable=False)),
    (("hints", "cases", "*"), _CASE),
)
_PARTS = {*_COMMON, "is", "any", "all", "none", "when"}
_TABLE_PARTS = {*_COMMON, "of", "takes"}

# Paths whose last step is a name chosen by the author, with the keywords that may stand there instead.
_NAMED: tuple[tuple[Path, frozenset[str]], ...] = tuple(
    (tuple(pattern.split(".")), frozenset(besides.split()))
    for pattern, besides in (
        ("options.*", ""),
        ("options.*.values.*", ""),
        ("deck.attributes.*", ""),
        ("deck.attributes.*.*", "range names text cite"),
        ("deck.cards.*", ""),
        ("kinds.*", ""),
        ("kinds.*.*", "text cite"),
        ("kinds.*.*.*", ""),
        ("zones.*", ""),
        ("pots.*", ""),
        ("state.*", ""),
        ("ledger.columns|marks.*", ""),
        ("definitions.*", ""),
        (f"definitions.*.cases|{_GROUPED}.*", ""),
        (f"definitions.*.{_GROUPED}.*.{_GROUPED}.*", ""),
        ("scores.*", ""),
        ("scores.*.*", "text cite of takes"),
        ("scores.*.*.cases.*", ""),
        ("actions.*", ""),
        ("actions.*.choose.*", ""),
        (f"actions.*.{_CHOOSABLE}.*", "text cite is any all none"),
        (f"actions.*.{_CHOOSABLE}.{_GROUPED}.*", ""),
        (f"actions.*.{_CHOOSABLE}.*.{_GROUPED}.*", ""),
        (f"actions.*.{_CHOOSABLE}.{_GROUPED}.*.{_GROUPED}.*", ""),
        ("choices.*", ""),
        ("choices.*.*", "text cite"),
        ("ends.*.*", "text cite when waits_for after before"),
        ("steps.*", ""),
        ("steps.*.ends.*", "text cite when waits_for after before"),
        ("steps.*.cases.*", ""),
        ("winners.cases.*", ""),
        ("utility.cases.*", ""),
        ("hints.cases.*", ""),
    )
)
# Lists at these paths are lists of names too.
_NAME_LISTS = (("options", "*", "values"), ("deck", "attributes", "*"))
_STATEMENTS = (("steps", "*"), ("steps", "*", "do"), ("steps", "*", "cases", "*"), ("steps", "*", "cases", "*", "do"),
               ("actions", "*", "do"))  # fmt: skip
GROUPS = ("any", "all", "none", "cases")

# Indexed by section and depth, so that few patterns need to be matched.
_CLAUSES: dict[tuple[str, int], list[tuple[Path, Clause]]] = {}
_NAMES: dict[tuple[str, int], list[tuple[Path, frozenset[str]]]] = {}
for _pattern, _clause in _TABLE:
    _CLAUSES.setdefault((_pattern[0], len(_pattern)), []).append((_pattern, _clause))
for _pattern, _besides in _NAMED:
    _NAMES.setdefault((_pattern[0], len(_pattern)), []).append((_pattern, _besides))


def clause_at(path: Path) -> Clause | None:
    """The kind of clause at a path, if there is one."""
    for pattern, clause in _CLAUSES.get((path[0], len(path)), ()) if path else ():
        if _fits(pattern, path):
            if path[0] == "scores" and len(path) == 3 and path[2] in _TABLE_PARTS:
                return None
            in_free_place = len(path) > 2 and pattern[-1] == "*" and pattern[-2] in (_CHOOSABLE, "*", "ends")
            return None if in_free_place and path[-1] in _PARTS else clause
    return None


def is_named(path: Path) -> bool:
    """Whether the last step of a path is a name chosen by the author."""
    return any(
        _fits(pattern, path) and path[-1] not in besides for pattern, besides in _NAMES.get((path[0], len(path)), ())
    )


def is_name_list(path: Path) -> bool:
    """Whether a list at this path is a list of names."""
    return any(_fits(pattern, path) for pattern in _NAME_LISTS)


def holds_statements(path: Path) -> bool:
    """Whether a text at this path consists of statements."""
    return any(_fits(pattern, path) for pattern in _STATEMENTS)


def _fits(pattern: Path, path: Path) -> bool:
    return len(pattern) == len(path) and all(map(_matches, pattern, path))


def _matches(pattern: str, step: str) -> bool:
    return pattern in ("*", step) or ("|" in pattern and step in pattern.split("|"))


def declared_word(pattern: str) -> int:
    """The index of the word that a pattern declares: `NAME`, `NAME of x`, `x is NAME`, `x NAME y`."""
    words = pattern.split()
    if len(words) < 3 or words[1] == "of":
        return 0
    return 2 if words[1] == "is" else 1


def declared_name(pattern: str) -> str:
    """The name that a pattern declares."""
    words = pattern.split()
    return words[declared_word(pattern)] if words else pattern
