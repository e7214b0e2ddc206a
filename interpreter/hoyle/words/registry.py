"""How a built-in word is declared: once, with its signature, what it means, an example and what it does.

In: declarations in the sibling modules. Out: `WORDS`, read by the checker, both executors and the reference docs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hoyle.ir.types import CARD, KEY, LINE, NUMBER, SEAT, TEXT, TRUTH, ZONE, Type, list_of, maybe

if TYPE_CHECKING:
    pass

Run = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the language.

    `takes` and `gives` are types in which `T` stands for any one type. `run` gets the position first if
    `reads_position`; an argument that is none makes the result none (or false, for a test) unless `takes_none`.
    `spoken` says whether authors write it, or whether it is how an operator is called inside. `inline` is how generated
    code writes it, if not as a call of `run`: `{0}` is an argument, `{0:each}` one of which only the elements matter,
    `{players}` how many play; `position`, `zones` and `totals` are those of the position.
    """

    name: str
    takes: tuple[Type, ...]
    gives: Type
    doc: str
    example: str
    run: Run
    reads_position: bool
    takes_none: bool
    spoken: bool
    inline: str = ""


WORDS: dict[str, Word] = {}

_ATOMS = {
    "number": NUMBER,
    "truth": TRUTH,
    "text": TEXT,
    "card": CARD,
    "seat": SEAT,
    "zone": ZONE,
    "key": KEY,
    "line": LINE,
}


def read_type(text: str) -> Type:
    """A type as written in a signature: `number`, `list(T)`, `maybe(card)`, `list(list(card))`."""
    text = text.strip()
    for outer, build in (("list(", list_of), ("maybe(", maybe)):
        if text.startswith(outer):
            return build(read_type(text[len(outer) : -1]))
    return _ATOMS.get(text) or Type("any", text)


def word(
    signature: str,
    doc: str,
    example: str = "",
    *,
    reads_position: bool = False,
    takes_none: bool = False,
    spoken: bool = True,
    inline: str = "",
) -> Callable[[Run], Run]:
    """Declare a word: `@word("count: list(T) -> number", "how many there are", "count of (1, 2) = 2")`."""
    name, _, kinds = signature.partition(":")
    takes, _, gives = kinds.partition("->")
    arguments = tuple(read_type(part) for part in takes.split(",") if part.strip())

    def declare(run: Run) -> Run:
        WORDS[name] = Word(
            name, arguments, read_type(gives), doc, example, run, reads_position, takes_none, spoken, inline
        )
        return run

    return declare
