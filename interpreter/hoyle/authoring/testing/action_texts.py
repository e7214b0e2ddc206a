"""Resolves the texts of actions in examples.

In: a text such as `play C7` or `name any`. Out: the legal actions that it matches, or a diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hoyle.authoring.testing.scenes import Scene
from hoyle.authoring.testing.vocabulary import Vocabulary, suggest_code
from hoyle.base.diagnostics.report import did_you_mean
from hoyle.base.source import Span
from hoyle.play.engine.actions import ANY, DECLINE, Action, match_text, type_of_pick
from hoyle.play.view.names import Names
from hoyle.program.ir import nodes as ir

_MOST_SHOWN = 30
_NUMBERS = re.compile(r"-?\d+(\.\.-?\d+)?")


def check_text(words: Vocabulary, text: str, span: Span) -> bool:
    """Whether the text names an existing action and existing cards and values; report what does not exist."""
    parts = text.replace("+", " ").split()
    name = parts[0] if parts else ""
    if name == DECLINE:
        return True
    actions = {action.name: action for action in words.program.actions}
    if name not in actions:
        words.report.error(
            "unknown-action", f"no action named `{name}`", span,
            hint=did_you_mean(name, actions) or (f"there are {', '.join(f'`{each}`' for each in actions)}",),
        )  # fmt: skip
        return False
    action = actions[name]
    if len(parts) - 1 > len(action.picks) and not any(type_of_pick(pick).kind == "list" for pick in action.picks):
        form = " ".join([name, *(f"<{pick.name}>" for pick in action.picks)])
        words.report.error("bad-action", f"`{text}` says more than `{name}` asks for", span, hint=f"write `{form}`")
        return False
    known = _list_known(words)
    for part in parts[1:]:
        plain = part.partition("@")[0].casefold()
        if plain not in known and not _NUMBERS.fullmatch(plain) and not plain.startswith("#"):
            asks_cards = any(type_of_pick(pick).kind in ("card", "list") for pick in action.picks)
            code, what = ("unknown-card", "card or value") if asks_cards else ("bad-action", "value")
            words.report.error(
                code, f"the game has no {what} `{part}`", span, hint=suggest_code(part, known.values())
            )
            return False
    return True


def _list_known(words: Vocabulary) -> dict[str, str]:
    """Map every word that can follow the name of an action, case-folded, to its spelling."""
    zones = [words.names.spell_zone(zone) for zone in range(len(words.names.zones))]
    values = [value for enum in words.program.enums for value in enum.values]
    values += [name for scale in words.program.scales for name in scale.names.values()]
    every = [*words.copies, *values, *zones, ANY, "true", "false", "nothing", "none"]
    return {word.casefold(): word for word in every}


def expand_any(program: ir.Program, text: str) -> list[str]:
    """Expand `any` into every value of its pick, if these are known statically: the example then claims all of them."""
    parts = text.split()
    action = next((each for each in program.actions if parts and each.name == parts[0]), None)
    if action is None or len(parts) - 1 != len(action.picks) or ANY not in parts[1:]:
        return [text]
    names = Names(program)
    texts = [[parts[0]]]
    for pick, part in zip(action.picks, parts[1:], strict=True):
        values = [part]
        if part == ANY and pick.type.name and isinstance(pick.source, ir.Const) and pick.where is None:
            values = [names.spell_value(pick.type, value) for value in pick.source.elements]
        texts = [[*before, value] for before in texts for value in values]
    return [" ".join(words) for words in texts]


def find_meant(program: ir.Program, actions: Sequence[Action], text: str) -> list[Action]:
    """Return the legal actions that a text matches; empty if one of the texts it expands to matches none."""
    found: list[Action] = []
    for each in expand_any(program, text):
        meant = match_text(actions, each)
        if not meant:
            return []
        found += meant
    return found


def list_choices(actions: Sequence[Action]) -> str:
    """Format the legal actions as lines."""
    lines = ["legal here:", *(f"  {action.text}" for action in actions[:_MOST_SHOWN])]
    more = len(actions) - _MOST_SHOWN
    return "\n".join([*lines, f"  and {more} more"] if more > 0 else lines)


def tell_where_offered(scene: Scene, text: str) -> tuple[str, ...]:
    """Make a hint for an action that the current decision does not offer: a step in which it is offered."""
    program = scene.game.program
    decide = scene.match.executor.find_decide(scene.match.position)
    name = text.partition(" ")[0]

    def is_offered(decision: int) -> bool:
        items = [item for tier in program.decisions[decision].tiers for item in tier.items]
        return any(program.actions[item.action].name == name for item in items)

    if decide is None or is_offered(decide.decision):
        return ()
    ends = [block.end for block in program.blocks]
    asking = [end for end in ends if isinstance(end, ir.Decide) and is_offered(end.decision)]
    paths = {program.clauses[end.clause].path for end in asking}
    steps = [step.name for step in program.steps if any(f"{path}.".startswith(f"steps.{step.name}.") for path in paths)]
    if not steps:
        return ()
    return (f"`{name}` is offered in the step `{steps[0]}`: `given: {{at: {steps[0]}, …}}` begins there",)
