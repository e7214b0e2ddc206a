"""Clause coverage of a rule file, by its examples and by simulated games.

In: a rule file. Out: for every clause how often it held and failed, and which clauses never did.
"""

from hoyle.coverage.clauses import Item, list_items
from hoyle.coverage.counting import Counts
from hoyle.coverage.measure import Measured, measure
from hoyle.coverage.verdict import Line, Verdict, judge

__all__ = ["Counts", "Item", "Line", "Measured", "Verdict", "judge", "list_items", "measure"]
