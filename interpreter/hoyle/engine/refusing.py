"""What generated code does not run: the reasons there are, and the one that is seen before any code is written.

In: a program. Out: why no code is written for it; the reference executor then plays it.
"""

from __future__ import annotations

from enum import StrEnum

from hoyle.ir import nodes as ir

MOST_BLOCKS = 1_000  # of a program that code is written for; larger ones are played by the reference


class Reason(StrEnum):
    """Why a program is played by the reference, in words that follow `no Python is generated for`."""

    BLOCKS = f"a game of more than {MOST_BLOCKS:,} blocks"
    WORK = "an expression that may be more work than is allowed: it has to be counted"
    EFFORT = "a game so intricate: writing it would take too long"
    STRETCH = "a game that does so much between two decisions"
    SIZE = "code that would be too large or too deep"
    CALLED = "errors that are called: each choice is put on record"


def find_unsupported(program: ir.Program) -> Reason | None:
    """Why no code at all is written for a program; None if it is tried."""
    return Reason.BLOCKS if len(program.blocks) > MOST_BLOCKS else None
