"""Bots: automatic players. They get a decision and the standpoint of their seat, and no hidden information.

In: a decision, and a function that computes the standpoint of the seat. Out: the index of the action chosen, or the
action itself, with its number if it takes one.
"""

from hoyle.lab.bots import greedy, levels, search, simple
from hoyle.lab.bots.advising import Advice, advise, choose_level
from hoyle.lab.bots.asking import BotFailed, let_choose
from hoyle.lab.bots.registry import (
    BOTS,
    Bot,
    BotError,
    BotKind,
    bot,
    drop_think,
    find_blind,
    find_bot,
    list_kinds,
    list_outside,
    make_bot,
    make_bots,
    tell_think,
)

__all__ = [
    "BOTS", "Advice", "Bot", "BotError", "BotFailed", "BotKind", "advise", "bot", "choose_level", "drop_think",
    "find_blind", "find_bot", "greedy", "let_choose", "levels", "list_kinds", "list_outside", "make_bot", "make_bots",
    "search", "simple", "tell_think",
]  # fmt: skip
