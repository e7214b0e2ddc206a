"""The forms of all statements with example pieces, to complete unfinished lines.

In: the text before the place where a line was refused. Out: what is missing and an example that continues from it; and
the parser's expectations in words.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from hoyle.base.dataclass import dataclass
from hoyle.program.words.statements import STATEMENTS


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a statement: the question it answers, and an example."""

    question: str
    text: str

    @property
    def key(self) -> str:
        return re.match(r",|\S+", self.text).group()  # type: ignore[union-attr]  # no piece is empty

    @property
    def terminal(self) -> str:
        return {",": "COMMA", ":": "COLON"}.get(self.key, self.key.upper())


@dataclass(frozen=True, slots=True)
class Form:
    """A statement: its syntax, and the pieces of an example, of which the first is its verb."""

    shape: str
    pieces: tuple[Piece, ...]


def _pieces(*pieces: tuple[str, str]) -> tuple[Piece, ...]:
    return tuple(Piece(question, text) for question, text in pieces)


_PIECES: dict[str, tuple[Piece, ...]] = {
    "gather": _pieces(("where the cards are gathered", "gather pack")),
    "shuffle": _pieces(("what is shuffled", "shuffle pack")),
    "cut": _pieces(("what is cut", "cut pack")),
    "deal": _pieces(
        ("how many", "deal 7"), ("of what", "cards"), ("from where", "from pack"), ("to whom", "to each hand"),
        ("who gets the first card", ", starting left of dealer"),
    ),
    "move": _pieces(("what is moved", "move card"), ("where to", "to pile")),
    "turn": _pieces(("what is done with it", "turn"), ("what is turned over", "over pack")),
    "swap": _pieces(("what is swapped", "swap hand"), ("with what", "with crib")),
    "show": _pieces(("what is shown", "show hand"), ("to whom", "to seats")),
    "set": _pieces(("what is set", "set player"), ("to what", "to left of player")),
    "clear": _pieces(("what is cleared", "clear called")),
    "add": _pieces(("what is added", "add seat"), ("to what", "to passed")),
    "remove": _pieces(("what is removed", "remove seat"), ("from what", "from passed")),
    "let": _pieces(("what the name is", "let kept"), ("what it stands for", "be top of pile")),
    "pick": _pieces(
        ("what it is called", "pick lifted"), ("how", "at random"), ("from where", "from pack"),
    ),
    "score": _pieces(("how much", "score 2"), ("to whom", "to dealer")),
    "pay": _pieces(
        ("how much", "pay 2"), ("from where", "from purse"), ("where to", "to purse of dealer"),
    ),
    "retire": _pieces(("who leaves the game", "retire seat")),
    "offer": _pieces(
        ("what is offered", "offer claim"), ("to whom", "to any seat"), ("who comes first", "from left of player"),
    ),
    "take": _pieces(("what is done", "take"), ("that a play is undone", "back")),
    "do": _pieces(("which step", "do round")),
    "end": _pieces(("what ends", "end round")),
    "announce": _pieces(("what is announced", 'announce "last card"')),
    "nothing": _pieces(("that nothing is done", "nothing")),
    "if": _pieces(("what must hold", "if pack is empty"), ("what is done", ": do recycle")),
    "for": _pieces(
        ("for what", "for"), ("for each what", "each seat"), ("what is done", ": do counting"),
    ),
    "repeat": _pieces(
        ("how often or until when", "repeat until pack is empty"), ("what is done", ": do turn"),
    ),
    "otherwise": _pieces(
        ("what is done", "otherwise"), ("what is done", ": do recycle")
    ),
    "chooses": _pieces(("what the seat chooses from", "chooses play or draw")),
    "may": _pieces(("that it may choose", "may"), ("what the seat may choose", "choose draw")),
    "choose": _pieces(
        ("what they choose", "choose discard"), ("that they choose at once", "together")
    ),
}

_FORMS = {verb: Form(STATEMENTS[verb].shape, pieces) for verb, pieces in _PIECES.items()}

STATEMENT_WORDS = ", ".join(f"`{verb}`" for verb in _FORMS if verb not in ("chooses", "may", "choose", "otherwise"))

