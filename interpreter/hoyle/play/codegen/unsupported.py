"""The exceptions by which a code generator declines a program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hoyle.base.effort import TooMuchWork
from hoyle.base.errors import HoyleError
from hoyle.play.engine.codegen_limits import Reason


class Unsupported(HoyleError):  # noqa: N818 - an answer of a generator, not an error
    """A feature of a program that a generator has no code for; the reference executor runs it."""


class GeneratorFailed(Unsupported):
    """A bug of the generator. The reference executor runs the program, and whoever plays is told; tests look for it."""


failures: dict[str, str] = {}  # what generators failed at in this process, by what they were to write


@contextmanager
def generating(what: str) -> Iterator[None]:
    """Turn whatever stops a generator into the reason why there is no code."""
    try:
        yield
    except Unsupported:
        raise
    except TooMuchWork:
        raise Unsupported(Reason.EFFORT) from None
    except RecursionError:
        raise Unsupported(Reason.SIZE) from None
    except Exception as error:
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        failures[what] = f"this game by a fault of Hoyle's own; please report it ({said})"
        raise GeneratorFailed(failures[what]) from error
