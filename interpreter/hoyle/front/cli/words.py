"""`hoyle words`: lists the contents of the modules of a game, and the language features that it uses.

In: a game, or the name of a module. Out: for every module its purpose, its requirements, and its options, zones,
states, words, actions and steps, with descriptions; likewise the built-in words, statements and keys.
"""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

import hoyle
from hoyle.base import shipped
from hoyle.base.columns import in_columns
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.diagnostics.spelling import nearest
from hoyle.front.cli.common import find_game_file, json_option, screen_width
from hoyle.front.cli.completing import complete_game
from hoyle.front.cli.failures import Problem
from hoyle.front.cli.keys_used import list_keys
from hoyle.front.cli.words_used import list_phrases, list_statements, list_words
from hoyle.language.compile import declare
from hoyle.language.document.files import GameFile, in_order
from hoyle.language.document.merging import load_file
from hoyle.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.language.document.reading import read_nodes, read_source

# The sections of a module, and the name of an entry of each.
SECTIONS = {
    "options": "option", "zones": "zone", "state": "state", "pots": "pot", "definitions": "word",
    "scores": "score table", "actions": "action", "choices": "choice", "steps": "step",
}  # fmt: skip
_SAYING = ("is", "default", "type", "do", "shows", "offer")
_LANGUAGE = (
    "What every game can say, as far as this one does. What is said of none is none; a comparison with none is false, "
    "only != is true; no list holds none, so it is neither counted nor added."
)


@dataclass(frozen=True, slots=True)
class Brought:
    """An entry of a module: its kind, its name, its description or else its rule text. `lines` are shown below: the
    values of an option, the statements of a step."""

    kind: str
    name: str
    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bringing:
    """A module, or the language itself: its description, its requirements and its entries."""

    name: str
    text: str
    asked: tuple[str, ...]
    brings: tuple[Brought, ...]


@click.command("words", epilog="Example: hoyle words my-game.game.yaml")
@click.argument("game", required=False, shell_complete=complete_game)
@json_option
def command(game: str | None, as_json: bool) -> None:
    """Tell what `use:` brings into GAME (options, zones, words, actions and steps) and which words and keys of the
    language itself it uses, with a sentence each.

    GAME may also be the name of a module; without it all modules there are are named.
    """
    if game is None:
        rows = [(path.stem, _sentence(_read_module(path)).split(". ")[0].rstrip(".")) for path in all_modules()]
        named = [{"module": name, "text": text} for name, text in rows]
        click.echo(json.dumps(named, indent=2) if as_json else "\n".join(in_columns(rows, screen_width())))
        return
    descriptions = find_words(game)
    if as_json:
        told = [
            {"module": used.name, "text": used.text, "brings": [asdict(each) for each in used.brings]}
            for used in descriptions
        ]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    wide = min(100, shutil.get_terminal_size((88, 24)).columns)
    click.echo("\n\n".join("\n".join(_tell(described, wide)) for described in descriptions))


def all_modules() -> list[Path]:
    return sorted(shipped.module_folder().glob("*.yaml"))


def find_words(game: str) -> list[Bringing]:
    """Describe the modules of a game and of its ancestors, under the names they have there, and last the language
    itself; or a single module by its name."""
    module = next((path for path in all_modules() if path.stem == game), None)
    if module is not None and shipped.find_game(game) is None:
        root = _read_module(module)
        return [_describe(game, _sentence(root), root, {})]
    near = nearest(game, [path.stem for path in all_modules()])
    if near is not None and shipped.find_game(game) is None:
        raise Problem(f"no game and no module named `{game}`; did you mean `{near}`?")
    report = Report()
    file = load_file(find_game_file(game), report)
    if file is None:
        raise hoyle.RuleFileError(report)
    found = {}
    defaults = _find_defaults(file)
    for one in in_order(file):
        for used in one.modules:
            name = used.name + (f" as {used.copy}" if used.copy and used.copy != used.name else "")
            whole = read_nodes(used.source, Report())
            found[name] = _describe(name, _sentence(whole) if whole is not None else "", used.root, defaults)
    return [*found.values(), _describe_language(file)]


