"""Native code of a program: printed, compiled, kept and loaded when it is asked for.

In: a program. Out: its `Library`, or None where there is no compiler, or something no code is written for.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from functools import cache, cached_property
from pathlib import Path

from hoyle.codegen.c.struct_layout import Known, Layout
from hoyle.codegen.unsupported import Unsupported
from hoyle.engine.native.compiler import (
    OPTIMISED,
    BuildError,
    build_library,
    find_compiler,
    find_kept,
    name_library,
    note_library,
)
from hoyle.engine.native.library import Library
from hoyle.engine.work import is_too_much
from hoyle.ir import nodes as ir

MOST_LOADED = 64


class Native:
    """The native code of one program. `problem` says why there is none."""

    def __init__(self, program: ir.Program, digest: str) -> None:
        self.program = program
        self.digest = digest
        self.problem = ""
        self._library: Library | None = None
        self._lock = threading.Lock()
        self._building: threading.Thread | None = None
        self._stop = threading.Event()

    @property
    def library(self) -> Library | None:
        """The library, if it is loaded."""
        return self._library

    def load(self, *, build: bool = True, level: tuple[str, ...] = OPTIMISED) -> Library | None:
        """The library: as it was kept, or, if it is to be built, built now; optimised, unless another level is asked
        for and none is loaded yet."""
        with self._lock:
            if self._library is None and not self.problem:
                self._library = self._find(level, build=build)
            return self._library

    # ---------------------------------------------------------------------------------------------- beside other work
    def begin(self) -> None:
        """Begin to build in a thread beside; `library` or `problem` will tell."""
        if self._building is None and self._library is None and not self.problem:
            self._stop.clear()
            self._building = threading.Thread(target=self.load, name="hoyle-build", daemon=True)
            self._building.start()

    @property
    def is_building(self) -> bool:
        return self._building is not None and self._building.is_alive()

    def end(self) -> None:
        """Do not build any longer what was begun; wait until that is so."""
        if self._building is not None:
            self._stop.set()
            self._building.join()
            self._building = None
            if self._library is None and self._stop.is_set():
                self.problem = ""
            self._stop.clear()

    # ---------------------------------------------------------------------------------------------- finding
    def _find(self, level: tuple[str, ...], *, build: bool) -> Library | None:
        compiler = find_compiler()
        if compiler is None:
            self.problem = "there is no C compiler"
            return None
        if is_too_much(self.program):
            self.problem = "an expression may be more work than is allowed: it has to be counted"
            return None
        name = name_library(self.digest, level, compiler)
        kept = self._find_kept(name)
        if kept is not None:
            return kept
        if not build:
            return None
        try:
            path = build_library(self.text, level, compiler, name, self._stop)
            note_library(path, self.known.to_json())
            return Library(path, Layout(self.program, self.known))
        except Unsupported as error:
            self.problem = f"no native code is written for {error}"
        except (BuildError, OSError) as error:
            self.problem = str(error) or type(error).__name__
        except Exception as error:  # whatever is wrong with the generator, the executors in Python play the game
            self.problem = f"the generator of native code failed ({type(error).__name__}: {error})"
        return None

    @cached_property
    def _lowered(self) -> tuple[str, Known]:
        from hoyle.codegen.c.printer import print_c  # what is kept needs none of it
        from hoyle.codegen.lower.whole_program import lower_program

        module = lower_program(self.program)
        return print_c(module), Known.of(module)

    @property
    def text(self) -> str:
        """The C text."""
        return self._lowered[0]

    @property
    def known(self) -> Known:
        """What is known of the sizes of a position."""
        return self._lowered[1]

    def _find_kept(self, name: str) -> Library | None:
        """The library as it was kept; None if it was not, or does not fit."""
        kept = find_kept(name)
        try:
            return Library(kept[0], Layout(self.program, Known.from_json(kept[1]))) if kept is not None else None
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None


_made: OrderedDict[str, Native] = OrderedDict()


def find_native(program: ir.Program) -> Native:
    """The native code of a program, shared by all who ask for it."""
    digest = hashlib.sha256(f"{_digest_printer()} {program!r}".encode()).hexdigest()
    found = _made.get(digest)
    if found is None:
        found = _made[digest] = Native(program, digest)
        if len(_made) > MOST_LOADED:
            _made.popitem(last=False)
    return found


@cache
def _digest_printer() -> str:
    """A hash of all that decides what is printed: the low form, its passes and printers, and the limits."""
    package = Path(__file__).resolve().parents[2]
    found = hashlib.sha256()
    for path in sorted([*(package / "codegen").rglob("*.*"), *(package / "engine").glob("*.py")]):
        if path.suffix in (".py", ".c", ".h"):
            found.update(path.read_bytes())
    return found.hexdigest()


def forget_all() -> None:
    """Let nothing be shared any more; for tests."""
    _made.clear()
