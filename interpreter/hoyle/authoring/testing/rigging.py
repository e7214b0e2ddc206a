"""Scripted chance: fixed outcomes of shuffles and other random events.

In: `deck` and `chance` of a position. Out: a script of outcomes, in the form of `hoyle.play.engine.outcomes`.
"""

from __future__ import annotations

import re
from collections import Counter
from math import gcd
from typing import Any

from hoyle.authoring.testing.scenes import Scene
from hoyle.authoring.testing.vocabulary import Vocabulary, Word, split_words
from hoyle.language.document.nodes import Mapping, Node, Scalar, Sequence
from hoyle.play.engine.faults import Fault
from hoyle.play.engine.game import Match
from hoyle.play.engine.outcomes import NATURAL

NOT_CUT = 0
_PERM = re.compile(r"perm\(\s*(\d{1,6})\s*,\s*(\d{1,6})\s*\)")


def rig_chance(scene: Scene, given: Mapping) -> list[Any] | None:
    """Build the script that a position gives; None without one, or after reporting an error."""
    deck, chance = given.get("deck"), given.get("chance")
    if deck is None and chance is None:
        return None
    script: list[Any] = []
    if deck is not None:
        order = read_order(scene.words, deck)
        if order is None:
            return None
        script.append(order)
        if is_cut_next(scene.match, order):
            script.append(NOT_CUT)
    used: Counter[str] = Counter()
    for node in chance if isinstance(chance, Sequence) else ():
        outcome = read_outcome(scene.words, node, used)
        if outcome is None:
            return None
        script.append(outcome)
    return script


def read_order(words: Vocabulary, node: Node) -> list[int] | None:
    """Read an order of the deck, top card first, and return it bottom to top, as a shuffle does."""
    size = len(words.program.cards)
    found = _PERM.fullmatch(node.text.strip()) if isinstance(node, Scalar) else None
    if found:
        a, b = int(found.group(1)), int(found.group(2))
        if gcd(a, size) != 1:
            words.report.error(
                "bad-order",
                f"`{found.group()}` does not reach every card of a deck of {size}",
                node.span,
                hint=f"{a} and {size} have a divisor in common; take another first number",
            )
            return None
        return [(a * place + b) % size for place in reversed(range(size))]
    codes = words.read_codes(node)
    if codes is None:
        return None
    cards = take_copies(words, codes)
    return None if cards is None else cards[::-1]


def take_copies(words: Vocabulary, codes: list[Word]) -> list[int] | None:
    """Assign a card to each code, copies in deck order."""
    used: Counter[str] = Counter()
    cards = []
    for word in codes:
        copies = words.copies[word.text]
        if used[word.text] == len(copies):
            words.report.error(
                "too-many-copies",
                f"`{word.text}` is named more often than the {len(copies)} in the deck" if len(copies) > 1
                else f"`{word.text}` is named twice, but the deck has only one",
                word.span,
            )  # fmt: skip
            return None
        cards.append(copies[used[word.text]])
        used[word.text] += 1
    return cards


def read_outcome(words: Vocabulary, node: Node, used: Counter[str]) -> Any:
    """Read one outcome of chance; None after reporting an error. Repeated codes take the copies of a card in turn."""
    text = " ".join(node.text.split()) if isinstance(node, Scalar) else ""
    cut = re.fullmatch(r"cut (\d{1,4})", text)
    if text in (NATURAL, "no cut") or cut:
        return NATURAL if text == NATURAL else int(cut.group(1)) if cut else NOT_CUT
    seat = re.fullmatch(r"seat (\d{1,3})", text)
    if seat:
        return words.read_seat(Word(seat.group(1), node.span))
    seat = re.fullmatch(r"seat (\d{1,3})", text)
    if seat:
        return words.read_seat(Word(seat.group(1), node.span))
    if text in words.copies:
        copies = words.copies[text]
        used[text] += 1
        return copies[(used[text] - 1) % len(copies)]
    if re.fullmatch(r"-?\d{1,9}", text):
        return int(text)
    for enum in words.program.enums:
        if text in enum.values:
            return enum.values.index(text)
    for scale in words.program.scales:
        for number, name in scale.names.items():
            if text == name:
                return int(number)
    listed = [word.text for word in split_words(node)]
    if len(listed) > 1 and not any(word in words.copies for word in listed) and all(map(str.isdecimal, listed)):
        return [int(word) for word in listed]  # the order of a shuffled list of seats or numbers
    if _PERM.fullmatch(text) or len(listed) > 1:
        return read_order(words, node)
    words.read_codes(node)  # anything else can only be a card; this reports that it does not exist
    return None


def is_cut_next(match: Match, order: list[int]) -> bool:
    """Whether the random event that follows the next shuffle, before any decision, is a cut."""
    trial = match.copy()
    trial.position.script = [order]
    told = len(trial.events)
    try:
        trial.run()
    except Fault:
        return False  # the fault recurs and is reported when the example itself runs
    asked = [event.name for event in trial.events[told:] if event.name in ("shuffled", "cut", "drawn_at_random")]
    return asked[:2] == ["shuffled", "cut"]
