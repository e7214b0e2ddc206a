"""The one answer of the generator that is not code."""

from __future__ import annotations


class Unsupported(Exception):  # noqa: N818 - an answer: the reference plays this game
    """Something no code is written for."""
