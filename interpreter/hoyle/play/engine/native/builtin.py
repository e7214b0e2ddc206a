"""Library functions as CPython builtins, without the call overhead of ctypes.

In: a library that exports a function with the calling convention METH_FASTCALL. Out: a factory of builtin functions
bound to the address of a structure; None where Python is not CPython. A call costs a fraction of one through ctypes,
and holds the interpreter lock: it is for what takes microseconds.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

METH_FASTCALL = 0x80


class _MethodDef(ctypes.Structure):
    """`PyMethodDef`, part of the stable ABI, as are the functions used here."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


def make_builtins(library: ctypes.CDLL, name: str) -> Callable[[ctypes.Structure], Callable[..., Any]] | None:
    """A factory that binds the function to a structure."""
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
    # The structure is passed as the module of the function, which keeps a reference to it: its memory stays alive.
    return lambda structure: make(method, ctypes.addressof(structure), structure)
