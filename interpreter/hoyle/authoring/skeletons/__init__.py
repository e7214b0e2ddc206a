"""Skeletons of new games: `hoyle new`.

In: a family, or a parent with settings of its options. Out: a `Draft`: the text of a rule file and of its examples.

A skeleton is an ordinary rule file with its examples in this folder, and is checked and tested as such. A new game is
the same text with another name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from hoyle.authoring.formatting import format_source
from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import GAME_SUFFIX
from hoyle.base.source import Source
from hoyle.language.document import nodes
from hoyle.language.document.quoting import quote
from hoyle.language.document.reading import read_nodes
from hoyle.program.info import GameInfo, OptionInfo

TEST_SUFFIX = ".test.yaml"
BLANK = "blank"
VARIANT = "variant"
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Draft:
    """The texts of a rule file and of its examples."""

    game: str
    tests: str


def list_families() -> dict[str, str]:
    """Map the names of the skeletons of whole games to their descriptions, the blank one first."""
    names = sorted(path.name.removesuffix(GAME_SUFFIX) for path in _FOLDER.glob("*" + GAME_SUFFIX))
    ordered = [BLANK, *(name for name in names if name not in (BLANK, VARIANT))]
    return {name: _text_of(_read(name, GAME_SUFFIX)[1]) for name in ordered}


def draft_game(name: str, title: str, family: str) -> Draft:
    """Draft a game of a family."""
    game, tests = (_read(family, suffix)[0] for suffix in (GAME_SUFFIX, TEST_SUFFIX))
    return Draft(
        put_values(game, {"game": name, "title": quote(title)}),
        put_values(tests, {"tests": name}),
    )


def draft_variant(name: str, title: str, parent: GameInfo, settings: Mapping[str, str]) -> Draft:
    """Draft a variant of a game with changed options; the unchanged ones are listed in comments."""
    game, tests = (_read(VARIANT, suffix)[0] for suffix in (GAME_SUFFIX, TEST_SUFFIX))
    options = {option.name: option for option in parent.options}
    chosen = [(options[each], value) for each, value in settings.items()]
    set_otherwise = "{" + ", ".join(f"{option.name}: {value}" for option, value in chosen) + "}"
    game = put_values(
        game,
        {
            "game": name,
            "title": quote(title),
            "extends": parent.name,
            "options": set_otherwise if chosen else None,
        },
    )
    others = [option for option in parent.options if option.name not in settings]
    if others:
        heading = "The options" if not chosen else "The other options"
        lines = [f"{heading} of the parent, and how they are set:", *list_options(others)]
        game = game.rstrip("\n") + "\n\n" + "".join(f"# {line}".rstrip() + "\n" for line in lines)
    first, second = _examples(tests)
    kept = [first] + ([_put_evaluate(second, chosen)] if chosen else [])
    head = tests[: tests.index(first)]
    return Draft(_lay_out(game), _lay_out(put_values(head + "".join(kept), {"tests": name})))


def list_options(options: Iterable[OptionInfo]) -> list[str]:
    """Format options as lines of a file, each with its description and possible values."""
    lines = []
    for option in options:
        lines += [f"  {option.name}: {option.default}", f"    {option.text}{_tell_range(option)}"]
    return lines


def _tell_range(option: OptionInfo) -> str:
    if option.kind == "number":
        return f" {option.low} to {option.high}{' or none' if option.or_none else ''}."
    if option.kind == "truth":
        return " true or false."
    return " " + ", ".join(value for value, _ in option.values) + "."


def put_values(text: str, values: Mapping[str, str | None]) -> str:
    """Replace top-level values of a file; None removes the whole entry."""
    root = _parse(text)
    for entry in sorted(root, key=lambda one: one.key.span.start, reverse=True):
        if entry.name not in values:
            continue
        value = values[entry.name]
        if value is not None:
            text = text[: entry.value.span.start] + value + text[entry.value.span.end :]
        else:
            end = text.find("\n", entry.value.span.end)
            text = text[: entry.key.span.start] + text[end + 1 if end >= 0 else len(text) :]
    return text


def _put_evaluate(example: str, chosen: Iterable[tuple[OptionInfo, str]]) -> str:
    """Fill in the example that checks the values of the options."""
    said = [
        f"{option.name}: {value}"
        if option.kind in ("number", "truth") and value != "none"
        else f"{option.name} is {value}: true"
        for option, value in chosen
    ]
    return example[: example.index("evaluate:")] + "evaluate: {" + ", ".join(said) + "}\n"


def _examples(tests: str) -> tuple[str, str]:
    """Return the texts of the two examples of the variant skeleton: that the game starts, and that its options are
    set."""
    listed = _parse(tests).get("examples")
    assert isinstance(listed, nodes.Sequence)
    starts = [tests.rindex("\n", 0, item.span.start) + 1 for item in listed]
    return tests[starts[0] : starts[1]], tests[starts[1] :]


def _lay_out(text: str) -> str:
    found = format_source(Source("skeleton", text), Report())
    return found.text if found is not None else text


def _read(name: str, suffix: str) -> tuple[str, nodes.Mapping]:
    text = (_FOLDER / f"{name}{suffix}").read_text(encoding="utf-8")
    return text, _parse(text)


def _parse(text: str) -> nodes.Mapping:
    root = read_nodes(Source("skeleton", text), Report())
    assert root is not None
    return root


def _text_of(root: nodes.Mapping) -> str:
    said = root.get("text")
    return said.text if isinstance(said, nodes.Scalar) else ""
