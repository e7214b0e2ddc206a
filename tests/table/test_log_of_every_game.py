"""The log of every game reads as sentences in order: no gaps, no doubled words, no names of the rule file, nothing told
twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import hoyle
from every_game import begin, each_game, play
from hoyle.play.table import Host
from hoyle.play.table.model import News
from hoyle.play.view.locale import LANGUAGES, is_written_in

MOST = 400  # decisions of a match, so that its rounds end, packs are renewed, and scores are told
# What can happen again at once, in the same words: equal cards, a chosen action, points, a step undone.
HAPPENS_AGAIN = ("chose", "dealt", "moved", "scored", "paid", "gained", "shuffled", "taken_back")

NAMES = ("Ash", "Bay", "Elm", "Fir", "Oak", "Yew", "Box", "Haw", "Ivy", "Sloe", "Rue", "Sage", "Thyme", "Clove")
SPACED = re.compile(" (?=[:;?!])")  # as in French
FAULTS = {
    "a gap": re.compile(r"^\s|\s$|\s\s|\s[,;:.]|[:(]$|\(\)"),
    "a word twice": re.compile(r"\b(an?|the|of|to|from|in|on|at|and|is|are)\s+\1\b", re.IGNORECASE),
    "an article before a name or another word that stands without": re.compile(
        rf"\b(?i:the|an?) (the|an?|your|my|to|of|out of|every|each|you|({'|'.join(NAMES)})'s)\b"  # not the rank A
    ),
    "two prepositions": re.compile(r"\b(to|from|in|on) (to|from|in|on|out of)\b", re.IGNORECASE),
    "a name of the rule file": re.compile(r"[A-Za-z]_[A-Za-z]|\b[a-z]\w*\.[a-z\d]|[{}|]"),
    "a seat by its number": re.compile(r"\b(seat|team) \d", re.IGNORECASE),
    "a value that is none": re.compile(r"\bnone\b|: (true|false|nothing)$"),
}


def find_faults(text: str) -> list[str]:
    return [f"{fault}: {text!r}" for fault, pattern in FAULTS.items() if pattern.search(text)]


def find_repeated(told: list[News]) -> list[str]:
    """Find sentences that are told twice in a row."""
    return [news.text for last, news in pairwise(told) if news.text == last.text and news.kind not in HAPPENS_AGAIN]


def find_doubled(match: hoyle.Match, told: list[News]) -> list[str]:
    """Find choices made together that are told as secret and again when they are done."""
    if any(decision.window for decision in match.game.program.decisions):
        return []  # who is not heard may want the same again
    texts = [news.text for news in told]
    return [text for text in texts if f"{text} (secretly)" in texts]


def tell_each_choice(match: hoyle.Match, host: Host, seed: int) -> Iterator[list[News]]:
    """Yield what a spectator is told of each choice that is made openly."""
    since = 0
    for _ in play(match, seed, MOST, by_name=True):
        new = match.events[since:]
        if new and new[0].name == "chose" and not new[0].data["secret"]:
            yield host.tell(match, None, since)
        since = len(match.events)


@pytest.mark.share
@each_game
def test_what_is_told_of_a_match_are_sentences_in_the_order_of_what_happened(path: Path) -> None:
    match = begin(path, seed=2, checked=False)
    names = NAMES[: match.game.players]
    host = Host(match.game, names=names)
    for told in tell_each_choice(match, host, seed=2):
        assert not told or told[0].kind == "chose", f"told before the choice it follows from: {told[0].text}"
    for seat, reveal in ((0, False), (None, False), (None, True)):
        told = host.tell(match, seat, reveal=reveal)
        assert [fault for news in told for fault in find_faults(news.text)] == []
        assert find_doubled(match, told) == []
        assert find_repeated(told) == []
    for language in LANGUAGES:
        if language != match.game.program.language and is_written_in(match.game.program, language):
            told = Host(match.game, language, names).tell(match, 0)
            assert [fault for news in told for fault in find_faults(SPACED.sub("", news.text))] == []


@pytest.mark.parametrize(
    "text",
    ["You draw ", "Jk goes from Bay's shown to the out of the game", "Ash takes the the hand", "Joker_space: 3",
     "Seat 1 passes", "Called: none", "3 cards go from hand.1", "Bay bids {amount}", "7 cards  go"],
)  # fmt: skip
def test_a_sentence_that_is_none_is_found(text: str) -> None:
    assert find_faults(text)
