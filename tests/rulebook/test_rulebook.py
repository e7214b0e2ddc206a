"""The rulebook says what the file says: whatever is changed in the rules changes in the book."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hoyle.authoring.rulebook import Book, Point, render_html, render_markdown, render_text, write_book
from hoyle.base import shipped
from hoyle.base.diagnostics.report import Report
from hoyle.front.cli import run
from hoyle.language.compile import declare
from hoyle.language.document.merging import load_file
from hoyle.language.library import describe
from hoyle.play.engine.game import Game
from hoyle.program.info import OptionInfo
from two_executors import compile_with, draw_options
from ways_to_play import play_by_bots

ROOT = Path(__file__).parents[2]
STONE = ROOT / "docs" / "examples" / "rolling-stone"
SHEDDING = ROOT / "interpreter" / "hoyle" / "authoring" / "skeletons" / "shedding.game.yaml"


PLAIN = """game: plain
title: Plain
players: 3
use: [deck_52]
options: {variant: {default: false, text: Another way to play.}}
zones:
  pack: {shows: nothing}
  pile: {shows: top_card}
  hand: {of: seat, shows: owner}
state: {kept: {type: number, quiet: true}}
actions:
  play:
    choose: {card: hand}
    allowed: {suit: suit of card = suit of top of pile}
    do: move card to pile
  pass: {do: nothing}
steps:
  match: |
    do round
    set dealer to left of dealer
  round:
    ends: some hand is empty
    do: |
      gather pack
      shuffle pack
      deal 5 cards from pack to each hand, starting left of dealer
      set kept to 3
      if variant: turn over pack
      left of dealer chooses play or pass
      for each seat: score sum rank of hand to seat for "cards left"
