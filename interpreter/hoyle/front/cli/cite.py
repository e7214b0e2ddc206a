"""`hoyle cite`: looks up numbered rules.

In: the number of a rule, optionally its game. Out: the text of the rule, its place in the rulebook, the clauses and
examples that cite it. In: words instead. Out: the rules whose text contains them.
"""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

import hoyle
from hoyle.authoring import testing
from hoyle.base import shipped
from hoyle.base.diagnostics.render import shown_path
from hoyle.base.diagnostics.report import Report
from hoyle.base.diagnostics.spelling import nearest
from hoyle.front.cli.common import find_game_file, json_option
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import Problem
from hoyle.language.compile import declare
from hoyle.language.declare.calls import statements_in
from hoyle.language.declare.declarations import Declarations
from hoyle.language.document.merging import RULES_FILE, load_file, read_rules
from hoyle.language.document.nodes import Mapping, Node, Scalar
from hoyle.program.ir.nodes import Rule

STATUS = {
    "stated": "the booklet says so",
    "follows": "it follows from what the booklet says",
    "ruling": "a ruling: the booklet is silent or unclear",
}
MOST_SHOWN = 12
MOST_FOUND = 20


@click.command("cite", epilog="Example: hoyle cite CRIB-10; hoyle cite heels")
@click.argument("rule")
@click.argument("game", required=False, shell_complete=complete_game)
@json_option
def command(rule: str, game: str | None, as_json: bool) -> None:
    """Print the rule with the number RULE: in our words, where the booklet has it, and what cites it. Words instead of
    a number list the rules that have them.

    GAME says whose rules are meant; when not given, those of the present folder and of all shipped games are searched.
    """
    if game is not None and shipped.find_game(game) is None and shipped.find_game(rule) is not None:
        rule, game = game, rule  # accept swapped arguments: other commands take the game first
    number = rule.strip().strip("[]").upper()
    width = min(100, shutil.get_terminal_size((88, 24)).columns)
    if not _is_number(number):
        found = _search(rule, find_game_file(game) if game is not None else None)
        click.echo(json.dumps(found, ensure_ascii=False, indent=2) if as_json else "\n".join(_list_found(found, width)))
        return
    path = find_game_file(game) if game is not None else _find_by_rule(number)
    declared = _read(path)
    cited = declared.rules.get(number)
    if cited is None:
        raise Problem(_say_unknown(number, list(declared.rules), f"`{declared.name}`"))
    if as_json:
        known = {**asdict(cited), "game": declared.name, "cited": _find_citing(cited, declared)}
        known["shown_by"] = _find_examples(cited, path)
        click.echo(json.dumps(known, default=str, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_tell(cited, declared, path, width)))


def _read(path: Path) -> Declarations:
    report = Report()
    file = load_file(path, report)
    declared = declare(file, report) if file is not None else None
    if declared is None or report.failed:
        raise hoyle.RuleFileError(report)
    return declared


def _is_number(rule: str) -> bool:
    """Whether a text looks like the number of a rule: letters and digits without spaces."""
    return any(sign.isdigit() for sign in rule) and any(sign.isalpha() for sign in rule) and " " not in rule


def _search(words: str, path: Path | None) -> dict[str, str]:
    """Find the rules whose text contains all words, ignoring case and a plural `s`."""
    wanted = [re.compile(rf"\b{re.escape(word.removesuffix('s'))}s?\b", re.I) for word in words.split()]
    if path is not None:
        known = {rule.id: rule.text for rule in _read(path).rules.values()}
    else:
        known = {number: text for _, rules in _list_rules() for number, text in rules.items()}
    found = [number for number, text in known.items() if wanted and all(word.search(text) for word in wanted)]
    if not found:
        raise Problem(f"no rule has `{words[:40]}` in its text")
    return {number: " ".join(known[number].split()) for number in found}


def _list_found(found: dict[str, str], width: int) -> Iterator[str]:
    for number in list(found)[:MOST_FOUND]:
        yield from textwrap.wrap(f"{number}: {found[number]}", width, subsequent_indent="  ")
    if len(found) > MOST_FOUND:
        yield f"and {len(found) - MOST_FOUND} more; name the game, or more words"


def _list_rules() -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield the folders that have numbered rules, the working directory first, with the texts of the rules."""
    for folder in dict.fromkeys((Path().resolve(), *(path.parent for path in shipped.all_games()))):
        if (folder / RULES_FILE).is_file():
            rules, _ = read_rules([folder], Report())
            yield folder, {entry.name: _text_of(entry.value) for entry in rules or ()}


def _text_of(rule: Node) -> str:
    said = rule.get("text") if isinstance(rule, Mapping) else rule
    return said.text if isinstance(said, Scalar) else ""


def _find_by_rule(number: str) -> Path:
    """Find a game in a folder that has a rule of this number, preferring the one with the shortest file name, which is
    usually the parent of the others."""
    known: list[str] = []
    for folder, rules in _list_rules():
        known += rules
        games = sorted(folder.glob("*" + shipped.GAME_SUFFIX), key=lambda path: len(path.name))
        if number in rules and games:
            return games[0]
    raise Problem(_say_unknown(number, known, "any game here"))


def _say_unknown(number: str, known: list[str], where: str) -> str:
    near = nearest(number, known)
    return f"no rule `{number[:40]}` in {where}" + (f"; did you mean `{near}`?" if near else "")


def _tell(rule: Rule, declared: Declarations, path: Path, width: int) -> Iterator[str]:
    yield f"{rule.id}, {declared.title}"
    yield from textwrap.wrap(" ".join(rule.text.split()), width, initial_indent="  ", subsequent_indent="  ")
    place = f"{rule.place}; " if rule.place else ""
    yield from textwrap.wrap(f"In the booklet: {place}{STATUS[rule.status]}.", width, subsequent_indent="  ")
    yield from _list("Cited at", _find_citing(rule, declared))
    yield from _list("Shown by", _find_examples(rule, path))


def _find_citing(rule: Rule, declared: Declarations) -> list[str]:
    inside = [word for unit in declared.units() for one in statements_in(unit.do) for word in one.cite]
    places = {
        (word.span.source.name, word.span.line) for word in (*declared.cited, *inside) if word.id == rule.id
    }
    return [f"{name}:{line}" for name, line in sorted(places)]


def _find_examples(rule: Rule, path: Path) -> list[str]:
    return [
        f"{shown_path(tests.path)}:{example.line} {example.name}"
        for tests in testing.find_tests([path])
        for example in tests.examples
        if rule.id in example.cites
    ]


def _list(heading: str, items: list[str]) -> Iterator[str]:
    if items:
        yield f"{heading}:"
        yield from (f"  {item}" for item in items[:MOST_SHOWN])
        if len(items) > MOST_SHOWN:
            yield f"  and {len(items) - MOST_SHOWN} more"
