"""Works out an expression of the rule language at a position of a game.

In: the rules for a table, an expression, a position. Out: its value as text; for a score table also its rows.

Definitions can also be called in function syntax: `worth(C7 C8, C9)` stands for `worth of ((C7, C8), C9)`. Trailing
arguments that may be none can be omitted.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from hoyle.authoring.testing.placing import place
from hoyle.authoring.testing.scenes import Scene
from hoyle.authoring.testing.tables import Table
from hoyle.authoring.testing.working import WorkedRow, work_out_table
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Source
from hoyle.language.document.reading import read_nodes
from hoyle.language.queries import Query, read_expression, text_span
from hoyle.language.specialise import Specialised
from hoyle.play.engine.game import Game, Match
from hoyle.play.view.names import Names
from hoyle.play.view.running_count import count_aloud
from hoyle.program.ir.types import certain

_TOGETHER = "\N{NO-BREAK SPACE}"
_CALL = re.compile(r"(?<![A-Za-z0-9_.])([a-z][a-z0-9_.]*)\(")


def set_position(
    rules: Specialised, seed: int, given: str | None, moves: Sequence[str], report: Report
) -> Match | None:
    """A match from a seed, with choices made or with a position set up as in examples; None if it cannot be."""
    table = Table(rules, Game(rules.recording))
    match = table.game.new(seed)
    for move in moves:
        match.apply(move)
    if given is None:
        return match
    lines = "\n".join(part.strip() for part in given.split(";"))
    root = read_nodes(Source("POSITION", lines), report)
    if root is None:
        return None
    scene = Scene(table, match)
    place(scene, root)
    for found in scene.report.ordered():
        report.add(found)
    return None if scene.failed else match


def work_out(
    rules: Specialised, match: Match, expression: str, seat: int | None, report: Report, width: int = 80
) -> list[str]:
    """The value of an expression, as lines; none of them if it does not compile."""
    span = text_span(translate_calls(rules, expression), "EXPR")
    query = read_expression(rules, span, report, seat=seat is not None)
    return [] if query is None else list(_show_value(rules, match, query, seat, width))


# ------------------------------------------------------------------------------------------------ calls
def translate_calls(rules: Specialised, text: str) -> str:
    """Translate calls of definitions in function syntax, `name(a b, c)`, to those of the rule language,
    `name of ((a, b), c)`."""
    definitions = rules.elaborator.env.declared.definitions
    functions = {name: each for name, each in definitions.items() if each.pattern.form == "function"}
    codes = set(rules.elaborator.env.card_codes)
    for found in _CALL.finditer(text):
        end = _find_close(text, found.end())
        if found.group(1) in functions and end is not None:
            arguments = [_write_argument(part, codes) for part in _split(text[found.end() : end])]
            left_out = functions[found.group(1)].pattern.params[len(arguments) :]
            takes = functions[found.group(1)].takes
            if all(takes.get(word.id, "").endswith(" or none") for word in left_out):
                arguments += ["none"] * len(left_out)
            inner = arguments[0] if len(arguments) == 1 else f"({', '.join(arguments)})"
            rest = translate_calls(rules, text[end + 1 :])
            return f"{text[: found.start()]}{found.group(1)} of {translate_calls(rules, inner)}{rest}"
    return text


def _find_close(text: str, start: int) -> int | None:
    """Find the parenthesis that closes the one opened before `start`."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return None


def _split(text: str) -> list[str]:
    """Split a text at its top-level commas."""
    parts, depth = [""], 0
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _write_argument(text: str, codes: set[str]) -> str:
    words = text.split()
    if len(words) > 1 and all(word in codes for word in words):
        return f"({', '.join(words)})"
    return text if len(words) == 1 or text.startswith("(") else f"({text})"


# ------------------------------------------------------------------------------------------------ values
def _show_value(
    rules: Specialised, match: Match, query: Query, seat: int | None, width: int
) -> Iterator[str]:
    """Format the value, followed by the rows if it is a score table."""
    evaluator, position = match.executor.evaluator, match.position
    frame = [seat, *[None] * query.frame]
    value = evaluator.evaluate(query.expr, position, frame)
    names = match.game.names
    kind = certain(query.expr.type)
    if kind.kind == "zone" and value is not None:
        yield _name_cards(names, tuple(position.zones[value]))
    elif kind.kind == "list" and kind.of is not None and certain(kind.of).kind == "card":
        yield _name_cards(names, value or ())
    else:
        yield names.name_value(query.expr.type, value)
    yield from _show_rows(work_out_table(rules.program, match, query, seat), width)


def _show_rows(worked: list[WorkedRow], width: int) -> Iterator[str]:
    """Format the scoring rows of a score table: label, amount, groups of cards, rules cited; and the spoken count."""
    margin = max((len(row.label) for row in worked), default=0)
    for row in worked:
        cited = f"[{', '.join(row.cite)}]" if row.cite else ""
        head = f"  {row.label:<{margin}}  {row.amount:>3}  "
        groups = ", ".join(group.replace(" ", _TOGETHER) for group in row.groups)
        yield from _fold(f"{head}{groups} {cited}" if groups else head + cited, len(head), width)
    if worked:
        yield from _fold(f"  {count_aloud([(row.call, row.parts) for row in worked])}", 2, width)


def _name_cards(names: Names, cards: tuple[int, ...]) -> str:
    return " ".join(names.name_card(card) for card in cards) or "nothing"


def _fold(line: str, indent: int, width: int) -> list[str]:
    lines = textwrap.wrap(line, max(width, indent + 20), subsequent_indent=" " * indent, break_on_hyphens=False)
    return [each.replace(_TOGETHER, " ") for each in lines]
