"""The command line: `hoyle COMMAND …`, one module for each command.

In: arguments. Out: text for people (or JSON), and an exit code.

Nothing is loaded before `main` is called. While modules load, Ctrl-C ends the process at once: an exception could be
raised where Python only prints it, and goes on. Once a command is loaded, it is answered (`interrupts`).
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # `signal` takes a millisecond to load
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


has_process = False  # whether the process is there for nothing but a command


def main() -> None:
    """Run the command line of this process. Ctrl-C is answered while a command runs; before and after, what it does is
    left as it was."""
    global has_process
    has_process = True
    before = _signal.getsignal(_signal.SIGINT)
    try:
        try:
            code = run(sys.argv[1:])
        finally:
            try:
                _signal.signal(_signal.SIGINT, before)
            except KeyboardInterrupt:  # pressed just now: it is raised first, and nothing set
                _signal.signal(_signal.SIGINT, before)
    except KeyboardInterrupt:
        code = _stop()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command. The exit code."""
    from hoyle.cli import app

    return app.run(arguments)


def _stop() -> int:
    if sys.stderr is not None:
        sys.stderr.write("stopped\n")
    return 128 + int(_signal.SIGINT)


__all__ = ["main", "run"]
