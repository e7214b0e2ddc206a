"""How a built-in word is declared: once, with its signature, what it means, an example, what it does, and as data all
that analyses ask about it.

In: declarations in the sibling modules. Out: `WORDS`, read by the checker, the analyses, the executors and the
reference docs; none of them names a word to find out what it reads, keeps or costs.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from inspect import signature as signature_of
from typing import Any, Literal, TypeGuard

from hoyle.dataclass import dataclass
from hoyle.ir.express import SIGNS
from hoyle.ir.expressions import Apply, Expr
from hoyle.ir.parts import Look
from hoyle.ir.types import CARD, KEY, LINE, NUMBER, SEAT, TEXT, TRUTH, ZONE, Type, list_of, maybe
from hoyle.words.operations import Op

Run = Callable[..., Any]
Arguments = tuple[int, ...] | Literal["all"]


class Cost(Enum):
    """How the work of a word grows with the lists it is given."""

    CONSTANT = 1
    LINEAR = 2
    SORTING = 3  # it puts them in order, or keeps a table of them
    GROUPS = 4  # it makes groups of the elements
    ALL_GROUPS = 5  # it makes every group there is


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the language.

    `takes` and `gives` are types in which `T` stands for any one type. `run` gets the position first if its first
    parameter is called `position`; an argument that is none makes the result none (or false, for a test) unless
    `takes_none`. `spoken` says whether authors write it by its name; otherwise `written` says how it is written, if it
    is, and `sign` is the sign it is shown by in dumps of programs.

    `synonyms` are what authors write instead, used to other languages: they are told the word.

    What analyses ask:

    - `reads`: what it reads of the position. None says nothing: then it is taken to read everything, and rules that
      decide what a seat may do cannot use it. A word that is not given the position reads nothing.
    - `keeps`: the arguments whose elements the result is, or is made of.
    - `blind`: the arguments at whose elements it does not look: it counts them or hands them on.
    - `needs_order`: the elements it is given must be such as can be higher or lower.
    - `compares`: it looks at its elements only to ask which are the same.
    - `opens`: the cards it keeps are such as everybody sees: it is given no others.
    - `full`: the list it gives is not empty unless a list it is given is.
    - `cost`: how its work grows.
    - `fits`: whether what it would make of its arguments is within bounds; beyond them it is a fault.
    - `none_of_empty`: it gives none only where what it is said of is empty.
    - `told`: of a test, what has to be said of its first argument for it to hold, and for it not to hold.
    - `op`: the operation it is, for forms of the grammar that ask for one, and for generators that write some in a way
      of their own.
    """

    name: str
    takes: tuple[Type, ...]
    gives: Type
    doc: str
    example: str
    run: Run
    takes_position: bool
    reads: tuple[Look, ...] | None
    takes_none: bool
    spoken: bool
    written: str = ""
    sign: str = ""
    keeps: Arguments = ()
    blind: Arguments = ()
    needs_order: bool = False
    compares: bool = False
    opens: bool = False
    full: bool = False
    cost: Cost = Cost.CONSTANT
    op: Op | None = None
    fits: Callable[..., bool] | None = None
    told: tuple[str, str] | None = None
    none_of_empty: bool = False
    synonyms: tuple[str, ...] = ()

    @property
    def can_be_none(self) -> bool:
        """Whether it can give none although it is given no none."""
        return self.gives.kind == "maybe"

    def keeps_argument(self, number: int) -> bool:
        return self.keeps == "all" or number in self.keeps

    def is_blind_to(self, number: int) -> bool:
        return self.blind == "all" or number in self.blind


WORDS: dict[str, Word] = {}
SIGNED: dict[str, Op] = {}  # what the signs between two values ask for
SYNONYMS: dict[str, str] = {}  # what authors write instead of a word
_WORD_OF: dict[Op, Word] = {}  # the first that is declared as it


def word_of(op: Op) -> Word:
    """The word that forms of the grammar use for an operation."""
    return _WORD_OF[op]


def op_of(expr: Apply) -> Op | None:
    """The operation of the word that is applied, if it says one."""
    return WORDS[expr.word].op


def op_named(name: str) -> Op | None:
    """The operation of the word of a name; None also where no word is called so."""
    return WORDS[name].op if name in WORDS else None


def applies(expr: Expr | None, *ops: Op) -> TypeGuard[Apply]:
    """Whether an expression applies a word that is one of these operations."""
    return isinstance(expr, Apply) and WORDS[expr.word].op in ops

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
    reads: tuple[Look, ...] | None = None,
    takes_none: bool = False,
    spoken: bool = True,
    **facts: Any,
) -> Callable[[Run], Run]:
    """Declare a word: `@word("count: list(T) -> number", "how many there are", "count of (1, 2) = 2")`; `facts` are the
    other fields of `Word`."""
    name, _, kinds = signature.partition(":")
    takes, _, gives = kinds.partition("->")
    arguments = tuple(read_type(part) for part in takes.split(",") if part.strip())

    def declare(run: Run) -> Run:
        takes_position = next(iter(signature_of(run).parameters), "") == "position"
        known = reads if takes_position else ()
        declared = WORDS[name] = Word(
            name, arguments, read_type(gives), doc, example, run, takes_position, known, takes_none, spoken, **facts
        )
        SYNONYMS.update(dict.fromkeys(declared.synonyms, name))
        if declared.op is not None:
            _WORD_OF.setdefault(declared.op, declared)
            if declared.sign:
                SIGNED.setdefault(declared.sign, declared.op)
        if facts.get("sign"):
            SIGNS[name] = facts["sign"]
        return run

    return declare
