"""The command line: `hoyle COMMAND …`, one module for each command.

In: arguments. Out: text for people (or JSON), and an exit code.

Imports are deferred until `main` is called. While modules load, Ctrl-C kills the process by the default signal action:
a `KeyboardInterrupt` could be raised in a place where Python only prints it and goes on. Once a command is loaded,
Ctrl-C is handled (`interrupts`).
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # `signal` takes a millisecond to load
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


# A compiler's objects, and modules, live long: default collections took a fifth of the time.
OBJECTS_BETWEEN_COLLECTIONS = 50_000
has_process = False  # whether the process was started by the `hoyle` executable, not by an embedding program


def main() -> None:
    """Run the command line of this process. Ctrl-C is handled while a command runs; before and after, its signal action
    is unchanged."""
    global has_process
    has_process = True
    before = _signal.getsignal(_signal.SIGINT)
    try:
        try:
            code = run(sys.argv[1:])
        finally:
            try:
                _signal.signal(_signal.SIGINT, before)
            except KeyboardInterrupt:  # a pending Ctrl-C is raised before the handler is set
                _signal.signal(_signal.SIGINT, before)
    except KeyboardInterrupt:
        code = _stop()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command; return the exit code."""
    import gc

    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    from hoyle.front.cli import app

    return app.run(arguments)


def _stop() -> int:
    if sys.stderr is not None:
        sys.stderr.write("stopped\n")
    return 128 + int(_signal.SIGINT)


__all__ = ["main", "run"]
