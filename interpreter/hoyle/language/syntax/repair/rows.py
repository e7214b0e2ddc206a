"""Near misses: rows of wrong phrases and what is meant by them.

In: the tables beside this module. Out: the rows of `NEAR_MISSES`, tried in order on lines that do not parse, and of
`SILENT`, mistakes that would parse with an unintended meaning, which must never match correct rules.

A row says what is wrong, in the pattern language of `patterns.py`; what is right instead, with the holes filled in;
what the author is told; and an example, which a test tries:

    wrong  ^give {seat} {value:value} points?
    right  score {value} to {seat}
    says   what is scored comes first, then who scores it
    try    give dealer 2 points → score 2 to dealer

Tables by what is wrong in a line: `signs` and `small_words` in all texts; `sentences` for steps said as English has
them, and `statements` for those that begin with a verb of the language; `choices` for what a player may do;
`expressions` for values and conditions; `names` for phrases that need a name of the game; `silent` for what parses; a
row of `advice` has no `right`: what is meant is longer than a line, and the message tells it.

`kind` gives the code of the error, if it is not `wrong-word`, and adds `throughout` (all places of a line are corrected
at once), `guess` (with words that the author has not used, so it is never applied by itself) or `trusted` (names and
denials may disappear). A line `in steps expr` says in which texts the rows below it are looked for. In `right`, `{(x)}`
is put in parentheses if it is compound, `{x|y}` is `y` where the hole is empty, `{x/a/b}` has the word `b` for `a`,
`<hand>` is a name of the game in that role, `⏎` a line break, `␣` a blank at an end. Several lines `right` are several
corrections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.language.syntax.repair.holes_for_names import HOLES, Meaning
from hoyle.language.syntax.repair.patterns import Pattern, compile_pattern
from hoyle.language.syntax.vocabulary import Vocabulary

MOST_FILLED = 4
MOST_VERSIONS = 6
_FOLDER = Path(__file__).with_name("tables")
NEAR_MISSES = ("statements", "expressions", "signs", "choices", "names", "sentences", "small_words")
SILENT = ("silent",)
ADVICE = ("advice",)
_CONDITIONS = ("steps", "expr", "pick", "each_row")
_PLACES = {"conditions": _CONDITIONS, "everywhere": (*_CONDITIONS, "menu", "pattern")}
_FIELD = re.compile(
    r"\{(?P<grouped>\()?(?P<name>\w+)(?:\.(?P<part>\w+))?\)?(?:\|(?P<default>[^}]*)|/(?P<old>\w+)/(?P<new>\w+))?\}"
)
_ROLE = re.compile("<([a-z]+)>")
_COMPOUND = re.compile(r"\s[-+]\s|\b(?:if|otherwise|else)\b")


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A wrong phrase and its corrections. `{found}` in `message` is the marked part of the phrase, or all of it."""

    wrong: str
    rights: tuple[str, ...]
    message: str
    code: str
    starts: frozenset[str]
    throughout: bool
    guesses: bool
    trusted: bool
    examples: tuple[str, ...]

    @property
    def compiled(self) -> Pattern:
        return compile_pattern(self.wrong)

    @property
    def regex(self) -> str:
        return self.compiled.regex

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compile(self.compiled.regex)

    def may_match(self, text: str) -> bool:
        """Whether the text has one of the words without which it does not match, so that the pattern must be tried."""
        return not self.compiled.needed or any(word in text for word in self.compiled.needed)

    def apply(self, text: str, vocabulary: Vocabulary) -> list[str]:
        """All corrections of the text; empty if it does not match."""
        versions: list[str] = []
        if not self.may_match(text):
            return versions
        if self.throughout:
            changed = self.pattern.sub(lambda match: next(self._phrases(match, vocabulary), match[0]), text)
            versions = fill_roles(changed.rstrip(" "), vocabulary)
        else:
            for match in self._matches(text):
                for phrase in self._phrases(match, vocabulary):
                    versions += fill_roles(_put(text, match, phrase).rstrip(" "), vocabulary)
        return [changed for changed in dict.fromkeys(versions) if changed != text][:MOST_VERSIONS]

    def _matches(self, text: str) -> Iterator[re.Match[str]]:
        """The first match; all of them if names of the game decide which is meant."""
        match = self.pattern.search(text)
        asks = any(HOLES[kind].meanings for kind in self.compiled.types.values())
        while match is not None:
            yield match
            match = self.pattern.search(text, match.start() + 1) if asks and match.start() < len(text) else None

    def _phrases(self, match: re.Match[str], vocabulary: Vocabulary) -> Iterator[str]:
        """What the matched phrase may mean."""
        for held in self._meanings(match, vocabulary):
            for right in self.rights:
                yield _FIELD.sub(lambda field, held=held: _fill(field, held), right)  # type: ignore[misc]

    def _meanings(self, match: re.Match[str], vocabulary: Vocabulary) -> Iterator[dict[str, Meaning]]:
        """What the holes may hold."""
        types = self.compiled.types
        names = [name for name in types if match[name] is not None]
        meanings = [HOLES[types[name]].list_meanings(match[name], vocabulary) for name in names]
        for chosen in product(*meanings):
            yield {name: text or "" for name, text in match.groupdict().items()} | dict(zip(names, chosen, strict=True))

    def advise(self, text: str, vocabulary: Vocabulary) -> str | None:
        """The message with the holes filled in, for a phrase that no other phrase of the same length can replace."""
        match = self.pattern.search(text)
        for held in self._meanings(match, vocabulary) if match is not None else ():
            advice = _FIELD.sub(lambda field, held=held: _fill(field, held), self.message)  # type: ignore[misc]
            return next(iter(fill_roles(advice, vocabulary)), None)
        return None

    def drops(self, text: str) -> frozenset[str]:
        """The words matched outside holes, which the correction may omit."""
        dropped: set[str] = set()
        for match in self.pattern.finditer(text):
            held = [match[name] or "" for name in self.pattern.groupindex if name != "bad"]
            dropped |= set(re.findall(r"\w+", match[0])) - set(re.findall(r"\w+", " ".join(held)))
        return frozenset(dropped)

    def place(self, text: str, vocabulary: Vocabulary) -> tuple[int, int]:
        """The range of the mistake in the text."""
        match = next((match for match in self._matches(text) if any(self._phrases(match, vocabulary))), None)
        match = match or self.pattern.search(text)
        if match is None:
            return 0, len(text)
        start, end = match.span("bad" if "bad" in self.pattern.groupindex else 0)
        return (start, end) if start >= 0 else match.span()


