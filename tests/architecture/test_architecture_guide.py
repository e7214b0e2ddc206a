"""The guide to the code: it names every package, in the order the layers have, and nothing that is not there."""

from __future__ import annotations

import re
import tomllib
from collections import Counter

import grimp

from doc_blocks import ROOT

GUIDE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CODE = ROOT / "interpreter"
LONGEST = 450
# Tests of no single room, by what they ask of all of them.
ACROSS_ROOMS = {
    "architecture",  # the rooms themselves, the passes one after the other, the package as it is installed
    "benchmarks",  # the folder of that name
    "docs",  # the folder of that name
    "games",  # the folder of that name, and what holds for every game
    "robustness",  # hostile, broken and endless files, whatever reads them
}


def _read_section(title: str) -> str:
    return GUIDE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_every_place_the_guide_names_is_there() -> None:
    named = re.findall(r"`((?:hoyle|games|schema|tests)/[\w/.-]*)`", GUIDE)
    assert len(named) > 30
    for place in named:
        assert (CODE / place if place.startswith("hoyle/") else ROOT / place).exists(), place


def test_the_rooms_are_told_in_the_order_of_the_layers() -> None:
    rows = [line for line in _read_section("The packages").splitlines() if line[:1] == "|"]
    told = re.findall(r"`(\w+)`", "".join(rows))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]
    rooms = [
        name
        for layer in layers["layers"]
        for name in re.findall(r"\w+", layer)
        if (CODE / "hoyle" / name).is_dir()
    ]
    assert told == rooms
    there = {path.parent.name for path in (CODE / "hoyle").glob("*/__init__.py")}
    assert there == set(rooms)


def test_no_module_imports_itself_in_a_circle() -> None:
    """Imports for types and inside functions count."""
    graph = grimp.build_graph("hoyle", exclude_type_checking_imports=False, cache_dir=None)
    left = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    while leaves := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in leaves}
    assert not left, f"these import each other, or what does: {sorted(left)}"


def test_every_long_file_is_explained() -> None:
    told = set(re.findall(r"^\| `([\w/.]+)` \|", _read_section("Files longer than 450 lines"), re.M))
    long = {
        str(path.relative_to(CODE))
        for path in CODE.rglob("*.py")
        if len(path.read_text(encoding="utf-8").splitlines()) > LONGEST
    }
    assert told == long


def test_tests_lie_in_folders_named_as_the_rooms_they_test() -> None:
    folders = {path.relative_to(ROOT / "tests").parent.as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    rooms = {path.parent.name for path in (CODE / "hoyle").glob("*/__init__.py")}
    assert folders <= rooms | ACROSS_ROOMS
    assert folders >= ACROSS_ROOMS


def test_no_two_modules_of_one_name_are_open_at_once() -> None:
    """A module and all it imports have names that differ. The nodes of programs are called `ir` wherever they are
    imported, and so are not taken for others."""
    graph = grimp.build_graph("hoyle", exclude_type_checking_imports=False, cache_dir=None)
    alike = {}
    for module in graph.modules:
        open_at_once = {module, *graph.find_modules_directly_imported_by(module)} - {"hoyle.ir.nodes"}
        files = [each for each in open_at_once if not graph.find_children(each)]
        names = Counter(each.rpartition(".")[2] for each in files)
        found = sorted(each for each in files if names[each.rpartition(".")[2]] > 1)
        if found:
            alike[module] = found
    assert alike == {}


def test_the_nodes_of_programs_are_imported_by_their_short_name() -> None:
    for path in CODE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for line in re.findall(r"^ *from hoyle\.ir import .*$", text, re.M):
            assert not re.search(r"\bnodes\b(?! as ir\b)", line), f"{path}: {line}"
