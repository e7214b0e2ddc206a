"""The guide to the code: it names every package, in the order the layers have, and nothing that is not there."""

from __future__ import annotations

import ast
import importlib.util
import re
import tomllib
from collections import Counter
from pathlib import Path

import grimp
import pytest

from doc_blocks import ROOT

GUIDE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CODE = ROOT / "interpreter"
LONGEST = 450
COMMENTED = (".js", ".c", ".cu", ".h")
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


def list_rooms(wing: str = "*") -> set[str]:
    """The packages of a wing, or of all."""
    return {path.parent.name for path in (CODE / "hoyle").glob(f"{wing}/*/__init__.py")}


def test_the_wings_and_their_rooms_are_told_in_the_order_of_the_layers() -> None:
    rows = [line.split("|") for line in _read_section("The wings").splitlines() if line.startswith("| `")]
    told = {row[1].strip(" `"): re.findall(r"`(\w+)`", row[3]) for row in rows}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = {
        contract["containers"][0]: re.findall(r"\w+", " ".join(contract["layers"]))
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    }
    wings = [name for name in layers["hoyle"] if name != "__main__"]
    assert list(told) == wings
    for wing in wings:
        assert told[wing] == [name for name in layers[f"hoyle.{wing}"] if name in list_rooms(wing)]
        assert set(told[wing]) == list_rooms(wing)


def test_only_the_wings_stand_at_the_top() -> None:
    there = {path.name for path in (CODE / "hoyle").iterdir() if path.name != "__pycache__"}
    wings = {path.parent.name for path in (CODE / "hoyle").glob("*/__init__.py")}
    assert there == wings | {"__init__.py", "__init__.pyi", "__main__.py", "py.typed"}


def test_no_module_imports_itself_in_a_circle() -> None:
    """Imports for types and inside functions count."""
    graph = grimp.build_graph("hoyle", exclude_type_checking_imports=False, cache_dir=None)
    left = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    while leaves := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in leaves}
    assert not left, f"these import each other, or what does: {sorted(left)}"


def write_index() -> str:
    """Every module with the first sentence of its docstring or first comment, by wing and room."""
    parts = ["# Modules", "What each module is, in the words of its docstring; written anew by `pytest --update`."]
    for wing in re.findall(r"^\| `(\w+)` \|", _read_section("The wings"), re.M)[::-1]:
        folder = CODE / "hoyle" / wing
        parts.append(f"## {wing}\n\n{_say_first(folder / '__init__.py')}")
        for room in sorted({path.parent for path in folder.rglob("*") if path.suffix in (".py", *COMMENTED)}):
            files = [path for path in sorted(room.iterdir()) if path.suffix in (".py", *COMMENTED)]
            files = [path for path in files if path.name != "__init__.py"]
            title = [f"### `{room.relative_to(CODE)}/`"] if room != folder else []
            parts += [*title, "\n".join(f"- `{path.name}`: {_say_first(path)}" for path in files)] if files else []
    return "\n\n".join(parts) + "\n"


def _say_first(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix in COMMENTED:
        comment = re.match(r"\s*/\*+\s*(.*?)(?:\*/|\n \*?\s*\n)", text, re.S)
        said = re.sub(r"\n \*", "\n", comment[1]).strip("- \n") if comment is not None else ""
    else:
        said = ast.get_docstring(ast.parse(text)) or ""
    return " ".join(said.split("\n\n")[0].split())


def test_the_index_of_modules_says_what_their_docstrings_say(update: bool) -> None:
    index = ROOT / "docs" / "dev" / "every-module.md"
    if update:
        index.write_text(write_index(), encoding="utf-8")
    assert index.read_text(encoding="utf-8") == write_index(), "run: pytest --update tests/architecture"


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
    assert folders <= list_rooms() | ACROSS_ROOMS
    assert folders >= ACROSS_ROOMS


def test_no_two_modules_of_one_name_are_open_at_once() -> None:
    """A module and all it imports have names that differ. The nodes of programs are called `ir` wherever they are
    imported, and so are not taken for others."""
    graph = grimp.build_graph("hoyle", exclude_type_checking_imports=False, cache_dir=None)
    alike = {}
    for module in graph.modules:
        open_at_once = {module, *graph.find_modules_directly_imported_by(module)} - {"hoyle.program.ir.nodes"}
        files = [each for each in open_at_once if not graph.find_children(each)]
        names = Counter(each.rpartition(".")[2] for each in files)
        found = sorted(each for each in files if names[each.rpartition(".")[2]] > 1)
        if found:
            alike[module] = found
    assert alike == {}


def test_the_nodes_of_programs_are_imported_by_their_short_name() -> None:
    for path in CODE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for line in re.findall(r"^ *from hoyle\.program\.ir import .*$", text, re.M):
            assert not re.search(r"\bnodes\b(?! as ir\b)", line), f"{path}: {line}"


@pytest.mark.parametrize("old", ["hoyle.adapters.encoding", "hoyle.bots", "hoyle.engine.habits", "hoyle.sim.run"])
def test_whoever_imports_a_module_from_where_it_was_is_told_where_it_is(old: str) -> None:
    with pytest.raises(ModuleNotFoundError, match="has moved") as told:
        importlib.import_module(old)
    new = re.findall(r"`([^`]*)`", str(told.value))[-1]
    assert importlib.util.find_spec(new) is not None
    with pytest.raises(ModuleNotFoundError, match=r"^No module named"):
        importlib.import_module("hoyle.nowhere")
