"""Players that choose by themselves, from a decision and from what their seat may see; nothing else reaches them.

In: a decision and a way to look, which gives the standpoint of the seat. Out: the place of the action chosen, or the
action with its number.
"""

from hoyle.bots import simple
from hoyle.bots.asking import let_choose
from hoyle.bots.registry import BOTS, Bot, BotKind, bot, make_bots

__all__ = ["BOTS", "Bot", "BotKind", "bot", "let_choose", "make_bots", "simple"]
