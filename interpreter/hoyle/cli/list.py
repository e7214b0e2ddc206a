"""`hoyle list`: the games there are.

In: nothing, or a game. Out: games and variants with their players and options; or the options of one, in sentences.
"""

from __future__ import annotations
