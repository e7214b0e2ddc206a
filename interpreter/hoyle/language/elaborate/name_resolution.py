"""Resolution of bare names: local name, option, state, zone, definition, word, card, value.

In: a name of the AST and its scope. Out: the IR it denotes; unknown and ambiguous names are reported.
"""

from __future__ import annotations

import re
from typing import Any

from hoyle.base.diagnostics.report import Fix
from hoyle.base.diagnostics.spelling import COURTS
from hoyle.base.source import Span
from hoyle.language.elaborate.definition_uses import Uses
from hoyle.language.elaborate.environment import Environment, Value
from hoyle.language.elaborate.folding import apply, constant
from hoyle.language.elaborate.giving import ONLY, find_copies, give
from hoyle.language.elaborate.owners import find_owner, kind_of_place
from hoyle.language.elaborate.places import find_zone
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.team_values import all_teams
from hoyle.language.elaborate.typing_rules import unknown
from hoyle.language.syntax import ast
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARD, CARDS, NONE, NUMBER, SEAT, TRUTH, Type, certain, maybe
from hoyle.program.words import WORDS, Op, op_named

CONSTANTS: dict[str, tuple[Any, Type]] = {"none": (None, NONE), "true": (True, TRUTH), "false": (False, TRUTH)}
# Hints on how a rule introduces a seat or card.
IN_A_STEP = (
    "`for each seat: …` goes through all of them, a step that says `of: seat` is about one (`do STEP as dealer`), "
    "and `dealer` is always known"
)
IN_A_RULE = (
    "a definition does by its name (`worth of {name}: …`), a list by running through all of them "
    "(`({name} in … where …)`)"
)


