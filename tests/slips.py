"""Typical first attempts of authors: what they wrote, what they meant, and whether the suggested fixes lead there.

A file `GAME.slips` beside `GAME.game.yaml` contains them, one entry per line:

    right  text that occurs once in the game; what the attempts below mean, unless `meant` overrides it
    meant  the intended text instead
    also   another acceptable text
    wrote  the attempt
    told   the recorded answer, if any: each diagnostic with its lines

`⏎` stands for a line break.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, product
from pathlib import Path
from typing import Any

from hoyle.base.diagnostics.render import render_text
from hoyle.base.diagnostics.report import Diagnostic, Fix, Report
from hoyle.language.compile import declare, specialise_safely
from hoyle.language.document.merging import load_file
from hoyle.language.fix_verification import try_candidates

FOLDER = Path(__file__).parent / "first_tries"
GAMES = sorted(FOLDER.glob("*.game.yaml"))


@dataclass(frozen=True)
class Slip:
    """One attempt, with its game and line."""

    game: Path
    line: int
    right: str
    meant: tuple[str, ...]
    wrote: str
    told: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text of the game with the attempt in it."""
        return self.put(self.wrote)

    def put(self, text: str) -> str:
        base = read_base(self.game)
        assert base.count(self.right) == 1, f"{self.game.stem}.slips:{self.line}: not once in the game"
        return base.replace(self.right, text)

    @property
    def name(self) -> str:
        return f"{self.game.name.removesuffix('.game.yaml')}:{self.line}"


@cache
def read_base(path: Path) -> str:
    return path.read_text("utf-8")


def read_slips(game: Path) -> list[Slip]:
    found: list[Slip] = []
    right, meant = "", ()
    path = game.with_name(game.name.replace(".game.yaml", ".slips"))
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        key, text = line[:7].strip(), line[7:].replace("⏎", "\n")
        if key == "right":
            right, meant = text, (text,)
        elif key == "meant":
            meant = (text,)
        elif key == "also":
            meant = (*meant, text)
        elif key == "wrote":
            found.append(Slip(game, number, right, meant, text))
        elif key == "told":
            found[-1] = dataclasses.replace(found[-1], told=(*found[-1].told, line[7:]))
        else:
            assert not line.strip() or line.startswith("#"), f"{path.name}:{number}: {line}"
    return found


def all_slips() -> list[Slip]:
    return [slip for game in GAMES for slip in read_slips(game)]


def read_told(game: Path) -> list[list[str]]:
    """Read the recorded answers of a file of attempts."""
    told: list[list[str]] = []
    for line in game.with_name(game.name.replace(".game.yaml", ".slips")).read_text("utf-8").splitlines():
        if line.startswith("wrote "):
            told.append([])
        elif line.startswith("told "):
            told[-1].append(line.removeprefix("told   "))
    return told


def write_told(game: Path, told: Iterable[Iterable[str]]) -> str:
    """Format the file of attempts with the current answers."""
    path = game.with_name(game.name.replace(".game.yaml", ".slips"))
    answers = iter(told)
    lines: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        lines += [line] if not line.startswith("told ") else []
        lines += [f"told   {one}" for one in next(answers)] if line.startswith("wrote ") else []
    return "\n".join(lines) + "\n"


def show_answer(told: Iterable[Diagnostic]) -> list[str]:
    """Format diagnostics without source lines."""
    lines = render_text(list(told)).splitlines()
    return [line.strip() for line in lines if line.startswith(("error", "warning")) or line.lstrip().startswith("= ")]


# ------------------------------------------------------------------------------------------------ checking
def check(path: Path, text: str) -> tuple[Report, Any | None]:
    """Check a text as a game; return the report, and the meaning if it is valid."""
    report = Report()
    file = load_file(path, report, text=text)
    declared = declare(file, report) if file is not None else None
    found = specialise_safely(declared, declared.usual[0], {}, report) if declared is not None else None
    assert report.stumbled == [], "a pass should have coped with what an error left out"
    return report, meaning_of(found.program) if found else None


@lru_cache(maxsize=64)
def recall(path: Path, text: str) -> tuple[Report, Any | None]:
    """A cached `check`, for texts that are checked repeatedly; the report must not be modified."""
    return check(path, text)


