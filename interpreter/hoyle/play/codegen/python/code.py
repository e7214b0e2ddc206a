"""A Python AST of fragments: expressions as text with a precedence, statements as a tree.

In: text. Out: text parenthesised by precedence, and indented lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

NAME, ATOM, ARITHMETIC, COMPARE, NOT, AND, OR, CHOICE = range(8)  # precedences, tightest first
INDENT = " "
SHOWN = "_.,:()[]+-"  # characters of rule files that comments may have, besides letters and digits


class Code(NamedTuple):
    """An expression. `level` is its precedence, `NAME` if it can be duplicated freely. `kind` is its Python type:
    `bool`, `int`, `tuple`, `list` or `none`; empty if it is `bool` or `int`. `once`: a variable in single-assignment
    form, which can be forwarded. `quick`: cheap to evaluate again, though not a name. `filled`: the list whose
    non-emptiness it tests."""

    text: str
    level: int = ATOM
    kind: str = "int"
    once: bool = False
    quick: bool = False
    filled: str = ""

    def within(self, level: int) -> str:
        """The text as an operand of a precedence: parenthesised if it binds less tightly."""
        return self.text if self.level <= level else f"({self.text})"

    @property
    def atom(self) -> str:
        return self.within(ATOM)

    @property
    def operand(self) -> str:
        """The text as an operand of a comparison or sum."""
        return self.within(ARITHMETIC)

    @property
    def is_name(self) -> bool:
        return self.level == NAME

    @property
    def negated(self) -> Code:
        return Code(f"not {self.within(NOT)}", NOT, "bool", quick=self.is_name or self.quick)


class Assign(NamedTuple):
    """Assignment to a variable."""

    name: str
    text: str


class Line(NamedTuple):
    text: str


class Nest(NamedTuple):
    """A compound statement: header and indented body."""

    header: str
    body: list[Statement]


class Comment(NamedTuple):
    """A comment with text of a rule file, reduced to letters, digits and plain punctuation."""

    text: str

    @property
    def shown(self) -> str:
        plain = (letter.isascii() and (letter.isalnum() or letter in SHOWN) for letter in self.text)
        kept = "".join(letter if shown else " " for letter, shown in zip(self.text, plain, strict=True))
        return f"# {' '.join(kept.split())[:100]}".rstrip()


class At(NamedTuple):
    """A source position mark: what follows executes an instruction of a block, or its terminator. `cost` is that of the
    blocks executed since the step budget was last updated."""

    block: int
    instruction: int
    cost: int


class Put(NamedTuple):
    """A write to a promoted element. `plain`: its right side is pure, so that a dead write can be removed."""

    name: str
    text: str
    plain: bool


class Update(NamedTuple):
    """The update of an incrementally maintained variable; dead if the variable is never read."""

    name: str
    done: Statement


class Leave(NamedTuple):
    """An exit of the function with a result. `live` are the slots live after it."""

    result: str
    live: frozenset[int] = frozenset()


Statement = Assign | Line | Nest | Comment | At | Put | Update | Leave


def require(test: str) -> Line:
    """A fault unless a test holds."""
    return Line(f"if not ({test}): raise Stop")


def eliminate_dead(body: Sequence[Statement], unread: Set[str]) -> list[Statement]:
    """Dead-store elimination: statements without updates of unread variables."""
    found: list[Statement] = []
    for each in body:
        if isinstance(each, Nest):
            found.append(Nest(each.header, eliminate_dead(each.body, unread)))
        elif not (isinstance(each, Update | Put) and each.name in unread and (isinstance(each, Update) or each.plain)):
            found.append(each)
    return found


Placed = tuple[str, At | None]


def define(head: str, body: list[Statement]) -> Iterator[str]:
    """The lines of a function."""
    return (line for line, _ in list_placed([Nest(f"def {head}:", body)]))


def list_placed(
    statements: Sequence[Statement], margin: str = "", marked: list[At | None] | None = None
) -> Iterator[Placed]:
    """The lines of statements, each with the mark it is under; `marked` holds the current one."""
    marked, empty = marked or [None], True
    for each in statements:
        empty = empty and isinstance(each, At | Comment)
        match each:
            case At():
                marked[0] = each
            case Comment():
                yield f"{margin}{each.shown}", None
            case Assign() | Put():
                yield f"{margin}{each.name} = {each.text}", marked[0]
            case Line():
                yield f"{margin}{each.text}", marked[0]
            case Leave():
                yield f"{margin}return {each.result}", marked[0]
            case Update():
                yield from list_placed([each.done], margin, marked)
            case Nest():
                yield f"{margin}{each.header}", marked[0]
                yield from list_placed(each.body, margin + INDENT, marked)
    if empty:
        yield f"{margin}pass", marked[0]
