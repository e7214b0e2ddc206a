"""The coverage verdict: what was reached, what was not, and what the file excuses.

In: items and counts. Out: a `Verdict`, with the covered share as an exact fraction, never rounded up.

A rule file excuses an unreachable clause by a comment on its line or directly above it: `# unreached: why`,
`# never holds: why`, `# never fails: why`. Stale excuses, for outcomes that were observed, are reported.
"""

from __future__ import annotations

import re
from fractions import Fraction

from hoyle.authoring.coverage.clauses import Item, Outcome
from hoyle.authoring.coverage.instrumented import Counts
from hoyle.base.dataclass import dataclass
from hoyle.base.source import Source

_EXCUSE = re.compile(r"#\s*(unreached|never holds|never fails)\b(?::\s*+(\S.*)|\s*$)")
_EXCUSED: dict[str, tuple[Outcome, ...]] = {
    "unreached": ("held", "failed"),
    "never holds": ("held",),
    "never fails": ("failed",),
}


@dataclass(frozen=True, slots=True)
class Excuse:
    """An excuse comment: the outcomes it declares impossible, the reason, and its line."""

    source: Source
    line: int
    denied: tuple[Outcome, ...]
    why: str

    @property
    def place(self) -> str:
        return f"{self.source.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class Line:
    """An item with its counts. `missing` are the outcomes neither observed nor excused."""

    item: Item
    held: int
    failed: int
    missing: tuple[Outcome, ...]
    excuse: str = ""

    @property
    def state(self) -> str:
        """`reached`, `partly`, `unreached` or `excused`."""
        if not self.missing:
            return "excused" if self.excuse else "reached"
        return "partly" if self.held or self.failed else "unreached"

    @property
    def complaint(self) -> str:
        """The missing outcomes as text."""
        if not self.held and not self.failed:
            return "never reached"
        words = {"held": "never held", "failed": "never failed"}
        return " and ".join(words[each] for each in self.missing)


@dataclass(frozen=True, slots=True)
class Verdict:
    """All items with their counts; `stale` are excuses for outcomes that were observed."""

    lines: tuple[Line, ...]
    stale: tuple[Excuse, ...] = ()

    @property
    def counted(self) -> list[Line]:
        return [line for line in self.lines if line.state != "excused"]

    @property
    def missing(self) -> list[Line]:
        return [line for line in self.lines if line.missing]

    @property
    def excused(self) -> list[Line]:
        return [line for line in self.lines if line.state == "excused"]

    @property
    def share(self) -> Fraction:
        """The share of items with no missing outcomes; 1 if there are no items."""
        total = len(self.counted)
        return Fraction(total - len(self.missing), total) if total else Fraction(1)


def judge(items: list[Item], counts: Counts) -> Verdict:
    """Combine items with their counts and excuses."""
    lines = []
    used: dict[Excuse, bool] = {}
    for item in items:
        first, second = counts.of(item.key)
        held, failed = (second, first) if item.negated else (first, second)
        missing = tuple(each for each in item.needs if not (held if each == "held" else failed))
        excuse = find_excuse(item)
        denied = excuse.denied if excuse is not None else ()
        left = tuple(each for each in missing if each not in denied)
        if excuse is not None:
            used[excuse] = used.get(excuse, False) or left != missing
        lines.append(Line(item, held, failed, left, excuse.why if excuse is not None and left != missing else ""))
    return Verdict(tuple(lines), tuple(excuse for excuse, needed in used.items() if not needed))


def find_excuse(item: Item) -> Excuse | None:
    """Find the excuse comment of an item."""
    source = item.span.source
    number = source.line_and_column(item.span.start)[0]
    for line in (number, *_comments_above(source, number)):
        found = _EXCUSE.search(source.line_text(line))
        if found and (found[2] or "").strip():
            return Excuse(source, line, _EXCUSED[found[1]], found[2].rstrip())
    return None


def _comments_above(source: Source, number: int) -> list[int]:
    """List the numbers of the comment-only lines directly above a line."""
    found = []
    while number > 1 and source.line_text(number - 1).lstrip().startswith("#"):
        number -= 1
        found.append(number)
    return found


def say_share(share: Fraction) -> str:
    """Format a share in percent with one decimal, rounded down, so that 100 % means all.

    >>> say_share(Fraction(999, 1000)), say_share(Fraction(9999, 10000)), say_share(Fraction(1))
    ('99.9 %', '99.9 %', '100 %')
    """
    tenths = share.numerator * 1000 // share.denominator
    return "100 %" if tenths == 1000 else f"{tenths // 10}.{tenths % 10} %"
