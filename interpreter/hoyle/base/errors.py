"""The base class of all exceptions that Hoyle raises.

In: nothing. Out: `HoyleError`, so that `except hoyle.HoyleError` catches whatever Hoyle has to say. What a caller does
wrong in Python itself, such as a list where a number belongs, is a `TypeError` or an `IndexError`, as everywhere.
"""

from __future__ import annotations


class HoyleError(Exception):
    """Something that Hoyle refuses, or that went wrong in it; the text says what, and what to do."""


class NotStored(HoyleError):  # noqa: N818 - told to the player, whose choice it was
    """What should have been written could not be: the disk is full, the store is locked, the folder cannot be written.
    Nothing has changed."""
