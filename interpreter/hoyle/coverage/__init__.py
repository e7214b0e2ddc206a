"""Which rules are ever reached: by the examples beside a game, and by games that bots play.

In: a rule file. Out: for every clause how often it held and failed, and which never did.
"""

from hoyle.coverage.clauses import Item, list_items
from hoyle.coverage.counting import Counts
from hoyle.coverage.measure import Measured, measure
from hoyle.coverage.verdict import Line, Verdict, judge

__all__ = ["Counts", "Item", "Line", "Measured", "Verdict", "judge", "list_items", "measure"]
