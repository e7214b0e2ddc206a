"""Counterfactual legality: choices that were made, tested in hypothetical positions.

In: the executor of a program, positions at a decision, a choice. Out: whether the choice would be legal there. Copies
of a card are equivalent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.play.engine.faults import Fault
from hoyle.play.engine.legality import Choice, is_permitted
from hoyle.play.view.names import holds_cards
from hoyle.program.ir.types import certain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoyle.play.engine.executor import ReferenceExecutor
    from hoyle.program.model.position import Position


class Retrying:
    """Tests choices of one program for legality."""

    def __init__(self, executor: ReferenceExecutor) -> None:
        self.executor = executor
        program = executor.program
        self._faces = [card.face for card in program.cards]
        self._has_copies = len(set(self._faces)) < len(self._faces)
        self._picks = [[holds_cards(pick.type) for pick in action.picks] for action in program.actions]

    def is_plain(self, position: Position) -> bool:
        """Whether the decision of a position is made in turn and openly, and picks no groups of cards: hypothetical
        hands may offer more groups than can be listed."""
        decide, program = self.executor.find_decide(position), self.executor.program
        if decide is None or decide.store is not None:
            return False
        declared = program.decisions[decide.decision]
        actions = {item.action for tier in declared.tiers for item in tier.items}
        picks = [pick for action in actions for pick in program.actions[action].picks]
        return not (declared.window or declared.secret or any(certain(pick.type).kind == "list" for pick in picks))

    def list_named(self, choice: Choice) -> Iterator[int]:
        """The cards named by a choice."""
        if choice:
            for names_cards, value in zip(self._picks[choice[0]], choice[1:], strict=True):
                if names_cards and value is not None:
                    yield from value if isinstance(value, tuple) else (value,)

    def is_legal(self, position: Position, choice: Choice) -> bool:
        """Whether a choice is legal in a position."""
        try:
            legal = self.executor.list_legal(position)
        except Fault:
            return False
        if self._has_copies:  # only one of several copies is offered
            return is_permitted(self._name(choice), [self._name(each) for each in legal])
        return is_permitted(choice, legal)

    def _name(self, choice: Choice) -> Choice:
        """A choice with its cards replaced by their faces."""
        if not choice:
            return choice
        named = zip(self._picks[choice[0]], choice[1:], strict=True)
        return (choice[0], *(self._name_cards(value) if cards else value for cards, value in named))

    def _name_cards(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(sorted(self._faces[card] for card in value))
        return None if value is None else self._faces[value]
