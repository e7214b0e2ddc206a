"""How diagnostics look: as text with the lines they speak of, and as JSON."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from hoyle.base.diagnostics.codes import CODES
from hoyle.base.diagnostics.codes_document import DOCUMENT_CODES
from hoyle.base.diagnostics.render import render_json, render_text
from hoyle.base.diagnostics.report import Diagnostic, Fix, Label
from hoyle.base.source import Source, Span


def find(source: Source, word: str, start: int = 0) -> Span:
    at = source.text.index(word, start)
    return Span(source, at, at + len(word))


def test_a_diagnostic_looks_as_the_architecture_shows_it() -> None:
    lines = ["#"] * 41
    lines[10], lines[11], lines[39], lines[40] = "zones:", "  hand: {of: seat}", "steps:", "      move card to hnad"
    source = Source("games/tiny/tiny.game.yaml", "\n".join(lines))
    found = Diagnostic(
        "unknown-key",
        "no zone named `hnad`",
        Label(find(source, "hnad"), "not declared under `zones:`"),
        (Label(find(source, "hand"), "a zone with a similar name"),),
        ("zones are declared under `zones:`",),
        fix=Fix(find(source, "hnad"), "hand"),
    )
    assert render_text([found]) == (
        "error[unknown-key]: no zone named `hnad`\n"
        "  --> games/tiny/tiny.game.yaml:41:20\n"
        "   |\n"
        "12 |   hand: {of: seat}\n"
        "   |   ---- a zone with a similar name\n"
        "...\n"
        "41 |       move card to hnad\n"
        "   |                    ^^^^ not declared under `zones:`\n"
        "   = hint: zones are declared under `zones:`\n"
        "   = fix: move card to hand\n"
    )


def test_neighbouring_lines_have_no_gap_and_one_line_between_is_shown() -> None:
    source = Source("a.yaml", "one\ntwo\nthree\nfour\n")
    found = Diagnostic(
        "unknown-key", "m", Label(find(source, "four")), (Label(find(source, "one")), Label(find(source, "two")))
    )
    assert "\n...\n" not in render_text([found])
    assert "3 | three\n" in render_text([found])


def test_another_file_has_a_block_of_its_own() -> None:
    child, parent = Source("child.yaml", "remove: [a.b]\n"), Source("parent.yaml", "\n\na:\n  c: 1\n")
    found = Diagnostic("remove-missing", "m", Label(find(child, "a.b"), "x"), (Label(find(parent, "c"), "y"),))
    assert render_text([found]) == (
        "error[remove-missing]: m\n"
        " --> child.yaml:1:10\n"
        "  |\n"
        "1 | remove: [a.b]\n"
        "  |          ^^^ x\n"
        " ::: parent.yaml:4:3\n"
        "  |\n"
        "4 |   c: 1\n"
        "  |   - y\n"
    )


def test_several_marks_on_one_line_stand_one_below_the_other() -> None:
    source = Source("a.yaml", "alpha beta\n")
    found = Diagnostic("flow-split", "m", Label(find(source, "beta"), "b"), (Label(find(source, "alpha"), "a"),))
    assert "1 | alpha beta\n  | ----- a\n  |       ^^^^ b\n" in render_text([found])


def test_a_stretch_of_several_lines_is_shown_by_its_first() -> None:
    source = Source("a.yaml", "one two\nthree\n")
    found = Diagnostic("bad-value", "m", Label(Span(source, 4, 13), "all this"))
    assert "1 | one two\n  |     ^^^ all this\n" in render_text([found])
    assert "three" not in render_text([found])


def test_an_empty_stretch_and_the_end_of_the_file_still_have_a_mark() -> None:
    source = Source("a.yaml", "one")
    assert "1 | one\n  |    ^ end\n" in render_text([Diagnostic("bad-value", "m", Label(Span(source, 3, 3), "end"))])


def test_tabs_are_widened_and_marks_move_along() -> None:
    source = Source("a.yaml", "\tx\ty\n")
    assert "1 |     x    y\n  |          ^\n" in render_text([Diagnostic("bad-value", "m", Label(find(source, "y")))])


def test_wide_characters_take_two_columns() -> None:
    source = Source("a.yaml", "札札 x\n")
    assert "1 | 札札 x\n  |      ^\n" in render_text([Diagnostic("bad-value", "m", Label(find(source, "x")))])


def test_control_characters_never_reach_the_terminal() -> None:
    source = Source("a\x1b.yaml", "a\x1b[2Jb\u202e\n")
    found = Diagnostic("bad-value", "m\x07\nn", Label(find(source, "b"), "l\x00"), (), ("h\r",))
    text = render_text([found])
    assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert "a\\x1b[2Jb\\u202e" in text
    assert "m\\x07\\nn" in text


def test_long_lines_are_cut_around_the_mark() -> None:
    source = Source("a.yaml", "x" * 5000 + " target " + "y" * 5000 + "\n")
    text = render_text([Diagnostic("bad-value", "m", Label(find(source, "target"), "here"))])
    quoted, marked = text.splitlines()[3:5]
    assert max(len(line) for line in text.splitlines()) < 140
    assert quoted[marked.index("^") : marked.rindex("^") + 1] == "target"


def test_a_diagnostic_without_a_place_has_only_its_sentence_and_hints() -> None:
    text = render_text([Diagnostic("unreadable-file", "cannot read `x`", None, (), ("try another",))])
    assert text == "error[unreadable-file]: cannot read `x`\n  = hint: try another\n"


def test_two_diagnostics_are_parted_by_an_empty_line() -> None:
    one = Diagnostic("unreadable-file", "m", None)
    assert render_text([one, one]) == "error[unreadable-file]: m\n\nerror[unreadable-file]: m\n"
    assert render_text([]) == ""


def test_colours_are_added_only_when_asked_for_and_change_no_letter() -> None:
    source = Source("a.yaml", "one\n")
    found = Diagnostic("bad-value", "m", Label(find(source, "one"), "x"), (), ("h",))
    plain, coloured = render_text([found]), render_text([found], color=True)
    assert "\x1b" not in plain
    assert "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@given(st.text(max_size=200), st.integers(0, 220), st.integers(0, 220), st.text(max_size=10))
def test_any_span_of_any_text_can_be_shown(text: str, start: int, length: int, label: str) -> None:
    source = Source("a.yaml", text)
    start = min(start, len(text))
    span = Span(source, start, min(start + length, len(text)))
    found = Diagnostic("bad-value", label, Label(span, label), (Label(span),), (label,), fix=Fix(span, label))
    assert "^" in render_text([found])
    json.loads(render_json([found]))


def test_json_says_the_same_as_data() -> None:
    source = Source("a.yaml", "one\ntwo three\n")
    found = Diagnostic(
        "bad-value", "m", Label(find(source, "three"), "x"), (Label(find(source, "one"), "y"),), ("h",),
        severity="warning", fix=Fix(find(source, "two"), "2"),
    )  # fmt: skip
    place = {"file": "a.yaml", "line": 2, "column": 5, "end_line": 2, "end_column": 10}
    first = {"file": "a.yaml", "line": 1, "column": 1, "end_line": 1, "end_column": 4}
    assert json.loads(render_json([found, Diagnostic("empty-file", "n", None)])) == [
        {
            "code": "bad-value",
            "severity": "warning",
            "message": "m",
            **place,
            "labels": [{**place, "text": "x", "primary": True}, {**first, "text": "y", "primary": False}],
            "hints": ["h"],
            "fix": {"file": "a.yaml", "line": 2, "column": 1, "end_line": 2, "end_column": 4, "text": "2"},
            "suggestions": [],
        },
        {
            "code": "empty-file", "severity": "error", "message": "n", "file": None, "line": None, "column": None,
            "end_line": None, "end_column": None, "labels": [], "hints": [], "fix": None, "suggestions": [],
        },
    ]  # fmt: skip


def test_every_code_is_explained() -> None:
    assert len({code.slug for code in DOCUMENT_CODES}) == len(DOCUMENT_CODES)
    for code in DOCUMENT_CODES:
        assert CODES[code.slug] is code
        assert 2 <= len(re.findall(r"[.`](?= [A-Z`]|$)", code.meaning)) <= 5, code.slug
        assert code.slug == code.slug.lower()
        assert bool(code.wrong) == bool(code.right)
