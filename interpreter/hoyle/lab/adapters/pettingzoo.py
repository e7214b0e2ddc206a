"""Any game as a PettingZoo environment (`pip install 'hoyle[pettingzoo]'`).

In: a game by name or file, players, options. Out: an AEC environment. Seats are the agents `seat_0`, `seat_1` …; an
action is a token of `hoyle.lab.adapters.encoding`, so that a choice with picks takes several steps of one agent. An
observation is a dictionary of the observation vector and the action mask. Rewards are the utilities, at the end of the
match.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

import hoyle
from hoyle.lab.adapters.encoding import Encoding
from hoyle.lab.adapters.token_match import TokenTable
from hoyle.program.model.given import read_count, read_whole

MOST_STEPS = 100_000


RENDER_MODES = ["human", "ansi"]


class HoyleEnv(AECEnv):  # type: ignore[misc]  # the base class is not typed
    """A match as an environment; one that does not end within `most_steps` tokens is truncated."""

    metadata = {"name": "hoyle_v0", "render_modes": RENDER_MODES, "is_parallelizable": False}  # noqa: RUF012 - as its base

    def __init__(
        self,
        name: str | Path,
        players: int | None = None,
        options: dict[str, Any] | None = None,
        *,
        most_steps: int = MOST_STEPS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = hoyle.load(name, players, options)
        self.encoding = Encoding(self.game.program)
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"a match is rendered as text, `ansi`, or printed, `human`, not `{render_mode}`")
        self.render_mode = render_mode
        self.most_steps = read_count(most_steps, "the most steps of a match")
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.players)]
        self._chance = np.random.default_rng()
        self._begin(0)
        size = self.table.observation_size
        self.observation_names = self.table.observation_names
        self._observed = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.encoding.size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._acted = {agent: gymnasium.spaces.Discrete(self.encoding.size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._observed[self._check(agent)]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self._acted[self._check(agent)]

    def _check(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}; there are {', '.join(self.possible_agents)}")
        return agent

    def _begin(self, seed: int) -> None:
        self.table = TokenTable(self.game, self.game.new(seed), self.encoding)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.table.is_over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.steps = 0
        self.agent_selection = self.possible_agents[0 if self.table.is_over else self.table.seat]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            known = read_whole(seed, "a seed")
            self._chance = np.random.default_rng(known if known >= 0 else known % 2**64)
        self._begin(int(self._chance.integers(2**62)))
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(self._check(agent))
        mask: Any = np.zeros(self.encoding.size, np.int8)
        if not self.table.is_over and self.table.seat == seat and not self.truncations.get(agent, True):
            mask[self.table.list_tokens()] = 1
        return {"observation": np.array(self.table.observe(seat), np.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise ValueError("the match is over; `reset` begins another")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.table.add(read_whole(action, "a token"))  # type: ignore[arg-type]  # None is none, either
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.steps += 1
        if self.table.is_over:
            for agent, worth in zip(self.possible_agents, self.table.match.utilities, strict=True):
                self.rewards[agent] = float(worth)
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.steps >= self.most_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        if not self.table.is_over:
            self.agent_selection = self.possible_agents[self.table.seat]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Render what the deciding agent sees: every zone with cards, and the scores. In mode `human`, print it, after
        every step; else return it."""
        match = self.table.match
        seen = match.view(self.possible_agents.index(self.agent_selection))
        lines = [f"{zone.word}: {' '.join(card or '?' for card in zone.cards)}" for zone in seen.zones if zone.cards]
        text = "\n".join([*lines, f"scores: {', '.join(map(str, match.scores))}"])
        if self.render_mode != "human":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
