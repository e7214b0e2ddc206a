"""Labels: how a game is displayed, in its own language and in others.

In: declarations of labels. Out: `Labels` for each language; labels of unknown names are reported.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from hoyle.base.diagnostics.report import Fix, respell
from hoyle.base.diagnostics.spelling import near_names
from hoyle.base.source import Span
from hoyle.language.declare.declarations import AttributeDecl, LabelsDecl
from hoyle.language.elaborate.deck import name_value, write_value
from hoyle.language.elaborate.environment import Environment
from hoyle.program.ir import nodes as ir

# Placeholders allowed in messages about actions, besides their picks and `from`, and about cards entering a zone.
TOLD_PLACES = ("cards", "origin", "to")
TOLD_OF_STATE = ("value",)


def build_labels(env: Environment) -> tuple[ir.Labels, ...]:
    """The labels of every language, checked against the declarations."""
    return tuple(_build(env, language, decl) for language, decl in env.declared.labels.items())


def _build(env: Environment, language: str, decl: LabelsDecl) -> ir.Labels:
    picks = (p.name.id for a in env.declared.actions.values() for p in a.picks)
    known: dict[str, Collection[str]] = {
        "actions": env.actions,
        "told": dict.fromkeys((*env.actions, *env.zones, *env.states)),
        "zones": env.zones,
        "states": env.states,
        "values": dict.fromkeys((*env.values, *picks)),
        "cards": dict.fromkeys((*env.card_names, *env.card_codes)),
    }
    for section, names in known.items():
        for name, (_, span) in decl.said[section].items():
            _check(env, name, names, section, span)
    for name, (template, span) in decl.said["told"].items():
        _check_told(env, name, template, span)
    for name, (said, span) in decl.options.items():
        option = env.declared.options.get(name)
        _check(env, name, env.declared.options, "options", span)
        for value, (_, at) in said.items() if option is not None else ():
            if value != "text" and option is not None:
                _check(env, value, option.values, f"values of `{name}`", at)

    def plain(section: str) -> dict[str, str]:
        return {name: text for name, (text, _) in decl.said[section].items()}

    written = _write_attributes(env, decl)
    return ir.Labels(
        language=language,
        title=decl.title,
        cards=_write_cards(env, decl, written),
        actions=plain("actions"),
        zones=plain("zones"),
        states=plain("states"),
        values=_write_numbers(env, decl) | plain("values"),
        messages=plain("messages"),
        told=plain("told"),
        written=written,
    )


def _check(env: Environment, name: str, known: Collection[str], what: str, span: Span) -> None:
    """Report a label of an unknown name, in the game's own file only: a parent may label what a variant removes."""
    home = env.declared.line.span.source if env.declared.line else None
    if name not in known and span.source is home:
        listed = ", ".join(f"`{one}`" for one in list(known)[:12])
        env.report.error(
            "unknown-label",
            f"there is no `{name}` among the {what} that could have a label",
            span,
            hint=(f"there are {listed}",) if known else (),
            fix=respell(span, name, known),
        )


def _check_told(env: Environment, told: str, template: str, span: Span) -> None:
    """Report a placeholder that the action, zone or state does not have."""
    declared = env.declared.actions.get(told)
    if declared is not None:
        known = [*(pick.name.id for pick in declared.picks), *TOLD_PLACES, "from"]
    elif told in env.zones:
        known = [*TOLD_PLACES]
    elif told in env.states:
        known = [*TOLD_OF_STATE]
    else:
        return
    if not template.strip():
        env.report.error(
            "unknown-label",
            f"no words are given for `{told}`",
            span,
            hint="leave the line out; of zones that `table:` puts `away`, and states it does not list, nothing is told",
        )
    for name in re.findall(r"\{([^{}]*)\}", template):
        if name not in known:
            fixes = [Fix(span, span.text.replace(f"{{{name}}}", f"{{{near}}}")) for near, _ in near_names(name, known)]
            listed = ", ".join(f"`{{{one}}}`" for one in known)
            env.report.error(
                "unknown-label",
                f"`{{{name}}}` stands for nothing that `{told}` has",
                span,
                hint=f"it may hold {listed}",
                fix=fixes,
            )


def _write_attributes(env: Environment, decl: LabelsDecl) -> dict[str, tuple[str, ...]]:
    """For each attribute its abbreviation in the code of each card."""
    deck = env.declared.deck
    assert deck is not None
    names = [attribute.name for attribute in deck.attributes]
    for name, (_, span) in decl.codes.items():
        _check(env, name, names, "attributes", span)
    return {
        attribute.name: _write_attribute(env, attribute, printed.table, decl)
        for attribute, printed in zip(deck.attributes, env.attribute_list, strict=True)
    }


def _write_attribute(
    env: Environment, attribute: AttributeDecl, table: tuple[int | None, ...], decl: LabelsDecl
) -> tuple[str, ...]:
    """The abbreviation of an attribute on each card, in the language; labels are keyed by its abbreviation or name."""
    said, _ = decl.codes.get(attribute.name, ({}, None))
    printed = (value for value in dict.fromkeys(table) if value is not None)
    values = list(printed if attribute.values is None else range(len(attribute.values)))
    own = {value: write_value(attribute, value) for value in values}
    names = {value: name_value(attribute, value) for value in values}
    for name, (_, span) in said.items():
        _check(env, name, (*own.values(), *names.values()), f"values of `{attribute.name}`", span)
    forms = {value: said.get(names[value], said.get(own[value], (own[value], None)))[0] for value in values}
    return tuple("" if value is None else forms[value] for value in table)


def _write_numbers(env: Environment, decl: LabelsDecl) -> dict[str, str]:
    """Labels of the named numbers of scales: a rank by itself is written as on cards."""
    found = {}
    for scale in env.scales.values():
        said, _ = decl.codes.get(scale.name, ({}, None))
        for number, name in scale.names.items():
            label, _ = said.get(name) or said.get(number) or (name, None)
            if label != name:
                found[name] = label
    return found


def _write_cards(env: Environment, decl: LabelsDecl, written: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """How each card is written: by its own label, or composed of the abbreviations of its attributes."""
    own = decl.said["cards"]
    found = []
    for number, card in enumerate(env.cards):
        label = own.get(card.name) or own.get(card.code)
        if label is not None or card.name:
            found.append(label[0] if label else card.code)
        else:
            found.append("".join(forms[number] for name, forms in written.items() if name in env.coded))
    return tuple(found)
