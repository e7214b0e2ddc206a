"""Says expressions of the rule language as a card player would: noun phrases and conditions.

In: expressions, the names of a game, and the options as they stand. Out: English phrases. What depends only on options
is worked out first, so that the book tells the game that is played and not the games that could be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

from hoyle.authoring.rulebook.english import (
    COMPARED,
    CONTRARY,
    JOINED,
    PRONOUNS,
    count_of,
    in_words,
    plural_of,
    with_article_of_name,
)  # fmt: skip
from hoyle.authoring.rulebook.settling import find_standing, settle
from hoyle.base.dataclass import dataclass
from hoyle.language.declare.declarations import Declarations, DefinitionDecl
from hoyle.language.syntax import ast
from hoyle.play.view.locale import Locale
from hoyle.program.ir.nodes import Program
from hoyle.program.ir.types import SEAT, TRUTH, Type, certain
from hoyle.program.words import WORDS, Op

_BARE = {
    "seats": "all players", "seat": "the player", "players": "the number of players", "offender": "the offender",
    "rounds_played": "the number of rounds played", "deck": "the deck", "teams": "all sides", "nothing": "nothing",
    "none": "none", "true": "true", "false": "false",
}  # fmt: skip
_OF = {
    "left": "the player at {whose} left", "right": "the player at {whose} right", "partner": "{whose} partner",
    "team": "{whose} side", "score": "{whose} score", "all": "{what}", "joined": "{what}",
    "distinct": "the different {bare}",
    "descending": "{what} from the highest down", "ascending": "{what} from the lowest up",
    "tails": "the last cards of {what}", "subsets": "the groups of {bare}", "pairs": "the pairs of {bare}",
    "last_holder": "whoever last had {what}", "owner": "the owner of {what}", "place": "the place of {what}",
    "first": "the first of {what}", "last": "the last of {what}",
}  # fmt: skip
_SOMEBODY = {"some": "somebody", "every": "everybody", "no": "nobody"}
_LONG = 3  # spaces in a phrase that is too long for `'s`
_DEEPEST = 4  # definitions unfolded within one another


@dataclass(frozen=True, slots=True)
class Phrasing:
    """Says expressions of one game. `locals` are names that a phrase around binds, with what they are called there."""

    declared: Declarations
    program: Program
    locale: Locale
    locals: dict[str, str] = field(default_factory=dict)
    depth: int = 0

    def bind(self, **names: str) -> Phrasing:
        return replace(self, locals={**self.locals, **names})

    @property
    def relations(self) -> frozenset[str]:
        """The relations between two things that the game defines."""
        patterns = (each.pattern for each in self.declared.definitions.values())
        return frozenset(pattern.name.id for pattern in patterns if pattern.form == "relation")

    def settle(self, expr: ast.Expr) -> bool | None:
        """Work out a condition that depends only on options as they stand; None for any other."""
        return settle(self.declared, expr)

    # ---------------------------------------------------------------------------------------------- noun phrases
    def name(self, expr: ast.Expr) -> str:
        """Say what an expression stands for."""
        say = _NOUNS.get(type(expr))
        return say(self, expr) if say is not None else self.clause(expr)

    def bare(self, expr: ast.Expr) -> str:
        """A noun phrase without its article."""
        return re.sub(r"^(the|all|a|an) ", "", self.name(expr))

    def whose(self, expr: ast.Expr) -> str:
        """A noun phrase in the possessive: `the dealer's`."""
        said = self.name(expr)
        if said in PRONOUNS:
            return PRONOUNS[said]
        return f"{said}'" if said.endswith("s") else f"{said}'s"

    def is_person(self, expr: ast.Expr) -> bool:
        if isinstance(expr, ast.Group):
            return self.is_person(expr.body)
        if isinstance(expr, ast.Of):
            people = ("left", "right", "partner", "owner", "last_holder")
            return expr.word.id in people or self._gives(expr.word.id) == "seat"
        if not isinstance(expr, ast.Name):
            return False
        if expr.id in self.locals:
            return self.locals[expr.id] in PRONOUNS or "player" in self.locals[expr.id]
        return expr.id in ("seat", "dealer", "offender") or self._gives(expr.id) == "seat"

    def _gives(self, name: str) -> str:
        """The kind of the value of a state or definition."""
        kind = self._types.get(name)
        return certain(kind).kind if kind is not None else ""

    @property
    def _types(self) -> dict[str, Type]:
        """The types of states and definitions."""
        defined = {each.name: each.type for each in self.program.definitions}
        return defined | {each.name: each.type for each in self.program.states}

    def is_plural(self, expr: ast.Expr) -> bool:
        if isinstance(expr, ast.Group):
            return self.is_plural(expr.body)
        if isinstance(expr, ast.EndOf):
            return expr.number is not None or expr.but
        if isinstance(expr, ast.Name):
            if expr.id in self.locals:
                return self.locals[expr.id] in ("they", "them")
            return expr.id in ("cards", "seats", "teams") or self._gives(expr.id) == "list"
        return isinstance(expr, ast.Those | ast.ListOf | ast.Each)

    def _say_name(self, expr: ast.Name) -> str:
        name = expr.id
        if name in self.locals:
            return self.locals[name]
        if name in _BARE:
            return _BARE[name]
        if name in self.declared.options:
            return self._say_option(name)
        zone = next((zone for zone in self.program.zones if zone.name == name), None)
        if zone is not None:
            owner = self.locals.get("seat", "") if [each.kind for each in zone.of] == ["seat"] else ""
            return f"{PRONOUNS.get(owner, 'the')} {self.locale.zone(name)}"
        state = next((state for state in self.program.states if state.name == name), None)
        if state is not None:
            return self._say_state(name)
        definition = self.declared.definitions.get(name)
        values = {value for enum in self.program.enums for value in enum.values}
        if name in values or any(card.name == name for card in self.program.cards):
            return self.locale.value(name)
        if definition is None and (name.isupper() or not name.isidentifier()):
            return name
        return f"the {in_words(expr.name)}"

    def _say_option(self, name: str) -> str:
        value = find_standing(self.declared, name)
        if value is None:
            return f"the {in_words(name)}"
        return value if value.isdecimal() else self.locale.value(value)

    def _say_state(self, name: str) -> str:
        """Name a state; one that holds a player by who that is, if its text says so."""
        declared = self.declared.states.get(name)
        said = declared.line.text.rstrip(".") if declared is not None and declared.line.text else ""
        if self._gives(name) == "seat" and said.startswith("Whose turn it is"):
            return "the player in turn"
        if self._gives(name) == "seat" and said.startswith("Who ") and "," not in said and len(said) < 50:
            return f"whoever{said[3:]}"
        return f"the {self.locale.state(name)}"

    def _is_short(self, expr: ast.Expr) -> bool:
        return len(expr.span.text) < 70

    def _say_of(self, expr: ast.Of) -> str:
        word = expr.word.id
        op = WORDS[word].op if word in WORDS else None
        if op is Op.COUNT:
            return self._say_count(expr.arg)
        if op in (Op.FIRST, Op.LAST) and self._gives(expr.arg.id if isinstance(expr.arg, ast.Name) else "") != "list":
            inner = expr.arg.body if isinstance(expr.arg, ast.Group) else expr.arg
            if isinstance(inner, ast.Those) and not inner.orders and inner.value is None:
                return f"the {word} of {self.name(inner)}"
        if word in _OF:
            if "{whose}" in _OF[word] and self.name(expr.arg).count(" ") >= _LONG:
                return f"{_OF[word].format(whose='the')} of {self.name(expr.arg)}"
            parts = {"whose": self.whose(expr.arg), "what": self.name(expr.arg), "bare": self.bare(expr.arg)}
            return _OF[word].format(**parts)
        label = self._label(word)
        if isinstance(expr.arg, ast.Name) and expr.arg.id in {v for enum in self.program.enums for v in enum.values}:
            return f"the {self.locale.value(expr.arg.id)} {label}"
        said = self.name(expr.arg)
        if self.is_person(expr.arg) and said.count(" ") < _LONG:
            return f"{self.whose(expr.arg)} {label}"
        return f"its {label}" if said == "it" else f"the {label} of {said}"

    def _label(self, word: str) -> str:
        if any(zone.name == word for zone in self.program.zones):
            return self.locale.zone(word)
        if any(state.name == word for state in self.program.states):
            return self.locale.state(word)
        return in_words(word)

    def _say_count(self, arg: ast.Expr) -> str:
        inner = arg.body if isinstance(arg, ast.Group) else arg
        if isinstance(inner, ast.Name) and any(zone.name == inner.id for zone in self.program.zones):
            return f"the number of cards in {self.name(inner)}"
        if isinstance(inner, ast.Of) and any(zone.name == inner.word.id for zone in self.program.zones):
            return f"the number of cards in {self.name(inner)}"
        return f"the number of {self.bare(inner)}"

    def _say_aggregated(self, expr: ast.Aggregated) -> str:
        arg = self.name(expr.arg)
        if expr.how == "distinct":
            return f"the different {plural_of(self._label(expr.word.id)) if expr.word else 'values'} of {arg}"
        if self._is_zone(expr.arg):
            arg = f"the cards in {arg}"
        if expr.word is None:
            inner = expr.arg.body if isinstance(expr.arg, ast.Group) else expr.arg
            if isinstance(inner, ast.ListOf):
                return f"the {'total' if expr.how == 'sum' else expr.how} of {self._list(inner.items)}"
            return f"the total of {arg}" if expr.how == "sum" else f"the {expr.how} of {arg}"
        label = self._label(expr.word.id)
        return f"the {plural_of(label)} of {arg} together" if expr.how == "sum" else f"the {expr.how} {label} of {arg}"

    def _is_zone(self, expr: ast.Expr) -> bool:
        word = expr.id if isinstance(expr, ast.Name) else expr.word.id if isinstance(expr, ast.Of) else ""
        return any(zone.name == word for zone in self.program.zones)

    def _say_end(self, expr: ast.EndOf) -> str:
        arg = self.name(expr.arg)
        if expr.number is None:
            return f"{'all but ' if expr.but else ''}the {expr.which} card of {arg}"
        number = count_of(expr.number.value) if isinstance(expr.number, ast.Int) else f"({self.name(expr.number)})"
        return f"{'all but ' if expr.but else ''}the {expr.which} {number} of {arg}"

    def _say_binary(self, expr: ast.Binary) -> str:
        left, right = self.name(expr.left), self.name(expr.right)
        if expr.op == "..":
            return f"{left} to {right}"
        if expr.op in "+-" and (self._is_zone(expr.left) or self.is_plural(expr.left)):
            return f"{left} {'and' if expr.op == '+' else 'without'} {right}"
        return f"{left} {JOINED[expr.op]} {right}"

    def _say_choice(self, expr: ast.Choice) -> str:
        settled = self.settle(expr.test)
        if settled is not None:
            return self.name(expr.yes if settled else expr.no)
        return f"{self.name(expr.yes)} if {self.clause(expr.test)}, otherwise {self.name(expr.no)}"

    def _say_or_else(self, expr: ast.OrElse) -> str:
        return f"{self.name(expr.first)}, or else {self.name(expr.second)}"

    def _say_each(self, expr: ast.Each) -> str:
        return f"each {self._owner_of(expr.word.id)}"

    def _owner_of(self, word: str) -> str:
        """Name the members of a family of zones: a hand by its player."""
        zone = next((zone for zone in self.program.zones if zone.name == word), None)
        if zone is not None and zone.shows == "owner" and [each.kind for each in zone.of] == ["seat"]:
            return "player"
        return "player" if word == "seat" else "side" if word == "team" else self._label(word)

    def _list(self, items: tuple[ast.Expr, ...]) -> str:
        return self.locale.join([self.name(item) for item in items])

    def unfold(self, expr: ast.Expr) -> str:
        """Say what an expression stands for; of the name of a definition without a text, what defines it."""
        definition = self.declared.definitions.get(expr.id) if isinstance(expr, ast.Name) else None
        body = definition.body.expr if definition is not None and not definition.line.text else None
        return self.name(body if body is not None else expr)

    def head(self, definition: DefinitionDecl) -> str:
        """Name what a definition defines: `points of a card`, `a card beats another`."""
        pattern = definition.pattern
        params = [in_words(word.name) for word in pattern.params]
        name = in_words(pattern.name.id)
        if pattern.form == "function":
            return f"{name} of {self.locale.join([with_article_of_name(param) for param in params])}"
        if pattern.form == "adjective":
            return f"{with_article_of_name(params[0])} {'are' if params[0].endswith('s') else 'is'} {name}"
        if pattern.form == "relation":
            return f"{with_article_of_name(params[0])} {name} {with_article_of_name(params[1])}"
        return name

    def noun_of(self, binding: ast.Binding) -> str:
        """Name what a binding goes through, in the singular."""
        word = binding.word.name
        if word in ("seat", "ally") or (binding.source is not None and self._are_people(binding.source)):
            return "other player" if word == "other" else "player"
        return {"team": "side", "other": "other card"}.get(word, in_words(word))

    def _are_people(self, expr: ast.Expr) -> bool:
        """Whether a list is one of seats."""
        if isinstance(expr, ast.Group):
            return self._are_people(expr.body)
        name = expr.id if isinstance(expr, ast.Name) else expr.word.id if isinstance(expr, ast.Of) else ""
        kind = self._types.get(name)
        inner = certain(kind).of if kind is not None else None
        return name == "seats" or (inner is not None and certain(inner) == SEAT)

    def those_in(self, binding: ast.Binding, *, many: bool = True) -> tuple[str, Phrasing]:
        """Say the elements of a binding and who of them is meant; with how to speak of one of them."""
        noun = self.noun_of(binding)
        person = noun.endswith("player")
        bound = self.bind(**{binding.word.id: "he" if person else "it"})
        said = plural_of(noun) if many else noun
        source = binding.source
        if source is not None and not (isinstance(source, ast.Name) and source.id in ("seats", "teams")):
            said += f" {'of' if self.is_plural(source) or not self._is_zone(source) else 'in'} {self.name(source)}"
        if binding.where is not None and self.settle(binding.where) is not True:
            said += f" {self._relative(binding, bound, many=many)}"
        return said, bound

    def _relative(self, binding: ast.Binding, bound: Phrasing, *, many: bool) -> str:
        """Say a condition on the element as a relative clause: `that are red`, `whose number is at least 5`."""
        assert binding.where is not None
        where = binding.where
        who = "who" if self.noun_of(binding).endswith("player") else "that"
        subject = bound.locals[binding.word.id]
        if isinstance(where, ast.IsA) and isinstance(where.arg, ast.Name) and where.arg.id == binding.word.id:
            return f"{who} {'are' if many else 'is'} {'not ' if where.negated else ''}{self._adjective(where.word.id)}"
        said = bound.clause(where)
        is_so = f"{who} {'are' if many else 'is'} "
        for start, relative in ((f"{PRONOUNS[subject]} ", "whose "), (f"{subject} is ", is_so)):
            if said.startswith(start):
                return relative + said.removeprefix(start)
        return f"such that {said}"

    def _say_those(self, expr: ast.Those) -> str:
        said, bound = self.those_in(expr.binding)
        for best in expr.orders:
            key = bound.name(best.key)
            held = next((key.removeprefix(f"{each} ") for each in ("his", "its") if key.startswith(f"{each} ")), None)
            said += f" with the {best.how} {held}" if held else f", those for which {key} is {best.how}"
        if expr.value is not None:
            return f"{bound.name(expr.value)} for each of the {said}"
        return f"the {said}"

    def _say_key(self, expr: ast.Key) -> str:
        return ", then ".join(self.name(item) for item in expr.items)

    # ---------------------------------------------------------------------------------------------- conditions
    def clause(self, expr: ast.Expr, *, contrary: bool = False) -> str:
        """Say a condition; with `contrary`, that it does not hold."""
        say = _CLAUSES.get(type(expr))
        if say is None:
            return self.name(expr)
        return say(self, expr, contrary)

    def _not(self, expr: ast.Not, contrary: bool) -> str:
        return self.clause(expr.arg, contrary=not contrary)

    def _in_group(self, expr: ast.Group, contrary: bool) -> str:
        return self.clause(expr.body, contrary=contrary)

    def _logic(self, expr: ast.Logic, contrary: bool) -> str:
        sides = [side for side in (expr.left, expr.right) if self.settle(side) is None]
        if len(sides) == 1:
            return self.clause(sides[0], contrary=contrary)
        op = expr.op if not contrary else {"and": "or", "or": "and"}[expr.op]
        return f" {op} ".join(self.clause(side, contrary=contrary) for side in (expr.left, expr.right))

    def _truth(self, expr: ast.Name, contrary: bool) -> str:
        definition = self.declared.definitions.get(expr.id)
        body = definition.body.expr if definition is not None else None
        if body is not None and self._is_short(body) and self.depth < _DEEPEST and self._gives(expr.id) == TRUTH.kind:
            return replace(self, depth=self.depth + 1).clause(body, contrary=contrary)
        said = self.name(expr) if expr.id in self.locals else self._label(expr.id)
        return f"not {said}" if contrary else said

    def _is_a(self, expr: ast.IsA, contrary: bool) -> str:
        negated = expr.negated is not contrary
        if expr.word.id == "none":
            bare = self.bare(expr.arg)
            if bare.startswith("whoever"):
                return f"{'somebody' if negated else 'nobody'}{bare.removeprefix('whoever')}"
            return f"there is {'a' if negated else 'no'} {bare}"
        verb = "are" if self.is_plural(expr.arg) and expr.word.id != "empty" else "is"
        return f"{self.name(expr.arg)} {verb} {'not ' if negated else ''}{self._adjective(expr.word.id)}"

    def _adjective(self, word: str) -> str:
        if any(card.name == word for card in self.program.cards):
            labelled = word in self.locale.labels.values
            return self.locale.value(word) if labelled else f"a {self.locale.value(word)} card"
        return self.locale.value(word)

    def _is_in(self, expr: ast.IsIn, contrary: bool) -> str:
        negated = expr.negated is not contrary
        inner = expr.list.body if isinstance(expr.list, ast.Group) else expr.list
        how = "is not" if negated else "is"
        if isinstance(inner, ast.ListOf):
            return f"{self.name(expr.arg)} {how} {' or '.join(self.name(item) for item in inner.items)}"
        if isinstance(inner, ast.Binary) and inner.op == "..":
            return f"{self.name(expr.arg)} {how} from {self.name(inner)}"
        return f"{self.name(expr.arg)} {how} {'among' if self.is_plural(inner) else 'in'} {self.name(inner)}"

    def _compare(self, expr: ast.Compare, contrary: bool) -> str:
        op = CONTRARY[expr.op] if contrary else expr.op
        left, right = self.name(expr.left), self.name(expr.right)
        if right == "0" and op in ("=", ">") and left.startswith("the number of "):
            return f"there {'are' if op == '>' else 'are no'} {left.removeprefix('the number of ')}"
        return f"{left} {COMPARED[op]} {right}"

    def _relates(self, expr: ast.Relates, contrary: bool) -> str:
        said = f"{self.name(expr.left)} {in_words(expr.word.id)} {self.name(expr.right)}"
        return f"it is not so that {said}" if contrary else said

    def _can_do(self, expr: ast.CanDo, contrary: bool) -> str:
        return f"{self.name(expr.seat)} {expr.how}{' not' if contrary else ''} {self.locale.action(expr.action.id)}"

    def _quantified(self, expr: ast.Quantified, contrary: bool) -> str:
        how = expr.how
        if contrary and how in ("some", "no"):
            how, contrary = ("no", False) if how == "some" else ("some", False)
        word = expr.word.id
        person = word == "seat" or self._owner_of(word) == "player"
        if person and word != "seat":  # `some hand is empty`: of its player
            whose = f"{'a' if how == 'some' else how} player's {self._label(word)}"
            return self.bind(**{word: whose}).clause(expr.test, contrary=contrary)
        if person:
            bound = self.bind(**{word: _SOMEBODY[how]})
            return bound.clause(expr.test, contrary=contrary)
        binding = ast.Binding(expr.word, expr.source, None, None, expr.span)
        those, bound = self.those_in(binding, many=False)
        test = bound.clause(expr.test, contrary=contrary)
        if test.startswith("it is "):
            return f"{how} {those} {test.removeprefix('it ')}"
        if how == "every" and test.startswith("its "):
            return f"of every {those} the {test.removeprefix('its ')}"
        if how == "every":
            return f"for every {those} {test}"
        return f"there is {'no' if how == 'no' else 'a'} {those} such that {test}"


_NOUNS: dict[type[ast.Expr], Callable[[Phrasing, Any], str]] = {
    ast.Name: Phrasing._say_name,
    ast.Int: lambda _, expr: str(expr.value),
    ast.Text: lambda _, expr: f"“{expr.value}”",
    ast.Of: Phrasing._say_of,
    ast.Aggregated: Phrasing._say_aggregated,
    ast.EndOf: Phrasing._say_end,
    ast.Each: Phrasing._say_each,
    ast.NewPile: lambda self, expr: f"a new {self.bare(expr.family)}",
    ast.Binary: Phrasing._say_binary,
    ast.Negative: lambda self, expr: f"minus {self.name(expr.arg)}",
    ast.Group: lambda self, expr: self.name(expr.body),
    ast.ListOf: lambda self, expr: self._list(expr.items),
    ast.Key: Phrasing._say_key,
    ast.Those: Phrasing._say_those,
    ast.Division: lambda self, expr: f"the groups into which {self.name(expr.source)} are best divided",
    ast.Choice: Phrasing._say_choice,
    ast.OrElse: Phrasing._say_or_else,
}
_CLAUSES: dict[type[ast.Expr], Callable[[Phrasing, Any, bool], str]] = {
    ast.Name: Phrasing._truth,
    ast.Not: Phrasing._not,
    ast.Group: Phrasing._in_group,
    ast.Logic: Phrasing._logic,
    ast.IsA: Phrasing._is_a,
    ast.IsIn: Phrasing._is_in,
    ast.Compare: Phrasing._compare,
    ast.Relates: Phrasing._relates,
    ast.CanDo: Phrasing._can_do,
    ast.Quantified: Phrasing._quantified,
}
