"""Files and rules changed at random: whatever comes of it is told in a report, never raised."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoyle.base.diagnostics.render import render_json, render_text
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Source, Span
from hoyle.lab.bots import make_bots
from hoyle.language.compile import declare, specialise_safely
from hoyle.language.document.merging import load_file
from hoyle.language.syntax.grammar import Start
from hoyle.language.syntax.parse import parse
from hoyle.language.syntax.reserved import RESERVED, VERBS
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Game
from hoyle.program.words import WORDS

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("games", "tests/language/valid") for path in (ROOT / folder).rglob("*.game.yaml"))
MOST_DECISIONS = 8
STARTS: list[Start] = ["steps", "expr", "pick", "menu", "each_row", "pattern"]

# Words of the language, signs, and what else an author might write by mistake.
SPOKEN = sorted(RESERVED | VERBS | {name for name, word in WORDS.items() if word.spoken})
WRITTEN = """
    card hand pack pile seat seats dealer players none empty true false never nothing owner all the a 0 1 7 -1 99 AS
    := = != <= >= < > + - * .. ( ) [ ] { } , : . ' " | # \\ & ! % ? [A-1] "text" of_all x1 over at most times random
    is: when: cases: of: takes: offer: choose: do: match: round:
"""
TOKENS = st.sampled_from([*SPOKEN, *WRITTEN.split()])

few = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
many = settings(max_examples=3_000, deadline=None, suppress_health_check=list(HealthCheck))


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------ changes of a file
def change_lines(draw: st.DrawFn, text: str) -> str:
    """One line left out, written twice, swapped with another, or moved to another depth."""
    lines = text.split("\n")
    first, second = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    how = draw(st.sampled_from(["delete", "double", "swap", "deeper", "higher", "cut off"]))
    if how == "delete":
        del lines[first]
    elif how == "double":
        lines.insert(second, lines[first])
    elif how == "swap":
        lines[first], lines[second] = lines[second], lines[first]
    elif how == "deeper":
        lines[first] = "  " + lines[first]
    elif how == "higher":
        lines[first] = lines[first].removeprefix("  ")
    else:
        del lines[first + 1 :]
    return "\n".join(lines)


def change_words(draw: st.DrawFn, text: str) -> str:
    """One word left out, written twice, put in another's place, or a word of the language put in."""
    words = [(found.start(), found.end()) for found in re.finditer(r"\w+|[^\w\s]", text)]
    if not words:
        return text
    start, end = draw(st.sampled_from(words))
    how = draw(st.sampled_from(["delete", "double", "replace", "insert", "other"]))
    if how == "delete":
        new = ""
    elif how == "double":
        new = f"{text[start:end]} {text[start:end]}"
    elif how == "replace":
        new = draw(TOKENS)
    elif how == "insert":
        new = f"{draw(TOKENS)} {text[start:end]}"
    else:
        other_start, other_end = draw(st.sampled_from(words))
        new = text[other_start:other_end]
    return text[:start] + new + text[end:]


def change_signs(draw: st.DrawFn, text: str) -> str:
    """A few characters put in somewhere, of any kind."""
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.text(max_size=5)) + text[at:]


@st.composite
def changed_files(draw: st.DrawFn) -> tuple[Path, str]:
    """A rule file after one to four changes."""
    path = draw(st.sampled_from(FILES))
    text = text_of(path)
    for _ in range(draw(st.integers(1, 4))):
        text = draw(st.sampled_from([change_lines, change_words, change_words, change_signs]))(draw, text)
    return path, text


def check_text(path: Path, text: str) -> Report:
    """What `check_file` does, at the fewest players, with a text instead of what stands in the file. If nothing is
    wrong with it, a little is played."""
    report = Report()
    file = load_file(path, report, text=text)
    declared = declare(file, report) if file is not None else None
    if declared is not None:
        found = specialise_safely(declared, declared.allowed[0], {}, report)
        assert (found is None) == report.failed
        if found is not None:
            play_a_little(Game(found.program))
    return report


def play_a_little(game: Game) -> None:
    """A checked file raises nothing but faults, and those say where."""
    bot = make_bots("random", 1, 1)[0]
    try:
        match = game.new(seed=1, checked=True)
        for _ in range(MOST_DECISIONS):
            decision = match.decision
            if decision is None:
                break
            match.apply(bot.choose(decision, lambda: None))
    except Fault as fault:
        assert fault.place


def assert_told(report: Report) -> None:
    """Whatever was found can be shown, at places that exist."""
    shown = render_text(report.ordered())
    assert render_json(report.ordered())
    for diagnostic in report.diagnostics:
        assert f"[{diagnostic.code}]" in shown
        spans = [label.span for label in (diagnostic.primary, *diagnostic.others) if label is not None]
        spans += [diagnostic.fix.span] if diagnostic.fix else []
        assert all(0 <= span.start <= span.end <= len(span.source.text) for span in spans)


@few
@given(changed_files())
def test_a_changed_file_is_checked_without_an_exception(changed: tuple[Path, str]) -> None:
    assert_told(check_text(*changed))


@pytest.mark.slow
@many
@given(changed_files())
def test_many_changed_files_are_checked_without_an_exception(changed: tuple[Path, str]) -> None:
    assert_told(check_text(*changed))


@few
@given(st.binary(max_size=300), st.sampled_from(FILES), st.integers(0, 2_000))
def test_bytes_put_into_a_file_are_checked_without_an_exception(raw: bytes, path: Path, at: int) -> None:
    text = text_of(path)
    assert_told(check_text(path, text[:at] + raw.decode("utf-8", "replace") + text[at:]))


# ------------------------------------------------------------------------------------------------ rules alone
@st.composite
def rule_texts(draw: st.DrawFn) -> str:
    """Lines of words of the language, in any order, at any depth."""
    lines = draw(st.lists(st.tuples(st.integers(0, 6), st.lists(TOKENS, max_size=12)), min_size=1, max_size=5))
    return "\n".join(" " * indent + " ".join(words) for indent, words in lines)


def assert_read(start: Start, text: str) -> None:
    report = Report()
    found = parse(start, Span(Source("a", text), 0, len(text)), report, relations=frozenset({"fits"}), lines=True)
    assert found is not None or report.failed
    assert_told(report)


@few
@given(st.sampled_from(STARTS), rule_texts())
def test_any_words_are_read_or_refused(start: Start, text: str) -> None:
    assert_read(start, text)


@few
@given(st.sampled_from(STARTS), st.text(max_size=80))
def test_any_text_is_read_or_refused(start: Start, text: str) -> None:
    assert_read(start, text)


@pytest.mark.slow
@many
@given(st.sampled_from(STARTS), rule_texts() | st.text(max_size=200))
def test_many_texts_are_read_or_refused(start: Start, text: str) -> None:
    assert_read(start, text)
