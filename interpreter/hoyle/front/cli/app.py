"""The frame of every command: streams, interruptions, error reporting, exit codes.

In: arguments. Out: an exit code: 0 success, 1 errors in the user's files or input, 2 wrong usage, 3 an internal error,
130 interrupted, 141 broken pipe.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from hoyle.base.diagnostics.signs import spell_out
from hoyle.base.diagnostics.spelling import nearest
from hoyle.front.cli.failures import INTERRUPTED, LINES, PIPE_CLOSED, explain_failure
from hoyle.front.cli.group import commands
from hoyle.front.cli.output import plain_output


def run(arguments: Sequence[str]) -> int:
    """Run one command; return the exit code."""
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
    if "_HOYLE_COMPLETE" in os.environ:  # the shell requests completions
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
        # The terminal has echoed ^C without a line break.
        click.echo("\nstopped" if sys.stderr is not None and sys.stderr.isatty() else "stopped", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as failure:
        return explain_failure(failure)


def _suggest_option(wrong: click.NoSuchOption) -> click.NoSuchOption:
    """Suggest a similar option, comparing without dashes, which would make all short options look similar."""
    options = wrong.ctx.command.params if wrong.ctx is not None else []
    known = {name.lstrip("-"): name for option in options for name in option.opts if name.startswith("--")}
    near = nearest(wrong.option_name.lstrip("-"), known)
    return click.NoSuchOption(wrong.option_name, possibilities=[known[near]] if near else None, ctx=wrong.ctx)


def _buffer(stream: TextIO) -> TextIO:
    """Replace an unbuffered stream (PYTHONUNBUFFERED) by a buffered one. An unbuffered text stream loses the rest of a
    write that a signal interrupts, such as the results shown after Ctrl-C."""
    if not isinstance(getattr(stream, "buffer", None), io.RawIOBase):
        return stream
    return open(stream.fileno(), "w", buffering=1, encoding=stream.encoding, closefd=False)


def _make_streams_forgiving() -> None:
    """Let all standard streams replace characters that cannot be encoded or decoded instead of raising an exception."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _discard_output() -> None:
    """Redirect buffered output to the null device, so that Python's flush at exit does not fail."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
