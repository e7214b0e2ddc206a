"""Explanations at a position: why an action is allowed or not, how a score came about, what is being decided.

In: a match. Out: answers as plain values; each clause with its location, citations and the deciding values.
"""

from hoyle.authoring.why.reasons_for_actions import Answer, explain_action
from hoyle.authoring.why.render import (
    align,
    make_row,
    render_answer,
    render_moment,
    render_needs,
    render_scores,
    render_trace,
    say_place,
)
from hoyle.authoring.why.scores import ScoreEntry, explain_scores
from hoyle.authoring.why.situation import Moment, explain_moment

__all__ = [
    "Answer", "Moment", "ScoreEntry", "align", "explain_action", "explain_moment", "explain_scores", "make_row",
    "render_answer", "render_moment", "render_needs", "render_scores", "render_trace", "say_place",
]  # fmt: skip
