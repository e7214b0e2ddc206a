"""Rename refactoring.

In: an index, a name and the new one. Out: the spans to replace, by file; or `CannotRename` with the reason. The game
and its variants are checked in their renamed form first.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hoyle.authoring.lsp.index import Index
from hoyle.authoring.testing.example_files import TEST_SUFFIX, read_tests
from hoyle.base.diagnostics.report import Diagnostic
from hoyle.base.errors import HoyleError
from hoyle.base.source import Span
from hoyle.language.compile import check_file
from hoyle.language.family import list_variants


class CannotRename(HoyleError, ValueError):  # noqa: N818 - an answer to an author
    """The name cannot be changed; the text says why."""


def plan_rename(index: Index, name: str, new: str) -> dict[Path, list[Span]]:
    """Return the spans to replace by a new name, by file."""
    if not new.replace("_", "a").isalnum() or not new[0].isalpha() or not new.isascii():
        raise CannotRename(f"`{new}` cannot be a name: letters, digits and `_`")
    if index.find(new) is not None:
        raise CannotRename(f"`{new}` is a name already")
    folder = index.path.absolute().parent
    by_file: dict[Path, list[Span]] = {}
    for span in index.uses(name):
        place = Path(span.source.name).absolute()
        if place.parent != folder:
            raise CannotRename(f"`{name}` is also said in {span.source.name}, which is not yours to change")
        by_file.setdefault(place, []).append(span)
    _try(index, new, by_file)
    return by_file


def _try(index: Index, new: str, by_file: dict[Path, list[Span]]) -> None:
    """Apply the renaming in a copy of the folder, and compare the diagnostics of the game, its variants and their
    examples before and after."""
    games = [index.path.absolute(), *(path.absolute() for path in list_variants(index.path))]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for path in games[0].parent.glob("*.yaml"):
            shutil.copy(path, copy)
        (copy / games[0].name).write_text(index.source.text, encoding="utf-8")  # the unsaved text of the editor
        before = {game.name: _find(copy / game.name) for game in games}
        for path, spans in by_file.items():
            text = spans[0].source.text
            for span in sorted(spans, key=lambda each: each.start, reverse=True):
                text = text[: span.start] + new + text[span.end :]
            (copy / path.name).write_text(text, encoding="utf-8")
        for game in games:
            known = {found.code for found in before[game.name]}
            fresh = [found for found in _find(copy / game.name) if found.code not in known]
            if fresh:
                raise CannotRename(f"with `{new}` {game.name} would no longer check: {fresh[0].message}")


def _find(path: Path) -> list[Diagnostic]:
    tests = path.with_name(path.name.replace(".game.yaml", TEST_SUFFIX))
    told = read_tests(tests).report.ordered() if tests.is_file() else []
    return [*check_file(path).ordered(), *told]