def answer(path: Path, text: str) -> tuple[list[Diagnostic], Any | None]:
    """Check a text with verified fixes; return the diagnostics, and the meaning if it is valid."""
    report, meaning = check(path, text)
    try_candidates(report, path, lambda other: recall(path, other)[0])
    return report.ordered(), meaning


def meaning_of(value: Any) -> Any:
    """Strip a program of source locations and wording, so that equivalent programs compare equal."""
    if isinstance(value, tuple | list):
        return tuple([meaning_of(part) for part in value])
    if isinstance(value, dict):
        return tuple([(key, meaning_of(part)) for key, part in value.items()])
    names = parts_of(type(value))
    if not names:
        return value
    parts = [(name, meaning_of(getattr(value, name))) for name in names]
    if getattr(value, "word", "") in ("equal", "differ"):  # these are symmetric
        parts = [(name, tuple(sorted(part, key=repr)) if name == "args" else part) for name, part in parts]
    return (type(value).__name__, *parts)


@cache
def parts_of(kind: type) -> tuple[str, ...]:
    if not dataclasses.is_dataclass(kind):
        return ()
    wording = ("clause", "clauses", "text", "name", "deciding", "digests")
    return tuple(each.name for each in dataclasses.fields(kind) if each.name not in wording)


@cache
def meanings(game: Path, texts: tuple[str, ...]) -> tuple[Any, ...]:
    found = [recall(game, text) for text in texts]
    assert all(meaning is not None for _, meaning in found), [report.ordered() for report, _ in found]
    return tuple(meaning for _, meaning in found)


# ------------------------------------------------------------------------------------------------ outcomes
MOST_WAYS = 16
MOST_PASSES = 3


@dataclass(frozen=True)
class Outcome:
    """The result of an attempt. `taken`: it was accepted without error; `misread`: and with another meaning. `mended`
    says how it can be corrected: by certain fixes alone (`fix`), or by choosing among suggestions (`write`). `wrong`
    are texts with another meaning that fixes lead to, `broken` are fixes that leave an error."""

    slip: Slip
    told: list[Diagnostic]
    taken: bool
    misread: bool
    mended: str
    wrong: list[str]
    broken: list[str]


def try_slip(slip: Slip) -> Outcome:
    """Check an attempt, and the result of following each suggestion."""
    right = meanings(slip.game, tuple(slip.put(text) for text in slip.meant))
    told, meaning = answer(slip.game, slip.text)
    taken = not any(one.severity == "error" for one in told)
    mended, wrong, broken = "", [], []
    for ways in choose(told) if not taken else ():
        after, sure = follow(slip.game, slip.text, ways)
        shown_as = " + ".join(fix.text for fix in ways)
        if after is None:
            broken.append(shown_as)
        elif after in right:
            mended = mended or ("fix" if sure else "write")
        elif sure:
            wrong.append(shown_as)
    return Outcome(slip, told, taken, taken and meaning not in right, mended, wrong, broken)


def follow(game: Path, text: str, ways: tuple[Fix, ...]) -> tuple[Any | None, bool]:
    """Apply fixes, repeatedly while there are new ones; return the meaning of the result, and whether all fixes were
    certain."""
    sure = all(fix.sure for fix in ways)
    for _ in range(MOST_PASSES):
        text = apply(text, ways)
        if (meaning := recall(game, text)[1]) is not None:
            return meaning, sure
        ways = tuple(one.fix for one in answer(game, text)[0] if one.fix is not None)
        if not ways:
            break
    return None, sure


def choose(told: Iterable[Diagnostic]) -> Iterator[tuple[Fix, ...]]:
    """Yield the combinations of one fix per error; none if an error has no fix."""
    options = [(one.fix,) if one.fix else one.suggestions for one in told if one.severity == "error"]
    yield from islice(product(*options), MOST_WAYS) if options else ()


def apply(text: str, fixes: Iterable[Fix]) -> str:
    """Apply fixes to a text; of overlapping ones, only the last by position."""
    last = len(text)
    for fix in sorted(fixes, key=lambda fix: -fix.span.start):
        if fix.span.end <= last:
            text = text[: fix.span.start] + fix.text + text[fix.span.end :]
            last = fix.span.start
    return text
