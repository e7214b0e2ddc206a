"""Handling of Ctrl-C, installed once a command is loaded.

In: nothing. Out: the signal handler, set.
"""

import signal


def answer_interrupts() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt`, unless SIGINT is ignored or has another handler."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
