"""What a bot would do: the best there is, asked about a copy of the match.

In: a match. Out: the way it would take, and the name of the bot.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hoyle.bots import BOTS, BotKind

if TYPE_CHECKING:
    from hoyle.engine.actions import Action
    from hoyle.engine.game import Match


def find_adviser() -> BotKind:
    """The bot to ask: one that thinks, if there is one; the last declared knows most."""
    thinking = [kind for kind in BOTS.values() if kind.blind is None]
    return thinking[-1] if thinking else next(iter(BOTS.values()))


def ask_bot(match: Match, seed: int) -> tuple[Action, BotKind]:
    """What the adviser would do in the place of the seat that is to choose. It is given what the seat can see."""
    decision = match.decision
    assert decision is not None
    kind = find_adviser()
    chosen = kind.make(seed).choose(decision, partial(match.standpoint, decision.seat))
    return (decision.actions[chosen] if isinstance(chosen, int) else chosen), kind
