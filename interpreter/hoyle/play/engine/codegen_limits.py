"""Limits of code generation: the reasons why a program is run by the next executor instead.

In: a program. Out: a reason that is known before any code is generated, if there is one.
"""

from __future__ import annotations

from enum import StrEnum

from hoyle.program.ir import nodes as ir

MOST_BLOCKS = 1_000  # largest program for which code is generated
# Steps of lowering and printing a program: values made, lines of C, ten for a line of Python, whose compiler is slow.
# The shipped games take up to 30,000.
MOST_WRITING = 300_000


class Reason(StrEnum):
    """Why a program is run by the reference, in words that follow `no Python is generated for`."""

    BLOCKS = f"a game of more than {MOST_BLOCKS:,} blocks"
    WORK = "an expression that may be more work than is allowed: it has to be counted"
    EFFORT = "a game so intricate: writing it would take too long"
    SIZE = "code that would be too large or too deep"
    CALLED = "errors that are called: each choice is put on record"


def find_unsupported(program: ir.Program) -> Reason | None:
    """Why no code is generated for a program at all; None if generation should be attempted."""
    return Reason.BLOCKS if len(program.blocks) > MOST_BLOCKS else None
