"""The one answer of the generators that is not code."""

from __future__ import annotations


class Unsupported(Exception):  # noqa: N818 - an answer of a generator, not an error
    """Something of a program that a generator writes no code for; the reference executor runs it."""
