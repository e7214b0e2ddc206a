"""What was taken back at a table: to be done again, and for the bots to choose alike.

In: choices that are taken back, and those before them. Out: what a bot chose after the same choices, so that taking
back tells nobody what it would do otherwise; and the choices to redo.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from hoyle.front.web.store import Choice

MOST_KEPT = 500  # choices of bots


class Undone:
    def __init__(self) -> None:
        self._answers: OrderedDict[bytes, str] = OrderedDict()
        self._later: list[Choice] = []
        self._at = 0  # the number of choices before those to redo

    def take_back(self, choices: Sequence[Choice], number: int) -> None:
        """Remember the choices from `number` on."""
        for place in range(number, len(choices)):
            if not choices[place].asked:
                self._answers[_digest(choices[:place])] = choices[place].text
        while len(self._answers) > MOST_KEPT:
            self._answers.popitem(last=False)
        self._later = [*choices[number:], *(self._later if self._at == len(choices) else ())]
        self._at = number

    def find_answer(self, choices: Sequence[Choice]) -> str | None:
        """What a bot chose after these choices, before they were taken back."""
        return self._answers.get(_digest(choices)) if self._answers else None

    def can_redo(self, made: int) -> bool:
        return bool(self._later) and made == self._at

    def take_redo(self, made: int, seat: int) -> list[Choice]:
        """The choices to do again after `made` ones: the first, and what followed it up to the seat's next."""
        if not self.can_redo(made):
            return []
        size = next((at for at, each in enumerate(self._later) if at and each.asked and each.seat == seat), None)
        taken = self._later[:size]
        self._later, self._at = self._later[len(taken) :], made + len(taken)
        return taken


def _digest(choices: Iterable[Choice]) -> bytes:
    return hashlib.sha256("\n".join(choice.text for choice in choices).encode()).digest()
