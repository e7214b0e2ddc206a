"""Dataclasses with slots that are fast to define and, if frozen, fast to instantiate.

In: a class. Out: a dataclass equivalent to that of the standard library, which searches the texts of annotations and
compiles six methods for each class; that took half of the start-up time of a command. Here only `__init__` is compiled,
when the first instance is made, and it sets the slots directly. The helpers of `dataclasses` (`field`, `fields`,
`replace`, `asdict`) work as usual.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(field_specifiers=(field,))
def dataclass(
    *, slots: bool = False, frozen: bool = False, kw_only: bool = False, eq: bool = True
) -> Callable[[type[Made]], type[Made]]:
    """`dataclasses.dataclass` with these arguments. Fields always have slots; without `slots` there is room for other
    attributes beside them, such as cached properties."""

    def define(plain: type[Made]) -> type[Made]:
        new = _read_fields(plain, kw_only)
        before = _inherit_fields(plain)
        known = before | new
        own = {name: value for name, value in vars(plain).items() if name not in ("__dict__", "__weakref__", *new)}
        methods: dict[str, Any] = {"__repr__": _show}
        if eq:
            methods["__eq__"] = _compare_by([one.name for one in known.values() if one.compare])
        if frozen:
            methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
            methods |= {"__getstate__": _list_state, "__setstate__": _take_state}
        if eq and own.get("__hash__") is None and "__eq__" not in own:
            counted = [one.name for one in known.values() if (one.compare if one.hash is None else one.hash)]
            own["__hash__"] = _hash_by(counted) if frozen else None
        own |= {
            "__slots__": (*(name for name in new if name not in before), *(() if slots else ("__dict__",))),
            "__match_args__": tuple(one.name for one in known.values() if one.init and not one.kw_only),
            "__dataclass_fields__": known,
            "__dataclass_params__": _say_parameters(frozen, kw_only, eq),
        }
        kind: Any = type(plain)
        made: Any = kind(plain.__name__, plain.__bases__, methods | own)
        made.__qualname__ = plain.__qualname__
        if "__init__" not in own:
            made.__init__ = _write_init_later(made, frozen)
        return made  # type: ignore[no-any-return]  # a class like the one given

    return define


def _read_fields(plain: type, kw_only: bool) -> dict[str, Any]:
    """The fields that a class adds. Its annotations are texts where they are imported from the future."""
    found: dict[str, Any] = {}
    for name, written in plain.__annotations__.items():
        if not str(written).removeprefix("typing.").startswith("ClassVar"):
            default = plain.__dict__.get(name, MISSING)
            assert default.__class__.__hash__ is not None, f"{plain.__name__}.{name} needs a `default_factory`"
            one: Any = default if isinstance(default, Field) else field(default=default)
            one.name, one.type, one._field_type = name, written, _field_of_instance()
            one.kw_only = kw_only if one.kw_only is MISSING else one.kw_only
            found[name] = one
    return found


def _inherit_fields(plain: type) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for base in plain.__mro__[:0:-1]:
        found |= getattr(base, "__dataclass_fields__", {})
    return found


@cache
def _say_parameters(frozen: bool, kw_only: bool, eq: bool) -> Any:
    """What the standard library keeps of these arguments."""
    made: Any = dataclasses.make_dataclass("Model", ["only"], frozen=frozen, kw_only=kw_only, eq=eq, slots=True)
    return made.__dataclass_params__


@cache
def _field_of_instance() -> Any:
    """What the standard library tells fields of instances by."""
    made: Any = fields(dataclasses.make_dataclass("Model", ["only"]))[0]
    return made._field_type


_FIELDS: dict[type, tuple[str, ...]] = {}


def list_fields(kind: type) -> tuple[str, ...]:
    """The names of the fields of a dataclass; none for other classes."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(one.name for one in fields(kind)) if dataclasses.is_dataclass(kind) else ()
    return _FIELDS[kind]


_ABSENT = object()  # default of parameters with a default factory


def _write_init_later(made: Any, frozen: bool) -> Callable[..., None]:
    """An `__init__` that puts the right one into its place, and calls it: half of all classes have no instance in a
    command, and to compile is most of what a class costs."""

    def init(self: Any, /, *given: Any, **named: Any) -> None:
        made.__init__ = _write_init(made, frozen)
        made.__init__(self, *given, **named)

    return init


def _write_init(made: type, frozen: bool) -> Callable[..., None]:
    """Compile `__init__`; its source contains only names of fields, which come from our own classes."""
    known: dict[str, Any] = {"_absent": _ABSENT}
    taken: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for one in fields(made):
        name, default, value = one.name, "", one.name
        if one.default_factory is not MISSING:
            known[f"_make_{name}"] = one.default_factory
            default, value = "=_absent", f"_make_{name}()"
            value = f"{value} if {name} is _absent else {name}" if one.init else value
        elif one.default is not MISSING:
            known[f"_default_{name}"] = one.default
            default, value = f"=_default_{name}", name if one.init else f"_default_{name}"
        elif not one.init:
            continue  # set by the class itself
        if one.init:
            (named if one.kw_only else taken).append(name + default)
        known[f"_set_{name}"] = getattr(made, name).__set__
        lines.append(f" _set_{name}(self, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    head = ", ".join(["self", *taken, *(["*", *named] if named else [])])
    exec(f"def __init__({head}):\n" + "\n".join(lines or [" pass"]), known)
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__annotations__ = {one.name: one.type for one in fields(made) if one.init} | {"return": None}
    return init


def _compare_by(names: list[str]) -> Callable[[Any, object], Any]:
    values = _values(names)

    def equals(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return equals


def _hash_by(names: list[str]) -> Callable[[Any], int]:
    values = _values(names)

    def hashed(self: Any) -> int:
        return hash(values(self))

    return hashed


def _values(names: list[str]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else lambda _: ()


def _show(self: Any) -> str:
    shown = []
    for one in fields(self):  # not a comprehension, which would use another stack frame for each level of a program
        if one.repr:
            shown.append(f"{one.name}={getattr(self, one.name)!r}")
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _list_state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _take_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
