"""The reference of built-in words and modules, as Markdown: `python -m hoyle.authoring.word_reference`.

In: the declarations in `WORDS` and the files of the prelude. Out: the text of docs/words.md; a test fails when it is
stale.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import yaml

from hoyle.base import shipped
from hoyle.program.ir.types import Type
from hoyle.program.words import WORDS, Word
from hoyle.program.words.statements import STATEMENTS

_SECTIONS = (
    "options", "kinds", "zones", "pots", "state", "definitions", "scores", "actions", "choices", "steps"
)  # fmt: skip

_OPENING = """\
# The words of the language

*Written by `python -m hoyle.authoring.word_reference` from the declarations; change those, not this page.*

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
        "\n## Statements\n",
        *_rows(("written", "means"), ((f"`{form.shape}`", form.meaning) for form in STATEMENTS.values())),
        "\n## Modules\n\nA game takes in a module with `use:`; its names are then the game's own, and the game may "
        "change them by name. For each module stand here: what it is for; what a game says for it, with what holds "
        "unless it does; what it gives; and the whole of it.\n",
        *_list_modules(),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _rows(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def write_word(word: Word) -> str:
    """A word in source notation: `left of SEAT`."""
    return f"{word.name} of {_name_type(word.takes[0]).upper()}" if word.takes else word.name


def _describe_word(word: Word) -> tuple[str, ...]:
    return f"`{write_word(word)}`", _name_type(word.gives), word.doc, f"`{word.example}`" if word.example else ""


def _describe_sign(word: Word) -> tuple[str, ...]:
    example = f"`{word.example}`" if word.example else ""
    return f"`{word.written}`", _name_type(word.gives), word.doc, example


def _name_type(kind: Type) -> str:
    """A type as readers name it: `list`, `list of lists`, `card or none`."""
    if kind.kind == "list" and kind.of is not None:
        if kind.of.kind == "list":
            return "list of lists"
        return "list" if kind.of.kind == "any" else f"{kind.of}s"
    if kind.kind == "maybe" and kind.of is not None:
        return f"{_name_type(kind.of)} or none"
    return "one of them" if kind.kind == "any" else str(kind)


def _list_modules() -> Iterator[str]:
    for path in sorted(shipped.module_folder().glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        yield from _describe_module(yaml.load(text, _AsWritten))
        yield f"```yaml module\n{_without_heading(text).rstrip()}\n```\n"


class _AsWritten(yaml.SafeLoader):
    """Reads every scalar as a string: `true` is a word of a rule here."""


_AsWritten.yaml_implicit_resolvers = {}


def _without_heading(text: str) -> str:
    """A module without the line for editors and without translations."""
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("# yaml-language-server")]
    body = "".join(lines)
    return body[: body.index("\nlabels:") + 1] if "\nlabels:" in body else body


def _describe_module(module: dict[str, Any]) -> Iterator[str]:
    own = set(module.get("own", ()))
    yield f"### `{module['module']}`\n"
    yield f"{module.get('text', '').strip()}\n"
    asked = list(_list_asked(module, own))
    if asked:
        yield from _rows(("to say", "type", "what it is", "unless said"), iter(asked))
        yield ""
    for title, names in _list_given(module, own):
        yield f"- {title}: {', '.join(f'`{name}`' for name in names)}"
    yield ""


# Types by the beginning of a description in words, and by the beginning of an expression.
_SAID = {
    "the seats": "seats", "the most": "number", "what a card counts": "number", "a step": "step", "whether": "truth",
}  # fmt: skip
_WRITTEN = {
    "true": "truth", "false": "truth", "seats": "seats", "(seat in": "seats", "left of": "seat", "last_holder": "seat",
    "first_leader": "seat", "bottom of": "card", "sum ": "number", "rank of": "number", "lowest of": "number",
    "count of": "number", "seat is": "truth",
}  # fmt: skip


def _guess_kind(text: str, known: dict[str, str]) -> str:
    return next((kind for start, kind in known.items() if text.startswith(start)), "")


def _list_asked(module: dict[str, Any], own: set[str]) -> Iterator[tuple[str, ...]]:
    """The parameters of a module: how they are set, their type, description and default."""
    for name, said in module.get("arguments", {}).items():
        yield f"`with: {{{name}: …}}`", said, "on what it works", f"`{name}`"
    for pattern, said in module.get("needs", {}).items():
        yield f"`{pattern}`", "truth" if " is " in pattern else _guess_kind(said, _SAID), said, "must be said"
    for name, said in module.get("inputs", {}).items():
        yield f"`set {name} to …`", module["state"][name]["type"], said, "as the type begins"
    for name, option in module.get("options", {}).items():
        kind = option.get("range") or (", ".join(option["values"]) if "values" in option else "truth")
        yield f"option `{name}`", kind, option["text"], f"`{option['default']}`"
    for pattern, decl in module.get("definitions", {}).items():
        if isinstance(decl, dict) and "text" in decl and "is" in decl and pattern.split()[-1] not in own:
            default = " ".join(decl["is"].split())
            kind = "truth" if " is " in pattern else _guess_kind(default, _WRITTEN)
            if len(default) <= 60:
                owner = f", `of: {decl['of']}`" if "of" in decl else ""
                yield f"`{pattern}`{owner}", kind, decl["text"], f"`{default}`"
    for name, decl in module.get("steps", {}).items():
        if isinstance(decl, dict) and decl.get("do") == "nothing":
            yield f"`{name}`", f"step of {decl['of']}" if "of" in decl else "step", decl["text"], "`nothing`"


def _list_given(module: dict[str, Any], own: set[str]) -> Iterator[tuple[str, list[str]]]:
    """What a module declares for the game, by section, and its private names."""
    for section in _SECTIONS:
        names = [name for name in module.get(section, {}) if not own & set(name.split())]
        if names:
            yield section, names
    if own:
        yield "kept to itself", sorted(own)


if __name__ == "__main__":
    sys.stdout.write(write_reference())