def _read_module(path: Path) -> Mapping:
    source = read_source(path, Report())
    root = read_nodes(source, Report()) if source is not None else None
    assert root is not None  # shipped modules are readable
    return root


def _find_defaults(file: GameFile) -> dict[str, str]:
    """Map the options of a game and its ancestors to their defaults there."""
    found = {}
    for one in in_order(file):
        for entry in _entries(one.root, "options"):
            said = entry.value.get("default") if isinstance(entry.value, Mapping) else entry.value
            if said is not None:
                found[entry.name] = _one_line(said)
    return found


def _describe(name: str, text: str, root: Mapping, defaults: dict[str, str]) -> Bringing:
    asked = [f"needs {entry.name}: {_one_line(entry.value)}" for entry in _entries(root, "needs")]
    asked += [f"works on {entry.name}: {_one_line(entry.value)}" for entry in _entries(root, "arguments")]
    return Bringing(name, text, tuple(asked), tuple(_list_brought(root, defaults)))


def _describe_language(file: GameFile) -> Bringing:
    declared = declare(file, Report())
    own = {one.source.name for one in in_order(file)}
    rows = []
    if declared is not None:
        rows += [Brought("word", name, text) for name, text in list_words(declared, own)]
        rows += [Brought("phrase", name, text) for name, text in list_phrases(declared, own)]
        rows += [Brought("statement", name, text) for name, text in list_statements(declared, own)]
    rows += [Brought("key", name, text) for name, text in list_keys(one.root for one in in_order(file))]
    return Bringing("the language itself", _LANGUAGE, (), tuple(rows))


def _list_brought(root: Mapping, defaults: dict[str, str]) -> Iterator[Brought]:
    """Yield all entries of a module."""
    for section, kind in SECTIONS.items():
        for entry in _entries(root, section):
            text = _sentence(entry.value)
            if section == "options" and isinstance(entry.value, Mapping):
                yield Brought(kind, entry.name, text, tuple(_list_values(entry, defaults)))
                continue
            rule = "" if text else _rule(entry.value)
            lines = tuple(rule.splitlines())
            yield Brought(kind, entry.name, text, lines) if len(lines) > 1 else Brought(kind, entry.name, text or rule)


def _list_values(option: Entry, defaults: dict[str, str]) -> Iterator[str]:
    """Yield the default of an option, and its values with descriptions."""
    assert isinstance(option.value, Mapping)
    default = option.value.get("default")
    said = defaults.get(option.name) or (_one_line(default) if default is not None else "")
    yield f"default: {said}"
    values, span = option.value.get("values"), option.value.get("range")
    if isinstance(values, Mapping):
        yield from (f"{entry.name}: {_one_line(entry.value)}" for entry in values.entries)
    elif (listed := values or span) is not None:
        yield f"values: {_one_line(listed)}"
    else:
        yield "values: true, false"


def _tell(one: Bringing, width: int) -> Iterator[str]:
    yield one.name
    yield from textwrap.wrap(one.text, width, initial_indent="  ", subsequent_indent="  ")
    for asked in one.asked:
        yield from _fold(asked, width)
    for each in one.brings:
        yield from _fold(f"{each.kind} {each.name}: {each.text}".removesuffix(" "), width)
        yield from (f"      {line}" for line in each.lines)


def _fold(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False)


def _entries(root: Mapping, section: str) -> tuple[Entry, ...]:
    node = root.get(section)
    return node.entries if isinstance(node, Mapping) else ()


def _sentence(node: Node) -> str:
    said = node.get("text") if isinstance(node, Mapping) else None
    return _one_line(said) if said is not None else ""


def _rule(node: Node) -> str:
    """Return the rule text of a clause without a description; statements keep their lines."""
    said: Node | None = node
    if isinstance(node, Mapping):
        said = next((found for name in _SAYING if (found := node.get(name)) is not None), None)
    if said is None:
        return ""
    return said.text.rstrip() if isinstance(said, Scalar) and said.style == "literal" else _one_line(said)


def _one_line(node: Node) -> str:
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    if isinstance(node, Sequence):
        return ", ".join(_one_line(item) for item in node)
    return "…"
