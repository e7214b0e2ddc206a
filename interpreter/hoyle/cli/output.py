"""What is written to the terminal, with nothing in it that would deceive a reader.

In: the text of a command. Out: the same text; signs that cannot be seen, or that turn the direction of writing, are
spelt out, `\\u202e`. Escape sequences of our own (colours, the cursor) go to terminals alone; names and texts of files
hold none, because whoever shows one spells it out, and rule files that hold any are refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from hoyle.diagnostics.signs import spell_out

_ORDINARY = frozenset("\n\r\t")
_TERMINAL = _ORDINARY | frozenset("\x1b\b\a")
_ASCII = re.compile(r"[\n\r\t -~]*")


class PlainStream:
    """A text stream that spells out what cannot be seen."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if not _ASCII.fullmatch(text):
            text = spell_out(text, _TERMINAL if self._stream.isatty() else _ORDINARY)
        return self._stream.write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


@contextmanager
def plain_output() -> Iterator[None]:
    """While a command runs, all that it writes is spelt out."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (PlainStream(each) if each is not None else each for each in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
