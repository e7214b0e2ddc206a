"""Formats side-by-side diffs of expected and actual values.

In: rows or lists of lines. Out: text in two columns with a mark before every row that differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from hoyle.play.view.names import Names
from hoyle.program.model.position import Position

Row = tuple[str, str, str]
_WIDEST = 48
_MOST_ROWS = 25
_AROUND = 2  # equal rows shown on both sides of a difference
_HIGHEST, _TOP = 16, 6  # of a pile with more cards, so many are shown
_NOTHING = {"empty", "none", "nothing", "nobody", "0", "false"}


def show_rows(rows: Sequence[Row]) -> str:
    """Format rows of (mark, expected, actual); the mark is `-` for missing, `+` for unexpected, empty for equal."""
    shown = [("", "expected", "actual"), *rows[:_MOST_ROWS]]
    width = min(_WIDEST, max(len(expected) for _, expected, _ in shown))
    lines = []
    for mark, expected, actual in shown:
        if len(expected) > width:
            lines += [f"{mark or ' '} {expected}", f"  {'':{width}}  {actual}".rstrip()]
        else:
            lines.append(f"{mark or ' '} {expected:{width}}  {actual}".rstrip())
    if len(rows) > _MOST_ROWS:
        lines.append(f"  … {len(rows) - _MOST_ROWS} more rows")
    return "\n".join(lines)


def compare_lists(expected: Sequence[str], actual: Sequence[str]) -> str:
    """Diff two ordered lists.

    >>> print(compare_lists(["1 draw", "2 pass"], ["1 draw", "2 draw"]))
      expected  actual
      1 draw    1 draw
    - 2 pass
    +           2 draw
    """
    rows: list[Row] = []
    matcher = SequenceMatcher(a=list(expected), b=list(actual), autojunk=False)
    for kind, low, high, from_, to in matcher.get_opcodes():
        if kind == "equal":
            rows += [("", one, other) for one, other in zip(expected[low:high], actual[from_:to], strict=True)]
        else:
            rows += [("-", one, "") for one in expected[low:high]]
            rows += [("+", "", other) for other in actual[from_:to]]
    return show_rows(_leave_out_equal(rows))


def _leave_out_equal(rows: list[Row]) -> list[Row]:
    """The rows that differ, and a few on both sides."""
    near = {at + step for at, row in enumerate(rows) if row[0] for step in range(-_AROUND, _AROUND + 1)}
    kept: list[Row] = []
    for at, row in enumerate(rows):
        if at in near:
            kept.append(row)
        elif at - 1 in near or at == 0:
            kept.append(("", "…", ""))
    return kept


def compare_words(expected: str, actual: str) -> str:
    """Compare two short texts, with a note if only the order of words differs."""
    rows = show_rows([("", expected, actual)])
    if sorted(expected.split()) == sorted(actual.split()):
        rows += "\n  (the same cards in another order)"
    return rows


def show_position(names: Names, before: Position, after: Position, scores: Sequence[Sequence[int]]) -> str:
    """Format what lies and holds in a position in the notation of examples, and below it what has become of it since;
    `scores` are those of both. What is empty, none or 0 in both is left out."""
    rows = []
    for zone, piles in enumerate(zip(before.zones, after.zones, strict=True)):
        rows.append((names.name_zone(zone), [_say_pile([names.name_card(card) for card in pile]) for pile in piles]))
    for index, (state, _) in enumerate(names.states):
        values = before.states[index], after.states[index]
        rows.append((names.name_state(index), [names.name_value(state.type, value) for value in values]))
    rows.append(("scores", [str(list(each)) for each in scores]))
    rows.append(("rounds_played", [str(before.rounds_played), str(after.rounds_played)]))
    rows = [(name, said) for name, said in rows if not set(said) <= _NOTHING]
    width = max((len(name) for name, _ in rows), default=0)
    lines = []
    for name, (given, now) in rows[:_MOST_ROWS]:
        lines.append(f"{name:>{width}}  {given}")
        lines += [f"{'':{width}}  -> {now}"] if now != given else []
    if len(rows) > _MOST_ROWS:
        lines.append(f"{'':{width}}  … {len(rows) - _MOST_ROWS} more rows")
    return "\n".join(lines)


def _say_pile(cards: list[str]) -> str:
    """The cards of a pile; of a high one, those on top."""
    if len(cards) > _HIGHEST:
        return f"{len(cards)} cards, on top {' '.join(cards[-_TOP:])}"
    return " ".join(cards) or "empty"
