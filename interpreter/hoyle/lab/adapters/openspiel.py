"""Any game as an OpenSpiel game (`pip install 'hoyle[openspiel]'`).

In: `load_game("hoyle(file=…,players=…)")`, after this module is imported. Out: an OpenSpiel Python game. Its first node
is a chance node with `seeds` equally likely deals; everything after it is determined by the deal and the choices. With
`seeds=0`, there is a chance node whenever hidden information is revealed, with the exact outcomes and probabilities
(`hoyle.play.engine.unfolding`).
Actions are tokens of `hoyle.lab.adapters.encoding`. `resample_from_infostate` samples what a player does not know, so
that OpenSpiel's information-set MCTS can play every game.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyspiel

import hoyle
from hoyle.base.dataclass import dataclass
from hoyle.lab.adapters.cached_tree import Place, Tree
from hoyle.lab.adapters.encoding import Encoding
from hoyle.lab.adapters.observing import Observing
from hoyle.lab.adapters.token_match import TokenTable
from hoyle.program.model.chance import derive_seed

SEEDS = 1024
LONGEST = 20_000  # default limit of tokens per match
_PARAMETERS = {
    "file": "", "players": 0, "options": "", "seeds": SEEDS, "seed": 0, "longest": LONGEST, "low": 0, "high": 0,
}  # fmt: skip


MOST_OUTCOMES = 128  # declared bound of outcomes with explicit chance nodes; larger decks raise it
LARGEST = 1e9  # bound of utilities without a known range


def _read_options(text: str) -> dict[str, str]:
    """Parse options such as `raises:1 deals:2`; OpenSpiel does not allow another `=` in the value of a parameter."""
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
        default_loadable=False,  # it needs the parameter `file`
        parameter_specification=_PARAMETERS,
    )


_TYPE = _make_type()


@dataclass(frozen=True, slots=True)
class Setup:
    """Data shared by all states of a game, excluded from the deep copies that OpenSpiel makes of states."""

    game: hoyle.Game
    encoding: Encoding
    observing: Observing
    seeds: int
    seed: int
    longest: int
    low: float  # utility range
    high: float
    tree: Tree | None  # with explicit chance nodes (`seeds=0`)

    def __deepcopy__(self, _known: dict[int, Any]) -> Setup:
        return self


def _find_range(game: hoyle.Game, tree: Tree | None, said: dict[str, Any]) -> tuple[float, float]:
    """Return the utility range: from the parameters, the file, or an exhaustive search of a small tree."""
    if said["low"] or said["high"]:
        return float(said["low"]), float(said["high"])
    low, high = game.utility_range
    if tree is not None and math.isinf(high - low):
        low, high = tree.find_range() or (low, high)
    return max(-LARGEST, low), min(LARGEST, high)


class HoyleGame(pyspiel.Game):  # type: ignore[misc]  # the base class is not typed
    """A Hoyle game as an OpenSpiel game."""

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        said = {**_PARAMETERS, **(parameters or {})}
        if not said["file"]:
            raise ValueError("say which game: pyspiel.load_game('hoyle', {'file': 'GAME'})")
        if said["seeds"] < 0:
            raise ValueError(f"there are no {said['seeds']} deals; with 0 chance moves card by card")
        if said["longest"] < 1:
            raise ValueError(f"a match has at least one token, not {said['longest']}")
        if (said["low"] or said["high"]) and said["low"] >= said["high"]:
            raise ValueError(f"the least utility, {said['low']}, is not less than the most, {said['high']}")
        game = hoyle.load(said["file"], said["players"] or None, _read_options(said["options"]))
        encoding = Encoding(game.program)
        tree = None if said["seeds"] else Tree(game, encoding)
        low, high = _find_range(game, tree, said)
        observing = Observing(game, encoding)
        self.setup = Setup(game, encoding, observing, said["seeds"], said["seed"], said["longest"], low, high, tree)
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

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> HoyleObserver | None:
        """Create an observer; None, as OpenSpiel requires, for unsupported types (public or private information
        alone)."""
        if params:
            raise ValueError(f"what a player sees has no parameters, such as {params}")
        if iig_obs_type is None:
            return HoyleObserver(self, recalls=False)
        if not iig_obs_type.public_info or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return HoyleObserver(self, recalls=iig_obs_type.perfect_recall)


class HoyleState(pyspiel.State):  # type: ignore[misc]  # the base class is not typed
    """A match between two tokens, or a chance node. A match that exceeds `longest` tokens is terminal with utility 0
    for all."""

    def __init__(self, game: HoyleGame) -> None:
        super().__init__(game)
        self.own: Setup = game.setup
        self.table: TokenTable | None = None
        self.place: Place | None = None  # with explicit chance nodes (`seeds=0`)
        self.tokens = 0
        self.begun = ""  # description of the origin of states without a place
        if self.own.tree is not None:
            self._reach(self.own.tree.root)

    def _reach(self, place: Place) -> None:
        self.place = place
        self.table = None if place.table is None else place.table.copy()

    @property
    def _is_cut(self) -> bool:
        return self.tokens >= self.own.longest

    def current_player(self) -> int:
        if self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.table.seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.place is not None:
            return [(number, float(outcome.probability)) for number, outcome in enumerate(self.place.node.outcomes)]
        return [(outcome, 1 / self.own.seeds) for outcome in range(self.own.seeds)]

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.table is None or self.is_terminal() or player != self.table.seat else self.table.list_tokens()

    def _apply_action(self, action: int) -> None:
        tree = self.own.tree
        if self.table is None and self.place is not None and tree is not None:
            self._reach(tree.take(self.place, action))
        elif self.table is None:
            if not 0 <= action < self.own.seeds:
                raise IndexError(f"there is no deal {action}; there are {self.own.seeds}")
            self.begun = f"deal {action}"
            match = self.own.game.new(derive_seed(self.own.seed, action))
            self.table = TokenTable(self.own.game, match, self.own.encoding, self.own.observing)
        else:
            self.tokens += 1
            decision, chosen = self.table.match.decision, self.table.spell(action)
            if chosen is not None and self.place is not None and tree is not None and decision is not None:
                self._reach(tree.take(self.place, decision.index(chosen)))
            elif chosen is not None:
                self.table.match.apply(chosen)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self.own.encoding.names[action]
        if self.place is not None and action < len(self.place.node.outcomes):
            return self.place.node.outcomes[action].text
        return f"deal {action}"

    def is_terminal(self) -> bool:
        return self.table is not None and (self.table.is_over or self._is_cut)

    def returns(self) -> list[float]:
        if self.table is None or not self.table.is_over:
            return [0.0] * self.own.game.players
        worth = self.table.match.utilities
        if not self.own.low <= min(worth) <= max(worth) <= self.own.high:
            bounds = f"from {self.own.low:g} to {self.own.high:g}"
            raise ValueError(f"the match is worth {worth}, which is not {bounds}: set `low` and `high`")
        return worth

    def information_state_string(self, player: int | None = None) -> str:
        who = self.current_player() if player is None else player
        if self.table is None:
            return "before the deal" if self.place is None else self.place.describe(who)
        known = self.table.match.information_state(who) if self.place is None else self.place.describe(who)
        return f"{known}\n{self._list_said(who)}"

    def _list_said(self, who: int) -> tuple[int, ...]:
        """The tokens of the current choice given by a player."""
        return self.table.prefix if self.table is not None and not self.is_terminal() and self.table.seat == who else ()

    def observation_string(self, player: int | None = None) -> str:
        who = self.current_player() if player is None else player
        seen = self.table
        if seen is None and self.place is not None and self.place.seen is not None:
            seen = self.place.seen.table
        return "before the deal" if seen is None else f"{seen.match.view(who)}\n{self._list_said(who)}"

    def resample_from_infostate(self, player: int, chance: Any) -> HoyleState:
        """Sample a state from the player's information set."""
        other = HoyleState(self.get_game())
        other.place = None  # the sample also fixes all later chance
        if self.table is None:
            raise ValueError("chance is to move: what a player does not know is drawn anew at decisions")
        number = int(chance() * 2**53)
        other.begun, other.table = f"sample {number}", self.table.sample(player, number)
        other.tokens = self.tokens
        return other

    def __str__(self) -> str:
        if self.place is not None:
            said = self.place.said
        else:
            said = () if self.table is None else (self.begun, *self.table.match.history)
        spelt = () if self.table is None else tuple(self.own.encoding.names[token] for token in self.table.prefix)
        return "; ".join([*said, *spelt]) or "before the deal"


class HoyleObserver:
    """The observation of a player, as tensor and text; or, with `recalls` (perfect recall), the information state, as
    text only. OpenSpiel's C++ algorithms query the observer, not the state."""

    def __init__(self, game: HoyleGame, *, recalls: bool) -> None:
        self._recalls = recalls
        self.tensor: Any = None if recalls else np.zeros(game.setup.observing.size, np.float32)
        self.dict = {} if recalls else {"observation": self.tensor}

    def set_from(self, state: HoyleState, player: int) -> None:
        if not self._recalls:
            self.tensor[:] = 0 if state.table is None else state.table.observe(player)

    def string_from(self, state: HoyleState, player: int) -> str:
        return state.information_state_string(player) if self._recalls else state.observation_string(player)


pyspiel.register_game(_TYPE, HoyleGame)