_DECISION = re.compile(r"\A(?P<seat>[A-Za-z][\w.]*(?:\s+of\s+[A-Za-z][\w.]*)*)\s+(?P<word>chooses|may|choose)\b")
_LAST_STATEMENT = re.compile(r".*:\s+(?=\S)", re.S)


def find_form(text: str) -> tuple[Form, int] | None:
    """The form of the last statement in `text`, and where that statement begins."""
    at = 0
    inner = _LAST_STATEMENT.match(text)
    if inner:
        at = inner.end()
    decision = _DECISION.match(text[at:])
    if decision:
        return _FORMS[decision["word"]], at + decision.start("word")
    first = re.match(r"otherwise\s+if\b|[A-Za-z]+", text[at:])
    verb = first.group().split()[-1] if first else ""
    return (_FORMS[verb], at) if verb in _FORMS else None


def go_on(form: Form, said: str, expected: Collection[str]) -> tuple[int, str] | None:
    """The index of the piece that is missing after `said`, and the example continued from there."""
    said = said.rstrip(" ,")
    words = re.findall(r"\w+|\S", said)
    last = max((i for i, piece in enumerate(form.pieces) if words and piece.key == words[-1]), default=-1)
    if last >= 0 and form.pieces[last].text != words[-1]:
        rest = [form.pieces[last].text[len(words[-1]) :].strip(), *(piece.text for piece in form.pieces[last + 1 :])]
        return last, _join(said, rest)
    heard = max((i for i, piece in enumerate(form.pieces) if i and piece.key in words), default=0)
    for index, piece in enumerate(form.pieces):
        if index > heard and piece.terminal in expected:
            return index, _join(said, [part.text for part in form.pieces[index:]])
    return None


def _join(said: str, pieces: list[str]) -> str:
    text = said
    for piece in pieces:
        text += piece if piece.startswith((",", ":")) else f" {piece}" if piece else ""
    return text


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VALUE_STARTS = _names("NAME INT CODE STRING LPAR CARDS TOP BOTTOM SUM HIGHEST LOWEST DISTINCT EACH NEW ALL MINUS")
_TEST_STARTS = _names("SOME EVERY NO NOT")
_ARITHMETIC = _names("PLUS MINUS STAR DIV MOD __ANON_0")
_TESTS = _names("COMPARE IS CAN MAY REL")
_JOINING = _names("AND OR IF")
_VERB_TERMINALS = _names(
    "GATHER SHUFFLE CUT DEAL MOVE TURN SWAP SHOW SET CLEAR ADD REMOVE LET PICK SCORE MARK PAY RETIRE"
    " OFFER TAKE DO END ANNOUNCE REPEAT"
)
_SAID = {
    "NAME": "a name", "INT": "a number", "CODE": "a card", "STRING": "a text in quotes", "LPAR": "`(`", "RPAR": "`)`",
    "COMMA": "a comma", "COLON": "a colon", "CITE": "a citation", "CARDS": "`cards`", "REL": "a relation",
    "_NL": "the end of the line", "$END": "the end", "_INDENT": "deeper lines", "_DEDENT": "the end of the block",
}


def say_expected(expected: Collection[str]) -> str:
    """The expected terminals in words; whole classes of terminals are summarised."""
    left = set(expected) - {"COMMENT", "__IGNORE_0"}
    kinds: list[str] = []
    if left >= {"MOVE", "SCORE"}:
        kinds.append("a statement")
        left -= _VERB_TERMINALS | _VALUE_STARTS | {"IF", "FOR"}
    if left >= {"NAME", "INT", "LPAR"}:
        kinds.append("a condition or a value" if "NOT" in left else "a value")
        left -= _VALUE_STARTS | _TEST_STARTS
    tail: list[str] = []
    if left >= {"COMPARE", "IS"}:
        tail.append("a test such as `=` or `is`")
        left -= _TESTS
    if left >= {"PLUS", "STAR"}:
        tail.append("a sign such as `+`")
        left -= _ARITHMETIC
    if left >= {"AND", "OR"}:
        tail.append("`and` or `or`")
        left -= _JOINING
    ends = [_SAID[name] for name in ("_NL", "$END") if name in left]
    left -= {"_NL", "$END", "_DEDENT", "_INDENT", *(("CITE",) if ends else ())}
    words = sorted(_SAID.get(name, f"`{name.lower()}`") for name in left)
    return ", ".join([*kinds, *words, *tail, *ends[:1]])
