"""The interpreter's own sources as syntax trees, for tests of the code base."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import hoyle

CODE = Path(hoyle.__file__).parent


@cache
def walk_sources() -> tuple[tuple[str, list[ast.AST]], ...]:
    """Every module's path in its wing, such as `engine/game.py`, with the nodes of its tree."""
    return tuple(_walk())


def _walk() -> Iterator[tuple[str, list[ast.AST]]]:
    for path in sorted(CODE.glob("*/**/*.py")):
        wing = CODE / path.relative_to(CODE).parts[0]
        yield path.relative_to(wing).as_posix(), list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
