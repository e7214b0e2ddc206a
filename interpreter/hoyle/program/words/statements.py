"""The statements of the language: each one record, which whatever speaks of statements reads.

In: nothing. Out: `STATEMENTS`, by first verb; the source of the parser's hints, of examples that finish an unfinished
line, of the reference page and of `hoyle words`.
"""

from __future__ import annotations

import re

from hoyle.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a statement: the question it answers, and an example."""

    question: str
    text: str

    @property
    def key(self) -> str:
        return re.match(r",|\S+", self.text).group()  # type: ignore[union-attr]  # no piece is empty

    @property
    def terminal(self) -> str:
        return {",": "COMMA", ":": "COLON"}.get(self.key, self.key.upper())


@dataclass(frozen=True, slots=True)
class Form:
    """A statement: its shape, with placeholders in capitals, what it means, and the pieces of an example, of which the
    first is its verb."""

    shape: str
    meaning: str
    pieces: tuple[Piece, ...] = ()


def _form(shape: str, meaning: str, *pieces: tuple[str, str]) -> Form:
    return Form(shape, meaning, tuple(Piece(question, text) for question, text in pieces))


STATEMENTS: dict[str, Form] = {
    "gather": _form(
        "gather ZONE",
        "every card of the deck goes there, in the deck's order",
        ("where the cards are gathered", "gather pack"),
    ),
    "shuffle": _form(
        "shuffle ZONE",
        "its cards come into an order that chance says",
        ("what is shuffled", "shuffle pack"),
    ),
    "cut": _form(
        "cut ZONE",
        "some cards from the bottom go on top; chance says how many, and nobody is asked",
        ("what is cut", "cut pack"),
    ),
    "deal": _form(
        "deal N cards from ZONE to each ZONE, starting SEAT",
        "in turn, one to each if no packets are said, over and over; `hand then crib`: each time round the "
        "hands first, then the crib",
        ("how many", "deal 7"), ("of what", "cards"), ("from where", "from pack"), ("to whom", "to each hand"),
        ("who gets the first card", ", starting left of dealer"),
    ),
    "move": _form(
        "move CARDS to ZONE",
        "they come to lie on top, in their order; no cards, and nothing happens",
        ("what is moved", "move card"), ("where to", "to pile"),
    ),
    "pass": _form(
        "pass each ZONE to SEAT of its owner",
        "all cards of each seat's zone go to the zone of another seat, all at once",
        ("what is passed", "pass"), ("whose", "each hand"), ("to whom", "to left of its owner"),
    ),
    "turn": _form(
        "turn over ZONE",
        "as a block: what was at the bottom is on top",
        ("what is done with it", "turn"), ("what is turned over", "over pack"),
    ),
    "swap": _form(
        "swap ZONE with ZONE",
        "all cards of one for all cards of the other",
        ("what is swapped", "swap hand"), ("with what", "with crib"),
    ),
    "show": _form(
        "show CARDS to SEATS",
        "these see the cards; nothing moves",
        ("what is shown", "show hand"), ("to whom", "to seats"),
    ),
    "set": _form(
        "set NAME to VALUE",
        "a state is that from now on",
        ("what is set", "set player"), ("to what", "to left of player"),
    ),
    "clear": _form(
        "clear NAME",
        "a state is again what it was at first",
        ("what is cleared", "clear called"),
    ),
    "add": _form(
        "add VALUE to LIST",
        "among seats each stands once, in seat order",
        ("what is added", "add seat"), ("to what", "to passed"),
    ),
    "remove": _form(
        "remove VALUE from LIST",
        "it no longer stands there",
        ("what is removed", "remove seat"), ("from what", "from passed"),
    ),
    "let": _form(
        "let NAME be VALUE",
        "a name for a value as it is now, to the end of the block",
        ("what the name is", "let kept"), ("what it stands for", "be top of pile"),
    ),
    "pick": _form(
        "pick NAME at random from LIST",
        "chance names one of them, each as likely as the others",
        ("what it is called", "pick lifted"), ("how", "at random"), ("from where", "from pack"),
    ),
    "score": _form(
        'score NUMBER to SEAT for "LABEL"',
        "an entry on the score sheet",
        ("how much", "score 2"), ("to whom", "to dealer"),
    ),
    "mark": _form(
        "mark SEAT as MARK",
        "a mark on the seat's line of the score sheet in this round",
        ("who is marked", "mark seat"), ("as what", "as late"),
    ),
    "pay": _form(
        "pay NUMBER from POT to POT",
        "chips go from one to the other",
        ("how much", "pay 2"), ("from where", "from purse"), ("where to", "to purse of dealer"),
    ),
    "retire": _form(
        "retire SEAT",
        "it leaves the match: it is none of `seats` any more, and `left of` passes it by",
        ("who leaves the game", "retire seat"),
    ),
    "offer": _form(
        "offer ACTION to any seat from SEAT",
        "all are asked at once and may decline; of those who do not, the first in this order acts; `until all"
        " decline`: then all are asked again, the order reckoned anew",
        ("what is offered", "offer claim"), ("to whom", "to any seat"), ("who comes first", "from left of player"),
    ),
    "take": _form(
        "take back STEP",
        "cards, states and scores are again what they were when the step began; without a step, before the error that "
        "was called",
        ("what is done", "take"), ("that it is undone", "back"),
    ),
    "do": _form(
        "do STEP",
        "the step happens here, or what an action does, without asking",
        ("which step", "do round"),
    ),
    "end": _form(
        "end STEP",
        "the step that has led here is left at once",
        ("what ends", "end round"),
    ),
    "announce": _form(
        'announce "TEXT"',
        "it is said, no more",
        ("what is announced", 'announce "last card"'),
    ),
    "nothing": _form(
        "nothing",
        "nothing happens",
        ("that nothing is done", "nothing"),
    ),
    "if": _form(
        "if CONDITION: STATEMENT",
        "it is done if the condition holds now",
        ("what must hold", "if pack is empty"), ("what is done", ": do recycle"),
    ),
    "for": _form(
        "for each NAME in LIST: STATEMENT",
        "once for each of the list as it was at the beginning",
        ("for what", "for"), ("for each what", "each seat"), ("what is done", ": do counting"),
    ),
    "repeat": _form(
        "repeat N times: STATEMENT",
        "so often, or until the step is left; `until` is looked at before each time; `at most none` is "
        "without limit",
        ("how often or until when", "repeat until pack is empty"), ("what is done", ": do turn"),
    ),
    "otherwise": _form(
        "otherwise: STATEMENT",
        "it is done if nothing before it was",
        ("what is done", "otherwise"), ("what is done", ": do recycle"),
    ),
    "chooses": _form(
        "SEAT chooses ACTION or ACTION",
        "one of them must be taken",
        ("what the seat chooses from", "chooses play or draw"),
    ),
    "may": _form(
        "SEAT may choose ACTION",
        "or decline",
        ("that it may choose", "may"), ("what the seat may choose", "choose draw"),
    ),
    "choose": _form(
        "SEATS choose ACTION together",
        "as if all at once: nobody knows what others have chosen until all have been asked; then what they "
        "chose is done in this order",
        ("what they choose", "choose discard"), ("that they choose at once", "together"),
    ),
}
