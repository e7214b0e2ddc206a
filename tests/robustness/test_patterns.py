"""No regular expression of the package can be held up: the steps to search a text grow with its length.
Steps are counted by a matcher that backtracks as Python's does, over texts made from each pattern's own parts."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import pytest

from hoyle.language.syntax.repair.near_misses import can_be_matched
from regular_expressions import Used, count_most_steps, is_growing, list_patterns

# Only matched against lines of a bounded length, without wide gaps; their effort is charged by the square of that.
PARTS = ("syntax.repair.", "document.guesses", "elaborate.definition_uses")
BOUNDED = tuple(f"hoyle.language.{part}" for part in PARTS)
SHORT, LONG = 40, 80
STEPS_A_SIGN = 40
MOST_ON_A_LINE = 40_000  # of 40 characters


@pytest.fixture(scope="module")
def patterns() -> list[Used]:
    """Found when they are asked for: to find them takes longer than to collect all tests."""
    return list_patterns()


@pytest.fixture(autouse=True)
def deep() -> Iterator[None]:
    """The matcher recurses once for each turn of a loop."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


def narrow(text: str) -> str:
    """As lines are before they are compared with near misses."""
    plain = re.sub(r"\s", " ", text)
    return plain if can_be_matched(plain) else re.sub(r" {12,}", " " * 11, plain)


def is_bounded(used: Used) -> bool:
    return used.where.startswith(BOUNDED)


@pytest.mark.slow
def test_every_pattern_is_found(patterns: list[Used]) -> None:
    assert len(patterns) > 500 and any(is_bounded(used) for used in patterns)
    assert any("citing" in used.where.lower() for used in patterns) and any("json" in used.where for used in patterns)


@pytest.mark.parametrize("pattern", [r"\s+#", r"(a|aa)*b", r"\A.+?\s+x\s*,?\s+y", r"\[[^\]]*\]", r"(?:\w+ ?)*;"])
def test_a_pattern_that_can_be_held_up_is_noticed(pattern: str) -> None:
    assert not is_linear(Used(pattern, 0, "here", False))


@pytest.mark.parametrize("pattern", [r"(?<!\s)\s+#", r"a+|b", r"\[[^\[\]]*\]", r"(?:\w+ )*+;", r'"[^"\n]*"|\w+'])
def test_a_pattern_that_cannot_be_held_up_is_not_blamed(pattern: str) -> None:
    assert is_linear(Used(pattern, 0, "here", r"\w" in pattern))


def is_linear(used: Used) -> bool:
    counts = [count_most_steps(used, length, STEPS_A_SIGN * length * 4)[0] for length in (SHORT, LONG)]
    return counts[-1] <= STEPS_A_SIGN * LONG and (counts[-1] < 12 * LONG or not is_growing(counts))


@pytest.mark.slow
def test_patterns_take_steps_in_proportion_to_the_text(patterns: list[Used]) -> None:
    held_up = [used for used in patterns if not is_bounded(used) and not is_linear(used)]
    assert not held_up, [(used, count_most_steps(used, LONG, STEPS_A_SIGN * LONG * 4)) for used in held_up]


@pytest.mark.slow
def test_patterns_for_short_lines_take_steps_that_are_bounded(patterns: list[Used]) -> None:
    counts = [(used, *count_most_steps(used, SHORT, MOST_ON_A_LINE, narrow)) for used in filter(is_bounded, patterns)]
    assert not [(used, text) for used, steps, text in counts if steps > MOST_ON_A_LINE]