winners: (seat in seats with lowest score of seat)
"""


def read_book(path: Path, language: str | None = None, *, exact: bool = False) -> Book:
    report = Report()
    book = write_book(path, report, language, exact=exact)
    assert book is not None, [found.message for found in report.ordered()]
    return book


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def shedding() -> str:
    return flat(render_text(read_book(SHEDDING, exact=True)))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("rank: rank of card = rank of top of pile", "rank: rank of card > 9", "The rank of the card is more than 9."),
        ("offer: draw}", "offer: draw or pass}", "= draw or pass"),
        ("when: some hand is empty", "when: count of pack < 3", "= count of pack < 3"),
        ("lowest of (rank of card, 10)", "lowest of (rank of card, 11)", "lowest of (rank of card, 11)"),
        ("default: 6\n    range: 1..8", "default: 7\n    range: 1..8", "hand size (usually 7)"),
        ("shuffle pack\n    deal", "shuffle pack\n    cut pack\n    deal", "cut pack"),
        ("played., shows: top_card", "played., shows: all", "pile: The cards played. Seen by all."),
        ("with lowest score", "with highest score", "with highest score of seat"),
        ("use: [deck_52]", "use: [deck_54]", "There are 54 cards."),
        ("[deck_52]", "[deck_32]", "spades: 7S 8S 9S TS JS QS KS AS (8 cards)"),
    ],
)
def test_a_rule_that_changes_changes_the_book(old: str, new: str, told: str, shedding: str, tmp_path: Path) -> None:
    text = SHEDDING.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "shedding.game.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert told not in shedding
    assert told in flat(render_text(read_book(path, exact=True)))


def test_a_sentence_stands_before_the_rule_it_is_about(shedding: str) -> None:
    assert "The round is over as soon as somebody has no card left. = some hand is empty" in shedding


def test_examples_beside_the_rules_are_worked_out_in_the_book() -> None:
    text = flat(render_text(read_book(shipped.games_folder() / "cribbage" / "cribbage.game.yaml")))
    assert "6 7 7 8 counts 12 [CRIB-21, CRIB-A8] - fifteen: 4 (7H 8D, 7C 8D)" in text
    assert "run: 6 (6S 7H 8D, 6S 7C 8D)" in text
    assert "CRIB-A5: That one must play if one can is nowhere said outright" in text


def test_a_clause_without_a_sentence_is_said_as_at_a_table(tmp_path: Path) -> None:
    """As the options stand: what they leave out is not in the book."""
    path = tmp_path / "plain.game.yaml"
    path.write_text(PLAIN, encoding="utf-8")
    text = flat(render_text(read_book(path)))
    for said in (
        "Deal five cards from the pack to each player, beginning at the dealer's left.",
        "Each player scores the ranks of the cards in his hand together for cards left.",
        "The deal passes to the left.",
        "Only if the suit of the card is the suit of the top card of the pile.",
        "Round is over when a player's hand is empty.",
        "Who wins: The players with the lowest score.",
        "The player at the dealer's left chooses to play or pass.",
        "variant (usually no)",
    ):
        assert said in text, said
    assert "turned over" not in text and "kept" not in text


FAULTS = {
    "a name of the rule file": re.compile(r"[A-Za-z]_[A-Za-z]|\b[a-z]\w*\.[a-z]"),
    "a word of the rule language": re.compile(r"\b(satisfies|the seat|each seat|count of \(|modulo|mod|div)\b|[<>]"),
    "a rule that was not put in words": re.compile(
        r"\b(such that|then comes “|(minus|divided by) \d|is taken to be|there is (a|no) \w+, )|\b(if|otherwise) \1\b"
    ),
    "two articles": re.compile(r"\b(the|an?) (the|an?|his|its|whoever|no|each|every)\b", re.IGNORECASE),
    "a word twice": re.compile(r"\b([a-z]+) \1\b", re.IGNORECASE),
    "a wrong number": re.compile(r"\b1 (players|cards|times|points|chips|tricks)\b|\ba [aeio]\w+ is\b"),
    "a gap": re.compile(r"  |\(\)|[:,] *\.| ,|^\.$|␣|\{|\}"),
}
NUMBERED = ("Rulings", "The rules by number", "Décisions", "Les règles par numéro")


def list_sentences(points: Iterable[Point]) -> Iterator[str]:
    for point in points:
        yield point.text
        if point.name != "Examples":
            yield from list_sentences(point.below)


def find_faults(book: Book) -> list[tuple[str, str]]:
    parts = [chapter for chapter in book.chapters if chapter.title not in NUMBERED]
    sentences = [said for chapter in parts for said in list_sentences(chapter.points)]
    return [(fault, said) for said in sentences for fault, mark in FAULTS.items() if mark.search(said)]


@pytest.mark.share
@pytest.mark.parametrize("path", sorted(shipped.games_folder().rglob("*.game.yaml")), ids=lambda path: path.stem)
def test_the_book_of_every_game_reads_as_sentences(path: Path) -> None:
    assert find_faults(read_book(path)) == []


@pytest.mark.share
@pytest.mark.parametrize("name", ["bi-jinx", "bonanza", "bonus-20", "bunco", "cribbage"])
def test_the_book_reads_as_sentences_with_all_options_changed(name: str, tmp_path: Path) -> None:
    """As far as they can be changed at once."""
    source = shipped.find_game(name)
    file = load_file(source, Report()) if source is not None else None
    assert file is not None
    changed = {}
    for option in declare(file, Report()).options.values():
        usual = option.default.span.text
        values = ("true", "false") if option.kind == "truth" else option.values
        changed |= {option.name: next(each for each in values if each != usual)} if values else {}
    path = tmp_path / "other.game.yaml"
    rows = "".join(f"  {option}: {value}\n" for option, value in changed.items())
    players = "players: 4\n" if "partners" in changed else ""
    path.write_text(f"game: other\ntitle: Other\nextends: {name}\n{players}options:\n{rows}")
    assert find_faults(read_book(path)) == []


def test_what_options_rule_out_is_not_told(tmp_path: Path) -> None:
    """Neither steps nor actions that only a ruled out branch reaches, nor conditions of a module that cannot hold."""
    path = tmp_path / "sealed.game.yaml"
    path.write_text("game: sealed\ntitle: Sealed\nextends: bi-jinx\noptions: {trade: sealed}\n")
    spoken, sealed = (render_text(read_book(each)) for each in (shipped.find_game("bi-jinx"), path) if each is not None)
    for told in ("Sealed bids: ", "\nbid: "):
        assert told not in spoken
        assert told in sealed
    for told in ("\noffer: ", "\naccept: "):
        assert told in spoken
        assert told not in sealed
    for name, matching in (("bonanza", True), ("bonanza-escalating", False)):
        source = shipped.find_game(name)
        assert source is not None
        said = render_text(read_book(source))
        assert ("\nmatch: " in said) is matching
        assert "must put in more" not in said
        assert "Five alike" not in said


def find_shipped(name: str) -> Path:
    path = shipped.find_game(name)
    assert path is not None
    return path


def test_what_a_variant_rules_out_is_in_no_chapter_of_its_book() -> None:
    """No words, options or numbered rules of what goes; what is said in passing beside other things stays."""
    whole, without = (flat(render_text(read_book(find_shipped(name)))) for name in ("bunco", "bunco-children"))
    told = [
        *("stop cards: ", "stop piles: ", "callers: ", "resuming: ", "self stop ", "partner stop: ", "initial stop: "),
        *("bunco as one pending", "BUNCO-25: ", "BUNCO-28: ", "BUNCO-33: ", "BUNCO-36: ", "BUNCO-A5: ", "BUNCO-A12: "),
    ]
    assert [each for each in told if each not in whole] == []
    assert [each for each in told[3:] if each in without] == []
    assert "simultaneous stop: " in without, "who calls Bunco first is still to be decided"
    assert "children (usually yes)" in without


def list_options(path: Path) -> tuple[OptionInfo, ...]:
    info, _ = describe(path)
    assert info is not None
    return info.options


VARIANTS = [path for path in shipped.all_games() if "\nextends:" in path.read_text(encoding="utf-8")]


@pytest.mark.share
@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.name.split(".")[0])
def test_an_option_that_a_variants_book_leaves_out_changes_nothing_in_it(path: Path) -> None:
    """Whatever else is set: matches with errors are the same with every value of the option."""
    told = {point.name.partition(" (")[0] for chapter in read_book(path).chapters for point in chapter.points}
    info, _ = describe(path)
    assert info is not None
    older = {(each.name, each.default) for name in info.parents for each in list_options(find_shipped(name))}
    own = {each.name for each in info.options if (each.name, each.default) not in older}
    for option in (each for each in info.options if each.name.replace("_", " ") not in told):
        for seed in range(3):
            chance = random.Random(f"{option.name} {seed}")
            others = {name: value for name, value in draw_options(path, chance).items() if name not in own}
            played = set()
            for value in ("true", "false") if option.kind == "truth" else [each for each, _ in option.values]:
                program = compile_with(path, info.allowed[0], others | {option.name: value})
                if program is not None:
                    played.add(repr(play_by_bots(Game(program), seed, 0.3, 100)))
            assert len(played) <= 1, option.name


def test_what_is_said_of_the_players_and_of_partners_stands_in_the_book() -> None:
    for name, said in [("hearts", "With three the 2 of diamonds is left out"), ("spades", "Partners sit opposite.")]:
        path = shipped.find_game(name)
        assert path is not None
        assert said in flat(render_text(read_book(path)))


def test_what_waits_for_an_option_is_left_to_its_option() -> None:
    said, under_muggins = (flat(render_text(read_book(shipped.games_folder() / "cribbage" / f"{name}.game.yaml")))
                           for name in ("cribbage", "cribbage-muggins"))  # fmt: skip
    for told in "claim: Claim points", "call muggins: Take the points":
        assert told not in said
        assert told in under_muggins
    assert "Lowest cut: " not in said


def test_a_variant_says_first_what_differs() -> None:
    book = read_book(STONE / "rolling-stone-mercy.game.yaml")
    first = book.chapters[0]
    assert first.title == "What differs from rolling-stone"
    assert "STONE-11" in render_text(book)
    assert any(point.name == "deals" and point.text.startswith("1 instead of 3. ") for point in first.points)


def test_what_a_variant_adds_is_told_in_its_sentence(tmp_path: Path) -> None:
    path = tmp_path / "sevens.game.yaml"
    path.write_text(
        "game: sevens\ntitle: Sevens\nextends: cribbage\nscores:\n  show of (cards, start_card):\n    new sevens:\n"
        "      text: One for each seven.\n      is: count of (card in cards where rank of card = 7)\n",
        encoding="utf-8",
    )
    (point,) = read_book(path).chapters[0].points
    assert (point.name, point.text) == ("show: sevens", "New: One for each seven.")


def test_the_cards_are_told_for_every_number_of_players() -> None:
    text = render_text(read_book(STONE / "rolling-stone.game.yaml"))
    for players, cards in ((4, 32), (5, 40), (6, 48)):
        assert f"With {players} players there are {cards} cards." in text
    text = flat(render_text(read_book(shipped.games_folder() / "bi-jinx" / "bi-jinx.game.yaml")))
    for said in ("2 3 4 5 (20 cards, 5 of each)", "2 3 (20 cards, 10 of each), 4 5 (10 cards, 5 of each)"):
        assert f"- 1 (6 cards), {said}" in text


def test_in_french_where_the_file_has_it() -> None:
    book = read_book(shipped.games_folder() / "bonanza" / "bonanza.game.yaml", "fr")
    text = flat(render_text(book))
    assert book.language == "fr"
    assert "La main de personne ; nul ne la regarde. Visible de personne." in text
    assert "The object" not in text
    assert find_faults(book) == []
    assert "pique: 2P 3P 4P" in text


def test_a_language_that_the_file_lacks_is_told_and_not_mixed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "whist"]) == 0
    own = capsys.readouterr().out
    assert run(["rules", "whist", "--lang", "fr"]) == 0
    shown = capsys.readouterr()
    assert shown.out == own
    assert shown.err == "Whist n'est pas écrit en français ; il est montré en anglais\n"


class Page(HTMLParser):
    """What a page refers to, and whether its marks close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.refers: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.refers.append(value)
            if name == "id" and value:
                self.anchors.add(value)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_needs_nothing_else_and_its_links_lead_somewhere() -> None:
    page = Page()
    text = render_html(read_book(shipped.games_folder() / "cribbage" / "cribbage.game.yaml"))
    page.feed(text)
    assert not page.open
    assert all(each.startswith("#") and each[1:] in page.anchors for each in page.refers)
    assert "<script" not in text and "http" not in text and "url(" not in text
    assert "♠" in text and "@media print" in text


