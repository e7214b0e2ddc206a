"""What programs may use of Hoyle is `hoyle.__all__`: it is there, it is typed, pages import nothing deeper, and
everything deeper says that it is internal. All exceptions have one base class."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import hoyle

ROOT = Path(__file__).parents[2]
INSIDE = ("architecture.md", "adding-a-word.md")  # with docs/dev, the pages for those who change Hoyle
PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in INSIDE)]
WINGS = sorted(path.parent.name for path in (ROOT / "interpreter/hoyle").glob("*/__init__.py"))
EXTRAS = {"HoyleGame": "pyspiel", "HoyleEnv": "pettingzoo", "RayCrew": "ray"}


@pytest.mark.parametrize("name", hoyle.__all__)
def test_every_public_name_is_there(name: str) -> None:
    if name in EXTRAS and importlib.util.find_spec(EXTRAS[name]) is None:
        pytest.skip(f"{EXTRAS[name]} is not installed")
    assert getattr(hoyle, name).__doc__
    assert name in dir(hoyle)


def test_type_checkers_know_the_same_names() -> None:
    stub = (ROOT / "interpreter/hoyle/__init__.pyi").read_text()
    told = re.findall(r" as (\w+)$|^(\w+) = ", stub, re.MULTILINE)
    assert {name for pair in told for name in pair if name and name != "_ArenaPlan"} == {*hoyle.__all__, "__version__"}
    assert list(hoyle.__all__) == sorted(hoyle.__all__, key=lambda name: (not name[0].isupper(), name))


def test_pages_name_nothing_deeper_than_what_is_public() -> None:
    deeper = re.compile(rf"(?<![\w/-])hoyle\.({'|'.join(WINGS)})\.\w+")
    found = [
        f"{page.name}: {line.strip()}"
        for page in PAGES
        for line in page.read_text(encoding="utf-8").splitlines()
        if deeper.search(line) and "python -m" not in line
    ]
    assert not found
    named = {name for page in PAGES for name in re.findall(r"from hoyle import ([\w, ]+)", page.read_text("utf-8"))}
    assert {name.strip() for names in named for name in names.split(",")} <= set(hoyle.__all__)


@pytest.mark.parametrize("wing", WINGS)
def test_what_is_deeper_says_that_it_is_internal(wing: str) -> None:
    said = importlib.import_module(f"hoyle.{wing}").__doc__
    assert said is not None and "Internal: programs that use Hoyle import from `hoyle` alone." in said


def test_all_exceptions_have_one_base_class() -> None:
    alone = []
    for found in pkgutil.walk_packages(hoyle.__path__, "hoyle."):
        if found.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(found.name)
        except ImportError:  # of an extra that is not installed
            continue
        alone += [
            f"{each.__module__}.{each.__qualname__}"
            for each in vars(module).values()
            if inspect.isclass(each) and issubclass(each, BaseException) and inspect.getmodule(each) is module
            and not issubclass(each, hoyle.HoyleError)
        ]  # fmt: skip
    assert not alone
