"""Our dataclasses are those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from inspect import signature
from typing import Any

import pytest

from hoyle.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Frozen:
    """With every kind of field."""

    rank: int
    suit: str = "hearts"
    marks: list[int] = field(default_factory=list, hash=False)
    note: str = field(default="", compare=False)
    hidden: int = field(default=0, repr=False)
    kept: tuple[int, ...] = field(default=(), init=False)

    def describe(self) -> str:
        return f"{self.rank} of {self.suit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Below(Frozen):
    """Inherits, with names."""

    more: int = 1


@dataclass(slots=True)
class Open:
    """May be changed."""

    rank: int
    marks: dict[str, int] = field(default_factory=dict)
    total: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = self.rank + len(self.marks)


@dataclass(frozen=True, slots=True, eq=False)
class Own:
    """Equal to itself alone."""

    rank: int


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing in it."""


ARGUMENTS = {
    Frozen: {"frozen": True},
    Below: {"frozen": True, "kw_only": True},
    Open: {},
    Own: {"frozen": True, "eq": False},
}
TRIED: dict[type, list[dict[str, Any]]] = {
    Frozen: [{"rank": 1}, {"rank": 1, "note": "x"}, {"rank": 1, "hidden": 2}, {"rank": 2, "marks": [1]}],
    Below: [{"rank": 1}, {"rank": 1, "more": 2}, {"rank": 3, "suit": "clubs"}],
    Open: [{"rank": 1}, {"rank": 1, "marks": {"a": 1}}],
    Own: [{"rank": 1}, {"rank": 1}],
}


def make_standard(ours: type) -> Any:
    """The same fields and methods as the standard library would make them."""
    base = make_standard(ours.__bases__[0]) if ours.__bases__[0] is not object else object
    inherited = {one.name for one in fields(base)} if base is not object else set()
    body: dict[str, Any] = {"__annotations__": {}, "__qualname__": ours.__qualname__, "__doc__": ours.__doc__}
    for one in fields(ours):
        if one.name not in inherited:
            body["__annotations__"][one.name] = one.type
            body[one.name] = field(
                default=one.default, default_factory=one.default_factory, init=one.init, repr=one.repr,
                hash=one.hash, compare=one.compare,
            )  # fmt: skip
    if "__post_init__" in ours.__dict__:
        body["__post_init__"] = ours.__dict__["__post_init__"]
    return dataclasses.dataclass(slots=True, **ARGUMENTS[ours])(type(ours.__name__, (base,), body))


@pytest.mark.parametrize("ours", TRIED, ids=lambda cls: cls.__name__)
def test_they_are_made_compared_hashed_and_shown_alike(ours: Any) -> None:
    standard = make_standard(ours)
    both = [[cls(**given) for given in TRIED[ours]] for cls in (ours, standard)]
    assert [repr(one) for one in both[0]] == [repr(one) for one in both[1]]
    assert [asdict(one) for one in both[0]] == [asdict(one) for one in both[1]]
    equal = [[[one == other for other in each] for one in each] for each in both]
    assert equal[0] == equal[1]
    assert both[0][0] != both[1][0], "of another class"
    assert list(signature(ours).parameters) == list(signature(standard).parameters)
    assert ours.__match_args__ == standard.__match_args__
    assert (ours.__hash__ is None) == (standard.__hash__ is None)
    if ours.__hash__ is not None:
        alike = [[[hash(one) == hash(other) for other in each] for one in each] for each in both]
        assert alike[0] == alike[1]


def test_what_is_frozen_stays_as_it_is() -> None:
    one = Below(rank=1, more=4)
    for change in (lambda: setattr(one, "rank", 2), lambda: setattr(one, "other", 2), lambda: delattr(one, "rank")):
        with pytest.raises(FrozenInstanceError):
            change()
    assert replace(one, more=5) == Below(rank=1, more=5)
    assert not hasattr(one, "__dict__")


def test_mistakes_in_making_one_are_told_as_by_any_function() -> None:
    with pytest.raises(TypeError, match=r"Frozen.__init__\(\) missing 1 required positional argument: 'rank'"):
        Frozen()  # type: ignore[call-arg]  # on purpose
    with pytest.raises(TypeError, match="unexpected keyword argument 'kept'"):
        Frozen(1, kept=())  # type: ignore[call-arg]  # on purpose
    assert Frozen(1).marks is not Frozen(1).marks


@pytest.mark.parametrize("one", [Frozen(1, marks=[2]), Below(rank=2), Open(1), Empty()], ids=repr)
def test_they_are_copied_and_pickled(one: object) -> None:
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