def test_nothing_of_a_file_becomes_a_mark(tmp_path: Path) -> None:
    text = SHEDDING.read_text(encoding="utf-8").replace(
        "title: A Shedding Game", "title: '<script>alert(1)</script> *_x_*'"
    )
    path = tmp_path / "shedding.game.yaml"
    path.write_text(text, encoding="utf-8")
    book = read_book(path)
    assert "<script" not in render_html(book)
    assert "\\*\\_x\\_\\*" in render_markdown(book)


@pytest.mark.slow
@pytest.mark.parametrize("path", shipped.all_games(), ids=shipped.game_name)
def test_every_shipped_game_has_a_book_in_which_every_clause_has_words(path: Path) -> None:
    def check(point: Point) -> None:
        assert point.text or point.name
        for below in point.below:
            check(below)

    book = read_book(path)
    for chapter in book.chapters:
        for point in chapter.points:
            check(point)
    spoken = render_text(book)
    assert not re.search(r"\w_\w", "\n".join(line for line in spoken.splitlines() if line.lstrip().startswith("=")))
    render_markdown(book)
    render_html(book)


# ------------------------------------------------------------------------------------------------ commands
def test_the_book_is_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", str(SHEDDING), "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("# A Shedding Game\n")
    assert run(["rules", str(SHEDDING), "--format", "html", "-o", str(tmp_path / "book.html")]) == 0
    assert (tmp_path / "book.html").read_text(encoding="utf-8").endswith("</html>\n")


