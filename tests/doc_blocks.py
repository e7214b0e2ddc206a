"""The fenced blocks of the documentation, and the check of each kind.

In: Markdown files. Out: `Block`s, and functions that check a block and return what is wrong with it.

| info string    | content, and check                                                                         |
|----------------|--------------------------------------------------------------------------------------------|
| `yaml game`    | a whole rule file; it passes the checker at every number of players                        |
| `yaml part`    | part of a rule file; it passes as a variant of docs/examples/table                         |
| `yaml module`  | a module; it is well-formed and fits the schema, and games of the page may use it          |
| `yaml slip`    | a whole rule file that is rejected with exactly the code named in the info string          |
| `yaml test`    | a file of examples; they pass for the games of the documentation and shipped ones          |
| `yaml build`   | sections of a file that grows along a page; after each block the file passes               |
| `rule-steps`   | statements; they pass as the step `turn` of that table (`rule-steps round`: as `round`)    |
| `rule-expr`    | expressions, one per line; each compiles for a seat of that table                          |
| `… planned`    | planned features, in the intended notation; the YAML must be well-formed                   |
| `yaml file F`  | the file F of a story, written when the story reaches it                                   |
| `story`        | as `console`, but all blocks of a page run in sequence in one folder                       |
| `console`      | `$ hoyle …` is run; the lines shown occur in its output, in order (`console exit=1`)       |
| `python`       | doctests; those of a page share their globals                                              |
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from hoyle.base.diagnostics.render import render_text
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Source
from hoyle.language.compile import check_file, read_game
from hoyle.language.document.clauses import clause_at, is_named
from hoyle.language.document.marks import take_marks
from hoyle.language.document.nodes import Mapping, Node, Scalar
from hoyle.language.document.reading import read_nodes
from hoyle.language.queries import read_expression, text_span
from hoyle.language.specialise import Specialised, specialise

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "examples" / "table" / "table.game.yaml"
SEATS = 3

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]+)\n(?P<body>.*?)^(?P=indent)```$", re.S | re.M)
_GAME = re.compile(r"^game: *(?P<name>[a-z0-9-]+)", re.M)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its page, its line, the words of its info string, and its content."""

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
    """List the README and all pages of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "dev").glob("*.md"))]


def list_blocks(page: Path) -> list[Block]:
    """List the fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for fence in _FENCE.finditer(text):
        indent = len(fence["indent"])
        body = "".join(line[indent:] for line in fence["body"].splitlines(keepends=True))
        found.append(Block(page, text.count("\n", 0, fence.start()) + 1, tuple(fence["info"].split()), body))
    return found


def blocks_of(*kinds: str) -> list[Block]:
    """List the blocks of these kinds on all pages."""
    return [block for page in list_pages() for block in list_blocks(page) if block.kind in kinds]


def save_games(page: Path, folder: Path) -> list[Path]:
    """Write the games and modules of a page to files, so that they can refer to each other."""
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
    """Check a rule file, warnings included; return the report, empty if it passes. Unused declarations are ignored: the
    example table declares things that only blocks of pages use."""
    found = [one for one in check_file(path).ordered() if one.code != "never-used"]
    return render_text(found) if found else ""


def check_part(part: str, folder: Path) -> str:
    """Check part of a rule file as a variant of the example table. The markers that a variant needs for new names are
    added, since the block is shown as part of a game."""
    shutil.copy(TABLE, folder)
    path = folder / "example.game.yaml"
    path.write_text(f"game: example\nextends: table\n{mark_part(part)}", encoding="utf-8")
    report = check_file(path)
    return render_text(report.ordered()) if report.failed else ""


def mark_part(part: str) -> str:
    """Add the variant markers to names that the table lacks or has in another form."""
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
                if not over.span.source.text.startswith(prefixes or "\0", at):  # names from modules need no marker
                    yield at, mark


def _form(path: tuple[str, ...], node: Node) -> set[str]:
    """Return the keys that give the form of a clause."""
    clause = clause_at(path)
    if path[:2] == ("deck", "attributes") and len(path) == 3:
        return {type(node).__name__ if not isinstance(node, Mapping) or node.entry("range") is None else "range"}
    if clause is None or not isinstance(node, Mapping):
        return {clause.body} if clause is not None and clause.body else set()
    return {"names"} if clause.is_named_form(node) else set(clause.bodies) & set(node.keys())


def check_steps(statements: str, folder: Path, step: str = "turn") -> str:
    """Check statements as the body of a step."""
    lines = "".join(f"      {line}\n" for line in statements.splitlines())
    return check_part(f"steps:\n  {step}:\n    do: |\n{lines}", folder)


def specialise_file(path: Path, players: int) -> Specialised:
    """Specialise a game, so that expressions can be compiled against it."""
    report = Report()
    declared = read_game(path, report)
    assert declared is not None, render_text(report.ordered())
    game = specialise(declared, players, {}, report)
    assert game is not None, render_text(report.ordered())
    return game


def check_expressions(text: str, table: Specialised) -> str:
    """Check expressions, one per line."""
    wrong = []
    for line in text.splitlines():
        report = Report()
        if line.strip() and not line.startswith("#"):
            read_expression(table, text_span(line), report, seat=True)
            wrong += [render_text(report.ordered())] if report.diagnostics else []
    return "\n".join(wrong)


def is_yaml(text: str) -> str:
    """Return the syntax error of a text as YAML, empty if there is none."""
    try:
        yaml.compose(text)
    except yaml.YAMLError as error:
        return str(error)
    return ""
