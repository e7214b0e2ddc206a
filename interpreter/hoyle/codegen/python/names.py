"""What printed Python can name, besides its own functions and constants.

In: nothing. Out: names and what they stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hoyle.codegen.python import support
from hoyle.engine.limits import guard_size
from hoyle.words import WORDS, Word


def guard(word: Word) -> Callable[..., Any]:
    """A word that is refused what would grow beyond bounds."""

    def guarded(*arguments: Any) -> Any:
        guard_size(word, list(arguments))
        return word.run(*arguments)

    return guarded


def list_names() -> dict[str, Any]:
    """What printed code calls."""
    names = {name: getattr(support, name) for name in support.__all__}
    names |= {f"W_{word.name}": word.run if word.fits is None else guard(word) for word in WORDS.values()}
    return {"__name__": "printed", **names}
