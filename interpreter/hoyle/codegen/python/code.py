"""Python text as it is put together: expressions that know how tightly they bind, statements in a tree.

In: text. Out: text with brackets where they are needed, and lines with their indentation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

NAME, ATOM, ARITHMETIC, COMPARE, NOT, AND, OR, CHOICE = range(8)  # the tighter, the less
INDENT = " "
SHOWN = "_.,:()[]+-"  # what is shown of rule files in comments, besides letters and digits


class Code(NamedTuple):
    """An expression. `level` is `NAME` if it can be read again at no cost. `kind` is what is known of what it gives:
    `bool`, `int`, `tuple`, `list` or `none`, nothing if it may be a truth or a number. `once`: it is a name that is
    given once, so that it stands for the same as long as it is known. `quick`: it is read again at hardly any cost,
    though it is no name. `filled` is the name of the list of which it says that it is not empty."""

    text: str
    level: int = ATOM
    kind: str = "int"
    once: bool = False
    quick: bool = False
    filled: str = ""

    def within(self, level: int) -> str:
        """The text where no looser operator may stand."""
        return self.text if self.level <= level else f"({self.text})"

    @property
    def atom(self) -> str:
        return self.within(ATOM)

    @property
    def operand(self) -> str:
        """The text where it is compared, or added up."""
        return self.within(ARITHMETIC)

    @property
    def is_name(self) -> bool:
        return self.level == NAME

    @property
    def negated(self) -> Code:
        return Code(f"not {self.within(NOT)}", NOT, "bool", quick=self.is_name or self.quick)


class Assign(NamedTuple):
    """A name is given to a value."""

    name: str
    text: str


class Line(NamedTuple):
    text: str


class Nest(NamedTuple):
    """Statements under a header."""

    header: str
    body: list[Statement]


class Comment(NamedTuple):
    """Words of a rule file, of which letters, digits and plain punctuation are shown."""

    text: str

    @property
    def shown(self) -> str:
        plain = (letter.isascii() and (letter.isalnum() or letter in SHOWN) for letter in self.text)
        kept = "".join(letter if shown else " " for letter, shown in zip(self.text, plain, strict=True))
        return f"# {' '.join(kept.split())[:100]}".rstrip()


class At(NamedTuple):
    """What follows carries out an instruction of a block, or its end. Since steps were last counted, blocks of so much
    `cost` were carried out before it."""

    block: int
    instruction: int
    cost: int


class Put(NamedTuple):
    """A part of the position that is held in a name changes. `plain`: to work out what it becomes does nothing else."""

    name: str
    text: str
    plain: bool


class Along(NamedTuple):
    """What brings a name up to date that goes along with the position; left out if nobody reads the name."""

    name: str
    done: Statement


class Leave(NamedTuple):
    """The function is left with a result. `live` are the slots that are still read after it."""

    result: str
    live: frozenset[int] = frozenset()


Statement = Assign | Line | Nest | Comment | At | Put | Along | Leave


def require(test: str) -> Line:
    """What a test does not hold of is left to the reference."""
    return Line(f"if not ({test}): raise Stop")


def leave_out(body: Sequence[Statement], unread: Set[str]) -> list[Statement]:
    """Without changes of names that nobody reads."""
    found: list[Statement] = []
    for each in body:
        if isinstance(each, Nest):
            found.append(Nest(each.header, leave_out(each.body, unread)))
        elif not (isinstance(each, Along | Put) and each.name in unread and (isinstance(each, Along) or each.plain)):
            found.append(each)
    return found


Placed = tuple[str, At | None]


def define(head: str, body: list[Statement]) -> Iterator[str]:
    """The lines of a function."""
    return (line for line, _ in list_placed([Nest(f"def {head}:", body)]))


def list_placed(
    statements: Sequence[Statement], margin: str = "", marked: list[At | None] | None = None
) -> Iterator[Placed]:
    """The lines of statements, each with what it carries out, if that is `marked`, which is the mark before them."""
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
            case Along():
                yield from list_placed([each.done], margin, marked)
            case Nest():
                yield f"{margin}{each.header}", marked[0]
                yield from list_placed(each.body, margin + INDENT, marked)
    if empty:
        yield f"{margin}pass", marked[0]