def test_a_file_that_does_not_check_has_no_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.game.yaml"
    path.write_text(SHEDDING.read_text(encoding="utf-8").replace("move card to pile", "move card to pyle"))
    assert run(["rules", str(path)]) == 1
    answer = capsys.readouterr()
    assert "no zone named `pyle`" in answer.err or "pyle" in answer.err
    assert answer.out == ""


def test_rules_are_found_by_their_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cite", "heel", "cribbage"]) == 0
    assert capsys.readouterr().out.startswith("CRIB-7: If the start card is a jack, the dealer pegs 2")
    assert run(["cite", "nobs"]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines() if ": " in line] == ["CRIB-24"]
    assert run(["cite", "the"]) == 0
    assert "more; name the game, or more words" in capsys.readouterr().out
    assert run(["cite", "zebra heel"]) == 1
    assert capsys.readouterr().err == "hoyle: no rule has `zebra heel` in its text\n"
    assert run(["cite", "crib7"]) == 1
    assert "did you mean `CRIB-7`?" in capsys.readouterr().err


def test_the_game_may_come_before_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cite", "CRIB-10", "cribbage"]) == run(["cite", "heel", "cribbage"]) == 0
    expected = capsys.readouterr().out
    assert run(["cite", "cribbage", "CRIB-10"]) == run(["cite", "cribbage", "heel"]) == 0
    assert capsys.readouterr().out == expected


