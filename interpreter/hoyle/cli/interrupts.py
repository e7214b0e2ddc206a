"""Ctrl-C, from the moment a command is there to answer it.

In: nothing. Out: the signal's handler, set.
"""

import signal


def answer_interrupts() -> None:
    """From now on Ctrl-C is an exception, unless it is ignored or answered otherwise."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
