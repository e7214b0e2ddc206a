"""Whole-file checks: names, citations, deals that run short, unused declarations.

In: an environment, and a program. Out: diagnostics.
"""

from __future__ import annotations

import re

from hoyle.base.diagnostics.report import Label, respell
from hoyle.base.diagnostics.spelling import with_article
from hoyle.base.source import Span
from hoyle.language.declare.calls import statements_in
from hoyle.language.declare.declarations import Declarations, KindDecl
from hoyle.language.declare.reader import CARD_NAME
from hoyle.language.elaborate.environment import Environment
from hoyle.language.elaborate.name_resolution import CONSTANTS
from hoyle.language.syntax import ast
from hoyle.language.syntax.reserved import RESERVED as CONNECTING
from hoyle.language.syntax.reserved import VERBS
from hoyle.program.ir import nodes as ir
from hoyle.program.ir.instructions import changes_holders
from hoyle.program.ir.parts import Use
from hoyle.program.words import WORDS, Op, applies

RESERVED = CONNECTING | {"players", "deck", "empty", "team", "teams", "partner"}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*")


def check_names(env: Environment) -> None:
    """Report names that are reserved by the language, or already taken."""
    declared = env.declared
    values: dict[str, tuple[str, Span]] = {}
    choices: dict[str, tuple[str, Span]] = {}
    tables = (
        ("option", {n: d.line.span for n, d in declared.options.items()}),
        ("attribute", {a.name: a.line.span for a in declared.deck.attributes} if declared.deck else {}),
        ("card", {r.name: r.name_at for r in declared.deck.rows if r.name} if declared.deck else {}),
        ("kind", {n: d.line.span for n, d in declared.kinds.items()}),
        ("column of a kind", {c: p for k in declared.kinds.values() for c, p in column_places(k).items()}),
        ("zone", {n: d.line.span for n, d in declared.zones.items()}),
        ("state", {n: d.line.span for n, d in declared.states.items()}),
        ("pot", {n: d.line.span for n, d in declared.pots.items()}),
        ("definition", {n: d.line.span for n, d in declared.definitions.items()}),
        ("action", {n: d.line.span for n, d in declared.actions.items()}),
        ("choice", {n: d.line.span for n, d in declared.choices.items()}),
    )
    for kind, table in tables:
        seen = choices if kind in ("action", "choice") else values  # separate namespaces: menus name only these two
        for name, span in table.items():
            _check_name(env, kind, name, span)
            is_apart = kind == "definition" and name in declared.states and _form(env, name) == "adjective"
            if name in seen and not is_apart:
                other, place = seen[name]
                env.report.error(
                    "name-taken",
                    f"`{name}` is both {with_article(other)} and {with_article(kind)}",
                    span,
                    f"{with_article(kind)}",
                    others=(Label(place, with_article(other)),),
                    hint="one name, one meaning: rename one of them",
                )
                env.reported.add(name)
            seen.setdefault(name, (kind, span))
    _check_values(env, values)
    if declared.deck and declared.deck.starts_in is not None and declared.deck.starts_in.id not in declared.zones:
        word = declared.deck.starts_in
        env.report.error(
            "unknown-zone",
            f"no zone named `{word.id}`",
            word.span,
            "not declared under `zones:`",
            **env.similar(word.id, declared.zones, word.span, "zones"),
        )
    for code in env.card_codes:
        if code in values and values[code][0] != "card":
            other, place = values[code]
            env.report.error(
                "name-taken",
                f"`{code}` is the code of a card and {with_article(other)}",
                place,
                hint="give the card another `short:`, or rename the other",
            )
    for name, line in declared.needs.items():
        known = name in declared.definitions or name in declared.steps or name in env.attributes
        if not known and name not in env.reported:
            env.reported.add(name)
            env.report.error(
                "need-unmet",
                f"`{name}` is needed by a module the game uses, but the game does not define it",
                declared.line.span if declared.line else line.span,
                others=(Label(line.span, "needed here"),),
                hint=f"add it under `definitions:`, as `{' '.join(line.span.text.split())}: …`",
            )


