"""Alternative wordings of a rule that parses but is semantically wrong.

In: the rule texts of a file, and the place of a diagnostic in one of them. Out: reworded lines as fixes.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.base.diagnostics.report import Fix
from hoyle.base.source import Span
from hoyle.language.syntax.grammar import Start
from hoyle.language.syntax.repair.mending import Reading, mend, place_all
from hoyle.language.syntax.repair.near_misses import can_be_matched, lines_of
from hoyle.language.syntax.vocabulary import Vocabulary

MOST_STEPS = 2


def reword(texts: Sequence[tuple[Start, Span, bool]], vocabulary: Vocabulary, place: Span) -> list[Fix]:
    """Corrections of the line at a place, by the tables of near misses."""
    for start, span, lines in texts:
        if span.source is not place.source or not span.start <= place.start <= span.end:
            continue
        reading = Reading(start, span, vocabulary.relations, start == "steps" and lines, vocabulary)
        for line in lines_of(reading):
            if line.start <= place.start <= line.start + len(line.core) and can_be_matched(line.core):
                mended = mend(reading, line.core, most=MOST_STEPS)
                return place_all(reading, line, mended)
    return []
