"""Reading of actions, choices, steps and end conditions.

In: entries of `actions:`, `choices:`, `ends:` and `steps:`. Out: their declarations.
"""

from __future__ import annotations

from typing import Literal

from hoyle.language.declare.calls import statements_in
from hoyle.language.declare.declarations import (
    ActionDecl,
    AnyCondition,
    ChoiceDecl,
    Declarations,
    EndDecl,
    Line,
    PickDecl,
    StepDecl,
    TierDecl,
)
from hoyle.language.declare.reader import Reader, keep
from hoyle.language.declare.reading_definitions import read_conditions, read_takes
from hoyle.language.declare.reading_parts import read_words
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar
from hoyle.language.syntax import ast


def read_action(reader: Reader, entry: Entry, declared: Declarations) -> None:
    node, name = entry.value, entry.key.text
    path = f"actions.{name}"
    line = reader.line(path, entry.key, node)
    if not isinstance(node, Mapping):
        return
    picks = []
    chosen = node.get("choose")
    if isinstance(chosen, Mapping):
        for one in chosen.entries:
            word = ast.Word(one.key.text, one.key.span)
            at = Line(f"{path}.choose.{one.key.text}", one.key.span, line.text, line.cite)
            picks.append(PickDecl(word, at, reader.parse("pick", one.value)))
    conditions: dict[str, tuple[AnyCondition, ...]] = {}
    for section in ("possible", "allowed", "forbidden"):
        found = node.entry(section)
        if found is not None:
            negated = section == "forbidden"
            conditions[section] = read_conditions(reader, f"{path}.{section}", found.key, found.value, negated=negated)
    do = node.get("do")
    statements = reader.parse("steps", do) if do is not None else ()
    declared.actions[name] = ActionDecl(
        name,
        line,
        tuple(picks),
        conditions.get("possible", ()),
        conditions.get("allowed", ()) + conditions.get("forbidden", ()),
        statements or (),
    )


def read_choice(reader: Reader, entry: Entry, declared: Declarations) -> None:
    tiers = []
    path = f"choices.{entry.key.text}"
    if isinstance(entry.value, Mapping):
        for one in entry.value.entries:
            if one.key.text in ("text", "cite"):
                continue
            line = reader.line(f"{path}.{one.key.text}", one.key, one.value)
            offer = one.value.get("offer") if isinstance(one.value, Mapping) else one.value
            when = one.value.get("when") if isinstance(one.value, Mapping) else None
            if offer is None:
                if not reader.report.may_lack(one.key.text) and not reader.report.tells(one.key.span):
                    reader.report.error(
                        "missing-key",
                        f"the tier `{one.key.text}` offers nothing",
                        one.key.span,
                        hint="add `offer:` with the actions",
                    )
                continue
            menu: ast.Menu | None = reader.parse("menu", offer)
            if menu is None:
                continue
            if len(menu.tiers) > 1:
                later = menu.tiers[1][0].action.span
                reader.report.error(
                    "tier-in-tier",
                    "`otherwise` begins another tier; write it as a line of its own",
                    later.to(menu.span),
                    "another tier",
                    hint=f"below this tier: `NAME: {{offer: {' '.join(later.to(menu.span).text.split())}}}`",
                )
            tiers.append(TierDecl(one.key.text, line, reader.expr(when) if when is not None else None, menu))
    line = reader.line(path, entry.key, entry.value)
    declared.choices[entry.key.text] = ChoiceDecl(entry.key.text, line, tuple(tiers))


def read_ends(reader: Reader, entry: Entry, declared: Declarations) -> None:
    step = ast.Word(entry.key.text, entry.key.span)
    node = entry.value
    found: list[tuple[str, Scalar, Node]] = []
    if isinstance(node, Scalar) or (isinstance(node, Mapping) and node.get("when") is not None):
        found.append((f"ends.{step.id}", entry.key, node))
    if isinstance(node, Mapping):  # a variant may have added named ends to an unnamed one
        named = [e for e in node.entries if e.name not in ("when", "waits_for", "text", "cite")]
        found.extend((f"ends.{step.id}.{e.key.text}", e.key, e.value) for e in named)
    for path, key, value in found:
        when = value.get("when") if isinstance(value, Mapping) else value
        test = reader.expr(when) if when is not None else None
        if test is not None:
            waits_for = read_words(value.get("waits_for")) if isinstance(value, Mapping) else None
            declared.ends.append(EndDecl(step, reader.line(path, key, value), test, waits_for))


def read_step(reader: Reader, entry: Entry, declared: Declarations) -> None:
    pattern = reader.pattern(entry.key)
    if pattern is None:
        return
    name = pattern.name.name
    line = reader.line(f"steps.{name}", entry.key, entry.value)
    if pattern.form not in ("plain", "function"):
        reader.report.error(
            "step-name",
            "a step is called `NAME` or `NAME of SOMETHING`",
            entry.key.span,
            hint="adjectives and relations stand under `definitions:`",
        )
        return
    cases = entry.value.get("cases") if isinstance(entry.value, Mapping) else None
    if isinstance(cases, Mapping):
        statements: tuple[ast.Statement, ...] | None = (_read_step_cases(reader, line, entry.key, cases),)
    else:
        do = entry.value.get("do") if isinstance(entry.value, Mapping) else entry.value
        statements = reader.parse("steps", do) if do is not None else None
    step = StepDecl(
        name,
        line,
        pattern,
        reader.owned(entry.value),
        read_takes(entry.value) if isinstance(entry.value, Mapping) else {},
        statements or (),
    )
    keep(declared.steps, name, step, reader.report)


def add_done_actions(declared: Declarations) -> None:
    """Derive a step from each action that statements do directly, instead of offering it. Its parameters are the seat
    and the action's picks; conditions of the action are not tested."""
    done = [one.step for unit in declared.units() for one in statements_in(unit.do) if isinstance(one, ast.Do)]
    for word in done:
        name = word.name
        action = declared.actions.get(name)
        if action is None or name in (*declared.steps, "match", "round"):
            continue
        params = tuple(pick.name for pick in action.picks)
        form: Literal["plain", "function"] = "function" if params else "plain"
        pattern = ast.Pattern(form, ast.Word(name, action.line.span), params, action.line.span)
        declared.steps[name] = StepDecl(name, action.line, pattern, True, {}, action.do, is_action=True)


def _read_step_cases(reader: Reader, line: Line, key: Scalar, node: Mapping) -> ast.Statement:
    """The cases of a step, as a single statement."""
    found = []
    for i, entry in enumerate(node.entries):
        clause = entry.value
        when_node = clause.get("when") if isinstance(clause, Mapping) else None
        do = clause.get("do") if isinstance(clause, Mapping) else clause
        when = reader.expr(when_node) if when_node is not None else None
        said = reader.line(f"{line.path}.{entry.key.text}", entry.key, clause)
        if when_node is None and i < len(node.entries) - 1:
            reader.report.error(
                "case-order",
                f"the case `{entry.key.text}` has no `when:`, so the cases below it are never reached",
                entry.key.span,
                hint="only the last case, which says what is done otherwise, has no `when:`",
            )
        statements = reader.parse("steps", do) if do is not None else None
        word = ast.Word(entry.key.text, entry.key.span)
        found.append(ast.StepCase(word, when, statements or (), said.text, said.cite))
    return ast.Cases(cases=tuple(found), span=key.span)
