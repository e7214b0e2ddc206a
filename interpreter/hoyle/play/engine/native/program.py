"""The build of a program's native code: printed, compiled, cached and loaded on demand, in two optimisation levels.

In: a program. Out: its `Library`, or None without a compiler, or for a program that is not supported.
"""

from __future__ import annotations

import atexit
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from hoyle.base.effort import bounded
from hoyle.base.stamp import stamp_package
from hoyle.play.codegen.c.struct_layout import Known, Layout
from hoyle.play.codegen.unsupported import Unsupported, generating
from hoyle.play.engine.codegen_limits import MOST_WRITING
from hoyle.play.engine.native.compiler import (
    NO_COMPILER,
    OPTIMISED,
    QUICK,
    BuildError,
    Compiler,
    build_library,
    find_cached,
    find_compiler,
    name_library,
    note_library,
)
from hoyle.play.engine.native.library import Library, mapped
from hoyle.play.engine.work import is_too_much
from hoyle.program.ir import nodes as ir

MOST_LOADED = 64
MOST_MAPPED = 1_000  # libraries of one process, of 0.2 MB each


class Native:
    """The native code of one program. `problem` says why there is none. It is compiled twice: quickly without
    optimisation, and then optimised in the background. Both give the same results, so that the library can be swapped
    at any time."""

    def __init__(self, program: ir.Program, digest: str) -> None:
        self.program = program
        self.digest = digest
        self.problem = ""
        self.is_optimised = False
        self._library: Library | None = None
        self._lock = threading.Lock()
        self._building: threading.Thread | None = None
        self._stop = threading.Event()

    @property
    def library(self) -> Library | None:
        """The library, if it is loaded."""
        return self._library

    def load(self, *, build: bool = True, level: tuple[str, ...] | None = None) -> Library | None:
        """The cached library, or, with `build`, one compiled quickly now and optimised in the background; with `level`,
        one of that level alone, if none is loaded yet."""
        self._load(build=build, levels=(OPTIMISED, QUICK) if level is None else (level,))
        if build and level is None:
            self.begin()
        return self._library

    # ---------------------------------------------------------------------------------------------- in the background
    def begin(self) -> None:
        """Start a background thread that builds what is missing; `library` or `problem` will tell."""
        if self._building is None and not self.is_optimised and not self.problem:
            self._stop.clear()
            self._building = threading.Thread(target=self._build, name="hoyle-build", daemon=True)
            self._building.start()
            atexit.register(self.end)

    def _build(self) -> None:
        self._load(build=True, levels=(OPTIMISED, QUICK))
        if self._library is not None and not self.is_optimised:
            self._optimise()

    def _optimise(self) -> None:
        """Swap in the optimised library; the quick one is used until then."""
        compiler = find_compiler()
        if compiler is None:
            return
        with suppress(BuildError, OSError):
            self._library = self._make(OPTIMISED, compiler)
            self.is_optimised = True

    @property
    def is_building(self) -> bool:
        return self._building is not None and self._building.is_alive()

    def wait(self) -> None:
        """Wait for the background build."""
        if self._building is not None:
            self._building.join()

    def end(self) -> None:
        """Cancel the background build and wait for its thread."""
        if self._building is not None:
            was_broken_off = self._building.is_alive()  # a build that ended by itself has set `problem`
            self._stop.set()
            self._building.join()
            self._building = None
            if self._library is None and was_broken_off:
                self.problem = ""
            self._stop.clear()
            atexit.unregister(self.end)

    # ---------------------------------------------------------------------------------------------- finding
    def _load(self, *, build: bool, levels: Sequence[tuple[str, ...]]) -> None:
        with self._lock:
            if self._library is None and not self.problem:
                self._library = self._find(levels, build=build)

    def _find(self, levels: Sequence[tuple[str, ...]], *, build: bool) -> Library | None:
        """The library of the first level that is cached, or else one of the last level, compiled now."""
        compiler = find_compiler()
        if compiler is None:
            self.problem = NO_COMPILER
            return None
        if len(mapped) >= MOST_MAPPED:
            self.problem = f"this process has loaded {MOST_MAPPED:,} libraries already, which cannot be unloaded"
            return None
        for level in levels:
            kept = self._find_cached(name_library(self.digest, level, compiler))
            if kept is not None:
                self.is_optimised = level == OPTIMISED
                return kept
        if not compiler.command:
            self.problem = NO_COMPILER
            return None
        if is_too_much(self.program):  # checked before a cached one was built: the digest covers it
            self.problem = "an expression may be more work than is allowed: it has to be counted"
            return None
        if not build:
            return None
        try:
            found = self._make(levels[-1], compiler)
            self.is_optimised = levels[-1] == OPTIMISED
            return found
        except Unsupported as error:
            self.problem = f"no native code is written for {error}"
        except (BuildError, OSError) as error:
            self.problem = str(error) or type(error).__name__
        return None

    def _make(self, level: tuple[str, ...], compiler: Compiler) -> Library:
        path = build_library(self.text, level, compiler, name_library(self.digest, level, compiler), self._stop)
        note_library(path, self.known.to_json())
        return Library(path, Layout(self.program, self.known))

    def load_environment(self) -> tuple[Path, Layout]:
        """The library of an environment for learners, and the layout of its positions; `BuildError` or `Unsupported`
        where there is none."""
        compiler = find_compiler()
        if compiler is None:
            raise BuildError(NO_COMPILER)
        name = name_library(f"{self.digest} environment", OPTIMISED, compiler)
        kept = find_cached(name)
        if kept is None:
            path = build_library(self.environment_text, OPTIMISED, compiler, name, self._stop)
            note_library(path, self.known.to_json())
            return path, self.environment_layout
        return kept[0], Layout(self.program, Known.from_json(kept[1]), environment=True)

    @property
    def environment_layout(self) -> Layout:
        """The layout of positions in environments."""
        return Layout(self.program, self.known, environment=True)

    @cached_property
    def environment_text(self) -> str:
        """The C text of an environment, which CUDA takes too."""
        from hoyle.play.codegen.c.printer import print_c
        from hoyle.play.codegen.lower.whole_program import lower_program

        with generating("native code"), bounded(MOST_WRITING, apart=True):
            return print_c(lower_program(self.program), environment=True)

    @cached_property
    def _lowered(self) -> tuple[str, Known]:
        from hoyle.play.codegen.c.printer import print_c  # a cached library does not need the generator
        from hoyle.play.codegen.lower.whole_program import lower_program

        with generating("native code"), bounded(MOST_WRITING, apart=True):
            module = lower_program(self.program)
            return print_c(module), Known.of(module)

    @property
    def text(self) -> str:
        """The C text."""
        return self._lowered[0]

    @property
    def known(self) -> Known:
        """What the layout depends on besides the program."""
        return self._lowered[1]

    def _find_cached(self, name: str) -> Library | None:
        """The cached library; None if there is none, or it does not load."""
        kept = find_cached(name)
        try:
            return Library(kept[0], Layout(self.program, Known.from_json(kept[1]))) if kept is not None else None
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None


_made: OrderedDict[str, Native] = OrderedDict()
_asked: OrderedDict[int, tuple[ir.Program, Native]] = OrderedDict()  # by identity: digesting a program is slow


def find_native(program: ir.Program) -> Native:
    """The native code of a program, shared within the process."""
    asked = _asked.get(id(program))
    if asked is not None and asked[0] is program:
        return asked[1]
    found = _find_by_digest(program)
    _asked[id(program)] = program, found
    if len(_asked) > MOST_LOADED:
        _asked.popitem(last=False)
    return found


def _find_by_digest(program: ir.Program) -> Native:
    digest = hashlib.sha256(f"{stamp_package()} {program!r}".encode()).hexdigest()
    found = _made.get(digest)
    if found is None:
        found = _made[digest] = Native(program, digest)
        if len(_made) > MOST_LOADED:
            _made.popitem(last=False)
    return found


def forget_all() -> None:
    """Clear the caches of this process; for tests."""
    _made.clear()
    _asked.clear()
