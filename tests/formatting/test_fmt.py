"""`hoyle fmt`: one layout, and nothing but layout."""

from __future__ import annotations

import io
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hoyle.authoring.formatting import Style, format_source
from hoyle.base.diagnostics.report import Report
from hoyle.base.source import Source
from hoyle.front.cli import run
from slips import check

ROOT = Path(__file__).resolve().parents[2]
PLAIN = Style(block_from=None, block_beyond=None, ordered=False)
OURS = sorted(
    path
    for place in ("games", "docs/examples", "interpreter/hoyle", "benchmarks")
    for path in (ROOT / place).rglob("*.yaml")
)


def laid_out(text: str, style: Style | None = None) -> str:
    report = Report()
    found = format_source(Source("x.yaml", text), report, style or Style())
    assert found is not None, report.diagnostics
    again = format_source(Source("x.yaml", found.text), report, style or Style())
    assert again is not None
    assert again.text == found.text, "the second time it looks different"
    return found.text


# ------------------------------------------------------------------------------------------------ our files
@pytest.mark.share
@pytest.mark.parametrize("path", OURS, ids=[str(path.relative_to(ROOT)) for path in OURS])
def test_every_shipped_file_is_in_the_layout(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = format_source(Source(path.name, text), Report())
    assert found is not None
    assert found.text == text, f"run: hoyle fmt {path.relative_to(ROOT)}"


@pytest.mark.slow
@pytest.mark.parametrize("style", [Style(), PLAIN, Style(width=60), Style(width=20)])
def test_every_file_there_is_keeps_its_values_and_comments_in_any_style(style: Style) -> None:
    for path in [*OURS, *sorted((ROOT / "tests" / "language").rglob("*.yaml"))]:
        raw = path.read_bytes()
        report = Report()
        try:
            found = format_source(Source(path.name, raw.decode()), report, style)
        except UnicodeDecodeError:
            continue
        if found is not None:
            assert laid_out(found.text, style) == found.text, path


# ------------------------------------------------------------------------------------------------ layout
CASES = {
    "blanks inside braces": ("a: { b : 1 ,c: [ 1,2 ] }\n", "a: {b: 1, c: [1, 2]}\n"),
    "depth": ("a:\n    b:\n      - 1\n      -  c:  2\n         d: 3\n", "a:\n  b:\n    - 1\n    - c: 2\n      d: 3\n"),
    "blank lines": ("a: 1\n\n\n\nb: 2\n\n", "a: 1\n\nb: 2\n"),
    "no blank line opens a section": ("a:\n\n  b: 1\n", "a:\n  b: 1\n"),
    "a column of values is kept": ("a:\n  bc:  1\n  def: 2\n", "a:\n  bc:  1\n  def: 2\n"),
    "half a column is not": ("a:\n  bc:   1\n  def: 2\n", "a:\n  bc: 1\n  def: 2\n"),
    "blanks at line ends": ("a: |   \n  x   \n  y\n", "a: |\n  x\n  y\n"),
    "a block of text moves": ("a:\n      b: |\n           x\n             y\n", "a:\n  b: |\n    x\n      y\n"),
    "a block with its own depth": ("a: |4\n      x\n    y\n", "a: |2\n    x\n  y\n"),
    "lines that fit are kept": ("a: x and\n   y\n", "a: x and\n  y\n"),
    "braces below their key": ("a:\n  {b: 1}\n", "a: {b: 1}\n"),
    "nothing": ("a:\nb: {}\nc: []\n", "a:\nb: {}\nc: []\n"),
    "no line end": ("a: 1", "a: 1\n"),
    "a document mark": ("# x\n---\na: 1\n", "# x\n---\na: 1\n"),
    "keys in quotes": ("'a b' :   1\n", "'a b': 1\n"),
}


@pytest.mark.parametrize("case", CASES, ids=list(CASES))
def test_the_layout_is(case: str) -> None:
    before, after = CASES[case]
    assert laid_out(before) == after


def test_long_braces_are_folded_where_the_author_did_or_as_full_as_can_be() -> None:
    style = Style(width=40)
    assert laid_out("k: {aaaa: 1111111, bbbb: 2222222, cccc: 3333333}\n", style) == (
        "k: {aaaa: 1111111, bbbb: 2222222,\n  cccc: 3333333}\n"
    )
    kept = "k: {aaaa: 1111111,\n  bbbb: 2222222, cccc: 3333333}\n"
    assert laid_out(kept, style) == kept


def test_a_long_text_is_broken_between_words_and_a_rule_before_a_connecting_word() -> None:
    style = Style(width=44)
    assert laid_out("text: one two three four five six seven eight nine\n", style) == (
        "text: one two three four five six seven\n  eight nine\n"
    )
    assert laid_out("is: rank of card > 5 and suit of card = suit_in_force\n", style) == (
        "is: rank of card > 5\n  and suit of card = suit_in_force\n"
    )


COMMENTED = """\
# the head

# of the file
game: x   # its name
zones: # where cards lie
      # above the pack
  pack: {shows: nothing}    # face down
  hand: {of: seat,          # everybody has one
    shows: owner}
  # at the end of the zones
# before the steps
steps:
  match: |     # from beginning to end
    # inside the rules
    gather pack   # all of them
  # last words
"""


def test_every_comment_stays_with_what_it_is_about() -> None:
    assert laid_out(COMMENTED) == """\
# the head

# of the file
game: x   # its name
zones:  # where cards lie
  # above the pack
  pack: {shows: nothing}    # face down
  hand:
    of: seat                # everybody has one
    shows: owner
  # at the end of the zones
# before the steps
steps:
  match: |     # from beginning to end
    # inside the rules
    gather pack   # all of them
  # last words
"""


def test_full_clauses_are_blocks_with_their_text_first() -> None:
    sizes = 'size: {default: 6, range: 1..8, text: "Cards, dealt to each."}'
    text = f"game: x\noptions:\n  {sizes}\n  two: {{default: 1, text: X}}\n"
    assert laid_out(text) == (
        "game: x\noptions:\n  size:\n    text: Cards, dealt to each.\n    default: 6\n    range: 1..8\n"
        "  two: {text: X, default: 1}\n"
    )


def test_what_an_author_has_named_keeps_its_order_whatever_it_is_called() -> None:
    text = "game: x\nkinds:\n  bargain:\n    value: {}\n    start: {}\n    text: What it is about.\n    all: {}\n"
    assert laid_out(text) == (
        "game: x\nkinds:\n  bargain:\n    text: What it is about.\n    value: {}\n    start: {}\n    all: {}\n"
    )


def test_braces_beyond_a_hundred_columns_are_blocks_in_a_game_and_folded_elsewhere() -> None:
    picks = ", ".join(f"{name}: hand where card is not joker" for name in ("one", "two", "six"))
    assert laid_out(f"game: x\nactions:\n  play:\n    choose: {{{picks}}}\n").count("\n") == 7
    assert laid_out(f"tests: x\nexamples:\n  play:\n    choose: {{{picks}}}\n").count("\n") == 4


# ------------------------------------------------------------------------------------------------ any file
NAMES = st.sampled_from(["a", "bc", "def of g", "'q'", "text", "is"])
TEXTS = st.sampled_from(["1", "one two", "'it''s'", '"a, b: c"', "x is y and not z or w" * 3, "true", "~", "[]", "{}"])
COMMENTS = st.sampled_from(["", "", "", "  # note", "   #", " # a # b"])


def write_flow(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {write_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write_flow, value)) + "]"
    return str(value) if "," not in str(value) or str(value).startswith('"') else "x"


def write_block(value: object, indent: int, draw: st.DrawFn) -> str:
    lines = []
    step = draw(st.integers(1, 4))
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):  # type: ignore[arg-type]
        lead = f"{' ' * indent}{key}:" if isinstance(value, dict) else f"{' ' * indent}-"
        remark, deep = f"{' ' * indent}# above\n", f"\n{' ' * (indent + 3)}# deep\n"
        above = draw(st.sampled_from(["", "", "\n", "\n\n", remark, deep]))
        if isinstance(each, dict | list) and each and draw(st.booleans()):
            lines.append(f"{above}{lead}{draw(COMMENTS)}\n{write_block(each, indent + step, draw)}")
        elif draw(st.integers(0, 4)) == 0:
            body = f"{' ' * (indent + step)}do x # y\n\n{' ' * (indent + step + 2)}and z\n"
            lines.append(f"{above}{lead} |{draw(COMMENTS)}\n{body}")
        else:
            lines.append(f"{above}{lead} {' ' * draw(st.integers(0, 3))}{write_flow(each)}{draw(COMMENTS)}\n")
    return "".join(lines)


