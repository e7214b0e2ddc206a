"""The reference of the built-in words and of the modules, as Markdown: `python -m hoyle.words.reference`.

In: the declarations in `WORDS` and the files of the prelude. Out: the text of docs/words.md; a test says when it is
stale.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import yaml

from hoyle import shipped
from hoyle.ir.types import Type
from hoyle.words import WORDS, Word

_SECTIONS = (
    "options", "kinds", "zones", "pots", "state", "definitions", "scores", "actions", "choices", "steps"
)  # fmt: skip

_OPENING = """\
# The words of the language

*Written by `python -m hoyle.words.reference` from the declarations; change those, not this page.*

What a word is said of stands after `of`. `LIST` is any list, a zone's cards included; what is said of `none` is `none`.
Every example is true at the beginning of a game, and a test runs it. How words are put together is told in
[language.md](language.md); how to add one in [adding-a-word.md](adding-a-word.md).
"""


def write_reference() -> str:
    """The whole page."""
    spoken = [word for word in WORDS.values() if word.spoken]
    signs = [word for word in WORDS.values() if word.written]
    parts = [
        _OPENING,
        "## Words\n",
        *_rows(("word", "gives", "means", "example"), (_describe_word(word) for word in spoken)),
        "\n## Signs and small words\n",
        *_rows(("written", "gives", "means", "example"), (_describe_sign(word) for word in signs)),
        "\n## Modules\n\nA game takes in a module with `use:`; its names are then the game's own, and the game may "
        "change them by name.\n",
        *_list_modules(),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _rows(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _describe_word(word: Word) -> tuple[str, ...]:
    said_of = f" of {_name_type(word.takes[0]).upper()}" if word.takes else ""
    return f"`{word.name}{said_of}`", _name_type(word.gives), word.doc, f"`{word.example}`" if word.example else ""


def _describe_sign(word: Word) -> tuple[str, ...]:
    example = f"`{word.example}`" if word.example else ""
    return f"`{word.written}`", _name_type(word.gives), word.doc, example


def _name_type(kind: Type) -> str:
    """A type as a reader would name it: `list`, `list of lists`, `card or none`."""
    if kind.kind == "list" and kind.of is not None:
        if kind.of.kind == "list":
            return "list of lists"
        return "list" if kind.of.kind == "any" else f"{kind.of}s"
    if kind.kind == "maybe" and kind.of is not None:
        return f"{_name_type(kind.of)} or none"
    return "one of them" if kind.kind == "any" else str(kind)


def _list_modules() -> Iterator[str]:
    for path in sorted(shipped.module_folder().glob("*.yaml")):
        yield from _describe_module(yaml.safe_load(path.read_text(encoding="utf-8")))


def _describe_module(module: dict[str, Any]) -> Iterator[str]:
    yield f"### `{module['module']}`\n"
    yield f"{module.get('text', '')}\n"
    for title, section in (("needs", "needs"), ("works on", "arguments")):
        for name, said in module.get(section, {}).items():
            yield f"- {title} `{name}`: {said}"
    for section in _SECTIONS:
        if module.get(section):
            yield f"- {section}: {', '.join(f'`{name}`' for name in module[section])}"
    yield ""


if __name__ == "__main__":
    sys.stdout.write(write_reference())
