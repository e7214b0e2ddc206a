"""Reading: bytes to text to nodes, with exact places, within limits, and a diagnostic for everything else."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import make_case
from hoyle.base.diagnostics.report import Diagnostic, Report
from hoyle.base.effort import bounded
from hoyle.base.source import Source
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence, Value, resolve_scalar
from hoyle.language.document.reading import decode_source, read_nodes, read_source
from hoyle.language.document.validation import plain


def read(text: str | bytes) -> tuple[Mapping | None, list[Diagnostic]]:
    report = Report()
    source = decode_source("tiny.yaml", text.encode() if isinstance(text, str) else text, report)
    root = read_nodes(source, report) if source else None
    return root, report.ordered()


def codes(text: str | bytes) -> list[str]:
    return [found.code for found in read(text)[1]]


def only(text: str | bytes) -> Diagnostic:
    _, found = read(text)
    assert len(found) == 1, [(d.code, d.message) for d in found]
    return found[0]


def at(root: Mapping | None, *path: str | int) -> Node:
    node: Node | None = root
    for step in path:
        node = node.items[step] if isinstance(node, Sequence) and isinstance(step, int) else node.get(str(step))  # type: ignore[union-attr]
    assert node is not None
    return node


def scalar(root: Mapping | None, *path: str | int) -> Scalar:
    node = at(root, *path)
    assert isinstance(node, Scalar)
    return node


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("~", None), ("null", None), ("true", True), ("FALSE", False), ("yes", "yes"), ("no", "no"),
        ("on", "on"), ("10", 10), ("010", 10), ("-3", -3), ("+3", 3), ("0o17", 15), ("0x1F", 31), ("1.5", 1.5),
        ("1e3", 1000.0), (".5", 0.5), (".inf", float("inf")), ("12:30", "12:30"), ("1_000", "1_000"),
        ("2..8", "2..8"), ("none", "none"), ("2S", "2S"), ("-", "-"), ("0b1", "0b1"), ("2001-01-01", "2001-01-01"),
    ],
)  # fmt: skip
def test_plain_scalars_mean_what_yaml_1_2_says(text: str, value: Value) -> None:
    resolved = resolve_scalar(text)
    assert resolved == value
    assert type(resolved) is type(value)


def test_quoted_scalars_are_always_text() -> None:
    root, found = read("a: '10'\nb: \"true\"\n")
    assert not found
    assert (scalar(root, "a").value, scalar(root, "b").value) == ("10", "true")


def test_the_body_of_a_scalar_is_the_stretch_a_rule_is_parsed_from() -> None:
    text = (
        "plain: move card to pile   # not this\n"
        "single: 'it''s'\n"
        'double: "a \\t b"\n'
        "literal: |  # a comment\n"
        "  first line\n"
        "    deeper\n"
        "\n"
        "  last line\n"
        "folded: >-\n"
        "  one\n"
        "  two\n"
        "end: 1\n"
    )
    root, found = read(text)
    assert not found
    assert scalar(root, "plain").body.text == "move card to pile"
    assert scalar(root, "single").body.text == "it''s"
    assert scalar(root, "single").span.text == "'it''s'"
    assert scalar(root, "double").body.text == "a \\t b"
    assert scalar(root, "literal").body.text == "  first line\n    deeper\n\n  last line\n"
    assert scalar(root, "literal").text == "first line\n  deeper\n\nlast line\n"
    assert scalar(root, "folded").body.text == "  one\n  two\n"
    assert scalar(root, "folded").text == "one two"
    styles = [scalar(root, name).style for name in ("plain", "single", "double", "literal", "folded")]
    assert styles == ["plain", "single", "double", "literal", "folded"]


def test_escapes_in_quotes_are_marked() -> None:
    root, _ = read("a: \"x\\ty\"\nb: 'it''s'\nc: \"plain\"\nd: a \\ b\n")
    assert [scalar(root, name).escaped for name in "abcd"] == [True, True, False, False]


def test_mappings_and_sequences_end_with_their_text() -> None:
    root, _ = read("zones:\n  pack: {shows: all}\n\n# a comment\nlist:\n  - a\n  - b\n\nend: 1\n")
    assert at(root, "zones").span.text.startswith("pack: {shows: all}")
    assert at(root, "list").span.text == "- a\n  - b"
    assert at(root, "zones", "pack").span.text == "{shows: all}"


def test_a_byte_order_mark_and_cr_lf_do_not_move_places() -> None:
    root, found = read(b"\xef\xbb\xbfgame: tiny\r\ntitle: Tiny\r\nsteps: |\r\n  one\r\n  two\r\n")
    assert not found
    assert scalar(root, "game").span.line == 1
    assert scalar(root, "game").span.column == 7
    assert (scalar(root, "title").span.line, scalar(root, "title").span.column) == (2, 8)
    assert scalar(root, "title").text == "Tiny"
    assert scalar(root, "steps").text == "one\ntwo\n"
    assert root is not None
    assert not root.span.source.text.startswith("\ufeff")


def test_places_count_characters_and_not_bytes() -> None:
    root, _ = read("a: {x: 'ñ😀é', y: here}\n")
    assert scalar(root, "a", "y").span.text == "here"


@given(st.text(alphabet="ab: -#'\"\n|>{}[],&*!%@`?~1.\\é😀", max_size=60))
def test_any_text_gives_nodes_or_a_diagnostic_and_never_an_exception(text: str) -> None:
    root, found = read(text)
    assert root is not None or found
    for diagnostic in found:
        for label in ((diagnostic.primary,) if diagnostic.primary else ()) + diagnostic.others:
            assert 0 <= label.span.start <= label.span.end <= len(label.span.source.text)


@given(st.binary(max_size=80))
def test_any_bytes_give_nodes_or_a_diagnostic(raw: bytes) -> None:
    root, found = read(raw)
    assert root is not None or found


@given(
    st.recursive(
        st.one_of(st.integers(-999, 999), st.booleans(), st.text("abc xyz:#'\"\n", max_size=20)),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text("abcdef", min_size=1), inner)),
        max_leaves=12,
    ),
    st.booleans(),
)
def test_what_was_written_as_yaml_is_read_back(data: object, flow: bool) -> None:
    written = yaml.safe_dump({"root": data}, default_flow_style=flow, allow_unicode=True)
    root, found = read(written)
    assert not found
    assert root is not None
    assert plain(root) == {"root": data}


def test_a_missing_file_a_folder_and_a_pipe_are_reported(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, why in (
        (tmp_path / "none.yaml", "no such file"),
        (tmp_path, "a folder"),
        (tmp_path / "pipe", "no such file"),
        (tmp_path / "nul\0", "cannot read"),
    ):
        report = Report()
        assert read_source(path, report) is None
        assert [found.code for found in report.diagnostics] == ["unreadable-file"]
        assert why in report.diagnostics[0].message


def test_a_file_of_ten_megabytes_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b"a: b\n" * 2_000_000)
    report = Report()
    begun = time.process_time()
    assert read_source(path, report) is None
    assert time.process_time() - begun < 0.5
    assert [found.code for found in report.diagnostics] == ["file-too-large"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * 10_000, "too-deep"),
        ("a: " + "[" * 10_000 + "]" * 10_000, "too-deep"),
        ("{a: " * 10_000, "too-deep"),
        ("- " * 10_000 + "x", "too-deep"),
        ("a:\n" + "".join(" " * i + "b:\n" for i in range(1, 1000)), "too-deep"),
        ("k: " + "9" * 900_000, "number-too-large"),
        ("k: 0x" + "f" * 900_000, "number-too-large"),
        ("k: -" + "9" * 19, "number-too-large"),
        ("a: [" + "1," * 400_000 + "]", "too-many-values"),
        ("".join(f"k{i}: v\n" for i in range(80_000)), "too-many-values"),
    ],
    ids=lambda value: value if len(value) < 30 else value[:6],
)
def test_what_oversteps_a_limit_is_reported_quickly(text: str, code: str) -> None:
    begun = time.process_time()
    assert codes(text) == [code]
    assert time.process_time() - begun < 2


def test_alias_bombs_are_refused_without_being_built() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    begun = time.process_time()
    assert set(codes("\n".join(lines))) == {"yaml-alias"}
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("sign", ["\0", "\x07", "\x1b", "\x7f", "\x85", "\r", "\u2028", "\u202e", "\ufeff"])
def test_characters_that_cannot_be_seen_are_refused(sign: str) -> None:
    found = only(f"a: b{sign}c\n")
    assert found.code == "control-character"
    assert found.primary is not None
    assert found.primary.span.text == sign


def test_bytes_that_are_not_utf8_are_shown_at_their_place() -> None:
    found = only(b"\xef\xbb\xbfa: b\r\nc: \xe9t\xe9\r\n")
    assert found.code == "not-utf8"
    assert "0xe9" in found.message
    assert found.primary is not None
    assert (found.primary.span.line, found.primary.span.column) == (2, 4)


def test_a_tab_in_the_indentation_has_its_own_diagnostic() -> None:
    found = only("zones:\n  \tpack: {shows: all}\n\thand: {shows: all}\n")
    assert found.code == "tab-indentation"
    assert found.primary is not None
    assert (found.primary.span.line, found.primary.span.column) == (2, 3)
    assert codes("d: |\n  x\ty\n") == []


def test_a_repeated_key_shows_both_places() -> None:
    found = only("zones:\n  pack: {shows: all}\n  hand: {shows: owner}\n  pack: {shows: nothing}\n")
    assert found.code == "duplicate-key"
    assert found.primary is not None
    assert found.primary.span.line == 4
    assert [label.span.line for label in found.others] == [2]


def test_anchors_aliases_tags_and_merge_keys_are_refused() -> None:
    text = "a: &x 1\nb: *x\nc: !thing 2\nd: !!str 3\ne: {<<: {f: 1}}\n"
    root, found = read(text)
    assert [d.code for d in found] == ["yaml-alias", "yaml-alias", "yaml-tag", "yaml-tag", "merge-key"]
    shown = [d.primary.span.text for d in found if d.primary]
    assert shown == ["&x", "*x", "!thing", "!!str", "<<"]
    assert root is not None


def test_a_second_document_is_refused() -> None:
    found = only("a: 1\n---\nb: 2\n")
    assert found.code == "several-documents"
    assert found.primary is not None
    assert found.primary.span.line == 2
    assert codes("---\na: 1\n...\n") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-file"), ("# only a comment\n", "empty-file"), ("---\n", "empty-file"), ("\n\n", "empty-file"),
        ("just a text\n", "not-a-mapping"), ("- a\n- b\n", "not-a-mapping"), ("3\n", "not-a-mapping"),
        ("[a, b]: c\n", "key-not-text"), ("? {a: b}\n: c\n", "key-not-text"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_a_mapping_by_names_is_refused(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize(
    ("clause", "stray", "fixed"),
    [
        ("{text: First the ones, then the pile.}", "then the pile.", '"First the ones, then the pile."'),
        ("{is: (a, b)}", "b)", '"(a, b)"'),
        ("{text: one, two, three, cite: A-1}", "two, three", '"one, two, three"'),
        ('{text: say "go", then draw}', "then draw", "'say \"go\", then draw'"),
        ("{text: it's, well so}", "well so", '"it\'s, well so"'),
        ("{text: first, second}", "second", '"first, second"'),
    ],
)
def test_a_text_cut_by_a_comma_is_shown_with_its_cure(clause: str, stray: str, fixed: str) -> None:
    text = f"play: {clause}\n"
    found = only(text)
    assert found.code == "flow-split"
    assert found.primary is not None
    assert found.primary.span.text == stray
    (fix,) = [one for one in found.candidates if one.text == fixed]
    assert codes(text[: fix.span.start] + fix.text + text[fix.span.end :]) == []


def test_what_a_comma_cut_off_is_left_out_of_the_nodes() -> None:
    root, _ = read("play: {text: one, two words, cite: A-1}\n")
    play = at(root, "play")
    assert isinstance(play, Mapping)
    assert play.keys() == ("text", "cite")


@pytest.mark.parametrize(
    ("text", "line", "column", "part"),
    [
        ("do: if pack is empty: do recycle\n", 1, 21, "colon"),
        ("a: {do: shuffle pack [X-1]}\n", 1, 22, "braces"),
        ('a: 1\nb: "open\nc: 2\n', 2, 4, "never closed"),
        ("a: 1\n   b: 3\n", 2, 5, "indented further"),
        ("a:\n    b: 1\n  c: 2\n", 3, 3, "does not belong"),
        ("a: @x\n", 1, 4, "begin with this sign"),
        ("a: `x`\n", 1, 4, "begin with this sign"),
        ("a: [1, 2\nb: 3\n", 2, 1, "brackets"),
        ("a: b\nfoo\nc: d\n", 3, 1, "without a colon"),
        ('a: "\\q"\n', 1, 6, "escape"),
        ('a: "\\UFFFFFFFF"\n', 1, 5, "escape"),
        ("a: - b\n", 1, 4, "list"),
        ("a: b\tc\n", 1, 5, "tab"),
        ("%YAML 3.0\n---\na: b\n", 1, 1, "version"),
        ("a: {b: c\n", 1, 8, "braces"),
    ],
)
def test_what_is_not_yaml_is_told_in_a_sentence_at_its_place(text: str, line: int, column: int, part: str) -> None:
    found = only(text)
    assert found.code == "yaml-syntax"
    assert part in found.message
    assert found.hints
    assert found.primary is not None
    assert (found.primary.span.line, found.primary.span.column) == (line, column)


# ------------------------------------------------------------------------------------------------ two parsers
def read_with(
    parser_in_c: bool, source: Source, patch: pytest.MonkeyPatch
) -> tuple[Mapping | None, list[Diagnostic], int]:
    """What is read of a source, what is told of it, and how many steps are left of a million."""
    patch.setattr(yaml, "__with_libyaml__", parser_in_c)
    report = Report()
    with bounded(1_000_000) as effort:
        root = read_nodes(source, report)
    return root, report.ordered(), effort.left


def assert_both_parsers_agree(texts: list[str], patch: pytest.MonkeyPatch) -> None:
    for text in texts:
        source = Source("tiny.yaml", text)
        assert read_with(True, source, patch) == read_with(False, source, patch), text


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without the parser in C")
def test_the_parser_in_c_reads_what_the_other_reads_with_the_same_places_and_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    samples = sorted((Path(__file__).parents[1] / "language").rglob("*.game.yaml"))[::12]
    texts = [path.read_bytes().decode("utf-8", "replace") for path in samples]
    texts += ["a: b\tc\n", "a: {b: c}\t\n", "a: 'x\n  y'\nb: |\n  z\n\n", "é: [例, \U0001f0a1]\nb: >-\n  c\n# end\n"]
    assert_both_parsers_agree(texts, monkeypatch)


@pytest.mark.slow
@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without the parser in C")
def test_the_parser_in_c_reads_changed_files_as_the_other_does(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case for case in map(make_case, range(3_000)) if case.kind in ("rules", "tests", "format")]
    assert_both_parsers_agree([case.text for case in cases], monkeypatch)
