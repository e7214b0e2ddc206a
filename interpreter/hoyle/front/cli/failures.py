"""Reports exceptions that reach the command line, without a traceback.

In: an exception. Out: text on stderr and an exit code.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from typing import IO, Any

import click

import hoyle
from hoyle.base.diagnostics.render import render_text
from hoyle.base.diagnostics.signs import spell_out
from hoyle.base.errors import HoyleError

PROBLEM = 1
OUR_FAULT = 3
INTERRUPTED = 128 + signal.SIGINT
PIPE_CLOSED = 141  # 128 + SIGPIPE, as shells report it; the signal itself is missing on Windows
LINES = frozenset("\n")


class Problem(HoyleError, click.ClickException):  # noqa: N818 - told to the user
    """An error in the user's files or input, described in one line."""

    exit_code = PROBLEM

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"hoyle: {self.message}", file=file, err=True)


def explain_failure(failure: Exception) -> int:
    """Print an exception and return the exit code of its class: user error or internal error."""
    if isinstance(failure, hoyle.RuleFileError):
        click.echo(render_text(failure.report.ordered(), color=wants_color(err=True)).rstrip("\n"), err=True)
        return PROBLEM
    if isinstance(failure, hoyle.Fault):
        click.echo(spell_out(str(failure), LINES), err=True)
        return PROBLEM
    if isinstance(failure, OSError) and failure.filename is not None:
        name, why = spell_out(str(failure.filename)), (failure.strerror or "cannot be read").lower()
        click.echo(f"hoyle: {name}: {why}", err=True)
        return PROBLEM
    if isinstance(failure, OSError) and failure.errno in (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT):
        click.echo(f"hoyle: the output cannot be written: {(failure.strerror or '').lower()}", err=True)
        return PROBLEM
    from hoyle.lab.bots import BotError, BotFailed  # lazy: slow to import

    if isinstance(failure, BotError | BotFailed):
        click.echo(f"hoyle: {spell_out(str(failure), LINES)}", err=True)
        return PROBLEM
    if os.environ.get("HOYLE_DEBUG"):
        click.echo("".join(traceback.format_exception(failure)), err=True)
    name, said = type(failure).__name__, spell_out(str(failure), LINES)
    click.echo(f"hoyle: a fault of Hoyle's own, not of your files: {name}: {said}", err=True)
    click.echo("hoyle: please report it, with what HOYLE_DEBUG=1 prints", err=True)
    return OUR_FAULT


def wants_color(err: bool = False) -> bool:
    """Whether the output goes to a terminal that supports colour, and the user has not disabled it (NO_COLOR)."""
    stream = sys.stderr if err else sys.stdout
    if stream is None or not stream.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
