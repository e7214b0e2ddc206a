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
_MOST_ROWS = 60


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
    return show_rows(rows)


def compare_words(expected: str, actual: str) -> str:
    """Compare two short texts, with a note if only the order of words differs."""
    rows = show_rows([("", expected, actual)])
    if sorted(expected.split()) == sorted(actual.split()):
        rows += "\n  (the same cards in another order)"
    return rows


def show_position(names: Names, position: Position, scores: Sequence[int]) -> str:
    """Format the whole position in the notation of examples."""
    rows = []
    for zone, pile in enumerate(position.zones):
        if names.number_pile(zone) and not pile:
            continue
        rows.append((names.name_zone(zone), " ".join(names.name_card(card) for card in pile) or "empty"))
    for index, (state, _) in enumerate(names.states):
        rows.append((names.name_state(index), names.name_value(state.type, position.states[index])))
    rows.append(("scores", str(list(scores))))
    rows.append(("rounds_played", str(position.rounds_played)))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:>{width}}  {text}" for name, text in rows)