def column_places(kind: KindDecl) -> dict[str, Span]:
    """The location where each column of a kind is first filled."""
    return {name: next(iter(cells.values())).span for name, cells in kind.columns.items()}


def _check_values(env: Environment, taken: dict[str, tuple[str, Span]]) -> None:
    """Check the names of the values of options, attributes and kinds."""
    declared = env.declared
    named = [(f"a value of the option `{o.name}`", o.values, o.places) for o in declared.options.values()]
    for attribute in declared.deck.attributes if declared.deck else ():
        if attribute.name == CARD_NAME:  # these names are the cards' own
            continue
        named.append((f"a value of `{attribute.name}`", attribute.values or (), attribute.places))
    named += [(f"a value of `{kind.name}`", kind.values or (), kind.places) for kind in declared.kinds.values()]
    for what, values, places in named:
        for value in values:
            place = places[value]
            if not NAME.fullmatch(value):
                env.report.error(
                    "bad-name",
                    f"`{value[:40]}` cannot be the name of a value",
                    place,
                    hint="numbers are declared as a range: `1..9`"
                    if value.isdecimal()
                    else "a name begins with a letter and holds letters, digits and `_`",
                )
                break
            if value in RESERVED or value in CONSTANTS or (value in WORDS and WORDS[value].spoken):
                _report_reserved(env, value, f"`{value}` is a word of the language; {what} cannot bear it", place)
            elif value in taken and _form(env, value) != "function":
                other, there = taken[value]
                env.report.error(
                    "name-taken",
                    f"`{value}` is {with_article(other)} and {what}",
                    place,
                    others=(Label(there, with_article(other)),),
                    hint="one name, one meaning: rename one of them",
                )


def _form(env: Environment, name: str) -> str:
    """How a definition is used: `card is trump` is told from the state, `coins of seat` from the suit."""
    definition = env.declared.definitions.get(name)
    return definition.pattern.form if definition is not None else ""


def _report_reserved(env: Environment, name: str, message: str, span: Span) -> None:
    """Report a reserved name. The built-in word keeps its meaning; follow-up errors about the name are suppressed."""
    env.report.error("reserved-name", message, span, hint="choose another name")
    env.reported.add(name)


def _check_name(env: Environment, kind: str, name: str, span: Span) -> None:
    if not NAME.fullmatch(name):
        env.report.error(
            "bad-name",
            f"`{name[:40]}` cannot be the name of {with_article(kind)}",
            span,
            hint="a name begins with a letter and holds letters, digits and `_`",
        )
    elif name in RESERVED or name in CONSTANTS or (name in WORDS and WORDS[name].spoken):
        _report_reserved(env, name, f"`{name}` is a word of the language; {with_article(kind)} cannot bear it", span)
    elif kind == "state" and name in VERBS:
        _report_reserved(env, name, f"`{name}` begins a statement, so a state cannot bear this name", span)
    elif kind == "zone" and name in ("card", "cards", "seat", "seats"):
        _report_reserved(env, name, f"`{name}` is the name of a type; a zone cannot bear it", span)


# ------------------------------------------------------------------------------------------------ citations
def check_citations(env: Environment) -> None:
    """Check that every cited rule exists. (That every rule is cited is a test of the shipped games.)"""
    declared = env.declared
    words = list(declared.cited)
    for unit in declared.units():
        for statement in statements_in(unit.do):
            words.extend(statement.cite)
    for word in words:
        if not re.fullmatch(r"[A-Z]+-[A-Z]?[0-9]+[a-z]?", word.id):
            env.report.error(
                "bad-citation",
                f"`{word.id}` is not the number of a rule",
                word.span,
                hint="a citation names rules like `[BONUS-7]`, or several: `[BONUS-7, BONUS-8]`",
            )
        elif declared.rules_known and word.id not in declared.rules:
            env.report.error(
                "unknown-rule",
                f"there is no rule `{word.id}`",
                word.span,
                "neither in rules.yaml nor under `rulings:`" if declared.parents else "not in rules.yaml",
                hint=f"a rule of this variant stands in its `rulings:`: `{word.id}: …`" if declared.parents else (),
                fix=respell(word.span, word.id, declared.rules),
            )


