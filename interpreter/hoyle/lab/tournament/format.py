"""Parses tournament formats, `*.format.yaml` files.

In: a path. Out: `Format`, or diagnostics. Its expressions in the rule language are compiled later, for a given game.
"""

from __future__ import annotations

from pathlib import Path

from hoyle.base.dataclass import dataclass
from hoyle.base.diagnostics.report import Report
from hoyle.base.shipped import list_in
from hoyle.base.source import Span
from hoyle.language.document.language_version import take_version
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence
from hoyle.language.document.reading import read_nodes, read_source
from hoyle.language.document.validation import validate

FORMAT_SUFFIX = ".format.yaml"
EVERYBODY = "everybody"
WINNERS = "winners"
_SHIPPED = Path(__file__).resolve().parent / "formats"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of tables, seats or games: its default (None: as many games as a round robin needs) and its range."""

    usual: int | None
    low: int
    high: int
    span: Span


@dataclass(frozen=True, slots=True)
class Format:
    """A parsed format. `award_to` None means the winners of the game; `stop` None means that no game is cut short.
    `labels` are its `title` and what is `called`, in other languages."""

    name: str
    title: str
    labels: dict[str, dict[str, str]]
    text: str
    game: str
    options: dict[str, str]
    tables: Amount
    seats: Amount
    games: Amount
    stop: Span | None
    award_to: Span | None
    points: int
    shared: int
    called: str
    tie: str
    first: str
    then: str
    seating_at: Span
    ties: tuple[str, ...]
    cut_rank: Span | None
    cut_best: str


def list_formats(folder: Path) -> list[Path]:
    """List the formats in the folder of a game, then the generic ones."""
    return [*list_in(folder, FORMAT_SUFFIX), *sorted(_SHIPPED.glob("*" + FORMAT_SUFFIX))]


def name_format(path: Path) -> str:
    return path.name.removesuffix(FORMAT_SUFFIX)


def find_format(name: str | None, folder: Path) -> Path | None:
    """Find a format by name or path; without one, the first format in the folder."""
    if name is None:
        own = list_in(folder, FORMAT_SUFFIX)
        return own[0] if own else None
    if Path(name).is_file():
        return Path(name)
    return next((path for path in list_formats(folder) if name_format(path) == name), None)


def read_format(path: Path, report: Report) -> Format | None:
    """Parse the format in a file; None after reporting errors."""
    source = read_source(path, report)
    root = read_nodes(source, report) if source is not None else None
    root = take_version(root, report) if root is not None else None
    if root is None:
        return None
    validate(root, "format", report)
    if report.failed:
        return None
    award, seating = _section(root, "award"), _section(root, "seating")
    cut, stop = _section(root, "cut"), _section(root, "stop")
    to, then = award.get("to"), seating.get("then")
    assert isinstance(to, Scalar) and isinstance(then, Scalar)
    ties = _section(root, "ranking").get("ties")
    amounts = [_read_amount(root.get(name), name, then.text, report) for name in ("tables", "seats", "games")]
    tables, seats, games = amounts
    if tables is None or seats is None or games is None:
        return None
    options = root.get("options")
    found = Format(
        name=_text(root, "format"),
        title=_text(root, "title"),
        labels={
            e.name: {part.name: _text(e.value, part.name) for part in e.value}
            for e in _section(root, "labels")
            if isinstance(e.value, Mapping)
        },
        text=_text(root, "text"),
        game=_text(root, "game"),
        options={e.name: e.value.text for e in options if isinstance(e.value, Scalar)}
        if isinstance(options, Mapping)
        else {},
        tables=tables,
        seats=seats,
        games=games,
        stop=_body(stop.get("when")),
        award_to=None if to.text.strip() == WINNERS else to.body,
        points=_number(award, "points", 1),
        shared=_number(award, "shared", 0),
        called=_text(award, "called") or "point",
        tie=_text(award, "tie") or "cut",
        first=_text(seating, "first") or "in_order",
        then=then.text,
        seating_at=then.span,
        ties=tuple(item.text for item in ties if isinstance(item, Scalar)) if isinstance(ties, Sequence) else (),
        cut_rank=_body(cut.get("rank")),
        cut_best=_text(cut, "best") or "highest",
    )
    _check_cut(found, to.span, report)
    return None if report.failed else found


def _check_cut(found: Format, at: Span, report: Report) -> None:
    cuts = found.tie == "cut" or "cut" in found.ties or found.then == "awarded_move"
    if cuts and found.cut_rank is None:
        report.error(
            "format-cut",
            "ties are settled by a cut, but nothing says what a card counts in it",
            at,
            hint="add `cut: {rank: …}`, or settle ties otherwise",
        )


def _section(root: Mapping, name: str) -> Mapping:
    node = root.get(name)
    return node if isinstance(node, Mapping) else Mapping((), root.span)


def _text(node: Mapping, name: str) -> str:
    found = node.get(name)
    return " ".join(found.text.split()) if isinstance(found, Scalar) else ""


def _number(node: Mapping, name: str, otherwise: int) -> int:
    found = node.get(name)
    return found.value if isinstance(found, Scalar) and isinstance(found.value, int) else otherwise


def _body(node: Node | None) -> Span | None:
    return node.body if isinstance(node, Scalar) else None


def _read_amount(node: Node | None, name: str, then: str, report: Report) -> Amount | None:
    """Read a number, or a mapping of default and range."""
    assert node is not None
    said = node.get("default") if isinstance(node, Mapping) else node
    bounds = _text(node, "range") if isinstance(node, Mapping) else ""
    assert isinstance(said, Scalar)
    if said.text == EVERYBODY and name == "games" and then == "round_robin":
        return Amount(None, 1, 1000, said.span)
    usual = said.value
    low, _, high = bounds.partition("..")
    least, most = (int(low), int(high)) if bounds else (1, 1000)
    if not isinstance(usual, int) or not max(least, 1) <= usual <= most:
        report.error(
            "format-number",
            f"the usual number of {name} is `{said.text[:40]}`, which cannot be",
            said.span,
            hint=f"it is a number from {max(least, 1)} to {most}",
        )
        return None
    return Amount(usual, least, most, said.span)
