"""Functions of a library that Python calls as its own builtin functions, not through ctypes.

In: a library that exports a function of the kind METH_FASTCALL. Out: what makes a builtin function of it, bound to the
address of a structure; None where Python is not CPython. A call takes a small part of the time of one through ctypes,
and holds the interpreter: it is for what takes microseconds.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

METH_FASTCALL = 0x80


class _MethodDef(ctypes.Structure):
    """`PyMethodDef`, which is part of Python's stable interface, as are the functions used here."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


def make_builtins(library: ctypes.CDLL, name: str) -> Callable[[ctypes.Structure], Callable[..., Any]] | None:
    """What binds the function to a structure."""
    python: Any = getattr(ctypes, "pythonapi", None)
    if python is None:
        return None
    library.meet_python(python.PyLong_AsLongLong, python.PyLong_FromLongLong, python.PyErr_Occurred)
    function = ctypes.cast(getattr(library, name), ctypes.c_void_p)
    method = _MethodDef(name.encode(), function, METH_FASTCALL, None)
    any_object = ctypes.py_object
    make = ctypes.PYFUNCTYPE(any_object, ctypes.POINTER(_MethodDef), any_object, any_object)(
        ("PyCFunction_NewEx", python)
    )
    # The function holds the structure, too, where others hold their module: so long its memory stays.
    return lambda structure: make(method, ctypes.addressof(structure), structure)
