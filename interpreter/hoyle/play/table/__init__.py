"""The table: a match as one seat sees it, as plain data that the terminal, browser, replay and tests render.

In: a match and a seat. Out: `Table`, `News`, `Menu`, `Legend`, `Reason`.
"""

from hoyle.play.table.host import Host
from hoyle.play.table.menu import Picking, complete_way, find_group, find_way, narrow
from hoyle.play.table.model import Legend, Menu, News, Reason, Table

__all__ = [
    "Host", "Legend", "Menu", "News", "Picking", "Reason", "Table", "complete_way", "find_group",
    "find_way", "narrow",
]