@st.composite
def files(draw: st.DrawFn) -> str:
    value = draw(
        st.recursive(
            TEXTS,
            lambda some: st.dictionaries(NAMES, some, min_size=1, max_size=4) | st.lists(some, min_size=1, max_size=3),
            max_leaves=12,
        )
    )
    return write_block(value if isinstance(value, dict) else {"top": value}, 0, draw)


@settings(max_examples=25, deadline=None)
@given(text=files(), width=st.sampled_from([20, 60, 120]))
@example(text="top:\n - {a: 1}\n -\n\n     # deep\n  - b\n", width=20)  # braces are no section that is closed
def test_any_file_keeps_its_values_and_comments_and_looks_the_same_the_second_time(text: str, width: int) -> None:
    report = Report()
    if format_source(Source("x.yaml", text), report) is not None:  # the formatter itself compares what it wrote
        laid_out(text, Style(width=width))
        laid_out(text, Style(width=width, block_from=2, ordered=True))


def test_a_comment_below_a_lone_dash_stays_where_it_is_put() -> None:
    laid_out("top:\n - {a: 1}\n -\n\n     # deep\n  - |\n   do x # y\n", Style(width=20))


# ------------------------------------------------------------------------------------------------ the command
def test_a_file_is_rewritten_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.game.yaml"
    path.write_bytes(b"\xef\xbb\xbfgame:   x\r\ntitle: X\r\n")
    path.chmod(0o640)
    assert run(["fmt", str(tmp_path)]) == 0
    assert path.read_bytes() == b"\xef\xbb\xbfgame: x\r\ntitle: X\r\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert "1 file laid out anew, 0 left as they were" in capsys.readouterr().out
    assert run(["fmt", str(path)]) == 0
    assert "0 files laid out anew, 1 left as it was" in capsys.readouterr().out
    assert [each.name for each in tmp_path.iterdir()] == ["x.game.yaml"]


