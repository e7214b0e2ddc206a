"""Where the command `hoyle` begins: from here on Ctrl-C ends it, silently until a command is there to answer.

Nothing is imported that takes time: what Python does before this, and says when it is interrupted, is not ours.
"""

import _signal  # type: ignore[import-not-found] # `signal` takes a millisecond to load

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # it may be ignored, as in the background
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def main() -> None:
    """Run the command line of this process."""
    from hoyle import cli

    cli.main()


__all__ = ["main"]
