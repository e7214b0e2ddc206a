"""Handles: which cards each choice would move, from where and to where, so that a table can be played with the hand.

In: a decision of a match, the zones as the deciding seat sees them. Out: for each choice the first cards that it moves;
of an action, who gets the cards.

They are found by trying: each choice is played on matches in which everything that the seat does not know has been
dealt anew, and what does not come out the same in all of them is not said: it hangs on what the seat does not know. A
card that it does not see is not named. A claim in a window moves nothing for certain: that of another may go before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING

from hoyle.base.errors import HoyleError
from hoyle.play.beliefs.determinization import list_numbers
from hoyle.play.engine.executor import ReferenceExecutor
from hoyle.play.engine.faults import Fault
from hoyle.play.table.model import Move, Zone
from hoyle.play.table.moving import list_moving_clauses
from hoyle.play.view.names import holds_cards

if TYPE_CHECKING:
    from hoyle.play.engine.actions import Action
    from hoyle.play.engine.game import Game, Match
    from hoyle.program.model.events import Event
    from hoyle.program.model.position import Position

MOST_TRIED = 80  # choices; where there are more, cards are picked one by one
DEALT = 4  # matches on which a choice is tried: what comes out the same in all of them is as good as known


def find_handles(match: Match, tried: Iterable[tuple[int, Action]], zones: Sequence[Zone]) -> dict[int, Move]:
    """Map the numbers of choices to what they move first; those that move nothing are left out."""
    actions = list(tried)
    if not 0 < len(actions) <= MOST_TRIED:
        return {}
    if match.decision is None or match.decision.window:
        return {}
    seen = {zone.id: zone.cards for zone in zones}
    try:
        guesses = [match.redeal(match.find_seat(), seed) for seed in range(DEALT)]
    except Fault:
        return {}
    trial = _Trial(match.game, seen)
    moves: dict[int, Move] = {}
    for number, action in actions:
        first, *others = guesses
        move = trial.find(first, action)
        if move is not None and all(trial.find(guess, action) == move for guess in others):
            moves[number] = move
    return moves


def find_receiver(match: Match, actions: Sequence[Action]) -> int | None:
    """The seat that gets the cards which an action picks, if all choose together: whose they are in the end."""
    seat, decide = match.find_seat(), match.game.executor.find_decide(match.position)
    picks = match.game.program.actions[actions[0].choice[0]].picks
    if decide is None or decide.store is None or not any(holds_cards(pick.type) for pick in picks):
        return None
    found = set[int | None]()
    with suppress(HoyleError):
        for action, deal in product(dict.fromkeys((0, len(actions) - 1)), range(2)):
            played = type(match)(match.game, match.redeal(seat, deal))
            played.apply(actions[action])
            while match.game.executor.find_decide(played.position) is decide:
                played.apply(0)
            cards = list_numbers([value for pick, value in zip(picks, actions[action].choice[1:], strict=True)
                                  if holds_cards(pick.type)])  # fmt: skip
            found |= {match.game.names.zones[played.position.find(card)[0]][1] for card in cards}
    return next(iter(found)) if len(found) == 1 and found != {seat} else None


class _Enough(HoyleError):  # noqa: N818 - not an error: what was to be found is found
    """The first cards have been moved, and something else follows."""


class _Trial:
    """Plays actions of one game until they have moved their first cards."""

    def __init__(self, game: Game, seen: dict[str, tuple[str | None, ...]]) -> None:
        self._game, self._seen = game, seen
        self._executor = ReferenceExecutor(game.program, self._note, like=game.executor)
        self._clauses: dict[str, frozenset[str]] = {}
        self._own: frozenset[str] = frozenset()
        self._moved: list[Event] = []

    def _note(self, event: Event) -> None:
        moved, clauses = self._moved, self._game.program.clauses
        goes_on = event.name in ("moved", "dealt") and (not moved or event.clause == moved[0].clause)
        if goes_on and event.clause is not None and clauses[event.clause].path in self._own:
            moved.append(event)
        elif moved or event.name == "round_began":
            raise _Enough

    def find(self, guess: Position, action: Action) -> Move | None:
        """What an action moves first; of a choice made together with others, of the cards it picks."""
        program, names = self._game.program, self._game.names
        if action.name not in self._clauses:
            self._clauses[action.name] = list_moving_clauses(program, action.name)
        self._own, self._moved = self._clauses[action.name], []
        decide = self._game.executor.find_decide(guess)
        together = decide is not None and decide.store is not None
        picks = program.actions[action.choice[0]].picks if together else ()
        picked = [value for pick, value in zip(picks, action.choice[1:], strict=together) if holds_cards(pick.type)]
        its_own = set(list_numbers(picked))
        with suppress(Fault, _Enough):
            self._executor.advance(guess.copy(), action.choice)
        cards, source, target = list[str | None](), list[str](), list[str]()
        for event in self._moved:
            dealt = event.name == "dealt"
            count = len(event.data["cards"])
            sources = [event.data["source"]] * count if dealt else event.data["source"]
            targets = event.data["to"] if dealt else [event.data["zone"]] * count
            for card, place, goal in zip(event.data["cards"], sources, targets, strict=True):
                if together and card not in its_own:
                    continue
                code, zone = names.name_card(card), names.spell_zone(place)
                cards.append(code if code in self._seen.get(zone, ()) else None)
                source.append(zone)
                target.append(names.spell_zone(goal))
        return Move(tuple(cards), tuple(source), tuple(target)) if cards else None
