"""The entry point of the command `hoyle`: Ctrl-C terminates silently until a command installs its own handler.

It imports nothing that takes time; what Python prints when it is interrupted before this point is beyond our control.
"""

import _signal  # type: ignore[import-not-found] # `signal` takes a millisecond to load

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # unless it is ignored, as for background jobs
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def main() -> None:
    """Run the command line."""
    from hoyle.front import cli

    cli.main()


__all__ = ["main"]
