"""The command line: `hoyle COMMAND …`, one module for each command.

In: arguments. Out: text for people (or JSON), and an exit code.
"""

from hoyle.cli.app import main, run

__all__ = ["main", "run"]
