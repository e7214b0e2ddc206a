"""The types of holes in the patterns of near misses: words, numbers, signs and notations.

In: the text in a hole, and the names of the game. Out: `HOLES`; for each type its regular expression, and what the text
may mean: as it is to be written, with parts that a row may name, as in `{rank.attribute}`. A hole without a meaning
does not match. `holes_for_names.py` adds those whose meaning depends on what the game declares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.spelling import COURTS, NUMBERS, SPELLED
from hoyle.language.syntax.repair.trial_parsing import FIRST_WORDS
from hoyle.language.syntax.vocabulary import Vocabulary
from hoyle.program.words import SYNONYMS, Op, word_of

Meaning = str | dict[str, str]
Meanings = Callable[[str, Vocabulary], Iterable[Meaning]]


@dataclass(frozen=True, slots=True)
class Hole:
    """A type of hole; `is_word`: it begins and ends as a word does."""

    regex: str
    is_word: bool
    meanings: Meanings | None = None

    def list_meanings(self, text: str, vocabulary: Vocabulary) -> list[Meaning]:
        return list(self.meanings(text, vocabulary)) if self.meanings is not None else [text]


def one_of(words: str) -> str:
    """A pattern for any of these words, longer ones first."""
    return "(?:" + "|".join(sorted(words.split(), key=len, reverse=True)) + ")"


_NUMBER_WORD = one_of(SPELLED)
_JOINING = (
    "of in is from where with for to if or and otherwise can may div mod satisfies then choose chooses together be"
)
_STARTING = "else not some every no each top bottom highest lowest sum distinct any all but starting times until as at"
_NOT_CONNECTING = rf"(?!{one_of(f'{_JOINING} {_STARTING}')}\b)"
NAME = rf"\b{_NOT_CONNECTING}[A-Za-z][A-Za-z0-9_.]*"
THING = rf"(?:(?:(?:top|bottom|{NAME})\s+of\s+)*(?:{NAME}|\d+[A-Z]\w*)|\d+)"
_VERB = one_of(" ".join(FIRST_WORDS)) + r"\b"
_BLOCKS = ("if", "for", "repeat", "otherwise")
_IMPERATIVES = " ".join(verb for verb in FIRST_WORDS if verb not in _BLOCKS)
_TEST = r"(?:(?!\bor\b)[^():,])*(?:\bof\b|\bis\b|[=<>])(?:(?!\bor\b)[^():,])*"
WORD = r"[A-Za-z]\w*"
CODE = r"(?:\d{1,2}|[A-Z])[A-Z]\b"
RANK = one_of(f"{' '.join(COURTS)} {SPELLED}")
ACTIONS = r"\w+(?:(?:\s*,\s*(?:otherwise\s+|or\s+)?|\s+or\s+|\s*/\s*)\w+)*"
_APPLIED = one_of(
    "count sum highest lowest distinct descending first last top bottom place zone left right size length empty "
    "is_empty"
)

HOLES: dict[str, Hole] = {
    # words and numbers
    "thing": Hole(THING, True),
    "name": Hole(NAME, True),
    "word": Hole(r"\w+", True),
    "digits": Hole(r"\d+", True),
    "numword": Hole(_NUMBER_WORD, True),
    "count": Hole(rf"(?:\d+|{_NUMBER_WORD}|an?|{NAME}|\([^()]*\))", False),
    "run": Hole(r"\S+", False),
    "joining": Hole(one_of(_JOINING), True),
    "verb": Hole(_VERB, True),
    "action": Hole(one_of(_IMPERATIVES) + r"\b", True),
    "statement": Hole(rf"(?:{_VERB}|{THING}\s+(?:chooses|may\s+choose|choose)\b)", True),
    "choices": Hole(rf"{NAME}(?:\s+or\s+{NAME})*", True),
    "heap": Hole(rf"{THING}(?:\s+\+\s+{THING})*", True),
    "possessor": Hole(rf"(?:\w+\s+of\s+)*+{WORD}", True),
    "sign": Hole(r"(?:=|!=|<=|>=|<|>)", False),
    "everyone": Hole(
        r"(?:every(?:one|body)|(?:all\s+(?:of\s+)?(?:the\s+)?)?(?:players|seats)|(?:each|every)\s+(?:player|seat))",
        True,
    ),
    "more": Hole(one_of("more greater higher larger bigger"), True),
    "less": Hole(one_of("less lower fewer smaller"), True),
    "somebody": Hole(r"(?:some(?:body|one)|any(?:body|one)|(?:some|any|an?|one)\s+(?:player|seat))", True),
    # stretches of a line: a text may be anything up to a colon
    "all": Hole(".*", False),
    "rest": Hole(".+", False),
    "any": Hole(".+?", False),
    "text": Hole("[^:]+?", False),
    "maybe": Hole("[^:]*?", False),
    "value": Hole(r'(?!(?:an?|the)\b)[^:"]+?', False),
    "size": Hole(r"\w+(?:\s*[-+*]\s*\w+)*", True),
    "part": Hole("[^:()]+?", False),
    "inner": Hole("[^(),]+", False),
    "inside": Hole(r"[^\[\]]+", False),
    "item": Hole("[^:,]+?", False),
    "plainly": Hole("[^:=]+", False),
    "uncompared": Hole("[^=<>]+?", False),
    "sum": Hole(r"[^():]+?\s[-+*]\s[^():]+?", False),
    "string": Hole('"[^"]*"', False),
    "unquoted": Hole("[^:\"'\u2018\u2019“”„][^:\"]*?", False),
    "untitled": Hole('[^"\ue000-\uf8ff]+', False),
    # what stands before
    "after_word": Hole(r"(?<=\w)", False),
    "not_summed": Hole(r"(?<!\bsum of )(?<!\btotal of )(?<!\bhighest of )(?<!\blowest of )(?<!\bof the )", False),
    "after_digit": Hole(r"(?<=\d)", False),
    "after_value": Hole(r"(?<=[\w)\"])", False),
}


def means(kind: str, regex: str, *, is_word: bool = True) -> Callable[[Meanings], Meanings]:
    def declare(meanings: Meanings) -> Meanings:
        HOLES[kind] = Hole(regex, is_word, meanings)
        return meanings

    return declare


# ------------------------------------------------------------------------------------------------ numbers and signs
@means("figure", rf"(?:\d+|{_NUMBER_WORD})")
def _figure(text: str, _: Vocabulary) -> Iterator[str]:
    yield NUMBERS.get(text, text)


@means("number", rf"(?:\d+|{NAME})")
def _number(text: str, _: Vocabulary) -> Iterator[str]:
    yield NUMBERS.get(text, text)


@means("amount", rf"(?:\d+|{NAME})")
def _amount(text: str, _: Vocabulary) -> Iterator[str]:
    """A number behind `top`: in figures, or in parentheses."""
    number = NUMBERS.get(text, text)
    yield number if number.isdigit() else f"({number})"


@means("spelled", rf"(?i:{_NUMBER_WORD})")
def _spelled(text: str, _: Vocabulary) -> Iterator[str]:
    yield NUMBERS[text.lower()]


@means("capital", rf"(?i:{_VERB})")
def _capital(text: str, _: Vocabulary) -> Iterator[str]:
    yield text.lower()


_TIMES = {"once": "1", "twice": "2", "thrice": "3"}


@means("does", rf"{one_of(_IMPERATIVES)}e?s")
def _does(text: str, _: Vocabulary) -> Iterator[str]:
    """`moves`: the verb of a statement as it is said of somebody."""
    yield next(form for form in (text.removesuffix("s"), text.removesuffix("es")) if form in FIRST_WORDS)


@means("times", one_of(" ".join(_TIMES)))
def _times(text: str, _: Vocabulary) -> Iterator[str]:
    yield _TIMES[text]


_BOUNDS = {
    "more than": ">", "over": ">", "at least": ">=", "fewer than": "<", "less than": "<", "under": "<", "at most": "<=",
    "up to": "<=", "exactly": "=", "only": "=",
}  # fmt: skip


@means("bound", "(?:" + "|".join(_BOUNDS).replace(" ", r"\s+") + ")")
def _bound(text: str, _: Vocabulary) -> Iterator[str]:
    yield _BOUNDS[" ".join(text.split())]


_HIGHEST = "most highest greatest largest biggest maximum max best"


@means("best", one_of(f"{_HIGHEST} fewest lowest least smallest minimum min"))
def _best(text: str, _: Vocabulary) -> Iterator[str]:
    yield "highest" if text in _HIGHEST.split() else "lowest"


_QUANTORS = {"no": "no", "all": "every", "each": "every", "every": "every", "only": "every"}


@means("quantor", "(?:all|every|each|some|any|only|no|an?)")
def _quantor(text: str, _: Vocabulary) -> Iterator[str]:
    yield _QUANTORS.get(text, "some")


@means("singular", NAME)
def _singular(text: str, _: Vocabulary) -> Iterator[str]:
    yield text.removesuffix("s")


# ------------------------------------------------------------------------------------------------ notations
@means("listed", rf"{THING}(?:\s*,\s*{THING})*(?:\s*,\s*|\s+and\s+){THING}")
def _listed(text: str, _: Vocabulary) -> Iterator[str]:
    yield " + ".join(re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", text))


@means("zone_sum", rf"(?:\([^()]+\)|{THING}(?:\s+(?:\+|and)\s+{THING})*)", is_word=False)
def _joined_zones(text: str, _: Vocabulary) -> Iterator[str]:
    zones = re.split(r"\s+(?:\+|and)\s+", text)
    yield text if len(zones) == 1 or text.startswith("(") else f"({' + '.join(zones)})"


@means("reckoned", r"(?!of\b|\()[^():]+?\s[-+*]\s[^():]+?", is_word=False)
def _reckoned(text: str, _: Vocabulary) -> Iterator[str]:
    """`6 - count of hand of pack`, with parentheses around the number; every `of` that may end it is tried."""
    for of in reversed(list(re.finditer(r"\s+of\s+", text))):
        number, pile = text[: of.start()], text[of.end() :]
        if re.search(r"\s[-+*]\s", number):
            yield f"({number}) of {pile}"


_VALUE_IF = r"[^,()]+\sif\s[^,()]+"


_MORE_IF = rf"(?:,\s*(?:or\s+|otherwise\s+)?{_VALUE_IF})+"


@means("chain", rf"{_VALUE_IF}{_MORE_IF},?\s*\b(?:otherwise|else)\s+[^,()]+", is_word=False)
def _chain(text: str, _: Vocabulary) -> Iterator[str]:
    """`4 if A, 3 if B, otherwise 0` as nested conditionals."""
    yield re.sub(r"\s*,\s*(?:otherwise\s+|else\s+|or\s+)?|\s+else\s+", " otherwise ", text)


@means("cards", rf"{CODE}(?:\s+{CODE})+")
def _cards(text: str, _: Vocabulary) -> Iterator[str]:
    """Cards separated by blanks, as in examples of tests."""
    yield ", ".join(text.split())


_TICK = "'\u2018\u2019"


@means("quoted", rf'(?<!\w)[{_TICK}][^{_TICK}"]+[{_TICK}](?!\w)|[“”„][^“”„"]+[“”„]', is_word=False)
def _quoted(text: str, _: Vocabulary) -> Iterator[str]:
    yield f'"{text[1:-1]}"'


@means("unclosed", "[^:]*?", is_word=False)
def _unclosed(text: str, _: Vocabulary) -> Iterator[str]:
    missing = text.count("(") - text.count(")")
    if missing > 0:
        yield text.rstrip() + ")" * missing


@means("overclosed", ".*", is_word=False)
def _overclosed(text: str, _: Vocabulary) -> Iterator[str]:
    if text.count(")") > text.count("("):
        yield re.sub(r"\)(?=[^()]*\Z)", "", text, count=1)


@means("either", rf"{_TEST}(?:\bor\s+{_TEST})+", is_word=False)
def _either(text: str, _: Vocabulary) -> Iterator[str]:
    """Tests joined with `or`, enclosed; blanks behind them stay outside."""
    yield f"({text.strip()})" + text[len(text.rstrip()) :]


_OF_EACH = [word_of(op).name for op in (Op.SUM, Op.HIGHEST, Op.LOWEST, Op.DISTINCT)]  # `sum value of hand`
_ARGUMENTS = r'\((?:[^"()]|\([^"()]*\))*\)'


_CALLED = rf"(?:{_NOT_CONNECTING}{WORD}|top|bottom|sum|highest|lowest|distinct)"


@means("call", rf"{_CALLED}\s?{_ARGUMENTS}(?!\s+of\b)", is_word=False)
def _call(text: str, _: Vocabulary) -> Iterator[str]:
    """`count(hand)`, `top(2, pack)`."""
    called, rest = text.split("(", 1)
    called, argument = called.strip(), rest[:-1].strip()
    if called.lower() in ("empty", "is_empty", "isempty"):
        yield f"{argument} is empty"
        return
    called = SYNONYMS.get(called, called)
    summed = re.fullmatch(rf"({NAME})\s+of\s+({THING})", argument)
    numbered = re.fullmatch(r"(\d+|\w+)\s*,\s*(.+)|(.+?)\s*,\s*(\d+)", argument)
    if not argument:
        yield called
    elif called in _OF_EACH and summed:
        yield f"{called} {summed[1]} of {summed[2]}"
    elif called in ("top", "bottom") and numbered:
        number, pile = (numbered[1], numbered[2]) if numbered[1] else (numbered[4], numbered[3])
        yield f"{called} {number} of {pile}"
    else:
        yield f"{called} of {argument}" if re.fullmatch(THING, argument) else f"{called} of ({argument})"


@means("nested", r"\w+(?:\(\w+)+\)+", is_word=False)
def _nested(text: str, _: Vocabulary) -> Iterator[str]:
    """`rank(top(pile))`."""
    if text.count("(") == text.count(")"):
        yield " of ".join(SYNONYMS.get(word, word) for word in re.findall(r"\w+", text))


@means("silently", rf"(?<![\w.])(?:{WORD}(?:\.{WORD})*\.{_APPLIED}|(?:card|seat)(?:\.{WORD})+)(?![\w.])")
@means("dotted", rf"{WORD}(?:\.{WORD})+")
def _dotted(text: str, _: Vocabulary) -> Iterator[str]:
    """`pile.top.rank`."""
    first, *rest = text.split(".")
    words = [word_of(Op.COUNT).name if part in ("size", "length") else part for part in rest]
    if words[-1] in ("empty", "is_empty"):
        yield " of ".join([*reversed(words[:-1]), first]) + " is empty"
    else:
        yield " of ".join([*reversed(words), first])
