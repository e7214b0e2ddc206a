"""What happens around every command: streams, interruptions, failures, the exit code.

In: arguments. Out: an exit code: 0 all is well, 1 something is wrong in the user's files
or input, 2 the command was used wrongly, 130 interrupted, 141 the reader of the output has gone, 3 a fault of our own.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from hoyle.cli.failures import INTERRUPTED, LINES, PIPE_CLOSED, explain_failure
from hoyle.cli.group import commands
from hoyle.cli.output import plain_output
from hoyle.diagnostics.signs import spell_out
from hoyle.diagnostics.spelling import nearest

OBJECTS_BETWEEN_COLLECTIONS = 50_000  # most of what a compiler makes stays: looking for cycles took a fifth of the time


def run(arguments: Sequence[str]) -> int:
    """Run one command. The exit code."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    sys.stdout, sys.stderr = map(_buffer, (sys.stdout, sys.stderr))
    _make_streams_forgiving()
    try:
        with plain_output():
            code = _invoke(list(arguments))
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except OSError as failure:
        _discard_output()
        return explain_failure(failure)


def _invoke(arguments: list[str]) -> int:
    if "_HOYLE_COMPLETE" in os.environ:  # the shell asks for completions
        commands.main(arguments, prog_name="hoyle")
    try:
        with commands.make_context("hoyle", arguments) as context:
            commands.invoke(context)
        return 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as wrong:
        shown = io.StringIO()
        (_suggest_option(wrong) if isinstance(wrong, click.NoSuchOption) else wrong).show(shown)
        click.echo(spell_out(shown.getvalue(), LINES), err=True, nl=False)
        return wrong.exit_code
    except (KeyboardInterrupt, click.Abort):
        # A terminal has echoed ^C without ending the line.
        click.echo("\nstopped" if sys.stderr is not None and sys.stderr.isatty() else "stopped", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as failure:
        return explain_failure(failure)


def _suggest_option(wrong: click.NoSuchOption) -> click.NoSuchOption:
    """Only what is nearly written so: by its dashes alone every short option is near to every other."""
    options = wrong.ctx.command.params if wrong.ctx is not None else []
    known = {name.lstrip("-"): name for option in options for name in option.opts if name.startswith("--")}
    near = nearest(wrong.option_name.lstrip("-"), known)
    return click.NoSuchOption(wrong.option_name, possibilities=[known[near]] if near else None, ctx=wrong.ctx)


def _buffer(stream: TextIO) -> TextIO:
    """The stream with a buffer, which it has not where PYTHONUNBUFFERED is set: a text stream written straight to the
    descriptor loses what a write that a signal interrupts has left over, such as the results shown after Ctrl-C."""
    if not isinstance(getattr(stream, "buffer", None), io.RawIOBase):
        return stream
    return open(stream.fileno(), "w", buffering=1, encoding=stream.encoding, closefd=False)


def _make_streams_forgiving() -> None:
    """A character the terminal cannot show, or bytes that are no text, become a mark instead of an exception."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _discard_output() -> None:
    """Send what is still buffered nowhere, so that Python's own flush at exit does not complain."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
