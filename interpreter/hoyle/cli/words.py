"""`hoyle words`: what the modules of a game bring.

In: a game, or the name of a module. Out: for every module what it is for, what it needs, and its options, zones,
states, words, actions and steps, each with its sentence.
"""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

import hoyle
from hoyle import shipped
from hoyle.cli.common import find_game_file
from hoyle.cli.completing import complete_game
from hoyle.cli.failures import Problem
from hoyle.diagnostics.report import Report
from hoyle.document.files import in_order
from hoyle.document.merging import load_file
from hoyle.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from hoyle.document.reading import read_nodes, read_source

# What a module may hold, and how its parts are called.
SECTIONS = {
    "options": "option", "zones": "zone", "state": "state", "pots": "pot", "definitions": "word",
    "scores": "score table", "actions": "action", "choices": "choice", "steps": "step",
}  # fmt: skip
_SAYING = ("is", "default", "type", "do", "shows", "offer")


@click.command("words", epilog="Example: hoyle words my-game.game.yaml")
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(game: str | None, as_json: bool) -> None:
    """Tell what `use:` brings into GAME: options, zones, words, actions and steps, with a sentence each.

    GAME may also be the name of a module; without it all modules there are are named.
    """
    if game is None:
        rows = [(path.stem, _sentence(_read_module(path))) for path in all_modules()]
        width = max(len(name) for name, _ in rows)
        click.echo("\n".join(f"{name.ljust(width)}  {text.split('. ')[0].rstrip('.')}" for name, text in rows))
        return
    modules = find_modules(game)
    if as_json:
        told = [{"module": name, "text": text, "brings": _list_all(root)} for name, text, root in modules]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    if not modules:
        click.echo(f"`{game}` uses no module; `hoyle words` names those there are")
        return
    wide = min(100, shutil.get_terminal_size((88, 24)).columns)
    click.echo("\n\n".join("\n".join(_tell(*module, wide)) for module in modules))


def all_modules() -> list[Path]:
    return sorted(shipped.module_folder().glob("*.yaml"))


def find_modules(game: str) -> list[tuple[str, str, Mapping]]:
    """The modules of a game and of all it extends, each under the name it has there, with its sentence; or a module by
    its name."""
    module = next((path for path in all_modules() if path.stem == game), None)
    if module is not None and shipped.find_game(game) is None:
        root = _read_module(module)
        return [(game, _sentence(root), root)]
    if module is None and shipped.find_game(game) is None and "/" not in game:
        raise Problem(f"no game and no module named `{game}`; `hoyle list` and `hoyle words` show those there are")
    report = Report()
    file = load_file(find_game_file(game), report)
    if file is None:
        raise hoyle.RuleFileError(report)
    found = {}
    for one in in_order(file):
        for used in one.modules:
            name = used.name + (f" as {used.copy}" if used.copy and used.copy != used.name else "")
            whole = read_nodes(used.source, Report())
            found[name] = (name, _sentence(whole) if whole is not None else "", used.root)
    return list(found.values())


def _read_module(path: Path) -> Mapping:
    source = read_source(path, Report())
    root = read_nodes(source, Report()) if source is not None else None
    assert root is not None  # those that are shipped can be read
    return root


def _tell(name: str, text: str, root: Mapping, width: int) -> Iterator[str]:
    yield name
    yield from textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="  ")
    for entry in _entries(root, "needs"):
        yield from _fold(f"needs {entry.name}: {_one_line(entry.value)}", width)
    for entry in _entries(root, "arguments"):
        yield from _fold(f"works on {entry.name}: {_one_line(entry.value)}", width)
    for kind, brought, sentence in _brought(root):
        yield from _fold(f"{kind} {brought}: {sentence}" if sentence else f"{kind} {brought}", width)


def _fold(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False)


def _list_all(root: Mapping) -> list[dict[str, str]]:
    return [{"kind": kind, "name": name, "text": text} for kind, name, text in _brought(root)]


def _brought(root: Mapping) -> Iterator[tuple[str, str, str]]:
    """Everything a module brings: its kind, its name, its sentence or what it says."""
    for section, kind in SECTIONS.items():
        for entry in _entries(root, section):
            yield kind, entry.name, _sentence(entry.value) or _rule(entry.value)


def _entries(root: Mapping, section: str) -> tuple[Entry, ...]:
    node = root.get(section)
    return node.entries if isinstance(node, Mapping) else ()


def _sentence(node: Node) -> str:
    said = node.get("text") if isinstance(node, Mapping) else None
    return _one_line(said) if said is not None else ""


def _rule(node: Node) -> str:
    """What a clause without a sentence says itself, if it is short."""
    if isinstance(node, Scalar):
        text = _one_line(node)
    elif isinstance(node, Mapping):
        text = next((_one_line(said) for name in _SAYING if (said := node.get(name)) is not None), "")
    else:
        text = ""
    return text if len(text) <= 90 else text[:89] + "…"


def _one_line(node: Node) -> str:
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    if isinstance(node, Sequence):
        return ", ".join(_one_line(item) for item in node)
    return "…"