def test_a_rule_is_cited(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cite", "[crib-10]"]) == 0
    answer = capsys.readouterr().out
    assert answer.startswith("CRIB-10, Cribbage\n")
    assert "In the booklet: Play of the cards; the booklet says so." in answer
    assert "cribbage.game.yaml:" in answer and "CRIB-V33: who can play may not say go" in answer


def test_the_rules_of_the_present_folder_are_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(STONE)
    assert run(["cite", "STONE-5"]) == 0
    assert "rolling-stone.game.yaml:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["cite", "CRIB-1O"], "did you mean `CRIB-1"),
        (["cite", "CRIB-10", "bonus-20"], "no rule `CRIB-10` in `bonus-20`"),
        (["cite", "x" * 500], "no rule"),
        (["words", "trikcs"], "no game and no module named `trikcs`; did you mean `tricks`?"),
        (["rules", "nowhere.game.yaml"], "no file nowhere.game.yaml"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 1
    answer = capsys.readouterr()
    assert told in answer.err and answer.err.count("\n") == 1


def test_words_tells_what_every_module_brings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["words", "cribbage"]) == 0
    out = capsys.readouterr().out
    assert "What several cards can have in common." in out
    assert "word cards is one_rank: All of one rank." in out and "option cut_tie: " in out
    assert run(["words"]) == 0
    listed = capsys.readouterr().out
    assert all(f"{path.stem} " in listed for path in shipped.module_folder().glob("*.yaml"))
    assert run(["words", "bonanza", "--json"]) == 0
    assert '"module": "betting as bets"' in capsys.readouterr().out


def test_an_option_called_like_a_word_of_the_language_does_not_take_its_place(tmp_path: Path) -> None:
    path = tmp_path / "plain.game.yaml"
    options = "options: {most: {default: 2, range: 1..4, text: The most cards.}, "
    path.write_text(
        PLAIN.replace("options: {", options).replace("    do round\n", "    repeat at most 5 times: do round\n")
    )
    assert "Repeat at most five times: then comes “round”." in flat(render_text(read_book(path)))


def test_a_usual_value_that_hangs_on_the_players_otherwise_than_by_a_number_is_told_as_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.game.yaml"
    path.write_text(
        "game: odd\ntitle: Odd\nplayers: {usual: 2, allowed: 2..4}\n"
        "options: {size: {text: Cards., default: 3 if players > 2 otherwise 4, range: 1..9}}\n"
        "deck: {starts_in: pack, attributes: {rank: 1..40}, cards: [{rank: 1..40}]}\nzones: {pack: {shows: nothing}}\n"
        'steps: {match: score size to dealer for "luck"}\nwinners: seats\n'
    )
    assert run(["rules", str(path)]) == 0
    assert "usually 3 if players > 2 otherwise 4" in capsys.readouterr().out
