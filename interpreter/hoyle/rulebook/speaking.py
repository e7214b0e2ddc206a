"""Verbalizes rules in plain words: `count of hand > 9` as `the number of cards in the hand is more than 9`.

In: the text of an expression or statement, and the names of the game. Out: words. It works token by token and adds only
articles, so that the text states exactly the rule that is executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hoyle.dataclass import dataclass
from hoyle.declare.declarations import Declarations
from hoyle.ir.nodes import Program
from hoyle.ir.types import TRUTH, certain
from hoyle.syntax.reserved import RESERVED, VERBS
from hoyle.syntax.wording import renamed
from hoyle.view.locale import Locale

_TOKEN = re.compile(r'"[^"]*"|[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+|[A-Za-z_][\w.]*|\d+(?:[A-Z]\w*)?|\.\.|<=|>=|!=|\S')
_COMMENT = re.compile(r"(?m)\s#.*$")
_ALL_SEATS = re.compile(r"\(seat in seats\b")  # redundant in speech
_SIGNS = {
    "=": "is", "!=": "is not", "<=": "is at most", ">=": "is at least", "<": "is less than", ">": "is more than",
    "+": "plus", "-": "minus", "*": "times", "..": "to", "div": "divided by", "mod": "modulo",
}  # fmt: skip
# Words after which a name gets no article.
_NO_ARTICLE = {
    "each", "any", "every", "some", "no", "new", "is", "not", "do", "chooses", "choose", "offer", "may", "can", "as",
    "let", "pick", "mark", "end", "highest", "lowest", "sum", "distinct", "starting",
}  # fmt: skip
_PLURAL = {"seats", "players", "teams", "true", "false", "none", "empty", "cards", "nothing", "offender", "packets"}


@dataclass(frozen=True, slots=True)
class Speech:
    """Verbalizes rules of one game."""

    nouns: frozenset[str]
    labels: dict[str, str]
    zones: frozenset[str]

    def say(self, text: str) -> str:
        """Verbalize a rule."""
        tokens = _TOKEN.findall(_ALL_SEATS.sub("(each_seat", _COMMENT.sub("", text)))
        words: list[str] = []
        for at, token in enumerate(tokens):
            before = tokens[at - 1] if at else ""
            after = tokens[at + 1] if at + 1 < len(tokens) else ""
            words.append(self._say_token(token, before, after, tokens[at + 2] if at + 2 < len(tokens) else ""))
        return _join(word for word in words if word)

    def _say_token(self, token: str, before: str, after: str, then: str) -> str:
        if token in _SIGNS:
            return _SIGNS[token]
        if token[0] == '"':
            return f"“{token[1:-1]}”"
        if before == "(" and after == "in" and token.isidentifier():
            return f"each {self._label(token)}"
        if token == "count" and after == "of":
            said = "number of cards in" if then in self.zones or then in ("top", "bottom") else "number of"
            return said if before in _NO_ARTICLE else f"the {said}"
        if token == "of" and before == "count":
            return ""
        if token in ("left", "right") and after == "of":
            return token if before in ("starting", "is") else f"whoever sits {token}"
        if token in ("highest", "lowest") and before in ("with", "then"):
            return f"the {token}"
        if token == "do" and not before:
            return "now comes"
        if token == "clear" and not before:
            return "forget"
        if token == "most" and before == "at":  # a keyword here, even if an option has this name
            return token
        if token in RESERVED or token in _PLURAL:
            is_part = token in ("top", "bottom") and (after in ("of", "(") or after.isdigit())
            return f"the {token}" if is_part else token
        label = self._label(token)
        wants = token in self.nouns or (after == "of" and token[0].isalpha())
        is_verb = token in VERBS and token not in self.nouns
        return f"the {label}" if wants and not is_verb and before not in _NO_ARTICLE else label

    def _label(self, name: str) -> str:
        return self.labels.get(name) or name.rpartition(".")[2].replace("_", " ")


def sentence(text: str) -> str:
    """Format a text as a sentence.

    >>> sentence("deal 6 cards")
    'Deal 6 cards.'
    >>> sentence("(each card in the hand)")
    'Each card in the hand.'
    """
    text = _open(text.strip())
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".:!?…" else text + "."


def _open(text: str) -> str:
    """Remove parentheses that enclose the whole text."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return text[1:-1] if at and at == len(text) - 1 else text
    return text


def find_speech(declared: Declarations, program: Program, locale: Locale) -> Speech:
    """Collect the labels of a game for verbalization; options are followed by their values."""
    labels: dict[str, str] = {}
    for zone in program.zones:
        labels[zone.name] = locale.zone(zone.name)
    for state in program.states:
        labels[state.name] = locale.state(state.name)
    for action in program.actions:
        labels.setdefault(action.name, locale.action(action.name))
    for option in declared.options.values():
        value = " ".join(option.default.span.text.split()).replace("_", " ")
        labels[option.name] = f"{option.name.replace('_', ' ')} ({value})"
    local = {renamed(pick.name) for action in declared.actions.values() for pick in action.picks}
    attributes = {attribute.name for attribute in program.attributes}
    truths = {each.name for each in program.definitions if certain(each.type) == TRUTH}
    truths |= {option.name for option in declared.options.values() if option.kind == "truth"}
    plain = {name for name, each in declared.definitions.items() if each.pattern.form in ("plain", "function")}
    nouns = {*labels, *local, *attributes, *plain, *declared.scores, "seat", "card", "dealer", "team"}
    nouns -= {action.name for action in program.actions} - {zone.name for zone in program.zones}
    nouns -= truths | {value for enum in program.enums for value in enum.values}
    return Speech(frozenset(nouns), labels, frozenset(zone.name for zone in program.zones))


def _join(words: Iterable[str]) -> str:
    text = " ".join(words)
    text = re.sub(r"\s+([,:)\]])", r"\1", text)
    return re.sub(r"([(\[])\s+", r"\1", text)
