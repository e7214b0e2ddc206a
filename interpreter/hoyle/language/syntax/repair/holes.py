"""The types of holes in the patterns of near misses.

In: the text in a hole, and the names of the game. Out: `HOLES`; for each type its regular expression, and what the text
may mean: as it is to be written, with parts that a row may name, as in `{rank.attribute}`. A hole without a meaning
does not match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.spelling import COURTS, NUMBERS, SPELLED
from hoyle.language.syntax.repair.trial_parsing import FIRST_WORDS
from hoyle.language.syntax.vocabulary import Vocabulary
from hoyle.program.words import SYNONYMS, Op, op_named, word_of

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
_NAME = rf"\b{_NOT_CONNECTING}[A-Za-z][A-Za-z0-9_.]*"
_THING = rf"(?:(?:(?:top|bottom|{_NAME})\s+of\s+)*(?:{_NAME}|\d+[A-Z]\w*)|\d+)"
_VERB = one_of(" ".join(FIRST_WORDS)) + r"\b"
_BLOCKS = ("if", "for", "repeat", "otherwise")
_TEST = r"(?:(?!\bor\b)[^():,])*(?:\bof\b|\bis\b|[=<>])(?:(?!\bor\b)[^():,])*"
_WORD = r"[A-Za-z]\w*"
_CODE = r"(?:\d{1,2}|[A-Z])[A-Z]\b"
_RANK = one_of(f"{' '.join(COURTS)} {SPELLED}")
_ACTIONS = r"\w+(?:(?:\s*,\s*(?:otherwise\s+|or\s+)?|\s+or\s+|\s*/\s*)\w+)*"
_APPLIED = one_of(
    "count sum highest lowest distinct descending first last top bottom place zone left right size length empty "
    "is_empty"
)

HOLES: dict[str, Hole] = {
    # words and numbers
    "thing": Hole(_THING, True),
    "name": Hole(_NAME, True),
    "word": Hole(r"\w+", True),
    "digits": Hole(r"\d+", True),
    "numword": Hole(_NUMBER_WORD, True),
    "count": Hole(rf"(?:\d+|{_NUMBER_WORD}|an?|{_NAME}|\([^()]*\))", False),
    "run": Hole(r"\S+", False),
    "joining": Hole(one_of(_JOINING), True),
    "verb": Hole(_VERB, True),
    "action": Hole(one_of(" ".join(verb for verb in FIRST_WORDS if verb not in _BLOCKS)) + r"\b", True),
    "statement": Hole(rf"(?:{_VERB}|{_THING}\s+(?:chooses|may\s+choose|choose)\b)", True),
    "choices": Hole(rf"{_NAME}(?:\s+or\s+{_NAME})*", True),
    "heap": Hole(rf"{_THING}(?:\s+\+\s+{_THING})*", True),
    "possessor": Hole(rf"(?:\w+\s+of\s+)*+{_WORD}", True),
    "sign": Hole(r"(?:=|!=|<=|>=|<|>)", False),
    "somebody": Hole(r"(?:some(?:body|one)|any(?:body|one)|(?:some|any|an?|one)\s+(?:player|seat))", True),
    # stretches of a line: a text may be anything up to a colon
    "all": Hole(".*", False),
    "rest": Hole(".+", False),
    "any": Hole(".+?", False),
    "text": Hole("[^:]+?", False),
    "maybe": Hole("[^:]*?", False),
    "value": Hole('[^:"]+?', False),
    "part": Hole("[^:()]+?", False),
    "inner": Hole("[^(),]+", False),
    "item": Hole("[^:,]+?", False),
    "plainly": Hole("[^:=]+", False),
    "uncompared": Hole("[^=<>]+?", False),
    "sum": Hole(r"[^():]+?\s[-+*]\s[^():]+?", False),
    "string": Hole('"[^"]*"', False),
    "unquoted": Hole("[^:\"'\u2018\u2019“”„][^:\"]*?", False),
    "untitled": Hole('[^"\ue000-\uf8ff]+', False),
    # what stands before
    "after_word": Hole(r"(?<=\w)", False),
    "after_digit": Hole(r"(?<=\d)", False),
    "after_value": Hole(r"(?<=[\w)\"])", False),
}


def _means(kind: str, regex: str, *, is_word: bool = True) -> Callable[[Meanings], Meanings]:
    def declare(meanings: Meanings) -> Meanings:
        HOLES[kind] = Hole(regex, is_word, meanings)
        return meanings

    return declare


def _is_known(kind: str, regex: str, *roles: str) -> None:
    """A hole for a name of the game in one of these roles; authors write it in another number, too."""

    def meanings(text: str, names: Vocabulary) -> Iterator[str]:
        known = {name for role in roles for name in getattr(names, role)}
        for form in (text, text.removesuffix("s"), text + "s"):
            if form in known:
                yield form
                break

    _means(kind, regex)(meanings)


_is_known("own", _NAME, "seat_zones", "seat_states", "pots")
_is_known("seat_zone", r"\w+", "seat_zones")
_is_known("family", _NAME, "families")
_is_known("pile", _NAME, "zones", "seat_zones", "plain")
_is_known("shared", _NAME, "zones")
_is_known("attribute", _NAME, "attributes")
_is_known("kind", _NAME, "attributes", "others", "options")
_is_known("step", _NAME, "steps")
_is_known("function", _NAME, "functions", "attributes")
_is_known("adjective", _NAME, "adjectives")
_is_known("relation", _WORD, "relations")
_is_known("counted", r"\w+", "seat_states")
_is_known("person", r"\w+", "people")


# ------------------------------------------------------------------------------------------------ numbers and signs
@_means("figure", rf"(?:\d+|{_NUMBER_WORD})")
def _figure(text: str, _: Vocabulary) -> Iterator[str]:
    yield NUMBERS.get(text, text)


@_means("amount", rf"(?:\d+|{_NAME})")
def _amount(text: str, _: Vocabulary) -> Iterator[str]:
    """A number behind `top`: in figures, or in parentheses."""
    number = NUMBERS.get(text, text)
    yield number if number.isdigit() else f"({number})"


@_means("spelled", rf"(?i:{_NUMBER_WORD})")
def _spelled(text: str, _: Vocabulary) -> Iterator[str]:
    yield NUMBERS[text.lower()]


@_means("capital", rf"(?i:{_VERB})")
def _capital(text: str, _: Vocabulary) -> Iterator[str]:
    yield text.lower()


_TIMES = {"once": "1", "twice": "2", "thrice": "3"}


@_means("times", one_of(" ".join(_TIMES)))
def _times(text: str, _: Vocabulary) -> Iterator[str]:
    yield _TIMES[text]


_BOUNDS = {
    "more than": ">", "over": ">", "at least": ">=", "fewer than": "<", "less than": "<", "under": "<", "at most": "<=",
    "up to": "<=", "exactly": "=", "only": "=",
}  # fmt: skip


@_means("bound", "(?:" + "|".join(_BOUNDS).replace(" ", r"\s+") + ")")
def _bound(text: str, _: Vocabulary) -> Iterator[str]:
    yield _BOUNDS[" ".join(text.split())]


_HIGHEST = "most highest greatest largest biggest maximum max best"


@_means("best", one_of(f"{_HIGHEST} fewest lowest least smallest minimum min"))
def _best(text: str, _: Vocabulary) -> Iterator[str]:
    yield "highest" if text in _HIGHEST.split() else "lowest"


_QUANTORS = {"no": "no", "all": "every", "each": "every", "every": "every", "only": "every"}


@_means("quantor", "(?:all|every|each|some|any|only|no|an?)")
def _quantor(text: str, _: Vocabulary) -> Iterator[str]:
    yield _QUANTORS.get(text, "some")


@_means("singular", _NAME)
def _singular(text: str, _: Vocabulary) -> Iterator[str]:
    yield text.removesuffix("s")


# ------------------------------------------------------------------------------------------------ notations
@_means("listed", rf"{_THING}(?:\s*,\s*{_THING})*(?:\s*,\s*|\s+and\s+){_THING}")
def _listed(text: str, _: Vocabulary) -> Iterator[str]:
    yield " + ".join(re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", text))


@_means("zone_sum", rf"(?:\([^()]+\)|{_THING}(?:\s+(?:\+|and)\s+{_THING})*)", is_word=False)
def _joined_zones(text: str, _: Vocabulary) -> Iterator[str]:
    zones = re.split(r"\s+(?:\+|and)\s+", text)
    yield text if len(zones) == 1 or text.startswith("(") else f"({' + '.join(zones)})"


@_means("reckoned", r"(?!of\b|\()[^():]+?\s[-+*]\s[^():]+?", is_word=False)
def _reckoned(text: str, _: Vocabulary) -> Iterator[str]:
    """`6 - count of hand of pack`, with parentheses around the number; every `of` that may end it is tried."""
    for of in reversed(list(re.finditer(r"\s+of\s+", text))):
        number, pile = text[: of.start()], text[of.end() :]
        if re.search(r"\s[-+*]\s", number):
            yield f"({number}) of {pile}"


_VALUE_IF = r"[^,()]+\sif\s[^,()]+"


_MORE_IF = rf"(?:,\s*(?:or\s+|otherwise\s+)?{_VALUE_IF})+"


@_means("chain", rf"{_VALUE_IF}{_MORE_IF},?\s*\b(?:otherwise|else)\s+[^,()]+", is_word=False)
def _chain(text: str, _: Vocabulary) -> Iterator[str]:
    """`4 if A, 3 if B, otherwise 0` as nested conditionals."""
    yield re.sub(r"\s*,\s*(?:otherwise\s+|else\s+|or\s+)?|\s+else\s+", " otherwise ", text)


@_means("cards", rf"{_CODE}(?:\s+{_CODE})+")
def _cards(text: str, _: Vocabulary) -> Iterator[str]:
    """Cards separated by blanks, as in examples of tests."""
    yield ", ".join(text.split())


_TICK = "'\u2018\u2019"


@_means("quoted", rf'(?<!\w)[{_TICK}][^{_TICK}"]+[{_TICK}](?!\w)|[“”„][^“”„"]+[“”„]', is_word=False)
def _quoted(text: str, _: Vocabulary) -> Iterator[str]:
    yield f'"{text[1:-1]}"'


@_means("unclosed", "[^:]*?", is_word=False)
def _unclosed(text: str, _: Vocabulary) -> Iterator[str]:
    missing = text.count("(") - text.count(")")
    if missing > 0:
        yield text.rstrip() + ")" * missing


@_means("overclosed", ".*", is_word=False)
def _overclosed(text: str, _: Vocabulary) -> Iterator[str]:
    if text.count(")") > text.count("("):
        yield re.sub(r"\)(?=[^()]*\Z)", "", text, count=1)


@_means("either", rf"{_TEST}(?:\bor\s+{_TEST})+", is_word=False)
def _either(text: str, _: Vocabulary) -> Iterator[str]:
    """Tests joined with `or`, enclosed; blanks behind them stay outside."""
    yield f"({text.strip()})" + text[len(text.rstrip()) :]


_OF_EACH = [word_of(op).name for op in (Op.SUM, Op.HIGHEST, Op.LOWEST, Op.DISTINCT)]  # `sum value of hand`
_ARGUMENTS = r'\((?:[^"()]|\([^"()]*\))*\)'


_CALLED = rf"(?:{_NOT_CONNECTING}{_WORD}|top|bottom|sum|highest|lowest|distinct)"


@_means("call", rf"{_CALLED}\s?{_ARGUMENTS}(?!\s+of\b)", is_word=False)
def _call(text: str, _: Vocabulary) -> Iterator[str]:
    """`count(hand)`, `top(2, pack)`."""
    called, rest = text.split("(", 1)
    called, argument = called.strip(), rest[:-1].strip()
    if called.lower() in ("empty", "is_empty", "isempty"):
        yield f"{argument} is empty"
        return
    called = SYNONYMS.get(called, called)
    summed = re.fullmatch(rf"({_NAME})\s+of\s+({_THING})", argument)
    numbered = re.fullmatch(r"(\d+|\w+)\s*,\s*(.+)|(.+?)\s*,\s*(\d+)", argument)
    if not argument:
        yield called
    elif called in _OF_EACH and summed:
        yield f"{called} {summed[1]} of {summed[2]}"
    elif called in ("top", "bottom") and numbered:
        number, pile = (numbered[1], numbered[2]) if numbered[1] else (numbered[4], numbered[3])
        yield f"{called} {number} of {pile}"
    else:
        yield f"{called} of {argument}" if re.fullmatch(_THING, argument) else f"{called} of ({argument})"


@_means("silently", rf"(?<![\w.])(?:{_WORD}(?:\.{_WORD})*\.{_APPLIED}|(?:card|seat)(?:\.{_WORD})+)(?![\w.])")
@_means("dotted", rf"{_WORD}(?:\.{_WORD})+")
def _dotted(text: str, _: Vocabulary) -> Iterator[str]:
    """`pile.top.rank`."""
    first, *rest = text.split(".")
    words = [word_of(Op.COUNT).name if part in ("size", "length") else part for part in rest]
    if words[-1] in ("empty", "is_empty"):
        yield " of ".join([*reversed(words[:-1]), first]) + " is empty"
    else:
        yield " of ".join([*reversed(words), first])


@_means("parted", r"[A-Za-z]+[\s-]+[A-Za-z]+")
def _parted(text: str, names: Vocabulary) -> Iterator[str]:
    """Words that form one name in the file: `turn up` for `turn_up`."""
    for sign in ("_", ""):
        name = sign.join(re.split(r"[\s-]+", text))
        if name in names.names:
            yield name


# ------------------------------------------------------------------------------------------------ cards
def _ranks(word: str, names: Vocabulary) -> Iterator[tuple[str, str]]:
    """The attributes that have a value of this name, and how it is written there: `queen` is Q, `seven` is 7."""
    single = word.lower().removesuffix("s") if word.lower() not in NUMBERS else word.lower()
    number = NUMBERS.get(single, "")
    for attribute, values in names.attributes.items():
        shorts = {short: value for value, short in values.items()}
        court = COURTS.get(single, word)
        if (court in shorts and attribute in names.numeric) or court in values:
            yield attribute, court
        elif number and attribute in names.numeric:
            yield attribute, values.get(number, number)
        elif single in values or single + "s" in values:
            yield attribute, single if single in values else single + "s"


def _values(word: str, names: Vocabulary) -> Iterator[tuple[str, str]]:
    """The attributes of which a word is a value, in the singular or the plural."""
    for attribute, values in names.attributes.items():
        for form in (word, word + "s", word.removesuffix("s")):
            if form in values:
                yield attribute, form
                break


def _compared(attribute: str, value: str) -> Meaning:
    signs = ("=", "!=") if value.isdigit() else ("is", "is not")
    return {"": value, "attribute": attribute, "is": signs[0], "not": signs[1]}


@_means("rank", rf"(?:{_RANK})s?")
def _rank(text: str, names: Vocabulary) -> Iterator[Meaning]:
    return (_compared(*rank) for rank in _ranks(text, names))


@_means("printed", r"\w+")
def _printed(text: str, names: Vocabulary) -> Iterator[Meaning]:
    return (_compared(*value) for value in dict.fromkeys((*_ranks(text, names), *_values(text, names))))


@_means("numeral", r"\d+")
def _numeral(text: str, names: Vocabulary) -> Iterator[Meaning]:
    return ({"": text, "attribute": attribute} for attribute in names.numeric)


@_means("card", rf"(?:{_RANK}|[AKQJT])\s+of\s+\w+")
def _card(text: str, names: Vocabulary) -> Iterator[str]:
    """`queen of spades`, as the code of the card."""
    rank, _of, suit = text.split()
    for first, sign in _ranks(rank, names):
        short = names.attributes[first].get(sign, sign)
        for second, value in _values(suit, names):
            parts = {first: short, second: names.attributes[second][value]}
            yield "".join(parts[name] for name in names.attributes if name in parts)


@_means("values", r"\w+(?:\s*,\s*(?:or\s+)?\w+|\s+(?:or|nor)\s+\w+)+")
def _several_values(text: str, names: Vocabulary) -> Iterator[str]:
    """`clubs or spades`: negated it means the opposite, whether with `or` or `and`."""
    values = re.split(r"\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and|nor)\s+", text)
    known = {value for known in names.attributes.values() for pair in known.items() for value in pair}
    known |= {*names.others, *(name for name, kind in names.states.items() if kind.split(" ")[0] in names.attributes)}
    read = [word if word in known or word.isdigit() else next(_values_named(word, names), "") for word in values]
    if all(read):
        yield ", ".join(read)


def _values_named(word: str, names: Vocabulary) -> Iterator[str]:
    return (value for _attribute, value in (*_ranks(word, names), *_values(word, names)))


@_means("attributes", "[a-z_]+s")
def _attributes(text: str, names: Vocabulary) -> Iterator[str]:
    """`ranks of hand`."""
    if text.removesuffix("s") in names.attributes and text not in names.names:
        yield text.removesuffix("s")


# ------------------------------------------------------------------------------------------------ seats and states
_LITTLE_WORDS = ["each", "every", "some", "no", "all", "any", "is", "to", "in", "the", "not", "and", "or", "if"]


@_means("owner", r"[A-Za-z][\w.]*")
def _owner(text: str, _: Vocabulary) -> Iterator[str]:
    return (name for name in dict.fromkeys((text, text.removesuffix("s"))) if name not in _LITTLE_WORDS)


@_means("owned", _NAME)
def _owned(text: str, names: Vocabulary) -> Iterator[str]:
    """What each seat has a value of."""
    for name in dict.fromkeys((text, text.removesuffix("s"))):
        if op_named(name) is Op.SCORE or name in (*names.seat_states, *names.pots, *names.functions):
            yield name
            break


@_means("place", _THING)
def _place(text: str, names: Vocabulary) -> Iterator[str]:
    if text.split(" of ")[0] in (*names.zones, *names.seat_zones):
        yield text


@_means("pot", _THING)
def _pot(text: str, names: Vocabulary) -> Iterator[Meaning]:
    """A pot, with each other one that may pay into it."""
    pot = text.split(" of ")[0]
    if pot in names.pots:
        return ({"": text, "other": other} for other in [name for name in names.pots if name != pot] or [pot])
    return iter(())


@_means("roll", _NAME)
def _roll(text: str, names: Vocabulary) -> Iterator[str]:
    """A list of seats: `passed`."""
    if text in names.rolls:
        yield text


@_means("listing", _NAME)
def _listing(text: str, names: Vocabulary) -> Iterator[str]:
    for name in (text, text + "s"):
        if name in (*names.plain, *names.states, word_of(Op.SEATS).name):
            yield name
            break


@_means("absent", _NAME)
def _absent(text: str, names: Vocabulary) -> Iterator[str]:
    """`no shooter`, `no stock`: a test for none, emptiness or false, by the type of the name."""
    kinds = {**names.states, **names.seat_states}
    if kinds.get(text, "").endswith("or none"):
        yield f"{text} is none"
    elif text in (*names.zones, *names.seat_zones) or kinds.get(text) in ("seats", "cards"):
        yield f"{text} is empty"
    elif kinds.get(text) == "truth" or text in names.options:
        yield f"not {text}"


ALIKE = 3  # common prefix required, as of `knocked` and `knocker`


@_means("remembered", r"\w+")
def _remembered(text: str, names: Vocabulary) -> Iterator[str]:
    """`nobody has knocked`: a test for none of a state with a similar name, the most similar first."""
    alike = {name: _count_alike(name, text) for name, kind in names.states.items() if kind == "seat or none"}
    for name in sorted(alike, key=lambda name: -alike[name]):
        if alike[name] >= ALIKE:
            yield f"{name} is none"
    if names.states.get(text) in ("seats", "list of seat"):
        yield f"{text} is empty"


def _count_alike(name: str, word: str) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(name, word, strict=False))))


@_means("did", r"\w+")
def _did(text: str, names: Vocabulary) -> Iterator[str]:
    """`passes`, where `passed` is a list of seats."""
    for name, kind in names.states.items():
        if kind == "seats" and text in (name.removesuffix("ed") + end for end in ("", "s", "es")):
            yield name


@_means("did_state", r"\w+s")
def _did_state(text: str, names: Vocabulary) -> Iterator[str]:
    """`bids`, where each seat has a `bid`."""
    if text.removesuffix("s") in names.seat_states:
        yield text.removesuffix("s")


@_means("officer", "(?:leads?|deals?|plays?|starts?|begins?|goes)")
def _officer(text: str, names: Vocabulary) -> Iterator[str]:
    """Who does that: `leads` is said of the `leader`."""
    verb = text.removesuffix("s")
    alike = [name for name in names.people if name.removesuffix("r").removesuffix("e") == verb]
    yield from alike or (name for name in names.people if name != "dealer")


@_means("valued", _NAME)
def _valued(text: str, names: Vocabulary) -> Iterator[Meaning]:
    """A state that holds a value printed on cards: `trump`, a suit."""
    kind = names.states.get(text, "").split(" ")[0]
    if kind in names.attributes:
        yield {"": text, "kind": kind}


@_means("qualified", rf"{_NAME}\s+{_NAME}")
def _qualified(text: str, names: Vocabulary) -> Iterator[str]:
    """`trump suit`, `suit led`: a state with its kind beside it."""
    first, second = text.split()
    for name, kind in ((first, second), (second, first)):
        if kind in names.attributes and names.states.get(name, "").split(" ")[0] == kind:
            yield name


@_means("relating", _WORD)
def _relating(text: str, names: Vocabulary) -> Iterator[str]:
    return (form for form in (text, text + "s", text + "es") if form in names.relations)


_WITH_CARDS = r"(?:with|(?:who|that)\s+(?:still\s+)?has|having)\s+(?:any\s+|some\s+)?cards?(?:\s+left)?"


@_means("which", r"(?:with|where|who|that|having)\s+[^:()]+?", is_word=False)
def _which(text: str, _: Vocabulary) -> Iterator[str]:
    """Which seats are meant."""
    if re.fullmatch(_WITH_CARDS, text):
        yield "where <hand> is not empty"
    elif text.startswith(("who ", "that ")):
        yield f"where seat {text.partition(' ')[2]}"
    elif text.startswith("where "):
        yield text


# ------------------------------------------------------------------------------------------------ actions
@_means("menu", _ACTIONS)
def _menu(text: str, names: Vocabulary) -> Iterator[str]:
    """`lays`, `draws or takes`: actions by name."""
    words = re.split(r"(\s*,\s*otherwise\s+|\s*,\s*(?:or\s+)?|\s+or\s+|\s*/\s*)", text)
    known = (*names.actions, *names.choices)
    for index, word in enumerate(words):
        forms = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
        action = next((form for form in forms if form in known), "")
        words[index] = action if index % 2 == 0 else ", otherwise " if "otherwise" in word else " or "
    if all(words):
        yield "".join(words)


@_means("laying", "(?:discard|lay|play)")
def _laying(text: str, names: Vocabulary) -> Iterator[str]:
    """Where cards are laid: a pile with the name of the verb, else any."""
    forms = (text, f"{text}s", f"{text}_pile", f"{text}ed")
    return iter(dict.fromkeys((*(name for name in names.zones if name in forms), *names.piles)))
