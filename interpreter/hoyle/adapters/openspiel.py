"""Any game as a game of OpenSpiel (`pip install 'hoyle[openspiel]'`).

In: `load_game("hoyle(file=…,players=…)")`, after this module is imported. Out: a Python game of OpenSpiel. The first
move is chance's: one of `seeds` deals, each equally likely; all that follows is determined by it and by the choices.
With `seeds=0` chance moves whenever a card comes to be known, and its outcomes are those there are, as likely as they
are (`hoyle.engine.unfolding`).
Actions are tokens of `hoyle.adapters.encoding`. `resample_from_infostate` draws what a player does not know, so that
OpenSpiel's information-set search plays every game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

import hoyle
from hoyle.adapters.encoding import Encoding
from hoyle.adapters.table import TokenTable
from hoyle.dataclass import dataclass
from hoyle.engine.unfolding import Node, unfold
from hoyle.model.chance import derive_seed

SEEDS = 1024
LONGEST = 20_000  # tokens
_PARAMETERS = {"file": "", "players": 0, "options": "", "seeds": SEEDS, "seed": 0, "longest": LONGEST}


MOST_OUTCOMES = 128  # of chance, card by card, but there are more cards: of what is picked nothing is said before
LARGEST = 1e9  # of utilities of which the file does not say how large they can be


def _read_options(text: str) -> dict[str, str]:
    """Options such as `raises:1 deals:2`; OpenSpiel reads no second `=` after a parameter's."""
    pairs = [word.partition(":") for word in text.split()]
    for name, colon, value in pairs:
        if not (name and colon and value):
            raise ValueError(f"options are written `name:value`, with spaces between them, not `{name}{colon}{value}`")
    return {name: value for name, _, value in pairs}


def _make_type(total: float | None = 0.0, most: int = 14) -> Any:
    kinds = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="hoyle",
        long_name="Hoyle: card games as files",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=kinds.GENERAL_SUM if total is None else kinds.CONSTANT_SUM if total else kinds.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        default_loadable=False,  # there is no game unless its file is given
        parameter_specification=_PARAMETERS,
    )


_TYPE = _make_type()


@dataclass(frozen=True, slots=True)
class Setup:
    """What all states of a game share: OpenSpiel copies states with all they hold, and this is not to be copied."""

    game: hoyle.Game
    encoding: Encoding
    seeds: int
    seed: int
    longest: int

    def __deepcopy__(self, _known: dict[int, Any]) -> Setup:
        return self


class HoyleGame(pyspiel.Game):  # type: ignore[misc]  # the base class is not typed
    """A game of Hoyle's."""

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        said = {**_PARAMETERS, **(parameters or {})}
        if not said["file"]:
            raise ValueError("say which game: pyspiel.load_game('hoyle', {'file': 'GAME'})")
        if said["seeds"] < 0:
            raise ValueError(f"there are no {said['seeds']} deals; with 0 chance moves card by card")
        game = hoyle.load(said["file"], said["players"] or None, _read_options(said["options"]))
        encoding = Encoding(game.program)
        self.setup = Setup(game, encoding, said["seeds"], said["seed"], said["longest"])
        low, high = (max(-LARGEST, min(LARGEST, bound)) for bound in game.utility_range)
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.size,
            max_chance_outcomes=said["seeds"] or max(MOST_OUTCOMES, len(game.program.cards)),
            num_players=game.players,
            min_utility=low,
            max_utility=high,
            utility_sum=game.utility_sum,
            max_game_length=said["longest"],
        )
        super().__init__(_make_type(game.utility_sum), info, said)

    def new_initial_state(self) -> HoyleState:
        return HoyleState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> HoyleObserver:
        return HoyleObserver(self)


class HoyleState(pyspiel.State):  # type: ignore[misc]  # the base class is not typed
    """A match at a token, or before its deal; one that grows too long is over, and worth nothing to all."""

    def __init__(self, game: HoyleGame) -> None:
        super().__init__(game)
        self.own: Setup = game.setup
        self.table: TokenTable | None = None
        self.node: Node | None = None  # where chance moves card by card
        self.tokens = 0
        if not self.own.seeds:
            self._reach(unfold(self.own.game))

    def _reach(self, node: Node) -> None:
        self.node, match = node, node.match
        self.table = None if match is None else TokenTable(self.own.game, match.copy(), self.own.encoding)

    @property
    def _is_cut(self) -> bool:
        return self.tokens >= self.own.longest

    def current_player(self) -> int:
        if self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.table.seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.node is not None:
            return [(place, float(outcome.probability)) for place, outcome in enumerate(self.node.outcomes)]
        return [(outcome, 1 / self.own.seeds) for outcome in range(self.own.seeds)]

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.table is None or self.is_terminal() or player != self.table.seat else self.table.list_tokens()

    def _apply_action(self, action: int) -> None:
        if self.table is None and self.node is not None:
            self._reach(self.node.take(action))
        elif self.table is None:
            match = self.own.game.new(derive_seed(self.own.seed, action))
            self.table = TokenTable(self.own.game, match, self.own.encoding)
        else:
            self.tokens += 1
            decision, chosen = self.table.match.decision, self.table.spell(action)
            if chosen is not None and self.node is not None and decision is not None:
                self._reach(self.node.take(decision.index(chosen)))
            elif chosen is not None:
                self.table.match.apply(chosen)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self.own.encoding.names[action]
        if self.node is not None and action < len(self.node.outcomes):
            return self.node.outcomes[action].text
        return f"deal {action}"

    def is_terminal(self) -> bool:
        return self.table is not None and (self.table.is_over or self._is_cut)

    def returns(self) -> list[float]:
        if self.table is None or not self.table.is_over:
            return [0.0] * self.own.game.players
        return self.table.match.utilities

    def information_state_string(self, player: int | None = None) -> str:
        who = self.current_player() if player is None else player
        if self.table is None:
            return "before the deal"
        spelt = self.table.prefix if not self.is_terminal() and self.table.seat == who else ()
        return f"{self.table.match.information_state(who)}\n{spelt}"

    def observation_string(self, player: int | None = None) -> str:
        who = self.current_player() if player is None else player
        return "before the deal" if self.table is None else str(self.table.match.view(who))

    def resample_from_infostate(self, player: int, chance: Any) -> HoyleState:
        """A state the player cannot tell from this one."""
        other = HoyleState(self.get_game())
        other.node = None  # chance to come is drawn with the sample
        assert self.table is not None
        other.table = self.table.sample(player, int(chance() * 2**53))
        other.tokens = self.tokens
        return other

    def __str__(self) -> str:
        if self.table is None:
            return "before the deal"
        return "; ".join(self.table.match.history) or "dealt"


class HoyleObserver:
    """What a player sees, as numbers and as text."""

    def __init__(self, game: HoyleGame) -> None:
        setup = game.setup
        size = TokenTable(setup.game, setup.game.new(0), setup.encoding).observation_size
        self.tensor: Any = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: HoyleState, player: int) -> None:
        self.tensor[:] = 0 if state.table is None else state.table.observe(player)

    def string_from(self, state: HoyleState, player: int) -> str:
        return state.observation_string(player)


pyspiel.register_game(_TYPE, HoyleGame)
