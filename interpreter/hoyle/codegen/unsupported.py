"""The exception by which a code generator declines a program."""

from __future__ import annotations


class Unsupported(Exception):  # noqa: N818 - an answer of a generator, not an error
    """A feature of a program that a generator has no code for; the reference executor runs it."""
