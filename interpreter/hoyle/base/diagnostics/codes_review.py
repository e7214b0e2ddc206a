"""Codes of the review: rules that can be played but are probably mistakes.

In: nothing. Out: `REVIEW_CODES`, merged into `CODES`.
"""

from __future__ import annotations

from hoyle.base.diagnostics.code import Code, declare

REVIEW_CODES: tuple[Code, ...] = (
    declare("never-holds", """A condition compares numbers so that it can never hold: a count below 0, an attribute or
        an option beyond its range. What it guards never happens. Where it is meant, a comment on its line says why:
        `# never holds: no card is so high`. What only play can tell, `hoyle coverage` tells.""",
        wrong="possible: count of hand < 0", right="possible: count of hand < 2", severity="warning"),
    declare("never-fails", """A condition compares numbers so that it always holds: it says nothing. Leave it out, or
        compare with something that can differ. Where it is meant, a comment on its line says why:
        `# never fails: for its sentence`. What only play can tell, `hoyle coverage` tells.""",
        wrong="possible: count of hand >= 0", right="possible: count of hand >= 1", severity="warning"),
    declare("end-unreachable", """The condition of an end can never hold, so that the end never comes, and its step
        goes on until something else ends it.""",
        wrong="play_on: count of hand < 0", right="play_on: some hand is empty", severity="warning"),
    declare("overlapping-cases", """Of cases the first that holds is taken. Whenever this one holds, an earlier one
        does, so that it is never taken. Put the narrower case first.""",
        wrong="high: {when: rank of card > 3, value: 1}\ntop: {when: rank of card > 9, value: 2}",
        right="top: {when: rank of card > 9, value: 2}\nhigh: {when: rank of card > 3, value: 1}", severity="warning"),
    declare("unlabelled-score", """A score without a label: the sheet, `why score` and the players cannot tell what it
        was for. The rows of a score table bear their names.""",
        wrong="score 1 to player", right='score 1 to player for "last trick"', severity="warning"),
    declare("braces-in-text", """Values in braces are worked out where something is announced. Every other text, the
        label of a score too, stays as it is written, so that players would read the braces.""",
        wrong='score 2 to player for "{trump} led"', right='announce "{trump} is led"', severity="warning"),
)