@cache
def _compile(regex: str) -> re.Pattern[str]:
    return re.compile(regex)


def _fill(field: re.Match[str], held: dict[str, Meaning]) -> str:
    meaning = held[field["name"]]
    text = meaning[field["part"] or ""] if isinstance(meaning, dict) else meaning
    if not text and field["default"] is not None:
        return field["default"]
    if field["grouped"]:
        text = text.strip()
        return f"({text})" if _COMPOUND.search(text) else text
    return re.sub(rf"\b{field['old']}\b", field["new"], text) if field["old"] else text


def _put(text: str, match: re.Match[str], phrase: str) -> str:
    """The text with a phrase in place of a match. Several statements behind a condition become the block below it."""
    before, after = text[: match.start()], text[match.end() :]
    if "\n" in phrase and before.endswith(": "):
        return before.rstrip() + "\n  " + phrase.replace("\n", "\n  ") + after
    return before + phrase + after


def fill_roles(text: str, vocabulary: Vocabulary) -> list[str]:
    """The text with each role replaced by names of the game, the most likely first."""
    role = _ROLE.search(text)
    names = vocabulary.in_role(role[1]) if role is not None else None
    if role is None or names is None:
        return [text]
    versions = (full for name in names for full in fill_roles(text.replace(role[0], name), vocabulary))
    return list(islice(versions, MOST_FILLED))


# ------------------------------------------------------------------------------------------------ reading
@cache
def read_rows(tables: tuple[str, ...]) -> tuple[NearMiss, ...]:
    """The rows of some tables, read on first use: a file without mistakes needs only the silent ones."""
    return tuple(row for name in tables for row in _load(name))


def _load(name: str) -> Iterator[NearMiss]:
    places: tuple[str, ...] = ()
    lines = (_FOLDER / f"{name}.rows").read_text("utf-8")
    for paragraph in lines.split("\n\n"):
        fields: dict[str, list[str]] = {}
        for line in paragraph.splitlines():
            key, _, text = line.partition(" ")
            if key == "in":
                places = tuple(start for place in text.split() for start in _PLACES.get(place, (place,)))
            elif not key.startswith("#"):
                fields.setdefault(key, []).append(text.strip().replace("␣", " ").replace("⏎", "\n"))
        if fields:
            yield _make(fields, frozenset(places))


def _make(given: dict[str, list[str]], starts: frozenset[str]) -> NearMiss:
    kinds = given.get("kind", [""])[0].split()
    codes = [kind for kind in kinds if kind not in ("throughout", "guess", "trusted")]
    return NearMiss(
        wrong=given["wrong"][0],
        rights=tuple(given.get("right", [""])),
        message=given["says"][0],
        code=codes[0] if codes else "wrong-word",
        starts=starts,
        throughout="throughout" in kinds,
        guesses="guess" in kinds,
        trusted="trusted" in kinds,
        examples=tuple(given.get("try", ())),
    )
