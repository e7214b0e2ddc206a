"""Clause coverage of a rule file, by its examples and by simulated games.

In: a rule file. Out: for every clause how often it held and failed, and which clauses never did.
"""

from hoyle.authoring.coverage.clauses import Item, list_items
from hoyle.authoring.coverage.instrumented import Counts
from hoyle.authoring.coverage.measure import Measured, measure
from hoyle.authoring.coverage.verdict import Line, Verdict, judge

__all__ = ["Counts", "Item", "Line", "Measured", "Verdict", "judge", "list_items", "measure"]
