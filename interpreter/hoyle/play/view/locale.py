"""Localization: the phrases common to all games, and the labels of one game, in one display language.

In: a program and a language code. Out: names and phrases in that language. A name without a translation falls back to
its spelling in the rule file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from hoyle.play.view.phrases import DEFAULT, PHRASES
from hoyle.play.view.seeing import UNKNOWN_CARD
from hoyle.program.ir.nodes import CardAttribute, Labels, Program, State, Zone
from hoyle.program.model.events import Told

LANGUAGES = tuple(PHRASES)
_SEAT = re.compile(r"seat (\d+)")
_TEAM = re.compile(r"team (\d+)")
_TWO_FORMS = re.compile(r"(?<![^\s|])([^\s|]+)\|([^\s|]+)")
OF_YOU, OF_OTHERS = 1, 2  # word forms in the second and in the third person; also the group numbers of _TWO_FORMS
_NO_LABELS = Labels(
    language="", title="", cards=(), actions={}, zones={}, states={}, values={}, messages={}, told={}, written={}
)


def has_forms(text: str) -> bool:
    """Whether a text has words with a second- and a third-person form: `play|plays`."""
    return _TWO_FORMS.search(text) is not None


def choose_form(text: str, form: int) -> str:
    """Replace each two-form word `play|plays` by one of its forms."""
    return _TWO_FORMS.sub(lambda found: found[form], text)


def say_in(language: str | None, phrase: str, **parts: object) -> str:
    """Format a phrase that needs no game; an unknown or missing language falls back to the default."""
    return PHRASES.get(language or DEFAULT, PHRASES[DEFAULT])[phrase].format(**parts)


def is_written_in(program: Program, language: str) -> bool:
    """Whether a game can be shown in a language: its file is written in it, or all actions and zones have labels.

    Checking all actions and zones rules out games whose only labels come from a module they use."""
    labels = next((each for each in program.labels if each.language == language), None)
    named = labels is not None and (
        all(action.name in labels.actions for action in program.actions)
        and all(zone.name in labels.zones for zone in program.zones)
    )
    return language == program.language or (named and language in PHRASES)


def find_language(program: Program, wanted: str | None) -> tuple[str, str]:
    """Choose the display language, and a notice if it is not the wanted one. The fallback is the file's own language
    for everything, so that two languages never mix."""
    own = program.language
    if wanted is None or is_written_in(program, wanted):
        return wanted or own, ""
    told = {"title": program.title, "wanted": _name_language(wanted, wanted), "shown": _name_language(own, wanted)}
    return own, say_in(wanted, "no_language", **told)


def _name_language(language: str, wanted: str) -> str:
    """What a language is called in the wanted one, or by itself."""
    known = PHRASES.get(wanted, PHRASES[DEFAULT])
    return known.get(f"language_{language}") or PHRASES.get(language, {}).get("language", language)


class Locale:
    """Formats phrases and names in one language; `language` None stands for that of the rule file.

    With `labelled=False` it uses the names of the rule file: records must not change with the display language."""

    def __init__(self, program: Program, language: str | None = None, *, labelled: bool = True) -> None:
        self.program = program
        self.language = language or program.language
        self._phrases = PHRASES.get(self.language, PHRASES[DEFAULT])
        labels = program.labels if labelled else ()
        self.labels = next((each for each in labels if each.language == self.language), _NO_LABELS)
        held: list[Zone | State] = [*program.zones, *program.states]
        self.of_seats = {each.name for each in held if [dimension.kind for dimension in each.of] == ["seat"]}
        codes = zip((card.code for card in program.cards), self.labels.cards, strict=False)
        self._cards = {code: label for code, label in codes if code != label}

    # ---------------------------------------------------------------------------------------------- phrases
    def say(self, phrase: str, **parts: object) -> str:
        """Format a phrase template with values for its placeholders."""
        return self._phrases[phrase].format(**parts)

    def get_phrase(self, phrase: str) -> str:
        return self._phrases[phrase]

    def join(self, parts: Sequence[str]) -> str:
        """Join parts to an enumeration: `a`, `a and b`, `a, b and c`."""
        if len(parts) < 2:
            return "".join(parts)
        return self.say("and", list=", ".join(parts[:-1]), last=parts[-1])

    def write_number(self, number: int) -> str:
        """A number with its thousands apart."""
        return f"{number:,}".replace(",", self.say("thousands"))

    def who(self, number: int | None, seat: int | None) -> str:
        """Name seat `number` as `seat` is told it: `seat 1`, or `you` for itself."""
        return self.say("you") if number is not None and number == seat else self.say("seat", seat=number)

    def count_cards(self, number: int) -> str:
        return self.say("one_card") if number == 1 else self.say("cards", number=number)

    # ---------------------------------------------------------------------------------------------- names
    @property
    def title(self) -> str:
        return self.labels.title or self.program.title

    def card(self, code: str) -> str:
        return self._cards.get(code, code)

    def write_attribute(self, attribute: CardAttribute, card: int) -> str:
        """Return the abbreviation of a card's attribute value, as used in card codes, localized if labelled."""
        return self.labels.written.get(attribute.name, attribute.written)[card]

    def action(self, name: str) -> str:
        return self.labels.actions.get(name) or name.replace("_", " ")

    def zone(self, name: str) -> str:
        return self.labels.zones.get(name) or name.replace("_", " ")

    def state(self, name: str) -> str:
        return self.labels.states.get(name) or name.replace("_", " ")

    def value(self, name: str) -> str:
        """Name an enumeration value within a phrase: `stake of queen jack`."""
        return self.labels.values.get(name) or name.replace("_", " ")

    def message(self, text: str) -> str:
        """Translate a text of the rule file, such as a score label or an announcement; fall back to the original."""
        return self.labels.messages.get(text, text)

    def rule(self, number: str, text: str) -> str:
        """Translate a numbered rule, by its number or by its text."""
        return self.labels.messages.get(number) or self.message(text)

    def translate(self, text: str) -> str:
        """Translate a sentence of the rule file; empty where there is no translation."""
        return text if self.language == self.program.language else self.labels.messages.get(text, "")

    def loose(self, text: str) -> str:
        """Translate a value as views and events write it: `seat 1`, `QS, KS`, `queen_jack`, `none`."""
        if text in self.labels.messages:
            return self.labels.messages[text]
        return ", ".join(self._loose_part(part) for part in text.split(", "))

    def announced(self, event: Told, word: Callable[[str], str] | None = None, form: int = OF_OTHERS) -> str:
        """Format an announcement: substitute its `{name}` placeholders and choose one form of two-form words."""
        text = choose_form(self.loose(str(event["text"])), form)
        for named, value in event.get("values", {}).items():
            text = text.replace("{" + named + "}", (word or self.loose)(value))
        return text

    def _loose_part(self, part: str) -> str:
        seat = _SEAT.fullmatch(part)
        if seat:
            return self.say("seat", seat=seat.group(1))
        if team := _TEAM.fullmatch(part):
            return self.team(int(team.group(1)))
        if part in ("none", "nothing"):
            return self.say(part)
        return self._cards.get(part) or self.labels.values.get(part) or part

    # ---------------------------------------------------------------------------------------------- places
    def owned(self, name: str, owner: int | str | None, seat: int | None) -> str:
        """Name a member of a family of zones or states: `your hand`, `hand of seat 1`, `stake of centre`."""
        if owner is None:
            return name
        if isinstance(owner, str):
            return self.say("of_value", name=name, value=self.owner(owner, seat))
        return self.say("yours", name=name) if owner == seat else self.say("of_seat", name=name, seat=owner)

    def owner(self, written: str, seat: int | None) -> str:
        """Name the owner of a family member from its written form: `centre`, `(team 0, K)`, `(seat 1, hearts)`."""
        return ", ".join(self._owner_part(part, seat) for part in written.strip("()").split(", "))

    def _owner_part(self, part: str, seat: int | None) -> str:
        if found := _TEAM.fullmatch(part):
            return self.team(int(found.group(1)), seat)
        if found := _SEAT.fullmatch(part):
            return self.who(int(found.group(1)), seat)
        return self.value(part)

    def team(self, number: int, seat: int | None = None) -> str:
        """Name a team by listing its seats: `you and seat 2`."""
        return self.join([self.who(each, seat) for each, own in enumerate(self.program.teams) if own == number])

    def place(self, written: str, seat: int | None, *, pot: bool = False) -> str:
        """Format `hand of 1` as `the hand of seat 1` or `your hand`, `stake of centre` as `the stake of centre`."""
        plain, _, owner = written.partition(" of ")
        name = self.state(plain) if pot else self.zone(plain)
        if not owner:
            return self.say("the", name=name)
        if plain.split(" ")[0] not in self.of_seats:
            return self.say("the_of_value", name=name, value=self.owner(owner, seat))
        return self.say("yours", name=name) if owner == str(seat) else self.say("the_of_seat", name=name, seat=owner)

    # ---------------------------------------------------------------------------------------------- cards, actions
    def list_cards(self, cards: Iterable[str]) -> str:
        """List cards, counting unknown ones: `C7, C8 and 2 cards`."""
        cards = list(cards)
        known = [self.card(card) for card in cards if card != UNKNOWN_CARD]
        hidden = len(cards) - len(known)
        return self.join([*known, *([self.count_cards(hidden)] if hidden else [])])

    def pick(self, word: str) -> str:
        """Localize a pick, keeping it one word: `QS+JD`, `queen_jack`, `7`."""
        return "+".join(self._cards.get(part) or self.labels.values.get(part) or part for part in word.split("+"))

    def spell(self, text: str) -> str:
        """Localize the text of an action, as it is offered and may be typed.

        In the language of the file, an action without a label keeps the engine's spelling."""
        name, *picks = text.split(" ")
        if name == "decline":
            return self.say("decline")
        label = self.labels.actions.get(name) or (name if self.language == self.program.language else self.action(name))
        return " ".join([label, *(self._spell_pick(pick) for pick in picks)])

    def unspell(self, text: str) -> str:
        """Translate typed input back to the names of the rule file, the inverse of `spell`; input that begins with no
        known action label is returned unchanged."""
        folded = text.casefold()
        named = [(self.say("decline"), "decline"), *((label, name) for name, label in self.labels.actions.items())]
        fitting = [(label, name) for label, name in named if f"{folded} ".startswith(f"{label.casefold()} ")]
        if not fitting:
            return text
        label, name = max(fitting, key=lambda pair: len(pair[0]))
        written = {shown.casefold(): code for code, shown in self._cards.items()}
        written |= {shown.casefold(): value for value, shown in self.labels.values.items()}
        picks = [
            "+".join(written.get(part.casefold(), part) for part in word.split("+"))
            for word in text[len(label) :].split()
        ]
        return " ".join([name, *picks])

    def _spell_pick(self, word: str) -> str:
        """Localize a pick whose cards may carry a place: `QS@hand.1`."""
        parts = []
        for part in word.split("+"):
            code, sign, place = part.partition("@")
            parts.append(self.pick(code) + sign + place)
        return "+".join(parts)
