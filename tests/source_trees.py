"""The interpreter's own sources as syntax trees, for tests of the code base."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import hoyle

CODE = Path(hoyle.__file__).parent


def walk_sources() -> Iterator[tuple[str, list[ast.AST]]]:
    """Yield every module's path in the package, such as `engine/game.py`, with the nodes of its tree."""
    for path in sorted(CODE.rglob("*.py")):
        yield path.relative_to(CODE).as_posix(), list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
