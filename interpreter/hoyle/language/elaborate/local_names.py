"""Binding of local names: which names are allowed, and what they range over when no list is given.

In: the bound word, and the scope. Out: the list it ranges over; conflicting names are reported.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hoyle.base.diagnostics.report import Fix, Label
from hoyle.base.diagnostics.spelling import near_names
from hoyle.base.effort import spend
from hoyle.base.source import Span
from hoyle.language.elaborate.elaborator import Elaborator
from hoyle.language.elaborate.environment import TYPE_WORDS, Environment
from hoyle.language.elaborate.folding import apply, constant
from hoyle.language.elaborate.name_resolution import CONSTANTS
from hoyle.language.elaborate.places import each_member
from hoyle.language.elaborate.scope import Scope
from hoyle.language.elaborate.team_values import all_teams
from hoyle.language.elaborate.typing_rules import coerce, is_unknown, unknown
from hoyle.language.syntax import ast
from hoyle.language.syntax.source_text import written
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.types import CARDS, SEAT, SEATS, Type, certain, list_of
from hoyle.program.words import WORDS, Op

MOST_VALUES = 2_000
VALUES_IN_STEP = 50  # of a list of values, as work of a check


def check_free(env: Environment, word: ast.Word, scope: Scope, within: Span | None = None) -> None:
    """Report a local name that shadows another (decision S33). Exception: names in a module may shadow names that only
    the game declares, since the module cannot refer to them. `within` is the extent of the binding, for fixes that
    rename."""
    name = word.id
    if name in scope.names:
        hint = "use another name" if name != "seat" else "use another name: `for each rival in seats`"
        fixes = _rename(env, word, scope, within) if within is not None else ()
        env.report.error("name-taken", f"`{name}` already stands for something here", word.span, hint=hint, fix=fixes)
        return
    known = word.name
    declared = (
        known in env.options
        or known in env.states
        or known in env.zones
        or known in env.definitions
        or known in env.card_names
        or known in CONSTANTS
        or known in env.values
        or (known in WORDS and WORDS[known].spoken)
    )
    if known in TYPE_WORDS and known not in env.zones:
        return
    if declared and not is_foreign(word):
        place = env.place_of(known)
        env.report.error(
            "name-taken",
            f"`{name}` is already the name of something else",
            word.span,
            others=(Label(place, "declared here"),) if place else (),
            hint="use another name",
        )


def is_foreign(word: ast.Word) -> bool:
    """Whether a name occurs in a module that neither declares nor requires anything of that name."""
    own = word.span.source.own
    return own is not None and word.id not in own and word.id not in CONSTANTS and word.id not in WORDS


def _rename(env: Environment, word: ast.Word, scope: Scope, within: Span) -> list[Fix]:
    """Fixes that rename the bound name throughout its extent."""
    usual = ("other", "rival") if word.id == "seat" else ("other", "held")
    names = [name for name in usual if name not in scope.names and name not in set(env.names())]
    return [Fix(within, re.sub(rf"\b{re.escape(word.id)}\b", name, within.text), sure=False) for name in names]


def find_domain(env: Environment, word: ast.Word, scope: Scope) -> ir.Expr:
    """The list that `for each X` or `some X` ranges over when none is given."""
    name = word.name
    found = find_all(env, name, scope, word.span)
    if found is not None:
        return found
    if env.is_told(name, word.span):
        return unknown()
    env.report.error(
        "no-domain",
        f"`{name}` of what? it does not say what it runs over",
        word.span,
        hint=f"name a list: `{name} in …`",
        fix=_guess_domain(env, name, word, scope),
    )
    return unknown()


def list_each(env: Environment, word: ast.Word, scope: Scope) -> ir.Expr:
    """The elaboration of `each hand`, `each suit`, `each lane`: the list of all of them."""
    name = word.name
    found = find_all(env, name, scope, word.span)
    if found is not None:
        return found
    if env.is_told(name, word.span):
        return unknown()
    families = [zone.name for zone in env.zone_list if zone.of]
    known = [*families, *env.attributes, *env.declared.kinds, "seat", "team"]
    similar = env.similar(name, known, word.span)
    if not similar["fix"] and families:
        similar["hint"] = (f"there are several of {', '.join(f'`{one}`' for one in families)}",)
    env.report.error(
        "unknown-zone" if name not in env.zones else "no-values",
        f"`each` stands before what there are several of; there is only one `{name}`"
        if name in env.zones
        else f"`each {name}` needs a zone that every seat has, a kind or an attribute",
        word.span,
        **similar,
    )
    return unknown()


def find_all(env: Environment, name: str, scope: Scope, place: Span) -> ir.Expr | None:
    """All values that a name denotes, in order: seats, teams, the zones of a family, the values of a kind or
    attribute."""
    if name == "seat":
        return apply(Op.SEATS, (), SEATS, "seats")
    if name == "team":
        return all_teams(env)
    if name in env.zones and env.zone_list[env.zones[name]].of:
        return each_member(env, name, scope)
    return all_values(env, name, place) if env.is_spoken_kind(name) else None


def _guess_domain(env: Environment, name: str, word: ast.Word, scope: Scope) -> list[Fix]:
    """Fixes that give a list to range over: lists in scope, lists with a similar name, and usual zones."""
    here = [given for given, value in scope.names.items() if certain(value.type).kind == "list"]
    lists = [*env.zones, *env.states, *env.definitions]
    found = [Fix(word.span, f"{{}} in {near}", sure) for near, sure in near_names(name, lists, 2)]
    if name in ("player", "players", "seats", "person") and name not in env.names():  # else the body means it, too
        found.insert(0, Fix(word.span, "seat"))
    if name in ("card", "cards"):
        of_cards = [given for given in here if certain(scope.names[given].type) == CARDS]
        found = [Fix(word.span, f"card in {given}", sure=len(here) == 1) for given in of_cards] + found
        found += [Fix(word.span, f"card in {zone}", sure=False) for zone in env.declared.vocabulary.hands[:2]]
    said = name if name not in env.names() else "seat"
    versions = [Fix(fix.span, fix.text.format(one), fix.sure) for fix in found for one in dict.fromkeys((said, "seat"))]
    return list(dict.fromkeys(versions))


def all_values(env: Environment, name: str, place: Span) -> ir.Expr:
    """The values of an enumeration or a scale, in order; reported where they are too many for a list."""
    domain = env.domain_of(name)
    assert domain is not None
    kind, values = domain
    if len(values) > MOST_VALUES:
        env.report.error(
            "huge-number",
            f"`{name}` has {len(values):,} values, too many to go through one by one; {MOST_VALUES:,} are the most",
            place,
            hint="let it have fewer, or name a list of those that count",
        )
        return unknown()
    spend(len(values) // VALUES_IN_STEP)
    return constant(tuple(values), list_of(kind), f"any {name}")


def bind_each(elaborator: Elaborator, node: ast.Binding, scope: Scope) -> tuple[Scope, ir.Var, ir.Expr]:
    """The scope with the bound name, its variable, and the list it ranges over."""
    if node.source is not None:
        source = elaborator.listed(node.source, scope, "what a name runs over")
    else:
        source = find_domain(elaborator.env, node.word, scope)
    lost = is_unknown(source.type)
    if node.start is not None:
        start = elaborator.typed(node.start, scope, SEAT, "after `from`, this")
        source = coerce(elaborator.env, source, SEATS, node.span, "what `from` puts in order")
        source = apply(Op.AROUND, (source, start), SEATS, written(node))
    element = source.type.of or Type("unknown")
    if not lost:
        check_free(elaborator.env, node.word, scope, node.span)
    if lost:
        element = SEAT if node.word.id == "seat" else Type("unknown")
    inner, var = scope.variable(node.word.id, element)
    return replace(inner, blind=inner.blind or lost), var, source
