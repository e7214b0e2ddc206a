"""Codes of test files: errors in a `*.test.yaml` file, and failed expectations.

In: nothing. Out: `TESTING_CODES`, merged into `CODES`. The examples are parts of one example of such a file.
"""

from __future__ import annotations

from hoyle.base.diagnostics.code import Code, declare

_WRITING = (
    declare("unknown-game", """`tests:` names a game that is neither in the folder of the file nor shipped. It is the
        name that stands behind `game:` in the rule file, which is also the name of that file.""",
        wrong="tests: my-gmae", right="tests: my-game"),
    declare("unknown-card", """A card is named that the deck does not have. A card is written by its code, as the
        game prints it: the short forms of its attributes one after the other, or the short name of a special card.""",
        wrong="given: {pile: 7C}", right="given: {pile: C7}"),
    declare("too-many-copies", """A position names a card more often than the deck holds it. Every card lies in exactly
        one zone, so a card that is in one place cannot be in another.""",
        wrong="given: {pile: C7, hand of 1: C7}", right="given: {pile: C7, hand of 1: C8}"),
    declare("cards-left-over", """Some cards would have no place: they are neither named nor in a zone that keeps what
        it has, and the zone where such cards go was said to be empty. `rest: ZONE` names a zone for them.""",
        wrong="given: {pack: empty}", right="given: {pack: empty, rest: hand of 0}"),
    declare("unknown-place", """A position speaks of something the game has neither as a zone nor as a state. What
        belongs to a seat is written with its number: `hand of 1`.""",
        wrong="given: {hnad of 1: C7}", right="given: {hand of 1: C7}"),
    declare("unknown-seat", """A seat is named that nobody sits at, or none where one is needed. Seats are numbered
        clockwise from 0, so three players sit at 0, 1 and 2.""",
        wrong="given: {hand of 3: C7}   # with 3 players", right="given: {hand of 2: C7}"),
    declare("bad-test-value", """A value is not one that this can have: a state keeps the type and range it was
        declared with, scores are one number for each seat. The message says what is wanted.""",
        wrong="given: {player: the dealer}", right="given: {player: 0}"),
    declare("bad-choice", """A choice is written as the number of the seat and the action it chooses. The number is the
        seat that must be the one to decide then.""",
        wrong="do: [draw]", right="do: [1 draw]"),
    declare("bad-action", """The text is not how an action of the game is written: its name, then what is picked, one
        word for each. `any` stands for every value that could be picked there.""",
        wrong="legal: [play]", right="legal: [play C7]"),
    declare("unknown-clause", """A refusal is expected from a clause the game does not have. Clauses are named by their
        path in the rule file, or by the beginning or the end of it. The refusals of a failed example show paths.""",
        wrong="illegal: {draw: actions.draw.allowd}", right="illegal: {draw: actions.draw.allowed}"),
    declare("bad-order", """An order of cards is a list of cards, the first one dealt first, or `perm(a, b)`, which puts
        card (a * j + b) mod N of the deck at place j. With an `a` that has a divisor in common with N, cards would
        come twice.""",
        wrong="given: {deck: 'perm(2, 5)'}   # 52 cards", right="given: {deck: 'perm(17, 5)'}"),
    declare("bad-until", """A play-out goes on until `round over`, until `match over`, for a number of `choices`, or
        until a step of the game begins, which is named.""",
        wrong="until: the end", right="until: match over"),
)

_HOLDING = (
    declare("not-as-expected", """What the example expects is not what happened. The two are shown side by side, and
        below them the position in which they differ. Either the rules or the example are wrong."""),
    declare("choice-refused", """A choice the example makes is not legal there. The clause that forbids it is shown with
        the values that decided."""),
    declare("wrong-seat", """A choice is made for a seat that is not the one to decide. Put the choices in the order in
        which the seats have their turns, or set the position so that it is this seat's turn."""),
    declare("step-not-reached", """The match came to its end, or went on for very long, without the step the example
        waits for. Perhaps it begins only under an option or with other players."""),
    declare("policy-stuck", """No action the policy names is legal here, or it goes on without an end in sight. Add a
        tier with what remains to be done then: `otherwise pass`."""),
    declare("too-much-to-test", """All examples of a file together may take so many steps: whatever is worked out or
        played in them counts. Those that were not run are named. Divide the file, or look for an example that plays
        on for long, or for a rule that goes through very many values."""),
    declare("game-fault", """A rule of the game could not be carried out while the example ran. The message names the
        rule and its place."""),
)

TESTING_CODES: tuple[Code, ...] = (*_WRITING, *_HOLDING)
