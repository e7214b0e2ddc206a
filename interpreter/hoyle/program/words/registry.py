"""The declaration of built-in words: signature, documentation, example, implementation, and properties for analyses.

In: declarations in the sibling modules. Out: `WORDS`, read by the checker, the analyses, the executors and the
reference docs; these rely on declared properties and not on the names of words.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from inspect import signature as signature_of
from typing import Any, Literal, TypeGuard

from hoyle.base.dataclass import dataclass
from hoyle.program.ir.express import SIGNS
from hoyle.program.ir.expressions import Apply, Expr
from hoyle.program.ir.parts import Look
from hoyle.program.ir.types import CARD, KEY, LINE, NUMBER, SEAT, TEXT, TRUTH, ZONE, Type, list_of, maybe
from hoyle.program.words.operations import Op

Run = Callable[..., Any]
Arguments = tuple[int, ...] | Literal["all"]


class Cost(Enum):
    """How the cost of a word grows with the size of its list arguments."""

    CONSTANT = 1
    LINEAR = 2
    SORTING = 3  # it sorts them, or builds a table of them
    GROUPS = 4  # quadratic: it forms groups of the elements
    ALL_GROUPS = 5  # exponential: it forms all subsets


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the language.

    `takes` and `gives` are types in which `T` is a type variable. `run` receives the position first if its first
    parameter is called `position`; an argument of none makes the result none (or false, for a test) unless
    `takes_none`. `spoken`: authors write it by its name; otherwise `written` is its notation, if it has one, and `sign`
    its operator in dumps of programs. `synonyms` are names from other languages, for suggestions.

    Properties for analyses:

    - `reads`: what it reads of the position. None means undeclared: it is assumed to read everything, so rules that
      decide what a seat may do cannot use it. A word that does not receive the position reads nothing.
    - `keeps`: the arguments whose elements the result consists of.
    - `blind`: the arguments whose elements it does not inspect: it only counts them or passes them on.
    - `needs_order`: the elements of its argument must be ordered.
    - `compares`: it inspects elements only for equality.
    - `opens`: the cards that it passes on are visible to all; it is applied to no others.
    - `full`: the resulting list is not empty unless a list argument is.
    - `cost`: how its cost grows.
    - `fits`: whether the result would be within bounds; otherwise there is a fault.
    - `none_of_empty`: it gives none only for an empty argument.
    - `told`: for a test, descriptions of its first argument if it holds, and if it does not.
    - `op`: its operation, for the grammar, and for code generators with their own implementation.
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

    def keeps_argument(self, number: int) -> bool:
        return self.keeps == "all" or number in self.keeps

    def is_blind_to(self, number: int) -> bool:
        return self.blind == "all" or number in self.blind


WORDS: dict[str, Word] = {}
SIGNED: dict[str, Op] = {}  # operations of infix operators
SYNONYMS: dict[str, str] = {}  # names from other languages, with the word
_WORD_OF: dict[Op, Word] = {}  # the first word declared for each operation


def word_of(op: Op) -> Word:
    """The word that implements an operation for the grammar."""
    return _WORD_OF[op]


def op_of(expr: Apply) -> Op | None:
    """The operation of an applied word, if it declares one."""
    return WORDS[expr.word].op


def op_named(name: str) -> Op | None:
    """The operation of the word with a name; None if there is no such word, or it declares none."""
    return WORDS[name].op if name in WORDS else None


def applies(expr: Expr | None, *ops: Op) -> TypeGuard[Apply]:
    """Whether an expression applies a word with one of these operations."""
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
    """A type in signature notation: `number`, `list(T)`, `maybe(card)`, `list(list(card))`."""
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
    """Declare a word: `@word("count: list(T) -> number", "how many there are", "count of (1, 2) = 2")`; `facts` are
    further fields of `Word`."""
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