class Names:
    """Resolves bare names, innermost scope first."""

    def __init__(self, env: Environment, uses: Uses) -> None:
        self.env = env
        self.uses = uses

    def name(self, node: ast.Name, scope: Scope, wanted: Type | None) -> ir.Expr:
        """The meaning of a name; among values of the same name, that of the expected type."""
        if node.id in scope.names:
            if node.id in scope.untested:
                return self._tested_number(node)
            return scope.names[node.id]
        name, env = node.name, self.env
        if name in CONSTANTS:
            return constant(*CONSTANTS[name], node.id)
        if env.is_lost(name, node.span):
            return unknown()
        wanted_value = find_value(env, name, wanted)
        if wanted_value is not None:
            return constant(wanted_value.index, wanted_value.type, node.id)
        if name in env.options:
            env.asked_options.add(name)
            return give(env, "option", env.options[name].type, node.id, name)
        if name in env.states:
            state = env.state_list[env.states[name]]
            owner = find_owner(env, state, node.id, node.span, scope) if state.of else None
            if state.of and owner is None:
                return unknown()
            kind = kind_of_place(owner, state.type)
            return ir.StateRef(type=kind, state=env.states[name], owner=owner, text=node.id)
        if name in env.zones:
            return find_zone(env, name, node.id, node.span, scope)
        if name in env.definitions and not self._is_value(name):
            return self.uses.alone(name, node, scope)
        if name == "players":
            return give(env, "players", NUMBER, "players")
        if name == "teams":
            return all_teams(env)
        if name == "deck":
            return give(env, "deck", CARDS, "deck")
        if op_named(name) is Op.OFFENDER and not env.called:
            return constant(None, maybe(SEAT), node.id)
        if name in WORDS and WORDS[name].spoken and not WORDS[name].takes:
            return apply(name, (), WORDS[name].gives, node.id)
        card = self._card(name, node, scope)
        if card is not None:
            return card
        values = env.values.get(name, [])
        if len(values) == 1:
            return constant(values[0].index, values[0].type, node.id)
        if len(values) > 1:
            kinds = ", ".join(f"`{v.type.name}`" for v in values)
            env.report.error(
                "unclear-value",
                f"`{name}` is a value of {kinds}; which is meant cannot be told here",
                node.span,
                hint="compare it with something of that kind, or rename one of the values",
            )
            return unknown()
        return self._unknown_name(name, node, scope)

    def _is_value(self, name: str) -> bool:
        """Whether a name alone is a value, although the game also defines `NAME of …`."""
        return bool(self.env.values.get(name)) and self.env.definitions[name].decl.pattern.form == "function"

    def _tested_number(self, node: ast.Name) -> ir.Expr:
        self.env.report.error(
            "number-tested",
            f"`{node.id}` is any number of a range, so no condition can test it",
            node.span,
            "not known when it is asked what is legal",
            hint="say with the bounds of the range what may be chosen, or choose from at most 64 numbers",
        )
        return unknown()

    def _card(self, name: str, node: ast.Name, scope: Scope) -> ir.Expr | None:
        env = self.env
        cards = find_copies(env, name)
        if not cards and name not in env.card_codes and name not in env.card_names:
            return None
        if not cards and not env.is_general:
            report_no_card(env, name, node.span)
            return unknown()
        if len(cards) > 1 and not scope.codes:
            self.env.report.error(
                "several-cards",
                f"the deck holds {len(cards)} cards `{name}`; which one is meant cannot be told",
                node.span,
                hint=f"`card is {name}` tests whether a card is one of them; "
                f"`(card in hand where card is {name})` lists them",
                fix=[
                    Fix(node.span, f"{other} is {name}", sure=False)
                    for other, held in scope.names.items()
                    if certain(held.type) == CARD
                ],
            )
            return unknown()
        return give(env, "card", CARD, node.id, name, 0 if scope.codes else ONLY)

    def _unknown_name(self, name: str, node: ast.Name, scope: Scope) -> ir.Expr:
        env = self.env
        if name in WORDS and WORDS[name].spoken:
            env.report.error(
                "word-alone", f"`{name}` is said of something: `{name} of …`", node.span, fix=say_of(name, node, scope)
            )
            return unknown()
        if name in ("team", "partner"):
            fixes = [Fix(node.span, f"{name} of {seat}", sure=len(scope.seats) == 1) for seat in scope.seats]
            env.report.error("word-alone", f"`{name}` is said of a seat: `{name} of …`", node.span, fix=fixes)
            return unknown()
        if name in env.attributes:
            held = [other for other, value in scope.names.items() if certain(value.type).name == name]
            said = f"`{held[-1]}` is the {name} spoken of here" if held else ""
            env.report.error(
                "word-alone",
                f"`{name}` is printed on cards; of which card?",
                node.span,
                hint=said or f"it is said of one: `{name} of top of {next(iter(env.zones))}`",
                fix=(*(Fix(node.span, other, sure=False) for other in reversed(held)), *say_of(name, node, scope)),
            )
            return unknown()
        for table, what in (
            (env.declared.actions, "an action"),
            (env.declared.steps, "a step"),
            (env.declared.choices, "a choice"),
        ):
            if name in table:
                hint = {
                    "an action": f"whether a seat could do it is asked with `seat can {name}` or `seat may {name}`",
                    "a step": f"a step is done: `do {name}`",
                    "a choice": f"a choice is made: `player chooses {name}`",
                }[what]
                env.report.error("not-a-value", f"`{name}` is {what}, not a value", node.span, hint=hint)
                return unknown()
        is_code = env.lacks_cards and re.fullmatch(r"\d*[A-Z][A-Za-z0-9]{0,3}", name)
        if scope.may_give(name) or is_code:
            env.report.unchecked.append(node.span)
            return unknown()
        if report_if_later(env, name, node.span):
            return unknown()
        if name in ("seat", "card"):  # not a typo: suggesting `seats` would change the meaning of the rule
            how = IN_A_STEP if name == "seat" and scope.where == "step" else IN_A_RULE.format(name=name)
            hint = f"nothing says which {name}: {how}"
            env.report.error("unknown-name", f"no `{name}` is known here", node.span, "which one?", hint=hint)
            return unknown()
        if name in ("a", "an") and node.span.source.text.startswith(" card ", node.span.end):
            env.report.error("article", "how many cards is said in figures", node.span, fix=(Fix(node.span, "1"),))
            return unknown()
        similar = env.similar(name, [*env.names(), *scope.names], node.span)
        spelled = _with_names(env, name)
        codes = [code for code in env.card_codes if sorted(code) in (sorted(name), sorted(spelled)) and code != name]
        people = ["seat"] if scope.subject is not None else list(env.declared.vocabulary.people)
        court = COURTS.get(name.lower().removesuffix("s"), "")
        if court in env.values:  # `jack` is not a typo of `pack`
            similar["fix"], similar["others"] = (Fix(node.span, court),), ()
        elif codes:
            similar["fix"] = tuple(Fix(node.span, code, sure=len(codes) == 1) for code in codes)
        elif name in ("player", "players", "he", "she", "they", "winner"):
            similar["fix"] = (*(Fix(node.span, one, sure=False) for one in people), *similar["fix"])
        env.report.error("unknown-name", f"no `{name}` is known here", node.span, "not declared anywhere", **similar)
        return unknown()