# ------------------------------------------------------------------------------------------------ deals
def check_deals(program: ir.Program, env: Environment) -> None:
    """Check that a deal right after a gather cannot run short, where its size is known statically."""
    for block in program.blocks:
        left: int | None = None
        for instruction in block.instructions:
            if Use.GATHERED in instruction.uses.values():
                left = len(program.cards)
            elif isinstance(instruction, ir.Deal):
                needed = _needed(instruction, program.players)
                if left is not None and needed is not None:
                    if needed > left and not instruction.up_to:
                        count = instruction.count.number if isinstance(instruction.count, ir.Const) else needed
                        zones = needed // max(1, count)
                        more = f"each of {zones} zones gets so many; " if zones > program.players + 1 else ""
                        env.report.error(
                            "deal-short",
                            f"this deals {needed} cards to {program.players} players, but only {left} are left",
                            env.lines[instruction.clause].span,
                            f"needs {needed} of {left}",
                            hint=f"{more}deal fewer, allow fewer players, or say `deal up to …`",
                        )
                    left -= needed
                elif not instruction.up_to:
                    left = None
            elif changes_holders(instruction):
                left = None


def _needed(deal: ir.Deal, players: int) -> int | None:
    if not isinstance(deal.count, ir.Const) or deal.count.value is None:
        return None
    if isinstance(deal.targets, ir.Those):
        source = deal.targets.source
        if applies(source, Op.AROUND):
            source = source.args[0]  # in dealing order
        if isinstance(source, ir.Const) or applies(source, Op.SEATS):
            return deal.count.number * (len(source.elements) if isinstance(source, ir.Const) else players)
    return None  # to how many is known only then


# ------------------------------------------------------------------------------------------------ unused
def _who_plays(env: Environment) -> str:
    """What the game calls a player, for hints."""
    return next((name for name in env.declared.vocabulary.people if name != "dealer"), "player")


def _list_offered(declared: Declarations) -> tuple[set[str], set[str]]:
    """The actions and the choices that statements offer."""
    statements = [one for unit in declared.units() for one in statements_in(unit.do)]
    menus = [one.menu for one in statements if isinstance(one, ast.Choose | ast.Offer)]
    named = {item.action.name for menu in menus for tier in menu.tiers for item in tier}
    chosen = named & declared.choices.keys()
    inner = [tier.offer for name in chosen for tier in declared.choices[name].tiers]
    return named | {item.action.name for menu in inner for part in menu.tiers for item in part}, chosen


def check_unused(env: Environment) -> None:
    """Report actions, steps and choices of the game's own file that are never used. Skipped in files with errors, which
    may be the cause."""
    if env.report.failed:
        return
    declared = env.declared
    home = declared.line.span.source if declared.line else None

    offered, chosen = _list_offered(declared)

    def own(span: Span) -> bool:
        return span.source is home

    for name, action in declared.actions.items():
        if name not in offered and own(action.line.span):
            env.report.error(
                "never-offered",
                f"the action `{name}` is never offered",
                action.line.span,
                hint=f"offer it: `{_who_plays(env)} chooses … or {name}`, or in a tier of `choices:`"
                + ("; what is only done is a step: declare it under `steps:`" if name in declared.steps else ""),
            )
    done = {s.step.name for unit in declared.units() for s in statements_in(unit.do) if isinstance(s, ast.Do)}
    for name, step in declared.steps.items():
        if name not in done and name != "match" and own(step.line.span):
            env.report.error(
                "never-done", f"the step `{name}` is never done", step.line.span, hint=f"`do {name}` somewhere"
            )
    for name, choice in declared.choices.items():
        if name not in chosen and own(choice.line.span):
            env.report.error(
                "never-offered",
                f"the choice `{name}` is never offered",
                choice.line.span,
                hint=f"`{_who_plays(env)} chooses {name}`",
            )
