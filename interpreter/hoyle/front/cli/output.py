"""Sanitizes terminal output against spoofing.

In: the text of a command. Out: the same text with invisible and bidirectional control characters escaped, `\\u202e`.
The program's own escape sequences (colours, the cursor) go only to terminals; names and texts of files contain none,
since the code that shows them escapes them, and rule files with such characters are rejected.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from hoyle.base.diagnostics.signs import spell_out

_ORDINARY = frozenset("\n\r\t")
_TERMINAL = _ORDINARY | frozenset("\x1b\b\a")
_ASCII = re.compile(r"[\n\r\t -~]*")


class PlainStream:
    """A text stream that escapes invisible characters."""

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
    """Sanitize both output streams within the context."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (PlainStream(each) if each is not None else each for each in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