def _with_names(env: Environment, code: str) -> str:
    """A card code with a number replaced by its abbreviation in the deck: `10D` becomes `TD` if the ten is called T."""
    number = re.search(r"\d+", code)
    shorts = (values.get(number[0]) for values in env.declared.vocabulary.attributes.values()) if number else ()
    short = next((short for short in shorts if short), None)
    return code.replace(number[0], short) if number and short else code


def report_no_card(env: Environment, name: str, span: Span | None) -> None:
    """Report a card that the deck of a table lacks."""
    env.report.error(
        "unknown-name",
        f"the deck holds no card `{name}`",
        span,
        "not dealt with here",
        hint="it can be named under a condition with which it is in the deck; `card is …` tests for it everywhere",
    )


def say_of(name: str, node: ast.Name, scope: Scope) -> tuple[Fix, ...]:
    """Fixes that apply a word used alone to a name in scope."""
    spoken = [other for other, held in scope.names.items() if held.type.kind in ("card", "seat", "unknown")]
    sure = len(spoken) == 1 and name not in WORDS
    return tuple(Fix(node.span, f"{name} of {other}", sure) for other in reversed(spoken))


def find_copy(env: Environment, node: ast.Expr, scope: Scope, copies: dict[str, int]) -> ir.Expr | None:
    """Duplicates in a literal list of cards denote different copies: `(B, B)`."""
    if not isinstance(node, ast.Name) or not scope.codes or node.id in scope.names:
        return None
    cards = env.card_codes.get(node.id) or env.card_names.get(node.id)
    if not cards:
        return None
    taken = copies.get(node.id, 0)
    copies[node.id] = taken + 1
    if taken >= len(cards):
        env.report.error("several-cards", f"the deck holds only {len(cards)} of `{node.id}`", node.span)
        return unknown()
    return constant(cards[taken], CARD, node.id)


def find_value(env: Environment, name: str, wanted: Type | None) -> Value | None:
    """The value of this name in the expected type, if that is an enumeration or a scale which has one."""
    if wanted is None:
        return None
    kind = certain(wanted)
    return next((v for v in env.values.get(name, ()) if v.type == kind), None)


def is_value_name(env: Environment, node: ast.Expr, scope: Scope) -> bool:
    """Whether an expression is a bare name that denotes a value, and so needs an expected type."""
    if not isinstance(node, ast.Name) or node.id in scope.names:
        return False
    name = node.name
    tables = (env.options, env.states, env.zones, env.definitions)
    return name in env.values and not any(name in table for table in tables)


def report_if_later(env: Environment, name: str, span: Span) -> bool:
    """Whether a name is declared but not available yet, because options and deck are elaborated first; if so, report
    it."""
    declared = env.declared
    if not any(name in table for table in (declared.zones, declared.states, declared.definitions)):
        return False
    env.report.error(
        "not-constant",
        f"`{name}` has no value before the game begins",
        span,
        hint="what is fixed before the game begins may use options and `players`, nothing else",
    )
    return True
