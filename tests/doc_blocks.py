"""The fenced blocks of the documentation, and what each kind of them is put through.

In: Markdown files. Out: `Block`s, and for the kinds that are run a function that says what is wrong with one.

| info string    | what it holds, and what must hold of it                                                    |
|----------------|--------------------------------------------------------------------------------------------|
| `yaml game`    | a whole rule file; it passes the checker at every number of players                        |
| `yaml part`    | part of a rule file; it passes as a variant of docs/examples/table                         |
| `yaml module`  | a module; it is well-formed and fits the schema, and games of the page may use it          |
| `yaml slip`    | a whole rule file that is refused, with the code named in the info string and no other     |
| `yaml test`    | a file of examples; they hold for the games of the documentation and those that are shipped |
| `yaml build`   | sections of a file that grows along a page; after each block the file passes               |
| `rule-steps`   | statements; they pass as what a seat does in its turn at that table (`rule-steps round`:   |
|                | as what happens in the round)                                                              |
| `rule-expr`    | expressions, one on a line; each passes when asked for a seat of that table                |
| `… planned`    | what a later game brings, in the notation intended; YAML must be well-formed               |
| `yaml file F`  | the file F of a story; it is written when the story comes to it                              |
| `story`        | as `console`, but all of a page are run one after the other in one folder                    |
| `console`      | `$ hoyle …` is run; the lines shown occur in its output, in order (`console exit=1`)       |
| `python`       | doctests, those of a page sharing their names                                              |
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from hoyle.compile import check_file, read_game
from hoyle.diagnostics.render import render_text
from hoyle.diagnostics.report import Report
from hoyle.document.clauses import clause_at, is_named
from hoyle.document.marks import take_marks
from hoyle.document.nodes import Mapping, Node, Scalar
from hoyle.document.reading import read_nodes
from hoyle.queries import read_expression, text_span
from hoyle.source import Source
from hoyle.specialise import Specialised, specialise

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "examples" / "table" / "table.game.yaml"
SEATS = 3

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]+)\n(?P<body>.*?)^(?P=indent)```$", re.S | re.M)
_GAME = re.compile(r"^game: *(?P<name>[a-z0-9-]+)", re.M)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: the page it stands on, its line, the words of its info string, and what it holds."""

    page: Path
    line: int
    info: tuple[str, ...]
    body: str

    @property
    def kind(self) -> str:
        return " ".join(self.info[:2]) if self.info[0] == "yaml" else self.info[0]

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def list_pages() -> list[Path]:
    """The README and every page of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def list_blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for fence in _FENCE.finditer(text):
        indent = len(fence["indent"])
        body = "".join(line[indent:] for line in fence["body"].splitlines(keepends=True))
        found.append(Block(page, text.count("\n", 0, fence.start()) + 1, tuple(fence["info"].split()), body))
    return found


def blocks_of(*kinds: str) -> list[Block]:
    """The blocks of these kinds on all pages."""
    return [block for page in list_pages() for block in list_blocks(page) if block.kind in kinds]


def save_games(page: Path, folder: Path) -> list[Path]:
    """The whole games of a page as files, so that one can extend another."""
    saved = []
    for block in list_blocks(page):
        if block.kind == "yaml game":
            saved.append(save_game(block, folder))
        elif block.kind == "yaml module":
            found = re.search(r"^module: *(\w+)", block.body, re.M)
            assert found, "a module says what it is called"
            (folder / f"{found[1]}.module.yaml").write_text(block.body, encoding="utf-8")
    return saved


def save_game(block: Block, folder: Path) -> Path:
    path = folder / f"{name_game(block.body)}.game.yaml"
    path.write_text(block.body, encoding="utf-8")
    return path


def name_game(text: str) -> str:
    found = _GAME.search(text)
    assert found, "a game says what it is called"
    return found["name"]


# ------------------------------------------------------------------------------------------------ rule files
def check_game(path: Path) -> str:
    """What is wrong with a rule file, warnings included; nothing if it passes. The table of the examples holds things
    that only the parts shown on a page use."""
    found = [one for one in check_file(path).ordered() if one.code != "never-used"]
    return render_text(found) if found else ""


def check_part(part: str, folder: Path) -> str:
    """What is wrong with part of a rule file when it is put over the table of the examples: it stands there as part of
    a game, so that what the table lacks need not be marked as new."""
    shutil.copy(TABLE, folder)
    path = folder / "example.game.yaml"
    path.write_text(f"game: example\nextends: table\n{mark_part(part)}", encoding="utf-8")
    report = check_file(path)
    return render_text(report.ordered()) if report.failed else ""


def mark_part(part: str) -> str:
    """Part of a rule file with marks before the names that the table has not, or has in another form."""
    table, over = (
        take_marks(found, Report())
        for text in (TABLE.read_text(encoding="utf-8"), part)
        if (found := read_nodes(Source("part", text), Report())) is not None
    )
    marks = sorted(_marks(table, over, ()), reverse=True)
    for at, mark in marks:
        part = part[:at] + mark + " " + part[at:]
    return part


def _marks(base: Mapping, over: Mapping, path: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    copies = [item.get("as") for item in over.get("use") or () if isinstance(item, Mapping)]
    prefixes = tuple(f"{name.text}." for name in copies if isinstance(name, Scalar))
    for entry in over:
        old, inner = base.entry(entry.name), (*path, entry.name)
        if entry.mark:
            continue
        if old is None and is_named(inner):
            yield entry.key.span.start, "new"
        elif old is not None and (
            (_form(inner, old.value) - _form(inner, entry.value) and _form(inner, entry.value))
            or inner == ("deck", "cards")
        ):
            yield entry.key.span.start, "replace"
        elif isinstance(entry.value, Mapping):
            below = old.value if old is not None and isinstance(old.value, Mapping) else Mapping((), over.span)
            for at, mark in _marks(below, entry.value, inner):
                if not over.span.source.text.startswith(prefixes or "\0", at):  # what a module brings is not new
                    yield at, mark


def _form(path: tuple[str, ...], node: Node) -> set[str]:
    """By which means a clause is said."""
    clause = clause_at(path)
    if path[:2] == ("deck", "attributes") and len(path) == 3:
        return {type(node).__name__ if not isinstance(node, Mapping) or node.entry("range") is None else "range"}
    if clause is None or not isinstance(node, Mapping):
        return {clause.body} if clause is not None and clause.body else set()
    return {"names"} if clause.is_named_form(node) else set(clause.bodies) & set(node.keys())


def check_steps(statements: str, folder: Path, step: str = "turn") -> str:
    """What is wrong with statements when they are what a seat does in its turn, or what happens in another step."""
    lines = "".join(f"      {line}\n" for line in statements.splitlines())
    return check_part(f"steps:\n  {step}:\n    do: |\n{lines}", folder)


def specialise_file(path: Path, players: int) -> Specialised:
    """A game ready to be asked about."""
    report = Report()
    declared = read_game(path, report)
    assert declared is not None, render_text(report.ordered())
    game = specialise(declared, players, {}, report)
    assert game is not None, render_text(report.ordered())
    return game


def check_expressions(text: str, table: Specialised) -> str:
    """What is wrong with any of the expressions, one on a line."""
    wrong = []
    for line in text.splitlines():
        report = Report()
        if line.strip() and not line.startswith("#"):
            read_expression(table, text_span(line), report, seat=True)
            wrong += [render_text(report.ordered())] if report.diagnostics else []
    return "\n".join(wrong)


# ------------------------------------------------------------------------------------------------ growing files
def put_sections(text: str, more: str) -> str:
    """A file with the top-level sections of `more` in the place of its own, or after them if it has none."""
    sections = split_sections(text) | split_sections(more)
    return "".join(sections.values())


def split_sections(text: str) -> dict[str, str]:
    """The top-level sections of a YAML text by name, each as it is written."""
    sections: dict[str, str] = {}
    name = ""
    for line in text.splitlines(keepends=True):
        found = re.match(r"([a-z]+):", line)
        name = found[1] if found else name
        sections[name] = sections.get(name, "") + line
    return sections


def is_yaml(text: str) -> str:
    """What is wrong with a text as YAML."""
    try:
        yaml.compose(text)
    except yaml.YAMLError as error:
        return str(error)
    return ""
