"""Families of piles in examples: `surplus of 0: [8 B, 5]`, one item for each pile in use.

In: the nodes of an example and a place that is a family. Out: the cards of each pile; the piles as text.
"""

from __future__ import annotations

from hoyle.authoring.testing.vocabulary import EMPTY, Place, Vocabulary, Word, split_words
from hoyle.language.document.nodes import Node, Scalar, Sequence

BETWEEN = " | "


def split_piles(node: Node) -> list[Node]:
    """List the nodes of the piles; empty for `empty`."""
    if isinstance(node, Sequence):
        return list(node.items)
    return [] if isinstance(node, Scalar) and node.text.strip() == EMPTY else [node]


def read_piles(words: Vocabulary, place: Place, node: Node) -> dict[int, list[Word]] | None:
    """Read the cards of every pile of the family: the items fill the first piles, the others are empty."""
    piles = split_piles(node)
    if len(piles) > place.many:
        words.report.error(
            "bad-test-value", f"{len(piles)} piles, but there can be only {place.many}", node.span,
            hint="one item for each pile",
        )  # fmt: skip
        return None
    codes = [words.read_codes(pile) for pile in piles]
    named = [code for code in codes if code is not None]
    if len(named) < len(codes):
        return None
    return {place.index + number: named[number] if number < len(named) else [] for number in range(place.many)}


def say_piles(piles: list[str]) -> str:
    """Join piles to one text."""
    return BETWEEN.join(piles) or EMPTY


def say_written(node: Node) -> str:
    """Format the piles of a node as `say_piles` does."""
    return say_piles([" ".join(word.text for word in split_words(pile)) for pile in split_piles(node)])