def test_check_and_diff_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.game.yaml"
    path.write_text("game:   x\n", encoding="utf-8")
    assert run(["fmt", "--check", str(path)]) == 1
    assert "x.game.yaml: not in the layout" in capsys.readouterr().out
    assert run(["fmt", "--diff", str(path)]) == 0
    assert "-game:   x\n+game: x\n" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == "game:   x\n"


@pytest.mark.parametrize("content", [b"game: [", b"a: 1\na: 2\n", b"\xff", b"", b"- 1\n", b"a: &x 1\nb: *x\n"])
def test_a_file_that_cannot_be_read_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "x.game.yaml"
    path.write_bytes(content)
    assert run(["fmt", str(path)]) == 1
    assert "error[" in capsys.readouterr().out
    assert path.read_bytes() == content


def test_no_such_file_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["fmt", str(tmp_path / "nowhere.game.yaml")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert run(["fmt", str(tmp_path)]) == 1
    assert "no rule files" in capsys.readouterr().err


def test_text_from_standard_input_goes_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"game:  x\n"), reconfigure=None))
    assert run(["fmt", "-"]) == 0
    assert capsys.readouterr().out == "game: x\n"


@pytest.mark.parametrize("first", ["steps", "actions", "winners"])
def test_any_section_may_stand_first_and_the_game_is_the_same(first: str) -> None:
    path = ROOT / "docs/examples/rolling-stone/rolling-stone.game.yaml"
    text = path.read_text(encoding="utf-8")
    head, *sections = re.split(r"(?m)^(?=[a-z]+:)", text)
    moved = head + "\n".join(
        section.strip() + "\n" for section in sorted(sections, key=lambda one: not one.startswith(f"{first}:"))
    )
    assert moved.removeprefix(head).startswith(f"{first}:")
    told, meaning = check(path, moved)
    assert not told.diagnostics
    assert meaning == check(path, text)[1] is not None
    assert laid_out(moved) == moved, "the formatter keeps the order"
