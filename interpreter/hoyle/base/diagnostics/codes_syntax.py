"""Codes of the syntax of rules: lines that do not parse, or would parse with an unintended meaning.

In: nothing. Out: `SYNTAX_CODES`, merged into `CODES`. The examples are parts of game files; a test runs them.
"""

from __future__ import annotations

from hoyle.base.diagnostics.code import Code, declare


def _step(*lines: str) -> str:
    """A step with these lines, as part of a game file."""
    return "steps:\n  round: |\n" + "".join(f"    {line}\n" for line in lines)


SYNTAX_CODES: tuple[Code, ...] = (
    declare("syntax", """The line cannot be read from this place on. The message says what could stand there; the form
        of the statement is shown where its verb is known.""",
        wrong=_step("borrow 2 from dealer"), right=_step("score 2 to dealer")),
    declare("unfinished", """The line ends before everything is said, or leaves out a part. The message names what is
        missing and shows a whole line.""",
        wrong=_step("deal 7 cards to each hand, starting left of dealer"),
        right=_step("deal 7 cards from pack to each hand, starting left of dealer")),
    declare("article", """Rules are written without `the`, `a`, `an`, `his` and `its`: every name stands for one thing,
        and what belongs to the acting seat is named alone. The fix takes the word out.""",
        wrong=_step("move the card to pile"), right=_step("move card to pile")),
    declare("wrong-word", """The thing can be said, but with another word or in another order: `otherwise` for `else`,
        `=` for `==`, `some` for `any`, `set … to` for `set … =`, `move` for `draw`. There is one way to say each thing,
        so that rules read alike in every file. The fix says it that way.""",
        wrong=_step("set called = named"), right=_step("set called to named")),
    declare("spelled-number", """Numbers are written in figures. A number in letters would be taken for a name.""",
        wrong=_step("deal seven cards from pack to each hand, starting left of dealer"),
        right=_step("deal 7 cards from pack to each hand, starting left of dealer")),
    declare("filler", """The line holds a word or sign that says nothing more, such as `points` after a score, `card`
        after `top`, or a full stop. The fix takes it out.""",
        wrong=_step("score 2 points to dealer"), right=_step("score 2 to dealer")),
    declare("condition-last", """A condition comes first, with a colon after it, and then what is done. The same holds
        for how often or until when something is done.""",
        wrong=_step("do recycle if pack is empty"), right=_step("if pack is empty: do recycle")),
    declare("call-notation", """Words are applied with `of`, and with nothing else: `count of hand`, not `count(hand)`,
        `hand.count` or `hand's count`.""",
        wrong=_step("set left_over to count(hand)"), right=_step("set left_over to count of hand")),
    declare("bad-citation", """A citation names the rules a statement comes from: `[RULE-7]` or `[RULE-7, RULE-8]`. It
        ends its line, or stands after the colon that opens a block. Conditions and values have a `cite:` beside
        them.""",
        wrong=_step("[RULE-7] shuffle pack"), right=_step("shuffle pack   [RULE-7]")),
    declare("missing-quotes", """A text, such as the label of a score, stands in straight double quotes.""",
        wrong=_step("score 2 to dealer for his heels"), right=_step('score 2 to dealer for "his heels"')),
    declare("missing-parentheses", """Parentheses are needed here, so that the line has one meaning: after `satisfies`,
        around a choice among cards, around a number after `top` that is not in figures.""",
        wrong=_step("if some seat satisfies score of seat > 9: end round"),
        right=_step("if some seat satisfies (score of seat > 9): end round")),
    declare("empty-text", """A rule is expected here and there is none, or only a comment.""",
        wrong=_step(""), right=_step("shuffle pack")),
    declare("too-long", """One rule has more characters than are read. Divide it into definitions or steps with names of
        their own."""),
    declare("wrong-indent", """Lines that belong together stand at the same depth. What belongs to a line that ends in a
        colon stands below it, deeper; a deeper line below any other line goes on with that line.""",
        wrong=_step("move card to pile", "  clear called"), right=_step("move card to pile", "clear called")),
)
