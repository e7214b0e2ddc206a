"""The command line: `hoyle COMMAND …`, one module for each command.

In: arguments. Out: text for people (or JSON), and an exit code.

Nothing is loaded before `main` is called, so that Ctrl-C is answered also while modules load.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence


def main() -> None:
    """Run the command line of this process."""
    try:
        code = run(sys.argv[1:])
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
    return 128 + signal.SIGINT


__all__ = ["main", "run"]
