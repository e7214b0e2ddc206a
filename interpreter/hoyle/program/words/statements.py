"""The statements of the language: syntax and meaning.

In: nothing. Out: `STATEMENTS`, by first verb; the source of texts for the parser's hints, the reference page and `hoyle
words`.
"""

from __future__ import annotations

from hoyle.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """A statement; placeholders are in capitals."""

    shape: str
    meaning: str


STATEMENTS: dict[str, Form] = {
    "gather": Form("gather ZONE", "every card of the deck goes there, in the deck's order"),
    "shuffle": Form("shuffle ZONE", "its cards come into an order that chance says"),
    "cut": Form("cut ZONE", "some cards from the bottom go on top; chance says how many, and nobody is asked"),
    "deal": Form(
        "deal N cards from ZONE to each ZONE, starting SEAT",
        "in turn, one to each if no packets are said, over and over; `hand then crib`: each time round "
        "the hands first, then the crib",
    ),
    "move": Form("move CARDS to ZONE", "they come to lie on top, in their order; no cards, and nothing happens"),
    "turn": Form("turn over ZONE", "as a block: what was at the bottom is on top"),
    "swap": Form("swap ZONE with ZONE", "all cards of one for all cards of the other"),
    "show": Form("show CARDS to SEATS", "these see the cards; nothing moves"),
    "set": Form("set NAME to VALUE", "a state is that from now on"),
    "clear": Form("clear NAME", "a state is again what it was at first"),
    "add": Form("add VALUE to LIST", "among seats each stands once, in seat order"),
    "remove": Form("remove VALUE from LIST", "it no longer stands there"),
    "let": Form("let NAME be VALUE", "a name for a value as it is now, to the end of the block"),
    "pick": Form("pick NAME at random from LIST", "chance names one of them, each as likely as the others"),
    "score": Form('score NUMBER to SEAT for "LABEL"', "an entry on the score sheet"),
    "mark": Form("mark SEAT as MARK", "a mark on the seat's line of the score sheet in this round"),
    "pay": Form("pay NUMBER from POT to POT", "chips go from one to the other"),
    "retire": Form("retire SEAT", "it leaves the match: it is none of `seats` any more, and `left of` passes it by"),
    "offer": Form(
        "offer ACTION to any seat from SEAT",
        "all are asked at once and may decline; of those who do not, the first in this order acts; `until all "
        "decline`: then all are asked again, the order reckoned anew",
    ),
    "take": Form(
        "take back",
        "cards, states and scores are again what they were before the error that was called, whatever came after it",
    ),
    "do": Form("do STEP", "the step happens here, or what an action does, without asking"),
    "end": Form("end STEP", "the step that has led here is left at once"),
    "announce": Form('announce "TEXT"', "it is said, no more"),
    "nothing": Form("nothing", "nothing happens"),
    "if": Form("if CONDITION: STATEMENT", "it is done if the condition holds now"),
    "for": Form("for each NAME in LIST: STATEMENT", "once for each of the list as it was at the beginning"),
    "repeat": Form(
        "repeat N times: STATEMENT",
        "so often, or until the step is left; `until` is looked at before each time; `at most none` is without limit",
    ),
    "otherwise": Form("otherwise: STATEMENT", "it is done if nothing before it was"),
    "chooses": Form("SEAT chooses ACTION or ACTION", "one of them must be taken"),
    "may": Form("SEAT may choose ACTION", "or decline"),
    "choose": Form(
        "SEATS choose ACTION together",
        "as if all at once: nobody knows what others have chosen until all have been asked; then what they chose is "
        "done in this order",
    ),
}
