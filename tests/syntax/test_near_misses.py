"""What an author is told about a line that cannot be read: one sentence, the line as it should be, and often a fix."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle.base.diagnostics.codes import CODES
from hoyle.base.diagnostics.codes_syntax import SYNTAX_CODES
from hoyle.base.diagnostics.report import Diagnostic, Report
from hoyle.base.source import Source, Span
from hoyle.language.syntax.grammar import Start
from hoyle.language.syntax.parse import parse
from hoyle.language.syntax.repair.patterns import compile_pattern
from hoyle.language.syntax.repair.rows import ADVICE, NEAR_MISSES, SILENT, read_rows
from hoyle.language.syntax.vocabulary import Vocabulary

ROOT = Path(__file__).parents[2]
NAMES = Vocabulary(
    relations=frozenset({"fits", "follows", "beats", "reach"}),
    start="pack",
    zones=("pack", "pile"),
    seat_zones=("hand",),
    states={"player": "seat"},
)


def read(start: Start, text: str, *, lines: bool | None = None) -> tuple[Any, list[Diagnostic]]:
    report = Report()
    source = Source("test.game.yaml", text)
    block = start == "steps" if lines is None else lines
    built = parse(start, Span(source, 0, len(text)), report, vocabulary=NAMES, lines=block)
    return built, report.ordered()


def mend(text: str, found: Diagnostic) -> list[str]:
    """The text after each candidate, the likeliest first."""
    fixes = [(fix.span.start, fix.span.end, fix.text) for fix in found.candidates]
    return [text[:start] + new + text[end:] for start, end, new in fixes]


FULL_DEAL = "deal 7 cards from pack to each hand, starting left of dealer"

# Written by a reader who had seen the language but not learned it, and by a reviewer. The fourth is the corrected line.
FIRST_LINES: list[tuple[Start, str, str, str]] = [
    ("steps", "deal 7 cards to each player", "unfinished", FULL_DEAL),
    ("steps", "deal 7 cards from the pack to each hand, starting left of dealer", "article", FULL_DEAL),
    ("steps", "deal 7 cards from pack to each hand one at a time, starting left of dealer", "filler", FULL_DEAL),
    ("steps", "deal seven cards from pack to each hand, starting left of dealer", "spelled-number", FULL_DEAL),
    ("steps", "draw 2 cards from pack", "wrong-word", "move top 2 of pack to hand"),
    ("steps", "if pack is empty: shuffle pile into pack", "wrong-word",
     "if pack is empty:\n  move pile to pack\n  shuffle pack"),
    ("steps", "if pile is empty: gather pack and shuffle", "wrong-word",
     "if pile is empty:\n  gather pack\n  shuffle pack"),
    ("steps", "move 2 cards from pack to hand", "wrong-word", "move top 2 of pack to hand"),
    ("steps", "move top 2 cards of pack to hand", "filler", "move top 2 of pack to hand"),
    ("steps", "move top two cards of the pack to hand", "article", "move top 2 of pack to hand"),
    ("steps", "move top card of pack to hand", "filler", "move top of pack to hand"),
    ("steps", "if pack is empty, do recycle", "wrong-word", "if pack is empty: do recycle"),
    ("steps", "player chooses play where a of card = 3 or b of card is red or draw", "wrong-word",
     "player chooses play where (a of card = 3 or b of card is red) or draw"),
    ("menu", "play where a of card = 3 or b of card is red", "wrong-word",
     "play where (a of card = 3 or b of card is red)"),
    ("steps", "do recycle if pack is empty", "condition-last", "if pack is empty: do recycle"),
    ("expr", "20 if card is bonus else number of card", "wrong-word", "20 if card is bonus otherwise number of card"),
    ("expr", "20 if card is a bonus, otherwise its number", "article", "20 if card is bonus otherwise number of card"),
    ("expr", "any hand is empty", "wrong-word", "some hand is empty"),
    ("expr", "highest number of (7C 12B 9C)", "wrong-word", "highest number of (7C, 12B, 9C)"),
    ("steps", 'score 2 points to dealer for "his heels"', "filler", 'score 2 to dealer for "his heels"'),
    ("steps", "score 2 to dealer for his heels", "missing-quotes", 'score 2 to dealer for "his heels"'),
    ("steps", 'dealer scores 2 for "his heels"', "wrong-word", 'score 2 to dealer for "his heels"'),
    ("pick", "two cards in hand", "wrong-word", "2 cards from hand"),
    ("pick", "at least 3 cards from hand", "wrong-word", "3 or more cards from hand"),
    ("pick", "3+ cards from hand", "wrong-word", "3 or more cards from hand"),
    ("pick", "3 or more from hand", "wrong-word", "3 or more cards from hand"),
    ("pick", "3 or more cards of hand", "wrong-word", "3 or more cards from hand"),
    ("pick", "any number of cards from hand", "wrong-word", "1 or more cards from hand"),
    ("pick", "2 or 3 cards from hand", "wrong-word", "2..3 cards from hand"),
    ("expr", "called, or else symbol of top of pile", "filler", "called or else symbol of top of pile"),
    ("steps", "move the card to pile", "article", "move card to pile"),
    ("steps", "move card from hand to pile", "wrong-word", "move card to pile"),
    ("steps", "set called = named", "wrong-word", "set called to named"),
    ("steps", "if seat is left of dealer: end round", "wrong-word", "if seat = left of dealer: end round"),
    ("steps", "score 2 to dealer if rank of turned = 11", "condition-last",
     "if rank of turned = 11: score 2 to dealer"),
    ("steps", "if pile is empty then shuffle pack", "wrong-word", "if pile is empty: shuffle pack"),
    ("expr", "rank of card == 11", "wrong-word", "rank of card = 11"),
    ("expr", "count(hand)", "call-notation", "count of hand"),
    ("expr", "hand.count", "call-notation", "count of hand"),
    ("expr", "number of cards in hand", "wrong-word", "count of hand"),
    ("expr", "number of cards in hand where card is bonus", "wrong-word",
     "count of (card in hand where card is bonus)"),
    ("expr", "some seat satisfies score of seat > 9 and hand is empty", "missing-parentheses",
     "some seat satisfies (score of seat > 9 and hand is empty)"),
    ("expr", "hand contains joker", "wrong-word", "joker is in hand"),
    ("expr", "card fist pile", "wrong-word", "card fits pile"),
    ("steps", "score 2 too dealer", "wrong-word", "score 2 to dealer"),
]

MORE_LINES: list[tuple[Start, str, str, str]] = [
    ("steps", "deal each player 7 cards", "unfinished", FULL_DEAL),
    ("steps", "deal 7 cards to each hand, starting left of dealer", "unfinished", FULL_DEAL),
    ("steps", "deal 7 cards from pack to every player, starting left of dealer", "wrong-word", FULL_DEAL),
    ("steps", "deal 7 cards from pack to each hand starting with left of dealer", "wrong-word", FULL_DEAL),
    ("steps", "draw a card", "wrong-word", "move top of pack to hand"),
    ("steps", "put card on pile", "wrong-word", "move card to pile"),
    ("steps", "put card under pile", "wrong-word", "move card to bottom of pile"),
    ("steps", "move all cards from pile to pack", "wrong-word", "move pile to pack"),
    ("steps", "move all but the top card of pile to pack", "article", "move all but top of pile to pack"),
    ("steps", "move top hand_size of pack to hand", "missing-parentheses", "move top (hand_size) of pack to hand"),
    ("steps", "turn pack over", "wrong-word", "turn over pack"),
    ("steps", "x = 3", "wrong-word", "set x to 3"),
    ("steps", "x += 2", "wrong-word", "set x to x + 2"),
    ("steps", "let kept = top of pile", "wrong-word", "let kept be top of pile"),
    ("steps", "give dealer 2 points", "wrong-word", "score 2 to dealer"),
    ("steps", "score 2 for dealer", "wrong-word", "score 2 to dealer"),
    ("steps", "score 2 to dealer for 'his heels'", "missing-quotes", 'score 2 to dealer for "his heels"'),
    ("steps", "score two to dealer", "spelled-number", "score 2 to dealer"),
    ("steps", "suffle pack", "wrong-word", "shuffle pack"),
    ("steps", "Shuffle pack", "wrong-word", "shuffle pack"),
    ("steps", "shuffle pack.", "filler", "shuffle pack"),
    ("steps", "recycle", "wrong-word", "do recycle"),
    ("steps", "call recycle", "wrong-word", "do recycle"),
    ("steps", "player may draw", "wrong-word", "player may choose draw"),
    ("steps", "player chooses play, bonus or draw", "wrong-word", "player chooses play or bonus or draw"),
    ("steps", "player chooses play else pass", "wrong-word", "player chooses play, otherwise pass"),
    ("steps", "if dealer's hand is empty: end round", "call-notation", "if hand of dealer is empty: end round"),
    ("steps", "if a = 1 && b == 2: end round", "wrong-word", "if a = 1 and b = 2: end round"),
    ("steps", "if (a = 1: end round", "missing-parentheses", "if (a = 1): end round"),
    ("steps", "if pack is empty: move the card to pile", "article", "if pack is empty: move card to pile"),
    ("menu", "play, bonus or draw", "wrong-word", "play or bonus or draw"),
    ("menu", "play or draw otherwise pass", "wrong-word", "play or draw, otherwise pass"),
    ("pick", "two cards from hand", "spelled-number", "2 cards from hand"),
    ("pick", "card in hand where card is bonus", "wrong-word", "hand where card is bonus"),
    ("pick", "a symbol", "wrong-word", "any symbol"),
    ("expr", "if card is bonus then 20 else 5", "wrong-word", "20 if card is bonus otherwise 5"),
    ("expr", "called otherwise 3", "wrong-word", "called or else 3"),
    ("expr", "card not in hand", "wrong-word", "card is not in hand"),
    ("expr", "count of hand is at least 3", "wrong-word", "count of hand >= 3"),
    ("expr", "all hands are empty", "wrong-word", "every hand is empty"),
    ("expr", "pack has no cards", "wrong-word", "pack is empty"),
    ("expr", "top(2, pack)", "call-notation", "top 2 of pack"),
    ("expr", "card.rank = 3", "call-notation", "rank of card = 3"),
    ("expr", "count of hand = seven", "spelled-number", "count of hand = 7"),
    ("expr", "count of hand where card is bonus", "missing-parentheses", "count of (card in hand where card is bonus)"),
]

WHOLE_BLOCKS: list[tuple[str, str, str]] = [
    ("if pile is empty: do x\nelse:\n  do y\n", "wrong-word", "if pile is empty: do x\notherwise:\n  do y\n"),
    ("if a: do x\nelif b: do y\n", "wrong-word", "if a: do x\notherwise if b: do y\n"),
    ("  if pack is empty\n    do x\n", "unfinished", "  if pack is empty:\n    do x\n"),
    ("if the pack is empty\n  do x\n  do y\n", "article", "if pack is empty:\n  do x\n  do y\n"),
    ("if pack is empty then\n  do x\n", "wrong-word", "if pack is empty:\n  do x\n"),
    ("if pack is empty:\ndo x\n", "wrong-indent", "if pack is empty:\n  do x\n"),
    ("  move card to pile\n    clear called\n", "wrong-indent", "  move card to pile\n  clear called\n"),
    ("if a:\n    do b\n  do c\n", "wrong-indent", "if a:\n    do b\n    do c\n"),
    ("  move card to pile and then clear called\n", "wrong-word", "  move card to pile\n  clear called\n"),
    ("if a: do b and then do c\n", "wrong-word", "if a:\n  do b\n  do c\n"),
    ("while pack is empty:\n  do x\n", "wrong-word", "repeat until not (pack is empty):\n  do x\n"),
    ("for seat in seats:\n  do x\n", "wrong-word", "for each seat in seats:\n  do x\n"),
    ("repeat three times:\n  do x\n", "spelled-number", "repeat 3 times:\n  do x\n"),
    ("repeat 3:  # often\n  do x\n", "wrong-word", "repeat 3 times:  # often\n  do x\n"),
    ("[A-1] shuffle pack\n", "bad-citation", "shuffle pack   [A-1]\n"),
    ("shuffle pack [A 1]\n", "bad-citation", "shuffle pack [A-1]\n"),
    ("shuffle pack   [A-1] [A-2]\n", "bad-citation", "shuffle pack   [A-1, A-2]\n"),
    ("if pack is empty [A-1]: do x\n", "bad-citation", "if pack is empty: do x   [A-1]\n"),
    ('score 2 to dealer for "a\n', "missing-quotes", 'score 2 to dealer for "a"\n'),
    ('score 2 points to dealer for "the points"   [A-1]  # the best\n', "filler",
     'score 2 to dealer for "the points"   [A-1]  # the best\n'),
]

UNFINISHED = [
    ("deal", "how many"),
    ("deal 7", "of what"),
    ("deal 7 cards from", "from where"),
    ("deal 7 cards from pack", "to whom"),
    ("move", "what is moved"),
    ("move card", "where to"),
    ("swap hand", "with what"),
    ("set player to", "to what"),
    ("add seat", "to what"),
    ("let kept", "what it stands for"),
    ("pick lifted", "how"),
    ("pick lifted at random", "from where"),
    ("shuffle", "what is shuffled"),
    ("turn over", "what is turned over"),
    ("do", "which step"),
    ("end", "what ends"),
    ("player chooses", "what the seat chooses from"),
    ("player may choose", "what the seat may choose"),
    ("if pack is empty: move card", "where to"),
    ("if pack is empty", "what is done"),
    ("for each seat", "what is done"),
]

CORRECT: list[tuple[Start, str]] = [
    ("expr", "card is not in hand or pile"),
    ("expr", "rank of turned = J"),
    ("expr", "rank of card is seven"),
    ("expr", "a fits b"),
    ("expr", "(a in hand where a is wild)"),
    ("expr", "sale.bid + 1..sale.limit of seat"),
    ("expr", "2 * count of (group in subsets of (pile + start) where sum pips of group = 15)"),
    ("expr", "symbol of top of pile if called is none otherwise called"),
    ("expr", "every upper in top (place of card) of zone of card is wild"),
    ("expr", "(seat in seats from left of dealer with lowest score of seat then highest count of hand)"),
    ("expr", "(a then b)"),
    ("expr", "zone of card != first of zones"),
    ("pick", "n cards from hand + crib where card is not wild"),
    ("menu", "play where onto = pending and card is in hand or play_wild, otherwise pass"),
    ("steps", "deal 6 cards from pack to each hand then crib in packets of (2 if a otherwise 1), starting dealer"),
    ("steps", "deal up to 5 cards from stock to each hand, starting dealer"),
    ("steps", "deal n cards from stock to each hand,\n  starting dealer   [A-1, BI-JINX-7]"),
    ("steps", 'score 2 to seat for "the last card, and then one"'),
    ("steps", 'announce "a seven == the best"'),
    ("steps", "repeat at most turn_cap times:   [A-1]\n  player chooses turn   # the turn. an end"),
    ("steps", "repeat until every seat is in gone:\n  if a:\n    do b\n\n    # aside\n  otherwise:\n    do c\ndo d"),
    ("steps", "pick turned at random from (card in pack\nwhere place of card is in 2..9)"),
    ("steps", "seats choose lay_away together   [A-5]"),
    ("steps", "do show of crib as dealer"),
    ("steps", "if a and\n    b is c:\n  do d\notherwise if e or\n    f:\n  do g"),
    ("steps", "move card to bottom of pile\nmove all but top 2 of pile to pack"),
]


@pytest.mark.parametrize(("start", "text", "code", "right"), FIRST_LINES + MORE_LINES)
def test_a_near_miss_is_answered_with_the_corrected_line(start: Start, text: str, code: str, right: str) -> None:
    _, found = read(start, text)
    assert len(found) == 1
    assert right in mend(text, found[0])
    told = found[0].candidates[mend(text, found[0]).index(right)].says
    assert told is not None and told.code == code
    assert read(start, right) != (None, [])


@pytest.mark.parametrize(("text", "code", "right"), WHOLE_BLOCKS)
def test_a_fix_applied_to_a_block_makes_it_readable(text: str, code: str, right: str) -> None:
    _, found = read("steps", text)
    assert [d.code for d in found] == [code]
    assert right in mend(text, found[0])
    tree, found = read("steps", right)
    assert tree is not None and found == []


@pytest.mark.parametrize(("text", "question"), UNFINISHED)
def test_an_unfinished_statement_is_answered_with_what_is_missing_and_the_form(text: str, question: str) -> None:
    _, found = read("steps", text)
    assert [(d.code, d.message) for d in found] == [("unfinished", f"after `{text}` say {question}")]
    assert found[0].hints[0].startswith("the form is `")
    assert [read("steps", right)[1] for right in mend(text, found[0])] == [[]]


@pytest.mark.parametrize(("start", "text"), CORRECT)
def test_correct_text_is_left_alone(start: Start, text: str) -> None:
    tree, found = read(start, text)
    assert tree is not None and found == []


ROW_NAMES = Vocabulary(
    relations=frozenset({"fits", "beats"}),
    start="pack",
    zones=("pack", "pile", "table", "discards"),
    seat_zones=("hand", "won"),
    families=frozenset({"base"}),
    states={"player": "seat", "knocker": "seat or none", "called": "suit or none", "passed": "seats",
            "broken": "truth", "turns": "number"},
    seat_states={"bid": "number", "tricks": "number"},
    pots=("purse", "pot"),
    options=("target", "strict"),
    actions=("play", "draw", "pass", "discard"),
    steps=("round", "recycle", "pay_up", "turn_up"),
    plain=("punters",),
    functions=("points", "total"),
    adjectives=("wild", "trump"),
    attributes={
        "rank": {str(n): {1: "A", 10: "T", 11: "J", 12: "Q", 13: "K"}.get(n, str(n)) for n in range(1, 14)},
        "suit": {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"},
    },
    cards=("joker",),
)  # fmt: skip


def test_each_row_of_the_tables_corrects_its_example() -> None:
    wrong: list[tuple[str, list[str]]] = []
    for miss in read_rows(NEAR_MISSES + SILENT + ADVICE):
        assert miss.examples, f"`{miss.wrong}` has no example"
        for example in miss.examples:
            text, _, right = example.partition(" → ")
            advised = miss in read_rows(ADVICE) and right in (miss.advise(text, ROW_NAMES) or "")
            corrected = miss.apply(text, ROW_NAMES)
            wrong += [(example, corrected)] if right not in corrected and not advised else []
    assert wrong == []


def test_what_is_discarded_goes_first_to_the_pile_that_is_called_so() -> None:
    (found,) = (miss for miss in read_rows(NEAR_MISSES) if "discard card → move card to discards" in miss.examples)
    assert found.apply("discard card", ROW_NAMES)[0] == "move card to discards"


def test_a_near_miss_is_found_only_where_a_word_stands_that_it_needs() -> None:
    texts = [text for _, text, _, _ in FIRST_LINES + MORE_LINES]
    assert sum(bool(miss.compiled.needed) for miss in read_rows(NEAR_MISSES)) > 0.8 * len(read_rows(NEAR_MISSES))
    for miss in read_rows(NEAR_MISSES):
        for text in texts:
            if miss.compiled.needed and not any(word in text for word in miss.compiled.needed):
                assert not miss.pattern.search(text), (miss.wrong, text)


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        ("deals? (to|for)", {"deal"}),
        ("{a=of|in} x", {"of", "in"}),
        ("[of|in] {:digits}", set()),
        ("(of|i) {:digits}", set()),
        ("a&(bcd){:word}|efg", {"bcd", "efg"}),
        ("!(not){:word}[abc]", set()),
        ("max[imum] of", {"max"}),
    ],
)
def test_the_words_a_pattern_needs_are_those_of_every_way_it_can_match(pattern: str, needed: set[str]) -> None:
    assert compile_pattern(pattern).needed == needed


def test_all_bad_lines_of_a_block_are_reported_at_once() -> None:
    text = "move the card to pile\nshuffle pack\nif a:\n  set called = named\n  deal 7 cards\ndo recycle if b\n"
    _, found = read("steps", text)
    assert [d.code for d in found] == ["article", "wrong-word", "unfinished", "condition-last"]
    assert [d.primary.span.line for d in found if d.primary] == [1, 4, 5, 6]


def test_the_place_is_the_narrowest_that_is_wrong() -> None:
    for start, text, wrong in [
        ("steps", "move the card to pile", "the"),
        ("steps", "set called = named", "="),
        ("expr", "rank of card == 11", "=="),
        ("steps", "score 2 points to dealer", "points"),
        ("steps", "score 2 to dealer for his heels", "his heels"),
        ("steps", "do recycle if pack is empty", "if pack is empty"),
        ("expr", "x = and y", "and"),
    ]:
        _, found = read(start, text)  # type: ignore[arg-type]
        assert [d.primary.span.text for d in found if d.primary] == [wrong]


def test_a_correction_with_words_the_author_did_not_give_is_not_sure() -> None:
    for text in ("deal 7 cards to each player", "deal 7 cards", "draw a card", "discard card"):
        assert not any(fix.sure for fix in read("steps", text)[1][0].candidates)


def test_a_correction_with_a_colon_is_put_where_yaml_takes_it() -> None:
    text = "do: do recycle if pack is empty"
    report = Report()
    parse("steps", Span(Source("test", text), 4, len(text)), report)
    assert mend(text, report.diagnostics[0])[0] == 'do: "if pack is empty: do recycle"'


def test_an_unknown_verb_is_answered_with_the_verbs_there_are() -> None:
    _, found = read("steps", "wobble the pack twice over")
    assert found[0].message == "no statement begins with `wobble`"
    assert "`shuffle`" in found[0].hints[0]


def test_what_could_come_next_is_said_in_words() -> None:
    _, found = read("expr", "2 +")
    assert (found[0].code, found[0].hints) == ("unfinished", ("here may come: a value",))


def test_a_comment_alone_is_no_rule() -> None:
    for lines in (True, False):
        assert [d.code for d in read("steps", "  # later\n", lines=lines)[1]] == ["empty-text"]


def test_an_otherwise_without_an_if_is_named() -> None:
    _, found = read("steps", "do a\notherwise: do b\n")
    assert [d.message for d in found] == ["this `otherwise` has no `if` above it at the same depth"]


def test_a_citation_in_a_condition_is_sent_to_its_key() -> None:
    _, found = read("expr", "pile is empty [A-11]")
    assert [d.code for d in found] == ["bad-citation"]
    assert "`cite: A-11`" in found[0].hints[0]


def test_messages_begin_small_and_name_no_terminal() -> None:
    for start, text, *_ in FIRST_LINES + MORE_LINES:
        for d in read(start, text)[1]:
            assert not d.message[0].isupper()
            for said in (d.message, *d.hints):
                assert not any(name in said for name in ("LPAR", "RPAR", "_NL", "__ANON", "$END", "COMPARE", "{found}"))


# ------------------------------------------------------------------------------------------------ the shipped files
def rule_texts(path: Path) -> Iterator[tuple[Start, str, bool]]:
    document = yaml.safe_load(path.read_text("utf-8"))

    def clause(value: Any) -> Iterator[tuple[Start, str, bool]]:
        if isinstance(value, str):
            yield "expr", value, False
        elif isinstance(value, dict):
            for key, inner in value.items():
                if key is None or not isinstance(inner, str | dict):
                    continue
                if key == "do" and isinstance(inner, str):
                    yield "steps", inner, "\n" in inner
                elif key == "offer" and isinstance(inner, str):
                    yield "menu", inner, False
                elif key == "for_each":
                    yield "each_row", inner, False
                elif key == "choose":
                    yield from (("pick", pick, False) for pick in inner.values() if isinstance(pick, str))
                elif key not in ("text", "cite", "of", "takes", "type", "default", "label", "call"):
                    yield from clause(inner)

    for section in ("definitions", "scores", "actions", "choices", "whenever", "ends", "winners"):
        yield from clause(document.get(section) or {})
    for step in (document.get("steps") or {}).values():
        if isinstance(step, str):
            yield "steps", step, True
        else:
            yield from clause(step)


RULE_FILES = sorted([*ROOT.glob("games/*/*.game.yaml"), *ROOT.glob("interpreter/hoyle/language/prelude/*.yaml")])


@pytest.mark.share
@pytest.mark.parametrize("path", RULE_FILES, ids=lambda path: path.name)
def test_no_shipped_rule_is_taken_for_a_mistake(path: Path) -> None:
    texts = list(rule_texts(path))
    document = yaml.safe_load(path.read_text("utf-8"))
    assert texts or "extends" in document
    heads = [str(name).split() for name in document.get("definitions") or ()]
    own = {head[1] for head in heads if len(head) == 3 and head[1] not in ("of", "is")}  # `card beats other`
    for start, text, lines in texts:
        report = Report()
        parse(start, Span(Source("t", text), 0, len(text)), report, relations=NAMES.relations | own, lines=lines)
        assert report.diagnostics == [], text


# ------------------------------------------------------------------------------------------------ the codes
@pytest.mark.parametrize("code", [code for code in SYNTAX_CODES if code.wrong], ids=lambda code: code.slug)
def test_each_code_has_an_example_that_triggers_it_and_one_that_does_not(code: Any) -> None:
    for text, expected in ((code.wrong, [code.slug]), (code.right, [])):
        report = Report()
        text += "\n"
        parse("steps", Span(Source("t", text), text.index("|") + 2, len(text)), report, lines=True)
        assert [d.code for d in report.diagnostics] == expected


def test_the_codes_of_the_syntax_are_in_the_table() -> None:
    assert all(CODES[code.slug] is code for code in SYNTAX_CODES)


# ------------------------------------------------------------------------------------------------ hostile text
VOCABULARY = (
    "move the a card cards 2 seven to from of hand pack if is not empty then else otherwise : , ( ) [A-1] [ ] \" ' = "
    "+ .. score points for each player chooses may top some every satisfies where in count deal starting do end . ; #"
)
WORDS = st.sampled_from([*VOCABULARY.split(" "), "\n  ", "hand.count"])


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(["steps", "expr", "pick", "menu", "pattern"]), st.lists(WORDS, max_size=25), st.booleans())
def test_any_text_is_read_or_answered(start: Start, words: list[str], lines: bool) -> None:
    text = " ".join(words)
    tree, found = read(start, text, lines=lines)
    assert tree is not None or found


@pytest.mark.parametrize(
    ("start", "text"),
    [
        ("steps", "if the x is a y then put it on the pile and then put an end to each of it, do it\n" * 200),
        ("steps", "move the card, put a card on pile and " * 12),
        ("steps", "move the card and " * 1000),
        ("expr", "some a is in the b and any c is d where " * 12),
        ("expr", "x " * 9000),
        ("expr", "a.b " * 120),
        ("menu", "play, " * 3000),
        ("steps", '"' * 999),
        ("steps", "[" * 999),
    ],
)
def test_long_and_hopeless_text_is_answered_soon(start: Start, text: str) -> None:
    began = time.process_time()
    _, found = read(start, text)
    assert 0 < len(found) <= 20
    assert all(d.code not in ("too-deep", "too-long") for d in found)
    assert time.process_time() - began < 10


@pytest.mark.parametrize("start", ["steps", "expr", "pick", "menu", "pattern"])
def test_a_line_of_which_nothing_is_left_is_answered(start: Start) -> None:
    _, found = read(start, "the", lines=False)
    assert len(found) == 1
